"""The picture of the house in CONTRIBUTING, drawn from the code: `python -m tests.house`.

Every file of the core and every folder is a room, as wide as it has lines. A room stands above all
that it imports; arrows that follow from others are left out. The laboratory is above the line.
"""

import json
from collections import Counter, defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import matplotlib.pyplot as plt

from tests.conftest import ROOT
from tests.test_imports import FACES, MODULES, imports

TARGET = ROOT / "data" / "pictures" / "house.png"
CORE, LAB = "#9AD0F0", "#F2C766"
WIDE, TALL, ROW = 25.0, 0.6, 1.0  # of a full row and of a room, in units of the picture


def room_of(module: str) -> str:
    """workbench.solvers.cfr -> solvers, workbench.lab.play.review -> lab/play"""
    parts = module.split(".")[1:]
    return "/".join(parts[:2]) if parts[0] == "lab" else parts[0]


def rooms() -> tuple[Counter[str], dict[str, set[str]]]:
    """Lines of each room, and the rooms it imports."""
    lines: Counter[str] = Counter()
    below: dict[str, set[str]] = defaultdict(set)
    for module, path in MODULES.items():
        if module in FACES or module in ("workbench.lab", "workbench._version"):
            continue
        room = room_of(module)
        lines[room] += len(path.read_text(encoding="utf-8").splitlines())
        below[room] |= {room_of(one) for one in imports()[module] - FACES if "." in one} - {room}
    return lines, {room: {one for one in below[room] if one in lines} for room in lines}


def plan() -> str:
    """The rooms and what each imports: what a picture must show to be right. It is kept in it."""
    return json.dumps({room: sorted(below) for room, below in sorted(rooms()[1].items())})


def floors(below: dict[str, set[str]]) -> dict[str, int]:
    """How high each room stands above those it imports."""
    found: dict[str, int] = {}
    for room in TopologicalSorter(below).static_order():
        found[room] = 1 + max((found[one] for one in below[room]), default=-1)
    return found


def draw(path: Path = TARGET) -> None:
    lines, below = rooms()
    lab = {room for room in lines if room.startswith("lab/")}
    core = floors({room: below[room] for room in lines if room not in lab})
    below |= {room: below[room] & lab for room in lab}  # all of them use the core
    upper = floors({room: below[room] for room in lab})
    height = core | {room: 1 + max(core.values()) + floor for room, floor in upper.items()}
    levels = sorted(set(height.values()))
    reach: dict[str, set[str]] = {}
    for room in sorted(below, key=lambda room: height[room]):
        reach[room] = set(below[room]).union(*(reach[one] for one in below[room]))
    fig, ax = plt.subplots(figsize=(11, 0.62 * len(levels) + 0.4), layout="constrained")
    place: dict[str, tuple[float, float]] = {}
    for level in levels:
        here = sorted((room for room in lines if height[room] == level), key=lambda r: -lines[r])
        widths = [max(2.2, 0.2 * len(room), lines[room] / 400) for room in here]
        gap = (WIDE - sum(widths)) / (len(here) + 1)
        x = gap
        for room, width in zip(here, widths, strict=True):
            y = ROW * level
            place[room] = x + width / 2, y
            colour = LAB if room in lab else CORE
            ax.add_patch(plt.Rectangle((x, y), width, TALL, fc=colour, ec="white"))
            name = room.removeprefix("lab/")
            ax.text(x + width / 2, y + TALL / 2, f"{name}\n{lines[room]:,}", ha="center",
                    va="center", fontsize=8, linespacing=0.95, zorder=3)  # fmt: skip
            x += width + gap
    for room, imported in below.items():
        for one in imported:
            if not any(one in reach[other] for other in imported - {one}):
                start, end = place[room], place[one]
                ax.annotate("", (end[0], end[1] + TALL), start, arrowprops={
                    "arrowstyle": "-|>", "color": "#999999", "lw": 0.7, "shrinkA": 0, "shrinkB": 0
                }, zorder=0)  # fmt: skip
    line = ROW * (1 + max(core.values())) - 0.2
    ax.plot([0, WIDE], [line, line], color="#555555", lw=1, ls="--")
    ax.text(0, line + 0.05, "laboratory", fontsize=9, color="#555555")
    ax.text(0, line - 0.08, "core", fontsize=9, color="#555555", va="top")
    ax.set(xlim=(-0.2, WIDE + 0.2), ylim=(-0.1, ROW * len(levels) - 0.3))
    ax.axis("off")
    fig.savefig(path, dpi=130, metadata={"Description": plan()})


if __name__ == "__main__":
    draw()
