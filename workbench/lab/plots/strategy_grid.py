"""A strategy by lines of betting: press a move, and the grid shows what each hand does then.

    wb.widgets.StrategyGrid(run)                                    a run, or a strategy of any form
    wb.widgets.StrategyGrid({"CFR+": run, "JQ-K": blurred})         two, and their difference
    wb.widgets.StrategyGrid(run, after="rc/rc/rc/")                 the river of Hold'em after this

In Leduc the grid is own card × public card, in Rhode Island classes of hands, in Hold'em the
13 × 13 chart and, after the flop, buckets. A cell is filled in the colours of the moves, the higher
the more of its hands come here; its text is the likeliest move, in percent. Arrow keys go from cell
to cell, and the line below says all about it.

Everything is inside, as in a switch (`switches.py`), so it needs no kernel: a notebook, its report
and that of a run show the same.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from workbench.lab.analysis.betting_lines import Grid, Line, betting_lines
from workbench.lab.html import CSS, Html, template
from workbench.lab.plots.style import SHADES
from workbench.rules import GameError, shown

PAGE, SCRIPT = (Path(__file__).with_name(f"strategy_grid.{kind}") for kind in ("html.j2", "js"))
CALM = {"fold": SHADES[0], "check": SHADES[3], "call": SHADES[3], "pass": SHADES[3]}
BOLD = [SHADES[k] for k in (7, 2, 6, 4, 5, 8, 9, 10, 11, 1)]  # bets, from small to large
STEPS = 100  # of a probability: what is shown is right in its last figure; 255 is none


class StrategyGrid:
    """A strategy by lines of betting; two side by side, and their difference.

    >>> import workbench as wb
    >>> grid = StrategyGrid(wb.solve(wb.load_game("leduc"), iterations=100))
    >>> grid, grid.lines["cr"][1][2]
    (<StrategyGrid of leduc: 36 lines>, ['raise', 'crr', 'r', '#f0a085'])
    """

    def __init__(self, strategies: Any, *, after: str = "", title: str = "") -> None:
        given = strategies if isinstance(strategies, Mapping) else {"": strategies}
        if not 1 <= len(given) <= 2:
            raise GameError(f"a grid shows one strategy or two, not {len(given)}")
        some = {str(name): getattr(one, "strategy", one) for name, one in given.items()}
        for one in some.values():
            if not hasattr(one, "tree"):
                raise GameError(
                    f"a grid shows a run or a strategy (run.strategy), not {shown(one)}"
                )
        games = [one.tree.rules or one.tree.name for one in some.values()]
        if games[0] != games[-1]:
            raise GameError("two strategies are compared where they play the same game")
        found = [betting_lines(one, after) for one in some.values()]
        self.game, self.names = next(iter(some.values())).tree.name, list(some)
        self.title = (
            title or f"{self.game.replace('_', ' ')}: what each hand does, by lines of betting"
        )
        self.grids = list(dict.fromkeys(line.grid for one in found for line in one.values()))
        self.lines = {
            line: _packed([one[line] for one in found], self.grids)
            for line in found[0]
            if line in found[-1]
        }
        self.after = after

    @property
    def data(self) -> str:
        """What the script reads: for each line who moves, the moves (in words, where to, in short,
        colour), and for each strategy which grid and what stands in its cells."""
        return json.dumps(
            {"names": self.names, "lines": self.lines, "at": self.after, "steps": STEPS},
            ensure_ascii=False, separators=(",", ":"),
        )  # fmt: skip

    def _repr_html_(self) -> Html:
        shown = [*self.names, " minus ".join(self.names[::-1])][: 2 * len(self.names) - 1]
        runs = Html('<style onload="{}"></style>').format(SCRIPT.read_text("utf-8"))
        return CSS + Html(template(PAGE).render(grid=self, tables=shown, script=runs))

    def __repr__(self) -> str:
        return f"<StrategyGrid of {self.game}: {len(self.lines)} lines>"


def _packed(lines: list[Line], grids: list[Grid]) -> list[Any]:
    one, bets, moves = lines[0], iter(BOLD), list[Any]()
    for action, (word, then) in one.moves.items():
        short = word[0] if len(action) == 1 else action
        colour = CALM.get(word) or next(bets, BOLD[-1])
        moves.append([word, then, short, colour])
    cells = [np.column_stack([line.mix, line.share]) for line in lines]
    bytes_of = [
        np.where(np.isnan(some), 255, np.round(STEPS * some)).astype(np.uint8) for some in cells
    ]
    packed = [base64.b64encode(some.tobytes()).decode() for some in bytes_of]
    return [one.player + 1, moves, [grids.index(line.grid) for line in lines], packed]
