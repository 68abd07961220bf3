"""Tournaments and earnings: every cell is the mean of exact values over the seatings it names."""

from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings

import workbench as wb
from tests.random_games import SEEDS, compiled, random_games, random_strategy
from tests.test_compiling import Told
from workbench.strategy import normalised


def field(tree, size, seed=0):
    return {f"s{k}": random_strategy(tree, seed + k) for k in range(size)}


def mean_over_seatings(strategies):
    """What the first of them wins, by asking for every seating on its own."""
    orders = permutations(range(len(strategies)))
    won = [wb.expected_values([strategies[m] for m in order])[order.index(0)] for order in orders]
    return float(np.mean(won))


@given(random_games(players=2) | random_games(recall=False), SEEDS)
def test_a_cell_is_row_against_column_in_both_seats(rules, seed):
    tree = compiled(rules)
    players = field(tree, 3, seed)
    table = wb.tournament(players)
    assert list(table.index) == list(table.columns) == list(players)
    for (a, one), (b, other) in product(players.items(), repeat=2):
        assert table.loc[a, b] == pytest.approx(mean_over_seatings((one, other)), abs=1e-12)


@settings(max_examples=15)
@given(random_games(players=3, max_depth=4), SEEDS)
def test_a_cell_of_three_players_is_the_mean_over_the_third(rules, seed):
    tree = compiled(rules)
    players = field(tree, 4, seed)
    table = wb.tournament(players)
    for a, b in permutations(players, 2):
        thirds = [c for c in players if c not in (a, b)]
        won = [mean_over_seatings((players[a], players[b], players[c])) for c in thirds]
        assert table.loc[a, b] == pytest.approx(np.mean(won), abs=1e-12)
    for name, strategy in players.items():
        alone = wb.expected_values(strategy).mean()
        assert table.loc[name, name] == pytest.approx(alone, abs=1e-12)


def test_meetings_and_standings(leduc):
    players = field(leduc, 4)
    cross, met, rank = wb.tournament(players), wb.judge.meetings(players), wb.standings(players)
    assert len(met) == 12, "six pairs, two members each"
    assert set(met["table"]) == {f"{a}, {b}" for a, b in combinations(players, 2)}
    for name in players:
        others = cross.loc[name].drop(name)
        assert rank.loc[name, "winnings"] == pytest.approx(others.mean())
        assert rank.loc[name, "wins"] == (others > 1e-9).sum()
        assert rank.loc[name, "losses"] == (others < -1e-9).sum()
        assert rank.loc[name, "exploitability"] == wb.exploitability(players[name])
    assert rank["winnings"].is_monotonic_decreasing
    assert rank["wins"].sum() == rank["losses"].sum() == 6


def test_equal_strategies_neither_win_nor_lose(kuhn):
    same = random_strategy(kuhn, 3)
    rank = wb.standings({"one": same, "other": wb.Strategy(kuhn, same.probs)})
    assert rank["wins"].tolist() == rank["losses"].tolist() == [0, 0]
    # a lead of 1e-6 is a win by default and none with a wider tolerance
    near = wb.Strategy(kuhn, 0.999999 * same.probs + 0.000001 * wb.Strategy.uniform(kuhn).probs)
    assert wb.standings({"one": same, "near": near})["wins"].sum() == 1
    assert wb.standings({"one": same, "near": near}, tolerance=0.01)["wins"].sum() == 0


@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e12])
def test_wins_do_not_depend_on_the_unit(kuhn, unit):
    other = replace(kuhn, utility=unit * kuhn.utility)
    one, two = ({k: random_strategy(tree, k) for k in range(4)} for tree in (kuhn, other))
    assert wb.standings(two)[["wins", "losses"]].equals(wb.standings(one)[["wins", "losses"]])


def test_three_players_gain_instead_of_exploitability(ranked3):
    players = field(ranked3, 3)
    rank = wb.standings(players)
    assert list(rank.columns) == ["winnings", "wins", "losses", "gain"]
    assert rank["winnings"].sum() == pytest.approx(0.0, abs=1e-12)
    assert rank.loc["s0", "gain"] == pytest.approx(wb.exploitability(players["s0"]))


