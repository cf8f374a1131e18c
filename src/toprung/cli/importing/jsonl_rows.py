"""Events from JSON lines: one object a line."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from toprung.cli.importing.mapping import FIELDS, POINTS, Explicit
from toprung.cli.importing.rows import Row, Unusable
from toprung.cli.importing.source import RECORD_CHARS_MAX

if TYPE_CHECKING:
    from toprung.sdk import ScoreEvent

Object = Mapping[str, msgspec.Raw]
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_id = msgspec.json.Decoder(str | int).decode
_decode_text = msgspec.json.Decoder(str).decode
_decode_metadata = msgspec.json.Decoder(dict[str, Any]).decode


def jsonl_rows(
    lines: Iterator[str],
    explicit: Explicit,
    *,
    board: str | None,
    make_id: str | None,
    at: str | None = None,
) -> Iterator[Row]:
    """The rows of a file of JSON lines; blank lines are none.

    Args:
        make_id: what ids begin with where a row has none; ``None``: every row must have one.
        at: when rows happened that tell no time; ``None``: when they arrive.
    """
    maker = _Maker(explicit, board, make_id, at)
    number = 0
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        number += 1
        try:
            event, name = maker.make(number, text)
            yield Row(number, line, event, name=name)
        except Unusable as error:
            yield Row(number, line, None, str(error))


class _Maker:
    """Makes events of objects."""

    def __init__(
        self, explicit: Explicit, board: str | None, make_id: str | None, at: str | None
    ) -> None:
        from toprung.sdk import ScoreEvent  # noqa: PLC0415 - only commands that speak HTTP load it

        self._event = ScoreEvent
        self._explicit = explicit
        self._names = {field: explicit.get(field, field) for field in FIELDS}
        self._columns = {
            field.removeprefix(POINTS): column
            for field, column in explicit.items()
            if field.startswith(POINTS)
        }
        self._board = board
        self._make_id = make_id
        self._at = at

    def make(self, number: int, text: str) -> "tuple[ScoreEvent, str | None]":
        """The event of a row, and the display name that came with it."""
        row = _object(text)
        event_id = self._text(row, "event_id")
        if event_id is None:
            if self._make_id is None:
                raise Unusable("event_id is missing, and a pipe cannot be read twice to make one")
            event_id = f"{self._make_id}{number}"
        event = self._event(
            board=self._board_of(row),
            player_id=self._needed(row, "player_id"),
            points=self._points(row),
            event_id=event_id,
            at=self._text(row, "at") or self._at,
            match_id=self._text(row, "match_id"),
            metadata=self._metadata(row),
        )
        return event, self._text(row, "name")

    def _board_of(self, row: Object) -> str:
        if self._board is not None:
            return self._board
        board = self._text(row, "board")
        if board is None:
            raise Unusable(f"{self._names['board']} is missing; --board names one for all rows")
        return board

    def _raw(self, row: Object, field: str) -> bytes | None:
        """The JSON of a field; ``None`` where it is absent or null."""
        name = self._names[field]
        content = bytes(row[name]) if name in row else b"null"
        if content != b"null":
            return content
        if field in self._explicit:
            raise Unusable(f"{name} is missing")
        return None

    def _text(self, row: Object, field: str) -> str | None:
        content = self._raw(row, field)
        if content is None:
            return None
        try:
            return str(_decode_id(content))
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Unusable(f"{self._names[field]} must be text") from None

    def _needed(self, row: Object, field: str) -> str:
        text = self._text(row, field)
        if text is None:
            raise Unusable(f"{self._names[field]} is missing")
        return text

    def _points(self, row: Object) -> str | Mapping[str, str]:
        if self._columns:
            return {column: _cell(row, name) for column, name in self._columns.items()}
        content = self._raw(row, "points")
        if content is None:
            raise Unusable(f"{self._names['points']} is missing")
        if content.startswith(b"{"):
            columns = _object(content)
            return {name: _cell(columns, name) for name in columns}
        return _number(content, self._names["points"])

    def _metadata(self, row: Object) -> Mapping[str, Any] | None:
        content = self._raw(row, "metadata")
        if content is None:
            return None
        try:
            return _decode_metadata(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Unusable(f"{self._names['metadata']} is no object") from None


def _object(content: str | bytes) -> Object:
    if len(content) > RECORD_CHARS_MAX:
        raise Unusable(f"the row is longer than {RECORD_CHARS_MAX} characters")
    try:
        return _decode_object(content)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Unusable(f"the row is no JSON object: {error}") from None


def _cell(row: Object, name: str) -> str:
    if name not in row:
        raise Unusable(f"{name} is missing")
    return _number(bytes(row[name]), name)


def _number(content: bytes, name: str) -> str:
    """The text of a number, digit by digit; what is no number the server refuses by name."""
    if not content.startswith(b'"'):
        return content.decode()
    try:
        return _decode_text(content)
    except (msgspec.DecodeError, UnicodeError):
        raise Unusable(f"{name} is no text") from None
