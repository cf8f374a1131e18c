"""Reading a query: strictly, each name once, nothing unknown."""

from urllib.parse import quote, quote_plus

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.api.errors import ApiError
from toprung.api.operation import NoParams
from toprung.api.parameters import RanksParams, ScoreParams, query_reader, split_query
from toprung.domain.errors import InvalidInput

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(TEXTS.filter(bool), TEXTS)), st.sampled_from([quote, quote_plus]))
def test_what_was_percent_encoded_is_read_back(pairs, encode):
    query = "&".join(f"{encode(name, safe='')}={encode(value, safe='')}" for name, value in pairs)

    assert split_query(query.encode()) == pairs


@pytest.mark.parametrize(
    "query",
    [b"a=%ff", b"%c3=1", b"a=\xff", b"a=%", b"%z=1", b"a=%4", b"a=%zz", b"a=%%41", b"a=%+1"],
)
def test_what_is_no_percent_encoded_utf8_is_refused(query):
    with pytest.raises(ApiError) as raised:
        split_query(query)

    assert raised.value.code == "bad_encoding"


def test_a_name_without_a_value_has_an_empty_one_and_empty_pieces_are_nothing():
    assert split_query(b"&a&&b=&=c&") == [("a", ""), ("b", ""), ("", "c")]


def test_defaults_stand_where_nothing_is_said():
    assert query_reader(RanksParams)(b"") == RanksParams()


def test_names_as_they_travel_reach_their_fields():
    read = query_reader(RanksParams)

    assert read(b"from=2&to=3&limit=4&window=daily") == RanksParams(
        first=2, last=3, limit=4, window="daily"
    )


@pytest.mark.parametrize(
    "text", ["", "x", "1.0", "1e3", "+1", " 1", "1 ", "--1", "٣", "0x10", "9" * 30]
)
def test_a_whole_number_has_ascii_digits_only(text):
    with pytest.raises(InvalidInput) as raised:
        query_reader(RanksParams)(f"from={quote(text)}".encode())

    assert raised.value.field == "from"


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False)])
def test_a_flag_is_true_or_false(text, value):
    assert query_reader(ScoreParams)(f"ranks={text}".encode()) == ScoreParams(ranks=value)


@pytest.mark.parametrize("text", ["True", "1", "yes", ""])
def test_a_flag_is_nothing_else(text):
    with pytest.raises(InvalidInput):
        query_reader(ScoreParams)(f"ranks={text}".encode())


def test_an_operation_without_parameters_takes_none():
    with pytest.raises(ApiError) as raised:
        query_reader(NoParams)(b"x")

    assert raised.value.hint == "it takes none"


def test_what_is_needed_must_be_there():
    class Needed(msgspec.Struct):
        score: str

    with pytest.raises(InvalidInput, match="score is missing"):
        query_reader(Needed)(b"")
