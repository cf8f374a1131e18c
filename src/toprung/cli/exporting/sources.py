"""Where the rows of an export come from: the pages of a server."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.cli.exporting.tables import POINTS, Column, Kind, Page, Points, Table
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.boards import Board
from toprung.wire.events import LoggedEvent

if TYPE_CHECKING:
    from toprung.sdk import Client

ENTRIES = (
    Column("rank", Kind.WHOLE),
    Column("player_id", Kind.TEXT),
    Column("name", Kind.TEXT),
    Column(POINTS, Kind.POINTS),
    Column("at", Kind.INSTANT),
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
)


def entries(client: "Client", name: str, window: str | None, period: str | None) -> Table:
    """The standings of one period, in board order; of a closed one the final ones.

    A player who does not move meanwhile is in it once, whatever the others do.
    """

    def pages() -> Iterator[Page]:
        done = 0
        for page in client.pages(name, page_size=PAGE_ROWS.maximum, window=window, period=period):
            done += len(page.rows)
            rows = [
                (
                    row.rank,
                    row.player_id,
                    row.name,
                    row.score if row.columns is None else row.columns,
                    row.reached_at,
                )
                for row in page.rows
            ]
            yield Page(rows, done, page.total, "rows")

    return Table(ENTRIES, _points(client.board(name)), pages)


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
    )


def _points(board: Board) -> list[Points]:
    return [Points(column.name, column.decimals) for column in board.columns]
