"""Do the real path and the oracle agree? A difference is an ``AssertionError`` that shows both."""

from collections.abc import Iterator, Sequence

from toprung.domain.acts import Refused
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry
from toprung.domain.errors import InvalidInput
from toprung.domain.freezing import frozen
from toprung.domain.outcomes import Outcome
from toprung.domain.segments import Segment
from toprung.domain.snapshots import digest
from toprung.intake.intake import EventOutcome
from toprung.ports.pipeline import ActResult
from toprung.ports.store import ScoreStore
from toprung.query import Page, Query, Scope
from toprung.testing.oracle import Line, OracleBoard, Standings, Verdict, World, days_of
from toprung.testing.path import PROJECT, Answer, Path

NUMBERINGS = ("ordinal", "shared", "dense")


def check_answer(verdict: Verdict, answer: Answer, first: Verdict | None) -> None:
    """Hold what was answered against what must become of a fact.

    Args:
        first: the verdict on the fact that a duplicate or a conflict repeats.
    """
    code, field = _code(answer)
    assert code == verdict.outcome, (verdict, answer)
    if field is not None and verdict.fields:
        assert field in verdict.fields, (verdict, answer)
    if not isinstance(answer, EventOutcome) or answer.result is None:
        return
    decision = answer.result.decision
    if verdict.first is not None:
        assert decision.first is not None, answer
        assert first is not None
        assert decision.first.outcome == _kept_as(first), (first, answer)
        taken = [change for change in first.changes if change.after is not None]
        # What was void when it came did nothing. Of a rolling window the event's own day is kept.
        if not taken or not days_of(taken[0].window):
            assert decision.first.columns == (taken[0].after if taken else None), (first, answer)
            assert decision.first.previous == (taken[0].before if taken else None), (first, answer)
        late = {change.window for change in first.changes if change.after is None}
        assert not taken or set(decision.first.late) == late, (first, answer)
        return
    steps = [
        (
            step.period.window,
            step.period.key,
            None if step.after is None or step.before is None else step.before.columns,
            None if step.after is None else step.after.columns,
        )
        for step in decision.steps
    ]
    assert steps == [tuple(change)[:4] for change in verdict.changes], (verdict, answer)
    ranks = [
        (c.rank_before or 0, c.rank_after or 0) for c in verdict.changes if c.after is not None
    ]
    assert list(answer.result.ranks) == ranks, (verdict, answer)


def _kept_as(verdict: Verdict) -> str:
    """What is kept of an event: one that was approved counts."""
    return "counted" if verdict.outcome == "approved" else verdict.outcome


def _code(answer: Answer) -> tuple[str, str | None]:
    """The slug of an answer, and the field it names."""
    if isinstance(answer, InvalidInput | Refused):
        return answer.code, answer.field
    if isinstance(answer, ActResult):
        if answer.refused is not None:
            return answer.refused.code, answer.refused.field
        if answer.player is not None:
            return answer.player.result, None
        if answer.profile is not None:
            return "described", None
        if answer.void is not None:
            return answer.void.result, None
        if answer.judged is not None:
            return answer.judged.result, None
        if answer.adjusted is not None:
            return answer.adjusted.result, None
        if answer.erased is not None:
            return "erased", None
        if answer.closed is not None:
            return "closed" if answer.closed else "period_open", None
        assert answer.change is not None
        return answer.change.result, None
    if answer.refusal is not None:
        return answer.refusal.outcome.value, answer.refusal.field
    assert answer.result is not None
    decision = answer.result.decision
    return decision.outcome.value, decision.field


def answer_text(answer: Answer) -> str:
    """An answer as text, to be compared with another path's: all of it but where it stands."""
    code, field = _code(answer)
    if not isinstance(answer, EventOutcome) or answer.result is None:
        return f"{code} {field}"
    decision = answer.result.decision
    return f"{code} {field} {decision.steps} {decision.first} {list(answer.result.ranks)}"


