"""Where the rows of an export come from: the pages of a server."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.cli.errors import Failed
from toprung.cli.exporting.tables import POINTS, Column, Kind, Page, Points, Table
from toprung.cli.output import say
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.boards import Board
from toprung.wire.events import LoggedEvent
from toprung.wire.periods import PeriodReply
from toprung.wire.reads import Row, Withheld

if TYPE_CHECKING:
    from toprung.sdk import Client
    from toprung.sdk._asking import View

ENTRIES = (
    Column("rank", Kind.WHOLE),
    Column("player_id", Kind.TEXT),
    Column("name", Kind.TEXT),
    Column(POINTS, Kind.POINTS),
    Column("at", Kind.INSTANT),
)
SNAPSHOTS = (
    Column("window", Kind.TEXT),
    Column("period", Kind.TEXT),
    Column("version", Kind.WHOLE),
    *ENTRIES,
)
EVENTS = (
    Column("seq", Kind.WHOLE),
    Column("received_at", Kind.INSTANT),
    Column("event_id", Kind.TEXT),
    Column("player_id", Kind.TEXT),
    Column(POINTS, Kind.POINTS),
    Column("at", Kind.INSTANT),
    Column("outcome", Kind.TEXT),
    Column("late", Kind.TEXTS),
    Column("history", Kind.FLAG),
    Column("match_id", Kind.TEXT),
    Column("metadata", Kind.JSON),
    Column("update_only", Kind.FLAG),
    Column("void", Kind.FLAG),
)


def entries(
    client: "Client",
    name: str,
    window: str | None,
    period: str | None,
    segment: str | None = None,
    *,
    full: bool = False,
) -> Table:
    """The standings of one period, in board order; of a closed one the final ones.

    A player who does not move meanwhile is in it once, whatever the others do.

    Args:
        full: with what is kept from the public; needs an admin key.

    Raises:
        Failed: ``withheld``, some of its ranks are; the pages say it where its end comes meanwhile.
    """
    view = _view(full=full)
    asked = client.period(name, period or "current", window=window, view=view)
    _check_shown(asked.withheld, asked.period)

    def pages() -> Iterator[Page]:
        done = 0
        for page in client.pages(
            name,
            page_size=PAGE_ROWS.maximum,
            window=window,
            period=period,
            segment=segment,
            view=view,
        ):
            _check_shown(page.withheld, page.period.key)
            done += len(page.rows)
            yield Page([_entry(row) for row in page.rows], done, page.total, "rows")

    return Table(ENTRIES, _points(client.board(name)), pages)


def snapshots(
    client: "Client",
    name: str,
    window: str | None,
    period: str | None,
    segment: str | None = None,
    *,
    full: bool = False,
) -> Table:
    """The final standings of closed periods, the earliest first: of one, or of all that are shown;
    which ones are left out is said.

    Args:
        full: with what is kept from the public; needs an admin key.

    Raises:
        Failed: ``not_closed`` or ``withheld``, the one asked for is not there to be seen yet.
    """
    board, view = client.board(name), _view(full=full)
    if period is None:
        windows = [each.window for each in board.windows] if window is None else [window]
        closed = [each for win in windows for each in _closed(client, name, win, view)]
        for each in closed:
            if each.withheld is not None:
                say(f"{each.window} {each.period} is left out: {_told(each.withheld)}")
    else:
        closed = [client.period(name, period, window=window, view=view)]
        if closed[0].state != "closed":
            raise Failed("not_closed", f"the period {closed[0].period} is {closed[0].state}")
        _check_shown(closed[0].withheld, closed[0].period)

    def pages() -> Iterator[Page]:
        done, total = 0, sum(each.versions[-1].count for each in closed if each.versions)
        for each in closed:
            if not each.versions:
                continue
            head = each.window, each.period, each.versions[-1].version
            for page in client.pages(
                name,
                page_size=PAGE_ROWS.maximum,
                window=each.window,
                period=each.period,
                segment=segment,
                view=view,
            ):
                _check_shown(page.withheld, page.period.key)
                done += len(page.rows)
                yield Page([(*head, *_entry(row)) for row in page.rows], done, total, "rows")

    return Table(SNAPSHOTS, _points(board), pages)


def _view(*, full: bool) -> "View | None":
    return "full" if full else None


def _check_shown(withheld: Withheld | None, period: str) -> None:
    """Do nothing when a period is shown whole: a file that lacks its first rows says so nowhere."""
    if withheld is not None:
        raise Failed(
            "withheld",
            f"{_told(withheld)} in the period {period}",
            hint="--full has them with an admin key, toprung boards publish shows them",
        )


def _told(withheld: Withheld) -> str:
    return f"ranks 1 to {withheld.top} are withheld until {withheld.until}"


def _closed(client: "Client", name: str, window: str, view: "View | None") -> list[PeriodReply]:
    """The closed periods of a window, the earliest first."""
    found: list[PeriodReply] = []
    before = None
    while True:
        told = client.periods(name, window=window, before=before, view=view)
        found += [each for each in told.periods if each.state == "closed"]
        before = told.next
        if before is None:
            return found[::-1]


def events(client: "Client", name: str) -> Table:
    """Every event that the board was sent, in the order of the log, with what became of it."""

    def pages() -> Iterator[Page]:
        cursor = None
        while True:
            page = client.events(name, limit=PAGE_ROWS.maximum, cursor=cursor)
            rows = [_event(row) for row in page.rows]
            done = int(page.rows[-1].seq) if page.next and page.rows else int(page.seq)
            yield Page(rows, done, int(page.seq), "records")
            cursor = page.next
            if cursor is None:
                return

    return Table(EVENTS, _points(client.board(name)), pages)


def _entry(row: Row) -> tuple[object, ...]:
    points = row.score if row.columns is None else row.columns
    return row.rank, row.player_id, row.name, points, row.reached_at


def _event(row: LoggedEvent) -> tuple[object, ...]:
    return (
        int(row.seq),
        row.received_at,
        row.event_id,
        row.player_id,
        row.points,
        row.at,
        row.outcome,
        row.late,
        row.history,
        row.match_id,
        # Raw, so that no digit of it is lost on the way.
        bytes(row.metadata).decode() if row.metadata else None,
        row.update_only,
        row.void,
    )


def _points(board: Board) -> list[Points]:
    return [Points(column.name, column.decimals) for column in board.columns]
