"""Both clients against a real server: every operation, its errors, batching, a server that dies.

The asyncio client runs through the same tests: ``Driven`` awaits each of its methods in one loop.
"""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from itertools import count

import pytest

from toprung import sdk
from toprung.sdk import AsyncClient, BoardSettings, Client, Column, Retries, ScoreEvent
from toprung.testing.server import running_server

WAIT = 60.0
"""Seconds after which a test that waits for a signal has failed."""


class Driven:
    """An ``AsyncClient`` used like a ``Client``."""

    def __init__(self, *arguments, **options) -> None:
        self._runner = asyncio.Runner()
        self._client = AsyncClient(*arguments, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self._runner.run(self._client.close())
        self._runner.close()

    def __getattr__(self, name: str):
        def method(*arguments, **options):
            return self._runner.run(getattr(self._client, name)(*arguments, **options))

        return method

    def pages(self, *arguments, **options) -> list:
        async def walk() -> list:
            return [page async for page in self._client.pages(*arguments, **options)]

        return self._runner.run(walk())


@pytest.fixture(params=[Client, Driven], ids=["blocking", "async"])
def connect(request, server):
    """Makes clients of one kind for a role."""
    with ExitStack() as stack:
        yield lambda role, **options: stack.enter_context(
            request.param(server.url, server.keys[role], **options)
        )


@pytest.fixture
def client(connect):
    return connect("admin")


names = (f"board-{n}" for n in count())


@pytest.fixture
def board(client) -> str:
    """A board of its own for each test."""
    name = next(names)
    client.put_board(name)
    return name


def fill(client, board: str, scores: dict[str, int]) -> None:
    reply = client.submit_many([ScoreEvent(board, who, points) for who, points in scores.items()])
    assert reply.outcomes == {"counted": len(scores)}


def rows(reply) -> list[tuple[int, str, str]]:
    return [(row.rank, row.player_id, row.score) for row in reply.rows]


def test_an_event_moves_its_player(client, board):
    first = client.submit(board, "ana", 10)
    second = client.submit(board, "ana", Decimal(5))

    assert (first.outcome, first.score, first.previous_score) == ("counted", "10", None)
    assert (second.outcome, second.score, second.previous_score) == ("counted", "15", "10")
    assert [(window.window, window.rank) for window in second.windows] == [("all", 1)]


def test_an_event_id_counts_once(client, board):
    client.submit(board, "ana", 10, event_id="e1")
    again = client.submit(board, "ana", 10, event_id="e1")

    assert (again.outcome, again.first) == ("duplicate", "counted")
    with pytest.raises(sdk.Conflict) as raised:
        client.submit(board, "ana", 11, event_id="e1")
    assert raised.value.code == "conflict"


def test_ranks_can_be_left_out(client, board):
    result = client.submit(board, "ana", 10, ranks=False)

    assert [window.rank for window in result.windows] == [None]


def test_an_event_is_found_again(client, board):
    client.submit(board, "ana", 10, event_id="a/b c")

    found = client.event(board, "a/b c")

    assert (found.player_id, found.points, found.outcome) == ("ana", "10", "counted")
    assert client.event(board, "never") is None
    with pytest.raises(sdk.NotFound) as raised:
        client.event("no-such-board", "never")
    assert raised.value.code == "unknown_board"


def test_metadata_match_and_instant_travel(client, board):
    at = datetime(2026, 5, 4, 12, 0, 0, 7, tzinfo=timezone(timedelta(hours=2)))
    more = {"match_id": "m7", "metadata": {"map": "ice"}}

    client.submit(board, "ana", 1, event_id="e", at=at, history=True, **more)

    assert datetime.fromisoformat(client.event(board, "e").at) == at


@pytest.mark.parametrize(
    ("options", "kind", "code"),
    [
        ({"board": "no-such-board"}, sdk.NotFound, "unknown_board"),
        ({"points": "1e3"}, sdk.InvalidRequest, "invalid"),
        ({"points": "1.5"}, sdk.InvalidRequest, "invalid"),
        ({"at": "2999-01-01T00:00:00Z"}, sdk.EventRefused, "early"),
        ({"player_id": ""}, sdk.InvalidRequest, "invalid"),
    ],
)
def test_a_refused_event_is_an_exception(client, board, options, kind, code):
    with pytest.raises(kind) as raised:
        client.submit(**({"board": board, "player_id": "ana", "points": 1} | options))

    assert raised.value.code == code


def test_a_batch_gives_each_event_its_outcome(client, board):
    reply = client.submit_many(
        [
            ScoreEvent(board, "ana", 1),
            ScoreEvent("no-such-board", "ana", 1),
            ScoreEvent(board, "ben", "NaN"),
            ScoreEvent(board, "ben", 2),
        ]
    )

    outcomes = ["counted", "unknown_board", "invalid", "counted"]
    assert [result.outcome for result in reply.results] == outcomes
    assert reply.outcomes == {"counted": 2, "unknown_board": 1, "invalid": 1}
    assert reply.seq is not None


def test_a_batch_larger_than_a_request_is_split(client, board):
    events = [ScoreEvent(board, f"p{n % 7}", 1) for n in range(5_003)]

    reply = client.submit_many(events, ranks=False)

    assert reply.outcomes == {"counted": 5_003}
    assert client.top(board).total == 7


def test_history_counts_as_if_it_arrived_then(client):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("daily",)))

    result = client.submit(board, "ana", 5, at="2020-02-29T12:00:00Z", history=True)

    assert (result.outcome, result.windows[0].period) == ("counted", "2020-02-29")
    assert rows(client.top(board, period="2020-02-29")) == [(1, "ana", "5")]
    assert rows(client.top(board, period=datetime(2020, 2, 29, tzinfo=UTC))) == [(1, "ana", "5")]
    assert rows(client.top(board)) == []


