"""The stitching explorer: sew fine parts into a coarse plan, and see what it is worth.

    explorer = wb.widgets.StitchingExplorer("leduc", base="JQ-K", sewing="N")
    explorer

Choose the base's abstraction, the experts and how fine they see, and S: whose decisions outside the
part follow the base while an expert learns. "Leftovers" are base probabilities below a hundredth:
they decide what experts learn where the base hardly ever goes. At once you see who owns which part
of the tree and how large each expert's game is. Solve makes the strategy and puts it into the table
beside its base: exploitability, and what it wins from the bases of other abstractions, both in
thousandths of an ante. (The paper's earnings count those bases' experts as opponents, too.) After
Stop, Solve with the same choices goes on where it was. `explorer.strategies` are the results.

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
from html import escape
from tempfile import TemporaryDirectory

import ipywidgets as widgets

from workbench.lab.widgets.code import CodeBox
from workbench.lab.widgets.infoset_tables import CSS
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.partition_picture import draw_partition
from workbench.lab.widgets.progress_bar import ProgressBar
from workbench.lab.widgets.recipe_choice import RecipeChoice
from workbench.lab.widgets.sewn_tables import Result, results_table, sizes_table
from workbench.lab.widgets.stitching_recipe import StitchingRecipe
from workbench.lab.widgets.style import button, choose, row, say, tag
from workbench.rules import GameError
from workbench.strategy import Strategy


class StitchingExplorer(Panel):
    """Sew strategies together; the first lines of this file say how."""

    stops_unseen = True

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
        self.choice = RecipeChoice(
            StitchingRecipe(
                game, base, sewing, way, experts, abstraction, leftovers, solver, iterations, seed,
            )
        )  # fmt: skip
        self.results: list[Result] = []
        self._solving = False
        self._kept = TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        self.solve_button = button("Solve", "solve", style="primary", tip="Make this strategy")
        self.stop_button = button("Stop", "stop", style="danger", tip="End this; Solve goes on")
        self.chosen = choose("Row", [], "chosen", width="28em", label_width="3em")
        self.again_button = button("Use again", "again", tip="Set the controls as for this row")
        self.remove_button = button("Remove", "remove", tip="Take this row away")
        self.bar, self.code_box = ProgressBar(), CodeBox()
        self.picture, self.sizes = tag(widgets.HTML(), "parts"), tag(widgets.HTML(), "sizes")
        self.table = tag(widgets.HTML(), "results")
        super().__init__(
            "Stitching explorer",
            [
                self.choice.view,
                self.picture,
                self.sizes,
                row(self.solve_button, self.stop_button, self.bar.view),
                self.table,
                row(self.chosen, self.again_button, self.remove_button),
                self.code_box.view,
            ],
            "stitching-explorer",
        )
        self.choice.on_change(self._changed)
        for pressed, action in (
            (self.solve_button, self.solve),
            (self.stop_button, self.stop),
            (self.again_button, self.use_again),
            (self.remove_button, self.remove),
        ):
            pressed.on_click(self.act(action))
        self._changed()
        self._show_results()

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        return self.choice.recipe

    # ---- looking ---------------------------------------------------------------------

    def _changed(self) -> None:
        """Something else was chosen: show its code, its parts and its sizes."""
        try:
            recipe = self.recipe
        except GameError as error:
            say(self.message, str(error))
            self.code_box.value = f"# {error}"
            return
        say(self.message, "")
        self.code_box.value = recipe.code
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

        self.run(work, done=done, lane="look")

    # ---- solving ---------------------------------------------------------------------

    def solve(self) -> None:
        """Make the strategy and put it into the table."""
        if self._solving:
            raise GameError("a strategy is being made; stop it first")
        recipe = self.recipe
        self._solving = True
        self.solve_button.disabled, self.stop_button.disabled = True, False
        self.bar.begin()

        def work(job: Job) -> Result:
            began = time.perf_counter()

            def tell(share: float, text: str) -> None:
                job.tell(share, text)

            base = recipe.judged_base(tell, self._kept.name)
            sewn = recipe.sew(tell, self._kept.name)
            return Result(recipe, base, sewn, time.perf_counter() - began)

        self.run(work, show=self.bar.show, done=self._done)

    def _done(self, outcome: Outcome) -> None:
        if outcome.value is not None:
            self.results.append(outcome.value)
        elif not outcome.error:
            say(self.message, "Stopped. Solve with the same choices goes on from here.", "note")
        self._solving = False
        self.bar.end(stopped=outcome.value is None)
        self._show_results()

    def stop(self) -> None:
        """End what is under way; what it has is kept for the next Solve."""
        if self._solving and self.job is not None:
            self.job.stop()

    def remove(self) -> None:
        """Forget the chosen row."""
        if self.chosen.value is not None:
            del self.results[self.chosen.value]
            self._show_results()

    def use_again(self) -> None:
        """Set the controls as for the chosen row."""
        if self.chosen.value is not None:
            self.choice.put(self.results[self.chosen.value].recipe)

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
        self.again_button.disabled = self.remove_button.disabled = not self.results
        self.chosen.options = [
            (f"{k}: {result.sewn.name}", k - 1) for k, result in enumerate(self.results, 1)
        ]
        if self.results:
            self.chosen.value = len(self.results) - 1
        self.table.value = CSS + (
            results_table(self.results) if self.results
            else '<span class="wb-quiet">Stitched strategies will stand here.</span>'
        )  # fmt: skip

    def close(self) -> None:
        """Stop the work and take the panel off the page."""
        if not self.closed:
            self.choice.experts.show_all()
        super().close()
        self._kept.cleanup()

    def still(self) -> str:
        """What is chosen, who owns what, and the results so far."""
        parts = f"{self.picture.value}{self.sizes.value}{self.table.value}"
        return f"{parts}<p>What Solve does, as code:</p><pre>{escape(self.code_box.value)}</pre>"
