"""The reference of the HTTP API: ``python -m toprung.api.reference`` prints the first page, with
the name of another one that page.

Made from the operations, and from what all of them share: outcomes, codes and limits.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toprung.api.errors import CODES
from toprung.api.openapi import KEY_CHARS, TAGS, query_parameters
from toprung.api.operation import Operation
from toprung.api.operations import PUBLIC
from toprung.domain.limits import ALL
from toprung.domain.outcomes import MEANING

LINE_CHARS = 100
HEAD = """\
# The HTTP API

Made by `scripts/docs` from the operations of the server; do not edit. The same in a form for
programs, with the schema of every body: `GET /openapi.json` of a running server; to try in a
browser: `/docs`.

A request carries `Authorization: Bearer KEY`. A key belongs to one project and sees nothing of
others; its role is `client` (reads), `server` (also writes scores and profiles) or `admin`
(everything). What is not in this page is refused: unknown query parameters, unknown fields of a
body. An id in a path is one percent-encoded segment, whatever it holds, also `/`.

Numbers of scores in replies are text, so that no client loses digits. Every reply of a read carries
the `seq` it reflects: opaque, but of two the larger one is later. `next: null` is the only mark of
an end.

A refused request is answered with the status of its code and with
`{"error": {"code", "message", "field"?, "hint"?}}`. Replies to a key carry `RateLimit-Limit`,
`RateLimit-Remaining` and `RateLimit-Reset` (seconds), as long as the server has a rate limit.

[Reading ranks](http-reads.md), [periods](http-periods.md), [moderation](http-moderation.md) and
[rules for named events](http-rules.md) have pages of their own, and so have
[outcomes of events, error codes and limits](http-codes.md).
"""
TAG_HEAD = """\
# {title} over HTTP

Made by `scripts/docs` from the operations of the server; do not edit. What all operations share is
with [the others](http-api.md).
"""
CODES_HEAD = """\
# Outcomes, error codes and limits

Made by `scripts/docs` from the server; do not edit. What the [HTTP API](http-api.md) answers with,
and what it takes.
"""


FIRST, CODES_PAGE = "api", "codes"
OWN_PAGES = {
    "moderation": "Moderation",
    "periods": "Periods",
    "reads": "Reading ranks",
    "rules": "Rules for named events",
}
"""The tags whose operations have a page of their own, with its title: one page of all would be too
long to find something on."""
PAGES = (FIRST, *OWN_PAGES, CODES_PAGE)
"""The pages, by the names of their files without ``http-``."""


def reference(page: str = FIRST) -> str:
    """A whole page."""
    if page == CODES_PAGE:
        return "\n".join([CODES_HEAD, *_outcomes(), *_codes(), *_limits()])
    if page in OWN_PAGES:
        return "\n".join([TAG_HEAD.format(title=OWN_PAGES[page]), *_operations(page)])
    return "\n".join([HEAD, *_sections()])


def page_of(operation: Operation) -> str:
    """The page that an operation is on."""
    return operation.tag if operation.tag in OWN_PAGES else FIRST


def _sections() -> Iterator[str]:
    for tag, title in TAGS.items():
        if tag not in OWN_PAGES:
            yield f"## {title}\n"
            yield from _operations(tag)


def _operations(tag: str) -> Iterator[str]:
    for operation in PUBLIC:
        if operation.tag == tag:
            yield from _section(operation)


def _section(operation: Operation) -> Iterator[str]:
    yield f"### `{operation.method} {operation.path}`\n"
    needs = "no key" if operation.role is None else f"role `{operation.role}`"
    yield f"{operation.summary} ({needs}). {operation.description}".rstrip() + "\n"
    yield from _parameters(operation)
    if operation.body is not None:
        kinds = " or ".join(f"`{media_type}`" for media_type in operation.body.media_types)
        yield f"Body, `{operation.body.kind.__name__}` as {kinds}:\n"
        yield from _json(operation.body.example)
    if operation.example is not None:
        yield f"Reply, {' or '.join(map(str, operation.replies))}:\n"
        yield from _json(operation.example)
    codes = ", ".join(f"`{code}` {CODES[code].status}" for code in operation.errors)
    if codes:
        yield f"Errors of its own: {codes}.\n"


def _parameters(operation: Operation) -> Iterator[str]:
    parameters = query_parameters(operation)
    if operation.body is not None and operation.body.raw:
        yield "The header `Idempotency-Key` fills missing event ids.\n"
    if parameters:
        yield from _table(
            ("parameter", "default", "meaning"),
            (
                (
                    f"`{each['name']}`",
                    "needed" if each["required"] else _default(each["schema"]),
                    each["description"],
                )
                for each in parameters
            ),
        )


def _default(schema: dict[str, object]) -> str:
    return f"`{_inline(schema['default'])}`" if "default" in schema else ""


def _json(example: Any) -> Iterator[str]:
    """An object, with a line for each of its members where one line is too short."""
    text = _inline(msgspec.to_builtins(example))
    if len(text) > LINE_CHARS:
        members = msgspec.to_builtins(example).items()
        lines = ",\n".join(f"  {_inline(name)}: {_inline(value)}" for name, value in members)
        text = f"{{\n{lines}\n}}"
    yield f"```json\n{text}\n```\n"


def _inline(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def _outcomes() -> Iterator[str]:
    yield "## Outcomes of an event\n"
    yield "In order of precedence: the first one that applies is given.\n"
    yield from _table(("outcome", "meaning"), ((f"`{key}`", text) for key, text in MEANING.items()))


def _codes() -> Iterator[str]:
    yield "## Error codes\n"
    yield from _table(
        ("code", "status", "meaning"),
        ((f"`{key}`", str(code.status), code.meaning) for key, code in CODES.items()),
    )


def _limits() -> Iterator[str]:
    yield "## Limits\n"
    yield from _table(
        ("limit", "from", "to", "unit", "what"),
        (
            (f"`{limit.name}`", str(limit.minimum), str(limit.maximum), limit.unit, limit.sentence)
            for limit in (*ALL, KEY_CHARS)
        ),
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = [head, tuple("---" for _ in head), *rows]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(reference(*sys.argv[1:]))
