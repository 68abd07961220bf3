"""The stitching explorer: sew fine parts into a coarse plan, and see what it is worth.

    explorer = wb.widgets.StitchingExplorer("leduc", base="JQ-K", sewing="N")
    explorer

Choose the base's abstraction, the experts and how fine they see, and S: whose decisions outside the
part follow the base while an expert learns. "Leftovers" are base probabilities below a hundredth:
they decide what experts learn where the base hardly ever goes. At once you see who owns which part
of the tree and how large each expert's game is. Solve makes the strategy and puts it into the table
beside its base: exploitability, and earnings against the bases of other abstractions, both in
thousandths of an ante. `explorer.strategies` are the results.

>>> explorer = StitchingExplorer("kuhn", iterations=100)
>>> explorer.solve_button.click()
>>> explorer.wait()
True
>>> list(explorer.strategies)
['base JQ-K', 'S = N: b, pb']
>>> explorer.close()
"""

from __future__ import annotations

import time
from dataclasses import fields
from html import escape

import ipywidgets as widgets

from workbench.experiments import stitching_pieces as pieces
from workbench.experiments.stitching_recipe import StitchingRecipe
from workbench.rules import GameError
from workbench.solvers import list_solvers
from workbench.strategy import Strategy
from workbench.widgets.background import Job, Outcome
from workbench.widgets.code import CodeBox
from workbench.widgets.panel import Panel
from workbench.widgets.partition_picture import draw_partition
from workbench.widgets.progress_bar import ProgressBar
from workbench.widgets.sewn_tables import Result, results_table, sizes_table
from workbench.widgets.sight import CSS
from workbench.widgets.style import button, caption, choose, number, row, say, tag
from workbench.widgets.ticks import Ticks

__all__ = ["StitchingExplorer"]

SEWING = [
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
]


