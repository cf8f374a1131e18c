"""Plays the entries of a case, in order of delivery, and keeps the outcome of each event."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from toprung.testing.api import ProductTrouble, Refused, segment
from toprung.testing.cases.model import Entry
from toprung.testing.cases.session import Session, instant_of
from toprung.testing.cases.settings import board_name, board_settings
from toprung.testing.cases.trouble import CannotPlay
from toprung.testing.command import toprung
from toprung.testing.control import instant_text

OUTCOMES = frozenset(
    {
        "invalid",
        "unknown_board",
        "forbidden",
        "duplicate",
        "conflict",
        "ineligible",
        "implausible",
        "early",
        "late",
        "overflow",
        "unchanged",
        "counted",
    }
)
BATCH_EVENTS_MAX = 500

_RENAMED = {"id": "event_id", "player": "player_id", "score": "points"}
_SENT_AS_IT_IS = frozenset({"at", "match_id", "metadata"})
_NOT_SENT = frozenset({"board", "name", "recv"})
_CSV_COLUMNS = {"event_id": "id", "player_id": "player", "points": "score", "at": "at"}


class Player:
    """Does to the product what the entries of one case say."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._setups: dict[str, Mapping[str, Any]] = {}
        self._acts: Mapping[str, Callable[[Entry], None]] = {
            "advance": self._advance,
            "batch": self._play_batch,
            "config": self._config,
            "crash": self._crash,
            "create_board": self._create_board,
            "csv": self._play_csv,
            "drop_board": self._drop_board,
            "erase": self._act_on_player,
            "hide": self._act_on_player,
            "join": self._put_player,
            "rebuild": self._rebuild,
            "rename": self._put_player,
            "repeat": self._play_repeat,
            "reset": self._reset,
            "restart": self._restart,
            "unhide": self._act_on_player,
            "void": self._void,
        }
        self.outcomes: list[str] = []
        """One per delivered event."""

    def set_up(self, setup: Mapping[str, Any]) -> None:
        """Make the board of a case, and the further ones it names."""
        for each in (setup, *setup.get("more_boards", [])):
            self._put_board(each, if_exists="refuse")

    def play(self, entry: Entry) -> None:
        """Play one entry.

        Raises:
            CannotPlay: there is no way to play it.
            ProductTrouble: the product did not answer as it promises.
        """
        op = entry.get("op")
        if op is None:
            self._play_event(entry)
        elif act := self._acts.get(op):
            act(entry)
        else:
            raise CannotPlay(f"there is no way to play {op!r} yet")

    # Events -----------------------------------------------------------------------------------

    def _play_event(self, event: Entry) -> None:
        self._arrive(event)
        self._name(event)
        try:
            reply = self._session.admin.send("POST", "/v1/scores", _event_body(event))
            self._note(reply.body["outcome"])
        except Refused as refused:
            self._note(refused.code)

    def _play_batch(self, entry: Entry) -> None:
        for event in entry["events"]:
            self._arrive(event)
            self._name(event)
        self._send_batch(entry["events"])

    def _play_repeat(self, entry: Entry) -> None:
        """Events that arrive while the clock stands still travel together."""
        for arrival, events in groupby(_repeated(entry), key=_Ratchet(self._session.clock.now)):
            self._session.clock.reach(arrival)
            together = list(events)
            for start in range(0, len(together), BATCH_EVENTS_MAX):
                self._send_batch(together[start : start + BATCH_EVENTS_MAX])

    def _play_csv(self, entry: Entry) -> None:
        """A file goes in as a user's file does: through the command that imports."""
        with TemporaryDirectory() as folder:
            rows, results = Path(folder, "rows.csv"), Path(folder, "results.jsonl")
            rows.write_bytes(entry["text"].encode())
            toprung(
                *("import", str(rows), "--board", board_name(entry)),
                *(f"--map={ours}={theirs}" for ours, theirs in _CSV_COLUMNS.items()),
                *("--results", str(results), "--json"),
                *("--url", self._session.control.url, "--key", self._session.admin_key),
            )
            for line in results.read_bytes().splitlines():
                self._note(msgspec.json.decode(line)["outcome"])

    def _send_batch(self, events: Sequence[Entry]) -> None:
        body = {"events": [_event_body(event) for event in events]}
        results = self._session.admin.send("POST", "/v1/scores", body).body["results"]
        if len(results) != len(events):
            raise ProductTrouble(f"{len(events)} events got {len(results)} results")
        for result in results:
            self._note(result["outcome"])

    def _note(self, outcome: str) -> None:
        if outcome not in OUTCOMES:
            raise ProductTrouble(f"an event was answered with {outcome!r}, which is no outcome")
        self.outcomes.append(outcome)

    def _arrive(self, entry: Entry) -> None:
        """Let the clock stand where this entry arrives."""
        self._session.clock.reach(instant_of(entry.get("recv", entry.get("at"))))

    def _name(self, event: Entry) -> None:
        """An event of a case may carry the player's name; the API takes it as a profile."""
        if "name" in event:
            self._put_player(event)

    # Acts -------------------------------------------------------------------------------------

    def _put_player(self, entry: Entry) -> None:
        profile = {key: entry[key] for key in ("name", "attributes") if key in entry}
        self._session.admin.send("PUT", f"/v1/players/{segment(entry['player'])}", profile)

    def _act_on_player(self, entry: Entry) -> None:
        path = f"/v1/players/{segment(entry['player'])}/{entry['op']}"
        self._session.admin.send("POST", path, {})

    def _void(self, entry: Entry) -> None:
        board, event = segment(board_name(entry)), segment(entry["target"])
        self._session.admin.send("POST", f"/v1/boards/{board}/events/{event}/void", {})

    def _reset(self, entry: Entry) -> None:
        self._arrive(entry)
        season = {key: entry[key] for key in ("id", "name", "at") if key in entry}
        path = f"/v1/boards/{segment(board_name(entry))}/seasons"
        self._session.admin.send("POST", path, season)

    def _create_board(self, entry: Entry) -> None:
        self._put_board(entry["set"], if_exists="refuse", may_be_refused=True)

    def _config(self, entry: Entry) -> None:
        board = board_name(entry)
        changed = {**self._setups[board], **entry["set"], "board": board}
        self._put_board(changed, if_exists="recompute", may_be_refused=True)

    def _put_board(
        self, setup: Mapping[str, Any], *, if_exists: str, may_be_refused: bool = False
    ) -> None:
        """Make or change a board. Where a case is about the refusal, its queries judge it."""
        board = board_name(setup)
        path = f"/v1/boards/{segment(board)}"
        parameters = {"if_exists": if_exists}
        try:
            self._session.admin.send("PUT", path, board_settings(setup), parameters)
        except Refused:
            if not may_be_refused:
                raise
        else:
            self._setups[board] = {
                key: value for key, value in setup.items() if key != "more_boards"
            }

    def _drop_board(self, entry: Entry) -> None:
        self._session.admin.send("DELETE", f"/v1/boards/{segment(board_name(entry))}")

    def _advance(self, entry: Entry) -> None:
        instant = instant_of(entry["to"])
        if instant is None:
            raise CannotPlay(f"the clock cannot advance to {entry['to']!r}")
        self._session.clock.reach(instant)

    def _restart(self, _: Entry) -> None:
        self._session.control.restart()

    def _crash(self, _: Entry) -> None:
        self._session.control.crash()

    def _rebuild(self, _: Entry) -> None:
        self._session.control.rebuild()


