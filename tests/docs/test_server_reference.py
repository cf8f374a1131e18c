"""The reference of a server's settings and metrics is what the server has today."""

from pathlib import Path

from toprung.app.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "server.md"


def test_the_reference_is_current():
    assert PAGE.read_text("utf-8") == reference(), "run scripts/docs"
