"""Who plays where: the parts of a grafting partition as colours on a tree.

A game of up to 200 histories is drawn in full, with a shade behind every decision. A larger one is
drawn as its *tree of bets*: one node for each sequence of actions after which somebody decides,
cards left out. Parts that are chosen by what has been bet (`betting_experts`, `round_experts`,
`heads_up_experts`) are colours of such nodes. A slash, as in "c/": chance deals another card.

    wb.plots.plot_partition(wb.betting_experts(tree, ["r", "cr"]))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from workbench.compiling import compile_game
from workbench.lab.plots.game_tree import plot_game_tree
from workbench.passes import Betting, betting, rounds
from workbench.rules import Decision, GameError, Node, Terminal
from workbench.settings import need_kind
from workbench.stitching.partition import GraftingPartition
from workbench.tree import IntArray

MOST_HISTORIES, MOST_BETS = 200, 150


def plot_partition(
    part: GraftingPartition,
    ax: Axes | None = None,
    *,
    bets: bool | None = None,
    title: str | None = None,
    **more: Any,
) -> Axes:
    """Draw which part each decision belongs to.

    `bets`: draw the tree of bets, not the whole tree; by default where the whole is too large.
    more: strategy, abstraction, fixed, as in `plot_game_tree`; a tree of bets does not show them.
    """
    tree, owner = need_kind("a partition", part, GraftingPartition).tree, part.part
    if bets or (bets is None and tree.num_histories > MOST_HISTORIES):
        if more:
            raise GameError(
                f"a tree of bets has no cards, so it does not show {', '.join(more)}; bets=False "
                "draws the whole tree"
            )
        game = _Bets.of(part)
        tree, more = compile_game(game), {"ends": False}
        owner = np.array([game.decisions[seen][1] for seen in tree.seen])
        title = title or f"{game.name}: who plays after which actions?"
    where = np.where(tree.infoset >= 0, owner[tree.infoset], -1)
    groups = {
        f"{name} ({size:,} sets)": np.flatnonzero(where == j).tolist()
        for j, (name, size) in enumerate(part.sizes().items())
    }
    return plot_game_tree(tree, ax, shade=groups, title=title, **more)


class _Bets(NamedTuple):
    """A game without its cards; nobody knows what it pays."""

    name: str
    players: int
    decisions: dict[Any, tuple[int, int]]  # who decides after which actions, and whose part
    after: dict[Betting, dict[str, Betting]]  # by move

    @classmethod
    def of(cls, part: GraftingPartition) -> _Bets:
        tree = part.tree
        number, sequences = betting(tree)
        owner: IntArray = part.part[tree.infoset]  # of no meaning where nobody decides
        columns = np.stack([number, tree.player, owner, rounds(tree)], axis=1)
        rows = np.unique(columns[tree.infoset >= 0], axis=0)
        if len(np.unique(rows[:, 0])) < len(rows):
            again = int(rows[np.flatnonzero(np.diff(rows[:, 0]) == 0)[0], 0])
            raise GameError(
                f"after the actions {' '.join(sequences[again]) or '(none)'!r} of {tree.name!r} "
                "it depends on the cards whose part it is or who decides, so a tree of bets cannot "
                "show it"
            )
        if len(rows) > MOST_BETS:
            raise GameError(
                f"{tree.name!r} has {len(rows):,} sequences of actions after which somebody "
                f"decides, more than one picture can show ({MOST_BETS})"
            )
        decisions = {sequences[k]: (player, j) for k, player, j, _ in rows.tolist()}
        dealt = {sequences[k]: r for k, *_, r in rows.tolist()}
        after: dict[Betting, dict[str, Betting]] = {bets: {} for bets in decisions}
        for bets in sequences[1:]:
            above = bets[:-1]
            if above in after:
                deal = dealt.get(bets, dealt[above]) > dealt[above]
                after[above][bets[-1] + "/" * deal] = bets
        return cls(tree.name, tree.num_players, decisions, after)

    def start(self) -> Betting:
        return ()

    def next(self, bets: Betting, move: str) -> Betting:
        return self.after[bets][move]

    def node(self, bets: Betting) -> Node:
        if bets in self.decisions:
            return Decision(self.decisions[bets][0], bets, tuple(self.after[bets]))
        return Terminal((0.0,) * self.players)
