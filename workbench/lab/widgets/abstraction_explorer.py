"""The abstraction explorer: forget something, see what is left, and pay for it.

    explorer = wb.widgets.AbstractionExplorer("leduc", abstraction="JQ-K")
    explorer

Choose a published abstraction or build one: merge cards by ticking, combine the rules of the Toepen
thesis, ask for a number of buckets, or let a program sort poker hands into buckets, with a picture
of which went together (of Hold'em the 13 × 13 chart, before the flop or on a board). At once you
see how many information sets remain and which ones were merged. Start solves the abstract game; two
marks show what it promises and what it really costs, and the next abstraction is drawn below.
`explorer.abstraction` and `explorer.runs` are the results.

Each way to build one is a form, which shows its controls and turns them into a *plan*: the rule,
and the Python that makes it. What a game offers, its rules say: `abstractions`, `rank_names`, ….

>>> explorer = AbstractionExplorer("kuhn", iterations=200)
>>> explorer.wait(), explorer.abstraction
(True, Abstraction 'ranks' of 'kuhn': 12 -> 12 infosets)
>>> explorer.way["J", "Q"].value = True
>>> explorer.wait(), explorer.abstraction
(True, Abstraction 'JQ' of 'kuhn': 12 -> 8 infosets)
>>> explorer.close()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple, cast

import numpy as np
from ipywidgets import Stack

from workbench.abstraction import clustering
from workbench.abstraction.abstraction import (
    Abstraction,
    Rule,
    abstract,
    list_abstractions,
    merged_table,
    name_of,
    named_rules,
    steps_of,
)
from workbench.compiling import compile_game, treeless
from workbench.games.merge_cards import boards_of, merge_cards, ranks_of
from workbench.games.words import listed
from workbench.lab.code import Plan
from workbench.lab.html import NOTHING, Html, quiet, show, status, table
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.gaps import plot_gaps
from workbench.lab.plots.hand_chart import plot_bucket_chart
from workbench.lab.plots.hand_map import plot_hand_map
from workbench.lab.text import number
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.forms import SettingsForm, spoken
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.live_panel import Trial, TrialPanel
from workbench.lab.widgets.pictures import Drawing, figure, plotted
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.poker.strength.hand_signals import is_card_game, need_card_game
from workbench.poker.strength.holdem_tables import tables_kept
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.runs.solve import solve
from workbench.settings import code, need_whole, options_of
from workbench.solvers.base import Solver
from workbench.tree import GameTree, form_of, hands_unlisted, has_form

SIZE = 7.6, 3.4  # inches
LONG = 60  # letters of a cell; the rest is left out
WHOLE = "nothing: the whole game"
METRICS = [
    ("how often they win, E[HS]", "ehs"),
    ("the square of it, E[HS²]", "ehs2"),
    ("where they lead (potential)", "potential"),
]
FORGET = {"recall": "imperfect"}
PERCENTILE = {"metric": "ehs2", "method": "percentile"}
HOLDEM: dict[str, tuple[int, dict[str, Any]]] = {  # buckets before the flop, if not k
    "E[HS²], remembered": (0, PERCENTILE),
    "E[HS²] after 169, forgotten": (169, PERCENTILE | FORGET),
    "E[HS] by k-means, forgotten": (0, {"metric": "ehs"} | FORGET),
    "potential, forgotten": (0, {"metric": "potential"} | FORGET),
}
WIDE = "22.8em"  # of a list with long names
LATE: Any = {"continuous_update": False, "width": WIDE}  # building takes longer than a drag
MAP, CHART = (5.6, 3.6), (5.2, 5.4)  # inches


@dataclass(eq=False)
class AbstractionForm:
    """Controls by name, and the plan that they make of a `tree`, which is compiled by then.

    `pictured`: what the picture is of, where hands are drawn; such a form needs no tree.
    """

    title: str
    controls: Mapping[Any, Any]
    plan: Callable[[Any], Plan]
    busy: str = "building"  # what is said while a plan is made
    pictured: Callable[[], str] = str
    picture: Callable[[Any], Html] = lambda buckets: NOTHING  # which hands went together

    def __getitem__(self, name: Any) -> Any:
        return self.controls[name]


Changed = Callable[[], None]  # called when somebody sets a control


def _named(changed: Changed, names: list[str], chosen: str) -> AbstractionForm:
    """One of the abstractions that the game brings along."""
    names = [WHOLE, *names, *([chosen] if chosen not in names else [])]
    listed = [(spoken(one), one) for one in names]
    name = ui.choose("Abstraction", listed, "named", changed, value=chosen, width=WIDE)

    def plan(tree: Any) -> Plan:
        return Plan(None if name.value == WHOLE else name.value)

    return AbstractionForm("published", {"name": name}, plan)


def _steps(changed: Changed, kind: Any, chosen: dict[str, Any]) -> AbstractionForm:
    """A name made in steps, such as a way to see suits, then one of the rules of the thesis."""
    form = SettingsForm(changed)
    form.fill(kind, chosen)
    title = getattr(kind, "title", "in steps")
    return AbstractionForm(title, form.controls, lambda _: Plan(kind(**form.options).name or None))


def _cards(changed: Changed, game: Rules | GameTree) -> AbstractionForm:
    """Ranks merged by ticking pairs: any two of a small deck, neighbours of a larger one."""
    ranks = ranks_of(game)
    ticks = {
        (a, b): ui.switch(f"{a} and {b} look alike", False, f"merge-{a}{b}", changed)
        for a, b in (combinations(ranks, 2) if len(ranks) <= 4 else pairwise(ranks))
    }
    words = {"pair": "pair or not", "rank": "its rank", "group": "its group"}
    known = boards_of(game)
    boards = [(words[one], one) for one in known or ["pair"]]
    board = ui.choose("Of the board", boards, "board", changed)
    board.layout.display = "" if known else "none"

    def plan(tree: Any) -> Plan:
        group: dict[str, tuple[str, ...]] = {rank: (rank,) for rank in ranks}
        for (a, b), tick in ticks.items():  # ranks may be joined through others
            if tick.value and group[a] != group[b]:
                joined = tuple(sorted(group[a] + group[b], key=ranks.index))
                group.update(dict.fromkeys(joined, joined))
        groups = [joined for joined in dict.fromkeys(group.values()) if len(joined) > 1]
        made = merge_cards(*groups, board=board.value)
        return Plan(made, f"rule = {made!r}\n")

    return AbstractionForm("merged cards", {**ticks, "board": board}, plan)


def _sizes(least: int, most: int) -> list[tuple[str, int]]:
    """Numbers of buckets to choose from, closer together where they are small."""
    sizes: list[int] = np.unique(np.geomspace(least, most, 40).round().astype(int)).tolist()
    return [(f"{size:,}", size) for size in sizes]


def _nearest(sizes: list[tuple[str, int]], wanted: float) -> int:
    return min((size for _, size in sizes), key=lambda size: abs(size - wanted))


def _buckets(changed: Changed) -> AbstractionForm:
    """As many buckets as the slider says, of sets that a trained strategy finds alike."""
    fitted = ""  # the tree whose sizes the slider has; none while it gets them
    tenth = [("a tenth", 0)]
    count = ui.slide("Buckets", tenth, "buckets", lambda: changed() if fitted else None, **LATE)
    trained = ui.number("Training iterations", 100, "trained", changed, label_width="9.5em")
    known: dict[tuple[str, int], clustering.Strength] = {}

    def fit(tree: GameTree) -> None:
        """As many buckets as this game can have."""
        nonlocal fitted
        fitted, least = "", abstract(tree, clustering.decision_kinds(tree)).coarse.num_infosets
        sizes = _sizes(least, max(tree.num_infosets, least))
        count.options, count.value = sizes, _nearest(sizes, tree.num_infosets / 10)
        fitted = tree.fingerprint

    def plan(tree: Any) -> Plan:
        if tree.fingerprint != fitted:
            fit(tree)
        iterations = need_whole("training iterations", trained.value)
        if (key := (tree.fingerprint, iterations)) not in known:
            learnt = solve(tree, iterations=iterations, progress=False, checkpoints=iterations)
            known[key] = clustering.strength(learnt.strategy)
        asked = {"buckets": count.value}
        made = code("cluster", asked, "game", code("abstraction.strength", {}, "trained"))
        return Plan(
            clustering.cluster(tree, known[key], **asked),
            f"trained = {code('solve', {'iterations': iterations}, 'game')}.strategy\n"
            f"rule = {made}\n",
            needs_tree=True,
        )

    return AbstractionForm("buckets", {"count": count, "trained": trained}, plan)


def _hands(changed: Changed, redraw: Changed, rules: Any) -> AbstractionForm:
    """Hands in as many buckets as the slider says, by what they are worth; `redraw` is called when
    another picture of them is asked for."""
    most = tuple(one.num_classes for one in need_card_game(rules))  # for each round
    tip = "Which hands share a bucket"
    metric = ui.choose("Alike by", METRICS, "metric", changed, tooltip=tip, width=WIDE)
    sizes = _sizes(2, most[-1])
    at = _nearest(sizes, most[0] ** 2)
    count = ui.slide("Buckets", sizes, "buckets", changed, value=at, **LATE)
    rounds = [(f"round {r}", r - 1) for r in range(1, len(most) + 1)]
    round = ui.choose("Picture of", rounds, "round", redraw, value=min(1, len(rounds) - 1))

    def plan(tree: Any) -> Plan:
        """The first round keeps what it can, the last has as many buckets as wanted."""
        last = int(count.value)
        wanted = np.geomspace(min(most[0], last), last, len(most)).round().astype(int).tolist()
        asked = {"buckets": tuple(map(min, wanted, most)), "metric": metric.value}
        found = cluster_hands(tree.rules, **asked)
        named = HandBuckets(found.rules, found.rounds, f"{metric.value} {found.name}")
        return Plan(named, f"rule = {code('cluster_hands', asked, 'game')}\n")

    def picture(buckets: Any) -> Html:
        return plotted(MAP, plot_hand_map, buckets, round=round.value)

    controls = {"metric": metric, "count": count, "round": round}
    return AbstractionForm(
        "found automatically", controls, plan, pictured=lambda: str(round.label), picture=picture
    )


def _holdem_hands(changed: Changed, redraw: Changed, rules: Any) -> AbstractionForm:
    """The ways of Hold'em, where nobody lists hands: k buckets a round, and a chart of them."""
    if rules.players != 2:
        raise GameError(
            f"the explorer knows {rules.name!r} with two players; with three, "
            "wb.cluster_hands makes buckets and wb.plots.plot_bucket_chart shows them"
        )
    tip = (
        "What puts hands into one bucket: percentiles of E[HS²], k-means of E[HS] or "
        "where they may lead; are buckets of earlier rounds remembered?"
    )
    metric = ui.choose("Alike by", list(HOLDEM), "metric", changed, tooltip=tip, width=WIDE)
    k = "Buckets of each round: k"
    count = ui.slide("k", range(2, 7), "buckets", changed, value=3, tooltip=k, **LATE)
    board = ui.text(
        "Picture on", "", "round", redraw, placeholder="before the flop", **LATE,
        tooltip="A flop such as Qh Jh 2c; nothing: before the flop",
    )  # fmt: skip
    wrong, shown = ui.place("wrong", display="none", width=WIDE), ""  # and the board of the chart

    def plan(tree: Any) -> Plan:
        if not tables_kept():
            raise GameError(
                "how strong hands are is not counted yet: run `workbench tables holdem` in a "
                "terminal, half a minute, and choose again"
            )
        k, (first, how) = int(count.value), HOLDEM[metric.value]
        asked = {"buckets": (first or k, k, k, k), **how}
        made = f"rule = {code('cluster_hands', asked, 'game')}\n"
        return Plan(cluster_hands(tree.rules, **asked), made)

    def picture(buckets: Any) -> Html:
        """The chart on the board that is typed; while that makes no sense, on the one before."""
        nonlocal shown
        said = NOTHING
        try:
            drawn = plotted(CHART, plot_bucket_chart, buckets, board.value)
            shown = board.value
        except GameError as error:
            drawn = plotted(CHART, plot_bucket_chart, buckets, shown)
            said = Html('<div class="wb-said error" role="alert">{}</div>').format(error)
        wrong.value, wrong.layout.display = said, "" if said else "none"
        return drawn

    controls = {"metric": metric, "count": count, "round": board, "wrong": wrong}
    return AbstractionForm(
        "found automatically", controls, plan,
        busy="sorting hands into buckets; new ones take a minute",
        pictured=lambda: board.value or "before the flop", picture=picture,
    )  # fmt: skip


