"""The closed list of what can become of an event, in order of precedence."""

from enum import StrEnum


class Outcome(StrEnum):
    """What became of an event. The first that applies, from the top, is the one given."""

    INVALID = "invalid"
    UNKNOWN_BOARD = "unknown_board"
    FORBIDDEN = "forbidden"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    INELIGIBLE = "ineligible"
    IMPLAUSIBLE = "implausible"
    EARLY = "early"
    LATE = "late"
    OVERFLOW = "overflow"
    UNCHANGED = "unchanged"
    COUNTED = "counted"

    @property
    def spends_id(self) -> bool:
        """Whether an event with this first outcome uses up its id (R2)."""
        return self is Outcome.COUNTED or self is Outcome.UNCHANGED

    @property
    def accepted(self) -> bool:
        """Whether the fact is on the board: now, or since it first came."""
        return self.spends_id or self is Outcome.DUPLICATE


MEANING: dict[Outcome, str] = {
    Outcome.INVALID: "Its shape or a value is wrong; `field` names what.",
    Outcome.UNKNOWN_BOARD: "The project has no board of this name.",
    Outcome.FORBIDDEN: "The key may not write this event.",
    Outcome.DUPLICATE: "The same event came before; `first` repeats its outcome then.",
    Outcome.CONFLICT: "The id has other content; `field` names what differs. The first stands.",
    Outcome.INELIGIBLE: "The player may not take part: `field` names what is not so.",
    Outcome.IMPLAUSIBLE: "It breaks a plausibility limit of the board; the message names which.",
    Outcome.EARLY: "Its `at` lies further in the future than the board's `max_ahead` allows.",
    Outcome.LATE: "Every window it belongs to was closed when it arrived.",
    Outcome.OVERFLOW: "A total would leave the 64-bit range.",
    Outcome.UNCHANGED: "It was counted as seen, and neither score nor time of reaching it moved.",
    Outcome.COUNTED: "It changed the board.",
}
