"""The examples of the documents: one small story on the board ``arena``."""

from typing import Any

from toprung.wire import admin, boards, events, periods, reads, scores

BOARD, PLAYER, EVENT = "arena", "ana", "match-1:ana"
PATH = {
    "board": BOARD,
    "player": PLAYER,
    "event_id": EVENT,
    "period": "2026-11-29",
    "match": "match-1",
}
"""The path's arguments."""
_AT = "2026-11-30T12:00:00Z"
_ALL = reads.Period("all", None, None)

EVENT_IN: dict[str, Any] = {
    "event_id": EVENT,
    "board": BOARD,
    "player_id": PLAYER,
    "points": 12,
    "at": _AT,
}
BATCH_IN = {"events": [EVENT_IN, EVENT_IN | {"event_id": "match-1:bo", "player_id": "bo"}]}
SETTINGS = {
    "windows": ["all", "daily", "weekly", "season"],
    "zone": "Europe/Oslo",
    "title": "Arena",
}
SEASON_IN = {"id": "winter-2026", "name": "winter", "at": "2026-12-01T00:00:00Z"}
PROFILE_IN = {
    "name": "Ana",
    "avatar_url": "https://game.example/ana.png",
    "attributes": {"country": "no"},
}
PLAYERS_IN = {"players": [PLAYER, "bo", "nobody"]}

BOARD_REPLY = boards.Board(
    board=BOARD,
    title="Arena",
    mode="sum",
    columns=(boards.Column(),),
    ties="earliest",
    windows=(
        boards.PeriodNow("all", "all", None, None, None),
        boards.PeriodNow(
            "daily",
            "2026-11-30",
            "2026-11-29T23:00:00Z",
            "2026-11-30T23:00:00Z",
            "2026-11-30T23:00:00Z",
        ),
    ),
    zone="Europe/Oslo",
    week_start="monday",
    grace="1h",
    max_ahead="5m",
    remember="forever",
    admit={},
    limits=boards.BoardLimits(),
    created_at=_AT,
    seq="1",
)
BOARD_PUT = boards.BoardPutReply("created", (), BOARD_REPLY)
BOARDS = boards.BoardsReply((BOARD_REPLY,))
BOARD_DROPPED = boards.BoardDropped(BOARD, True, "9")
_SEASON = boards.Season("winter", 1, "winter-2026", "2026-12-01T00:00:00Z", None)
SEASON_BEGUN = boards.SeasonReply(BOARD, "created", _SEASON, "4")
SEASONS = boards.SeasonsReply(
    BOARD, (boards.Season("0", 0, None, None, "2026-12-01T00:00:00Z"), _SEASON)
)

RESULT = scores.ScoreResult(
    outcome="counted",
    event_id=EVENT,
    board=BOARD,
    player_id=PLAYER,
    score="12",
    windows=(
        scores.WindowResult("all", "all", score="12", rank=1),
        scores.WindowResult("daily", "2026-11-30", score="12", rank=1),
    ),
    seq="2",
)
_REFUSED = scores.ScoreResult(
    outcome="invalid",
    event_id="match-1:bo",
    board=BOARD,
    player_id="bo",
    field="events[1].points",
    message="points may have no decimals on this board",
)
BATCH = scores.BatchReply((RESULT, _REFUSED), {"counted": 1, "invalid": 1}, "2")
EVENT_REPLY = scores.EventReply(BOARD, EVENT, PLAYER, "12", _AT, _AT, "counted", "2", "12")

