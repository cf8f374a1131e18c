"""Which requests answer a query, and what becomes of the replies."""

import pytest

from toprung.testing.api import ProductTrouble
from toprung.testing.cases.model import Query
from toprung.testing.cases.reader import ErrorAnswer, Reader
from toprung.testing.cases.trouble import CannotPlay

NAMES = ("amber", "birch", "cedar", "dune", "elm")
ROWS = [
    {"rank": rank, "player_id": name, "score": str(60 - 10 * rank)}
    for rank, name in enumerate(NAMES, start=1)
]
SHOWN = [[row["rank"], row["player_id"], row["score"]] for row in ROWS]


def page(rows, **more):
    return 200, {"rows": rows, "total": len(ROWS), "next": None, "prev": None, **more}


def pages_of_two(line: str):
    """A list of five rows in pages of two, by cursors c0, c2 and c4."""
    start = next((place for place in (2, 4) if f"cursor=c{place}" in line), 0)
    return page(
        ROWS[start : start + 2],
        next=f"c{start + 2}" if start < 4 else None,
        prev=f"c{start - 2}" if start else None,
    )


def error(status: int, code: str):
    return lambda line: (status, {"error": {"code": code, "message": "no"}})


@pytest.fixture
def ask(product, session):
    def asking(op: str, **args):
        return Reader(session, ["counted"]).ask(Query(op, args, None))

    return asking


@pytest.mark.parametrize(
    ("op", "args", "line"),
    [
        ("top", {}, "GET /v1/boards/main/top?k=100"),
        ("top", {"limit": "abc", "board": "duo"}, "GET /v1/boards/duo/top?k=abc"),
        (
            "top",
            {"window": "daily", "key": "2026-05-04"},
            "GET /v1/boards/main/top?window=daily&period=2026-05-04&k=100",
        ),
        (
            "top",
            {"window": "season", "season": 0},
            "GET /v1/boards/main/top?window=season&period=0&k=100",
        ),
        (
            "top",
            {"window": "daily", "at": "2026-05-04T00:00:00+02:00"},
            "GET /v1/boards/main/top?window=daily&period=2026-05-04T00%3A00%3A00%2B02%3A00&k=100",
        ),
        ("around", {"player": "a/b", "size": 3}, "GET /v1/boards/main/around/a%2Fb?size=3"),
        ("ranks", {"from": 2, "to": 3}, "GET /v1/boards/main/ranks?from=2&to=3"),
        ("range", {"min": "-5", "max": 2}, "GET /v1/boards/main/scores?min=-5&max=2"),
        ("of", {"players": ["elm"]}, "POST /v1/boards/main/ranks"),
    ],
)
def test_a_list_is_asked_for_where_it_is(product, ask, op, args, line):
    product.answer = lambda line: page(ROWS)

    assert ask(op, **args) == SHOWN
    assert product.lines == [line]


def test_players_asked_for_go_in_the_body(product, ask):
    product.answer = lambda line: page(ROWS)

    ask("of", players=["elm", "amber"], window="all")

    assert product.asked[0].body == {"players": ["elm", "amber"]}
    assert product.lines == ["POST /v1/boards/main/ranks?window=all"]


@pytest.mark.parametrize(
    ("view", "who"), [("full", "admin"), ("public", "client"), (None, "client")]
)
def test_only_the_full_view_is_asked_for_with_the_admin_key(product, ask, view, who):
    product.answer = lambda line: page(ROWS)

    ask("top", **({"view": view} if view else {}))

    assert [asked.who for asked in product.asked] == [who]


@pytest.mark.parametrize(
    ("op", "answer"), [("rank", 3), ("score", "30"), ("percentile", 60.0), ("name", "Cedar")]
)
def test_what_is_known_of_one_player(product, ask, op, answer):
    standing = {"rank": 3, "score": "30", "percentile": 60.0, "name": "Cedar"}
    product.answer = lambda line: (200, standing)

    assert ask(op, player="cedar") == answer
    assert product.lines == ["GET /v1/boards/main/rank/cedar"]


