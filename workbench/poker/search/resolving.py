"""Solve only the part you are in: the rest of a hand in real time, with beliefs by Bayes' rule.

A *blueprint* says how both came here, so it says what they may hold: the probability of a hand is
its reach under the blueprint, over the sum of all (Gilpin & Sandholm 2006). The rest of the hand is
then solved without any abstraction, for as long as there is time: more iterations, better answer.

    safe=False   Both trust these beliefs. The new strategy is an equilibrium of the rest, but only
                 against an opponent who came as the blueprint says. One who knows that you think
                 so comes with other hands: the whole can be more exploitable than the blueprint.
    safe=True    Each seat is solved by itself, with a gadget before it: the opponent may decline
                 with each hand, and wins what a best response to the blueprint would win with it
                 (Burch, Johanson & Bowling 2014). So no hand of hers wins more than before, and
                 the whole is at most as exploitable as the blueprint, up to unfinished solving.

In Hold'em this takes a board of four or five cards and real hands, 1,128 or 1,081 for each player,
whatever buckets the blueprint knows. Values are in the game's unit: chips, or milli big blinds.

Off the path: where the blueprint never goes, Bayes' rule has nothing to divide by. Therefore both
are believed to tremble: with probability `tremble` each choice is made at random. It is too rare to
matter where the blueprint goes, and decides what to believe elsewhere. With `tremble=0`, all hands
are equally likely at a public state that no hand of a player reaches.

>>> import workbench as wb
>>> rules = wb.load_game("rhode_island", ranks=3, suits=2)
>>> cut = wb.cluster_hands(rules, buckets=(1, 2, 3), metric="ehs")
>>> blueprint = wb.solve(rules, "cfr+", iterations=200, abstraction=cut).strategy
>>> answer = resolve(blueprint, board="Ah Kh", betting="cc/rc/", safe=False, iterations=50)
>>> better = answer.more(450)
>>> better.iterations, better.gap < answer.gap
(500, True)
>>> safe = resolve_all(blueprint, safe=True, iterations=200)
>>> wb.exploitability(safe) < wb.exploitability(blueprint)
True
"""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from workbench.later import pd
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search.endgame import Learner, Part, part_after
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.settings import need_bool, need_kind, need_number, need_whole
from workbench.solvers.base import Solver, find_solver
from workbench.solvers.cfr import CFR
from workbench.tree import FloatArray

TREMBLE = 1e-6


def resolve(
    blueprint: PublicStrategy, board: str, betting: str, *, safe: bool = True,
    solver: Solver | str = "cfr+", iterations: int = 500, seconds: float | None = None,
    tremble: float = TREMBLE,
) -> Resolved:  # fmt: skip
    """Solve the rest of a hand from the beginning of its present round: public cards ("Ah 7c") and
    the betting so far ("cc/rc/r"). Stops after so many iterations or seconds, and can go on."""
    sigma, found = need_strategy(blueprint), need_solver(solver)
    number, cards, start = _place(sigma.tree.rules, board, betting)
    tremble = _checked(safe, iterations, seconds, tremble)
    part = part_after(sigma, number, cards, start, tremble)
    answer = Resolved(sigma, board, betting, safe, _learners(sigma, part, safe, found), 0.0)
    return answer._go_on(iterations, seconds)


def resolve_all(
    blueprint: PublicStrategy, *, rounds: int = 1, safe: bool = True, solver: Solver | str = "cfr+",
    iterations: int = 200, seconds: float | None = None, tremble: float = TREMBLE,
    progress: bool | None = None,
) -> PublicStrategy:  # fmt: skip
    """The blueprint with its last `rounds` solved again, at every public state at once: what
    somebody plays who calls `resolve` whenever these rounds begin. `seconds` are for each solve
    (safe: there are two, one for each seat)."""
    sigma, found = need_strategy(blueprint), need_solver(solver)
    last = len(sigma.tree.rules.betting.rounds)
    need_whole("rounds", rounds, 1, last)
    tremble = _checked(safe, iterations, seconds, tremble)
    part = part_after(sigma, last - rounds, None, 0, tremble)
    learners = _learners(sigma, part, safe, found)
    for player, learner in enumerate(learners, start=1):
        what = f"the last {rounds} rounds of" if rounds > 1 else "the last round of"
        seat = f", player {player}" if safe else ""
        with ProgressBar(f"{what} {sigma.tree.name}{seat}", iterations, progress) as bar:
            learner.run(iterations, seconds, bar)
    return part.put(_together(learners), sigma)


