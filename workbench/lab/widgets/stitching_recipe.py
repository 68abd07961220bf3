"""A recipe for a stitched strategy, what has become of it, and its code.

>>> recipe = StitchingRecipe("leduc", "JQ-K", "N", experts=("r", "cr"), iterations=200)
>>> recipe.name, recipe.sizes()
('S = N: r, cr', {'r': 186, 'cr': 186})

`stitching` is one of

    "dynamic"      base and experts in one abstraction that is fine in the parts
    "N"            static experts; everybody follows the base outside the part: S = N
    "each"         static experts for each player alone, S = {i}; her opponents learn with her
    "1", "2"       the same for one player; the other plays the base

While experts with S = {i} learn, the others forget outside the part what the base forgets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.registry import list_abstractions
from workbench.compiling import compile_game
from workbench.evaluation.tournament import earnings
from workbench.evaluation.values import exploitability, seated
from workbench.form import hands_unlisted
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.registry import given_game
from workbench.lab.code import broken, made_again, own_game, own_solver
from workbench.rules import GameError, Rules
from workbench.runs.solve import solve
from workbench.settings import Code, Positive, Seed, check, code, unknown_name
from workbench.solvers.registry import find_solver, solver_code
from workbench.stitching.builders import betting_experts, card_experts, first_bets, round_experts
from workbench.stitching.experts import Stitching, dynamic_experts
from workbench.stitching.joining import NamedRule, expert_rule, rule_code
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import GameTree, kept

WAYS: dict[str, Callable[[GameTree], GraftingPartition]] = {  # what an expert is chosen by
    "first bet": lambda tree: betting_experts(tree, first_bets(tree)),
    "round": round_experts,  # how the second round was reached
    "card": card_experts,  # the player's own card
    "card, later": lambda tree: card_experts(tree, start=1),
}
STITCHINGS = {"N": "S = N", "each": "S = {i}", "1": "S = {1}", "2": "S = {2}", "dynamic": "dynamic"}
LEFTOVERS: dict[str, tuple[str, dict[str, Any]]] = {  # where the base hardly ever goes
    "count": ("", {}),
    "uniform": (", tidy", {"residual": 0.01}),
    "base": (", tidy, base plays on", {"residual": 0.01, "unreached": "base"}),
    "tremble": (", trembling", {"tremble": 0.01}),
}
JUDGES = 3  # the bases of the first abstractions: in Leduc those of the paper, null, JQ-K and J-QK


# ---- what there is to choose from ----------------------------------------------------


def tree_of(game: str | Rules | GameTree) -> GameTree:
    """The tree to stitch in."""
    rules = given_game(game, {})
    if hands_unlisted(rules):
        raise GameError(
            f"the explorer draws the parts of a tree, and {rules.name!r} has none; stitch it by "
            "wb.static_experts, and let it play: wb.sample_match"
        )
    return compile_game(rules)


@kept
def abstractions_of(tree: GameTree) -> dict[str, NamedRule]:
    """The null abstraction, and those the game brings along; without any, neighbours merged."""
    found: dict[str, NamedRule] = {"null": None}
    found |= {name: name for name in list_abstractions(tree)}
    if len(found) == 1:
        ranks = ranks_of(tree)
        for k, rule in enumerate(map(merge_cards, pairwise(ranks))):
            found["-".join([*ranks[:k], rule.name, *ranks[k + 2 :]])] = rule
    return found


@kept
def partitions_of(tree: GameTree) -> dict[str, GraftingPartition]:
    """All experts of each way that this game has; an expert for each player who decides, if it
    has neither bets nor rounds nor cards."""
    found = {}
    for way, experts in WAYS.items():
        with suppress(GameError):  # there is no second round
            found[way] = experts(tree)
    alone = GraftingPartition.from_function(tree, lambda who, *_: f"player {who + 1}")
    said = 'lambda player, seen, actions: f"player {player + 1}"'
    made = f"wb.GraftingPartition.from_function(tree, {said})"
    if not any(part.names for part in found.values()):
        found = {"player": replace(alone, code=made)}
    return {way: part for way, part in found.items() if part.names}


# ---- the recipe ----------------------------------------------------------------------


class Judged(NamedTuple):
    """A strategy and what it is worth, in the unit of the game."""

    name: str
    strategy: Strategy
    size: int  # information sets in the largest computation
    exploitability: float
    earnings: float  # against the bases of the other abstractions, from all seats


@dataclass(frozen=True, eq=False)
class StitchingRecipe:
    """All that decides a stitched strategy; its code is that of `Stitching`."""

    tree: Any = "leduc"  # or rules; as a tree from then on
    base: str = ""  # the game's first abstraction that forgets something, if none is named
    stitching: Literal["N", "each", "1", "2", "dynamic"] = "N"
    way: str = ""  # the first that the game has, if none is named
    experts: Sequence[str] | None = None  # None: all that this way knows
    abstraction: str = "null"  # inside the parts
    leftovers: Literal["count", "uniform", "base", "tremble"] = "count"
    solver: Any = "cfr+"
    iterations: Positive = 1000
    seed: Seed = 0
    store: str | None = None  # a folder that keeps base and experts, finished or half done
    controls: Any = None  # for a panel: how its game and its solver were set
    alone: Judged | None = None  # the base, as it was found
    stitched: Judged | None = None
    seconds: float = 0.0

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "tree", tree_of(self.tree))
        known = list(abstractions_of(self.tree))
        object.__setattr__(self, "base", self.base or known[:2][-1])
        _need("abstraction", self.base, known)
        _need("abstraction", self.abstraction, known)
        ways = list(partitions_of(self.tree))
        if not ways:
            raise GameError(f"nobody decides anything in {self.game!r}: nothing to stitch")
        object.__setattr__(self, "way", self.way or ways[0])
        _need("way to choose experts", self.way, ways)
        object.__setattr__(self, "solver", find_solver(self.solver))
        if self.experts is not None:
            if isinstance(self.experts, str) or not isinstance(self.experts, Sequence):
                raise GameError(f"experts must be a list of names, not {self.experts!r}")
            if not self.experts:
                raise GameError("choose at least one expert")
            self.part.number(self.experts[0])  # and refuse unknown ones
        if self.stitching in ("1", "2") and int(self.stitching) - 1 not in self.players:
            raise GameError(
                f"player {self.stitching} calls none of these experts; choose S = N, or others"
            )

    @property
    def game(self) -> str:
        return str(self.tree.name)

    @property
    def part(self) -> GraftingPartition:
        """Who plays where."""
        whole = partitions_of(self.tree)[self.way]
        return whole if self.experts is None else whole.only(tuple(self.experts))

    @property
    def players(self) -> list[int]:
        """Those who ever call an expert."""
        return sorted({*self.tree.infoset_player[self.part.part > 0].tolist()})

    @property
    def owned(self) -> GraftingPartition:
        """What is stitched in: the parts, or one player's share of them."""
        return self.part.of(int(self.stitching) - 1) if self.stitching in ("1", "2") else self.part

    @property
    def judges(self) -> list[str]:
        """The abstractions whose bases are played against."""
        first = list(abstractions_of(self.tree))[:JUDGES]
        return [name for name in first if name != self.base]

    def meets(self, others: Sequence[object]) -> bool:
        """Whether there are enough opponents for a table."""
        return len(others) >= max(int(self.tree.num_players) - 1, 1)

    @property
    def static(self) -> bool:
        return self.stitching != "dynamic"

    @property
    def by_card(self) -> bool:
        return self.way.startswith("card")

    @property
    def name(self) -> str:
        """A short name for a table."""
        inside = "" if self.abstraction == "null" else f" in {self.abstraction}"
        tidy = LEFTOVERS[self.leftovers][0] if self.static else ""
        return f"{STITCHINGS[self.stitching]}: {', '.join(self.part.names)}{inside}{tidy}"

    @property
    def _how(self) -> dict[str, Any]:
        return {"solver": self.solver, "iterations": self.iterations, "seed": self.seed}

    @property
    def _rules(self) -> tuple[NamedRule, NamedRule]:
        """What the base forgets, and what experts do."""
        known = abstractions_of(self.tree)
        return known[self.base], known[self.abstraction]

    def plans(self, base: Strategy | None = None) -> list[Stitching]:
        """Static experts: one plan, or one for each player. To one player's experts by card the
        others' cards are no parts of the game."""
        everybody, (outside, inside) = range(self.tree.num_players), self._rules
        tables: list[tuple[Any, GraftingPartition]] = [(everybody, self.part)]
        if self.stitching != "N":
            chosen = self.players if self.stitching == "each" else [int(self.stitching) - 1]
            tables = [(i, self.part.of(i) if self.by_card else self.part) for i in chosen]
        more = {"abstraction": inside, "outside": outside, "store": self.store, **self._how}
        more |= LEFTOVERS[self.leftovers][1]
        return [Stitching(self.tree, base or outside, part, who, **more) for who, part in tables]

    def sizes(self) -> dict[str, int]:
        """Information sets in each computation: one for each expert, or one for all."""
        if not self.static:
            rule = expert_rule(self.tree, self.part, *self._rules)
            return {"dynamic": abstract(self.tree, rule).coarse.num_infosets}
        found = [size for plan in self.plans() for size in plan.sizes().items()]
        return {name: max(size for of, size in found if of == name) for name, _ in found}

    def base_size(self) -> int:
        """Information sets in the base's computation."""
        rule = self._rules[0]
        return (abstract(self.tree, rule).coarse if rule else self.tree).num_infosets

    def solved(self, abstraction: str) -> Strategy:
        """The base of an abstraction."""
        rule = abstractions_of(self.tree)[abstraction]
        return solve(self.tree, abstraction=rule, store=self.store, **self._how).strategy

    def work(self, job: Any) -> StitchingRecipe:
        """The base and the stitched strategy, judged alike; `job.tell` hears how far it is."""
        began = time.perf_counter()
        job.tell(0.0, f"the base {self.base}")
        base, others = self.solved(self.base), [self.solved(name) for name in self.judges]
        job.tell(0.3, "the experts")
        if self.static:
            made = [plan.stitch() for plan in self.plans(base)]
            seats = dict.fromkeys(range(self.tree.num_players), base)
            seats |= dict(zip(self.players, made, strict=False))
            stitched = seated([*seats.values()]) if self.stitching == "each" else made[0]
        else:
            outside, inside = self._rules
            stitched = dynamic_experts(
                self.tree, outside, self.part, abstraction=inside, store=self.store, **self._how
            ).strategy
        job.tell(0.7, "the judges")

        def judged(name: str, sigma: Strategy, size: int) -> Judged:
            won = earnings(sigma, others) if self.meets(others) else 0.0
            return Judged(name, sigma, size, exploitability(sigma), won)

        return replace(
            self,
            alone=judged(f"base {self.base}", base, self.base_size()),
            stitched=judged(self.name, stitched, max(self.sizes().values())),
            seconds=time.perf_counter() - began,
        )

    @property
    def reached(self) -> str:
        return "all experts" if self.stitched else ""

    def settled(self) -> StitchingRecipe:
        return self

    @property
    def code(self) -> str:
        """A cell that does it again, bit for bit."""
        base, inside = map(rule_code, self._rules)
        how = {**self._how, "solver": Code(solver_code(self.solver))}
        if self.static:
            made = [repr(plan) for plan in self.plans()]
        else:
            more = {"abstraction": Code(inside), **how}
            made = [f"{code('dynamic_experts', more, 'tree', base, self.part.code)}.strategy"]
        stitched = broken(f"stitched = {made[0]}", 11)
        if self.stitching == "each":
            seats = dict.fromkeys(range(self.tree.num_players), "base")
            seats |= dict(zip(self.players, made, strict=True))
            each = [broken(f"    {one},", 8) for one in seats.values()]
            stitched = "\n".join(["stitched = wb.seated([", *each, "])"])
        others = [rule_code(abstractions_of(self.tree)[name]) for name in self.judges]

        def solved(rule: str) -> str:
            return f"{code('solve', {'abstraction': Code(rule), **how}, 'tree')}.strategy"

        judged, asked = "wb.exploitability(stitched)", ""
        if self.meets(others):
            judged += ", wb.earnings(stitched, others)"
            asked = f"others = [\n    {solved('rule')}\n    for rule in [{', '.join(others)}]\n]\n"
        made_of = f"tree = {code('compile_game', {}, made_again(self.tree))}"
        first = own_game(self.tree) + own_solver(self.solver) + made_of
        lines = [first, broken(f"base = {solved(base)}", 16), stitched]
        return "\n".join(["import workbench as wb\n", *lines, f"{asked}print({judged})"])


def _need(what: str, value: str, known: list[str]) -> None:
    if value not in known:
        raise unknown_name(what, value, known)
