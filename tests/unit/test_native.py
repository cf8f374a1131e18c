"""The compiled core says who it is, and its stub says what is in it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import toprung
from toprung import _native


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
