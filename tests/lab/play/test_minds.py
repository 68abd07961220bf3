"""Opponents with a mind: they think, learn and look at the tally, and go on from a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.lab.play.test_session import SMALL, play_on
from tests.lab.play.test_terminal import evening
from workbench.games.toepen.match import ToepenMatch
from workbench.games.toepen.rules import Toepen
from workbench.lab.play.card_table_html import minds_html
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.play.hand_record import Hand
from workbench.lab.play.minds import EVERY, mind_named
from workbench.lab.play.opponents import find_opponent, opponents_for
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import TextTable
from workbench.match_play import solve_match
from workbench.rules import GameError

BOOK = EquilibriumCache(iterations=50)
GAMES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("kuhn", {}, {"opponent": "learning"}),
    ("leduc", {"suit_isomorphism": True}, {"opponent": "searching"}),
    ("leduc", {}, {"opponent": "learning"}),
    ("leduc", {"ranks": 2, "suit_isomorphism": True}, {"opponent": "learning"}),  # a forced card
    ("toepen", SMALL, {"opponent": "learning"}),
    ("toepen", SMALL, {"opponent": "searching", "match": 3}),
    ("toepen", SMALL, {"opponent": "learning", "match": 3}),
    ("toepen", {**SMALL, "hand": 1}, {"opponent": "match", "match": 3}),
]


@pytest.mark.parametrize(("game", "options", "settings"), GAMES)
def test_a_session_goes_on_as_if_it_had_never_stopped(game, options, settings, tmp_path):
    def session() -> Session:
        return Session(game, options=options, book=BOOK, seed=7, review=False, **settings)

    whole = play_on(session(), 2 * EVERY + 3)
    half = play_on(session(), EVERY + 2)
    loaded = Session.load(half.save(tmp_path / "evening.jsonl"), book=BOOK)
    random = np.random.default_rng(0)
    for hand in half.hands:  # the answers of `play_on`, from where it stopped
        for step in hand.decisions_of(0):
            random.integers(len(step.actions))
    while len(loaded.hands) < len(whole.hands):
        loaded.deal()
        while loaded.asked is not None:
            loaded.play(loaded.asked.actions[random.integers(len(loaded.asked.actions))])
    assert loaded.hands == whole.hands
    asked = {hand.rules.name: hand for hand in whole.hands}
    for hand in asked.values():
        one, other = (of.policies(hand.rules)[0] for of in (whole, loaded))
        for step in hand.decisions_of(1):
            where = step.player, step.seen, step.actions
            assert list(one.probabilities(*where)) == list(other.probabilities(*where))


def test_a_learner_learns_and_begins_anew_in_a_new_session():
    def folds(session: Session, hands: int) -> Session:
        for _ in range(hands):
            session.deal()
            while session.asked:
                session.play("p")
        return session

    first = folds(Session("kuhn", opponent="learning", seat=1, seed=1, book=BOOK), 30)
    bluffs = first.policies()[0].probabilities(0, ("J", ""), ("p", "b"))[1]
    assert bluffs > 0.5  # she folds to every bet
    title, table = SessionView(first).minds[-1]
    assert title.endswith("after 30 hands")
    assert {"you see", "you do", "expected", "at first"} < {*table}
    fresh = Session("kuhn", opponent=first.opponents[0], seat=1, seed=1, book=BOOK)
    assert fresh.policies()[0].probabilities(0, ("J", ""), ("p", "b"))[1] < 0.5


def test_a_learner_does_not_see_cards_that_were_not_shown():
    rules = wb.load_game("kuhn")
    fold = ((-1, "{}"), (-1, "K"), (0, "p"), (1, "b"), (0, "p"))
    tables = []
    for card in "JQ":  # you hold it, and fold
        moves = tuple((seat, what.format(card)) for seat, what in fold)
        policies, _ = mind_named("learning", rules, BOOK, None)
        learner: Any = policies(rules, (Hand(1, rules, (0, 1), moves),))
        tables.append(learner.believes())
    assert tables[0].equals(tables[1])
    shown = tuple((seat, what.format("J")) for seat, what in (*fold[:4], (0, "b")))
    seen: Any = mind_named("learning", rules, BOOK, None)[0](
        rules, (Hand(1, rules, (0, 1), shown),)
    )
    assert {*seen.believes()["information set"]} == {"J", "J pb"}


def test_who_plays_the_match_plays_its_equilibrium():
    rules = Toepen(1, 3, 1)
    play = solve_match(ToepenMatch(rules, 3))
    session = Session(rules, opponent="match", match=3, book=BOOK, review=False)
    limited = ToepenMatch(rules, 3).hand_rules(session.standing)
    policy = session.policies(limited)[0]
    hand = play.hands[0, 0]
    tree = hand.paying(play.worth, zero_sum=True)
    profile = wb.Strategy.from_function(tree, lambda *asked: policy.probabilities(*asked))
    assert wb.exploitability(profile) < 1e-3
    points = wb.solve(hand.tree, "lp").strategy
    assert wb.exploitability(wb.Strategy(tree, points.probs)) > 1e-3


def test_what_it_considered_is_told_at_the_table_and_in_the_terminal(ready):
    session = Session("leduc", opponent="searching", seat=0, seed=2, book=BOOK, review=False)
    told, _ = evening(session, ["w", *"ccc", "w", "q"])
    assert "There is nothing to see" in told
    assert "you hold" in told
    assert "check wins" in told or "call wins" in told
    assert "In hand 1 it " in told
    table = ready(wb.widgets.PlayTable, session)
    assert "What was your opponent thinking?" in table.minds.value or session.playing


def test_a_move_by_heart_has_no_table():
    by_heart = "In hand 1 it called (call 100 %; by heart)"
    nothing = pd.DataFrame({"you hold": [], "belief": []})
    said: list[str] = []
    session = Session("kuhn", opponent="searching", book=BOOK, review=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionView, "minds", [(by_heart, nothing)])
        TextTable(session, input, said.append).thoughts()
    assert said == [f"  {by_heart}."]
    shown = minds_html([(by_heart, nothing)])
    assert by_heart in shown
    assert "<table" not in shown


def test_practice_is_named():
    session = Session("leduc", opponent="searching", seat=0, seed=2, book=BOOK, review=False)
    play_on(session, 1)
    session.again(decision=1)
    while session.asked:
        session.play(session.asked.actions[0])
    titles = [title for title, _ in SessionView(session).minds]
    assert titles
    assert all(title.startswith("In hand 1, played again, it ") for title in titles)


def test_refusals_are_one_sentence():
    three = wb.load_game("leduc", players=3)
    for who in ("searching", "learning"):
        with pytest.raises(GameError, match="plays against one other, not at a table for 3"):
            Session(three, opponent=who)
    with pytest.raises(GameError, match="needs a game tree"):
        find_opponent("learning", wb.load_game("limit_holdem"))
    with pytest.raises(GameError, match="has none"):
        Session("kuhn", opponent="match")
    with pytest.raises(GameError, match="'learning' plays the whole game: it takes no abstraction"):
        Session("leduc", opponent="learning", abstraction="JQ-K")
    with pytest.raises(GameError, match="give match=15, in a terminal --match"):
        Session("toepen", opponent="match", review=False).deal()
    large = wb.load_game("no_limit_leduc", stack=8)
    with pytest.raises(GameError, match="learns games of up to"):
        Session(large, opponent="learning", review=False).deal()
    assert {"searching", "learning"} < {*opponents_for(wb.load_game("leduc"))}
    assert "match" in opponents_for(Toepen(), match=True)
    assert not {"searching", "learning"} & {*opponents_for(three)}
