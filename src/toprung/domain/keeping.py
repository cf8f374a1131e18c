"""How what became of events is kept: in blocks, one line an event, in the order of the log (R2).

A block is MessagePack: an array of ``[board id, event id, seen]``. The lines that an event id may
stand in are found by its hash; the id itself decides.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from toprung.domain.decide import Seen

BLOCK_LINES = 256
"""Lines of one block: to look one up costs reading them all."""

_WORD = 2**64 - 1
_MIX_1, _MIX_2 = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53

SeenLine = tuple[int, str, Seen]
"""Board id, event id and what is kept of the event."""

_encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(list[SeenLine])


class SeenBlock(NamedTuple):
    """Lines in order, as they are kept."""

    first: int
    """The ``seq`` of the first line."""
    last: int
    """The ``seq`` of the last line."""
    body: bytes
    places: bytes
    """For each line the hash of its id and its ``seq``: pairs of u64, little-endian."""


def seen_blocks(lines: Sequence[SeenLine]) -> list[SeenBlock]:
    """The blocks of some lines."""
    return [
        _block(lines[start : start + BLOCK_LINES]) for start in range(0, len(lines), BLOCK_LINES)
    ]


def _block(lines: Sequence[SeenLine]) -> SeenBlock:
    places = b"".join(
        [
            event_hash(board_id, event_id).to_bytes(8, "little") + seen.seq.to_bytes(8, "little")
            for board_id, event_id, seen in lines
        ]
    )
    return SeenBlock(lines[0][2].seq, lines[-1][2].seq, _encode(lines), places)


def seen_lines(body: bytes) -> list[SeenLine]:
    """The lines of a block's body.

    Raises:
        msgspec.DecodeError: it is none.
    """
    lines: list[SeenLine] = _decoder.decode(body)
    return lines


def event_hash(board_id: int, event_id: str) -> int:
    """64 bits that tell event ids of boards apart well enough to know where to look.

    The id's bytes are taken as little-endian words of eight, the last filled up with zeros; each is
    mixed in by the finalizer of MurmurHash3 (A. Appleby, in the public domain). It is not secret:
    ids made to collide cost time, they change no answer.
    """
    text = event_id.encode()
    found = _mix((board_id & _WORD) ^ (len(text) << 56 & _WORD))
    for start in range(0, len(text), 8):
        found = _mix(found ^ int.from_bytes(text[start : start + 8], "little"))
    return found


def _mix(word: int) -> int:
    word = ((word ^ word >> 33) * _MIX_1) & _WORD
    word = ((word ^ word >> 33) * _MIX_2) & _WORD
    return word ^ word >> 33
