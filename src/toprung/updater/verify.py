"""Do log, store and view agree? Replays the log beside them and compares."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from toprung.domain.board import Board
from toprung.domain.snapshots import digest
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decider
from toprung.ports.log import EventLog
from toprung.ports.store import ScoreStore
from toprung.ports.view import BoardReader, RankView, Row
from toprung.updater.masking import visible
from toprung.updater.slicing import EntryLine, load_segments
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
    make_decider: Callable[[ScoreStore], Decider],
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Difference]:
    """All differences: what the log says against the store, and the store against the view.

    Args:
        scratch: an empty store, which the log is replayed into, as far as ``store`` goes.
        progress: called with the log rows done.
    """
    catalog = Catalog(map(Board, store.boards()))
    catalog.players.replace(store.scan_players())
    catalog.voids.replace(store.scan_voids())
    catalog.quarantine.replace(store.scan_held())
    load_segments(catalog, store)
    for snapshot in store.snapshots.all():
        catalog.periods.closed(snapshot.period, snapshot.seq)
    found = Updater(log, store, None, catalog, make_decider)
    until = max(store.checkpoint(), store.last_kept())
    found.redo(until)
    replay = Updater(log, scratch, None, Catalog(), make_decider)
    replay.replay(until, progress)
    replay.complete_snapshots()
    yield from _compare_stores(scratch, store, catalog, found)
    if view is not None:
        with view.read() as reader:
            yield from _compare_view(catalog, found, reader)
        yield from _compare_sizes(catalog, found, view)


def _compare_stores(
    expected: ScoreStore, store: ScoreStore, catalog: Catalog, found: Updater
) -> Iterator[Difference]:
    states: dict[Any, Any] = {board.board_id: board.state for board in catalog.all()}
    parts: list[tuple[str, dict[Any, Any], dict[Any, Any]]] = [
        ("board", {state.board_id: state for state in expected.boards()}, states),
        ("board as it stood", dict(expected.scan_versions()), dict(store.scan_versions())),
        ("entry", _entries(expected.scan()), _entries(found.entries())),
        ("event id", _seen(expected), _seen(store)),
        ("profile", _profiles(expected), _profiles(store)),
        ("snapshot", *_snapshots(expected, store)),
        ("rules", dict(expected.scan_rules()), dict(store.scan_rules())),
        ("list of friends", _friends(expected), _friends(store)),
        ("player", _players(expected), _players(store)),
        ("event in quarantine", _held(expected), _held(store)),
        ("void", dict.fromkeys(expected.scan_voids()), dict.fromkeys(store.scan_voids())),
        ("act", _acts(expected), _acts(store)),
        ("recount", _recounts(expected), _recounts(store)),
        ("past value", _past_values(expected), _past_values(store)),
    ]
    for what, left, right in parts:
        for key in sorted(left.keys() | right.keys(), key=repr):
            if left.get(key) != right.get(key):
                yield Difference(
                    "store", f"{what} {key!r}", repr(left.get(key)), repr(right.get(key))
                )


def _entries(lines: Iterable[EntryLine]) -> dict[Any, Any]:
    return {(key, player): entry for key, player, entry in lines}


def _seen(store: ScoreStore) -> dict[Any, Any]:
    return {(board_id, event_id): seen for board_id, event_id, seen in store.scan_seen()}


def _held(store: ScoreStore) -> dict[Any, Any]:
    return {(board_id, event_id): held for board_id, event_id, held in store.scan_held()}


def _recounts(store: ScoreStore) -> dict[Any, Any]:
    return {(board_id, player): seq for board_id, player, seq in store.recounts()}


def _past_values(store: ScoreStore) -> dict[Any, Any]:
    return {past[:4]: past.value for past in store.scan_past_values()}


def _acts(store: ScoreStore) -> dict[Any, Any]:
    return {act.seq: act for act in store.scan_acts()}


def _players(store: ScoreStore) -> dict[Any, Any]:
    return {(project, player): state for project, player, state in store.scan_players()}


def _snapshots(expected: ScoreStore, store: ScoreStore) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Snapshots with the digests of the lines that are there; those being written are left out."""
    unfinished = {each.seq for each in store.snapshots.all() if not each.is_complete}
    left, right = (
        {
            each.seq: (each, digest(found.snapshots.lines(each.seq)))
            for each in found.snapshots.all()
            if each.seq not in unfinished
        }
        for found in (expected, store)
    )
    return left, right


def _friends(store: ScoreStore) -> dict[Any, Any]:
    return {(project, player): friends for project, player, friends in store.scan_friends()}


def _profiles(store: ScoreStore) -> dict[Any, Any]:
    return {(project, player): profile for project, player, profile in store.scan_profiles()}


def _compare_view(catalog: Catalog, found: Updater, reader: BoardReader) -> Iterator[Difference]:
    boards = {board.board_id: board for board in catalog.all()}
    periods: dict[tuple[int, str, str], list[bytes]] = {}
    for key, player_id, entry in visible(catalog, found.entries()):
        if key[0] not in boards:
            continue  # entries of no board have no order; the stores differ there already
        order = boards[key[0]].orders
        periods.setdefault(key, []).append(order.key(entry.columns, entry.reached_at, player_id))
    for key, keys in periods.items():
        orders = boards[key[0]].orders
        expected = [
            Row(player, columns, at) for columns, at, player in map(orders.read, sorted(keys))
        ]
        shown: list[Row] = []
        period = reader.period(key)
        while rows := period.rows(len(shown), len(shown) + READ_ROWS):
            shown += rows
        if shown == expected:
            continue
        index = next(
            (i for i, (a, b) in enumerate(zip(expected, shown, strict=False)) if a != b),
            min(len(expected), len(shown)),
        )
        yield Difference(
            "view",
            f"period {key!r}, index {index} of {len(expected)}",
            repr(expected[index : index + 1]),
            repr(shown[index : index + 1]),
        )


def _compare_sizes(catalog: Catalog, found: Updater, view: RankView) -> Iterator[Difference]:
    """A view may also hold what the store does not: periods or boards that should be gone."""
    expected = sum(1 for _ in visible(catalog, found.entries()))
    shown = view.sizes()[1]
    if shown != expected:
        yield Difference("view", "number of entries", str(expected), str(shown))
