"""Where the rows of an export come from: the pages of a server."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.cli.errors import Failed
from toprung.cli.exporting.tables import POINTS, Column, Kind, Page, Points, Table
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.boards import Board
from toprung.wire.events import LoggedEvent
from toprung.wire.periods import PeriodReply
from toprung.wire.reads import Row

if TYPE_CHECKING:
    from toprung.sdk import Client

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
) -> Table:
    """The standings of one period, in board order; of a closed one the final ones.

    A player who does not move meanwhile is in it once, whatever the others do.
    """

    def pages() -> Iterator[Page]:
        done = 0
        for page in client.pages(
            name, page_size=PAGE_ROWS.maximum, window=window, period=period, segment=segment
        ):
            done += len(page.rows)
            yield Page([_entry(row) for row in page.rows], done, page.total, "rows")

    return Table(ENTRIES, _points(client.board(name)), pages)


def snapshots(
    client: "Client",
    name: str,
    window: str | None,
    period: str | None,
    segment: str | None = None,
) -> Table:
    """The final standings of closed periods, the earliest first: of one, or of all that are shown.

    Raises:
        Failed: ``not_closed`` or ``withheld``, the one asked for is not there to be seen yet.
    """
    board = client.board(name)
    if period is None:
        windows = [each.window for each in board.windows] if window is None else [window]
        closed = [each for win in windows for each in _closed(client, name, win)]
    else:
        closed = [client.period(name, period, window=window)]
        if closed[0].state != "closed":
            raise Failed("not_closed", f"the period {closed[0].period} is {closed[0].state}")
        if closed[0].withheld is not None:
            raise Failed(
                "withheld",
                f"ranks of the period {closed[0].period} are withheld until "
                f"{closed[0].withheld.until}",
                hint="toprung boards publish shows them",
            )

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
            ):
                done += len(page.rows)
                yield Page([(*head, *_entry(row)) for row in page.rows], done, total, "rows")

    return Table(SNAPSHOTS, _points(board), pages)


def _closed(client: "Client", name: str, window: str) -> list[PeriodReply]:
    """The closed periods of a window, the earliest first."""
    found: list[PeriodReply] = []
    before = None
    while True:
        told = client.periods(name, window=window, before=before)
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
