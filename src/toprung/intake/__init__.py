"""Accept a batch: shape, limits, policy; append; acknowledge."""

from toprung.intake.intake import EventOutcome, Intake
from toprung.intake.shape import EventDraft, Refusal
from toprung.intake.writer import Writer

__all__ = ["EventDraft", "EventOutcome", "Intake", "Refusal", "Writer"]
