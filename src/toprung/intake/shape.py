"""From what a sender wrote to an event, or to why it cannot be one (R1, R6)."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from toprung.domain.board import Board
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import parse_instant
from toprung.domain.limits import ATTRIBUTE_CHARS, MATCH_ID_BYTES, METADATA_BYTES
from toprung.domain.names import check_id, check_text
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.domain.segments import Carried, Segment
from toprung.ports.catalog import Catalog


class EventDraft(Protocol):
    """An event as a sender wrote it; ``points`` and ``metadata`` are raw JSON."""

    @property
    def board(self) -> str: ...
    @property
    def player_id(self) -> str: ...
    @property
    def points(self) -> msgspec.Raw: ...
    @property
    def event_id(self) -> str | None: ...
    @property
    def at(self) -> str | None: ...
    @property
    def match_id(self) -> str | None: ...
    @property
    def metadata(self) -> msgspec.Raw | msgspec.UnsetType | None: ...
    @property
    def update_only(self) -> bool: ...
    @property
    def segments(self) -> Mapping[str, str] | None: ...


class Refusal(msgspec.Struct, frozen=True):
    """Why something cannot be an event."""

    outcome: Outcome
    message: str
    field: str | None = None


_ZERO = ord("0")
_SHORT_DIGITS = 18
"""Any so many digits fit 64 bits."""
_NUMBER_OR_OBJECT = (*(b"%d" % digit for digit in range(10)), b"-", b'"', b"{")
_decode_text = msgspec.json.Decoder(str).decode
_decode_columns = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def to_event(
    draft: EventDraft,
    catalog: Catalog,
    project: str,
    *,
    event_id: str | None,
    received_at: int,
    history: bool,
) -> Event | Refusal:
    """The event of ``draft``, or why there is none.

    Args:
        event_id: the id to use where the draft has none.
        received_at: the arrival, for a draft without ``at``.
    """
    try:
        given = event_id if draft.event_id is None else draft.event_id
        identity = check_id(required_id(given), "event_id")
        player_id = check_id(draft.player_id, "player_id")
        at = received_at if draft.at is None else parse_instant(draft.at, "at")
        match_id = draft.match_id
        if match_id is not None:
            check_id(match_id, "match_id", MATCH_ID_BYTES)
        metadata = _metadata(draft.metadata) if isinstance(draft.metadata, msgspec.Raw) else None
        board = catalog.by_name(project, draft.board)
        points = read_points(draft.points, board)
        segments = carried(catalog, board, player_id, draft.segments)
    except InvalidInput as error:
        return Refusal(Outcome.INVALID, error.message, error.field)
    if board is None:
        return Refusal(Outcome.UNKNOWN_BOARD, f"there is no board {draft.board!r}", "board")
    return Event(
        board.board_id,
        board.revision,
        identity,
        player_id,
        points,
        at,
        draft.at is not None,
        history,
        match_id,
        metadata,
        draft.update_only,
        segments,
    )


def carried(
    catalog: Catalog, board: Board | None, player_id: str, given: Mapping[str, str] | None
) -> Carried:
    """The segments of a board that an event carries: those that are given, and of the others what
    its player has now (R17).

    Raises:
        InvalidInput: naming the segment: there is no such one, or its value is impossible; or
            ``too_many_values``.
    """
    is_sliced = board is not None and board.settings.is_sliced_by_events
    said = given or {}
    for name, value in said.items():
        field = f"segments.{name}"
        if board is not None and name not in board.settings.segments:
            raise InvalidInput(f"this board has no segment {name!r}", field=field)
        if board is not None and not is_sliced:
            raise InvalidInput("on this board segments hang on the player alone", field="segments")
        check_text(value, ATTRIBUTE_CHARS, field)
    if board is None or not is_sliced:
        return ()
    project = board.state.project
    player = catalog.players.root(project, player_id)
    found = []
    for name in board.settings.segments:
        has = catalog.segments.get(project, name).at(player)
        counts_in = said.get(name, has)
        if counts_in is not None:
            catalog.carried.announce(board.board_id, Segment(name, counts_in))
            found.append((name, counts_in))
    return tuple(found)


def required_id(event_id: str | None) -> str:
    """Return ``event_id`` when there is one.

    Raises:
        InvalidInput: naming it.
    """
    if event_id is None:
        raise InvalidInput(
            "event_id is missing", field="event_id", hint="or send an Idempotency-Key"
        )
    return event_id


def _metadata(raw: msgspec.Raw) -> bytes | None:
    content = bytes(raw)
    if content == b"null":
        return None
    if not content.startswith(b"{"):
        raise InvalidInput("metadata must be an object", field="metadata")
    METADATA_BYTES.check(len(content), "metadata")
    return content


def _plain_points(content: bytes, board: Board) -> tuple[int, ...] | None:
    """The points of a board with one column of whole numbers, where they are a few plain digits;
    ``None``: they have to be looked at closely.
    """
    if board.is_plain and content.isdigit() and len(content) <= _SHORT_DIGITS:
        return None if content[0] == _ZERO and len(content) > 1 else (int(content),)
    return None


def read_points(raw: msgspec.Raw, board: Board | None) -> tuple[int, ...]:
    """The scaled columns of ``raw``; where there is no board to read them by, only their shape is
    checked, and there are none.

    Raises:
        InvalidInput: naming the column at fault.
    """
    content = bytes(raw)
    plain = None if board is None else _plain_points(content, board)
    if plain is not None:
        return plain
    if not content.startswith(_NUMBER_OR_OBJECT):
        raise InvalidInput("points must be a number, or an object by column", field="points")
    if board is None:
        return ()
    columns = board.settings.columns
    if not content.startswith(b"{"):
        if len(columns) > 1:
            raise InvalidInput(
                f"points must be an object with {', '.join(column.name for column in columns)}",
                field="points",
            )
        return board.parse_points((_number_text(content, "points"),), "points")
    named = _named(content)
    for column in columns:
        if column.name not in named:
            raise InvalidInput(f"points.{column.name} is missing", field=f"points.{column.name}")
    if len(named) > len(columns):
        unknown = next(name for name in named if name not in {c.name for c in columns})
        raise InvalidInput(f"this board has no column {unknown!r}", field=f"points.{unknown}")
    texts = [_number_text(bytes(named[column.name]), f"points.{column.name}") for column in columns]
    return board.parse_points(texts, "points")


def _named(content: bytes) -> dict[str, msgspec.Raw]:
    try:
        return _decode_columns(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidInput("points is no object of numbers by column", field="points") from None


def _number_text(content: bytes, field: str) -> str:
    """The text of a JSON number or string; the grammar is checked by who reads it."""
    if not content.startswith(b'"'):
        return content.decode("ascii", "replace")
    try:
        return _decode_text(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidInput(f"{field} is no text", field=field) from None
