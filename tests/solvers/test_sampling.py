"""The sampling solvers: equal to their recursive twins, right on average, and they resume."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import workbench as wb
from tests import golden
from tests.random_games import ANY_PLAYERS, compiled, random_games
from tests.sampling_twins import Twin, expectation
from tests.test_compiling import Told
from workbench.passes import counterfactual, reach
from workbench.solvers.base import average, iterate, start_state
from workbench.solvers.external_sampling import ChanceSampling, ExternalSampling
from workbench.solvers.outcome_sampling import OutcomeSampling
from workbench.solvers.sampling_tree import EVEN, UNEVEN, walks
from workbench.strategy import normalised
from workbench.tree import CHANCE

SAMPLERS = ["chance-sampling", "external-sampling", "outcome-sampling"]
SETTINGS = [
    *(kind(linear=linear) for kind in (ChanceSampling, ExternalSampling, OutcomeSampling)
      for linear in (False, True)),
    OutcomeSampling(epsilon=0.1),
    OutcomeSampling(epsilon=1),
    ExternalSampling(average_at="traverser"),
    ExternalSampling(average_at="traverser", opponent="average", linear=False),
    ExternalSampling(opponent="average"),
]  # fmt: skip


def merged(tree, how):
    """The same game with some actions merged, next to each other or not, or in another order."""

    def rule(player, seen, actions):
        n = len(actions)
        names = [
            [0, *range(n - 1)],  # the first two
            [k % 2 for k in range(n)],  # every other one
            [0] * n,  # all
            list(range(n)),
        ][(how + len(seen)) % 4]
        return (player, seen), names

    return wb.abstract(tree, rule).coarse


def reordered(tree):
    """Two-action infosets of one player are one, with the actions of some of them swapped."""

    def rule(player, seen, actions):
        if len(actions) == 2:
            return (player, "all"), [0, 1] if len(seen) % 2 else [1, 0]
        return (player, seen), list(actions)

    return wb.abstract(tree, rule).coarse


TREES = st.one_of(
    random_games(players=ANY_PLAYERS, max_depth=5).map(compiled),
    random_games(players=ANY_PLAYERS, recall=False, max_depth=4).map(compiled),
    st.builds(merged, random_games(players=st.integers(1, 3)).map(compiled), st.integers(0, 3)),
    random_games(players=st.integers(1, 3), max_depth=4).map(compiled).map(reordered),
)


def somewhere(tree, seed):
    """A state in the middle of nowhere: random regrets, sums, and σ matched to the regrets."""
    rng, start = np.random.default_rng(seed), start_state(tree, seed)
    regret = rng.normal(size=tree.num_choices)
    sums = rng.exponential(size=tree.num_choices) * (rng.random(tree.num_choices) < 0.8)
    probs = np.array(normalised(tree, np.maximum(regret, 0.0)).probs)
    return replace(start, iteration=3, regret=regret, probs=probs, strategy_sum=sums)


def iteration(twin, solver, t):
    """One iteration of a solver, as its module explains it."""
    players = twin.tree.num_players
    weight = float(t) if solver.linear else 1.0
    for i in range(players):
        if isinstance(solver, ChanceSampling):
            twin.chance(0, i, weight)
        elif isinstance(solver, OutcomeSampling):
            twin.average(0, i, -9, weight)
            twin.outcome(0, i, weight, solver.epsilon)
        else:
            if solver.average_at == "opponent" and players != 2:
                twin.average(0, i, (i + 1) % players, weight)
            twin.external(0, i, weight, solver.average_at, solver.opponent)
        twin.match()


@settings(max_examples=100)
@given(TREES, st.sampled_from(SETTINGS), st.integers(0, 1000), st.booleans())
def test_a_recursive_twin_plays_the_same_games(tree, solver, seed, fresh):
    state = start_state(tree, seed) if fresh else somewhere(tree, seed)
    twin = Twin.of(tree, state)
    for _ in range(6):
        state = solver.advance(tree, state, 1)
        iteration(twin, solver, state.iteration)
        for name in ("regret", "probs", "strategy_sum"):
            ours, theirs = getattr(state, name), getattr(twin, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        assert state.rng.tolist() == twin.dice.draw.s


# ---- right on average ----------------------------------------------------------------------


def exact_regrets(tree, probs, i):
    """(K,) what one iteration of plain CFR adds to i's regrets; 0 for the others."""
    values, _, _ = counterfactual(tree, probs, i)
    owner = tree.choice_infoset
    mean = np.bincount(owner, probs * values, minlength=tree.num_infosets)
    return np.where(tree.infoset_player[owner] == i, values - mean[owner], 0.0)


def exact_sums(tree, probs, i, tried):
    """(K,) Σ_h κ(h) π_i(h) σ(I, a): i plays σ, `tried` anything, the rest blindly (None: all)."""
    sizes = np.repeat(np.diff(tree.first_choice), np.diff(tree.first_choice))
    others = np.ones(tree.num_choices) if tried is None else 1.0 / sizes
    player = tree.infoset_player[tree.choice_infoset]
    weights = np.where(player == i, probs, np.where(player == tried, 1.0, others))
    arrive = reach(tree, weights)
    mine = np.flatnonzero(tree.player == i)
    at = np.bincount(tree.infoset[mine], arrive[mine], minlength=tree.num_infosets)
    return np.where(player == i, at[tree.choice_infoset] * probs, 0.0)


