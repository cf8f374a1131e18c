"""Accept a batch: shape, limits, policy; append; acknowledge."""

from toprung.intake.intake import AcceptedBatch, Adjustment, By, EventOutcome, Intake, Waiting
from toprung.intake.named import Decided, NamedDraft, Ruled, apply_rules
from toprung.intake.shape import EventDraft, Refusal
from toprung.intake.writer import Writer

__all__ = [
    "AcceptedBatch",
    "Adjustment",
    "By",
    "Decided",
    "EventDraft",
    "EventOutcome",
    "Intake",
    "NamedDraft",
    "Refusal",
    "Ruled",
    "Waiting",
    "Writer",
    "apply_rules",
]
