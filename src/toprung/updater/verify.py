"""Do log, store and view agree? Replays the log beside them and compares."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from toprung.domain.board import Board
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog
from toprung.ports.store import ScoreStore
from toprung.ports.view import BoardReader, RankView, Row
from toprung.updater.updater import Updater

READ_ROWS = 1000
"""View rows that are read at a time."""


class Difference(NamedTuple):
    """One place where two of the three do not agree."""

    where: str
    """``store`` or ``view``."""
    what: str
    expected: str
    found: str


def verify(
    log: EventLog,
    store: ScoreStore,
    view: RankView | None,
    scratch: ScoreStore,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Difference]:
    """All differences: what the log says against the store, and the store against the view.

    Args:
        scratch: an empty store, which the log is replayed into.
        progress: called with the log rows done.
    """
    replay = Updater(log, scratch, None, Catalog())
    replay.replay(progress)
    yield from _compare_stores(scratch, store)
    if view is not None:
        with view.read() as reader:
            yield from _compare_view(store, reader)
        yield from _compare_sizes(store, view)


def _compare_stores(expected: ScoreStore, found: ScoreStore) -> Iterator[Difference]:
    parts: list[tuple[str, Callable[[ScoreStore], dict[object, object]]]] = [
        ("checkpoint", lambda store: {"seq": store.checkpoint()}),
        ("board", lambda store: {state.board_id: state for state in store.boards()}),
        ("entry", lambda store: {(key, player): entry for key, player, entry in store.scan()}),
        ("event id", lambda store: {(b, e): seen for b, e, seen in store.scan_seen()}),
        ("profile", lambda store: {(p, i): profile for p, i, profile in store.scan_profiles()}),
    ]
    for what, collect in parts:
        left, right = collect(expected), collect(found)
        for key in sorted(left.keys() | right.keys(), key=repr):
            if left.get(key) != right.get(key):
                yield Difference(
                    "store", f"{what} {key!r}", repr(left.get(key)), repr(right.get(key))
                )


def _compare_view(store: ScoreStore, reader: BoardReader) -> Iterator[Difference]:
    boards = {state.board_id: Board(state) for state in store.boards()}
    periods: dict[tuple[int, str, str], list[bytes]] = {}
    for key, player_id, entry in store.scan():
        if key[0] not in boards:
            continue  # entries of no board have no order; the stores differ there already
        order = boards[key[0]].orders
        periods.setdefault(key, []).append(order.key(entry.columns, entry.reached_at, player_id))
    for key, keys in periods.items():
        orders = boards[key[0]].orders
        expected = [
            Row(player, columns, at) for columns, at, player in map(orders.read, sorted(keys))
        ]
        found: list[Row] = []
        period = reader.period(key)
        while rows := period.rows(len(found), len(found) + READ_ROWS):
            found += rows
        if found == expected:
            continue
        index = next(
            (i for i, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b),
            min(len(expected), len(found)),
        )
        yield Difference(
            "view",
            f"period {key!r}, index {index} of {len(expected)}",
            repr(expected[index : index + 1]),
            repr(found[index : index + 1]),
        )


def _compare_sizes(store: ScoreStore, view: RankView) -> Iterator[Difference]:
    """A view may also hold what the store does not: periods or boards that should be gone."""
    expected = sum(1 for _ in store.scan())
    found = view.sizes()[1]
    if found != expected:
        yield Difference("view", "number of entries", str(expected), str(found))
