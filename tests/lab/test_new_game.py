"""A new game is one file and one line: after that it works everywhere, in words or without."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conftest import ROOT
from tests.lab.play.test_terminal import evening
from tests.lab.widgets.helpers import SOON, press, repeated, said, same, stitches_as_told, text
from tests.new_game import Nearest
from tests.own_game import Kuhn4
from workbench.games.registry import GAMES, describe, game_code
from workbench.games.words import Words, a_card, amount, says, situation, unit_of, words_for
from workbench.lab.ledger import entries
from workbench.lab.play.opponents import opponents_for
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.solvers.base import SOLVERS
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nearest", Nearest)  # the one line


def test_by_name():
    assert "nearest" in wb.list_games()
    rules = wb.load_game("nearest", ranks=4)
    assert describe(rules) == ("nearest", {"ranks": 4})
    assert game_code(rules) == 'wb.load_game("nearest", ranks=4)'
    assert wb.list_abstractions("nearest") == ["high-low"]
    with pytest.raises(wb.GameError, match="nearest: ranks must be a whole number from 3 to 8"):
        wb.load_game("nearest", ranks=9)


def test_in_the_abstraction_explorer(ready):
    explorer = ready(wb.widgets.AbstractionExplorer, "nearest", iterations=50)
    assert list(explorer.ways) == ["published", "merged cards", "buckets"]
    assert explorer.abstraction.name == "high-low"
    explorer.kind.value = "merged cards"
    explorer.way["8", "9"].value = True
    assert explorer.way["board"].value == "group"  # there is one card of each rank: nothing pairs
    explorer.way["board"].value = "rank"
    assert explorer.wait(SOON)
    press(explorer, "start")
    assert 'wb.abstraction.merge_cards("89", board="rank")' in explorer.code
    assert same(explorer.runs[0], repeated(explorer.code))


class Bare(Nearest):
    """The same game without words; the card turned up is "" before, or stands in a tuple."""

    words = Words

    def __init__(self, nested: bool = False, speaks: bool = True) -> None:
        super().__init__()
        object.__setattr__(self, "nested", nested)
        if speaks:
            object.__setattr__(self, "cards", lambda seen: [seen[0]])

    def node(self, state: tuple[str, str]) -> Any:
        node = super().node(state)
        if isinstance(node, wb.Decision) and self.nested:  # type: ignore[attr-defined]
            card, board, betting = node.seen  # type: ignore[misc]
            return wb.Decision(node.player, (card, tuple(board), (betting,)), node.actions)
        return node


BARE = [(False, True), (True, False)]


@pytest.mark.parametrize(("nested", "speaks"), BARE)
def test_the_board_of_a_game_without_words(ready, nested, speaks):
    """On the felt, in the sentence, in the terminal and at the showdown, and not before."""
    rules = Bare(nested, speaks)
    table = ready(wb.widgets.PlayTable, rules, opponent="always-p", seat=0, seed=1, review=False)
    for k, shows in enumerate([False, True]):
        if k:
            table.play(0)
        cards = [step.what for step in table.session.steps if step.player < 0]
        assert ("on the board" in table.felt.value) == shows
        assert table.felt.value.count("face-down card</title>") == 1
        if speaks:
            said_now = f"You hold {a_card(cards[0])}"
            said_now += f"; the board shows {a_card(cards[2])}" if shows else ""
            assert f"{said_now};" in table.now.value.replace(".", ";")
    table.play(0)
    assert not table.session.playing
    scene = SessionView(table.session).scene()
    assert scene.board == (cards[2],)
    assert [place.cards for place in scene.places] == [(cards[0],), (cards[1],)]
    assert "on the board" in table.felt.value
    screen, _ = evening(
        Session(rules, opponent="always-p", seat=0, seed=1, review=False), ["1", "1"], hands=1
    )
    assert f"you [{cards[0]}] · Player 2 [??]" in screen
    assert f"you [{cards[0]}] · board [{cards[2]}] · Player 2 [??]" in screen
    tree = wb.compile_game(rules)
    merged = wb.abstract(tree, wb.abstraction.merge_cards("89"))
    assert (tree.num_infosets, merged.coarse.num_infosets) == (260, 172)


SLIPS: list[tuple[dict[str, Any], str]] = [
    ({"cards": lambda self, seen: [seen["card"]]}, "TypeError"),
    ({"cards": lambda self, seen: None}, "list"),
    ({"moves": ("check", "bet")}, "dict"),
]


@pytest.mark.parametrize(("says", "word"), SLIPS)
def test_slips_in_what_a_game_says_of_itself(says, word):
    """Before anybody sits down, and not in the middle of a hand."""
    game = type("Slip", (Bare,), says)(speaks=False)
    for panel in (wb.widgets.PlayTable, lambda game: wb.widgets.GameBrowser(game, at="59")):
        with pytest.raises(wb.GameError, match=word):
            panel(game)


class Late(Bare):
    def node(self, state: tuple[str, str]) -> Any:
        return super().node(state) if state[1] != "pb" else 1 // 0  # type: ignore[return-value]


def test_a_table_that_cannot_be_set_waits_for_nobody(panels, monkeypatch):
    monkeypatch.setattr("workbench.games.words.LOOK_AT", 3)
    table = panels(wb.widgets.PlayTable, Late(), opponent="uniform")
    table.wait(SOON)
    assert "getting ready" not in table.now.value
    assert "ZeroDivisionError" in said(table)


def test_in_odd_words():
    odd = {"unit": "penny", "about": lambda self: "Bet.", "moves": {"p": "go"}}
    rules = type("Odd", (Bare,), odd)(speaks=False)
    words = words_for(rules)
    assert (words.about, words.unit, unit_of(rules)) == ("Bet.", "penny", "pennies per game")
    assert (amount(2, "penny"), amount(2, "chips")) == ("2 pennies", "2 chips")
    assert says("Player 2", words.move("p", (), ("p",))) == "Player 2 goes"


class Otherwise(Kuhn4):
    """Names that mean something else here, and a player who sees a text."""

    name, cards = "otherwise", "JQKA"

    def moves(self, state: Any) -> Any:
        return state

    def node(self, state: Any) -> Any:
        node = super().node(state)
        if isinstance(node, wb.Decision):
            return wb.Decision(node.player, "".join(map(str, node.seen)), node.actions)
        return node


def test_names_that_mean_something_else_are_left_alone(panels, ready):
    table = ready(wb.widgets.PlayTable, Otherwise(), opponent="always-c", seat=0, seed=1)
    assert [one.description for one in table.moves[:2]] == ["Play p", "Play b"]
    table.play(1)
    assert "Player 2 had seen “" in table.log.value
    explorer = panels(wb.widgets.StitchingExplorer, Otherwise(), iterations=20)
    press(explorer, "solve")
    assert len(explorer.done) == 1


def test_opponents_that_make_sense(ready):
    minds = {"searching", "learning"}
    assert {*opponents_for(Bare())} == {"equilibrium", *minds, "uniform", "always-p", "always-b"}
    table = ready(wb.widgets.PlayTable, Bare(), seat=0, seed=1)
    table.game.value = "Kuhn poker"
    assert "always-call" in table.opponent.options
    assert "always-p" not in table.opponent.options


def test_nothing_leaks_where_moves_are_hidden():
    rules = wb.load_game("rock_paper_scissors")
    session = Session(rules, opponent="uniform", seat=1, seed=1, review=False)
    session.deal()
    words, names = words_for(rules), ("Player 2", "You")
    assert [text for step in session.steps for text in words.told(step, session.names, 1)] == []
    assert "nothing" in situation(words, session.steps, session.asked.seen, names, 1)
    session.play("rock")
    (shown,) = words.shown(session.steps, names, 1)
    assert session.steps[0].what in shown


def test_without_cards_the_terminal_says_what_was_seen():
    """And moves that are one letter can be typed."""
    screen, _ = evening(Session("figure1", opponent="uniform", seat=0, seed=2), ["l"], hands=1)
    assert "  You see “b or c”.\n  1 play [l]   2 play [r]   > l\nYou play l." in screen


def test_in_the_stitching_explorer(panels):
    explorer = panels(wb.widgets.StitchingExplorer, "nearest", iterations=50)
    assert explorer.recipe.base == "high-low"
    assert explorer.experts.names == ("b", "pb", "ppb", "pppb")
    assert explorer.way.options == ("first bet", "round", "card", "card, later")
    press(explorer, "solve")
    assert "Thousandths of a coin" in text(explorer.table.value)
    assert stitches_as_told(explorer)


def test_at_the_card_table(ready):
    table = ready(wb.widgets.PlayTable, "kuhn", opponent="always-call", seat=0, seed=1)
    table.game.value = "nearest"
    press(table, "sit")
    assert "pot 2 coins" in table.felt.value
    assert "You are dealt the " in table.log.value
    table.play(1)
    assert "You bet" in text(table.log.value)
    assert "The board shows the " in text(table.log.value)
    while table.session.playing:
        table.play(0)
    assert "coins" in table.now.value
    assert "for your decisions" in table.reviewed.value


PUBLISHED = """item,unit,published,where,says
information sets,sets,8,"Doe (2030), Table 4",
player 2 wins,coins per game,,"Doe (2030), page 3",moving second is better
"""


@pytest.mark.usefixtures("typed")
def test_in_the_ledger(tmp_path, monkeypatch, output):
    """The entry that CONTRIBUTING shows."""
    name, made = "doe-2030-table4", dict[str, Any]()
    (code,) = [block for block in blocks() if "ENTRIES" in block]
    exec(code, made)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / f"{name}.csv").write_text(PUBLISHED, encoding="utf-8")
    monkeypatch.setattr(entries, "DATA", tmp_path)
    monkeypatch.setitem(entries.all_entries(), name, made["ENTRIES"][name])
    assert "1 reproduced, 1 claim holds" in output(f"reproduce {name} --save")
    assert [row.verdict for row in entries.read_ledger()] == ["reproduced", "claim holds"]
    assert entries.read_settings(name)["game"] == "high_card"


def blocks() -> list[str]:
    """The Python on the page."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_contributing_shows_this_game():
    here = (ROOT / "tests" / "new_game.py").read_text(encoding="utf-8")
    assert any(here.endswith(block) for block in blocks())


