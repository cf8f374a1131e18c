"""Every way to a file is the same one: the package's zones, and one lock whatever it is called."""

import os
import shutil
import zoneinfo
from importlib.resources import files

import msgspec
import pytest

from toprung.app import offline
from toprung.app.clock import ControlledClock
from toprung.app.engine import Engine
from toprung.domain import calendar
from toprung.domain.board import Column, Settings
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.instants import parse_instant
from toprung.intake.intake import act_result
from toprung.wire.scores import EventIn

NOON = parse_instant("2026-05-04T12:00:00Z", "at")
WAYS = (
    lambda file: offline.list_keys(file, None),
    lambda file: offline.create_key(file, "game", "admin"),
    lambda file: offline.revoke_key(file, "none"),
    offline.log_rows,
    lambda file: offline.rebuild(file, lambda done, total: None),
    lambda file: list(offline.check(file, lambda done: None)),
    lambda file: engine(file).stop(),
)


class NoStats:
    def committed(self, records, seconds):
        """Nobody asks."""

    def synced(self, seconds):
        pass


def engine(file) -> Engine:
    return Engine(file, ControlledClock(NOON), NoStats(), lambda error: None)


def daily(zone: str) -> Settings:
    column = Column("score", descending=True, decimals=0)
    return Settings("sum", (column,), "earliest", ("daily",), zone, 0, None, None, None, "")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "top.db"


@pytest.fixture
def new_process(tmp_path):
    """Makes this process like a new one on a machine whose own zone data differ."""
    folder = tmp_path / "zones"
    (folder / "Europe").mkdir(parents=True)
    tokyo = files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes()
    (folder / "localtime").write_bytes(tokyo)
    (folder / "Europe" / "Oslo").write_bytes(tokyo)
    before = zoneinfo.TZPATH

    def start(path=(str(folder),)):
        zoneinfo.reset_tzpath(to=path)
        zoneinfo.ZoneInfo.clear_cache()
        calendar._zone.cache_clear()

    yield start
    start(before)


def test_a_zone_of_the_machine_alone_is_none_for_anybody(file, new_process):
    new_process()
    running = engine(file)
    running.start()
    with pytest.raises(InvalidInput):
        act_result(running.intake.put_board("game", "l", daily("localtime"), "refuse").result())
    running.stop()

    new_process()
    assert list(offline.check(file, lambda done: None)) == []
    new_process()
    offline.rebuild(file, lambda done, total: None)
    new_process()
    again = engine(file)
    assert again.catalog.all() == []
    again.stop()


def test_periods_are_the_same_whoever_replays_the_log(file, new_process):
    new_process()
    running = engine(file)
    running.start()
    running.intake.put_board("game", "days", daily("Europe/Oslo"), "refuse").result()
    in_tokyo_tomorrow = "2026-05-04T17:00:00Z"
    event = EventIn("days", "p", msgspec.Raw(b"1"), "e", in_tokyo_tomorrow)
    running.intake.accept_events("game", [event]).written.result()
    running.stop()

    new_process()
    assert list(offline.check(file, lambda done: None)) == []
    new_process()
    offline.rebuild(file, lambda done, total: None)
    new_process()
    again = engine(file)
    assert [key[2] for key, _, _ in again.store.scan()] == ["2026-05-04"]
    again.stop()


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_a_file_takes_the_packages_zones(file, new_process, way):
    engine(file).stop()
    new_process()

    way(file)

    assert zoneinfo.TZPATH == ()


def test_a_symbolic_link_is_the_file_it_leads_to(file, tmp_path):
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(file)
    first = engine(link)

    for way in (lambda: engine(file), lambda: engine(link), lambda: WAYS[4](file)):
        with pytest.raises(Trouble) as caught:
            way()
        assert caught.value.code == "in_use"
    first.stop()
    assert {path.name for path in link.parent.iterdir()} == {"link.db"}
    engine(file).stop()


@pytest.mark.parametrize("way", WAYS)
def test_a_file_with_two_names_is_refused_under_both(file, tmp_path, way):
    engine(file).stop()
    other = tmp_path / "other.db"
    os.link(file, other)

    for name in (file, other):
        with pytest.raises(Trouble) as caught:
            way(name)
        assert caught.value.code == "linked_file"
        assert name.name in caught.value.message
    other.unlink()
    way(file)


def test_a_copy_is_another_file(file, tmp_path):
    engine(file).stop()
    shutil.copy(file, tmp_path / "copy.db")

    first, second = engine(file), engine(tmp_path / "copy.db")

    assert first.log.head() == second.log.head() == (0, 0)
    second.stop()
    first.stop()
