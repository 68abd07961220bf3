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
from dataclasses import dataclass, fields, replace
from tempfile import TemporaryDirectory
from typing import Any

from workbench.games.words import Words
from workbench.lab.html import NOTHING, Html, bar, bold, quiet, signed, status, table
from workbench.lab.text import number as shown
from workbench.lab.widgets.controls import (
    Fold,
    Ticks,
    caption,
    choose,
    column,
    number,
    place,
    relist,
    row,
)
from workbench.lab.widgets.forms import need_options
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.pictures import draw_partition
from workbench.lab.widgets.stitching_recipe import (
    STITCHINGS,
    Ground,
    Judged,
    StitchingRecipe,
    ground_of,
    grounds,
)
from workbench.rules import Rules
from workbench.solvers.registry import list_solvers
from workbench.strategy import Strategy

STITCHING = [
    ("static, S = N: everybody", "N"),
    ("static, S = {i}: each alone", "each"),
    ("static, S = {1}: player 1", "1"),
    ("static, S = {2}: player 2", "2"),
    ("dynamic: all in one", "dynamic"),
]
DROPPED = [
    ("count, however small", "count"),
    ("are dropped; then uniform", "uniform"),
    ("are dropped; then the base", "base"),
    ("count; the base trembles (1 %)", "tremble"),
]
LEFTOVERS = (
    "Leftovers are probabilities of the base below a hundredth, where learning has not ended. They "
    "decide what experts learn where the base hardly ever goes: see lecture 09."
)


@dataclass(frozen=True, eq=False)
class Stitched:
    """A recipe and what became of it."""

    recipe: StitchingRecipe
    store: str = ""  # a folder that keeps what is half done
    base: Judged | None = None
    stitched: Judged | None = None
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.recipe.name

    @property
    def code(self) -> str:
        return self.recipe.code

    @property
    def game(self) -> str:
        return str(self.recipe.game.label)

    @property
    def reached(self) -> str:
        return "all experts" if self.stitched else ""

    def settled(self) -> Stitched:
        return self

    def work(self, job: Job) -> Stitched:
        began = time.perf_counter()
        base, stitched = self.recipe.stitch(job.tell, self.store)
        taken = time.perf_counter() - began
        return replace(self, base=base, stitched=stitched, seconds=taken)


class StitchingForm:
    """Controls that make a recipe; `heard` is called when they make another one. The choices depend
    on each other: Kuhn has no second round, and experts by card have other names."""

    def __init__(self, recipe: StitchingRecipe) -> None:
        wide: dict[str, Any] = {"width": "27em", "label_width": "8.5em"}
        change = self._changed
        self.heard: Callable[[], None] = lambda: None
        self._setting = True
        self.grounds: dict[str, Ground] = {recipe.game.label: recipe.game, **grounds()}
        self.game = choose("Game", list(self.grounds), "game", self._fit, **wide)
        self.base = choose("Base", [recipe.base], "base", change, **wide)
        self.stitching = choose("Stitching", STITCHING, "stitching", change, **wide)
        self.leftovers = choose("Leftovers", DROPPED, "leftovers", change, **wide)
        self.leftovers.tooltip = LEFTOVERS
        self.way = choose("Experts by", [recipe.way], "way", self._fit, **wide)
        self.abstraction = choose("Inside experts", [], "inside", change, **wide)
        self.solver = choose("Solver", list_solvers(), "solver", change, **wide)
        self.iterations = number("Iterations", recipe.iterations, "iterations", change, **wide)
        self.seed = number("Seed", recipe.seed, "seed", change, **wide)
        self.experts = Ticks("expert", change)
        left = column(self.game, self.base, self.stitching, self.leftovers)
        right = column(self.way, self.abstraction, self.solver, self.iterations, self.seed)
        experts = row(caption("Experts"), self.experts.view)
        self.view = column(row(left, right, align="flex-start"), experts)
        self.put(recipe)

    @property
    def ground(self) -> Ground:
        return self.grounds[self.game.value]

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        said = {field.name: getattr(self, field.name).value for field in fields(StitchingRecipe)}
        said["game"] = self.ground
        if said["experts"] == self.experts.names:
            said["experts"] = None
        return StitchingRecipe(**said)

    def put(self, recipe: StitchingRecipe) -> None:
        self._setting = True
        self.game.value = recipe.game.label
        self._list_choices()
        for field in fields(recipe):
            if field.name not in ("game", "experts"):
                getattr(self, field.name).value = getattr(recipe, field.name)
        self._show_experts(recipe.experts)

    def _fit(self) -> None:
        """Another game or way: other choices."""
        if not self._setting:
            self._setting = True
            self._list_choices()
            self._show_experts(None)

    def _list_choices(self) -> None:
        names, ways = self.ground.abstractions, list(self.ground.partitions)
        known = [("null: forget nothing" if name == "null" else name, name) for name in names]
        for control, options in ((self.base, known), (self.abstraction, known), (self.way, ways)):
            relist(control, options)

    def _show_experts(self, ticked: Any) -> None:
        self.experts.show(self.ground.partitions[self.way.value].names, ticked)
        self._setting = False
        self._changed()

    def _changed(self) -> None:
        if not self._setting:
            self.leftovers.disabled = self.stitching.value == "dynamic"
            self.heard()