def _event_body(event: Entry) -> dict[str, Any]:
    """An event of a case in the words of the API; what it gets wrong, it gets wrong there too."""
    body: dict[str, Any] = {"board": board_name(event)}
    for key, value in event.items():
        if key in _RENAMED:
            body[_RENAMED[key]] = value
        elif key in _SENT_AS_IT_IS:
            body[key] = value
        elif key not in _NOT_SENT:
            raise CannotPlay(f"an event's {key!r} has no counterpart in the API")
    return body


class _Ratchet:
    """Tells when each event of a row arrives: at its own instant, but never before the last one."""

    def __init__(self, now: datetime | None) -> None:
        self._now = now

    def __call__(self, event: Entry) -> datetime | None:
        instant = instant_of(event.get("at"))
        if instant is not None and (self._now is None or instant > self._now):
            self._now = instant
        return self._now


def _repeated(entry: Entry) -> Iterable[Entry]:
    """The ``n`` events that a ``repeat`` stands for."""
    start = instant_of(entry["at"])
    if start is None:
        raise CannotPlay(f"a repeat cannot begin at {entry['at']!r}")
    step = timedelta(milliseconds=entry.get("at_step_ms", 0))
    for place in range(entry["n"]):
        yield {
            "id": f"{entry['id_prefix']}{place:04}",
            "board": board_name(entry),
            "player": entry.get("player") or f"{entry['player_prefix']}{place:04}",
            "score": _stepped(entry["score"], entry.get("score_step", 0), place),
            "at": instant_text(start + place * step),
        }


def _stepped(score: Any, step: Any, times: int) -> str:
    return format(_decimal(score) + times * _decimal(step), "f")


def _decimal(number: Any) -> Decimal:
    return Decimal(bytes(number).decode() if isinstance(number, msgspec.Raw) else number)
