"""What is asked of a board: top, rank, around, ranks, scores, rank of a score."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from toprung.domain.board import Board, Numbering
from toprung.domain.calendar import Period, Window
from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.freezing import frozen
from toprung.domain.instants import looks_like_instant, parse_instant
from toprung.domain.limits import AROUND, FRIENDS, MANY_PLAYERS, PAGE_ROWS, RANK, REVEALED
from toprung.domain.numbering import percentile, top_percent
from toprung.domain.numbers import fits, parse_number
from toprung.domain.segments import Segment, read_segment, segment_key
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock
from toprung.ports.view import BoardReader, PeriodReader, Place, RankView, Row
from toprung.query.cursor import Cursor, foreign_cursor, read_cursor, write_cursor
from toprung.query.friends import Friends, among
from toprung.query.pages import Page, Standing, span_of_ranks, standings
from toprung.query.reveal import Step, steps_of
from toprung.query.withholding import Withheld, rank_withheld, rows_withheld, withheld_of
from toprung.query.would_be import RankOf, read_score, target, would_be


class Scope(NamedTuple):
    """What a read is about."""

    board: Board
    period: Period
    numbering: Numbering
    frozen_at: int | None = None
    """Only events strictly before this instant are shown (R18); ``None``: all."""
    segment: Segment | None = None
    """The part of the board; ``None``: all of it."""
    withheld: Withheld | None = None
    """What is kept back for a review; ``None``: nothing."""

    @property
    def period_key(self) -> EntryKey:
        """The period's key in store and view."""
        window = self.period.window
        if self.frozen_at is not None:
            window = frozen(window)
        return self.board.board_id, window, self.period.key

    @property
    def key(self) -> EntryKey:
        """What the view has of it: the period, or the segment in it."""
        key = self.period_key
        return key if self.segment is None else segment_key(key, self.segment)


class PlayerRank(NamedTuple):
    """One player's rank."""

    standing: Standing
    percentile: float
    top_percent: float
    total: int
    seq: int


class RanksOf(NamedTuple):
    """Rows of many players, and those who have none."""

    page: Page
    missing: list[str]
    """They are not on the board."""
    withheld: list[str]
    """They are, and their ranks are withheld."""


class Stood(NamedTuple):
    """Where a player stands, and among how many."""

    standing: Standing | None
    above: int
    """Players with a better score."""
    equal: int
    """Further players with the same score."""
    total: int
    seq: int


class Revealed(NamedTuple):
    """What a freeze kept back, step by step."""

    steps: Sequence[Step]
    seq: int


class StaleScope(Exception):
    """The board was recomputed or dropped between ``scope`` and the read: look at it again."""


Span = Callable[[PeriodReader], tuple[int, int]]


