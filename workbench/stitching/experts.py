"""Experts: compute them, and sew them onto a base. What `wb.static_experts` and its kin do.

    static      base first; each expert in a game of its own, in which the base plays the rest
    grafts      the same for one player at a time: S = {i}, and opponents that see nothing more
                than `outside`, not even inside the parts (Waugh et al. 2009)
    dynamic     base and experts together: one abstraction that is fine in some places
    rebuilt     experts first, then the base once more, with the experts' play fixed

An expert's game is abstracted in two places: `abstraction` inside its part, for everybody who has
that part in the partition; `outside` elsewhere, where only players outside S decide.

Two kinds of S = {i}. Who else may look closely inside the part while player i's expert learns?

    static_experts(tree, base, part, i, outside="JQ-K")         the opponents, too
    static_experts(tree, base, part.of(i), i, outside="JQ-K")   nobody; this is what `grafts` does

In the first an expert expects opponents who see what she sees (Gibson & Szafron), in the second
blunt ones: she wins more from the base's opponents, and a sharp one takes it back (Waugh et al.).
Sewn onto one JQ-K base of Leduc by rank, for both players, the first is exploitable for about 160
milli-antes and the second for about 450. With `outside=None` the two are the same.

>>> from workbench.games.registry import load_game
>>> from workbench.compiling import compile_game
>>> from workbench.stitching.builders import betting_experts
>>> from workbench.evaluation.best_response import exploitability
>>> tree = compile_game(load_game("leduc"))
>>> part = betting_experts(tree, ["r", "cr", "ccr", "cccr"])
>>> base = solve(tree, abstraction="JQ-K", iterations=500).strategy
>>> stitched = static_experts(tree, base, part, players={0, 1}, iterations=500)
>>> exploitability(stitched) < exploitability(base)
True
>>> expert_sizes(tree, part, players={0, 1})
{'r': 186, 'cr': 186, 'ccr': 30, 'cccr': 30}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.evaluation.values import seated
from workbench.fixed_game import Fixed, fix
from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.runs.store import Store
from workbench.solvers.base import Solver
from workbench.stitching.expert_rules import (
    Rule,
    Rules,
    expert_rule,
    inside_and_outside,
    rules_of,
)
from workbench.stitching.partition import GraftingPartition, need_partition
from workbench.stitching.sewing import (
    Unreached,
    cut,
    expert_game,
    keep_base,
    stitch,
)
from workbench.strategy import Strategy, need_strategy
from workbench.tree import GameTree, need_players

Players = Iterable[int] | int


@dataclass(frozen=True, eq=False)
class Expert:
    """An expert, its game, and the run that made it."""

    name: str
    game: Fixed  # Γ^j
    run: Run  # of the abstraction of Γ^j
    strategy: Strategy  # of the whole game: base where somebody in S does not decide

    @property
    def size(self) -> int:
        """Information sets in its computation."""
        return int(self.run.trace["infosets"].iloc[-1])


def experts(
    tree: GameTree,
    base: Strategy,
    part: GraftingPartition,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    residual: float = 0.0,
    unreached: Unreached = "uniform",
    store: Store | str | Path | None = None,
) -> list[Expert]:
    """Compute the static experts of all parts that somebody in S has, one after the other."""
    need_partition(part, tree)
    need_strategy(base, tree)
    players = need_players(tree, players)  # once: it may be an iterator
    names = _needed(tree, part, players)
    if not isinstance(unreached, str) or unreached not in ("uniform", "base"):
        raise GameError(f"unreached must be 'uniform' or 'base', not {unreached!r}")
    seeding, rules = cut(base, residual), rules_of(tree, part, abstraction)
    found = []
    for name in names:
        game = expert_game(seeding, part, name, players)
        run = solve(
            game.tree,
            solver,
            iterations,
            seed=seed,
            abstraction=inside_and_outside(tree, part, name, rules[name], outside),
            checkpoints=iterations,
            store=store,
        )
        if run.stopped == "interrupted":
            raise KeyboardInterrupt(f"while expert {name!r} was learning")
        answer = game.lift(run.strategy)
        if unreached == "base":
            answer = keep_base(game, answer, base)
        found.append(Expert(name, game, run, answer))
    return found


def static_experts(
    tree: GameTree,
    base: Strategy,
    part: GraftingPartition,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    residual: float = 0.0,
    unreached: Unreached = "uniform",
    store: Store | str | Path | None = None,
) -> Strategy:
    """The base with static experts for the players S (Gibson & Szafron 2011, Definition 3.2).

    `players`: S, who follows the base outside an expert's part while it learns; only they get
    the experts, everybody else's part of the result is the base's. `abstraction`: what is
    forgotten inside the parts, one rule for all or {expert: rule}. `outside`: what players outside
    S forget elsewhere. `residual`, `unreached`: see `workbench.stitching.sewing`.

    Give the whole partition, not `part.of(i)`, for the S = {i} of Gibson & Szafron: "inside" is
    said by the partition, and to players who have no part there everything is outside. With
    `part.of(i)` they are coarse everywhere, which makes it one player's `grafts`.
    """
    need_partition(part, tree)
    players = need_players(tree, players)
    found = experts(
        tree, base, part, players, abstraction=abstraction, outside=outside, solver=solver,
        iterations=iterations, seed=seed, residual=residual, unreached=unreached, store=store,
    )  # fmt: skip
    return stitch(base, part, {expert.name: expert.strategy for expert in found}, players)


def grafts(
    tree: GameTree,
    base: Strategy,
    part: GraftingPartition,
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    residual: float = 0.0,
    unreached: Unreached = "uniform",
    store: Store | str | Path | None = None,
) -> Strategy:
    """Every player's grafted strategy (Waugh et al. 2009, Definition 8), each made alone.

    While a player's grafts learn, the others play the whole game in the abstraction `outside`,
    inside the parts as well: give the base's, if what they gain against the base's opponents is to
    hold (Theorem 1). That is not `static_experts` with S = {i}, whose opponents may look closely
    inside a part; the numbers differ widely (see the first lines of this module). Give the whole
    partition; each player's own, `part.of(i)`, is taken here.
    """
    need_partition(part, tree)
    return seated(
        [
            static_experts(
                tree, base, part.of(i), i, abstraction=abstraction, outside=outside,
                solver=solver, iterations=iterations, seed=seed, residual=residual,
                unreached=unreached, store=store,
            )
            for i in range(tree.num_players)
        ]
    )  # fmt: skip


def dynamic_experts(
    tree: GameTree,
    base: Rule,
    part: GraftingPartition,
    *,
    abstraction: Rules = "null",
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    **options: Any,
) -> Run:
    """Base and experts in one run (Definition 3.3): the abstraction `base`, finer in the parts.

    Further options are those of `solve`: target, checkpoints, progress, start, store.
    """
    rule = expert_rule(tree, part, base, abstraction)
    return solve(tree, solver, iterations, seed=seed, abstraction=rule, **options)


def rebuild_base(
    tree: GameTree,
    stitched: Strategy,
    part: GraftingPartition,
    base: Rule,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    store: Store | str | Path | None = None,
) -> Strategy:
    """A new base around experts that are there already: their play is fixed, the rest learns.

    `players`: whose experts are fixed, and who gets the new base; {i} means "I know my own
    experts", everybody means "all know all experts". `base`: the abstraction of the base, as in
    `dynamic_experts`. `abstraction`: inside the parts, where only the other players still decide.
    """
    rule = expert_rule(tree, part, base, abstraction)
    need_strategy(stitched, tree)
    ours = np.isin(tree.infoset_player, need_players(tree, players))
    game = fix(stitched, ours & (part.part > 0))
    run = solve(
        game.tree, solver, iterations, seed=seed, abstraction=rule, checkpoints=iterations,
        store=store,
    )  # fmt: skip
    if run.stopped == "interrupted":
        raise KeyboardInterrupt("while the base was rebuilt")
    here = np.repeat(ours, np.diff(tree.first_choice))
    return Strategy(tree, np.where(here, game.lift(run.strategy).probs, stitched.probs))


def expert_sizes(
    tree: GameTree,
    part: GraftingPartition,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
) -> dict[str, int]:
    """Information sets in the computation of each static expert; the papers print the largest.

    A part where nobody in S decides needs no expert, and has no size.
    (A base's size is `abstract(tree, name).coarse.num_infosets`, and that of dynamic experts
    the same with `expert_rule(tree, part, name)`.)
    """
    need_partition(part, tree)
    rules, anything = rules_of(tree, part, abstraction), Strategy.uniform(tree)
    players = need_players(tree, players)
    return {
        name: abstract(
            expert_game(anything, part, name, players).tree,
            inside_and_outside(tree, part, name, rules[name], outside),
        ).coarse.num_infosets
        for name in _needed(tree, part, players)
    }


def _needed(tree: GameTree, part: GraftingPartition, players: Sequence[int]) -> list[str]:
    """The experts that somebody of these players would ever call."""
    theirs = set(part.part[np.isin(tree.infoset_player, players)].tolist())
    names = [name for j, name in enumerate(part.names, 1) if j in theirs]
    if part.names and not names:
        raise GameError(
            f"nobody of {players} has a part in this partition, so no expert would ever play; "
            "give those who have one (was it made with `.of`?), or the whole partition"
        )
    return names
