"""Events from CSV: quotes, line breaks inside them, and rows that are broken on their own."""

import csv
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from toprung.cli.errors import Failed
from toprung.cli.importing.mapping import MAY_BE_EMPTY, Explicit, Places, find_places
from toprung.cli.importing.presets import Preset, rfc3339
from toprung.cli.importing.rows import Row, Unusable
from toprung.cli.importing.source import RECORD_CHARS_MAX, readable

if TYPE_CHECKING:
    from toprung.sdk import ScoreEvent

csv.field_size_limit(2 * RECORD_CHARS_MAX)  # the feed has its own limit, for whole records


class _TooLong(Exception):
    """A record passed the limit."""


class _Feed(Iterator[str]):
    """Gives lines to the csv module, and can take back those of a record that was broken.

    A quote that is never closed would swallow every row behind it. With the lines taken back,
    only its own line is lost.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._again: deque[str] = deque()
        self._record: list[str] = []
        self._size = 0
        self.line = 0

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.line += 1
        self._record.append(line)
        self._size += len(line)
        if self._size > RECORD_CHARS_MAX:
            raise _TooLong
        return line

    def begin(self) -> int:
        """A new record follows; the line where it begins."""
        self._record.clear()
        self._size = 0
        return self.line + 1

    def take_back(self) -> None:
        """Have every line of the present record but its first read again."""
        rest = self._record[1:]
        self._again.extendleft(reversed(rest))
        self.line -= len(rest)


def csv_rows(
    lines: Iterator[str],
    explicit: Explicit,
    *,
    board: str | None,
    delimiter: str,
    make_id: str | None,
    preset: Preset | None = None,
    at: str | None = None,
) -> Iterator[Row]:
    """The rows of a CSV file with a header.

    Args:
        make_id: what ids begin with when the file has none; ``None``: it must have them.
        preset: how another product's file is read; without it the columns have our names.
        at: when rows happened whose file tells no time; ``None``: when they arrive.

    Raises:
        Failed: no header, or it lacks a column that is needed.
    """
    records = _records(_Feed(lines), delimiter)
    _, header, problem = next(records, (0, [], None))
    if problem is not None or not header:
        raise Failed("no_header", problem or "the file is empty: its first line must name columns")
    if preset is not None:
        explicit = _with_preset(preset, header, explicit)
    places = find_places(header, explicit, board)
    if "event_id" not in places.fields and make_id is None:
        raise no_ids()
    make = _Maker(places, header, board, make_id, preset, at)
    for number, (line, cells, problem) in enumerate(records, start=1):
        yield make.row(number, line, cells, problem)


def _with_preset(preset: Preset, header: Sequence[str], explicit: Explicit) -> Explicit:
    mapping = {
        field: column
        for field, column in preset.mapping.items()
        # What every file must have is missed by name.
        if column in header or field in ("player_id", "points")
    }
    return mapping | dict(explicit)


def no_ids() -> Failed:
    """The failure of an import from a pipe whose rows have no ids."""
    return Failed(
        "no_event_ids",
        "rows without event ids can only be imported from a file: a pipe cannot be read twice",
        hint="say --map event_id=COLUMN, or save it to a file first",
    )


def _records(feed: _Feed, delimiter: str) -> Iterator[tuple[int, list[str], str | None]]:
    """Line, cells and problem of each record; blank lines are none."""
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        line = feed.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            feed.take_back()
            yield line, [], f"the row is longer than {RECORD_CHARS_MAX} characters"
        except csv.Error as error:
            feed.take_back()
            yield line, [], f"the quotes are broken: {error}"
        else:
            if cells:
                yield line, cells, None


class _Maker:
    """Makes events of rows of cells."""

    def __init__(
        self,
        places: Places,
        header: Sequence[str],
        board: str | None,
        make_id: str | None,
        preset: Preset | None,
        at: str | None,
    ) -> None:
        from toprung.sdk import ScoreEvent  # noqa: PLC0415 - only commands that speak HTTP load it

        self._event = ScoreEvent
        self._points = places.points
        self._fields = places.fields
        self._width = len(header)
        zero = None if preset is None else preset.zero
        self._zero = header.index(zero) if zero in header else None
        self._convert_at = str if preset is None else rfc3339
        self._at = at
        self._board = board
        self._make_id = make_id
        # The time is no part a row may leave out: a score must not slip into today's window.
        self._filled = [
            (field, place) for field, place in places.fields.items() if field not in MAY_BE_EMPTY
        ]

    def row(self, number: int, line: int, cells: Sequence[str], problem: str | None) -> Row:
        if problem is None:
            try:
                return Row(number, line, self._make(number, cells), name=self._name(cells))
            except Unusable as error:
                problem = str(error)
        return Row(number, line, None, problem)

    def _make(self, number: int, cells: Sequence[str]) -> "ScoreEvent":
        if len(cells) != self._width:
            raise Unusable(f"the row has {len(cells)} cells, the header {self._width}")
        for field, place in self._filled:
            if not cells[place]:
                raise Unusable(f"{field} is empty")
        if not readable("".join(cells)):
            raise Unusable("the row is not UTF-8")
        if self._zero is not None and cells[self._zero] not in ("", "0"):
            raise Unusable("subscore is not 0, and the board has no second column for it")
        fields = self._fields
        return self._event(
            board=self._board if self._board is not None else cells[fields["board"]],
            player_id=cells[fields["player_id"]],
            points=self._points_of(cells),
            event_id=cells[fields["event_id"]] if "event_id" in fields else self._id(number),
            at=self._convert_at(cells[fields["at"]]) if "at" in fields else self._at,
            match_id=(cells[fields["match_id"]] or None) if "match_id" in fields else None,
            metadata=_metadata(cells[fields["metadata"]]) if "metadata" in fields else None,
        )

    def _name(self, cells: Sequence[str]) -> str | None:
        return (cells[self._fields["name"]] or None) if "name" in self._fields else None

    def _id(self, number: int) -> str:
        return f"{self._make_id}{number}"

    def _points_of(self, cells: Sequence[str]) -> str | Mapping[str, str]:
        if not self._points:
            return cells[self._fields["points"]]
        return {name: cells[place] for name, place in self._points.items()}


def _metadata(text: str) -> dict[str, object] | None:
    if not text:
        return None
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError:
        raise Unusable("metadata is no JSON object") from None