class Query:
    """Answers from one moment of the view; each reply tells the ``seq`` of that moment (R12).

    Args:
        view: ``None`` when no ranks are kept: then every question is ``unsupported``.
    """

    def __init__(self, catalog: Catalog, view: RankView | None, clock: Clock) -> None:
        self._catalog = catalog
        self._view = view
        self._clock = clock

    def board(self, project: str, name: str) -> Board:
        """The project's board of that name.

        Raises:
            InvalidInput: ``unknown_board``.
        """
        board = self._catalog.by_name(project, name)
        if board is None:
            raise InvalidInput(f"there is no board {name!r}", field="board", code="unknown_board")
        return board

    def boards(self, project: str) -> list[Board]:
        """The project's boards, by name."""
        return self._catalog.of_project(project)

    def hides(self, project: str, player_id: str) -> bool:
        """Whether a player is out of public answers (R9)."""
        return player_id in self._catalog.players.masked(project)

    def present(self, board: Board) -> list[Period]:
        """The present period of each window."""
        now = self._clock.now()
        return [board.period_now(window, now) for window in board.windows]

    def scope(
        self,
        project: str,
        board: str,
        window: str | None = None,
        period: str | None = None,
        numbering: str | None = None,
        segment: str | None = None,
        *,
        full: bool = False,
    ) -> Scope:
        """What the arguments of a read mean.

        Args:
            period: a key, ``current``, ``previous``, or an RFC 3339 instant.
            segment: ``name:value``; ``None``: the whole board.
            full: whether what is kept from the public is asked about, too: by a freeze (R18), or
                for a review.

        Raises:
            InvalidInput: naming the argument.
        """
        found = self.board(project, board)
        asked = self._period(found, window, period)
        return Scope(
            found,
            asked,
            numbering_of(numbering, found.numbering),
            None if full else found.freeze_at,
            segment_of(found, segment),
            None if full else withheld_of(found, asked, self._clock.now()),
        )

    def _period(self, board: Board, window: str | None, period: str | None) -> Period:
        calendar = board.window(window)
        present = board.period_now(calendar.window, self._clock.now())
        if period is None or period == "current":
            return present
        if calendar.window in board.rolling:
            return _rolling_period(calendar, period, present)
        if period == "previous":
            if present.start is None:
                raise InvalidInput(
                    f"the window {calendar.window!r} has no previous period", field="period"
                )
            return calendar.period_at(present.start - 1)
        if looks_like_instant(period):
            return calendar.period_at(parse_instant(period, "period"))
        return calendar.parse(period)

    def before(self, scope: Scope, *, full: bool) -> Scope | None:
        """The same of the period before; ``None``: there is none."""
        period = scope.period
        if period.start is None or period.window in scope.board.rolling:
            return None
        earlier = scope.board.windows[period.window].period_at(period.start - 1)
        withheld = None if full else withheld_of(scope.board, earlier, self._clock.now())
        return scope._replace(period=earlier, withheld=withheld)

    def settle(self) -> None:
        """Wait for a change of boards that a reader met half done; see :class:`StaleScope`."""
        with self._catalog.changing:
            pass

    def top(self, scope: Scope, k: int, cursor: str | None = None) -> Page:
        """The first ``k`` rows, or the next ``k`` at a cursor."""
        PAGE_ROWS.check(k, "k")
        return self._page(scope, lambda reader: (0, reader.total), k, cursor)

    def ranks(
        self, scope: Scope, first: int, last: int, limit: int, cursor: str | None = None
    ) -> Page:
        """The rows whose shown rank lies in ``[first, last]`` (R15)."""
        RANK.check(first, "from")
        RANK.check(last, "to")
        PAGE_ROWS.check(limit, "limit")
        return self._page(
            scope,
            lambda reader: span_of_ranks(reader, first, last, scope.numbering),
            limit,
            cursor,
        )

    def scores(
        self,
        scope: Scope,
        low: str | None,
        high: str | None,
        limit: int,
        cursor: str | None = None,
    ) -> Page:
        """The rows whose first column lies in ``[low, high]``, both included."""
        PAGE_ROWS.check(limit, "limit")
        column = scope.board.settings.columns[0]
        least = None if low is None else parse_number(low, column.decimals, "min")
        most = None if high is None else parse_number(high, column.decimals, "max")
        best, worst = (most, least) if column.descending else (least, most)
        if least is not None and most is not None and least > most:
            return self._page(scope, lambda reader: (0, 0), limit, cursor)

        def span(reader: PeriodReader) -> tuple[int, int]:
            start = 0 if best is None else reader.count_above((best,))
            return start, reader.total if worst is None else reader.count_to((worst,))

        return self._page(scope, span, limit, cursor)

    def around(self, scope: Scope, player_id: str, n: int | None, size: int | None) -> Page:
        """The rows around a player (R14).

        Args:
            n: so many above and below; at an edge fewer.
            size: instead, so many in all, slid to stay on the board.

        Raises:
            InvalidInput: ``unranked_player``, or ``withheld``.
        """
        if n is not None and size is not None:
            raise InvalidInput("give n or size, not both", field="size")
        if size is not None:
            PAGE_ROWS.check(size, "size")
        AROUND.check(n or 0, "n")
        with self._read().read() as view:
            reader = _period_of(view, scope)
            index, first = _index(reader, player_id), _first(view, scope, reader)
            if index < first:
                raise rank_withheld(player_id, scope.withheld)
            if size is None:
                start, stop = index - (n or 0), index + (n or 0) + 1
            else:
                start = index - (size - 1) // 2 if size % 2 else index - size // 2
                start = max(first, min(start, reader.total - size))
                stop = start + size
            span = first, reader.total
            return self._rows(scope, reader, view.seq, span, max(start, first), stop)

    def rank(self, scope: Scope, player_id: str) -> PlayerRank:
        """A player's rank.

        Raises:
            InvalidInput: ``unranked_player``, or ``withheld``.
        """
        with self._read().read() as view:
            reader = _period_of(view, scope)
            place, first, seq = reader.place(player_id), _first(view, scope, reader), view.seq
        if place is None:
            raise _unranked(player_id)
        if place.rank_index < first:
            raise rank_withheld(player_id, scope.withheld)
        shared, total = place.above + 1, place.total
        return PlayerRank(
            _standing(player_id, place, scope.numbering),
            percentile(shared, total),
            top_percent(shared, total),
            total,
            seq,
        )

    def standing(self, scope: Scope, player_id: str) -> Stood:
        """Where a player stands, or that there is none of that id on the board.

        Raises:
            InvalidInput: ``withheld``.
        """
        with self._read().read() as view:
            reader = _period_of(view, scope)
            place, total, seq = reader.place(player_id), reader.total, view.seq
            if place is None:
                return Stood(None, 0, 0, total, seq)
            if place.rank_index < _first(view, scope, reader):
                raise rank_withheld(player_id, scope.withheld)
            equal = reader.count_to(place.columns) - place.above - 1
        standing = _standing(player_id, place, scope.numbering)
        return Stood(standing, place.above, equal, total, seq)

    def ranks_of(self, scope: Scope, player_ids: Sequence[str]) -> RanksOf:
        """The rows of many players in the order asked, and those who have none."""
        MANY_PLAYERS.check(len(player_ids), "players")
        rows: list[Standing] = []
        missing: list[str] = []
        withheld: list[str] = []
        with self._read().read() as view:
            reader = _period_of(view, scope)
            first = _first(view, scope, reader)
            for player_id, place in zip(player_ids, reader.places(player_ids), strict=True):
                if place is None:
                    missing.append(player_id)
                elif place.rank_index < first:
                    withheld.append(player_id)
                else:
                    rows.append(_standing(player_id, place, scope.numbering))
            return RanksOf(Page(rows, reader.total, view.seq, None, None), missing, withheld)

    def friends(self, scope: Scope, player_ids: Sequence[str]) -> Friends:
        """The players among each other, and on the board (R13). Who is named twice counts once."""
        FRIENDS.check(len(player_ids), "players")
        return self.among(scope, player_ids)

    def among(self, scope: Scope, player_ids: Iterable[str]) -> Friends:
        """Any number of players among each other, in one pass over the view."""
        asked = list(dict.fromkeys(player_ids))
        with self._read().read() as view:
            reader = _period_of(view, scope)
            places, total, seq = reader.places(asked), reader.total, view.seq
            first = _first(view, scope, reader)
        found = [
            (place, _standing(player_id, place, scope.numbering))
            for player_id, place in zip(asked, places, strict=True)
            if place is not None
        ]
        withheld = [row.player_id for place, row in found if place.rank_index < first]
        # In board order who is withheld stands before all others, who keep their ranks.
        rows = among(found, scope.numbering)[len(withheld) :]
        return Friends(rows, total, seq, withheld)

    def rank_of(self, scope: Scope, score: str, wanted: int | None) -> RankOf:
        """The rank that ``score`` would get if it were reached now, and what is missing to others.

        Args:
            score: the columns in order, separated by commas; later ones may be left out, then the
                score is compared by those given.
            wanted: a rank to tell the distance to.

        Raises:
            InvalidInput: naming the argument; ``withheld``, as answers would tell which scores are.
        """
        columns = read_score(scope.board, score)
        if wanted is not None:
            RANK.check(wanted, "wanted")
        if scope.withheld is not None:
            raise InvalidInput(
                "the first ranks of this period are withheld, and so are the scores to reach them",
                field="period",
                code="withheld",
            )
        with self._read().read() as view:
            reader = _period_of(view, scope)
            rank = would_be(reader, columns, scope.numbering)
            of = scope.board, scope.numbering, reader, columns, rank
            following = None if rank == 1 else target(*of, rank - 1)
            asked = None if wanted is None else target(*of, wanted)
            return RankOf(rank, reader.total, view.seq, following, asked)

    def reveal(self, scope: Scope) -> Revealed:
        """The steps from what a frozen scope shows to everything; see ``steps_of``.

        Raises:
            InvalidInput: there are too many players.
        """
        with self._read().read() as view:
            frozen_rows = _period_of(view, scope)
            full_rows = _period_of(view, scope._replace(frozen_at=None))
            if full_rows.total > REVEALED.maximum:
                raise InvalidInput(
                    f"at most {REVEALED.maximum} players are revealed, here are {full_rows.total}",
                    field="board",
                )
            rows = [each.rows(0, each.total) for each in (frozen_rows, full_rows)]
            seq = view.seq
        return Revealed(steps_of(scope.board, scope.numbering, *rows), seq)

    def seq(self) -> int:
        """The last record that readers see."""
        with self._read().read() as view:
            return view.seq

    def _read(self) -> RankView:
        if self._view is None:
            raise no_ranks()
        return self._view

    def _page(self, scope: Scope, span: Span, limit: int, cursor: str | None) -> Page:
        place = None if cursor is None else read_cursor(cursor)
        if place is not None:
            if place.among is not None:
                raise InvalidInput("cursor belongs to a list of friends", field="cursor")
            check_place(scope, place)
        with self._read().read() as view:
            reader = _period_of(view, scope)
            low, high = span(reader)
            first = _first(view, scope, reader)
            if first:
                low, high = max(low, first), max(high, first)
            start, stop = low, min(low + limit, high)
            if place is not None and place.forward:
                start = max(low, _after(reader, place.row))
                stop = min(start + limit, high)
            elif place is not None:
                stop = min(high, reader.index_at(place.row))
                start = max(low, stop - limit)
            return self._rows(scope, reader, view.seq, (low, high), start, stop)

    def _rows(
        self,
        scope: Scope,
        reader: PeriodReader,
        seq: int,
        span: tuple[int, int],
        start: int,
        stop: int,
    ) -> Page:
        rows = reader.rows(start, stop)
        low, high = span
        more_after = rows and start + len(rows) < high
        more_before = rows and start > low
        return Page(
            standings(reader, start, rows, scope.numbering),
            reader.total,
            seq,
            _cursor(scope, rows[-1], forward=True) if more_after else None,
            _cursor(scope, rows[0], forward=False) if more_before else None,
        )


