"""``toprung rules``: from a file to rules in force, and tried before that."""

from pathlib import Path

import pytest

from toprung.sdk import BoardSettings, NamedEvent

RULES = """
[[rule]]
name = "xp"
event = "won"
board = "{board}"
when = "properties.xp > 0"
points = "properties.xp * 2"
max = 100
"""


@pytest.fixture
def game(client, names, tmp_path):
    """A board, and a file with a rule for it; no rule is in force."""
    board = next(names)
    client.put_board(board, BoardSettings())
    client.put_rules([])
    path = tmp_path / "rules.toml"
    path.write_text(RULES.format(board=board))
    return board, str(path)


def good(ended):
    assert (ended.status, ended.err.startswith("error")) == (0, False), ended
    return ended


def test_a_file_is_planned_applied_and_shown(cli, client, game):
    board, path = game

    plan = cli("rules", "plan", path, "--detailed-exitcode")
    unconfirmed = cli("rules", "apply", path)
    applied = good(cli("rules", "apply", path, "--yes"))
    again = good(cli("rules", "plan", path, "--detailed-exitcode"))
    shown = good(cli("rules", "show", "--json")).json
    table = good(cli("rules", "show")).out

    assert plan.status == 2
    assert plan.out.splitlines() == [
        "+ xp",
        "    event = won",
        f"    board = {board}",
        "    points = properties.xp * 2",
        "    when = properties.xp > 0",
        "    max = 100",
    ]
    assert (unconfirmed.status, unconfirmed.code) == (1, "not_confirmed")
    assert "1 rules are in force" in applied.err
    assert again.out == "no differences\n"
    assert [rule["name"] for rule in shown["rules"]] == ["xp"]
    assert table.splitlines()[1].startswith(f"xp\twon\t{board}\tproperties.xp * 2\t")
    client.submit_events([NamedEvent("m1", "ana", "won", {"xp": 60})])
    assert client.rank(board, "ana").score == "100"


def test_plan_and_apply_speak_json(cli, game):
    _, path = game

    plan = good(cli("rules", "plan", path, "--json")).json
    applied = good(cli("rules", "apply", path, "--yes", "--json")).json

    assert [step["action"] for step in plan["rules"]] == ["create"]
    assert applied["result"] in ("created", "changed")


def test_rules_are_tried_on_sample_events(cli, client, game, tmp_path):
    board, path = game
    sample = tmp_path / "sample.jsonl"
    lines = [
        '{"event_id": "m1", "player_id": "ana", "name": "won", "properties": {"xp": 7}}',
        '{"event_id": "m2", "player_id": "bo", "name": "won", "properties": {"xp": 0}}',
    ]
    sample.write_text("\n".join(lines))

    tried = good(cli("rules", "test", path, "--events", str(sample)))
    sample.write_text("\n".join([*lines, '{"player_id": "cy", "name": "won"}'] * 50))
    refused = cli("rules", "test", path, "--events", str(sample), "--json")

    assert tried.out.splitlines() == [
        "event\toutcome\tboard\tplayer\tpoints\trules",
        f"m1\tapplied\t{board}\tana\t14\txp",
        "m2\tignored\t\tbo\t\t",
    ]
    assert refused.status == 1
    assert len(refused.json["results"]) == 150
    assert refused.json["results"][2]["message"] == "rule 'xp': properties.xp is missing"
    assert client.rules().rules == ()
    assert client.rank(board, "ana") is None


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("* 2", "/ 0", "invalid", "rule 'xp': points: properties.xp / 0 divides by zero"),
        ("* 2", "** 2", "invalid", "holds what no rule may"),
        ('board = "', 'board = "no-', "unknown_board", "rule 'xp': board: there is no board 'no-"),
        ("[[rule]]", "[[rules]]", "bad_rules", "no 'rules'"),
        ("[[rule]]", "[[rule", "bad_toml", "rules.toml"),
        ("max = 100", "mx = 100", "bad_rules", "rule 1: unknown field 'mx'"),
    ],
)
def test_a_rule_that_cannot_be_one_keeps_all_as_they_were(cli, client, game, old, new, code, said):
    _, path = game
    good(cli("rules", "apply", path, "--yes"))
    file = Path(path)
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")

    ended = cli("rules", "apply", path, "--yes")

    assert (ended.status, ended.code) == (1, code)
    assert said in ended.err
    assert [rule.max for rule in client.rules().rules] == ["100"]


def test_a_file_that_is_not_there_is_said(cli, tmp_path):
    ended = cli("rules", "plan", str(tmp_path / "none.toml"))

    assert (ended.status, ended.code) == (1, "file")
