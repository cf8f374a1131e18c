"""One conformance suite for each port. A back end's test file subclasses it and makes the parts::

    class TestMyLog(EventLogSuite):
        @pytest.fixture
        def make_home(self):
            return MyHome

A home makes a part with empty data of its own, and opens the same data again. What a back end does
otherwise it declares by setting the suite's class attributes, which say what the suite then checks.
"""

from toprung.testing.suites.decider import DeciderHome, DeciderSuite
from toprung.testing.suites.home import Home, LogHome
from toprung.testing.suites.log import EventLogSuite
from toprung.testing.suites.store import ScoreStoreSuite
from toprung.testing.suites.view import RankViewSuite

__all__ = [
    "DeciderHome",
    "DeciderSuite",
    "EventLogSuite",
    "Home",
    "LogHome",
    "RankViewSuite",
    "ScoreStoreSuite",
]
