"""The reference of the command line is what the commands say of themselves today."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from toprung.cli.main import app
from toprung.cli.reference import PAGES, reference

ROOT = Path(__file__).resolve().parents[2]


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", {})
    if not children:
        yield name, command
    for child, sub in children.items():
        yield from commands(sub, f"{name} {child}")


ALL = dict(commands(typer.main.get_command(app), "toprung"))
READING = {
    "toprung top",
    "toprung rank",
    "toprung around",
    "toprung boards list",
    "toprung boards show",
    "toprung boards plan",
    "toprung rules show",
    "toprung rules plan",
    "toprung rules test",
    "toprung periods",
    "toprung schedule",
    "toprung seasons list",
    "toprung players show",
    "toprung keys list",
    "toprung query",
    "toprung verify",
}


@pytest.mark.parametrize("page", PAGES)
def test_the_reference_is_current(page):
    text = (ROOT / "docs" / "reference" / f"{page}.md").read_text("utf-8")
    assert text == reference(page), "run scripts/docs-cli"


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_on_one_page(name):
    assert sum(f"## {name}\n" in reference(page) for page in PAGES) == 1


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_an_example_of_itself(name):
    examples = ALL[name].help.partition("Example")[2]
    assert name in examples


@pytest.mark.parametrize("name", sorted(READING))
def test_every_reading_command_can_speak_json(name):
    assert "--json" in {option for param in ALL[name].params for option in param.opts}


@pytest.mark.parametrize("name", ALL)
def test_every_option_says_what_it_is_for(name):
    assert [param.name for param in ALL[name].params if not getattr(param, "help", "x")] == []
