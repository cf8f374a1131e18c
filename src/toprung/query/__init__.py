"""Standings and ranks: what readers ask. Nothing here can write."""

from toprung.query.friends import Friend, Friends
from toprung.query.pages import Page, Standing
from toprung.query.query import PlayerRank, Query, RankOf, Scope, StaleScope, Target

__all__ = [
    "Friend",
    "Friends",
    "Page",
    "PlayerRank",
    "Query",
    "RankOf",
    "Scope",
    "StaleScope",
    "Standing",
    "Target",
]
