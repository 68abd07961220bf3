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
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from workbench.games.words import Words
from workbench.lab.html import NOTHING, Html, bar, bold, quiet, signed, status, table
from workbench.lab.text import number
from workbench.lab.widgets.controls import CodeBox, Fold, ProgressBar, choose, place, row
from workbench.lab.widgets.forms import need_options
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import draw_partition
from workbench.lab.widgets.stitching_form import StitchingForm
from workbench.lab.widgets.stitching_recipe import STITCHINGS, Judged, StitchingRecipe, game_name
from workbench.rules import GameError, Rules
from workbench.strategy import Strategy


class Result(NamedTuple):
    """A recipe and what became of it."""

    recipe: StitchingRecipe
    base: Judged
    stitched: Judged
    seconds: float

    @property
    def sewn(self) -> Judged:
        """What version 0.1 called `stitched`."""
        return self.stitched


class StitchingExplorer(Panel):
    """Stitch strategies together."""

    stops_unseen = True

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
        sewing: Any = None,  # what version 0.1 called `stitching`
    ) -> None:
        game, how = game_name(game, need_options(options)), sewing or stitching
        recipe = StitchingRecipe(
            game, base, how, way, experts, abstraction, leftovers, solver, iterations, seed
        )
        super().__init__("Stitching explorer", "stitching-explorer")
        self.choice = StitchingForm(recipe)
        self.results: list[Result] = []
        self._solving = False
        self._kept = TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        buttons = self.make_buttons(
            ("Solve", "solve", self.solve, "Make this strategy", "primary"),
            ("Stop", "stop", self.stop, "End this; Solve goes on", "danger"),
            ("Use again", "again", self.use_again, "Set the controls as for this row", ""),
            ("Remove", "remove", self.remove, "Take this row away", ""),
        )
        self.solve_button, self.stop_button, self.again_button, self.remove_button = buttons
        self.chosen = choose("Row", [], "chosen", width="28em", label_width="3em")
        self.bar, self.code_box = ProgressBar(), CodeBox(folded=True)
        self.picture, self.sizes, self.table = place("parts"), place("sizes"), place("results")
        self.looking = place("looking")
        self.chooser = row(self.chosen, self.again_button, self.remove_button)
        self.lay_out(
            self.choice.view,
            row(self.solve_button, self.stop_button, self.bar.view, self.looking),
            self.message, self.table, self.chooser,
            Fold("Who plays where?", "parts", self.picture, open=True).view,
            Fold("How large is each part?", "sizes", self.sizes).view,
            self.code_box.view, message=False,
        )  # fmt: skip
        self.choice.heard = self._changed
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
            self.say(str(error))
            self.code_box.value = f"# {error}"
            return
        self.say("")
        self.code_box.value = recipe.code

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
            base, stitched = recipe.stitch(job.tell, self._kept.name)
            return Result(recipe, base, stitched, time.perf_counter() - began)

        self.run(work, show=self.bar.show, done=self._done)

    def _done(self, outcome: Outcome) -> None:
        if outcome.value is not None:
            self.results.append(outcome.value)
        elif not outcome.error:
            self.say("Stopped. Solve with the same choices goes on from here.", "note")
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
        """name -> strategy: the bases and what was stitched onto them, the latest of a name."""
        made = [one.base for one in self.results] + [one.stitched for one in self.results]
        return {one.name: one.strategy for one in made}

    def _show_results(self) -> None:
        self.stop_button.disabled, self.solve_button.disabled = True, False
        self.again_button.disabled = self.remove_button.disabled = not self.results
        self.chooser.layout.display = "" if self.results else "none"
        self.chosen.options = [
            (f"{k}: {result.stitched.name}", k - 1) for k, result in enumerate(self.results, 1)
        ]
        if self.results:
            self.chosen.value = len(self.results) - 1
        self.table.value = results_table(self.results)

    def close(self) -> None:
        """Stop the work and take the panel off the page."""
        super().close()
        self._kept.cleanup()

    def still(self) -> Html:
        """What is chosen, who owns what, and the results so far."""
        parts = [
            self.picture.value,
            self.sizes.value,
            self.table.value if self.results else NOTHING,
        ]
        code = Html("<details><summary>What Solve does, as code</summary><pre>{}</pre></details>")
        return NOTHING.join([*parts, code.format(self.code_box.value)])

    def show_off(self) -> None:
        if not self.results:
            self.solve()


def sizes_table(recipe: StitchingRecipe) -> Html:
    """Who owns how much, and how much must be computed for it."""
    owned, sizes = recipe.owned.sizes(), recipe.sizes()
    rows: list[list[Any]] = [["base", owned["base"], recipe.base_size()]]
    for name in recipe.part.names:
        one = sizes.get(name, 0)  # one player's experts may be some of them
        computed = one if recipe.static else f"{number(sizes['dynamic'])} (all in one)"
        rows.append([name, owned[name], computed])
    return table(rows, "Information sets", head=("part", "sets it owns", "sets in its computation"))


def results_table(results: list[Result]) -> Html:
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
        base = recipe.game, recipe.base, where, recipe.seed
        if base not in known:
            known.add(base)
            kinds[len(rows)] = "quiet"
            rows.append([*_cells(one.base.name, one.base, None, worst), where, ""])
        name = Html("{}: {}").format(k, bold(one.stitched.name))
        rows.append([*_cells(name, one.stitched, one.base, worst), where, number(one.seconds, 1)])
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
    return [name, stitched.size, bar(share, number(loses, 1)), more, signed(wins, 1), better]
