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
from time import process_time
from typing import Any, Literal, NamedTuple

import numpy as np
from workbench.lab.ledger.papers.matrix import Matrix
from workbench.lab.ledger.papers.memory_table import once

from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.later import pd
from workbench.solvers.base import average, find_solver, start_state
from workbench.solvers.egt import EGT
from workbench.solvers.fictitious_play import FictitiousPlay
from workbench.solvers.iterated_smoothing import STEEP, IteratedSmoothing

ORDER = math.sqrt(10.0)  # a factor that is nearer to ten than to one
SMALLEST = 1e-12  # a gap that rounding makes
PER_DECADE = 6  # stops
LONG = "the race takes an hour"
FAST = 0.9  # a power of the iterations that counts as 1/ε
STARTS, START_GRADIENTS = (0.1, 10.0), 9_000  # first smoothings; and how long these runs are
EXACT, FINE = 1e-6, 1e-9  # gaps that count as solved

Prox = Literal["entropy", "euclidean"]
ENTROPY: Prox = "entropy"
EUCLIDEAN: Prox = "euclidean"
PROXES = ENTROPY, EUCLIDEAN
BOTH, BOLD, EVEN, PLAIN, LEAST = "both", "aggressive", "balanced", "plain", "plain, least μ"
BETTER = "both, least μ"
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
    egt(ENTROPY, BETTER): EGT(mu=LITTLE),
    SMOOTHING: IteratedSmoothing(),
    FICTITIOUS: FictitiousPlay(),
}

MATRIX, LARGE, KUHN, LEDUC, TOEPEN, ISLAND = GAMES = (
    "matrix 10 × 10", "matrix 100 × 100", "kuhn", "leduc", "toepen 3/3/2b", "rhode island",
)  # fmt: skip
LARGER = (LARGE, LEDUC, TOEPEN, ISLAND)
SEEDS = {MATRIX: 10, LARGE: 3}  # random games of a size; the others are one game each
LEFT_OUT = {ISLAND: [egt(prox, how) for prox in PROXES for how in (BOLD, EVEN)]}
PLAYED = {
    "game": ", ".join(GAMES),
    "seeds": {game: f"0 to {many - 1}" for game, many in SEEDS.items()},
}
BUDGET = {ISLAND: 550, TOEPEN: 60_000}  # gradients
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


