"""Le (2021), Section 4.2.4: are the better abstractions also harder to beat?

The thesis has scores of its abstract strategies, but no exploitability: it names the way,
translating them back to the original game, and leaves it to others. Here all of them are lifted to
that game and met by exact best responses (b₁ + b₂, points over two hands, one in each seat). How
they are trained: see `toepen_abstractions.py`; the unabstracted strategy of the thesis: Section
4.2.3. The settings also have what the unabstracted one comes to with "lossless-suits".

Beside them stands the game solved: CFR+ walks through all of it, must follow suit, lossless suits.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.evaluation.sampling_bound import sampling_factor
from workbench.evaluation.values import expected_values
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_abstractions import (
    FOLLOW,
    FULL,
    RULES,
    Claim,
    Compared,
    claims,
    compare,
)
from workbench.lab.ledger.toepen_training import TEXTBOOK
from workbench.lab.ledger.toepen_variants import LARGEST, VARIANTS
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate

if TYPE_CHECKING:
    import pandas as pd

WHAT = "exploitability"
CONVERGED = 0.1  # points, b₁ + b₂
ITERATIONS = 100_000
FEW = ("simple-history", "simple-hand", "advanced-history")
RANGE = "range of a player's payoffs"
BOUND = "bound on player 2's regret", "bound on the exploitability"
SOLVED, VALUE = "CFR+ after 100 iterations, follow suit", "value to player 1, follow suit"
LOSSLESS = f"{FULL}, {FOLLOW}, with lossless-suits instead of suit_isomorphism: b₁ + b₂"
CLOSE = 0.02  # what 100 iterations of CFR+ must reach


def measure(effort: Effort) -> Result:
    import pandas as pd

    found = compare(effort, FEW)
    several = claims(found, CLAIMS)
    solved, curve = _solve(effort.pick(500, 200))
    curves = pd.concat([found.curves((FULL, *RULES), WHAT), curve], ignore_index=True)
    settings = dict(several.settings)
    if not effort.quick:
        settings[LOSSLESS] = _lossless(found.repeats[FOLLOW])
    ours = {**several.ours, **solved, **_bounds()}
    return replace(several, ours=ours, settings=settings, curves=curves)


def _lossless(repeats: int) -> float:
    """The same training where walks go below each of the cards that look alike, mean of repeats."""
    raw = compile_game(replace(VARIANTS[LARGEST], follow_suit=True))
    tree = abstract(raw, "lossless-suits").coarse
    runs = (next(iterate(tree, TEXTBOOK, seed=k, every=ITERATIONS)) for k in range(repeats))
    return mean(2 * exploitability(average(tree, run)) for run in runs)


def _bounds() -> dict[str, Ours]:
    """Equation 2.8 with the numbers of the text, at ρ = 1."""
    regret = sampling_factor(1.0) * 245_195 * 8 * 4**0.5 * ITERATIONS**0.5
    note = "245,195 sets, payoffs over 8 points and four actions, as the text takes them"
    values = regret, 2 * regret / ITERATIONS
    counts = "2.95e9 to 3.05e9 counts", "one digit of 'about 60,000': 55,000 to 65,000 counts"
    return {
        item: Ours(value, note=f"{note}; {rule} as reproduced")
        for item, value, rule in zip(BOUND, values, counts, strict=True)
    }


def _solve(iterations: int) -> tuple[dict[str, Ours], pd.DataFrame]:
    """The whole game: no sampling, nothing forgotten but the names of suits."""
    import pandas as pd

    rules = replace(VARIANTS[LARGEST], follow_suit=True, suit_isomorphism=True)
    tree = compile_game(rules)
    rows, ours = [], {}
    for state in iterate(tree, "cfr+", every=10):
        sigma = average(tree, state)
        off = 2 * exploitability(sigma)
        rows.append((f"{FULL}, CFR+, {FOLLOW}", 0, state.iteration, off))
        if state.iteration == 100:
            note = "each iteration walks through the whole game"
            ours[SOLVED] = Ours(off, note=note, holds=off <= CLOSE)
        if state.iteration >= iterations:
            break
    spread = float(tree.utility[:, 0].max() - tree.utility[:, 0].min())
    note = f"six calls are possible: a payoff of {spread / 2:.0f} occurs"
    ours[RANGE] = Ours(spread, note=note)
    value = float(expected_values([sigma, sigma])[0])
    note = f"CFR+ after {iterations} iterations, {off:.1g} points from perfect play"
    ours[VALUE] = Ours(value, value - off, value + off, note, holds=value > off)
    return ours, pd.DataFrame(rows, columns=["curve", "repeat", "iteration", WHAT])


def _far(found: Compared, way: str) -> Ours:
    note = f"after {found.points[-1]:,}; converged: at most {CONVERGED}"
    value = found.mean(FULL, way, WHAT)
    return found.ours(found.each(FULL, way, WHAT), way, note, holds=value > CONVERGED)


def _least(found: Compared, way: str) -> Ours:
    others = [rule for rule in RULES if rule != "advanced-history"]
    rival = min(others, key=lambda rule: found.mean(rule, way, WHAT))
    return found.lead(rival, "advanced-history", way, WHAT)


def _any_helps(found: Compared, way: str) -> Ours:
    best = min(RULES, key=lambda rule: found.mean(rule, way, WHAT))
    return found.lead(FULL, best, way, WHAT)


CLAIMS = {
    "unabstracted is far from converged": Claim((FULL,), _far),
    "simple-history costs less than simple-hand": Claim(
        FEW, lambda found, way: found.lead("simple-hand", "simple-history", way, WHAT)
    ),
    "advanced-history costs less than advanced-hand": Claim(
        RULES, lambda found, way: found.lead("advanced-hand", "advanced-history", way, WHAT)
    ),
    "advanced-history costs least of all six": Claim(RULES, _least),
    "some abstraction is less exploitable than none": Claim(RULES, _any_helps),
}