@dataclass(frozen=True, eq=False, repr=False)
class Resolved:
    """The rest of a hand, solved as well as time allowed."""

    blueprint: PublicStrategy
    board: str
    betting: str
    safe: bool
    learners: list[Learner]  # one for both players, or one for each
    seconds: float

    @property
    def part(self) -> Part:
        return self.learners[0].part

    @property
    def iterations(self) -> int:
        return self.learners[0].iteration

    def more(self, iterations: int = 500, seconds: float | None = None) -> Resolved:
        """Go on from here; this answer stays as it is."""
        _checked(self.safe, iterations, seconds, 0.0)
        again = replace(self, learners=copy.deepcopy(self.learners, {id(self.part): self.part}))
        return again._go_on(iterations, seconds)

    def _go_on(self, iterations: int, seconds: float | None) -> Resolved:
        began = time.monotonic()
        each = None if seconds is None else seconds / len(self.learners)
        for learner in self.learners:
            learner.run(iterations, each)
        object.__setattr__(self, "seconds", self.seconds + time.monotonic() - began)
        return self

    @cached_property
    def strategy(self) -> PublicStrategy:
        """The blueprint, with this part solved anew."""
        game = self.part.game
        if not game.on_boards:
            raise GameError(
                f"a strategy for all {game.num_infosets:,} information sets of {game.name!r} fits "
                "into no memory; ask for one hand: answer.at(seen)"
            )
        return self.part.put(self._plan, self.blueprint)

    @cached_property
    def _plan(self) -> FloatArray:
        """What both do in this part."""
        return _together(self.learners)

    def _mean(self, player: int, worth: FloatArray) -> float:
        """The mean of what a player's hands win, as likely as they are believed to be."""
        often = self.part.start[player] * self.part.size[:, None]
        there = (often * self.part.met(self.part.start[1 - player])).sum()
        return float((often * worth).sum() / there) if there > 0.0 else 0.0

    @property
    def values(self) -> FloatArray:
        """(2,) what both win from here on average, antes and bets before included, if they hold
        what the blueprint says."""
        won = self._mean(0, self.part.answer(0, self._plan, self._plan))
        return np.array([won, -won])

    @property
    def gap(self) -> float:
        """What a player could gain here on average if the beliefs are true: 0 in an equilibrium of
        this part, else how exploitable it is. Safe play looks for another thing: `margin`."""
        best = [self._mean(player, self.part.answer(player, self._plan)) for player in (0, 1)]
        return sum(best) / 2

    @property
    def margin(self) -> float:
        """By how much each hand of an opponent wins less than against the blueprint, both at best,
        at least. Negative: there is a hand that gains by the new strategy."""
        margins = []
        for player in (0, 1):
            less = _floor(self.blueprint, self.part, player) - self.part.answer(player, self._plan)
            there = self.part.met(self.part.start[1 - player])
            margins.append((less[there > 0.0] / there[there > 0.0]).min())
        return float(min(margins))

    def at(self, seen: Any, player: int | None = None) -> dict[str, float]:
        """`{action: probability}` in this part, as any strategy is asked."""
        part, rules = self.part, self.part.game.rules
        if part.game.on_boards:
            return self.strategy.at(seen, player)
        known = self.blueprint.at(seen, player)  # says if it cannot be
        private, public, betting = rules.spot(seen)
        r, start, node = rules.betting.start_of(betting)
        below = betting.startswith(self.betting.rpartition("/")[0] + "/")
        for k, (board, numbers) in enumerate(part.held[r] if below else ()):
            if {*board[:3]} == {*public[:3]} and board[3:] == public[3:]:
                hand = part.spaces[r - part.first].first[k]
                hand += np.searchsorted(numbers, rules.deck.hand(private))
                lane = start - part.lanes[r - part.first].start
                c = rules.betting.rounds[r].first[node]
                probs = part.walk.views(self._plan)[r - part.first][c : c + len(known), hand, lane]
                return dict(zip(known, probs.tolist(), strict=True))
        return known

    probabilities: ClassVar[Any] = PublicStrategy.probabilities  # which asks `at`

    def table(self) -> pd.DataFrame:
        """One row for all hands that are alike here: how likely each player is believed to hold
        one of them, what they win with it, and what is done with it now."""
        part, rules = self.part, self.part.game.rules
        cards = rules.deck.hands(rules.private_cards)
        place = part.places(rules.deck.parse(self.board))
        names: dict[int, list[str]] = {}
        for number in np.flatnonzero(place >= 0):
            said = " ".join(map(rules.deck.name, cards[number]))
            names.setdefault(int(place[number]), []).append(said)
        plan, now = part.walk.views(self._plan)[0], self.betting.rpartition("/")[2]
        one = rules.betting.rounds[part.first]
        node = one.text.index(now)
        worth = [part.answer(i, self._plan, self._plan)[:, 0] for i in (0, 1)]
        met = [part.met(part.start[1 - player])[:, 0] for player in (0, 1)]
        often = [part.size * part.start[player][:, 0] * met[player] for player in (0, 1)]
        rows = []
        for hand, alike in names.items():
            row: dict[str, Any] = {"hand": " ".join(alike)}
            for player in (0, 1):
                there = met[player][hand]  # nobody holds a card of the other's
                row[f"player {player + 1} holds it"] = often[player][hand] / often[player].sum()
                row[f"player {player + 1} wins"] = worth[player][hand] / there if there else np.nan
            row |= zip(one.moves(node), plan[one.choices(node), hand, 0], strict=True)
            rows.append(row)
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        how = "safe" if self.safe else "unsafe"
        return (
            f"Resolved {self.part.game.name!r} on {self.board or 'no board'} after "
            f"{self.betting!r}, {how}: {self.iterations:,} iterations, {self.seconds:.2f} s"
        )


