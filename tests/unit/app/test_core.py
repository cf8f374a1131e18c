"""The core is chosen by name, and without the compiled one everything works all the same."""

import sys

import pytest
from structlog.testing import capture_logs

from toprung.app.core import make_core
from toprung.decider.native import NativeDecider
from toprung.decider.reference import ReferenceDecider
from toprung.rank.native import NativeView
from toprung.rank.reference import ReferenceView
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore, Waiting


def kinds(core):
    store = SqliteScoreStore(open_database(None), Waiting(core.seen_index), core.entry_blocks)
    return type(core.make_decider(store)), type(core.view)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("native", (NativeDecider, NativeView)),
        ("reference", (ReferenceDecider, ReferenceView)),
        ("off", (NativeDecider, type(None))),
    ],
)
def test_a_core_is_made_by_the_name_of_its_view(name, found):
    with capture_logs() as lines:
        assert kinds(make_core(name)) == found
    assert lines == []


def test_without_the_compiled_core_the_reference_stands_in_and_says_so_once(monkeypatch):
    for module in list(sys.modules):
        if module.startswith(("toprung.rank.native", "toprung.decider.native")):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "toprung._native", None)

    with capture_logs() as lines:
        assert kinds(make_core("native")) == (ReferenceDecider, ReferenceView)

    (line,) = lines
    assert line["log_level"] == "warning"
    assert "reference" in line["event"]
    assert "toprung._native" in line["reason"]
