"""What acts make of players: done twice is done once, and a ban ends at its end (R9)."""

import pytest

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import REASON_CHARS
from toprung.domain.moderation import UNTOUCHED, PlayerState, check_player, check_reason, moderate
from toprung.domain.records import PlayerModerated


def act(action, until=None):
    return PlayerModerated("game", "ann", action, until, "a key", None)


def after(*acts):
    """The state after acts at given arrivals, and the result of the last."""
    state, result = UNTOUCHED, None
    for seq, (arrival, each) in enumerate(acts, 1):
        change = moderate(state, each, seq, arrival)
        state, result = change.state, change.result
    return state, result


def test_a_player_may_be_hidden_before_anything_is_known_of_them():
    assert after((0, act("hide"))) == (PlayerState(hidden=True, seq=1), "changed")


@pytest.mark.parametrize("action", ["hide", "ban"])
def test_the_same_act_again_changes_nothing(action):
    once, _ = after((0, act(action)))

    assert after((0, act(action)), (1, act(action))) == (once, "unchanged")


@pytest.mark.parametrize("action", ["unhide", "unban", "ban_ended"])
def test_who_was_not_taken_out_does_not_come_back(action):
    assert after((0, act(action))) == (UNTOUCHED, "unchanged")


def test_hiding_and_banning_are_undone_each_by_itself():
    state, _ = after((0, act("hide")), (0, act("ban")), (0, act("unhide")))

    assert state == PlayerState(banned=True, seq=3)
    assert state.is_masked
    assert not after((0, act("hide")), (0, act("ban")), (0, act("unhide")), (0, act("unban")))[
        0
    ].is_masked


def test_another_end_takes_the_place_of_the_first():
    assert after((0, act("ban", 10)), (1, act("ban", 20))) == (
        PlayerState(banned=True, until=20, seq=2),
        "changed",
    )


@pytest.mark.parametrize(("now", "is_banned"), [(9, True), (10, False), (11, False)])
def test_a_ban_is_over_at_its_end(now, is_banned):
    state, result = after((0, act("ban", 10)), (now, act("ban_ended")))

    assert (state.banned, result) == (is_banned, "unchanged" if is_banned else "changed")


def test_a_ban_without_an_end_does_not_end():
    assert after((0, act("ban")), (10**18, act("ban_ended")))[0].banned


@pytest.mark.parametrize("until", [9, 10])
def test_a_ban_in_the_past_is_refused(until):
    with pytest.raises(InvalidInput) as caught:
        moderate(UNTOUCHED, act("ban", until), 1, 10)

    assert caught.value.field == "until"


@pytest.mark.parametrize("reason", ["", "x" * (REASON_CHARS.maximum + 1), "a\0b", "\ud800"])
def test_a_reason_that_cannot_be_kept_is_refused(reason):
    with pytest.raises(InvalidInput) as caught:
        check_reason(reason)

    assert caught.value.field == "reason"


@pytest.mark.parametrize("reason", [None, "x", "caught\nwith an aim bot \N{PILE OF POO}"])
def test_a_reason_may_be_any_text_or_none(reason):
    assert check_reason(reason) == reason


@pytest.mark.parametrize("player", ["", "x" * 257, "a\0b"])
def test_an_id_nobody_can_have_is_refused(player):
    with pytest.raises(InvalidInput) as caught:
        check_player(player)

    assert caught.value.field == "player"
