"""A view is chosen by name, and without the compiled core ranks are kept all the same."""

import sys

import pytest
from structlog.testing import capture_logs

from toprung.app.views import make_view
from toprung.rank.native import NativeView
from toprung.rank.reference import ReferenceView


@pytest.mark.parametrize(
    ("name", "kind"), [("native", NativeView), ("reference", ReferenceView), ("off", type(None))]
)
def test_a_view_is_made_by_its_name(name, kind):
    with capture_logs() as lines:
        assert type(make_view(name)) is kind
    assert lines == []


def test_without_the_compiled_core_the_reference_view_stands_in_and_says_so(monkeypatch):
    for module in [name for name in sys.modules if name.startswith("toprung.rank.native")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "toprung._native", None)

    with capture_logs() as lines:
        assert type(make_view("native")) is ReferenceView

    (line,) = lines
    assert line["log_level"] == "warning"
    assert "reference view" in line["event"]
    assert "toprung._native" in line["reason"]
