"""``toprung serve``: the server on its database file."""

import os
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from toprung.cli.errors import Failed, server_extra
from toprung.cli.options import DEFAULT_DB
from toprung.cli.output import say
from toprung.cli.shape import told_shape
from toprung.domain.errors import InvalidInput


class View(StrEnum):
    """Where ranks come from."""

    NATIVE = "native"
    REFERENCE = "reference"
    OFF = "off"


class LogLevel(StrEnum):
    """What is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Config = Annotated[
    Path | None,
    typer.Option(envvar="TOPRUNG_CONFIG", help="Settings from a TOML file.", show_default=False),
]
DbFile = Annotated[
    Path | None,
    typer.Option(
        help=f"The database file; made when there is none (default: {DEFAULT_DB}).",
        show_default=False,
    ),
]
Host = Annotated[
    str | None,
    typer.Option(help="Where to listen (default: 127.0.0.1).", show_default=False),
]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="0: any free one (default: 8080).", show_default=False),
]
ViewChoice = Annotated[
    View | None,
    typer.Option(
        help="reference: everything in Python; off: no ranks are kept (default: native).",
        show_default=False,
    ),
]
ImageEvery = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Records between two images of the ranks; 0: at a stop alone.",
        show_default=False,
    ),
]
RateLimit = Annotated[
    int | None,
    typer.Option(min=0, help="Requests a second of one key; 0: any number.", show_default=False),
]
RateBurst = Annotated[
    int | None,
    typer.Option(min=1, help="Requests of one key at once.", show_default=False),
]
CorsOrigins = Annotated[
    list[str] | None,
    typer.Option(
        "--cors-origin",
        help="A page of this origin may read; may be given several times.",
        show_default=False,
    ),
]
LogLevelChoice = Annotated[LogLevel | None, typer.Option(help="Default: info.", show_default=False)]
ReadyFile = Annotated[
    Path | None,
    typer.Option(help="Write the address here once it listens.", show_default=False),
]
TestClock = Annotated[
    str | None,
    typer.Option(
        metavar="INSTANT",
        help="For tests: the clock stands there, and is moved by hand.",
        show_default=False,
    ),
]


def serve(  # noqa: PLR0913 - one parameter for each option
    *,
    config: Config = None,
    db: DbFile = None,
    host: Host = None,
    port: Port = None,
    view: ViewChoice = None,
    image_every: ImageEvery = None,
    rate_limit: RateLimit = None,
    rate_burst: RateBurst = None,
    cors_origin: CorsOrigins = None,
    log_level: LogLevelChoice = None,
    ready_file: ReadyFile = None,
    test_clock: TestClock = None,
) -> None:
    """Run a server until it is stopped with Ctrl-C or SIGTERM.

    Every option is also a setting: in the file of --config by its name (rate_limit = 100), in the
    environment as TOPRUNG_RATE_LIMIT. An option wins over the environment, that over the file.

    Example:
      toprung serve --db game.db --port 8080
    """
    with server_extra():
        from toprung.app.server import serve as run  # noqa: PLC0415 - a server's part
        from toprung.app.settings import PREFIX, read_settings  # noqa: PLC0415
    flags = {
        "db": db,
        "host": host,
        "port": port,
        "view": view,
        "image_every": image_every,
        "rate_limit": rate_limit,
        "rate_burst": rate_burst,
        "cors_origins": cors_origin or None,
        "log_level": log_level,
        "ready_file": ready_file,
        "test_clock": test_clock,
    }
    file = {} if config is None else read_config(config)
    settings = read_settings(merge(file, os.environ, flags, PREFIX))
    hint = first_key_hint(settings.db)
    raise typer.Exit(run(settings, lambda: say(hint) if hint else None))


def read_config(path: Path) -> dict[str, Any]:
    """The settings in a TOML file.

    Raises:
        OSError: it cannot be read.
        Failed: it is no TOML, or says what no setting can be.
    """
    from toprung.app.settings import Settings, read_settings  # noqa: PLC0415 - a server's part

    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failed("bad_toml", f"{path}: {error}") from error
    try:
        read_settings(content, {})
    except InvalidInput as error:
        field = error.field or ""
        message = error.message.removeprefix(f"{field or 'settings'}: ")
        place = f"{path}: {field}" if field else str(path)
        raise Failed("invalid", f"{place}: {told_shape(message, Settings, field)}") from error
    return content


def merge(
    file: Mapping[str, Any], environment: Mapping[str, str], flags: Mapping[str, Any], prefix: str
) -> dict[str, Any]:
    """What wins over the environment: flags, and of the file what the environment leaves open."""
    left_open = {
        name: value for name, value in file.items() if prefix + name.upper() not in environment
    }
    return left_open | {name: value for name, value in flags.items() if value is not None}


def first_key_hint(db: Path) -> str:
    """How to make a key for a server that has none and so answers nobody; else empty."""
    from toprung.app import offline  # noqa: PLC0415 - a server's part

    if offline.has_database(db) and offline.list_keys(db, None):
        return ""
    return (
        f"No key yet. In another terminal:\n"
        f"  toprung keys create --db {db} --project my-game --role admin"
    )
