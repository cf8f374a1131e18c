"""A disk that is full, a file that is locked, damaged or another's: refused, and nothing lost."""

import apsw
import pytest

pytestmark = pytest.mark.anyio


def events(first, count):
    return {
        "events": [
            {"board": "b", "player_id": f"player-{n}", "points": 1, "event_id": f"{n:0200}"}
            for n in range(first, first + count)
        ]
    }


async def test_a_full_disk_refuses_whole_requests_and_loses_nothing(door):
    await door.make_board()
    connection = door.engine._database.connection
    await door.ask("POST", "/v1/scores", events(0, 100))
    # SQLite answers as it does when the disk has no room for one page more.
    connection.pragma("max_page_count", connection.pragma("page_count"))

    full = await door.ask("POST", "/v1/scores", events(100, 1000))
    read = await door.ask("GET", "/v1/boards/b/top")
    connection.pragma("max_page_count", 2**31)
    again = await door.ask("POST", "/v1/scores", events(100, 1000))

    assert (full.status, full.code) == (503, "storage_full")
    assert int(full.headers["retry-after"]) >= 1
    assert (read.status, read.body["total"]) == (200, 100)
    assert again.body["outcomes"] == {"counted": 1000}
    assert (await door.ask("GET", "/v1/boards/b/top")).body["total"] == 1100


async def test_a_full_disk_refuses_boards_and_profiles_too(door):
    connection = door.engine._database.connection
    connection.pragma("max_page_count", connection.pragma("page_count"))
    attributes = {f"a{n}": "x" * 200 for n in range(32)}

    profile = await door.ask("PUT", "/v1/players/ana", {"attributes": attributes})
    connection.pragma("max_page_count", 2**31)

    assert profile.code == "storage_full"
    assert (await door.ask("GET", "/v1/players/ana")).code == "unknown_player"


async def test_a_file_that_another_process_writes_to_is_busy(door):
    await door.make_board()
    door.engine._database.connection.set_busy_timeout(10)
    other = apsw.Connection(str(door.settings.db))
    other.set_busy_timeout(5_000)  # the writer tidies up when nothing waits
    other.execute("BEGIN IMMEDIATE")

    busy = await door.score("ana", 1, "e")
    read = await door.ask("GET", "/v1/boards/b/top")
    other.execute("ROLLBACK")
    other.close()
    again = await door.score("ana", 1, "e")

    assert (busy.status, busy.code, read.status) == (503, "storage_busy", 200)
    assert again.body["outcome"] == "counted"
