"""The cases that ask for a script: load, kills, host settings. Each test is named for its case."""

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import pytest

from toprung.testing.api import ProductTrouble, Refused
from toprung.testing.cases.model import read_cases
from toprung.testing.command import toprung
from toprung.testing.server import ServerFailed
from toprung.testing.traces import files_with

WAIT_S_MAX = 60
"""How long a test waits for a signal before it has failed."""


@contextmanager
def meanwhile(*works: Callable[[], object]) -> Iterator[None]:
    """Each work again and again in a thread of its own, until the block ends.

    The block begins when each was done once. An exception of any of them fails the test.
    """
    over = threading.Event()
    begun = [threading.Event() for _ in works]

    def repeat(work: Callable[[], object], once: threading.Event) -> None:
        try:
            work()
        finally:
            once.set()
        while not over.is_set():
            work()

    with ThreadPoolExecutor(len(works)) as pool:
        running = list(map(pool.submit, itertools.repeat(repeat), works, begun))
        try:
            assert all(once.wait(WAIT_S_MAX) for once in begun)
            yield
        finally:
            over.set()
    for each in running:
        each.result()


def test_what_fails_meanwhile_fails_the_test():
    answers = iter([1, 1, 0])

    with pytest.raises(ZeroDivisionError), meanwhile(lambda: 1 / next(answers), lambda: None):
        pass
    with pytest.raises(ZeroDivisionError), meanwhile(lambda: 1 / 0):
        pass


def at_once(count: int, work: Callable[[int], object]) -> list:
    """What ``work(0)`` to ``work(count - 1)`` return when all begin at the same moment."""
    together = threading.Barrier(count, timeout=WAIT_S_MAX)

    def begin(number: int) -> object:
        together.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


WAITING = {
    "CAC-05": "the live feed",
}
"""Manual cases that need what the product does not do yet."""


def test_every_manual_case_has_a_test_here_or_says_what_it_waits_for(shared: Path):
    manual = {case.id for case in read_cases(shared / "cases" / "cases.jsonl") if case.manual_count}
    names = [name for name in globals() if name.startswith("test_")]
    tested = {id_ for id_ in manual if any(slug(id_) in name for name in names)}

    assert manual - tested == WAITING.keys()


def slug(case_id: str) -> str:
    return "test_" + case_id.lower().replace("-", "_") + "_"


def test_hid_04_who_was_erased_is_in_no_file_and_comes_back_from_no_rebuild(game):
    game.board()
    folder = game.server.database.parent
    game.score("a", "amber", 5)
    game.score("b", "leaver", 50)
    game.server.stop()
    game.server.start()
    assert files_with("leaver", folder)

    game.admin.send("POST", "/v1/players/leaver/erase", {})
    toprung("backup", str(folder / "after.db"), "--db", str(game.server.database))
    exported = folder / "events.csv"
    exported.write_text(str(game.admin.get("/v1/boards/main/events")), encoding="utf-8")
    game.server.stop()
    toprung("rebuild", "--db", str(game.server.database))
    game.server.start()

    assert game.rows() == [[1, "amber", "5"]]
    assert files_with("leaver", folder) == []


def test_tie_10_the_same_list_each_time_also_after_a_restart(game):
    game.board(mode="best")
    for event_id, player in [("k1", "c-3"), ("k2", "a-1"), ("k3", "b-2")]:
        game.score(event_id, player, 11)
    expected = [[1, "a-1", "11"], [2, "b-2", "11"], [3, "c-3", "11"]]

    assert [game.rows() for _ in range(50)] == [expected] * 50
    game.server.stop()
    game.server.start()
    assert [game.rows() for _ in range(50)] == [expected] * 50


