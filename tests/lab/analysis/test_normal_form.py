"""Tables of pure strategies agree with the tree they come from, and with their own counts."""

from itertools import product

import numpy as np
import pytest
from workbench.lab.lectures.normal_form import count_pure_strategies, normal_form

import workbench as wb
from tests.random_games import tree_of
from workbench.passes import own_reach
from workbench.rules import GameError

TABLES = {  # game -> reduced pure strategies of each player, all of them; by hand
    "kuhn": ((27, 64), (64, 64)),  # per card p or b, and after p-b again: 3; after p and b: 2 × 2
    "bluff": ((4, 2), (4, 2)),
    "figure1": ((4, 16), (4, 16)),
    "odd_one_out": ((2, 2, 2), (2, 2, 2)),
    "gift": ((4, 2), (4, 2)),
    "forgetful": ((4, 2), (4, 2)),
}


# Kuhn: plans, those that are dominated, and those of them that make no dominated choice.
KUHN = ((27, 15, 0), (64, 56, 0))


def pure(form, plans):
    """The plans as a strategy; whatever they do not say is played in the first way."""
    tree, probs = form.tree, np.zeros(form.tree.num_choices)
    for i, number in enumerate(plans):
        probs[form.plans[i][number]] = 1.0
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        if not probs[low:high].any():
            probs[low] = 1.0
    return wb.Strategy(tree, probs)


@pytest.mark.parametrize(("name", "counts"), TABLES.items())
def test_every_entry_is_what_two_books_are_worth(name, counts):
    tree = tree_of(name)
    assert count_pure_strategies(tree) == counts[0]
    assert count_pure_strategies(tree, reduced=False) == counts[1]
    form = normal_form(tree)
    assert form.payoffs.shape == (*counts[0], tree.num_players)
    random = np.random.default_rng(0)
    cells = list(product(*map(range, counts[0])))
    for cell in [cells[k] for k in random.permutation(len(cells))[:200]]:
        assert form.payoffs[cell] == pytest.approx(wb.expected_values(pure(form, cell)), abs=1e-12)
    for i, plans in enumerate(form.plans):
        assert len({plan.tobytes() for plan in plans}) == counts[0][i] == len(set(form.names(i)))


def test_the_table_and_the_tree_have_one_value():
    for name, value in (("kuhn", -1 / 18), ("bluff", 1 / 3), ("figure1", 2 / 9)):
        form = normal_form(tree_of(name))
        found = form.solve()
        assert found.value == pytest.approx(value, abs=1e-9)
        both = form.behavioural(found.mixtures)
        assert wb.exploitability(both) < 1e-9, "an equilibrium stays one"
        assert wb.expected_values(both)[0] == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "figure1", "gift", "odd_one_out"])
def test_kuhns_theorem(name):
    """Every end of the game is as likely under the coins as under the mixture of plans."""
    form, random = normal_form(tree_of(name)), np.random.default_rng(1)
    for _ in range(20):
        mixtures = [random.dirichlet(np.full(len(plans), 0.2)) for plans in form.plans]
        own = own_reach(form.tree, form.behavioural(mixtures).probs)
        for i, mixture in enumerate(mixtures):
            plans = [pure(form, tuple(n if j == i else 0 for j in range(len(form.plans))))
                     for n in range(len(mixture))]  # fmt: skip
            mixed = sum(
                w * own_reach(form.tree, p.probs)[i] for w, p in zip(mixture, plans, strict=True)
            )
            assert own[i] == pytest.approx(mixed, abs=1e-12)


def test_a_player_who_forgets():
    """Mixed play guarantees 0, behavioural play −1/2, and no behavioural pair is in equilibrium."""
    form = normal_form(tree_of("forgetful"))
    assert not form.tree.perfect_recall
    assert form.solve().value == pytest.approx(0, abs=1e-9)
    grid = np.linspace(0, 1, 101)
    put, name = np.meshgrid(grid, grid)  # how likely heads is, at both moves
    worst = np.minimum(put * name, (1 - put) * (1 - name))  # she wins if it is named, not guessed
    assert 2 * worst.max() - 1 == pytest.approx(-0.5), "the most that coins guarantee her"
    half = form.behavioural([[0.5, 0, 0, 0.5], [0.5, 0.5]])
    assert half.probs == pytest.approx(np.full(6, 0.5))
    assert form.payoffs[..., 0].mean(axis=1).max() == 0, "against a guess at random she wins 0"


@pytest.mark.parametrize("name", ["kuhn", "gift"])
def test_definition_6_for_strategies_and_for_choices(name):
    """A choice is dominated if every plan that makes it is: two ways to the same list."""
    form = normal_form(tree_of(name))
    choices = np.zeros(form.tree.num_choices, np.bool_)
    for i in (0, 1):
        plans, wrong = form.plans[i], form.dominated(i)
        hers = form.tree.choices_of(i)
        made_by_a_good_one = plans[~wrong].any(axis=0)
        choices[hers] = ~made_by_a_good_one[hers]
        clean = ~plans[:, wb.judge.dominated_choices(form.tree)].any(axis=1)
        if name == "kuhn":
            assert (len(wrong), wrong.sum(), (wrong & clean).sum()) == KUHN[i]
    assert choices.tolist() == wb.judge.dominated_choices(form.tree).tolist()


def test_what_is_too_large_is_counted_and_refused():
    leduc = tree_of("leduc", suit_isomorphism=True)
    # By hand. After the flop: check, then answer a bet in 3 ways, or bet, then a raise in 2.
    flop = (3 + 2) ** 3  # for each of three boards
    check = flop * (1 + flop + flop)  # and the opponent checks, or bets: fold, call, raise
    bet = flop * (1 + flop)  # and the opponent calls, or raises: fold, call
    assert count_pure_strategies(leduc)[0] == (check + bet) ** 3 == 47_125**3
    with pytest.raises(GameError, match=r"1,728 entries; at most 1,000 are built"):
        normal_form(tree_of("kuhn"), most=1000)
    with pytest.raises(GameError, match=r"10\^\d+ entries.*wb.solve\(tree, 'lp'\)"):
        normal_form(leduc)


def test_errors_and_names():
    form = normal_form(tree_of("kuhn"))
    assert form.table().shape == (27, 64)
    assert form.names(0)[0] == form.table().index[0]
    assert form.plan(0, 0) == dict.fromkeys(form.plan(0, 0), "p")
    assert len(form.plan(0, 26)) == 3, "who bets is not asked again"
    even = np.full(64, 1 / 64)
    for mixtures in ([[1.0]], [[0.5, 0.5], even], [np.full(27, 1.0), even]):
        with pytest.raises(GameError, match=r"mixture|distribution"):
            form.behavioural(mixtures)
    for name in ("odd_one_out", "gift"):
        with pytest.raises(GameError, match=r"two players|zero-sum"):
            normal_form(tree_of(name)).solve()
