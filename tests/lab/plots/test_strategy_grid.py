"""Grids by lines of betting agree with what a strategy answers, hand by hand, in every form."""

import json

import numpy as np
import pytest

import workbench as wb
from tests.lab.reports.reader import Reader, written
from workbench.lab.plots import strategy_grid as module
from workbench.lab.plots.strategy_grid import StrategyGrid
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR, NAMES


def by_hand(sigma, line, public, hands):
    """Cells out of `at` alone, {name: [share, *mix]}: ask each hand on the way and here."""
    limit, found = sigma.tree.rules.betting, {}
    for private, name in hands:
        reach = 1.0
        for k, move in enumerate(line):
            seen = private, public[line[:k].count("/")], line[:k]
            if move != "/" and limit.follow(line[:k]).player == limit.follow(line).player:
                reach *= sigma.at(seen)[move]
        here = np.array([*sigma.at((private, public[line.count("/")], line)).values()])
        found.setdefault(name, []).append((reach, here))
    return {
        name: [np.mean([x for x, _ in some]),
               *(sum(x * one for x, one in some) / sum(x for x, _ in some))]
        for name, some in found.items()
    }  # fmt: skip


def cells(grid, line):
    """What stands in the cells of a line, by their names."""
    _, _, names = [*grid.grids][grid.lines[line].grid]
    return dict(zip(filter(None, names), grid.lines[line].cells[0], strict=True))


def test_rhode_island_is_what_its_cards_do_on_a_board():
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    sigma = wb.solve(rules, "cfr+", iterations=15).strategy
    grid, public = StrategyGrid(sigma, board="K♥ Q♠"), ("", "K♥", "K♥ Q♠")
    assert len(grid.lines) == 8 + 7 * 8 + 49 * 8
    cards = [rules.deck.name(card) for card in range(rules.deck.size)]
    for line in ("", "cr", "rc/", "crc/rr", "rrc/cr", "rc/cc/", "cc/crc/cr"):
        board = public[line.count("/")]
        held = [(card, card) for card in cards if card not in board.split()]
        found, expected = cells(grid, line), by_hand(sigma, line, public, held)
        assert {*found} == {*expected}
        for name, cell in found.items():
            assert cell == pytest.approx(expected[name], abs=1e-9), name
    assert ("Own cards on K♥", 2, ("A♠", "A♥", "K♠", "", "Q♠", "Q♥", "J♠", "J♥")) in grid.grids
    flop = StrategyGrid(sigma, board="K♥").lines
    assert {line.count("/") for line in flop} == {0, 1}
    assert flop["cc/c"].moves[0][:2] == ("check", "cc/cc/")  # the hand goes on, on another page
    with pytest.raises(wb.GameError, match="3 public cards fit no round"):
        StrategyGrid(sigma, board="K♥ Q♠ J♠")


def test_leduc_is_the_mean_over_suits(leduc):
    rng = np.random.default_rng(3)
    sigma = wb.Strategy.uniform(leduc).weighted(rng.random(leduc.num_choices))
    grid = StrategyGrid(sigma)
    one = grid.lines["crc/r"]
    assert (one.player, [move[2] for move in one.moves]) == (2, ["f", "c", "r"])
    _, columns, names = [*grid.grids][one.grid]
    assert (columns, names[:4]) == (3, ("K on K", "K on Q", "K on J", "Q on K"))
    total, weight, dealt = np.zeros(3), 0.0, 0
    for own, board in (("Q♠", "K♠"), ("Q♠", "K♥"), ("Q♥", "K♠"), ("Q♥", "K♥")):
        come = sigma.at((own, "", "c"))["r"]
        total += come * np.array(list(sigma.at((own, board, "crc/r")).values()))
        weight, dealt = weight + come, dealt + 1
    assert cells(grid, "crc/r")["Q on K"] == pytest.approx([weight / dealt, *total / weight])


def test_who_never_comes_is_shown_as_she_would_play(kuhn):
    never = wb.Strategy.from_function(
        kuhn, lambda player, seen, actions: "b" if seen == ("Q", "pb") else {"p": 0.0, "b": 1.0}
    )
    one = StrategyGrid(never).lines["pb"]
    assert one.cells[0].tolist() == [[0.0, 0.0, 1.0]] * 3
    assert [move[:2] for move in one.moves] == [("fold", ""), ("call", "")]


