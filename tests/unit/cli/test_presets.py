"""Files of other products: each column at its place, and no number lost without a word."""

import io

import pytest

from toprung.cli.errors import Failed
from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.presets import Preset, nakama, playfab, rfc3339
from toprung.cli.importing.rows import Row
from toprung.cli.importing.source import read_lines

RECORDS = (
    "leaderboard_id,owner_id,username,score,subscore,num_score,metadata,create_time,update_time\n"
    'lb,o-1,Ana,1200,7,3,"{""level"": 4}",2026-01-01 00:00:00+00,2026-03-01 10:00:00.25+00\n'
    "lb,o-2,,950,0,1,{},2026-01-01T00:00:00Z,2026-03-01T10:01:00Z\n"
)


def rows_of(content: str, preset: Preset, **options) -> list[Row]:
    text = io.TextIOWrapper(io.BytesIO(content.encode()), "utf-8", newline="")
    given = {"board": "b", "delimiter": ",", "make_id": "f-"} | options
    explicit = given.pop("explicit", {})
    return list(csv_rows(read_lines(text), explicit, preset=preset, **given))


def test_records_of_nakama_have_score_and_subscore():
    ana, bo = rows_of(RECORDS, nakama("b", ["score", "bonus"]))

    assert (ana.event.player_id, ana.event.points, ana.event.at, ana.event.metadata) == (
        "o-1",
        {"score": "1200", "bonus": "7"},
        "2026-03-01T10:00:00.25+00:00",
        {"level": 4},
    )
    assert (ana.name, bo.name) == ("Ana", None)
    assert (bo.event.points, bo.event.at) == (
        {"score": "950", "bonus": "0"},
        "2026-03-01T10:01:00Z",
    )


def test_a_subscore_that_has_no_place_is_not_dropped():
    ana, bo = rows_of(RECORDS, nakama("b", ["score"]))

    assert ana.problem == "subscore is not 0, and the board has no second column for it"
    assert bo.event.points == "950"


def test_a_column_that_is_not_there_is_not_missed_but_those_that_must_be():
    (row,) = rows_of("owner_id,score\no,5\n", nakama("b", ["score"]))

    assert (row.event.points, row.event.at, row.name) == ("5", None, None)
    with pytest.raises(Failed, match="owner_id"):
        rows_of("player,score\no,5\n", nakama("b", ["score"]))


def test_a_leaderboard_of_playfab():
    content = "Position,PlayFabId,DisplayName,StatValue\n0,AB12,Ana,99\n1,CD34,,7\n"

    rows = rows_of(content, playfab("b", ["score"]), at="2026-03-01T00:00:00Z")

    assert [(r.event.player_id, r.event.points, r.event.at, r.name) for r in rows] == [
        ("AB12", "99", "2026-03-01T00:00:00Z", "Ana"),
        ("CD34", "7", "2026-03-01T00:00:00Z", None),
    ]


def test_what_the_user_maps_wins():
    content = "PlayFabId,DisplayName,StatValue,Other\nAB12,Ana,99,5\n"

    (row,) = rows_of(content, playfab("b", ["score"]), explicit={"points": "Other"})

    assert row.event.points == "5"


@pytest.mark.parametrize(("make", "columns"), [(nakama, "abc"), (playfab, "ab")])
def test_a_board_with_other_columns_is_refused(make, columns):
    with pytest.raises(Failed) as refused:
        make("b", list(columns))

    assert refused.value.code == "other_columns"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2026-03-01 10:00:00+00", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01 10:00:00.5-0330", "2026-03-01T10:00:00.5-03:30"),
        ("2026-03-01 10:00:00+05:45", "2026-03-01T10:00:00+05:45"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
        ("2026-03-01 10:00:00", "2026-03-01 10:00:00"),
        ("", ""),
    ],
)
def test_only_an_instant_with_its_offset_is_one(text, told):
    assert rfc3339(text) == told
