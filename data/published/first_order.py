"""The race: linear program, CFR and first-order methods, on one clock.

Every runner is given the same games, and stops at the same iterations. What it has found by then is
judged by the *gap*, what both players together could still win (b₁ + b₂, in the game's own unit).
Three clocks are read:

    iterations    as each method counts its own
    gradients     products of the payoff matrix with one player's plan, as many as a method needs:
                  CFR and fictitious play 2 an iteration, EGT 3 for each step that it tries and 4
                  for each smoothing that it tries to begin with, iterated smoothing 6 for each step
                  that it tries (our passes share no products, so our code takes 10, and on cards
                  12: seconds know it)
    seconds       of the processor, judging not included

Methods are compared after equally many gradients; between two stops the logarithm of the gap is
taken as linear in the logarithm of gradients.
"""

from __future__ import annotations

import math
from functools import cache, cached_property
from statistics import fmean
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from unittest import mock

import numpy as np
from workbench.lab.ledger.papers.memory_table import once

from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.matrix import Matrix
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.cards import threads
from workbench.solvers.base import average, find_solver, start_state
from workbench.solvers.egt import EGT
from workbench.solvers.fictitious_play import FictitiousPlay
from workbench.solvers.iterated_smoothing import STEEP, IteratedSmoothing

if TYPE_CHECKING:
    import pandas as pd

ORDER = math.sqrt(10.0)  # a factor that is nearer to ten than to one
SMALLEST = 1e-12  # a gap that rounding makes
PER_DECADE = 6  # stops
LONG = "the race takes an hour"
FAST, NEARLY = 0.9, 1.8  # a power that counts as 1/ε, a speedup on two cores that counts as linear
STARTS, START_GRADIENTS = (0.1, 10.0), 9_000  # first smoothings; and how long these runs are
TURNS = 12  # of timing
EXACT = 1e-6  # a gap that counts as solved

Prox = Literal["entropy", "euclidean"]
ENTROPY: Prox = "entropy"
EUCLIDEAN: Prox = "euclidean"
PROXES = ENTROPY, EUCLIDEAN
BOTH, BOLD, EVEN, PLAIN, LEAST = "both", "aggressive", "balanced", "plain", "plain, least μ"
LITTLE = 1e-6  # a smoothing that is too little in every game, so it is doubled until it is enough
HEURISTICS: dict[str, dict[str, Any]] = {
    BOTH: {"aggressive": True, "balanced": True},
    BOLD: {"aggressive": True, "balanced": False},
    EVEN: {"aggressive": False, "balanced": True},
    PLAIN: {"aggressive": False, "balanced": False},
    LEAST: {"aggressive": False, "balanced": False, "mu": LITTLE},
}
FAMILY = CFR, PLUS, DISCOUNTED, PREDICTIVE = "cfr", "cfr+", "dcfr", "pcfr+"
FICTITIOUS, SMOOTHING, PROGRAM = "fictitious-play", "iterated-smoothing", "lp"


def egt(prox: str, how: str = BOTH) -> str:
    """The name of a runner."""
    return f"egt {prox} {how}"


RUNNERS: dict[str, Any] = {
    **{name: find_solver(name) for name in FAMILY},
    **{egt(prox, how): EGT(prox=prox, **of) for prox in PROXES for how, of in HEURISTICS.items()},
    SMOOTHING: IteratedSmoothing(),
    FICTITIOUS: FictitiousPlay(),
}

MATRIX, LARGE, KUHN, LEDUC, TOEPEN, ISLAND = GAMES = (
    "matrix 10 × 10", "matrix 100 × 100", "kuhn", "leduc", "toepen 3/3/2b", "rhode island",
)  # fmt: skip
SEEDS = {MATRIX: 10, LARGE: 3}  # random games of a size; the others are one game each
BUDGET = {ISLAND: 600, TOEPEN: 60_000}  # gradients
USUAL = 100_000


class Point(NamedTuple):
    """A stop of a runner."""

    iteration: int
    gradients: int
    seconds: float
    gap: float


Curve = list[Point]


