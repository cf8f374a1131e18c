"""What a server can be told: one struct, filled from the environment and by who starts it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from toprung.domain.errors import InvalidInput

PREFIX = "TOPRUNG_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of ``toprung serve``. Each may also be given as ``TOPRUNG_`` and its name."""

    db: Path = Path("toprung.db")
    """The database file; made when there is none."""
    host: str = "127.0.0.1"
    """Where to listen; 0.0.0.0 for all addresses."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8080
    """0: any free one."""
    view: Literal["native", "reference", "off"] = "native"
    """``reference``: everything in Python, slower. ``off``: no ranks are kept, for measuring."""
    image_every: Annotated[int, msgspec.Meta(ge=0)] = 5_000_000
    """After how many records an image of the ranks is written, for a fast start after a crash; one
    is written at a stop anyway. 0: then alone."""
    rate_limit: Annotated[int, msgspec.Meta(ge=0)] = 50_000
    """Requests a second that one key may make for long; 0: any number."""
    rate_burst: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Requests that one key may make at once; 0: as many as in a second."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may read with GET, such as ``https://game.example``."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is logged: this and what is worse."""
    ready_file: Path | None = None
    """Where to write the server's address, as a line of JSON, once it listens."""
    test_clock: str | None = None
    """An instant: the clock stands there and is moved by hand. For tests only."""
    demo_key: str | None = None
    """In demo mode: the client key that the demo page uses."""
    demo_boards: tuple[str, ...] = ()
    """In demo mode: the boards that the page shows first."""


def read_settings(
    given: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> Settings:
    """The settings of a server.

    Args:
        given: what the caller says; ``None`` stands for nothing said.
        environment: where else to look; the process's own by default.

    Raises:
        InvalidInput: naming the setting, or the variable that it came from.
    """
    known = {field.name: field for field in msgspec.structs.fields(Settings)}
    values: dict[str, Any] = {}
    for name, text in (os.environ if environment is None else environment).items():
        field = known.get(name.removeprefix(PREFIX).lower()) if name.startswith(PREFIX) else None
        if field is not None:
            values[field.name] = text.split(",") if "tuple" in str(field.type) else text
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False, dec_hook=_convert)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$.")
        name = path.rstrip("`")
        found = name in known and given.get(name) is None
        where = PREFIX + name.upper() if found else name or "settings"
        raise InvalidInput(f"{where}: {message}", field=name or None) from None


def _convert(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    raise NotImplementedError
