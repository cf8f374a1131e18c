"""The native view passes the suite of its port."""

from importlib import import_module

import pytest

from toprung.rank.native import NativeView
from toprung.testing.suites import RankViewSuite


class MemoryHome:
    """A view keeps nothing beyond the process, so its home is empty each time."""

    def open(self) -> NativeView:
        return NativeView()

    def close(self) -> None:
        """Nothing is held."""


class TestNativeView(RankViewSuite):
    @pytest.fixture
    def make_home(self):
        return MemoryHome


class TestNativeViewBuiltInParts(TestNativeView):
    """Three rows are then built in parts, as tens of thousands are otherwise."""

    @pytest.fixture(autouse=True)
    def _small_parts(self, monkeypatch):
        monkeypatch.setattr(import_module("toprung.rank.native.view"), "BUILD_ROWS", 1)
