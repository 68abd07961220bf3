"""One iteration at one information set, worked out: every number between two strategies.

A solver only keeps what it needs for the next iteration; an `Update` keeps the rest as well.

For an infoset I of player i in iteration t (CFR, Zinkevich et al. 2007):

    plays      σᵗ(a)                          what she plays in this iteration
    brings     u(a)                           what each action brings to somebody who is here
    π_-i, π_i                                 the probability that chance and the other players,
                                              and that she herself, reach this information set
    values     v(a) = π_-i u(a),  v = Σ σᵗ(a) v(a)
    instant    r(a) = v(a) − v
    regret     R ← R + r                      (some solvers discount it: `cfr.py`)
    next       σᵗ⁺¹ = R⁺ / Σ R⁺               regret matching
    sum        S ← S + π_i σᵗ                 and the average strategy is S / Σ S
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.lab.html import Html, abbreviation, bar, bold, signed, table
from workbench.lab.text import number
from workbench.passes import counterfactual
from workbench.rules import GameError, label_of
from workbench.solvers.base import State
from workbench.solvers.cfr import CFR
from workbench.solvers.regret import regret_matching
from workbench.tree import FloatArray, GameTree

WORKED = {  # head, and what it means
    "plays σ<sup>t</sup>": "what is played in this iteration",
    "wins u": "what the action wins on average for somebody who is here",
    "v = π<sub>−i</sub> u": "counterfactual value: that, weighted by π_−i",
    "r = v − Σσv": "regret of this iteration: compared with what was played",
    "R before": "regrets summed up before this iteration",
    "R": "and now",
    "next σ<sup>t+1</sup>": "positive regrets, scaled to one",
    "S": "sum of what was played, each time with the weight π_i",
    "average": "S scaled to one: the answer of the solver",
}


@dataclass(frozen=True, eq=False)
class Update:
    """One iteration at one infoset; the first lines of this file define it."""

    iteration: int
    actions: tuple[str, ...]
    probs: FloatArray  # (A,) σᵗ
    others: float  # π_-i
    own: float  # π_i
    worth: FloatArray  # (A,) u; nan if nobody can be here
    regret_before: FloatArray  # (A,)
    sum_before: FloatArray  # (A,)
    positive: float = 1.0  # discounts of regrets, and the weight of this iteration in the average
    negative: float = 1.0
    share: float = 1.0
    predictive: bool = False
    values: FloatArray = field(init=False)  # (A,) v(a)
    value: float = field(init=False)  # v
    instant: FloatArray = field(init=False)  # (A,) r
    regret: FloatArray = field(init=False)  # (A,) R
    next: FloatArray = field(init=False)  # (A,) σᵗ⁺¹
    strategy_sum: FloatArray = field(init=False)  # (A,) S
    average: FloatArray = field(init=False)  # (A,) uniform as long as nothing was played

    def __post_init__(self) -> None:
        size, own = len(self.worth), vars(self)
        own["values"] = self.others * self.worth if self.others > 0.0 else np.zeros(size)
        own["value"] = float(self.probs @ self.values)
        own["instant"] = self.values - self.value
        total = self.regret_before + self.instant
        own["regret"] = total * np.where(total > 0.0, self.positive, self.negative)
        hope, own["next"] = self.regret + self.instant * self.predictive, np.zeros(size)
        regret_matching(np.array([0, size], np.uint32), 0, 1, hope, self.next)
        own["strategy_sum"] = self.sum_before + self.share * self.own * self.probs
        played = self.strategy_sum.sum()
        own["average"] = self.strategy_sum / played if played > 0.0 else np.full(size, 1 / size)


def update_at(tree: GameTree, solver: Any, before: State, after: State, infoset: int) -> Update:
    """What a solver of the CFR family did at an infoset between two states, one iteration apart."""
    if not isinstance(solver, CFR):
        raise GameError(
            f"{solver.name} walks at random, so its steps cannot be worked out from its states; "
            "take cfr or one of its relatives"
        )
    if after.iteration != before.iteration + 1:
        raise GameError(
            f"the states must be one iteration apart, not {after.iteration - before.iteration}"
        )
    i, probs = int(tree.infoset_player[infoset]), before.probs.copy()
    if solver.alternating:  # those who moved before her have their new strategies already
        early = tree.choices_of(i).start
        probs[:early] = after.probs[:early]
    values, others, own = counterfactual(tree, probs, i)
    here, (low, high) = tree.infoset == infoset, tree.first_choice[infoset : infoset + 2]
    reach = float(others[here].sum())
    t = np.array([float(after.iteration)])
    positive, negative, share = (float(weight[0]) for weight in solver.weights(t))
    actions = tuple(label_of(action) for action in tree.actions_at(infoset))
    worth = values[low:high] / reach if reach > 0.0 else np.full(high - low, np.nan)
    return Update(
        after.iteration, actions, probs[low:high], reach, float(own[here].mean()), worth,
        before.regret[low:high], before.strategy_sum[low:high], positive, negative, share,
        solver.predictive,
    )  # fmt: skip


def update_table(update: Update) -> Html:
    """An iteration as a table: from what was played to what comes next, and above it how likely
    this place is reached."""
    rows: list[list[Any]] = [
        [
            bold(name), bar(update.probs[k]), signed(update.worth[k]), signed(update.values[k]),
            signed(update.instant[k]), signed(update.regret_before[k]),
            bold(signed(update.regret[k])), bar(update.next[k]),
            number(update.strategy_sum[k], 3), bar(update.average[k]),
        ]
        for k, name in enumerate(update.actions)
    ]  # fmt: skip
    rows.append(["Σ σ v", "", "", signed(update.value), *[""] * 6])
    head = ["action", *(abbreviation(Html(name), means) for name, means in WORKED.items())]
    words = f"Iteration {update.iteration}, worked out"
    return Html(
        '<div class="wb-side"><div><div class="wb-quiet">π<sub>−i</sub> = '
        f"{number(update.others, figures=4)}: the probability that chance and the opponents reach "
        f"this point. π<sub>i</sub> = {number(update.own, figures=4)}: the same for the player "
        f"herself.{_weights(update)}</div>"
        f"{table(rows, words, head=head, kinds={len(rows) - 1: 'sum'})}</div></div>"
    )


def _weights(update: Update) -> str:
    """What this solver does beyond plain CFR, in words."""
    said = []
    if update.negative == 0.0:
        said.append("negative sums become 0")
    elif update.negative != 1.0 or update.positive != 1.0:
        said.append(
            f"sums above zero count {number(update.positive)} times, "
            f"below {number(update.negative)} times"
        )
    if update.share != 1.0:
        said.append(f"this iteration counts {number(update.share, figures=4)} times in the average")
    if update.predictive:
        said.append("the next strategy expects the same regret once more")
    return f" This solver: {'; '.join(said)}." if said else ""
