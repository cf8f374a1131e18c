"""The one door to the Rust core: loads the compiled module and refuses one that is not ours.

A real package stands in front of the compiled module, because a bare extension module is
invisible to the import contracts.
"""

from toprung import __version__
from toprung._native import _core

__all__ = [
    "EngineBroken",
    "EngineError",
    "EntryBlocks",
    "RankEngine",
    "RankImage",
    "RunDecider",
    "SeenIndex",
    "build_profile",
    "engine_version",
    "read_batch",
    "version",
    "write_results",
]

EngineBroken = _core.EngineBroken
EngineError = _core.EngineError
EntryBlocks = _core.EntryBlocks
RankEngine = _core.RankEngine
RankImage = _core.RankImage
RunDecider = _core.RunDecider
SeenIndex = _core.SeenIndex
build_profile = _core.build_profile
engine_version = _core.engine_version
read_batch = _core.read_batch
version = _core.version
write_results = _core.write_results


def check_version(binary_version: str, package_version: str) -> None:
    """Refuse a binary left over from another version of the package.

    Such a pair can start and then answer wrong; an ImportError that says so is cheaper.
    """
    if binary_version != package_version:
        message = (
            f"the compiled core is version {binary_version}, but the toprung package is "
            f"{package_version}: install toprung again, or in a source tree run `make setup`"
        )
        raise ImportError(message)


check_version(version(), __version__)
