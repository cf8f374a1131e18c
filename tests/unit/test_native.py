"""The compiled core says who it is, its stub says what is in it, and it refuses what is wrong."""

import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

import toprung
from toprung import _native
from toprung._native import EngineError, RankEngine


def test_core_has_the_version_of_the_package():
    assert _native.version() == toprung.__version__
    assert _native.engine_version() == toprung.__version__


def test_core_is_a_release_build():
    assert _native.build_profile() == "release"


def test_core_of_another_version_is_refused():
    with pytest.raises(
        ImportError, match=r"compiled core is version 0\.0\.9, .* is 0\.1\.0: .*setup"
    ):
        _native.check_version("0.0.9", "0.1.0")


@pytest.fixture
def package_copy(tmp_path: Path) -> Path:
    """The package around the core, alone in a folder, so that its stub can be spoiled."""
    source = Path(toprung.__file__).parent
    target = tmp_path / "toprung"
    shutil.copytree(source / "_native", target / "_native")
    for name in ("__init__.py", "py.typed"):
        shutil.copy(source / name, target / name)
    return target


def stubtest(package: Path) -> subprocess.CompletedProcess[str]:
    """Compare stub and binary of the copy."""
    return subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "toprung._native._core"],
        cwd=package.parent,
        env={"PYTHONPATH": str(package.parent), "MYPYPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_stub_check_accepts_the_stub(package_copy: Path):
    checked = stubtest(package_copy)

    assert checked.returncode == 0, checked.stdout


def test_stub_check_finds_an_invented_function(package_copy: Path):
    with (package_copy / "_native" / "_core.pyi").open("a") as stub:
        stub.write("def invented() -> int: ...\n")

    checked = stubtest(package_copy)

    assert checked.returncode == 1
    assert "invented is not present at runtime" in checked.stdout


ORDINAL, SHARED, DENSE = 1, 2, 3


def u32(*numbers: int) -> bytes:
    return array("I", numbers).tobytes()


def i64(*numbers: int) -> bytes:
    return array("q", numbers).tobytes()


@pytest.fixture
def engine() -> RankEngine:
    """An engine with one period, larger is better: ann 9, bob 7, cyn 7, dan 5."""
    engine = RankEngine()
    assert engine.add_period([True]) == 0
    engine.update(0, ["dan", "cyn", "bob", "ann"], [5, 7, 7, 9], [1, 3, 2, 4])
    return engine


@pytest.mark.parametrize(
    ("numbering", "ranks"),
    [(ORDINAL, [4, 1, 0, 3, 2]), (SHARED, [4, 1, 0, 2, 2]), (DENSE, [3, 1, 0, 2, 2])],
)
def test_ranks_of_many_come_in_the_order_asked(engine, numbering, ranks):
    assert engine.rank_many(0, ["dan", "ann", "eve", "cyn", "bob"], numbering) == ranks
    assert engine.rank_many(0, [], numbering) == []


def test_an_id_that_nobody_can_have_is_not_there(engine):
    for player in ("", "\ud800", "x" * 257, "\N{PILE OF POO}" * 65):
        assert engine.index_of(0, player) is None
        assert engine.place(0, player) is None


# what is called with, the code
REFUSED = {
    "a period never made": (lambda engine: engine.total(7), "unknown_period"),
    "a period dropped": (lambda engine: engine.drop_period(9), "unknown_period"),
    "no column": (lambda engine: engine.add_period([]), "bad_columns"),
    "six columns": (lambda engine: engine.add_period([True] * 6), "bad_columns"),
    "a column too many": (lambda engine: engine.count_above(0, [1, 2]), "bad_columns"),
    "a column too few": (lambda engine: engine.update(0, ["a", "b"], [1], [1, 1]), "bad_columns"),
    "an id too long": (lambda engine: engine.update(0, ["x" * 257], [1], [1]), "bad_texts"),
    "ends that go back": (
        lambda engine: engine.build([True], b"ab", u32(2, 1), i64(1, 1), i64(1, 1)),
        "bad_texts",
    ),
    "ends beyond the text": (
        lambda engine: engine.build([True], b"ab", u32(3), i64(1), i64(1)),
        "bad_texts",
    ),
}


@pytest.mark.parametrize(("call", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_has_a_code_and_changes_nothing(engine, call, code):
    rows = engine.rows(0, 0, 9)

    with pytest.raises(EngineError) as caught:
        call(engine)

    assert caught.value.args[0] == code
    assert engine.rows(0, 0, 9) == rows
    engine.validate()


def apply(engine, **other):
    moves = {
        "periods": [0],
        "players": b"annbob",
        "ends": u32(3, 6),
        "period": u32(0),
        "player": u32(1),
        "numbering": bytes([ORDINAL]),
        "columns": i64(10),
        "reached_at": i64(1),
    }
    return engine.apply(**moves | other)


def test_a_move_tells_the_ranks_before_and_after_it(engine):
    assert apply(engine) == ([2], [1])


@pytest.mark.parametrize(
    "other",
    [
        {"period": u32(1)},
        {"player": u32(2)},
        {"ends": u32(3)},
        {"ends": u32(3, 7)},
        {"ends": u32(3, 2)},
        {"ends": u32(3, 6)[:-1]},
        {"columns": i64(10)[:-1]},
    ],
    ids=str,
)
def test_buffers_that_do_not_fit_each_other_are_refused(engine, other):
    with pytest.raises(ValueError, match=r"buffer|move"):
        apply(engine, **other)


@pytest.mark.parametrize(
    "call",
    [
        lambda engine: engine.rank_many(0, ["ann", b"bob"], ORDINAL),
        lambda engine: engine.rank_many(0, ("ann",), ORDINAL),
        lambda engine: engine.update(0, ["ann"], ["9"], [1]),
        lambda engine: engine.apply([0], "ann", b"", b"", b"", b"", b"", b""),
    ],
)
def test_things_of_another_kind_are_refused(engine, call):
    with pytest.raises(TypeError):
        call(engine)


def test_numbers_beyond_64_bits_are_refused(engine):
    with pytest.raises(OverflowError):
        engine.update(0, ["ann"], [2**63], [1])
