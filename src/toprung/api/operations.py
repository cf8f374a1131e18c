"""Every operation of the API, once."""

from collections.abc import Sequence
from functools import cache

import msgspec

from toprung.api import boards, events, examples, pages, players, reads, scores, service, upkeep
from toprung.api.content import Content
from toprung.api.freezing_operations import FREEZING
from toprung.api.moderation_operations import MODERATION
from toprung.api.openapi import document
from toprung.api.operation import JSON, NDJSON, Body, Call, Operation
from toprung.api.parameters import (
    ActParams,
    AroundParams,
    EventsParams,
    FriendsParams,
    PastParams,
    PutBoardParams,
    RankOfParams,
    RanksParams,
    ReadParams,
    ScoreParams,
    ScoresParams,
    TopParams,
)
from toprung.api.past_operations import PAST
from toprung.api.period_operations import PERIODS
from toprung.api.quarantine_operations import QUARANTINE
from toprung.api.rule_operations import RULES
from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.wire import admin as wire_admin
from toprung.wire import boards as wire_boards
from toprung.wire import events as wire_events
from toprung.wire import reads as wire_reads
from toprung.wire import scores as wire_scores

_READ_CODES = ("unknown_board", "unsupported")

BOARDS = (
    Operation(
        "putBoard",
        "PUT",
        "/v1/boards/{board}",
        Role.ADMIN,
        "Make a board, or change one",
        boards.put_board,
        {201: wire_boards.BoardPutReply, 200: wire_boards.BoardPutReply},
        examples.BOARD_PUT,
        ("frozen", "settings_differ", "settings_fixed", "not_exact", "overflow", "too_many_values"),
        PutBoardParams,
        Body(wire_boards.BoardSettings, examples.SETTINGS),
        "boards",
        "A board that exists with the same settings is left as it is. With other settings, "
        "`if_exists=refuse` lists the differences and changes nothing; `change` changes what can "
        "change at once (title, ties, windows, segments, grace, max_ahead, remember; everything "
        "while the board has no events; segments not with `segment_at: event`); `recompute` makes "
        "the board anew from the log, by the new settings, and swaps it in whole.",
        writes=True,
    ),
    Operation(
        "getBoard",
        "GET",
        "/v1/boards/{board}",
        Role.CLIENT,
        "A board with the present periods of its windows",
        boards.get_board,
        {200: wire_boards.Board},
        examples.BOARD_REPLY,
        ("unknown_board",),
        tag="boards",
    ),
    Operation(
        "listBoards",
        "GET",
        "/v1/boards",
        Role.CLIENT,
        "All boards of the project",
        boards.list_boards,
        {200: wire_boards.BoardsReply},
        examples.BOARDS,
        tag="boards",
    ),
    Operation(
        "dropBoard",
        "DELETE",
        "/v1/boards/{board}",
        Role.ADMIN,
        "Drop a board with all it holds",
        boards.drop_board,
        {200: wire_boards.BoardDropped},
        examples.BOARD_DROPPED,
        ("unknown_board",),
        ActParams,
        tag="boards",
        description="A board made again under the name starts empty, and event ids are new to it.",
        writes=True,
    ),
    Operation(
        "beginSeason",
        "POST",
        "/v1/boards/{board}/seasons",
        Role.ADMIN,
        "Begin a season: a reset",
        boards.begin_season,
        {201: wire_boards.SeasonReply, 200: wire_boards.SeasonReply},
        examples.SEASON_BEGUN,
        ("unknown_board", "conflict", "no_season_window", "overflow"),
        ActParams,
        body=Body(wire_boards.SeasonRequest, examples.SEASON_IN),
        tag="boards",
        description="It happens once per `id`. Events divide by their own `at`, also those that "
        "were counted before the reset was told.",
        writes=True,
    ),
    Operation(
        "listSeasons",
        "GET",
        "/v1/boards/{board}/seasons",
        Role.CLIENT,
        "All seasons of a board",
        boards.list_seasons,
        {200: wire_boards.SeasonsReply},
        examples.SEASONS,
        ("unknown_board",),
        tag="boards",
    ),
)

