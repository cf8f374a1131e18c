"""The reference of the HTTP API is what the server's operations say today."""

from pathlib import Path

import pytest

from toprung.api.errors import CODES
from toprung.api.operations import PUBLIC
from toprung.api.reference import CODES_PAGE, PAGES, page_of, reference
from toprung.domain.limits import ALL
from toprung.domain.outcomes import Outcome

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"


def text_of(page):
    return (FOLDER / f"http-{page}.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_reference_is_current(page):
    assert text_of(page) == reference(page), "run scripts/docs"


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
def test_every_operation_is_in_it(operation):
    assert f"### `{operation.method} {operation.path}`" in text_of(page_of(operation))


@pytest.mark.parametrize("name", [*CODES, *Outcome, *(limit.name for limit in ALL)])
def test_every_code_outcome_and_limit_is_in_it(name):
    assert f"| `{name}` |" in text_of(CODES_PAGE)
