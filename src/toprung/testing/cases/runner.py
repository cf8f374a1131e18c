"""Plays cases one by one and says of each whether its questions got their answers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from decimal import InvalidOperation
from typing import Any, Literal

import msgspec

from toprung.testing.api import ProductTrouble, Refused
from toprung.testing.cases.compare import matches
from toprung.testing.cases.model import Case, Entry, Query
from toprung.testing.cases.pending import PENDING
from toprung.testing.cases.player import Player
from toprung.testing.cases.reader import ErrorAnswer, Reader
from toprung.testing.cases.session import Clock, instant_of, session
from toprung.testing.cases.trouble import CannotPlay
from toprung.testing.command import CommandFailed
from toprung.testing.control import Control, instant_text
from toprung.testing.server import ServerFailed

DEFAULT_START = "2026-05-04T12:00:00Z"
"""Where the clock stands in a case that names no instant."""

Verdict = Literal["passed", "failed", "pending"]
ALONE = "case"
"""The project of a case that has a product of its own."""
OpenControl = Callable[[Case], AbstractContextManager[Control]]

# What a broken case or a reply of another shape than promised shows up as.
_MISFITS = (KeyError, TypeError, ValueError, IndexError, AttributeError, InvalidOperation)


@dataclass(frozen=True)
class Result:
    """What became of one case."""

    case_id: str
    verdict: Verdict
    problems: tuple[str, ...] = ()
    manual_count: int = 0
    """Questions that only a person or a test of its own can ask."""


@dataclass(frozen=True)
class Summary:
    """What became of all cases."""

    passed: int
    failed: int
    pending: int
    manual: int

    def __str__(self) -> str:
        return (
            f"{self.passed} passed, {self.failed} failed, "
            f"{self.pending} pending, {self.manual} manual"
        )


def summary(results: Iterable[Result]) -> Summary:
    kept = list(results)
    count = [result.verdict for result in kept].count
    manual = sum(result.manual_count for result in kept)
    return Summary(count("passed"), count("failed"), count("pending"), manual)


def run_each_alone(
    cases: Sequence[Case], open_control: OpenControl, workers: int
) -> Iterator[Result]:
    """Play each case on a product of its own, a few at the same time; results in the file's order.

    The clock of a product never goes back, and most cases play on the same few days.
    """

    def run_one(case: Case) -> Result:
        if case.id in PENDING:
            return Result(case.id, "pending")
        try:
            with open_control(case) as control:
                return play_case(case, control, Clock(control), ALONE)
        except ServerFailed as failure:
            return Result(case.id, "failed", (str(failure),))

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(run_one, cases)


def run_all_on_one(cases: Sequence[Case], control: Control, run_id: str) -> Iterator[Result]:
    """Play all cases on one product, one after the other, each in a project of its own.

    ``run_id`` keeps the projects of one run apart from those of the next.
    """
    clock = Clock(control)
    for case in in_clock_order(cases):
        if case.id in PENDING:
            yield Result(case.id, "pending")
        elif needs_clock(case) and clock.now and clock.now > _start(case):
            problem = f"the server's clock is past {instant_text(_start(case))} already"
            yield Result(case.id, "failed", (problem,))
        else:
            yield play_case(case, control, clock, f"{project_name(case)}.{run_id}")


def in_clock_order(cases: Sequence[Case]) -> list[Case]:
    """Cases that depend on the clock come first, by time; the others do not mind a late clock."""
    bound = sorted(filter(needs_clock, cases), key=_start)
    return [*bound, *(case for case in cases if not needs_clock(case))]


def needs_clock(case: Case) -> bool:
    """Whether a case would answer otherwise if the clock stood later than its events."""
    setups = (case.setup, *case.setup.get("more_boards", []))
    if any(key in setup for setup in setups for key in ("grace_s", "max_ahead_s")):
        return True
    return any(_asks_for_now(case, query) for query in case.queries)


def _asks_for_now(case: Case, query: Query) -> bool:
    """Whether a query means the present period of a window that has several."""
    if query.op in ("manual", "outcomes") or query.args.keys() & {"key", "season", "at"}:
        return False
    return bool(query.args.get("window", case.setup["windows"][0]) != "all")


def start_of(case: Case) -> str:
    """Where the clock stands when a case begins: at the first arrival it tells."""
    return instant_text(_start(case))


def _start(case: Case) -> datetime:
    told = [
        instant
        for entry in case.events
        for each in (entry, *entry.get("events", []))
        if (instant := instant_of(each.get("recv", each.get("at", each.get("to")))))
    ]
    return told[0] if told else datetime.fromisoformat(DEFAULT_START)


def project_name(case: Case) -> str:
    return "case-" + re.sub(r"[^a-z0-9_.:-]", "-", case.id.lower())[:40]


def play_case(case: Case, control: Control, clock: Clock, project: str) -> Result:
    """Play one case in a fresh ``project`` and compare every answer."""
    problems: list[str] = []
    try:
        problems.extend(_problems(case, control, clock, project))
    except (CannotPlay, CommandFailed, ProductTrouble, Refused, ServerFailed) as trouble:
        problems.append(str(trouble))
    except _MISFITS as misfit:
        problems.append(f"case and reply do not fit together: {misfit!r}")
    verdict: Verdict = "failed" if problems else "passed"
    return Result(case.id, verdict, tuple(problems), case.manual_count)


def _problems(case: Case, control: Control, clock: Clock, project: str) -> Iterator[str]:
    with session(control, clock, project) as place:
        clock.reach(_start(case))
        player = Player(place)
        reader = Reader(place, player.outcomes)
        player.set_up(case.setup)
        for played, entry in enumerate((*case.events, None)):
            yield from _judge(_due(case, played), reader)
            if entry is not None:
                _play(player, played, entry)


def _play(player: Player, played: int, entry: Entry) -> None:
    try:
        player.play(entry)
    except Refused as refused:
        raise CannotPlay(f"entry {played + 1} was refused: {refused}") from refused


def _due(case: Case, played: int) -> list[tuple[int, Query]]:
    """The queries, with their numbers, that are asked after so many entries."""
    last = len(case.events)
    return [
        (number, query)
        for number, query in enumerate(case.queries, start=1)
        if query.op != "manual"
        and min(last if query.after is None else query.after, last) == played
    ]


def _judge(queries: Iterable[tuple[int, Query]], reader: Reader) -> Iterator[str]:
    for number, query in queries:
        answer = reader.ask(query)
        if not matches(query.op, query.expect, answer):
            yield (
                f"query {number} {query.op} {_shown(query.args)}: "
                f"expected {_shown(query.expect)}, got {_shown(answer)}"
            )


def _shown(value: Any) -> str:
    if isinstance(value, ErrorAnswer):
        return f"error {value.status} {value.code}"
    return msgspec.json.encode(value).decode()
