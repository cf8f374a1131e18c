"""What players are called, remembered: exact, and cheap where nobody has a profile."""

from toprung.api import profiles
from toprung.api.profiles import ProfileCache
from toprung.domain.records import Profile
from toprung.ports.store import StoredProfile


def profile(name):
    return Profile(name, None, {})


class Store:
    """Profiles by project and player; keeps what it was asked for."""

    def __init__(self, **players):
        self.kept = {("game", player): profile(name) for player, name in players.items()}
        self.asked = []

    def scan_profiles(self):
        for (project, player), kept in self.kept.items():
            yield project, player, StoredProfile(kept, 0, 1)

    def profiles(self, project, player_ids):
        self.asked.append(list(player_ids))
        found = {player: self.kept.get((project, player)) for player in player_ids}
        return {player: StoredProfile(kept, 0, 1) for player, kept in found.items() if kept}


def test_a_project_without_profiles_never_asks():
    store = Store()
    cache = ProfileCache(store)

    assert cache.of("game", ["ana", "bo"]) == {}
    assert cache.one("game", "ana") is None
    assert store.asked == []


def test_a_page_asks_once_and_for_what_is_new_only():
    store = Store(ana="Ana", cy="Cy")
    cache = ProfileCache(store)

    first = cache.of("game", ["ana", "bo"])
    second = cache.of("game", ["bo", "cy", "ana"])
    third = cache.one("game", "bo")

    assert first == {"ana": profile("Ana")}
    assert second == {"ana": profile("Ana"), "cy": profile("Cy")}
    assert third is None
    assert store.asked == [["ana", "bo"], ["cy"]]


def test_after_a_write_it_asks_again():
    store = Store()
    cache = ProfileCache(store)
    for name in ("Ana", "Ann"):
        store.kept["game", "ana"] = profile(name)
        cache.forget("game", "ana")

        assert cache.one("game", "ana") == profile(name)


def test_projects_are_apart():
    cache = ProfileCache(Store(ana="Ana"))
    cache.forget("other", "ana")

    assert cache.one("other", "ana") is None


def test_it_remembers_so_many_and_stays_exact(monkeypatch):
    monkeypatch.setattr(profiles, "KEPT_MAX", 2)
    store = Store(ana="Ana", bo="Bo", cy="Cy")
    cache = ProfileCache(store)

    for _ in range(3):
        assert len(cache.of("game", ["ana", "bo", "cy"])) == 3


def test_a_store_that_was_made_anew_is_asked_for_everything():
    store = Store(ana="Ana")
    cache = ProfileCache(store)
    cache.of("game", ["ana", "bo"])
    store.kept = {("game", "bo"): profile("Bo"), ("other", "cy"): profile("Cy")}

    cache.forget_all()

    assert cache.of("game", ["ana", "bo"]) == {"bo": profile("Bo")}
    assert cache.one("other", "cy") == profile("Cy")
