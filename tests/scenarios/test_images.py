"""The image beside a file: when a server writes it, and which it does not take."""

import shutil
from pathlib import Path

import msgspec
import pytest

from toprung.app.clock import ControlledClock
from toprung.app.engine import Engine
from toprung.app.images import image_path
from toprung.app.offline import rebuild
from toprung.domain.board import Column, Settings
from toprung.query import Query
from toprung.testing.path import Draft

NOON = 20_000 * 86_400_000_000


class NoStats:
    def committed(self, records: int, seconds: float) -> None:
        """Nobody asks."""

    def synced(self, seconds: float) -> None:
        """Nobody asks."""


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "top.db"


def started(file: Path, every: int = 0) -> Engine:
    engine = Engine(file, ControlledClock(NOON), NoStats(), lambda error: None, "native", every)
    engine.start()
    return engine


def put_board(engine: Engine) -> None:
    columns = (Column("score", True, 0),)
    settings = Settings(
        "sum", columns, "earliest", ("all", "daily"), "UTC", 0, None, None, None, ""
    )
    engine.intake.put_board("game", "alpha", settings, "refuse").result()


def play(engine: Engine, name: str, points: int) -> None:
    draft = Draft("alpha", "ann", msgspec.Raw(str(points).encode()), name, None)
    engine.intake.accept_events("game", [draft], ranked=True, history=False).written.result()


def score(query: Query) -> int:
    return query.rank(query.scope("game", "alpha", "all", "all"), "ann").standing.columns[0]


def left_by(file: Path, *points: int) -> None:
    """The file of a server that took these points and was stopped."""
    engine = started(file)
    put_board(engine)
    for number, each in enumerate(points):
        play(engine, f"e{number}", each)
    engine.stop()


def test_a_stop_leaves_an_image_and_the_next_start_takes_it(file, capsys):
    left_by(file, 3, 4)
    capsys.readouterr()

    engine = started(file)

    assert "no image is used" not in capsys.readouterr().out
    assert score(engine.query) == 7
    play(engine, "e9", 1)
    assert score(engine.query) == 8
    engine.stop()


def test_an_unchanged_view_is_not_written_again(file):
    left_by(file, 3)
    before = image_path(file).stat()

    started(file).stop()

    assert image_path(file).stat() == before


def test_an_image_is_written_while_the_server_runs(file, monkeypatch):
    monkeypatch.setattr("toprung.app.images.LOOK_S", 0.001)
    left_by(file, 3)
    engine = started(file, every=2)
    before = image_path(file).stat().st_ino

    number = 0
    while image_path(file).stat().st_ino == before:
        play(engine, f"more {number}", 1)
        number += 1

    assert number >= 2
    engine.stop()


def refused(file: Path, capsys) -> str:
    """What a server says that does not take the image; its ranks are right all the same."""
    capsys.readouterr()
    engine = started(file)
    said = capsys.readouterr().out
    assert "no image is used" in said
    assert score(engine.query) == 7
    engine.stop()
    return said


def test_a_damaged_image_is_not_taken_and_made_anew(file, capsys):
    left_by(file, 3, 4)
    whole = image_path(file).read_bytes()
    image_path(file).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))

    refused(file, capsys)

    assert image_path(file).read_bytes() == whole


def test_the_image_of_another_file_is_not_taken(file, tmp_path, capsys):
    left_by(file, 3, 4)
    left_by(tmp_path / "other.db", 5, 6)
    shutil.copy(image_path(tmp_path / "other.db"), image_path(file))

    assert "it belongs to another database" in refused(file, capsys)


def test_the_image_of_a_copy_that_went_on_differently_is_not_taken(file, tmp_path, capsys):
    """Both have as many records, and came from one file."""
    copy = tmp_path / "copy.db"
    left_by(file, 3)
    shutil.copy(file, copy)
    for each, points in ((file, 4), (copy, 5)):
        engine = started(each)
        play(engine, "e1", points)
        engine.stop()
    shutil.copy(image_path(copy), image_path(file))

    assert "it belongs to another database" in refused(file, capsys)


def test_the_image_of_a_longer_log_is_not_taken(file, tmp_path, capsys):
    """As when a backup is put in the file's place and the image stays."""
    left_by(file, 3, 4)
    backup = tmp_path / "backup.db"
    shutil.copy(file, backup)
    engine = started(file)
    play(engine, "e9", 5)
    engine.stop()
    shutil.copy(backup, file)

    assert "it reflects record 4, and the log ends at 3" in refused(file, capsys)


def test_a_rebuild_removes_the_image(file, capsys):
    left_by(file, 3, 4)

    rebuild(file, lambda done, rows: None)

    assert not image_path(file).exists()
    assert "there is no image" in refused(file, capsys)