def game_of(name: str, seed: int = 0) -> Any:
    """A tree, or the card form of Rhode Island."""
    if name in (MATRIX, LARGE):
        size = int(name.split()[1])
        payoffs = np.random.default_rng(seed).uniform(-1, 1, (size, size))
        return compile_game(Matrix(name, payoffs.tolist()))
    if name == ISLAND:
        rules: Any = load_game("rhode_island")
        return rules.public_game()
    if name == TOEPEN:
        deck = {"suits": 3, "ranks": 3, "hand": 2, "betting": True}
        return compile_game(load_game("toepen", **deck, suit_isomorphism=True))
    return compile_game(load_game(name, **({"suit_isomorphism": True} if name == LEDUC else {})))


def gradients(solver: Any, state: Any, begun: float) -> int:
    """How many a runner has taken; `begun`: the smoothing with which it began, as `begins` says."""
    tried: int = state.iteration
    if isinstance(solver, EGT):
        if solver.aggressive:
            tried += round(math.log2(0.5 / state.memory[2]))
        return 3 * tried + 4 * (1 + round(begun))
    if isinstance(solver, IteratedSmoothing):
        return 2 + 6 * (tried + round(math.log2(state.memory[STEEP] / begun)))
    return 2 * tried


def begins(solver: Any, game: Any, state: Any) -> float:
    """After one iteration: how often EGT has doubled its first smoothing; the first steepness of
    iterated smoothing."""
    unit = game.smooth.unit if game.name == "rhode_island" else game.largest_payoff
    if isinstance(solver, EGT):
        return math.log2(max(state.memory[:2]) / (solver.mu * unit))
    return float((1e-5 * unit) ** 2)


def run(game: Any, solver: Any, budget: int) -> Curve:
    """One runner, until it has taken so many gradients or the gap is rounding."""
    found, spent, state, begun = list[Point](), 0.0, start_state(game), 0.0
    solver.advance(game, start_state(game), 1)  # load the kernels
    while not found or (found[-1].gradients < budget and found[-1].gap > SMALLEST):
        more = max(1, round(state.iteration * (10 ** (1 / PER_DECADE) - 1)))
        began = process_time()
        state = solver.advance(game, state, more)
        spent += process_time() - began
        if not found:
            begun = begins(solver, game, state)
        gap = 2.0 * float(exploitability(average(game, state)))
        found.append(Point(state.iteration, gradients(solver, state, begun), spent, gap))
    return found


# ---- what is made of the curves --------------------------------------------------------------


def gap_after(curve: Curve, gradients: float) -> float:
    """Between two stops, linear in logarithms."""
    at, gaps = (np.log([[p.gradients, max(p.gap, SMALLEST)] for p in curve]).T)[:2]
    return float(np.exp(np.interp(math.log(gradients), at, gaps)))


def mean_log(one: Curve, two: Curve) -> float:
    """The logarithm of how many times as large the gap of one is as the other's, after equally many
    gradients: the mean over the last factor of ten of these."""
    last = min(one[-1].gradients, two[-1].gradients)
    after = last * 10 ** -np.linspace(0.0, 1.0, PER_DECADE + 1)
    return fmean(math.log(gap_after(one, x) / gap_after(two, x)) for x in after)


def seconds_to(curve: Curve, gap: float) -> float:
    """Of the processor, until the gap is so small; infinite if it never is."""
    return next((point.seconds for point in curve if point.gap <= gap), math.inf)


def slope(curve: Curve) -> float:
    """How fast the gap falls with the iterations, as a power of them: over the last factor 100."""
    last = [point for point in curve if 100 * point.iteration >= curve[-1].iteration]
    x, y = np.log([[p.iteration, max(p.gap, SMALLEST)] for p in last]).T
    return float(np.polyfit(x, y, 1)[0])


def growth(curve: Curve) -> float:
    """How many iterations the last factor of ten of the gap takes, compared with the factor of ten
    before: 1 where they grow with log 1/ε, 10 where they grow with 1/ε."""
    best = np.minimum.accumulate([max(point.gap, SMALLEST) for point in curve])
    took = [
        float(np.interp(-math.log(best[-1] * back), -np.log(best), [p.iteration for p in curve]))
        for back in (1.0, 10.0, 100.0)
    ]
    return (took[0] - took[1]) / max(took[1] - took[2], 1.0)