WALKS = {
    "chance-sampling": lambda twin, i: twin.chance(0, i, 1.0),
    "external-sampling": lambda twin, i: twin.external(0, i, 1.0),
    "outcome-sampling": lambda twin, i: twin.outcome(0, i, 1.0, 0.6),
}


@pytest.mark.parametrize("name", SAMPLERS)
@settings(max_examples=40)
@given(TREES, st.integers(0, 1000), st.data())
def test_regrets_are_right_on_average(name, tree, seed, data):
    """Every way the dice can fall, weighed by its probability, makes one iteration of CFR."""
    i = data.draw(st.integers(0, tree.num_players - 1))
    state = somewhere(tree, seed)

    def walk(dice):
        twin = Twin.of(tree, state, dice)
        WALKS[name](twin, i)
        return np.array(twin.regret) - state.regret

    mean = expectation(walk, limit=3000)
    assume(mean is not None)
    np.testing.assert_allclose(mean, exact_regrets(tree, state.probs, i), atol=1e-9)


KINDS = ["blind", "tried", "opponent", "chance"]


@settings(max_examples=60)
@given(TREES, st.integers(0, 1000), st.sampled_from(KINDS), st.data())
def test_averages_are_right_on_average(tree, seed, how, data):
    """What is added at I is κ(I) · π_i(I) · σ(I, ·), where κ is the same for every strategy."""
    players = tree.num_players
    i = data.draw(st.integers(0, players - 1))
    assume(how != "opponent" or players == 2)
    state = somewhere(tree, seed)

    def walk(dice):
        twin = Twin.of(tree, state, dice)
        if how == "opponent":  # the other one's walk, which adds up i's average
            twin.external(0, 1 - i, 1.0)
        elif how == "chance":
            twin.chance(0, i, 1.0)
        else:
            twin.average(0, i, (i + 1) % players if how == "tried" else -9, 1.0)
        return np.array(twin.strategy_sum) - state.strategy_sum

    mean = expectation(walk, limit=3000)
    assume(mean is not None)
    tried = {"blind": -9, "tried": (i + 1) % players, "opponent": 1 - i, "chance": None}[how]
    np.testing.assert_allclose(mean, exact_sums(tree, state.probs, i, tried), atol=1e-9)


# ---- what they find ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "iterations", "low"),
    [
        ("chance-sampling", 100_000, 0.08),
        ("external-sampling", 300_000, 0.06),
        ("outcome-sampling", 600_000, 0.2),
    ],
)
def test_leduc_converges(name, iterations, low, leduc):
    answer = average(leduc, next(iterate(leduc, name, seed=1, every=iterations)))
    assert wb.exploitability(answer) < low
    assert wb.expected_values(answer)[0] == pytest.approx(golden.LEDUC_VALUE, abs=low)


def test_the_thesis_variant_is_worse_where_it_matters():
    """Averaging at the traverser's nodes forgets how often iterations come there."""
    game = wb.load_game("toepen", suits=2, ranks=3, hand=2, suit_isomorphism=True)
    tree = wb.compile_game(game)

    def found(**options):
        solver = ExternalSampling(linear=False, **options)
        return 2 * wb.exploitability(average(tree, next(iterate(tree, solver, every=50_000))))

    assert found() < 0.06
    assert found(average_at="traverser") > 0.2
    assert found(average_at="traverser", opponent="average") > 0.2


# ---- prepared trees ------------------------------------------------------------------------


def test_what_cannot_be_dealt_never_is():
    """Probabilities of zero, first, last and in between; and many that do not add up exactly."""

    shares = {0: 0.0, 1: 0.3, 2: 0.0, 3: 0.6, 4: 0.1, 5: 0.0}

    def wheel(state):
        if len(state) < 2:
            return wb.Decision(0, state, ("stay", "go")) if state else wb.Chance(shares)
        return wb.Terminal([float(state[0] == 3) if shares[state[0]] else -1e9])

    tree = wb.compile_game(Told(wheel, players=1))
    nodes = walks(tree)
    assert nodes.kind[0] == UNEVEN
    assert nodes.below[1:7].tolist() == [0.0, 0.3, 0.3, pytest.approx(0.9), 1.0, 1.0]
    for name in SAMPLERS:
        state = next(iterate(tree, name, every=20_000))
        assert np.abs(state.regret).max() < 1e9
        reached = state.strategy_sum.reshape(-1, 2).sum(axis=1)
        assert (reached > 0).tolist() == [False, True, False, True, True, False]
        assert reached[3] / reached.sum() == pytest.approx(0.6, abs=0.03)


def test_plain_trees_are_used_as_they_are(leduc):
    nodes = walks(leduc)
    assert nodes is walks(leduc)
    assert np.shares_memory(nodes.first_child, leduc.first_child)
    assert set(nodes.kind[leduc.player == CHANCE]) == {EVEN}
    assert len(nodes.below) == 0
