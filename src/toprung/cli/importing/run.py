"""One import from its first row to its last."""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

from toprung.cli.importing.feed import Feed
from toprung.cli.importing.file_feed import FileFeed
from toprung.cli.importing.names import Names
from toprung.cli.importing.order import Order
from toprung.cli.importing.results import ResultsFile
from toprung.cli.importing.sending import Acknowledged, Answer, Batch, send_all
from toprung.cli.importing.state import Progress, StateFile, import_id
from toprung.cli.progress import Show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toprung.sdk import BatchReply, Client, ScoreEvent

TAKEN = frozenset({"counted", "unchanged", "duplicate"})
"""Outcomes of a row whose event is on its board."""
PROBLEMS_SHOWN = 5


class Import:
    """Runs an order.

    Attributes:
        progress: what is acknowledged so far, also after a failure.
        resumed: how many rows of it an earlier run brought.
        problems: the first rows that were refused.
        refused: how many were, in this run.
    """

    def __init__(
        self, order: Order, client: "Client", target: str, show: Show, feed: Feed | None = None
    ) -> None:
        self._order = order
        self._client = client
        self._target = target
        self._show = show
        self._feed = feed or FileFeed(order)
        self._state: StateFile | None = None
        self._names = Names(client) if order.names else None
        self._begun = 0.0
        self.progress = Progress()
        self.resumed = 0
        self.problems: list[Answer] = []
        self.refused = 0

    def run(self) -> None:
        """Import all of it.

        Raises:
            Failed: the source cannot be used.
            ToprungError: the server did not take it; ``progress`` says how far it came.
        """
        self._identify()
        try:
            self._send(self._feed.batches(self.progress, self._order.batch))
        finally:
            if self._names is not None:
                self._names.close()
        if self._state is not None:
            self._state.remove()

    def _identify(self) -> None:
        """Learn what was done of this import before."""
        order = self._order
        content = self._feed.identity(lambda done: self._show(done, "reading"))
        path = order.state or self._feed.state_path
        if content is None or path is None:
            return
        more = [order.preset, order.at, order.names]
        settings = [self._target, order.board, order.mapping, order.history, order.format, *more]
        self._state = StateFile(path, import_id(content, settings))
        if order.restart:
            self._state.remove()
        self.progress = self._state.load()
        self.resumed = self.progress.rows

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
        self._set_names(done)
        self.progress = Progress(
            rows=self.progress.rows + len(done.answers),
            outcomes=outcomes,
            seq=done.seq or self.progress.seq,
            mark=done.batch.mark,
            results_bytes=results_bytes,
        )
        if self._state is not None:
            self._state.save(self.progress)
        rate = (self.progress.rows - self.resumed) / max(time.monotonic() - self._begun, 0.001)
        self._show(done.batch.position, f"{self.progress.rows:,} rows, {rate:,.0f}/s")

    def _set_names(self, done: Acknowledged) -> None:
        if self._names is None:
            return
        named = [
            (row, row.event.player_id, row.name)
            for row, answer in zip(done.batch.rows, done.answers, strict=True)
            if row.event is not None and row.name is not None and answer.outcome in TAKEN
        ]
        refused = self._names.put({player: name for _, player, name in named})
        for row, player, _ in named:
            if player in refused:
                why = f"the display name was not taken: {refused.pop(player)}"
                self._note_problem(Answer(row.number, row.line, "invalid", None, why))

    def _note_problem(self, answer: Answer) -> None:
        self.refused += 1
        if len(self.problems) < PROBLEMS_SHOWN:
            self.problems.append(answer)
