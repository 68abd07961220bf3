"""Opponents with a mind: one thinks at the table, one learns from you, one plays for the match.

    "searching"     knows the game roughly (`ROUGH` iterations, or an abstraction), and solves what
                    is left of the hand before each of its moves (`wb.search.Searcher`)
    "learning"      begins as an equilibrium and counts what you do; every `EVERY` hands it answers
                    anew, and risks `BUDGET` of the game's unit a hand to win more from you
                    (`wb.models.Adaptive`). It sees your cards at a showdown only
    "match"         plays Toepen for the match, not for points: it looks at the tally

What a learner knows follows from the hands of the session, in their order. So it is made from them:
a session that was saved and loaded goes on as if it had never stopped.

>>> from workbench.lab.play.session import Session
>>> session = Session("kuhn", opponent="learning", seat=0, seed=0)
>>> for _ in range(5):
...     session.deal()
...     while session.asked:
...         session.play("p")
>>> title, believed = minds_at(session)[0]
>>> title
'What it believes about you after 5 hands'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench import disk_cache
from workbench._version import __version__
from workbench.abstraction.abstraction import abstract
from workbench.games.words import amount, words_for
from workbench.lab.play.equilibrium_cache import EquilibriumCache, key_of, treeless
from workbench.lab.play.grammar import past
from workbench.lab.play.hand_record import YOU, Hand
from workbench.match_play import Hand as MatchHand
from workbench.match_play import hands_of, solve_match
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Hand as Seen
from workbench.policies import Policy, Step, as_policy
from workbench.rules import GameError, Rules, label_of
from workbench.runs.solve import solve
from workbench.search.searcher import Searcher
from workbench.tree import FloatArray, GameTree

if TYPE_CHECKING:
    import pandas as pd

    from workbench.lab.play.session import Session

ROUGH = 50  # iterations of a blueprint
THINKING = 200  # iterations of a thought
EVERY, BUDGET = 5, 0.1
LEARNT = 6_000  # information sets, at most: an answer then takes about a second
LOSSLESS = ("lossless-suits", "null")  # abstractions that forget the names of suits only
OF_A_MATCH, OF_A_HAND = ("pcfr+", 300), ("cfr+", 500)  # who solves it, with so many iterations
ROWS = 8  # of a table that is shown
BELIEFS = {
    "information set": "you see", "action": "you do", "probability": "expected",
    "times": "times seen", "prior": "at first",
}  # fmt: skip

MINDS = ("searching", "learning", "match")
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
    if who == "searching":
        return _Thinkers(book, abstraction), treeless(rules) is not None
    if treeless(rules) is not None:
        raise GameError(f"the opponent {who!r} needs a game tree, and {rules.name!r} has none")
    return _Learners(book) if who == "learning" else _Matches(book), False


def minds_for(rules: Rules, match: bool = False) -> list[str]:
    """Who of them can play a game, or a match of it, by name."""
    if rules.players != 2:
        return []
    return ["searching"] if treeless(rules) is not None else [*MINDS][: 3 if match else 2]


class _Minds(ABC):
    """What is made once for each game."""

    def __init__(self, book: EquilibriumCache, abstraction: str | None = None) -> None:
        self.book, self.abstraction = book, abstraction
        self.known: dict[Any, Any] = {}

    def __call__(self, rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        if (key := key_of(rules)) not in self.known:
            self.known[key] = self.make(rules)
        policy: Policy = self.known[key]
        return policy

    @abstractmethod
    def make(self, rules: Rules) -> Any: ...


class _Thinkers(_Minds):
    def make(self, rules: Rules) -> Searcher:
        if treeless(rules) is not None:
            rough = self.book.strategy(rules, self.abstraction)
        else:
            tree, cut = self.book.tree(rules), self.abstraction
            rough = solve(tree, iterations=ROUGH, checkpoints=ROUGH, abstraction=cut).strategy
        return Searcher(rough, iterations=THINKING)


class _Learners(_Minds):
    """Learners know the hands so far; if they are others than they knew, they begin again."""

    def __call__(self, rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        key = key_of(rules)
        mine = tuple(hand for hand in hands if key_of(hand.rules) == key)
        known = self.known.get(key)
        if known is None or known.hands != mine[: len(known.hands)]:
            known = self.known[key] = self.make(rules)
        known.see(mine)
        return known

    def make(self, rules: Rules) -> _Learner:
        return _Learner(self.book.tree(rules))


class _Learner:
    """A player who learns; the names of suits mean nothing to her, if the game can do without."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.hands = tree, tuple[Hand, ...]()
        named = getattr(tree.rules, "abstractions", {})
        suits = next((name for name in LOSSLESS if name in named), None)
        self.merged = abstract(tree, suits) if suits else None
        coarse = self.merged.coarse if self.merged else tree
        if coarse.num_infosets > LEARNT:
            raise GameError(
                f"the opponent 'learning' learns games of up to {LEARNT:,} information sets; "
                f"{tree.name!r} has {coarse.num_infosets:,}"
            )
        self.player = Adaptive(coarse, budget=BUDGET, every=EVERY)
        self._played: tuple[Any, Policy] | None = None

    def see(self, hands: tuple[Hand, ...]) -> None:
        """Learn from the hands that are new; of each what her seat could see."""
        for hand in hands[len(self.hands) :]:
            steps = [step for step in hand.steps if step.kind == "chance" or len(step.actions) > 1]
            moves = [(step.player, step.what) for step in steps]
            seat = 1 - hand.seat_of(YOU)
            ends = Seen.played(self.tree, seat, moves).ends
            self.player.saw(Seen(self.player.tree, seat, ends))
        self.hands = hands

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> Sequence[float]:
        now = self.player.strategy
        if self._played is None or self._played[0] is not now:
            self._played = now, as_policy(self.merged.lift(now) if self.merged else now)
        return self._played[1].probabilities(player, seen, actions)

    def believes(self) -> pd.DataFrame:
        return self.player.believes()


