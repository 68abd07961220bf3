"""What Le (2021) says about its abstractions of Toepen, and what we find beyond it.

Every claim is checked in the four ways of `toepen_abstractions.py`. A lead is that of the closest
pair, the mean over seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from statistics import mean
from typing import Any

import pandas as pd
from workbench.lab.lectures.regret import sampling_factor
from workbench.lab.ledger.papers.claims import Claim, pairs
from workbench.lab.ledger.papers.toepen_abstractions import (
    FOLLOW,
    FULL,
    KIND,
    PUBLISHED,
    RULES,
    STANDARD,
    WAYS,
    compare,
    score,
)
from workbench.lab.ledger.papers.toepen_met import met
from workbench.lab.ledger.papers.toepen_repeats import LONG, Repeats, differences, in_ways
from workbench.lab.ledger.papers.toepen_training import TEXTBOOK, wrong_sign
from workbench.lab.ledger.papers.toepen_variants import LARGEST, VARIANTS, payoffs
from workbench.lab.ledger.papers.traces import curves_of

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.matches import sample_match
from workbench.evaluation.values import expected_values
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run

COARSE = NAIVE, SIMPLE_HISTORY, SIMPLE_HAND = RULES[:3]
FINE = HAND, HISTORY, COMBINED = RULES[3:]
OTHERS = [rule for rule in RULES if rule != HISTORY]
SCORE, COST = "score", "exploitability"
START, SOON = 1_000, 20_000  # "in the beginning", and "quickly" or "after a small number"
HALF, TWICE, SLIGHTLY = (0.4, 0.6), (1.6, 2.4), (1.0, 1.2)  # a fifth off counts as the same
CONVERGED, CLOSE = 0.1, 0.02  # points, b₁ + b₂: of a converged strategy, of CFR+ after 100
ITERATIONS, HANDS = 100_000, 20_000  # of training; that the thesis simulates to find a score
TAKEN = {"sets": 245_195, "range of payoffs": 8, "actions": 4}  # by the text
REGRET = sampling_factor(1.0) * 245_195 * 8 * 4**0.5 * ITERATIONS**0.5  # Equation 2.8 at ρ = 1
TOLD = replace(VARIANTS[LARGEST], follow_suit=True)
SOLVABLE = replace(TOLD, suit_isomorphism=True)
WRONG_SIGN = f"{LARGEST} as published, with the program's wrong sign: b₁ + b₂ by seed"
LOSSLESS = f"{FULL}, {FOLLOW}, with lossless-suits instead of suit_isomorphism: b₁ + b₂"

MET_AT, MET_SEEDS = (10_000, ITERATIONS), 3  # stops, and seeds
PROGRAM_MET = 144_985  # sets of the public program with simple-hand, at the first stop
PROGRAM = (  # run beside ours, to 10,000 iterations
    "the public program of June 2021 also counts sets that are met while the other player learns "
    "(144,985 after 10,000 iterations, ours 80,213), so its training ends between 145,000 and all "
    "of them, and the figure shows another quantity than this row"
)

every_way = partial(in_ways, {way: way for way in WAYS})


def _fall_off(found: Repeats, way: str) -> Ours:
    falls = [
        differences(*(found.each(way, rule, SCORE, at) for at in (START, 0))) for rule in COARSE
    ]
    note = f"the smallest fall since {START:,}"
    ours: Ours = found.claim(min(falls, key=sum), found.means(way, COARSE, SCORE), note=note)
    return ours


def _longer(found: Repeats, way: str, rule: str) -> Ours:
    """How many iterations longer than simple-hand a rule wins: up to its last stop above zero."""

    def wins_until(rule: str) -> list[int]:
        won = zip(*(found.each(way, rule, SCORE, at) for at in found.points), strict=True)
        return [max(at * (x > 0) for at, x in zip(found.points, of, strict=True)) for of in won]

    ahead = Claim(SCORE, pairs([rule], [SIMPLE_HAND]))
    mine, other, end = wins_until(rule), wins_until(SIMPLE_HAND), found.lead(way, ahead)
    above = [at for at in found.points if found.lead(way, ahead._replace(at=at)).holds]
    facts = {
        f"{rule} wins until": mean(mine), "simple-hand": mean(other),
        "above simple-hand until": max(above, default=0), "in the end by": end.value,
    }  # fmt: skip
    if end.low is not None and end.high is not None:
        facts |= {"at least": end.low, "at most": end.high}
    ours: Ours = found.claim(differences(mine, other), facts)
    return ours


def _stays_ahead(found: Repeats, way: str) -> Ours:
    """The smallest lead at any stop after the start."""
    pair, stops = pairs([HISTORY], [COMBINED]), [at for at in found.points if at >= SOON]
    leads: list[Ours] = [found.lead(way, Claim(SCORE, pair, at=at)) for at in stops]
    return min(leads, key=lambda lead: lead.value)


def _simulated(found: Repeats) -> Ours:
    """Both strategies of seed 0 at the end of training."""
    found.effort.full_only(LONG)
    one, two = found.effort.solve(_sampled(SOLVABLE, rule, 0) for rule in (HISTORY, None))
    pair = {HISTORY: one.strategy, FULL: two.strategy}
    exact, table = score(*pair.values()), sample_match(pair, deals=HANDS // 2, duplicate=False)
    won, low, high = (float(table[name].to_numpy()[0]) for name in ("winnings", "low", "high"))
    return Ours(
        won, low, high, note=f"{HISTORY}, {FOLLOW}, seed 0", holds=low <= exact <= high,
        facts={"iterations": ITERATIONS, "exact": exact}, over="95 % interval",
    )  # fmt: skip


def _sampled(rules: Toepen, abstraction: str | None, seed: int) -> Experiment:
    return Experiment(
        rules, solver=TEXTBOOK, iterations=ITERATIONS, seed=seed, abstraction=abstraction,
        checkpoints=ITERATIONS,
    )  # fmt: skip


def _of_player(found: Repeats, player: int) -> int:
    found.size(PUBLISHED, FULL)  # or it was not trained now
    return int(found.sizes[FULL, PUBLISHED][player])


def _hand(found: Repeats) -> Ours:
    facts = {"of those that there are": found.size(PUBLISHED, SIMPLE_HAND)}
    return Ours.mean(found.each(PUBLISHED, SIMPLE_HAND, "reached"), note=PROGRAM, facts=facts)


def _met(found: Repeats) -> Ours:
    """All that walks come to, whoever learns: what the public program writes down."""
    found.effort.full_only(LONG)
    coarse = abstract(compile_game(VARIANTS[LARGEST]), f"thesis-suits+{SIMPLE_HAND}").coarse
    early, late = zip(*(met(coarse, seed, MET_AT)[0] for seed in range(MET_SEEDS)), strict=True)
    facts = {
        f"after {MET_AT[0]:,} iterations": mean(early), "the program": PROGRAM_MET,
        "of those that there are": coarse.num_infosets,
    }  # fmt: skip
    return Ours.mean(late, facts=facts, note="counted as the public program does")


def _ratio(found: Repeats, way: str, one: str, other: str, limits: tuple[float, float]) -> Ours:
    """Sets of one rule for each of another; a claim that they are so many."""
    sizes = {rule: found.size(way, rule) for rule in (one, other)}
    ratio = sizes[one] / sizes[other]
    return Ours(ratio, facts=sizes, holds=limits[0] < ratio <= limits[1])


def _not_all(found: Repeats, way: str) -> Ours:
    there, counts = found.size(way, FULL), found.each(way, FULL, "reached")
    facts = {"reached": round(mean(counts)), "of": there}
    ours: Ours = found.claim([n / there for n in counts], facts, holds=max(counts) < there)
    return ours


def _far(found: Repeats, way: str) -> Ours:
    each = found.each(way, FULL, COST)
    ours: Ours = found.claim(each, {"converged at most": CONVERGED}, holds=mean(each) > CONVERGED)
    return ours


@cache
def _solved(effort: Effort) -> Run:
    """The whole game: no sampling, nothing forgotten but the names of suits."""
    [run] = effort.solve([Experiment(SOLVABLE, iterations=effort.pick(500, 200), checkpoints=10)])
    return run


def _soon(found: Repeats) -> Ours:
    off = 2 * float(_solved(found.effort).trace.set_index("iteration").exploitability[100])
    return Ours(off, note="each iteration walks through the whole game", holds=off <= CLOSE)


def _value(found: Repeats) -> Ours:
    run = _solved(found.effort)
    value, off = float(expected_values(run.strategy)[0]), 2 * run.exploitability
    return Ours(
        value, value - off, value + off, holds=value > off, over="range ± b₁ + b₂",
        facts={"iterations of CFR+": run.iterations, "points from perfect play": off},
    )  # fmt: skip


def _settings(found: Repeats) -> Mapping[str, Any]:
    if found.effort.quick:
        return dict(found.settings)
    seeds = range(len(found.each(FOLLOW, FULL, COST)))
    runs = found.effort.solve(_sampled(TOLD, "lossless-suits", seed) for seed in seeds)
    lossless = mean(2 * run.abstract_exploitability for run in runs)
    return {**found.settings, LOSSLESS: lossless, WRONG_SIGN: wrong_sign()}


def _costs(found: Repeats) -> pd.DataFrame:
    solved = curves_of({f"{FULL}, CFR+, {FOLLOW}": [_solved(found.effort)]}, times=2)  # b₁ + b₂
    trained = found.curves((FULL, *RULES), COST)
    costs: pd.DataFrame = pd.concat([trained, solved], ignore_index=True)
    return costs


FIGURE_4_3 = Entry(
    """Le (2021), Figure 4.3: coarse abstractions of Toepen against the unabstracted strategy.

    The figure's curves are not in our text; what the text says about them is. How, and the four
    ways in which each claim is checked: see `toepen_abstractions.py`. A score above zero wins.

    The text says that naive and simple history "perform better for a longer time" than simple
    hand. We read that as: they win against the unabstracted strategy for longer. The notes also
    say until when they are above simple hand, and by how much in the end.
    """,
    partial(compare, (*COARSE, HISTORY)),
    every_way({
        "coarse rules win at first": Claim(SCORE, pairs(COARSE, [FULL]), at=START),
        "coarse rules fall off": _fall_off,
        "simple-hand falls off first": Claim(SCORE, pairs(COARSE[:2], [SIMPLE_HAND]), at=SOON),
        "naive wins for longer than simple-hand": (_longer, NAIVE),
        "simple-history wins for longer than simple-hand": (_longer, SIMPLE_HISTORY),
        "advanced-history ends above them all": Claim(SCORE, pairs([HISTORY], COARSE)),
    }),
    curves=lambda found: found.curves((*COARSE, HISTORY), SCORE),
)  # fmt: skip

FIGURE_4_4 = Entry(
    """Le (2021), Figure 4.4: finer abstractions of Toepen against the unabstracted strategy.

    The figure's curves are not in our text; what the text says about them is. How, and the four
    ways in which each claim is checked: see `toepen_abstractions.py`. A score above zero wins.

    The thesis plays 20,000 hands to find a score, half of them in each seat, and has no interval.
    For one pair of strategies we do the same, with one, beside the exact score.
    """,
    partial(compare, FINE),
    every_way({
        "advanced-hand ends lowest": Claim(SCORE, pairs(FINE[1:], [HAND])),
        "advanced-history stays above advanced-combined": _stays_ahead,
        "advanced-history ends highest of all six": Claim(SCORE, pairs([HISTORY], OTHERS)),
    }) | {"20,000 simulated hands find the score": _simulated},
    curves=lambda found: found.curves(FINE, SCORE),
)  # fmt: skip

FIGURE_4_5 = Entry(
    """Le (2021), Figure 4.5: how many information sets training reaches, and how many there are.

    The figure's curves are not in our text; the sizes and what is said about them are. How: see
    `toepen_abstractions.py`. Sizes are counted with the thesis's suits, in the game where nobody
    must follow suit; with lossless suits there are fewer everywhere, and the proportions stay.

    The text says that simple-hand converges to about 200,000 sets in this figure. The figure shows
    the sets that are reached, so that is what we compare; how many there are stands in the note.
    They are counted twice: all that walks meet, as the public program counts (`toepen_met.py`), and
    those in which training has left something.
    """,
    partial(compare, FINE),
    {
        "size naive": (Repeats.size, PUBLISHED, NAIVE),
        "size simple-history": (Repeats.size, PUBLISHED, SIMPLE_HISTORY),
        "size unabstracted": (Repeats.size, PUBLISHED, FULL),
        "size unabstracted, player 1": (_of_player, 0),
        "size unabstracted, player 2": (_of_player, 1),
        "met with simple-hand": _met,
        "reached with simple-hand": _hand,
        **every_way({
            "advanced-history has half of the sets": (_ratio, HISTORY, FULL, HALF),
            "advanced-hand has twice those of advanced-combined": (_ratio, HAND, COMBINED, TWICE),
            "advanced-history is slightly larger than advanced-combined":
                (_ratio, HISTORY, COMBINED, SLIGHTLY),
            "unabstracted training does not reach all sets": _not_all,
        }),
    },
    curves=lambda found: found.curves((FULL, SIMPLE_HAND, *FINE), "reached"),
)  # fmt: skip

SECTION_4_2_4 = Entry(
    """Le (2021), Section 4.2.4: how far from converged is the unabstracted strategy?

    The thesis bounds its regret by a theorem, and calls it far from converged. How it is trained
    here: see `toepen_abstractions.py`; exploitability is exact (b₁ + b₂, points over two hands,
    one in each seat). What the thesis prints for it: Section 4.2.3. What the abstract strategies
    cost, which it does not measure: `workbench-toepen-findings`.

    The text takes 4 for the highest stake. Six calls are possible: the stake is 7, and payoffs
    span 14.
    """,
    partial(compare, ()),
    {
        "range of a player's payoffs": lambda found: payoffs(SOLVABLE),
        "bound on player 2's regret": Ours(REGRET, facts=TAKEN),
        "bound on the exploitability": Ours(2 * REGRET / ITERATIONS, facts=TAKEN),
        **every_way({"unabstracted is far from converged": _far}),
    },
    curves=lambda found: found.curves((FULL,), COST),
)

FINDINGS = Entry(
    """Our findings about Toepen 3/3/3b: what abstract strategies cost, and the game solved.

    Le (2021) has scores of its abstract strategies, but no exploitability: it names the way,
    translating them back to the original game, and leaves it to others (Section 4.2.4). Here all
    of them are lifted to that game and met by exact best responses (b₁ + b₂, points over two
    hands, one in each seat). How they are trained: see `toepen_abstractions.py`. No claim here
    is the thesis's: we ask whether what it says about scores is also true of exploitability. The
    settings also have what the unabstracted strategy comes to with "lossless-suits", and the
    published game trained and judged with the wrong sign of the public program
    (`toepen_program.py`), for 100,000 iterations each.

    Beside them stands the game solved: CFR+ walks through all of it, must follow suit, lossless
    suits.
    """,
    partial(compare, (SIMPLE_HISTORY, SIMPLE_HAND, HISTORY)),
    {
        **in_ways({way: way for way in (PUBLISHED, KIND)}, {
            "simple-history costs less than simple-hand":
                Claim(COST, pairs([SIMPLE_HAND], [SIMPLE_HISTORY])),
            "advanced-history costs less than advanced-hand": Claim(COST, pairs([HAND], [HISTORY])),
            "advanced-history costs least of all six": Claim(COST, pairs(OTHERS, [HISTORY])),
            "some abstraction is less exploitable than none": Claim(COST, pairs([FULL], RULES), -1),
        }),
        **in_ways({way: way for way in (STANDARD, FOLLOW)}, {
            "simple-hand costs less than simple-history":
                Claim(COST, pairs([SIMPLE_HISTORY], [SIMPLE_HAND])),
            "advanced-hand costs less than advanced-history": Claim(COST, pairs([HISTORY], [HAND])),
            "advanced-hand costs least of all six":
                Claim(COST, pairs([rule for rule in RULES if rule != HAND], [HAND])),
            "no abstraction is less exploitable than none": Claim(COST, pairs(RULES, [FULL])),
        }),
        "CFR+ after 100 iterations, follow suit": _soon,
        "value to player 1, follow suit": _value,
    },
    _settings,
    _costs,
)  # fmt: skip

ENTRIES = {
    "le-2021-figure4.3": FIGURE_4_3,
    "le-2021-figure4.4": FIGURE_4_4,
    "le-2021-figure4.5": FIGURE_4_5,
    "le-2021-section4.2.4": SECTION_4_2_4,
    "workbench-toepen-findings": FINDINGS,
}
