"""A strategy by lines of betting: press a move, and the grid shows what each hand does then.

    wb.widgets.StrategyGrid(run)                                    a run, or a strategy of any form
    wb.widgets.StrategyGrid({"CFR+": run, "JQ-K": blurred})         two, and their difference
    wb.widgets.StrategyGrid(run, after="rc/rc/", board="Qh Jh 2c 7d")     a turn of Hold'em

A cell is filled in the colours of the moves, the higher the more of its hands come here; its text
is the likeliest move, in percent, and the line below says all about it. Arrow keys go from cell to
cell. It needs no kernel: a notebook, its report and that of a run show the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from workbench.games.registry import name_at_table
from workbench.lab.analysis.betting_lines import Line, betting_lines
from workbench.lab.html import CSS, Html, template
from workbench.lab.plots.style import SHADES
from workbench.rules import GameError

PAGE, SCRIPT = (Path(__file__).with_name(f"strategy_grid.{kind}") for kind in ("html.j2", "js"))
CALM = {"fold": SHADES[0], "check": SHADES[3], "call": SHADES[3], "pass": SHADES[3]}
BOLD = [SHADES[k] for k in (7, 2, 6, 4, 5, 8, 9, 10, 11, 1)]  # bets, from small to large


class StrategyGrid:
    """`after`: the line to begin with; `board`: public cards, where a grid does not have them all.

    >>> import workbench as wb
    >>> grid = StrategyGrid(wb.solve(wb.load_game("leduc"), iterations=100))
    >>> grid, grid.lines["cr"][1][2]
    (<StrategyGrid of Leduc poker: 36 lines>, ['raise', 'crr', 'r', '#f0a085'])
    """

    def __init__(self, strategies: Any, *, after: str = "", board: str = "") -> None:
        given = strategies if isinstance(strategies, Mapping) else {"": strategies}
        some: list[Any] = [getattr(one, "strategy", one) for one in given.values()]
        found = [betting_lines(one, after, board) for one in some]
        asked = [{line: (one.moves, one.grid) for line, one in lines.items()} for lines in found]
        if not 1 <= len(some) <= 2 or asked[0] != asked[-1]:
            raise GameError("a grid shows one strategy, or two of the same game")
        self.game, self.names = name_at_table(some[0].tree.rules), [*map(str, given)]
        self.after = after
        self.grids = list(dict.fromkeys(line.grid for line in found[0].values()))
        self.lines = {line: self._packed([one[line] for one in found]) for line in found[0]}

    def _packed(self, lines: list[Line]) -> list[Any]:
        """Who moves; the moves: in words, where to, in short, colour; which grid; and for each
        strategy what stands in its cells, in percent: the moves, and how many hands come here."""
        bets, moves = iter(BOLD), list[Any]()
        for action, (word, then) in lines[0].moves.items():
            colour = CALM.get(word) or next(bets, BOLD[-1])
            moves.append([word, then, word[0] if len(action) == 1 else action, colour])
        cells = [np.round(100 * np.column_stack([one.mix, one.share])) for one in lines]
        grid = self.grids.index(lines[0].grid)
        return [lines[0].player + 1, moves, grid, [one.astype(int).tolist() for one in cells]]

    def _repr_html_(self) -> Html:
        data = json.dumps({"lines": self.lines, "at": self.after}, ensure_ascii=False)
        names = [*self.names, " minus ".join(self.names[::-1])][: 2 * len(self.names) - 1]
        runs = Html('<style onload="{}"></style>').format(SCRIPT.read_text("utf-8"))
        return CSS + Html(template(PAGE).render(grid=self, data=data, tables=names, script=runs))

    def __repr__(self) -> str:
        return f"<StrategyGrid of {self.game}: {len(self.lines)} lines>"
