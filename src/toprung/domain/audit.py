"""Acts as an audit lists them: who did what, to whom, and what came of it (R9)."""

from typing import Any, NamedTuple

import msgspec

from toprung.domain.records import (
    Act,
    Adjusted,
    BoardDropped,
    BoardPut,
    EventVoided,
    Judged,
    MatchVoided,
    PeriodPublished,
    PlayerErased,
    PlayerModerated,
    Record,
    SeasonBegun,
    SeasonEnded,
    SeasonsScheduled,
)

_NAMED_BOARDS = (
    BoardPut | BoardDropped | SeasonBegun | SeasonEnded | SeasonsScheduled | PeriodPublished
)
"""Acts on a board, whose own name it is that they give."""


class ActLine(NamedTuple):
    """An act that somebody asked for; the rest of it is in its record."""

    seq: int
    received_at: int
    project: str
    kind: str
    board: str | None
    player_id: str | None
    actor: str
    """The key that asked for it; empty: the clock did."""
    result: str
    """What it did, or ``refused``."""
    code: str | None
    """Why it was refused."""


def is_audited(act: Record) -> bool:
    """Whether an act is listed: what nobody in particular asks for is not."""
    return "actor" in act.__struct_fields__


def kind_of(act: Act) -> str:
    """What an act is called in an audit."""
    if isinstance(act, PlayerModerated):
        return act.action
    if isinstance(act, Adjusted):
        return "adjust"
    if isinstance(act, PlayerErased):
        return "erase"
    if isinstance(act, Judged):
        return "approve_event" if act.is_approved else "reject_event"
    if isinstance(act, EventVoided):
        return "void_event" if act.is_void else "unvoid_event"
    if isinstance(act, MatchVoided):
        return "void_match" if act.is_void else "unvoid_match"
    return str(act.__struct_config__.tag)


def act_line(
    act: Any, seq: int, received_at: int, board: str | None, result: str, code: str | None
) -> ActLine:
    """The line of an act that is listed.

    Args:
        board: where the act gives its board by id, the board's name.
    """
    return ActLine(
        seq,
        received_at,
        act.project,
        kind_of(act),
        act.name if isinstance(act, _NAMED_BOARDS) else getattr(act, "board", board),
        getattr(act, "player_id", None),
        act.actor,
        result,
        code,
    )


_LINE = {"project", "name", "board", "board_id", "player_id", "actor", "reason"}
"""Fields of acts that an audit tells by themselves."""
_INNER = {"revision", "at_given", "history", "metadata", "points", "update_only", "arrived_at"}
_INNER |= {"is_void", "is_approved", "action"}
"""Those that say nothing by themselves."""


def told_of(act: Record) -> dict[str, Any]:
    """What else an act says, by the names of its fields; what is not given is left out."""
    found = {
        name: _plain(getattr(act, name))
        for name in act.__struct_fields__
        if name not in _LINE | _INNER
    }
    if isinstance(act, SeasonBegun):
        found["name"] = act.season_name
        del found["season_name"]
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: Any) -> Any:
    """A value of an act as JSON has it: structures by the names of their fields."""
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value