@pytest.mark.parametrize(
    ("op", "answer"), [("rank", None), ("score", None), ("percentile", None), ("around", [])]
)
def test_who_is_not_on_the_board_has_no_answer(product, ask, op, answer):
    product.answer = error(404, "unranked_player")

    assert ask(op, player="nobody", size=3) == answer


def test_an_unknown_board_is_not_taken_for_an_unranked_player(product, ask):
    product.answer = error(404, "unknown_board")

    assert ask("rank", player="nobody") == ErrorAnswer(404, "unknown_board")


def test_count_is_the_total(product, ask):
    product.answer = lambda line: page(ROWS[:1])

    assert ask("count") == 5


@pytest.mark.parametrize(
    ("moves", "rows"),
    [
        (["first"], SHOWN[:2]),
        (["first", "next"], SHOWN[2:4]),
        (["first", "next", "next"], SHOWN[4:]),
        (["first", "next", "next", "prev"], SHOWN[2:4]),
        (["first", "next", "next", "next"], []),
        (["first", "prev"], []),
    ],
)
def test_a_walk_follows_the_cursors(product, ask, moves, rows):
    product.answer = pages_of_two

    assert ask("walk", size=2, moves=moves) == rows


def test_a_walk_keeps_its_size_and_leaves_the_rest_to_the_cursor(product, ask):
    product.answer = pages_of_two

    ask("walk", size=2, moves=["first", "next"], window="all")

    assert product.lines == [
        "GET /v1/boards/main/top?window=all&k=2",
        "GET /v1/boards/main/top?cursor=c2&k=2",
    ]


def test_a_whole_walk_gives_the_players_of_all_pages(product, ask):
    product.answer = pages_of_two

    assert ask("walk_all", size=2) == list(NAMES)


def test_a_walk_that_never_ends_is_trouble(product, ask):
    product.answer = lambda line: page(ROWS[:2], next="c0")

    with pytest.raises(ProductTrouble, match="comes back"):
        ask("walk_all", size=2)


@pytest.mark.parametrize(("limit", "offset"), [(2, 1), (1, 3), (9, 2), (5, 9)])
def test_an_offset_cuts_the_list_and_keeps_its_numbering(product, ask, limit, offset):
    product.answer = pages_of_two

    assert ask("top", limit=limit, offset=offset) == SHOWN[offset : offset + limit]


def test_a_period_is_told_in_one_notation_of_its_instants(product, ask):
    period = {"key": "2026", "start": "2026-01-01T01:00:00.000+01:00", "end": None}
    product.answer = lambda line: page([], period=period)

    answer = ask("window_of", window="yearly", at="2026-05-04T00:00:00Z")

    assert answer == ["2026", "2026-01-01T00:00:00Z", None]


def test_a_sum_is_exact_over_all_pages(product, ask):
    rows = [{**ROWS[0], "score": score} for score in ("9007199254740993", "0.1", "0.2")]
    product.answer = lambda line: page(rows)

    assert ask("sum_all") == "9007199254740993.3"


def test_outcomes_are_those_that_were_delivered(ask):
    assert ask("outcomes") == ["counted"]


def board_with_a_difference(**differing):
    """List, rank and count agree, but for what ``differing`` says of cedar, or the total."""

    def answer(line: str):
        if "/top" in line:
            return page(ROWS, total=differing.get("total", len(ROWS)))
        row = next(row for row in ROWS if line.endswith("/" + row["player_id"]))
        return 200, {**row, **(differing if row["player_id"] == "cedar" else {})}

    return answer


@pytest.mark.parametrize(
    ("differing", "consistent"),
    [({}, True), ({"rank": 4}, False), ({"score": "31"}, False), ({"total": 6}, False)],
)
def test_consistent_means_that_list_rank_and_count_agree(product, ask, differing, consistent):
    product.answer = board_with_a_difference(**differing)

    assert ask("consistent") is consistent


@pytest.mark.parametrize("op", ["history", "dance"])
def test_a_question_that_cannot_be_asked_says_so(ask, op: str):
    with pytest.raises(CannotPlay, match=op):
        ask(op)


def test_an_error_of_the_server_is_never_an_expected_error(product, ask):
    product.answer = error(500, "internal")

    with pytest.raises(ProductTrouble):
        ask("top", limit=0)
