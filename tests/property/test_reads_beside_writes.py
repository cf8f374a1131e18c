"""R12: while a board is written and recomputed, every answer is of one state, whole."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

from toprung.domain.errors import InvalidInput
from toprung.query import StaleScope
from toprung.testing.oracle import Column, Drop, Event, Put, Rules, Told

ROUNDS = 60
ONE = Rules("sum", (Column("a", True, 0),), windows=("all", "daily"), grace=None)
TWO = ONE._replace(columns=(Column("a", True, 0), Column("b", False, 2)))
PLAYERS = ["ann", "bo", "cy"]


def look(query) -> int:
    """One look at the board; the seq that it reflects."""
    scope = query.scope("game", "alpha")
    width = len(scope.board.settings.columns)
    page = query.top(scope, 10)
    assert {len(row.columns) for row in page.rows} <= {width}
    assert len(page.rows) == page.total
    assert [row.rank for row in page.rows] == list(range(1, page.total + 1))
    for row in page.rows:
        rank = query.rank(scope, row.player_id)
        assert len(rank.standing.columns) == width
        assert rank.standing.rank <= rank.total
        assert rank.seq >= page.seq
        assert query.around(scope, row.player_id, 1, None).total >= page.total
    # All three move by the same in one commit, so all three are alike.
    assert len({row.columns for row in page.rows}) <= 1
    query.rank_of(scope, ",".join(["1"] * width), 1)
    return page.seq


def look_until(query, over) -> list[int]:
    """The seqs of all looks, until the writing is over."""
    seqs = []
    while not over.is_set():
        try:
            seqs.append(look(query))
        except StaleScope:
            query.settle()
        except InvalidInput as error:
            # Between the act that drops the board and the one that makes it anew there is none,
            # and that is a whole state too.
            if error.code != "unknown_board":
                raise
    return [*seqs, look(query)]


def write(path) -> None:
    rules = ONE
    for at in range(1, ROUNDS + 1):
        names = [column.name for column in rules.columns]
        group = [
            Told(Event("alpha", f"{at} {player}", player, dict.fromkeys(names, "1"), at), at)
            for player in PLAYERS
        ]
        path.send(group)
        assert path.query.seq() == path.log.head()[0], "a writer reads its own writes"
        if at % 6 == 0:
            # From two columns to one the board is recomputed; a column cannot be added, so for the
            # way back it is made anew.
            again = [Told(Put("alpha", ONE, "recompute"), at)]
            anew = [Told(Drop("alpha"), at), Told(Put("alpha", TWO), at)]
            answers = path.send(again if rules is TWO else anew)
            assert all(answer.refused is None for answer in answers)
            rules = ONE if rules is TWO else TWO


def test_every_look_is_at_one_whole_state(real_path):
    over = Signal()
    with real_path() as path, ThreadPoolExecutor(1) as pool:
        path.send([Told(Put("alpha", ONE), 0)])
        looking = pool.submit(look_until, path.query, over)
        try:
            write(path)
        finally:
            over.set()
        seqs = looking.result()

    assert seqs == sorted(seqs)
    assert len(set(seqs)) > 3, "it looked while things moved"
