"""One table of cases for every solver there is: a new one is tested by being registered."""

from dataclasses import replace

import numpy as np
import pytest
from workbench.lab.ledger.papers.matrix import Matrix

from tests import golden
from tests.random_games import RandomGame, compiled
from tests.test_compiling import told
from workbench import Chance, GameError, compile_game, exploitability, load_game
from workbench.evaluation.values import expected_values
from workbench.solvers.base import average, current, find_solver, iterate, list_solvers, start_state

SOLVERS = list_solvers()
# Iterations and the exploitability they must reach on small games (uniform play: above 0.1).
# A solver that is slower by nature gets a line of its own.
USUAL = 1000, 0.02
REACH = {
    "cfr": (2000, 0.02),
    "lp": (1, 1e-9),
    "chance-sampling": (20_000, 0.03),
    "external-sampling": (20_000, 0.03),
    "outcome-sampling": (200_000, 0.05),
}

GAMES = {
    "kuhn": load_game("kuhn"),
    "biased_pennies (asymmetric)": load_game("biased_pennies"),
    "smuggler (2 x 3)": load_game("smuggler"),
    "tall (4 x 2)": Matrix("tall", [[0, 3], [1, 2], [4, 0], [-1, 1]]),
    "figure1": load_game("figure1"),
    "bluff": load_game("bluff"),
    "rock_paper_scissors": load_game("rock_paper_scissors"),
}


@pytest.fixture(scope="module", params=SOLVERS)
def solver(request):
    return find_solver(request.param)


def run(tree, solver, iterations, *, every=0, seed=0):
    """The state after so many iterations, in steps of `every` (0: all at once)."""
    for state in iterate(tree, solver, seed=seed, every=every or iterations):
        if state.iteration >= iterations:
            return state
    raise AssertionError("iterate never ends by itself")


def solved(tree, solver):
    """The answer after a solver's own number of iterations, and how good it must be."""
    iterations, low = REACH.get(solver.name, USUAL)
    return average(tree, run(tree, solver, iterations)), low


def arrays(state):
    """All that a state is made of, for comparing bit for bit."""
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
        for name, value in vars(state).items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_low_exploitability_and_the_value_of_the_game(solver, game):
    answer, low = solved(compile_game(GAMES[game]), solver)
    assert exploitability(answer) < low
    if (value := golden.SMALL_VALUES.get(GAMES[game].name)) is not None:
        assert expected_values(answer) == pytest.approx([value, -value], abs=2 * low)


@pytest.mark.parametrize("iterations", [1, 2, 3, 17, 100])
@pytest.mark.parametrize("game", GAMES)
def test_answers_are_strategies(solver, game, iterations):
    tree = compile_game(GAMES[game])
    state = run(tree, solver, iterations)
    assert state.iteration == iterations
    for sigma in (average(tree, state), current(tree, state)):
        assert np.all((sigma.probs >= 0.0) & (sigma.probs <= 1.0 + 1e-12))
        sums = np.add.reduceat(sigma.probs, tree.first_choice[:-1])
        np.testing.assert_allclose(sums, 1.0, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_random_games(solver, seed):
    answer, low = solved(compiled(RandomGame(seed, depth=5, zero_sum=True)), solver)
    assert exploitability(answer) < low


def test_the_same_seed_gives_the_same_answer(solver):
    rules = load_game("leduc", suit_isomorphism=True)
    first, second = compile_game(rules), compile_game(rules)
    one, two = run(first, solver, 60, seed=7), run(second, solver, 60, seed=7)
    assert arrays(one) == arrays(two)
    assert np.array_equal(average(first, one).probs, average(second, two).probs)
    other = average(first, run(first, solver, 60, seed=8)).probs
    assert np.array_equal(other, average(first, one).probs) is ("sampling" not in solver.name)


@pytest.mark.parametrize("steps", [(50, 50), (1, 99), (99, 1), (30, 1, 69), (1,) * 100])
def test_stopping_and_resuming_changes_nothing(solver, kuhn, steps):
    state = None
    for step in steps:
        state = next(iterate(kuhn, solver, seed=3, start=state, every=step))
    assert arrays(state) == arrays(run(kuhn, solver, 100, seed=3))


def test_no_state_is_written_again(solver, kuhn):
    """Earlier states keep their numbers while the solver goes on, also from the same start."""
    start = start_state(kuhn)
    states, copies = [start], [arrays(start)]
    for state in iterate(kuhn, solver, start=start):
        states.append(state)
        copies.append(arrays(state))
        if state.iteration == 20:
            break
    next(iterate(kuhn, solver, start=states[5], every=10))
    assert [arrays(state) for state in states] == copies
    for state in states:
        for name, value in vars(state).items():
            assert not isinstance(value, np.ndarray) or not value.flags.writeable, name


def test_settings_describe_the_solver(solver):
    assert repr(solver) == repr(find_solver(solver.name))
    assert hash(solver) == hash(find_solver(solver.name))
    assert find_solver(solver) is solver
    with pytest.raises(AttributeError):
        solver.alternating = False


@pytest.mark.parametrize("players", [1, 3])
def test_more_or_fewer_players(solver, players):
    """Everybody solves games of any number of players, or says plainly that it does not."""
    tree = compiled(RandomGame(11, players=players, depth=4))
    assert tree.num_players == players
    try:
        solver.check(tree)
    except GameError as error:
        assert "two-player" in str(error)  # noqa: PT017
        return
    answer, _ = solved(tree, solver)
    assert np.all(np.isfinite(answer.probs))
    if players == 1:
        assert exploitability(answer) < 0.05, "alone, an equilibrium is the best choice"


def test_a_game_without_decisions(solver):
    lonely = compile_game(told())  # over before it begins
    assert average(lonely, run(lonely, solver, 2)).probs.shape == (0,)
    lucky = compile_game(told(Chance({"H": 0.5, "T": 0.5})))
    assert average(lucky, run(lucky, solver, 2)).probs.shape == (0,)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e9])
def test_the_size_of_the_payoffs_does_not_matter(solver, size):
    tree = compile_game(Matrix("scaled", [[3 * size, -2 * size], [-size, size]]))
    answer, low = solved(tree, solver)
    assert exploitability(answer) <= size * low


@pytest.mark.parametrize("other", ["cfr", "cfr+", "egt", "iterated-smoothing", "fictitious-play"])
def test_a_warm_start_is_as_good_or_refused(solver, other, kuhn):
    """Whoever begins where another solver stands ends where it would without, or says no."""
    start = run(kuhn, find_solver(other), 50)
    iterations, low = REACH.get(solver.name, USUAL)
    try:
        state = next(iterate(kuhn, solver, start=start, every=iterations))
    except GameError as error:
        assert str(error) == (  # noqa: PT017
            f"{solver.name} begins at a point of its own, not where another solver stands"
        )
        assert (solver.name, other) != ("egt", "egt")
        return
    assert exploitability(average(kuhn, state)) < low


def test_a_state_of_another_game_is_refused(solver, kuhn):
    """Also if it is as large."""
    with pytest.raises(GameError, match="another game"):
        next(iterate(kuhn, solver, start=start_state(compile_game(load_game("smuggler")))))
    other = replace(kuhn, utility=-kuhn.utility)
    for start in (next(iterate(other, solver)), start_state(other)):
        with pytest.raises(GameError, match="other payoffs"):
            next(iterate(kuhn, solver, start=start))
        assert next(iterate(kuhn, solver, start=replace(start, game=0))).iteration >= 1
    again = compile_game(load_game("kuhn"))  # the same game, compiled another time
    assert next(iterate(again, solver, start=start_state(kuhn))).game == kuhn.checksum
