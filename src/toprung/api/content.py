"""Replies that are no JSON structs, and the built web pages. These are held in memory: they are few
and never change while the server runs.
"""

import mimetypes
from pathlib import Path
from typing import NamedTuple


class Content(NamedTuple):
    """A reply that is no JSON struct: its bytes as they travel."""

    body: bytes
    media_type: bytes
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


_POLICY = (
    b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    b"form-action 'self'; object-src 'none'"
)
_PAGE_HEADERS = (
    (b"cache-control", b"no-cache"),
    (b"content-security-policy", _POLICY),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
# An asset's name holds a hash of its content.
_ASSET_HEADERS = ((b"cache-control", b"public, max-age=31536000, immutable"),)


class Pages:
    """The files of a folder with ``index.html``, ``docs.html`` and ``assets``."""

    def __init__(self, folder: Path) -> None:
        self.index = _content(folder / "index.html", _PAGE_HEADERS)
        self.docs = _content(folder / "docs.html", _PAGE_HEADERS)
        self.assets = {
            file.name: _content(file, _ASSET_HEADERS) for file in (folder / "assets").iterdir()
        }


def _content(file: Path, headers: tuple[tuple[bytes, bytes], ...]) -> Content:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return Content(file.read_bytes(), kind.encode(), headers=headers)
