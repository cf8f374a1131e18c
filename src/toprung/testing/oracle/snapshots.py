"""What is kept of a closed period, written by the documented form and nothing else (R10)."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Context, Decimal
from hashlib import sha256
from typing import NamedTuple

from toprung.testing.oracle.facts import Rules
from toprung.testing.oracle.lines import Standings

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = Context(prec=40)


class Kept(NamedTuple):
    """How many players it had, and the SHA-256 of its canonical form, in hexadecimal."""

    players: int
    sha256: str
    who: frozenset[str]


def kept_of(standings: Standings, rules: Rules) -> Kept:
    """What is kept of these standings."""
    text = "".join(
        json.dumps(
            [
                rank,
                line.player_id,
                [
                    number_text(value, column.decimals)
                    for value, column in zip(line.columns, rules.columns, strict=True)
                ],
                _instant(line.reached_at),
            ],
            ensure_ascii=False,
            separators=(",", ":"),
        )
        + "\n"
        for rank, line in enumerate(standings.lines, start=1)
    )
    who = frozenset(line.player_id for line in standings.lines)
    return Kept(len(standings.lines), sha256(text.encode()).hexdigest(), who)


def number_text(value: int, decimals: int) -> str:
    """A scaled number as text, without zeros that say nothing."""
    text = f"{_DIGITS.scaleb(Decimal(value), -decimals):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _instant(at: int) -> str:
    moment = (_EPOCH + timedelta(microseconds=at)).replace(tzinfo=None)
    return (
        f"{moment.isoformat()}Z" if not moment.microsecond else f"{moment.isoformat().rstrip('0')}Z"
    )


def without_zeros(points: dict[str, str]) -> dict[str, str]:
    """The same numbers with as few decimals as they need."""
    return {
        name: text.rstrip("0").rstrip(".") if "." in text else text for name, text in points.items()
    }
