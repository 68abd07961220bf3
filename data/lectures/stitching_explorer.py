"""The stitching explorer: stitch fine parts into a coarse plan, and see what it is worth.

    explorer = wb.widgets.StitchingExplorer("leduc", base="JQ-K", stitching="N")
    explorer

Choose the base's abstraction, the experts and how fine they see, and S: whose decisions outside the
part follow the base while an expert learns. "Leftovers" are base probabilities below a hundredth:
they decide what experts learn where the base hardly ever goes. At once you see who owns which part
of the tree; how large each expert's game is unfolds below it. Solve makes the strategy and puts it
into the table beside its base: exploitability, and what it wins from the bases of other
abstractions, both in thousandths of a chip, which is the ante. (The paper's earnings count those
bases' experts as opponents, too.) After Stop, Solve with the same choices goes on where it was.
`explorer.strategies` are the results.

>>> explorer = StitchingExplorer("kuhn", iterations=100)
>>> explorer.solve_button.click()
>>> explorer.wait(), list(explorer.strategies)
(True, ['base JQ-K', 'S = N: b, pb'])
>>> explorer.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from tempfile import TemporaryDirectory
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from workbench.lab.lectures.partition_plot import plot_partition

from workbench.abstraction.abstraction import abstract, list_abstractions
from workbench.compiling import compile_game, treeless
from workbench.evaluation.tournament import earnings
from workbench.evaluation.values import exploitability, seated
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.registry import given_game
from workbench.games.words import Words
from workbench.lab.code import broken, made_again, own_game, own_solver
from workbench.lab.html import Html, bar, bold, quiet, signed, table
from workbench.lab.text import number as shown
from workbench.lab.widgets.controls import Fold, Ticks, caption, column, place, relist, row, telling
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.pictures import by_the_painter, plotted
from workbench.rules import GameError, Rules
from workbench.settings import Code, Positive, Seed, check, code, unknown_name
from workbench.solvers.base import Solver, find_solver, solver_code, solver_name
from workbench.stitching.experts import Stitching
from workbench.stitching.joining import NamedRule, rule_code
from workbench.stitching.partition import (
    GraftingPartition,
    betting_experts,
    card_experts,
    first_bets,
    round_experts,
)
from workbench.strategy import Strategy
from workbench.tree import GameTree, kept

WAYS: dict[str, Callable[[GameTree], GraftingPartition]] = {  # what an expert is chosen by
    "first bet": lambda tree: betting_experts(tree, first_bets(tree)),
    "round": round_experts,  # how the second round was reached
    "card": card_experts,  # the player's own card
    "card, later": lambda tree: card_experts(tree, start=1),
}
STITCHING = {  # in a list, and in a table
    "N": ("static, S = N: everybody", "S = N"),
    "each": ("static, S = {i}: each alone", "S = {i}"),
    "1": ("static, S = {1}: player 1", "S = {1}"),
    "2": ("static, S = {2}: player 2", "S = {2}"),
    "dynamic": ("dynamic: all in one", "dynamic"),
}
LEFTOVERS: dict[str, tuple[str, str, dict[str, Any]]] = {  # where the base hardly ever goes
    "count": ("count, however small", "", {}),
    "uniform": ("are dropped; then uniform", ", tidy", {"residual": 0.01}),
    "base": (
        "are dropped; then the base", ", tidy, base plays on",
        {"residual": 0.01, "unreached": "base"},
    ),
    "tremble": ("count; the base trembles (1 %)", ", trembling", {"tremble": 0.01}),
}  # fmt: skip
SMALL, WHOLE = 200, 100  # histories: of a game with few bets, and whose whole tree can be read
JUDGES = 3  # the bases of the first abstractions: in Leduc those of the paper, null, JQ-K and J-QK


# ---- what there is to choose from ----------------------------------------------------


def tree_of(game: str | Rules | GameTree) -> GameTree:
    """The tree to stitch in."""
    rules = given_game(game, {})
    if treeless(rules):
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


class Candidate(NamedTuple):
    """A strategy and what it is worth, in the unit of the game."""

    name: str
    strategy: Strategy
    size: int  # information sets in the largest computation
    exploitability: float
    earnings: float  # against the bases of the other abstractions, from all seats
    seconds: float = 0.0


class Dynamic(Stitching):
    """Dynamic experts as a plan: base and experts in one run, in an abstraction that is fine in
    the parts."""

    @property
    def whole(self) -> Any:
        return self.mixed(self.tree, self.part, self.outside, self.abstraction)

    def sizes(self) -> dict[str, int]:
        return dict.fromkeys(self.names, abstract(self.tree, self.whole).coarse.num_infosets)

    def stitch(self) -> Any:
        return self._solved(self.tree, "everybody", abstraction=self.whole).strategy

    def code(self, base: str) -> str:
        said: dict[str, Any] = {"abstraction": Code(self._rule_code(self.abstraction, "rule"))}
        said |= {"solver": Code(solver_code(self.solver))}
        said |= {"iterations": self.iterations, "seed": self.seed}
        first = "tree", rule_code(self.outside), self.part.code
        return f"{code('dynamic_experts', said, *first)}.strategy"


@dataclass(frozen=True, eq=False)
class StitchingRecipe:
    """What is chosen, the `plans` that it means, and what has become of them. `stitching` is one of

    "dynamic"      base and experts in one abstraction that is fine in the parts
    "N"            static experts; everybody follows the base outside the part: S = N
    "each"         static experts for each player alone, S = {i}; her opponents learn with her
    "1", "2"       the same for one player; the other plays the base

    While experts with S = {i} learn, the others forget outside the part what the base forgets. If
    none is named, `base` is the game's first abstraction that forgets something, `way` its first.

    >>> recipe = StitchingRecipe("leduc", "JQ-K", "N", experts=("r", "cr"), iterations=200)
    >>> recipe.name, recipe.sizes
    ('S = N: r, cr', {'r': 186, 'cr': 186})
    """

    tree: Any = "leduc"  # or rules; as a tree from then on
    base: Annotated[str, "What the base forgets: the coarse plan for the whole game"] = ""
    stitching: Annotated[
        Literal["N", "each", "1", "2", "dynamic"],
        {name: said for name, (said, _) in STITCHING.items()},
        "S: whose decisions outside the part follow the base while an expert learns",
    ] = "N"
    leftovers: Annotated[
        Literal["count", "uniform", "base", "tremble"],
        {name: said for name, (said, *_) in LEFTOVERS.items()},
        "Leftovers are probabilities of the base below a hundredth, where learning has not ended. "
        "They decide what experts learn where the base hardly ever goes: see lecture 09.",
    ] = "count"
    way: str = ""
    abstraction: Annotated[str, "What experts forget inside their parts"] = "null"
    experts: Any = None  # names; None: all that this way knows
    solver: Any = "cfr+"
    iterations: Positive = 1000
    seed: Seed = 0
    store: str | None = None  # a folder that keeps base and experts, finished or half done
    controls: Any = None  # for a panel: how its game and its solver were set
    alone: Candidate | None = None  # the base, as it was found
    stitched: Candidate | None = None
    ended: ClassVar[bool] = True  # always measured

    def __post_init__(self) -> None:
        check(self)
        tree = tree_of(self.tree)
        known, ways = list(abstractions_of(tree)), list(partitions_of(tree))
        if not ways:
            raise GameError(f"nobody decides anything in {tree.name!r}: nothing to stitch")
        made = {"tree": tree, "base": self.base or known[:2][-1], "way": self.way or ways[0]}
        for name, value in {**made, "solver": find_solver(self.solver)}.items():
            object.__setattr__(self, name, value)
        for what, names in {"base": known, "abstraction": known, "way": ways}.items():
            if (named := getattr(self, what)) not in names:
                raise unknown_name(what, named, names)
        if not isinstance(self.experts, list | tuple | None):
            raise GameError(f"experts must be a list of names, not {self.experts!r}")
        if not self.part.names:
            raise GameError("choose at least one expert")
        if not {*self.seats} <= {*self.players}:
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
        return whole if self.experts is None else whole.only(self.experts)

    @property
    def players(self) -> list[int]:
        """Those who ever call an expert."""
        return sorted({*self.tree.infoset_player[self.part.part > 0].tolist()})

    @property
    def seats(self) -> list[int]:
        """Whose experts are made, each player's alone; of nobody if they are everybody's."""
        return {"each": self.players, "1": [0], "2": [1]}.get(self.stitching, [])

    @property
    def owned(self) -> GraftingPartition:
        """What is stitched in: the parts, or some players' share of them."""
        return self.part.of(self.seats) if self.seats else self.part

    @property
    def judges(self) -> list[str]:
        """The abstractions whose bases are played against, if they are enough for a table."""
        found = [name for name in [*abstractions_of(self.tree)][:JUDGES] if name != self.base]
        return found if len(found) >= max(self.tree.num_players - 1, 1) else []

    @property
    def by_card(self) -> bool:
        return self.way.startswith("card")

    @property
    def name(self) -> str:
        """A short name for a table."""
        inside = "" if self.abstraction == "null" else f" in {self.abstraction}"
        tidy = "" if self.stitching == "dynamic" else LEFTOVERS[self.leftovers][1]
        return f"{STITCHING[self.stitching][1]}: {', '.join(self.part.names)}{inside}{tidy}"

    @property
    def how(self) -> dict[str, Any]:
        return {"solver": self.solver, "iterations": self.iterations, "seed": self.seed}

    @cached_property
    def plans(self) -> list[Stitching]:
        """One plan, or one for each player. To one player's experts by card the others' cards are
        no parts of the game."""
        known, part, kind = abstractions_of(self.tree), self.part, Stitching
        if self.stitching == "dynamic":
            kind = Dynamic
        more = {"abstraction": known[self.abstraction], "outside": known[self.base], **self.how}
        more |= {"store": self.store, **LEFTOVERS[self.leftovers][2]}
        whose: list[Any] = [(i, part.of(i) if self.by_card else part) for i in self.seats]
        whose = whose or [(range(self.tree.num_players), part)]
        return [kind(self.tree, known[self.base], mine, who, **more) for who, mine in whose]

    @property
    def sizes(self) -> dict[str, int]:
        """Information sets in each computation: the largest of an expert."""
        found = [size for plan in self.plans for size in plan.sizes().items()]
        return {name: max(size for of, size in found if of == name) for name, _ in found}

    @property
    def base_size(self) -> int:
        """Information sets in the base's computation."""
        rule = self.plans[0].base
        return (abstract(self.tree, rule).coarse if rule else self.tree).num_infosets

    def in_seats(self, base: Any, made: list[Any]) -> list[Any]:
        """What is made for each player alone, and the base for others."""
        seats = dict.fromkeys(range(self.tree.num_players), base)
        return [*(seats | dict(zip(self.seats, made, strict=True))).values()]

    def work(self, job: Any) -> StitchingRecipe:
        """The base and the stitched strategy, judged alike; `job.tell` hears how far it is."""
        began, known, first = time.perf_counter(), abstractions_of(self.tree), self.plans[0]
        job.tell(0.0, f"the base {self.base}")
        base = first.base_strategy
        others = [replace(first, base=known[name]).base_strategy for name in self.judges]
        job.tell(0.3, "the experts")
        parts = [replace(plan, base=base).stitch() for plan in self.plans]
        stitched = seated(self.in_seats(base, parts)) if self.stitching == "each" else parts[0]
        job.tell(0.7, "the judges")

        def judged(name: str, sigma: Strategy, size: int) -> Candidate:
            won = earnings(sigma, others) if others else 0.0
            loses = exploitability(sigma)
            return Candidate(name, sigma, size, loses, won, time.perf_counter() - began)

        alone = judged(f"base {self.base}", base, self.base_size)
        made = judged(self.name, stitched, max(self.sizes.values()))
        return replace(self, alone=alone, stitched=made)

    @property
    def reached(self) -> str:
        return "all experts" if self.stitched else ""

    @property
    def code(self) -> str:
        """A cell that does it again, bit for bit: the plans, and what they are made of."""
        known, made = abstractions_of(self.tree), [plan.code("base") for plan in self.plans]
        how = {**self.how, "solver": Code(solver_code(self.solver))}

        def solved(rule: str) -> str:
            return f"{code('solve', {'abstraction': Code(rule), **how}, 'tree')}.strategy"

        stitched = broken(f"stitched = {made[0]}", 11)
        if self.stitching == "each":
            each = [broken(f"    {one},", 8) for one in self.in_seats("base", made)]
            stitched = "\n".join(["stitched = wb.seated([", *each, "])"])
        others, judged = "", "wb.exploitability(stitched)"
        if self.judges:
            rules = ", ".join(rule_code(known[name]) for name in self.judges)
            others = f"others = [\n    {solved('rule')}\n    for rule in [{rules}]\n]\n"
            judged += ", wb.earnings(stitched, others)"
        made_of = f"tree = {code('compile_game', {}, made_again(self.tree))}"
        first = own_game(self.tree) + own_solver(self.solver) + made_of
        lines = [first, broken(f"base = {solved(rule_code(known[self.base]))}", 16), stitched]
        return "\n".join(["import workbench as wb\n", *lines, f"{others}print({judged})"])


