"""The reference view: sorted lists in Python. Exact and plain; the oracle of the faster views."""

from toprung.rank.reference.view import ReferenceView

__all__ = ["ReferenceView"]
