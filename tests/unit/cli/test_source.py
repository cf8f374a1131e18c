"""The file behind an import: compressed or not, its ids and its progress are the same."""

import gzip

import pytest

from toprung.cli.errors import Failed
from toprung.cli.importing.source import content_hash, open_source

CSV = b"player_id,points\na,1\nb,2\n"


def lines_of(path) -> list[str]:
    with open_source(str(path)) as source:
        return list(source.lines())


def test_gzip_is_known_by_its_content(tmp_path):
    (tmp_path / "plain.csv").write_bytes(CSV)
    (tmp_path / "packed.csv").write_bytes(gzip.compress(CSV[:10]) + gzip.compress(CSV[10:]))
    assert lines_of(tmp_path / "plain.csv") == lines_of(tmp_path / "packed.csv")
    hashes = {content_hash(str(path), lambda done: None) for path in tmp_path.iterdir()}
    assert len(hashes) == 1


def test_the_position_reaches_the_size(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(CSV)
    with open_source(str(path)) as source:
        list(source.lines())
        assert source.position() == source.size == len(CSV)


@pytest.mark.parametrize("cut", [5, 20, -4])
def test_a_damaged_file_is_said_to_be(tmp_path, cut):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(CSV * 100)[:cut])
    with pytest.raises(Failed) as failed:
        content_hash(str(path), lambda done: None)
    assert failed.value.code == "damaged"


def test_utf16_is_said_to_be_no_utf8(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(CSV.decode().encode("utf-16"))
    with pytest.raises(Failed) as failed:
        lines_of(path)
    assert failed.value.code == "encoding"


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.csv", b"{}", "csv"),
        ("a.tsv", b"", "csv"),
        ("a.jsonl", b"", "jsonl"),
        ("a.ndjson.gz", b"", "jsonl"),
        ("a", b'\xef\xbb\xbf \n{"a": 1}', "jsonl"),
        ("a.txt", b"a,b", "csv"),
    ],
)
def test_the_format_is_known_by_name_then_by_content(tmp_path, name, content, form):
    path = tmp_path / name
    path.write_bytes(content)
    with open_source(str(path)) as source:
        assert source.format() == form


def test_a_json_array_is_told_from_json_lines(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'[{"a": 1}]')
    with open_source(str(path)) as source, pytest.raises(Failed) as failed:
        source.format()
    assert failed.value.code == "format"
