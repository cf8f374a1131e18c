"""Lets these tests import the benchmarks' modules, which are programs and no package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
