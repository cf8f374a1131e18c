"""The command ``toprung import``."""

import hashlib
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.errors import Failed
from toprung.cli.importing.file_feed import is_stored
from toprung.cli.importing.mapping import Explicit, parse_mapping
from toprung.cli.importing.order import Order
from toprung.cli.importing.presets import nakama, playfab
from toprung.cli.importing.redis_feed import RedisFeed, is_redis, only_column
from toprung.cli.importing.run import Import
from toprung.cli.importing.sending import Answer
from toprung.cli.options import DEFAULT_URL, Json, Key, Url
from toprung.cli.output import print_json, print_table, printable, say
from toprung.cli.progress import show_progress
from toprung.cli.remote import connect_patiently
from toprung.domain.instants import format_instant, parse_instant
from toprung.domain.limits import BATCH_EVENTS

if TYPE_CHECKING:
    from toprung.sdk import Client


class Format(StrEnum):
    """What an import can read."""

    CSV = "csv"
    JSONL = "jsonl"
    NAKAMA = "nakama"
    PLAYFAB = "playfab"


PRESETS = {Format.NAKAMA: nakama, Format.PLAYFAB: playfab}

InputFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV or JSON lines, also as .gz; - is standard input; redis://HOST:PORT/DB a server of"
        " Redis or Valkey (also rediss, valkey, valkeys).",
    ),
]
Board = Annotated[str | None, typer.Option(help="The board of all rows.", show_default=False)]
Mapping = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN",
        help="Which column is which field: board, event_id, player_id, points, points.NAME, at,"
        " match_id, metadata, name. A field that is not mapped is read from the column of its"
        " name.",
        show_default=False,
    ),
]
FormatChoice = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="Default: by the file's name or content. nakama and playfab: CSV with their columns.",
        show_default=False,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(help="Between the cells of CSV (default: a comma).", show_default=False),
]
History = Annotated[
    bool, typer.Option("--history", help="Each event arrived when it happened (admin key).")
]
At = Annotated[
    str | None,
    typer.Option(
        help="When it happened where that is not told, an instant (default: when it arrives).",
        show_default=False,
    ),
]
Zset = Annotated[
    str | None,
    typer.Option(help="With redis://: the key of the sorted set.", show_default=False),
]
NamesChoice = Annotated[
    bool,
    typer.Option(
        "--names", help="Set players' display names from the column name (nakama, playfab: always)."
    ),
]
BatchRows = Annotated[int, typer.Option(min=1, max=BATCH_EVENTS.maximum, help="Rows of a request.")]
InFlight = Annotated[int, typer.Option(min=1, max=16, help="Requests at a time.")]
ResultsPath = Annotated[
    Path | None,
    typer.Option(help="Write a JSON line for each row to this file.", show_default=False),
]
StatePath = Annotated[
    Path | None,
    typer.Option(
        help="Keep the progress here (default: FILE.toprung-import.json).", show_default=False
    ),
]
Restart = Annotated[
    bool, typer.Option("--restart", help="Begin anew, whatever an earlier run achieved.")
]
Strict = Annotated[bool, typer.Option("--strict", help="End with status 1 if any row was refused.")]


