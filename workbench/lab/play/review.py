"""After the hand: what each decision cost, and what was only luck.

Everyday example: you call with a Queen, the other one shows a Jack, you win two chips. Well played?
You could not see the Jack. Against somebody who bets like that, calling loses 1.31 chips on average
and folding 1.00: the call cost 0.31, and the chips you won are luck.

A hand is judged against a *reference*, the equilibrium that all seats play. For each of your
decisions `action_values.py` gives the value of every action: you play it, from then on as well as
one can, and the others play the reference; they hold what the reference makes you believe they
hold. The cost is the best value minus the value of what you chose. Then

    payoff = value of your seat − cost of your decisions + luck

where the value is the best anybody can do against the reference (in an equilibrium: what the
reference wins there). `luck` is defined as the rest: what cards and the others' dice gave. If the
others play the reference, luck is zero on average, whatever you do: between two of your decisions
the value you can expect goes up and down, and its mean stays. So over many hands the payoffs and
`value − cost` have the same mean, but the second one has far less noise: it is the luck-adjusted
score. If the others play something else, their mistakes count as your luck.

With three and more players an equilibrium promises less (others may gang up by accident), and the
solver's answer is one of many. The numbers are still exact, against others who play just that.

>>> import workbench as wb
>>> def equilibrium(player, seen, actions):
...     bets = {"J": 0, "Q": 0, "K": 0, "Jp": 1/3, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": 1/3, "Kb": 1,
...             "Jpb": 0, "Qpb": 1/3, "Kpb": 1}["".join(seen)]
...     return 1 - bets, bets
>>> kuhn = wb.load_game("kuhn")
>>> judge = Judge(Strategy.from_function(wb.compile_game(kuhn), equilibrium))
>>> hand = wb.play.Hand(1, kuhn, (1, 0), ((-1, "J"), (-1, "Q"), (0, "p"), (1, "b"), (0, "p")))
>>> found = judge.review(hand, seat=1)
>>> f"value {found.value:.4f}, cost {found.cost:.4f}, luck {found.luck:.4f}, payoff {found.payoff}"
'value 0.0556, cost 0.5000, luck 1.4444, payoff 1.0'
>>> print(found.verdicts[0])
Betting cost you 0.50 chips on average: betting −0.50, passing 0.00.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np

from workbench.evaluation.values import best_response
from workbench.games.words import Words as Words
from workbench.games.words import words_for as words_for
from workbench.lab.play.action_values import Worth, worth
from workbench.lab.play.grammar import gerund, past
from workbench.lab.play.hand_record import Hand
from workbench.policies import Step
from workbench.rules import GameError
from workbench.strategy import Strategy, need_strategy

SMALL = 0.005  # a cost that would be written 0.00


@dataclass(frozen=True, eq=False)
class Verdict:
    """One decision, judged. `str(verdict)` says it in words."""

    step: Step
    worth: Worth
    words: Words
    who: str = "You"
    small: float = SMALL

    @property
    def cost(self) -> float:
        return self.worth.cost(self.step.what)

    @property
    def probability(self) -> float:
        """How often the reference makes this move."""
        return float(self.worth.probs[self.worth.actions.index(self.step.what)])

    @property
    def fine(self) -> bool:
        """True if no move was better, up to rounding."""
        return self.cost < self.small

    def move(self, action: Any) -> str:
        """What an action is called here."""
        return self.words.move(action, self.step.seen, self.worth.actions)

    @property
    def habit(self) -> str:
        """What was done, and what should have been: "called instead of folding"."""
        return f"{past(self.move(self.step.what))} instead of {gerund(self.move(self.worth.best))}"

    def __str__(self) -> str:
        chosen = self.step.what
        order = sorted(self.worth.actions, key=lambda a: (a != chosen, -self.worth.value(a)))
        say = self.words.number
        values = ", ".join(f"{gerund(self.move(a))} {say(self.worth.value(a))}" for a in order)
        doing = gerund(self.move(chosen))
        doing = doing[:1].upper() + doing[1:]
        whom = "you" if self.who == "You" else self.who
        if self.fine:
            often = "" if self.worth.strayed else f"; the equilibrium {_often(self.probability)}"
            seen = {say(self.worth.value(a)) for a in (chosen, self.worth.best)}
            loose = self.small > SMALL and len(seen) > 1  # the numbers beside it say that it lost
            nearly = " within the error of the solver" if loose else ""
            text = f"{doing} was right{nearly}: {values}{often}."
        else:
            cost = self.words.amount(self.cost)
            text = f"{doing} cost {whom} {cost} on average: {values}."
        slip = " (The equilibrium never comes here: this counts on others who got here by a slip.)"
        return text + slip if self.worth.trembling else text


def _often(probability: float) -> str:
    r"""
    >>> _often(0.5), _often(0.9999), _often(0.0)
    ('does it 50\xa0% of the time', 'always does it', 'never does it')
    """
    if 0.005 <= probability <= 0.995:
        return f"does it {probability * 100:.0f}\u00a0% of the time"
    return f"{'always' if probability > 0.5 else 'never'} does it"


@dataclass(frozen=True, eq=False)
class Review:
    """A hand as one seat played it; see help('workbench.lab.play.review')."""

    hand: Hand
    seat: int
    verdicts: tuple[Verdict, ...]
    value: float  # of the seat, against the reference
    words: Words = field(repr=False)
    note: str = ""  # what the numbers leave out

    @property
    def payoff(self) -> float:
        return self.hand.payoffs[self.seat]

    @property
    def cost(self) -> float:
        return sum(verdict.cost for verdict in self.verdicts)

    @property
    def luck(self) -> float:
        return self.payoff - self.value + self.cost

    def __str__(self) -> str:
        """The whole review in a few lines."""
        lines = [f"{k}. {verdict}" for k, verdict in enumerate(self.verdicts, 1)]
        note = [self.note] if self.note else []
        return "\n".join([*(lines or ["There was nothing to decide."]), self.summary, *note])

    @property
    def summary(self) -> str:
        """One sentence: payoff = value − cost + luck."""
        verb = "won" if self.payoff > 0 else "lost"
        won = f"{verb} {self.words.amount(abs(self.payoff))}"
        say = partial(self.words.number, sign=True)
        result = f"You {won if self.payoff else 'came out even'}"
        if self.hand.match:  # its points are penalties, and fewer are better
            result = f"This hand was worth {say(self.payoff)} to you"
        return (
            f"{result}: {say(self.value)} for the seat, {say(-self.cost)} for your decisions, "
            f"{say(self.luck)} luck."
        )


class Judge:
    """Reviews hands of one game against a reference strategy."""

    small, note = SMALL, ""

    def __init__(self, reference: Strategy) -> None:
        self.reference = need_strategy(reference)
        self._value = cache(lambda seat: best_response(self.reference, seat).value)
        self._worth = cache(partial(worth, self.reference))

    def value(self, seat: int) -> float:
        """The best that anybody can do in this seat against the reference."""
        return self._value(seat)

    def worth(self, seat: int, seen: Any) -> Worth:
        """The actions of the infoset where this seat has seen exactly this."""
        return self._worth(self.reference.tree.find_infoset(seen, seat))

    def verdict(self, step: Step, words: Words, who: str = "You") -> Verdict:
        """What one decision costs."""
        return Verdict(step, self.worth(step.player, step.seen), words, who, self.small)

    def review(self, hand: Hand, seat: int, who: str = "You") -> Review:
        """What the decisions of a seat cost in a hand of this game."""
        if seat not in range(hand.rules.players):
            raise GameError(f"{hand.rules.name!r} has seats 0 to {hand.rules.players - 1}: {seat}?")
        words = words_for(hand.rules)
        mine = hand.decisions_of(hand.seats[seat])
        verdicts = tuple(self.verdict(step, words, who) for step in mine)
        return Review(hand, seat, verdicts, self.value(seat), words, self.note)


class SolvedJudge(Judge):
    """Of rules that bring their solution; before a hand a seat has nothing to expect of it."""

    def __init__(self, reference: Any) -> None:
        self.solution = reference

    def value(self, seat: int) -> float:
        return 0.0

    def worth(self, seat: int, seen: Any) -> Worth:
        found = self.solution.worth(seat, seen)
        probs = np.array(self.solution.probabilities(seat, seen, [*found]))
        here, values = np.zeros(1, np.int64), np.array([*found.values()])
        return Worth(-1, (*found,), probs, values, here, np.ones(1), 1.0, 1.0, False)
