"""Small things that commands read and print."""

import re

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from toprung.cli.errors import Failed, explain
from toprung.cli.output import percent, print_table, printable
from toprung.cli.players import parse_attributes
from toprung.cli.serve import merge, read_config
from toprung.cli.standings import parse_points
from toprung.domain.errors import InvalidInput, Trouble
from toprung.sdk import NotFound


@pytest.mark.parametrize(
    ("words", "points"),
    [
        (["12"], "12"),
        (["-5.5"], "-5.5"),
        (["points=3", "gd=-2"], {"points": "3", "gd": "-2"}),
        (["points=3"], {"points": "3"}),
    ],
)
def test_points(words, points):
    assert parse_points(words) == points


@pytest.mark.parametrize("words", [["1", "2"], ["a=1", "2"], ["a=1", "a=2"]])
def test_points_that_are_none(words):
    with pytest.raises(typer.BadParameter):
        parse_points(words)


def test_attributes():
    assert parse_attributes(["country=pt", "note=a=b", "empty="]) == {
        "country": "pt",
        "note": "a=b",
        "empty": "",
    }
    for pairs in (["country"], ["a=1", "a=2"]):
        with pytest.raises(typer.BadParameter):
            parse_attributes(pairs)


def test_nothing_that_is_printed_steers_the_terminal():
    assert printable("Zoë 東京 🎮") == "Zoë 東京 🎮"
    assert printable("\x1b[31mred\r\n\u202e\u2028") == r"\x1b[31mred\r\n\u202e\u2028"


@given(st.text())
def test_what_is_printed_is_printable(text):
    assert "\x1b" not in printable(text)
    assert "\n" not in printable(text)
    if text.isprintable():
        assert printable(text) == text


def test_flags_win_over_the_environment_and_that_over_the_file():
    file = {"port": 1, "host": "file", "view": "off"}
    merged = merge(file, {"TOPRUNG_HOST": "x"}, {"port": 2, "db": None}, "TOPRUNG_")
    assert merged == {"port": 2, "view": "off"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour = 1", "unknown field 'colour': one of db, host, port, view, "),
        ("port = 'x'", "port: "),
        ("view = 'fast'", "view: Invalid enum value 'fast': one of native, reference, off"),
    ],
)
def test_what_is_wrong_in_a_config_is_said_with_the_file(tmp_path, text, said):
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(Failed) as failed:
        read_config(path)
    assert failed.value.message.startswith(f"{path}: {said}")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (100.0, "100.00"),
        (33.333333333333336, "33.33"),
        (16.666666666666668, "16.67"),
        (99.9999, "99.99"),
        (0.0001, "<0.01"),
    ],
)
def test_percentages(value, shown):
    assert percent(value) == shown


def on_a_screen(monkeypatch, capsys, columns, header, rows) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    print_table(header, rows)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    return [line.rstrip() for line in plain.splitlines() if line.strip()]


INSTANT = "2026-05-04T12:00:00Z"


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_instants_are_never_broken(monkeypatch, capsys, columns):
    header = ("window", "period", "start", "end", "next_change")
    rows = [("hourly", "2026-05-04T12", INSTANT, INSTANT, INSTANT), ("all", "all", "", "", "")]
    lines = on_a_screen(monkeypatch, capsys, columns, header, rows)
    assert "\n".join(lines).count(INSTANT) == 3
    assert max(map(len, lines)) <= columns
    assert len(lines) == (10 if columns <= 80 else 4)


def test_names_are_folded_before_instants_and_numbers(monkeypatch, capsys):
    header = ("rank", "player", "name", "points", "goal_difference", "goals", "reached_at")
    rows = [("1", "p" * 60, "Name " * 12, "151", "-47", "143", INSTANT)] * 2
    lines = on_a_screen(monkeypatch, capsys, 80, header, rows)
    assert lines[0].split() == list(header)
    assert lines[2].split()[0] == "1"
    assert lines[2].split()[-4:] == ["151", "-47", "143", INSTANT]
    assert max(map(len, lines)) <= 80


def test_a_config_that_is_no_toml(tmp_path):
    (tmp_path / "c.toml").write_text("port = ")
    with pytest.raises(Failed) as failed:
        read_config(tmp_path / "c.toml")
    assert failed.value.code == "bad_toml"


@pytest.mark.parametrize(
    ("error", "lines"),
    [
        (Failed("a", "b"), ["error: a: b"]),
        (Failed("a", "b", hint="c"), ["error: a: b", "hint: c"]),
        (InvalidInput("b", hint="c"), ["error: invalid: b", "hint: c"]),
        (Trouble("a", "b", retryable=True), ["error: a: b"]),
        (
            NotFound("unknown_board", "b"),
            [
                "error: unknown_board: b",
                "hint: toprung boards list shows the boards of this key's project",
            ],
        ),
        (FileNotFoundError(2, "No such file", "x"), ["error: file: x: No such file"]),
    ],
)
def test_errors_become_a_line_or_two(error, lines):
    assert explain(error) == lines


@pytest.mark.parametrize("error", [KeyError("x"), OSError("odd"), RuntimeError()])
def test_a_bug_is_told_from_an_error(error):
    assert explain(error) is None
