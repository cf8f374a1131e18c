"""The OpenAPI document: valid, complete, true to its own examples and to the domain's limits."""

import inspect
import re

import jsonschema_rs
import msgspec
import pytest
import schemathesis
from hypothesis import given
from hypothesis import strategies as st

from toprung.api.errors import CODES
from toprung.api.openapi import document
from toprung.api.operations import CONTROL, PAGES, PUBLIC
from toprung.api.schemas import (
    DECIMAL,
    ID,
    INSTANT,
    NAME,
    WIRE_MODULES,
    components,
    field_texts,
    up_to,
)
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import parse_instant
from toprung.domain.names import check_id, is_name
from toprung.wire import boards, errors, reads

DOCUMENT = document((*PUBLIC, *PAGES, *CONTROL), "0.1.0")
WIRE = [
    kind
    for module in WIRE_MODULES
    for kind in vars(module).values()
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
]


def resolved(schema):
    return jsonschema_rs.validator_for(schema | {"components": DOCUMENT["components"]})


def contents():
    """Every body and reply of the document, by where it stands."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            parts = {"body": operation.get("requestBody", {}), **operation["responses"]}
            for part, held in parts.items():
                for media_type, content in held.get("content", {}).items():
                    yield f"{method} {path} {part} {media_type}", content


def test_it_is_an_openapi_document():
    schemathesis.openapi.from_dict(DOCUMENT).validate()


@pytest.mark.parametrize("kind", WIRE, ids=lambda kind: kind.__name__)
def test_every_wire_type_is_in_it(kind):
    assert kind.__name__ in DOCUMENT["components"]["schemas"]


def test_every_public_operation_is_in_it_and_nothing_hidden():
    documented = {
        operation["operationId"]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
    }

    assert documented == {operation.name for operation in PUBLIC}


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
def test_every_operation_has_the_statuses_of_its_codes(operation):
    told = DOCUMENT["paths"][operation.path][operation.method.lower()]["responses"].keys()

    assert told >= {str(CODES[code].status) for code in operation.codes()}
    assert operation.summary


@pytest.mark.parametrize(("where", "content"), list(contents()), ids=lambda each: str(each)[:60])
def test_an_example_fits_its_schema(where, content):
    examples = [content["example"]] if "example" in content else []
    for example in content.get("examples", {}).values():
        name = example.get("$ref", "").rpartition("/")[2]
        examples.append(
            DOCUMENT["components"]["examples"][name]["value"] if name else example["value"]
        )

    for example in examples:
        resolved(content["schema"]).validate(example)


def test_a_reply_always_has_the_fields_it_does_not_leave_out():
    schemas = components([reads.StandingsReply, reads.RankReply, boards.BoardSettings])

    assert "next" in schemas["StandingsReply"]["required"]
    assert "name" not in schemas["RankReply"]["required"]
    assert schemas["BoardSettings"]["required"] == []


def test_the_text_below_a_field_describes_it():
    assert field_texts(boards.Column)["order"] == (
        "`desc`: larger is better. `asc`: smaller is better."
    )
    assert field_texts(errors.ErrorReply) == {}


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_pattern_of_numbers_up_to_one_matches_those_and_no_others(maximum, number):
    assert bool(re.fullmatch(up_to(maximum), str(number))) == (number <= maximum)


@pytest.mark.parametrize("maximum", [0, 1, 9, 10, 11, 99, 100, 101, 876_000, 36_500])
def test_it_has_its_ends(maximum):
    pattern = re.compile(up_to(maximum))

    assert pattern.fullmatch(str(maximum))
    assert not pattern.fullmatch(str(maximum + 1))
    assert not pattern.fullmatch("00")


@given(st.text(max_size=66) | st.sampled_from(["previous", "current", "a", "0-b:c_d.e", "A"]))
def test_names_in_the_document_are_names_of_the_rules(text):
    assert bool(re.search(NAME["pattern"], text)) == (is_name(text) and "\n" not in text)


def refusal(check, *arguments):
    """The field that ``check`` refuses, or ``None``."""
    try:
        check(*arguments)
    except InvalidInput as error:
        return error.field
    return None


@given(st.text(max_size=20))
def test_ids_in_the_document_are_ids_of_the_rules(text):
    assert jsonschema_rs.is_valid(ID, text) == (refusal(check_id, text, "id") is None)


@given(st.from_regex(INSTANT["pattern"], fullmatch=True))
def test_instants_of_the_document_are_instants_where_there_is_such_a_day(text):
    exists = text[8:10] <= "28"

    assert refusal(parse_instant, text, "at") is None or not exists or text[0] in "18"


@given(st.from_regex(DECIMAL["pattern"], fullmatch=True))
def test_decimals_of_the_document_have_one_spelling(text):
    assert not re.search(r"[eE+ ]", text)
