"""Keeps the repository tidy: rules that a linter has no name for, each with a planted violation.

A check takes the files of a tree and returns one line per finding. The same checks run over this
repository, where they must find nothing, and over small trees made to break them, where they must
find exactly what was planted.
"""

import ast
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 60
BLOB_BYTES_MAX = 200_000

# path -> why this file is one, though it is long
LONG_FILES: dict[str, str] = {}
# path::function -> why this function is one, though it is long
LONG_FUNCTIONS: dict[str, str] = {}
# path -> why this file is in the repository, though it is big
BIG_FILES: dict[str, str] = {}

SOURCE_SUFFIXES = frozenset(
    [".css", ".html", ".js", ".md", ".mjs", ".py", ".pyi", ".rs", ".sh", ".sql", ".toml", ".ts"]
)


@dataclass(frozen=True)
class File:
    """One file of the tree; ``text`` is empty where the bytes are not text."""

    path: str
    size_bytes: int
    text: str

    @property
    def suffix(self) -> str:
        return Path(self.path).suffix

    @property
    def is_python(self) -> bool:
        """A command in scripts/ has no suffix; its first line says what it is."""
        first_line = self.text.partition("\n")[0]
        return self.suffix == ".py" or (first_line.startswith("#!") and "python" in first_line)

    @property
    def is_lock(self) -> bool:
        return self.path.endswith((".lock", ".lock.txt", "-lock.json"))

    @property
    def is_python_test(self) -> bool:
        return self.is_python and self.path.startswith(("tests/", "src/toprung/testing/"))


Tree = Sequence[File]
Check = Callable[[Tree], list[str]]


def read_tree(root: Path, paths: Sequence[str]) -> list[File]:
    files = []
    for path in sorted(paths):
        content = (root / path).read_bytes()
        text = "" if b"\0" in content else content.decode("utf-8", errors="replace")
        files.append(File(path, len(content), text))
    return files


