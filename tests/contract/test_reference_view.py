"""The reference view passes the suite of its port."""

from importlib import import_module

import pytest

from toprung.rank.reference import ReferenceView
from toprung.testing.suites import RankViewSuite


class MemoryHome:
    """A view keeps nothing beyond the process, so its home is empty each time."""

    def open(self) -> ReferenceView:
        return ReferenceView()

    def close(self) -> None:
        """Nothing is held."""


class TestReferenceView(RankViewSuite):
    @pytest.fixture
    def make_home(self):
        return MemoryHome


class TestReferenceViewInSmallBlocks(TestReferenceView):
    """A few entries are then cut into blocks, as a few thousand are otherwise."""

    @pytest.fixture(autouse=True)
    def _small_blocks(self, monkeypatch):
        monkeypatch.setattr(import_module("toprung.rank.reference.sorted_keys"), "BLOCK", 2)
