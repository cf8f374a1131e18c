"""The harness is known to be able to fail: with a bug planted, it finds a difference.

Half of the bugs are planted in the oracle, half in the product. Each is one that a public
leaderboard really had.
"""

from collections.abc import Callable
from datetime import UTC, date, timedelta
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, find, settings

from toprung.domain import entries
from toprung.domain.board import Board, Numbering
from toprung.domain.calendar import Calendar, Rolling
from toprung.domain.entries import Entry
from toprung.query import pages, query
from toprung.testing.agreement import check_answer, check_reads, check_state, periods
from toprung.testing.oracle import OracleBoard, Standings, World, board
from toprung.testing.strategies import scenes


class Bug(NamedTuple):
    """``make`` gets what is there and returns what stands there instead."""

    name: str
    target: object
    attribute: str
    make: Callable


def _standings_by(place):
    def make(_):
        def init(self, found, larger):
            self._larger = larger
            self.lines = sorted(found, key=lambda line: place(self, line))

        return init

    return make


def _day_before(key):
    return (date.fromisoformat(key) - timedelta(days=1)).isoformat()


BUGS = [
    Bug(
        "oracle: a later player is ahead in a tie",
        Standings,
        "__init__",
        _standings_by(lambda s, x: (s.goodness(x.columns), -x.reached_at, x.player_id.encode())),
    ),
    Bug(
        "oracle: ties are broken by id alone",
        Standings,
        "__init__",
        _standings_by(lambda s, x: (s.goodness(x.columns), x.player_id.encode())),
    ),
    Bug(
        "oracle: ids in reverse",
        Standings,
        "__init__",
        _standings_by(
            lambda s, x: (s.goodness(x.columns), x.reached_at, [-b for b in x.player_id.encode()])
        ),
    ),
    Bug(
        "oracle: a tie leaves no gap in shared numbering",
        Standings,
        "rank_at",
        lambda real: (
            lambda self, i, numbering: real(
                self, i, "dense" if numbering == "shared" else numbering
            )
        ),
    ),
    Bug(
        "oracle: the very instant of the close is in time",
        OracleBoard,
        "closed",
        lambda real: (
            lambda self, window, at, arrival, came: real(self, window, at, arrival - 1, came - 1)
        ),
    ),
    Bug(
        "oracle: a season takes the instant of the next reset",
        board,
        "season_of",
        lambda real: lambda resets, at: real(resets, at - 1),
    ),
    Bug(
        "oracle: around is cut short at an edge",
        Standings,
        "around_size",
        lambda real: (
            lambda self, player, size, numbering: real(
                self, player, min(size, len(self.lines) - 1) or 1, numbering
            )
        ),
    ),
    Bug(
        "product: an equal score takes the later time",
        entries,
        "_fold_best",
        lambda real: (
            lambda entry, descending, points, at, seq: (
                real(entry, descending, points, at, seq)
                if points != entry.columns
                else Entry(points, at, entry.events + 1, seq=seq)
            )
        ),
    ),
    Bug(
        "product: a zero moves the time of a sum",
        entries,
        "_fold_sum",
        lambda real: (
            lambda entry, points, at, seq, bounded: (
                real(entry, points, at, seq, bounded)
                if any(points)
                else Entry(entry.columns, at, entry.events + 1, entry.moved, seq=seq)
            )
        ),
    ),
    Bug("product: a sum may leave 64 bits", entries, "fits", lambda real: lambda value: True),
    Bug(
        "product: days are those of UTC",
        Calendar,
        "__init__",
        lambda real: lambda self, window, zone, week_start: real(self, window, UTC, week_start),
    ),
    Bug(
        "product: a rolling window goes back a day too far",
        Rolling,
        "part_keys",
        lambda real: lambda self, key: [_day_before(real(self, key)[0]), *real(self, key)],
    ),
    Bug(
        "product: points of an old revision are taken as they are",
        Board,
        "points_now",
        lambda real: lambda self, points, revision: points,
    ),
    Bug(
        "product: dense numbering leaves gaps",
        pages,
        "rank_at",
        lambda real: (
            lambda reader, index, columns, numbering: real(
                reader,
                index,
                columns,
                Numbering.SHARED if numbering is Numbering.DENSE else numbering,
            )
        ),
    ),
    Bug(
        "product: a page begins with the last row of the one before",
        query,
        "_after",
        lambda real: lambda reader, row: reader.index_at(row),
    ),
]


def agree(real_path, scene):
    """Whether path and oracle agree on everything in a scene."""
    try:
        with real_path() as path:
            told = World()
            for group in scene.groups:
                for each, answer in zip(group, path.send(group), strict=True):
                    verdict = told.tell(each)
                    first = None if verdict.first is None else told.verdicts[verdict.first]
                    check_answer(verdict, answer, first)
            check_state(told, path)
            for name, board in told.boards.items():
                for place in list(periods(board))[:3]:
                    check_reads(told, path, name, *place)
    except (AssertionError, OverflowError):  # the latter from SQLite, for what 64 bits cannot hold
        return False
    return True


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug, real_path, monkeypatch):
    monkeypatch.setattr(bug.target, bug.attribute, bug.make(getattr(bug.target, bug.attribute)))

    find(
        scenes(facts=15),
        lambda scene: not agree(real_path, scene),
        settings=settings(
            max_examples=2000,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
