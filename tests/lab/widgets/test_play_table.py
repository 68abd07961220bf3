"""The card table without a browser: whole hands by clicking."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import workbench as wb
from tests.lab.widgets.helpers import press, said, until
from workbench.games.words import Place, Scene, Trick, card_name, words_for
from workbench.lab.play.felt import card_svg, felt
from workbench.lab.play.session import Session
from workbench.lab.widgets.play_table import PlayTable, tables
from workbench.progress import StatusLine

SMALL = {"suits": 2, "ranks": 3}


@pytest.fixture(autouse=True)
def fast_fingers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.lab.widgets.play_table.DOUBLE", 0.0)


@pytest.fixture
def seated(ready: Any) -> Any:
    """Makes tables whose opponent is ready."""

    def sit(*arguments: Any, **settings: Any) -> PlayTable:
        table: PlayTable = ready(PlayTable, *arguments, **settings)
        assert said(table) == ""
        return table

    return sit


def moves(table: PlayTable) -> list[Any]:
    """The buttons of the moves that are allowed."""
    return [button for button in table.moves if button.layout.display == ""]


def offered(table: PlayTable) -> list[str]:
    """The moves that are allowed."""
    return [button.description for button in moves(table)]


def click(table: PlayTable, words: str) -> None:
    """Press the button that says this."""
    (found,) = [button for button in moves(table) if button.description.startswith(words)]
    found.click()


def cards_on(table: PlayTable) -> list[str]:
    return re.findall(r'<svg[^>]*aria-label="([^"]*)"', table.felt.value)


def test_a_hand_of_kuhn_by_clicking(seated):
    table = seated("kuhn", opponent="always-bet", seat=0, seed=3)
    dealt = {"J": "Jack", "Q": "Queen", "K": "King"}
    mine, theirs = (dealt[step.what] for step in table.session.steps[:2])
    assert offered(table) == ["Pass", "Bet (1)"]
    assert cards_on(table) == ["face-down card", mine]
    assert "pot 2 chips" in table.felt.value
    assert f"You hold the {mine}. Your move?" in table.now.value
    assert table.deal_button.layout.display == "none"
    assert table.undo_button.layout.display == "none"

    click(table, "Pass")
    assert offered(table) == ["Fold", "Call (1)"]
    assert "player 2 bets. Your move?" in table.now.value
    assert table.undo_button.layout.display == ""
    click(table, "Call")
    assert offered(table) == []
    assert cards_on(table) == [theirs, mine]  # a showdown
    assert table.show_button.layout.display == "none"
    assert f"Player 2 shows the {theirs}" in table.log.value
    assert table.deal_button.layout.display == ""
    found = table.session.review(-1)
    assert found.summary in table.reviewed.value
    assert table.reviewed.value.count("<tr>") == 1 + len(found.verdicts)
    assert "<b>1</b><span>hand<" in table.summary.value

    table.deal_button.click()
    assert len(moves(table)) == 2
    assert table.reviewed.value == ""
    assert "Hand 2" in table.score.value


def test_cards_of_others_stay_hidden_after_a_fold_until_asked(seated):
    table = seated("leduc", opponent="always-fold", seat=0, seed=2)
    click(table, "Bet (2)")
    theirs = table.session.hands[0].steps[1].what
    assert "face-down card" in cards_on(table)
    assert theirs not in table.log.value
    assert table.show_button.layout.display == ""
    table.show_button.click()
    assert "face-down card" not in cards_on(table)
    assert table.show_button.layout.display == "none"
    table.deal_button.click()
    assert "face-down card" in cards_on(table)


def test_a_double_click_is_one_move_one_session_and_one_deal(seated, monkeypatch):
    monkeypatch.setattr("workbench.lab.widgets.play_table.DOUBLE", 100.0)
    table = seated("leduc", opponent="always-raise", seat=0, seed=1)
    table.moves[0].click()
    assert "Fold" in offered(table)
    table.moves[0].click()  # was meant for Check, not for Fold
    assert table.session.playing
    table.moves[1].click()
    assert [step.what for step in table.session.steps if step.player == 0][:2] == ["c", "c"]
    table = seated("kuhn", opponent="always-fold", seat=0, seed=3)
    for _ in range(2):
        press(table, "sit")
    assert table.session.seed == 4
    click(table, "Bet (1)")
    for _ in range(2):
        table.deal_button.click()
        assert table.message.layout.display == "none"
    assert len(table.session.hands) == 1


def test_a_hand_of_toepen_by_clicking(seated):
    table = seated("toepen", options=SMALL, opponent="always-call", seat=0, seed=1)
    assert table.game.value == "toepen(suits=2)"
    before = table.felt.value
    click(table, "Bet")
    assert table.felt.value != before
    table.undo_button.click()
    assert table.felt.value == before
    click(table, "Check")
    played = moves(table)[0].description.removeprefix("Play the ")
    table.moves[0].click()
    assert f"You play the {played}" in table.log.value
    while moves(table):
        moves(table)[0].click()
    assert "win the last trick" in table.log.value or "wins the last trick" in table.log.value
    assert "trick 2: " in table.felt.value
    assert "points at stake" in table.felt.value
    assert not [name for name in cards_on(table) if name == "face-down card"]


def test_a_match_solves_what_the_next_hand_needs(seated):
    table = seated("toepen", options=SMALL, match=3, opponent="always-fold", seat=0)
    while not table.session.winners:
        if not table.session.playing:
            press(table, "deal")
        move = 0 if "Bet" not in offered(table) else offered(table).index("Bet")
        moves(table)[move].click()
    assert table.session.winners == (0,)
    assert "You win the match." in table.now.value
    assert "penalty points, 3 loses: You 0, Player 2 0" in table.score.value


def test_every_table_of_the_list_is_a_game():
    for what in tables().values():
        assert Session(**what, opponent="uniform", review=False).players >= 2


def test_save_and_play_on(seated, tmp_path, monkeypatch):
    table = seated("kuhn", opponent="uniform", seat=0, seed=3)
    click(table, "Bet")
    table.file.value = str(tmp_path / "evening.jsonl")
    table.save_button.click()
    assert "1 hand written to" in table.message.value
    monkeypatch.setenv("HOME", str(tmp_path))  # where ~ is
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    table.file.value = "~/again.jsonl"
    table.save_button.click()
    assert (tmp_path / "again.jsonl").is_file()

    def refuse(part: Path, path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(part))

    monkeypatch.setattr("workbench.files.os.replace", refuse)
    table.file.value = str(tmp_path / "third.jsonl")
    table.save_button.click()
    assert "third.jsonl cannot be written (Permission denied); name" in table.message.value
    assert ".part" not in table.message.value
    again = seated(Session.load(tmp_path / "evening.jsonl"))
    assert "Hand 2" in again.score.value
    assert again.session.seed == 3


def test_no_hand_is_lost(seated, tmp_path):
    """A file of another session is left alone, and so are hands that nobody saved."""
    table = seated("kuhn", opponent="uniform", seat=0, seed=3)
    table.file.value = ""
    table.save_button.click()
    assert "name a file for the hands" in table.message.value
    file = tmp_path / "evening.jsonl"
    table.file.value = str(file)
    for hands in (1, 2):  # one session, one file
        click(table, "Bet")
        table.save_button.click()
        assert len(Session.load(file).hands) == hands
        table.deal_button.click()
    first = file.read_text(encoding="utf-8")
    press(table, "sit")
    assert "not saved" not in table.message.value
    click(table, "Bet")
    table.save_button.click()
    assert file.read_text(encoding="utf-8") == first
    assert table.file.value == str(tmp_path / "evening-2.jsonl")
    assert len(Session.load(table.file.value).hands) == 1
    table.deal_button.click()
    click(table, "Bet")
    press(table, "sit")  # with a hand more than the file has
    assert "2 hands not saved" in table.message.value
    assert len(table.earlier[-1].hands) == 2


def test_rules_hint_play_again_and_train(seated):
    table = seated("kuhn", opponent="always-bet", seat=0, seed=3)
    table.rules_button.click()
    assert "The higher card wins" in table.message.value
    table.hint_button.click()
    assert "The equilibrium: pass" in table.message.value
    assert [button.tooltip for button in moves(table)] == [
        "Pass (key p or 1)", "Bet (1) (key b or 2)"
    ]  # fmt: skip
    click(table, "Pass")
    assert {"wb-key-f", "wb-key-1"} <= {*moves(table)[0]._dom_classes}
    assert "wb-key-p" not in moves(table)[0]._dom_classes
    click(table, "Call")  # with the Jack: that costs a chip
    assert table.hint_button.layout.display == "none"
    assert "called instead of folding" in table.summary.value
    for button, answer in ((table.again_button, "Call"), (table.train_button, "Fold")):
        button.click()
        assert offered(table) == ["Fold", "Call (1)"]
        assert table.undo_button.layout.display == "none"  # the position is where it begins
        assert "Practice, hand 1 again" in table.score.value
        click(table, answer)
        assert len(table.session.hands) == 1
    assert "−1.00 for your decisions" not in table.reviewed.value
    table.train_button.click()
    assert "nothing to train: you got every spot right" in table.message.value
    table.deal_button.click()
    assert "Hand 2" in table.score.value


def test_mistakes_are_one_message(ready):
    def broken(player: int, seen: Any, actions: Any) -> Any:
        raise RuntimeError("no idea")

    table = ready(PlayTable, "kuhn", opponent=broken, seat=1, review=False)
    assert "RuntimeError: no idea" in said(table)
    assert table.deal_button.layout.display == ""
    large = ready(PlayTable, "toepen", options={"suits": 4, "ranks": 8, "hand": 4})
    assert "too many to list" in said(large)


# ---- pictures --------------------------------------------------------------------------------

DECK = [rank + suit for suit in "♠♥♦♣" for rank in ("10", "9", "8", "7", "A", "K", "Q", "J")]


@pytest.mark.parametrize("card", [*DECK, "J", "Q", "K", "A", "T", "9", "2♠", None])
def test_cards_are_well_formed_and_say_what_they_are(card):
    drawn = ElementTree.fromstring(card_svg(card, extra="played by <you>"))
    title = drawn.find("{http://www.w3.org/2000/svg}title")
    name = "face-down card" if card is None else card_name(card)
    assert title.text == drawn.get("aria-label") == f"{name}, played by <you>"
    assert drawn.get("role") == "img"
    assert len({card_svg(other) for other in DECK}) == len(DECK)
    pips = {"10♠": 10, "9♥": 9, "8♦": 8, "7♣": 7}
    if card in pips:
        assert card_svg(card).count("scale(0.17)") == pips[card]


def test_the_felt_says_everything_in_words_too():
    scene = Scene(
        (Place(("Q♠",), 3.0), Place((None,), 5.0, folded=True)),
        ("K♥",),
        (Trick(((0, "9♥"), (1, "8♥")), 0), Trick(((0, "7♣"),))),
        "pot 8 chips",
    )
    kuhn = words_for(wb.load_game("kuhn"))
    drawn = felt(scene, ["You", "<b>Eve</b>"], 0, kuhn, turn=0, result="You win")
    page = ElementTree.fromstring(drawn)
    words = " ".join(page.itertext())
    said = ("<b>Eve</b>", "3 chips in the pot", "folded, 5 chips", "pot 8 chips", "board")
    for part in (*said, "trick 1: You"):
        assert part in words
    assert drawn.count("turn") == 1
    assert len(page.findall(".//{http://www.w3.org/2000/svg}svg")) == 6


def test_stop_leaves_a_weaker_opponent_who_says_so(panels):
    table: PlayTable = panels(PlayTable, "leduc", iterations=10_000_000, seed=3)
    until(lambda: table.bar.bar.value > 0)
    assert not table.stop_button.disabled
    press(table, "stop")
    assert "weaker than an equilibrium" in said(table)
    assert "not judged" in table.reviewed.value
    while moves(table):
        moves(table)[0].click()
    assert len(table.session.hands) == 1
    table.opponent.value = "uniform"
    table._settings["review"] = False
    press(table, "sit")
    assert said(table).count("not saved") == 1
    assert offered(table)


def test_stop_before_anything_is_found(panels, monkeypatch):
    """As while kernels are compiled: nobody sits down, and one can go on."""

    def compiling(*arguments: Any) -> None:
        status = StatusLine()
        while True:
            status.show("compiling")

    monkeypatch.setattr(Session, "prepare", compiling)
    table: PlayTable = panels(PlayTable, "leduc", seed=3)
    until(lambda: "compiling" in table.bar.words.value)
    press(table, "stop")
    assert "Nobody sits opposite you yet" in table.now.value
    monkeypatch.undo()
    press(table, "deal")
    assert offered(table)


def test_holdem_is_counted_in_big_blinds(seated):
    table = seated("limit_holdem", opponent="always-call", seat=0, seed=3, review=False)
    assert offered(table) == ["Fold", "Call 0.5", "Raise to 2"]
    assert "pot 1.5 bb" in table.felt.value
    click(table, "Raise")
    assert "The flop is" in table.log.value
    assert "the flop comes; player 2 checks" in table.now.value
    click(table, "Bet 1")
    assert re.search("the turn comes; player 2 checks. Your move", table.now.value)
    while moves(table):
        moves(table)[0].click()
    assert re.search(r"You (win|lose) 3 bb|You break even", table.now.value)
    assert table.session.hands[0].payoffs[0] in (-3000.0, 0.0, 3000.0)
    assert table.felt.value.count("<figcaption>board") == 1
    assert "milli" not in table.score.value + table.felt.value + table.summary.value
