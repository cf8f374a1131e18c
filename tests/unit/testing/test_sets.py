"""The adapters of known sets, on small made-up folders of the same form."""

import gzip
from pathlib import Path

import pytest

from toprung.testing.standings.adapter import load

SETS = Path(__file__).resolve().parents[3] / "scripts" / "sets"


def module(name: str):
    """An adapter file with everything that is in it."""
    return load(SETS / f"{name}.py").__globals__


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        path = tmp_path / (name.replace("__", "-") + ".csv")
        if name.endswith("_gz"):
            path = path.with_name(path.name.replace("_gz.csv", ".csv.gz"))
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text)
    return tmp_path


# Count-back


def test_counts_of_places_never_carry_and_fit_64_bits():
    f1 = module("f1_standings")
    base, places = f1["BASE"], f1["PLACES"]
    fullest = sum((base - 1) * f1["packed"](place)[0] for place in range(1, places + 1))

    assert fullest == base**places - 1 == 2**60 - 1
    assert fullest < 2**63


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ([1], [2] * 31),
        ([1, 1], [1, *[2] * 31]),
        ([2], [3] * 31 + [4] * 31 + [24] * 31),
        ([12], [13] * 31),
        ([13], [14] * 31),
        ([24], []),
        ([5, 7], [5, 8]),
    ],
)
def test_one_better_place_outweighs_any_number_of_worse_ones(better, worse):
    packed = module("f1_standings")["packed"]

    def total(places):
        return tuple(sum(column) for column in zip((0, 0), *map(packed, places), strict=True))

    assert total(better) > total(worse)


@pytest.mark.parametrize("place", [-1, 25])
def test_a_place_without_a_digit_is_refused(place: int):
    with pytest.raises(ValueError, match="no digit"):
        module("f1_standings")["packed"](place)


F1_EVENTS = "event_id,season,round,session,player_id,team_id,points,at,finish_pos,shared_car\n"
F1_TABLE = "season,round,board,rank,player_id,points\n"


def f1_event(round_: int, session: str, player: str, place: int, season: int = 2001) -> str:
    id_ = f"{season}-{round_}-{session}-{player}"
    at = f"{season}-0{round_}-01T12:00:00Z"
    return f"{id_},{season},{round_},{session},{player},team/{player},10,{at},{place},\n"


def test_places_of_sprints_and_beyond_the_count_back_are_no_places(tmp_path: Path):
    events = [
        f1_event(1, "S", "ann", 1),
        f1_event(1, "R", "ann", 9),
        f1_event(1, "R", "ann", 7, season=1990),
        f1_event(1, "R", "ann", 6, season=1990),
    ]
    events[3] = events[3].replace("1990-1-R-ann", "1990-1-R-ann-2")
    table = F1_TABLE + "2001,1,driver,1,ann,20\n1990,1,driver,1,ann,20\n"
    data = folder(tmp_path, events=F1_EVENTS + "".join(events), expected=table)

    (step,) = load(SETS / "f1_standings.py")(data).steps

    assert [event.points[1:] for event in step.events] == [
        ("0", "0"),
        (str(32**3), "0"),
        ("0", "0"),
        (str(32**6), "0"),
    ]


def test_results_wait_until_the_table_lists_who_had_them(tmp_path: Path):
    events = [f1_event(1, "R", "ann", 1), f1_event(1, "R", "bob", 9), f1_event(2, "R", "bob", 2)]
    table = F1_TABLE + "2001,1,driver,1,ann,10\n2001,2,driver,1,bob,20\n2001,2,driver,2,ann,10\n"
    data = folder(tmp_path, events=F1_EVENTS + "".join(events), expected=table)

    first, second = load(SETS / "f1_standings.py")(data).steps

    assert [event.player_id for event in first.events] == ["ann"]
    assert [event.event_id for event in second.events] == ["2001-1-R-bob", "2001-2-R-bob"]


def test_who_is_excluded_is_not_on_the_board_from_there_on(tmp_path: Path):
    events = [f1_event(1, "R", "ann", 1), f1_event(1, "R", "bob", 2), f1_event(2, "R", "bob", 1)]
    table = F1_TABLE + (
        "2001,1,driver,1,ann,10\n2001,1,driver,2,bob,10\n"
        "2001,2,driver,DSQ,ann,10\n2001,2,driver,1,bob,20\n"
    )
    data = folder(tmp_path, events=F1_EVENTS + "".join(events), expected=table)

    standings = load(SETS / "f1_standings.py")(data)
    first, second = standings.steps

    assert [board.name for board in standings.boards] == ["2001-driver", "2001-driver.from-2"]
    assert second.tables[0].board == "2001-driver.from-2"
    assert {event.player_id for event in second.events} == {"bob"}
    assert len(first.events) == len(second.events) == 2


def test_a_place_taken_too_often_for_its_digit_is_refused(tmp_path: Path):
    events = [
        f1_event(1, "R", "ann", 1).replace("1-R-ann", f"{number}-R-ann") for number in range(32)
    ]
    data = folder(
        tmp_path, events=F1_EVENTS + "".join(events), expected=F1_TABLE + "2001,1,driver,1,ann,9\n"
    )

    with pytest.raises(ValueError, match="finished 32 times in place 1"):
        load(SETS / "f1_standings.py")(data)


# The other sets


