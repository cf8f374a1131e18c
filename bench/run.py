"""One run of the engine's benchmark: its settings, its draws, the results so far."""

import random
from array import array
from collections.abc import Sequence

import ours
import workload
from common import Line, report
from ours import Board

from toprung._native import RankEngine

BATCH = 1000
"""Items of one call."""
CHUNK = 100_000
"""Members that are made at a time while a board is filled."""


class Run:
    """The settings of one run, and its results."""

    def __init__(self, members: int, rounds: int, items: int, seed: int) -> None:
        self.members = members
        self.rounds = rounds
        self.items = items
        self.dice = random.Random(seed)
        self.lines: list[Line] = []

    def report(self, what: str, unit: str, values: Sequence[float], **settings: object) -> None:
        """Print one result and keep it."""
        settings = {"members": self.members, **settings}
        self.lines.append(report("engine", what, unit, values, **settings))

    def ids(self, choice: str, items: int) -> list[str]:
        """Ids of so many members, drawn by the choice."""
        return workload.member_ids(choice, self.members, items, self.dice)

    def scores(self, items: int) -> list[int]:
        """So many new scores."""
        return workload.scores(self.members, items, self.dice)

    def board(self, engine: RankEngine, entries: int) -> Board:
        """A board in the engine of the first ``entries`` members with random scores."""
        texts, ends, scores = bytearray(), array("I"), array("q")
        size = len(workload.member_id(0))
        for start in range(0, entries, CHUNK):
            chunk = range(start, min(start + CHUNK, entries))
            texts += "".join(map(workload.member_id, chunk)).encode()
            ends.extend(size * (number + 1) for number in chunk)
            scores.extend(self.scores(len(chunk)))
        return ours.built_of(engine, bytes(texts), ends.tobytes(), scores)
