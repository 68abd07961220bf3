"""Looking at one information set: what is believed there, and what each action brings.

Everyday example: in Kuhn poker you hold the Queen, you passed and he bet. Is it the King, or a
Jack that bluffs? That is a *belief*. If everybody tosses coins, both are as likely; calling wins 2
against the Jack and loses 2 against the King, 0 on average. Folding loses 1.

For an infoset I of player i, everybody plays σ (letters of `passes.py`):

    belief            b(h) = π_-i(h) / π_-i(I)               π_-i(I) = Σ_{h in I} π_-i(h)
    worth             u_i(ha)                                what a brings if h is what happened
    expected          q(a) = Σ_{h in I} b(h) u_i(ha)         what a brings on average
    counterfactual    v(a) = π_-i(I) q(a)                    the same times how often one is here,
                                                             if one tries to be: what CFR uses
    regret            v(a) − Σ_a' σ(a') v(a')                of one iteration that plays σ

Her own moves do not count in π_-i: she knows them. If π_-i(I) = 0, the others never let it come to
this, and there is nothing to believe or to expect: nan. After a, she goes on as σ does; the best
that she could do instead is `best_response`'s question.

>>> import workbench as wb
>>> kuhn = wb.compile_game(wb.load_game("kuhn"))
>>> seen = look(Strategy.uniform(kuhn), ("Q", "pb"))
>>> [kuhn.history_label(h) for h in seen.histories], seen.beliefs.tolist()
(['Q J p b', 'Q K p b'], [0.5, 0.5])
>>> seen.worth.tolist()
[[-1.0, 2.0], [-1.0, -2.0]]
>>> seen.table()
  action  probability  expected  counterfactual    regret
0      p          0.5      -1.0       -0.166667 -0.083333
1      b          0.5       0.0        0.000000  0.083333
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.later import pd
from workbench.passes import history_values, others_reach, reach
from workbench.rules import GameError, label_of
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray


@dataclass(frozen=True, eq=False)
class InfosetView:
    """What one profile means at one infoset; see help('workbench.lab.analysis.infoset_view')."""

    strategy: Strategy
    infoset: int
    histories: NDArray[np.int64]  # (H,) of the infoset
    others: FloatArray  # (H,) π_-i(h)
    worth: FloatArray  # (H, A) u_i(ha)
    reach: float  # π(I): how often one really is here
    player: int
    actions: tuple[Hashable, ...]
    probs: FloatArray  # (A,) σ
    beliefs: FloatArray  # (H,) b; nan if the others never let it come to this
    expected: FloatArray  # (A,) q
    counterfactual: FloatArray  # (A,) v
    regret: FloatArray  # (A,) of one iteration
    value: float  # what she expects here if she plays σ

    def table(self) -> pd.DataFrame:
        """One row for each action."""
        names = [label_of(action) for action in self.actions]
        worth = {one: getattr(self, one) for one in ("expected", "counterfactual", "regret")}
        return pd.DataFrame({"action": names, "probability": self.probs, **worth})


class StrategyView:
    """A strategy with its passes over the tree, for whoever looks at many places."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = need_strategy(strategy)
        self.tree = strategy.tree
        self.values = history_values(self.tree, strategy.probs)  # (N, P)
        self.reach = reach(self.tree, strategy.probs)  # (N,)
        self._others: dict[int, FloatArray] = {}

    def others(self, player: int) -> FloatArray:
        """(N,) π_-i(h)"""
        if player not in self._others:
            self._others[player] = others_reach(self.tree, self.strategy.probs, player)
        return self._others[player]

    def at(self, infoset: int) -> InfosetView:
        """What there is to see at an infoset."""
        tree = self.tree
        if not 0 <= infoset < tree.num_infosets:
            raise GameError(
                f"{tree.name!r} has {tree.num_infosets:,} information sets, no number {infoset}"
            )
        here = np.flatnonzero(tree.infoset == infoset)
        player, actions = int(tree.infoset_player[infoset]), tree.actions_at(infoset)
        first, last = tree.first_choice[infoset : infoset + 2]
        worth, probs = np.zeros((len(here), len(actions))), self.strategy.probs[first:last]
        for row, h in enumerate(here):  # several edges may be one merged action
            children = np.arange(tree.first_child[h], tree.first_child[h + 1])
            paid = tree.chance[children] * self.values[children, player]
            np.add.at(worth[row], tree.choice[children] - first, paid)
        others, often = self.others(player)[here], float(self.reach[here].sum())
        beliefs = others / total if (total := others.sum()) else np.full(len(here), np.nan)
        expected, brings = beliefs @ worth, others @ worth
        return InfosetView(
            self.strategy, infoset, here, others, worth, often, player, actions, probs, beliefs,
            expected, brings, brings - probs @ brings, float(probs @ expected),
        )  # fmt: skip


def look(strategy: Strategy, at: Hashable, player: int | None = None) -> InfosetView:
    """What there is to see where a player has seen `at`; an infoset's number will do."""
    tree = need_strategy(strategy).tree
    number = isinstance(at, (int, np.integer)) and at not in tree.seen
    return StrategyView(strategy).at(int(at) if number else tree.find_infoset(at, player))  # type: ignore[call-overload]
