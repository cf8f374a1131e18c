"""One import against a server that is only played: what it keeps when something goes wrong."""

import json
from collections.abc import Sequence

import pytest

from toprung.cli.errors import Failed, explain
from toprung.cli.importing.command import _told
from toprung.cli.importing.order import Order
from toprung.cli.importing.run import Import
from toprung.sdk import BatchReply, ScoreEvent, ScoreResult, Unavailable


class Client:
    """Takes so many batches, then is gone."""

    def __init__(self, batches: int) -> None:
        self._left = batches
        self.taken: list[str] = []

    def submit_many(self, events: Sequence[ScoreEvent], **options: bool) -> BatchReply:
        if not self._left:
            raise Unavailable("no_reply", "no answer from the server: gone")
        self._left -= 1
        self.taken += [event.event_id for event in events]
        results = tuple(ScoreResult("counted", event_id=event.event_id) for event in events)
        return BatchReply(results, {"counted": len(results)}, str(len(self.taken)))


@pytest.fixture
def order(tmp_path) -> Order:
    path = tmp_path / "rows.csv"
    path.write_text("event_id,player_id,points\n" + "".join(f"e{n},p,1\n" for n in range(10)))
    return Order(file=str(path), mapping={}, board="b", batch=2, in_flight=1)


def run(order: Order, client: Client, target: str = "one") -> Import:
    running = Import(order, client, target, lambda done, text, total=None: None)
    running.run()
    return running


def test_a_server_that_goes_away_leaves_an_import_to_go_on_with(order):
    gone = Client(3)
    running = Import(order, gone, "one", lambda done, text, total=None: None)
    with pytest.raises(Unavailable) as error:
        running.run()
    told = _told(error.value, running, order)
    assert isinstance(told, Failed)
    assert explain(told) == [
        "error: no_reply: no answer from the server: gone",
        "hint: 6 rows are in; the same command goes on there",
    ]
    back = Client(9)
    done = run(order, back)
    assert (done.resumed, done.progress.rows, done.progress.outcomes) == (6, 10, {"counted": 10})
    assert gone.taken + back.taken == [f"e{n}" for n in range(10)]


def test_an_error_before_the_first_row_is_told_as_it_is(order):
    running = Import(order, Client(0), "one", lambda done, text, total=None: None)
    with pytest.raises(Unavailable) as error:
        running.run()
    assert _told(error.value, running, order) is error.value


@pytest.mark.parametrize("what", ["target", "board", "content"])
def test_another_import_of_the_file_begins_at_its_first_row(order, what, tmp_path):
    with pytest.raises(Unavailable):
        run(order, Client(3))
    target = "other" if what == "target" else "one"
    if what == "board":
        order = Order(file=order.file, mapping={}, board="c", batch=2, in_flight=1)
    if what == "content":
        (tmp_path / "rows.csv").write_text("event_id,player_id,points\nx,p,1\n")
    assert run(order, Client(9), target).resumed == 0


def test_a_finished_import_leaves_only_the_file(order, tmp_path):
    run(order, Client(9))
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_the_progress_can_be_kept_elsewhere(order, tmp_path):
    elsewhere = Order(**{**vars(order), "state": tmp_path / "kept.json"})
    with pytest.raises(Unavailable):
        run(elsewhere, Client(2))
    assert json.loads((tmp_path / "kept.json").read_text())["progress"]["rows"] == 4
