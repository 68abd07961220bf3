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

from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

from workbench.games.words import Words
from workbench.lab.html import NOTHING, Html, bar, bold, quiet, signed, status, table
from workbench.lab.text import number as shown
from workbench.lab.widgets.controls import Fold, Ticks, caption, choose, column, place, relist, row
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.pictures import draw_partition
from workbench.lab.widgets.stitching_recipe import (
    STITCHINGS,
    Judged,
    StitchingRecipe,
    abstractions_of,
    partitions_of,
    tree_of,
)
from workbench.rules import Rules
from workbench.solvers.base import Solver
from workbench.solvers.registry import find_solver, solver_name
from workbench.strategy import Strategy
from workbench.tree import GameTree

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
SET = ("base", "stitching", "leftovers", "way", "abstraction", "iterations", "seed")
LEFTOVERS = (
    "Leftovers are probabilities of the base below a hundredth, where learning has not ended. They "
    "decide what experts learn where the base hardly ever goes: see lecture 09."
)


class StitchingExplorer(TrialPanel):
    verb, does = "Solve", "Make this strategy"
    keeps, lost = (
        "End this; Solve goes on",
        "Stopped. Solve with the same choices goes on from here.",
    )
    noun, listed, follows = "row", "chosen", False

    def __init__(
        self,
        game: str | Rules | GameTree = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        base: str = "",
        stitching: Any = "N",
        way: str = "",
        experts: tuple[str, ...] | list[str] | None = None,
        abstraction: str = "null",
        leftovers: Any = "count",
        solver: str | Solver = "cfr+",
        iterations: int = 1000,
        seed: int = 0,
    ) -> None:
        super().__init__("Stitching explorer", "stitching-explorer", folded=True)
        self._setting = False  # the controls, by _fit
        wide: dict[str, Any] = {"width": "27em", "label_width": "8.5em"}
        self.ask(game, options, solver, iterations, seed, **wide)
        self._compiled: tuple[Any, Any] = None, None  # of which game, and its tree
        recipe = StitchingRecipe(
            self.tree, base, stitching, way, experts, abstraction, leftovers, solver, iterations,
            seed,
        )  # fmt: skip
        change = self.edited
        self.base = choose("Base", [], "base", change, **wide)
        self.stitching = choose("Stitching", STITCHING, "stitching", change, **wide)
        self.leftovers = choose("Leftovers", DROPPED, "leftovers", change, **wide)
        self.leftovers.tooltip = LEFTOVERS
        self.way = choose("Experts by", [], "way", self._fit, **wide)
        self.abstraction = choose("Inside experts", [], "inside", change, **wide)
        self.experts = Ticks("expert", change)
        self._kept = TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        self.solve, self.solve_button = self.start, self.start_button
        again = "Set the controls as for this row"
        (self.again_button,) = self.make_buttons(("Use again", "again", self.use_again, again, ""))
        self.picture, self.sizes, self.table = place("parts"), place("sizes"), self.shown
        self.looking = place("looking")
        self.chooser.children = (self.chosen, self.again_button, self.remove_button)
        how = column(
            self.base, self.stitching, self.leftovers, self.way, self.abstraction, self.iterations,
            self.seed,
        )  # fmt: skip
        self.lay_out(
            row(column(self.game.view, self.solver.view), how, align="flex-start"),
            row(caption("Experts"), self.experts.view),
            row(self.solve_button, self.stop_button, self.bar.view, self.looking),
            self.message, self.table, self.chooser,
            Fold("Who plays where?", "parts", self.picture, open=True).view,
            Fold("How large is each part?", "sizes", self.sizes).view,
            self.code_box.view, message=False,
        )  # fmt: skip
        self._fit(recipe)
        self.game.on_change(self.act(self._fit))
        self.show_idle()

    @property
    def results(self) -> list[StitchingRecipe]:
        """What is finished, in the order of the table."""
        return self.done

    @property
    def strategies(self) -> dict[str, Strategy]:
        """name -> strategy: the bases and what was stitched onto them, the latest of a name."""
        made = [one.alone for one in self.done] + [one.stitched for one in self.done]
        return {one.name: one.strategy for one in made}

    # ---- what is asked for -----------------------------------------------------------

    @property
    def tree(self) -> GameTree:
        """Of the game that is chosen, compiled once."""
        if self._compiled[0] != self.game.state:
            self._compiled = self.game.state, tree_of(self.game.rules)
        found: GameTree = self._compiled[1]
        return found

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        ticked = self.experts.value
        return StitchingRecipe(
            self.tree, self.base.value, self.stitching.value, self.way.value,
            None if ticked == self.experts.names else ticked, self.abstraction.value,
            self.leftovers.value, find_solver(self.solver.value, self.solver.options),
            self.iterations.value, self.seed.value, self._kept.name,
            (self.game.state, self.solver.state),
        )  # fmt: skip

    def new_trial(self) -> StitchingRecipe:
        return self.recipe

    def _fit(self, recipe: StitchingRecipe | None = None) -> None:
        """List what fits the game and the way: Kuhn has no second round, and experts by card have
        other names. With a recipe the controls are set as it says."""
        if self._setting:
            return
        self._setting = True
        try:
            if recipe and recipe.controls:
                self.game.state, self.solver.state = recipe.controls
            names, ways = abstractions_of(self.tree), partitions_of(self.tree)
            known = [("null: forget nothing" if name == "null" else name, name) for name in names]
            relist(self.base, known)
            relist(self.abstraction, known)
            relist(self.way, list(ways))
            for name in SET if recipe else ():
                getattr(self, name).value = getattr(recipe, name)
            self.experts.show(ways[self.way.value].names, recipe.experts if recipe else None)
        finally:
            self._setting = False
        self.edited()

    def use_again(self) -> None:
        self._fit(self.trials[self.chosen.index])

    def edited(self) -> None:
        """Something else was chosen: show its code, its parts and its sizes."""
        if not self._setting:
            self.leftovers.disabled = self.stitching.value == "dynamic"
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
        name = Html("{}: {}").format(k, bold(one.stitched.name))
        rows.append([*_cells(name, one.stitched, one.alone, worst), where, shown(one.seconds, 1)])
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


def _cells(name: Any, stitched: Judged, base: Judged | None, worst: float) -> list[Any]:
    loses, wins = 1000 * stitched.exploitability, 1000 * stitched.earnings
    share = stitched.exploitability / worst if worst else 0.0
    more = base and signed(loses - 1000 * base.exploitability, 1)
    better = base and signed(wins - 1000 * base.earnings, 1)
    return [name, stitched.size, bar(share, shown(loses, 1)), more, signed(wins, 1), better]