_ROWS = (
    reads.Row(1, PLAYER, "12", _AT, name="Ana"),
    reads.Row(2, "bo", "7", "2026-11-30T12:05:00Z"),
)
STANDINGS = reads.StandingsReply(BOARD, "all", _ALL, "ordinal", 2, "3", _ROWS)
RANK = reads.RankReply(
    BOARD, "all", _ALL, "ordinal", PLAYER, 1, "12", 100.0, 50.0, 2, _AT, "3", name="Ana"
)
RANKS = reads.RanksReply(BOARD, "all", _ALL, "ordinal", 2, "3", _ROWS, ("nobody",))
FRIENDS_IN = {"players": [PLAYER, "cy", "nobody"]}
FRIENDS = reads.FriendsReply(
    BOARD,
    "all",
    _ALL,
    "ordinal",
    3,
    "4",
    (
        reads.FriendRow(1, 1, PLAYER, "12", _AT, name="Ana"),
        reads.FriendRow(2, 3, "cy", "5", "2026-11-30T12:10:00Z"),
    ),
)
FRIENDS_PAGE = reads.FriendsPage(
    BOARD,
    "all",
    _ALL,
    "ordinal",
    PLAYER,
    reads.FriendRow(1, 1, PLAYER, "12", _AT, name="Ana"),
    2,
    3,
    "4",
    FRIENDS.rows,
    None,
)
FRIEND_LIST = reads.FriendList(PLAYER, ("bo", "cy"), _AT, "5")
RANK_OF = reads.RankOfReply(
    BOARD, "all", _ALL, "ordinal", "10", 2, 2, "3", reads.Target(1, "3"), None
)
PLAYER_REPLY = reads.PlayerReply(
    PLAYER, "Ana", "https://game.example/ana.png", {"country": "no"}, _AT, "5"
)
EVENTS = events.EventsReply(
    BOARD,
    "3",
    (events.LoggedEvent("3", "2026-11-30T12:00:00.25Z", EVENT, PLAYER, "12", _AT, "counted"),),
)
REBUILD_STARTED = admin.RebuildReply("running", "replaying", 0, 0, 0.0, "0", None)
REBUILD = admin.RebuildReply("done", "replacing", 1000, 1000, 2.5, "1000", None)
HEALTH = reads.Health("ok", "0.1.0", "3")
SCHEDULE = periods.ScheduleReply(
    BOARD,
    "Europe/Oslo",
    "2026-10-24T12:00:00Z",
    (
        periods.WindowSchedule("all", "all", ()),
        periods.WindowSchedule(
            "daily",
            "2026-10-24",
            (
                periods.Boundary(
                    "2026-10-24T22:00:00Z",
                    "2026-10-25T00:00:00+02:00",
                    "2026-10-24",
                    "2026-10-25",
                    "2026-10-24T23:00:00Z",
                    "25h",
                ),
            ),
        ),
    ),
    "3",
)
PERIOD = periods.PeriodReply(
    BOARD,
    "daily",
    "2026-11-29",
    "closed",
    "2026-11-28T23:00:00Z",
    "2026-11-29T23:00:00Z",
    "2026-11-30T00:00:00Z",
    (
        periods.PeriodVersion(
            1,
            2,
            "3b5d3c7d207e37dceeedd301e35e2e58dd6f1c8d8b6f0f4b6a7e6e7e3f0c1a2b",
            "4",
            "2026-11-30T00:00:00.5Z",
        ),
    ),
    "5",
)
PERIODS = periods.PeriodsReply(BOARD, "daily", (PERIOD,), None, "5")
PUBLISHED = periods.PublishReply(BOARD, "daily", "2026-11-29", "changed", "6")
SEASON_END_IN = {"id": "winter-2026", "at": "2027-03-01T00:00:00Z"}
SEASON_ENDED = boards.SeasonReply(
    BOARD,
    "changed",
    boards.Season("winter", 1, "winter-2026", "2026-12-01T00:00:00Z", "2027-03-01T00:00:00Z"),
    "6",
)
SEASON_SCHEDULE_IN = {"cron": "0 0 1 * *", "zone": "Europe/Oslo"}
SEASON_SCHEDULE = boards.SeasonScheduleReply(
    BOARD, "0 0 1 * *", "Europe/Oslo", ("2026-11-30T23:00:00Z", "2026-12-31T23:00:00Z"), "7"
)
