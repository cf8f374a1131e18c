"""The table of codes: complete, and true to what the other rooms raise."""

import ast
from pathlib import Path

import pytest

import toprung
from toprung.api.errors import CODES, as_api_error
from toprung.api.operations import PUBLIC
from toprung.domain.acts import Refused
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.outcomes import Outcome

SOURCE = Path(toprung.__file__).parent
# Met before a server serves, so no request is ever answered with them.
AT_THE_START = {
    "address_unavailable",
    "damaged_backup",
    "file_exists",
    "foreign_file",
    "image_not_removed",
    "in_use",
    "linked_file",
    "many_projects",
    "newer_file",
    "no_database",
    "rebuild_not_removed",
    "unsound_sqlite",
    "wrong_clock",
}


def literal_codes(*classes):
    """The codes that the server's rooms write out when they raise one of these."""
    for room in ("domain", "intake", "updater", "query", "sqlite", "log", "store", "app"):
        for file in (SOURCE / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in classes:
                    yield from _codes(node)


def _codes(call):
    if call.func.id == "InvalidInput":
        given = [each.value for each in call.keywords if each.arg == "code"]
    else:
        given = call.args[:1]
    yield from (each.value for each in given if isinstance(each, ast.Constant))


def test_what_the_rooms_raise_is_in_the_table():
    raised = set(literal_codes("Trouble", "Refused", "InvalidInput"))

    assert raised - CODES.keys() <= AT_THE_START
    assert {"overloaded", "settings_fixed", "unranked_player", "unsupported"} <= raised


@pytest.mark.parametrize("outcome", [each for each in Outcome if not each.accepted])
def test_a_refusing_outcome_is_a_code(outcome):
    assert outcome in CODES


def test_statuses_are_in_order_so_that_the_table_reads_well():
    statuses = [code.status for code in CODES.values()]

    assert statuses == sorted(statuses)


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
def test_an_operation_declares_codes_that_exist(operation):
    assert set(operation.errors) <= CODES.keys()


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (InvalidInput("x", field="k"), "invalid", 400),
        (InvalidInput("x", code="unranked_player"), "unranked_player", 404),
        (Refused("settings_fixed", "x"), "settings_fixed", 409),
        (Trouble("overloaded", "x", retryable=True), "overloaded", 429),
        (Trouble("unsupported", "x", retryable=False), "unsupported", 501),
        (Trouble("storage_full", "x", retryable=True), "storage_full", 503),
        (Trouble("of a later back end", "x", retryable=True), "storage_unavailable", 503),
    ],
)
def test_each_kind_of_error_becomes_a_reply(error, code, status):
    told = as_api_error(error)

    assert (told.code, told.status) == (code, status)


def test_only_what_may_succeed_later_asks_to_come_back():
    assert as_api_error(Trouble("storage_full", "x", retryable=True)).headers
    assert not as_api_error(Trouble("storage_read_only", "x", retryable=False)).headers


def test_a_fault_of_ours_is_no_reply():
    assert as_api_error(KeyError("x")) is None


def test_a_message_can_always_be_written():
    told = as_api_error(InvalidInput("player '\ud800'"))

    assert told.message == "player '\\ud800'"
