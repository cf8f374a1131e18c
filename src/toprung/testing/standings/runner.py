"""Takes one set of data from its events to the count of equal rows."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from toprung.testing.api import Api, segment
from toprung.testing.standings.adapter import Bar, Standings
from toprung.testing.standings.comparing import Tally, compare
from toprung.testing.standings.importing import Format, Importer


def run_set(
    standings: Standings,
    url: str,
    key: str,
    file_format: Format = "csv",
    progress: Callable[[int, int], object] = lambda events, rows: None,
) -> dict[str, Tally]:
    """Create the boards, import step by step, and compare after each step; a tally per group.

    ``progress`` is told after each step how many events were imported and rows compared so far.
    """
    tallies: dict[str, Tally] = {}
    with Api(lambda: url, key) as api, TemporaryDirectory(prefix="toprung-set-") as folder:
        _create_boards(api, standings)
        importer = Importer(url, key, Path(folder), standings.columns, file_format)
        for step in standings.steps:
            importer.send(step.events)
            for table in step.tables:
                compare(api, table, tallies.setdefault(table.group, Tally()))
            progress(importer.rows, sum(tally.rows for tally in tallies.values()))
    return tallies


def _create_boards(api: Api, standings: Standings) -> None:
    for board in standings.boards:
        path = f"/v1/boards/{segment(board.name)}"
        api.send("PUT", path, board.settings)
        for season in board.seasons:
            reset = {"id": season.id, "at": season.at, "name": season.name}
            api.send("POST", f"{path}/seasons", reset)


def missed(tallies: Mapping[str, Tally], bars: Mapping[str, Bar]) -> Iterator[str]:
    """What was asked for and not reached, a line each."""
    for group, bar in bars.items():
        tally = tallies.get(group, Tally())
        reached = Bar(tally.values_share, tally.ranks_share)
        for what, share, wanted in zip(Bar._fields, reached, bar, strict=True):
            if share < wanted:
                yield f"{group or 'all'}: {what} equal {share:.3%}, asked for {wanted:.3%}"
