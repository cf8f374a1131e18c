"""Any table but the log may be damaged in any way: it is said, and made anew from the log.

One thing is damaged at a time, by chance. A start then says what is wrong, or verify does, or
nothing is wrong: the boards are as they should be and no event counts twice. A rebuild heals all.
"""

import importlib
import random
import runpy
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from toprung.app import offline
from toprung.domain.errors import Trouble
from toprung.sqlite import open_database
from toprung.testing.agreement import check_state
from toprung.testing.oracle import Put, Told, world_after

TABLES = ["checkpoint", "boards", "periods", "entry_blocks", "seen", "seen_places", "dropped"]
EACH = 14
"""How often each table is damaged."""

child = runpy.run_path(str(Path(__file__).with_name("crash_child.py")))


@pytest.fixture(scope="module", autouse=True)
def _small_parts():
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in child["SMALL"]:
            patch.setattr(importlib.import_module(module), name, value)
        yield


GROUPS = [
    group
    for group in child["scene"]()
    if not isinstance(group[0].fact, Put) or group[0].fact.if_exists != "recompute"
]
"""Without the recompute, after which hardly anything is left that an event could count in twice."""


def logged(groups: list[list[Told]]) -> list[Told]:
    facts = [told for group in groups for told in group]
    verdicts = world_after(facts).verdicts
    return [
        told
        for told, verdict in zip(facts, verdicts, strict=True)
        if verdict.outcome != "unknown_board"
    ]


FACTS = logged(GROUPS)
LEFT, AGAIN = world_after(FACTS), world_after(FACTS + [t for group in GROUPS for t in group])


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A file whose tables lack something of the log."""
    file = tmp_path_factory.mktemp("whole") / "top.db"
    database = open_database(file)
    path = child["path_on"](database, "native")
    for group in GROUPS:
        path.send(group)
    path.stop()
    database.close()
    return file


def damage(connection: apsw.Connection, table: str, dice: random.Random) -> None:
    """Do something to one row of a table."""
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    row = dice.choice(rows)
    where = " AND ".join(f"{name} IS ?" for name in columns)
    if dice.randrange(4) == 0:
        connection.execute(f"DELETE FROM {table} WHERE {where}", row)
        return
    place = dice.randrange(len(columns))
    if columns[place] == "only":
        return  # SQLite sees to it
    connection.execute(
        f"UPDATE OR REPLACE {table} SET {columns[place]} = ? WHERE {where}",
        (other(row[place], dice), *row),
    )


def other(value: object, dice: random.Random) -> object:
    """Another value than this one."""
    if value == b"":
        return b"x"
    if isinstance(value, bytes):
        content, at = bytearray(value), dice.randrange(len(value))
        how = dice.randrange(3)
        if how == 0:
            return bytes(content[:at])
        if how == 1:
            content[at] ^= 1 << dice.randrange(8)
            return bytes(content)
        return dice.randbytes(len(content))
    if isinstance(value, int):
        return value + dice.choice([-1, 1, 1_000, -1_000, 2**40])
    return f"{value}x"


def differs(file: Path) -> bool:
    try:
        return bool(list(offline.check(file, lambda done: None)))
    except Trouble:
        return True


def lives(file: Path) -> bool:
    """Whether it can be started, and all of it be sent again; a difference is an error."""
    with closing(open_database(file)) as database:
        try:
            path = child["path_on"](database, "native")
        except Trouble:
            return False
        try:
            check_state(LEFT, path)
            for group in GROUPS:
                path.send(group)
            assert not path.broken
            check_state(AGAIN, path)
        finally:
            path.stop()
    return True


@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize("table", TABLES)
def test_damage_is_said_and_a_rebuild_heals_it(whole, tmp_path, table, number):
    file, healed = tmp_path / "top.db", tmp_path / "healed.db"
    shutil.copy(whole, file)
    dice = random.Random(f"{table} {number}")
    with closing(apsw.Connection(str(file))) as connection:
        damage(connection, table, dice)
    shutil.copy(file, healed)

    if not differs(file):
        lives(file)
    offline.rebuild(healed, lambda done, rows: None)
    assert not differs(healed)
    assert lives(healed)
