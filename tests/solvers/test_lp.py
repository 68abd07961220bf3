"""The linear program is exact, and refuses what it cannot do."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests import golden
from tests.random_games import compiled, random_games


def solution(tree):
    return wb.average(tree, next(wb.iterate(tree, "lp")))


@settings(max_examples=60)
@given(random_games(zero_sum=True))
def test_random_games_are_solved_exactly(rules):
    answer = solution(compiled(rules))
    assert abs(wb.exploitability(answer)) < 1e-9


@pytest.mark.parametrize("merged", [False, True])
def test_the_value_of_leduc(merged):
    answer = solution(wb.compile_game(wb.load_game("leduc", suit_isomorphism=merged)))
    assert wb.expected_values(answer)[0] == pytest.approx(golden.LEDUC_VALUE, abs=1e-9)
    assert wb.exploitability(answer) < 1e-9


@pytest.mark.parametrize(("name", "value"), sorted(golden.LEDUC_ABSTRACT_VALUES.items()))
def test_values_of_abstract_leduc(name, value, leduc):
    answer = solution(wb.abstract(leduc, name).coarse)
    assert wb.expected_values(answer)[0] == pytest.approx(value, abs=1e-9)
    assert wb.exploitability(answer) < 1e-9


def test_a_matrix_game_against_the_textbook_program():
    rng = np.random.default_rng(3)
    payoffs = rng.normal(size=(4, 6))
    answer = solution(wb.compile_game(Matrix("random", payoffs.tolist())))
    # maximise v so that p' A >= v, p a distribution
    textbook = linprog(
        np.r_[np.zeros(4), -1.0],
        A_ub=np.column_stack([-payoffs.T, np.ones(6)]),
        b_ub=np.zeros(6),
        A_eq=[[1, 1, 1, 1, 0]],
        b_eq=[1],
        bounds=[(0, 1)] * 4 + [(None, None)],
    )
    assert wb.expected_values(answer)[0] == pytest.approx(-textbook.fun, abs=1e-10)


def test_one_player_with_no_choice():
    """The other one simply takes the best there is."""
    tree = wb.compile_game(Matrix("choose", [[3.0], [5.0], [4.0]]))
    assert len(tree.infosets_of(1)) == 0
    assert wb.expected_values(solution(tree)).tolist() == [5.0, -5.0]
    suffer = wb.compile_game(Matrix("suffer", [[3.0, 5.0]]))
    assert wb.expected_values(solution(suffer)).tolist() == [3.0, -3.0]