# ---- the panel -----------------------------------------------------------------------


class StitchingExplorer(TrialPanel):
    verb, does = "Solve", "Make this strategy"
    keeps, lost = (
        "End this; Solve goes on",
        "Stopped. Solve with the same choices goes on from here.",
    )
    noun, listed, follows = "row", "chosen", False
    kept = "picture", "sizes"

    def __init__(
        self,
        game: str | Rules | GameTree = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        solver: str | Solver = "cfr+",
        **settings: Any,
    ) -> None:
        """Settings: base, stitching, leftovers, way, abstraction, experts, iterations, seed."""
        super().__init__("Stitching explorer", "stitching-explorer", folded=True)
        self._setting = False  # the controls, by _fit
        self.ask(game, options, solver)
        self._compiled: tuple[Any, Any] = None, None  # of which game, and its tree
        recipe = StitchingRecipe(self.tree, solver=solver, **settings)
        labels = {"way": "Experts by", "abstraction": "Inside experts"}
        self.ask_fields(
            StitchingRecipe, vars(recipe), lists=self._known, labels=labels,
            width="27em", label_width="8.5em",
        )  # fmt: skip
        self.chosen.tooltip = "The row that Use again and Remove are about"
        self.experts = Ticks("expert", self.edited)
        self._kept = TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        tip = "Set the controls as for this row"
        again = self.make_buttons(("Use again", "again", self.use_again, tip, ""))
        self.when[again[0]] = lambda: self.trials
        self.when[self.leftovers] = lambda: self.stitching.value != "dynamic"
        self.picture, self.sizes, self.table = place("parts"), place("sizes"), self.shown
        self.looking = place("looking")
        self.chooser.children = (self.chosen, *again, self.remove_button)
        self.lay_out(
            row(column(self.game.view, self.solver.view), self.form.view, align="flex-start"),
            row(caption("Experts"), self.experts.view),
            row(self.solve_button, self.stop_button, self.bar.view, self.looking),
            self.message, self.table, self.chooser,
            Fold("Who plays where?", "parts", self.picture, open=True).view,
            Fold("How large is each part?", "sizes", self.sizes).view,
            self.code_box.view, message=False,
        )  # fmt: skip
        self._fit(recipe)
        self.edited()
        self.show_idle()

    @property
    def strategies(self) -> dict[str, Strategy]:
        """name -> strategy: the bases and what was stitched onto them, the latest of a name."""
        made = [one.alone for one in self.done] + [one.stitched for one in self.done]
        return {one.name: one.strategy for one in made}

    # ---- what is asked for -----------------------------------------------------------

    @property
    def tree(self) -> GameTree:
        """Of the game that is chosen, compiled once."""
        if self._compiled[0] != (chosen := (self.game.name.value, self.game.values)):
            self._compiled = chosen, tree_of(self.game.rules)
        found: GameTree = self._compiled[1]
        return found

    @property
    def _known(self) -> dict[str, list[Any]]:
        """What there is to choose from in this game."""
        names, ways = abstractions_of(self.tree), partitions_of(self.tree)
        forget = [("null: forget nothing" if name == "null" else name, name) for name in names]
        return {"base": forget, "abstraction": forget, "way": list(ways)}

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        ticked = self.experts.value
        return StitchingRecipe(
            self.tree, experts=None if ticked == self.experts.names else ticked,
            solver=find_solver(self.solver.value, self.solver.options), store=self._kept.name,
            controls=[(one.name.value, one.values) for one in (self.game, self.solver)],
            **self.form.values,
        )  # fmt: skip

    def new_trial(self) -> StitchingRecipe:
        return self.recipe

    def _fit(self, recipe: StitchingRecipe | None = None) -> None:
        """List what fits the game and the way: Kuhn has no second round, and experts by card have
        other names. With a recipe the controls are set as it says."""
        self._setting = True
        try:
            if recipe and recipe.controls:
                for one, before in zip((self.game, self.solver), recipe.controls, strict=True):
                    one.name.value, one.values = before
            for name, known in self._known.items():
                relist(self.form.controls[name], known)
            if recipe:
                self.form.values = {name: getattr(recipe, name) for name in self.form.controls}
            names = partitions_of(self.tree)[self.way.value].names
            if recipe or names != self.experts.names:
                self.experts.show(names, recipe.part.names if recipe else None)
        finally:
            self._setting = False

    def use_again(self) -> None:
        self._fit(self.trials[self.chosen.index])
        self.edited()

    def edited(self) -> None:
        """Something else was chosen: list what fits, show its code, its parts and its sizes."""
        if not self._setting:
            self.act(self._show_fit)()
            self.show_code()

    def _show_fit(self) -> None:
        self._fit()
        recipe = self.recipe

        def work(job: Job) -> tuple[str, str]:
            job.tell(None, "counting")
            sizes = sizes_table(recipe)
            job.tell(None, "drawing")
            title = f"{recipe.tree.name}: who plays where? ({STITCHING[recipe.stitching][1]})"
            return draw_partition(recipe.owned, title, by_card=recipe.by_card), sizes

        def done(outcome: Outcome) -> None:
            self.looking.value = ""
            if outcome.value is not None:
                self.picture.value, self.sizes.value = outcome.value

        self.run(work, show=telling(self.looking), done=done, lane="look")

    def set_buttons(self) -> None:
        super().set_buttons()
        self.chooser.layout.display = "" if self.trials else "none"

    def shown_as(self) -> Html:
        return results_table(self.done)

    def close(self) -> None:
        super().close()
        self._kept.cleanup()


