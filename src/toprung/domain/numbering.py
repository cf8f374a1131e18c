"""Ranks, percentiles and what they are counted from (R4, R8)."""

from toprung.domain.errors import invariant


def percentile(shared_rank: int, total: int) -> float:
    """``100 * (total - rank + 1) / total``: the first has 100, in both directions (R8)."""
    invariant(1 <= shared_rank <= total, "a rank lies between 1 and the number of entries")
    return 100 * (total - shared_rank + 1) / total


def top_percent(shared_rank: int, total: int) -> float:
    """``100 * rank / total``: "top x %" (R8)."""
    invariant(1 <= shared_rank <= total, "a rank lies between 1 and the number of entries")
    return 100 * shared_rank / total