class Race:
    """All curves, each run when somebody asks; a store keeps those that are done."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.curve, self.game = cache(self._curve), cache(game_of)
        self.ran: dict[tuple[str, str], list[Curve]] = {}

    def _curve(self, game: str, runner: str, seed: int) -> Curve:
        self.effort.full_only(LONG)
        budget = BUDGET.get(game, USUAL)
        found = once(
            self.effort, f"race, {game}, {runner}, {seed}",
            lambda: run(self.game(game, seed), RUNNERS[runner], budget),
        )  # fmt: skip
        return [Point(*point) for point in found]

    def curves(self, game: str, runner: str) -> list[Curve]:
        """One for each seed."""
        found = [self.curve(game, runner, seed) for seed in range(SEEDS.get(game, 1))]
        self.ran[game, runner] = found
        return found

    def ratios(self, game: str, one: str, two: str) -> list[float]:
        """How many times as large the gap of one is as that of the other, seed by seed."""
        pairs = zip(self.curves(game, one), self.curves(game, two), strict=True)
        return [math.exp(mean_log(mine, other)) for mine, other in pairs]

    def ratio(self, game: str, one: str, two: str) -> float:
        """The geometric mean over seeds."""
        return math.exp(fmean(map(math.log, self.ratios(game, one, two))))

    def times(self, one: str, two: str, least: float = ORDER, **more: Any) -> Ours:
        """A claim that after equal work the gap of one is so many times as large as the other's: in
        every game."""
        parts = {game: self.ratio(game, one, two) for game in GAMES}
        true = [game for game, times in parts.items() if times >= least]
        by_seed = {game: span_of(self.ratios(game, one, two)) for game in SEEDS}
        facts = {**more.pop("facts", {}), "by seed": by_seed}
        holds = len(true) == len(parts)
        return Ours.spread(parts, ISLAND, "games", holds=holds, true_of=true, facts=facts, **more)

    def program(self, game: str) -> Point:
        """The linear program, first seed: one iteration, no gradient."""
        self.effort.full_only(LONG)
        lp = find_solver(PROGRAM)
        found = once(self.effort, f"race, {game}, lp, 0", lambda: run(self.game(game, 0), lp, 0))
        return Point(*found[0])._replace(gradients=0)

    @property
    def settings(self) -> dict[str, Any]:
        names = {f"{game}: {runner}": of[0] for (game, runner), of in self.ran.items()}
        return {
            "game": ", ".join(GAMES),
            "seeds": {game: f"0 to {many - 1}" for game, many in SEEDS.items()},
            "gradients per iteration": {name: per_iteration(of)[0] for name, of in names.items()},
            "gradients beside these": {name: per_iteration(of)[1] for name, of in names.items()},
            "processor seconds per iteration": {
                name: float(f"{of[-1].seconds / of[-1].iteration:.3g}")
                for name, of in names.items()
            },
            "linear program, processor seconds and gap": {
                game: [float(f"{x:.3g}") for x in self.program(game)[2:]]
                for game in GAMES
                if game != ISLAND
            } if self.ran else {},
        }  # fmt: skip

    @cached_property
    def table(self) -> pd.DataFrame:
        """All curves: the first seed of random games."""
        import pandas as pd

        lines = [
            (f"{game}: {runner}", seed, point.iteration, float(f"{point.gap:.4g}"))
            for game in GAMES
            for runner in RUNNERS
            for seed, curve in enumerate(self.curves(game, runner))
            for point in curve
            if seed == 0
        ]
        return pd.DataFrame(lines, columns=["curve", "repeat", "iteration", "gap"])


def per_iteration(curve: Curve) -> tuple[int, int]:
    """Gradients of each iteration, and those that halving and beginning took besides."""
    last = curve[-1]
    each = last.gradients // last.iteration
    return each, last.gradients - each * last.iteration


def span_of(found: list[float]) -> str:
    return f"{min(found):.2g} to {max(found):.2g}"


def by_game(race: Race, one: str, two: str) -> dict[str, float]:
    return {game: float(f"{race.ratio(game, one, two):.3g}") for game in GAMES}


# ---- what the talk says ----------------------------------------------------------------------


def _prox(race: Race, how: str) -> Ours:
    """How much larger the gap is with entropy."""
    facts = {}
    if how == PLAIN:
        facts = {
            "both from the least smoothing": by_game(
                race, egt(ENTROPY, LEAST), egt(EUCLIDEAN, LEAST)
            )
        }
    return race.times(egt(ENTROPY, how), egt(EUCLIDEAN, how), facts=facts)


def _heuristics(race: Race, prox: str) -> Ours:
    """How much larger the gap is without them, and how much of that is where plain EGT begins."""
    facts = {
        "aggressive steps alone": by_game(race, egt(prox, PLAIN), egt(prox, BOLD)),
        "balancing alone": by_game(race, egt(prox, PLAIN), egt(prox, EVEN)),
        "if the plain method begins with the least smoothing":
            by_game(race, egt(prox, LEAST), egt(prox, BOTH)),
    }  # fmt: skip
    return race.times(egt(prox, PLAIN), egt(prox, BOTH), facts=facts)


def _beginning(race: Race) -> Ours:
    """By what factor the gap grows if the first smoothing is 100 times as large."""
    race.effort.full_only(LONG)
    parts, facts = {}, {}
    for game in (MATRIX, KUHN, LEDUC, TOEPEN):
        tree, grown = race.game(game, 0), {}
        for how in (PLAIN, BOTH):
            runs = [run(tree, EGT(mu=mu, **HEURISTICS[how]), START_GRADIENTS) for mu in STARTS]
            grown[how] = math.exp(mean_log(runs[1], runs[0]))
        parts[game] = grown[PLAIN]
        facts[game] = float(f"{grown[BOTH]:.3g}")
    true = [game for game in parts if parts[game] > ORDER > facts[game]]
    return Ours.spread(
        parts, LEDUC, "games", holds=len(true) == len(parts), true_of=true,
        facts={"with heuristics": facts},
    )  # fmt: skip


def _rate(race: Race) -> Ours:
    """The power of the iterations with which the gap falls."""
    parts = {
        f"{game}, {prox}, {how}": fmean(map(slope, race.curves(game, egt(prox, how))))
        for game in GAMES
        for prox in PROXES
        for how in (BOTH, PLAIN)
    }
    true = [name for name, power in parts.items() if power <= -FAST]
    return Ours.spread(
        parts, f"{ISLAND}, {ENTROPY}, {BOTH}", "runs", holds=len(true) == len(parts), true_of=true
    )


def _logarithmic(race: Race) -> Ours:
    """What the last factor of ten of the gap costs, by the one before: 1 is log 1/ε, 10 is 1/ε."""
    curves = {game: race.curves(game, SMOOTHING) for game in GAMES}
    parts = {game: fmean(map(growth, of)) for game, of in curves.items()}
    true = [game for game, times in parts.items() if times < ORDER]
    reached = {game: float(f"{max(c[-1].gap for c in of):.2g}") for game, of in curves.items()}
    by_seed = {game: span_of([*map(growth, curves[game])]) for game in SEEDS}
    return Ours.spread(
        parts, KUHN, "games", holds=len(true) == len(parts), true_of=true,
        facts={"gap in the end": reached, "by seed": by_seed},
    )  # fmt: skip


def _competitive(race: Race, other: str) -> Ours:
    """How much larger the gap of another method is; half as large is close enough."""
    rest = {name: by_game(race, name, egt(ENTROPY)) for name in FAMILY if name != other}
    return race.times(other, egt(ENTROPY), 1 / 2, facts=rest)


def _two_cores(race: Race) -> Ours:
    """How many times as fast an iteration of EGT on Rhode Island is on two cores."""
    race.effort.full_only(LONG)
    found, solver, game = dict[str, float](), RUNNERS[egt(ENTROPY)], race.game(ISLAND, 0)
    for name in (egt(ENTROPY), PLUS):
        solver, state, best = RUNNERS[name], start_state(game), [math.inf, math.inf]
        for _ in range(TURNS):
            for k in (0, 1):
                with mock.patch.object(threads, "cores", lambda k=k: k + 1):
                    began = perf_counter()
                    state = solver.advance(game, state, 1)
                    best[k] = min(best[k], perf_counter() - began)
        found[name] = best[0] / best[1]
    return Ours.spread(
        found, egt(ENTROPY), "methods", holds=min(found.values()) >= NEARLY,
        facts={"cores": 2}, note=f"the fastest of {TURNS} iterations each, in turns",
    )  # fmt: skip


# ---- what we find besides --------------------------------------------------------------------


def _ahead(race: Race) -> Ours:
    """How much larger the gap of the best first-order method is than that of the best of CFR's
    family."""
    first = [name for name in RUNNERS if name not in FAMILY]
    parts, best = {}, {}
    for game in GAMES:
        behind = {name: race.ratio(game, name, PLUS) for name in RUNNERS}
        mine, other = (min(names, key=behind.__getitem__) for names in (first, FAMILY))
        parts[game], best[game] = race.ratio(game, mine, other), f"{other} before {mine}"
    true = [game for game, times in parts.items() if times > 1.0]
    return Ours.spread(
        parts, ISLAND, "games", holds=len(true) == len(parts), true_of=true, facts=best
    )


def _exact(race: Race) -> Ours:
    """How many times as long as the linear program the fastest of the others takes to a gap of
    EXACT."""
    parts, fastest = {}, {}
    for game in GAMES[:-1]:
        took = {name: seconds_to(race.curves(game, name)[0], EXACT) for name in RUNNERS}
        name = min(took, key=took.__getitem__)
        fastest[game] = f"{name}, {took[name]:.2g} s"
        parts[game] = min(took[name] / race.program(game).seconds, 1e6)
    true = [game for game, times in parts.items() if times > 1.0]
    return Ours.spread(
        parts, LEDUC, "games", holds=len(true) == len(parts), true_of=true, facts=fastest
    )


def _iteration(race: Race) -> Ours:
    """Processor time of an iteration of EGT by that of CFR+."""
    parts = {}
    for game in (LEDUC, TOEPEN, ISLAND):
        mine, other = (race.curves(game, name)[0][-1] for name in (egt(ENTROPY), PLUS))
        parts[game] = (mine.seconds / mine.iteration) / (other.seconds / other.iteration)
    return Ours.spread(parts, ISLAND, "games", holds=max(parts.values()) <= 3.0)


ENTRIES = {
    "sandholm-2009-first-order": Entry(
        """Sandholm (2009), Scalable EGT and Iterated smoothing: which of their claims hold.

        How: 16 methods on six games, from a random matrix to Rhode Island with all its cards. A gap
        is what both players could still win together; methods are compared after equally many
        gradients, and a ratio is the geometric mean over the last factor of ten of them. EGT has
        the prox functions of `workbench.solvers.smoothing`, with its weights; the talk's weights
        are not in our text. "An order of magnitude" is read as a factor of at least √10.
        """,
        Race,
        {
            "Euclidean prox, without heuristics": (_prox, PLAIN),
            "Euclidean prox, with heuristics": (_prox, BOTH),
            "heuristics, Euclidean prox": (_heuristics, EUCLIDEAN),
            "heuristics, entropy prox": (_heuristics, ENTROPY),
            "EGT needs 1/ε iterations": _rate,
            "iterated smoothing needs log 1/ε iterations": _logarithmic,
            "near-linear speedup": _two_cores,
            "EGT keeps up with CFR+": (_competitive, PLUS),
            "EGT keeps up with CFR": (_competitive, CFR),
        },
        curves=lambda race: race.table,
        scale="small games and Rhode Island; the talk's speed was measured on abstractions of "
        "Rhode Island and Texas Hold'em",
    ),
    "workbench-first-order": Entry(
        """Our findings about first-order methods: what decides, and who is ahead.

        How: the curves of `sandholm-2009-first-order`. The first item takes the cause away: plain
        EGT and EGT with both heuristics (entropy) begin with a smoothing of 0.1 and of 10 times the
        largest payoff, and take 9,000 gradients.
        """,
        Race,
        {
            "the first smoothing decides what heuristics gain": _beginning,
            "CFR's family is ahead of first-order methods": _ahead,
            "the linear program is the fastest on small games": _exact,
            "an iteration of EGT takes at most three of CFR+": _iteration,
        },
    ),
}
