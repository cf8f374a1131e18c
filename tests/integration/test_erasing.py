"""A player is erased: what is answered, what everybody then sees, and that no file has the id."""

import json
from contextlib import closing
from hashlib import sha256

import pytest

from toprung.app import offline
from toprung.app.backup import back_up
from toprung.sqlite import open_reader
from toprung.testing.traces import files_with

pytestmark = pytest.mark.anyio

DAY = 24 * 3600 * 1_000_000
WHO = "leaver-\u00e9"
PATH = "leaver-%C3%A9"
"""The same in a path."""


async def fill(door):
    """A player who is wherever a player can be, and others."""
    await door.make_board("b", windows=["all", "daily"], grace="0s", segments=["country"])
    await door.make_board("gone")
    profile = {"name": "Lea V.", "attributes": {"country": "no", "email": "lea@example.org"}}
    await door.ask("PUT", f"/v1/players/{PATH}", profile)
    await door.ask("PUT", f"/v1/players/{PATH}/friends", {"players": ["bo"]})
    await door.ask("PUT", "/v1/players/bo/friends", {"players": [WHO, "cy"]})
    for number, player in enumerate([WHO, "bo", WHO, "cy"]):
        body = {"metadata": {"said": player}, "match_id": f"m{number}"}
        event = {"board": "b", "player_id": player, "points": 5 + number, "event_id": f"e{number}"}
        assert (await door.ask("POST", "/v1/scores", event | body)).status == 200
    await door.ask("POST", "/v1/scores", event | {"board": "gone", "player_id": WHO})
    await door.ask("DELETE", "/v1/boards/gone")
    door.clock.set(door.clock.now() + DAY)
    settle(door)
    for path, body in (
        (f"/v1/players/{PATH}/ban", {"reason": f"{WHO} was rude"}),
        (f"/v1/players/{PATH}/unban", {}),
        ("/v1/players/dee/merge", {"into": WHO}),
        (f"/v1/boards/b/players/{PATH}/adjust", {"event_id": "fix", "by": 1}),
        ("/v1/boards/b/events/e2/void", {}),
    ):
        assert (await door.ask("POST", path, body)).status in (200, 404), path
    await door.score("dee", 4, "d1", "b")


def settle(door):
    """Do what the clock asks for, and what is done while nothing comes."""
    door.engine.jobs.look()

    def tidy():
        while door.engine.updater.tidy():
            pass

    door.engine.writer.run_alone(tidy).result()
    door.engine.jobs.look()
    door.engine.writer.run_alone(tidy).result()


async def erase(door, player=PATH, **body):
    return await door.ask("POST", f"/v1/players/{player}/erase", body)


