"""A database with a project and its keys, made once and copied for each server that needs one.

Making a key takes about as long as starting a server, and no test is about the keys of another.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from toprung.testing.server import ROLES, create_key


class PreparedDatabase:
    """A file in ``folder`` that no server has served yet."""

    def __init__(self, folder: Path, project: str) -> None:
        self.project = project
        self._file = folder / "prepared.db"
        self.keys: Mapping[str, str] = {
            role: create_key(self._file, project, role) for role in ROLES
        }
        """By role."""

    def copy(self, to: Path) -> Path:
        """Make ``to`` a database with the same project and keys, and nothing else."""
        return Path(shutil.copyfile(self._file, to))
