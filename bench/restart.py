"""How long a stopped server takes to serve again, and how fast all is made anew from the log.

The log is filled first: each player has an entry in each window. Then ``toprung rebuild`` is
timed, then starts: each is the time from the command to the moment that the server says that it is
ready. A start without an image is one after the image was deleted.

Example: python bench/restart.py --entries 1e7
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

import game
from common import Line, count, memory_bytes, report
from table import print_table

from toprung.testing.command import toprung
from toprung.testing.server import Server, start_server

IMAGES = "*.image*"
"""The files beside the database that a start may read the ranks from."""


def fill(folder: Path, players: int, times: int, seed: int) -> Path:
    """A database with the board, and so many events of each player in its log."""
    database = folder / "toprung.db"
    if not database.exists():
        found = start_server(folder, "--view", "off")
        try:
            game.put_board(found, game.board_settings())
        finally:
            found.stop()
        dice = random.Random(seed)
        for _ in range(times):
            game.append(database, game.one_each(players, dice))
    return database


def timed_rebuild(database: Path) -> float:
    """Seconds that making everything anew takes, the start of the command included."""
    started = time.perf_counter()
    toprung("rebuild", "--db", str(database), "--json")
    return time.perf_counter() - started


def timed_start(database: Path, view: str, *, image: bool) -> tuple[float, float]:
    """Seconds to serving, and GiB then; the server is stopped again, so that it leaves an image."""
    if not image:
        for path in database.parent.glob(IMAGES):
            path.unlink()
    server = Server(database, "--view", view)
    started = time.perf_counter()
    server.start()
    seconds = time.perf_counter() - started
    resident = memory_bytes(server.pid) / 2**30
    server.stop()
    return seconds, resident


def measure(arguments: argparse.Namespace, folder: Path) -> list[Line]:
    """Fill, make anew, start again and again."""
    players = arguments.entries // len(game.WINDOWS)
    events = players * arguments.times
    shown = {"entries": arguments.entries, "events": events, "view": arguments.view}
    database = fill(folder, players, arguments.times, arguments.seed)
    rebuilds = [events / timed_rebuild(database) for _ in range(arguments.rounds)]
    lines = [report("restart", "rebuild", "events/s", rebuilds, **shown)]
    without = [timed_start(database, arguments.view, image=False) for _ in range(arguments.rounds)]
    using = [timed_start(database, arguments.view, image=True) for _ in range(arguments.rounds)]
    for what, taken in (("start without an image", without), ("start from an image", using)):
        lines.append(report("restart", what, "s", [seconds for seconds, _ in taken], **shown))
    resident = [gib for _, gib in using]
    lines.append(report("restart", "resident GiB when serving", "GiB", resident, **shown))
    return lines


def main() -> None:
    """Read the arguments, measure, print a line for each result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=count, default="1e6", help="on all windows together")
    parser.add_argument("--times", type=int, default=1, help="events of each player")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--view", default=game.VIEW, help="as toprung serve --view takes it")
    parser.add_argument("--folder", type=Path, help="keep the database there, and use it again")
    parser.add_argument("--table", action="store_true", help="print a table, too")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        lines = measure(arguments, arguments.folder or Path(scratch))
    if arguments.table:
        print_table(lines)


if __name__ == "__main__":
    main()
