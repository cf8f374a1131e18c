"""The web pages are found where they were built, and their absence says what to do."""

from __future__ import annotations

import pathlib

import pytest

from toprung import console


def test_built_pages_are_found(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    static.mkdir()
    for page in ("index.html", "docs.html"):
        (static / page).write_text("<!doctype html>")
    monkeypatch.setattr(console, "__file__", str(tmp_path / "__init__.py"))

    assert console.static_dir() == static


@pytest.mark.parametrize("built", [[], ["index.html"]], ids=["nothing built", "half built"])
def test_missing_pages_name_the_command(
    built: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static").mkdir()
    for page in built:
        (tmp_path / "static" / page).write_text("<!doctype html>")
    monkeypatch.setattr(console, "__file__", str(tmp_path / "__init__.py"))

    with pytest.raises(FileNotFoundError, match=r"make setup.*docs\.html"):
        console.static_dir()
