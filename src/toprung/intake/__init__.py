"""Accept a batch: shape, limits, policy; append; acknowledge."""

from toprung.intake.intake import By, EventOutcome, Intake
from toprung.intake.shape import EventDraft, Refusal
from toprung.intake.writer import Writer

__all__ = ["By", "EventDraft", "EventOutcome", "Intake", "Refusal", "Writer"]
