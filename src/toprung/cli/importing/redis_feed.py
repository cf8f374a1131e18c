"""The members of a sorted set of Redis or Valkey, as events."""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from toprung.cli.errors import Failed
from toprung.cli.importing.rows import Row
from toprung.cli.importing.sending import Batch
from toprung.cli.importing.state import Progress
from toprung.domain.limits import ID_BYTES

if TYPE_CHECKING:
    from redis import Redis

_SCHEMES = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
ANSWER_S = 30.0
"""How long an answer of the server is waited for."""
EXACT_WHOLE = 2**53
"""A double tells whole numbers apart up to here."""
EXACT_DIGITS = 15
"""Every number of so many digits is told apart by a double from every other one."""
_END = "end"
"""The mark behind the last page; cursors are numbers."""


def is_redis(address: str) -> bool:
    """Whether an import reads from a server of Redis or Valkey."""
    return urlsplit(address).scheme in _SCHEMES


class RedisFeed:
    """A :class:`~toprung.cli.importing.feed.Feed` of a sorted set.

    It is read page by page (``ZSCAN``) while others may write to it: a member that is there all the
    time is met at least once. A member met again is the same event.

    Args:
        decimals: of the board's only column.
        at: when the scores were reached, for all of them; ``None``: when they arrive.
    """

    def __init__(self, address: str, key: str, board: str, decimals: int, at: str | None) -> None:
        from toprung.sdk import ScoreEvent  # noqa: PLC0415 - only commands that speak HTTP load it

        self._event = ScoreEvent
        self._address = address
        self._key = key
        self._board = board
        self._decimals = decimals
        self._at = at
        self._redis: Redis | None = None

    @property
    def state_path(self) -> Path | None:
        """See the protocol: in the present folder."""
        return Path(f"redis-{quote(self._key, safe='')[:100]}.toprung-import.json")

    def identity(self, progress: Callable[[int], None]) -> str | None:
        """See the protocol: server and key, without who asks."""
        parts = urlsplit(self._address)
        return f"{parts.hostname}:{parts.port} {parts.path} {parts.query} {self._key}"

    def size(self) -> int:
        """How many members there are now.

        Raises:
            Failed: the server is out of reach, or the key holds no sorted set.
        """
        kind = self._ask("type", self._key).decode()
        if kind != "zset":
            what = "there is no such key" if kind == "none" else f"the key holds a {kind}"
            raise Failed("no_sorted_set", f"{self._key}: {what}, no sorted set")
        return int(self._ask("zcard", self._key))

    def batches(self, done: Progress, size: int) -> Iterator[Batch]:
        """See the protocol."""
        numbers = count(done.rows + 1)
        met, mark = done.rows, done.mark or "0"
        while mark != _END:
            cursor, members = self._ask("zscan", self._key, cursor=int(mark), count=size)
            after = str(cursor) if cursor else _END
            for start in range(0, len(members), size):
                part = members[start : start + size]
                rows = [self._row(next(numbers), *each) for each in part]
                met += len(part)
                # Going on in the middle of a page is not possible: it is read again then.
                yield Batch(rows, met, after if start + size >= len(members) else mark)
            mark = after

    def _row(self, number: int, member: bytes, score: float) -> Row:
        try:
            player = member.decode()
        except UnicodeDecodeError:
            return Row(number, 0, None, f"the member {member!r} is not UTF-8")
        points = exact_points(score, self._decimals)
        if points is None:
            why = f"the score {score!r} of {player!r} is no number of {self._decimals} decimals"
            return Row(number, 0, None, f"{why} that a double holds exactly")
        event_id = event_id_of(self._key, player)
        return Row(number, 0, self._event(self._board, player, points, event_id, self._at))

    def _ask(self, command: str, *arguments: Any, **options: Any) -> Any:
        try:
            import redis  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise Failed(
                "no_redis",
                "this needs redis-py, which is not installed",
                hint="pip install 'toprung[redis]'",
            ) from error
        try:
            if self._redis is None:
                parts = urlsplit(self._address)
                url = parts._replace(scheme=_SCHEMES[parts.scheme]).geturl()
                self._redis = redis.Redis.from_url(url, socket_timeout=ANSWER_S)
            return getattr(self._redis, command)(*arguments, **options)
        except (redis.RedisError, ValueError) as error:
            # Not the whole address: it may hold a password.
            where = urlsplit(self._address).hostname
            raise Failed("redis", f"{where}: {error}") from error


def exact_points(score: float, decimals: int) -> str | None:
    """The number that was meant by a double; ``None`` where it could have been another one too, or
    has more decimals than that.

    Redis keeps scores as doubles. A whole number up to 2^53, or a number of at most 15 digits,
    comes out as it was put in: 0.1 is 0.1. Beyond that neighbours have become one.
    """
    if not math.isfinite(score):
        return None
    if score == int(score):
        return str(int(score)) if abs(score) <= EXACT_WHOLE else None
    _, digits, exponent = Decimal(repr(score)).as_tuple()
    if len(digits) > EXACT_DIGITS or not isinstance(exponent, int) or -exponent > decimals:
        return None
    return format(Decimal(repr(score)), "f")


def event_id_of(key: str, member: str) -> str:
    """The event id of a member: the same each time, so that it counts once."""
    # A key with a colon must not be taken for another one with a longer member.
    plain = f"redis:{quote(key, safe='')}:{member}"
    if len(plain.encode()) <= ID_BYTES.maximum:
        return plain
    return f"redis:{hashlib.sha256(plain.encode()).hexdigest()}"


def only_column(board: str, decimals: Sequence[int]) -> int:
    """The decimals of a board's only column.

    Raises:
        Failed: ``other_columns``, it has several: a sorted set has one score.
    """
    if len(decimals) != 1:
        raise Failed(
            "other_columns", f"board {board!r} must have one column: a member has one score"
        )
    return decimals[0]
