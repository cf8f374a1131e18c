"""What an image of a view holds beside the engine's entries, and why one is not taken."""

from pathlib import Path
from typing import TypeVar

import msgspec

from toprung._native import EngineBroken, EngineError, RankEngine
from toprung.domain.decide import EntryKey
from toprung.ports.view import ImageBoard, ImageHead, Objection

FORMAT = 1
"""The version of :class:`Head`; the engine has one of its own for the rest."""


class Head(msgspec.Struct, frozen=True):
    """The header of an image.

    Attributes:
        format: ``FORMAT`` when it was written.
        identity: as it was given, see :class:`~toprung.ports.view.ImageView`.
        seq: the last record that the view reflected.
        boards: all of them.
        periods: all of them, with their handles in the engine.
    """

    format: int
    identity: str
    seq: int
    boards: list[ImageBoard]
    periods: list[tuple[EntryKey, int]]


class ImageRefused(Exception):
    """The image is not to be trusted; the message says why."""


def read_image(path: Path, objection: Objection) -> tuple[RankEngine, Head]:
    """The engine and the header of the image in a file.

    Raises:
        ImageRefused: there is none, it is damaged, of another version, or somebody objects.
    """
    try:
        engine, header = RankEngine.read_image(path)
    except FileNotFoundError:
        raise ImageRefused("there is no image") from None
    except OSError as problem:
        raise ImageRefused(str(problem)) from problem
    except (EngineError, EngineBroken) as problem:
        raise ImageRefused(problem.args[-1]) from problem
    version = _decode(header, _Version)
    if version.format != FORMAT:
        raise ImageRefused(f"its format is {version.format}, this server knows {FORMAT}")
    head = _decode(header, Head)
    objected = objection(ImageHead(head.identity, head.seq, head.boards))
    if objected:
        raise ImageRefused(objected)
    _check_periods(engine, head)
    return engine, head


class _Version(msgspec.Struct):
    """What every version of the header begins with."""

    format: int


_Kind = TypeVar("_Kind")


def _decode(header: bytes, kind: type[_Kind]) -> _Kind:
    try:
        return msgspec.json.decode(header, type=kind)
    except msgspec.DecodeError as problem:
        raise ImageRefused(f"its header cannot be read: {problem}") from problem


def _check_periods(engine: RankEngine, head: Head) -> None:
    """Refuse a header that names other periods than the engine has."""
    orders = {board.board_id: board.descending for board in head.boards}
    try:
        fits = all(engine.descending(handle) == orders.get(key[0]) for key, handle in head.periods)
    except EngineError:
        fits = False
    handles = {handle for _, handle in head.periods}
    if not fits or not len(handles) == len(head.periods) == engine.memory()["periods"]:
        raise ImageRefused("its periods do not fit its boards")
