"""One's own game, written in 28 lines, at the table, in the terminal and in every panel."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import tests.own_game
import workbench as wb
from tests.lab.play.test_terminal import evening
from tests.lab.widgets.conftest import panels  # noqa: F401 (the name makes the fixture known)
from tests.lab.widgets.helpers import SOON, press, repeated, said, same, stitches_as_told, text
from tests.own_game import Kuhn4, Named, SpokenKuhn4
from workbench.games.words import amount, says, situation, unit_of, words_for
from workbench.lab.cli.main import main
from workbench.lab.play.opponents import opponents_for
from workbench.lab.play.session import Session

RANKS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


@pytest.fixture(autouse=True)
def fast_fingers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.lab.widgets.play_table.DOUBLE", 0.0)


def buttons(table: Any) -> list[str]:
    return [button.description for button in table.moves if button.layout.display == ""]


def test_the_game_itself() -> None:
    tree = wb.compile_game(Kuhn4())
    assert tree.num_infosets == 4 * 6
    assert wb.solve(tree, "lp").exploitability < 1e-9


def test_without_a_word_the_table_shows_what_was_seen(panels: Any) -> None:  # noqa: F811
    table = panels(wb.widgets.PlayTable, Kuhn4(), opponent="always-c", seat=0, seed=1)
    assert table.wait(SOON)
    assert said(table) == ""
    mine, theirs = (step.what for step in table.session.steps[:2])
    assert buttons(table) == ["Play p", "Play b"]
    assert f'aria-label="{RANKS[mine]}"' in table.felt.value
    assert f'aria-label="{RANKS[theirs]}"' not in table.felt.value
    assert table.felt.value.count("face-down card</title>") == 1
    assert f"You see “{mine}”" in table.now.value
    table.moves[1].click()
    assert (
        text(table.log.value)
        == f"This hand You play b Player 2 plays c Player 2 had seen “{theirs} b”"
    )
    assert f'aria-label="{RANKS[theirs]}"' in table.felt.value
    assert "points" in table.now.value
    assert "for your decisions" in table.reviewed.value
    table.rules_button.click()
    assert "ante 2, bet 1" in table.message.value  # the first lines of the class


def test_with_a_few_words(panels: Any) -> None:  # noqa: F811
    table = panels(wb.widgets.PlayTable, SpokenKuhn4(), opponent="always-raise", seat=0, seed=1)
    assert table.wait(SOON)
    mine, theirs = (RANKS[step.what] for step in table.session.steps[:2])
    assert buttons(table) == ["Check", "Bet"]
    assert f"You hold {'an' if mine == 'Ace' else 'a'} {mine}" in table.now.value
    table.moves[1].click()
    assert "player 2 raises" in table.now.value
    assert buttons(table) == ["Fold", "Call"]
    table.moves[1].click()
    assert f"Player 2 shows {'an' if theirs == 'Ace' else 'a'} {theirs}" in table.log.value
    assert "chips" in table.now.value
    table.rules_button.click()
    assert "The higher card wins." in table.message.value


class Otherwise(Kuhn4):
    """Names that mean something else here, and a player who sees a text."""

    name, cards = "otherwise", "JQKA"

    def moves(self, state: Any) -> tuple[Any, ...]:
        return tuple(self.node(state).actions)

    def node(self, state: Any) -> Any:
        node = super().node(state)
        if isinstance(node, wb.Decision):
            return wb.Decision(node.player, "".join(map(str, node.seen)), node.actions)
        return node


def test_names_that_mean_something_else_are_left_alone(panels: Any) -> None:  # noqa: F811
    table = panels(wb.widgets.PlayTable, Otherwise(), opponent="always-c", seat=0, seed=1)
    assert table.wait(SOON)
    assert buttons(table) == ["Play p", "Play b"]
    table.moves[1].click()
    assert "Player 2 had seen “" in table.log.value
    explorer = panels(wb.widgets.StitchingExplorer, Otherwise(), iterations=20)
    explorer.solve()
    assert explorer.wait(SOON), said(explorer)
    assert len(explorer.results) == 1


class Slip(SpokenKuhn4):
    """Its cards fail."""

    name = "slip"

    def cards(self, seen):
        return [seen["card"]]


class Listed(SpokenKuhn4):
    name, moves = "listed", ["check", "bet"]


class Nothing(SpokenKuhn4):
    name = "nothing"

    def cards(self, seen):
        return None


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Slip(), r"cards\(\('.', '.*'\)\) of 'slip' fails: TypeError: .*mend the method `cards`"),
        (Nothing(), "of 'nothing' must be a list of the player's own cards, .* not None"),
        (Listed(), "moves of 'listed' must be a dict .* not \\['check', 'bet'\\]"),
    ],
)
def test_slips_in_what_a_game_says_of_itself(rules: Any, told: str) -> None:
    """Before anybody sits down, and not in the middle of a hand."""
    for panel in (wb.widgets.PlayTable, lambda game: wb.widgets.GameBrowser(game, at="JQ")):
        with pytest.raises(wb.GameError, match=told):
            panel(rules)


class Late(SpokenKuhn4):
    name = "late"

    def node(self, state):
        return super().node(state) if state[1] != "pb" else 1 // 0


def test_a_table_that_cannot_be_set_waits_for_nobody(
    panels: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("workbench.games.words.LOOK_AT", 3)
    table = panels(wb.widgets.PlayTable, Late(), opponent="uniform")
    table.wait(SOON)
    assert "getting ready" not in table.now.value
    assert "ZeroDivisionError" in said(table)


def test_in_odd_words() -> None:
    rules = SpokenKuhn4()
    for name, value in (("unit", "penny"), ("about", lambda: "Bet."), ("moves", {"p": "go"})):
        setattr(rules, name, value)
    words = words_for(rules)
    assert (words.about, words.unit, unit_of(rules)) == ("Bet.", "penny", "pennies per game")
    assert (amount(2, "penny"), amount(2, "chips")) == ("2 pennies", "2 chips")
    assert says("Player 2", words.move("p", (), ("p",))) == "Player 2 goes"


def test_a_mistake_in_ones_own_file_is_shown_from_there_on(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.py"
    for start, last in (("return 1 / 0", "ZeroDivisionError: division by zero"), ("(", "closed")):
        file.write_text(
            f"class G:\n    name, players = 'x', 2\n    next = node = None\n"
            f"    def start(self):\n        {start}\n"
        )
        assert main(["play", f"{file}:G"]) == 2
        said = capsys.readouterr().err
        assert last in said
        assert said.count("File ") == 1


def test_opponents_that_make_sense(panels: Any) -> None:  # noqa: F811
    plain = ["always-p", "always-b", "always-f", "always-c", "always-r"]
    spoken = ["always-check", "always-bet", "always-fold", "always-call", "always-raise"]
    assert sorted(opponents_for(Kuhn4())) == sorted(["equilibrium", "uniform", *plain])
    assert sorted(opponents_for(SpokenKuhn4())) == sorted(["equilibrium", "uniform", *spoken])
    table = panels(wb.widgets.PlayTable, Kuhn4(), seat=0, seed=1)
    assert table.wait(SOON)
    for opponent in table.opponent.options:
        table.opponent.value = opponent
        press(table, "sit")
        assert "error" not in said(table)
        while table.session.playing:
            table.play(0)
        assert len(table.session.hands) == 1
    table.game.value = "Kuhn poker"
    assert "always-call" in table.opponent.options
    assert "always-c" not in table.opponent.options


def test_nothing_leaks_where_moves_are_hidden() -> None:
    rules = wb.load_game("rock_paper_scissors")
    session = Session(rules, opponent="uniform", seat=1, seed=1, review=False)
    session.deal()
    words = words_for(rules)
    assert [text for step in session.steps for text in words.told(step, session.names, 1)] == []
    assert (
        situation(words, session.steps, session.asked.seen, ("Player 2", "You"), 1)
        == "You have seen nothing"
    )
    session.play("rock")
    assert words.shown(session.steps, ("Player 2", "You"), 1) == [
        f"Player 2 plays {session.steps[0].what}"
    ]


def test_in_the_terminal() -> None:
    screen, _ = evening(
        Session(Kuhn4(), opponent="always-c", seat=0, seed=1), ["?", "h", "b"], hands=1
    )
    for words in (
        "Kuhn poker with four cards",
        "The equilibrium: play p",
        "Player 2 plays c",
        "had seen",
    ):
        assert words in screen


def test_without_cards_the_terminal_says_what_was_seen() -> None:
    """And moves that are one letter can be typed."""
    screen, _ = evening(Session("figure1", opponent="uniform", seat=0, seed=2), ["l"], hands=1)
    assert "  You see “b or c”.\n  1 play [l]   2 play [r]   > l\nYou play l." in screen


def test_on_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("b\nc\n"))
    file = Path(tests.own_game.__file__)
    game = f"{file}:SpokenKuhn4"
    assert main(["play", game, "--opponent", "always-call", "--hands", "1", "--seat", "1"]) == 0
    assert "Player 2 calls" in capsys.readouterr().out
    assert main(["play", f"{file}:Kuhn5"]) == 2
    said = capsys.readouterr().err
    assert "did you mean 'Kuhn4'?" in said
    assert "'wb'" not in said
    assert main(["play", str(file)]) == 2
    assert f"{file}:Kuhn4 or {game}" in capsys.readouterr().err


def test_in_the_other_panels(panels: Any) -> None:  # noqa: F811
    rules = SpokenKuhn4()
    solver = panels(wb.widgets.SolverPanel, rules, iterations=50)
    solver.start()
    assert solver.wait(SOON), said(solver)
    assert "chips per game" in text(solver.results.value)
    browser = panels(wb.widgets.GameBrowser, rules, at="JQb")
    assert [one.description for one in browser.moves.shown] == ["fold (f)", "call (c)", "raise (r)"]
    stepper = panels(wb.widgets.CFRStepper, rules)
    stepper.step()
    assert stepper.wait(SOON), said(stepper)
    explorer = panels(wb.widgets.AbstractionExplorer, rules, iterations=50)
    assert explorer.wait(SOON), said(explorer)
    explorer.start()
    assert explorer.wait(SOON), said(explorer)


@pytest.mark.parametrize("rules", [Kuhn4(), SpokenKuhn4()])
def test_in_the_stitching_explorer(panels: Any, rules: Any) -> None:  # noqa: F811
    explorer = panels(wb.widgets.StitchingExplorer, rules, iterations=50)
    assert explorer.recipe.base == "JQ-K-A"
    assert explorer.choice.experts.names == ("b", "pb")
    explorer.solve()
    assert explorer.wait(SOON), said(explorer)
    assert stitches_as_told(explorer, game=rules)


def test_ranks_with_longer_names(panels: Any) -> None:  # noqa: F811
    rules = Named("9♠ 9♥ 10♠ 10♥ J♠ J♥", board=True)
    explorer = panels(wb.widgets.AbstractionExplorer, rules, iterations=50)
    explorer.way.ticks["10", "J"].value = True
    assert explorer.wait(SOON), said(explorer)
    assert explorer.abstraction.name == "10/J"
    explorer.start()
    assert explorer.wait(SOON), said(explorer)
    assert 'wb.abstraction.merge_cards(["10", "J"])' in explorer.code
    assert same(explorer.runs[0], repeated(explorer.code, game=rules))
    stitcher = panels(wb.widgets.StitchingExplorer, rules, iterations=50)
    assert stitcher.recipe.base == "9/10-J"
    stitcher.choice.way.value = "card"
    assert stitcher.choice.experts.names == ("9", "10", "J")
    stitcher.solve()
    assert stitcher.wait(SOON), said(stitcher)
    assert stitches_as_told(stitcher, game=rules)