class StitchingExplorer(Panel):
    """Sew strategies together; the first lines of this file say how."""

    def __init__(
        self,
        game: str = "leduc",
        *,
        base: str = "JQ-K",
        sewing: str = "N",
        way: str = "first bet",
        experts: tuple[str, ...] | list[str] | None = None,
        abstraction: str = "null",
        leftovers: str = "count",
        solver: str = "cfr+",
        iterations: int = 1000,
        seed: int = 0,
    ) -> None:
        given = StitchingRecipe(
            game, base, sewing, way, None if experts is None else tuple(experts), abstraction,
            leftovers, solver, iterations, seed,
        )  # fmt: skip
        self.results: list[Result] = []
        self._setting = self._solving = False
        wide = {"width": "27em", "label_width": "8.5em"}
        self.game = choose("Game", list(pieces.GAMES), "game", **wide)
        self.base = choose("Base", [base], "base", **wide)
        self.sewing = choose("Sewing", SEWING, "sewing", **wide)
        self.way = choose("Experts by", [way], "way", **wide)
        self.experts = Ticks("expert", self._changed)
        self.abstraction = choose("Inside experts", [abstraction], "inside", **wide)
        self.leftovers = choose("Leftovers", DROPPED, "leftovers", **wide)
        self.solver = choose("Solver", list_solvers(), "solver", **wide)
        self.iterations = number("Iterations", iterations, "iterations", **wide)
        self.seed = number("Seed", seed, "seed", **wide)
        self.solve_button = button("Solve", "solve", style="primary", tip="Make this strategy")
        self.stop_button = button("Stop", "stop", style="danger", tip="Give up")
        self.remove_button = button("Remove", "remove", tip="Take the chosen row away")
        self.chosen = choose("Back to", [], "chosen", width="30em", label_width="5em")
        self.bar, self.code_box = ProgressBar(), CodeBox()
        self.picture, self.sizes = tag(widgets.HTML(), "parts"), tag(widgets.HTML(), "sizes")
        self.table = tag(widgets.HTML(), "results")
        left = widgets.VBox([self.game, self.base, self.sewing, self.leftovers])
        right = widgets.VBox([self.way, self.abstraction, self.solver, self.iterations, self.seed])
        super().__init__(
            "Stitching explorer",
            [
                row(left, right, align="flex-start"),
                row(caption("Experts"), self.experts.view),
                self.picture,
                self.sizes,
                row(self.solve_button, self.stop_button, self.bar.view),
                self.table,
                row(self.chosen, self.remove_button),
                self.code_box.view,
            ],
            "stitching-explorer",
        )
        self._wire()
        self._put(given)
        self._show_results()

    def _wire(self) -> None:
        for control in (self.sewing, self.abstraction, self.leftovers, self.solver,
                        self.iterations, self.seed, self.base):  # fmt: skip
            control.observe(lambda change: self._changed(), "value")
        self.game.observe(lambda change: self._fit(), "value")
        self.way.observe(lambda change: self._fit(), "value")
        self.chosen.observe(self.act(self._back_to), "value")
        for pressed, action in (
            (self.solve_button, self.solve),
            (self.stop_button, self.stop),
            (self.remove_button, self.remove),
        ):
            pressed.on_click(self.act(action))

    # ---- the recipe ------------------------------------------------------------------

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        ticked = self.experts.value
        return StitchingRecipe(
            game=self.game.value,
            base=self.base.value,
            sewing=self.sewing.value,
            way=self.way.value,
            experts=None if ticked == self.experts.names else ticked,
            abstraction=self.abstraction.value,
            leftovers=self.leftovers.value,
            solver=self.solver.value,
            iterations=self.iterations.value,
            seed=self.seed.value,
        )

    def _put(self, recipe: StitchingRecipe) -> None:
        """Set the controls."""
        self._setting = True
        for field in fields(recipe):
            if field.name == "experts":
                continue
            if field.name in ("base", "abstraction"):
                self._list_choices(recipe.game)
            control, value = getattr(self, field.name), getattr(recipe, field.name)
            if field.name == "way":
                self.way.options = pieces.ways(recipe.game)
            control.value = value
        self.experts.show(pieces.partition(recipe.game, recipe.way).names, recipe.experts)
        self._setting = False
        self._changed()

    def _list_choices(self, game: str) -> None:
        for control in (self.base, self.abstraction):
            known = tuple(pieces.abstractions(game))
            if tuple(control.options) != known:
                kept = control.value
                control.options = known
                control.value = kept if kept in known else known[0]

    def _fit(self) -> None:
        """Another game or way: other choices."""
        if self._setting:
            return
        self._setting = True
        game = self.game.value
        self._list_choices(game)
        if tuple(self.way.options) != tuple(pieces.ways(game)):
            kept = self.way.value
            self.way.options = pieces.ways(game)
            self.way.value = kept if kept in self.way.options else self.way.options[0]
        self.experts.show(pieces.partition(game, self.way.value).names)
        self._setting = False
        self._changed()

    # ---- looking ---------------------------------------------------------------------

    def _changed(self) -> None:
        """Something else was chosen: show its code, its parts and its sizes."""
        if self._setting:
            return
        self.leftovers.disabled = self.sewing.value == "dynamic"
        try:
            recipe = self.recipe
        except GameError as error:
            say(self.message, str(error))
            self.code_box.value = f"# {error}"
            return
        say(self.message, "")
        self.code_box.value = recipe.code
        if not self._solving:
            self._look(recipe)

    def _look(self, recipe: StitchingRecipe) -> None:
        def work(job: Job) -> tuple[str, str]:
            def tell() -> None:
                job.tell(None, "drawing")

            tell()
            sizes = sizes_table(recipe)
            tell()
            return draw_partition(recipe, tell), sizes

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                self.picture.value, self.sizes.value = outcome.value

        self.run(work, done=done)

    # ---- solving ---------------------------------------------------------------------

    def solve(self) -> None:
        """Make the strategy and put it into the table."""
        if self._solving:
            raise GameError("a strategy is being made; stop it first")
        recipe = self.recipe
        self._solving, self._look_again = True, self.running
        self.solve_button.disabled, self.stop_button.disabled = True, False
        self.bar.begin()

        def work(job: Job) -> Result:
            began = time.perf_counter()

            def tell(share: float, text: str) -> None:
                job.tell(share, text)

            base = recipe.judged_base(tell)
            return Result(recipe, base, recipe.sew(tell), time.perf_counter() - began)

        self.run(work, show=self.bar.show, done=self._done)

    def _done(self, outcome: Outcome) -> None:
        if outcome.value is not None:
            self.results.append(outcome.value)
        elif not outcome.error:
            say(self.message, "Stopped; nothing was made.", "note")
        self._solving = False
        self.bar.end(stopped=outcome.value is None)
        self._show_results()
        self._changed_quietly()

    def _changed_quietly(self) -> None:
        """Draw what was chosen while something was solved."""
        try:
            recipe = self.recipe
        except GameError:
            return
        if self._look_again or (self.results and recipe != self.results[-1].recipe):
            self._look(recipe)

    def stop(self) -> None:
        """Give up what is under way."""
        if self._solving and self.job is not None:
            self.job.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the strategy is made, in a script."""
        while self.job is not None and self.job.running:
            if not self.job.wait(seconds):
                return False
        return True

    def remove(self) -> None:
        """Forget the chosen row."""
        if self.chosen.value is not None:
            del self.results[self.chosen.value]
            self._show_results()

    def _back_to(self) -> None:
        if not self._setting and self.chosen.value is not None:
            self._put(self.results[self.chosen.value].recipe)

    # ---- results ---------------------------------------------------------------------

    @property
    def strategies(self) -> dict[str, Strategy]:
        """name -> strategy: the bases and what was sewn onto them, the latest of a name."""
        found: dict[str, Strategy] = {}
        for result in self.results:
            found[result.base.name] = result.base.strategy
        for result in self.results:
            found[result.sewn.name] = result.sewn.strategy
        return found

    def _show_results(self) -> None:
        self.stop_button.disabled, self.solve_button.disabled = True, False
        self.remove_button.disabled = not self.results
        self._setting = True
        self.chosen.options = [
            (f"{k}: {result.sewn.name}", k - 1) for k, result in enumerate(self.results, 1)
        ]
        if self.results:
            self.chosen.value = len(self.results) - 1
        self._setting = False
        self.table.value = CSS + (
            results_table(self.results) if self.results
            else '<span class="wb-quiet">Stitched strategies will stand here.</span>'
        )  # fmt: skip

    def close(self) -> None:
        """Stop the work and take the panel off the page."""
        if not self.closed:
            self.experts.show_all()
        super().close()

    def still(self) -> str:
        """What is chosen, and the results so far."""
        return f"{self.table.value}<pre>{escape(self.code_box.value)}</pre>"