def test_reads_agree(client, board):
    fill(client, board, {"ana": 30, "ben": 20, "cem": 20, "dia": 10})

    assert rows(client.top(board, k=2)) == [(1, "ana", "30"), (2, "ben", "20")]
    rank = client.rank(board, "cem", numbering="shared")
    assert (rank.rank, rank.score, rank.total, rank.percentile) == (2, "20", 4, 75.0)
    assert sdk.score_of(rank) == 20
    assert [row.player_id for row in client.around(board, "ben", n=1).rows] == ["ana", "ben", "cem"]
    assert [row.player_id for row in client.around(board, "dia", size=2).rows] == ["cem", "dia"]
    assert rows(client.ranks(board, 2, 3)) == [(2, "ben", "20"), (3, "cem", "20")]
    assert [row.player_id for row in client.scores(board, 20, 29).rows] == ["ben", "cem"]
    assert [row.player_id for row in client.scores(board, highest=15).rows] == ["dia"]


def test_a_player_not_on_the_board_is_an_answer_and_an_unknown_board_an_error(client, board):
    assert client.rank(board, "nobody") is None
    assert client.around(board, "nobody") is None
    for ask in (client.rank, client.around):
        with pytest.raises(sdk.NotFound) as raised:
            ask("no-such-board", "nobody")
        assert raised.value.code == "unknown_board"


@pytest.mark.parametrize("player", ["a/b", "a b", "%2F", "?#", ".", "..", "é", "日本", "a\tb"])
def test_any_player_id_is_found_again(client, board, player):
    client.submit(board, player, 1)

    assert client.rank(board, player).player_id == player
    assert client.put_player(player, name="N").player_id == player
    assert client.player(player).name == "N"


def test_rank_of_tells_what_is_missing(client, board):
    fill(client, board, {"ana": 30, "ben": 20})

    answer = client.rank_of(board, 15, wanted=1)

    assert (answer.rank, answer.next.rank) == (3, 2)
    assert Decimal(answer.next.points) > 0
    assert answer.wanted.rank == 1


def test_ranks_of_keeps_the_order_asked(client, board):
    fill(client, board, {"ana": 30, "ben": 20})

    reply = client.ranks_of(board, ["ben", "nobody", "ana"])

    assert rows(reply) == [(2, "ben", "20"), (1, "ana", "30")]
    assert reply.missing == ("nobody",)


def test_friends_are_ranked_among_each_other_and_on_the_board(client, board):
    fill(client, board, {"ana": 30, "ben": 20, "cy": 10})

    reply = client.friends(board, ["cy", "nobody", "ana", "cy"])

    assert [(row.rank, row.board_rank, row.player_id, row.score) for row in reply.rows] == [
        (1, 1, "ana", "30"),
        (2, 3, "cy", "10"),
    ]
    assert reply.total == 3


def test_a_list_of_friends_is_kept_and_ranked(client, board):
    me = f"me on {board}"  # lists belong to the project, which other tests share
    fill(client, board, {"ana": 30, "ben": 20, me: 10, "dee": 5})
    assert client.friend_list(me) is None
    assert client.friends_of(board, me) is None

    kept = client.put_friends(me, ["dee", "nobody", "ana", "dee"])
    first = client.friends_of(board, me, k=2)
    second = client.friends_of(board, me, k=2, cursor=first.next)

    assert kept.players == ("dee", "nobody", "ana")
    assert client.friend_list(me) == kept
    assert [(row.rank, row.board_rank, row.player_id) for row in (*first.rows, *second.rows)] == [
        (1, 1, "ana"),
        (2, 3, me),
        (3, 4, "dee"),
    ]
    assert first.own == first.rows[1] == second.own
    assert (first.ranked, first.total, second.next) == (3, 4, None)
    assert client.put_friends(me, []).players == ()
    assert [row.player_id for row in client.friends_of(board, me).rows] == [me]


