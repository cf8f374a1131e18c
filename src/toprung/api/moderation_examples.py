"""The examples of the documents on moderation: more of the story in ``examples``."""

from toprung.wire import moderation

PLAYER = "ana"
ACT_IN = {"reason": "looked into: see ticket 311"}
BAN_IN = {"until": "2027-01-01T00:00:00Z", "reason": "used an aim bot"}
PLAYER_HIDDEN = moderation.PlayerActed(PLAYER, "changed", True, False, None, "6")
PLAYER_SHOWN = moderation.PlayerActed(PLAYER, "changed", False, False, None, "7")
PLAYER_BANNED = moderation.PlayerActed(PLAYER, "changed", False, True, "2027-01-01T00:00:00Z", "6")
