"""What it costs to allow few bets, and to take the others for them.

A small game allows some bets (`BetSizes`); its equilibrium is lifted to the full game by a mapping,
and the *price* is the exploitability of that strategy, exactly. An equilibrium of the small game is
rarely the only one, and two of them may have different prices in the full game, so each price is
that of CFR+ with the price of the linear program beside it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from workbench.abstraction.abstraction import abstract, restrict_actions
from workbench.abstraction.bets import MAPPINGS, BetSizes
from workbench.compiling import compile_game
from workbench.evaluation.values import best_response, expected_values, exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.later import pd
from workbench.runs.solve import solve
from workbench.strategy import Strategy
from workbench.tree import GameTree

NEAREST, GEOMETRIC, RANDOMIZED, HARMONIC = MAPPINGS
STACKS = (6, 8, 10)
SETS: tuple[tuple[str | float, ...], ...] = (
    ("all-in",), ("pot", "all-in"), ("half pot", "all-in"), ("half pot", "pot", "all-in"),
    ("half pot", "pot", 2, "all-in"),
)  # fmt: skip
ITERATIONS = 2000  # of CFR+
SOLVERS = ("cfr+", "lp")
USUAL = "10 chips: pot, all-in"
LONG = "ten chips take half a minute"
STEPS = (0.25, 0.5, 1, 1.5, 2, 3)  # from which sizes are chosen one by one, beside all-in
CHOSEN = 8  # chips of the game in which they are


def called(sizes: tuple[str | float, ...]) -> str:
    return ", ".join(map(str, sizes))


class Prices:
    """Every price once: of a stack, a list of sizes, a mapping and a solver."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.tree, self.cut = cache(self._tree), cache(self._cut)
        self.small, self.price = cache(self._small), cache(self._price)

    def _tree(self, stack: int) -> GameTree:
        return compile_game(load_game("no_limit_leduc", stack=stack))

    def _cut(self, stack: int, sizes: Any) -> Any:
        return abstract(self.tree(stack), BetSizes(sizes))

    def _small(self, stack: int, sizes: Any, solver: str) -> Strategy:
        """The equilibrium of the small game, which knows no mapping."""
        coarse = self.cut(stack, sizes).coarse
        return solve(coarse, solver, iterations=ITERATIONS, checkpoints=ITERATIONS).strategy

    def _price(self, stack: int, sizes: Any, mapping: str, solver: str = "cfr+") -> float:
        lifting = replace(self.cut(stack, sizes), bets=BetSizes(sizes, mapping))
        return float(exploitability(lifting.lift(self.small(stack, sizes, solver))))

    def stored(self, stack: int, sizes: Any, mapping: str, solver: str) -> float:
        """A price as results keep it: that of the linear program with four digits."""
        price = self.price(stack, sizes, mapping, solver)
        return price if solver == "cfr+" else float(f"{price:.4g}")

    def prices(self, mapping: str, solver: str = "cfr+") -> dict[str, float]:
        return {
            f"{stack} chips: {called(sizes)}": self.price(stack, sizes, mapping, solver)
            for stack in STACKS
            for sizes in SETS
        }

    @cached_property
    def greedy(self) -> dict[str, list[tuple[str, float]]]:
        """For each mapping, which size to add next to all-in, and the price then."""
        return {mapping: self.added(mapping, 3) for mapping in (NEAREST, HARMONIC)}

    def added(self, mapping: str, most: int) -> list[tuple[str, float]]:
        sizes: tuple[str | float, ...] = ("all-in",)
        found = [("all-in", self.price(CHOSEN, sizes, mapping))]
        for _ in range(most):
            lists = {one: (*sizes, one) for one in STEPS if one not in sizes}
            new = min(lists, key=lambda one: self.price(CHOSEN, lists[one], mapping))
            sizes = lists[new]
            found.append((str(new), self.price(CHOSEN, sizes, mapping)))
        return found

    def drawn(self) -> Any:
        """All prices, as curves over the stack."""
        if self.effort.quick:
            return None
        lines = [
            (f"{called(sizes)}; {mapping}", SOLVERS.index(solver), stack,
             float(f"{self.price(stack, sizes, mapping, solver):.4g}"))
            for sizes in SETS for mapping in MAPPINGS for solver in SOLVERS for stack in STACKS
        ]  # fmt: skip
        return pd.DataFrame(lines, columns=["curve", "repeat", "stack", "price"])

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "game": "no_limit_leduc, stacks 6, 8 and 10", **NO_SEEDS, "iterations": ITERATIONS,
            "solver": "cfr+; beside it lp", "repeats of the curves": dict(enumerate(SOLVERS)),
        }  # fmt: skip


