"""R5, R16, R19, R20: boards are made, told again, changed, recomputed; resets happen once."""

import msgspec
import pytest

from toprung.domain.acts import Refused, begin_season, end_season, put_board
from toprung.domain.board import BoardState, Column, Settings, check_settings
from toprung.domain.calendar import Seasons
from toprung.domain.eligibility import Admit
from toprung.domain.errors import InvalidInput
from toprung.domain.plausible import Limits
from toprung.domain.publishing import PublishDelay

SETTINGS = Settings(
    mode="sum",
    columns=(Column("score", True, 0),),
    ties="earliest",
    windows=("all", "daily"),
    zone="UTC",
    week_start=0,
    grace=1,
    max_ahead=2,
    remember=None,
    title="Week",
)
FIXED = {
    "mode": "best",
    "columns": (Column("score", False, 0),),
    "zone": "Europe/Oslo",
    "week_start": 6,
    "segment_at": "event",
}
FREE = {
    "ties": "dense",
    "windows": ("all", "monthly"),
    "grace": None,
    "max_ahead": 3,
    "remember": 4,
    "title": "Month",
    "freeze_at": 5,
    "admit": (Admit("country", ("no",)),),
    "segments": ("country",),
    "limits": Limits(events_per_minute=3),
    "publish_delay": PublishDelay(3, 0),
}


def board(latest_at: int | None = None, **settings) -> BoardState:
    return BoardState(7, "game", "week", changed(**settings), 1, 0, (), latest_at)


def changed(**settings) -> Settings:
    return msgspec.structs.replace(SETTINGS, **settings)


def put(old, new, if_exists="refuse"):
    return put_board(old, "game", "week", new, if_exists, 9, 100)


def test_all_settings_are_either_fixed_or_free():
    assert FIXED.keys() | FREE.keys() == set(Settings.__struct_fields__)


def test_a_new_board_has_the_seq_of_its_record_as_id():
    change = put(None, SETTINGS)

    assert (change.result, change.state.board_id, change.state.created_at) == ("created", 9, 100)
    assert (change.state.seasons, change.state.latest_at, change.refill) == ((), None, ())


@pytest.mark.parametrize("if_exists", ["refuse", "change", "recompute"])
def test_the_same_board_again_is_there(if_exists):
    old = board(latest_at=5)

    change = put(old, SETTINGS, if_exists)

    assert (change.result, change.state) == ("unchanged", old)


@pytest.mark.parametrize(("field", "value"), [*FIXED.items(), *FREE.items()])
def test_other_settings_are_refused_with_the_difference(field, value):
    with pytest.raises(Refused, match=f"{field} is .*, asked for ") as caught:
        put(board(), changed(**{field: value}))

    assert (caught.value.code, caught.value.field) == ("settings_differ", field)


@pytest.mark.parametrize(("field", "value"), list(FIXED.items()))
def test_what_is_fixed_once_there_are_events(field, value):
    new = changed(**{field: value})

    with pytest.raises(Refused, match=f"so this cannot change: {field} is ") as caught:
        put(board(latest_at=5), new, "change")
    assert (caught.value.code, caught.value.field) == ("settings_fixed", field)

    free = put(board(), new, "change")
    assert (free.result, free.state.settings) == ("changed", new)

    forced = put(board(latest_at=5), new, "recompute")
    assert (forced.result, forced.refill) == ("recomputed", forced.state.kept_windows)
    assert forced.state.settings == new


def test_a_refusal_of_what_is_fixed_tells_nothing_that_may_change():
    # Where events carry segments there is no freeze, and segments are fixed, too.
    free = {name: value for name, value in FREE.items() if name not in ("freeze_at", "segments")}
    new = changed(**FIXED, **free)

    with pytest.raises(Refused) as caught:
        put(board(latest_at=5), new, "change")
    told = caught.value.message.partition(": ")[2].split("; ")
    assert [part.partition(" is ")[0] for part in told] == list(FIXED)


