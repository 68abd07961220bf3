"""A recipe for a stitched strategy: everything by name, for lists to choose from, and as code.

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

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.registry import list_abstractions
from workbench.compiling import compile_game
from workbench.evaluation.tournament import earnings
from workbench.evaluation.values import exploitability, seated
from workbench.form import hands_unlisted, has_form
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.registry import (
    GAMES,
    game_class,
    given_game,
    is_path,
    load_game,
    name_with_options,
)
from workbench.lab.code import broken, made_again, own_game
from workbench.rules import GameError, Rules, need_rules
from workbench.runs.solve import solve
from workbench.settings import Code, Positive, Seed, check, code, options_of, unknown_name
from workbench.solvers.registry import find_solver
from workbench.stitching.experts import Stitching, dynamic_experts
from workbench.stitching.joining import NamedRule, expert_rule, rule_code
from workbench.stitching.partition import (
    GraftingPartition,
    betting_experts,
    card_experts,
    first_bets,
    round_experts,
)
from workbench.strategy import Strategy
from workbench.tree import GameTree

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

Tell = Callable[[float, str], None]


# ---- what there is to choose from ----------------------------------------------------


@dataclass(frozen=True)
class Ground:
    """A game to stitch in, and what can be chosen there."""

    label: str
    rules: Rules
    _solved: dict[Any, Strategy] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def tree(self) -> GameTree:
        return compile_game(self.rules)

    @cached_property
    def abstractions(self) -> dict[str, NamedRule]:
        """The null abstraction, and those the game brings along; without any, neighbours merged."""
        found: dict[str, NamedRule] = {"null": None}
        found |= {name: name for name in list_abstractions(self.tree)}
        if len(found) == 1:
            ranks = ranks_of(self.tree)
            for k, rule in enumerate(map(merge_cards, pairwise(ranks))):
                found["-".join([*ranks[:k], rule.name, *ranks[k + 2 :]])] = rule
        return found

    @cached_property
    def partitions(self) -> dict[str, GraftingPartition]:
        """All experts of each way that this game has; an expert for each player who decides, if it
        has neither bets nor rounds nor cards."""
        found = {}
        for way, experts in WAYS.items():
            with suppress(GameError):  # there is no second round
                found[way] = experts(self.tree)
        alone = GraftingPartition.from_function(self.tree, lambda who, *_: f"player {who + 1}")
        said = 'lambda player, seen, actions: f"player {player + 1}"'
        made = f"wb.GraftingPartition.from_function(tree, {said})"
        if not any(part.names for part in found.values()):
            found = {"player": replace(alone, code=made)}
        return {way: part for way, part in found.items() if part.names}

    def solved(self, abstraction: str, store: str | None, how: Mapping[str, Any]) -> Strategy:
        """A base strategy, solved once; `store`: a folder where it is kept on its way."""
        key = abstraction, store, *how.values()
        if key not in self._solved:
            rule = self.abstractions[abstraction]
            self._solved[key] = solve(self.tree, abstraction=rule, store=store, **how).strategy
        return self._solved[key]


@cache
def _listed(name: str, merged: bool) -> Ground:
    rules = load_game(name, **({"suit_isomorphism": True} if merged else {}))
    return Ground(f"{name}, suits merged" if merged else name, rules)


def grounds() -> dict[str, Ground]:
    """The card games of the workbench that have a tree, where suits can be merged in both ways."""
    found = []
    for name in GAMES:
        if ranks_of(rules := load_game(name)) and not has_form(rules):
            found.append(_listed(name, False))
            if "suit_isomorphism" in [one.name for one in options_of(game_class(name))]:
                found.append(_listed(name, True))
    return {ground.label: ground for ground in found}


def ground_of(game: str | Rules, options: Mapping[str, Any]) -> Ground:
    """One of the list; or a game of one's own, or with other options."""
    known = grounds()
    if isinstance(game, str) and not is_path(game) and not options:
        _need("game to stitch in", game, list(known))
        return known[game]
    rules = need_rules(given_game(game, options))
    if hands_unlisted(rules):
        raise GameError(
            f"the explorer draws the parts of a tree, and {rules.name!r} has none; stitch it by "
            "wb.static_experts, and let it play: wb.sample_match"
        )
    name = name_with_options(rules)
    return Ground(f"{name}, your own" if name in known else name, rules)


# ---- the recipe ----------------------------------------------------------------------


class Judged(NamedTuple):
    """A strategy and what it is worth, in the unit of the game."""

    name: str
    strategy: Strategy
    size: int  # information sets in the largest computation
    exploitability: float
    earnings: float  # against the bases of the other abstractions, from all seats


