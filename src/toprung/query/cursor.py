"""Cursors (R15): a place in the order of a period, named by the row next to it."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import CURSOR_CHARS
from toprung.ports.view import Row


class Cursor(msgspec.Struct, frozen=True, array_like=True, tag="c1"):
    """Go on after (``forward``) or before the place of a row."""

    board_id: int
    window: str
    period: str
    revision: int
    """Of the columns that ``columns`` was read by."""
    forward: bool
    columns: tuple[int, ...]
    reached_at: int
    player_id: str
    among: str | None = None
    """Whose list of friends it is about; ``None``: the whole board."""
    segment: str | None = None
    """Of which segment; ``None``: of the whole board."""

    @property
    def row(self) -> Row:
        """The row the cursor stands beside."""
        return Row(self.player_id, self.columns, self.reached_at)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Cursor).decode


def write_cursor(cursor: Cursor) -> str:
    """The text of a cursor; opaque to who gets it."""
    return urlsafe_b64encode(_encode(cursor)).rstrip(b"=").decode()


def read_cursor(text: str) -> Cursor:
    """The cursor of a text.

    Raises:
        InvalidInput: it is none of ours.
    """
    CURSOR_CHARS.check(len(text), "cursor")
    try:
        return _decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (msgspec.DecodeError, binascii.Error, ValueError, UnicodeError):
        raise foreign_cursor() from None


def foreign_cursor() -> InvalidInput:
    """What is said of a cursor that none of our replies held."""
    return InvalidInput(
        "cursor is not one that this server gave", field="cursor", hint="begin without one"
    )
