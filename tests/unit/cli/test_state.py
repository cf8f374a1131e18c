"""What an import remembers: only of itself, and only what was acknowledged."""

import pytest

from toprung.cli.importing.results import ResultsFile
from toprung.cli.importing.sending import Answer
from toprung.cli.importing.state import Progress, StateFile, import_id

PROGRESS = Progress(5000, {"counted": 4999, "invalid": 1}, "17", 123)


def test_it_goes_on_where_it_was(tmp_path):
    StateFile(tmp_path / "s.json", "one").save(PROGRESS)
    assert StateFile(tmp_path / "s.json", "one").load() == PROGRESS
    assert list(tmp_path.iterdir()) == [tmp_path / "s.json"]


def test_another_import_begins_anew(tmp_path):
    StateFile(tmp_path / "s.json", "one").save(PROGRESS)
    assert StateFile(tmp_path / "s.json", "other").load() == Progress()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"version": 1}'])
def test_a_state_that_cannot_be_read_begins_anew(tmp_path, content):
    (tmp_path / "s.json").write_bytes(content)
    assert StateFile(tmp_path / "s.json", "one").load() == Progress()


def test_a_complete_import_leaves_nothing(tmp_path):
    state = StateFile(tmp_path / "s.json", "one")
    state.save(PROGRESS)
    state.remove()
    state.remove()
    assert list(tmp_path.iterdir()) == []


def test_whatever_decides_an_outcome_makes_another_import():
    ids = {
        import_id(content, settings)
        for content in ("a", "b")
        for settings in (["url", "b", {}], ["url", "c", {}], ["url", "b", {"at": "x"}])
    }
    assert len(ids) == 6


def test_results_of_rows_that_were_not_acknowledged_are_written_anew(tmp_path):
    path = tmp_path / "r.jsonl"
    with ResultsFile(path, 0) as results:
        kept = results.write([Answer(1, 2, "counted")])
        results.write([Answer(2, 3, "counted")])
    with ResultsFile(path, kept) as results:
        results.write([Answer(2, 3, "duplicate"), Answer(3, 4, "counted")])
    assert path.read_text().splitlines() == [
        '{"row":1,"line":2,"outcome":"counted"}',
        '{"row":2,"line":3,"outcome":"duplicate"}',
        '{"row":3,"line":4,"outcome":"counted"}',
    ]
    with ResultsFile(path, 0):
        pass
    assert path.read_text() == ""
