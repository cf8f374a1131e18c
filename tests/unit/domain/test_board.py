"""R16: points that were read by earlier columns, said by the present ones."""

import msgspec
import pytest

from toprung.domain.board import Board, BoardState, Column, Settings

SETTINGS = Settings(
    "sum", (Column("score", True, 2),), "earliest", ("all",), "UTC", 0, None, None, None, ""
)


def board_with(past: list[tuple[Column, ...]], present: tuple[Column, ...]) -> Board:
    settings = msgspec.structs.replace(SETTINGS, columns=present)
    return Board(
        BoardState(1, "game", "week", settings, len(past) + 1, 0, (), 0, past_columns=tuple(past))
    )


A2, B0, C0 = Column("a", True, 2), Column("b", True, 0), Column("c", True, 0)


@pytest.mark.parametrize(
    ("past", "present", "points", "now"),
    [
        pytest.param((A2, B0), (A2, B0), (150, 7), (150, 7), id="alike"),
        pytest.param((A2,), (Column("a", True, 4),), (150,), (15000,), id="more decimals"),
        pytest.param((A2,), (Column("a", True, 1),), (150,), (15,), id="fewer, exact"),
        pytest.param((A2,), (Column("a", True, 0),), (150,), None, id="fewer, not exact"),
        pytest.param((A2,), (Column("a", False, 2),), (150,), (150,), id="other direction"),
        pytest.param((B0,), (Column("b", True, 9),), (10**18,), None, id="too large when scaled"),
        pytest.param((A2, B0), (B0, A2), (150, 7), (7, 150), id="found by name"),
        pytest.param((A2, B0), (B0,), (150, 7), (7,), id="one dropped"),
        pytest.param((A2, B0), (A2, C0), (150, 7), (150, 7), id="one renamed"),
        pytest.param((A2,), (Column("x", True, 3),), (150,), (1500,), id="renamed and scaled"),
        pytest.param((A2, B0), (B0, C0), (150, 7), None, id="one shifted, one new"),
        pytest.param((B0,), (B0, C0), (7,), None, id="one added"),
        pytest.param((B0, C0), (A2,), (7, 8), None, id="another one"),
    ],
)
def test_points_of_an_earlier_revision(past, present, points, now):
    assert board_with([past], present).points_now(points, 1) == now


def test_each_revision_is_read_by_its_own_columns():
    board = board_with([(Column("a", True, 0),), (Column("a", True, 1),)], (A2,))

    assert [board.points_now((5,), revision) for revision in (1, 2, 3)] == [(500,), (50,), (5,)]
