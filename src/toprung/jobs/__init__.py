"""What the clock asks for: seasons begin, periods are closed and bans ended when their time comes.
All of it is records.
"""

from toprung.jobs.bans import Bans
from toprung.jobs.rollover import Rollover
from toprung.jobs.seasons import ScheduledSeasons
from toprung.jobs.service import Job, Jobs

__all__ = ["Bans", "Job", "Jobs", "Rollover", "ScheduledSeasons"]
