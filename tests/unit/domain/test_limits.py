"""R7: a limit goes from its minimum to its maximum, and the error says so."""

import pytest

from toprung.domain import limits
from toprung.domain.errors import InvalidInput


@pytest.mark.parametrize("limit", limits.ALL, ids=lambda limit: limit.name)
def test_both_ends_are_inside_and_what_is_beyond_names_the_range(limit):
    assert limit.check(limit.minimum, "field") == limit.minimum
    assert limit.check(limit.maximum, "field") == limit.maximum
    for beyond in (limit.minimum - 1, limit.maximum + 1):
        with pytest.raises(InvalidInput) as caught:
            limit.check(beyond, "field")
        assert caught.value.field == "field"
        assert str(limit.minimum) in caught.value.message
        assert str(limit.maximum) in caught.value.message
        assert limit.unit in caught.value.message


def test_the_table_is_whole_and_names_are_used_once():
    names = [limit.name for limit in limits.ALL]

    assert len(names) == len(set(names))
    assert all(limit.minimum <= limit.maximum and limit.sentence for limit in limits.ALL)
    assert all(getattr(limits, limit.name.upper()) is limit for limit in limits.ALL)
