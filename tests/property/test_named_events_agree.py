"""Whatever the rules are, a named event counts where, and for as much, as the oracle says."""

from fractions import Fraction
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import InvalidInput
from toprung.domain.instants import format_instant
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Rule
from toprung.domain.rules import RuleSet
from toprung.intake import EventOutcome, Refusal, apply_rules
from toprung.testing.agreement import check_answer, check_state, store_contents
from toprung.testing.oracle import Put, Told, World
from toprung.testing.oracle.rules import (
    Named,
    events_of,
    hopeless,
    is_constant,
    value,
    written,
)
from toprung.testing.path import PROJECT
from toprung.testing.rule_strategies import RULED_BOARDS, json_of, named_events, rule_lists

steps = st.lists(
    named_events | named_events | named_events | named_events | rule_lists, min_size=4, max_size=12
)


class Draft(NamedTuple):
    """A named event as a sender writes it."""

    player_id: str
    name: str
    properties: msgspec.Raw
    event_id: str
    at: str | None
    match_id: None = None


def record_of(rule):
    """A rule as the product has it."""
    points = rule.points
    return Rule(
        rule.name,
        rule.event,
        rule.board,
        {name: written(tree) for name, tree in points.items()}
        if isinstance(points, dict)
        else written(points),
        None if rule.when is None else written(rule.when),
        None if rule.member is None else written(rule.member),
        rule.least,
        rule.most,
    )


def trees_of(rule):
    points = rule.points.values() if isinstance(rule.points, dict) else [rule.points]
    return [*points, *([] if rule.when is None else [rule.when])]


def is_no_number(tree):
    """Whether the whole expression is a constant of the wrong kind."""
    return is_constant(tree) and not isinstance(value(tree, {}), Fraction)


def can_be(rules):
    return not any(
        hopeless(tree) or (tree is not rule.when and is_no_number(tree))
        for rule in rules
        for tree in trees_of(rule)
    )


def put(path, rules):
    """Set rules; whether they were taken."""
    try:
        path.intake.put_rules(PROJECT, [record_of(rule) for rule in rules]).result()
    except InvalidInput:
        return False
    return True


def send(path, named):
    """What became of an event: a refusal, or an outcome for each board."""
    stored = path.behind.rules(PROJECT)
    rules = RuleSet(() if stored is None else stored.rules)
    at = None if named.at is None else format_instant(named.at)
    properties = msgspec.Raw(json_of(named.properties))
    draft = Draft(named.player_id, named.name, properties, named.event_id, at)
    accepted = path.intake.accept_named(PROJECT, [apply_rules(rules, draft, None)])
    written = [] if accepted.written is None else accepted.written.result()
    (answer,) = accepted.outcomes(written)
    return answer


def check_event(world, rules, named, answer):
    try:
        events = events_of(world, rules, named)
    except ValueError:
        assert isinstance(answer, Refusal), named
        assert answer.outcome is Outcome.INVALID
        return
    assert not isinstance(answer, Refusal), (named, answer)
    for event, (_, result) in zip(events, answer, strict=True):
        verdict = world.tell(Told(event, 0))
        first = None if verdict.first is None else world.verdicts[verdict.first]
        check_answer(verdict, EventOutcome(None, None, result), first)


@given(rule_lists, steps)
def test_a_named_event_counts_as_the_oracle_says(real_path, first, steps):
    with real_path() as path:
        world = World()
        made = [Told(Put(name, settings), 0) for name, settings in RULED_BOARDS.items()]
        path.send(made)
        for told in made:
            world.tell(told)
        in_force = ()
        for step in [first, *steps]:
            if isinstance(step, Named):
                check_event(world, in_force, step, send(path, step))
            else:
                taken = put(path, step)
                assert taken == can_be(step)
                in_force = step if taken else in_force
        check_state(world, path)
        before = store_contents(path.store)
        path.rebuild()
        assert store_contents(path.store) == before


@given(rule_lists, steps)
def test_after_a_restart_all_is_as_it_was(real_path, first, steps):
    with real_path() as path:
        path.send([Told(Put(name, settings), 0) for name, settings in RULED_BOARDS.items()])
        for step in [first, *steps]:
            (send if isinstance(step, Named) else put)(path, step)
        # Nothing was written but what acts write at once; the rest is done again from the log.
        again = path.restarted()
        found = store_contents(again.store)
        again.rebuild()
        assert store_contents(again.store) == found
        assert check_rules(again, [first, *steps])
        again.stop()


def check_rules(path, steps):
    """Whether the rules in force are the last ones that were taken."""
    taken = [step for step in steps if not isinstance(step, Named) and can_be(step)]
    stored = path.behind.rules(PROJECT)
    return (() if stored is None else stored.rules) == tuple(
        record_of(rule) for rule in (taken[-1] if taken else ())
    )
