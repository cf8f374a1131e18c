"""Every operation of the API, once."""

from collections.abc import Sequence

from toprung.api import boards, pages, players, reads, scores, service
from toprung.api.openapi import openapi
from toprung.api.operation import Body, Operation
from toprung.api.parameters import (
    AroundParams,
    PutBoardParams,
    RankOfParams,
    RanksParams,
    ReadParams,
    ScoreParams,
    ScoresParams,
    TopParams,
)
from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.wire import boards as wire_boards
from toprung.wire import reads as wire_reads
from toprung.wire import scores as wire_scores

JSON = ("application/json",)

_READ_ERRORS = ("invalid", "unknown_board", "unsupported")
_WRITE_ERRORS = (
    "overloaded",
    "stopped",
    "storage_busy",
    "storage_full",
    "storage_io",
    "storage_read_only",
    "storage_unavailable",
)

BOARDS = (
    Operation(
        "putBoard",
        "PUT",
        "/v1/boards/{board}",
        Role.ADMIN,
        "Make a board, or change one",
        boards.put_board,
        {200: wire_boards.BoardPutReply, 201: wire_boards.BoardPutReply},
        (
            "invalid",
            "bad_json",
            "too_large",
            "unsupported_media_type",
            "settings_differ",
            "settings_fixed",
            "not_exact",
            "overflow",
            *_WRITE_ERRORS,
        ),
        PutBoardParams,
        Body(JSON, wire_boards.BoardSettings, None),
        "boards",
    ),
    Operation(
        "getBoard",
        "GET",
        "/v1/boards/{board}",
        Role.CLIENT,
        "A board with the present periods of its windows",
        boards.get_board,
        {200: wire_boards.Board},
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
        ("unknown_board", *_WRITE_ERRORS),
        tag="boards",
    ),
    Operation(
        "beginSeason",
        "POST",
        "/v1/boards/{board}/seasons",
        Role.ADMIN,
        "Begin a season: a reset",
        boards.begin_season,
        {201: wire_boards.SeasonReply, 200: wire_boards.SeasonReply},
        (
            "invalid",
            "bad_json",
            "too_large",
            "unsupported_media_type",
            "unknown_board",
            "conflict",
            "no_season_window",
            "overflow",
            *_WRITE_ERRORS,
        ),
        body=Body(JSON, wire_boards.SeasonRequest, None),
        tag="boards",
    ),
    Operation(
        "listSeasons",
        "GET",
        "/v1/boards/{board}/seasons",
        Role.CLIENT,
        "All seasons of a board",
        boards.list_seasons,
        {200: wire_boards.SeasonsReply},
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
        (
            "invalid",
            "bad_json",
            "too_large",
            "unsupported_media_type",
            "unknown_board",
            "conflict",
            "early",
            "late",
            "overflow",
            "ineligible",
            "implausible",
            *_WRITE_ERRORS,
        ),
        ScoreParams,
        Body((*JSON, scores.NDJSON), wire_scores.EventIn, None, raw=True),
        "scores",
    ),
    Operation(
        "getEvent",
        "GET",
        "/v1/boards/{board}/events/{event_id}",
        Role.CLIENT,
        "What became of an event",
        scores.get_event,
        {200: wire_scores.EventReply},
        ("invalid", "unknown_board", "unknown_event"),
        tag="scores",
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
        _READ_ERRORS,
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
        (*_READ_ERRORS, "unranked_player"),
        ReadParams,
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
        (*_READ_ERRORS, "unranked_player"),
        AroundParams,
        tag="reads",
    ),
    Operation(
        "ranks",
        "GET",
        "/v1/boards/{board}/ranks",
        Role.CLIENT,
        "Rows by rank",
        reads.ranks,
        {200: wire_reads.StandingsReply},
        _READ_ERRORS,
        RanksParams,
        tag="reads",
    ),
    Operation(
        "scores",
        "GET",
        "/v1/boards/{board}/scores",
        Role.CLIENT,
        "Rows by score",
        reads.scores,
        {200: wire_reads.StandingsReply},
        _READ_ERRORS,
        ScoresParams,
        tag="reads",
    ),
    Operation(
        "rankOf",
        "GET",
        "/v1/boards/{board}/rank-of",
        Role.CLIENT,
        "The rank that a score would get",
        reads.rank_of,
        {200: wire_reads.RankOfReply},
        _READ_ERRORS,
        RankOfParams,
        tag="reads",
    ),
    Operation(
        "ranksOfPlayers",
        "POST",
        "/v1/boards/{board}/ranks",
        Role.CLIENT,
        "The ranks of many players at once",
        reads.ranks_of,
        {200: wire_reads.RanksReply},
        (*_READ_ERRORS, "bad_json", "too_large", "unsupported_media_type"),
        ReadParams,
        Body(JSON, wire_reads.RanksRequest, None),
        "reads",
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
        ("invalid", "bad_json", "too_large", "unsupported_media_type", *_WRITE_ERRORS),
        body=Body(JSON, wire_reads.ProfileIn, None),
        tag="players",
    ),
    Operation(
        "getPlayer",
        "GET",
        "/v1/players/{player}",
        Role.CLIENT,
        "A player's profile",
        players.get_player,
        {200: wire_reads.PlayerReply},
        ("invalid", "unknown_player"),
        tag="players",
    ),
)

SERVICE = (
    Operation(
        "healthz",
        "GET",
        "/healthz",
        None,
        "Whether the process runs",
        service.healthz,
        {200: wire_reads.Health},
    ),
    Operation(
        "readyz",
        "GET",
        "/readyz",
        None,
        "Whether the server can serve",
        service.readyz,
        {200: wire_reads.Health, 503: wire_reads.Health},
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
        body=Body(JSON, service.ClockSet, None),
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

PUBLIC: Sequence[Operation] = (*BOARDS, *SCORES, *READS, *PLAYERS, *SERVICE)


def operations_of(services: Services) -> Sequence[Operation]:
    """The operations that a server with these services has."""
    return (*PUBLIC, *PAGES, *(CONTROL if services.control is not None else ()))
