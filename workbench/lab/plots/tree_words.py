"""A game tree in words, for those who cannot see it: who moves where, and what is joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from workbench.lab.plots.tree_layout import Curve, Layout
from workbench.lab.text import number
from workbench.tree import CHANCE, GameTree


def tree_words(
    tree: GameTree, layout: Layout, curves: list[Curve], held: set[int], bold: set[int],
    shades: Mapping[str, set[int]], *, odds: bool,
) -> str:  # fmt: skip
    """What `plot_game_tree` shows, in a few sentences."""
    who = {h: f"player {tree.player[h] + 1}" for h in layout.histories if tree.terminal[h] < 0}
    who |= {h: "chance" for h in who if tree.player[h] == CHANCE}
    movers = Counter((who | dict.fromkeys(held, "the base strategy")).values())
    moves = ", ".join(f"{name} at {_places(count)}" for name, count in sorted(movers.items()))
    ends = [tree.terminal[h] for h in layout.histories if tree.terminal[h] >= 0]
    said = [f"A tree of {len(layout.histories)} histories, from top to bottom: {moves} to move."]
    if ends:
        paid = tree.utility[ends]
        low, high = (number(end, sign=True, figures=4) for end in (paid.min(), paid.max()))
        said.append(f"{len(ends)} ends, with payoffs from {low} to {high}.")
    joined = Counter(curve.merged for curve in curves)
    for merged, look, what in (
        (False, "dashed", "what a player cannot tell apart"),
        (True, "thin", "what the abstraction merges"),
    ):
        if count := joined[merged]:
            curve, join = ("curve", "joins") if count == 1 else ("curves", "join")
            said.append(f"{count} {look} {curve} {join} {what}.")
    said += [f"In the colour of {name}: {_places(len(group))}." for name, group in shades.items()]
    if bold:
        names = [tree.history_label(h) for h in sorted(bold)[:8]]
        said.append(f"Heavy outline: {', '.join(names)}{' …' if len(bold) > 8 else ''}.")
    if odds:
        said.append("The wider an edge, the likelier the move.")
    return " ".join(said)


def _places(count: int) -> str:
    return f"{count} place{'' if count == 1 else 's'}"
