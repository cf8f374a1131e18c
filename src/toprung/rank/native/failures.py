"""The engine's failures as the kinds of error that this house knows."""

from toprung._native import EngineBroken, EngineError
from toprung.domain.errors import Broken, Trouble


def raise_ours(failure: BaseException | None) -> None:
    """Raise what a failure of the engine means; do nothing where there was none, or another one.

    Raises:
        Trouble: ``view_full``, more players or entries than can be numbered; ``out_of_memory``.
        Broken: the engine failed inside, or was asked what nobody may ask.
    """
    if isinstance(failure, EngineBroken):
        raise Broken(f"the rank engine is broken: {failure}") from failure
    if not isinstance(failure, EngineError):
        return
    code, message = failure.args
    if code == "full":
        raise Trouble(
            "view_full",
            message,
            retryable=False,
            hint="a server holds at most 4 billion players; drop boards that nobody reads",
        ) from failure
    if code == "out_of_memory":
        raise Trouble(
            "out_of_memory", message, retryable=True, hint="give the server more memory"
        ) from failure
    raise Broken(f"the rank engine refused a call: {message}") from failure
