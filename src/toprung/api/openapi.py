"""The OpenAPI 3.1 document, made from the operations and the wire types."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec

from toprung.api import examples
from toprung.api.errors import CODES
from toprung.api.operation import JSON, NDJSON, Operation
from toprung.api.schemas import (
    BATCHES,
    DECIMAL,
    ID,
    INSTANT,
    NAME,
    REASON,
    WINDOW,
    Schema,
    components,
    ref,
)
from toprung.domain.limits import BODY_BYTES, Limit
from toprung.domain.numbers import NUMBER_PATTERN
from toprung.wire.errors import ErrorDetail, ErrorReply

KEY_CHARS = Limit(
    "idempotency_key_chars",
    1,
    251,
    "characters of printable ASCII",
    "Length of an Idempotency-Key: with an index it must still be an event id.",
)
_ABOUT = (
    "Exact live leaderboards. Scores go in as events that count once each; ranks come out of one "
    "consistent state, whose place in the log every reply tells as `seq`. Numbers of scores in "
    "replies are text, so that no client loses digits. A refused request has the status of its "
    f"code and the body of `ErrorReply`. A body has at most {BODY_BYTES.maximum} bytes."
)
TAGS = {
    "boards": "Boards and their seasons",
    "periods": "Periods that come, and what became of those that were",
    "scores": "Events in",
    "rules": "Rules for named events",
    "reads": "Ranks out",
    "players": "Profiles",
    "moderation": "Players and events taken out, and brought back",
    "upkeep": "Upkeep",
    "service": "The server itself",
}
_PATH: dict[str, tuple[Schema, str]] = {
    "board": (NAME, "The board's name."),
    "player": (ID, "The player's id, percent-encoded as one segment."),
    "event_id": (ID, "The event's id, percent-encoded as one segment."),
    "match": (ID, "The match's id, percent-encoded as one segment."),
    "period": (
        {"type": "string", "format": "period", "pattern": "^[0-9A-Za-z_.:+-]+$"},
        "A period's key, `current`, `previous`, or an RFC 3339 instant that the period holds.",
    ),
}
# What the types of a query cannot say.
_QUERY: dict[str, Schema] = {
    "window": WINDOW,
    "period": {"format": "period", "pattern": "^[0-9A-Za-z_.:+-]+$"},
    "score": {"format": "score", "pattern": f"^{NUMBER_PATTERN}(,{NUMBER_PATTERN})*$"},
    "min": DECIMAL,
    "max": DECIMAL,
    "cursor": {"format": "cursor"},
    "reason": REASON,
    "as_of": {
        "format": "moment",
        "anyOf": [INSTANT, {"type": "string", "pattern": "^[0-9]{1,18}$"}],
    },
    "from": INSTANT,
    "to": INSTANT,
    "before": {"format": "period", "pattern": "^[0-9A-Za-z_.:+-]+$"},
    "since": {"format": "period", "pattern": "^[0-9A-Za-z_.:+-]+$"},
    "segment": {"format": "segment", "pattern": "^[a-z0-9][a-z0-9_.-]{0,63}:"},
    "step": {"format": "step", "pattern": "^[1-9][0-9]{0,4}[smhd]$"},
}
"""What texts may hold, by the names of the parameters."""
_WHOLE: Schema = {"type": "integer", "minimum": 0}
_HEADERS: dict[str, Schema] = {
    "RateLimit-Limit": {
        "description": "Requests that the key may make at once.",
        "schema": _WHOLE,
    },
    "RateLimit-Remaining": {"description": "Those it has left.", "schema": _WHOLE},
    "RateLimit-Reset": {
        "description": "Seconds until it has all of them again.",
        "schema": _WHOLE,
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": _WHOLE},
}
_RATE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_RETRIED = (429, 503)


def document(operations: Sequence[Operation], version: str) -> dict[str, Any]:
    """The document of ``operations``."""
    shown = [operation for operation in operations if not operation.hidden]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "toprung",
            "version": version,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "security": [{"key": []}],
        "paths": _paths(shown),
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A key of a project, with a role: `client` reads, `server` "
                    "also writes scores and profiles, `admin` does everything.",
                }
            },
            "headers": _HEADERS,
            "examples": {code: _error_example(code) for code in CODES},
            "schemas": components(_types(shown)),
        },
    }


def _paths(operations: Iterable[Operation]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return paths


def _types(operations: Iterable[Operation]) -> list[type]:
    found: list[type] = []
    for operation in operations:
        for reply in operation.replies.values():
            found += get_args(reply) or (reply,)
        if operation.body is not None:
            found.append(operation.body.kind)
    return list(dict.fromkeys(found))


def _operation(operation: Operation) -> dict[str, Any]:
    role = operation.role
    needs = "" if role is None else f"Needs a key with the role `{role}` or more."
    made: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"{operation.description} {needs}".strip(),
        "tags": [operation.tag],
        "parameters": [*_path_parameters(operation), *query_parameters(operation)],
        "responses": _replies(operation) | _errors(operation),
    }
    if role is None:
        made["security"] = []
    if operation.body is not None:
        made["requestBody"] = _body(operation)
    if operation.body is not None and operation.body.raw:
        made["parameters"].append(_IDEMPOTENCY_KEY)
    return made


_IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Fills missing event ids.",
    "schema": {
        "type": "string",
        "minLength": KEY_CHARS.minimum,
        "maxLength": KEY_CHARS.maximum,
        "pattern": "^[!-~]([ -~]*[!-~])?$",
    },
}


def _path_parameters(operation: Operation) -> list[Schema]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PATH[name][1],
            "schema": _PATH[name][0],
            "example": examples.PATH[name],
        }
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]


def query_parameters(operation: Operation) -> list[Schema]:
    """What may stand in an operation's query."""
    parameters = []
    for field in msgspec.structs.fields(operation.params):
        schema = _without_null(msgspec.json.schema(field.type))
        description = schema.pop("description", "")
        if schema.get("type") == "string":
            schema.update(_QUERY.get(field.encode_name, {}))
        if not field.required and field.default is not None:
            schema["default"] = field.default
        parameters.append(
            {
                "name": field.encode_name,
                "in": "query",
                "required": field.required,
                "description": description,
                "schema": schema,
            }
        )
    return parameters


