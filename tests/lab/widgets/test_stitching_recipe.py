"""Recipes: the known numbers, and code that does the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.widgets.jobs import Job
from workbench.lab.widgets.stitching_recipe import StitchingRecipe

LONG = {"iterations": 5_000}
JOB = Job(lambda job: None)  # to be told


@pytest.mark.parametrize(  # facts/leduc.md, CFR+ with 5,000 iterations, milli-antes
    ("settings", "milli"),
    [
        ({"stitching": "each"}, 157.2),
        ({"stitching": "N", "leftovers": "uniform"}, 462.6),
        ({"stitching": "N", "leftovers": "base"}, 217.0),
    ],
)
def test_exploitability_of_known_stitches(settings: dict[str, Any], milli: float) -> None:
    stitched = StitchingRecipe(**settings, **LONG).work(JOB).stitched
    assert stitched
    assert 1000 * stitched.exploitability == pytest.approx(milli, abs=0.3)


def test_the_base_and_what_is_earned() -> None:
    recipe = StitchingRecipe(stitching="dynamic", **LONG).work(JOB)
    base, stitched = recipe.alone, recipe.stitched
    assert base
    assert stitched
    assert 1000 * base.exploitability == pytest.approx(489.7, abs=0.3)
    assert (base.name, base.size, stitched.size) == ("base JQ-K", 132, 444)
    assert 1000 * stitched.exploitability == pytest.approx(115.6, abs=0.3)
    others = [wb.solve(recipe.tree, abstraction=name, **LONG).strategy for name in ("null", "J-QK")]
    assert stitched.earnings == wb.earnings(stitched.strategy, others)
    assert stitched.earnings > base.earnings


RECIPES: list[dict[str, Any]] = [
    {},
    {"stitching": "dynamic", "abstraction": "J.Q.K"},
    {"stitching": "each", "experts": ("r", "ccr"), "base": "J-QK", "seed": 2, "leftovers": "base",
     "abstraction": "J.Q.K"},
    {"stitching": "2", "way": "card", "experts": ("K", "J"), "solver": "external-sampling",
     "seed": 4},
    {"stitching": "each", "way": "round", "leftovers": "uniform",
     "tree": wb.load_game("leduc", suit_isomorphism=True)},
    {"tree": "kuhn", "stitching": "each", "way": "card"},
    {"tree": "kuhn", "base": "J-QK", "experts": ("pb",)},
    {"stitching": "N", "solver": "lp", "tree": "kuhn"},
    {"stitching": "dynamic", "solver": wb.solvers.DCFR(alpha=2.0), "tree": "kuhn"},
]  # fmt: skip


@pytest.mark.parametrize("settings", RECIPES, ids=str)
def test_the_code_does_it_again(settings: dict[str, Any], capsys: Any) -> None:
    recipe = StitchingRecipe(**{"iterations": 60, **settings})
    made, names = recipe.work(JOB), dict[str, Any]()
    exec(recipe.code, names)
    base, stitched = made.alone, made.stitched
    assert base
    assert stitched
    assert np.array_equal(names["stitched"].probs, stitched.strategy.probs)
    assert np.array_equal(names["base"].probs, base.strategy.probs)
    assert capsys.readouterr().out.split() == [str(stitched.exploitability), str(stitched.earnings)]
    assert all(len(line) < 200 for line in recipe.code.splitlines())


def test_names() -> None:
    recipe = StitchingRecipe("kuhn", stitching="each", iterations=20, leftovers="uniform")
    assert recipe.name == "S = {i}: b, pb, tidy"
    assert StitchingRecipe(stitching="dynamic", abstraction="J.Q.K", leftovers="base").name == (
        "dynamic: r, cr, ccr, cccr in J.Q.K"
    )
