"""Blocks of entries: what is native gives the same bytes as what is in Python, and both hold what
they are to hold; whatever is damaged is said.
"""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.decider.native import EntryBlocks
from toprung.domain.entries import Entry
from toprung.domain.limits import NUMBER
from toprung.ports.packed import pack_entries, unpack_entries
from toprung.store.sqlite.blocks import (
    PythonBlocks,
    entry_key,
    player_key,
    read_blocks,
)
from toprung.testing.suites import samples

BOARD = 7
BOTH = [PythonBlocks(), EntryBlocks()]
both = pytest.mark.parametrize("codec", BOTH, ids=["python", "native"])

players = st.sampled_from(
    ["", "\0", "\0\0", "a", "a\0", "a\0b", "a\x01", "ab", "é", "\U0001f600", "x" * 256]
)
periods = st.integers(1, 5) | st.sampled_from([2**31, 2**40, 2**63 - 1])
entries = st.dictionaries(
    players, st.dictionaries(periods, samples.entries, min_size=1, max_size=4), max_size=6
)
limits = st.sampled_from([1, 40, 90, 400, 10_000])


def body(held):
    return pack_entries(BOARD, held).body


def joined(table):
    return b"".join(table[first] + first for first in sorted(table))


def keys_of(held):
    return sorted(entry_key(player, number) for player, of in held.items() for number in of)


def firsts_of(held):
    """The key of the first entry of each player."""
    return sorted(entry_key(player, min(of)) for player, of in held.items())


def merged(codec, table, held, gone=(), limit=90):
    """The table of blocks, by first key, after a merge."""
    table = table or {b"": codec.first_block(BOARD)}
    changed, missing = codec.merge(BOARD, joined(table), body(held), list(gone), limit)
    assert missing == []
    return table | dict(changed)


def contents(table):
    """What the blocks hold, which follow each other without a gap."""
    found, end = {}, b""
    for first in sorted(table):
        (block,) = read_blocks(BOARD, table[first] + first)
        assert block.first == end == first
        end = block.end
        for player, of in block.players.items():
            for number, entry in of.items():
                key = entry_key(player, number)
                assert block.first <= key
                assert block.reaches(key)
                assert (player, number) not in found
                found[player, number] = entry
    assert end is None or not table
    return found


def flat(held):
    return {(player, number): entry for player, of in held.items() for number, entry in of.items()}


@given(
    steps=st.lists(st.tuples(entries, st.sets(periods, max_size=2), limits), max_size=5),
    asked=entries,
    after=st.integers(0, 9),
)
def test_both_give_the_same_and_all_that_was_merged(steps, asked, after):
    table, model = {}, {}
    for held, gone, limit in steps:
        one, other = [merged(codec, table, held, sorted(gone), limit) for codec in BOTH]
        assert one == other
        for place, entry in flat(held).items():
            if place not in model or entry.seq >= model[place].seq:
                model[place] = entry
        model = {place: entry for place, entry in model.items() if place[1] not in gone}
        table = one
        assert contents(table) == model
    keys = keys_of(asked)
    found = [codec.find(BOARD, joined(table), keys) for codec in BOTH]
    assert found[0] == found[1]
    packed, size, missing = found[0]
    assert missing == ([] if table else firsts_of(asked))
    assert flat(unpack_entries(packed)) == {
        place: entry for place, entry in model.items() if place in flat(asked)
    }
    assert size == len(flat(unpack_entries(packed)))
    for codec in BOTH:
        assert codec.merge(BOARD, b"", body(asked), [], 90) == ([], firsts_of(asked))
    widths = {len(entry.columns) for entry in model.values()}
    if len(widths) == 1:
        arguments = (BOARD, joined(table), b"", after, widths.pop(), [1, 2, 2**31])
        assert BOTH[0].places(*arguments) == BOTH[1].places(*arguments)


@given(held=entries)
def test_keys_stand_as_players_and_numbers_do(held):
    places = sorted(flat(held), key=lambda place: (place[0].encode(), place[1]))
    assert [entry_key(*place) for place in places] == keys_of(held)
    assert all(player_key(player) < entry_key(player, 0) for player in held)


def many(count, start=0, seq=1):
    return {
        f"player {number:05}": {period: Entry((number,), 5, 1, seq=seq) for period in (1, 2, 3)}
        for number in range(start, start + count)
    }


