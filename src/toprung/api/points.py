"""An event's numbers, as they were sent."""

from collections.abc import Sequence

from toprung.domain.board import Board
from toprung.domain.numbers import format_number


def points_told(board: Board, points: Sequence[int], revision: int) -> str | dict[str, str]:
    """The numbers of an event by the columns the board had then: text, or texts by column."""
    columns = board.columns_of(revision)
    texts = [
        format_number(value, column.decimals) for value, column in zip(points, columns, strict=True)
    ]
    if len(columns) == 1:
        return texts[0]
    return {column.name: text for column, text in zip(columns, texts, strict=True)}
