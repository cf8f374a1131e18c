"""Which rank view an engine keeps."""

import structlog

from toprung.ports.view import RankView
from toprung.rank.reference import ReferenceView


def make_view(name: str) -> RankView | None:
    """The view of that name, empty.

    Args:
        name: ``native``, or the reference view where the compiled core is missing, which is said in
            the log; ``reference``; ``off``: none, no ranks are kept.
    """
    if name == "off":
        return None
    return _native_view() if name == "native" else ReferenceView()


def _native_view() -> RankView:
    try:
        from toprung.rank.native import NativeView  # noqa: PLC0415 - its binary may be missing
    except ImportError as problem:
        structlog.get_logger("toprung").warning(
            "ranks are kept by the reference view, which is exact but slower and larger",
            reason=str(problem),
        )
        return ReferenceView()
    return NativeView()
