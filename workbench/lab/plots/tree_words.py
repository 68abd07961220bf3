"""A game tree in words, for those who cannot see it: who moves where, and what is joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from workbench.lab.plots.style import signed
from workbench.lab.plots.tree_layout import Curve, Layout
from workbench.tree import GameTree


def tree_words(
    tree: GameTree,
    layout: Layout,
    curves: list[Curve],
    held: set[int],
    bold: set[int],
    shades: Mapping[str, set[int]],
    *,
    odds: bool,
) -> str:
    """What `plot_game_tree` shows, in a few sentences."""
    movers = Counter(
        "the base strategy" if h in held else _who(int(tree.player[h]))
        for h in layout.histories
        if tree.terminal[h] < 0
    )
    moves = ", ".join(f"{who} at {_places(count)}" for who, count in sorted(movers.items()))
    ends = [tree.terminal[h] for h in layout.histories if tree.terminal[h] >= 0]
    said = [f"A tree of {len(layout.histories)} histories, from top to bottom: {moves} to move."]
    if ends:
        paid = tree.utility[ends]
        low, high = signed(float(paid.min())), signed(float(paid.max()))
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


def _who(player: int) -> str:
    return "chance" if player < 0 else f"player {player + 1}"


def _places(count: int) -> str:
    return f"{count} place{'' if count == 1 else 's'}"
