"""What the clock asks for: periods are closed and bans ended when their time is over. All of it is
records.
"""

from toprung.jobs.bans import Bans
from toprung.jobs.rollover import Rollover
from toprung.jobs.service import Job, Jobs

__all__ = ["Bans", "Job", "Jobs", "Rollover"]
