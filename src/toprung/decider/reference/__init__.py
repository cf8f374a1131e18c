"""The reference decider: the rules of the domain, event by event; the oracle of faster ones."""

from toprung.decider.reference.decider import ReferenceDecider

__all__ = ["ReferenceDecider"]
