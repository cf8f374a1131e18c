"""Every limit, declared once: checks, error texts, docs and tests read this table."""

from typing import NamedTuple

from toprung.domain.errors import InvalidInput, invariant


class Limit(NamedTuple):
    """A closed range of whole numbers with a name and a unit."""

    name: str
    minimum: int
    maximum: int
    unit: str
    sentence: str

    def check(self, value: int, field: str) -> int:
        """Return ``value`` when it lies in the range.

        Raises:
            InvalidInput: naming ``field`` and the range (R7).
        """
        if self.minimum <= value <= self.maximum:
            return value
        raise InvalidInput(
            f"{field} must lie between {self.minimum} and {self.maximum} {self.unit}".rstrip(),
            field=field,
        )


ID_BYTES = Limit("id_bytes", 1, 256, "bytes of UTF-8", "Length of an event or player id (R1).")
MATCH_ID_BYTES = Limit("match_id_bytes", 1, 256, "bytes of UTF-8", "Length of a match id.")
METADATA_BYTES = Limit("metadata_bytes", 2, 1024, "bytes", "Size of an event's metadata (R1).")
COLUMNS = Limit("columns", 1, 5, "columns", "Columns of a board.")
DECIMALS = Limit("decimals", 0, 9, "digits", "Decimals of a column (R6).")
NUMBER = Limit("number", -(2**63), 2**63 - 1, "", "A column's value, scaled by its decimals (R6).")
NUMBER_TEXT = Limit("number_text", 1, 32, "characters", "Length of a number as text.")
WINDOWS = Limit("windows", 1, 8, "windows", "Windows of a board.")
FROZEN_WINDOWS = Limit(
    "frozen_windows", 1, 4, "windows", "Windows of a board whose public view is frozen (R18)."
)
ROLLING_DAYS = Limit("rolling_days", 2, 90, "days", "Local days of a rolling window (R5).")
TITLE_CHARS = Limit("title_chars", 0, 200, "characters", "Length of a board's title.")
PROFILE_NAME_CHARS = Limit("profile_name_chars", 1, 200, "characters", "Length of a display name.")
AVATAR_URL_CHARS = Limit("avatar_url_chars", 1, 2048, "characters", "Length of an avatar URL.")
ATTRIBUTES = Limit("attributes", 0, 32, "attributes", "Attributes of a player.")
ATTRIBUTE_CHARS = Limit("attribute_chars", 0, 200, "characters", "Length of an attribute's value.")
EVENTS_PER_MINUTE = Limit(
    "events_per_minute",
    1,
    1_000_000,
    "events",
    "Events of a player that a board takes.",
)
QUARANTINE = Limit("quarantine", 0, 100_000, "events", "Events of a board that wait in quarantine.")
JUDGED = Limit("judged", 1, 1000, "events", "Events approved or rejected at once.")
ADMIT_VALUES = Limit(
    "admit_values", 1, 500, "values", "Values of an attribute that a board admits (R23)."
)
SEGMENTS = Limit("segments", 0, 5, "segments", "Segments of a board.")
SEGMENT_VALUES = Limit(
    "segment_values", 0, 1000, "values", "Values of an attribute that boards are sliced by (R17)."
)
REASON_CHARS = Limit("reason_chars", 1, 500, "characters", "Length of the reason of an act.")
SEASONS = Limit("seasons", 0, 10_000, "seasons", "Resets of one board.")
RULES = Limit("rules", 0, 100, "rules", "Rules of a project.")
RULES_OF_EVENT = Limit("rules_of_event", 1, 10, "rules", "Rules of a project for one event name.")
EVENT_NAME_BYTES = Limit("event_name_bytes", 1, 64, "bytes of UTF-8", "Length of an event's name.")
EXPRESSION_CHARS = Limit("expression_chars", 1, 500, "characters", "Length of an expression.")
EXPRESSION_PARTS = Limit("expression_parts", 1, 60, "parts", "Operators, names and values in one.")
EXPRESSION_DEPTH = Limit("expression_depth", 1, 40, "levels", "How deep its parts are nested.")
PROPERTIES_BYTES = Limit("properties_bytes", 2, 4096, "bytes", "Size of an event's properties.")
NAMED_EVENTS = Limit("named_events", 1, 1000, "events", "Named events of one request.")
SAMPLE_EVENTS = Limit("sample_events", 1, 100, "events", "Events that rules are tried on at once.")
BATCH_EVENTS = Limit("batch_events", 1, 5000, "events", "Events of one request.")
BODY_BYTES = Limit("body_bytes", 0, 8 * 1024 * 1024, "bytes", "Size of a request's body.")
PAGE_ROWS = Limit("page_rows", 1, 1000, "rows", "Rows of one page.")
AROUND = Limit("around", 0, 500, "rows", "Rows on each side of a player.")
RANK = Limit("rank", 1, 2**53 - 1, "", "A rank asked for.")
MANY_PLAYERS = Limit("many_players", 1, 1000, "players", "Players asked for at once.")
FRIENDS = Limit("friends", 1, 5000, "players", "Friends ranked among each other at once.")
FRIENDS_KEPT = Limit("friends_kept", 0, 100_000, "players", "Length of a player's list of friends.")
REVEALED = Limit(
    "revealed", 0, 20_000, "players", "Players of a period that is revealed step by step (R18)."
)
QUEUE_EVENTS = Limit("queue_events", 1, 50_000, "events", "Events that wait to be written.")
GROUP_EVENTS = Limit("group_events", 1, 5000, "events", "Events that share one transaction.")
CRON_CHARS = Limit("cron_chars", 9, 100, "characters", "Length of a CRON expression.")
PERIOD_ROWS = Limit("period_rows", 1, 400, "periods", "Periods told at once.")
SCHEDULE = Limit("schedule", 1, 366, "boundaries", "Boundaries of a window told at once.")
SLOW_REQUESTS = Limit(
    "slow_requests", 0, 64, "requests", "Questions about the past that wait for an answer."
)
HISTORY_POINTS = Limit("history_points", 1, 1000, "points", "Points of a player's history.")
CURSOR_CHARS = Limit("cursor_chars", 1, 2048, "characters", "Length of a cursor.")
PUBLISH_TOP = Limit("publish_top", 1, 1000, "ranks", "Ranks that are withheld for a review.")
PUBLISH_DAYS = Limit("publish_days", 0, 90, "days", "How long they are withheld after the close.")
DURATION_DAYS = Limit("duration_days", 0, 36_500, "days", "A duration in a board's settings.")
AT_YEAR = Limit("at_year", 1000, 8999, "", "Year of an instant (UTC); periods around it exist.")

ALL: tuple[Limit, ...] = tuple(value for value in globals().values() if isinstance(value, Limit))

invariant(BATCH_EVENTS.maximum <= QUEUE_EVENTS.maximum, "a full batch must fit the queue")
invariant(2 * FROZEN_WINDOWS.maximum <= WINDOWS.maximum, "there is a frozen one beside each window")
invariant(2 * AROUND.maximum <= PAGE_ROWS.maximum, "an around view must fit a page")