class _Matches(_Minds):
    """Play for the match: limits say how far everybody is from the bound."""

    values: _Values | None = None

    def __call__(self, rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        if rules not in self.known:  # every tally is another game
            self.known[rules] = self.make(rules)
        policy: Policy = self.known[rules]
        return policy

    def make(self, rules: Any) -> Policy:
        if rules.limits is None:
            raise GameError("the opponent 'match' plays for a match: give match=15")
        bound = max(rules.limits)
        if self.values is None or self.values.bound < bound:
            plain = replace(rules, suit_isomorphism=True, limits=None)
            self.values = _values(resolve_name(rules.match)(plain, bound))
        tree, values = self.book.tree(rules), self.values
        outcome = np.unique(tree.utility, axis=0, return_inverse=True)[1].ravel()
        tally = tuple(values.bound - limit for limit in rules.limits)
        hand = values.hands[tally]._replace(tree=tree, outcome=outcome)
        solver, many = OF_A_HAND
        run = solve(hand.zero_sum(values.worth), solver, many, checkpoints=many, progress=False)
        return as_policy(run.strategy)


class _Values(NamedTuple):
    """What the tallies of a match are worth."""

    bound: int
    hands: dict[tuple[int, ...], MatchHand]
    worth: FloatArray


def _values(match: Any) -> _Values:
    """From the cache if they are there; else it takes some ten seconds."""
    key = repr((__version__, match, OF_A_MATCH))
    if (kept := disk_cache.load("matches", key)) is not None:
        return _Values(match.bound, hands_of(match), kept["worth"])
    play = solve_match(match, *OF_A_MATCH)
    disk_cache.save("matches", key, {"worth": play.worth})
    return _Values(match.bound, play.hands, play.worth)


# ---- what it considered, what it believes ------------------------------------------------


def minds_at(session: Session, hand: Hand | None = None) -> list[tuple[str, pd.DataFrame]]:
    """What the opponents considered in a hand (the last one), and what they believe by now: titles
    and tables. Nothing for those who have no thoughts to show."""
    if hand is None and session.played:
        hand = session.played[-1]
    found: list[tuple[str, pd.DataFrame]] = []
    for player, policy in enumerate(session.policies(hand.rules) if hand else (), 1):
        if hand is not None and isinstance(policy, Searcher):
            found += [_thought(policy, step, hand) for step in hand.decisions_of(player)]
        if isinstance(policy, (_Learner, Adaptive)):
            after = amount(len(session.hands), "hand")
            table = policy.believes().head(ROWS).drop(columns="player").rename(columns=BELIEFS)
            table[["expected", "at first"]] = table[["expected", "at first"]].map(_percent)
            found.append((f"What it believes about you after {after}", table))
    return found


def _thought(policy: Searcher, step: Step, hand: Hand) -> tuple[str, pd.DataFrame]:
    """Ask again, and look: an answer depends on what was seen, and on nothing else."""
    policy.probabilities(step.player, step.seen, step.actions)
    thought, words = policy.thought, words_for(hand.rules)
    moves = {
        label_of(action): words.move(action, step.seen, step.actions) for action in thought.actions
    }
    chances = zip(moves.values(), map(_percent, thought.probabilities), strict=True)
    often = ", ".join(f"{move} {chance}" for move, chance in chances)
    wins = {f"{name} wins": f"{move} wins" for name, move in moves.items()}
    table = thought.table().head(ROWS).rename(columns={"hand": "you hold", **wins})
    table["belief"] = table["belief"].map(_percent)
    table[[*wins.values()]] = table[[*wins.values()]].map(words.number)
    did = past(words.move(step.what, step.seen, step.actions))
    why = "it had thought" if thought.searched else "by heart"
    return f"It {did} ({often}; {why})", table


def _percent(share: float) -> str:
    return f"{share * 100:.{0 if share >= 0.1 else 1}f}\u00a0%"
