"""The pictures of the README: `python -m tests.picture` draws them again.

`python -m tests.picture game-browser table` only these; "readme" is the first one, drawn by
matplotlib, the others are panels in a browser (`screenshots.py`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import workbench as wb
from tests import screenshots

TARGET = Path(__file__).parents[1] / "data" / "pictures" / "readme.png"


def main(names: list[str]) -> None:
    if not names or "readme" in names:
        draw()
    screenshots.take([name for name in screenshots.PANELS if not names or name in names])


def draw() -> None:
    """A tree and five solvers."""
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(15, 5.4), width_ratios=[3, 2], layout="constrained"
    )
    wb.plots.plot_game_tree(wb.load_game("kuhn"), left)
    leduc = wb.compile_game(wb.load_game("leduc"))
    names = ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+")
    runs = {name: wb.solve(leduc, name, iterations=2000) for name in names}
    wb.plots.plot_convergence(runs, right, title="Leduc poker: five solvers (lower is better)")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(TARGET, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1:])
