"""Grids by lines of betting agree with what a strategy answers, hand by hand, in every form."""

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest

import workbench as wb
from workbench.lab.analysis import betting_lines as module
from workbench.lab.analysis.betting_lines import betting_lines
from workbench.poker.engine.public_strategy import PublicStrategy


def by_hand(sigma, line, deals, cell):
    """Cells out of `at` alone: ask what each deal does on the way and here, and take the mean."""
    total, dealt, mixes = defaultdict(float), defaultdict(float), defaultdict(lambda: 0.0)
    limit = sigma.tree.rules.betting
    player = limit.follow(line).player
    for private, public in deals:
        reach = 1.0
        for k, move in enumerate(line):
            board = " ".join(public[: line[:k].count("/")])
            if move != "/" and limit.follow(line[:k]).player == player:
                reach *= sigma.at((private, board, line[:k]))[move]
        here = sigma.at((private, " ".join(public[: line.count("/")]), line))
        name = cell(private, public[: line.count("/")])
        total[name] += reach
        dealt[name] += 1
        mixes[name] = mixes[name] + reach * np.array(list(here.values()))
    return {name: (mixes[name] / total[name], total[name] / dealt[name]) for name in total}


def test_rhode_island_is_what_its_deals_do():
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    sigma = wb.solve(rules, "cfr+", iterations=15).strategy
    found = betting_lines(sigma)
    assert len(found) == 8 + 7 * 8 + 49 * 8
    cards = [rules.deck.name(card) for card in range(rules.deck.size)]
    deals = [(one, (two, three)) for one, two, three in permutations(cards, 3)]

    def cell(private, public):
        if not public:
            return private[0].replace("T", "10")
        if len(public) == 2:
            numbers = np.array([rules.deck.parse(card)[0] for card in (private, *public)])
            kind = int(rules.strength(numbers)) >> 12
            return f"{private[0]}, {module.KINDS[kind - 3]}"
        suit = "same" if private[-1] == public[0][-1] else "other"
        return f"{private[0]} {suit} suit on {public[0][0]}"

    for line in ("", "cr", "rc/", "crc/rr", "rrc/cr", "rc/cc/", "cc/crc/cr"):
        one, expected = found[line], by_hand(sigma, line, deals, cell)
        names = [name for name in one.grid.names if name]
        assert set(names) == set(expected), line
        for name, mix, share in zip(names, one.mix, one.share, strict=True):
            assert mix == pytest.approx(expected[name][0], abs=1e-9), (line, name)
            assert share == pytest.approx(expected[name][1], abs=1e-9), (line, name)


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


def test_holdem_is_a_chart_and_then_buckets():
    rules = wb.load_game("limit_holdem")
    run = wb.solve(rules, "cfr+", iterations=3, abstraction="2222")
    found = betting_lines(run.strategy)
    assert found[""].grid.rows == ()
    line = found["rr"]
    for name, cards in (("AKs", "A♥ K♥"), ("72o", "7♥ 2♠"), ("55", "5♥ 5♠")):
        k = line.grid.names.index(name)
        assert line.mix[k].tolist() == list(run.strategy.at((cards, "", "rr")).values())
        assert line.share[k] == pytest.approx(run.strategy.at((cards, "", ""))["r"])
    flop = found["rc/r"]
    assert flop.grid.rows == ("1", "2")
    assert flop.grid.names == ("bucket 1.1", "bucket 1.2", "bucket 2.1", "bucket 2.2")
    (buckets,) = run.strategy.played.known
    for cards in ("A♥ K♥", "7♥ 2♠"):
        seen = (cards, "Q♥ J♥ 2♣", "rc/r")
        private, public, _ = rules.spot(seen)
        bucket = buckets.at(private, public)
        assert flop.mix[bucket].tolist() == list(run.strategy.at(seen).values())
        assert flop.share[bucket] == pytest.approx(run.strategy.at((cards, "", ""))["r"])
    river = betting_lines(run.strategy, "rc/cc/cc/")["rc/cc/cc/r"]
    assert river.grid.rows == tuple("12345678")
    assert len(river.share) == 16


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
        ("kuhn", 3, "a line of betting is a text, such as 'rc/r', not 3"),
        ("rock_paper_scissors", "", "needs a game whose players see their cards"),
    ],
)
def test_what_has_no_lines_is_refused(game, after, says):
    sigma = wb.Strategy.uniform(wb.compile_game(wb.load_game(game)))
    with pytest.raises(wb.GameError, match=says[:40]) as refused:
        betting_lines(sigma, after)
    assert says in str(refused.value)