def test_earnings_of_two_players_as_the_paper_writes_them(leduc):
    """½ (u_1(σ_1, σ'_2) + u_2(σ'_1, σ_2)), averaged over all profiles of the other bases."""
    mine, (null, jqk) = (
        random_strategy(leduc, 0), [list(field(leduc, 5, s).values()) for s in (1, 9)]
    )  # fmt: skip
    by_hand = np.mean([mean_over_seatings((mine, other)) for other in null + jqk])
    assert wb.earnings(mine, [null, jqk]) == pytest.approx(by_hand, abs=1e-12)
    assert wb.earnings(mine, null + jqk) == pytest.approx(by_hand, abs=1e-12), "no groups needed"
    bases = {"null": null, "JQ-K": jqk, "J-QK": [mine]}
    table = wb.judge.earnings_table({base: dict(enumerate(group)) for base, group in bases.items()})
    assert table.loc[("J-QK", 0), "earnings"] == pytest.approx(by_hand, abs=1e-12)
    assert table.loc[("null", 2), "earnings"] == pytest.approx(wb.earnings(null[2], [jqk, [mine]]))


@given(random_games(players=3, max_depth=4), SEEDS)
def test_earnings_of_three_players(rules, seed):
    """All pairs with one opponent of each other base, in all six seatings; never two of one."""
    tree = compiled(rules)
    mine, *others = field(tree, 5, seed).values()
    null, jqk = others[:3], others[3:]
    by_hand = np.mean([mean_over_seatings((mine, a, b)) for a in null for b in jqk])
    assert wb.earnings(mine, [null, jqk]) == pytest.approx(by_hand, abs=1e-12)
    alone = np.mean([mean_over_seatings((mine, a, b)) for a, b in combinations(null, 2)])
    assert wb.earnings(mine, null) == pytest.approx(alone, abs=1e-12), "each is a base of its own"


def test_names_need_not_be_words(kuhn):
    bold = wb.Strategy.from_function(kuhn, lambda player, seen, actions: "b")
    players = {1: wb.Strategy.uniform(kuhn), 2: bold}
    assert wb.judge.meetings(players)["table"].tolist() == ["1, 2", "1, 2"]
    assert wb.standings(players).index.tolist() == [2, 1]
    assert wb.tournament(players).loc[2, 1] == wb.standings(players).loc[2, "winnings"]


def test_in_a_game_for_one_nobody_meets_anybody():
    alone = Told(
        lambda said: wb.Terminal([float(said == ("a",))]) if said else wb.Decision(0, "", "ab"),
        players=1,
    )
    tree = wb.compile_game(alone)
    field = {"b": wb.Strategy(tree, np.array([0.0, 1.0])), "a": wb.Strategy(tree, np.eye(2)[0])}
    with pytest.raises(wb.GameError, match="nobody meets anybody; ask standings"):
        wb.tournament(field)
    assert wb.standings(field)["winnings"].to_dict() == {"a": 1.0, "b": 0.0}


def test_one_strategy_is_a_field(kuhn):
    assert wb.tournament({"only": wb.Strategy.uniform(kuhn)}).to_numpy().tolist() == [[0.0]]


@pytest.mark.parametrize(("name", "players"), [("kuhn", 2), ("odd_one_out", 3)])
def test_a_run_off_sends_the_last_one_home_again_and_again(name, players):
    tree = wb.compile_game(wb.load_game(name))
    random = np.random.default_rng(0)
    field = {
        str(k): normalised(tree, random.gamma(0.3, size=tree.num_choices) + 1e-9) for k in range(6)
    }
    found, left, order = wb.standings(field, scoring="run-off"), dict(field), []
    while len(left) > players:
        last = wb.standings(left).iloc[-1]
        order.insert(0, last.name)
        assert found.loc[last.name].to_dict() == pytest.approx(last.to_dict(), abs=1e-12)
        del left[last.name]
    table = wb.standings(left)
    assert found.index.tolist() == [*table.index, *order]
    assert found.columns.tolist() == table.columns.tolist()
    bankroll = wb.standings(field)
    assert sorted(found.index) == sorted(bankroll.index)
