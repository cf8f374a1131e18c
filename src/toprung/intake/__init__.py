"""Accept a batch: shape, limits, policy; append; acknowledge."""

from toprung.intake.intake import AcceptedBatch, EventOutcome, Intake
from toprung.intake.shape import EventDraft, Refusal
from toprung.intake.writer import Writer

__all__ = ["AcceptedBatch", "EventDraft", "EventOutcome", "Intake", "Refusal", "Writer"]
