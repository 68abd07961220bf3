"""A match as a stochastic game: equal to the whole match as one tree, and certified by itself."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import workbench as wb
from workbench.games.toepen.match import ToepenMatch
from workbench.games.toepen.rules import Toepen
from workbench.jamfold.tournament import Tournament
from workbench.match_play import MatchPlay, hands_of, solve_match
from workbench.policies import Standing
from workbench.rules import Chance, Decision, GameError, Terminal

TINY = Toepen(suits=1, ranks=2, hand=1)


class Moment(NamedTuple):
    """A moment of a match: the standing, the hand that is on, what each player remembers."""

    now: Standing
    hand: Any
    known: tuple[tuple[Any, ...], ...]  # of each player: all that she has seen in earlier hands


@dataclass(frozen=True)
class WholeMatch:
    """A naive twin: all hands of a match as one game, whose players forget nothing."""

    match: ToepenMatch
    name: str = "whole match"
    players: int = 2

    def start(self):
        now = self.match.opening()
        return Moment(now, self.match.hand_rules(now).start(), ((), ()))

    def node(self, at):
        if len(at.now.seats) == 1:
            winner = at.now.seats[0]
            return Terminal((0.5, -0.5) if winner == 0 else (-0.5, 0.5))
        node = self.match.hand_rules(at.now).node(at.hand)
        if isinstance(node, Terminal):
            return Chance({"next hand": 1.0})
        if isinstance(node, Decision):
            player = at.now.seats[node.player]
            return Decision(player, (at.known[player], at.now, node.seen), node.actions)
        return node

    def next(self, at, action):
        rules = self.match.hand_rules(at.now)
        node = rules.node(at.hand)
        if isinstance(node, Terminal):
            now = self.match.after(at.now, node.payoffs)
            fresh = self.match.hand_rules(now).start() if len(now.seats) > 1 else None
            return Moment(now, fresh, tuple((*known, now) for known in at.known))
        known = at.known
        if isinstance(node, Decision):
            player = at.now.seats[node.player]
            mine = (*known[player], (node.seen, action))
            known = tuple(mine if k == player else one for k, one in enumerate(known))
        return at._replace(hand=rules.next(at.hand, action), known=known)


@pytest.mark.parametrize(("rules", "bound"), [(TINY, 3), (Toepen(1, 3, 1), 2)])
def test_equal_to_the_whole_match_as_one_tree(rules, bound):
    match = ToepenMatch(rules, bound)
    whole = wb.solve(wb.compile_game(WholeMatch(match)), "lp")
    play = solve_match(match)
    start = play.worth[-1]
    assert wb.expected_values(whole.strategy)[0] + 0.5 == pytest.approx(start[0], abs=1e-9)
    assert start.sum() == pytest.approx(1.0)
    assert play.gain < 1e-9


def test_gain_certifies_a_solver_that_is_not_exact():
    match = ToepenMatch(Toepen(1, 3, 1), bound=4)
    exact, rough = solve_match(match), solve_match(match, "cfr+", 20)
    assert 1e-5 < rough.gain < 0.05
    assert np.abs(rough.worth - exact.worth).max() <= rough.gain


def for_points(play):
    """Every hand as if it were the only one."""
    alone = {at: wb.solve(hand.tree, "lp").strategy for at, hand in play.hands.items()}
    return MatchPlay(play.match, play.hands, alone)


def test_without_bets_the_tally_does_not_matter():
    play = solve_match(ToepenMatch(Toepen(2, 2, 1, betting=False), bound=4))
    assert for_points(play).gain < 1e-12


def test_who_ignores_the_tally_loses():
    play = solve_match(ToepenMatch(Toepen(1, 3, 1), bound=3))
    hand = for_points(play)
    assert (hand.best >= play.worth - 1e-12).all()
    assert (hand.best[-1] - play.worth[-1]).mean() > 0.01


def test_three_players_and_what_follows_a_hand():
    match = ToepenMatch(Toepen(2, 3, 1, players=3, suit_isomorphism=True), bound=2)
    play = solve_match(match, "cfr+", 200)
    assert {(0, 0, 0), (1, 1, 0), (1, 1)} < {*play.hands}
    for tally, worth in zip(play.hands, play.worth, strict=True):
        assert worth[: len(tally)].sum() == pytest.approx(1.0)
        assert not worth[len(tally) :].any()


def test_a_tournament_pays_what_follows_by_the_same_rule():
    arrays = Tournament(units=5).arrays
    worth, by_hand = arrays.icm, arrays.prizes.copy()
    for s, o, k in zip(*np.nonzero(arrays.seat >= 0), strict=True):
        by_hand[s, o, k] += worth[arrays.follow[s, o], arrays.seat[s, o, k]]
    assert (arrays.values(worth) == by_hand).all()


def test_a_match_without_an_end_is_refused():
    class Back(ToepenMatch):
        def after(self, now, payoffs):
            return now

    with pytest.raises(GameError, match="come back to a standing"):
        hands_of(Back(TINY, 2))
