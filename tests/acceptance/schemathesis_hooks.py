"""What Schemathesis cannot read from the OpenAPI document; see schemathesis.toml.

Every check is on. A finding is passed over only where a request was refused that the document
allows, and only for the fields below: what they may hold depends on something that no JSON Schema
can see.
"""

import zoneinfo

import msgspec
import schemathesis
from hypothesis import strategies as st
from schemathesis.openapi.checks import RejectedPositiveData

DEPENDENT = {
    "as_of": "it must have come, and goes with neither from nor to",
    "at": "not in the future, where a score is corrected",
    "by": "either by or to; its columns and decimals must fit the board",
    "before": "which keys of periods there are depends on the window",
    "columns": "no two columns may have one name; uniqueItems compares whole objects",
    "cron": "an expression, whose grammar no JSON Schema can tell",
    "decimals": "8.0 is a whole number to JSON Schema; here digits are counted without a point",
    "cursor": "opaque; only the server that gave it knows it",
    "event": "only so many rules may be for one event name",
    "ends_at": "a season must end after it begins",
    "event_id": "an event may lack it where the request has the header Idempotency-Key",
    "fallback": "it goes with none of as_of, from, to and since",
    "from": "it goes with neither window nor period",
    "into": "a player who is merged already, and not in a circle",
    "limits": "which columns a board has is said beside them",
    "max": "its decimals must fit the board's column; in a rule, it goes with one expression",
    "member": "an expression; rules of one event and board must have the same",
    "min": "its decimals must fit the board's column; in a rule, not larger than max",
    "metadata": "how many bytes its JSON has",
    "name": "no two rules may have one name",
    "period": "which keys there are depends on the window, and that on the board",
    "points": "its columns and decimals must fit the board; in a rule, an expression",
    "points_per_hour": "more than 0, and its decimals must fit the board's first column",
    "properties": "which an event must have depends on the rules",
    "publish_delay": "it goes with no rolling window",
    "reason": "it must not name a player who is erased",
    "score": "its columns and decimals must fit the board",
    "segment": "which there are depends on the board",
    "segment_at": "event goes with few windows and segments, and no freeze_at",
    "segments": "which there are, and whether events carry them, depends on the board",
    "since": "an instant must have come; which periods there are depends on the window",
    "size": "not together with n",
    "step": "how long it must be depends on from and to",
    "top": "8.0, as for decimals",
    "to": "not before from; its columns and decimals must fit the board",
    "windows": "a board with freeze_at has four at most",
    "window": "which there are depends on the board",
    "until": "it must not be over",
    "when": "an expression, whose grammar no JSON Schema can tell",
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a finding is one."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return True
    field = msgspec.json.decode(response.content)["error"].get("field", "")
    return not DEPENDENT.keys() & {field, field.rpartition(".")[2], field.partition(".")[0]}


# Values that every board takes, so that requests get as far as the answer.
schemathesis.openapi.format("period", st.sampled_from(["current", "2026-11-30T12:00:00Z"]))
schemathesis.openapi.format("moment", st.sampled_from(["0", "1", "2026-11-30T12:00:00Z"]))
schemathesis.openapi.format("segment", st.sampled_from(["country:NO", "plan:"]))
schemathesis.openapi.format("step", st.sampled_from(["1d", "12h", "600m"]))
schemathesis.openapi.format("score", st.integers(-(2**53), 2**53).map(str))
schemathesis.openapi.format("cron", st.sampled_from(["0 6 * * MON", "30 2 1 * *"]))
schemathesis.openapi.format("decimal", st.integers(-(2**53), 2**53).map(str))
schemathesis.openapi.format("expression", st.sampled_from(["properties.xp * 2", "player_id"]))
schemathesis.openapi.format(
    "time-zone", st.sampled_from(sorted(zoneinfo.available_timezones() - {"localtime"}))
)
