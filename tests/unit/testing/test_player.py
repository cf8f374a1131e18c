"""What is sent, and when the clock moves, for each kind of entry of a case."""

import pytest

from toprung.testing.api import ProductTrouble, Refused
from toprung.testing.cases.player import Player
from toprung.testing.cases.trouble import CannotPlay

SETUP = {"mode": "sum", "order": "desc", "ties": "shared", "windows": ["all"], "tz": "UTC"}
NOON, ONE, TWO = "2026-05-04T12:00:00Z", "2026-05-04T13:00:00Z", "2026-05-04T14:00:00Z"


def event(**more):
    return {"id": "a", "player": "amber", "score": 5, "at": NOON, **more}


def counting(line: str):
    """Every event is counted; a batch is answered as one of a single event."""
    return 200, {"outcome": "counted", "results": [{"outcome": "counted"}]}


def refusing(status: int, code: str):
    return lambda line: (status, {"error": {"code": code, "message": "no"}})


@pytest.fixture
def player(product, session) -> Player:
    product.answer = counting
    return Player(session)


def clock_moves(product) -> list[str]:
    return [handled[1] for handled in product.handled if handled[0] == "clock"]


def test_an_event_is_sent_alone_and_as_the_admin(product, player):
    player.play(event(match_id="m", metadata={"x": 1}))

    (asked,) = product.asked
    assert (asked.who, asked.line) == ("admin", "POST /v1/scores")
    assert asked.body == {
        "board": "main",
        "event_id": "a",
        "player_id": "amber",
        "points": 5,
        "at": NOON,
        "match_id": "m",
        "metadata": {"x": 1},
    }
    assert player.outcomes == ["counted"]


@pytest.mark.parametrize("op", ["hide", "unhide"])
def test_a_player_is_hidden_and_shown_by_the_admin(product, player, op):
    player.play({"op": op, "player": "am ber"})

    (asked,) = product.asked
    assert (asked.who, asked.line) == ("admin", f"POST /v1/players/am%20ber/{op}")


def test_an_event_is_voided_by_the_admin(product, player):
    player.play({"op": "void", "target": "a/b"})

    (asked,) = product.asked
    assert (asked.who, asked.line) == ("admin", "POST /v1/boards/main/events/a%2Fb/void")


def test_an_event_may_go_to_another_board_and_lack_what_it_lacks(product, player):
    player.play({"board": "duo", "player": 7, "score": None})

    assert product.asked[0].body == {"board": "duo", "player_id": 7, "points": None}


def test_the_code_of_a_refused_event_is_its_outcome(product, player):
    product.answer = refusing(409, "conflict")

    player.play(event())

    assert player.outcomes == ["conflict"]


@pytest.mark.parametrize("code", ["unauthorized", "rate_limited", "bad_json"])
def test_a_refusal_that_is_no_outcome_is_never_taken_for_one(product, player, code: str):
    product.answer = refusing(400, code)

    with pytest.raises(ProductTrouble, match=code):
        player.play(event())


def test_an_error_of_the_server_is_never_an_outcome(product, player):
    product.answer = refusing(503, "invalid")

    with pytest.raises(ProductTrouble):
        player.play(event())


def test_the_clock_stands_at_the_arrival_and_never_goes_back(product, player):
    player.play(event(at=ONE))
    player.play(event(at=NOON))
    player.play(event(at=NOON, recv=TWO))
    player.play({"op": "advance", "to": ONE})
    player.play({"op": "advance", "to": "2026-05-05T00:00:00+02:00"})

    assert clock_moves(product) == [ONE, TWO, "2026-05-04T22:00:00Z"]


@pytest.mark.parametrize("at", ["yesterday", "2026-05-04T12:00:00", 5, None])
def test_an_instant_that_is_none_moves_no_clock_and_is_sent_as_it_is(product, player, at):
    player.play(event(at=at))

    assert clock_moves(product) == []
    assert product.asked[0].body["at"] == at


def test_a_name_becomes_the_profile_before_the_event(product, player):
    player.play(event(name="Old"))

    assert product.lines == ["PUT /v1/players/amber", "POST /v1/scores"]
    assert product.asked[0].body == {"name": "Old"}


def test_a_batch_is_one_request_with_one_outcome_each(product, player):
    product.answer = lambda line: (200, {"results": [{"outcome": "counted"}, {"outcome": "late"}]})

    player.play({"op": "batch", "events": [event(), event(id="b", at=ONE)]})

    assert product.lines == ["POST /v1/scores"]
    assert [each["event_id"] for each in product.asked[0].body["events"]] == ["a", "b"]
    assert player.outcomes == ["counted", "late"]
    assert clock_moves(product) == [NOON, ONE]


def test_a_batch_that_loses_an_outcome_is_trouble(player):
    with pytest.raises(ProductTrouble, match="2 events got 1 results"):
        player.play({"op": "batch", "events": [event(), event(id="b")]})