def _mapping(work: Prices, mapping: str) -> Ours:
    """Its price in every small game, by itself and beside the cheapest of the four."""
    work.effort.full_only(LONG)
    parts = work.prices(mapping)
    others = {other: work.prices(other) for other in MAPPINGS}
    cheapest = [name for name in parts if parts[name] <= min(of[name] for of in others.values())]
    most = (
        "in all of them" if len(cheapest) == len(parts) else f"in {len(cheapest)} of {len(parts)}"
    )
    lp = {name: float(f"{price:.4g}") for name, price in work.prices(mapping, "lp").items()}
    holds = (2 * len(cheapest) > len(parts)) == (mapping == HARMONIC)
    return Ours.spread(
        parts, USUAL, "small games", holds=holds,
        note=f"the cheapest of the four (or as cheap) {most}", facts={"linear program": lp},
    )  # fmt: skip


def _robbed(work: Prices) -> Ours:
    """How much the nearest size costs, in times of the pseudo-harmonic mapping."""
    work.effort.full_only(LONG)
    parts = {
        f"{stack} chips: {called(sizes)} ({solver})":
            work.stored(stack, sizes, NEAREST, solver) / work.stored(stack, sizes, HARMONIC, solver)
        for solver in SOLVERS for stack in STACKS for sizes in SETS
    }  # fmt: skip
    true = [name for name, times in parts.items() if times > 1]
    return Ours.spread(
        parts, f"{USUAL} (cfr+)", "small games and solvers", holds=len(true) == len(parts),
        true_of=true,
    )  # fmt: skip


def _half_for_pot(work: Prices) -> Ours:
    """What half pot instead of pot costs: price by price, all-in being there."""
    work.effort.full_only(LONG)
    parts = {
        f"{stack} chips: {mapping}": work.price(stack, SETS[2], mapping)
        - work.price(stack, SETS[1], mapping)
        for stack in STACKS
        for mapping in MAPPINGS
    }
    return Ours.lead(parts, f"10 chips: {NEAREST}", "stacks and mappings")


def _more(work: Prices) -> Ours:
    """What a size more takes off the price."""
    work.effort.full_only(LONG)
    steps = ((SETS[0], SETS[1]), (SETS[0], SETS[2]), (SETS[1], SETS[3]), (SETS[2], SETS[3]),
             (SETS[3], SETS[4]))  # fmt: skip
    parts = {
        f"{stack} chips, {mapping}: {called(after)} after {called(before)} ({solver})":
            work.stored(stack, before, mapping, solver) - work.stored(stack, after, mapping, solver)
        for solver in SOLVERS for stack in STACKS for mapping in MAPPINGS for before, after in steps
    }  # fmt: skip
    usual = f"10 chips, {NEAREST}: {called(SETS[1])} after {called(SETS[0])} (cfr+)"
    return Ours.lead(parts, usual, "steps and solvers")


def _greedy(work: Prices) -> Ours:
    """What is left of the price after sizes were added one by one."""
    work.effort.full_only(LONG)
    parts = {mapping: steps[-1][1] / steps[0][1] for mapping, steps in work.greedy.items()}
    facts = {
        mapping: ", ".join(f"{size} {price:.3g}" for size, price in steps)
        for mapping, steps in work.greedy.items()
    }
    first = {mapping: steps[1][0] for mapping, steps in work.greedy.items()}
    return Ours.spread(
        parts, NEAREST, "mappings", holds=len({*first.values()}) > 1, facts=facts,
        note="; ".join(f"{mapping} takes {size} first" for mapping, size in first.items()),
    )  # fmt: skip


