"""What each action is worth in a card game without a tree: hands are judged by the card engine.

The numbers are those of `action_values.py`: you play the action, then as well as one can, and the
other one plays the strategy. The part of the game that begins with the present round
(`poker/search/endgame.py`) says what each hand wins so, against all hands that she may have.

Rhode Island is judged hand by hand. Hold'em has too many hands for that; they are judged between
buckets. Everyday example: you raise with queen-four. To a player with three buckets this is "a
middling hand", like two deuces, so what can be said is how much raising wins on average with the
middling hands, against an opponent whose hands are weak, middling or strong as often as the cards
make them. What your queen adds to that nobody has counted.
"""

from functools import cache, partial
from typing import Any

import numpy as np

from workbench.games.words import words_for
from workbench.lab.play.action_values import NEVER, TREMBLE, Worth
from workbench.lab.play.review import Judge
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response.reach import played, reaching
from workbench.poker.search.endgame import Part, bucket_part, part_after
from workbench.tree import FloatArray

NOTE = (
    "Judged within buckets: all hands of a bucket count as one, so a cost is a mean over hands "
    "like yours, and it supposes that both of you see no more than buckets ({}). Costs below "
    "{} are within the error of the solver. The real game is too large to be judged."
)
EXACT = "Costs below {} are within the error of the solver."


class CardJudge(Judge):
    """Reviews hands against a strategy of a card game: on boards, or with nested buckets."""

    def __init__(self, reference: PublicStrategy) -> None:
        self.sigma, self.game = reference, reference.played.real
        rules: Any = self.game.rules
        self.rules, self.exact = rules, self.game.on_boards
        self.small = 0.4 if self.exact else 10.0  # twice what the solver leaves: chips, mbb
        small = words_for(rules).amount(self.small)
        classes = () if self.exact else self.game.buckets.classes
        self.note = EXACT.format(small) if self.exact else NOTE.format(
            ", ".join(map(str, classes)), small
        )  # fmt: skip
        self._value = cache(lambda seat: self.game.worth(seat, self.game.spelled_out(self.sigma)))
        self._known: dict[tuple[Any, ...], Worth] = {}

    def worth(self, seat: int, seen: Any) -> Worth:
        private, public, betting = self.rules.spot(seen)
        r, start, _ = self.rules.betting.start_of(betting)
        if self.exact:
            part = part_after(self.sigma, r, public, start, 0.0)
        else:
            part = bucket_part(self.game, r, start)
        hand = int(part.places(public)[self.rules.deck.hand(private)])
        key = seat, betting, public if self.exact else (), hand
        if key not in self._known:
            self._known[key] = self.worth_in(part, seat, betting, hand)
        return self._known[key]

    def worth_in(self, part: Part, seat: int, betting: str, hand: int) -> Worth:
        """The actions of a hand of the round with which a part begins."""
        limit = self.rules.betting
        at, (r, start, node) = limit.follow(betting), limit.start_of(betting)
        reach = self._reach(part, 1 - seat, betting)
        every = part.met(np.ones(reach.shape))[hand, 0]
        often = float(part.met(reach)[hand, 0] / every)
        if trembling := often < NEVER:
            reach = self._reach(part, 1 - seat, betting, TREMBLE)
        there = part.met(reach)[hand, 0]
        values = part.by_action(seat, part.plan_of(self.sigma), node, reach[:, 0])[:, hand] / there
        things = partial(part.things, r)
        nodes = self.sigma.played.nodes_at(r, np.array([start]), node)
        probs = self.sigma.choices(nodes, things)[:, hand, 0]
        beliefs = part.met(np.diagflat(reach))[hand] / there  # what each of hers adds
        own = float(self._reach(part, seat, betting)[hand, 0])
        return Worth(
            -1, at.actions, probs, values, np.arange(len(beliefs)), beliefs, often, own, trembling,
        )  # fmt: skip

    def _reach(self, part: Part, player: int, betting: str, tremble: float = 0.0) -> FloatArray:
        """(n, 1) with which probability a player bets so, holding each hand."""
        r, start, node = self.rules.betting.start_of(betting)
        n = len(part.spaces[0].above)
        reach = reaching(self.sigma, player, r, part.things, n, tremble)[:, start : start + 1]
        things = partial(part.things, r)
        found = played(self.sigma, player, r, np.array([start]), things, reach, tremble)
        return np.asarray(found[node])
