"""Theorem 1 of Waugh, Bard & Bowling (2009), measured: grafts do not hurt, and their gains add up.

Against the opponent of the base, grafts gain together what each would gain alone, and make things
worse by no more than how unfinished everybody's training was:

    σ_2 an ε-best response to the base σ_1, each graft an ε-equilibrium of its game; then
    u_1(σ*_1, σ_2) − u_1(σ_1, σ_2)  =  Σ_j [u_1(σ*^j_1, σ_2) − u_1(σ_1, σ_2)]  ≥  −3pε

where σ*_1 has all p grafts and σ*^j_1 only the j-th. ε is measured too, in the game of each graft:
what anybody could still gain there, and what the opponent could gain against the base with
everything she may know there. The proof needs grafts that can play whatever the base plays: an
`abstraction` inside the parts at least as fine as the base's.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
>>> base = wb.solve(tree, abstraction="JQ.K", iterations=500, checkpoints=500).strategy
>>> one = graft_gains(tree, base, wb.card_experts(tree, start=1).of(0), 0, outside="JQ.K")
>>> one.holds, list(one.gains)
(True, ['J', 'Q', 'K'])
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.abstraction.abstraction import abstract
from workbench.evaluation.values import best_response, expected_values, gains
from workbench.rules import GameError
from workbench.solvers.base import Solver, average
from workbench.stitching.experts import experts
from workbench.stitching.joining import Rule, Rules, expert_rule, fix_players, stitch
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import GameTree, need_players, need_tree


@dataclass(frozen=True, eq=False)
class GraftGains:
    """The two sides of the theorem for one player's grafts."""

    player: int
    strategy: Strategy  # the base with this player's grafts
    gain: float  # of all grafts together, against the base's other half
    gains: dict[str, float]  # of each graft alone
    epsilon: float  # how far from equilibrium anything was, at most

    @property
    def total(self) -> float:
        """What the single gains add up to."""
        return math.fsum(self.gains.values())

    @property
    def bound(self) -> float:
        """−3pε: the theorem's least gain."""
        return -3 * len(self.gains) * self.epsilon

    @property
    def holds(self) -> bool:
        """Whether both statements are true, up to rounding."""
        near = 1e-9 * self.strategy.tree.largest_payoff
        return abs(self.gain - self.total) <= near and self.gain >= self.bound - near


def graft_gains(
    tree: GameTree,
    base: Strategy,
    part: GraftingPartition,
    player: int,
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
) -> GraftGains:
    """Graft a player's base, and measure gain, single gains and ε. Options: `static_experts`.

    Give `part.of(player)`: a grafting partition is one player's. With the whole partition the
    opponent may look closely inside the parts, as in `static_experts`. The theorem holds then as
    well, but ε counts all that she could do better than the base there: −3pε promises nothing.
    """
    need_players(need_tree(tree), (player,))
    if tree.num_players != 2 or not tree.zero_sum:
        raise GameError(f"the theorem is about two players and zero sum; {tree.name!r} is not")
    found = experts(
        tree, base, part, player, abstraction=abstraction, outside=outside, solver=solver,
        iterations=iterations, seed=seed,
    )  # fmt: skip
    opponent, alone = 1 - player, fix_players(base, player).tree
    before = expected_values(base)
    gaps, single = [0.0], {}
    for expert in found:
        # the graft's own game
        assert expert.run.abstraction is not None
        gaps += gains(average(expert.run.abstraction.coarse, expert.run.state)).tolist()
        # the opponent against the base, with all that she may know in that game
        here = abstraction[expert.name] if isinstance(abstraction, Mapping) else abstraction
        rule = expert_rule(tree, part.only(expert.name), outside, here)
        free = Strategy.uniform(abstract(alone, rule).coarse)
        gaps.append(best_response(free, opponent).value - float(before[opponent]))
        grafted = stitch(base, part, {expert.name: expert.strategy}, player)
        single[expert.name] = float(expected_values(grafted)[player] - before[player])
    together = stitch(base, part, {expert.name: expert.strategy for expert in found}, player)
    gain = float(expected_values(together)[player] - before[player])
    return GraftGains(player, together, gain, single, max(gaps))