SCORES = (
    Operation(
        "postScores",
        "POST",
        "/v1/scores",
        Role.SERVER,
        "Send score events",
        scores.post_scores,
        {200: wire_scores.BatchReply | wire_scores.ScoreResult},
        examples.BATCH,
        ("unknown_board", "conflict", "early", "late", "overflow", "ineligible", "implausible"),
        ScoreParams,
        Body(wire_scores.EventIn, examples.BATCH_IN, (JSON, NDJSON), raw=True),
        "scores",
        'One event, a batch `{"events": [...]}`, or NDJSON with one event a line. A batch is '
        "answered with one result per item, in order, whatever the outcomes. An event by itself "
        "is answered with its result, or, if refused, with an error whose code is the outcome. "
        "The reply comes when the events are on disk. An event id counts once, so a request may "
        "be sent again; `Idempotency-Key` fills missing ids: the key itself for an event by "
        "itself, `key:index` in a batch.",
        writes=True,
    ),
    Operation(
        "getEvent",
        "GET",
        "/v1/boards/{board}/events/{event_id}",
        Role.CLIENT,
        "What became of an event",
        scores.get_event,
        {200: wire_scores.EventReply},
        examples.EVENT_REPLY,
        ("invalid", "unknown_board", "unknown_event"),
        tag="scores",
    ),
    Operation(
        "listEvents",
        "GET",
        "/v1/boards/{board}/events",
        Role.ADMIN,
        "The events a board was sent, from the log",
        events.list_events,
        {200: wire_events.EventsReply},
        examples.EVENTS,
        ("unknown_board",),
        EventsParams,
        tag="scores",
        description="In the order in which they were logged, each with its outcome; one that was "
        "refused for its shape was never logged. Follow `next` until it is null: a page may have "
        "no rows and still a `next`, as one request looks at some of the log only.",
    ),
)

READS = (
    Operation(
        "top",
        "GET",
        "/v1/boards/{board}/top",
        Role.CLIENT,
        "The first rows",
        reads.top,
        {200: wire_reads.StandingsReply},
        examples.STANDINGS,
        (*_READ_CODES, "withheld"),
        TopParams,
        tag="reads",
    ),
    Operation(
        "rank",
        "GET",
        "/v1/boards/{board}/rank/{player}",
        Role.CLIENT,
        "A player's rank",
        reads.rank,
        {200: wire_reads.RankReply},
        examples.RANK,
        (*_READ_CODES, "unranked_player", "withheld"),
        PastParams,
        tag="reads",
    ),
    Operation(
        "around",
        "GET",
        "/v1/boards/{board}/around/{player}",
        Role.CLIENT,
        "The rows around a player",
        reads.around,
        {200: wire_reads.StandingsReply},
        examples.STANDINGS,
        (*_READ_CODES, "unranked_player", "withheld"),
        AroundParams,
        tag="reads",
        description="`n` rows above and `n` below; at an edge the missing ones are not filled from "
        "the other side. `size` instead asks for so many rows in all.",
    ),
    Operation(
        "ranks",
        "GET",
        "/v1/boards/{board}/ranks",
        Role.CLIENT,
        "Rows by rank",
        reads.ranks,
        {200: wire_reads.StandingsReply},
        examples.STANDINGS,
        _READ_CODES,
        RanksParams,
        tag="reads",
        description="The rows whose shown rank lies in `[from, to]`; a rank that ties skip has "
        "none. Follow `next` for more than a page.",
    ),
    Operation(
        "scores",
        "GET",
        "/v1/boards/{board}/scores",
        Role.CLIENT,
        "Rows by score",
        reads.scores,
        {200: wire_reads.StandingsReply},
        examples.STANDINGS,
        _READ_CODES,
        ScoresParams,
        tag="reads",
        description="The rows whose first column lies in `[min, max]`.",
    ),
    Operation(
        "rankOf",
        "GET",
        "/v1/boards/{board}/rank-of",
        Role.CLIENT,
        "The rank that a score would get",
        reads.rank_of,
        {200: wire_reads.RankOfReply},
        examples.RANK_OF,
        (*_READ_CODES, "withheld"),
        RankOfParams,
        tag="reads",
        description="If it were reached now; with the points missing to the next better rank, and "
        "to the one `wanted`.",
    ),
    Operation(
        "ranksOfPlayers",
        "POST",
        "/v1/boards/{board}/ranks",
        Role.CLIENT,
        "The ranks of many players at once",
        reads.ranks_of,
        {200: wire_reads.RanksReply},
        examples.RANKS,
        _READ_CODES,
        ReadParams,
        Body(wire_reads.RanksRequest, examples.PLAYERS_IN),
        "reads",
        "In the order asked. Those who are not on the board are named in `missing`.",
    ),
    Operation(
        "friends",
        "POST",
        "/v1/boards/{board}/friends",
        Role.CLIENT,
        "Ranks among friends",
        reads.friends,
        {200: wire_reads.FriendsReply},
        examples.FRIENDS,
        _READ_CODES,
        ReadParams,
        Body(wire_reads.FriendsRequest, examples.FRIENDS_IN),
        "reads",
        "The players named, in board order: each with the rank among them and the rank on the "
        "board. Those who are not on the board are left out.",
    ),
)