def test_holdem_is_a_chart_on_a_board():
    rules = wb.load_game("limit_holdem")
    run = wb.solve(rules, "cfr+", iterations=3, abstraction="2222")
    flop, deck = "Q♥ J♥ 2♣", rules.deck
    grid = StrategyGrid(run, after="rc/r", board=flop)
    named = [" ".join(map(deck.name, cards)) for cards in deck.hands(2)]
    some = ("AKs", "72o", "55", "QQ", "J2s")
    hands = [(cards, NAMES[k]) for cards, k in zip(named, CLASS_OF_PAIR.tolist(), strict=True)
             if NAMES[k] in some]  # fmt: skip
    for line in ("r", "rc/r"):
        assert [*grid.grids][grid.lines[line].grid][1:] == (13, NAMES)
        there = set(flop.split()) if "/" in line else set()
        mine = [(cards, name) for cards, name in hands if not there & set(cards.split())]
        for name, expected in by_hand(run.strategy, line, ("", flop), mine).items():
            assert cells(grid, line)[name] == pytest.approx(expected, abs=1e-9)


def test_of_a_large_game_the_first_rounds(monkeypatch):
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    sigma = wb.Strategy.uniform(rules)
    whole = StrategyGrid(sigma).lines
    monkeypatch.setattr(module, "MOST", 1000)
    assert max(line.count("/") for line in StrategyGrid(sigma).lines) == 1
    some = StrategyGrid(sigma, after="rc/rc/").lines
    assert len(some) == 1 + 1 + 1 + 1 + 8  # on the way, and all that follows
    assert all(np.array_equal(one.cells[0], whole[line].cells[0]) for line, one in some.items())


@pytest.mark.parametrize(
    ("game", "given", "says"),
    [
        ("kuhn", {"after": "bb"}, "no grid after 'bb'; on the way there the last is 'b'"),
        ("leduc", {"board": "nonsense"}, "'leduc' has all public cards; leave out the board"),
        ("rock_paper_scissors", {}, "'rock_paper_scissors' has no lines of betting"),
        ("bluff", {}, "'bluff' has no lines of betting"),
    ],
)
def test_what_has_no_lines_is_refused(game, given, says):
    sigma = wb.Strategy.uniform(wb.compile_game(wb.load_game(game)))
    with pytest.raises(wb.GameError, match=says):
        StrategyGrid(sigma, **given)


def test_what_cannot_be_shown_is_refused(kuhn, leduc):
    one, other = (wb.Strategy.uniform(tree) for tree in (kuhn, leduc))
    for given in ({}, dict.fromkeys("abc", one), {"a": one, "b": other}, "leduc"):
        with pytest.raises(wb.GameError, match=r"one strategy, or two|a Strategy is needed"):
            StrategyGrid(given)


def test_the_script_reads_what_the_strategy_does(leduc):
    run = wb.solve(leduc, "cfr+", 50)
    blurred = wb.solve(leduc, "cfr+", 50, abstraction="JQ-K")
    grid = StrategyGrid({"exact": run, "JQ-K": blurred}, after="rc/")
    (box,) = [have for have in Reader(grid._repr_html_()).all("div") if "data-lines" in have]
    lines, at = json.loads(box["data-lines"])
    assert at == "rc/"
    assert len(lines) == 8  # the way there, and all of this round
    player, moves, number, both = lines["rc/r"]
    assert player == 2
    assert [move[:3] for move in moves] == [
        ["fold", "", "f"], ["call", "", "c"], ["raise", "rc/rr", "r"],
    ]  # fmt: skip
    assert box["aria-label"].startswith("Leduc poker by lines")
    assert number == 1
    for given, found in zip((run, blurred), both, strict=True):
        assert len(found) == 9
        at = [given.strategy.at((f"K{suit}", "Q♥", "rc/r")) for suit in "♠♥"]
        come = [given.strategy.at((f"K{suit}", "", "r"))["c"] for suit in "♠♥"]
        for k, action in enumerate("fcr", 1):
            mean = sum(one[action] * share for one, share in zip(at, come, strict=True)) / sum(come)
            assert found[1][k] / 100 == pytest.approx(mean, abs=0.00501)
        assert found[1][0] / 100 == pytest.approx(sum(come) / 2, abs=0.00501)


def test_a_report_of_a_game_with_lines_has_it(tmp_path):
    small = wb.load_game("leduc", ranks=2, suit_isomorphism=True)
    reader = written(wb.write_report(wb.solve(small, "cfr+", 20), tmp_path / "run.html"))
    assert len([have for have in reader.all("td") if have.get("class") == "hand"]) == 2 + 4
    assert "Q J Q on Q Q on J J on Q J on J" in " ".join(reader.texts["b"])
    matrix = written(wb.write_report(wb.solve(wb.load_game("rock_paper_scissors"), "cfr+", 5),
                                     tmp_path / "matrix.html"))  # fmt: skip
    assert not any("data-lines" in have for have in matrix.all("div"))
