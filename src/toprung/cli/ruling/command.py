"""``toprung rules``: show, plan, apply and test."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from toprung.cli.errors import Failed
from toprung.cli.options import DEFAULT_URL, Json, Key, Url
from toprung.cli.output import print_json, print_table, say
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect
from toprung.cli.ruling.file import FIELDS, Step, make_plan, plan_lines, read_rules, show_field
from toprung.cli.ruling.samples import read_samples
from toprung.domain.limits import SAMPLE_EVENTS
from toprung.wire.rules import TrialResult

app = new_app("Make, change, show and try rules for named events.")

RulesFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A TOML file with a table [[rule]] for each rule."),
]
DIFFERENCES_STATUS = 2
REFUSED_STATUS = 1


@command(app, "show")
def show(*, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """Show the rules in force (server or admin key).

    Example:
      toprung rules show
    """
    with connect(url, key) as client:
        reply = client.rules()
    if json:
        print_json(reply)
        return
    print_table(
        FIELDS, [[show_field(getattr(rule, name)) for name in FIELDS] for rule in reply.rules]
    )


@command(app, "plan")
def plan(
    file: RulesFile,
    *,
    detailed_exitcode: Annotated[
        bool,
        typer.Option("--detailed-exitcode", help="Status 2 when there are differences, else 0."),
    ] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show how the rules of a file differ from those in force. Changes nothing.

    Example:
      toprung rules plan rules.toml --detailed-exitcode
    """
    wanted = read_rules(file)
    with connect(url, key) as client:
        steps = make_plan(wanted, client.rules().rules)
    if json:
        print_json({"rules": steps})
    else:
        _print_plan(steps)
    if detailed_exitcode and _to_do(steps):
        raise typer.Exit(DIFFERENCES_STATUS)


@command(app, "apply")
def apply(
    file: RulesFile,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Put the rules of a file in force, in place of all others, after showing the plan (admin key).

    One that names no board that is there, or that can have no value, keeps all as they were. What
    was counted stays as it is.

    Example:
      toprung rules apply rules.toml --yes
    """
    wanted = read_rules(file)
    with connect(url, key) as client:
        steps = make_plan(wanted, client.rules().rules)
        if not json:
            _print_plan(steps)
        to_do = _to_do(steps)
        if to_do and not yes:
            _ask(to_do)
        reply = client.put_rules(wanted)
    if json:
        print_json({"rules": steps, "result": reply.result})
    elif to_do:
        say(f"{len(wanted)} rules are in force")


def _print_plan(steps: Sequence[Step]) -> None:
    print("\n".join(plan_lines(steps) or ["no differences"]))


def _to_do(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.action != "none"]


def _ask(steps: Sequence[Step]) -> None:
    if not sys.stdin.isatty():
        raise Failed("not_confirmed", "nothing was changed", hint="say --yes to apply the plan")
    if not typer.confirm(f"Change {len(steps)} rules?", err=True):
        raise Failed("not_confirmed", "nothing was changed")


@command(app, "test")
def try_out(
    file: RulesFile,
    *,
    events: Annotated[
        Path,
        typer.Option(help="A file of sample events, one JSON object a line.", show_default=False),
    ],
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Try the rules of a file on sample events; status 1 if one is refused. Nothing is written.

    Example:
      toprung rules test rules.toml --events sample.jsonl
    """
    rules, samples = read_rules(file), read_samples(events)
    results: list[TrialResult] = []
    with connect(url, key) as client:
        for start in range(0, len(samples), SAMPLE_EVENTS.maximum):
            part = samples[start : start + SAMPLE_EVENTS.maximum]
            results += client.test_rules(part, rules).results
    if json:
        print_json({"results": results})
    else:
        print_table(
            ("event", "outcome", "board", "player", "points", "rules"),
            [row for result in results for row in _rows(result)],
        )
    if any(result.message is not None for result in results):
        raise typer.Exit(REFUSED_STATUS)


def _rows(result: TrialResult) -> Iterator[tuple[object, ...]]:
    """What is shown of an event: a line for each board, or why there is none."""
    if not result.scores:
        yield result.event_id, result.outcome, None, result.player_id, None, result.message
    for score in result.scores:
        points = show_field(score.points)
        rules = ", ".join(score.rules)
        yield result.event_id, result.outcome, score.board, score.player_id, points, rules