def test_a_long_list_of_friends_is_a_board_of_its_own(client, board):
    fill(client, board, {"ana": 30, "ben": 20, "friend 5999": 10})
    client.put_friends("ben", [f"friend {number}" for number in range(6000)])

    page = client.friends_of(board, "ben")
    again = client.friends_of(board, "ben")

    assert [(row.rank, row.board_rank, row.player_id) for row in page.rows] == [
        (1, 2, "ben"),
        (2, 3, "friend 5999"),
    ]
    assert page == again


def test_pages_walk_over_everything_once(client, board):
    fill(client, board, {f"p{n:02}": n for n in range(25)})
    best_first = [f"p{n:02}" for n in reversed(range(25))]

    def walked(**options) -> list[str]:
        pages = list(client.pages(board, page_size=10, **options))
        return [row.player_id for page in pages for row in page.rows]

    assert walked() == best_first
    assert walked(ranks=(3, 22)) == best_first[2:22]
    assert walked(scores=(None, 14)) == best_first[10:]
    assert len(list(client.pages(board, page_size=10))) == 3


def test_several_columns(client):
    board = next(names)
    columns = (Column("points"), Column("time", order="asc", decimals=2))
    client.put_board(board, BoardSettings(mode="best", columns=columns))

    client.submit(board, "ana", {"points": 3, "time": Decimal("9.80")})
    client.submit(board, "ben", {"points": 3, "time": "9.79"})

    reply = client.top(board)
    assert [row.player_id for row in reply.rows] == ["ben", "ana"]
    assert sdk.columns_of(reply.rows[1]) == {"points": Decimal(3), "time": Decimal("9.8")}
    assert client.rank_of(board, [3, Decimal("9.75")]).rank == 1
    with pytest.raises(sdk.InvalidRequest):
        client.submit(board, "ana", {"points": 3})


@pytest.mark.parametrize("points", [2**63 - 1, -(2**63)])
def test_no_digit_is_lost(client, board, points):
    client.submit(board, "ana", points)

    assert sdk.score_of(client.rank(board, "ana")) == points


def test_boards_are_made_once_and_kept_from_accidents(client):
    board = next(names)

    assert client.put_board(board, BoardSettings(title="One")).result == "created"
    assert client.put_board(board, BoardSettings(title="One")).result == "unchanged"
    with pytest.raises(sdk.Conflict) as raised:
        client.put_board(board, BoardSettings(title="Two"))
    assert raised.value.code == "settings_differ"
    changed = client.put_board(board, BoardSettings(title="Two"), if_exists="change")
    assert (changed.result, changed.changed) == ("changed", ("title",))
    assert client.board(board).title == "Two"
    assert board in [there.board for there in client.boards().boards]


def test_a_dropped_board_is_gone(client, board):
    assert client.drop_board(board).dropped

    with pytest.raises(sdk.NotFound):
        client.board(board)


def test_a_season_begins_once(client):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("season",), grace="none"))
    client.submit(board, "ana", 5)
    begun = client.begin_season(board, "reset-1", name="spring")
    again = client.begin_season(board, "reset-1", name="spring")

    assert (begun.result, again.result) == ("created", "unchanged")
    assert begun.season == again.season
    assert [season.key for season in client.seasons(board).seasons] == ["0", "spring"]
    assert rows(client.top(board, period="previous")) == [(1, "ana", "5")]
    with pytest.raises(sdk.Conflict):
        client.begin_season(board, "reset-1", name="summer")


def test_profiles(client, board):
    who = f"who-{board}"
    assert client.player(who) is None

    client.put_player(who, name="Ana", avatar_url="https://a/a.png", attributes={"team": "red"})
    client.submit(board, who, 1)

    profile = client.player(who)
    assert (profile.name, profile.attributes) == ("Ana", {"team": "red"})
    assert client.top(board).rows[0].name == "Ana"


def test_health(client):
    assert client.health().status == "ok"


def test_roles(connect, board):
    with pytest.raises(sdk.Forbidden):
        connect("client").submit(board, "ana", 1)
    with pytest.raises(sdk.Forbidden):
        connect("server").put_board("another")
    assert connect("server").submit(board, "ana", 1).outcome == "counted"
    assert connect("client").rank(board, "ana").rank == 1


@pytest.mark.parametrize("kind", [Client, Driven])
def test_an_unknown_key(server, kind):
    with kind(server.url, "no-such-key") as client, pytest.raises(sdk.Unauthorized):
        client.boards()


