"""Suits without names: sizes of the thesis and of true orbits; the first stalls, the second not."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.random_games import random_strategy
from workbench.games.toepen.suits import ThesisSuits, lossless_suits
from workbench.sequence_form import sequence_form
from workbench.strategy import normalised
from workbench.tree import GameTree

KINDS: dict[str, dict[str, Any]] = {
    "plain": {"betting": False},
    "follow": {},
    "free": {"follow_suit": False},
    "leader": {"betting": "leader"},
}


@cache
def toepen(kind: str, deck: str, nameless: bool = False) -> GameTree:
    """The tree of "plain" 3/2/2 and so on."""
    suits, ranks, hand = map(int, deck)
    return wb.compile_game(
        wb.load_game(
            "toepen", suits=suits, ranks=ranks, hand=hand, suit_isomorphism=nameless, **KINDS[kind]
        )
    )


# Kind, deck -> raw information sets, the thesis's isomorphism, true orbits, and how many of these
# have all their actions merged into one. Le 2021, Tables 3.1 and 3.2, are the first two numbers of
# the rows without betting and of those that need not follow suit; the third column is an
# independent prototype's. "follow" 2/3/2 and 3/2/2, and the last column, were counted here.
SIZES = {
    ("plain", "222"): (10, 6, 6, 2),
    ("plain", "232"): (39, 21, 21, 3),
    ("plain", "322"): (51, 14, 12, 6),
    ("plain", "332"): (180, 48, 39, 12),
    ("plain", "333"): (4_584, 1_173, 788, 39),
    ("follow", "222"): (336, 210, 172, 4),
    ("follow", "232"): (2_760, 1_602, 1_386, 6),
    ("follow", "322"): (3_048, 822, 528, 20),
    ("follow", "332"): (18_342, 4_698, 3_141, 42),
    ("free", "222"): (496, 330, 252, 4),
    ("free", "232"): (3_552, 2_130, 1_782, 6),
    ("free", "322"): (3_576, 954, 616, 20),
    ("free", "332"): (22_338, 5_586, 3_807, 42),
}
LARGE_SIZES = {
    ("follow", "333"): (749_442, 195_862, 125_213, 330),
    ("free", "333"): (1_366_338, 376_958, 228_065, 330),
}


@pytest.mark.parametrize(("kind", "deck"), SIZES)
def test_sizes(kind, deck):
    raw, thesis, orbits, forced = SIZES[kind, deck]
    tree = toepen(kind, deck)
    translated, lossless = wb.abstract(tree, "thesis-suits"), wb.abstract(tree, "lossless-suits")
    assert (tree.num_infosets, translated.forced) == (raw, 0)
    assert translated.coarse.num_infosets == thesis
    assert (lossless.coarse.num_infosets, lossless.forced) == (orbits, forced)
    assert translated.coarse.perfect_recall
    assert lossless.coarse.perfect_recall


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "deck"), LARGE_SIZES)
def test_sizes_of_three_cards(kind, deck):
    raw, thesis, orbits, forced = LARGE_SIZES[kind, deck]
    tree = toepen.__wrapped__(kind, deck)  # too large to keep
    translated = wb.abstract(tree, "thesis-suits").coarse
    assert (tree.num_infosets, translated.num_infosets) == (raw, thesis)
    if kind == "free":  # the thesis has them player by player, in section 4.2.4
        assert [len(translated.infosets_of(player)) for player in (0, 1)] == [131_763, 245_195]
    lossless = wb.abstract(tree, "lossless-suits")
    assert (lossless.coarse.num_infosets, lossless.forced) == (orbits, forced)


NAMELESS = [("plain", "332"), ("follow", "322"), ("free", "232"), ("leader", "332")]


@pytest.mark.parametrize(("kind", "deck"), NAMELESS)
def test_lossless_names_are_those_of_the_nameless_game(kind, deck):
    """Two ways to the same sets: relabel a raw tree, or deal without names."""
    ab, nameless = wb.abstract(toepen(kind, deck), "lossless-suits"), toepen(kind, deck, True)
    found, expected = (
        {
            (int(tree.infoset_player[i]), tree.seen[i]): set(tree.actions_at(i))
            for i in range(tree.num_infosets)
            if len(tree.actions_at(i)) > 1
        }
        for tree in (ab.coarse, nameless)
    )
    assert found == expected
    assert ab.coarse.num_infosets - ab.forced == nameless.num_infosets
    again = wb.abstract(nameless, "lossless-suits").coarse
    assert again.num_infosets == nameless.num_infosets, "nothing is left to merge"


def solved(tree: GameTree, solver: str, rule: str | None) -> tuple[float, float]:
    """Value to player 1, and the sum of both best replies, in the given tree."""
    run = wb.solve(tree, solver, iterations=1000, abstraction=rule, checkpoints=[1000])
    value = float(wb.expected_values([run.strategy, run.strategy])[0])
    return value, 2 * wb.exploitability(run.strategy)


@pytest.mark.parametrize(
    ("kind", "deck"),
    [("plain", "322"), ("plain", "332"), ("follow", "222"), ("follow", "322"), ("free", "322"),
     ("leader", "322")],
)  # fmt: skip
def test_lossless_suits_lose_nothing(kind, deck):
    """The exact equilibrium of the small game is one of the real game, of the same value."""
    raw = toepen(kind, deck)
    value, exploitable = solved(raw, "lp", "lossless-suits")
    assert exploitable == pytest.approx(0, abs=1e-7)
    assert value == pytest.approx(solved(raw, "lp", None)[0], abs=1e-7)
    assert value == pytest.approx(solved(toepen(kind, deck, True), "lp", None)[0], abs=1e-7)


STALLS = {("follow", "322"): 0.15, ("free", "322"): 0.15, ("free", "232"): 0.07}


@pytest.mark.parametrize(("kind", "deck"), STALLS)
def test_an_equilibrium_of_the_thesis_suits_is_none(kind, deck):
    """The value is right (strategies blind to names exist among the coarse ones), the play not."""
    raw = toepen(kind, deck)
    value, exploitable = solved(raw, "lp", "thesis-suits")
    assert value == pytest.approx(solved(raw, "lp", "lossless-suits")[0], abs=1e-7)
    assert exploitable > STALLS[kind, deck]


@pytest.mark.parametrize(("kind", "deck"), [("free", "322"), ("free", "232")])
def test_only_lossless_suits_converge(kind, deck):
    """CFR+ stalls on the first (where depends on its way there), and goes on on the second."""
    raw = toepen(kind, deck)
    assert solved(raw, "cfr+", "thesis-suits")[1] > 0.004
    assert solved(raw, "cfr+", "lossless-suits")[1] < 0.0005


def test_labels_alone_are_not_enough():
    """Who may tell two tens apart by their real names loses 1/30, with as many sets as orbits."""

    def labels_only(player: int, seen: tuple[str, str], actions: tuple[str, ...]) -> Any:
        label, _ = lossless_suits(player, seen, actions)
        return label, lossless_suits(player, (seen[0], " ".join([seen[1], *actions])), actions)[1]

    tree = toepen("plain", "322")
    ab = wb.abstract(tree, labels_only)
    assert (ab.coarse.num_infosets, ab.forced) == (12, 0)
    found = wb.theory.equilibrium_range(ab, tries=2)
    assert found.smallest == pytest.approx(0, abs=1e-6)
    assert 2 * found.largest == pytest.approx(1 / 30, abs=1e-6)
    lossless = wb.theory.equilibrium_range(wb.abstract(tree, "lossless-suits"), tries=2)
    assert lossless.largest == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("kind", "deck"), STALLS)
def test_shuffled_names_mend_the_thesis_suits(kind, deck):
    """Who calls the suits by a new random renaming in every hand cannot be exploited."""
    tree = toepen(kind, deck)
    sigma = wb.solve(tree, "lp", abstraction="thesis-suits").strategy
    lossless = wb.abstract(tree, "lossless-suits")
    plan = sequence_form(tree).plan(sigma.probs)[: tree.num_choices]
    shuffled = lossless.lift(normalised(lossless.coarse, lossless.gather(plan)))
    assert wb.exploitability(sigma) > 0.03
    assert wb.exploitability(shuffled) == pytest.approx(0, abs=1e-7)


def test_examples_of_the_thesis():
    """Examples 3.3.1 and 3.3.2: first, second, third, fourth are ♠ ♥ ♦ ♣ here."""
    thesis = ThesisSuits()
    (hand, table), names = thesis(0, ("10♥ 10♦ 9♣ 8♣", "7♠ A♥"), ("8♣", "10♦", "10♥"))
    assert (hand, table) == ("9♠ 8♠ 10♥ 10♦", "7♣ A♦")
    assert names == ["8♠", "10♥", "10♦"]
    (hand, table), names = thesis(1, ("10♥ A♥ 8♦ A♦", "7♣ bet K♠ /"), ("call", "fold"))
    assert (hand, table) == ("8♠ A♠ 10♥ A♥", "7♦ bet K♣ /")
    assert names == ["call", "fold"]


def test_suits_that_look_alike():
    assert lossless_suits(0, ("9♠ 9♥ 9♦", "8♥"), ("9♠", "9♥", "9♦")) == (
        ("9♠ 9♥ 9♦", "8♠"),
        ["9♥", "9♠", "9♥"],
    )
    assert lossless_suits(1, ("10♥ 9♦ 8♦", "9♥ bet"), ("call", "fold")) == (
        ("10♠ 9♥ 8♥", "9♠ bet"),
        ["call", "fold"],
    ), "the hand comes first in the order of the deck"
    assert lossless_suits(1, ("8♥ 8♦", "9♣ 8♥ / 10♠"), ("8♦", "8♥"))[0][1] == "9♦ 8♠ / 10♣"


@pytest.mark.parametrize("rule", ["thesis-suits", "lossless-suits"])
def test_lifting_plays_the_same(rule):
    """What a coarse strategy does with 9♠, its lift does with the card of that name."""
    ab = wb.abstract(toepen("free", "322"), rule)
    coarse = random_strategy(ab.coarse, 0)
    np.testing.assert_allclose(
        wb.expected_values(coarse), wb.expected_values(ab.lift(coarse)), atol=1e-12
    )
