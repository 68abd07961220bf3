"""The abstraction explorer: forget something, see what is left, and pay for it.

    explorer = wb.widgets.AbstractionExplorer("leduc", abstraction="JQ-K")
    explorer

Choose a published abstraction or build one: merge cards by ticking, combine the rules of the Toepen
thesis, or ask for a number of buckets. At once you see how many information sets remain and which
ones were merged. Start solves the abstract game; two bars show what it promises and what it really
costs, and the next abstraction is drawn below. `explorer.abstraction` and `explorer.runs` are the
results.

>>> explorer = AbstractionExplorer("kuhn", iterations=200)
>>> explorer.wait()
True
>>> explorer.abstraction
Abstraction 'ranks' of 'kuhn': 12 -> 12 infosets
>>> explorer.way.ticks["J", "Q"].value = True
>>> explorer.wait()
True
>>> explorer.abstraction
Abstraction 'JQ' of 'kuhn': 12 -> 8 infosets
>>> explorer.close()
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import ipywidgets as widgets
import pandas as pd

from workbench.abstraction.abstraction import Abstraction, abstract
from workbench.abstraction.merged_table import merged_table
from workbench.abstraction.registry import Rule
from workbench.games.merge_cards import ranks_of
from workbench.games.registry import load_game
from workbench.lab.plots.gaps import plot_gaps
from workbench.lab.plots.style import GREY
from workbench.lab.widgets.abstraction_form import Plan, Way, ways_of
from workbench.lab.widgets.forms import GameChoice
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.live_run import Trial
from workbench.lab.widgets.style import caption, choose, figure, paint, picture, row, table, tag
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.solvers.base import Solver
from workbench.tree import GameTree

SIZE = 7.6, 3.4  # inches


@dataclass(frozen=True, eq=False)
class Built:
    """What the controls have become."""

    plan: Plan
    tree: GameTree
    abstraction: Abstraction | None  # None: nothing is forgotten
    merged: pd.DataFrame


class AbstractionExplorer(TrialPanel):
    """Build abstractions and see what they cost; the first lines of this file say how."""

    colours = ()  # the bars' colours have another meaning

    def __init__(
        self,
        game: str | Rules | GameTree = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        abstraction: str | Rule | None = None,
        solver: str | Solver = "cfr+",
        iterations: int = 1000,
        seed: int = 0,
    ) -> None:
        self.make_controls(solver, iterations, seed)
        self.game = GameChoice(game, options)
        self.built: Built | None = None
        self.ways: dict[str, Way] = {}
        self.kind = choose("Build it", [], "way")
        self._controls = widgets.VBox()
        self.size = tag(widgets.HTML(), "size")
        self.merged = tag(widgets.HTML(), "merged")
        self.bars = picture("bars", width=SIZE[0], height=SIZE[1], alt="")
        self._drawn, self._took = 0.0, 0.0
        self._family: Any = None  # what the ways depend on
        self._listing = False
        self._list_ways(abstraction)
        left = widgets.VBox([self.game.view, self.kind, self._controls])
        right = widgets.VBox(
            [self.size, self.merged], layout=widgets.Layout(width="540px", max_width="100%")
        )
        top = row(left, right, align="flex-start")
        below = row(
            widgets.VBox([self.solver.view, self.iterations, self.seed]),
            widgets.VBox([self.buttons, self.bar.view, self.chooser]),
            align="flex-start",
        )
        parts = [
            top, caption("What does it cost?"), below, self.bars, self.results, self.code_box.view
        ]  # fmt: skip
        super().__init__("Abstraction explorer", parts, "abstraction-explorer")
        self.game.on_change(self._other_game)
        self.kind.observe(lambda change: self._other_way(), "value")
        self._build()

    @property
    def way(self) -> Way:
        """How the abstraction is built."""
        return self.ways[self.kind.value]

    @property
    def abstraction(self) -> Abstraction | None:
        """What is built now; None while it is being built, and if nothing is forgotten."""
        return self.built.abstraction if self.built else None

    @property
    def ready(self) -> bool:
        return self.built is not None

    def new_trial(self) -> Trial:
        if self.built is None:
            raise GameError("the abstraction is not built yet")
        plan, game = self.built.plan, self.game.code
        code, _, note = game.partition("  #")
        if plan.needs_tree:
            game = f"wb.compile_game({code})" + (f"  #{note}" if note else "")
        asked = Experiment(
            self.built.tree,
            solver=self.solver.value,
            settings=self.solver.options,
            iterations=self.iterations.value,
            seed=self.seed.value,
            abstraction=self.built.abstraction,
        )
        return Trial(asked, game, self.solver.code, plan.code, plan.setup)

    def _list_ways(self, abstraction: str | Rule | None = None) -> None:
        """The ways for this game; they stay as they are if they fit it still."""
        game, options = self.game.value, self.game.options
        rules = load_game(game, **options) if isinstance(game, str) else game
        family = (self.game.name.value, tuple(ranks_of(rules)))
        if family == self._family:
            return
        self._family = family
        self.ways = {way.title: way for way in ways_of(rules, abstraction)}
        for way in self.ways.values():
            way.on_change(self._build)
        before, self._listing = self.kind.value, True
        self.kind.options = list(self.ways)
        self.kind.value = before if before in self.ways else next(iter(self.ways))
        self._controls.children, self._listing = (self.way.view,), False

    def _other_game(self) -> None:
        self.act(self._list_ways)()
        self._build()

    def _other_way(self) -> None:
        if not self._listing:
            self._controls.children = (self.way.view,)
            self._build()

    def _build(self) -> None:
        """Build in the background; a later wish replaces an earlier one."""
        if "build" in self.jobs:
            self.jobs["build"].close()  # from now on it says nothing more
        self.built = None
        self.set_buttons()
        self.act(self._begin_building)()

    def _begin_building(self) -> None:
        self.size.value = ""
        way, game = self.way, Experiment(self.game.value, options=self.game.options)
        self.size.value = _quiet("building …")

        def work(job: Job) -> Built:
            job.tell(None, "building")
            tree = game.problem().tree
            way.fit(tree)
            plan = way.plan(tree)
            job.tell(None, "abstracting")
            ab = None if plan.rule is None else abstract(tree, plan.rule)
            empty = pd.DataFrame(columns=["player", "remembered", "sets", "merged"])
            return Built(
                plan, tree, ab, empty if ab is None else merged_table(ab, first=8, members=3)
            )

        self.run(work, show=self._building, done=self._has_built, lane="build")

    def _building(self, progress: Progress) -> None:
        self.size.value = _quiet(f"{progress.text} …")

    def _has_built(self, outcome: Outcome) -> None:
        self.built = built = None if outcome.error else outcome.value
        self.size.value = _size(built) if built else ""
        self.merged.value = _merged(built) if built else ""
        self.show_code()
        self.set_buttons()

    def still(self) -> str:
        """What is built, what it merges, and the results so far."""
        return f"{self.size.value}{self.merged.value}{super().still()}"

    def draw(self, *, live: bool = False) -> None:
        began = time.monotonic()
        if live and began - self._drawn < 4 * self._took:
            return
        gaps = self._gaps()
        drawn = figure(*SIZE)
        if not gaps:
            hint = "two bars for each abstraction that was solved"
            drawn.text(0.5, 0.5, hint, ha="center", color=GREY, fontsize=12)
            paint(self.bars, drawn, "No abstraction has been solved yet.")
            return
        names = max(len(name) for name in gaps)
        left = min(0.085 * names + 0.25, 0.55 * SIZE[0])
        drawn.subplots_adjust(left=left / SIZE[0], top=1 - 0.65 / SIZE[1])
        units = {trial.unit for trial in self.trials}
        ax = drawn.add_subplot()
        plot_gaps(gaps, ax, unit=units.pop() if len(units) == 1 else "")
        said = [f"{name}: {a:.3g} and {b:.3g}" for name, (a, b) in gaps.items()]
        paint(
            self.bars,
            drawn,
            "Exploitability in the abstract and in the real game: " + "; ".join(said) + ".",
        )
        self._drawn = time.monotonic()
        self._took = self._drawn - began

    def _gaps(self) -> dict[str, tuple[float, float]]:
        """Abstract and real exploitability of each trial that has been measured."""
        games = {trial.game.split(" [")[0] for trial in self.trials}
        gaps = {}
        for k, trial in enumerate(list(self.trials), 1):
            if len(trial.trace):
                last = trial.trace.iloc[-1]
                real = float(last["exploitability"])
                within = trial.experiment.abstraction
                name = getattr(within, "name", "the whole game")
                name = name if len(games) == 1 else f"{trial.game}"
                seems = float(last["abstract_exploitability"]) if within else real
                gaps[f"{k}: {name}"] = (seems, real)
        return gaps


def _rows(ab: Abstraction | None) -> pd.DataFrame:
    return pd.DataFrame() if ab is None else merged_table(ab, first=8, members=3)


def _quiet(words: str) -> str:
    return f'<span class="wb-quiet" role="status">{escape(words)}</span>'


def _size(built: Built) -> str:
    full, ab = built.tree, built.abstraction
    coarse = ab.coarse if ab else full
    share = 100 * coarse.num_infosets / max(full.num_infosets, 1)
    words = [
        f"<b>{full.num_infosets:,} → {coarse.num_infosets:,} information sets</b> ({share:.3g} %)",
        f"{full.num_choices:,} → {coarse.num_choices:,} choices",
    ]
    if ab and ab.uncovered:
        words.append(f"{ab.uncovered:,} sets are never reached")
    recall = (
        "Players still remember all they knew and did (perfect recall)."
        if coarse.perfect_recall
        else "Players forget what they once knew or did (imperfect recall): CFR runs without "
        "promise, and the abstract game has no exact exploitability."
    )
    return f'<div role="status">{", ".join(words)}.<br>{recall}</div>'


def _merged(built: Built) -> str:
    if built.merged.empty:
        return _quiet("No information sets were merged.")
    rows = built.merged.map(lambda value: _short(value) if isinstance(value, str) else value)
    return f'<div class="wb-scroll">{table(rows, "The largest merged information sets")}</div>'


def _short(words: str, most: int = 60) -> str:
    """
    >>> _short("abcdefgh", 5)
    'abcd…'
    """
    return words if len(words) <= most else words[: most - 1] + "…"