def no_ranks() -> Trouble:
    """What is said where no view is kept."""
    return Trouble("unsupported", "this server keeps no ranks: its view is off", retryable=False)


def _period_of(view: BoardReader, scope: Scope) -> PeriodReader:
    """The period that ``scope`` means, as its board's rules read it.

    Raises:
        StaleScope: the board's entries are of another generation than its rules.
    """
    if view.generation(scope.board.board_id) != scope.board.state.shown_by:
        raise StaleScope
    return view.period(scope.key)


def _first(view: BoardReader, scope: Scope, reader: PeriodReader) -> int:
    """The index of the first row that is shown."""
    if scope.withheld is None:
        return 0
    return rows_withheld(scope.withheld, view, scope.period_key, reader)


def segment_of(board: Board, text: str | None) -> Segment | None:
    """The segment of a board that a text means; ``None``: the whole board.

    Raises:
        InvalidInput: naming ``segment``.
    """
    return None if text is None else read_segment(board.settings.segments, text)


def _rolling_period(window: Window, period: str, present: Period) -> Period:
    """The present period of a rolling window, where that is asked for in other words.

    Raises:
        InvalidInput: another one is asked for, and nothing is kept of it.
    """
    if period != "previous":
        if looks_like_instant(period):
            found = window.period_at(parse_instant(period, "period"))
        else:
            found = window.parse(period)
        if found.key == present.key:
            return present
    raise InvalidInput(
        f"period: of {window.window} only the present period, {present.key}, can be read",
        field="period",
        hint="as_of shows the window as it stood, from and to the events of any time",
    )


