"""A slow, obvious oracle: what every answer must be, made anew from all facts at each question.

It is written from the rules and shares no code with the product: another reading of time, another
arithmetic, no state that moves on. Where the two differ, one of them is wrong.
"""

from toprung.testing.oracle.board import OracleBoard
from toprung.testing.oracle.facts import (
    Adjust,
    Close,
    Column,
    Describe,
    Drop,
    EndSeason,
    Erase,
    Event,
    Fact,
    Judge,
    Limits,
    Moderate,
    Publish,
    Put,
    Reset,
    Roll,
    Rules,
    Told,
    Unfreeze,
    Void,
)
from toprung.testing.oracle.lines import Line, Standings
from toprung.testing.oracle.periods import Span, days_of, span_of
from toprung.testing.oracle.verdicts import Change, Verdict
from toprung.testing.oracle.world import World, is_possible, world_after

__all__ = [
    "Adjust",
    "Change",
    "Close",
    "Column",
    "Describe",
    "Drop",
    "EndSeason",
    "Erase",
    "Event",
    "Fact",
    "Judge",
    "Limits",
    "Line",
    "Moderate",
    "OracleBoard",
    "Publish",
    "Put",
    "Reset",
    "Roll",
    "Rules",
    "Span",
    "Standings",
    "Told",
    "Unfreeze",
    "Verdict",
    "Void",
    "World",
    "days_of",
    "is_possible",
    "span_of",
    "world_after",
]
