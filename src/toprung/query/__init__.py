"""Standings and ranks: what readers ask. Nothing here can write."""

from toprung.query.audit import Audit, ListedAct
from toprung.query.events import Events, LoggedEvent
from toprung.query.friend_lists import FriendLists, FriendsPage
from toprung.query.friends import Friend, Friends
from toprung.query.history import Cause, Explained, Point, instants
from toprung.query.pages import Page, Standing
from toprung.query.past import INTERVAL, Moment, Past
from toprung.query.periods import Periods, PeriodTold
from toprung.query.quarantine import HeldEvent, Quarantined
from toprung.query.query import (
    PlayerRank,
    Query,
    RanksOf,
    Revealed,
    Scope,
    StaleScope,
    Stood,
)
from toprung.query.reveal import Step
from toprung.query.withholding import Withheld
from toprung.query.would_be import RankOf, Target

__all__ = [
    "INTERVAL",
    "Audit",
    "Cause",
    "Events",
    "Explained",
    "Friend",
    "FriendLists",
    "Friends",
    "FriendsPage",
    "HeldEvent",
    "ListedAct",
    "LoggedEvent",
    "Moment",
    "Page",
    "Past",
    "PeriodTold",
    "Periods",
    "PlayerRank",
    "Point",
    "Quarantined",
    "Query",
    "RankOf",
    "RanksOf",
    "Revealed",
    "Scope",
    "StaleScope",
    "Standing",
    "Step",
    "Stood",
    "Target",
    "Withheld",
    "instants",
]
