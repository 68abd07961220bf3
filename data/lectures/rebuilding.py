"""The other way round: experts first, then the base once more, with the experts' play fixed.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
>>> base, part = wb.Strategy.uniform(tree), wb.betting_experts(tree, ["r", "cr"])
>>> stitched = wb.static_experts(tree, base, part, players={0, 1}, iterations=50)
>>> again = rebuild_base(tree, stitched, part, "JQ-K", players={0, 1}, iterations=50)
>>> same, inside = again.probs == stitched.probs, (part.part > 0)[tree.choice_infoset]
>>> bool(same[inside].all()), bool(same.all())  # the experts play as they did, the base does not
(True, False)
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