def stored_entries(store: ScoreStore, key: EntryKey, players: Sequence[str]) -> dict[str, Entry]:
    """The entries of those of the players who have one in the period."""
    return store.entries({key: players}).by_key().get(key, {})


def store_contents(store: ScoreStore) -> dict[str, object]:
    """Everything a store holds, to be compared with another one's."""
    return {
        "checkpoint": store.checkpoint(),
        "boards": {state.board_id: state for state in store.boards()},
        "versions": dict(store.scan_versions()),
        "entries": {(key, player): entry for key, player, entry in store.scan()},
        "seen": {(board_id, event_id): seen for board_id, event_id, seen in store.scan_seen()},
        "profiles": {(where, who): profile for where, who, profile in store.scan_profiles()},
        "rules": dict(store.scan_rules()),
        "friends": {(p, i): found for p, i, found in store.scan_friends()},
        "held": {(board_id, event): held for board_id, event, held in store.scan_held()},
        "voids": set(store.scan_voids()),
        "past values": set(store.scan_past_values()),
        "acts": set(store.scan_acts()),
        "recounts": {(board_id, who): seq for board_id, who, seq in store.recounts()},
        "players": {(where, who): state for where, who, state in store.scan_players()},
    }


def check_state(world: World, path: Path) -> None:
    """Hold every board, every period and every kept outcome against the oracle."""
    assert not path.broken, path.broken
    known = [board.state.name for board in path.query.boards(PROJECT)]
    assert known == sorted(world.boards), (known, sorted(world.boards))
    held = 0
    for name, board in world.boards.items():
        board_id = path.query.board(PROJECT, name).board_id
        for window, key in periods(board):
            for full, standings in _views(board, window, key):
                scope = path.query.scope(PROJECT, name, window, key, board.numbering, full=full)
                for segment, part in segments(board, window, key, standings):
                    held += len(part.lines)
                    page = path.query.top(scope._replace(segment=segment), 1000)
                    check_rows(page, part.rows(0, 1000, board.numbering), part)
                before = None if full else board.freeze_at
                if not days_of(window):
                    _check_store(path, scope.period_key, board.standings(window, key, before))
        for window in filter(days_of, board.rules.windows):
            _check_days(path, board, (board_id, window), None)
            if board.freeze_at is not None:
                _check_days(path, board, (board_id, window), board.freeze_at)
        _check_outcomes(world, board, board_id, path)
    _check_snapshots(world, path)
    assert path.view is not None
    assert path.view.sizes()[1] == held, "the view holds entries that nobody should have"


def _views(board: OracleBoard, window: str, key: str) -> Iterator[tuple[bool, Standings]]:
    """What there is to see of a period: in full, and, of a frozen board, what the public sees."""
    yield True, board.shown(window, key)
    if board.freeze_at is not None:
        yield False, board.public(window, key)


def _check_days(path: Path, board: OracleBoard, place: tuple[int, str], before: int | None) -> None:
    """Hold what is kept of a rolling window, day by day, against the oracle."""
    board_id, window = place
    days = board.days(window, before)
    name = window if before is None else frozen(window)
    for day in days:
        key = (board_id, name, day.isoformat())
        _check_store(path, key, board.one_day(window, day, before))
    kept = {key[2] for key, _, _ in path.store.scan() if key[:2] == (board_id, name)}
    assert kept == {day.isoformat() for day in days}, (kept, days)


def _check_snapshots(world: World, path: Path) -> None:
    """Hold every version of every closed period against the oracle, by its digest."""
    path.tidy_up()
    expected = {}
    for name, board in world.boards.items():
        board_id = path.query.board(PROJECT, name).board_id
        for (window, key), kept in board.versions.items():
            for version, made in enumerate(kept, start=1):
                told = (0, b"-".hex()) if made is None else (made.players, made.sha256)
                expected[board_id, window, key, version] = told
    snapshots = path.behind.snapshots
    found = {
        (*each.period, each.version): (each.count, each.sha256.hex()) for each in snapshots.all()
    }
    assert found == expected, (found, expected)
    for each in snapshots.all():
        assert each.is_taken_back or digest(snapshots.lines(each.seq)) == each.sha256


