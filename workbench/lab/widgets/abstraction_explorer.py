"""The abstraction explorer: forget something, see what is left, and pay for it.

    explorer = wb.widgets.AbstractionExplorer("leduc", abstraction="JQ-K")
    explorer

Choose a published abstraction or build one: merge cards by ticking, combine the rules of the Toepen
thesis, ask for a number of buckets, or let a program sort poker hands into buckets, with a picture
of which went together (of Hold'em the 13 × 13 chart, before the flop or on a board). At once you
see how many information sets remain and which ones were merged. Start solves the abstract game; two
marks show what it promises and what it really costs, and the next abstraction is drawn below.
`explorer.abstraction` and `explorer.runs` are the results.

>>> explorer = AbstractionExplorer("kuhn", iterations=200)
>>> explorer.wait(), explorer.abstraction
(True, Abstraction 'ranks' of 'kuhn': 12 -> 12 infosets)
>>> explorer.way["J", "Q"].value = True
>>> explorer.wait(), explorer.abstraction
(True, Abstraction 'JQ' of 'kuhn': 12 -> 8 infosets)
>>> explorer.close()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from workbench.abstraction.abstraction import (
    Abstraction,
    Rule,
    abstract,
    list_abstractions,
    merged_table,
)
from workbench.abstraction.clustering import ClusterRule
from workbench.compiling import compile_game
from workbench.games.merge_cards import ranks_of
from workbench.games.words import listed
from workbench.lab.code import Plan
from workbench.lab.html import NOTHING, Html, quiet, status, table
from workbench.lab.plots.gaps import plot_gaps
from workbench.lab.text import number
from workbench.lab.widgets.abstraction_form import WIDE, Way, ways_of
from workbench.lab.widgets.controls import (
    BESIDE,
    caption,
    choose,
    close,
    column,
    place,
    relist,
    row,
)
from workbench.lab.widgets.forms import spoken
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.live_run import Trial
from workbench.lab.widgets.pictures import Drawing, figure
from workbench.poker.engine.card_game import CardGame
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.solvers.base import Solver
from workbench.tree import GameTree

SIZE = 7.6, 3.4  # inches
LONG = 60  # letters of a cell; the rest is left out


class Built(NamedTuple):
    """What the controls have become."""

    plan: Plan
    tree: GameTree
    abstraction: Abstraction | None  # None: nothing is forgotten


class AbstractionExplorer(TrialPanel):
    lines = False  # but two marks

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
        super().__init__("Abstraction explorer", "abstraction-explorer")
        self.ask(game, options, solver, iterations, seed)
        self.built: Built | None = None
        self.ways: dict[str, Way] = {}
        self.kind = choose("Build it", [], "way", self._other_way, width=WIDE)
        self._controls, self.size, self.merged = column(), place("size"), place("merged")
        hint = "Two marks for each abstraction that is solved will stand here."
        self._bars = Drawing("bars", SIZE, hint)
        self.bars = self._bars.view
        self._family: Any = None  # what the ways depend on
        self._listing = self._stale = False  # stale: another picture was asked for meanwhile
        self._list_ways(abstraction)
        left = column(self.game.view, self.kind, self._controls)
        right = column(self.size, self.merged, **BESIDE)
        below = row(
            column(self.solver.view, self.iterations, self.seed),
            column(self.buttons, self.bar.view, self.chooser, flex="1 1 24em"),
            align="flex-start",
        )
        self.lay_out(
            row(left, right, align="flex-start"), caption("What does it cost?"), below, self.bars,
            self.ticks.view, self.results, self.code_box.view, message=False,
        )  # fmt: skip
        self.show_idle()
        self.game.on_change(self._other_game)
        self._build()

    @property
    def way(self) -> Way:
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
        tree: Any = self.built.tree
        plan = self.built.plan
        if isinstance(tree, CardGame):
            return self.trial_of(tree.rules, {}, plan.rule, plan)
        return self.trial_of(tree, {}, self.built.abstraction, plan)

    # ---- building --------------------------------------------------------------------

    def _list_ways(self, abstraction: str | Rule | None = None) -> None:
        """The ways for this game; they stay as they are if they fit it still."""
        rules = self.game.rules
        family = self.game.name.value, ranks_of(rules), list_abstractions(rules)
        if family == self._family:
            return
        self._family, before = family, self._controls.children
        ways = ways_of(rules, abstraction, self._build, self._redraw)
        self.ways = {way.title: way for way in ways}
        self._controls.children = [way.view for way in self.ways.values()]
        self._listing = True
        relist(self.kind, list(self.ways))
        self._listing = False
        self._show_way()
        for view in before:
            close(view)

    def _show_way(self) -> None:
        for way in self.ways.values():
            way.view.layout.display = "" if way is self.way else "none"

    def _other_game(self) -> None:
        self.act(self._list_ways)()
        self._build()

    def _other_way(self) -> None:
        if not self._listing:
            self._show_way()
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
        self.size.value, self._stale = status(quiet("building …")), False

        def work(job: Job) -> tuple[Built, str, str]:
            job.tell(None, way.busy)
            tree: Any = game.problem().tree
            if isinstance(tree, CardGame) and not way.pictured():
                tree = compile_game(cast("Rules", tree.rules))
            plan = way.plan(tree)
            job.tell(None, "abstracting")
            built = Built(plan, tree, _abstraction(tree, plan.rule))
            return built, _size(built), way.picture(plan.rule) or _merged(built)

        def show(progress: Progress) -> None:
            self.size.value = status(quiet(f"{progress.text} …"))

        self.run(work, show=show, done=self._has_built, lane="build")

    def _redraw(self) -> None:
        """Another picture of what is built; nothing else changes."""
        way, built = self.way, self.built

        def drawn() -> None:
            if self.built is built is not None:
                self.merged.value = way.picture(built.plan.rule)

        self._stale = built is None  # then when it is built
        if built is not None and way.pictured():
            self.merged.value = status(quiet(f"drawing the picture: {way.pictured()} …"))
            self.later(drawn)

    def _has_built(self, outcome: Outcome) -> None:
        found = None if outcome.error else outcome.value
        self.built, self.size.value, self.merged.value = found or (None, "", "")
        self.show_code()
        self.set_buttons()
        if self._stale:
            self._redraw()

    # ---- showing ---------------------------------------------------------------------

    def still(self) -> Html:
        """What is built, what it merges, and the results so far."""
        return NOTHING.join([self.size.value, self.merged.value, super().still()])

    def drawn_as(self) -> Html:
        return Html(self.bars.value)

    def draw(self, *, live: bool = False) -> None:
        if not self._bars.begin(live=live):
            return
        gaps = self._gaps()
        if not gaps:
            self._bars.clear()
            return
        drawn = figure(*SIZE)
        left = min(0.085 * max(map(len, gaps)) + 0.25, 0.55 * SIZE[0])
        drawn.subplots_adjust(left=left / SIZE[0], top=1 - 0.65 / SIZE[1])
        units = {trial.unit for trial in self.trials}
        plot_gaps(gaps, drawn.add_subplot(), unit=units.pop() if len(units) == 1 else "")
        said = "; ".join(f"{name}: {number(a)} and {number(b)}" for name, (a, b) in gaps.items())
        self._bars.paint(drawn, f"Exploitability in the abstract and in the real game: {said}.")

    def _gaps(self) -> dict[str, tuple[float, float]]:
        """Abstract and real exploitability of each trial that has been measured."""
        one = len({trial.given.name for trial in self.trials}) == 1
        gaps = {}
        for k, trial in self.drawn:
            for last in trial.trace.to_dict("records")[-1:]:
                real, within = last["exploitability"], trial.experiment.abstraction
                name = spoken(getattr(within, "name", "the whole game")) if one else trial.game
                gaps[f"{k}: {name}"] = (last["abstract_exploitability"] if within else real, real)
        return gaps


def _abstraction(tree: Any, rule: Any) -> Any:
    if isinstance(tree, CardGame):
        return tree.abstraction(rule)
    return None if rule is None else abstract(tree, rule)


def _bucket_name(label: str) -> str:
    """
    >>> _bucket_name("c f 84"), _bucket_name("c f r 3")
    ('bucket 84 of those who choose from c and f', 'bucket 3 of those who choose from c, f and r')
    """
    *actions, number = label.split(" ")
    return f"bucket {number} of those who choose from {listed(actions)}"


def _size(built: Built) -> Html:
    full, ab = built.tree, built.abstraction
    coarse = ab.coarse if ab else full
    share = 100 * coarse.num_infosets / max(full.num_infosets, 1)
    sets = f"{full.num_infosets:,} → {coarse.num_infosets:,} information sets"
    words = [
        f"<b>{sets}</b> ({number(share)} %)",
        f"{full.num_choices:,} → {coarse.num_choices:,} choices",
    ]
    never: int = getattr(ab, "uncovered", 0)
    if never:
        words.append(f"{never:,} sets are never reached")
    recall = "Players still remember all they knew and did (perfect recall)."
    if not coarse.perfect_recall:
        recall = (
            "Players forget what they once knew or did (imperfect recall): CFR has no "
            "guarantee here, and the abstract game has no exact exploitability."
        )
    return Html(f'<div role="status">{", ".join(words)}.<br>{recall}</div>')


def _merged(built: Built) -> Html:
    found = merged_table(built.abstraction, first=8, members=3) if built.abstraction else None
    if found is None or found.empty:
        return quiet("No information sets were merged.")
    if built.abstraction and isinstance(built.plan.rule, ClusterRule):  # "c f 84"
        found["remembered"] = found["remembered"].map(_bucket_name)
    for name in ("remembered", "merged"):
        words = found[name]
        found[name] = words.mask(words.str.len() > LONG, words.str[: LONG - 1] + "…")
    return table(found, "The largest merged information sets")
