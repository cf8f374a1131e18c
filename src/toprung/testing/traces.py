"""Looking for a text in files, to prove that nothing of somebody is left."""

import zlib
from contextlib import closing
from pathlib import Path

import apsw
import msgspec

_SQLITE = b"SQLite format 3\0"


def files_with(text: str, folder: Path) -> list[str]:
    """The files below a folder that hold a text, as it is, as JSON has it, or in what a database
    holds packed.
    """
    sought = {text.encode(), msgspec.json.encode(text)[1:-1]}
    found = []
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            contents = [file.read_bytes()]
            if contents[0].startswith(_SQLITE):
                contents += _unpacked(file)
            if any(each in content for each in sought for content in contents):
                found.append(file.name)
    return found


def _unpacked(database: Path) -> list[bytes]:
    # By the same library as a server in this process: another one would take its locks away.
    with closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as reader:
        rows = reader.execute("SELECT body FROM snapshot_blocks")
        return [zlib.decompress(body) for (body,) in rows]
