"""Grids by lines of betting agree with what a strategy answers, hand by hand, in every form."""

import numpy as np
import pytest

import workbench as wb
from workbench.lab.analysis import betting_lines as module
from workbench.lab.analysis.betting_lines import betting_lines
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR, NAMES
from workbench.poker.engine.public_strategy import PublicStrategy


def by_hand(sigma, line, public, hands):
    """Cells out of `at` alone, {name: (mix, share)}: ask each hand on the way and here."""
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
        name: (sum(x * one for x, one in some) / sum(x for x, _ in some),
               np.mean([x for x, _ in some]))
        for name, some in found.items()
    }  # fmt: skip


def same(one, expected):
    names = [name for name in one.grid.names if name]
    assert set(names) == set(expected)
    for name, mix, share in zip(names, one.mix, one.share, strict=True):
        assert mix == pytest.approx(expected[name][0], abs=1e-9), name
        assert share == pytest.approx(expected[name][1], abs=1e-9), name


def test_rhode_island_is_what_its_cards_do_on_a_board():
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    sigma = wb.solve(rules, "cfr+", iterations=15).strategy
    found, public = betting_lines(sigma, board="K♥ Q♠"), ("", "K♥", "K♥ Q♠")
    assert len(found) == 8 + 7 * 8 + 49 * 8
    cards = [rules.deck.name(card) for card in range(rules.deck.size)]
    for line in ("", "cr", "rc/", "crc/rr", "rrc/cr", "rc/cc/", "cc/crc/cr"):
        board = public[line.count("/")]
        held = [(card, card) for card in cards if card not in board.split()]
        same(found[line], by_hand(sigma, line, public, held))
    assert found["rc/"].grid.rows == ("A", "K", "Q", "J")
    assert found["rc/"].grid.columns == ("♠", "♥")
    assert {line.count("/") for line in betting_lines(sigma, board="K♥")} == {0, 1}
    with pytest.raises(wb.GameError, match="3 public cards fit no round"):
        betting_lines(sigma, board="K♥ Q♠ J♠")


def test_leduc_is_the_mean_over_suits(leduc):
    rng = np.random.default_rng(3)
    sigma = wb.Strategy.uniform(leduc).weighted(rng.random(leduc.num_choices))
    one = betting_lines(sigma)["crc/r"]
    assert (one.player, list(one.moves)) == (1, ["f", "c", "r"])
    assert one.grid.rows == one.grid.columns == ("K", "Q", "J")
    total, weight, dealt = np.zeros(3), 0.0, 0
    for own, board in (("Q♠", "K♠"), ("Q♠", "K♥"), ("Q♥", "K♠"), ("Q♥", "K♥")):
        come = sigma.at((own, "", "c"))["r"]
        total += come * np.array(list(sigma.at((own, board, "crc/r")).values()))
        weight, dealt = weight + come, dealt + 1
    where = one.grid.names.index("Q on K")
    assert one.mix[where] == pytest.approx(total / weight)
    assert one.share[where] == pytest.approx(weight / dealt)


def test_who_never_comes_is_shown_as_she_would_play(kuhn):
    never = wb.Strategy.from_function(
        kuhn, lambda player, seen, actions: "b" if seen == ("Q", "pb") else {"p": 0.0, "b": 1.0}
    )
    one = betting_lines(never)["pb"]
    assert one.share.tolist() == [0.0, 0.0, 0.0]
    assert one.mix.tolist() == [[0.0, 1.0]] * 3
    assert one.moves == {"p": ("fold", ""), "b": ("call", "")}


def test_holdem_is_a_chart_on_a_board():
    rules = wb.load_game("limit_holdem")
    run = wb.solve(rules, "cfr+", iterations=3, abstraction="2222")
    flop, deck = "Q♥ J♥ 2♣", rules.deck
    found = betting_lines(run.strategy, "rc/r", board=flop)
    named = [" ".join(map(deck.name, cards)) for cards in deck.hands(2)]
    some = ("AKs", "72o", "55", "QQ", "J2s")
    hands = [(cards, NAMES[k]) for cards, k in zip(named, CLASS_OF_PAIR.tolist(), strict=True)
             if NAMES[k] in some]  # fmt: skip
    for line in ("r", "rc/r"):
        one = found[line]
        assert (len(one.grid.names), one.grid.rows) == (169, ("",) * 13)
        there = set(flop.split()) if "/" in line else set()
        mine = [(cards, name) for cards, name in hands if not there & set(cards.split())]
        for name, (mix, share) in by_hand(run.strategy, line, ("", flop), mine).items():
            assert one.mix[one.grid.names.index(name)] == pytest.approx(mix, abs=1e-9)
            assert one.share[one.grid.names.index(name)] == pytest.approx(share, abs=1e-9)


def test_of_a_large_game_the_first_rounds(monkeypatch):
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    sigma = PublicStrategy.uniform(rules)
    whole = betting_lines(sigma)
    monkeypatch.setattr(module, "MOST", 1000)
    assert max(line.count("/") for line in betting_lines(sigma)) == 1
    some = betting_lines(sigma, "rc/rc/")
    assert len(some) == 1 + 1 + 1 + 1 + 8  # on the way, and all that follows
    assert all(np.array_equal(line.mix, whole[text].mix) for text, line in some.items())


@pytest.mark.parametrize(
    ("game", "after", "says"),
    [
        ("kuhn", "bb", "nobody decides after 'bb'; on the way there the last is 'b'"),
        ("rock_paper_scissors", "", "'rock_paper_scissors' has no lines of betting"),
        ("bluff", "", "'bluff' has no lines of betting"),
    ],
)
def test_what_has_no_lines_is_refused(game, after, says):
    sigma = wb.Strategy.uniform(wb.compile_game(wb.load_game(game)))
    with pytest.raises(wb.GameError) as refused:
        betting_lines(sigma, after)
    assert says in str(refused.value)
