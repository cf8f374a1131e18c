"""What the compiled core says of itself."""

from toprung._native import build_profile, engine_version


def describe_core() -> str:
    """The native core's version and build profile, in words."""
    return f"native core {engine_version()} ({build_profile()})"
