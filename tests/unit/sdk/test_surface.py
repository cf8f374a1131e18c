"""The public face: what is exported, that both clients are the same, what they need."""

import dataclasses
import inspect
import subprocess
import sys

import pytest

from toprung import sdk
from toprung.sdk import AsyncClient, Client
from toprung.sdk._calls import Calls
from toprung.wire import audit, boards, events, moderation, periods, reads, rules, scores

GIVEN = {field.name for field in dataclasses.fields(Calls)}
OPERATIONS = [name for name in dir(Calls) if name[0] != "_" and name not in GIVEN]


def test_every_exported_name_is_there():
    assert [name for name in sdk.__all__ if not hasattr(sdk, name)] == []
    assert sorted(sdk.__all__) == sdk.__all__


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_a_method_that_shows_itself(name, client):
    method, operation = getattr(client, name), getattr(Calls, name)
    shown, described = inspect.signature(method), inspect.signature(operation)

    assert method.__name__ == name
    assert method.__doc__ == operation.__doc__
    assert shown.parameters == described.parameters
    assert "Exchange" not in str(shown.return_annotation)
    assert "Generator" not in str(shown.return_annotation)


def test_both_clients_have_the_same_methods():
    def public(client: type) -> set[str]:
        return {name for name in dir(client) if name[0] != "_"}

    assert public(Client) == public(AsyncClient)


def test_only_the_async_methods_are_awaited():
    plain = {"pages", "batcher"}

    for name in {*OPERATIONS, "batcher", "close"}:
        assert inspect.iscoroutinefunction(getattr(AsyncClient, name)) == (name not in plain)
        assert not inspect.iscoroutinefunction(getattr(Client, name))


def test_a_new_server_field_does_not_break_an_old_client():
    """Replies may grow; a client that refused what it does not know would break then."""
    replies = [
        getattr(module, name)
        for module in (audit, boards, events, moderation, periods, reads, rules, scores)
        for name in sdk.__all__
        if hasattr(module, name)
    ]
    given = {"BoardLimits", "BoardSettings", "Column", "PointsRange", "PublishDelay", "Rule"}

    assert {
        reply.__name__ for reply in replies if reply.__struct_config__.forbid_unknown_fields
    } <= given


def test_the_sdk_loads_nothing_of_the_server():
    program = "import sys, toprung.sdk; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()

    ours = {name.split(".")[1] for name in loaded if name.startswith("toprung.")}
    assert ours == {"sdk", "wire"}
    assert not {"apsw", "starlette", "uvicorn", "structlog"} & set(loaded)
