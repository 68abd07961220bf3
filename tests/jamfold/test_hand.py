"""A hand of a tournament as rules: chips are kept, decisions are priced, sessions play it."""

import numpy as np
import pytest

import workbench as wb
from workbench.games.deck import Deck
from workbench.jamfold.hand import JamFold, TournamentMatch
from workbench.lab.play.session import Session
from workbench.lab.play.terminal import TextTable
from workbench.rules import GameError


@pytest.fixture(scope="module")
def found():
    game = wb.jamfold.Tournament(units=4, players=2, prizes=(1, 0))
    return wb.jamfold.solve(game, "pi-fp", iterations=2)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("answer", ["j", "f"])
def test_a_tournament_ends_and_keeps_its_chips(found, seed, answer):
    lines = []
    session = Session(TournamentMatch(found), seed=seed)
    assert TextTable(session, lambda prompt: answer, lines.append, hands=50).run() is False
    match = TournamentMatch(found)
    now = match.opening()
    for hand in session.hands:
        now = match.after(now, hand.counts)
        assert sum(now.points) == 4
        assert abs(sum(hand.payoffs)) < 1e-6
    assert sorted(now.points) == [0, 4]
    won = now.points[0] == 4
    assert session.winners == (0 if won else 1,)
    start = found.values((2, 2))[0]
    assert session.net == pytest.approx((1 if won else 0) - start, abs=1e-6)
    text = " ".join(" ".join(lines).split())
    assert ("You win 1." in text) == won
    assert ("Player 2 is out." if won else "You are out.") in text
    assert f"decisions cost {session.scores().cost.sum():.2f}" in text


def test_playing_as_found_changes_nothing_on_average(found):
    """The button of two is the first to decide: over all hands, what was found is worth 0."""
    rules, deck = JamFold(found, (2, 2)), Deck()
    mean = 0.0
    for pair in deck.hands(2):
        seen = " ".join(map(deck.name, pair)), "", ""
        worth = rules.worth(0, seen)
        mean += np.dot(rules.probabilities(0, seen, [*worth]), [*worth.values()]) / 1326
    assert abs(mean) < 1e-6


def test_a_decision_costs_what_the_other_one_is_worth_more(found):
    rules = JamFold(found, (2, 2))
    for hand, cards in (("AA", "A♥ A♠"), ("72o", "7♥ 2♠")):
        worth = rules.worth(0, (cards, "", ""))
        advantage = found.advantage((2, 2), "button", hand)
        assert worth["J"] - worth["F"] == pytest.approx(advantage, abs=1e-12)
    assert rules.probabilities(0, ("A♥ A♠", "", ""), ("F", "J")) == [0.0, 1.0]


def test_sessions_are_saved_and_go_on(found, tmp_path):
    match = TournamentMatch(found)
    session = Session(match, opponent="always-jam", seed=4)
    while not session.winners:
        session.deal()
        while session.asked:
            session.play("F" if "F" in session.asked.actions else "J")
    path = session.save(tmp_path / "evening.jsonl")
    again = Session.load(path, match)
    assert again.hands == session.hands
    assert again.scores().equals(session.scores())
    with pytest.raises(GameError, match=r"give the rules of 'jam or fold, 2-2'.*TournamentM"):
        Session.load(path)
    with pytest.raises(GameError, match=r"hands of 'jam or fold, 2-2', not of 'jam or fold, 3-1'"):
        Session.load(path, TournamentMatch(found, (3, 1)))
    with pytest.raises(GameError, match=r"make no match.*give its TournamentMatch"):
        Session.load(path, match.rules)
    with pytest.raises(GameError, match="no abstraction"):
        Session(match, abstraction="null").prepare()


def test_a_study_takes_the_match_or_its_rules(found, tmp_path):
    match = TournamentMatch(found)
    session = Session(match, seed=1)
    session.deal()
    path = wb.play.Study.at(session).save(tmp_path / "spot.toml")
    for given in (match, match.rules):
        assert wb.play.Study.load(path, given).node.seen == session.asked.seen


def test_the_card_table_serves_it(found):
    with_seed = wb.widgets.PlayTable(TournamentMatch(found), seed=1)
    assert with_seed.wait()
    assert "chips, 4 win: You 2, Player 2 2" in with_seed.score.value
    assert "button, 2 chips" in with_seed.felt.value
    assert [button.description for button in with_seed.moves] == ["Fold", "Jam"]
    with_seed.moves[0].click()
    assert "Player 2 wins 1 chip" in with_seed.now.value
    assert "What it cost" in with_seed.reviewed.value
    with_seed.close()


def test_stacks_that_cannot_be(found):
    for stacks in ((4, 0), (1, 1), (1, 1, 2)):
        with pytest.raises(GameError, match="stacks"):
            TournamentMatch(found, stacks)
