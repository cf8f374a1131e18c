"""An image brings a view back as it was, or says why it does not; never anything between."""

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from toprung.domain.board import Numbering
from toprung.domain.errors import Trouble
from toprung.domain.limits import NUMBER
from toprung.ports.moves import Move, moves_of
from toprung.ports.view import ImageBoard, ImageHead
from toprung.rank.native import NativeView
from toprung.testing.suites.samples import ODD_IDS

ALL, DAY, WIDE = (1, "all", "all"), (1, "daily", "2026-11-30"), (2, "season", "r 1")
KEYS = (ALL, DAY, WIDE)


def filled_view(players=ODD_IDS) -> NativeView:
    """Two boards of one and of five columns, with players on both, at seq 7."""
    view = NativeView()
    view.open_board(1, [True], 3)
    view.open_board(2, [False, True, True, False, True], 4)
    ends = (NUMBER.minimum, NUMBER.maximum)
    moves = [Move(ALL, player, (ends[n % 2],), n, None) for n, player in enumerate(players)]
    moves += [Move(DAY, player, (n // 3,), -n, None) for n, player in enumerate(players[::2])]
    moves += [
        Move(WIDE, player, (n % 2, -n, 5, *ends), 0, None) for n, player in enumerate(players)
    ]
    view.apply(moves_of(moves), 7)
    return view


def contents(view) -> list:
    with view.read() as reader:
        boards = [reader.generation(board) for board in (1, 2)]
        return [reader.seq, boards, *(reader.period(key).rows(0, 10**6) for key in KEYS)]


def this_file(seq) -> str:
    return f"this file at {seq}"


def no_objection(head) -> str:
    return "" if head.identity == this_file(head.seq) else f"it is of {head.identity}"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "ranks.image"


def test_an_image_brings_everything_back(path):
    view, other = filled_view(), NativeView()

    assert view.write_image(path, this_file) == 7
    assert other.load_image(path, no_objection) == (7, "")

    assert contents(other) == contents(view)
    assert other.sizes() == view.sizes()
    other.validate()
    moves = moves_of([Move(key, "new", (1,) * (5 if key is WIDE else 1), 1, None) for key in KEYS])
    moves = moves_of([*moves, Move(ALL, ODD_IDS[3], (5,), 9, Numbering.DENSE)])
    assert other.apply(moves, 8) == view.apply(moves, 8)
    assert contents(other) == contents(view)
    other.validate()


def test_an_image_of_nothing(path):
    view = filled_view()

    NativeView().write_image(path, this_file)

    assert view.load_image(path, no_objection) == (0, "")
    assert view.sizes() == (0, 0)
    with view.read() as reader:
        assert reader.generation(1) is None


def test_an_image_of_many(path):
    """Enough for trees of several levels."""
    players = [f"player {number}" for number in range(20_000)]
    random.Random(1).shuffle(players)
    view, other = filled_view(players), NativeView()

    view.write_image(path, this_file)

    assert other.load_image(path, no_objection) == (7, "")
    assert contents(other) == contents(view)
    other.validate()


def test_a_new_image_takes_the_place_of_the_old_one_alone(path):
    filled_view().write_image(path, this_file)
    filled_view(["a"]).write_image(path, this_file)

    view = NativeView()
    view.load_image(path, no_objection)

    assert view.sizes() == (3, 3)
    assert os.listdir(path.parent) == [path.name]  # noqa: PTH208 - its names, not paths


def refused(path, objection=no_objection) -> str:
    """Why the image is not taken; the view must stay as it was."""
    view = filled_view(["a"])
    before = contents(view)

    seq, reason = view.load_image(path, objection)

    assert seq is None
    assert contents(view) == before
    return reason


def test_no_image(path):
    assert refused(path) == "there is no image"
    path.mkdir()
    assert "directory" in refused(path)


def test_an_image_that_somebody_objects_to(path):
    """Who is asked sees all there is to judge by."""
    filled_view().write_image(path, this_file)
    seen = []

    assert refused(path, lambda head: seen.append(head) or "not this one") == "not this one"
    assert seen == [
        ImageHead(
            "this file at 7",
            7,
            [ImageBoard(1, [True], 3), ImageBoard(2, [False, True, True, False, True], 4)],
        )
    ]


def test_every_damaged_byte_is_noticed(path):
    filled_view(["a", "b"]).write_image(path, this_file)
    image = path.read_bytes()

    for at in range(len(image)):
        for change in (0x01, 0x80, 0xFF):
            path.write_bytes(image[:at] + bytes([image[at] ^ change]) + image[at + 1 :])
            assert refused(path)


def test_every_missing_end_is_noticed(path):
    filled_view(["a", "b"]).write_image(path, this_file)
    image = path.read_bytes()

    for length in range(len(image)):
        path.write_bytes(image[:length])
        assert refused(path)
    path.write_bytes(image + b"\0")
    assert refused(path)


def test_what_was_never_an_image(path):
    dice = random.Random(1)
    for length in (1, 8, 100, 10_000):
        path.write_bytes(dice.randbytes(length))
        assert refused(path)


def test_an_image_shows_one_moment_while_others_write(path):
    """Both periods always have the same score, and it is the seq."""
    view, rounds = NativeView(), 400
    view.open_board(1, [True], 0)

    def write() -> None:
        for seq in range(1, rounds + 1):
            players = [f"player {number}" for number in range(50 * seq, 50 * seq + 50)]
            moves = [Move(key, name, (seq,), 0, None) for key in (ALL, DAY) for name in players]
            moves += [Move(key, "a", (seq,), 0, None) for key in (ALL, DAY)]
            view.apply(moves_of(moves), seq)

    writer = Thread(target=write)
    writer.start()
    seqs = [0]
    while seqs[-1] < rounds:
        seqs.append(view.write_image(path, this_file))
        seen = NativeView()
        assert seen.load_image(path, no_objection) == (seqs[-1], "")
        with seen.read() as reader:
            for period in (reader.period(ALL), reader.period(DAY)):
                assert period.total == (50 * seqs[-1] + 1 if seqs[-1] else 0)
                assert {row.columns for row in period.rows(0, 51)} <= {(seqs[-1],)}
        seen.validate()
    writer.join()

    assert seqs == sorted(seqs)


def test_a_board_may_go_while_its_image_is_written(path):
    view, seen = filled_view(), NativeView()
    before = contents(view)

    with view.image_parts(this_file) as (seq, parts):
        view.drop_board(1)
        view.replace(2, [True], 9, ["season"], [(WIDE, [("a", (1,), 1)])], 8)
        path.write_bytes(b"".join(parts))

    assert seq == 7
    assert view.sizes() == (1, 1)
    assert seen.load_image(path, no_objection) == (7, "")
    assert contents(seen) == before
    view.validate()
    assert view.memory()["periods"] == 1
    assert view.memory()["views"] == 0


def test_an_image_that_is_not_finished_leaves_nothing_behind(path):
    view = filled_view()

    with suppress(KeyError), view.image_parts(this_file) as (_, parts):
        assert next(parts)
        raise KeyError

    assert view.memory()["views"] == 0


def test_a_folder_that_is_not_there_is_trouble(path):
    with pytest.raises(Trouble) as caught:
        filled_view().write_image(path / "deeper", this_file)

    assert caught.value.code == "image_not_written"


CHILD = """
import os, signal, sys
from pathlib import Path
from toprung.ports.moves import Move, moves_of
from toprung.rank.native import NativeView

path, last = Path(sys.argv[1]), int(sys.argv[2])
view = NativeView()
view.open_board(1, [True], 0)
calls = 0

def fatal(name):
    real = getattr(os, name)
    def call(*arguments, **named):
        global calls
        calls += 1
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **named)
    setattr(os, name, call)

for seq in (1, 2):
    names = [f"player {number}" for number in range(10_000)]
    view.apply(moves_of([Move((1, "all", "all"), name, (seq,), 0, None) for name in names]), seq)
    view.write_image(path, lambda reached: f"this file at {reached}")
    if seq == 1:
        for name in ("fsync", "replace"):
            fatal(name)
print(calls)
"""
"""Writes an image of seq 1, then one of seq 2, and dies at a call that makes the second durable."""


def run_child(path, last) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(last)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_killed_while_it_writes_the_old_image_stays(path):
    whole = run_child(path, 0)
    assert whole.stdout.strip() == "3", "file, name, folder"

    seqs = []
    for last in (1, 2, 3):
        assert run_child(path, last).returncode == -signal.SIGKILL
        seqs.append(NativeView().load_image(path, no_objection).seq)

    assert seqs == [1, 1, 2]
