"""A searcher at a card table without a tree: `resolve`, asked one hand at a time.

It answers for `Searcher`. Rhode Island is thought through from the round that is asked for. Hold'em
is thought through on the river, 1,081 real hands for each player; with a depth on the turn too.

    depth=None    to the end of the hand
    depth=1       to the end of the present round of betting, depth=2 to the end of the next, …;
                  there `leaves` says what the hand is worth. When the search has been played
                  through, it thinks again, and both are believed to have played what came out

A search always begins where its round begins, for both players. The bets of these games are all
listed. On the turn of Hold'em an iteration to the end walks 46 rivers and takes as long as 100 on
a river.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from workbench.poker.engine.card_passes import VALUE
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search.endgame import Learner, Part, part_after
from workbench.poker.search.leaves import biased, cut_off
from workbench.poker.search.resolving import Resolved, _floor, need_solver, need_strategy
from workbench.rules import GameError
from workbench.search.thought import Thought
from workbench.settings import need_whole
from workbench.solvers.regret import TINY


class CardMind:
    """What a searcher has worked out, for one board and betting after the other."""

    thought: Callable[[float], Thought] | None = None  # of the last answer

    def __init__(self, how: Any) -> None:
        self.how, self.sigma, self.rules = how, how.blueprint, how.blueprint.tree.rules
        last = len(self.rules.betting.rounds) - 1
        if how.listed is not None or callable(how.when):
            raise GameError(
                f"in {self.rules.name!r} all bets are listed: leave out listed, and give when= as "
                "the number of a round"
            )
        self.depth = how.depth or last + 1
        self.first = need_whole("when, a round,", how.when or 0, 0, last)
        if not self.sigma.tree.real.on_boards:
            self.first = last if how.depth is None else max(last - 1, self.first)
        ways = _ways(how)
        self.ways = cache(lambda: [biased(*way) for way in ways])
        self.solver = need_solver(how.solver)
        self.known: dict[tuple[int, str, str], Resolved] = {}

    def answer(self, player: int, seen: Any, actions: Sequence[Any]) -> tuple[Any, Any]:
        r = seen[2].count("/")
        answer = self._resolved(player, seen, r) if r >= self.first else None
        probs = (answer or self.sigma).probabilities(player, seen, actions)
        return probs, partial(self._thought, player, seen, tuple(actions), probs, answer)

    def _resolved(self, player: int, seen: Any, r: int) -> Resolved:
        """The search that a round belongs to, for one seat."""
        how, cards = self.how, self.rules.deck.parse(seen[1])
        r -= (r - self.first) % self.depth  # where it began
        shown = cards[: sum(self.rules.public_cards[: r + 1])]
        board = " ".join(map(self.rules.deck.name, shown))
        betting = "".join(f"{one}/" for one in seen[2].split("/")[:r])
        key, on_boards = (player, board, betting), self.sigma.tree.real.on_boards
        if key not in self.known:
            before = self._resolved(player, seen, r - 1) if r > self.first else None
            sigma = before.strategy if before and on_boards else self.sigma
            start = self.rules.betting.start_of(betting)[1]
            part = part_after(sigma, r, shown, start, how.tremble)
            if before and not on_boards:
                part = _after(before, part, how.tremble)
            learner = self._learner(part, player)
            answer = Resolved(sigma, board, betting, how.safe, [learner], 0.0)
            self.known = dict([*self.known.items()][-7:])  # tables are large, hands are many
            self.known[key] = answer._go_on(how.iterations, how.seconds)
        return self.known[key]

    def _learner(self, part: Part, player: int) -> Learner:
        """Who solves a part for one seat, cut off where it is too deep."""
        guest = (1 - player, _floor(self.sigma, part, 1 - player)) if self.how.safe else ()
        if self.depth < len(part.spaces):
            part = cut_off(part, self.depth, player, self.sigma, self.ways())
        return Learner(part, self.solver, *guest)

    def strategy(self) -> Any:
        """All answers at once, where the game can list them."""
        how, last = self.how, len(self.rules.betting.rounds)
        seats = []
        for player in (0, 1):
            sigma = self.sigma
            for r in range(self.first, last, self.depth):
                learner = self._learner(part_after(sigma, r, None, 0, how.tremble), player)
                learner.run(how.iterations, how.seconds)
                sigma = learner.part.put(learner.plan(), sigma)
            seats.append(sigma)
        return self.sigma.tree.real.seated(seats)

    def _thought(
        self, player: int, seen: Any, actions: tuple[Any, ...], probs: Sequence[float],
        answer: Resolved | None, seconds: float,
    ) -> Thought:  # fmt: skip
        """The other player's hands here, how likely they are, and what my actions win from them:
        all that I hold is my hand, and on the way here both are held to what was done."""
        said = player, seen, actions, np.array(probs)
        if answer is None or seen[2].count("/") > answer.part.first:
            nothing = np.zeros((0, len(actions)))
            return Thought(*said, (), np.zeros(0), nothing, answer is not None, seconds)
        part, rules, other = answer.part, self.rules, 1 - player
        private, public, betting = rules.spot(seen)
        deck, one = rules.deck, rules.betting.rounds[part.first]
        node = one.text.index(betting.rpartition("/")[2])
        plan, came, d = part.walk.views(answer._plan)[0], part.start[other][:, 0].copy(), node
        while d:
            taken, d = one.choice[d], one.parent[d]
            if one.kind[d] == other:
                came *= plan[taken, :, 0]
        cards = {k: hand for k, hand in enumerate(deck.hands(rules.private_cards))
                 if not {*hand} & {*private, *public}}  # fmt: skip
        place = part.places(public)
        mine, hers = np.zeros((len(came), 1)), place[[*cards]]
        mine[place[deck.hand(private)]] = 1.0
        met = part.met(mine)[hers, 0]
        moves = one.moves(node)
        lost = part.by_action(other, answer._plan, node, mine[:, 0], VALUE)[:, hers]
        belief = came[hers] * met
        belief = belief if belief.sum() > 0.0 else np.ones(len(hers))
        hands = tuple(" ".join(map(deck.name, hand)) for hand in cards.values())
        wins = np.stack([-lost[moves.index(action)] / met for action in actions], axis=1)
        return Thought(*said, hands, belief / belief.sum(), wins, True, seconds)


def _ways(how: Any) -> list[tuple[PublicStrategy, str]]:
    """How the other player may go on where a search is cut off: as a strategy says, with more of
    one kind of action."""
    sigma, given = how.blueprint, how.leaves
    if isinstance(given, Mapping):
        return [(need_strategy(one, sigma.tree.rules), "") for one in given.values()]
    if given == "all" and how.depth is not None:
        raise GameError('leaves="all" needs a game tree; take "biased" or some strategies')
    return [(sigma, kind) for kind in ("", *"fcr")[: 4 if given == "biased" else 1]]


def _after(before: Resolved, part: Part, tremble: float) -> Part:
    """A river of Hold'em, with the beliefs that the search on its turn has led to."""
    turn, reach = before.part, []
    above = np.searchsorted(turn.held[turn.first][0][1], part.held[part.first][0][1])
    one, plan = turn.game.rules.betting.rounds[turn.first], before._plan.copy()
    (probs,) = turn.walk.views(plan)
    probs[:] = (1.0 - tremble) * probs + (tremble / np.repeat(one.count, one.count))[:, None, None]
    end = part.lanes[0].start - turn.lanes[0].start * one.num_ends
    for i in (0, 1):
        *_, ends = turn.walk.down(i, plan, turn.start[i].ravel())
        mine = ends.reshape(one.num_ends, -1, 1)[end, above]
        reach.append(mine if mine.max() > TINY else np.ones_like(mine))
    return replace(part, start=(reach[0], reach[1]))
