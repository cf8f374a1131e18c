"""A board that is recomputed, read meanwhile (R12, R16)."""

from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from toprung.sdk import BoardSettings, Client, Column, InvalidRequest, ScoreEvent
from toprung.testing.server import RunningServer

PLAYERS = 8_000


def settings(*columns: tuple[str, int]) -> BoardSettings:
    return BoardSettings(
        mode="best",
        columns=tuple(Column(name=name, decimals=decimals) for name, decimals in columns),
    )


def client(server: RunningServer) -> Client:
    return Client(server.url, server.keys["admin"])


def fill(admin: Client, board: str) -> None:
    admin.submit_many(
        ScoreEvent(board, f"p{i}", {"a": i, "b": PLAYERS + i}) for i in range(PLAYERS)
    )


def test_readers_see_the_old_ranking_or_the_new_one_never_a_mixture(server):
    """The best player has a = 7999 and b = 15999, by whatever columns the board is read."""
    changes = [
        settings(("a", 3), ("b", 0)),
        settings(("b", 0), ("a", 0)),
        settings(("a", 0)),
    ]
    with client(server) as admin, client(server) as reader, ThreadPoolExecutor(1) as pool:
        admin.put_board("mixed", settings(("a", 0), ("b", 0)))
        fill(admin, "mixed")

        def change() -> None:
            for each in changes:
                admin.put_board("mixed", each, if_exists="recompute")

        changing = pool.submit(change)
        shown = set()
        while not changing.done():
            (row,) = reader.top("mixed", k=1).rows
            shown.add((row.score, tuple((row.columns or {}).items())))
        changing.result()

    a, b = str(PLAYERS - 1), str(2 * PLAYERS - 1)
    assert shown <= {
        (a, (("a", a), ("b", b))),
        (b, (("b", b), ("a", a))),
        (a, ()),
    }


def test_a_cursor_from_before_is_refused_and_not_followed_to_a_wrong_place(server):
    with client(server) as admin:
        admin.put_board("pages", settings(("a", 0)))
        admin.submit_many(ScoreEvent("pages", f"p{i}", 10 * i) for i in range(5))
        cursor = admin.top("pages", k=2).next
        admin.put_board("pages", settings(("a", 2)), if_exists="recompute")

        with pytest.raises(InvalidRequest) as caught:
            admin.top("pages", k=2, cursor=cursor)

    assert caught.value.field == "cursor"


def test_columns_that_are_renamed_one_after_the_other_keep_their_numbers(server):
    with client(server) as admin:
        admin.put_board("names", settings(("a", 0), ("b", 0)))
        admin.submit("names", "p", {"a": 1, "b": 100}, event_id="e1", at="2026-11-30T00:00:00Z")
        for names in (("x", "y"), ("y", "x")):
            renamed = settings(*((name, 0) for name in names))
            admin.put_board("names", renamed, if_exists="recompute")

        (row,) = admin.top("names").rows
        assert row.columns == {"y": "100", "x": "1"}
        again = admin.submit(
            "names", "p", {"x": 1, "y": 100}, event_id="e1", at="2026-11-30T00:00:00Z"
        )
        assert again.outcome == "duplicate"


@pytest.mark.parametrize(
    "body",
    [{"zone": "__init__/x"}, {"zone": "a/" * 400}, {"columns": [{"name": "a", "decimals": 2**70}]},
     {"title": "x" * 300}],
)  # fmt: skip
def test_impossible_settings_cost_nothing_but_themselves(server, body):
    """None of them reaches the log, and the server goes on."""
    reply = httpx2.put(
        f"{server.url}/v1/boards/odd",
        json=body,
        headers={"Authorization": f"Bearer {server.keys['admin']}"},
    )

    assert reply.status_code == 400
    with client(server) as admin:
        before = admin.health().seq
        assert admin.put_board("fine", settings(("a", 0))).board.board == "fine"
        assert int(admin.health().seq) - int(before) == 1