@dataclass(frozen=True)
class StitchingRecipe:
    """All that decides a stitched strategy, by name; its code is that of `Stitching`."""

    game: Any = "leduc"  # or rules; as a Ground from then on
    base: str = ""  # the game's first abstraction that forgets something, if none is named
    stitching: Literal["N", "each", "1", "2", "dynamic"] = "N"
    way: str = ""  # the first that the game has, if none is named
    experts: Sequence[str] | None = None  # None: all that this way knows
    abstraction: str = "null"  # inside the parts
    leftovers: Literal["count", "uniform", "base", "tremble"] = "count"
    solver: str = "cfr+"
    iterations: Positive = 1000
    seed: Seed = 0

    def __post_init__(self) -> None:
        check(self)
        if not isinstance(self.game, Ground):
            object.__setattr__(self, "game", ground_of(self.game, {}))
        known = list(self.game.abstractions)
        object.__setattr__(self, "base", self.base or known[:2][-1])
        _need("abstraction", self.base, known)
        _need("abstraction", self.abstraction, known)
        ways = list(self.game.partitions)
        if not ways:
            raise GameError(f"nobody decides anything in {self.game.label!r}: nothing to stitch")
        object.__setattr__(self, "way", self.way or ways[0])
        _need("way to choose experts", self.way, ways)
        find_solver(self.solver)
        if self.experts is not None:
            if isinstance(self.experts, str) or not isinstance(self.experts, Sequence):
                raise GameError(f"experts must be a list of names, not {self.experts!r}")
            if not self.experts:
                raise GameError("choose at least one expert")
            object.__setattr__(self, "experts", tuple(self.experts))
            self.part.number(self.experts[0])  # and refuse unknown ones
        if self.stitching in ("1", "2") and int(self.stitching) - 1 not in self.players:
            raise GameError(
                f"player {self.stitching} calls none of these experts; choose S = N, or others"
            )

    @property
    def tree(self) -> GameTree:
        return self.game.tree  # type: ignore[no-any-return]

    @property
    def part(self) -> GraftingPartition:
        """Who plays where."""
        whole: GraftingPartition = self.game.partitions[self.way]
        return whole if self.experts is None else whole.only(self.experts)

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
        first = list(self.game.abstractions)[:JUDGES]
        return [name for name in first if name != self.base]

    def meets(self, others: Sequence[object]) -> bool:
        """Whether there are enough opponents for a table."""
        return len(others) >= max(self.tree.num_players - 1, 1)

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
        known = self.game.abstractions
        return known[self.base], known[self.abstraction]

    def plans(self, base: Strategy | None = None, store: str | None = None) -> list[Stitching]:
        """Static experts: one plan, or one for each player. To one player's experts by card the
        others' cards are no parts of the game."""
        everybody, (outside, inside) = range(self.tree.num_players), self._rules
        tables: list[tuple[Any, GraftingPartition]] = [(everybody, self.part)]
        if self.stitching != "N":
            chosen = self.players if self.stitching == "each" else [int(self.stitching) - 1]
            tables = [(i, self.part.of(i) if self.by_card else self.part) for i in chosen]
        more = {"abstraction": inside, "outside": outside, "store": store, **self._how}
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

    def stitch(
        self, tell: Tell = lambda share, text: None, store: str | None = None
    ) -> tuple[Judged, Judged]:
        """The base and the stitched strategy, judged alike; `tell` hears how far it is. `store`: a
        folder that keeps base and experts, finished or half done, to go on from there."""

        def judged(name: str, sigma: Strategy, size: int) -> Judged:
            others = [self.game.solved(other, store, self._how) for other in self.judges]
            won = earnings(sigma, others) if self.meets(others) else 0.0
            return Judged(name, sigma, size, exploitability(sigma), won)

        tell(0.0, f"the base {self.base}")
        learnt = self.game.solved(self.base, store, self._how)
        base = judged(f"base {self.base}", learnt, self.base_size())
        tell(0.3, "the experts")
        if self.static:
            made = [plan.stitch() for plan in self.plans(base.strategy, store)]
            seats = dict.fromkeys(range(self.tree.num_players), base.strategy)
            seats |= dict(zip(self.players, made, strict=False))
            stitched = seated([*seats.values()]) if self.stitching == "each" else made[0]
        else:
            outside, inside = self._rules
            stitched = dynamic_experts(
                self.tree, outside, self.part, abstraction=inside, store=store, **self._how
            ).strategy
        tell(0.7, "the judges")
        return base, judged(self.name, stitched, max(self.sizes().values()))

    @property
    def code(self) -> str:
        """A cell that does it again, bit for bit."""
        base, inside = map(rule_code, self._rules)
        if self.static:
            made = [repr(plan) for plan in self.plans()]
        else:
            more = {"abstraction": Code(inside), **self._how}
            made = [f"{code('dynamic_experts', more, 'tree', base, self.part.code)}.strategy"]
        stitched = broken(f"stitched = {made[0]}", 11)
        if self.stitching == "each":
            seats = dict.fromkeys(range(self.tree.num_players), "base")
            seats |= dict(zip(self.players, made, strict=True))
            each = [broken(f"    {one},", 8) for one in seats.values()]
            stitched = "\n".join(["stitched = wb.seated([", *each, "])"])
        others = [rule_code(self.game.abstractions[name]) for name in self.judges]

        def solved(rule: str) -> str:
            return f"{code('solve', {'abstraction': Code(rule), **self._how}, 'tree')}.strategy"

        judged, asked = "wb.exploitability(stitched)", ""
        if self.meets(others):
            judged += ", wb.earnings(stitched, others)"
            asked = f"others = [\n    {solved('rule')}\n    for rule in [{', '.join(others)}]\n]\n"
        made_of = f"tree = {code('compile_game', {}, made_again(self.tree))}"
        lines = [own_game(self.tree) + made_of, broken(f"base = {solved(base)}", 16), stitched]
        return "\n".join(["import workbench as wb\n", *lines, f"{asked}print({judged})"])


def _need(what: str, value: str, known: list[str]) -> None:
    if value not in known:
        raise unknown_name(what, value, known)