def sent_by_repeat(product, player, **repeat):
    def answer(line: str):
        events = product.asked[-1].body["events"]
        return 200, {"results": [{"outcome": "counted"}] * len(events)}

    product.answer = answer
    player.play({"op": "repeat", "id_prefix": "r-", "score": 5, "at": NOON, **repeat})
    return [asked.body["events"] for asked in product.asked]


def test_a_repeat_numbers_players_and_steps_scores(product, player):
    (events,) = sent_by_repeat(product, player, n=3, player_prefix="u", score_step=-7)

    assert [each["event_id"] for each in events] == ["r-0000", "r-0001", "r-0002"]
    assert [each["player_id"] for each in events] == ["u0000", "u0001", "u0002"]
    assert [each["points"] for each in events] == ["5", "-2", "-9"]


def test_a_repeat_may_be_of_one_player(product, player):
    product.answer = lambda line: (200, {"results": [{"outcome": "counted"}] * 2})

    player.play(
        {"op": "repeat", "n": 2, "id_prefix": "r", "player": "amber", "score": "0.1", "at": NOON}
    )

    assert [each["player_id"] for each in product.asked[0].body["events"]] == ["amber"] * 2
    assert [each["points"] for each in product.asked[0].body["events"]] == ["0.1"] * 2


def test_a_repeat_whose_instants_go_back_travels_together(product, player):
    batches = sent_by_repeat(product, player, n=3, player_prefix="u", at_step_ms=-1000)

    assert len(batches) == 1
    assert [each["at"][-4:] for each in batches[0]] == [":00Z", ":59Z", ":58Z"]
    assert clock_moves(product) == [NOON]


def test_a_repeat_whose_instants_go_on_moves_the_clock_with_each(product, player):
    batches = sent_by_repeat(product, player, n=3, player_prefix="u", at_step_ms=1500)

    assert [len(batch) for batch in batches] == [1, 1, 1]
    assert clock_moves(product) == [NOON, "2026-05-04T12:00:01.500000Z", "2026-05-04T12:00:03Z"]


def test_a_long_repeat_is_cut_into_batches(product, player):
    batches = sent_by_repeat(product, player, n=1001, player_prefix="u")

    assert [len(batch) for batch in batches] == [500, 500, 1]
    assert len(player.outcomes) == 1001


@pytest.mark.parametrize(
    ("entry", "line", "body"),
    [
        ({"op": "join", "player": "a/b"}, "PUT /v1/players/a%2Fb", {}),
        ({"op": "rename", "player": "p", "name": "New"}, "PUT /v1/players/p", {"name": "New"}),
        (
            {"op": "reset", "id": "r1", "at": NOON},
            "POST /v1/boards/main/seasons",
            {"id": "r1", "at": NOON},
        ),
        ({"op": "drop_board", "board": "duo"}, "DELETE /v1/boards/duo", None),
    ],
)
def test_an_act_has_its_request(product, player, entry, line, body):
    player.play(entry)

    assert [(asked.line, asked.body) for asked in product.asked] == [(line, body)]


@pytest.mark.parametrize("op", ["restart", "crash", "rebuild"])
def test_what_no_request_can_do_is_left_to_the_control(product, player, op: str):
    player.play({"op": op})

    assert product.handled == [(op,)]


def test_the_boards_of_a_setup_are_made_and_a_config_changes_one(product, player):
    player.set_up({**SETUP, "more_boards": [{**SETUP, "board": "duo", "mode": "last"}]})
    player.play({"op": "config", "set": {"order": "asc"}})

    assert product.lines == [
        "PUT /v1/boards/main?if_exists=refuse",
        "PUT /v1/boards/duo?if_exists=refuse",
        "PUT /v1/boards/main?if_exists=recompute",
    ]
    first, duo, changed = (asked.body for asked in product.asked)
    assert duo["mode"] == "last"
    assert changed == {**first, "columns": [{"name": "score", "order": "asc", "decimals": 0}]}


def test_a_refused_config_or_board_is_for_the_queries_to_judge(product, player):
    player.set_up(SETUP)
    product.answer = refusing(409, "settings_fixed")

    player.play({"op": "config", "set": {"order": "asc"}})
    player.play({"op": "create_board", "set": {**SETUP, "board": "x"}})

    assert len(product.lines) == 3


def test_a_setup_that_is_refused_is_no_case(product, player):
    product.answer = refusing(400, "invalid")

    with pytest.raises(Refused):
        player.set_up(SETUP)


@pytest.mark.parametrize("op", ["merge", "dance"])
def test_an_act_that_cannot_be_played_says_so(player, op: str):
    with pytest.raises(CannotPlay, match=op):
        player.play({"op": op})


def test_a_key_of_an_event_that_would_be_lost_says_so(player):
    with pytest.raises(CannotPlay, match="segment"):
        player.play(event(segment="SE"))