@pytest.mark.parametrize(("field", "value"), list(FREE.items()))
@pytest.mark.parametrize("if_exists", ["change", "recompute"])
def test_what_may_change_at_once(field, value, if_exists):
    change = put(board(latest_at=5), changed(**{field: value}), if_exists)

    assert (change.result, change.changed) == ("changed", (field,))
    assert change.state.revision == 1
    if field == "windows":
        assert (change.refill, change.removed) == (("monthly",), ("daily",))
    elif field == "freeze_at":
        assert (change.refill, change.removed) == (("frozen:all", "frozen:daily"), ())
    else:
        assert (change.refill, change.removed) == ((), ())


def test_only_other_columns_make_a_new_revision():
    old = board(latest_at=5)
    columns = (Column("score", True, 2),)

    first = put(old, changed(columns=columns), "recompute").state
    second = put(first, changed(columns=columns, zone="Europe/Oslo"), "recompute").state
    third = put(second, changed(), "recompute").state

    assert [each.revision for each in (first, second, third)] == [2, 2, 3]
    assert third.past_columns == (SETTINGS.columns, columns)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"mode": "min"}, "mode"),
        ({"ties": "random"}, "ties"),
        ({"columns": ()}, "columns"),
        ({"columns": tuple(Column(f"c{i}", True, 0) for i in range(6))}, "columns"),
        ({"columns": (Column("a", True, 0), Column("a", True, 1))}, "columns"),
        ({"columns": (Column("A", True, 0),)}, "columns[0].name"),
        ({"columns": (Column("a", True, 0), Column("previous", True, 0))}, "columns[1].name"),
        ({"columns": (Column("a", True, 10),)}, "columns[0].decimals"),
        ({"columns": (Column("a", True, -1),)}, "columns[0].decimals"),
        ({"windows": ()}, "windows"),
        ({"windows": ("all", "all")}, "windows"),
        ({"windows": ("all", "fortnightly")}, "windows[1]"),
        ({"week_start": 7}, "week_start"),
        ({"week_start": -1}, "week_start"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a\0b"}, "title"),
    ],
)
def test_impossible_settings_name_their_field(settings, field):
    with pytest.raises(InvalidInput) as caught:
        check_settings(changed(**settings))

    assert caught.value.field == field


@pytest.mark.parametrize(("project", "name"), [("Game", "week"), ("game", "Week"), ("game", "")])
def test_impossible_names(project, name):
    with pytest.raises(InvalidInput):
        put_board(None, project, name, SETTINGS, "refuse", 1, 0)


SEASONS = board(windows=("season", "all"))


def told(*resets, latest_at=None):
    """The board after some resets (id, name, at), and the last change."""
    state, change = msgspec.structs.replace(SEASONS, latest_at=latest_at), None
    for reset in resets:
        change = begin_season(state, *reset, 9)
        state = change.state
    return state, change


def test_seasons_stand_in_the_order_of_their_instants():
    state, _ = told(("b", None, 200), ("a", "spring", 100), ("c", None, 300))

    assert [season.id for season in state.seasons] == ["a", "b", "c"]


def test_the_same_reset_again_changes_nothing():
    state, _ = told(("a", "spring", 100))

    again = begin_season(state, "a", "spring", 100, 9)

    assert (again.result, again.state) == ("unchanged", state)


@pytest.mark.parametrize(
    ("reset", "field"),
    [
        (("a", "spring", 101), "at"),
        (("a", None, 100), "name"),
        (("a", "autumn", 100), "name"),
        (("b", None, 100), "at"),
        (("b", "spring", 200), "name"),
    ],
)
def test_a_reset_that_clashes_is_refused(reset, field):
    state, _ = told(("a", "spring", 100))

    with pytest.raises(Refused) as caught:
        begin_season(state, *reset, 9)

    assert (caught.value.code, caught.value.field) == ("conflict", field)


