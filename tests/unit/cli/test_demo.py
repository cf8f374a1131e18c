"""The demo's game: one seed, one game, whose every score its boards can take."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from toprung.cli.demo.command import command_name, what_to_try
from toprung.cli.demo.game import BOARDS, Game
from toprung.cli.demo.home import Keys, demo_keys, open_home

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_one_seed_makes_one_game():
    first, again, other = (
        list(islice(Game(Random(seed)).turns(), 200)) for seed in ("1", "1", "2")
    )
    assert first == again
    assert first != other


def test_a_restart_goes_on_with_the_same_players():
    assert Game(Random("1")).players == Game(Random("2")).players
    assert Game(Random("1")).teams == Game(Random("2")).teams


def test_every_score_fits_its_board():
    turns = [turn for turns in islice(Game(Random("1")).turns(), 3000) for turn in turns]
    assert {turn.board for turn in turns} == set(BOARDS)
    for turn in turns:
        columns = BOARDS[turn.board].columns
        if len(columns) > 1:
            assert set(turn.points) == {column.name for column in columns}
        elif isinstance(turn.points, Decimal):
            assert -turn.points.as_tuple().exponent <= columns[0].decimals
        else:
            assert isinstance(turn.points, int)


def test_goals_of_a_match_agree():
    matches = [turns for turns in islice(Game(Random("1")).turns(), 3000) if len(turns) == 2]
    assert matches
    for home, away in matches:
        assert home.points["goal_difference"] == -away.points["goal_difference"]
        assert {home.points["points"], away.points["points"]} in ({3, 0}, {1})


def test_the_past_is_past_and_in_order():
    instants = [at for at, _ in Game(Random("1")).past(NOW, days=3, turns=100)]
    assert len(instants) == 100
    assert instants == sorted(instants)
    assert instants[-1] <= NOW


def test_a_few_players_play_much():
    players = [turn.player for turns in islice(Game(Random("1")).turns(), 3000) for turn in turns]
    counts = sorted((players.count(player) for player in set(players)), reverse=True)
    assert counts[0] > 10 * counts[len(counts) // 2]


def test_keys_are_kept_while_they_are_good(tmp_path):
    db = open_home(tmp_path / "demo")
    keys = demo_keys(tmp_path / "demo", db)
    assert demo_keys(tmp_path / "demo", db) == keys
    db.unlink()
    assert demo_keys(tmp_path / "demo", db) != keys
    (tmp_path / "demo" / "keys.json").write_text("{")
    assert demo_keys(tmp_path / "demo", db) != keys
    assert (tmp_path / "demo" / "keys.json").stat().st_mode & 0o077 == 0
    assert (tmp_path / "demo" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("program", "here", "name"),
    [
        ("/src/game/.venv/bin/toprung", "/src/game", ".venv/bin/toprung"),
        (".venv/bin/toprung", "/src/game", ".venv/bin/toprung"),
        ("/opt/toprung/bin/toprung", "/src/game", "/opt/toprung/bin/toprung"),
        ("/usr/bin/toprung", "/src/game", "toprung"),
    ],
)
def test_commands_to_paste_find_the_program(monkeypatch, program, here, name):
    monkeypatch.setattr("shutil.which", lambda found: "/usr/bin/toprung")
    assert command_name(Path(program), Path(here)) == name


def test_what_is_printed_has_a_key_that_writes_and_no_admin_key():
    text = what_to_try("http://127.0.0.1:1", Keys("adm", "srv", "cli"), Path(".demo"), "toprung")
    assert "TOPRUNG_KEY=srv" in text
    assert "adm" not in text.replace("admin key", "")
    assert text.count("  curl -sS ") == text.count("; echo\n") == 2
