"""The rank engine as Python code uses it: lists of ids in, lists of ranks out."""

from array import array
from collections.abc import Sequence

from toprung._native import RankEngine

ORDINAL = 1
"""The engine's code for ranks 1, 2, 3, 4; see ``toprung.ports.moves``."""

LARGER_IS_BETTER = [True]


def packed(ids: Sequence[str]) -> tuple[bytes, bytes]:
    """The texts of ids one after the other, and where each ends (u32)."""
    texts = [text.encode() for text in ids]
    ends, end = array("I"), 0
    for text in texts:
        end += len(text)
        ends.append(end)
    return b"".join(texts), ends.tobytes()


class Board:
    """One period of one column in an engine; shares its members with the engine's others."""

    def __init__(self, engine: RankEngine, period: int) -> None:
        self.engine = engine
        self.period = period
        self._clock = 0

    def ranks(self, ids: list[str]) -> list[int]:
        """The rank of each, 0 for one that is not there."""
        return self.engine.rank_many(self.period, ids, ORDINAL)

    def rank(self, member: str) -> int:
        """The rank of one that is there."""
        place = self.engine.place(self.period, member)
        return 0 if place is None else place[0] + 1

    def update(self, ids: list[str], scores: list[int]) -> None:
        """Give each its new score, in order."""
        self.engine.update(self.period, ids, scores, self._instants(len(ids)))

    def update_with_ranks(self, ids: list[str], scores: list[int]) -> tuple[list[int], list[int]]:
        """Give each its new score, in order; the ranks before and after each."""
        count = len(ids)
        texts, ends = packed(ids)
        return self.engine.apply(
            [self.period],
            texts,
            ends,
            bytes(4 * count),
            array("I", range(count)).tobytes(),
            bytes([ORDINAL]) * count,
            array("q", scores).tobytes(),
            array("q", self._instants(count)).tobytes(),
        )

    def _instants(self, count: int) -> list[int]:
        start, self._clock = self._clock, self._clock + count
        return list(range(start, self._clock))


def built(engine: RankEngine, ids: Sequence[str], scores: Sequence[int]) -> Board:
    """A board that was made of these entries at once."""
    texts, ends = packed(ids)
    return built_of(engine, texts, ends, array("q", scores))


def built_of(engine: RankEngine, texts: bytes, ends: bytes, scores: "array[int]") -> Board:
    """The same, of texts that are packed already."""
    reached_at = bytes(8 * len(scores))
    return Board(engine, engine.build(LARGER_IS_BETTER, texts, ends, scores.tobytes(), reached_at))
