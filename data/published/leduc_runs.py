"""The runs behind Gibson & Szafron's Table 1, in three kinds, and their numbers item by item.

    solvers             ranges and verdicts are over these alone
    random starts       Base and Dynamic learn from random regrets: which equilibria are there?
    chance sampling     the paper's solver, on the tree with suits as the paper's; its seeds have
                        fewer deals than there and come less close to equilibrium

An item is a cell of the table, or a claim of the text about its cells: then its number is a lead.
Numbers are in milli-antes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from workbench.lab.ledger.papers.bases import CHOSEN, SOLVERS
from workbench.lab.ledger.papers.claims import NOTHING, Claim, pairs
from workbench.lab.ledger.papers.leduc_experts import (
    ALL,
    BASES,
    DROPPED,
    RESIDUAL,
    ROWS,
    TWIN,
    Table1,
    field_earnings,
    first_raises,
    play_field,
)

from workbench.abstraction.abstraction import Abstraction, abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.entries import read_published
from workbench.lab.ledger.entry import Effort
from workbench.lab.ledger.notes import Numbers, by_kind
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run
from workbench.solvers.base import Solver
from workbench.solvers.external_sampling import ChanceSampling
from workbench.stitching.joining import expert_rule
from workbench.tree import GameTree

MILLI_ANTES = 1000.0  # in a chip: the ante is one
BASE = {"2p": "JQ-K", "3p": "J-QK"}  # whose strategies are the rows
LOST = (*ROWS, DROPPED)
SLOW = "cfr, simultaneous"
STEPS, MANY = 50_000, 2_000_000  # iterations; the second is for the slow one
PLAIN = ChanceSampling(linear=False)  # all iterations count alike, as in CFR
SEEDS = range(8)
FEW, MORE, MOST = 1_000_000, 10_000_000, 30_000_000  # deals of chance sampling; the paper: 100M
LONGER = {  # Base and Dynamic need no experts stitched on, so they can have more deals
    "Base by chance sampling": ("Base", PLAIN, (FEW, MORE, MOST)),
    "Dynamic by chance sampling": ("Dynamic", PLAIN, (FEW, MORE, MOST)),
    "Base by chance sampling with linear weights": ("Base", ChanceSampling(), (FEW, MORE)),
}
LEARNER = "dcfr"  # whom random starts hinder least
INSIDE = "{}, milli-antes to gain inside, largest of all games"  # the mean over players
STARTED = "{} from random starts of " + LEARNER + ", milli-antes, by item and start"
DRAWN = "2p by chance sampling, milli-antes, by item and run"
HALFWAY = f"2p exploitability by {SLOW}, milli-antes after half of the iterations"

EARNED, EXPLOITED = "earnings", "exploitability"  # the columns
INNER = "abstract_exploitability"  # of a run, in its abstract game
_, DYNAMIC, ALONE, _, EARLY = ROWS
STATIC = (ALL, EARLY)
STATED = {
    "2p experts earn more than Base": Claim(EARNED, pairs(ROWS[1:], ROWS[:1])),
    "2p Dynamic earns more than S={i}": Claim(EARNED, pairs([DYNAMIC], [ALONE])),
    "2p S=N earns more than S={i}": Claim(EARNED, pairs(STATIC, [ALONE])),
    "2p S=N is more exploitable than S={i}": Claim(EXPLOITED, pairs(STATIC, [ALONE])),
    "2p Pre-flop earns more than All": Claim(EARNED, pairs([EARLY], [ALL])),
    "2p Pre-flop is less exploitable than All": Claim(EXPLOITED, pairs([ALL], [EARLY])),
    "2p Dynamic, S={i} less exploitable than Pre-flop": Claim(
        EXPLOITED, pairs([EARLY], [DYNAMIC, ALONE])
    ),
    "3p experts earn more than Base": Claim(  # the former win and the latter loses
        EARNED, pairs(ROWS[1:], [NOTHING]) + pairs([NOTHING], ROWS[:1])
    ),
    "3p Dynamic earns more than S={i}": Claim(EARNED, pairs([DYNAMIC], [ALONE])),
    "3p S=N earns more than S={i}": Claim(EARNED, pairs(STATIC, [ALONE])),
    "3p S=N earns more than Dynamic": Claim(EARNED, pairs(STATIC, [DYNAMIC])),
}


def dropped(claim: Claim) -> Claim:
    """The same by the other rule, for earnings in the field where everybody follows it."""
    moved = ROWS if claim.column == EARNED else (ALL,)
    twins = [[row + TWIN if row in moved else row for row in pair] for pair in claim.pairs]
    return claim._replace(pairs=tuple((more, less) for more, less in twins))


CLAIMS = STATED | {  # once more where the rule for parts that the base hardly enters matters
    item + TWIN: dropped(claim) for item, claim in STATED.items() if dropped(claim) != claim
}


class Setup(NamedTuple):
    """How all games of a field are solved."""

    solver: Solver
    iterations: int
    seed: int = 0
    start: int | None = None  # a random one
    suits: bool = False
    bases: tuple[str, ...] = BASES


class Runs(NamedTuple):
    """Some ways to make the fields of a half of the table, and what came out."""

    ways: Mapping[str, Setup]
    fields: dict[str, Table1]
    by_item: dict[str, dict[str, float]]  # item -> run -> milli-antes

    @property
    def inside(self) -> dict[str, float]:
        """How far from equilibrium, at most."""
        return {name: MILLI_ANTES * field.inside for name, field in self.fields.items()}


def make(half: str, ways: Mapping[str, Setup], effort: Effort) -> Runs:
    """Play all fields, and take their numbers."""
    fields: dict[str, Table1] = {}
    by_item: dict[str, dict[str, float]] = {}
    for name, (solver, iterations, seed, start, suits, bases) in ways.items():
        fields[name] = play_field(
            game(half, suits=suits), solver, iterations,
            seed=seed, start=start, bases=bases, store=effort.store,
        )  # fmt: skip
        for item, x in items(half, measured(half, fields[name])).items():
            by_item.setdefault(item, {})[name] = x
    return Runs(ways, fields, by_item)


def measured(half: str, field: Table1) -> dict[str, dict[str, float]]:
    """column -> row -> milli-antes; who has the strategies of one base only earns nothing."""
    base, numbers = BASE[half], {}
    if len(field.strategies) > 1:
        earned = field_earnings(field, base)
        numbers[EARNED] = {row: MILLI_ANTES * won for row, won in earned.items()}
    if half == "2p":
        of = field.strategies[base]
        numbers[EXPLOITED] = {row: MILLI_ANTES * exploitability(of[row]) for row in LOST}
    return numbers


def items(half: str, numbers: Mapping[str, Numbers]) -> dict[str, float]:
    """Cells, and leads of the claims about them."""
    cells = {f"{half} {column} {row}": x for column, of in numbers.items() for row, x in of.items()}
    stated = {item: claim for item, claim in CLAIMS.items() if item.startswith(half)}
    return cells | {
        item: claim.lead(numbers) for item, claim in stated.items() if claim.column in numbers
    }


class Half(NamedTuple):
    """The three kinds of runs for two players, or for three."""

    solvers: Runs
    started: Runs
    drawn: Runs

    @property
    def who(self) -> str:
        """Who made the ranges, and how close they came; who stands in the notes only."""
        left = self.solvers.inside
        sure = [
            f"{name} ({way.iterations:,} iterations, {left[name]:.3g} left)"
            for name, way in self.solvers.ways.items()
        ]
        kinds = by_kind(self.started.inside | self.drawn.inside)
        apart = [f"{kind} (up to {max(left):.3g} left)" for kind, left in kinds.items()]
        text = f"ours is {CHOSEN}; ranges and verdicts are over {', '.join(sure)}"
        return f"{text}; in the notes only: {', '.join(apart)}"


class LeducTable:
    """All runs, each made when an expression asks for it."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.steps = effort, effort.pick(STEPS, 10_000)

    def half(self, name: str) -> Half:
        return self.two if name == "2p" else self.three

    @cached_property
    def two(self) -> Half:
        names = self.effort.pick(tuple(SOLVERS), ("cfr+", "dcfr", "pcfr+"))
        ways = {name: Setup(SOLVERS[name], MANY if name == SLOW else self.steps) for name in names}
        seeds = {
            by_seed(deals, seed): Setup(PLAIN, deals, seed, suits=True, bases=bases)
            for deals, bases in ((FEW, BASES), (MORE, (BASE["2p"],)))
            for seed in self.effort.pick(SEEDS, range(0))
        }
        starts = from_random(self.effort.pick(range(24), range(2)), self.steps)
        return Half(*(make("2p", each, self.effort) for each in (ways, starts, seeds)))

    @cached_property
    def three(self) -> Half:
        self.effort.full_only("three players take minutes")
        ways = {name: Setup(SOLVERS[name], 10_000) for name in ("cfr+", "cfr", "dcfr", "pcfr+")}
        starts = from_random(range(6), 10_000)
        return Half(*(make("3p", each, self.effort) for each in (ways, starts, {})))

    @cached_property
    def base(self) -> dict[str, Run]:
        """Base once more, with more iterations: by solver."""
        steps = self.effort.pick(1_000_000, 50_000)
        runs = self._solve("Base", (steps // 2, steps), [(one, 0) for one in SOLVERS.values()])
        return dict(zip(SOLVERS, runs, strict=True))

    @cached_property
    def longer(self) -> dict[str, list[Run]]:
        """Base and Dynamic once more, with more deals: by seed; none in quick mode."""
        seeds = self.effort.pick(SEEDS, range(0))
        return {
            name: self._solve(row, stops, [(solver, seed) for seed in seeds])
            for name, (row, solver, stops) in LONGER.items()
        }

    def _solve(self, row: str, stops: Iterable[int], ways: list[tuple[Solver, int]]) -> list[Run]:
        ab, at = view(row, suits=True), list(stops)
        return self.effort.solve(
            Experiment(
                ab.full, solver=solver, iterations=at[-1], seed=seed, abstraction=ab, checkpoints=at
            )
            for solver, seed in ways
        )

    @property
    def settings(self) -> dict[str, Any]:
        """How it was made, and what the runs found that no verdict counts."""
        halves = {"2p": self.two} if self.effort.quick else {"2p": self.two, "3p": self.three}
        who = [f"{name}: {half.who}" for name, half in halves.items()]
        left = "Left: mean gain in milli-antes, over the players, the largest of all games solved"
        found: dict[str, Any] = {
            "game": "leduc",
            "ranges": ". ".join([*who, left]),
            "abstractions": BASE,
            "residual dropped": f"base probabilities below {RESIDUAL} count as zero",
            "seeds": f"{SEEDS[0]} to {SEEDS[-1]} of chance sampling; random starts have the seeds "
            "in their names; nothing else is drawn",
            "an independent prototype's range for Base": [474.0, 515.0],  # by three solvers
            "iterations for Base": self.base[CHOSEN].iterations,
            "milli-antes from equilibrium inside": {
                name: traced(run, INNER)[-1] for name, run in self.base.items()
            },
            "milli-antes outside after half of the iterations": {
                name: traced(run)[0] for name, run in self.base.items()
            },
        }
        for name, half in halves.items():
            found[INSIDE.format(name)] = half.solvers.inside | half.drawn.inside
            found[INSIDE.format(f"{name} from random starts")] = half.started.inside
            found[STARTED.format(name)] = half.started.by_item
        if self.effort.quick:
            return found
        slow = make("2p", {SLOW: Setup(SOLVERS[SLOW], MANY // 2, bases=(BASE["2p"],))}, self.effort)
        found[HALFWAY] = {row: slow.by_item[f"2p exploitability {row}"][SLOW] for row in LOST}
        found[DRAWN] = drawn = dict(self.two.drawn.by_item)
        for row in ROWS[:2]:
            runs = self.longer[f"{row} by chance sampling"]
            drawn[f"2p exploitability {row}"] |= {
                by_seed(MOST, run.seed): traced(run)[-1] for run in runs
            }
        for name, runs in self.longer.items():
            for where, column in (("outside", EXPLOITED), ("inside", INNER)):
                by_stop = zip(*(traced(run, column) for run in runs), strict=True)
                found[f"2p {name}, milli-antes {where}, by deals and seed"] = {
                    f"{deals:,}": list(of)
                    for deals, of in zip(LONGER[name][2], by_stop, strict=True)
                }
        return found


@cache
def printed(source: str) -> dict[str, float]:
    """The numbers that a table prints, by item."""
    return {line.item: line.number or 0.0 for line in read_published(source)}


def traced(run: Run, column: str = EXPLOITED) -> list[float]:
    """Exploitability at each stop, in the full game or in the abstract one."""
    return [MILLI_ANTES * float(x) for x in run.trace[column]]


def by_seed(deals: int, seed: int) -> str:
    """What a run of chance sampling is called."""
    return f"chance sampling {deals // 1_000_000}M seed {seed}"


def from_random(starts: Iterable[int], iterations: int) -> dict[str, Setup]:
    return {f"random start {k}": Setup(SOLVERS[LEARNER], iterations, start=k) for k in starts}


def game(half: str, *, suits: bool = False) -> GameTree:
    return compile_game(load_game("leduc", players=int(half[0]), suit_isomorphism=not suits))


@cache
def view(row: str, *, suits: bool) -> Abstraction:
    """The abstraction of two players' Base or Dynamic."""
    tree, base = game("2p", suits=suits), BASE["2p"]
    return abstract(tree, base if row == "Base" else expert_rule(tree, first_raises(tree), base))