def _learners(sigma: PublicStrategy, part: Part, safe: bool, solver: Any) -> list[Learner]:
    """Who solves what: both seats at once, or each with a guest in the other."""
    if not safe:
        return [Learner(part, solver)]
    guests = [(guest, _floor(sigma, part, guest)) for guest in (1, 0)]
    return [Learner(part, solver, *guest) for guest in guests]


def _together(learners: list[Learner]) -> FloatArray:
    """A plan of what each player does in her own solution."""
    part, plans = learners[0].part, [learner.plan() for learner in learners]
    rounds, views = part.game.rules.betting.rounds[part.first :], map(part.walk.views, plans)
    for one, to, *others in zip(rounds, *views, strict=False):  # a part may be cut off
        mine = np.repeat(one.kind, one.count) == 1
        for given in others:  # the second player's
            to[mine] = given[mine]
    return plans[0]


def _floor(sigma: PublicStrategy, part: Part, player: int) -> FloatArray:
    """What each hand of a player wins at best against the blueprint in this part."""
    return part.answer(player, part.plan_of(sigma))


def _place(rules: Any, board: str, betting: str) -> tuple[int, tuple[int, ...], int]:
    """The round, cards and start that a board and a betting stand for."""
    need_kind("board", board, str)
    need_kind("betting", betting, str)
    cards: tuple[int, ...] = rules.deck.parse(board)
    try:
        number, start, node = rules.betting.start_of(betting)
        if rules.betting.rounds[number].kind[node] >= 2:
            raise ValueError
    except (ValueError, IndexError, AttributeError):
        raise GameError(
            f"{shown(betting)} leads to no decision of {rules.name!r}; write f, c, r for each move "
            'and a slash where a round ends, as in "cc/rc/"'
        ) from None
    need = sum(rules.public_cards[: number + 1])
    if len(cards) != need:
        raise GameError(
            f"the betting {betting!r} is in round {number + 1}, whose board has {need} cards; "
            f"{board!r} has {len(cards)}"
        )
    return number, cards, start


def _checked(safe: bool, iterations: int, seconds: float | None, tremble: float) -> float:
    need_bool("safe", safe)
    need_whole("iterations", iterations)
    if seconds is not None:
        need_number("seconds", seconds)
    return need_number("tremble", tremble, below=1.0)


def need_strategy(sigma: Any, rules: Any = None) -> PublicStrategy:
    """Refuse what is no strategy of the real game (with these rules)."""
    if not isinstance(sigma, PublicStrategy):
        raise GameError(
            'a strategy on cards is needed, such as wb.solve("rhode_island").strategy, not '
            f"{shown(sigma)}; for one of a tree take wb.stitching.resolve_parts(strategy, part)"
        )
    if rules is not None and sigma.tree.rules != rules:
        raise GameError(f"{sigma!r} is no strategy of {rules.name!r}")
    return sigma


def need_solver(solver: Solver | str) -> Any:
    """A solver of the CFR family."""
    found = find_solver(solver)
    if not isinstance(found, CFR):
        raise GameError(
            f"{found.name!r} does not solve parts of a game; take cfr+ or its relatives"
        )
    return found
