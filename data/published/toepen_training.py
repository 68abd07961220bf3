"""How Le (2021) trains and judges in Figures 4.1 and 4.2, and how we do, from the same seeds.

    as told, estimated    the thesis's sampling (average taken at the traverser's nodes, opponents
                          drawn from the average), its suits and its game; judged as in Section
                          4.1.1: each player is trained on for 10,000 iterations against the
                          other, who stays as he is, and what both then win is added up; she
                          goes on from where she stood, with her regrets and her average, as
                          the program published with the thesis does
    as told, exact        the same strategies, lifted to the real game; exact best responses
    standard, exact       standard external sampling with lossless suits, exact best responses

All are b₁ + b₂, points over two hands, one in each seat: twice what `wb.exploitability` says.

"As told" is said of training and judging, which the text describes. The game is the one of the
printed numbers (`toepen_variants.py`): with betting, nobody must follow suit there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from statistics import mean

import pandas as pd
from workbench.lab.ledger.papers.claims import Claim, pairs
from workbench.lab.ledger.papers.toepen_program import THESIS, judged_as_told
from workbench.lab.ledger.papers.toepen_repeats import LONG, Repeats, in_ways
from workbench.lab.ledger.papers.toepen_variants import LARGEST, VARIANTS, payoffs
from workbench.lab.ledger.papers.trained_response import trained_exploitability

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.progress import StatusLine
from workbench.runs.experiment import Experiment
from workbench.solvers.base import Solver, State, average, iterate
from workbench.solvers.cfr import CFRPlus
from workbench.solvers.external_sampling import ExternalSampling
from workbench.strategy import Strategy
from workbench.tree import GameTree

ESTIMATED, EXACT, STANDARD = "as told, estimated", "as told, exact", "standard, exact"
WAYS = {  # as an item calls it -> as a curve does
    "trained and estimated as told": ESTIMATED,
    "trained as told, exact": EXACT,
    "standard training, exact": STANDARD,
}
TEXTBOOK = ExternalSampling(linear=False)
ITERATIONS, JUDGING = 50_000, 10_000  # of training, and of an estimate
STOPS = (1_000, 10_000, 100_000)  # in the largest game, where an estimate takes 100,000
SWEEPS = (1, 3, 10, 30, 100)  # iterations of CFR+ there
COLUMNS = ["name", "way", "repeat", "iteration", "exploitability"]

Rows = list[tuple[str, str, int, int, float]]  # as COLUMNS


def train(decks: Sequence[str], effort: Effort) -> Repeats:
    """The three ways for each deck and seed."""
    repeats, points = effort.pick((15, 25), (3, 5))
    stops = [ITERATIONS * k // points for k in range(1, points + 1)]
    rows: Rows = []
    for deck in decks:
        tree = compile_game(VARIANTS[deck])
        rows += told(deck, tree, repeats, stops, JUDGING)
        rows += exact(deck, STANDARD, effort, repeats, stops, tree, TEXTBOOK, "lossless-suits")
    settings = {
        "game": "toepen; need not follow suit where there is betting",
        "iterations": ITERATIONS,
        "measured at": f"{points} points",
        "seeds": seeds(repeats),
        "as told": f"{THESIS!r} with thesis-suits, {JUDGING:,} more to estimate",
        "standard": f"{TEXTBOOK!r} with lossless-suits",
    }
    return Repeats(effort, pd.DataFrame(rows, columns=COLUMNS), settings)


def train_largest(effort: Effort) -> Repeats:
    """The three ways and CFR+; the last two on the game whose suits have no names."""
    repeats, rules = effort.pick(3, 1), replace(VARIANTS[LARGEST], suit_isomorphism=True)
    rows = exact(LARGEST, STANDARD, effort, repeats, STOPS, rules, TEXTBOOK)
    rows += exact(LARGEST, "cfr+, exact", effort, 1, SWEEPS, rules, CFRPlus())
    if not effort.quick:
        rows += told(LARGEST, compile_game(VARIANTS[LARGEST]), repeats, STOPS, STOPS[-1])
    settings = {
        "game": f"toepen {LARGEST}, need not follow suit",
        "iterations": STOPS[-1],
        "seeds": seeds(repeats),
        "as told": f"{THESIS!r} with thesis-suits, {STOPS[-1]:,} more to estimate",
        "standard": f"{TEXTBOOK!r} with suit_isomorphism",
        "cfr+": f"{SWEEPS[-1]} iterations with suit_isomorphism",
        "points that uniform play loses": 2 * exploitability(Strategy.uniform(compile_game(rules))),
    }
    return Repeats(effort, pd.DataFrame(rows, columns=COLUMNS), settings)


def told(name: str, tree: GameTree, repeats: int, stops: Sequence[int], judging: int) -> Rows:
    """The thesis's training, judged as there and exactly."""
    rows, status, ab = [], StatusLine(after=2.0), abstract(tree, "thesis-suits")
    for seed in range(repeats):
        status.show(f"{name}: repeat {seed + 1} of {repeats}")
        for state in states(ab.coarse, THESIS, seed, stops):
            sigma, at = average(ab.coarse, state), state.iteration
            guess = trained_exploitability(
                sigma, THESIS, iterations=judging, seeds=[seed], start=state, keep_average=True
            )
            rows.append((name, ESTIMATED, seed, at, float(guess.estimate.iloc[0])))
            rows.append((name, EXACT, seed, at, 2 * exploitability(ab.lift(sigma))))
    status.clear()
    return rows


