"""One request and its answer, tried again where that helps: the rules, without any I/O.

An exchange is a generator. It yields what to send, is sent what came back, and returns
the result or raises. The two clients only carry bytes between it and the network, so the
rules are written, and tested, once.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from toprung.sdk._errors import ToprungError, Unavailable, error_of

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What to send."""

    method: str
    path: str
    """Percent-encoded."""
    query: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    """JSON; None: no body."""
    repeatable: bool = True
    """Whether doing it twice is the same as doing it once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What came back."""

    status: int
    body: bytes
    retry_after: str | None = None
    """The header of that name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Nothing came back."""

    cause: Exception
    sent: bool
    """Whether the server may have got the request."""
    retryable: bool = True


@dataclass(frozen=True, slots=True)
class Attempt:
    """Wait ``pause`` seconds, then send ``request``."""

    request: Request
    pause: float


Answer: TypeAlias = Reply | Failure
Exchange: TypeAlias = Generator[Attempt, Answer, T]


@dataclass(frozen=True, kw_only=True, slots=True)
class Retries:
    """How often a request is tried again, and after which pauses (seconds).

    The pause before retry n is random between 0 and ``first * 2 ** (n - 1)``, at most
    ``longest``. Where the server says how long to wait, that comes on top; if it asks for
    more than ``patience``, the error is raised at once.
    """

    limit: int = 4
    """Tries after the first one; 0: none."""
    first: float = 0.1
    longest: float = 5.0
    patience: float = 60.0

    def pause(self, tries: int, retry_after: float | None, chance: float) -> float | None:
        """Seconds to wait after ``tries`` failed ones; None: give up."""
        asked = retry_after or 0.0
        if tries > self.limit or asked > self.patience:
            return None
        # The exponent is bounded so that a generous limit cannot overflow a float.
        backoff = min(self.longest, self.first * 2.0 ** min(tries - 1, 64))
        return asked + backoff * chance


def exchange(request: Request, retries: Retries, chance: Callable[[], float]) -> Exchange[Reply]:
    """Sends ``request`` until it succeeds; raises the last error when trying again is no use."""
    pause = 0.0
    tries = 0
    while True:
        answer = yield Attempt(request, pause)
        tries += 1
        if isinstance(answer, Reply) and answer.status < 300:
            return answer
        error = _error(answer)
        again = retries.pause(tries, error.retry_after, chance())
        if again is None or not _may_repeat(request, answer, error):
            raise error
        pause = again


def _error(answer: Answer) -> ToprungError:
    if isinstance(answer, Reply):
        return error_of(answer.status, answer.body, _seconds(answer.retry_after))
    return _unanswered(answer)


def _unanswered(failure: Failure) -> ToprungError:
    code = "no_reply" if failure.sent else "unreachable"
    reason = str(failure.cause) or type(failure.cause).__name__
    error = Unavailable(code, f"no answer from the server: {reason}", retryable=failure.retryable)
    error.__cause__ = failure.cause
    return error


def _may_repeat(request: Request, answer: Answer, error: ToprungError) -> bool:
    if not error.retryable:
        return False
    if request.repeatable:
        return True
    # 429 and 503 are said before anything was done; a gateway's 502 and 504 may come after.
    if isinstance(answer, Failure):
        return not answer.sent
    return answer.status in {429, 503}


def _seconds(retry_after: str | None) -> float | None:
    """The header in seconds.

    Its other notation, a date, is left to the back-off: it would need this machine's clock to
    agree with the server's.
    """
    text = (retry_after or "").strip()
    if not (text.isascii() and text.isdecimal()):
        return None
    return float(text)