def _own(rule: Rule) -> AbstractionForm:
    """A rule that was given to the panel."""
    said = ui.place("own", show(f"The rule {name_of(rule)!r}, as it was given."))
    plan = Plan(rule, "# rule: the abstraction that was given to the panel\n")
    return AbstractionForm("your own", {"own": said}, lambda tree: plan)


def ways_of(
    game: Rules | GameTree, abstraction: str | Rule | None, changed: Changed, redraw: Changed
) -> list[AbstractionForm]:
    """The ways that fit a game, the one for a given abstraction first."""
    ways: list[AbstractionForm] = []
    name = abstraction if isinstance(abstraction, str) else None
    if isinstance(abstraction, str):
        named_rules(game, abstraction)  # refuses unknown names
    elif abstraction is not None:
        ways.append(_own(abstraction))
    rules = getattr(game, "rules", game)
    if hands_unlisted(rules) or treeless(rules):  # the others need a tree
        kind = _holdem_hands if hands_unlisted(rules) else _hands
        return [*ways, kind(changed, redraw, rules)]
    buckets = getattr(rules, "bucket_names", ())  # of hands: `_hands` makes them
    steps, names = steps_of(game), [one for one in list_abstractions(game) if one not in buckets]
    made = _choices(steps, name) if steps and name else {}
    if made is None or (names and not steps):
        telling = [one for one in names if one != "null"] or names
        ways.append(_named(changed, names, name or telling[0]))
    if steps:
        ways.append(_steps(changed, steps, made or {}))
    if ranks_of(game):
        ways.append(_cards(changed, game))
    if is_card_game(rules):
        ways.insert(0 if has_form(rules) else len(ways), _hands(changed, redraw, rules))
    return [*ways, _buckets(changed)]