def exact(
    name: str, way: str, effort: Effort, repeats: int, stops: Sequence[int],
    game: GameTree | Toepen, solver: Solver, abstraction: str | None = None,
) -> Rows:  # fmt: skip
    """Any training, judged by exact best responses in the real game."""
    runs = effort.solve(
        Experiment(
            game, solver=solver, iterations=stops[-1], seed=seed, abstraction=abstraction,
            checkpoints=list(stops),
        )
        for seed in range(repeats)
    )  # fmt: skip
    return [
        (name, way, run.seed, int(at), 2 * float(lost))
        for run in runs
        for at, lost in zip(run.trace["iteration"], run.trace["exploitability"], strict=True)
    ]


def states(
    tree: GameTree, solver: Solver | str, seed: int, stops: Sequence[int]
) -> Iterator[State]:
    """One training, seen at each of the stops."""
    state: State | None = None
    for before, stop in pairwise((0, *stops)):
        state = next(iterate(tree, solver, seed=seed, start=state, every=stop - before))
        yield state


def seeds(repeats: int) -> str:
    """For settings: which seeds there were."""
    return f"0 to {repeats - 1}" if repeats > 1 else "0"


# ---- what is said about the figures ----------------------------------------------------

WITHOUT = ("3/2/2", "3/3/2", "2/3/2")  # from the most to the least exploitable, says the text
BETTING = ("2/3/2b", "3/2/2b", "3/3/2b")
LOST = "exploitability"
SIMILAR = 1.5  # times: two curves that end within this factor


def _uniform(found: Repeats, deck: str) -> Ours:
    lost = 2 * exploitability(Strategy.uniform(compile_game(VARIANTS[deck])))
    return Ours(lost, note="exact best responses against uniform play; the thesis estimates them")


def _alike(found: Repeats, way: str) -> Ours:
    last = found.means(way, BETTING[1:], LOST)
    more, less = sorted(last, key=lambda deck: -last[deck])
    each = zip(found.each(way, more, LOST), found.each(way, less, LOST), strict=True)
    ratio, ratios = last[more] / last[less], [one / two for one, two in each]
    return Ours(
        ratio, min(ratios), max(ratios), holds=ratio <= SIMILAR,
        facts={**last, "iterations": ITERATIONS, "alike up to a ratio of": SIMILAR},
        over=f"ratio of means, range over {len(ratios)} seeds",
    )  # fmt: skip


def _missed(found: Repeats) -> Ours:
    """The largest share of the exact exploitability that the estimate finds."""
    guess, there = (found.means(way, BETTING, LOST) for way in (ESTIMATED, EXACT))
    shares = {deck: guess[deck] / there[deck] for deck in BETTING}
    low, high = min(shares.values()), max(shares.values())
    return Ours(
        high, low, high, note="share that is found", holds=high < 1,
        facts={**shares, "iterations": ITERATIONS},
        over=f"range over decks, means of {found.table['repeat'].nunique()} seeds",
    )  # fmt: skip


def _end(found: Repeats, way: str) -> Ours:
    return Ours.mean(found.each(way, LARGEST, LOST), facts={"iterations": STOPS[-1]})


def _with_the_wrong_sign(found: Repeats) -> Ours:
    found.effort.full_only(LONG)
    both = wrong_sign()
    facts = {"exact, with the right sign": mean(both["exact"]), "iterations": STOPS[-1]}
    return Ours.mean(both["estimated"], facts=facts, note="of the public program; see lecture 08")


