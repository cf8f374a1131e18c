"""Draws operations a second against the number of members, for everyone, as an SVG.

Both axes are logarithmic. Colours are told apart without colour, too: each line ends in its name.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from common import Line
from table import OURS, WHO

WIDTH, HEIGHT = 360, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 72, 34, 40
LABEL = 14
"""The height of a label."""
COLOURS = {OURS: "#b4430c", "redis": "#5b6470", "valkey": "#2f6db5"}


class Point(NamedTuple):
    """One measured speed."""

    members: int
    per_second: float


def series(lines: Sequence[Line], what: str, choice: str) -> dict[str, list[Point]]:
    """The speeds of one operation, by who, in order of members."""
    found: dict[str, list[Point]] = {}
    for line in lines:
        if (line["what"], line.get("choice")) == (what, choice):
            point = Point(int(str(line["members"])), 1e6 / float(str(line["median"])))
            found.setdefault(str(line["who"]), []).append(point)
    return {who: sorted(found[who]) for who in WHO if who in found}


def drawing(lines: Sequence[Line], choice: str = "uniform") -> str:
    """Two panels side by side, ranks and updates."""
    panels = [
        _panel(title, series(lines, what, choice), index * WIDTH)
        for index, (what, title) in enumerate(
            [("rank", "ranks a second"), ("update", "updates a second")]
        )
    ]
    style = "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.line{fill:none;stroke-width:2}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT}" role="img"'
        ' aria-label="operations a second against members">\n'
        f'<style>{style}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "".join(panels)
        + "</svg>\n"
    )


def _panel(title: str, measured: dict[str, list[Point]], shift: int) -> str:
    points = [point for each in measured.values() for point in each]
    x = _Axis([point.members for point in points], LEFT, WIDTH - RIGHT)
    y = _Axis([point.per_second for point in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<g transform="translate({shift} 0)">', _text(LEFT, 18, title)]
    for power in y.powers:
        at = y.place(10**power)
        parts.append(_rule(LEFT, at, WIDTH - RIGHT, at))
        parts.append(_text(LEFT - 6, at + 4, _power(power), anchor="end"))
    for power in x.powers:
        at = x.place(10**power)
        parts.append(_rule(at, TOP, at, HEIGHT - BOTTOM))
        parts.append(_text(at, HEIGHT - BOTTOM + 18, _power(power), anchor="middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "members", anchor="middle"))
    labels = _apart([y.place(each[-1].per_second) for each in measured.values()])
    for (who, each), label in zip(measured.items(), labels, strict=True):
        places = [(x.place(point.members), y.place(point.per_second)) for point in each]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        parts.append(f'<polyline class="line" stroke="{COLOURS[who]}" points="{path}"/>')
        parts.append(_text(places[-1][0] + 6, label + 4, who))
    return "\n".join([*parts, "</g>\n"])


def _apart(heights: Sequence[float]) -> list[float]:
    """The same heights, the lower ones moved down as far as their labels need."""
    placed: dict[int, float] = {}
    for index in sorted(range(len(heights)), key=heights.__getitem__):
        above = max(placed.values(), default=-math.inf)
        placed[index] = max(heights[index], above + LABEL)
    return [placed[index] for index in range(len(heights))]


class _Axis:
    """Places on a logarithmic axis that begins and ends at a power of ten."""

    def __init__(self, values: Sequence[float], start: float, stop: float) -> None:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.powers = range(low, max(high, low + 1) + 1)
        self._start = start
        self._step = (stop - start) / (len(self.powers) - 1)

    def place(self, value: float) -> float:
        return self._start + (math.log10(value) - self.powers[0]) * self._step


def _power(power: int) -> str:
    for least, unit in ((9, "G"), (6, "M"), (3, "k")):
        if power >= least:
            return f"{10 ** (power - least)}{unit}"
    return str(10**power)


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