FRIENDS = (
    Operation(
        "friendsOf",
        "GET",
        "/v1/boards/{board}/friends/{player}",
        Role.CLIENT,
        "A player's rank among friends",
        reads.friends_of,
        {200: wire_reads.FriendsPage},
        examples.FRIENDS_PAGE,
        (*_READ_CODES, "no_friends"),
        FriendsParams,
        None,
        "reads",
        "The player and those of the player's list, in board order: each with the rank among them "
        "and the rank on the board. Lists of 5,000 and more are ranked as boards of their own, "
        "which follow within seconds; `seq` says what they reflect.",
    ),
    Operation(
        "putFriends",
        "PUT",
        "/v1/players/{player}/friends",
        Role.SERVER,
        "Set a player's list of friends",
        players.put_friends,
        {200: wire_reads.FriendList},
        examples.FRIEND_LIST,
        body=Body(wire_reads.FriendsIn, examples.PLAYERS_IN),
        tag="players",
        description="It replaces the list before.",
        writes=True,
    ),
    Operation(
        "getFriends",
        "GET",
        "/v1/players/{player}/friends",
        Role.SERVER,
        "A player's list of friends",
        players.get_friends,
        {200: wire_reads.FriendList},
        examples.FRIEND_LIST,
        ("invalid", "no_friends"),
        tag="players",
    ),
)

PLAYERS = (
    Operation(
        "putPlayer",
        "PUT",
        "/v1/players/{player}",
        Role.SERVER,
        "Set a player's profile",
        players.put_player,
        {200: wire_reads.PlayerReply},
        examples.PLAYER_REPLY,
        ("too_many_values",),
        body=Body(wire_reads.ProfileIn, examples.PROFILE_IN),
        tag="players",
        description="It replaces the profile before. Standings show name and avatar; boards may be "
        "sliced by attributes, and the player then moves to the new segments at once.",
        writes=True,
    ),
    Operation(
        "getPlayer",
        "GET",
        "/v1/players/{player}",
        Role.CLIENT,
        "A player's profile",
        players.get_player,
        {200: wire_reads.PlayerReply},
        examples.PLAYER_REPLY,
        ("invalid", "unknown_player"),
        tag="players",
    ),
)

UPKEEP = (
    Operation(
        "startRebuild",
        "POST",
        "/v1/admin/rebuild",
        Role.ADMIN,
        "Make everything anew from the log",
        upkeep.start_rebuild,
        {202: wire_admin.RebuildReply},
        examples.REBUILD_STARTED,
        ("rebuilding", "stopped"),
        tag="upkeep",
        description="Entries, event ids, boards and profiles of all projects, for when "
        "`toprung verify` found a difference. The reply comes at once; reads and writes go on, "
        "and in the end writes wait for a moment.",
    ),
    Operation(
        "getRebuild",
        "GET",
        "/v1/admin/rebuild",
        Role.ADMIN,
        "How far a rebuild is, or how the last one ended",
        upkeep.get_rebuild,
        {200: wire_admin.RebuildReply},
        examples.REBUILD,
        tag="upkeep",
        description="Of this run of the server. One that was running when it stopped was given up.",
    ),
)


def openapi(services: Services, call: Call) -> Content:
    """The OpenAPI document."""
    return Content(_document(services.version), JSON.encode())


@cache
def _document(version: str) -> bytes:
    return msgspec.json.encode(document(PUBLIC, version))


SERVICE = (
    Operation(
        "healthz",
        "GET",
        "/healthz",
        None,
        "Whether the process runs",
        service.healthz,
        {200: wire_reads.Health},
        examples.HEALTH,
    ),
    Operation(
        "readyz",
        "GET",
        "/readyz",
        None,
        "Whether the server can serve",
        service.readyz,
        {200: wire_reads.Health, 503: wire_reads.Health},
        examples.HEALTH,
    ),
    Operation(
        "metrics",
        "GET",
        "/metrics",
        None,
        "Everything that is counted, for Prometheus",
        service.metrics,
        {200: str},
        media_type="text/plain",
    ),
    Operation(
        "openapi",
        "GET",
        "/openapi.json",
        None,
        "This document",
        openapi,
        {200: dict},
    ),
)

PAGES = (
    Operation("index", "GET", "/", None, "", pages.index, {200: bytes}, hidden=True),
    Operation("docs", "GET", "/docs", None, "", pages.docs, {200: bytes}, hidden=True),
    Operation("asset", "GET", "/assets/{file}", None, "", pages.asset, {200: bytes}, hidden=True),
    Operation("demo", "GET", "/demo.json", None, "", pages.demo, {200: bytes}, hidden=True),
)

CONTROL = (
    Operation(
        "setClock",
        "POST",
        "/_control/clock",
        None,
        "",
        service.set_clock,
        {200: service.ClockSet},
        body=Body(service.ClockSet, None),
        hidden=True,
    ),
    Operation(
        "rebuild",
        "POST",
        "/_control/rebuild",
        None,
        "",
        service.rebuild,
        {200: service.Rebuilt},
        hidden=True,
    ),
)

PUBLIC: Sequence[Operation] = (
    *BOARDS,
    *PERIODS,
    *FREEZING,
    *SCORES,
    *RULES,
    *READS,
    *PAST,
    *FRIENDS,
    *PLAYERS,
    *MODERATION,
    *QUARANTINE,
    *UPKEEP,
    *SERVICE,
)


def operations_of(services: Services) -> Sequence[Operation]:
    """The operations that a server with these services has."""
    return (*PUBLIC, *PAGES, *(CONTROL if services.control is not None else ()))
