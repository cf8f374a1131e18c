"""Rules as a file: what it may say, how it differs from what is there, and sample events."""

from decimal import Decimal

import pytest

from toprung.cli.errors import Failed
from toprung.cli.ruling.file import make_plan, plan_lines, read_rules
from toprung.cli.ruling.samples import read_samples
from toprung.wire.rules import Rule

FILE = """
[[rule]]
name = "xp"
event = "match_finished"
board = "high"
when = "properties.won == true"
points = "properties.xp * 2"
max = 0.10
min = -3

[[rule]]
name = "goals"
event = "match_finished"
board = "league"
points = { points = 3, goals = "properties.goals" }
"""
XP = Rule(
    "xp",
    "match_finished",
    "high",
    "properties.xp * 2",
    "properties.won == true",
    None,
    "-3",
    "0.10",
)
GOALS = Rule("goals", "match_finished", "league", {"points": "3", "goals": "properties.goals"})


def read(tmp_path, text):
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def test_a_file_of_rules_keeps_every_digit(tmp_path):
    assert read(tmp_path, FILE) == (XP, GOALS)
    assert read(tmp_path, "") == ()


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("[[rule", "bad_toml", "rules.toml: "),
        ("[rules.x]", "bad_rules", "no 'rules'"),
        ("rule = 3", "bad_rules", "a table [[rule]]"),
        ("[rule.x]", "bad_rules", "a table [[rule]]"),
        (FILE + "\n[[rule]]\nname = 'x'", "bad_rules", "rule 3: Object missing required field"),
        (FILE + "\n[[rule]]\nnam = 'x'", "bad_rules", "rule 3: unknown field 'nam': one of name,"),
        ("[[rule]]\nname = 3", "bad_rules", "rule 1: name: Expected `str`"),
    ],
)
def test_what_is_no_file_of_rules_is_named(tmp_path, text, code, said):
    with pytest.raises(Failed) as raised:
        read(tmp_path, text)

    assert raised.value.code == code
    assert said in raised.value.message


def test_a_plan_tells_each_difference():
    changed = Rule("xp", "match_finished", "high", "1", max="5")
    old = Rule("old", "e", "high", "1")

    assert plan_lines(make_plan([changed, GOALS], [XP, old])) == [
        "~ xp",
        "  ~ points: properties.xp * 2 -> 1",
        "  ~ when: properties.won == true -> none",
        "  ~ min: -3 -> none",
        "  ~ max: 0.10 -> 5",
        "+ goals",
        "    event = match_finished",
        "    board = league",
        "    points = points = 3; goals = properties.goals",
        "- old",
    ]


def test_what_is_there_already_is_no_difference(tmp_path):
    wanted = read(tmp_path, FILE)

    assert plan_lines(make_plan(wanted, [GOALS, XP])) == []
    assert [step.action for step in make_plan(wanted, [GOALS, XP])] == ["none", "none"]


def samples(tmp_path, text):
    path = tmp_path / "sample.jsonl"
    path.write_bytes(text)
    return read_samples(path)


def test_sample_events_keep_every_digit_and_are_called_by_their_line(tmp_path):
    first, second = samples(
        tmp_path,
        b'{"player_id":"a","name":"e","properties":{"x":0.10000000000000000000001}}\n'
        b'\n{"event_id":"m","player_id":"a","name":"e","at":"2026-05-01T00:00:00Z"}\n',
    )

    assert (first.event_id, second.event_id, second.at) == ("line-1", "m", "2026-05-01T00:00:00Z")
    assert first.properties == {"x": Decimal("0.10000000000000000000001")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\n", "there are no events"),
        (b'{"player_id":"a","name":"e"}\n{"name":"e"}', "line 2: Object missing required field"),
        (b"{", "line 1: "),
        (b'{"player_id":"a","name":"e","prop":1}', "unknown field `prop`"),
        (b'{"player_id":"\xff","name":"e"}', "line 1: "),
    ],
)
def test_a_line_that_is_no_event_is_named(tmp_path, text, said):
    with pytest.raises(Failed) as raised:
        samples(tmp_path, text)

    assert raised.value.code == "bad_events"
    assert said in raised.value.message
