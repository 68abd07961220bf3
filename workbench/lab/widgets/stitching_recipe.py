"""A recipe for a stitched strategy: everything by name, for lists to choose from, and as code.

>>> recipe = StitchingRecipe("leduc", base="JQ-K", sewing="N", experts=("r", "cr"), iterations=200)
>>> recipe.name, recipe.sizes()
('S = N: r, cr', {'r': 186, 'cr': 186})
>>> print(recipe.code)
import workbench as wb
<BLANKLINE>
tree = wb.compile_game(wb.load_game("leduc"))
part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"]).only(["r", "cr"])
how = {"solver": "cfr+", "iterations": 200, "seed": 0}
base = wb.solve(tree, abstraction="JQ-K", **how).strategy
sewn = wb.static_experts(tree, base, part, players={0, 1}, abstraction="null", outside="JQ-K", \
**how)
others = [wb.solve(tree, abstraction=rule, **how).strategy for rule in ["null", "J-QK"]]
print(wb.exploitability(sewn), wb.earnings(sewn, others))

`sewing` is one of

    "dynamic"      base and experts in one abstraction that is fine in the parts
    "N"            static experts; everybody follows the base outside the part: S = N
    "each"         static experts for each player alone, S = {i}; her opponents learn with her
    "1", "2"       the same for one player; the other plays the base

While experts with S = {i} learn, the others forget outside the part what the base forgets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.registry import list_abstractions
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.evaluation.earnings import earnings
from workbench.evaluation.values import seated
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.registry import GAMES, game_class, game_code, load_game
from workbench.passes import rounds
from workbench.rules import GameError
from workbench.runs.solve import solve
from workbench.settings import need_whole, options_of, unknown_name
from workbench.solvers.registry import find_solver
from workbench.stitching.builders import (
    betting_experts,
    card_experts,
    first_bets,
    round_experts,
)
from workbench.stitching.expert_rules import NamedRule, expert_rule, rule_code
from workbench.stitching.experts import Stitching, dynamic_experts
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import GameTree

MERGED = ", suits merged"
WAYS = {  # of choosing experts: what an expert is chosen by
    "first bet": "how the first bet came",
    "round": "how the second round was reached",
    "card": "the player's own card",
    "card, later": "the player's own card, second round",
}
SEWINGS = {"N": "S = N", "each": "S = {i}", "1": "S = {1}", "2": "S = {2}", "dynamic": "dynamic"}
LEFTOVERS: dict[str, tuple[str, dict[str, Any]]] = {  # where the base hardly ever goes
    "count": ("", {}),
    "uniform": (", tidy", {"residual": 0.01}),
    "base": (", tidy, base plays on", {"residual": 0.01, "unreached": "base"}),
}
OPPONENTS = ("null", "JQ-K", "J-QK")  # the bases of the paper

Tell = Callable[[float, str], None]


# ---- what there is to choose from ----------------------------------------------------


@cache
def games() -> list[str]:
    """The card games of the workbench; where suits can be merged, in both ways."""
    found = []
    for name in GAMES:
        if ranks_of(load_game(name)):
            merges = "suit_isomorphism" in [one.name for one in options_of(game_class(name))]
            found += [name, name + MERGED] if merges else [name]
    return found


@cache
def game_tree(game: str) -> GameTree:
    """The compiled game."""
    name, merged = game.removesuffix(MERGED), game.endswith(MERGED)
    return compile_game(load_game(name, **({"suit_isomorphism": True} if merged else {})))


@cache
def abstractions(game: str) -> dict[str, NamedRule]:
    """Those the game brings along; of a game without any, neighbouring cards merged."""
    tree = game_tree(game)
    if names := list_abstractions(tree):
        return {name: name for name in names}
    ranks = ranks_of(tree)
    found: dict[str, NamedRule] = {"null": None}
    for k in range(len(ranks) - 1):
        pair = "".join(ranks[k : k + 2])
        found["-".join([*ranks[:k], pair, *ranks[k + 2 :]])] = merge_cards(pair)
    return found


@cache
def ways(game: str) -> list[str]:
    """The ways to choose experts that this game has."""
    later = int(rounds(game_tree(game)).max()) > 0
    return [way for way in WAYS if later or way in ("first bet", "card")]


@cache
def partition(game: str, way: str) -> GraftingPartition:
    """All experts of one way."""
    tree = game_tree(game)
    if way == "first bet":
        return betting_experts(tree, first_bets(tree))
    if way == "round":
        return round_experts(tree)
    return card_experts(tree, start=1 if way == "card, later" else 0)


@lru_cache(maxsize=64)
def _solved(
    game: str, abstraction: str, solver: str, iterations: int, seed: int, store: str | None
) -> Strategy:
    """A base strategy; `store`: a folder where it is kept on its way."""
    rule, tree = abstractions(game)[abstraction], game_tree(game)
    return solve(tree, solver, iterations, seed=seed, abstraction=rule, store=store).strategy


# ---- the recipe ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sewn:
    """A strategy and what it is worth, in chips."""

    name: str
    strategy: Strategy
    size: int  # information sets in the largest computation
    exploitability: float
    earnings: float  # against the bases of the other abstractions, from both seats


@dataclass(frozen=True)
class StitchingRecipe:
    """All that decides a stitched strategy, by name; see the first lines of this file."""

    game: str = "leduc"
    base: str = "JQ-K"
    sewing: str = "N"
    way: str = "first bet"
    experts: Sequence[str] | None = None  # None: all that this way knows
    abstraction: str = "null"  # inside the parts
    leftovers: str = "count"
    solver: str = "cfr+"
    iterations: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.game not in games():
            raise unknown_name("game to sew in", self.game, games())
        for what, value, known in (
            ("way to choose experts", self.way, ways(self.game)),
            ("sewing", self.sewing, list(SEWINGS)),
            ("rule for leftovers", self.leftovers, list(LEFTOVERS)),
            ("abstraction", self.base, list(abstractions(self.game))),
            ("abstraction", self.abstraction, list(abstractions(self.game))),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        find_solver(self.solver)
        need_whole("iterations", self.iterations)
        need_whole("seed", self.seed, least=0)
        if self.experts is not None:
            if isinstance(self.experts, str) or not isinstance(self.experts, Sequence):
                raise GameError(f"experts must be a list of names, not {self.experts!r}")
            object.__setattr__(self, "experts", tuple(self.experts))
            if not self.experts:
                raise GameError("choose at least one expert")
            self.part.number(self.experts[0])  # and refuse unknown ones

    # ---- looking ---------------------------------------------------------------------

    @property
    def tree(self) -> GameTree:
        return game_tree(self.game)

    @property
    def part(self) -> GraftingPartition:
        """Who plays where."""
        whole = partition(self.game, self.way)
        return whole if self.experts is None else whole.only(self.experts)

    @property
    def owned(self) -> GraftingPartition:
        """What is sewn in: the parts, or one player's share of them."""
        return self.part.of(int(self.sewing) - 1) if self.sewing in ("1", "2") else self.part

    @property
    def opponents(self) -> list[str]:
        """The other bases, against which earnings are counted."""
        known = abstractions(self.game)
        return [name for name in OPPONENTS if name != self.base and name in known]

    @property
    def static(self) -> bool:
        return self.sewing != "dynamic"

    @property
    def by_card(self) -> bool:
        return self.way.startswith("card")

    @property
    def name(self) -> str:
        """A short name for a table."""
        inside = "" if self.abstraction == "null" else f" in {self.abstraction}"
        tidy = LEFTOVERS[self.leftovers][0] if self.static else ""
        return f"{SEWINGS[self.sewing]}: {', '.join(self.part.names)}{inside}{tidy}"

    def plans(self, base: Strategy | None = None, store: str | None = None) -> list[Stitching]:
        """Static experts: one plan, or one for each player. To one player's experts by card the
        others' cards are no parts of the game."""
        everybody = tuple(range(self.tree.num_players))
        tables: list[tuple[tuple[int, ...], GraftingPartition]] = [(everybody, self.part)]
        if self.sewing != "N":
            chosen = everybody if self.sewing == "each" else (int(self.sewing) - 1,)
            tables = [((i,), self.part.of(i) if self.by_card else self.part) for i in chosen]
        return [
            Stitching(
                self.tree, self._rule(self.base) if base is None else base, part, players,
                abstraction=self._rule(self.abstraction), outside=self._rule(self.base),
                solver=self.solver, iterations=self.iterations, seed=self.seed, store=store,
                **LEFTOVERS[self.leftovers][1],
            )
            for players, part in tables
        ]  # fmt: skip

    def sizes(self) -> dict[str, int]:
        """Information sets in each computation: one for each expert, or one for all."""
        if not self.static:
            inside, outside = self._rule(self.abstraction), self._rule(self.base)
            rule = expert_rule(self.tree, self.part, outside, inside)
            return {"dynamic": abstract(self.tree, rule).coarse.num_infosets}
        found: dict[str, int] = {}
        for plan in self.plans():
            new = plan.sizes()
            found |= {name: max(size, found.get(name, 0)) for name, size in new.items()}
        return found

    def base_size(self) -> int:
        """Information sets in the base's computation."""
        rule = self._rule(self.base)
        if rule is None:
            return self.tree.num_infosets
        return abstract(self.tree, rule).coarse.num_infosets

    @property
    def code(self) -> str:
        """A cell that does it again, bit for bit."""
        base, inside = rule_code(self._rule(self.base)), rule_code(self._rule(self.abstraction))
        how = {"solver": self.solver, "iterations": self.iterations, "seed": self.seed}
        part, sewn = self.part.code, ""
        if self.static:
            plan = self.plans()[0]
            sewn = repr(plan).replace(f", {_options(how)}", ", **how")
            part = self.part.code if self.sewing == "each" else plan.part.code
            if self.sewing == "each":
                mine = "part.of(i)" if self.by_card else "part"
                sewn = sewn.replace("base, part, players={0}", f"base, {mine}, players=i")
                sewn = f"wb.seated([{sewn} for i in range({self.tree.num_players})])"
        else:
            sewn = f"wb.dynamic_experts(tree, {base}, part, abstraction={inside}, **how).strategy"
        rules = ", ".join(rule_code(self._rule(name)) for name in self.opponents)
        others = f"[wb.solve(tree, abstraction=rule, **how).strategy for rule in [{rules}]]"
        return "\n".join(
            [
                "import workbench as wb",
                "",
                f"tree = wb.compile_game({game_code(self.tree.rules)})",
                f"part = {part}",
                f"how = {json.dumps(how)}",
                f"base = wb.solve(tree, abstraction={base}, **how).strategy",
                f"sewn = {sewn}",
                f"others = {others}",
                "print(wb.exploitability(sewn), wb.earnings(sewn, others))",
            ]
        )

    # ---- sewing ----------------------------------------------------------------------

    def sew(self, tell: Tell = lambda share, text: None, store: str | None = None) -> Sewn:
        """The stitched strategy, judged; `tell` hears how far it is.

        `store`: a folder that keeps base and experts, finished or half done; whoever is stopped
        and begins again with the same folder goes on from there.
        """
        tell(0.1, f"the base {self.base}")
        base = self._base(self.base, store)
        tell(0.3, "the experts")
        if self.static:
            made = [plan.sew() for plan in self.plans(base, store)]
            sewn = seated(made) if self.sewing == "each" else made[0]
        else:
            sewn = dynamic_experts(
                self.tree, self._rule(self.base), self.part,
                abstraction=self._rule(self.abstraction), solver=self.solver,
                iterations=self.iterations, seed=self.seed, store=store,
            ).strategy  # fmt: skip
        tell(0.7, "the judges")
        return self._judged(self.name, sewn, max(self.sizes().values()), store)

    def judged_base(self, tell: Tell = lambda share, text: None, store: str | None = None) -> Sewn:
        """The base alone, judged alike."""
        tell(0.0, f"the base {self.base}")
        base = self._base(self.base, store)
        return self._judged(f"base {self.base}", base, self.base_size(), store)

    def _judged(self, name: str, sigma: Strategy, size: int, store: str | None) -> Sewn:
        others = [self._base(other, store) for other in self.opponents]
        return Sewn(name, sigma, size, exploitability(sigma), earnings(sigma, others))

    def _rule(self, name: str) -> NamedRule:
        return abstractions(self.game)[name]

    def _base(self, name: str, store: str | None) -> Strategy:
        return _solved(self.game, name, self.solver, self.iterations, self.seed, store)


def _options(values: dict[str, Any]) -> str:
    said = {k: f'"{v}"' if isinstance(v, str) else v for k, v in values.items()}
    return ", ".join(f"{name}={value}" for name, value in said.items())
