"""What is missing on a machine is said in one line each, before anything is made.

The scripts run with a PATH of stand-ins: each answers the one question that it is asked.
"""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

# Python is asked twice, with `-c` and a program: for its version, and for venv.
COMPLETE = {
    "python3": 'case "$2" in *platform*) echo 3.11.2 ;; esac',
    "cargo": "echo cargo 1.95.0 '(abc 2026-01-01)'",
    "rustc": "echo rustc 1.95.0",
    "cc": "exit 0",
    "node": "echo v20.19.0",
    "npm": "echo 11.0.0",
}


def run_script(
    name: str, tools: Mapping[str, str], path: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    for tool, body in tools.items():
        file = path / tool
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
    return subprocess.run(
        [SCRIPTS / name, *arguments],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_doctor_is_silent_where_nothing_is_missing(tmp_path: Path):
    run = run_script("doctor", COMPLETE, tmp_path)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("tool", "what", "how"),
    [
        ("python3", "Python 3.11 or newer (python3)", "apt-get install python3 python3-venv"),
        ("cargo", "Rust 1.85 or newer (cargo, rustc)", "https://rustup.rs"),
        ("rustc", "Rust 1.85 or newer (cargo, rustc)", "https://rustup.rs"),
        ("cc", "a C linker (cc)", "apt-get install gcc libc6-dev"),
        ("node", "Node.js 20.19 or newer (node)", "https://nodejs.org"),
        ("npm", "npm", "apt-get install npm"),
    ],
)
def test_doctor_says_in_one_line_what_is_missing(tool: str, what: str, how: str, tmp_path: Path):
    run = run_script(
        "doctor", {name: COMPLETE[name] for name in COMPLETE.keys() - {tool}}, tmp_path
    )

    assert run.returncode == 1
    assert run.stderr.startswith(f"missing: {what}: ")
    assert how in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("tool", "body", "what"),
    [
        ("python3", "echo 3.10.14", "Python 3.11 or newer (python3 is 3.10.14)"),
        ("python3", "echo 2.7.18", "Python 3.11 or newer (python3 is 2.7.18)"),
        (
            "python3",
            'case "$2" in *platform*) echo 3.11.2 ;; *) exit 1 ;; esac',
            "Python's venv and ensurepip (python3): apt-get install python3-venv",
        ),
        ("cargo", "echo cargo 1.63.0", "Rust 1.85 or newer (cargo is 1.63.0)"),
        ("cargo", "echo no default toolchain >&2; exit 1", "Rust 1.85 or newer (cargo, rustc)"),
        ("cc", "exit 1", "a C linker (cc)"),
        ("node", "echo v18.20.4", "Node.js 20.19 or newer (node is 18.20.4)"),
        ("node", "echo v20.18.9", "Node.js 20.19 or newer (node is 20.18.9)"),
    ],
)
def test_doctor_refuses_what_is_too_old_or_broken(tool: str, body: str, what: str, tmp_path: Path):
    run = run_script("doctor", COMPLETE | {tool: body}, tmp_path)

    assert run.returncode == 1
    assert run.stderr.startswith(f"missing: {what}")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("tool", "body"),
    [
        ("python3", 'case "$2" in *platform*) echo 3.14.0 ;; esac'),
        ("node", "echo v24.1.0"),
        ("cargo", "echo cargo 2.0.0"),
    ],
)
def test_doctor_accepts_newer_tools(tool: str, body: str, tmp_path: Path):
    run = run_script("doctor", COMPLETE | {tool: body}, tmp_path)

    assert (run.returncode, run.stderr) == (0, "")


def test_doctor_names_everything_that_is_missing_at_once(tmp_path: Path):
    run = run_script("doctor", {}, tmp_path)

    assert run.returncode == 1
    assert run.stderr.count("missing: ") == run.stderr.count("\n") == 5


APT_GET = 'echo "apt-get $*" >&2'
PACKAGES = {"tests": ("chromium", "valgrind"), "benchmarks": ("redis-server", "wrk")}


def run_debian_packages(
    tools: Mapping[str, str], path: Path, purpose: str
) -> subprocess.CompletedProcess[str]:
    return run_script("debian-packages", tools, path, purpose)


@pytest.mark.parametrize("purpose", PACKAGES)
def test_debian_packages_does_nothing_where_nothing_is_missing(purpose: str, tmp_path: Path):
    present = dict.fromkeys(PACKAGES[purpose], "exit 0")

    run = run_debian_packages({**present, "apt-get": APT_GET}, tmp_path, purpose)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("purpose", PACKAGES)
def test_debian_packages_installs_what_is_missing_as_root(purpose: str, tmp_path: Path):
    missing, present = PACKAGES[purpose]

    run = run_debian_packages(
        {present: "exit 0", "apt-get": APT_GET, "id": "echo 0"}, tmp_path, purpose
    )

    assert run.returncode == 0
    assert run.stderr == (
        f"apt-get update -qq\napt-get install -qq -y --no-install-recommends {missing}\n"
    )


@pytest.mark.parametrize(
    "tools",
    [
        {"apt-get": APT_GET, "id": "echo 1000"},
        {"id": "echo 0"},
        {"apt-get": "exit 100", "id": "echo 0"},
    ],
    ids=["not root", "not Debian", "apt-get fails"],
)
def test_debian_packages_says_the_line_to_run(tools: Mapping[str, str], tmp_path: Path):
    run = run_debian_packages(tools, tmp_path, "tests")

    assert run.returncode == 1
    assert run.stderr == (
        "missing: chromium valgrind, for the tests: "
        "sudo apt-get install --no-install-recommends chromium valgrind\n"
    )


def test_debian_packages_asks_what_for(tmp_path: Path):
    run = run_script("debian-packages", {}, tmp_path)

    assert (run.returncode, run.stderr) == (
        2,
        "usage: scripts/debian-packages tests|benchmarks\n",
    )