@cache
def wrong_sign() -> Mapping[str, list[float]]:
    """The published game, trained and judged with the wrong sign of the public program."""
    tree = abstract(compile_game(VARIANTS[LARGEST]), "thesis-suits").coarse
    both = [judged_as_told(tree, STOPS[-1], STOPS[-1], seed=seed) for seed in range(5)]
    estimated, exact = zip(*both, strict=True)
    return {"estimated": [*estimated], "exact": [*exact]}


def _uniform_as_told(found: Repeats, deck: str) -> Ours:
    """What the figure's first point is: an estimate, made when one iteration has been played."""
    tree = abstract(compile_game(VARIANTS[deck]), "thesis-suits").coarse
    right, wrong = (
        [judged_as_told(tree, 1, JUDGING, sign_error=sign, seed=k)[0] for k in range(15)]
        for sign in (False, True)
    )
    facts = {"with the program's wrong sign": mean(wrong), "iterations of the judge": JUDGING}
    return Ours.mean(right, facts=facts, note="after one iteration, whose average is uniform")


FIGURE_4_1 = Entry(
    """Le (2021), Figure 4.1: exploitability while MCCFR trains, two cards each, no betting.

    The figure's curves are not in our text, so no number is compared; what the text says about
    them is. Each claim is checked in three ways (`toepen_training.py`): with the thesis's way to
    train and to estimate, with its training and exact best responses, and with standard training
    and exact best responses.
    """,
    partial(train, WITHOUT),
    {
        "range of a player's payoffs": lambda found: payoffs(VARIANTS["3/3/2"]),
        **in_ways(WAYS, {
            "order of the decks":
                (Repeats.lead, Claim(LOST, tuple(pairwise(WITHOUT))), "the smaller lead"),
        }),
        "the larger deck 3/3/2 is less exploitable than 3/2/2, standard training, exact":
            (Repeats.lead, STANDARD, Claim(LOST, pairs(["3/2/2"], ["3/3/2"]))),
    },
    curves=lambda found: found.curves(WITHOUT, LOST),
)  # fmt: skip

FIGURE_4_2 = Entry(
    """Le (2021), Figure 4.2: exploitability while MCCFR trains, two cards each, with betting.

    The figure's curves are not in our text; what the text says about them is. How: see
    `toepen_training.py`. The published game is the one in which nobody must follow suit.

    The text takes 4 for the highest stake. A player may bet before each of her cards unless she
    was the last to bet, and so there can be four calls: the stake is 5, and payoffs span 10.

    "Approximately 2" has one digit, so 1.5 to 2.5 counts as reproduced. What exact best responses
    win from uniform play lies at that border, where a verdict says little; the thesis's own
    estimate, 10,000 iterations of training against it, falls short of them and lies inside.
    """,
    partial(train, BETTING),
    {
        "range of a player's payoffs": lambda found: payoffs(VARIANTS["3/3/2b"]),
        **{f"{deck} uniform play": (_uniform, deck) for deck in BETTING},
        **in_ways(WAYS, {
            "2/3/2b is the most exploitable": Claim(LOST, pairs(BETTING[:1], BETTING[1:])),
            "3/2/2b and 3/3/2b are alike": _alike,
        }),
        "the estimate misses part of the exploitability": _missed,
        **{f"{deck} uniform play, estimated as told": (_uniform_as_told, deck) for deck in BETTING},
    },
    curves=lambda found: found.curves(BETTING, LOST),
)  # fmt: skip

SECTION_4_2_3 = Entry(
    """Le (2021), Section 4.2.3: how exploitable is what MCCFR learns of the thesis's largest game?

    Three suits, three ranks, three cards, with betting; nobody must follow suit. The thesis trains
    for 100,000 iterations and prints one number, 0.914, an estimate: each player goes on training
    for 100,000 iterations more against the other one. Trained and judged in that way, and exactly;
    trained by standard external sampling; and CFR+, which walks through the whole game in each
    iteration. How the ways differ: see `toepen_training.py`. All are b₁ + b₂, points over two
    hands, one in each seat.
    """,
    train_largest,
    {
        **in_ways(WAYS, {LARGEST: _end}),
        "3/3/3b with the program's wrong sign": _with_the_wrong_sign,
    },
    curves=lambda found: found.table.assign(curve=found.table["way"])[["curve", *COLUMNS[2:]]],
)

ENTRIES = {
    "le-2021-figure4.1": FIGURE_4_1,
    "le-2021-figure4.2": FIGURE_4_2,
    "le-2021-section4.2.3": SECTION_4_2_3,
}