def periods(board: OracleBoard) -> Iterator[tuple[str, str]]:
    """Window and key of every period that has entries."""
    for window in board.rules.windows:
        for key in board.keys(window):
            yield window, key


def segments(
    board: OracleBoard, window: str, key: str, whole: Standings
) -> Iterator[tuple[Segment | None, Standings]]:
    """The whole of some standings of a period, and each segment of it that anybody is or was in,
    and one that nobody is in.
    """
    yield None, whole
    known = [board.players.attributes, *board.attributes_then.values()]
    for name in board.rules.segments:
        values = {each[name] for players in known for each in players.values() if name in each}
        values |= {found for carried, found in board.carried_by_any() if carried == name}
        for value in sorted(values | {"nobody's"}):
            yield Segment(name, value), board.segment(whole, window, key, name, value)


def check_rows(page: Page, expected: Sequence[tuple[int, Line]], standings: Standings) -> None:
    """Hold a page's rows and total against the oracle's."""
    rows = [(row.rank, row.player_id, row.columns, row.reached_at) for row in page.rows]
    lines = [(rank, line.player_id, line.columns, line.reached_at) for rank, line in expected]
    assert rows == lines, (rows, lines)
    assert page.total == len(standings.lines)


def _check_store(path: Path, key: tuple[int, str, str], standings: Standings) -> None:
    players = [line.player_id for line in standings.lines]
    entries = stored_entries(path.store, key, [*players, "nobody has this id"])
    found = {
        player: (entry.columns, entry.reached_at, entry.events) for player, entry in entries.items()
    }
    assert found == {line.player_id: tuple(line[1:]) for line in standings.lines}, key


def _check_outcomes(world: World, board: OracleBoard, board_id: int, path: Path) -> None:
    ids = {each.event.event_id: world.verdicts[each.place] for each in board.counted}
    kept = path.store.seen(board_id, list(ids))
    assert {event_id: seen.outcome for event_id, seen in kept.items()} == {
        event_id: _kept_as(verdict) for event_id, verdict in ids.items()
    }
    held = path.catalog.quarantine.of(board_id)
    assert {event_id: each.is_rejected for event_id, each in held.items()} == {
        event_id: each.is_rejected for event_id, each in board.held.items()
    }
    assert path.catalog.quarantine.waiting(board_id) == sum(
        not each.is_rejected for each in board.held.values()
    )
    spent = {
        event_id
        for owner, event_id, seen in path.store.scan_seen()
        if owner == board_id and Outcome(seen.outcome).spends_id
    }
    assert spent == set(ids), "an id is spent that no counted event has"


def check_reads(world: World, path: Path, name: str, window: str, key: str) -> None:
    """Ask everything there is to ask of one period, in every numbering."""
    board = world.boards[name]
    for full, standings in _views(board, window, key):
        for numbering in NUMBERINGS:
            scope = path.query.scope(PROJECT, name, window, key, numbering, full=full)
            for segment, part in segments(board, window, key, standings):
                check_scope(path.query, scope._replace(segment=segment), part, numbering)
            check_scope(path.query, scope, standings, numbering)