@pytest.fixture(scope="module")  # a name keeps its class: solved games are remembered by name
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The files that CONTRIBUTING shows and their lines in the registries, as they stand there."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = (
        r"`workbench/(\w+)/(\w+)\.py`[^`]*.*?```python\n(.*?)```.*?`\"([^\"]+)\": \"([^\"]+)\",`"
    )
    found = re.findall(r"here " + shown, page, re.DOTALL)
    assert [name for _, _, _, name, _ in found] == ["high_card", "power-cfr"]
    monkeypatch, folder_of_files = pytest.MonkeyPatch(), tmp_path_factory.mktemp("typed")
    for folder, file, code, name, place in found:
        path = folder_of_files / f"{file}.py"
        path.write_text(code, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(f"workbench.{folder}.{file}", path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        monkeypatch.setitem({"games": GAMES, "solvers": SOLVERS}[folder], name, place)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("typed")
def test_the_files_in_contributing(panels, tmp_path, output, refused):
    with pytest.raises(wb.GameError, match="high_card: stake must be a whole number from 2 to 9"):
        wb.load_game("high_card", stake=1)
    with pytest.raises(wb.GameError, match="power must be a number from 0 to 50, not 51"):
        wb.Experiment("high_card", solver="power-cfr", settings={"power": 51})
    rules = wb.load_game("high_card", stake=4)
    assert wb.compile_game(rules).num_infosets == 2 * 4
    run = wb.solve(rules, "power-cfr", iterations=1000, store=tmp_path / "runs")
    assert wb.solve(rules, "lp").exploitability < 1e-9 < run.exploitability < 0.01
    with wb.Store(tmp_path / "runs") as store:
        again = store.run(run.run_id)
    assert again.strategy.probs.tobytes() == run.strategy.probs.tobytes()
    panel = panels(wb.widgets.SolverPanel, "high_card", solver="power-cfr", iterations=50)
    press(panel, "start")
    assert same(panel.runs[0], repeated(panel.code))
    assert "You stay" in output("play high_card --hands 1 --seat 1 --seed 1", typed="stay\n")
    wrong = "solve high_card --solver power-cfr --option stake=x"
    assert "high_card: stake must be" in refused(wrong)


def test_the_form_in_contributing(panels, tmp_path, output):
    """One file, entered nowhere: it does what the page says, with the numbers of its tree."""
    (code,) = [block for block in blocks() if "(Form)" in block]
    file = tmp_path / "stones.py"
    file.write_text(code, encoding="utf-8")
    rules = wb.load_game(f"{file}:Stones")
    tree, uniform = wb.compile_game(rules), wb.Strategy.uniform(rules)
    for kind in (CFR, CFRPlus, LinearCFR, DCFR, PCFRPlus):
        for solver in (kind(), kind(alternating=False)):
            on_form, on_tree = wb.solve(rules, solver, 20), wb.solve(tree, solver, 20)
            assert not isinstance(on_form.strategy, wb.Strategy)
            assert np.abs(on_form.strategy.probs - on_tree.strategy.probs).max() < 1e-12
            assert on_form.exploitability == pytest.approx(on_tree.exploitability, abs=1e-12)
    assert isinstance(wb.solve(rules, "egt", 5).strategy, wb.Strategy)
    run = wb.solve(rules, "cfr+", 1000, target=0.005, store=tmp_path / "runs")
    assert run.stopped == "target"
    assert wb.exploitability(run.strategy) == run.exploitability < 0.005
    assert wb.expected_values([run.strategy, uniform]).sum() == 0
    assert wb.best_response(uniform, 0).value == wb.gains(uniform)[0] == pytest.approx(1 / 3)
    assert wb.tournament({"found": run.strategy, "even": uniform}).loc["found", "even"] > 0
    path = run.strategy.save(tmp_path / "found")
    with wb.Store(tmp_path / "runs") as store:
        for again in (wb.Strategy.load(path, rules), store.strategy(run.run_id, rules)):
            assert again.probs.tobytes() == run.strategy.probs.tobytes()
            assert (type(again), again.run_id) == (type(run.strategy), run.run_id)
    for refused in (
        lambda: wb.Strategy.load(path, tree),
        lambda: wb.Strategy.load(path, wb.load_game("kuhn")),
        lambda: next(wb.iterate(rules, "egt")),
        lambda: wb.solve(rules, abstraction="null"),
        lambda: wb.sample_match({"a": uniform, "b": uniform}),
        lambda: wb.betting_experts(rules, ["rock"]),
        lambda: wb.search.Searcher(uniform),
    ):
        with pytest.raises(wb.GameError):
            refused()
    play = f"play {file}:Stones --opponent {path} --hands 1 --seat 1"
    assert "You play rock" in output(play, typed="rock\n")
    table = panels(wb.widgets.PlayTable, rules, opponent=run.strategy, seat=0, seed=1)
    assert table.wait(SOON)
    table.play(0)
    assert len(table.session.hands) == 1
    panel = panels(wb.widgets.SolverPanel, rules, iterations=50)
    panel.start()
    assert panel.wait(SOON), said(panel)
    assert isinstance(panel.runs[0].strategy, type(uniform))
