"""Answers to a model of the opponent: as much of it as one dares to believe.

You are fairly sure that she folds too often. How much more should you bluff? As much as you like,
as long as you could bear it if she turned out to know what you do. One linear program over a
player's plans x (see `linear_programs`) has all of these answers:

    maximise    what x wins from an opponent who must play the model at each information set I with
                probability confidence[I], and is free there otherwise
    so that     x is sure of (value of the game − budget) against everybody

    confidence 1, no budget     a best response to the model
    confidence 1, a budget      a *safe response*: most from the model at a risk one has chosen
    confidence 0                an equilibrium
    confidence from counts      a *data biased response* (Johanson & Bowling 2009): where she was
                                never seen, anything is possible

An opponent tied to the model chooses a plan y with y[I, a] ≥ confidence[I] · model[I, a] · y[above
I]. That is linear, so the dual of her problem has one more variable w ≥ 0 for each choice. Among
answers that win the same, the one that is sure of most is taken (a doubt of `DOUBT`): where the
model never goes, it plays well all the same.

**Gifts** (after Ganzfried & Sandholm 2015). Somebody who knew your strategy x could win b from it.
Each move of hers that falls short of that best response gives something away:

    gift of a hand  =  Σ over her moves (I, a) of  (best v(I) − v(I, a)) / π_-i(I)

in chips, if she reaches I. Its average over hands is exactly what her strategy wins less than b. So
an account that pays the risk of x for each hand and takes in the gifts is never overdrawn, and what
it holds is, on average, what you have won beyond the value of the game. If cards stay hidden, the
smallest gift that fits what was seen is counted.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> coin = Strategy.uniform(tree)
>>> [round(18 * safe_response(coin, 0, budget=k / 18).wins, 6) for k in (0, 1, 3, 5, 9)]
[3.0, 7.0, 8.0, 9.0, 9.0]
>>> data_biased_response(coin, 0, 0.5).wins > safe_response(coin, 0, budget=0).wins
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from workbench.evaluation.values import best_response, expected_values
from workbench.linear_programs import (
    need_zero_sum,
    payoff_matrix,
    plan_constraints,
    plan_of,
    scale_of,
    solve_program,
)
from workbench.models.beliefs import ends_of
from workbench.passes import added_up, counterfactual
from workbench.rules import GameError
from workbench.settings import need_number
from workbench.solvers.base import average, iterate
from workbench.solvers.lp import LP
from workbench.strategy import Strategy, need_numbers, need_strategy, normalised
from workbench.tree import FloatArray, GameTree, kept, need_players

DOUBT = 1e-6  # the weight of the worst case where the model leaves a choice


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """A strategy, and what it is worth against the model and against the worst."""

    player: int
    wins: float  # from the model
    sure: float  # from whoever plays best against it
    value: float  # what an equilibrium is sure of
    strategy: Strategy  # hers, and the model's in the other seat

    @property
    def risk(self) -> float:
        """What she may lose against the value of the game."""
        return max(self.value - self.sure, 0.0)

    def __repr__(self) -> str:
        return (
            f"Answer of player {self.player}: wins {self.wins:.4f} from the model, "
            f"sure of {self.sure:.4f} (the value is {self.value:.4f})"
        )


@kept
def equilibrium(tree: GameTree) -> Strategy:
    """An exact equilibrium, found once."""
    return average(tree, next(iterate(tree, LP())))


def safe_response(model: Strategy, player: int, budget: float | None) -> Answer:
    """The most that `player` can win from the model while she is sure of the value of the game
    less `budget`; None: whatever it costs."""
    return data_biased_response(model, player, 1.0, budget=budget)


def data_biased_response(
    model: Strategy, player: int, confidence: ArrayLike, *, budget: float | None = None
) -> Answer:
    """The answer to an opponent who is tied to the model as far as `confidence` says: one number
    from 0 to 1, or (M,) one for each information set."""
    tree = need_strategy(model).tree
    need_zero_sum(tree, "an answer to a model")
    (player,) = need_players(tree, (player,))
    trust = need_numbers("confidence", confidence, None, "an answer")
    if trust.shape not in ((), (tree.num_infosets,)) or not np.all((trust >= 0) & (trust <= 1)):
        raise GameError(
            f"confidence is a number from 0 to 1, or {tree.num_infosets:,} of them, one for each "
            f"information set of {tree.name!r}"
        )
    value = -best_response(equilibrium(tree), 1 - player).value
    strategy = _answer(model, player, trust, value, budget)
    wins = expected_values([strategy if i == player else model for i in (0, 1)])[player]
    return Answer(player, float(wins), -best_response(strategy, 1 - player).value, value, strategy)


def _answer(
    model: Strategy, player: int, trust: FloatArray, value: float, budget: float | None
) -> Strategy:
    """Solve the program: variables x ≥ 0, q free, and for a tied opponent q' free and w ≥ 0."""
    from scipy.sparse import block_array, csr_array, diags_array, eye_array

    tree, form = model.tree, need_zero_sum(model.tree, "an answer to a model")
    plans, scale = plan_constraints(form, player), scale_of(form)
    payoff: Any = scale * payoff_matrix(form, player)
    theirs: Any = plan_constraints(form, 1 - player)
    x, q = plans.shape[1], theirs.shape[0]
    root, low = np.eye(1, q)[0], [np.zeros(x), np.full(q, -np.inf)]
    at_most: Any = [[-payoff.T, theirs.T]]  # F' q ≤ A' x
    if budget is not None:  # value − budget ≤ q[root]
        least = scale * (value - need_number("budget", budget))
        at_most += [[least * np.eye(1, x, x - 1), -root[None]]]
    if np.all(trust == 1.0):
        gain = [payoff @ plan_of(form, form.plan(model.probs), 1 - player), DOUBT * root]
        equal: Any = plans
    else:  # F' q' + T' w = A' x
        floor = model.probs * np.broadcast_to(trust, tree.num_infosets)[tree.choice_infoset]
        hers = tree.choices_of(1 - player)
        place = 1 + tree.choice_infoset[hers] - tree.infosets_of(1 - player).start
        above = theirs.tocsr().minimum(0)[place]  # −1 at the sequence before each choice
        tied: Any = eye_array(*above.shape) + diags_array(floor[hers]) @ above  # T x ≥ 0
        gain = [np.zeros(x), DOUBT * root, root, np.zeros(tied.shape[0])]
        low += [low[1], gain[3]]
        rest = csr_array((plans.shape[0], q))
        equal = block_array([[plans, rest, None, None], [-payoff.T, None, theirs.T, tied.T]])
    rows: Any = block_array(at_most).tocsr()
    rows.resize(rows.shape[0], sum(map(len, gain)))
    found, _ = solve_program(
        np.concatenate(gain), at_most=rows, equal=equal, low=np.concatenate(low)
    )
    probs, mine = model.probs.copy(), tree.choices_of(player)
    probs[mine.start : mine.stop] = np.maximum(found[: x - 1], 0.0)
    return normalised(tree, probs)


def gifts(strategy: Strategy, player: int) -> FloatArray:
    """(Z,) what the moves of the other player on the way to each end fall short of the best that
    could be done against `strategy`, in chips."""
    tree = need_strategy(strategy).tree
    need_zero_sum(tree, "counting gifts")
    (player,) = need_players(tree, (player,))
    best, hers = best_response(strategy, 1 - player).strategy, tree.player == 1 - player
    value, others, _ = counterfactual(tree, best.probs, 1 - player)
    come = np.bincount(tree.infoset[hers], others[hers], tree.num_infosets)  # (M,) π_-i(I)
    less = np.maximum.reduceat(value, tree.first_choice[:-1])[tree.choice_infoset] - value
    gift = np.append(less / np.where(come > 0.0, come, 1.0)[tree.choice_infoset], 0.0)
    given = added_up(tree, gift[tree.choice])  # (N,) by moves up to there; -1 is the 0 at the end
    return given[ends_of(tree).history]
