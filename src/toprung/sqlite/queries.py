"""SQL has names: each statement stands in a ``.sql`` file under a line ``-- name: its_name``."""

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


def load_queries(package: str, file: str = "queries.sql") -> dict[str, str]:
    """The statements of a file in ``package``, by name."""
    text = files(package).joinpath(file).read_text(encoding="utf-8")
    _, *parts = _NAME.split(text)
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
