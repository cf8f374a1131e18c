"""Applying profiles of players."""

from collections.abc import Sequence

from toprung.domain.records import ProfilePut
from toprung.ports.catalog import Catalog
from toprung.ports.pipeline import ActResult, Applied, Arrived
from toprung.ports.store import Changes, ScoreStore, StoredProfile
from toprung.ports.view import RankView
from toprung.updater.slicing import show_change


def put_profiles(
    store: ScoreStore,
    view: RankView | None,
    catalog: Catalog,
    first: int,
    rows: Sequence[Arrived],
) -> list[Applied]:
    """Write profiles through; they hang on nothing else, so nothing need be written before.

    Args:
        first: the ``seq`` of the first one.
    """
    stored = [
        (row.record, StoredProfile(row.record.profile, row.received_at, seq))
        for seq, row in enumerate(rows, first)
        if isinstance(row.record, ProfilePut)
    ]
    moved = []
    for act, profile in stored:
        changed = catalog.segments.put(
            act.project, act.player_id, act.profile.attributes, profile.seq
        )
        moved += changed
        if view is not None:
            for change in changed:
                show_change(view, catalog, change)
    profiles = {(act.project, act.player_id): profile for act, profile in stored}
    store.write(Changes(store.checkpoint(), profiles=profiles, past_values=moved))
    return [ActResult(profile.seq, profile=profile) for _, profile in stored]