def test_pag_05_a_cursor_names_a_place_after_a_player_and_no_row_number(game):
    game.board(mode="best")
    for player, points in [("amber", 60), ("birch", 50), ("cedar", 40), ("dune", 30)]:
        game.score(player, player, points)
    first = game.top(k=2)
    assert [row["player_id"] for row in first["rows"]] == ["amber", "birch"]

    game.score("f", "newcomer", 99)

    second = game.rows(k=2, cursor=first["next"])
    assert [row[1] for row in second] == ["cedar", "dune"]
    # The ranks of the page are those of one state: of now, or of the first page.
    assert [row[0] for row in second] in ([3, 4], [4, 5])


def test_cfg_03_other_settings_are_an_error_that_changes_nothing(game):
    game.board("x")
    game.score("a", "amber", 5, board="x")
    before = game.admin.get("/v1/boards/x")

    with pytest.raises(Refused) as refused:
        game.board("x", mode="best", title="other")

    assert (refused.value.status, refused.value.code) == (409, "settings_differ")
    assert "mode" in str(refused.value)
    assert "title" in str(refused.value)
    assert game.admin.get("/v1/boards/x")["mode"] == before["mode"] == "sum"
    game.score("b", "amber", 1, board="x")
    assert game.rows("x") == [[1, "amber", "6"]]


def test_cfg_03_twenty_who_create_a_board_at_once_all_have_it(game):
    clients = [game.client_of("admin") for _ in range(20)]

    def create(number: int) -> tuple[int, str]:
        reply = clients[number].send("PUT", "/v1/boards/y", {"title": "the same"})
        return reply.status, reply.body["result"]

    answers = sorted(at_once(20, create))

    assert answers == [(200, "unchanged")] * 19 + [(201, "created")]
    assert [board["board"] for board in game.admin.get("/v1/boards")["boards"]] == ["y"]


def test_dur_01_four_who_add_at_once_lose_nothing(game):
    game.board()
    clients = [game.client_of("server") for _ in range(4)]

    def add(turn: int, number: int) -> None:
        for start in range(0, 250, 25):
            ids = (f"t{turn}-c{number}-{place}" for place in range(start, start + 25))
            amber = {"board": "main", "player_id": "amber", "points": 1}
            events = [{**amber, "event_id": id_} for id_ in ids]
            clients[number].send("POST", "/v1/scores", {"events": events})

    for turn in range(10):
        at_once(4, lambda number, turn=turn: add(turn, number))

        assert game.rows() == [[1, "amber", str(1000 * (turn + 1))]]
        assert game.top()["total"] == 1


def test_dur_03_what_was_acknowledged_before_a_kill_is_counted_and_nothing_by_half(game):
    game.board(windows=["all", "daily"])
    acknowledged: list[str] = []
    enough = threading.Event()

    def stream() -> str:
        """Send single events until the server is gone; returns the one without an answer."""
        for number in itertools.count():
            event_id = f"e{number}"
            try:
                game.score(event_id, "amber", 1)
            except (ProductTrouble, ServerFailed):
                return event_id
            acknowledged.append(event_id)
            if len(acknowledged) == 200:
                enough.set()
        raise AssertionError

    with ThreadPoolExecutor(1) as pool:
        last = pool.submit(stream)
        assert enough.wait(WAIT_S_MAX)
        game.server.kill()
        unanswered = last.result()
    game.server.start()

    kept = [id_ for id_ in [*acknowledged, unanswered] if is_counted(game, id_)]
    assert kept[: len(acknowledged)] == acknowledged
    for window in ("all", "daily"):
        assert game.rows(window=window) == [[1, "amber", str(len(kept))]]
    assert game.score(unanswered, "amber", 1)["outcome"] == (
        "duplicate" if unanswered in kept else "counted"
    )


def is_counted(game, event_id: str) -> bool:
    try:
        event = game.reader.get(f"/v1/boards/main/events/{event_id}")
    except Refused as refused:
        if refused.code != "unknown_event":
            raise
        return False
    return event["outcome"] == "counted"


ZONES = ("UTC", "America/New_York", "Asia/Kathmandu")