def repository_paths(root: Path) -> list[str]:
    """What is in git and what is about to be: tracked files, and new ones that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return [path for path in listed.stdout.split("\0") if path and (root / path).is_file()]


def unexplained(found: dict[str, str], allowed: dict[str, str]) -> list[str]:
    """Findings without a reason, and reasons whose finding is gone."""
    lines = [line for key, line in found.items() if key not in allowed]
    lines += [
        f"{key}: is on an allow list but no longer needs it" for key in allowed.keys() - found
    ]
    return sorted(lines)


def matching_lines(files: Iterator[File], pattern: re.Pattern[str], what: str) -> list[str]:
    return [
        f"{file.path}:{number}: {what}"
        for file in files
        for number, line in enumerate(file.text.splitlines(), start=1)
        if pattern.search(line)
    ]


# The words are put together here so that this file does not find itself.
LEFTOVER = re.compile(r"\b(?:" + "|".join(["FIX" + "ME", "TO" + "DO", "X" * 3]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:home|root|tmp|work)/\w")


def leftovers(tree: Tree) -> list[str]:
    return matching_lines((file for file in tree if not file.is_lock), LEFTOVER, "leftover marker")


def machine_paths(tree: Tree) -> list[str]:
    return matching_lines(iter(tree), MACHINE_PATH, "a path of one machine")


def addresses_in_locks(tree: Tree) -> list[str]:
    """Hashes pin the bytes; an address would pin everyone to one host. Cargo needs its own."""
    locks = (file for file in tree if file.is_lock and Path(file.path).name != "Cargo.lock")
    return matching_lines(
        locks, re.compile(r"\w://"), "an address in a lock file; `make lock` leaves them out"
    )


def long_files(tree: Tree, allowed: dict[str, str] = LONG_FILES) -> list[str]:
    found = {}
    for file in tree:
        lines = file.text.count("\n")
        is_source = file.is_python or file.suffix in SOURCE_SUFFIXES
        if is_source and lines > FILE_LINES_MAX:
            found[file.path] = f"{file.path}: {lines} lines"
    return unexplained(found, allowed)


def big_blobs(tree: Tree, allowed: dict[str, str] = BIG_FILES) -> list[str]:
    found = {
        file.path: f"{file.path}: {file.size_bytes} bytes"
        for file in tree
        if file.size_bytes > BLOB_BYTES_MAX and not file.is_lock
    }
    return unexplained(found, allowed)


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def functions(file: File) -> Iterator[FunctionNode]:
    for node in ast.walk(ast.parse(file.text, filename=file.path)):
        if isinstance(node, FunctionNode):
            yield node


def called_names(node: ast.AST) -> Iterator[str]:
    """The last part of each called name: ``sleep`` for ``asyncio.sleep(1)``."""
    for child in ast.walk(node):
        if isinstance(child, ast.Call):
            if isinstance(child.func, ast.Attribute):
                yield child.func.attr
            elif isinstance(child.func, ast.Name):
                yield child.func.id


def long_functions(tree: Tree, allowed: dict[str, str] = LONG_FUNCTIONS) -> list[str]:
    found = {}
    for file in tree:
        if file.is_python:
            for node in functions(file):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    key = f"{file.path}::{node.name}"
                    found[key] = f"{key}: {lines} lines"
    return unexplained(found, allowed)


ASSERTING_CALL = re.compile(
    r"^(?:raises|warns|fail|run_state_machine_as_test|_?(?:assert|check|expect|verify|validate)\w*)$"
)


def silent_tests(tree: Tree) -> list[str]:
    return [
        f"{file.path}::{name}: asserts nothing"
        for file in tree
        if file.is_python_test
        for name in silent_tests_of(file)
    ]


def silent_tests_of(file: File) -> list[str]:
    """Tests that assert neither themselves nor through a function of the same file."""
    calls: dict[str, set[str]] = {}
    asserting: set[str] = set()
    for node in functions(file):
        calls.setdefault(node.name, set()).update(called_names(node))
        if any(isinstance(child, ast.Assert) for child in ast.walk(node)):
            asserting.add(node.name)
        if any(ASSERTING_CALL.match(name) for name in calls[node.name]):
            asserting.add(node.name)
    while reached := {name for name in calls if calls[name] & asserting} - asserting:
        asserting |= reached
    return sorted(name for name in calls if name.startswith("test_") and name not in asserting)


def sleeping_tests(tree: Tree) -> list[str]:
    """A test that sleeps is slow where it passes and flaky where it does not: wait for a signal."""
    return [
        f"{file.path}::{node.name}: sleeps"
        for file in tree
        if file.is_python_test
        for node in functions(file)
        if "sleep" in called_names(node)
    ]


def packages_without_docstring(tree: Tree) -> list[str]:
    texts = {file.path: file.text for file in tree}
    folders = {
        str(Path(file.path).parent)
        for file in tree
        if file.is_python and file.path.startswith("src/")
    }
    return [
        f"{folder}/__init__.py: missing, or does not say what the package is for"
        for folder in sorted(folders)
        if not ast.get_docstring(ast.parse(texts.get(f"{folder}/__init__.py", "")))
    ]


def version_differences(tree: Tree) -> list[str]:
    """Each build tool wants a version in a file of its own; ``__version__`` is the one we mean."""
    texts = {file.path: file.text for file in tree}
    source = re.search(r'^__version__ = "(.+)"$', texts["src/toprung/__init__.py"], re.MULTILINE)
    if not source:
        return ["src/toprung/__init__.py: no __version__"]
    copies = {"pyproject.toml": tomllib.loads(texts["pyproject.toml"])["project"]["version"]}
    for crate in ("toprung-rank", "toprung-decide", "toprung-intake", "toprung-py"):
        path = f"crates/{crate}/Cargo.toml"
        copies[path] = tomllib.loads(texts[path])["package"]["version"]
    return [
        f"{path}: version {version}, but toprung.__version__ is {source[1]}"
        for path, version in copies.items()
        if version != source[1]
    ]


CHECKS: list[Check] = [
    leftovers,
    machine_paths,
    addresses_in_locks,
    long_files,
    big_blobs,
    long_functions,
    silent_tests,
    sleeping_tests,
    packages_without_docstring,
    version_differences,
]


@pytest.fixture(scope="module")
def repository() -> list[File]:
    return read_tree(ROOT, repository_paths(ROOT))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_repository_is_tidy(check: Check, repository: list[File]):
    assert check(repository) == []


def test_every_allowed_exception_has_a_reason():
    reasons = [*LONG_FILES.values(), *LONG_FUNCTIONS.values(), *BIG_FILES.values()]

    assert [reason for reason in reasons if len(reason.split()) < 4] == []


VERSIONS = {
    "src/toprung/__init__.py": '"""Says."""\n\n__version__ = "1.2.3"\n',
    "pyproject.toml": '[project]\nversion = "1.2.3"\n',
    "crates/toprung-rank/Cargo.toml": '[package]\nversion = "1.2.3"\n',
    "crates/toprung-decide/Cargo.toml": '[package]\nversion = "1.2.3"\n',
    "crates/toprung-intake/Cargo.toml": '[package]\nversion = "1.2.3"\n',
    "crates/toprung-py/Cargo.toml": '[package]\nversion = "1.2.3"\n',
}

# check, the tree that breaks it, what it must find (the beginning of each line)
PLANTED = [
    (leftovers, {"a.py": f"x = 1  # {'TO' + 'DO'} later\n"}, ["a.py:1"]),
    (leftovers, {"a.md": f"one\n{'FIX' + 'ME'}: two\n"}, ["a.md:2"]),
    (leftovers, {"a.py": "TODOS = 1\n", "a.lock.txt": f"{'X' * 3}\n"}, []),
    (machine_paths, {"a.md": f"see {'/ro' + 'ot'}/notes\n"}, ["a.md:1"]),
    (machine_paths, {"a.py": f"p = '{'/t' + 'mp'}/x'\n"}, ["a.py:1"]),
    (machine_paths, {"a.md": "GET /v1/boards/home/top and ~/tmp/x\n"}, []),
    (addresses_in_locks, {"r/dev.lock.txt": "x @ https://host/x.whl\n"}, ["r/dev.lock.txt:1"]),
    (
        addresses_in_locks,
        {"package-lock.json": '"resolved": "http://h"\n'},
        ["package-lock.json:1"],
    ),
    (addresses_in_locks, {"Cargo.lock": "https://h\n", "a.md": "https://h\n"}, []),
    (long_files, {"a.py": "\n" * 601}, ["a.py: 601"]),
    (long_files, {"a.py": "\n" * 600, "dev.lock.txt": "\n" * 999}, []),
    (big_blobs, {"a.csv": "x" * 200_001}, ["a.csv: 200001"]),
    (big_blobs, {"a.csv": "x" * 200_000}, []),
    (long_functions, {"a.py": "def f():\n" + "    x = 1\n" * 60}, ["a.py::f: 61"]),
    (long_functions, {"a.py": "def f():\n" + "    x = 1\n" * 59}, []),
    (
        long_functions,
        {
            "scripts/a": "#!/usr/bin/env python3\ndef f():\n" + "    x = 1\n" * 60,
            "b": "#!/bin/sh\n",
        },
        ["scripts/a::f: 61"],
    ),
    (silent_tests, {"tests/a.py": "def test_a():\n    f()\n"}, ["tests/a.py::test_a"]),
    (
        silent_tests,
        {"tests/a.py": "class T:\n    async def test_a(self):\n        self.f()\n"},
        ["tests/a.py::test_a"],
    ),
    (silent_tests, {"tests/a.py": "def test_a():\n    assert f()\n"}, []),
    (silent_tests, {"tests/a.py": "def test_a():\n    with raises(E): f()\n"}, []),
    (
        silent_tests,
        {"tests/a.py": "def test_a():\n    b()\ndef b():\n    c()\ndef c():\n    assert 1\n"},
        [],
    ),
    (sleeping_tests, {"tests/a.py": "def f():\n    time.sleep(1)\n"}, ["tests/a.py::f"]),
    (
        sleeping_tests,
        {"src/toprung/testing/a.py": "async def f():\n    await sleep(0)\n"},
        ["src/toprung/testing/a.py::f"],
    ),
    (sleeping_tests, {"src/toprung/app/clock.py": "def f():\n    time.sleep(1)\n"}, []),
    (packages_without_docstring, {"src/a/__init__.py": "x = 1\n"}, ["src/a/__init__.py"]),
    (packages_without_docstring, {"src/a/b.py": '"""Says."""\n'}, ["src/a/__init__.py"]),
    (packages_without_docstring, {"src/a/__init__.py": '"""Says."""\n', "b/c.py": ""}, []),
    (version_differences, VERSIONS, []),
    (
        version_differences,
        {**VERSIONS, "crates/toprung-py/Cargo.toml": '[package]\nversion = "1.2.4"\n'},
        ["crates/toprung-py/Cargo.toml: version 1.2.4"],
    ),
    (
        version_differences,
        {**VERSIONS, "pyproject.toml": '[project]\nversion = "2.0"\n'},
        ["pyproject.toml: version 2.0"],
    ),
]


@pytest.mark.parametrize(("check", "tree", "expected"), PLANTED)
def test_check_finds_exactly_what_is_planted(
    check: Check, tree: dict[str, str], expected: list[str], tmp_path: Path
):
    for path, text in tree.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    found = check(read_tree(tmp_path, list(tree)))

    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_every_check_has_a_planted_violation():
    assert {check for check, _, expected in PLANTED if expected} == set(CHECKS)


def test_an_allowed_finding_is_silent_and_a_stale_permission_is_not():
    tree = [File("a.py", 700, "\n" * 700)]

    assert long_files(tree, allowed={"a.py": "one long table of rules"}) == []
    assert long_files([], allowed={"a.py": "one long table of rules"}) == [
        "a.py: is on an allow list but no longer needs it"
    ]


def test_new_files_are_checked_before_they_are_committed_and_ignored_ones_never(tmp_path: Path):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    (tmp_path / "ignored.py").write_text("")
    (tmp_path / "new.py").write_text("")

    assert sorted(repository_paths(tmp_path)) == [".gitignore", "new.py"]
