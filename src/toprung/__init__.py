"""toprung: leaderboards that answer live and exactly, with the score log as the record."""

__version__ = "0.1.0"
