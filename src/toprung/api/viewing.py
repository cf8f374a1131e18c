"""What of a board a key is shown: the public is not told what a freeze keeps back (R18), nor what
is withheld for a review.
"""

from collections.abc import Sequence

from toprung.api.errors import ApiError
from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.domain.instants import format_instant
from toprung.query import Scope, Withheld
from toprung.wire import reads as wire


def is_full(call: Call) -> bool:
    """Whether a read asks for all there is.

    Raises:
        ApiError: ``forbidden``, the key is no admin's.
    """
    if call.params.view is None:
        return False
    if call.role is not Role.ADMIN:
        raise ApiError("forbidden", "view=full needs an admin key", field="view")
    return True


def frozen_since(services: Services, scope: Scope) -> str | None:
    """Since when what a read shows stands still; ``None``: it does not, or not yet."""
    at = scope.frozen_at
    return None if at is None or services.clock.now() < at else format_instant(at)


def withheld_told(withheld: Withheld | None, players: Sequence[str] = ()) -> wire.Withheld | None:
    """What is withheld of what a read shows; ``None``: nothing.

    Args:
        players: of those asked about, who is.
    """
    if withheld is None:
        return None
    return wire.Withheld(withheld.top, format_instant(withheld.until), tuple(players))
