"""The import contracts hold on an empty house, and each one breaks where it is broken on purpose.

A contract with a slip of the pen is kept by everything. So the rooms are built empty in a folder,
under the contracts of this repository, and one forbidden import at a time is put into them.
"""

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

CONFIG = Path(__file__).resolve().parents[2] / ".importlinter"

# where the import is put, the import, the contract that must break
FORBIDDEN = [
    ("ports", "from toprung import intake", "flow"),
    ("intake", "from toprung import query", "flow"),
    ("live", "", "flow"),
    ("api", "from toprung import store", "adapters"),
    ("cli", "from toprung import rank", "adapters"),
    ("query", "from toprung import sqlite", "sqlite"),
    ("sdk", "from toprung import domain", "sdk"),
    ("sdk", "import starlette", "sdk"),
    ("query", "from toprung import wire", "wire"),
    ("console", "from toprung import query", "console"),
    ("domain", "import time", "pure"),
    ("store", "import pytest", "no-test-tools"),
    ("api", "from toprung import batch", "adapters"),
    ("rank", "from toprung import _native", "native"),
    ("api", "from toprung import updater", "delivery"),
    ("intake.one", "from toprung.intake import two", "cycles"),
]


def contracts() -> ConfigParser:
    config = ConfigParser()
    config.read(CONFIG)
    return config


def contract_name(contract: str) -> str:
    return contracts()[f"importlinter:contract:{contract}"]["name"]


def add_import(source: Path, room: str, statement: str) -> None:
    """Put the statement into the module, and make the packages above it where they are missing."""
    folder = source.joinpath("toprung", *room.split("."))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(f"{statement}\n")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    layers = contracts()["importlinter:contract:flow"]["layers"]
    for room in layers.replace("|", " ").split():
        add_import(tmp_path, room, "")
    for inner in re.findall(r"toprung\.(\w+\.\w+)", CONFIG.read_text()):
        add_import(tmp_path, inner, "")
    add_import(tmp_path, "intake.two", "from toprung.intake import one")
    add_import(tmp_path, "intake.one", "")
    (tmp_path / "toprung" / "__init__.py").write_text("")
    return tmp_path


def lint_imports(house: Path) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, "--config", str(CONFIG), "--no-cache"],
        cwd=house,
        env={"PYTHONPATH": str(house), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_contracts_hold_on_an_empty_house(house: Path):
    run = lint_imports(house)

    assert run.returncode == 0, run.stdout
    assert "0 broken" in run.stdout


@pytest.mark.parametrize(("room", "statement", "contract"), FORBIDDEN)
def test_contract_breaks(room: str, statement: str, contract: str, house: Path):
    add_import(house, room, statement)

    run = lint_imports(house)

    assert run.returncode == 1
    assert f"{contract_name(contract)} BROKEN" in run.stdout


def test_every_contract_is_broken_once():
    names = {section.rpartition(":")[2] for section in contracts().sections() if ":" in section}

    assert {contract for _, _, contract in FORBIDDEN} == names
