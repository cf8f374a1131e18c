"""Commands and groups of them, made in one way."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import typer

F = TypeVar("F", bound=Callable[..., Any])

_KEEP_LINES = "\b\n"
"""In front of a paragraph: its lines stay as they are."""


def new_app(help_text: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        help=help_text,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    )


def command(app: typer.Typer, name: str, *, negative: bool = False) -> Callable[[F], F]:
    """Add a function to ``app``. Its documentation is the help; examples keep their lines.

    Args:
        negative: an argument may be a negative number, which looks like an option.
    """

    def add(function: F) -> F:
        settings = {"ignore_unknown_options": negative}
        app.command(name, help=_help(function), context_settings=settings)(function)
        return function

    return add


def _help(function: Callable[..., Any]) -> str:
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    return "\n\n".join(
        _KEEP_LINES + paragraph if paragraph.startswith("Example") else paragraph
        for paragraph in paragraphs
    )
