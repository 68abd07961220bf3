"""Suits without names: sizes of the thesis and of true orbits; the first stalls, the second not."""

from functools import cache

import pytest

import workbench as wb
from workbench.games.toepen.suits import ThesisSuits, lossless_suits
from workbench.sequence_form import sequence_form
from workbench.strategy import normalised

KINDS = {
    "plain": {"betting": False},
    "follow": {},
    "free": {"follow_suit": False},
    "leader": {"betting": "leader"},
}


@cache
def toepen(kind, deck, nameless=False):
    """The tree of "plain" 3/2/2 and so on."""
    suits, ranks, hand = map(int, deck)
    return wb.compile_game(
        wb.load_game(
            "toepen", suits=suits, ranks=ranks, hand=hand, suit_isomorphism=nameless, **KINDS[kind]
        )
    )


# Kind, deck -> histories, information sets, with the thesis's isomorphism, true orbits, how many of
# these have all their actions merged into one, sum of both best replies to uniform play. Le 2021,
# Tables 3.1 and 3.2, has the first three numbers of the rows without betting and of those that need
# not follow suit; orbits and all else are an independent prototype's. "follow" 2/3/2 and 3/2/2, and
# the fifth column, were counted here.
SIZES = {
    ("plain", "222"): (27, 10, 6, 6, 2, 0.33333),
    ("plain", "232"): (415, 39, 21, 21, 3, 0.31111),
    ("plain", "322"): (487, 51, 14, 12, 6, 0.06667),
    ("plain", "332"): (3_997, 180, 48, 39, 12, 0.11111),
    ("plain", "333"): (53_593, 4_584, 1_173, 788, 39, 0.48),
    ("follow", "222"): (679, 336, 210, 172, 4, 2.58333),
    ("follow", "232"): (10_603, 2_760, 1_602, 1_386, 6, None),
    ("follow", "322"): (12_187, 3_048, 822, 528, 20, None),
    ("follow", "332"): (100_333, 18_342, 4_698, 3_141, 42, None),
    ("free", "222"): (999, 496, 330, 252, 4, 2.83333),
    ("free", "232"): (14_923, 3_552, 2_130, 1_782, 6, 2.57222),
    ("free", "322"): (15_067, 3_576, 954, 616, 20, None),
    ("free", "332"): (126_253, 22_338, 5_586, 3_807, 42, None),
    ("follow", "333"): (3_307_765, 749_442, 195_862, 125_213, 330, 3.43153),
    ("free", "333"): (6_757_501, 1_366_338, 376_958, 228_065, 330, 3.75010),
}
LARGE = {("follow", "333"), ("free", "333")}


@pytest.mark.parametrize(
    ("kind", "deck"),
    [pytest.param(*key, marks=[pytest.mark.slow] * (key in LARGE)) for key in SIZES],
)
def test_sizes_and_uniform_play(kind, deck):
    histories, raw, thesis, orbits, forced, uniform = SIZES[kind, deck]
    large = (kind, deck) in LARGE
    tree = toepen.__wrapped__(kind, deck) if large else toepen(kind, deck)  # too large to keep
    assert (tree.num_histories, tree.num_infosets) == (histories, raw)
    assert tree.perfect_recall
    if uniform is not None:
        found = 2 * wb.exploitability(wb.Strategy.uniform(tree))  # zero sum: the sum of both
        assert found == pytest.approx(uniform, abs=1e-5 if uniform != 0.48 else 0.005)
    translated, lossless = wb.abstract(tree, "thesis-suits"), wb.abstract(tree, "lossless-suits")
    assert (translated.coarse.num_infosets, translated.forced) == (thesis, 0)
    assert (lossless.coarse.num_infosets, lossless.forced) == (orbits, forced)
    if kind == "free" and large:  # the thesis has them player by player, in section 4.2.4
        sizes = [len(translated.coarse.infosets_of(player)) for player in (0, 1)]
        assert sizes == [131_763, 245_195]
    if not large:
        assert translated.coarse.perfect_recall
        assert lossless.coarse.perfect_recall


NAMELESS = [("plain", "333"), ("follow", "322"), ("free", "232"), ("leader", "332")]


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


def solved(tree, solver, rule=None):
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
    assert value == pytest.approx(solved(raw, "lp")[0], abs=1e-7)
    assert value == pytest.approx(solved(toepen(kind, deck, True), "lp")[0], abs=1e-7)


STALLS = {("follow", "322"): 0.15, ("free", "322"): 0.15, ("free", "232"): 0.07}


@pytest.mark.parametrize(("kind", "deck"), STALLS)
def test_an_equilibrium_of_the_thesis_suits_is_none(kind, deck):
    """The value is right (strategies blind to names exist among the coarse ones), the play not."""
    raw = toepen(kind, deck)
    value, exploitable = solved(raw, "lp", "thesis-suits")
    assert value == pytest.approx(solved(raw, "lp", "lossless-suits")[0], abs=1e-7)
    assert exploitable > STALLS[kind, deck]


def test_labels_alone_are_not_enough():
    """Who may tell two tens apart by their real names loses 1/30, with as many sets as orbits."""

    def labels_only(player, seen, actions):
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