@both
def test_a_block_is_cut_between_players_and_is_well_filled(codec):
    table = merged(codec, {}, many(1000), limit=850)
    contents(table)
    blocks = [block for first in table for block in read_blocks(BOARD, table[first] + first)]
    assert all(set(of) == {1, 2, 3} for block in blocks for of in block.players.values())
    sizes = [len(table[first]) for first in table]
    assert max(sizes) < 950
    assert sum(sizes) / len(sizes) > 700


@both
def test_one_who_takes_more_than_a_block_is_cut_inside(codec):
    held = {"a": {1: Entry((1,), 1, 1)}, "b": {n: Entry((n,), n, 1) for n in range(1, 200)}}
    table = merged(codec, {}, held | {"c": {1: Entry((3,), 3, 3)}}, limit=100)
    assert contents(table).keys() == flat(held | {"c": {1: None}}).keys()
    assert len(table) > 20
    # What is looked for in some of them says what lies in others.
    last = max(table)
    packed, size, missing = codec.find(BOARD, table[last] + last, keys_of(held))
    assert 0 < size < 10
    assert missing == [entry_key("a", 1), entry_key("b", 1)]
    assert flat(unpack_entries(packed)).keys() == {("b", n) for n in range(200 - size, 200)}


@both
def test_only_what_changes_is_written(codec):
    table = merged(codec, {}, many(1000), limit=850)
    changed, _ = codec.merge(BOARD, joined(table), body(many(1, 500, seq=2)), [], 850)
    assert len(changed) == 1
    assert codec.merge(BOARD, joined(table), body({}), [4, 5], 850) == ([], [])
    changed, _ = codec.merge(BOARD, joined(table), body({}), [2], 850)
    assert [first for first, _ in changed] == sorted(table)


@both
def test_blocks_may_come_in_any_order_and_twice(codec):
    table = merged(codec, {}, many(100), limit=300)
    parts = [table[first] + first for first in sorted(table, reverse=True)]
    keys = keys_of(many(100))
    shuffled = b"".join([*parts, parts[0], parts[5]])
    assert codec.find(BOARD, shuffled, keys) == codec.find(BOARD, joined(table), keys)
    assert codec.merge(BOARD, shuffled, body(many(3, 50)), [], 300) == codec.merge(
        BOARD, joined(table), body(many(3, 50)), [], 300
    )


@both
def test_any_damage_is_said(codec):
    table = merged(codec, {}, many(9), limit=10_000)
    whole = joined(table)
    for at in range(len(whole)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]):
            if not damaged:
                continue
            with pytest.raises(ValueError, match=r"\w"):
                codec.find(BOARD, damaged, keys_of(many(1)))
            with pytest.raises(ValueError, match=r"\w"):
                codec.merge(BOARD, damaged, body(many(1)), [], 850)
            with pytest.raises(ValueError, match=r"\w"):
                codec.places(BOARD, damaged, b"", 0, 1, [1, 2, 3])
    with pytest.raises(ValueError, match=r"\w"):
        codec.find(BOARD + 1, whole, [])
    with pytest.raises(ValueError, match=r"\w"):
        codec.merge(BOARD, whole, body(many(2))[:-1], [], 850)


@both
def test_places_are_those_of_whole_stretches(codec):
    table = merged(codec, {}, many(100), limit=300)
    firsts = sorted(table)
    parts = [table[first] + first for first in firsts]
    *_, end = codec.places(BOARD, b"".join(parts[:3]), b"", 0, 1, [1, 3])
    assert end == firsts[3]
    players, ends, period, player, columns, reached_at, end = codec.places(
        BOARD, b"".join(parts[3:]), firsts[3], 0, 1, [1, 3]
    )
    assert end is None
    assert set(array("I", period)) == {0, 1}
    assert list(array("q", columns)[-2:]) == [99, 99]
    assert len(array("I", ends)) == array("I", player)[-1] + 1
    assert players.endswith(b"player 00099")
    assert set(array("q", reached_at)) == {5}
    for wrong in (b"".join([*parts[:2], *parts[3:]]), b"".join(parts[1:])):
        with pytest.raises(ValueError, match=r"\w"):
            codec.places(BOARD, wrong, b"", 0, 1, [1, 3])
    with pytest.raises(ValueError, match=r"\w"):
        codec.places(BOARD, joined(table), b"", 0, 2, [1, 3])


@both
@pytest.mark.parametrize("columns", [(NUMBER.minimum,), (NUMBER.maximum, 0, -1, 1, NUMBER.minimum)])
def test_numbers_are_kept_exactly(codec, columns):
    held = {"a": {2**40: Entry(columns, NUMBER.minimum, 2**62, True, "e" * 256, 2**40)}}
    assert contents(merged(codec, {}, held)) == flat(held)