def check_scope(query: Query, scope: Scope, standings: Standings, numbering: str) -> None:
    """Hold list, ranks, around, pages, percentiles and ranks of scores against the oracle."""
    total = len(standings.lines)
    _check_players(query, scope, standings, numbering)
    for first in range(1, total + 2):
        for last in range(1, total + 2):
            page = query.ranks(scope, first, last, 1000)
            check_rows(page, standings.ranks(first, last, numbering), standings)
    for size in (1, 2, 3):
        check_pages(query, scope, standings, size, numbering)
    columns = scope.board.settings.columns
    for line in standings.lines:
        for width in range(1, len(columns) + 1):
            for step in (-1, 0, 1):
                asked = (line.columns[0] + step, *line.columns[1:width])
                _check_rank_of(query, scope, standings, asked, numbering)
        low = high = scope.board.format_score(line.columns)
        for least, most in ((low, None), (None, high), (low, high)):
            page = query.scores(scope, least, most, 1000)
            value = line.columns[0]
            expected = standings.scores(
                None if least is None else value, None if most is None else value, numbering
            )
            check_rows(page, expected, standings)


def _check_players(query: Query, scope: Scope, standings: Standings, numbering: str) -> None:
    total = len(standings.lines)
    players = [line.player_id for line in standings.lines]
    for player in players:
        found = query.rank(scope, player)
        shared = standings.shared_rank(player)
        assert shared is not None
        assert found.standing.rank == standings.rank(player, numbering)
        assert found.percentile == 100 * (total - shared + 1) / total
        assert found.top_percent == 100 * shared / total
        assert found.total == total
        for n in (0, 1, 2, total):
            around = standings.around(player, n, numbering)
            assert around is not None
            check_rows(query.around(scope, player, n, None), around, standings)
        for size in (1, 2, 3, 4, total, total + 1):
            around = standings.around_size(player, size, numbering)
            assert around is not None
            check_rows(query.around(scope, player, None, size), around, standings)
    asked = [*reversed(players), "nobody has this id"]
    page, missing, withheld = query.ranks_of(scope, asked)
    rows = [(row.rank, row.player_id) for row in page.rows]
    assert rows == [(standings.rank(player, numbering), player) for player in reversed(players)]
    assert (missing, withheld) == (["nobody has this id"], [])
    # R13: a subset is numbered as a board of its own that holds nobody else.
    chosen = players[::2]
    alone = standings.only(chosen)
    friends = query.friends(scope, [*reversed(chosen), "nobody has this id", *chosen])
    assert [(row.rank, row.standing.rank, row.standing.player_id) for row in friends.rows] == [
        (rank, standings.rank(line.player_id, numbering), line.player_id)
        for rank, line in alone.rows(0, len(chosen), numbering)
    ]
    assert friends.total == total


def check_pages(
    query: Query, scope: Scope, standings: Standings, size: int, numbering: str
) -> None:
    """Page by page is all at once, forward and back again."""
    everything = standings.rows(0, len(standings.lines), numbering)
    page = query.top(scope, size)
    assert page.prev is None
    pages = [list(page.rows)]
    while page.next is not None:
        page = query.top(scope, size, page.next)
        assert page.rows, "a cursor led to an empty page"
        pages.append(list(page.rows))
        assert len(pages) <= len(everything), "the pages come to no end"
    rows = [(row.rank, row.player_id) for part in pages for row in part]
    assert rows == [(rank, line.player_id) for rank, line in everything]
    backward = [list(page.rows)]
    while page.prev is not None:
        page = query.top(scope, size, page.prev)
        backward.append(list(page.rows))
        assert len(backward) <= len(pages), "the pages come to no end"
    assert [row for part in reversed(backward) for row in part] == [r for p in pages for r in p]


def _check_rank_of(
    query: Query, scope: Scope, standings: Standings, asked: tuple[int, ...], numbering: str
) -> None:
    if not -(2**63) <= asked[0] < 2**63:
        return
    board = scope.board
    columns = board.settings.columns
    padded = (*asked, *(0 for _ in columns[len(asked) :]))
    text = ",".join(board.format_columns(padded)[: len(asked)])
    found = query.rank_of(scope, text, None)
    assert found.rank == standings.would_be(asked, numbering), (asked, found)
    assert found.total == len(standings.lines)
