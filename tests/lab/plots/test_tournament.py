"""Cross tables on paper: the number of every pair stands where it belongs."""

from __future__ import annotations

import pandas as pd

import workbench as wb
from workbench.lab.plots.tournament import plot_tournament


def friends(kuhn: wb.GameTree) -> dict[str, wb.Strategy]:
    return {
        "uniform": wb.Strategy.uniform(kuhn),
        "bold": wb.Strategy.from_function(kuhn, lambda player, seen, actions: "b"),
        "timid": wb.Strategy.from_function(kuhn, lambda player, seen, actions: "p"),
    }


def test_every_pair_has_its_number(kuhn: wb.GameTree) -> None:
    ax = plot_tournament(1000 * wb.tournament(friends(kuhn)), title="milli-antes")
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    assert cells == {
        (1, 0): "−375", (2, 0): "500",
        (0, 1): "375", (2, 1): "1000",
        (0, 2): "−500", (1, 2): "−1000",
    }  # fmt: skip
    names = ["uniform", "bold", "timid"]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    assert [label.get_text() for label in ax.get_xticklabels()] == names
    assert ax.get_title() == "milli-antes"


def test_nothing_is_minus_nothing() -> None:
    twins = pd.DataFrame([[0.0, -1e-9], [1e-9, 0.0]], index=["a", "b"], columns=["a", "b"])
    assert [text.get_text() for text in plot_tournament(twins, decimals=1).texts] == ["0.0", "0.0"]
