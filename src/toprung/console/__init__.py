"""The built web pages: the demo page and the API reference.

Their source is the folder `console/` at the top of the repository. `make setup` builds it into
`static/` beside this file, and a wheel carries the result, so an installed toprung needs no Node.
"""

from __future__ import annotations

import pathlib

__all__ = ["static_dir"]

_PAGES = ("index.html", "docs.html")


def static_dir() -> pathlib.Path:
    """The folder with `index.html`, `docs.html` and `assets/`.

    Raises `FileNotFoundError` when the pages were never built: a checkout before `make setup`.
    """
    folder = pathlib.Path(__file__).resolve().parent / "static"
    missing = [page for page in _PAGES if not (folder / page).is_file()]
    if missing:
        names = ", ".join(missing)
        raise FileNotFoundError(
            f"the web pages are not built, run `make setup`: no {names} in {folder}"
        )
    return folder
