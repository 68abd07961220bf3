"""Parts of a game that were solved apart, and what an opponent makes of them together."""

import pytest
from workbench.lab.lectures.subgames import join_parts, subgame

import workbench as wb
from workbench.rules import GameError

# What each card is worth when everybody knows it, and the mean, by linear programming. Kuhn by
# hand: the Jack loses the ante, the King wins it; the Queen checks, and answers a bet of the King
# (always) or the Jack (once in three times) by calling two times in three: −1/3.
OPEN = {
    "kuhn": ({"J": -1.0, "Q": -1 / 3, "K": 1.0}, 1 / 9, 1 / 18),
    "leduc": ({"J": -1.0, "Q": -0.796, "K": 0.48}, 0.438666667, 0.0856064241),
}


@pytest.mark.parametrize("solver", ["lp", "pcfr+"])
@pytest.mark.parametrize("name", OPEN)
def test_parts_that_do_not_mesh_are_played_with_open_cards(name, solver):
    """An opponent who does not see the card wins as much as if she saw it."""
    rules = wb.load_game(name, **({"suit_isomorphism": True} if name == "leduc" else {}))
    tree, (values, loses, value) = wb.compile_game(rules), OPEN[name]
    whole = wb.solve(tree, "lp").strategy
    how = {"iterations": 2000, "checkpoints": [2000]} if solver != "lp" else {}
    parts = {card: wb.solve(subgame(rules, card), solver, **how).strategy for card in values}
    for card, part in parts.items():
        assert wb.expected_values(part)[0] == pytest.approx(values[card], abs=1e-5)
    one = join_parts(tree, 0, parts, lambda seen: seen[0], whole)
    assert wb.best_response(one, 1).value == pytest.approx(loses, abs=1e-5)
    assert wb.best_response(whole, 1).value == pytest.approx(value, abs=1e-8)
    assert sum(values.values()) / 3 == pytest.approx(-loses, abs=1e-8)


def test_a_whole_game_cut_and_joined_is_the_same(kuhn):
    sigma = wb.solve(kuhn, "cfr+", iterations=10).strategy
    again = join_parts(kuhn, 0, {"all": sigma}, lambda seen: "all", sigma)
    assert again.probs.tolist() == sigma.probs.tolist()


def test_games_after_moves():
    kuhn = wb.load_game("kuhn")
    bet = wb.compile_game(subgame(kuhn, "J", "K", "b"))
    assert (bet.name, bet.num_infosets, bet.num_histories) == ("kuhn after J K b", 1, 3)
    for moves in ("A", "JKbpb"):
        with pytest.raises(GameError, match=r"there are|over"):
            subgame(kuhn, *moves)
    jack = wb.solve(subgame(kuhn, "J"), "lp").strategy
    with pytest.raises(GameError, match="part 'Q'"):
        join_parts(wb.compile_game(kuhn), 0, {"J": jack}, lambda seen: seen[0])
