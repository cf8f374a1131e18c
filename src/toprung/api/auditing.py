"""The audit: who did what, and when."""

from typing import Any

from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.domain.audit import told_of
from toprung.domain.erasing import is_stand_in
from toprung.domain.instants import format_duration, format_instant, parse_instant
from toprung.ports.store import WantedActs
from toprung.query import ListedAct
from toprung.wire import audit as wire

_INSTANTS = {"at", "until", "ends_at", "freeze_at"}
_DURATIONS = {
    "grace": "none",
    "max_ahead": "none",
    "remember": "forever",
    "keep": "forever",
    "wait": "",
}
"""Fields of acts that count microseconds, and what they say of no end."""


def list_acts(services: Services, call: Call) -> wire.AuditReply:
    """The latest acts."""
    params, seq = call.params, services.seq()
    since = None if params.start is None else parse_instant(params.start, "from")
    until = None if params.stop is None else parse_instant(params.stop, "to")
    wanted = WantedActs(
        call.project, params.kind, params.board, params.player, params.actor, since, until
    )
    page = services.audit.page(wanted, params.limit, params.cursor)
    return wire.AuditReply(tuple(map(_told, page.rows)), page.next, str(seq))


def _told(listed: ListedAct) -> wire.AuditedAct:
    line = listed.line
    return wire.AuditedAct(
        str(line.seq),
        format_instant(line.received_at),
        line.kind,
        line.board,
        None if is_stand_in(line.player_id or "") else line.player_id,
        line.actor or None,
        getattr(listed.act, "reason", None),
        line.result,
        line.code,
        _plain(told_of(listed.act)),
    )


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """What an act says, as everything else that the API says."""
    return {name: _value(name, value) for name, value in fields.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_value("", each) for each in value]
    if name in _DURATIONS:
        return format_duration(value, unlimited=_DURATIONS[name])
    if name in _INSTANTS and isinstance(value, int):
        return format_instant(value)
    return value
