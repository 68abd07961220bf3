"""Regrets, next and average strategy of many information sets, and what has changed.

A number that differs from the last look is marked ▲ or ▼ and has a coloured ground; probabilities
have a bar behind them.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> from workbench.solvers.registry import find_solver
>>> from workbench.solvers.base import start_state
>>> kuhn = compile_game(load_game("kuhn"))
>>> first = start_state(kuhn)
>>> after = find_solver("cfr").advance(kuhn, first, 1)
>>> page = sets_table(kuhn, after, first, [kuhn.find_infoset("Q pb")])
>>> "b +0.083 ▲" in " ".join(page.replace(">", "> ").replace("<", " <").split()) or "▲" in page
True
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workbench.lab.widgets.infoset_tables import number
from workbench.rules import label_of
from workbench.solvers.base import State, average
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree

CHANGED = 5e-4  # what is not seen in three digits has not changed
GROUPS = ("regret R", "plays next", "average")

CSS = """<style>
.wb-panel table.wb td.new {background: rgba(230, 159, 0, .20)}
.wb-panel table.wb td small {opacity: .75; margin-right: .35em}
.wb-panel table.wb td i {font-style: normal; font-size: 10px; margin-left: .25em}
.wb-panel table.wb .first {border-left: 2px solid var(--jp-border-color1, #999)}
.wb-panel table.wb.sets td {padding: 2px 6px; min-width: 4.4em}
.wb-panel table.wb.sets td.left {min-width: 0}
.wb-panel table.wb.sets th[colspan] {text-align: center}
</style>"""


def sets_table(tree: GameTree, now: State, last: State, infosets: Sequence[int]) -> str:
    """One row for each of the infosets; `last`: the state that was shown before."""
    widest = max((len(tree.actions_at(infoset)) for infoset in infosets), default=1)
    head = "".join(
        f'<th scope="col" colspan="{widest}" class="first">{name}</th>' for name in GROUPS
    )
    old, new = average(tree, last), average(tree, now)
    rows = "".join(_row(tree, infoset, now, last, new, old, widest) for infoset in infosets)
    return (
        '<div style="overflow-x: auto"><table class="wb sets"><thead><tr>'
        '<th scope="col" class="left">player</th><th scope="col" class="left">sees</th>'
        f"{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(
    tree: GameTree, infoset: int, now: State, last: State, new: Strategy, old: Strategy, width: int
) -> str:
    at = slice(*tree.first_choice[infoset : infoset + 2].tolist())
    names = [label_of(action) for action in tree.actions_at(infoset)]
    cells = _cells(names, now.regret[at], last.regret[at], width, share=False)
    cells += _cells(names, now.probs[at], last.probs[at], width, share=True)
    cells += _cells(names, new.probs[at], old.probs[at], width, share=True)
    player = int(tree.infoset_player[infoset]) + 1
    return (
        f'<tr><td class="left">{player}</td>'
        f'<td class="left"><b>{escape(tree.infoset_label(infoset))}</b></td>{cells}</tr>'
    )


def _cells(
    names: Sequence[str], values: FloatArray, before: FloatArray, width: int, *, share: bool
) -> str:
    shown = []
    for k, name in enumerate(names):
        value, change = float(values[k]), float(values[k] - before[k])
        text = f"{value:.3f}" if share else number(value)
        mark = "▲" if change > CHANGED else "▼" if change < -CHANGED else ""
        kind = " ".join(filter(None, ["first" if k == 0 else "", "new" if mark else ""]))
        ground = ""
        if share and value > 0.0:
            bar = f"rgba(61, 143, 199, .28) {100 * value:.1f}%, transparent {100 * value:.1f}%"
            ground = f' style="background-image: linear-gradient(90deg, {bar})"'
        arrow = f"<i>{mark}</i>" if mark else '<i style="visibility: hidden">▲</i>'
        shown.append(f'<td class="{kind}"{ground}><small>{escape(name)}</small>{text}{arrow}</td>')
    shown += ["<td></td>"] * (width - len(names))
    return "".join(shown)
