"""Python's collector of cycles, where it only takes time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """For what makes millions of objects and no cycles: the collector would look at them again and
    again. Measured, a start from tables takes half as long.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