def test_epl_ranks_by_points_then_goal_difference_then_goals(tmp_path: Path):
    data = folder(
        tmp_path,
        events="event_id,board,player_id,opponent_id,points,goals_for,goals_against,at\n"
        "1,2010-11,city,spurs,3,2,5,2010-08-14T12:45:00Z\n",
        expected="board,rank,player_id,played,won,drawn,lost,goals_for,goals_against,points\n"
        "2010-11,4,city,1,1,0,0,2,5,3\n",
    )

    standings = load(SETS / "football_epl.py")(data)
    (step,) = standings.steps

    assert [column["name"] for column in standings.boards[0].settings["columns"]] == [
        "points",
        "goal_difference",
        "goals_for",
    ]
    assert [event.points for event in step.events] == [("3", "-3", "2")]
    (line,) = step.tables[0].lines
    assert line == ("city", {"points": "3", "goal_difference": "-3", "goals_for": "2"}, 4)


def test_imo_leaves_guests_out_of_the_numbering(tmp_path: Path):
    data = folder(
        tmp_path,
        events_gz="event_id,board,player_id,points,at,problem\n"
        "a,1992,p,7,1992-07-15T08:00:00Z,1\nb,1992,guest,7,1992-07-15T08:00:01Z,1\n",
        expected="board,player_id,points,rank,award\n1992,p,7,1,Gold\n1992,guest,7,,\n",
    )

    (step,) = load(SETS / "imo.py")(data).steps

    assert [event.player_id for event in step.events] == ["p"]
    assert [line.player_id for line in step.tables[0].lines] == ["p"]


def test_qualifying_adds_up_only_who_drove_both_sessions(tmp_path: Path):
    data = folder(
        tmp_path,
        boards="board,format,grand_prix,race_date\n"
        "2005-01,AGGREGATE,x,2005-03-06\n2005-09,ONE_LAP,y,2005-09-01\n",
        events="event_id,board,player_id,team_id,points,at\n"
        "2005-01-1-01,2005-01,ann,t,90000,2005-03-05T13:00:01Z\n"
        "2005-01-1-02,2005-01,bob,t,91000,2005-03-05T13:00:02Z\n"
        "2005-01-2-01,2005-01,ann,t,89000,2005-03-06T13:00:01Z\n"
        "2005-09-2-01,2005-09,ann,t,88000,2005-09-01T13:00:01Z\n",
        expected="board,window,player_id,rank,points\n"
        "2005-01,q1,ann,1,90000\n2005-01,final,ann,1,179000\n2005-01,final,bob,EX,\n"
        "2005-09,final,ann,1,88000\n2005-09,q2,ann,1,88000\n",
    )

    standings = load(SETS / "f1_qualifying.py")(data)
    (step,) = standings.steps

    assert [board.name for board in standings.boards] == ["2005-01", "2005-01.sum", "2005-09"]
    assert [event.player_id for event in step.events if event.board == "2005-01.sum"] == [
        "ann",
        "ann",
    ]
    assert [(table.board, table.window, table.period) for table in step.tables] == [
        ("2005-01", "daily", "2005-03-05"),
        ("2005-01.sum", "all", None),
        ("2005-09", "daily", "2005-09-01"),
    ]


def test_fpl_weeks_begin_with_their_first_match_and_list_who_had_none(tmp_path: Path):
    data = folder(
        tmp_path,
        events__2022_gz="event_id,gw,player_id,points,at,minutes\n"
        "1-1,1,7,-2,2022-08-06T19:00:00Z,90\n1-2,1,7,5,2022-08-05T19:00:00Z,90\n",
        expected_weekly_gz="season,gw,as_of,player_id,gw_points,total_points,form_x10\n"
        "2022,1,2022-08-08T00:00:00Z,7,3,3,15\n2022,1,2022-08-08T00:00:00Z,8,0,0,0\n"
        "2022,2,2022-08-15T00:00:00Z,7,0,3,15\n",
    )

    standings = load(SETS / "fpl.py")(data)
    steps = list(standings.steps)

    board, counts = standings.boards
    assert (board.name, counts.name) == ("2022", "2022-matches")
    assert [(season.name, season.at) for season in board.seasons] == [
        ("gw-01", "2022-08-05T19:00:00Z"),
        ("gw-02", "2022-08-15T00:00:00Z"),
    ]
    assert [(event.board, event.player_id, event.points[0]) for event in steps[0].events] == [
        ("2022", "7", "-2"),
        ("2022-matches", "7", "1"),
        ("2022", "7", "5"),
        ("2022-matches", "7", "1"),
        ("2022", "8", "0"),
    ]
    week, total, form = steps[1].tables
    assert (form.per, form.lines[0].values) == ("2022-matches", {"score": "1.5"})
    assert form.interval == (
        "2022-07-16T00:00:00.000001+00:00",
        "2022-08-15T00:00:00.000001+00:00",
    )
    assert (week.period, week.lines[0].values, week.lines[0].rank) == ("gw-02", {"score": "0"}, 1)
    assert (total.window, total.lines[0].values) == ("all", {"score": "3"})


def test_mlb_sends_home_runs_and_one_line_of_everybody(tmp_path: Path):
    data = folder(
        tmp_path,
        events__1969_gz="season,batter,pitcher,pa,h,hr,bb,so\n"
        "1969,1,9,4,0,0,0,0\n1969,1,9,4,0,0,0,0\n1969,1,9,4,2,2,0,0\n1969,2,9,4,1,1,0,0\n",
        expected_batting="season,player_id,h,hr,bb,so\n1969,1,2,2,0,0\n1969,2,1,1,0,0\n1969,3,0,0,0,0\n",
    )

    (step,) = load(SETS / "mlb.py")(data).steps

    assert [(event.player_id, event.points[0], event.at[:10]) for event in step.events] == [
        ("1", "0", "1969-04-01"),
        ("1", "2", "1969-07-01"),
        ("2", "1", "1969-08-16"),
        ("3", "0", "1969-04-01"),
    ]
    season, career = step.tables
    assert [(line.player_id, line.rank) for line in season.lines] == [("1", 1), ("2", 2), ("3", 3)]
    assert (season.window, season.period, career.window) == ("yearly", "1969", "all")
