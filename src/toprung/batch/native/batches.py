"""Between the port and the native reader and writer: hands them boards and buffers."""

from collections.abc import Mapping

from toprung._native import read_batch, write_results
from toprung.domain.errors import Broken
from toprung.ports.batches import BoardByName, Form
from toprung.ports.log import Frames
from toprung.ports.pipeline import Packed
from toprung.ports.results import EventResults

_Board = tuple[int, int, list[tuple[str, int]]]


class NativeBatches:
    """:class:`~toprung.ports.batches.Batches` in Rust."""

    def read(
        self,
        content: bytes,
        board_of: BoardByName,
        received_at: int,
        *,
        form: Form,
        ranked: bool,
        history: bool,
    ) -> Packed | None:
        """See the port."""
        boards: set[int] = set()

        def found(name: str) -> _Board | None:
            board = board_of(name)
            if board is None:
                return None
            boards.add(board.board_id)
            columns = [(column.name, column.decimals) for column in board.settings.columns]
            return board.board_id, board.revision, columns

        read = read_batch(content, form, found, received_at, history)
        return None if read is None else Packed(Frames(*read), boards, ranked=ranked)

    def write(
        self, rows: Packed, results: EventResults, others: Mapping[int, bytes], *, ranked: bool
    ) -> bytes:
        """See the port."""
        effects = results.effects
        stretches = [
            (
                board.state.name,
                board.settings.columns[0].decimals,
                [(period.window, period.key) for period in periods],
            )
            for board, periods in effects.stretches
        ]
        written = write_results(
            rows.frames.body,
            results.first,
            results.start,
            effects.outcomes,
            effects.spans,
            effects.known,
            effects.before,
            effects.after,
            stretches,
            results.ranks if ranked else None,
            dict(others),
        )
        if written is None:
            raise Broken("what became of a batch does not fit its events")
        return written
