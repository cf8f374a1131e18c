"""CSV as people's files have it: a good row becomes its event, a bad one costs only itself."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.cli.errors import Failed
from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.rows import Row
from toprung.cli.importing.source import RECORD_CHARS_MAX, read_lines

HEADER = ["event_id", "player_id", "points", "at"]


def rows_of(content: str | bytes, **options) -> list[Row]:
    raw = content.encode() if isinstance(content, str) else content
    text = io.TextIOWrapper(io.BytesIO(raw), "utf-8-sig", errors="surrogateescape", newline="")
    given = {"board": "b", "delimiter": ",", "make_id": "f-"} | options
    return list(csv_rows(read_lines(text), given.pop("explicit", {}), **given))


def cells_of(row: Row) -> list[object]:
    event = row.event
    return [event.event_id, event.player_id, event.points, event.at]


def problems(rows: list[Row]) -> list[tuple[int, int, str]]:
    return [(row.number, row.line, row.problem) for row in rows if row.event is None]


def test_byte_order_mark_windows_ends_quotes_breaks_and_blank_lines():
    rows = rows_of(
        '\ufeffevent_id,player_id,points,at\r\nr1,"Last, First",10,t\r\n\r\n'
        'r2,"say ""hi""",7,t\r\nr3,"two\nlines",5,t\r\n\r\n'
    )
    assert [cells_of(row) for row in rows] == [
        ["r1", "Last, First", "10", "t"],
        ["r2", 'say "hi"', "7", "t"],
        ["r3", "two\nlines", "5", "t"],
    ]
    assert [(row.number, row.line) for row in rows] == [(1, 2), (2, 4), (3, 5)]


def test_short_and_long_rows_cost_only_themselves():
    rows = rows_of("player_id,points\na,1\nb\nc,3,x\nd,4\n")
    assert [row.event.player_id for row in rows if row.event] == ["a", "d"]
    assert problems(rows) == [
        (2, 3, "the row has 1 cells, the header 2"),
        (3, 4, "the row has 3 cells, the header 2"),
    ]


def test_a_quote_that_is_never_closed_costs_only_its_own_line():
    rows = rows_of('player_id,points\na,1\n"b,2\nc,3\nd,4\n')
    assert [row.event.player_id for row in rows if row.event] == ["a", "c", "d"]
    assert [(number, line) for number, line, _ in problems(rows)] == [(2, 3)]


def test_a_stray_quote_does_not_pair_with_one_of_a_later_row():
    rows = rows_of('player_id,points\n"a,1\nb,2\n"c",3\n')
    assert [row.event.player_id for row in rows if row.event] == ["b", "c"]


def test_a_row_without_end_costs_only_itself():
    rows = rows_of("player_id,points\n" + "x" * (RECORD_CHARS_MAX * 2) + ",1\nb,2\n")
    assert [row.event.player_id for row in rows if row.event] == ["b"]
    assert problems(rows) == [(1, 2, f"the row is longer than {RECORD_CHARS_MAX} characters")]


def test_what_is_not_utf8_costs_only_its_row():
    rows = rows_of("player_id,points\nä,1\n".encode() + b"\xff\xfe,2\nc,3\n")
    assert [row.event.player_id for row in rows if row.event] == ["ä", "c"]
    assert problems(rows) == [(2, 3, "the row is not UTF-8")]


@pytest.mark.parametrize("field", HEADER)
def test_a_field_that_the_file_has_must_be_filled(field):
    cells = ["e", "p", "1", "t"]
    cells[HEADER.index(field)] = ""
    rows = rows_of(",".join(HEADER) + "\n" + ",".join(cells) + "\n")
    assert problems(rows) == [(1, 2, f"{field} is empty")]


def test_what_an_event_may_lack_may_be_empty():
    (row,) = rows_of("player_id,points,match_id,metadata\na,1,,\n")
    assert (row.event.match_id, row.event.metadata) == (None, None)


def test_metadata_is_a_json_object():
    rows = rows_of('player_id,points,metadata\na,1,"{""m"": 2}"\nb,1,[2]\n')
    assert rows[0].event.metadata == {"m": 2}
    assert problems(rows) == [(2, 3, "metadata is no JSON object")]


def test_ids_are_made_of_the_file_and_the_row_where_it_has_none():
    rows = rows_of("player_id,points\na,1\nshort\nc,3\n", make_id="0123-")
    assert [row.event.event_id for row in rows if row.event] == ["0123-1", "0123-3"]


def test_a_pipe_must_have_ids():
    with pytest.raises(Failed) as failed:
        rows_of("player_id,points\na,1\n", make_id=None)
    assert failed.value.code == "no_event_ids"


def test_several_columns_and_other_names():
    (row,) = rows_of(
        "club;pts;gd\nreds;3;-2\n",
        delimiter=";",
        explicit={"player_id": "club", "points.points": "pts", "points.goal_difference": "gd"},
    )
    assert row.event.points == {"points": "3", "goal_difference": "-2"}


@pytest.mark.parametrize("content", ["", "\n\n", '"player_id,points\n'])
def test_a_file_without_a_header(content):
    with pytest.raises(Failed) as failed:
        rows_of(content)
    assert failed.value.code == "no_header"


cell = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
record = st.tuples(cell, cell, cell, cell).map(list)


# The csv module's writer leaves a lone \r unquoted where a line ends in \n, so it must quote all.
styles = st.sampled_from(
    [("\r\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_ALL)]
)


@given(st.lists(record, max_size=20), styles)
def test_whatever_a_csv_writer_wrote_is_read_back(records, style):
    file = io.StringIO()
    csv.writer(file, lineterminator=style[0], quoting=style[1]).writerows([HEADER, *records])
    rows = rows_of(file.getvalue())
    assert [cells_of(row) for row in rows] == records
    assert [row.number for row in rows] == list(range(1, len(records) + 1))


@given(st.lists(st.tuples(record, st.integers(0, 9).filter(lambda width: width != 4))), st.data())
def test_broken_rows_between_good_ones_cost_nothing_else(pairs, data):
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(HEADER)
    wanted = []
    for good, width in pairs:
        broken = data.draw(st.booleans())
        writer.writerow(["x"] * width if broken else good)
        if broken and width:
            wanted.append(None)
        elif not broken:
            wanted.append(good)
    rows = rows_of(file.getvalue())
    assert [cells_of(row) if row.event else None for row in rows] == wanted


@given(
    st.binary(max_size=300),
    st.sampled_from([b"player_id,points\n", b"\xef\xbb\xbfpoints,player_id\r\n"]),
)
def test_no_bytes_break_the_reader(content, header):
    rows = rows_of(header + content)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert [row.line for row in rows] == sorted(row.line for row in rows)
    assert all((row.event is None) == (row.problem is not None) for row in rows)
