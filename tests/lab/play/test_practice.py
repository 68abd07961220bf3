"""Playing a position again, training what was misplayed, and what habits cost."""

from __future__ import annotations

import pytest

import workbench as wb
from tests.lab.play.test_session import BOOK, play_on
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView


def test_a_position_is_played_again_and_does_not_count(tmp_path):
    session = play_on(Session("leduc", seed=5, book=BOOK), 6)
    hands, net, seats = session.hands, session.net, session.seats
    for hand in hands:
        for decision, step in enumerate(hand.decisions_of(0), 1):
            before = hand.steps.index(step)
            session.again(hand, decision)
            assert session.asked is not None
            assert (session.asked.seen, session.asked.state) == (step.seen, step.before)
            assert session.steps == hand.steps[:before]
            with pytest.raises(wb.GameError, match="no move to take back"):
                session.undo()
            while session.asked:
                session.play(session.asked.actions[0])
            again = session.played[-1]
            assert (again.practice, again.number) == (decision, hand.number)
            assert again.moves[:before] == tuple(hand.moves[:before])
            assert SessionView(session).headline.startswith(f"Practice, hand {hand.number} again")
            assert len(session.review(again).verdicts) == len(again.decisions_of(0))
    assert (session.hands, session.net, session.seats) == (hands, net, seats)
    assert len(Session.load(session.save(tmp_path / "a.jsonl"), book=BOOK).hands) == 6
    session.deal()
    with pytest.raises(wb.GameError, match="a hand is on"):
        session.again()


def test_taking_back_in_practice_stays_in_the_position():
    session = play_on(Session("leduc", opponent="always-raise", seat=0, seed=5, book=BOOK), 1)
    session.again(1, 1)
    position = session.steps
    session.play("c")
    if session.playing:
        session.undo()
    assert session.steps == position
    assert session.practice is session.hands[0]


def test_without_a_number_the_costliest_decision_is_played_again():
    session = play_on(Session("leduc", seed=3, book=BOOK), 8)
    for hand in session.hands:
        costs = [verdict.cost for verdict in session.review(hand).verdicts]
        session.again(hand)
        assert session.asked is not None
        assert session.asked.seen == hand.decisions_of(0)[costs.index(max(costs))].seen
        while session.asked:
            session.play(session.asked.actions[0])


def test_training_goes_on_until_every_spot_was_played_right():
    session = play_on(Session("kuhn", seed=2, book=BOOK), 40)
    wrong = {
        (verdict.step.player, verdict.step.seen)
        for hand in session.hands
        for verdict in session.review(hand).verdicts
        if not verdict.fine
    }
    trained = set()
    for _ in range(len(wrong)):
        session.train()
        asked = session.asked
        assert asked is not None
        trained.add((asked.player, asked.seen))
        while asked := session.asked:
            session.play(session.judge(session.rules).worth(asked.player, asked.seen).best)
    assert trained == wrong
    with pytest.raises(wb.GameError, match="nothing to train"):
        session.train()


def test_habits_add_up_to_the_cost_of_all_decisions():
    session = play_on(Session("leduc", seed=1, book=BOOK), 30)
    habits, scores = session.habits(), session.scores()
    small = sum(
        verdict.cost
        for hand in session.hands
        for verdict in session.review(hand).verdicts
        if verdict.fine
    )
    assert habits.iloc[-1].sum() == pytest.approx(scores["cost"].sum() - small)
    assert list(habits.index) == list(range(1, 31))
    assert (habits.diff().dropna() >= -1e-12).all().all()  # they only grow
    assert habits.iloc[-1].is_monotonic_decreasing
    assert all(" instead of " in name for name in habits)
    assert Session("kuhn", review=False).habits().empty
