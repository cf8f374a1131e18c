"""What an export writes, an import reads as it was."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toprung.cli.exporting import Format, _writer
from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.source import read_lines
from toprung.domain.errors import InvalidInput
from toprung.domain.names import check_id
from toprung.wire.boards import Board, Column
from toprung.wire.reads import Row


def _is_id(text: str) -> bool:
    try:
        check_id(text, "id")
    except InvalidInput:
        return False
    return True


IDS = (
    st.text(st.sampled_from(" ,;\"'\r\n\t|=\\a\ufeff\u2028é"), min_size=1, max_size=6)
    | st.text(min_size=1, max_size=20)
).filter(_is_id)


def exported(columns: tuple[str, ...], rows: list[Row]) -> str:
    names = tuple(map(Column, columns))
    board = Board(
        "b", "", "sum", names, "earliest", (), "UTC", "monday", "1h", "1h", "1h", "t", "1"
    )
    file = io.StringIO(newline="")
    _writer(Format.CSV, board, file)(rows)
    return file.getvalue()


def imported(content: str) -> list[object]:
    text = io.TextIOWrapper(io.BytesIO(content.encode()), "utf-8-sig", newline="")
    rows = list(csv_rows(read_lines(text), {}, board="b", delimiter=",", make_id="f-"))
    assert [row.problem for row in rows] == [None] * len(rows)
    return [(row.event.player_id, row.event.points, row.event.at) for row in rows]


@given(st.lists(st.tuples(IDS, st.none() | IDS), min_size=1, max_size=6))
@example([("a\rb", None), ("\r", None), ("c", "\r"), ("\r\n", None), ("last", None)])
def test_every_player_comes_back(players):
    rows = [
        Row(rank, player, str(-rank), "2026-05-04T12:00:00Z", name=name)
        for rank, (player, name) in enumerate(players, start=1)
    ]

    read = imported(exported(("score",), rows))

    assert read == [(row.player_id, row.score, row.reached_at) for row in rows]


@given(st.lists(IDS, min_size=1, max_size=4))
def test_every_player_comes_back_with_several_columns(players):
    rows = [
        Row(rank, player, "1", "2026-05-04T12:00:00Z", columns={"wins": "1", "losses": "2"})
        for rank, player in enumerate(players, start=1)
    ]

    read = imported(exported(("wins", "losses"), rows))

    assert read == [(row.player_id, row.columns, row.reached_at) for row in rows]


@pytest.mark.parametrize(
    ("player", "line"),
    [("ana", "1,ana,,5,t"), ("a,b", '1,"a,b",,5,t'), ("a\rb", '"1","a\rb","","5","t"')],
)
def test_only_what_needs_quotes_has_them(player, line):
    assert exported(("score",), [Row(1, player, "5", "t")]).split("\n")[1] == line
