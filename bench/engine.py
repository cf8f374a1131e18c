"""The rank engine beside Redis and Valkey, in one run: ranks, updates and bytes a member.

Rounds are interleaved, so that a slow minute of the machine slows everyone. Ours goes through the
Python API: a list of 1,000 ids of 17 characters to a list of ranks, conversion included. Theirs is
``redis-benchmark`` with 50 connections and a pipeline of 64 for uniform members; it cannot draw by
Zipf's law, so there the same commands come from one connection that always has pipelines of 64 on
their way. The time that the server itself counts for a command stands beside both.

Example: python bench/engine.py --against both --members 1e6 --table
"""

import argparse
from contextlib import ExitStack

from common import count
from contest import measure_speed
from large import measure_large
from rivals import running_rival
from run import Run
from sizes import fill_board, fill_rival, measure_churn, measure_further, measure_small_boards
from table import print_table

AGAINST = {"none": (), "redis": ("redis",), "valkey": ("valkey",), "both": ("redis", "valkey")}
LARGE_MEMBERS = 50_000_000
"""From here on it is about what one process can hold, and nobody else is asked."""


def measure(run: Run, against: tuple[str, ...], *, quick: bool) -> None:
    """Fill everyone, measure them in turns, then what ours takes when it is used."""
    board = fill_board(run)
    with ExitStack() as started:
        asked = [started.enter_context(running_rival(name)) for name in against]
        for rival in asked:
            fill_rival(run, rival)
        measure_speed(run, board, asked)
    if not quick:
        measure_churn(run, board)
        measure_further(run, board)
    measure_small_boards(run)


def main() -> None:
    """Read the arguments, measure, print a line for each result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", choices=AGAINST, default="both")
    parser.add_argument("--members", type=count, default="1e6", help="such as 1e6, 1e7 or 1e8")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--items", type=count, default="250000", help="items of a round")
    parser.add_argument("--quick", action="store_true", help="without what needs many updates")
    parser.add_argument("--table", action="store_true", help="print a table, too")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments.members, arguments.rounds, arguments.items, arguments.seed)
    if run.members >= LARGE_MEMBERS:
        measure_large(run)
    else:
        measure(run, AGAINST[arguments.against], quick=arguments.quick)
    if arguments.table:
        print_table(run.lines)


if __name__ == "__main__":
    main()
