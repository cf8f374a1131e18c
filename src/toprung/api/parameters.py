"""What may stand in a query, and how it is read: strictly, once each, nothing unknown."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import unquote_to_bytes

import msgspec

from toprung.api.errors import ApiError
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import (
    AROUND,
    CURSOR_CHARS,
    PAGE_ROWS,
    PERIOD_ROWS,
    RANK,
    REVEALED,
    SCHEDULE,
    Limit,
)
from toprung.wire.boards import IfExists
from toprung.wire.reads import Numbering

_INTEGER_CHARS_MAX = 20
_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


def _about(description: str) -> msgspec.Meta:
    return msgspec.Meta(description=description)


def _within(limit: Limit, description: str) -> msgspec.Meta:
    return msgspec.Meta(ge=limit.minimum, le=limit.maximum, description=description)


_Window = Annotated[str, _about("A window of the board; default: its first.")]
_Period = Annotated[
    str,
    _about(
        "A period's key, `current` (the default), `previous`, or an RFC 3339 instant that the "
        "period holds."
    ),
]
_Moment = Annotated[
    str,
    _about(
        "An RFC 3339 instant, or a `seq` of a reply: what a reader would have been answered then, "
        "by what had arrived."
    ),
]
_Numbering = Annotated[Numbering, _about("How ranks are numbered; default: the board's own way.")]
_Cursor = Annotated[
    str,
    msgspec.Meta(
        min_length=CURSOR_CHARS.minimum,
        max_length=CURSOR_CHARS.maximum,
        description="`next` or `prev` of a page before. It keeps that page's window and period; "
        "the other parameters are to be given again.",
    ),
]
_Limit = Annotated[int, _within(PAGE_ROWS, "Rows of a page.")]


_View = Annotated[
    Literal["full"],
    _about("`full`: with what a freeze keeps from the public. Needs an admin key."),
]


class ReadParams(msgspec.Struct, frozen=True):
    """What every read of a board takes."""

    window: _Window | None = None
    period: _Period | None = None
    numbering: _Numbering | None = None
    segment: (
        Annotated[
            str,
            _about(
                "A segment of the board as `name:value`, such as `country:NO`: ranks and totals "
                "are those among its players. A value that nobody has is an empty list."
            ),
        ]
        | None
    ) = None
    view: _View | None = None


class RevealParams(msgspec.Struct, frozen=True):
    window: _Window | None = None
    period: _Period | None = None
    numbering: _Numbering | None = None
    limit: Annotated[int, _within(PAGE_ROWS, "How many steps.")] = 100
    after: Annotated[int, _within(REVEALED, "How many steps are left out; `next` of a reply.")] = 0


class PastParams(ReadParams, frozen=True):
    """What a read takes that can also look back (R24)."""

    as_of: _Moment | None = None
    start: Annotated[
        str | None,
        _about(
            "An RFC 3339 instant. With `from`, `to` or both the board is ranked by the events with "
            "`at` in `[from, to)` alone, whichever windows took them."
        ),
    ] = msgspec.field(default=None, name="from")
    stop: Annotated[str | None, _about("An RFC 3339 instant; see `from`.")] = msgspec.field(
        default=None, name="to"
    )
    since: (
        Annotated[
            str,
            _about(
                "An RFC 3339 instant or a period: each row tells in `rank_delta` how many ranks "
                "better it is than then. Without one, the player was not on the board."
            ),
        ]
        | None
    ) = None


class TopParams(PastParams, frozen=True):
    k: Annotated[int, _within(PAGE_ROWS, "How many rows.")] = 10
    cursor: _Cursor | None = None
    fallback: (
        Annotated[
            Literal["previous"],
            _about(
                "`previous`: as long as nobody is on the period, the one before is told, and the "
                "reply says so. Not together with `as_of`, `from`, `to` and `since`."
            ),
        ]
        | None
    ) = None


class AroundParams(PastParams, frozen=True):
    n: (
        Annotated[
            int, _within(AROUND, "Rows above and below; default 5. Not together with `size`.")
        ]
        | None
    ) = None
    size: Annotated[int, _within(PAGE_ROWS, "Rows in all, slid to stay on the board.")] | None = (
        None
    )


class FriendsParams(ReadParams, frozen=True):
    """What a read of a list of friends takes."""

    k: Annotated[int, _within(PAGE_ROWS, "How many rows.")] = 100
    cursor: _Cursor | None = None


class RanksParams(ReadParams, frozen=True, rename={"first": "from", "last": "to"}):
    first: Annotated[int, _within(RANK, "The best rank wanted.")] = 1
    last: Annotated[int, _within(RANK, "The last rank wanted.")] = 100
    limit: _Limit = 100
    cursor: _Cursor | None = None


class ScoresParams(ReadParams, frozen=True, rename={"low": "min", "high": "max"}):
    low: Annotated[str, _about("The least score wanted.")] | None = None
    high: Annotated[str, _about("The greatest score wanted.")] | None = None
    limit: _Limit = 100
    cursor: _Cursor | None = None


class EventsParams(msgspec.Struct, frozen=True):
    limit: _Limit = 100
    cursor: (
        Annotated[
            str,
            msgspec.Meta(
                min_length=CURSOR_CHARS.minimum,
                max_length=CURSOR_CHARS.maximum,
                description="`next` of the page before.",
            ),
        ]
        | None
    ) = None


class RankOfParams(ReadParams, frozen=True, kw_only=True):
    score: Annotated[
        str,
        _about(
            "The score; on boards with several columns their values in order, separated by "
            "commas. Later ones may be left out."
        ),
    ]
    wanted: Annotated[int, _within(RANK, "A rank to tell the distance to.")] | None = None


class ScheduleParams(msgspec.Struct, frozen=True):
    next: Annotated[int, _within(SCHEDULE, "How many boundaries of each window.")] = 10
    window: Annotated[str, _about("A window of the board; default: all of them.")] | None = None


class HistoryParams(ReadParams, frozen=True):
    start: (
        Annotated[str, _about("The first moment, RFC 3339; default: where the period begins.")]
        | None
    ) = msgspec.field(default=None, name="from")
    stop: (
        Annotated[str, _about("The last moment; default: now, or where the period ended.")] | None
    ) = msgspec.field(default=None, name="to")
    step: (
        Annotated[
            str,
            _about(
                "The time from one point to the next, as `90s`, `10m`, `1h` or `7d`; default: a "
                "hundredth of the whole."
            ),
        ]
        | None
    ) = None


class ExplainParams(ReadParams, frozen=True):
    limit: Annotated[int, _within(PAGE_ROWS, "How many events, the latest ones.")] = 100


class PeriodParams(msgspec.Struct, frozen=True):
    window: _Window | None = None
    view: _View | None = None


class PeriodsParams(msgspec.Struct, frozen=True):
    window: _Window | None = None
    limit: Annotated[int, _within(PERIOD_ROWS, "How many periods.")] = 100
    before: (
        Annotated[str, _about("A period's key: only earlier ones are told. `next` of a reply.")]
        | None
    ) = None
    view: _View | None = None


class ActParams(msgspec.Struct, frozen=True, kw_only=True):
    reason: Annotated[str, _about("Why, for the audit; players never see it.")] | None = None


class PublishParams(ActParams, frozen=True, kw_only=True):
    window: _Window | None = None


class AuditParams(msgspec.Struct, frozen=True):
    limit: Annotated[int, _within(PAGE_ROWS, "How many acts, the latest ones.")] = 100
    cursor: _Cursor | None = None
    kind: Annotated[str, _about("Only acts of this kind, as replies name it.")] | None = None
    board: Annotated[str, _about("Only acts on this board.")] | None = None
    player: Annotated[str, _about("Only acts on this player.")] | None = None
    actor: Annotated[str, _about("Only what this key asked for: the key's id.")] | None = None
    start: Annotated[str, _about("Only acts from then on, RFC 3339.")] | None = msgspec.field(
        default=None, name="from"
    )
    stop: Annotated[str, _about("Only acts before then, RFC 3339.")] | None = msgspec.field(
        default=None, name="to"
    )


class QuarantineParams(msgspec.Struct, frozen=True):
    limit: Annotated[int, _within(PAGE_ROWS, "How many events, the last that came.")] = 100
    cursor: _Cursor | None = None
    board: Annotated[str, _about("Only events of this board.")] | None = None
    state: Annotated[
        Literal["waiting", "rejected"], _about("Those that wait, or those that were rejected.")
    ] = "waiting"


class PutBoardParams(ActParams, frozen=True):
    if_exists: Annotated[
        IfExists,
        _about("What to do where the board exists with other settings."),
    ] = "refuse"


_Ranked = Annotated[bool, _about("Whether results tell ranks; `false` is quicker.")]


class NamedParams(msgspec.Struct, frozen=True):
    ranks: _Ranked = True


class ScoreParams(msgspec.Struct, frozen=True):
    ranks: _Ranked = True
    history: Annotated[
        bool, _about("Each event counts as arrived at its own `at`. Needs an admin key.")
    ] = False


REMEMBERED = 1024
"""Queries of an operation whose params are remembered; most programs ask with the same few."""
REMEMBERED_BYTES_MAX = 256

Reader = Callable[[bytes], Any]
"""Gives the params struct of a query string."""


def query_reader(params: type[msgspec.Struct]) -> Reader:
    """What reads the query of an operation with these params.

    The reader raises:
        ApiError: ``bad_encoding``, ``unknown_parameter``.
        InvalidInput: naming the parameter.
    """
    fields = msgspec.structs.fields(params)
    converters = {
        field.encode_name: (field.name, _converter(field.encode_name, field.type))
        for field in fields
    }
    required = [field.encode_name for field in fields if field.required]
    known = ", ".join(converters)
    empty = None if required else params()

    def read(query: bytes) -> Any:
        if not query and empty is not None:
            return empty
        values: dict[str, Any] = {}
        for name, text in split_query(query):
            found = converters.get(name)
            if found is None:
                raise _unknown(name, known)
            attribute, convert = found
            if attribute in values:
                raise InvalidInput(f"{name} is given more than once", field=name)
            values[attribute] = convert(text)
        for name in required:
            if converters[name][0] not in values:
                raise InvalidInput(f"{name} is missing", field=name)
        return params(**values)

    remembered = lru_cache(REMEMBERED)(read)
    return lambda query: remembered(query) if len(query) <= REMEMBERED_BYTES_MAX else read(query)


def _unknown(name: str, known: str) -> ApiError:
    return ApiError(
        "unknown_parameter",
        f"there is no parameter {name!r} here",
        field=name,
        hint=f"it may have {known}" if known else "it takes none",
    )


def split_query(query: bytes) -> list[tuple[str, str]]:
    """Names and values of a query string, in order.

    Raises:
        ApiError: ``bad_encoding``.
    """
    pairs = []
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.partition(b"=")
            pairs.append((_text(name), _text(value)))
    return pairs


def _text(raw: bytes) -> str:
    if b"+" in raw:
        raw = raw.replace(b"+", b" ")
    return decode_text(raw)


def decode_text(raw: bytes) -> str:
    """The text of a percent-encoded part of a URL; strictly UTF-8.

    Raises:
        ApiError: ``bad_encoding``.
    """
    if b"%" in raw:
        if _BAD_ESCAPE.search(raw) is not None:
            raise ApiError(
                "bad_encoding",
                "the URL holds a % without two hexadecimal digits",
                hint="write %25 for a % itself",
            )
        raw = unquote_to_bytes(raw)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise ApiError(
            "bad_encoding", "the URL holds bytes that are no UTF-8", hint="percent-encode UTF-8"
        ) from None


def _converter(name: str, kind: Any) -> Callable[[str], Any]:
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    options = [option for option in get_args(kind) if option is not type(None)]
    if get_origin(kind) is Literal:
        return _choice(name, get_args(kind))
    if len(options) == 1:
        return _converter(name, options[0])
    if kind is bool:
        return _choice(name, (True, False))
    return _integer(name) if kind is int else str


def _integer(name: str) -> Callable[[str], int]:
    def convert(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(text) <= _INTEGER_CHARS_MAX):
            raise InvalidInput(f"{name} must be a whole number", field=name)
        return int(text)

    return convert


def _choice(name: str, choices: tuple[Any, ...]) -> Callable[[str], Any]:
    by_text = {
        str(choice).lower() if choice is True or choice is False else choice: choice
        for choice in choices
    }

    def convert(text: str) -> Any:
        if text not in by_text:
            raise InvalidInput(f"{name} must be one of {', '.join(by_text)}", field=name)
        return by_text[text]

    return convert
