"""Which column is which field: said by the user, else by name, and never guessed."""

import pytest
import typer

from toprung.cli.errors import Failed
from toprung.cli.importing.mapping import find_places, parse_mapping


def test_pairs():
    assert parse_mapping(["player_id=player", "points=a=b"]) == {
        "player_id": "player",
        "points": "a=b",
    }


@pytest.mark.parametrize(
    "pairs",
    [
        ["player_id"],
        ["player_id="],
        ["player=x"],
        ["at=a", "at=b"],
        ["points=a", "points.gd=b"],
    ],
)
def test_impossible_pairs(pairs):
    with pytest.raises(typer.BadParameter):
        parse_mapping(pairs)


def test_same_names_need_no_mapping():
    places = find_places(["at", "other", "points", "player_id", "board"], {}, None)
    assert places.fields == {"board": 4, "player_id": 3, "points": 2, "at": 0}


def test_what_the_user_says_wins():
    places = find_places(["at", "when", "points", "player_id"], {"at": "when"}, "b")
    assert places.fields["at"] == 1


def test_columns_of_points_by_name():
    places = find_places(["player_id", "points.a", "points.b"], {}, "b")
    assert (places.points, places.fields) == ({"a": 1, "b": 2}, {"player_id": 0})


def test_a_board_for_all_rows_leaves_the_column_alone():
    assert "board" not in find_places(["board", "player_id", "points"], {}, "b").fields


@pytest.mark.parametrize(
    ("header", "explicit", "board", "code"),
    [
        (["points"], {}, "b", "no_column"),
        (["player_id"], {}, "b", "no_column"),
        (["player_id", "points"], {}, None, "no_board"),
        (["player_id", "points"], {"at": "when"}, "b", "no_column"),
        (["player_id", "points", "points"], {}, "b", "no_column"),
    ],
)
def test_a_file_that_does_not_fit(header, explicit, board, code):
    with pytest.raises(Failed) as failed:
        find_places(header, explicit, board)
    assert failed.value.code == code