def numbering_of(text: str | None, default: Numbering) -> Numbering:
    """The numbering of that name.

    Raises:
        InvalidInput: there is none.
    """
    if text is None:
        return default
    try:
        return Numbering(text)
    except ValueError:
        raise InvalidInput(
            f"numbering must be one of {', '.join(Numbering)}", field="numbering"
        ) from None


def _index(reader: PeriodReader, player_id: str) -> int:
    index = reader.index_of(player_id)
    if index is None:
        raise _unranked(player_id)
    return index


def _unranked(player_id: str) -> InvalidInput:
    return InvalidInput(
        f"player {player_id!r} is not on this board in this period",
        field="player",
        code="unranked_player",
    )


def _standing(player_id: str, place: Place, numbering: Numbering) -> Standing:
    index, columns, reached_at, above, distinct_above, _ = place
    if numbering is Numbering.ORDINAL:
        shown = index + 1
    else:
        shown = (above if numbering is Numbering.SHARED else distinct_above) + 1
    return Standing(shown, player_id, columns, reached_at)


def check_place(scope: Scope, place: Cursor) -> None:
    """Check that a cursor is about what ``scope`` means, and is one of ours.

    Raises:
        InvalidInput: it is not.
    """
    if (place.board_id, place.window, place.period) != scope.period_key:
        raise InvalidInput("cursor belongs to another board or period", field="cursor")
    if place.segment != segment_text(scope):
        raise InvalidInput("cursor belongs to another segment", field="cursor")
    if place.revision != scope.board.revision:
        raise InvalidInput(
            "cursor is older than the board's columns", field="cursor", hint="begin without one"
        )
    whole = len(place.columns) == len(scope.board.settings.columns)
    if not whole or not all(map(fits, (*place.columns, place.reached_at))):
        raise foreign_cursor()


def _after(reader: PeriodReader, row: Row) -> int:
    """The index after the place of ``row``, whether or not it still stands there."""
    index = reader.index_at(row)
    return index + 1 if reader.rows(index, index + 1) == [row] else index


def _cursor(scope: Scope, row: Row, *, forward: bool) -> str:
    return write_cursor(
        Cursor(
            *scope.period_key,
            scope.board.revision,
            forward,
            row.columns,
            row.reached_at,
            row.player_id,
            segment=segment_text(scope),
        )
    )


def segment_text(scope: Scope) -> str | None:
    """The segment that a scope means, as it is asked for; ``None``: the whole board."""
    return None if scope.segment is None else str(scope.segment)