# ---- the paper of the pseudo-harmonic mapping ------------------------------------------------


class HalfStreet:
    """No-limit Kuhn in which only the first player bets, as in the paper: pot 1, bets are tenths of
    it, and the second player calls or folds. Its price is the second player's."""

    def __init__(self, effort: Effort) -> None:
        self.game, self.value = cache(self._game), cache(self._value)
        self.small = cache(self._small)

    def _game(self, stack: int) -> GameTree:
        full = compile_game(load_game("no_limit_kuhn", stack=5 + 10 * stack, ante=5, raises=1))
        only_first = restrict_actions(lambda player, seen, action: not player or action[0] != "r")
        return abstract(full, only_first).coarse

    def _value(self, stack: int) -> float:
        return float(expected_values(solve(self.game(stack), "lp").strategy)[0])

    def _small(self, stack: int, size: float, solver: str) -> Strategy:
        coarse = abstract(self.game(stack), BetSizes([size, "all-in"])).coarse
        return solve(coarse, solver, iterations=ITERATIONS, checkpoints=ITERATIONS).strategy

    def price(self, stack: int, size: float, mapping: str) -> Ours:
        lifting, parts = abstract(self.game(stack), BetSizes([size, "all-in"], mapping)), {}
        for solver in reversed(SOLVERS):
            lifted = lifting.lift(self.small(stack, size, solver))
            parts[solver] = (best_response(lifted, 0).value - self.value(stack)) / 10
        higher = mapping == NEAREST or (mapping == GEOMETRIC and stack > 1)  # the paper's price
        open_ = "why the paper's is higher is open" if higher else ""
        return Ours.spread(parts, "lp", "solvers", note=open_)


PAPER = {
    "Det-Arith": NEAREST, "Det-Geo": GEOMETRIC, "Rand-Geo-2": RANDOMIZED, "Rand-psHar": HARMONIC,
}  # fmt: skip

ENTRIES = {
    "workbench-bets": Entry(
        """Our findings about bets: what each mapping costs, and which sizes to allow.

        How: no-limit Leduc with 6, 8 and 10 chips, five lists of bets (fold and call are always
        allowed); the small game is solved by CFR+ (2,000 iterations), lifted by each mapping, and
        judged exactly in the full game. Whether a size more raises the price, and whether the
        nearest size costs more than a coin, is asked of the linear program's equilibrium as well:
        small games have many, and their prices differ. Sizes are chosen one by one with 8
        chips, from 0.25, 0.5, 1, 1.5, 2 and 3 pots, all-in being there: each time the one that
        leaves the lowest price.
        """,
        Prices,
        {
            **{f"the price of the mapping: {mapping}": (_mapping, mapping) for mapping in MAPPINGS},
            "the nearest size costs more than a coin": _robbed,
            "half pot instead of pot": _half_for_pot,
            "a size more": _more,
            "sizes chosen one by one": _greedy,
        },
        curves=Prices.drawn,
    ),
    "ganzfried-sandholm-2013": Entry(
        """Ganzfried and Sandholm (2013), Tables 3 and 4: mappings in no-limit Kuhn poker.

        How: pot 1, bets of whole tenths of it, the first player bets or checks, the second calls or
        folds. The small game is solved by the linear program, lifted, and the first player's best
        response is compared with the value of the full game. Which equilibrium of the small game
        they took, and how fine their bets were, the paper does not say; our range is over two
        solvers.
        """,
        HalfStreet,
        {
            f"{size:g} pot, stack {stack}: {name}": (HalfStreet.price, stack, size, mapping)
            for size in (1, 0.4)
            for stack in (1, 10, 100)
            for name, mapping in PAPER.items()
        },
        {
            "game": "no_limit_kuhn, ante 5, one bet, only the first player bets",
            **NO_SEEDS,
            "solver": "lp; beside it cfr+",
            "iterations": ITERATIONS,
        },
    ),
}