@pytest.mark.parametrize(
    ("reset", "field"),
    [
        (("A", None, 1), "id"),
        (("a", "Spring", 1), "name"),
        (("a", "previous", 1), "name"),
        (("a", "12", 1), "name"),
    ],
)
def test_impossible_resets_name_their_field(reset, field):
    with pytest.raises(InvalidInput) as caught:
        begin_season(SEASONS, *reset, 9)

    assert caught.value.field == field


def test_a_board_without_the_window_has_no_seasons():
    with pytest.raises(Refused) as caught:
        begin_season(board(), "a", None, 1, 9)

    assert caught.value.code == "no_season_window"


@pytest.mark.parametrize(
    ("resets", "latest_at", "refill"),
    [
        ([("a", None, 100)], None, ()),
        ([("a", None, 100)], 99, ()),
        ([("a", None, 100)], 100, ("season",)),
        ([("a", None, 100)], 500, ("season",)),
        ([("b", None, 200), ("a", None, 100)], 50, ()),
        ([("b", None, 200), ("a", None, 100)], 150, ("season",)),
        ([("b", None, 200), ("a", None, 100)], None, ()),
    ],
)
def test_events_are_divided_anew_where_a_reset_may_move_them(resets, latest_at, refill):
    assert told(*resets, latest_at=latest_at)[1].refill == refill


def planned(*seasons, latest_at=None):
    """The board after some seasons (id, at, ends_at)."""
    state = msgspec.structs.replace(SEASONS, latest_at=latest_at)
    for season_id, at, ends_at in seasons:
        state = begin_season(state, season_id, None, at, 9, ends_at).state
    return state


def bounds(state):
    return [(period.start, period.end) for period in Seasons(state.seasons).periods]


def test_between_a_planned_end_and_the_next_season_is_a_time_of_its_own():
    state = planned(("b", 400, None), ("a", 100, 200))

    assert bounds(state) == [(None, 100), (100, 200), (200, 400), (400, None)]
    assert Seasons(state.seasons).ids == [None, "a", None, "b"]


def test_a_season_may_begin_where_another_ends():
    assert bounds(planned(("a", 100, 200), ("b", 200, 300))) == [
        (None, 100),
        (100, 200),
        (200, 300),
        (300, None),
    ]


@pytest.mark.parametrize("ends_at", [100, 99])
def test_a_season_does_not_end_before_it_begins(ends_at):
    with pytest.raises(InvalidInput) as caught:
        begin_season(SEASONS, "a", None, 100, 9, ends_at)
    assert caught.value.field == "ends_at"

    with pytest.raises(InvalidInput) as caught:
        end_season(planned(("a", 100, None)), "a", ends_at, 9)
    assert caught.value.field == "at"


@pytest.mark.parametrize(
    ("season", "field"),
    [
        (("b", None, 150, 9), "at"),
        (("b", None, 199, 9, 300), "at"),
        (("b", None, 50, 9, 101), "ends_at"),
    ],
)
def test_seasons_do_not_overlap(season, field):
    with pytest.raises(Refused) as caught:
        begin_season(planned(("a", 100, 200)), *season)

    assert (caught.value.code, caught.value.field) == ("conflict", field)


def test_a_season_is_ended_before_its_time_and_then_stays_ended():
    ended = end_season(planned(("a", 100, 500), ("b", 600, None)), "a", 300, 9)
    again = end_season(ended.state, "a", 400, 9)

    assert (ended.result, again.result) == ("changed", "unchanged")
    assert bounds(ended.state) == [(None, 100), (100, 300), (300, 600), (600, None)]


def test_ending_a_season_divides_the_events_since():
    assert end_season(planned(("a", 100, None), latest_at=299), "a", 300, 9).refill == ()
    assert end_season(planned(("a", 100, None), latest_at=300), "a", 300, 9).refill == ("season",)


def test_a_season_that_was_never_told_cannot_end():
    with pytest.raises(Refused) as caught:
        end_season(SEASONS, "a", 300, 9)
    assert (caught.value.code, caught.value.field) == ("unknown_season", "id")

    with pytest.raises(Refused) as caught:
        end_season(board(), "a", 300, 9)
    assert caught.value.code == "no_season_window"
