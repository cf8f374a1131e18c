"""HTTP API v1: routes, checks, replies, the OpenAPI document. Knows HTTP; decides nothing.

An operation is declared once, in :mod:`toprung.api.operations`; routing, checking, the OpenAPI
document and the reference page are made from that table.
"""

from toprung.api.application import Application, Exchange, Reply
from toprung.api.content import Pages
from toprung.api.errors import ApiError
from toprung.api.friend_cache import FriendsCache
from toprung.api.metrics import Metrics
from toprung.api.profiles import ProfileCache
from toprung.api.rulebook import Rulebook
from toprung.api.schemas import field_texts
from toprung.api.services import Controls, RebuildStatus, Services
from toprung.api.waiting import Slowly

__all__ = [
    "ApiError",
    "Application",
    "Controls",
    "Exchange",
    "FriendsCache",
    "Metrics",
    "Pages",
    "ProfileCache",
    "RebuildStatus",
    "Reply",
    "Rulebook",
    "Services",
    "Slowly",
    "field_texts",
]
