"""The group-commit thread."""

from pathlib import Path
from threading import Event as Signal

from toprung.app.clock import ControlledClock
from toprung.app.engine import Engine
from toprung.domain.board import Column, Settings
from toprung.domain.instants import parse_instant


class _NoStats:
    def committed(self, records: int, seconds: float) -> None:
        pass

    def synced(self, seconds: float) -> None:
        pass


SETTINGS = Settings(
    "sum", (Column("points", True, 0),), "earliest", ("all",), "UTC", 0, None, None, None, ""
)


def test_who_has_an_answer_finds_it_no_longer_waiting(tmp_path: Path):
    broken: list[BaseException] = []
    clock = ControlledClock(parse_instant("2026-11-30T12:00:00Z", "at"))
    engine = Engine(tmp_path / "db", clock, _NoStats(), broken.append)
    engine.start()
    depths: list[int] = []
    told = Signal()

    def answered(_: object) -> None:
        depths.append(engine.writer.depth)
        told.set()

    engine.intake.put_board("game", "b", SETTINGS, "refuse").add_done_callback(answered)
    assert told.wait(30)
    engine.stop()

    assert (depths, broken) == ([0], [])


def test_the_next_group_says_that_a_new_board_is_in_the_store(tmp_path: Path):
    """Until the checkpoint says it, a verification beside the server finds a board too many."""
    clock = ControlledClock(parse_instant("2026-11-30T12:00:00Z", "at"))
    engine = Engine(tmp_path / "db", clock, _NoStats(), lambda error: None)
    engine.start()
    engine.intake.put_board("game", "b", SETTINGS, "refuse").result()
    event = b'{"board":"b","player_id":"p","points":1,"event_id":"e"}'
    batch = engine.intake.accept_plain("game", event, form="single", ranked=False, history=False)
    assert batch is not None
    batch.written.result()

    reached = engine.readable_store.checkpoint()
    engine.stop()

    assert reached == 1
