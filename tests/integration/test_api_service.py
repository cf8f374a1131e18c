"""Health, metrics, pages, other origins, and what exists in tests only."""

from dataclasses import replace

import pytest
from starlette.types import Message

from toprung.api import Application
from toprung.api.content import Pages

pytestmark = pytest.mark.anyio


async def test_health_says_which_version_and_how_far_readers_see(door):
    await door.make_board()

    for path in ("/healthz", "/readyz"):
        answer = await door.ask("GET", path, role=None)
        assert (answer.status, answer.body["status"], answer.body["seq"]) == (200, "ok", "1")


async def test_a_server_whose_file_is_no_longer_there_is_not_ready(door):
    file, away = door.settings.db, door.settings.db.with_name("away.db")
    file.rename(away)
    gone = await door.ask("GET", "/readyz", role=None)
    file.write_bytes(b"another file")
    replaced = await door.ask("GET", "/readyz", role=None)
    file.unlink()
    away.rename(file)
    back = await door.ask("GET", "/readyz", role=None)

    for answer in (gone, replaced):
        assert (answer.status, answer.body["status"]) == (503, "failing")
        assert answer.body["missing"] == ["the database file was moved, replaced or deleted"]
    assert back.status == 200


async def test_metrics_count_requests_events_and_sizes(door):
    await door.make_board(windows=["all", "daily"])
    await door.score("ana", 1, "e1")
    await door.score("ana", 1, "e1")
    await door.ask("GET", "/v1/boards/none")

    answer = await door.ask("GET", "/metrics", role=None)

    text = answer.body.decode()
    for line in (
        'toprung_http_requests_total{route="/v1/boards/{board}",status="201"} 1.0',
        'toprung_http_requests_total{route="/v1/boards/{board}",status="404"} 1.0',
        'toprung_http_request_seconds_count{route="/v1/scores"} 2.0',
        'toprung_events_total{outcome="counted"} 1.0',
        'toprung_events_total{outcome="duplicate"} 1.0',
        'toprung_batch_events_bucket{le="1"} 2.0',
        "toprung_commit_records_sum 3.0",
        "toprung_commit_seconds_count 3.0",
        "toprung_fsync_seconds_count 3.0",
        "toprung_queue_records 0.0",
        "toprung_log_seq 3.0",
        "toprung_view_lag_records 0.0",
        "toprung_periods 2.0",
        "toprung_entries 2.0",
    ):
        assert line in text.splitlines()


async def test_a_head_is_answered_like_a_get(door):
    await door.make_board()

    answer = await door.ask("HEAD", "/v1/boards/b")

    assert answer.status == 200


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/openapi.json", "/readyz"])
async def test_also_without_a_key_unknown_arguments_are_refused(door, path):
    answer = await door.ask("GET", f"{path}?x=1", role=None)

    assert (answer.status, answer.code) == (400, "unknown_parameter")


@pytest.mark.parametrize("path", ["", "/v1", "/v1/boards/", "/v1//boards", "//", "/v1/boards/b/"])
async def test_what_is_no_route_is_not_found(door, path):
    answer = await door.ask("GET", path)

    assert (answer.status, answer.code) == (404, "not_found")


class TestPages:
    """The console's files."""

    @pytest.fixture
    def paged(self, door, tmp_path):
        (tmp_path / "assets").mkdir()
        (tmp_path / "index.html").write_text("<h1>boards</h1>", "utf-8")
        (tmp_path / "docs.html").write_text("<h1>docs</h1>", "utf-8")
        (tmp_path / "assets" / "a-1.js").write_text("go()", "utf-8")
        door.application = Application(replace(door.services, pages=Pages(tmp_path)))
        return door

    @pytest.mark.parametrize(
        ("path", "text"), [("/", b"<h1>boards</h1>"), ("/docs", b"<h1>docs</h1>")]
    )
    async def test_a_page_comes_with_a_policy_for_browsers(self, paged, path, text):
        answer = await paged.ask("GET", path, role=None)

        assert (answer.status, answer.body) == (200, text)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"

    async def test_an_asset_may_be_kept_for_ever(self, paged):
        answer = await paged.ask("GET", "/assets/a-1.js", role=None)

        assert (answer.status, answer.body) == (200, b"go()")
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "immutable" in answer.headers["cache-control"]

    @pytest.mark.parametrize(
        "name", ["b.js", "..", "%2e%2e%2findex.html", "..%2findex.html", "a-1.js/"]
    )
    async def test_only_files_that_are_there(self, paged, name):
        assert (await paged.ask("GET", f"/assets/{name}", role=None)).status == 404

    async def test_without_built_pages_the_api_still_works(self, door):
        door.application = Application(replace(door.services, pages=None))

        assert (await door.ask("GET", "/", role=None)).code == "not_found"
        assert (await door.ask("GET", "/readyz", role=None)).status == 200


