"""The picture of the README; `python -m tests.picture` draws it again (2,000 iterations)."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import workbench as wb

TARGET = Path(__file__).parents[1] / "data" / "pictures" / "readme.png"


def main() -> None:
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(15, 5.4), width_ratios=[3, 2], layout="constrained"
    )
    wb.plots.plot_game_tree(wb.load_game("kuhn"), left)
    leduc = wb.compile_game(wb.load_game("leduc"))
    names = [name for name in wb.list_solvers() if name != "lp"]
    runs = {name: wb.solve(leduc, name, iterations=2000) for name in names}
    wb.plots.plot_convergence(runs, right, title="Leduc poker: five solvers (lower is better)")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(TARGET, dpi=120)


if __name__ == "__main__":
    main()
