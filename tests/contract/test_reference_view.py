"""The reference view passes the suite of its port."""

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