def test_bad_arguments_are_named(client, board):
    with pytest.raises(sdk.InvalidRequest) as raised:
        client.top(board, k=0)
    assert raised.value.field == "k"

    with pytest.raises(sdk.InvalidRequest):
        client.around(board, "ana", n=1, size=1)
    with pytest.raises(sdk.InvalidRequest):
        client.ranks_of(board, [])
    with pytest.raises(sdk.InvalidRequest) as raised:
        client.friends(board, ["ana"] * 5001)
    assert raised.value.field == "players"
    with pytest.raises(sdk.InvalidRequest) as raised:
        client.put_friends("ana", [str(number) for number in range(100_001)])
    assert raised.value.field == "players"


@pytest.mark.parametrize("kind", [Client, Driven])
def test_a_server_that_is_not_there(kind, silent_port):
    address = f"http://127.0.0.1:{silent_port}"
    with (
        kind(address, "k", retries=Retries(limit=2, first=0.0)) as client,
        pytest.raises(sdk.Unavailable) as raised,
    ):
        client.boards()

    assert (raised.value.code, raised.value.retryable) == ("unreachable", True)


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port where nobody listens: bound, so that nobody else gets it meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def test_a_batcher_delivers_everything(server, board):
    with Client(server.url, server.keys["server"]) as client:
        with client.batcher(max_events=50, max_pending=200) as batch:
            receipts = [batch.add(board, f"p{n % 10}", 1) for n in range(1_000)]
        assert batch.outcomes == {"counted": 1_000}
        assert all(receipt.result(0).outcome == "counted" for receipt in receipts)
        assert {row.score for row in client.top(board).rows} == {"100"}


def test_an_async_batcher_delivers_everything(server, board):
    async def run() -> None:
        async with AsyncClient(server.url, server.keys["server"]) as client:
            async with client.batcher(max_events=50, max_pending=200) as batch:
                receipts = [await batch.add(board, f"p{n % 10}", 1) for n in range(1_000)]
            assert batch.outcomes == {"counted": 1_000}
            assert (await receipts[-1]).outcome == "counted"
            assert {row.score for row in (await client.top(board)).rows} == {"100"}

    asyncio.run(run())


def test_a_batcher_tells_what_was_refused(server, board):
    with Client(server.url, server.keys["server"]) as client:
        batch = client.batcher()
        batch.add(board, "ana", 1)
        batch.add("no-such-board", "ana", 1)
        with pytest.raises(sdk.BatchFailed) as raised:
            batch.close()

    ((event, outcome),) = raised.value.failures
    assert (event.board, outcome.outcome) == ("no-such-board", "unknown_board")


def test_a_batcher_left_open_is_drained_at_the_exit_of_the_program(server, board):
    program = """
import sys
from toprung.sdk import Client
url, key, board = sys.argv[1:]
batch = Client(url, key).batcher(max_wait=3600)
batch.add(board, "ana", 7)
"""
    command = [sys.executable, "-c", program, server.url, server.keys["server"], board]
    subprocess.run(command, check=True, timeout=WAIT)

    with Client(server.url, server.keys["client"]) as client:
        assert client.rank(board, "ana").score == "7"


def test_no_event_is_lost_or_counted_twice_when_the_server_is_killed(tmp_path):
    """The server dies in the middle of a stream; the same events go to the one after it."""
    with running_server(tmp_path) as running:
        with Client(running.url, running.keys["admin"], retries=0) as client:
            client.put_board("b")
            batch = client.batcher(max_events=20, max_wait=0, max_pending=40)
            receipts = [batch.add("b", f"p{n % 5}", 1) for n in range(200)]
            receipts[100].result(WAIT)
            running.kill()
            receipts += [batch.add("b", f"p{n % 5}", 1) for n in range(200)]
            with pytest.raises(sdk.BatchFailed) as raised:
                batch.close()

        lost = [event for event, _ in raised.value.failures]
        assert 200 <= len(lost) <= 300
        running.restart()
        with Client(running.url, running.keys["admin"]) as client:
            # Those whose answer was lost may be in the log: they are told as duplicates.
            outcomes = client.submit_many(lost).outcomes
            assert set(outcomes) <= {"counted", "duplicate"}
            assert {row.score for row in client.top("b").rows} == {"80"}


def test_the_wire_carries_points_as_text(server, board):
    """What the server keeps of the points is what the caller wrote, digit by digit."""
    with Client(server.url, server.keys["admin"]) as client:
        precise = next(names)
        client.put_board(precise, BoardSettings(columns=(Column(decimals=9),)))
        client.submit(precise, "ana", Decimal("0.100000001"), event_id="e")

        assert json.dumps(client.event(precise, "e").points) == '"0.100000001"'
        assert client.rank(precise, "ana").score == "0.100000001"
