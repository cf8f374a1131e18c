"""One import from its first row to its last."""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.jsonl_rows import jsonl_rows
from toprung.cli.importing.mapping import Explicit
from toprung.cli.importing.results import ResultsFile
from toprung.cli.importing.rows import Row
from toprung.cli.importing.sending import Acknowledged, Answer, Batch, batches, send_all
from toprung.cli.importing.source import Format, Source, content_hash, open_source
from toprung.cli.importing.state import Progress, StateFile, import_id
from toprung.cli.progress import Show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toprung.sdk import BatchReply, Client, ScoreEvent

ID_HASH_CHARS = 16
"""So much of a file's hash is in the ids made for its rows: enough to tell files apart."""
TAKEN = frozenset({"counted", "unchanged", "duplicate"})
"""Outcomes of a row whose event is on its board."""
PROBLEMS_SHOWN = 5


@dataclass(frozen=True)
class Order:
    """What the user asked for."""

    file: str
    mapping: Explicit
    board: str | None = None
    format: Format | None = None
    delimiter: str | None = None
    batch: int = 5000
    in_flight: int = 3
    history: bool = False
    results: Path | None = None
    state: Path | None = None
    restart: bool = False

    def state_path(self) -> Path:
        """Where the progress is kept."""
        return self.state or Path(self.file + ".toprung-import.json")


def is_stored(file: str) -> bool:
    """Whether an input can be read twice, unlike a pipe."""
    return file != "-" and Path(file).is_file()


class Import:
    """Runs an order.

    Attributes:
        progress: what is acknowledged so far, also after a failure.
        resumed: how many rows of it an earlier run brought.
        problems: the first rows that were refused.
        refused: how many were, in this run.
    """

    def __init__(self, order: Order, client: "Client", target: str, show: Show) -> None:
        self._order = order
        self._client = client
        self._target = target
        self._show = show
        self._state: StateFile | None = None
        self._begun = 0.0
        self.progress = Progress()
        self.resumed = 0
        self.problems: list[Answer] = []
        self.refused = 0

    def run(self) -> None:
        """Import the file.

        Raises:
            Failed: the file cannot be used.
            ToprungError: the server did not take it; ``progress`` says how far it came.
        """
        content = self._identify()
        with open_source(self._order.file) as source:
            rows = self._rows(source, content)
            for _ in islice(rows, self.progress.rows):
                pass
            self._send(batches(rows, self._order.batch, source.position))
        if self._state is not None:
            self._state.remove()

    def _identify(self) -> str | None:
        """The content's hash, and with it what was done before; ``None`` for a pipe."""
        order = self._order
        if not is_stored(order.file):
            return None
        content = content_hash(order.file, lambda done: self._show(done, "reading"))
        settings = [self._target, order.board, order.mapping, order.history, order.format]
        self._state = StateFile(order.state_path(), import_id(content, settings))
        if order.restart:
            self._state.remove()
        self.progress = self._state.load()
        self.resumed = self.progress.rows
        return content

    def _rows(self, source: Source, content: str | None) -> Iterator[Row]:
        order = self._order
        make_id = None if content is None else f"{content[:ID_HASH_CHARS]}-"
        lines = source.lines()
        if (order.format or source.format()) == "jsonl":
            return jsonl_rows(lines, order.mapping, board=order.board, make_id=make_id)
        delimiter = order.delimiter or source.delimiter()
        return csv_rows(
            lines, order.mapping, board=order.board, delimiter=delimiter, make_id=make_id
        )

    def _send(self, groups: Iterator[Batch]) -> None:
        order = self._order
        self._begun = time.monotonic()
        kept = self.progress.results_bytes or 0
        with ResultsFile(order.results, kept) if order.results else nullcontext() as results:
            for done in send_all(groups, self._submit, order.in_flight):
                self._note(done, results.write(done.answers) if results else None)

    def _submit(self, events: "Sequence[ScoreEvent]") -> "BatchReply":
        return self._client.submit_many(events, ranks=False, history=self._order.history)

    def _note(self, done: Acknowledged, results_bytes: int | None) -> None:
        outcomes = dict(self.progress.outcomes)
        for answer in done.answers:
            outcomes[answer.outcome] = outcomes.get(answer.outcome, 0) + 1
            if answer.outcome not in TAKEN:
                self._note_problem(answer)
        self.progress = Progress(
            rows=self.progress.rows + len(done.answers),
            outcomes=outcomes,
            seq=done.seq or self.progress.seq,
            results_bytes=results_bytes,
        )
        if self._state is not None:
            self._state.save(self.progress)
        rate = (self.progress.rows - self.resumed) / max(time.monotonic() - self._begun, 0.001)
        self._show(done.batch.position, f"{self.progress.rows:,} rows, {rate:,.0f}/s")

    def _note_problem(self, answer: Answer) -> None:
        self.refused += 1
        if len(self.problems) < PROBLEMS_SHOWN:
            self.problems.append(answer)