class StitchingExplorer(TrialPanel):
    verb, does = "Solve", "Make this strategy"
    keeps, lost = (
        "End this; Solve goes on",
        "Stopped. Solve with the same choices goes on from here.",
    )
    noun, listed, follows = "row", "chosen", False

    def __init__(
        self,
        game: str | Rules = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        base: str = "",
        stitching: Any = "N",
        way: str = "",
        experts: tuple[str, ...] | list[str] | None = None,
        abstraction: str = "null",
        leftovers: Any = "count",
        solver: str = "cfr+",
        iterations: int = 1000,
        seed: int = 0,
    ) -> None:
        recipe = StitchingRecipe(
            ground_of(game, need_options(options)), base, stitching, way, experts, abstraction,
            leftovers, solver, iterations, seed,
        )  # fmt: skip
        super().__init__("Stitching explorer", "stitching-explorer", folded=True)
        self.choice = StitchingForm(recipe)
        self._kept = TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        self.solve, self.solve_button = self.start, self.start_button
        again = "Set the controls as for this row"
        (self.again_button,) = self.make_buttons(("Use again", "again", self.use_again, again, ""))
        self.picture, self.sizes, self.table = place("parts"), place("sizes"), self.shown
        self.looking = place("looking")
        self.chooser.children = (self.chosen, self.again_button, self.remove_button)
        self.lay_out(
            self.choice.view,
            row(self.solve_button, self.stop_button, self.bar.view, self.looking),
            self.message, self.table, self.chooser,
            Fold("Who plays where?", "parts", self.picture, open=True).view,
            Fold("How large is each part?", "sizes", self.sizes).view,
            self.code_box.view, message=False,
        )  # fmt: skip
        self.choice.heard = self.edited
        self.edited()
        self.show_idle()

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        return self.choice.recipe

    @property
    def results(self) -> list[Stitched]:
        """What is finished, in the order of the table."""
        return self.done

    @property
    def strategies(self) -> dict[str, Strategy]:
        """name -> strategy: the bases and what was stitched onto them, the latest of a name."""
        made = [one.base for one in self.done] + [one.stitched for one in self.done]
        return {one.name: one.strategy for one in made}

    def new_trial(self) -> Stitched:
        return Stitched(self.recipe, self._kept.name)

    def edited(self) -> None:
        """Something else was chosen: show its code, its parts and its sizes."""
        self.act(self._look)()
        self.show_code()

    def _look(self) -> None:
        recipe = self.recipe

        def work(job: Job) -> tuple[str, str]:
            job.tell(None, "counting")
            sizes = sizes_table(recipe)
            job.tell(None, "drawing")
            title = f"{recipe.tree.name}: who plays where? ({STITCHINGS[recipe.stitching]})"
            return draw_partition(recipe.owned, title, by_card=recipe.by_card), sizes

        def show(progress: Progress) -> None:
            self.looking.value = status(quiet(f"{progress.text} …"))

        def done(outcome: Outcome) -> None:
            self.looking.value = ""
            if outcome.value is not None:
                self.picture.value, self.sizes.value = outcome.value

        self.run(work, show=show, done=done, lane="look")

    def use_again(self) -> None:
        self.choice.put(self.trials[self.chosen.index].recipe)

    def set_buttons(self) -> None:
        super().set_buttons()
        self.again_button.disabled = not self.trials
        self.chooser.layout.display = "" if self.trials else "none"

    def shown_as(self) -> Html:
        return results_table(self.done)

    def close(self) -> None:
        super().close()
        self._kept.cleanup()

    def still(self) -> Html:
        """What is chosen, who owns what, and the results so far."""
        return NOTHING.join([self.picture.value, self.sizes.value, super().still()])


