"""What an export writes, an import reads as it was."""

import csv
import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toprung.cli.errors import Failed
from toprung.cli.exporting.sources import ENTRIES
from toprung.cli.exporting.tables import Points, Table
from toprung.cli.exporting.writers import csv_writer, jsonl_writer
from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.source import read_lines
from toprung.domain.errors import InvalidInput
from toprung.domain.names import check_id


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


def table(columns: tuple[str, ...]) -> Table:
    return Table(ENTRIES, [Points(name, 0) for name in columns], lambda: iter(()))


def row(rank: int, player: str, points: object, at: str, name: str | None = None) -> tuple:
    return rank, player, name, points, at


def exported(columns: tuple[str, ...], rows: list[tuple], **options: bool) -> str:
    file = io.StringIO(newline="")
    csv_writer(table(columns), file, **options)(rows)
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
        row(rank, player, str(-rank), "2026-05-04T12:00:00Z", name)
        for rank, (player, name) in enumerate(players, start=1)
    ]

    read = imported(exported(("score",), rows))

    assert read == [(player, points, at) for _, player, _, points, at in rows]


@given(st.lists(IDS, min_size=1, max_size=4))
def test_every_player_comes_back_with_several_columns(players):
    rows = [
        row(rank, player, {"wins": "1", "losses": "2"}, "2026-05-04T12:00:00Z")
        for rank, player in enumerate(players, start=1)
    ]

    read = imported(exported(("wins", "losses"), rows))

    assert read == [(player, points, at) for _, player, _, points, at in rows]


@pytest.mark.parametrize(
    ("player", "line"),
    [("ana", "1,ana,,5,t"), ("a,b", '1,"a,b",,5,t'), ("a\rb", '"1","a\rb","","5","t"')],
)
def test_only_what_needs_quotes_has_them(player, line):
    assert exported(("score",), [row(1, player, "5", "t")]).split("\n")[1] == line


@pytest.mark.parametrize("risky", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_a_text_that_would_be_a_formula_can_be_made_harmless(risky):
    rows = [row(1, risky, "-5", "t", risky)]

    (kept,) = list(csv.reader(io.StringIO(exported(("score",), rows), newline="")))[1:]
    (safe,) = list(
        csv.reader(io.StringIO(exported(("score",), rows, spreadsheet=True), newline=""))
    )[1:]

    assert kept == ["1", risky, risky, "-5", "t"]
    assert safe == ["1", f"'{risky}", f"'{risky}", "-5", "t"]


@pytest.mark.parametrize("points", ["5", {"wins": "1"}, {"wins": "1", "drawn": "2"}])
def test_what_has_no_column_is_no_row_of_a_table_and_a_line_of_json(points):
    rows = [row(1, "ana", points, "t")]

    with pytest.raises(Failed) as refused:
        exported(("wins", "losses"), rows)
    file = io.StringIO()
    jsonl_writer(table(("wins", "losses")), file)(rows)

    assert refused.value.code == "other_columns"
    assert json.loads(file.getvalue())["points"] == points
