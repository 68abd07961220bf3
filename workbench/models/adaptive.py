"""A player who learns: she plays, looks at what happened, changes her mind, and answers anew.

Everyday example: with a stranger you play it safe. After twenty hands you call more often than the
books say. If that was a trap, you have lost what you were ready to lose, and not more.

    model       what she believes: unless given, `Counts` that begin with what CFR+ plays, which is
                sensible everywhere (a linear program plays at random where it never comes)
    answer      "safe": the best answer to the model within the budget
                "data-biased": trusts the model n / (n + trust) where the opponent was seen n times
    budget      what she may lose against the value of the game, on average: in every hand; with
                `gifts` in all hands together, a tenth of what is left in a hand, and what the
                opponent gives away is added to it
    every       after so many hands she answers anew; later, after a tenth more hands

She plays both seats. What she plays depends on the hands she has seen, in order, and nothing else.

>>> import workbench as wb
>>> from workbench.models.beliefs import Hand
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> learner = Adaptive(tree, budget=0.1, every=5)
>>> for _ in range(5):  # she bets the King, and the opponent calls with a Jack
...     learner.saw(Hand.played(tree, 0, [(-1, "K"), (-1, "J"), (0, "b"), (1, "b")]))
>>> learner.believes().round(2).head(1)
   player information set action  probability  times  prior
0       2             J b      p         0.29    0.0    1.0
>>> [round(answer.risk, 6) for answer in learner.answers]  # she has not met seat 0 yet
[0.1, 0.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from workbench.evaluation.values import seated
from workbench.later import pd
from workbench.linear_programs import need_zero_sum
from workbench.models.answers import Answer, data_biased_response, gifts
from workbench.models.beliefs import Counts, Hand, Model, need_hand
from workbench.policies import Policy, as_policy
from workbench.rules import GameError
from workbench.settings import need_bool, need_kind, need_number, need_one_of, need_whole
from workbench.solvers.base import average, iterate
from workbench.solvers.cfr import CFRPlus
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree, kept, need_tree

ROUNDING = 1e-9  # of a linear program
SHARE = 0.1  # of an account with gifts that may be risked in one hand
ITERATIONS = 300


@kept
def usual(tree: GameTree) -> Strategy:
    """What is expected of a stranger: nearly an equilibrium."""
    return average(tree, next(iterate(tree, CFRPlus(), every=ITERATIONS)))


class Adaptive:
    """A policy that learns from hands; see help('workbench.models.adaptive')."""

    def __init__(
        self,
        tree: GameTree,
        model: Model | None = None,
        *,
        answer: Literal["safe", "data-biased"] = "safe",
        budget: float | None = 0.1,  # None: whatever it costs
        gifts: bool = False,
        trust: float = 10.0,
        every: int = 10,
    ) -> None:
        need_zero_sum(need_tree(tree), "a player who learns")
        self.tree, self.model = tree, Counts(usual(tree)) if model is None else model
        need_kind("a model of an opponent, such as wb.models.Counts(strategy),", self.model, Model)  # type: ignore[type-abstract]
        if not self.model.tree.same_as(tree):
            raise GameError(f"the model is of {self.model.tree.name!r}, not of {tree.name!r}")
        self.answer = need_one_of("answer", answer, ("safe", "data-biased"))
        if self.answer == "data-biased" and self.model.times is None:
            raise GameError("a data-biased answer needs a model that counts: wb.models.Counts")
        if need_bool("gifts", gifts) and budget is None:
            raise GameError("gifts are added to a budget: give a number, 0 to risk gifts alone")
        self.budget = None if budget is None else need_number("budget", budget)
        self.gifts, self.trust = gifts, need_number("trust", trust)
        self.hands, self.every = 0, need_whole("every", every)
        self._aim()

    @cached_property
    def answers(self) -> tuple[Answer, Answer]:
        """What she plays now, in seat 0 and in seat 1."""
        model, trust, budget = self._facing
        one, two = (data_biased_response(model, i, trust, budget=budget) for i in (0, 1))
        return one, two

    @cached_property
    def strategy(self) -> Strategy:
        """The same as one strategy for both seats."""
        return seated([answer.strategy for answer in self.answers])

    @cached_property
    def _policy(self) -> Policy:
        return as_policy(self.strategy)

    @cached_property
    def _accounts(self) -> list[tuple[float, FloatArray]]:
        """For each seat: the risk of a hand, and (Z,) what it brings back."""
        return [(one.risk, gifts(one.strategy, one.player)) for one in self.answers]

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> Sequence[float]:
        """How likely she makes each move now."""
        return self._policy.probabilities(player, seen, actions)

    def believes(self) -> pd.DataFrame:
        """What she thinks of the opponent: the table of her model."""
        return self.model.table()

    def saw(self, hand: Hand) -> None:
        """A hand is over: remember it, and answer anew if it is time or the budget asks for it."""
        spent = False
        if need_hand(hand, self.tree) and self.gifts and self.budget is not None:
            risk, given = self._accounts[hand.player]
            self.budget = max(self.budget + float(given[hand.ends].min()) - risk, 0.0)
            spent = self.budget < max(one.risk for one in self.answers) - ROUNDING
        self.model.saw(hand)
        self.hands += 1
        if self.hands >= self._next or spent:
            self._aim()

    def _aim(self) -> None:
        """Fix what the next answers are to; they are computed when somebody asks."""
        self._next = self.hands + max(self.every, self.hands // 10)
        times, trust = self.model.times, np.ones(())
        if self.answer == "data-biased" and times is not None:
            trust = times / np.maximum(times + self.trust, ROUNDING)
        budget = SHARE * self.budget if self.gifts and self.budget else self.budget
        self._facing = self.model.strategy, trust, budget
        for found in ("answers", "strategy", "_policy", "_accounts"):
            self.__dict__.pop(found, None)

    def __repr__(self) -> str:
        left = "any" if self.budget is None else f"{self.budget:.4g}"
        return f"Adaptive player of {self.tree.name!r} after {self.hands} hands, budget {left}"