def import_(  # noqa: PLR0913 - one parameter for each option
    *,
    file: InputFile,
    board: Board = None,
    mapping: Mapping = None,
    file_format: FormatChoice = None,
    delimiter: Delimiter = None,
    zset: Zset = None,
    at: At = None,
    names: NamesChoice = False,
    history: History = False,
    batch: BatchRows = BATCH_EVENTS.maximum,
    in_flight: InFlight = 3,
    results: ResultsPath = None,
    state: StatePath = None,
    restart: Restart = False,
    strict: Strict = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    r"""Import score events from a file, or the members of a sorted set.

    A row that is broken or refused costs nothing but itself. Without a column of event ids, each
    row gets one made from the file's content and the row's number: importing the same file again
    counts nothing twice. An import that was interrupted goes on where it was, when the same
    command is run again. The members of a sorted set have ids made from its key and themselves.

    Examples:
      toprung import scores.csv --board high-scores
      toprung import old.csv.gz --board wins --history \
        --map event_id=id --map player_id=player --map points=score --map at=played_at
      toprung import redis://localhost:6379/0 --zset leaderboard --board high-scores
    """
    explicit = parse_mapping(mapping or [])
    if is_redis(file):
        _check_redis_options(zset, board, file_format, explicit)
    else:
        _check_options(file, board, delimiter, state, "board" in explicit)
        _check_format(file_format, board, zset)
    order = Order(
        file=file,
        mapping=explicit,
        board=board,
        format="jsonl" if file_format is Format.JSONL else "csv" if file_format else None,
        delimiter=delimiter,
        batch=batch,
        in_flight=in_flight,
        history=history,
        results=results,
        state=state,
        restart=restart,
        at=None if at is None else format_instant(parse_instant(at, "--at")),
        names=names or "name" in explicit or file_format in PRESETS,
    )
    done = _run(order, file_format, zset, url, key, quiet=json)
    _report(done, json=json)
    if strict and done.refused:
        raise typer.Exit(1)


def _check_options(
    file: str, board: str | None, delimiter: str | None, state: Path | None, board_mapped: bool
) -> None:
    if file != "-":
        Path(file).stat()  # said before anything of the server is
    if board is not None and board_mapped:
        raise typer.BadParameter("say --board or --map board=COLUMN, not both")
    if delimiter is not None and len(delimiter) != 1:
        raise typer.BadParameter("must be one character", param_hint="--delimiter")
    if state is not None and not is_stored(file):
        raise typer.BadParameter("a pipe cannot be read again", param_hint="--state")


def _check_format(file_format: Format | None, board: str | None, zset: str | None) -> None:
    if file_format in PRESETS and board is None:
        raise typer.BadParameter(f"{file_format} names no board: say --board")
    if zset is not None:
        raise typer.BadParameter("goes with redis://HOST:PORT/DB", param_hint="--zset")


def _check_redis_options(
    zset: str | None, board: str | None, file_format: Format | None, explicit: Explicit
) -> None:
    if zset is None or board is None:
        raise typer.BadParameter("say --zset KEY and --board NAME for a sorted set")
    if file_format is not None or explicit:
        raise typer.BadParameter("a sorted set has no format and no columns to --map")


def _run(
    order: Order, file_format: Format | None, zset: str | None, url: str, key: str, *, quiet: bool
) -> Import:
    # The key is in it as its project's boards are meant; a hash, as the state file is no secret.
    target = hashlib.sha256(f"{url} {key}".encode()).hexdigest()
    with connect_patiently(url, key) as client:
        order, feed = _prepared(order, client, file_format, zset)
        size = feed.size() if feed is not None else _stored_size(order.file)
        with show_progress(size, quiet=quiet, size=feed is None) as show:
            running = Import(order, client, target, show, feed)
            try:
                running.run()
            except KeyboardInterrupt:
                say(f"interrupted: {_so_far(running, order)}")
                raise typer.Exit(130) from None
            except Exception as error:
                raise _told(error, running, order) from error
    return running


def _stored_size(file: str) -> int | None:
    return Path(file).stat().st_size if is_stored(file) else None


def _prepared(
    order: Order, client: "Client", file_format: Format | None, zset: str | None
) -> tuple[Order, RedisFeed | None]:
    """The order with what only its board tells, and where rows come from if not from the file."""
    if order.board is None:
        return order, None
    board = client.board(order.board)  # an unknown one is better told once than for each row
    if zset is not None:
        decimals = only_column(order.board, [column.decimals for column in board.columns])
        return order, RedisFeed(order.file, zset, order.board, decimals, order.at)
    if file_format in PRESETS:
        preset = PRESETS[file_format](order.board, [column.name for column in board.columns])
        order = replace(order, preset=preset)
    return order, None


def _told(error: Exception, running: Import, order: Order) -> Exception:
    """The error, with how far the import came where that is somewhere."""
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    if not running.progress.rows or not isinstance(code, str) or not isinstance(message, str):
        return error
    return Failed(code, message, hint=_so_far(running, order))


def _so_far(running: Import, order: Order) -> str:
    again = (
        "the same command goes on there"
        if is_stored(order.file) or is_redis(order.file)
        else "sent again, none counts twice"
    )
    return f"{running.progress.rows} rows are in; {again}"


def _report(done: Import, *, json: bool) -> None:
    progress = done.progress
    if json:
        print_json({"rows": progress.rows, "outcomes": progress.outcomes, "seq": progress.seq})
        return
    if done.resumed:
        say(f"went on after row {done.resumed} of an earlier run")
    for answer in done.problems:
        say(_problem(answer))
    if done.refused > len(done.problems):
        say(f"... and {done.refused - len(done.problems)} more; --results FILE writes all of them")
    print_table(("outcome", "rows"), sorted(progress.outcomes.items()))


def _problem(answer: Answer) -> str:
    why = printable(answer.message or "refused")
    place = f"line {answer.line}" if answer.line else printable(answer.event_id or "")
    return f"row {answer.row}{f' ({place})' if place else ''}: {answer.outcome}: {why}"
