"""Reads a file of cases and checks its shape before anything is played."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

LONGEST_WHOLE = len(str(-(2**63)))
"""Digits and sign of the longest number that a score can be."""

Entry = Mapping[str, Any]
"""One thing that happens: an event, or an act with an ``op``."""


class BadCaseFile(Exception):
    """The file cannot be read as cases; says where and why."""


@dataclass(frozen=True)
class Query:
    """One question and the answer it should get."""

    op: str
    args: Mapping[str, Any]
    expect: Any
    after: int | None = None
    """Asked after so many entries; None: after all of them."""


@dataclass(frozen=True)
class Case:
    """One case of the file."""

    id: str
    setup: Mapping[str, Any]
    events: tuple[Entry, ...]
    queries: tuple[Query, ...]

    @property
    def manual_count(self) -> int:
        return sum(query.op == "manual" for query in self.queries)


def read_cases(path: Path) -> list[Case]:
    """Read all cases of a file, one JSON object a line.

    Raises:
        BadCaseFile: the file or one of its lines cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCaseFile(f"{path}: {error}") from error
    cases = list(_cases_of(path, text))
    if not cases:
        raise BadCaseFile(f"{path}: holds no case")
    ids = [case.id for case in cases]
    if repeated := sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        raise BadCaseFile(f"{path}: the id {repeated[0]} is there more than once")
    return cases


def _cases_of(path: Path, text: str) -> Iterator[Case]:
    # Not splitlines(): a text inside a case may hold a character that it takes for a line's end.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield _case_of(line)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadCaseFile(f"{path}:{number}: not a case: {error!r}") from error


def _case_of(line: str) -> Case:
    plain = json.loads(line, parse_int=_whole)
    # The numbers of what is sent stay as they are written: 1e999, 0.10 and -0 must arrive so.
    exact = json.loads(line, parse_int=_whole, parse_float=_as_written, parse_constant=_as_written)
    return Case(
        id=str(plain["id"]),
        setup=dict(plain["setup"]),
        events=tuple(dict(entry) for entry in exact["events"]),
        queries=tuple(_query_of(query) for query in plain["queries"]),
    )


def _query_of(query: Mapping[str, Any]) -> Query:
    return Query(
        op=query["op"],
        args=dict(query.get("args", {})),
        expect=query["expect"],
        after=query.get("after"),
    )


def _as_written(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def _whole(text: str) -> int | msgspec.Raw:
    if len(text) > LONGEST_WHOLE or text == "-0":
        return _as_written(text)
    return int(text)
