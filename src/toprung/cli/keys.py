"""``toprung keys``: who may use a server's API. Works on its file, while it runs or not."""

from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.errors import Failed, server_extra
from toprung.cli.options import DEFAULT_DB, Db, Json
from toprung.cli.output import print_json, print_table, say
from toprung.cli.registry import command, new_app
from toprung.domain.access import Role, read_key
from toprung.domain.instants import format_instant

if TYPE_CHECKING:
    from toprung.ports.keys import StoredKey

app = new_app("Make, list and revoke the keys of a server.")


@command(app, "create")
def create(
    project: Annotated[str, typer.Option(help="The project it belongs to; made by its first key.")],
    role: Annotated[
        Role, typer.Option(help="client reads, server also writes scores, admin does everything.")
    ],
    name: Annotated[str, typer.Option(help="A note for people: who uses it.")] = "",
    db: Db = DEFAULT_DB,
    json: Json = False,
) -> None:
    """Make a key and print it. It is shown this once: only its hash is kept.

    A server that runs on the file knows it at once.

    Example:
      toprung keys create --project my-game --role server --name "match server"
    """
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    made = offline.create_key(db, project, role, name)
    if json:
        print_json(
            {"id": made.stored.key_id, "project": project, "role": role.value, "key": made.text}
        )
        return
    print(made.text)
    say(f"The {role.value} key {made.stored.key_id} of project {project}; it is not shown again.")


@command(app, "list")
def list_(
    project: Annotated[
        str | None, typer.Option(help="Only this project's keys.", show_default=False)
    ] = None,
    db: Db = DEFAULT_DB,
    json: Json = False,
) -> None:
    """List keys, without their secrets.

    Example:
      toprung keys list --project my-game
    """
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    found = offline.list_keys(db, project)
    if json:
        print_json({"keys": [_shown(key) for key in found]})
        return
    header = ("id", "project", "role", "name", "created_at", "revoked_at")
    print_table(header, [tuple(_shown(key).values()) for key in found])


def _shown(key: "StoredKey") -> dict[str, str | None]:
    return {
        "id": key.key_id,
        "project": key.project,
        "role": key.role,
        "name": key.name,
        "created_at": format_instant(key.created_at),
        "revoked_at": None if key.revoked_at is None else format_instant(key.revoked_at),
    }


@command(app, "revoke")
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key's id, or the whole key.")],
    db: Db = DEFAULT_DB,
    json: Json = False,
) -> None:
    """Revoke a key. A server that runs on the file refuses it within a second.

    Example:
      toprung keys revoke 0f3a52b49c1e
    """
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    parts = read_key(key)
    key_id = key if parts is None else parts[0]
    revoked = offline.revoke_key(db, key_id)
    if revoked is None:
        raise Failed(
            "unknown_key", f"there is no key {key_id}", hint="toprung keys list shows them"
        )
    if json:
        print_json(_shown(revoked))
    else:
        say(f"The {revoked.role} key {key_id} of project {revoked.project} is revoked.")
