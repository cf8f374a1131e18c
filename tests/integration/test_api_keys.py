"""Keys: who may do what, how often, and that projects never see each other."""

import pytest

from toprung.api.operations import PUBLIC
from toprung.app.offline import revoke_key
from toprung.domain.access import Role

pytestmark = pytest.mark.anyio

PATH = {"board": "b", "player": "ana", "event_id": "e", "period": "all", "match": "m"}
BODIES = {
    "postScores": {"board": "b", "player_id": "ana", "points": 1, "event_id": "e"},
    "postEvents": {"name": "won", "player_id": "ana", "event_id": "e", "properties": {}},
    "putRules": {"rules": []},
    "testRules": {"rules": [], "events": [{"name": "won", "player_id": "ana"}]},
    "ranksOfPlayers": {"players": ["ana"]},
    "friends": {"players": ["ana"]},
    "putFriends": {"players": ["bo"]},
    "beginSeason": {"id": "s1"},
    "endSeason": {"id": "s1"},
    "scheduleSeasons": {"cron": "0 0 * * MON", "zone": "UTC"},
    "mergePlayer": {"into": "bo"},
    "judgeEvents": {"decision": "reject", "events": [{"board": "b", "event_id": "e"}]},
    "adjustPlayer": {"event_id": "fix", "by": 1},
}
ROLES = [None, *Role]


def path_of(operation):
    return operation.path.format(**PATH)


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
@pytest.mark.parametrize("role", ROLES)
async def test_a_role_may_do_what_it_says_and_no_more(door, operation, role):
    await door.make_board(windows=["all", "season"])

    answer = await door.ask(operation.method, path_of(operation), b"{}", role=role)

    if operation.role is None:
        assert answer.status == 200
    elif role is None:
        assert (answer.status, answer.code) == (401, "unauthorized")
        assert answer.headers["www-authenticate"] == 'Bearer realm="toprung"'
    elif role.may(operation.role):
        assert answer.status not in (401, 403)
    else:
        assert (answer.status, answer.code) == (403, "forbidden")


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
async def test_a_key_of_another_project_sees_nothing(door, operation):
    await door.make_board(windows=["all", "season"])
    await door.score("ana", 1, "e")
    await door.ask("PUT", "/v1/players/ana", {"name": "Ana"})
    other = door.key("admin", project="other")
    answer = await door.ask(
        operation.method,
        path_of(operation) + ("?score=1" if operation.name == "rankOf" else ""),
        BODIES.get(operation.name, {}),
        key=other,
    )

    if operation.role is None:
        return
    if operation.name == "putBoard":
        assert answer.status == 201  # a board of its own, under the same name
    elif operation.name == "putPlayer":
        assert answer.body["name"] is None
    elif operation.name == "putFriends":
        assert answer.status == 200  # a list of its own
    elif operation.tag == "upkeep":
        assert answer.status in (200, 202)  # it concerns the whole server
    elif operation.tag in ("rules", "moderation") and "{board}" not in operation.path:
        assert answer.status == 200  # in its own project
    elif operation.name == "listBoards":
        assert answer.body["boards"] == []
    else:
        assert answer.status == 404
    ours = await door.ask("GET", "/v1/boards/b/rank/ana")
    assert (ours.body["score"], ours.body["name"]) == ("1", "Ana")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer x",
        "Bearer tr_admin_000000000000_" + "0" * 64,
        "Bearer tr_admin_" + "0" * 10_000,
        "Bearer \xff",
    ],
)
async def test_what_is_no_key_of_ours_is_refused(door, header):
    answer = await door.ask("GET", "/v1/boards", role=None, headers={"authorization": header})

    assert (answer.status, answer.code) == (401, "unauthorized")


async def test_another_secret_for_a_key_is_refused(door):
    key = door.keys[Role.CLIENT]
    changed = key[:-1] + ("0" if key[-1] != "0" else "1")

    assert (await door.ask("GET", "/v1/boards", key=key)).status == 200
    assert (await door.ask("GET", "/v1/boards", key=changed)).status == 401


@pytest.mark.parametrize("key", ["x", "tr_admin_000000000000_" + "0" * 64])
async def test_who_has_a_wrong_key_is_told_so(door, key):
    answer = await door.ask("GET", "/v1/boards", key=key)

    assert answer.body["error"]["message"].startswith("this server does not know that key")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_may_be_written_as_one_likes(door, scheme):
    headers = {"authorization": f"{scheme} {door.keys[Role.CLIENT]}"}

    assert (await door.ask("GET", "/v1/boards", role=None, headers=headers)).status == 200


async def test_a_new_key_is_known_at_once(door):
    assert (await door.ask("GET", "/v1/boards", key=door.key("client"))).status == 200


async def test_a_revoked_key_is_refused_after_a_second(door):
    key = door.keys[Role.CLIENT]
    assert (await door.ask("GET", "/v1/boards", key=key)).status == 200

    revoke_key(door.settings.db, key.split("_")[2])
    door.clock.seconds += 1.0

    assert (await door.ask("GET", "/v1/boards", key=key)).status == 401


class TestRateLimit:
    """So many requests a second for each key."""

    @pytest.fixture
    def limited(self, open_door):
        return open_door(rate_limit=2, rate_burst=4)

    async def test_every_reply_tells_what_is_left(self, limited):
        told = []
        for path in ("/v1/boards", "/v1/boards/none", "/v1/boards?x=1"):
            answer = await limited.ask("GET", path, role="client")
            told.append(
                [answer.headers[f"ratelimit-{name}"] for name in ("limit", "remaining", "reset")]
            )

        assert told == [["4", "3", "1"], ["4", "2", "1"], ["4", "1", "2"]]

    async def test_beyond_it_requests_are_refused_until_tokens_come_back(self, limited):
        statuses = [
            (await limited.ask("GET", "/v1/boards", role="client")).status for _ in range(5)
        ]
        refused = await limited.ask("GET", "/v1/boards", role="client")
        limited.clock.seconds += 0.5
        granted = await limited.ask("GET", "/v1/boards", role="client")
        again = await limited.ask("GET", "/v1/boards", role="client")

        assert statuses == [200] * 4 + [429]
        assert (refused.headers["retry-after"], refused.headers["ratelimit-remaining"]) == (
            "1",
            "0",
        )
        assert (granted.status, again.status) == (200, 429)

    async def test_keys_do_not_share_it(self, limited):
        for _ in range(5):
            await limited.ask("GET", "/v1/boards", role="client")

        assert (await limited.ask("GET", "/v1/boards", role="server")).status == 200

    async def test_it_outlives_the_check_of_the_key(self, limited):
        for _ in range(4):
            await limited.ask("GET", "/v1/boards", role="client")
        limited.clock.seconds += 1.0

        answer = await limited.ask("GET", "/v1/boards", role="client")

        assert answer.headers["ratelimit-remaining"] == "1"

    async def test_without_a_limit_nothing_is_told(self, open_door):
        answer = await open_door(rate_limit=0).ask("GET", "/v1/boards")

        assert not [name for name in answer.headers if name.startswith("ratelimit")]
