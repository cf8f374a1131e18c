"""Display names that come with the rows of an import."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toprung.sdk import Client

AT_A_TIME = 8
"""Profiles that are set at a time: each is a request of its own."""


class Names:
    """Sets the names of players; the rest of a profile that is there stays."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._pool = ThreadPoolExecutor(AT_A_TIME, "toprung-names")

    def put(self, names: Mapping[str, str]) -> dict[str, str]:
        """Set names by player.

        Returns:
            Why a name was not taken, by player.

        Raises:
            ToprungError: the server did not answer.
        """
        told = self._pool.map(self._put, names.items())
        return {player: why for player, why in zip(names, told, strict=True) if why is not None}

    def _put(self, named: tuple[str, str]) -> str | None:
        from toprung.sdk import InvalidRequest  # noqa: PLC0415 - only commands that speak HTTP

        player_id, name = named
        known = self._client.player(player_id)
        if known is not None and known.name == name:
            return None
        avatar, attributes = (known.avatar_url, known.attributes) if known else (None, {})
        try:
            self._client.put_player(player_id, name=name, avatar_url=avatar, attributes=attributes)
        except InvalidRequest as error:
            return error.message
        return None

    def close(self) -> None:
        """Set no more."""
        self._pool.shutdown(cancel_futures=True)
