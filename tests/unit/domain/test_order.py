"""R4: comparing order keys byte by byte is comparing entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.order import OrderKeys, after_prefix

MIN, MAX = -(2**63), 2**63 - 1
values = st.integers(MIN, MAX) | st.sampled_from([MIN, MIN + 1, -1, 0, 1, MAX - 1, MAX])
moments = st.integers(-(10**17), 10**17) | st.integers(0, 2)
players = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
directions = st.lists(st.booleans(), min_size=1, max_size=5)


def entries(width: int) -> st.SearchStrategy:
    return st.tuples(st.tuples(*[values] * width), moments, players)


def plain_order(descending, entry):
    columns, reached_at, player = entry
    signed = [-value if down else value for value, down in zip(columns, descending, strict=True)]
    return signed, reached_at, player.encode()


@given(st.data(), directions)
def test_byte_order_is_the_order_of_entries(data, descending):
    orders = OrderKeys(descending)
    found = data.draw(st.lists(entries(len(descending)), max_size=8, unique=True))

    by_key = sorted(found, key=lambda entry: orders.key(*entry))

    assert by_key == sorted(found, key=lambda entry: plain_order(descending, entry))


@given(st.data(), directions)
def test_a_key_can_be_read_again(data, descending):
    orders = OrderKeys(descending)
    entry = data.draw(entries(len(descending)))

    key = orders.key(*entry)

    assert orders.read(key) == entry
    assert orders.read_columns(key[: orders.width]) == entry[0]


@given(st.data(), directions)
def test_a_prefix_of_columns_parts_better_equal_and_worse(data, descending):
    orders = OrderKeys(descending)
    columns, reached_at, player = data.draw(entries(len(descending)))
    asked = data.draw(st.tuples(*[values] * data.draw(st.integers(1, len(descending)))))
    asked = data.draw(st.sampled_from([asked, columns[: len(asked)]]))

    key, prefix = orders.key(columns, reached_at, player), orders.prefix(asked)
    part = descending[: len(asked)]
    mine = [-v if down else v for v, down in zip(columns, part, strict=False)]
    theirs = [-v if down else v for v, down in zip(asked, part, strict=True)]

    assert (key < prefix) == (mine < theirs)
    assert (prefix <= key < after_prefix(prefix)) == (mine == theirs)
    assert (key >= after_prefix(prefix)) == (mine > theirs)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("width", [1, 5])
def test_the_worst_score_there_can_be_still_has_an_end(descending, width):
    orders = OrderKeys([descending] * width)
    worst = (MIN if descending else MAX,) * width
    key = orders.key(worst, 10**17, chr(0x10FFFF) * 64)

    for columns in range(1, width + 1):
        prefix = orders.prefix(worst[:columns])
        assert prefix < key < after_prefix(prefix)
