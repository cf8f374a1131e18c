"""A file of an earlier version is opened: what its log says is there, whatever its tables held."""

import runpy
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import apsw
import pytest

from toprung.app import offline
from toprung.app.images import image_path
from toprung.sqlite import open_database
from toprung.sqlite.database import APPLICATION_ID
from toprung.testing.agreement import check_state
from toprung.testing.oracle import world_after

child = runpy.run_path(str(Path(__file__).with_name("crash_child.py")))
GROUPS = child["scene"]()[:20]
FACTS = [told for group in GROUPS for told in group]
ROWS = """
INSERT INTO boards VALUES (1, x'00');
INSERT INTO periods VALUES (1, 1, 'all', 'all');
INSERT INTO entries VALUES (1, 'player 1', 1, 77, NULL, NULL, NULL, NULL, 5, 1, 1, '', 9);
INSERT INTO profiles VALUES ('game', 'player 1', x'00');
INSERT INTO dropped VALUES (2, 1);
UPDATE checkpoint SET seq = 9;
"""
"""Something in each of the tables that were made from the log; what is in them matters no more."""


def as_of_version_1(new: Path, old: Path) -> None:
    """A file of schema 1 with the log of another one: the log is written alike."""
    script = files("toprung.sqlite").joinpath("migrations", "0001_initial.sql").read_text()
    with closing(apsw.Connection(str(old))) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(script)
        connection.execute("ATTACH ? AS made", (str(new),))
        for table in ("log", "seen", "seen_places", "facts"):
            connection.execute(f"INSERT INTO {table} SELECT * FROM made.{table}")
        connection.execute(ROWS)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=1")


@pytest.mark.parametrize("core", ["native", "reference"])
def test_a_file_of_schema_1_is_made_anew_from_its_log(tmp_path, core):
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    with closing(open_database(new)) as database:
        path = child["path_on"](database, core)
        for group in GROUPS:
            path.send(group)
        path.stop()
    as_of_version_1(new, old)
    image_path(old).write_bytes(b"of another version")

    with closing(open_database(old)) as database:
        path = child["path_on"](database, core)
        try:
            check_state(world_after(FACTS), path)
        finally:
            path.stop()
    assert list(offline.check(old, lambda done: None)) == []
