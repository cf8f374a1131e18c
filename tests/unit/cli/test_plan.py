"""Boards as a file: what it may say, and the difference to what is there."""

from pathlib import Path

import pytest

from toprung.cli.errors import Failed
from toprung.cli.plan import make_plan, plan_lines, read_boards, settings_of
from toprung.wire.boards import Board, BoardSettings, Column, PeriodNow

FILE = """
[boards.high-scores]
mode = "best"
windows = ["daily", "all"]
grace = "60m"
admit = { plan = ["pro", "basic", "pro"], country = ["no"] }

[boards.league]
columns = [{ name = "points" }, { name = "goals", order = "asc", decimals = 2 }]
"""


def read(tmp_path: Path, text: str) -> dict[str, BoardSettings]:
    path = tmp_path / "boards.toml"
    path.write_text(text, encoding="utf-8")
    return read_boards(path)


def board(name: str, settings: BoardSettings) -> Board:
    windows = tuple(PeriodNow(window, "all", None, None, None) for window in settings.windows)
    rest = {
        each: getattr(settings, each)
        for each in BoardSettings.__struct_fields__
        if each != "windows"
    }
    return Board(board=name, windows=windows, created_at="t", seq="1", **rest)


def test_a_file_of_boards(tmp_path):
    assert read(tmp_path, FILE) == {
        "high-scores": BoardSettings(
            mode="best",
            windows=("daily", "all"),
            grace="1h",
            admit={"country": ("no",), "plan": ("basic", "pro")},
        ),
        "league": BoardSettings(columns=(Column("points"), Column("goals", "asc", 2))),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[boards.x", "boards.toml: "),
        ("", "a table [boards.NAME]"),
        ("[board.x]\n", "no 'board'"),
        ("boards = 3", "a table [boards.NAME]"),
        ("[boards.UP]\n", "board 'UP': its name"),
        ("[boards.x]\ncolumns = [{ decimals = 99 }]\n", "x': columns[0].decimals must lie between"),
        ("[boards.x]\ncolumns = []\n", "board 'x': columns must lie between 1 and 5"),
        ("[boards.x]\nwindows = ['all', 'all']\n", "board 'x': windows names one twice"),
        ("[boards.x]\nadmit = { country = [] }\n", "board 'x': admit.country must lie between 1"),
        ("[boards.x]\nmod = 'sum'\n", "board 'x': unknown field 'mod': one of mode, columns,"),
        (
            "[boards.x]\nmode = 'min'\n",
            "board 'x': mode: Invalid enum value 'min': one of sum, best, last",
        ),
        (
            "[boards.x]\ncolumns = [{ order = 'up' }]\n",
            "columns[0].order: Invalid enum value 'up': one of desc, asc",
        ),
        (
            "[boards.x]\ncolumns = [{ ordr = 'asc' }]\n",
            "columns[0]: unknown field 'ordr': one of name, order, decimals",
        ),
        ("[boards.x]\nwindows = 'all'\n", "board 'x': windows: Expected `array`, got `str`"),
        ("[boards.x]\ngrace = '1 hour'\n", "board 'x': grace must be"),
        ("[boards.x]\ncolumns = [{ decimals = 'two' }]\n", "board 'x': columns[0].decimals: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, said):
    with pytest.raises(Failed) as failed:
        read(tmp_path, text)
    assert said in failed.value.message


def test_what_a_plan_applied_is_no_difference(tmp_path):
    wanted = read(tmp_path, FILE)
    there = [board(name, settings) for name, settings in wanted.items()]
    steps = make_plan(wanted, there, prune=True)
    assert [step.action for step in steps] == ["none", "none"]
    assert plan_lines(steps, recompute=False) == []
    assert [settings_of(each) for each in there] == list(wanted.values())


def test_a_plan_in_lines():
    wanted = {
        "new": BoardSettings(mode="best"),
        "same": BoardSettings(),
        "other": BoardSettings(title="Wins", columns=(Column(order="asc", decimals=3),)),
    }
    there = [
        board("other", BoardSettings()),
        board("same", BoardSettings()),
        board("gone", BoardSettings()),
    ]
    steps = make_plan(wanted, there, prune=True)
    once = "  (once the board has events, only with --recompute)"
    assert plan_lines(steps, recompute=False) == [
        "+ new",
        "    mode = best",
        "~ other",
        "  ! columns: score desc -> score asc .3" + once,
        '  ~ title: "" -> Wins',
        "- gone",
    ]
    assert plan_lines(steps, recompute=True)[3] == "  ! columns: score desc -> score asc .3"
    assert [step.fixed for step in steps] == [False, False, True, False]


def test_nothing_is_dropped_unless_asked():
    assert make_plan({}, [board("gone", BoardSettings())], prune=False) == []