async def test_the_demo_is_told_in_demo_mode_only(open_door):
    plain = await open_door().ask("GET", "/demo.json", role=None)
    demo = await open_door(demo_key="k", demo_boards=("arena",)).ask("GET", "/demo.json", role=None)

    assert (plain.status, plain.code) == (404, "not_found")
    assert demo.body == {"key": "k", "boards": ["arena"]}


class TestControl:
    """Routes of a server on a controlled clock."""

    async def test_the_clock_moves_forward_only(self, door):
        later = await door.ask("POST", "/_control/clock", {"at": "2026-05-04T13:00:00Z"}, role=None)
        earlier = await door.ask(
            "POST", "/_control/clock", {"at": "2026-01-01T00:00:00Z"}, role=None
        )

        assert [later.body, earlier.body] == [{"at": "2026-05-04T13:00:00Z"}] * 2

    async def test_a_rebuild_makes_the_same_again(self, door):
        await door.make_board()
        await door.score("ana", 1, "e")
        before = await door.ask("GET", "/v1/boards/b/top")

        rebuilt = await door.ask("POST", "/_control/rebuild", {}, role=None)

        assert rebuilt.body == {"seq": "2"}
        assert (await door.ask("GET", "/v1/boards/b/top")).body == before.body

    async def test_they_are_not_there_otherwise_and_never_documented(self, door):
        document = await door.ask("GET", "/openapi.json", role=None)
        door.application = Application(replace(door.services, control=None))

        answers = [
            await door.ask("POST", f"/_control/{name}", {}, role=None)
            for name in ("clock", "rebuild")
        ]

        assert [answer.status for answer in answers] == [404, 404]
        assert not [path for path in document.body["paths"] if "_control" in path]


class TestOtherOrigins:
    """CORS: pages of named origins may read."""

    async def ask(self, door, method, origins=("https://game.example",), **headers):
        sent: list[Message] = []

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": "/healthz",
            "raw_path": b"/healthz",
            "query_string": b"",
            "headers": [
                (name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()
            ],
        }
        application = Application(door.services, origins)
        await application(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"])

    async def test_a_named_origin_may_read(self, door):
        _, headers = await self.ask(door, "GET", origin="https://game.example")

        assert headers[b"access-control-allow-origin"] == b"https://game.example"

    async def test_another_may_not(self, door):
        _, headers = await self.ask(door, "GET", origin="https://other.example")

        assert b"access-control-allow-origin" not in headers

    @pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 400), ("PUT", 400)])
    async def test_a_browser_is_told_that_it_may_not_write(self, door, method, status):
        asked, _ = await self.ask(
            door,
            "OPTIONS",
            origin="https://game.example",
            access_control_request_method=method,
            access_control_request_headers="authorization",
        )

        assert asked == status

    async def test_a_page_is_told_what_it_may_send_and_read(self, door):
        _, asked = await self.ask(
            door,
            "OPTIONS",
            origin="https://game.example",
            access_control_request_method="GET",
        )
        _, read = await self.ask(door, "GET", origin="https://game.example")

        assert asked[b"access-control-allow-methods"] == b"GET, HEAD"
        assert b"authorization" in asked[b"access-control-allow-headers"].split(b", ")
        assert b"Retry-After" in read[b"access-control-expose-headers"].split(b", ")

    @pytest.mark.parametrize(
        ("origin", "wanted"),
        [("https://other.example", "authorization"), ("https://game.example", "x-other")],
    )
    async def test_what_is_not_allowed_is_refused_beforehand(self, door, origin, wanted):
        status, _ = await self.ask(
            door,
            "OPTIONS",
            origin=origin,
            access_control_request_method="GET",
            access_control_request_headers=wanted,
        )

        assert status == 400

    async def test_every_origin_may_be_named_at_once(self, door):
        _, headers = await self.ask(door, "GET", ("*",), origin="https://any.example")

        assert headers[b"access-control-allow-origin"] == b"*"

    async def test_a_cache_keeps_the_replies_to_origins_apart(self, door):
        for headers in ({}, {"origin": "https://game.example"}):
            _, told = await self.ask(door, "GET", **headers)
            assert told[b"vary"] == b"Origin"

    async def test_without_origins_nothing_is_said_of_them(self, door):
        _, headers = await self.ask(door, "GET", (), origin="https://game.example")

        assert not [name for name in headers if name.startswith((b"access-control", b"vary"))]
