"""Acts that are kept and change nothing else: rules for named events, and lists of friends."""

from toprung.domain.records import FriendsPut, RulesPut
from toprung.ports.pipeline import ActResult, RulesChange
from toprung.ports.store import Changes, ScoreStore, StoredFriends, StoredRules


def put_rules(store: ScoreStore, act: RulesPut, seq: int, received_at: int) -> ActResult:
    """Keep the rules of ``act``. What they make of events is in the log already, so nothing else
    changes.
    """
    old = store.rules(act.project)
    if old is not None and old.rules == act.rules:
        return ActResult(seq, rules=RulesChange("unchanged", old))
    new = StoredRules(act.rules, received_at, seq)
    # Nothing hangs on them, so what waits to be written may go on waiting.
    store.write(Changes(store.checkpoint(), rules={act.project: new}))
    return ActResult(seq, rules=RulesChange("created" if old is None else "changed", new))


def put_friends(store: ScoreStore, act: FriendsPut, seq: int, received_at: int) -> ActResult:
    """Keep the list of ``act``."""
    new = StoredFriends(act.friends, received_at, seq)
    store.write(Changes(store.checkpoint(), friends={(act.project, act.player_id): new}))
    return ActResult(seq, friends=new)
