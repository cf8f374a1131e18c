"""What the clock asks for: seasons begin, periods are closed, rolling windows go on and bans are
ended when their time comes. All of it is records.
"""

from toprung.jobs.bans import Bans
from toprung.jobs.days import Days
from toprung.jobs.rollover import Rollover
from toprung.jobs.seasons import ScheduledSeasons
from toprung.jobs.service import Job, Jobs

__all__ = ["Bans", "Days", "Job", "Jobs", "Rollover", "ScheduledSeasons"]
