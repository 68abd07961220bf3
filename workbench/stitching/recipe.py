"""A recipe for a stitched strategy: all that decides it, in words and as code.

Everyday example: a sewing pattern. It names the cloth (the base's abstraction), the pockets (which
experts, how fine) and who wears it (S), and whoever follows it gets the same coat.

>>> recipe = StitchingRecipe("leduc", base="JQ-K", sewing="N", experts=("r", "cr"), iterations=200)
>>> recipe.name, recipe.sizes()
('S = N: r, cr', {'r': 186, 'cr': 186})
>>> print(recipe.code)
import workbench as wb
<BLANKLINE>
tree = wb.compile_game(wb.load_game("leduc"))
part = wb.betting_experts(tree, ["r", "cr"])
how = {"solver": "cfr+", "iterations": 200, "seed": 0}
base = wb.solve(tree, abstraction="JQ-K", **how).strategy
sewn = wb.static_experts(tree, base, part, players={0, 1}, abstraction="null", **how)
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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.abstraction.abstraction import abstract
from workbench.evaluation.best_response import exploitability
from workbench.evaluation.earnings import earnings
from workbench.evaluation.values import seated
from workbench.rules import GameError
from workbench.settings import need_whole, unknown_name
from workbench.solvers.registry import find_solver
from workbench.stitching import pieces
from workbench.stitching.expert_rules import NamedRule, expert_rule
from workbench.stitching.experts import dynamic_experts, expert_sizes, static_experts
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import GameTree

SEWINGS = {"N": "S = N", "each": "S = {i}", "1": "S = {1}", "2": "S = {2}", "dynamic": "dynamic"}
LEFTOVERS: dict[str, tuple[str, dict[str, Any]]] = {  # where the base hardly ever goes
    "count": ("", {}),
    "uniform": (", tidy", {"residual": 0.01}),
    "base": (", tidy, base plays on", {"residual": 0.01, "unreached": "base"}),
}
OPPONENTS = ("null", "JQ-K", "J-QK")  # the bases of the paper

Tell = Callable[[float, str], None]


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
    """All that decides a stitched strategy; see the first lines of this file."""

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
        for what, value, known in (
            ("game to sew in", self.game, list(pieces.GAMES)),
            ("way to choose experts", self.way, list(pieces.WAYS)),
            ("sewing", self.sewing, list(SEWINGS)),
            ("rule for leftovers", self.leftovers, list(LEFTOVERS)),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        if self.way not in pieces.ways(self.game):
            raise unknown_name("way to choose experts", self.way, pieces.ways(self.game))
        for name in (self.base, self.abstraction):
            if name not in pieces.abstractions(self.game):
                raise unknown_name("abstraction", name, pieces.abstractions(self.game))
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
        return pieces.game_tree(self.game)

    @property
    def part(self) -> GraftingPartition:
        """Who plays where."""
        whole = pieces.partition(self.game, self.way)
        return whole if self.experts is None else whole.only(self.experts)

    @property
    def owned(self) -> GraftingPartition:
        """What is sewn in: the parts, or one player's share of them."""
        return self.part.of(int(self.sewing) - 1) if self.sewing in ("1", "2") else self.part

    @property
    def opponents(self) -> list[str]:
        """The other bases, against which earnings are counted."""
        return [name for name in OPPONENTS if name != self.base]

    @property
    def static(self) -> bool:
        return self.sewing != "dynamic"

    @property
    def name(self) -> str:
        """A short name for a table."""
        inside = "" if self.abstraction == "null" else f" in {self.abstraction}"
        tidy = LEFTOVERS[self.leftovers][0] if self.static else ""
        return f"{SEWINGS[self.sewing]}: {', '.join(self.part.names)}{inside}{tidy}"

    @property
    def code(self) -> str:
        """A cell that does it again, bit for bit."""
        from workbench.stitching.recipe_code import code_of

        return code_of(self)

    def sizes(self) -> dict[str, int]:
        """Information sets in each computation: one for each expert, or one for all."""
        inside, outside = self._rule(self.abstraction), self._rule(self.base)
        if not self.static:
            rule = expert_rule(self.tree, self.part, outside, inside)
            return {"dynamic": abstract(self.tree, rule).coarse.num_infosets}
        found: dict[str, int] = {}
        for players, part in self.tables():
            new = expert_sizes(self.tree, part, players, abstraction=inside, outside=outside)
            found = {name: max(size, found.get(name, 0)) for name, size in new.items()}
        return found

    def base_size(self) -> int:
        """Information sets in the base's computation."""
        rule = self._rule(self.base)
        if rule is None:
            return self.tree.num_infosets
        return abstract(self.tree, rule).coarse.num_infosets

    # ---- sewing ----------------------------------------------------------------------

    def sew(self, tell: Tell = lambda share, text: None, store: str | None = None) -> Sewn:
        """The stitched strategy, judged; `tell` hears how far it is.

        `store`: a folder that keeps base and experts, finished or half done; whoever is stopped
        and begins again with the same folder goes on from there.
        """
        tell(0.1, f"the base {self.base}")
        base = self._solved(self.base, store)
        tell(0.3, "the experts")
        sewn = self._sewn(base, store)
        tell(0.7, "the judges")
        return self._judged(self.name, sewn, max(self.sizes().values()), store)

    def judged_base(self, tell: Tell = lambda share, text: None, store: str | None = None) -> Sewn:
        """The base alone, judged alike."""
        tell(0.0, f"the base {self.base}")
        base = self._solved(self.base, store)
        return self._judged(f"base {self.base}", base, self.base_size(), store)

    def tables(self) -> list[tuple[tuple[int, ...], GraftingPartition]]:
        """S and the parts: once, or once for each player. To one player's experts by card the
        others' cards are no parts of the game."""
        everybody = tuple(range(self.tree.num_players))
        if self.sewing == "N":
            return [(everybody, self.part)]
        chosen = everybody if self.sewing == "each" else (int(self.sewing) - 1,)
        return [((i,), self.part.of(i) if self.by_card else self.part) for i in chosen]

    @property
    def by_card(self) -> bool:
        return self.way.startswith("card")

    def _sewn(self, base: Strategy, store: str | None) -> Strategy:
        how: dict[str, Any] = {
            "solver": self.solver, "iterations": self.iterations, "seed": self.seed,
            "abstraction": self._rule(self.abstraction), "store": store,
        }  # fmt: skip
        outside = self._rule(self.base)
        if not self.static:
            return dynamic_experts(self.tree, outside, self.part, **how).strategy
        how |= LEFTOVERS[self.leftovers][1]
        made = [
            static_experts(self.tree, base, part, players, outside=outside, **how)
            for players, part in self.tables()
        ]
        return seated(made) if self.sewing == "each" else made[0]

    def _judged(self, name: str, sigma: Strategy, size: int, store: str | None) -> Sewn:
        others = [self._solved(other, store) for other in self.opponents]
        return Sewn(name, sigma, size, exploitability(sigma), earnings(sigma, others))

    def _rule(self, name: str) -> NamedRule:
        return pieces.abstractions(self.game)[name].rule

    def _solved(self, name: str, store: str | None) -> Strategy:
        return pieces.base(self.game, name, self.solver, self.iterations, self.seed, store)
