"""The reference of the HTTP API is what the server's operations say today."""

from pathlib import Path

import pytest

from toprung.api.errors import CODES
from toprung.api.operations import PUBLIC
from toprung.api.reference import codes, moderation, reference
from toprung.domain.limits import ALL
from toprung.domain.outcomes import Outcome

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
PAGE, CODES_PAGE = PAGES / "http-api.md", PAGES / "http-codes.md"
MODERATION_PAGE = PAGES / "http-moderation.md"


def test_the_reference_is_current():
    assert PAGE.read_text("utf-8") == reference(), "run scripts/docs"
    assert MODERATION_PAGE.read_text("utf-8") == moderation(), "run scripts/docs"
    assert CODES_PAGE.read_text("utf-8") == codes(), "run scripts/docs"


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
def test_every_operation_is_in_it(operation):
    page = MODERATION_PAGE if operation.tag == "moderation" else PAGE

    assert f"### `{operation.method} {operation.path}`" in page.read_text("utf-8")


@pytest.mark.parametrize("name", [*CODES, *Outcome, *(limit.name for limit in ALL)])
def test_every_code_outcome_and_limit_is_in_it(name):
    assert f"| `{name}` |" in CODES_PAGE.read_text("utf-8")
