"""What is tried again, how often, and after which pause: the rules alone, without a network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.sdk import RateLimited, Retries, ToprungError, Unavailable
from toprung.sdk._exchange import Answer, Failure, Reply, Request, exchange

GET = Request(method="GET", path="/v1/boards")
DROP = Request(method="DELETE", path="/v1/boards/b", repeatable=False)
DEFAULT = Retries()
GOOD = Reply(status=200, body=b"{}")
CUT = Failure(cause=OSError("cut"), sent=True)
UNSENT = Failure(cause=OSError("refused"), sent=False)


def status(code: int, retry_after: str | None = None) -> Reply:
    return Reply(status=code, body=b"", retry_after=retry_after)


def play(
    answers: list[Answer], *, request: Request = GET, retries: Retries = DEFAULT, chance=1.0
) -> tuple[list[float], Reply | ToprungError]:
    """The pauses before each try, and how it ended."""
    pauses = []
    steps = exchange(request, retries, lambda: chance)
    try:
        attempt = next(steps)
        for answer in answers:
            pauses.append(attempt.pause)
            assert attempt.request is request
            attempt = steps.send(answer)
    except StopIteration as done:
        return pauses, done.value
    except ToprungError as error:
        return pauses, error
    pytest.fail("more answers were wanted")


def test_a_success_takes_one_try_at_once():
    assert play([GOOD]) == ([0.0], GOOD)


@pytest.mark.parametrize(
    "answer", [status(429), status(502), status(503), status(504), CUT, UNSENT]
)
def test_trouble_that_passes_is_tried_again(answer):
    pauses, end = play([answer, answer, GOOD])

    assert end is GOOD
    assert pauses == [0.0, 0.1, 0.2]


@pytest.mark.parametrize("code", [301, 400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 501])
def test_a_no_is_not_asked_again(code):
    pauses, error = play([status(code)])

    assert pauses == [0.0]
    assert (error.status, error.retryable) == (code, False)


def test_a_failure_that_stays_is_not_tried_again():
    broken = Failure(cause=ValueError("no such protocol"), sent=True, retryable=False)

    pauses, error = play([broken])

    assert pauses == [0.0]
    assert error.__cause__ is broken.cause


def test_it_gives_up_after_the_limit_with_the_last_error():
    pauses, error = play([status(503)] * 2 + [CUT], retries=Retries(limit=2))

    assert len(pauses) == 3
    assert isinstance(error, Unavailable)
    assert (error.code, error.status, error.retryable) == ("no_reply", None, True)


def test_no_retries_means_one_try():
    pauses, _ = play([CUT], retries=Retries(limit=0))

    assert pauses == [0.0]


def test_the_server_says_how_long_to_wait_and_chance_spreads_what_is_on_top():
    pauses, _ = play([status(429, "7"), GOOD], chance=0.5)

    assert pauses == [0.0, 7.05]


def test_whoever_asks_for_too_much_patience_gets_none():
    pauses, error = play([status(429, "61")])

    assert pauses == [0.0]
    assert isinstance(error, RateLimited)
    assert error.retry_after == 61


@pytest.mark.parametrize("text", ["", "soon", "-1", "1.5", "٣", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_another_notation_of_the_wait_is_left_to_the_back_off(text):
    pauses, _ = play([status(503, text), GOOD])

    assert pauses == [0.0, 0.1]


@pytest.mark.parametrize("answer", [UNSENT, status(429), status(503)])
def test_what_must_not_happen_twice_is_repeated_if_it_was_not_done(answer):
    _, end = play([answer, GOOD], request=DROP)

    assert end is GOOD


@pytest.mark.parametrize("answer", [CUT, status(502), status(504)])
def test_what_must_not_happen_twice_is_not_repeated_if_it_may_be_done(answer):
    pauses, error = play([answer], request=DROP)

    assert pauses == [0.0]
    assert error.retryable


@given(
    st.integers(1, 10_000),
    st.floats(0, 1, exclude_max=True),
    st.floats(0, 60) | st.none(),
)
def test_every_pause_is_bounded(tries, chance, asked):
    rules = Retries(limit=10_000)

    pause = rules.pause(tries, asked, chance)

    assert (asked or 0) <= pause <= (asked or 0) + rules.longest
