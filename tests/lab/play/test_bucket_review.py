"""Hands of Hold'em are judged inside of buckets, exactly, and it is said that this is not all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.games.words import words_for
from workbench.lab.play.bucket_review import BucketJudge
from workbench.lab.play.terminal import Terminal

RULES = wb.load_game("limit_holdem")


@pytest.fixture
def judge() -> BucketJudge:
    cut: Any = wb.cluster_hands(RULES, (2, 2, 2, 2), metric="ehs2", method="percentile")
    run: Any = wb.solve(RULES, "cfr+", iterations=20, abstraction=cut)
    return BucketJudge(run.strategy)


def test_the_best_reply_is_that_of_the_engine(judge: BucketJudge) -> None:
    for seat in (0, 1):
        exact = judge.sigma.played.worth(seat, judge.sigma.probs)
        assert judge.value(seat) == pytest.approx(exact, abs=1e-6)


def test_values_of_actions(judge: BucketJudge) -> None:
    """What the first decision is worth, over all buckets, is what the seat is worth."""
    first = [judge._worth_of(0, "", bucket) for bucket in (0, 1)]
    mass = judge.meets[0].sum(axis=1)
    assert mass @ [one.values.max() for one in first] == pytest.approx(judge.value(0))
    for one in first:
        assert one.actions == ("f", "c", "r")
        assert one.value("f") == pytest.approx(-500)
        assert one.beliefs.sum() == pytest.approx(1)
        assert one.reach == pytest.approx(1)
        assert not one.trembling
    later = judge._worth_of(1, "rc/rr", 3)
    assert later.value("f") == pytest.approx(-3000)
    assert later.beliefs.shape == (4,)
    assert judge._worth_of(1, "rc/rc/rc/rr", 15).value("c") > 0  # the best of the best


def test_where_the_other_one_never_raises(judge: BucketJudge) -> None:
    judge.probs("")[:, 2] = 0.0
    judge.probs("")[0, :2] = 0.5
    found = judge._worth_of(1, "r", 0)
    assert found.trembling
    assert np.isfinite(found.values).all()


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
    said: list[str] = []
    answers = iter(["h", *["c"] * 20])
    Terminal(session, lambda prompt: next(answers), said.append, hands=2).run()
    text = " ".join(" ".join(said).split())
    assert "The equilibrium: fold" in text
    assert text.count("Judged inside of buckets") == 1
    assert "both of you see no more than buckets (3, 9, 27, 81)" in text
    found = session.review(1)
    assert str(found).endswith("too large to be judged.")
    assert found.payoff == pytest.approx(found.value - found.cost + found.luck)
    assert all(verdict.cost >= 0 for verdict in found.verdicts)
    assert not session.unjudged


def test_three_play_without_a_review_and_are_told_so() -> None:
    session = wb.play.Session("limit_holdem", options={"players": 3}, opponent="uniform", seed=3)
    said: list[str] = []
    answers = iter(["h", *["c"] * 20])
    Terminal(session, lambda prompt: next(answers), said.append, hands=1).run()
    text = " ".join(" ".join(said).split())
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
