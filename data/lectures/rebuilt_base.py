"""Experts first, then the base once more, with the experts' play fixed.

Everyday example: a team has hired two specialists, and now the others practise anew, knowing what
these two will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.runs.solve import solve
from workbench.stitching.experts import Players
from workbench.stitching.joining import Rule, Rules, expert_rule, fix
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy, need_strategy
from workbench.tree import GameTree, need_players


def rebuild_base(
    tree: GameTree,
    stitched: Strategy,
    part: GraftingPartition,
    base: Rule,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    iterations: int = 1000,
    **options: Any,
) -> Strategy:
    """A new base around experts that are there already: their play is fixed, the rest learns.

    `players`: whose experts are fixed, and who gets the new base; {i} means "I know my own
    experts", everybody means "all know all experts". `base`: the abstraction of the base, as in
    `dynamic_experts`. `abstraction`: inside the parts, where only the other players still decide.
    Further options are those of `solve`: solver, seed, store.
    """
    rule = expert_rule(tree, part, base, abstraction)
    ours = np.isin(tree.infoset_player, need_players(tree, players))
    game = fix(need_strategy(stitched, tree), ours & (part.part > 0))
    asked: dict[str, Any] = {"abstraction": rule, "checkpoints": iterations, **options}
    run = solve(game.tree, iterations=iterations, **asked)
    if run.stopped == "interrupted":
        raise KeyboardInterrupt("while the base was rebuilt")
    here = np.repeat(ours, np.diff(tree.first_choice))
    return Strategy(tree, np.where(here, game.lift(run.strategy).probs, stitched.probs))