def sizes_table(recipe: StitchingRecipe) -> Html:
    """Who owns how much, and how much must be computed for it."""
    owned, sizes = recipe.owned.sizes(), recipe.sizes()
    rows: list[list[Any]] = [["base", owned["base"], recipe.base_size()]]
    for name in recipe.part.names:
        one = sizes.get(name, 0)  # one player's experts may be some of them
        computed = one if recipe.static else f"{shown(sizes['dynamic'])} (all in one)"
        rows.append([name, owned[name], computed])
    return table(rows, "Information sets", head=("part", "sets it owns", "sets in its computation"))


def results_table(results: list[Any]) -> Html:
    """Stitched strategies beside their bases."""
    if not results:
        return quiet("Stitched strategies will stand here.")
    worst = max(max(one.base.exploitability, one.stitched.exploitability) for one in results)
    rows: list[list[Any]] = []
    kinds: dict[int, str] = {}
    known = set()
    for k, one in enumerate(results, 1):
        recipe = one.recipe
        where = f"{recipe.solver}, {recipe.iterations:,}"
        base = recipe.game.label, recipe.base, where, recipe.seed
        if base not in known:
            known.add(base)
            kinds[len(rows)] = "quiet"
            rows.append([*_cells(one.base.name, one.base, None, worst), where, ""])
        name = Html("{}: {}").format(k, bold(one.stitched.name))
        rows.append([*_cells(name, one.stitched, one.base, worst), where, shown(one.seconds, 1)])
    units = dict.fromkeys(
        Words(one.recipe.tree.rules).unit for one in results if one.recipe.tree.rules
    )
    judges = dict.fromkeys(name for one in results for name in one.recipe.judges)
    seats = "both" if all(one.recipe.tree.num_players == 2 for one in results) else "all"
    words = (
        f"Thousandths of a {' or '.join(units)}. Sets: in the largest computation. Wins: against "
        f"the other bases alone ({', '.join(judges)}), {seats} seats"
    )
    head = (
        "strategy", "sets", "exploitability", "change", "wins from bases", "change", "solver",
        "seconds",
    )  # fmt: skip
    return table(rows, words, head=head, kinds=kinds)


def _cells(name: Any, stitched: Judged, base: Judged | None, worst: float) -> list[Any]:
    loses, wins = 1000 * stitched.exploitability, 1000 * stitched.earnings
    share = stitched.exploitability / worst if worst else 0.0
    more = base and signed(loses - 1000 * base.exploitability, 1)
    better = base and signed(wins - 1000 * base.earnings, 1)
    return [name, stitched.size, bar(share, shown(loses, 1)), more, signed(wins, 1), better]
