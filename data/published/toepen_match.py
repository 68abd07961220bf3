"""Does the tally matter? A match of Toepen to fifteen, solved as a stochastic game.

Le (2021, section 3.1) studies one hand, because "far from the bound" play should not depend on the
points that the players have. Here every hand of a match pays the probability of winning the match
(`workbench.match_play`), so the claim can be measured. Two players are compared at a tally:

    match play    the equilibrium of the match: it knows the tally
    hand play     the equilibrium of one hand that pays points, by the rules of that hand: so plays
                  somebody who never looks at the tally (but may not bet beyond the bound)

The *cost* of hand play in one hand is what it gives up there against the best answer, if both play
the match well afterwards. Costs are percentages of matches. Nobody is *within reach* of the bound
if even the highest stake of the hand leaves both players below it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.evaluation.values import best_response, expected_values, seated
from workbench.games.toepen.match import ToepenMatch
from workbench.games.toepen.rules import Toepen
from workbench.lab.analysis.equilibrium_range import equilibrium_range
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.match_play import MatchPlay, solve_match, sweep
from workbench.runs.solve import solve
from workbench.strategy import Strategy

DECK = Toepen(suits=3, ranks=3, hand=2, suit_isomorphism=True)
SMALL = Toepen(suits=2, ranks=3, hand=2, suit_isomorphism=True)
BOUND, TWICE = 15, 30
STAKE = 1 + 2 * DECK.hand  # the highest of a hand: everybody bets before every card
LEADS = (0, 2, 4, 6, 8)  # points that the other player has, at (0, …)
PERCENT = 100.0
EQUILIBRIA = "equilibria of a hand"
SMALL_COST = 0.1  # percent of matches: what counts as no difference


def hand_play(play: MatchPlay, solver: str = "lp", iterations: int = 1) -> MatchPlay:
    """Every hand solved as if it were the only one; far from the bound they are all one game."""
    trees = {id(hand.tree): hand.tree for hand in play.hands.values()}
    found = {key: solve(tree, solver, iterations).strategy for key, tree in trees.items()}
    chosen = {tally: found[id(hand.tree)] for tally, hand in play.hands.items()}
    return MatchPlay(play.match, play.hands, chosen)


class Costs:
    """A match and what hand play costs in it."""

    def __init__(self, rules: Toepen, bound: int, solver: str, iterations: int) -> None:
        self.rules, self.bound = rules, bound
        match = ToepenMatch(rules, bound)
        self.play = solve_match(match, solver, iterations)
        self.hand = hand_play(self.play)  # the corner that the linear program finds

    @cached_property
    def one(self) -> dict[tuple[int, int], Any]:
        """(2,) what hand play costs in the hand at a tally, for the player in each seat."""
        found, worth = {}, self.play.worth
        for s, (tally, hand) in enumerate(self.play.hands.items()):
            sigma = Strategy(hand.paying(worth), self.hand.strategies[tally].probs)
            found[tally] = PERCENT * np.array(
                [best_response(sigma, 1 - seat).value - worth[s, 1 - seat] for seat in (0, 1)]
            )
        return found  # type: ignore[return-value]

    def out_of_reach(self, tally: tuple[int, ...]) -> bool:
        return max(tally) + STAKE < self.bound

    def whole(self, play: MatchPlay) -> float:
        """What a way to play loses over the match to its best answer, seats averaged."""
        return float(PERCENT * (play.best[-1] - self.play.worth[-1]).mean())

    @cached_property
    def other(self) -> MatchPlay:
        """Hand play by another equilibrium, one that CFR comes to."""
        return hand_play(self.play, "pcfr+", 2000)

    def mixed(self, hand: MatchPlay) -> MatchPlay:
        """Hand play while nobody is within reach of the bound, match play from then on."""
        both = {True: hand.strategies, False: self.play.strategies}
        chosen = {tally: both[self.out_of_reach(tally)][tally] for tally in self.play.hands}
        return MatchPlay(self.play.match, self.play.hands, chosen)

    def meeting(self) -> float:
        """What hand play loses to match play over the match, seats averaged."""

        def answer(tally: Any, hand: Any, later: Any) -> list[float]:
            ways = [
                Strategy(hand.paying(later), of.strategies[tally].probs)
                for of in (self.hand, self.play)
            ]
            met = enumerate((ways, ways[::-1]))
            return [float(expected_values(seated(two))[seat]) for seat, two in met]

        met = sweep(self.play.hands, answer)[-1]  # hand play sits in this seat
        return float(PERCENT * (self.play.worth[-1] - met).mean())

    def least(self, tally: tuple[int, int]) -> float:
        """What even the best of all equilibria of the hand costs at a tally, seats averaged."""
        hand = self.play.hands[tally]
        full, every = hand.paying(self.play.worth, zero_sum=True), np.arange(hand.tree.num_choices)
        same = Abstraction("points", full, hand.tree, every.astype(np.int32), np.ones(len(every)))
        return PERCENT * equilibrium_range(same, tries=1).smallest


class Work:
    """The matches, each solved when it is first asked for."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.solver = effort.pick(("lp", 1), ("pcfr+", 300))
        self.settings = {
            "game": f"match of {DECK.name} to {BOUND}, and of {SMALL.name} to {BOUND} and {TWICE}",
            "solver": f"{self.solver[0]}; to {TWICE}: pcfr+, 300 iterations", **NO_SEEDS,
        }  # fmt: skip

    @cached_property
    def match(self) -> Costs:
        return Costs(DECK, BOUND, *self.solver)

    @cached_property
    def long(self) -> Costs:
        self.effort.full_only("a match to 30 has 900 hands")
        return Costs(SMALL, TWICE, "pcfr+", 300)

    @cached_property
    def silent(self) -> Costs:
        return Costs(Toepen(3, 3, 2, betting=False, suit_isomorphism=True), BOUND, "lp", 1)


