"""What each action is worth inside of buckets: hands of Hold'em are judged as far as that goes.

Everyday example: you raise with queen-four. To a player with three buckets this is "a middling
hand", like two deuces, so what can be said is how much raising wins on average with the middling
hands, against an opponent whose hands are weak, middling or strong as often as the cards make them.
What your queen adds to that nobody has counted: the real game is too large.

The numbers are those of `action_values.py`, in the game between buckets (`poker/card_game.py`),
and as exact there: you play the action, then as well as one can who sees your buckets, and the
other one plays the strategy. With b, b' for the buckets of both,

    value[b]   after a fold       ± stake · Σ_b' meets[b, b'] reach[b']
               at the showdown      stake · Σ_b' wins[b, b'] reach[b']
               before a new card    the sum over the buckets that b may turn into
               at your decision     the best action; at the other's, the sum over actions

where `reach` is the probability that the other one plays so, holding b'.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.games.words import words_for
from workbench.lab.play.action_values import NEVER, TREMBLE, Worth
from workbench.lab.play.review import Judge
from workbench.poker.joint_buckets import joint_buckets
from workbench.poker.public_strategy import PublicStrategy
from workbench.tree import FloatArray

NOTE = (
    "Judged inside of buckets: all hands of a bucket count as one, so a cost is a mean over hands "
    "like yours, and it supposes that both of you see no more than buckets ({}). Costs below "
    "{} are within the error of the solver. The real game is too large to be judged."
)
SMALL = 10.0  # milli big blinds


class BucketJudge(Judge):
    """Reviews hands against a strategy with nested buckets."""

    small = SMALL

    def __init__(self, reference: PublicStrategy) -> None:
        self.sigma, game = reference, reference.played
        self.rules: Any = game.rules
        buckets: Any = game.buckets
        self.limit = self.rules.betting
        joint = joint_buckets(buckets)
        self.meets, self.wins = joint.rounds(buckets), joint.wins
        self.parent = [np.array(buckets.parents(r)) for r in (1, 2, 3)]
        self.plan = game.views(reference.probs)  # (choices, buckets, starts)
        rules: Any = game.rules
        small = words_for(rules).amount(SMALL)
        self.note = NOTE.format(", ".join(map(str, buckets.classes)), small)
        self._values: dict[int, float] = {}
        self._known: dict[tuple[int, str, int], Worth] = {}

    def value(self, seat: int) -> float:
        if seat not in self._values:
            everything = np.ones(len(self.meets[0]))
            self._values[seat] = float(self.best(seat, "", everything).sum())
        return self._values[seat]

    def worth(self, seat: int, seen: Any) -> Worth:
        private, public, betting = self.rules.spot(seen)
        bucket = self.sigma.played.buckets.sequence(private, public)[-1]
        key = seat, betting, bucket
        if key not in self._known:
            self._known[key] = self._worth_of(*key)
        return self._known[key]

    def _worth_of(self, seat: int, betting: str, bucket: int) -> Worth:
        at = self.limit.follow(betting)
        meets = self.meets[at.round][bucket]
        reach = self.reach(1 - seat, betting)
        often = float(meets @ reach / meets.sum())
        trembling = often < NEVER
        if trembling:
            reach = self.reach(1 - seat, betting, TREMBLE)
        beliefs = meets * reach
        values = [self.best(seat, betting + move, reach)[bucket] for move in at.actions]
        return Worth(
            -1, at.actions, self.probs(betting)[bucket], np.array(values) / beliefs.sum(),
            np.arange(len(meets)), beliefs / beliefs.sum(), often,
            float(self.reach(seat, betting)[bucket]), trembling,
        )  # fmt: skip

    def probs(self, betting: str) -> FloatArray:
        """(buckets, actions) what the strategy does after this betting."""
        r, start, node = self.limit.start_of(betting)
        one = self.limit.rounds[r]
        low = one.first[node]
        return np.asarray(self.plan[r][low : low + one.count[node], :, start].T)

    def reach(self, player: int, betting: str, tremble: float = 0.0) -> FloatArray:
        """(buckets,) with which probability a player bets so, holding each bucket."""
        found = np.ones(len(self.meets[0]))
        for k, move in enumerate(betting):
            at = self.limit.follow(betting[:k])
            if move == "/":
                found = found[self.parent[at.round]]
            elif at.player == player:
                probs = self.probs(betting[:k])[:, at.actions.index(move)]
                found = found * ((1 - tremble) * probs + tremble / len(at.actions))
        return found

    def best(self, seat: int, betting: str, reach: FloatArray) -> FloatArray:
        """(buckets,) what a seat wins at best from here, times the chance to be here."""
        at = self.limit.follow(betting)
        if at.folded >= 0:
            stake = min(at.paid) if at.folded != seat else -min(at.paid)
            return np.asarray(float(stake) * (self.meets[at.round] @ reach))
        if at.player < 0 and at.round == len(self.meets) - 1:
            return np.asarray(float(at.paid[0]) * (self.wins @ reach))
        if at.player < 0:
            parent = self.parent[at.round]
            later = self.best(seat, betting + "/", reach[parent])
            return np.asarray(np.bincount(parent, later, len(reach)), np.float64)
        after = [betting + move for move in at.actions]
        if at.player == seat:
            return np.asarray(np.max([self.best(seat, one, reach) for one in after], axis=0))
        probs = self.probs(betting)
        found = [self.best(seat, one, reach * probs[:, k]) for k, one in enumerate(after)]
        return np.asarray(np.sum(found, axis=0))
