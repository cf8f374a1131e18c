"""From the log to the store and the view: prefetch, decide, commit, publish.

Rebuild and verify are this code, replayed.
"""

from toprung.updater.showing import LoadImage, no_image
from toprung.updater.updater import Updater
from toprung.updater.verify import Difference, verify

__all__ = ["Difference", "LoadImage", "Updater", "no_image", "verify"]
