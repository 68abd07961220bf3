"""Opponents with a mind: one thinks at the table, one learns from you, one plays for the match.

    "searching"     knows the game roughly (`ROUGH` iterations, or an abstraction), and solves what
                    is left of the hand before each of its moves (`wb.search.Searcher`)
    "learning"      begins as an equilibrium and counts what you do; every `EVERY` hands it answers
                    anew, and risks `BUDGET` of the game's unit a hand to win more from you
                    (`wb.models.Adaptive`). It sees your cards at a showdown only
    "match"         plays Toepen for the match, not for points: it looks at the tally

What a learner knows follows from the hands of the session, in their order. So it is made from them:
a session that was saved and loaded goes on as if it had never stopped.

>>> from workbench.games.registry import load_game
>>> kuhn = load_game("kuhn")
>>> policies, _ = mind_named("learning", kuhn, EquilibriumCache(), None)
>>> folds = Hand(1, kuhn, (1, 0), ((-1, "J"), (-1, "Q"), (0, "b"), (1, "p")))  # you hold the Queen
>>> def bluffs(n): return policies(kuhn, (folds,) * n).probabilities(0, ("J", ""), ("p", "b"))[1]
>>> bluffs(20) > bluffs(0) + 0.1
True
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pkgutil import resolve_name
from typing import Any

import numpy as np

from workbench import disk_cache
from workbench._version import __version__
from workbench.abstraction.abstraction import abstract
from workbench.lab.play.equilibrium_cache import EquilibriumCache, key_of, solved, treeless
from workbench.lab.play.hand_record import YOU, Hand, possible
from workbench.match_play import MatchPlay, hands_of, solve_match
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Hand as Seen
from workbench.policies import Policy, as_policy
from workbench.rules import GameError, Rules
from workbench.runs.solve import solve
from workbench.search.searcher import Searcher
from workbench.tree import GameTree

ROUGH = 50  # iterations of a blueprint
THINKING = 200  # iterations of a thought
EVERY, BUDGET = 5, 0.1
LEARNT = 6_000  # information sets, at most: an answer then takes about a second
LOSSLESS = ("lossless-suits", "null")  # abstractions that forget the names of suits only
OF_A_MATCH, OF_A_HAND = ("pcfr+", 300), ("cfr+", 500)  # who solves it, with so many iterations

Policies = Callable[..., Policy]  # of rules, and of the hands so far


def mind_named(
    who: str, rules: Rules, book: EquilibriumCache, abstraction: str | None
) -> tuple[Policies, bool]:
    """How an opponent with a mind plays, and whether the book must know the game before."""
    if rules.players != 2:
        raise GameError(
            f"the opponent {who!r} plays against one other, not at a table for {rules.players}"
        )
    if who == "match" and not isinstance(getattr(rules, "match", None), str):
        raise GameError(f"the opponent 'match' plays matches, and {rules.name!r} has none")
    tree = treeless(rules) is None
    if who != "searching" and not tree:
        raise GameError(f"the opponent {who!r} needs a game tree, and {rules.name!r} has none")
    if who != "searching" and abstraction is not None:
        raise GameError(f"the opponent {who!r} plays the whole game: it takes no abstraction")
    return MINDS[who](book, abstraction), not tree


def minds_for(rules: Rules, match: bool = False) -> list[str]:
    """Who of them can play a game, or a match of it, by name."""
    if rules.players != 2 or solved(rules):
        return []
    return ["searching"] if treeless(rules) is not None else [*MINDS][: 3 if match else 2]


class _Minds:
    """What is made once for each game: here a searcher."""

    def __init__(self, book: EquilibriumCache, abstraction: str | None = None) -> None:
        self.book, self.abstraction = book, abstraction
        self.known: dict[Any, Any] = {}

    def __call__(self, rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        if (key := self.key(rules)) not in self.known:
            self.known[key] = self.make(rules)
        policy: Policy = self.known[key]
        return policy

    def key(self, rules: Any) -> Any:
        return key_of(rules)

    def make(self, rules: Any) -> Any:
        if treeless(rules) is not None:
            rough = self.book.strategy(rules, self.abstraction)
            # Rhode Island from its second round on, Hold'em on the river: under a second each
            return Searcher(rough, when=1, iterations=THINKING)
        tree, cut = self.book.tree(rules), self.abstraction
        rough = solve(tree, iterations=ROUGH, checkpoints=ROUGH, abstraction=cut).strategy
        return Searcher(rough, iterations=THINKING)


class _Learners(_Minds):
    """Learners know the hands so far; if they are others than they knew, they begin again."""

    def __call__(self, rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        key = key_of(rules)
        mine = tuple(hand for hand in hands if key_of(hand.rules) == key)
        known = self.known.get(key)
        if known is None or known.known != mine[: len(known.known)]:
            known = self.known[key] = _Learner(self.book.tree(rules))
        known.see(mine)
        return known


class _Learner(Adaptive):
    """A player who learns; the names of suits mean nothing to her, if the game can do without."""

    def __init__(self, whole: GameTree) -> None:
        self.whole, self.known = whole, tuple[Hand, ...]()
        named = getattr(whole.rules, "abstractions", {})
        suits = next((name for name in LOSSLESS if name in named), None)
        self.merged = abstract(whole, suits) if suits else None
        coarse = self.merged.coarse if self.merged else whole
        if coarse.num_infosets > LEARNT:
            raise GameError(
                f"the opponent 'learning' learns games of up to {LEARNT:,} information sets; "
                f"{whole.name!r} has {coarse.num_infosets:,}"
            )
        super().__init__(coarse, budget=BUDGET, every=EVERY)

    def see(self, hands: tuple[Hand, ...]) -> None:
        """Learn from the hands that are new; of each what her seat could see."""
        for hand in hands[len(self.known) :]:
            asked = [possible(hand.rules.node(step.before)) for step in hand.steps]
            steps = [step for step, may in zip(hand.steps, asked, strict=True) if len(may) > 1]
            moves = [(step.player, step.what) for step in steps]
            seat = 1 - hand.seat_of(YOU)
            self.saw(Seen(self.tree, seat, Seen.played(self.whole, seat, moves).ends))
        self.known = hands

    @cached_property
    def _policy(self) -> Policy:
        return as_policy(self.merged.lift(self.strategy) if self.merged else self.strategy)


class _Matches(_Minds):
    """Play for the match: limits say how far everybody is from the bound."""

    play: MatchPlay | None = None

    def key(self, rules: Any) -> Any:
        return rules  # every tally is another game

    def make(self, rules: Any) -> Policy:
        if rules.limits is None:
            how = "give match=15, in a terminal --match"
            raise GameError(f"the opponent 'match' plays for a match: {how}")
        bound = max(rules.limits)
        if self.play is None or self.play.match.bound < bound:
            plain = replace(rules, suit_isomorphism=True, limits=None)
            self.play = _valued(resolve_name(rules.match)(plain, bound))
        tree, play = self.book.tree(rules), self.play
        outcome = np.unique(tree.utility, axis=0, return_inverse=True)[1].ravel()
        tally = tuple(play.match.bound - limit for limit in rules.limits)
        hand = play.hands[tally]._replace(tree=tree, outcome=outcome)
        solver, many = OF_A_HAND
        game = hand.paying(play.worth, zero_sum=True)
        return as_policy(solve(game, solver, many, checkpoints=many, progress=False).strategy)


def _valued(match: Any) -> MatchPlay:
    """What every tally of a match is worth, from the cache or in some ten seconds."""
    play = MatchPlay(match, hands_of(match), {})
    key = repr((__version__, match, OF_A_MATCH, [*play.hands]))
    if (kept := disk_cache.load("matches", key)) is None:
        kept = {"worth": solve_match(match, *OF_A_MATCH).worth}
        disk_cache.save("matches", key, kept)
    vars(play)["worth"] = kept["worth"]
    return play


MINDS = {"searching": _Minds, "learning": _Learners, "match": _Matches}
