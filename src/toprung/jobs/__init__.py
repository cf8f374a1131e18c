"""What the clock asks for: periods are closed when their time is over. All of it is records."""

from toprung.jobs.rollover import Rollover
from toprung.jobs.service import Job, Jobs

__all__ = ["Job", "Jobs", "Rollover"]