@by_the_painter
def draw_partition(part: GraftingPartition, title: str, *, by_card: bool) -> str:
    """Who plays where. Bets do not tell experts by card apart, so in a large game those are one."""
    whole = by_card and part.tree.num_histories <= WHOLE
    if by_card and not whole:
        part = GraftingPartition(part.tree, (" ".join(part.names),), np.minimum(part.part, 1))
    low = part.tree.num_histories <= SMALL
    size = (8.8, 6.2) if whole else (8.6, 3.2 if low else 5.4)
    return plotted(size, plot_partition, part, bets=not whole, title=title)


def sizes_table(recipe: StitchingRecipe) -> Html:
    """Who owns how much, and how much must be computed for it."""
    owned, sizes = recipe.owned.sizes(), recipe.sizes
    rows: list[list[Any]] = [["base", owned["base"], recipe.base_size]]
    for name in recipe.part.names:
        one = sizes.get(name, 0)  # one player's experts may be some of them
        all_in_one = recipe.stitching == "dynamic"
        rows.append([name, owned[name], f"{shown(one)} (all in one)" if all_in_one else one])
    return table(rows, "Information sets", head=("part", "sets it owns", "sets in its computation"))


def results_table(results: list[Any]) -> Html:
    """Stitched strategies beside their bases."""
    if not results:
        return quiet("Stitched strategies will stand here.")
    worst = max(max(one.alone.exploitability, one.stitched.exploitability) for one in results)
    rows: list[list[Any]] = []
    kinds: dict[int, str] = {}
    known = set()
    for k, one in enumerate(results, 1):
        where = f"{solver_name(one.solver)}, {one.iterations:,}"
        base = one.game, one.base, where, one.seed
        if base not in known:
            known.add(base)
            kinds[len(rows)] = "quiet"
            rows.append([*_cells(one.alone.name, one.alone, None, worst), where, ""])
        name, seconds = Html("{}: {}").format(k, bold(one.stitched.name)), one.stitched.seconds
        rows.append([*_cells(name, one.stitched, one.alone, worst), where, shown(seconds, 1)])
    units = dict.fromkeys(Words(one.tree.rules).unit for one in results if one.tree.rules)
    judges = dict.fromkeys(name for one in results for name in one.judges)
    seats = "both" if all(one.tree.num_players == 2 for one in results) else "all"
    words = (
        f"Thousandths of a {' or '.join(units)}. Sets: in the largest computation. Wins: against "
        f"the other bases alone ({', '.join(judges)}), {seats} seats"
    )
    head = (
        "strategy", "sets", "exploitability", "change", "wins from bases", "change", "solver",
        "seconds",
    )  # fmt: skip
    return table(rows, words, head=head, kinds=kinds)


def _cells(name: Any, stitched: Candidate, base: Candidate | None, worst: float) -> list[Any]:
    loses, wins = 1000 * stitched.exploitability, 1000 * stitched.earnings
    share = stitched.exploitability / worst if worst else 0.0
    more = base and signed(loses - 1000 * base.exploitability, 1)
    better = base and signed(wins - 1000 * base.earnings, 1)
    return [name, stitched.size, bar(share, shown(loses, 1)), more, signed(wins, 1), better]
