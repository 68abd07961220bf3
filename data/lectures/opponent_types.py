"""An opponent who is one of a few people you know: which one, by Bayes' rule.

Everyday example: somebody at the club either calls everything or folds everything, you forgot who
it was. One fold says a lot. Each hand multiplies the weight of a type by how likely that type makes
it. The model is the mixture that decides before the hand who it will be. Types make a move at
random now and then (`tremble`), so that no slip rules one out for ever.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> shy = Strategy.from_function(tree, lambda player, seen, actions: "p")
>>> who = Types({"shy": shy, "uniform": Strategy.uniform(tree)})
>>> who.saw(Hand.played(tree, 0, [(-1, "Q"), (-1, "K"), (0, "b"), (1, "p")]))
>>> who
Types after 1 hand: shy 0.67, uniform 0.33
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.games.words import amount
from workbench.later import pd
from workbench.linear_programs import need_two_players
from workbench.models.beliefs import Hand, ends_of, need_hand
from workbench.passes import own_reach
from workbench.rules import GameError
from workbench.sequence_form import sequence_form
from workbench.settings import need_number
from workbench.stitching.joining import trembling
from workbench.strategy import Strategy, need_strategy, normalised
from workbench.tree import FloatArray


class Types:
    """One of a few people; see help('workbench.lab.lectures.opponent_types')."""

    times = None

    def __init__(
        self,
        types: Mapping[str, Strategy],
        prior: Mapping[str, float] | None = None,  # None: all equally likely
        *,
        tremble: float = 0.01,
    ) -> None:
        if not isinstance(types, Mapping) or not types:
            raise GameError("types are named strategies of one game: {'caller': …, 'rock': …}")
        self.tree = need_strategy(next(iter(types.values()))).tree
        need_two_players(self.tree, "a model of an opponent")
        known = {name: need_strategy(one, self.tree) for name, one in types.items()}
        self.types = {name: trembling(one, tremble) for name, one in known.items()}
        given = dict.fromkeys(types, 1.0) if prior is None else dict(prior)
        if given.keys() != types.keys():
            raise GameError(f"the prior is for {', '.join(given)}, not for {', '.join(types)}")
        weights = [need_number(f"prior of {name}", given[name], 1e-12) for name in types]
        self._log, self.hands = np.log(np.array(weights)), 0  # (T,) up to a constant
        reach = [own_reach(self.tree, one.probs) for one in self.types.values()]
        self._likely = np.stack(reach) * ends_of(self.tree).luck  # (T, P, Z)

    def saw(self, hand: Hand) -> None:
        """Bayes' rule; from what no type ever does nothing is learnt."""
        seen = self._likely[:, 1 - need_hand(hand, self.tree).player, hand.ends].sum(axis=1)
        if seen.max() > 0.0:
            self._log = self._log + np.log(np.maximum(seen / seen.max(), 1e-300))
        self.hands += 1

    @property
    def weights(self) -> FloatArray:
        """(T,) the probability of each type."""
        found = np.exp(self._log - self._log.max())
        return np.asarray(found / found.sum())

    @property
    def strategy(self) -> Strategy:
        """The mixture of types."""
        form, k = sequence_form(self.tree), self.tree.num_choices
        plans = [form.plan(one.probs)[:k] for one in self.types.values()]
        return normalised(self.tree, self.weights @ np.stack(plans))

    def table(self) -> pd.DataFrame:
        """How likely each type is."""
        return pd.DataFrame({"probability": self.weights}, index=list(self.types))

    def __repr__(self) -> str:
        who = ", ".join(f"{name} {p:.2f}" for name, p in zip(self.types, self.weights, strict=True))
        return f"Types after {amount(self.hands, 'hand')}: {who}"
