"""The kinds of error that are not outcomes: bad input, trouble outside, our own bug."""


class InvalidInput(Exception):
    """Something a caller gave is wrong. Nothing was changed.

    Attributes:
        code: a slug that never changes its meaning.
        message: one sentence for a person.
        field: the part of the input that is at fault, or ``None``.
        hint: what to do about it, or ``None``.
    """

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        code: str = "invalid",
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.hint = hint


class Trouble(Exception):
    """Something outside went wrong (disk, file, network). What was acknowledged is not lost.

    Attributes:
        code: a slug that never changes its meaning.
        retryable: whether the same call may succeed later, unchanged.
        hint: what an operator can do about it.
    """

    def __init__(
        self, code: str, message: str, *, retryable: bool, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.hint = hint


class Broken(AssertionError):
    """Our own bug: an invariant does not hold. The process must stop rather than go on."""


def invariant(condition: object, message: str) -> None:
    """Stop with :class:`Broken` unless ``condition`` holds; never stripped, unlike ``assert``."""
    if not condition:
        raise Broken(message)