def days_seen(game) -> dict[str, list]:
    """What each zone's days look like, and what two events on both sides of midnight count."""
    seen = {}
    for zone in ZONES:
        board = zone.lower().replace("/", "-")
        game.board(board, windows=["daily"], zone=zone)
        game.score("a", "amber", 1, at="2026-05-04T23:30:00Z", board=board)
        game.score("b", "amber", 2, at="2026-05-05T00:30:00Z", board=board)
        days = [game.top(board, period=day) for day in ("2026-05-04", "2026-05-05")]
        seen[zone] = [(day["period"], [row["score"] for row in day["rows"]]) for day in days]
    return seen


def test_win_19_the_hosts_zone_plays_no_part(new_game, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    expected = days_seen(new_game())
    assert [scores for _, scores in expected["UTC"]] == [["1"], ["2"]]

    for zone in ("America/St_Johns", "Asia/Kolkata"):
        monkeypatch.setenv("TZ", zone)
        assert days_seen(new_game()) == expected


def test_win_19_without_zone_files_on_the_host_the_answers_are_the_same(new_game, monkeypatch):
    expected = days_seen(new_game())

    monkeypatch.setenv("PYTHONTZPATH", "")

    assert days_seen(new_game()) == expected


def test_win_19_without_zone_data_a_named_zone_is_an_error_and_never_utc(
    new_game, monkeypatch, tmp_path: Path
):
    # A tzdata package without data stands in front of the real one, and the host's files are off.
    (tmp_path / "tzdata").mkdir()
    (tmp_path / "tzdata" / "__init__.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONTZPATH", "")
    game = new_game()

    with pytest.raises(Refused) as refused:
        game.board("berlin", windows=["daily"], zone="Europe/Berlin")

    assert (refused.value.status, refused.value.code) == (400, "invalid")
    assert "zone" in str(refused.value)
    assert game.admin.get("/v1/boards")["boards"] == []
    assert game.board("utc", windows=["daily"]).status == 201


class EndWatch:
    """Reports each announced end of a period once, when a later look finds it behind."""

    def __init__(self, game) -> None:
        self._game = game
        self._announced = self._look()
        self.reported: list[tuple[str, str]] = []

    def _look(self) -> dict[str, str | None]:
        boards = self._game.admin.get("/v1/boards")["boards"]
        return {board["board"]: board["windows"][0]["next_change"] for board in boards}

    def step(self, at: str) -> None:
        self._game.clock(at)
        announced = self._look()
        self.reported += [
            (board, end)
            for board, end in self._announced.items()
            if board in announced and end != announced[board] and end is not None
        ]
        self._announced = announced


@pytest.mark.parametrize(
    "steps",
    [
        ["2026-05-04T12:00:00Z", "2026-05-04T12:00:01Z", "2026-05-04T12:00:05Z"],
        ["2026-05-04T12:00:05Z", "2026-05-04T12:00:06Z"],
    ],
    ids=["step-by-step", "one-jump"],
)
def test_lat_05_each_end_is_told_once_with_its_own_board_and_time(new_game, steps):
    """As far as boards announce the next change; the job that closes periods comes later."""
    game = new_game("2026-05-04T11:59:59Z")
    for board in ("hour-1", "hour-2", "gone"):
        game.board(board, windows=["hourly"])
    game.board("season", windows=["season"])
    reset = {"id": "r1", "at": "2026-05-04T12:00:01Z"}
    game.admin.send("POST", "/v1/boards/season/seasons", reset)
    watch = EndWatch(game)
    game.admin.send("DELETE", "/v1/boards/gone")

    for at in steps:
        watch.step(at)

    assert sorted(watch.reported) == [
        ("hour-1", "2026-05-04T12:00:00Z"),
        ("hour-2", "2026-05-04T12:00:00Z"),
        ("season", "2026-05-04T12:00:01Z"),
    ]


def test_cac_01_every_read_shows_an_event_as_soon_as_it_is_acknowledged(game):
    game.board(mode="best")
    best: dict[str, int] = {}
    results = [("amber", 10), ("birch", 20), ("cedar", 5), ("cedar", 30), ("amber", 25)]
    results += [(f"p{number % 7}", (number * 37) % 101) for number in range(60)]

    for number, (player, points) in enumerate(results):
        told = game.score(f"e{number}", player, points)
        best[player] = max(points, best.get(player, points))

        score = str(best[player])
        own = game.reader.get(f"/v1/boards/main/rank/{player}")
        top = next(row for row in game.top(k=100)["rows"] if row["player_id"] == player)
        around = game.reader.get(f"/v1/boards/main/around/{player}", {"n": 0})["rows"][0]
        assert {own["score"], top["score"], around["score"], told["score"]} == {score}
        assert {own["rank"], top["rank"], around["rank"]} == {told["windows"][0]["rank"]}


def test_cac_03_readers_see_no_hole_while_the_board_is_rebuilt(game):
    game.board()
    send_players(game, "main", 500)
    seen = []
    numbers = itertools.count()
    reader, writer = game.client_of("client"), game.client_of("server")

    def read() -> None:
        reply = reader.get("/v1/boards/main/top", {"k": 3})
        seen.append(([row["rank"] for row in reply["rows"]], reply["total"] >= 500))

    def write() -> None:
        number = next(numbers)
        event = {"board": "main", "event_id": f"w{number}", "player_id": f"w{number % 50}"}
        writer.send("POST", "/v1/scores", {**event, "points": 1})

    with meanwhile(read, write):
        for _ in range(3):
            game.admin.send("POST", "/_control/rebuild", {})

    assert {(tuple(ranks), enough) for ranks, enough in seen} == {((1, 2, 3), True)}
    assert game.top(k=1)["total"] == 500 + min(next(numbers), 50)


HUGE = 20_000
"""Players of the huge board; enough to see a board that stops the others, on any machine."""
SLOWEST_S_MAX = 2.0
"""The stated bound: no request to another board takes longer while a huge one is dropped."""


def test_sca_03_dropping_a_huge_board_stops_no_other(game):
    game.board()
    game.score("a", "amber", 1)
    game.board("huge", windows=["season", "all"])
    send_players(game, "huge", HUGE)
    assert game.top("huge", k=1)["total"] == HUGE
    slowest: list[float] = []
    numbers = itertools.count()

    def timed(request: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            started = perf_counter()
            request()
            slowest.append(perf_counter() - started)

        return run

    def reading() -> Callable[[], object]:
        client = game.client_of("client")
        return lambda: client.get("/v1/boards/main/top", {"k": 10})

    def writing() -> Callable[[], object]:
        client = game.client_of("server")

        def write() -> None:
            number = next(numbers)
            event = {"board": "main", "event_id": f"w{number}", "player_id": f"w{number % 9}"}
            client.send("POST", "/v1/scores", {**event, "points": 1})

        return write

    with meanwhile(*(timed(reading()) for _ in range(10)), *(timed(writing()) for _ in range(2))):
        season = {"id": "r1", "at": "2026-05-04T12:30:00Z"}
        game.admin.send("POST", "/v1/boards/huge/seasons", season)
        emptied = game.top("huge", period="1")
        game.admin.send("DELETE", "/v1/boards/huge")
        with pytest.raises(Refused, match="unknown_board"):
            game.top("huge")
        game.board("huge", windows=["season", "all"])
        again = game.top("huge", window="all")

    assert (emptied["total"], emptied["rows"]) == (0, [])
    assert (again["total"], again["rows"]) == (0, [])
    assert game.top(k=1)["total"] == 1 + min(next(numbers), 9)
    assert max(slowest) < SLOWEST_S_MAX


def send_players(game, board: str, count: int) -> None:
    """A player for each number, with as many points."""
    for start in range(0, count, 5000):
        events = [
            {"board": board, "event_id": f"i{number}", "player_id": f"i{number}", "points": number}
            for number in range(start, min(start + 5000, count))
        ]
        reply = game.admin.send("POST", "/v1/scores", {"events": events}, {"ranks": "false"})
        assert reply.body["outcomes"] == {"counted": len(events)}