async def rows(door, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    told = await door.ask("GET", f"/v1/boards/b/top?{asked}")
    return [(row["player_id"], row["score"]) for row in told.body["rows"]]


async def test_a_player_is_gone_from_every_answer_and_others_are_not(door):
    await fill(door)

    receipt = await erase(door, reason="asked for")

    assert receipt.status == 200
    told = receipt.body
    # Two on board b, one on the board that was dropped, and the correction.
    assert (told["events"], told["snapshots"]) == (4, 1)
    assert told["erased_at"] == "2026-05-05T12:00:00Z"
    assert await rows(door) == [("cy", "8"), ("bo", "6"), ("dee", "4")]
    assert await rows(door, window="daily", period="2026-05-04") == [("cy", "8"), ("bo", "6")]
    assert (await door.ask("GET", f"/v1/boards/b/rank/{PATH}")).code == "unranked_player"
    assert (await door.ask("GET", f"/v1/players/{PATH}")).code == "unknown_player"
    assert (await door.ask("GET", "/v1/players/bo/friends")).body["players"] == ["cy"]
    events = (await door.ask("GET", "/v1/boards/b/events")).body["rows"]
    assert [event["event_id"] for event in events] == ["e1", "e3", "d1"]
    assert (await door.ask("GET", "/v1/boards/b/events/e0")).code == "unknown_event"
    assert (await door.ask("GET", f"/v1/boards/b/explain/{PATH}")).body["events"] == []
    audit = (await door.ask("GET", "/v1/audit")).body["acts"]
    assert audit[0]["kind"] == "erase"
    assert audit[0]["details"] == {"receipt": told["receipt"]}
    assert WHO not in json.dumps(audit, ensure_ascii=False)
    seqs = [row.seq for row in door.engine.log.containing([told["receipt"].encode()], 0, 10**6)]
    numbers = "".join(f"{seq}\n" for seq in seqs if seq != int(told["seq"]))
    assert told["sha256"] == sha256(numbers.encode()).hexdigest()


async def test_final_standings_with_the_player_are_taken_back_and_made_again(door):
    await fill(door)
    day = "/v1/boards/b/periods/2026-05-04?window=daily"
    before = (await door.ask("GET", day)).body["versions"]
    await erase(door)
    between = (await door.ask("GET", day)).body["versions"]
    settle(door)
    settle(door)

    (after,) = (await door.ask("GET", day)).body["versions"]

    assert [each["version"] for each in before] == [1]
    assert between == []
    assert (after["version"], after["count"]) == (2, 2)


async def test_ids_stay_spent_and_the_player_may_come_again_as_somebody_else(door):
    await fill(door)
    await erase(door)

    again = await door.ask(
        "POST", "/v1/scores", {"board": "b", "player_id": WHO, "points": 5, "event_id": "e0"}
    )
    new = await door.score(WHO, 1, "new", "b")

    assert (again.status, again.code) == (409, "conflict")
    assert new.body["score"] == "1"
    assert (WHO, "1") in await rows(door)
    assert (await door.ask("GET", f"/v1/players/{PATH}/friends")).status == 404
    # Nothing but what came since is known of who came.
    assert (await erase(door)).body["events"] == 2


async def test_the_id_is_in_no_file(open_door):
    door = open_door()
    folder = door.settings.db.parent
    await fill(door)
    settle(door)
    door.engine.stop()
    assert door.settings.db.name in files_with(WHO, folder)
    assert any(name.endswith(".image") for name in files_with(WHO, folder))

    door = open_door(db=door.settings.db)
    await erase(door)
    assert files_with(WHO, folder) == []
    assert files_with("Lea V.", folder) == []
    assert files_with("lea@example.org", folder) == []
    back_up(door.settings.db, folder / "backup.db", lambda done, total: None)
    door.engine.rebuilding.start().result()
    settle(door)
    assert await rows(door) == [("cy", "8"), ("bo", "6"), ("dee", "4")]
    door.engine.stop()

    assert files_with(WHO, folder) == []
    assert list(offline.check(door.settings.db, lambda done: None)) == []
    offline.rebuild(door.settings.db, lambda done, total: None)
    assert files_with(WHO, folder) == []


async def test_what_a_reader_keeps_in_a_file_is_removed_at_the_next_start(open_door):
    door = open_door()
    await fill(door)
    with closing(open_reader(door.settings.db)) as reader:
        reader.execute("BEGIN")
        reader.query("SELECT count(*) FROM log")
        assert (await erase(door)).status == 200
        kept = files_with(WHO, door.settings.db.parent)
    door.engine.stop()
    open_door(db=door.settings.db)

    assert kept
    assert files_with(WHO, door.settings.db.parent) == []


async def test_nobody_is_erased_while_all_is_made_anew(door):
    await fill(door)
    with door.held_rebuild():
        done = door.engine.rebuilding.start()
        refused = await erase(door)
    done.result()

    assert (refused.status, refused.code) == (409, "rebuilding")
    assert (WHO, "6") in await rows(door) or (WHO, "10") in await rows(door)
    assert (await erase(door)).status == 200


async def test_a_total_that_would_not_fit_without_the_player_refuses(door):
    await door.make_board()
    most = 2**63 - 1
    await door.score("bo", -5, "e1")
    await door.ask("POST", "/v1/players/bo/merge", {"into": "ann"})
    await door.score("ann", most, "e2")
    await door.score("ann", 5, "e3")

    refused = await door.ask("POST", "/v1/players/bo/erase", {})

    assert (refused.status, refused.code) == (422, "overflow")
    told = await door.ask("GET", "/v1/boards/b/top")
    assert [(row["player_id"], row["score"]) for row in told.body["rows"]] == [("ann", str(most))]


@pytest.mark.parametrize(
    ("body", "field"), [({"reason": f"for {WHO}"}, "reason"), ({"reason": "a\x00"}, "reason")]
)
async def test_a_reason_that_names_the_player_is_refused(door, body, field):
    told = await erase(door, **body)

    assert (told.status, told.body["error"]["field"]) == (400, field)


def test_the_command_asks_first_and_prints_the_receipt(cli, client, names):
    board = next(names)
    client.put_board(board)
    client.submit(board, "quitter", 5)

    asked = cli("players", "erase", "quitter")
    erased = cli("players", "erase", "quitter", "--yes", "--json").json
    again = cli("players", "erase", "quitter", "--yes")

    assert (asked.status, asked.code) == (1, "not_confirmed")
    assert (erased["events"], erased["entries"]) == (1, 1)
    assert again.out.splitlines()[1].split("\t")[1:4] == ["0", "0", "0"]
    assert client.top(board).rows == ()


def test_the_client_erases_a_player(client, names):
    board = next(names)
    client.put_board(board)
    client.submit(board, "leaving", 5)

    receipt = client.erase_player("leaving", reason="ticket 7")

    assert (receipt.events, len(receipt.sha256)) == (1, 64)
    assert client.audit(kind="erase").acts[0].details == {"receipt": receipt.receipt}