def _starts(work: Work) -> Ours:
    play = work.match.play
    wins = PERCENT * float(play.worth[-1, 0])
    return Ours(wins, facts={"could still be gained": PERCENT * play.gain}, holds=wins > 50.0)


def _whole(work: Work) -> Ours:
    costs = work.match
    facts = {"against match play": costs.meeting()}
    parts = {"lp": costs.whole(costs.hand), "pcfr+": costs.whole(costs.other)}
    return Ours.spread(parts, "lp", EQUILIBRIA, facts=facts, holds=min(parts.values()) > 1.0)


def _far(work: Work) -> Ours:
    costs = work.match
    parts = {
        "lp": costs.whole(costs.mixed(costs.hand)), "pcfr+": costs.whole(costs.mixed(costs.other))
    }  # fmt: skip
    return Ours.spread(parts, "lp", EQUILIBRIA, holds=min(parts.values()) > SMALL_COST)


def _largest(work: Work, equal: bool) -> Ours:
    """The most that hand play costs in one hand out of reach of the bound."""
    costs = work.match
    all_far = {at: cost.max() for at, cost in costs.one.items() if costs.out_of_reach(at)}
    far = {at: cost for at, cost in all_far.items() if (at[0] == at[1]) == equal}
    where = max(far, key=lambda at: far[at])
    facts: dict[str, Any] = {"at": {f"{where[0]} to {where[1]}": float(far[where])}}
    if equal:
        facts["at 0 to 0"] = float(costs.one[0, 0].max())
        return Ours(float(far[where]), facts=facts, holds=far[where] <= SMALL_COST)
    work.effort.full_only("the best of all equilibria of a hand is a program of twice the size")
    least = {f"0 to {lead}": costs.least((0, lead)) for lead in LEADS}
    facts |= {"at least, whatever equilibrium of the hand": least}
    return Ours(float(far[where]), facts=facts, holds=least["0 to 6"] > SMALL_COST)


def _border(work: Work) -> Ours:
    """The smallest lead at which hand play costs more than a little in a hand out of reach."""
    costs = work.match
    leads = {
        at: abs(at[0] - at[1])
        for at, cost in costs.one.items()
        if costs.out_of_reach(at) and cost.max() > SMALL_COST
    }
    mean = {
        str(lead): float(np.mean([
            cost.mean() for at, cost in costs.one.items()
            if costs.out_of_reach(at) and abs(at[0] - at[1]) == lead
        ]))
        for lead in range(0, BOUND - STAKE, 2)
    }  # fmt: skip
    lead = min(leads.values())
    return Ours(lead, facts={"mean cost by lead": mean}, holds=lead <= 2)


def _near(work: Work) -> Ours:
    costs = work.match
    cost = {at: float(cost.max()) for at, cost in costs.one.items()}
    where = max(cost, key=lambda at: cost[at])
    facts = {"at": {f"{where[0]} to {where[1]}": cost[where]}}
    return Ours(cost[where], facts=facts, holds=not costs.out_of_reach(where))


def _longer(work: Work) -> Ours:
    """The cost at a lead of six from the start, in a match to 15 and in one to 30."""
    one, back = work.long.one, TWICE - BOUND
    short, long = (float(one[at, at + 6].mean()) for at in (back, 0))
    facts = {"to 15": short, "to 30": long, "could still be gained": PERCENT * work.long.play.gain}
    return Ours(short / long, facts=facts, holds=short > long)


def _silent(work: Work) -> Ours:
    costs = work.silent
    value = costs.whole(costs.hand)
    return Ours(value, holds=abs(value) < 1e-6)


ENTRIES = {
    "workbench-toepen-match": Entry(
        """Our findings about matches of Toepen: what it costs to ignore the tally.

        How: see `toepen_match.py`. A match to 15 between two, three suits of three ranks, two
        cards each, with betting; every hand at every tally is solved by linear programming, the
        last ones first. Costs are in per cent of matches. An equilibrium of a hand need not be
        unique: whole matches are measured with the corner that the linear program finds and with
        what CFR comes to; where it says "whatever equilibrium", it is the one that costs least at
        that tally, by linear programming too. Two causes are taken away: bets (then a hand is won
        or lost and its stake cannot matter) and the nearness of the bound (30 points instead of
        15).
        """,
        Work,
        {
            "the player who starts wins": _starts,
            "hand play at every tally": _whole,
            "hand play while nobody is within reach": _far,
            "one hand out of reach, equal tallies": (_largest, True),
            "one hand out of reach, unequal tallies": (_largest, False),
            "one hand within reach": _near,
            "the lead from which a hand costs 0.1 %": _border,
            "a match to 15 against one to 30": _longer,
            "without betting": _silent,
        },
    ),
}
