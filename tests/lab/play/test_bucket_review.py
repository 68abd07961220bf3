"""Hands of Hold'em are judged within buckets, exactly, and it is said that this is not all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.play.test_terminal import evening
from workbench.games.words import words_for
from workbench.lab.play.action_values import Worth
from workbench.lab.play.bucket_review import CardJudge
from workbench.lab.play.review import Judge, Verdict
from workbench.poker.buckets.joint_buckets import joint_buckets
from workbench.poker.search.endgame import bucket_part

RULES: Any = wb.load_game("limit_holdem")


@pytest.fixture(scope="module")
def judge() -> CardJudge:
    cut: Any = wb.cluster_hands(RULES, (2, 2, 2, 2), metric="ehs2", method="percentile")
    run: Any = wb.solve(RULES, "cfr+", iterations=20, abstraction=cut)
    return CardJudge(run.strategy)


def worth(judge: CardJudge, seat: int, betting: str, bucket: int) -> Worth:
    r, start, _ = RULES.betting.start_of(betting)
    return judge.worth_in(bucket_part(judge.game, r, start), seat, betting, bucket)


class Twin:
    """The same by matrices: the best of mine, the sum of hers, move by move."""

    def __init__(self, judge: CardJudge) -> None:
        self.buckets: Any = judge.game.buckets
        joint = joint_buckets(self.buckets)
        self.limit, self.meets = judge.rules.betting, joint.rounds(self.buckets)
        self.wins, self.plan = joint.wins, judge.game.views(judge.sigma.probs)

    def probs(self, betting: str) -> Any:
        r, start, node = self.limit.start_of(betting)
        one = self.limit.rounds[r]
        return self.plan[r][one.first[node] :][: one.count[node], :, start].T

    def reach(self, player: int, betting: str) -> Any:
        found = np.ones(len(self.meets[0]))
        for k, move in enumerate(betting):
            at = self.limit.follow(betting[:k])
            if move == "/":
                found = found[self.buckets.parents(at.round + 1)]
            elif at.player == player:
                found = found * self.probs(betting[:k])[:, at.actions.index(move)]
        return found

    def best(self, seat: int, betting: str, reach: Any) -> Any:
        at = self.limit.follow(betting)
        if at.folded >= 0:
            stake = min(at.paid) if at.folded != seat else -min(at.paid)
            return stake * (self.meets[at.round] @ reach)
        if at.player < 0 and at.round == 3:
            return at.paid[0] * (self.wins @ reach)
        if at.player < 0:
            parent = self.buckets.parents(at.round + 1)
            return np.bincount(parent, self.best(seat, betting + "/", reach[parent]), len(reach))
        after = [betting + move for move in at.actions]
        if at.player == seat:
            return np.max([self.best(seat, one, reach) for one in after], axis=0)
        probs = self.probs(betting)
        return sum(self.best(seat, one, reach * probs[:, k]) for k, one in enumerate(after))


@pytest.mark.parametrize(
    ("seat", "betting"), [(0, ""), (1, "r"), (1, "rc/rr"), (0, "cc/cr"), (1, "rc/rc/rc/rr")]
)
def test_values_are_those_of_the_twin(judge: CardJudge, seat: int, betting: str) -> None:
    twin = Twin(judge)
    at, reach = twin.limit.follow(betting), twin.reach(1 - seat, betting)
    for bucket in (0, len(reach) - 1):
        found, meets = worth(judge, seat, betting, bucket), twin.meets[at.round][bucket]
        values = [twin.best(seat, betting + move, reach)[bucket] for move in at.actions]
        assert found.values == pytest.approx(np.array(values) / (meets @ reach))
        assert found.beliefs == pytest.approx(meets * reach / (meets @ reach))
        assert found.reach == pytest.approx(meets @ reach / meets.sum())
        assert found.probs == pytest.approx(twin.probs(betting)[bucket])
        assert found.own == pytest.approx(twin.reach(seat, betting)[bucket])


def test_values_of_actions(judge: CardJudge) -> None:
    """What the first decision is worth, over all buckets, is what the seat is worth."""
    first = [worth(judge, 0, "", bucket) for bucket in (0, 1)]
    mass = Twin(judge).meets[0].sum(axis=1)
    assert mass @ [one.values.max() for one in first] == pytest.approx(judge.value(0))
    assert first[0].actions == ("f", "c", "r")
    assert first[0].value("f") == pytest.approx(-500)
    assert worth(judge, 1, "rc/rr", 3).value("f") == pytest.approx(-3000)


def test_what_is_right_within_the_error_and_seen_to_lose_says_so(judge: CardJudge) -> None:
    """Words and numbers beside each other agree."""
    session = wb.play.Session(RULES, opponent="uniform", seed=1, review=False)
    session.deal()
    step: Any = session.asked
    for lost, said in ((0.0, "was right: "), (6.0, "was right within the error of the solver: ")):
        values = np.array([-500.0, lost - 500.0, -600.0])
        known = replace(worth(judge, 0, "", 0), values=values)
        verdict = Verdict(step._replace(what="f"), known, words_for(RULES), small=10.0)
        assert f"Folding {said}folding −0.50" in str(verdict)


SPOTS = (
    ("A♥", "", ""), ("K♠", "", "cr"), ("K♠", "A♥", "rc/r"), ("A♠", "A♥", "rc/"),
    ("K♥", "A♠ K♠", "cc/rc/rr"), ("A♠", "K♠ A♥", "rc/cc/c"), ("K♥", "A♥ K♠", "crrc/rc/rr"),
)  # fmt: skip


@pytest.mark.parametrize("ranks", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_hands_of_rhode_island_are_judged_as_on_the_tree(ranks: int) -> None:
    """Values, beliefs and reach, also where the first player never comes: she does not bet."""
    rules: Any = wb.load_game("rhode_island", ranks=ranks, suits=2)
    run: Any = wb.solve(rules, "cfr+", iterations=30)
    probs, game = run.strategy.probs.copy(), run.strategy.played
    game.views(probs)[0][rules.betting.rounds[0].first[0] + 1] = 0.0
    sigma = game.normalised(probs)
    known = wb.Strategy.from_function(wb.compile_game(rules), sigma.probabilities)
    exact, judge = Judge(known), CardJudge(sigma)
    for seat in (0, 1):
        assert judge.value(seat) == pytest.approx(exact.value(seat))
    seats = [rules.betting.follow(seen[2]).player for seen in SPOTS]
    assert [exact.worth(*one).trembling for one in zip(seats, SPOTS, strict=True)].count(True) == 2
    for seat, seen in zip(seats, SPOTS, strict=True):
        found, truth = judge.worth(seat, seen), exact.worth(seat, seen)
        assert found.actions == truth.actions
        assert found.values == pytest.approx(truth.values, abs=1e-9)
        assert found.probs == pytest.approx(truth.probs)
        assert (found.reach, found.own) == pytest.approx((truth.reach, truth.own))
        assert found.trembling == truth.trembling
        assert found.beliefs.sum() == pytest.approx(1)


def test_a_blind_is_a_bet() -> None:
    words = words_for(RULES)
    assert words.move("r", ("A♥ K♥", "", "c"), ("c", "r")) == "raise"
    assert words.move("c", ("A♥ K♥", "", "c"), ("c", "r")) == "check"
    assert words.move("r", ("A♥ K♥", "Q♥ J♥ 2♣", "cc/"), ("c", "r")) == "bet"
    small = words_for(wb.load_game("rhode_island"))
    assert small.move("r", ("A♥", "", "c"), ("c", "r")) == "bet"


@pytest.mark.slow
def test_a_hand_at_the_terminal() -> None:
    """Called down, with a hint; the review says what it leaves out."""
    session = wb.play.Session("limit_holdem", iterations=20, seed=4)
    text = " ".join(evening(session, ["h", *["c"] * 20], hands=2)[0].split())
    assert "The equilibrium: fold" in text
    assert text.count("Judged within buckets") == 1
    assert "both of you see no more than buckets (3, 9, 27, 81)" in text
    found = session.review(1)
    assert str(found).endswith("too large to be judged.")
    assert found.payoff == pytest.approx(found.value - found.cost + found.luck)
    assert all(verdict.cost >= 0 for verdict in found.verdicts)
    assert not session.unjudged


def test_three_play_without_a_review_and_are_told_so() -> None:
    session = wb.play.Session("limit_holdem", options={"players": 3}, opponent="uniform", seed=3)
    text = " ".join(evening(session, ["h", *["c"] * 20], hands=1)[0].split())
    assert text.count("counted for two players here, not for 3.") == 2  # at first, and as a hint
    assert len(session.hands) == 1
    assert "1 hand, " in text
    assert not session.reviewing


@pytest.mark.slow
def test_the_opponent_may_have_other_buckets() -> None:
    session = wb.play.Session("limit_holdem", abstraction="2222", iterations=5, review=False)
    session.deal()
    assert session.opponents[0].name == "equilibrium [2222]"
    found: Any = session.book.strategy(session.rules, "2222")
    assert found.played.buckets.classes == (2, 4, 8, 16)