def _without_null(schema: Schema) -> Schema:
    """A parameter that is not given is not null: it is absent."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    return options[0] if len(options) == 1 else schema


def _body(operation: Operation) -> dict[str, Any]:
    body = operation.body
    if body is None:
        return {}
    schema = ref(body.kind.__name__)
    content: dict[str, Any] = {}
    for media_type in body.media_types:
        if media_type == NDJSON:
            content[media_type] = {"schema": {"description": f"One `{body.kind.__name__}` a line."}}
        elif body.raw:
            content[media_type] = {
                "schema": {"anyOf": [schema, ref(BATCHES[body.kind])]},
                "examples": {
                    "one": {"summary": "One event", "value": body.example["events"][0]},
                    "batch": {"summary": "A batch", "value": body.example},
                },
            }
        else:
            content[media_type] = {"schema": schema, "example": body.example}
    return {"required": True, "content": content}


def _replies(operation: Operation) -> dict[str, Any]:
    return {
        str(status): {
            "description": _PHRASES[status],
            "headers": _headers(operation, status),
            "content": {operation.media_type: _reply_content(operation, status, kind)},
        }
        for status, kind in operation.replies.items()
    }


_PHRASES = {200: "Done.", 201: "Made.", 202: "Begun.", 503: "Not ready; `missing` says why."}


def _reply_content(operation: Operation, status: int, kind: Any) -> dict[str, Any]:
    parts = get_args(kind)
    if parts:
        schema: Schema = {"anyOf": [ref(part.__name__) for part in parts]}
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        schema = ref(kind.__name__)
    else:
        schema = {"type": "string" if kind is str else "object"}
    content: dict[str, Any] = {"schema": schema}
    if operation.example is not None and status == next(iter(operation.replies)):
        content["example"] = msgspec.to_builtins(operation.example)
    return content


def _errors(operation: Operation) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in operation.codes():
        by_status.setdefault(CODES[code].status, []).append(code)
    return {
        str(status): {
            "description": " ".join(f"`{code}`: {CODES[code].meaning}" for code in codes),
            "headers": _headers(operation, status),
            "content": {
                JSON: {
                    "schema": ref("ErrorReply"),
                    "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
                }
            },
        }
        for status, codes in by_status.items()
        if status not in operation.replies
    }


def _error_example(code: str) -> dict[str, Any]:
    reply = ErrorReply(ErrorDetail(code, CODES[code].meaning))
    return {"value": msgspec.to_builtins(reply)}


def _headers(operation: Operation, status: int) -> dict[str, Any]:
    names = () if operation.role is None or status == 401 else _RATE
    retry = ("Retry-After",) if status in _RETRIED else ()
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, *retry)}
