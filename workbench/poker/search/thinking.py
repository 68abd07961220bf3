"""A searcher at a card table without a tree: `resolve`, asked one hand at a time.

It answers for `Searcher`. Rhode Island is thought through from the round that is asked for. Hold'em
is thought through on the river, 1,081 real hands for each player; on the turn one iteration walks
46 rivers and takes as long as 100 here, so up to there the blueprint plays. The bets of these games
are all listed and a round is always solved to the end: there is nothing to cut off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from workbench.poker.search.endgame import Learner, part_after
from workbench.poker.search.resolving import Resolved, _floor, _place, need_solver, resolve_all
from workbench.rules import GameError
from workbench.search.thought import Thought


class CardMind:
    """What a searcher has worked out, for one board and betting after the other."""

    def __init__(self, how: Any) -> None:
        self.how, self.sigma, self.rules = how, how.blueprint, how.blueprint.tree.rules
        last = len(self.rules.betting.rounds) - 1
        if how.depth is not None or how.listed is not None or callable(how.when):
            raise GameError(
                f"in {self.rules.name!r} all bets are listed and a search goes to the end of the "
                "hand: leave out depth and listed, and give when= as the number of a round"
            )
        self.first = last if not self.sigma.tree.real.on_boards else how.when or 0
        self.solver = need_solver(how.solver)
        self.thought: Callable[[], Thought] | None = None
        self.known: dict[tuple[int, str, str], Resolved] = {}

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        began = time.monotonic()
        betting = seen[2]
        answer = self._resolved(player, seen) if betting.count("/") >= self.first else None
        probs = (answer or self.sigma).probabilities(player, seen, actions)
        spent = time.monotonic() - began
        self.thought = lambda: self._thought(player, seen, tuple(actions), probs, answer, spent)
        return list(probs)

    def _resolved(self, player: int, seen: Any) -> Resolved:
        """The rest of a hand from the first round on in which it thinks, for one seat."""
        how, cards = self.how, self.rules.deck.parse(seen[1])
        shown = cards[: sum(self.rules.public_cards[: self.first + 1])]
        board = " ".join(map(self.rules.deck.name, shown))
        betting = "".join(f"{one}/" for one in seen[2].split("/")[: self.first])
        key = player, board, betting
        if key not in self.known:
            number, _, start = _place(self.rules, board, betting)
            part = part_after(self.sigma, number, shown, start, how.tremble)
            guest = (1 - player, _floor(self.sigma, part, 1 - player)) if how.safe else ()
            learner = Learner(part, self.solver, *guest)
            self.known = dict([*self.known.items()][-7:])  # tables are large, hands are many
            answer = Resolved(self.sigma, board, betting, how.safe, {(player,): learner}, 0.0)
            self.known[key] = answer._go_on(how.iterations, how.seconds)
        return self.known[key]

    def strategy(self) -> Any:
        """All answers at once, where the game can list them."""
        how, last = self.how, len(self.rules.betting.rounds)
        return resolve_all(
            self.sigma, rounds=last - self.first, safe=how.safe, solver=how.solver,
            iterations=how.iterations, tremble=how.tremble, progress=False,
        )  # fmt: skip

    def _thought(
        self, player: int, seen: Any, actions: tuple[Any, ...], probs: Sequence[float],
        answer: Resolved | None, seconds: float,
    ) -> Thought:  # fmt: skip
        hands: tuple[str, ...] = ()
        belief, wins = np.zeros(0), np.zeros((0, len(actions)))
        if answer is not None and seen[2].count("/") == self.first:
            hands, belief, wins = self._hands(player, seen, actions, answer)
        searched = answer is not None
        return Thought(
            player, seen, actions, np.array(probs), hands, belief, wins, searched, seconds
        )

    def _hands(
        self, player: int, seen: Any, actions: tuple[Any, ...], answer: Resolved
    ) -> tuple[tuple[str, ...], Any, Any]:
        """The other player's hands here, how likely they are, and what my actions win from them:
        all that I hold is my hand, and on the way here both are held to what was done."""
        part, rules, other = answer.part, self.rules, 1 - player
        private, public, betting = rules.spot(seen)
        place, deck = part.places(public), rules.deck
        mine = np.zeros_like(part.start[player])
        mine[place[deck.hand(private)]] = 1.0
        plan, one = answer._plan.copy(), rules.betting.rounds[part.first]
        probs, node = part.walk.views(plan)[0], one.text.index(betting.rpartition("/")[2])
        came, d = part.start[other][:, 0].copy(), node
        while d:
            taken, d = one.choice[d], one.parent[d]
            if one.kind[d] == other:
                came *= probs[taken, :, 0]
            probs[one.first[d] : one.first[d] + one.count[d]] = 0.0
            probs[taken] = 1.0
        met = part.met(mine)[:, 0]  # nobody holds my cards
        belief, now = came * met, slice(one.first[node], one.first[node] + one.count[node])
        after = {one.text[k][-1]: one.choice[k] for k in np.flatnonzero(one.parent == node)}
        wins = np.zeros((len(met), len(actions)))
        for a, action in enumerate(actions):
            probs[now] = 0.0
            probs[after[action]] = 1.0
            lost = part.answer(other, plan, plan, mine)[:, 0]
            wins[:, a] = -lost / np.where(met > 0.0, met, 1.0)
        cards = deck.hands(rules.private_cards)
        real = np.flatnonzero(place >= 0)
        real = real[met[place[real]] > 0.0]
        real = real[[not set(cards[k]) & {*private, *public} for k in real]]
        said = tuple(" ".join(map(deck.name, cards[k])) for k in real)
        often = belief[place[real]]
        often = often if often.sum() > 0.0 else np.ones(len(real))
        return said, often / often.sum(), wins[place[real]]