def _choices(steps: Any, name: str) -> dict[str, Any] | None:
    """The choices that make this name; None if no choices do."""
    all_choices = product(*(option.choices for option in options_of(steps)))
    return next((asdict(made) for one in all_choices if (made := steps(*one)).name == name), None)


# ---- the panel ---------------------------------------------------------------------


class Built(NamedTuple):
    """What the controls have become."""

    plan: Plan
    tree: GameTree
    abstraction: Abstraction | None  # None: nothing is forgotten


class AbstractionExplorer(TrialPanel):
    lines = False  # but two marks
    drawing: Drawing
    kept = "size", "merged"

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
        self.ask(game, options, solver)
        self.ask_fields(Experiment, {"iterations": iterations, "seed": seed})
        self.built: Built | None = None
        self.when[self.start_button] = lambda: self.built and not self.busy()
        self.ways: dict[str, AbstractionForm] = {}
        self.kind = ui.choose("Build it", [], "way", self._other_way, width=WIDE)
        self._controls, self.size, self.merged = Stack(), ui.place("size"), ui.place("merged")
        hint = "Two marks for each abstraction that is solved will stand here."
        self.drawing = Drawing("bars", SIZE, hint)
        self._family: Any = None  # what the ways depend on
        self._listing = False
        self._list_ways(abstraction)
        left = ui.column(self.game.view, self.kind, self._controls)
        right = ui.column(self.size, self.merged, **ui.BESIDE)
        below = ui.row(
            ui.column(self.solver.view, self.form.view),
            ui.column(self.buttons, self.bar.view, self.chooser, flex="1 1 24em"),
            align="flex-start",
        )
        self.lay_out(
            ui.row(left, right, align="flex-start"), ui.caption("What does it cost?"), below,
            self.drawing.view, self.ticks.view, self.shown, self.code_box.view, message=False,
        )  # fmt: skip
        self.show_idle()
        self._build()

    @property
    def way(self) -> AbstractionForm:
        return self.ways[self.kind.value]

    @property
    def abstraction(self) -> Abstraction | None:
        """What is built now; None while it is being built, and if nothing is forgotten."""
        return self.built.abstraction if self.built else None

    def new_trial(self) -> Trial:
        if self.built is None:
            raise GameError("the abstraction is not built yet")
        tree: Any = self.built.tree
        plan = self.built.plan
        if form_of(tree):
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
        self._controls.children = [ui.column(*way.controls.values()) for way in ways]
        self._listing = True
        ui.relist(self.kind, list(self.ways))
        self._listing, self._controls.selected_index = False, self.kind.index
        for view in before:
            ui.close(view)

    def other_game(self) -> None:
        self.act(self._list_ways)()
        self._build()

    def _other_way(self) -> None:
        if not self._listing:
            self._controls.selected_index = self.kind.index
            self._build()

    def _build(self) -> None:
        """Build in the background; a later wish replaces an earlier one."""
        if "build" in self.jobs:
            self.jobs["build"].close()  # from now on it says nothing more
        self.built = None
        self.act(self._begin_building)()

    def _begin_building(self) -> None:
        self.size.value = ""
        way, game = self.way, Experiment(self.game.value, options=self.game.options)
        self.size.value = status(quiet("building …"))

        def work(job: Job) -> tuple[Built, Html]:
            job.tell(None, way.busy)
            tree: Any = game.problem().tree
            if form_of(tree) and not way.pictured():
                tree = compile_game(cast("Rules", tree.rules))
            plan = way.plan(tree)
            job.tell(None, "abstracting")
            made: Any = None
            if plan.rule is not None:
                made = tree.abstraction(plan.rule) if form_of(tree) else abstract(tree, plan.rule)
            built = Built(plan, tree, made)
            return built, _size(built)

        self.run(work, show=ui.telling(self.size), done=self._has_built, lane="build")

    def _has_built(self, outcome: Outcome) -> None:
        found = None if outcome.error else outcome.value
        self.built, self.size.value = found or (None, NOTHING)
        if found is None:
            self.merged.value = NOTHING
        self.show_code()
        self._redraw()

    def _redraw(self) -> None:
        """A picture of what is built, or a table; while it is being built, nothing."""
        way, built = self.way, self.built

        def drawn() -> None:
            if self.built is built is not None:
                self.merged.value = way.picture(built.plan.rule) or _merged(built)

        if built is not None:
            if way.pictured():
                self.merged.value = status(quiet(f"drawing the picture: {way.pictured()} …"))
            self.later(drawn)

    # ---- showing ---------------------------------------------------------------------

    def draw(self, *, live: bool = False) -> None:
        if not self.drawing.begin(live=live):
            return
        gaps = self._gaps()
        if not gaps:
            self.drawing.clear()
            return
        drawn, units = figure(*SIZE, "constrained"), {trial.unit for trial in self.trials}
        plot_gaps(gaps, drawn.add_subplot(), unit=units.pop() if len(units) == 1 else "")
        self.drawing.paint(drawn, describe(drawn))

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
    if never := getattr(ab, "uncovered", 0):
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
    if built.abstraction and isinstance(built.plan.rule, clustering.ClusterRule):  # "c f 84"
        found["remembered"] = found["remembered"].map(_bucket_name)
    for name in ("remembered", "merged"):
        words = found[name]
        found[name] = words.mask(words.str.len() > LONG, words.str[: LONG - 1] + "…")
    return table(found, "The largest merged information sets")
