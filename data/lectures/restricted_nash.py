"""Restricted Nash responses: use a weakness without becoming weak oneself.

Everyday example: your opponent in a card game bluffs too often. Always calling her wins most, until
she notices. A careful player calls somewhat more often than theory says: she assumes that her
model of the opponent is right with probability p, and that otherwise anything may happen.

Johanson, Zinkevich & Bowling (2007): let a coin decide, unseen by the player, whether the opponent
*has* to play as a given strategy says (probability p) or is free (1 − p), and solve that game.

    p = 0    an equilibrium: sure of the value of the game, wins little from anybody
    p = 1    the best response: wins most from the model, and may lose a lot to others
    between  no strategy that wins as much from the model is sure of more

So the answers for growing p are a frontier: what she `wins` from the model never falls, what she is
`sure` of never rises. The restricted game is a tree like any other (two copies below a chance node;
in one of them chance plays for the opponent, and the player cannot tell the copies apart), so any
solver solves it, `lp` exactly.

>>> import workbench as wb
>>> kuhn = wb.compile_game(wb.load_game("kuhn"))
>>> bold = Strategy.from_function(kuhn, lambda player, seen, actions: "b")
>>> exploitation_frontier(bold, 0, (0, 0.5, 1)).round(4)
     p    wins    sure    cost
0  0.0  0.1111 -0.0556  0.0000
1  0.5  0.3333 -0.1667  0.1111
2  1.0  0.3333 -0.1667  0.1111
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.evaluation.values import best_response, expected_values
from workbench.lab.text import number
from workbench.later import pd
from workbench.linear_programs import need_zero_sum
from workbench.rules import GameError
from workbench.search.public import grown
from workbench.settings import need_number, need_whole
from workbench.solvers.base import Solver, average, find_solver, iterate
from workbench.stitching.joining import fix_others
from workbench.strategy import Strategy, need_strategy
from workbench.tree import CHANCE, GameTree, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class RestrictedResponse:
    """A counter-strategy, and what it is worth against the model and against the worst."""

    player: int
    p: float
    wins: float  # from the model
    sure: float  # from whoever plays best against it
    strategy: Strategy  # of the full game: hers, and the free opponent's

    def __repr__(self) -> str:
        return (
            f"RestrictedResponse of player {self.player} at p = {self.p:g}: "
            f"wins {number(self.wins, 4)} from the model, sure of {number(self.sure, 4)}"
        )


def restricted_response(
    sigma: Strategy,
    player: int,
    p: float,
    solver: Solver | str = "lp",
    *,
    iterations: int | None = None,
) -> RestrictedResponse:
    """The response of `player` to an opponent who plays as `sigma` with probability p.

    A solver that learns is told for how many `iterations`; `lp` needs none.
    """
    tree = need_strategy(sigma).tree
    need_zero_sum(tree, "restricted_response")
    game, choice_map = restricted_game(sigma, player, p)
    solver = find_solver(solver)
    if iterations is not None:
        need_whole("iterations", iterations)
    elif not solver.exact:
        raise GameError(f"{solver.name} learns: say for how long, for example iterations=1000")
    answer = average(game, next(iterate(game, solver, every=iterations or 1)))
    strategy = Strategy(tree, answer.probs[choice_map])
    wins = expected_values([strategy if i == player else sigma for i in (0, 1)])[player]
    lost = best_response(strategy, 1 - player).value
    return RestrictedResponse(player, float(p), float(wins), -lost, strategy)


def exploitation_frontier(
    sigma: Strategy,
    player: int,
    probabilities: Iterable[float] = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0),
    solver: Solver | str = "lp",
    *,
    iterations: int | None = None,
) -> pd.DataFrame:
    """Columns p, wins, sure, cost: what exploiting a model brings, and what it costs.

    `cost` is how much less than an equilibrium the strategy is sure of: her part in the
    exploitability of what she plays.
    """

    def respond(p: float) -> RestrictedResponse:
        return restricted_response(sigma, player, p, solver, iterations=iterations)

    if not isinstance(probabilities, Iterable):
        raise GameError(f"probabilities are several, like (0.0, 0.5, 1.0), not {probabilities!r}")
    value = respond(0.0).sure
    found = [respond(p) for p in probabilities]
    rows = [(each.p, each.wins, each.sure, value - each.sure) for each in found]
    return pd.DataFrame(rows, columns=["p", "wins", "sure", "cost"])


def restricted_game(sigma: Strategy, player: int, p: float) -> tuple[GameTree, IntArray]:
    """The game in which a coin decides whether the others must play `sigma`.

    Returns its tree, and `(K,)` where each choice of the full game is found in it (the others'
    where they are free).
    """
    tree = need_strategy(sigma).tree
    need_number("p", p, 0.0, 1.0)
    must = fix_others(sigma, player).tree
    # history h stands at 1 + h in the copy where the others must play sigma, at free + h where
    # they are free; the coin comes before both
    free = 1 + tree.num_histories
    rows: dict[str, Any] = {
        "parent": np.r_[-1, 1 + tree.parent, free + tree.parent],
        "player": np.r_[CHANCE, must.player, tree.player],
        "infoset": np.r_[-1, np.where(must.infoset >= 0, tree.infoset, -1), tree.infoset],
        "choice": np.r_[-1, np.where(must.choice >= 0, tree.choice, -1), tree.choice],
        "chance": np.r_[1.0, must.chance, tree.chance],
        "outcome": np.r_[-1, must.outcome, tree.outcome],
    }
    first = [1, free]  # the roots of both copies
    rows["parent"][first], rows["chance"][first] = 0, (p, 1.0 - p)
    rows["outcome"][first] = len(must.outcomes) + np.arange(2)
    paid = np.zeros((free, tree.num_players))
    paid[1:][tree.terminal >= 0] = tree.utility
    game, choice_map, _ = grown(
        rows, np.concatenate([paid, paid[1:]]), name=f"{tree.name} [restricted]",
        first_choice=tree.first_choice, seen=tree.seen, actions=tree.actions,
        outcomes=(*must.outcomes, "must", "free"),
    )  # fmt: skip
    return game, choice_map