def runners(game: str) -> list[str]:
    """Who takes part: on Rhode Island both heuristics or none."""
    return [name for name in RUNNERS if name not in LEFT_OUT.get(game, [])]


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
    game.advance(solver, start_state(game), 1)  # load the kernels
    while not found or (found[-1].gradients < budget and found[-1].gap > SMALLEST):
        more = max(1, round(state.iteration * (10 ** (1 / PER_DECADE) - 1)))
        began = process_time()
        state = game.advance(solver, state, more)
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
    gradients: the mean over the last factor of three of these."""
    last = min(one[-1].gradients, two[-1].gradients)
    after = last / np.geomspace(1.0, 3.0, PER_DECADE)
    return fmean(math.log(gap_after(one, x) / gap_after(two, x)) for x in after)


def seconds_to(curve: Curve, gap: float) -> float:
    """Of the processor, until the gap is so small; infinite if it never is."""
    return next((point.seconds for point in curve if point.gap <= gap), math.inf)


def slope(curve: Curve) -> float:
    """How fast the gap falls with the iterations, as a power of them: over the last factor 100,
    without the first 20."""
    late = max(20, curve[-1].iteration / 100)
    last = [point for point in curve if point.iteration >= late]
    x, y = np.log([[p.iteration, max(p.gap, SMALLEST)] for p in last]).T
    return float(np.polyfit(x, y, 1)[0])


def growth(curve: Curve) -> float:
    """By what a factor of ten of the gap gets dearer, from one to the next: 1 where iterations grow
    with log 1/ε, 10 where they grow with 1/ε. The mean from the second such factor to the last."""
    best = np.minimum.accumulate([max(point.gap, 1e-10 * curve[0].gap) for point in curve])
    tenths = np.arange(1, int(math.log10(best[0] / best[-1]) + 1e-9) + 1)
    done = [point.iteration for point in curve]
    took = np.diff(np.interp(tenths, np.log10(best[0] / best), done))
    return float((took[-1] / took[0]) ** (1 / (len(took) - 1))) if len(took) > 1 else math.nan


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
        if not self.effort.quick:
            assert len(self.table)  # everybody has run
        names = {f"{game}: {runner}": of[0] for (game, runner), of in self.ran.items()}
        return {
            **PLAYED,
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

    def drawn(self) -> Any:
        """All curves; none in a quick measurement."""
        return None if self.effort.quick else self.table

    @cached_property
    def table(self) -> pd.DataFrame:
        """All curves: the first seed of random games."""
        lines = [
            (f"{game}: {runner}", seed, point.iteration, float(f"{point.gap:.4g}"))
            for game in GAMES
            for runner in runners(game)
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
    return {
        game: float(f"{race.ratio(game, one, two):.3g}")
        for game in GAMES
        if {one, two} <= {*runners(game)}
    }


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
    """The power of the iterations with which the gap falls: from a first μ that keeps the excessive
    gap; of the plain method from 0.01 as well."""

    def power(game: str, prox: str, how: str) -> float:
        return fmean(map(slope, race.curves(game, egt(prox, how))))

    parts = {
        f"{game}, {prox}, {how}": power(game, prox, how)
        for game in GAMES
        for prox in PROXES
        for how in (BOTH, LEAST)
    }
    true = [name for name, by in parts.items() if by <= -FAST]
    plain = {
        prox: {game: float(f"{power(game, prox, PLAIN):.3g}") for game in GAMES} for prox in PROXES
    }
    return Ours.spread(
        parts, f"{ISLAND}, {ENTROPY}, {BOTH}", "runs", holds=len(true) == len(parts), true_of=true,
        facts={f"plain from 0.01, {prox}": of for prox, of in plain.items()},
    )  # fmt: skip


def _logarithmic(race: Race) -> Ours:
    """By what each factor of ten of the gap gets dearer."""
    curves = {game: race.curves(game, SMOOTHING) for game in GAMES}
    each = {game: [*map(growth, of)] for game, of in curves.items()}
    parts = {game: fmean(of) for game, of in each.items() if not any(map(math.isnan, of))}
    true = [game for game, times in parts.items() if times < ORDER]
    reached = {game: float(f"{max(c[-1].gap for c in of):.2g}") for game, of in curves.items()}
    by_seed = {game: span_of(each[game]) for game in SEEDS}
    egts = {
        game: float(f"{fmean(map(growth, race.curves(game, egt(ENTROPY)))):.3g}") for game in parts
    }
    return Ours.spread(
        parts, KUHN, "games", holds=len(true) == len(parts), true_of=true,
        note="where the gap falls by a factor of 1,000 at least: by what each factor of ten gets "
        "dearer than the one before, 1 for log 1/ε, 10 for 1/ε",
        facts={"EGT, entropy": egts, "gap in the end": reached, "by seed": by_seed},
    )  # fmt: skip


def _competitive(race: Race, other: str) -> Ours:
    """How much larger the gap of another method is; half as large is close enough."""
    rest = (DISCOUNTED, PREDICTIVE) if other == PLUS else ()
    facts = {name: by_game(race, name, egt(ENTROPY)) for name in rest}
    if other == PLUS:
        facts["if EGT begins with the least smoothing"] = by_game(race, other, egt(ENTROPY, BETTER))
    note = "gap of the other method by that of EGT with entropy and heuristics; a half is close"
    return race.times(other, egt(ENTROPY), 1 / 2, facts=facts, note=note)


# ---- what we find besides --------------------------------------------------------------------


def _ahead(race: Race) -> Ours:
    """How much larger the gap of the best first-order method is than that of the best of CFR's
    family; in the smallest games, who needs how many gradients to a gap of FINE."""
    first = [name for name in RUNNERS if name not in FAMILY]
    parts, facts = dict[str, float](), dict[str, Any]()
    for game in LARGER:
        behind = {name: race.ratio(game, name, PLUS) for name in runners(game)}
        mine, other = (
            min(behind.keys() & {*names}, key=behind.__getitem__) for names in (first, FAMILY)
        )
        parts[game], facts[game] = race.ratio(game, mine, other), f"{other} before {mine}"
    for game in (MATRIX, KUHN):
        curves = {name: race.curves(game, name)[0] for name in (SMOOTHING, PREDICTIVE)}
        facts[f"{game}, seed 0, gradients to a gap of {FINE:g}"] = {
            name: next(point.gradients for point in curve if point.gap <= FINE)
            for name, curve in curves.items()
        }
    true = [game for game, times in parts.items() if times > 1.0]
    return Ours.spread(
        parts, ISLAND, "games", holds=len(true) == len(parts), true_of=true, facts=facts
    )


def _exact(race: Race) -> Ours:
    """How many times as long as the linear program the fastest of the others takes to a gap of
    EXACT."""
    took = {
        game: {name: seconds_to(race.curves(game, name)[0], EXACT) for name in RUNNERS}
        for game in GAMES[:-1]
    }
    fastest = {game: min(of, key=of.__getitem__) for game, of in took.items()}
    times = {game: took[game][fastest[game]] / race.program(game).seconds for game in took}
    facts = {game: f"{name}, {times[game]:.2g} times" for game, name in fastest.items()}
    parts = {game: times[game] for game in LARGER[:-1]}
    return Ours.spread(
        parts, LEDUC, "games", holds=min(parts.values()) > 1.0, facts={"fastest": facts}
    )


def _iteration(race: Race) -> Ours:
    """Processor time of an iteration of EGT by that of CFR+."""

    def each(game: str, name: str) -> float:
        last = race.curves(game, name)[0][-1]
        return last.seconds / last.iteration

    games = LARGER[1:]
    parts = {game: each(game, egt(ENTROPY)) / each(game, PLUS) for game in games}
    other = {game: float(f"{each(game, egt(EUCLIDEAN)) / each(game, PLUS):.3g}") for game in games}
    taken = {
        name: {game: f"{each(game, name):.3g} s" for game in games} for name in (egt(ENTROPY), PLUS)
    }
    return Ours.spread(
        parts, ISLAND, "games", holds=min(parts.values()) > 1.5,
        note="on a machine with other work to do",
        facts={
            "Euclidean, which takes no exponentials": other, **taken,
            "processor seconds of a response on Rhode Island": responses(race.game(ISLAND, 0)),
        },
    )  # fmt: skip


def responses(game: Any) -> dict[str, float]:
    """The fastest of five: without a price, and with both."""
    solver: Any = RUNNERS[egt(ENTROPY)]
    state, passes = game.advance(solver, start_state(game), 1), game.smooth
    x, probs, mu = state.strategy_sum, state.probs.copy(), state.memory[0]
    found = {}
    for name, how in {"best": (False, 0.0), ENTROPY: (False, mu), EUCLIDEAN: (True, mu)}.items():
        taken = []
        for _ in range(5):
            began = process_time()
            passes.respond(0, *how, passes.uniform, x, probs)
            taken.append(process_time() - began)
        found[name] = float(f"{min(taken):.2g}")
    return found


ENTRIES = {
    "sandholm-2009-first-order": Entry(
        """Sandholm (2009), Scalable EGT and Iterated smoothing: which of their claims hold.

        How: 17 methods on six games, from a random matrix to Rhode Island with all its cards (there
        13). A gap is what both players could still win together; methods are compared after equally
        many gradients, and a ratio is the geometric mean over the last factor of three of them. EGT
        has the prox functions of `workbench.solvers.smoothing`, with its weights; the talk's
        weights are not in our text. "An order of magnitude" is read as a factor of at least √10.
        The talk's speedup by threads takes a quiet machine: `make bench` has that of DCFR.

        Why claims hold in some games: plain EGT begins with a smoothing μ of 0.01 times the largest
        payoff, or the next power of two times it at which the plans have an excessive gap. From
        there its μ falls at a pace that the game does not change, so whoever begins too high stays
        behind; with large steps μ falls until the gap forbids it, wherever it began. Taken away (a
        first μ from 0.000001 upwards, so at most twice the least that has an excessive gap), the
        heuristics gain a factor of 2.2 at most in five games and of 2 (Euclidean) and 6 (entropy)
        on Rhode Island, instead of 150. The Euclidean function then gains 1.1 at most in five
        games, and 3.1 on Rhode Island, where from 0.01 neither has begun to fall. In the random
        100 × 100 matrices plain EGT with entropy begins too low, at 0.08: within ten steps it has
        lost the excessive gap, and it has none after 100 and after 1,000. From 0.13, where the
        search from below ends, it keeps it. Why CFR+ is ahead of EGT in most games, though its
        theorem promises less, is open.
        """,
        Race,
        {
            "Euclidean prox, without heuristics": (_prox, PLAIN),
            "Euclidean prox, with heuristics": (_prox, BOTH),
            "heuristics, Euclidean prox": (_heuristics, EUCLIDEAN),
            "heuristics, entropy prox": (_heuristics, ENTROPY),
            "EGT needs 1/ε iterations": _rate,
            "iterated smoothing needs log 1/ε iterations": _logarithmic,
            "EGT keeps up with CFR+": (_competitive, PLUS),
            "EGT keeps up with CFR": (_competitive, CFR),
        },
        curves=Race.drawn,
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
            "the linear program is faster than all of them": _exact,
            "an iteration of EGT takes more than its gradients": _iteration,
        },
        {**PLAYED, "curves": "those of sandholm-2009-first-order"},
    ),
}
