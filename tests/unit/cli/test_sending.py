"""Batches in flight: acknowledged in the file's order, never two with one event id at a time."""

from collections.abc import Sequence
from threading import Event, Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.cli.importing.rows import Row
from toprung.cli.importing.sending import Batch, batches, send_all
from toprung.sdk import BatchReply, ScoreEvent, ScoreResult

PATIENCE_S = 30


def row(number: int, event_id: str | None) -> Row:
    if event_id is None:
        return Row(number, number + 1, None, "broken")
    return Row(number, number + 1, ScoreEvent("b", "p", "1", event_id))


def reply_to(events: Sequence[ScoreEvent]) -> BatchReply:
    results = tuple(ScoreResult("counted", event_id=event.event_id) for event in events)
    return BatchReply(results, {"counted": len(results)}, str(len(results)))


def of_ids(*groups: Sequence[str | None]) -> list[Batch]:
    found = []
    for index, group in enumerate(groups):
        found.append(Batch([row(index * 10 + n, each) for n, each in enumerate(group)], index))
    return found


class Server:
    """Holds each batch until it is let go, and notes which were in flight together."""

    def __init__(self) -> None:
        self.gates: dict[str, Event] = {}
        self.arrived: dict[str, Event] = {}
        self.together: set[frozenset[str]] = set()
        self._inside: list[str] = []
        self._lock = Lock()

    def expect(self, *names: str) -> None:
        for name in names:
            self.gates[name], self.arrived[name] = Event(), Event()

    def __call__(self, events: Sequence[ScoreEvent]) -> BatchReply:
        name = events[0].event_id
        with self._lock:
            self._inside.append(name)
            self.together.add(frozenset(self._inside))
        self.arrived[name].set()
        assert self.gates[name].wait(PATIENCE_S)
        with self._lock:
            self._inside.remove(name)
        return reply_to(events)


def test_answers_come_in_the_order_of_the_file_whoever_is_first():
    server = Server()
    server.expect("a", "b", "c")
    done = send_all(of_ids(["a"], ["b"], ["c"]), server, 3)
    server.gates["c"].set()
    server.gates["b"].set()
    server.gates["a"].set()
    assert [each.answers[0].event_id for each in done] == ["a", "b", "c"]


def test_no_more_are_in_flight_than_allowed():
    server = Server()
    server.expect("a", "b", "c")
    done = send_all(of_ids(["a"], ["b"], ["c"]), server, 2)
    for gate in server.gates.values():
        gate.set()
    assert len(list(done)) == 3
    assert max(map(len, server.together)) <= 2


def test_two_batches_with_one_id_are_never_in_flight_together():
    server = Server()
    server.expect("a", "b")
    for gate in server.gates.values():
        gate.set()
    done = list(send_all(of_ids(["a", "x"], ["b", "x"]), server, 3))
    assert [len(each.answers) for each in done] == [2, 2]
    assert frozenset("ab") not in server.together


def test_broken_rows_are_answered_in_their_place_and_never_sent():
    sent: list[str] = []

    def send(events: Sequence[ScoreEvent]) -> BatchReply:
        sent.extend(event.event_id for event in events)
        return reply_to(events)

    (done,) = send_all(of_ids([None, "a", None, "b"]), send, 3)
    assert [answer.outcome for answer in done.answers] == [
        "invalid",
        "counted",
        "invalid",
        "counted",
    ]
    assert sent == ["a", "b"]


def test_a_batch_of_broken_rows_needs_no_request():
    def send(events: Sequence[ScoreEvent]) -> BatchReply:
        raise AssertionError("nothing was to be sent")

    (done,) = send_all(of_ids([None, None]), send, 3)
    assert (len(done.answers), done.seq) == (2, None)


def test_batches_before_the_one_that_failed_are_acknowledged():
    def send(events: Sequence[ScoreEvent]) -> BatchReply:
        if events[0].event_id == "b":
            raise ConnectionError
        return reply_to(events)

    done = send_all(of_ids(["a"], ["b"], ["c"]), send, 3)
    assert next(done).answers[0].event_id == "a"
    with pytest.raises(ConnectionError):
        next(done)


@given(
    st.lists(st.sampled_from([None, "a", "b", "c", "d", "e"]), max_size=40),
    st.integers(1, 5),
    st.integers(1, 4),
)
def test_every_row_is_answered_once_and_in_order(ids, size, in_flight):
    rows = [row(number, each) for number, each in enumerate(ids, start=1)]
    groups = batches(iter(rows), size, lambda: 0)
    answers = [answer for done in send_all(groups, reply_to, in_flight) for answer in done.answers]
    assert [answer.row for answer in answers] == list(range(1, len(ids) + 1))
    assert [answer.event_id for answer in answers] == ids
