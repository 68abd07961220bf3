"""Who plays where: the parts of a grafting partition as colours on a tree.

A game of up to 200 histories is drawn in full, with a shade behind every decision. A larger one is
drawn as its *tree of bets*: one node for each sequence of actions after which somebody decides,
cards left out. Parts that are chosen by what has been bet (`betting_experts`, `round_experts`,
`heads_up_experts`) are colours of such nodes.

    numbered shape           the player with this number decides
    colour                   the part; its name stands at its first node, if there is room
    double line              chance deals another card
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from workbench.abstraction.abstraction import Abstraction
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.game_tree import plot_game_tree, sign
from workbench.lab.plots.history_names import Selection
from workbench.lab.plots.style import INK, SHADES, SHAPES, axes, behind, points_of
from workbench.lab.plots.tree_layout import spread
from workbench.passes import Betting, betting, rounds
from workbench.rules import GameError
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy

MOST_HISTORIES, MOST_BETS = 200, 150
LETTER = 0.7  # how wide a letter is, of its height


def plot_partition(
    part: GraftingPartition,
    ax: Axes | None = None,
    *,
    strategy: Strategy | None = None,
    abstraction: Abstraction | None = None,
    fixed: Selection | None = None,
    bets: bool | None = None,
    title: str | None = None,
) -> Axes:
    """Draw which part each decision belongs to.

    `bets`: draw the tree of bets, not the whole tree; by default where the whole is too large.
    strategy, abstraction, fixed: as in `plot_game_tree`; the tree of bets does not show them.
    """
    tree = part.tree
    if bets is None:
        bets = tree.num_histories > MOST_HISTORIES
    if not bets:
        deciding = np.flatnonzero(tree.infoset >= 0)
        where = part.part[tree.infoset[deciding]]
        groups = {
            name: deciding[where == j].tolist()
            for j, name in enumerate(("part of the base", *(f"part {n}" for n in part.names)))
        }
        return plot_game_tree(
            tree, ax, strategy=strategy, abstraction=abstraction, fixed=fixed, shade=groups,
            title=title,
        )  # fmt: skip
    if strategy is not None or abstraction is not None or fixed is not None:
        raise GameError(
            "a tree of bets has no cards, so it shows neither strategy nor abstraction nor fixed "
            "decisions; bets=False draws the whole tree"
        )
    return _draw(part, _read(part), ax, title)


class _Node(NamedTuple):
    """A sequence of actions after which somebody decides."""

    player: int
    part: int
    round: int


def _read(part: GraftingPartition) -> dict[Betting, _Node]:
    """The decisions of the tree of bets, shorter sequences first."""
    tree = part.tree
    number, sequences = betting(tree)
    owner = part.part[tree.infoset]  # of no meaning where nobody decides
    columns = np.stack([number, tree.player, owner, rounds(tree)], axis=1)
    rows = np.unique(columns[tree.infoset >= 0], axis=0)
    if len(np.unique(rows[:, 0])) < len(rows):
        again = int(rows[np.flatnonzero(np.diff(rows[:, 0]) == 0)[0], 0])
        raise GameError(
            f"after the actions {' '.join(sequences[again]) or '(none)'!r} of {tree.name!r} it "
            "depends on the cards whose part it is or who decides, so a tree of bets cannot show it"
        )
    if len(rows) > MOST_BETS:
        raise GameError(
            f"{tree.name!r} has {len(rows):,} sequences of actions after which somebody decides, "
            f"more than one picture can show ({MOST_BETS})"
        )
    return {sequences[k]: _Node(*node) for k, *node in rows.tolist()}


def _draw(
    part: GraftingPartition, nodes: dict[Betting, _Node], ax: Axes | None, title: str | None
) -> Axes:
    parents = {bets: bets[:-1] for bets in nodes if bets and bets[:-1] in nodes}
    x, leaves = spread(
        [bets for bets in nodes if bets not in parents],
        lambda bets: [child for child, above in parents.items() if above == bets],
    )
    depth, fresh = max(map(len, nodes)), ax is None
    ax = axes(ax, float(np.clip(0.85 * leaves, 6, 12)), 0.72 * depth + 1.6)
    ax.set_xlim(-0.7, leaves - 0.3)
    ax.set_ylim(-depth - 0.45, 0.45)
    apart = float(points_of(ax, fresh=fresh)[0]) / (leaves + 0.4)  # from leaf to leaf
    longest = max((len(bets[-1]) for bets in parents), default=1)
    small = float(np.clip(apart / 2 / (LETTER * longest), 6, 11))  # two moves side by side
    for bets, node in nodes.items():
        if bets in parents:
            above = parents[bets]
            places = [x[above], x[bets]], [-len(above), -len(bets)]
            dealt = node.round > nodes[above].round
            ax.plot(*places, color=INK, linewidth=4.5 if dealt else 1.2, zorder=1, gid="edge")
            if dealt:
                ax.plot(*places, color="white", linewidth=2.2, zorder=1, gid="deal")
            ax.text(
                float(np.mean(places[0])), float(np.mean(places[1])), bets[-1], fontsize=small,
                ha="center", va="center", zorder=2, gid="move", bbox=behind(0.8),
            )  # fmt: skip
        ax.plot(
            [x[bets]], [-len(bets)], marker=SHAPES[node.player], markersize=17,
            markerfacecolor=SHADES[node.part], markeredgecolor=INK, zorder=3, gid="node",
        )  # fmt: skip
        ax.text(
            x[bets], -len(bets), str(node.player + 1), fontsize=10, ha="center",
            va="center_baseline", zorder=4, gid="number",
        )  # fmt: skip
        before = (nodes[bets[:k]].part for k in range(len(bets)) if bets[:k] in nodes)
        if node.part and node.part not in before:
            name = part.names[node.part - 1]
            beside = [x[other] for other in nodes if len(other) == len(bets) and x[other] > x[bets]]
            room = apart * (min(beside, default=leaves - 0.1) - x[bets]) - 22  # between two nodes
            fits = [size for size in (12, 10, 8) if size * LETTER * len(name) <= room]
            if not fits:
                continue  # the colour tells it
            ax.annotate(
                name, (x[bets], -len(bets)), xytext=(12, 4), fontsize=fits[0],
                textcoords="offset points", fontweight="bold", color=INK, zorder=2.5, gid="name",
                bbox=behind(0.8),
            )  # fmt: skip
    ax.set_axis_off()
    ax.set_title(title or f"{part.tree.name}: who plays after which actions?", fontsize=13)
    _legend(part, nodes, ax)
    describe(ax, _words(part, nodes))
    return ax


def _words(part: GraftingPartition, nodes: dict[Betting, _Node]) -> str:
    """The picture for those who cannot see it."""
    owned = {
        name: ["".join(bets) or "nothing" for bets, node in nodes.items() if node.part == j]
        for j, name in enumerate(("the base", *part.names))
    }
    parts = "; ".join(
        f"{name} at {len(after)}, first after {after[0]}" for name, after in owned.items() if after
    )
    return f"A tree of bets with {len(nodes)} places where somebody decides: {parts}."


def _legend(part: GraftingPartition, nodes: dict[Betting, _Node], ax: Axes) -> None:
    signs: list[Any] = [
        sign(f"{name}: {size:,} sets", "o", SHADES[j], markersize=12)
        for j, (name, size) in enumerate(part.sizes().items())
    ]
    players = sorted({node.player for node in nodes.values()})
    signs += [sign(f"player {i + 1} decides", SHAPES[i], markersize=11) for i in players]
    names = [drawn.get_label() for drawn in signs]
    if any(line.get_gid() == "deal" for line in ax.lines):
        signs.append((Line2D([], [], color=INK, lw=4.5), Line2D([], [], color="white", lw=2.2)))
        names.append("a card is dealt")
    ax.legend(
        signs, names, loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False, fontsize=10,
        ncols=min(len(signs), 4),
    )  # fmt: skip
