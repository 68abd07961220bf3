"""What each action is worth, to somebody who knows how the others play but not what they hold.

Everyday example: you hold the Queen in Kuhn poker and the other player bets. He bets every King and
one Jack in three, so three bets in four come from a King. Calling wins 2 one time in four and loses
2 three times in four, −1 on average; folding loses 1 for sure. Both are worth the same, and that is
no accident: he bluffs just so often that it is all one to you.

In symbols, for an infoset I of player i and the others' part σ_-i of a profile:

    belief   b(h) = π_-i(h) / Σ_{h' in I} π_-i(h')     how likely is each history of I?
                                                       (her own moves do not matter: she knows them)
    value    q(a) = max over σ'_i of Σ_h b(h) u_i(ha | σ'_i, σ_-i)
                                                       she plays a, then as well as one can
    cost     max_a' q(a') − q(a) ≥ 0                   what a gives away

The value of the best action is her best response's, restricted to what is below I.

**Where σ_-i never comes.** If the others never play so that I is reached (less than once in
10,000 times, given the cards: a solver's "never" is a small number), Bayes' rule says nothing, or
nothing of use. Then the *beliefs* are those about others whose hand trembles: in one of 1,000 moves
they play anything, each action as likely. What they do from I on is σ_-i, without trembling.
`trembling` is True there.

**Where her own part never comes.** The values do not depend on her own part σ_i of the profile, but
`probs`, which shows what it would do, says little at places that it avoids by its own moves: there
a solver leaves what it did in its first iterations. `strayed` is True there.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> def equilibrium(player, seen, actions):  # one of many: the first player never bets at first
...     bets = {"J": 0, "Q": 0, "K": 0, "Jp": 1/3, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": 1/3, "Kb": 1,
...             "Jpb": 0, "Qpb": 1/3, "Kpb": 1}["".join(seen)]
...     return 1 - bets, bets
>>> found = worth(Strategy.from_function(tree, equilibrium), tree.find_infoset(("Q", "pb")))
>>> found.values.tolist(), found.trembling
([-1.0, -1.0], False)
>>> [tree.history_label(h) for h in found.histories], found.beliefs.tolist()
(['Q J p b', 'Q K p b'], [0.25, 0.75])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.passes import luck, others_reach
from workbench.rules import GameError
from workbench.sequence_form import best_up, sequence_form
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray

NEVER = 1e-4  # others who play so less often, given the cards, do not play so
TREMBLE = 1e-3  # how often a trembling hand plays anything


@dataclass(frozen=True, eq=False)
class Worth:
    """The actions of one infoset, judged; see help('workbench.lab.play.action_values')."""

    infoset: int
    actions: tuple[Any, ...]
    probs: FloatArray  # (A,) how often the strategy itself plays them
    values: FloatArray  # (A,) q
    histories: NDArray[np.int64]  # (H,) of the infoset
    beliefs: FloatArray  # (H,) b
    reach: float  # how often the others play so that she is here, given the cards
    own: float  # how often the strategy itself plays so that she is here
    trembling: bool
    rounding: float = 1e-9  # values that differ by less are equal

    @property
    def strayed(self) -> bool:
        """True if the strategy would not have come here by its own moves."""
        return self.own < NEVER

    @property
    def best(self) -> Any:
        """The best action; of equals the one that the strategy plays most."""
        good = self.values >= self.values.max() - self.rounding
        return self.actions[int(np.argmax(np.where(good, self.probs, -1.0)))]

    def value(self, action: Any) -> float:
        return float(self.values[self.actions.index(action)])

    def cost(self, action: Any) -> float:
        """What an action gives away, never negative."""
        return float(self.values.max()) - self.value(action)


def worth(sigma: Strategy, infoset: int) -> Worth:
    """Judge the actions of an infoset against the others' part of a profile, exactly."""
    tree = need_strategy(sigma).tree
    if infoset not in range(tree.num_infosets):
        raise GameError(f"{tree.name!r} has infosets 0 to {tree.num_infosets - 1}, not {infoset!r}")
    here = {infoset: np.flatnonzero(tree.infoset == infoset)}
    return _worths(sigma, int(tree.infoset_player[infoset]), here)[0]


def worths(sigma: Strategy) -> list[Worth]:
    """The same of every infoset, in as many passes as a player decides one after another."""
    tree = need_strategy(sigma).tree
    order = np.argsort(tree.infoset, kind="stable")
    cuts = np.searchsorted(tree.infoset[order], np.arange(tree.num_infosets + 1))
    moves = np.zeros(tree.num_infosets, int)  # that its player has made before
    together: dict[tuple[int, int], dict[int, NDArray[np.int64]]] = {}
    for infoset, last in enumerate(tree.parent_choice.tolist()):
        moves[infoset] = moves[tree.choice_infoset[last]] + 1 if last >= 0 else 0
        some = together.setdefault((int(tree.infoset_player[infoset]), int(moves[infoset])), {})
        some[infoset] = order[cuts[infoset] : cuts[infoset + 1]]
    found = [one for (player, _), here in together.items() for one in _worths(sigma, player, here)]
    return sorted(found, key=lambda one: one.infoset)


def _worths(sigma: Strategy, player: int, here: dict[int, NDArray[np.int64]]) -> list[Worth]:
    """Of infosets of a player, each with its histories, none of which comes after another."""
    tree, probs = sigma.tree, sigma.probs
    form, dealt = sequence_form(tree), luck(tree)
    shaky = (1.0 - TREMBLE) * probs + TREMBLE * Strategy.uniform(tree).probs
    reached, slipped = (others_reach(tree, each, player) for each in (probs, shaky))
    likely, theirs, known = np.zeros(tree.num_histories), probs.copy(), list[Any]()
    for histories in here.values():
        weights = reached[histories]
        reach = float(weights.sum() / dealt[histories].sum())
        if trembling := reach < NEVER:
            weights = slipped[histories]
        likely[histories] = beliefs = weights / weights.sum()
        known.append((beliefs, reach, trembling))

    # down from I to the ends: what her latest choice brings there, (S,)
    theirs[tree.choices_of(player)] = 1.0
    for level in tree.levels():
        step = tree.chance[level] * np.where(tree.choice[level] >= 0, theirs[tree.choice[level]], 1)
        likely[level] += likely[tree.parent[level]] * step
    ends = np.flatnonzero((tree.terminal >= 0) & (likely > 0.0))
    paid = likely[ends] * tree.utility[tree.terminal[ends], player]
    value = np.zeros(form.num_sequences)
    np.add.at(value, tree.last_choice(player)[ends], paid)

    # up again through her own infosets below I: the best choice each time
    best_up(form, min(here) + 1, tree.infosets_of(player).stop, value, theirs)
    plan, found = form.plan(probs), []
    for (infoset, histories), (beliefs, reach, trembling) in zip(here.items(), known, strict=True):
        low, high = tree.first_choice[infoset : infoset + 2]
        found.append(
            Worth(
                infoset, tree.actions_at(infoset), probs[low:high], value[low:high], histories,
                beliefs, reach, float(plan[form.above[infoset]]), trembling,
                1e-9 * tree.largest_payoff,
            )
        )  # fmt: skip
    return found
