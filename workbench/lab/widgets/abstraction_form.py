"""Ways to build an abstraction: by name, in steps, by ticking cards, by hands, by buckets.

A *way* shows its controls and turns them into a *plan*: the rule, and the Python that makes it.
What a game offers is said by its rules: `abstractions`, `abstraction_steps`, `rank_names`.

>>> from workbench.games.registry import load_game
>>> [way.title for way in ways_of(load_game("toepen"))]
['thesis rules', 'buckets']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import (
    Rule,
    abstract,
    list_abstractions,
    name_of,
    named_rules,
    steps_of,
)
from workbench.abstraction.clustering import Strength, cluster, decision_kinds, strength
from workbench.compiling import LARGEST
from workbench.games.merge_cards import boards_of, merge_cards, ranks_of
from workbench.lab.code import Plan
from workbench.lab.html import Html, show
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.hand_chart import plot_bucket_chart
from workbench.lab.plots.hand_map import plot_hand_map
from workbench.lab.widgets.controls import choose, column, number, place, slide, switch, text
from workbench.lab.widgets.forms import Form, meaning
from workbench.lab.widgets.pictures import figure, painted
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.poker.strength.hand_signals import is_card_game, need_card_game
from workbench.poker.strength.holdem_tables import tables_kept
from workbench.rules import GameError, Rules
from workbench.runs.solve import solve
from workbench.settings import code, need_whole, options_of
from workbench.tree import GameTree, form_of, hands_unlisted

NOTHING = "nothing: the whole game"
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
MAP = 5.6, 3.6  # inches


@dataclass(eq=False)
class Way:
    """Controls by name, and the plan that they make of a `tree`, which is compiled by then.

    `pictured`: what the picture is of, where hands are drawn; such a way needs no tree.
    """

    title: str
    controls: Mapping[Any, Any]
    plan: Callable[[Any], Plan]
    view: Any = None
    busy: str = "building"  # what is said while a plan is made
    pictured: Callable[[], str] = str
    picture: Callable[[Any], Html] = lambda buckets: Html()  # which hands went together

    def __post_init__(self) -> None:
        self.view = self.view or column(*self.controls.values())

    def __getitem__(self, name: Any) -> Any:
        return self.controls[name]


Changed = Callable[[], None]  # called when somebody sets a control


def _named(changed: Changed, names: list[str], chosen: str) -> Way:
    """One of the abstractions that the game brings along."""
    names = [NOTHING, *names, *([chosen] if chosen not in names else [])]
    name = choose("Abstraction", names, "named", changed, value=chosen)

    def plan(tree: Any) -> Plan:
        return Plan(None if name.value == NOTHING else name.value)

    return Way("published", {"name": name, "meaning": meaning(name)}, plan)


def _steps(changed: Changed, kind: Any, chosen: dict[str, Any]) -> Way:
    """A name made in steps, such as a way to see suits, then one of the rules of the thesis."""
    form = Form(changed)
    form.fill(kind, chosen)
    title = getattr(kind, "title", "in steps")
    return Way(
        title, form.controls, lambda tree: Plan(kind(**form.options).name or None), form.view
    )


def _cards(changed: Changed, game: Rules | GameTree) -> Way:
    """Ranks merged by ticking pairs: any two of a small deck, neighbours of a larger one."""
    ranks = ranks_of(game)
    ticks = {
        (a, b): switch(f"{a} and {b} look alike", False, f"merge-{a}{b}", changed)
        for a, b in (combinations(ranks, 2) if len(ranks) <= 4 else pairwise(ranks))
    }
    words = {"pair": "pair or not", "rank": "its rank", "group": "its group"}
    known = boards_of(game)
    boards = [(words[one], one) for one in known or ["pair"]]
    board = choose("Of the board", boards, "board", changed)
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

    return Way("merged cards", {**ticks, "board": board}, plan)


def _counted(options: list[Any], changed: Changed, **more: Any) -> Any:
    """A slider for the number of buckets; its label says how many."""

    def moved() -> None:
        made.description = f"{made.value:,} buckets"
        changed()

    made = slide(
        "Buckets", options, "buckets", moved, readout=False, continuous_update=False,
        label_width="8em", **more,
    )  # fmt: skip
    return made


def _sizes(least: int, most: int) -> list[int]:
    """Numbers of buckets to choose from, closer together where they are small."""
    found: list[int] = np.unique(np.geomspace(least, most, 40).round().astype(int)).tolist()
    return found


def _buckets(changed: Changed) -> Way:
    """As many buckets as the slider says, of sets that a trained strategy finds alike."""
    fitted = ""  # the tree whose sizes the slider has; none while it gets them
    count = _counted([("a tenth", 0)], lambda: changed() if fitted else None)
    trained = number("Training iterations", 100, "trained", changed, label_width="9.5em")
    known: dict[tuple[str, int], Strength] = {}

    def fit(tree: GameTree) -> None:
        """As many buckets as this game can have."""
        nonlocal fitted
        fitted, least = "", abstract(tree, decision_kinds(tree)).coarse.num_infosets
        sizes = _sizes(least, max(tree.num_infosets, least))
        count.options = [(f"{size:,}", size) for size in sizes]
        count.value = min(sizes, key=lambda size: abs(size - tree.num_infosets / 10))
        fitted = tree.fingerprint

    def plan(tree: Any) -> Plan:
        if tree.fingerprint != fitted:
            fit(tree)
        iterations = need_whole("training iterations", trained.value)
        if (key := (tree.fingerprint, iterations)) not in known:
            learnt = solve(tree, iterations=iterations, progress=False, checkpoints=iterations)
            known[key] = strength(learnt.strategy)
        asked = {"buckets": count.value}
        made = code("cluster", asked, "game", code("abstraction.strength", {}, "trained"))
        return Plan(
            cluster(tree, known[key], **asked),
            f"trained = {code('solve', {'iterations': iterations}, 'game')}.strategy\n"
            f"rule = {made}\n",
            needs_tree=True,
        )

    return Way("buckets", {"count": count, "trained": trained}, plan)


def _hands(changed: Changed, redraw: Changed, rules: Any) -> Way:
    """Hands in as many buckets as the slider says, by what they are worth; `redraw` is called when
    another picture of them is asked for."""
    most = tuple(one.num_classes for one in need_card_game(rules))  # for each round
    tip = "Which hands share a bucket"
    metric = choose("Alike by", METRICS, "metric", changed, tooltip=tip, width=WIDE)
    sizes = _sizes(2, most[-1])
    at = min(sizes, key=lambda size: abs(size - most[0] ** 2))
    count = _counted([(f"{size:,}", size) for size in sizes], changed, value=at)
    count.description = f"{at:,} buckets"
    rounds = [(f"round {r}", r - 1) for r in range(1, len(most) + 1)]
    round = choose("Picture of", rounds, "round", redraw, value=min(1, len(rounds) - 1))

    def plan(tree: Any) -> Plan:
        """The first round keeps what it can, the last has as many buckets as wanted."""
        last = int(count.value)
        wanted = np.geomspace(min(most[0], last), last, len(most)).round().astype(int).tolist()
        asked = {"buckets": tuple(map(min, wanted, most)), "metric": metric.value}
        found = cluster_hands(tree.rules, **asked)
        named = HandBuckets(found.rules, found.rounds, f"{metric.value} {found.name}")
        return Plan(named, f"rule = {code('cluster_hands', asked, 'game')}\n")

    def picture(buckets: Any) -> Html:
        drawn, sizes = figure(*MAP), buckets.sizes(round.value)
        plot_hand_map(buckets, drawn.add_subplot(), round=round.value)
        drawn.set_layout_engine("constrained")
        return painted(
            drawn,
            f"Round {round.value + 1}: {len(sizes):,} buckets, the largest with {sizes.max():,} of "
            f"{sizes.sum():,} hands; equal numbers went together.",
        )

    controls = {"metric": metric, "count": count, "round": round}
    return Way(
        "found automatically", controls, plan, pictured=lambda: str(round.label), picture=picture
    )


def _holdem_hands(changed: Changed, redraw: Changed, rules: Any) -> Way:
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
    metric = choose("Alike by", list(HOLDEM), "metric", changed, tooltip=tip, width=WIDE)
    count = slide(
        "k", list(range(2, 7)), "buckets", changed, value=3, continuous_update=False,
        tooltip="Buckets of each round: k",
    )  # fmt: skip
    board = text(
        "Picture on", "", "round", redraw, placeholder="before the flop",
        tooltip="A flop such as Qh Jh 2c; nothing: before the flop", continuous_update=False,
    )  # fmt: skip
    wrong, shown = place("wrong", display="none", width=WIDE), ""  # and the board of the chart

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
        drawn, said = figure(5.2, 5.4), Html()
        try:
            ax = plot_bucket_chart(buckets, board.value, drawn.add_subplot())
            shown = board.value
        except GameError as error:
            drawn = figure(5.2, 5.4)
            ax = plot_bucket_chart(buckets, shown, drawn.add_subplot())
            said = Html('<div class="wb-said error" role="alert">{}</div>').format(error)
        wrong.value, wrong.layout.display = said, "" if said else "none"
        drawn.set_layout_engine("constrained")
        return painted(drawn, describe(ax))

    controls = {"metric": metric, "count": count, "round": board, "wrong": wrong}
    return Way(
        "found automatically", controls, plan,
        busy="sorting hands into buckets; new ones take a minute",
        pictured=lambda: board.value or "before the flop", picture=picture,
    )  # fmt: skip


def _own(rule: Rule) -> Way:
    """A rule that was given to the panel."""
    said = place("own", show(f"The rule {name_of(rule)!r}, as it was given."))
    plan = Plan(rule, "# rule: the abstraction that was given to the panel\n")
    return Way("your own", {"own": said}, lambda tree: plan)


def ways_of(
    game: Rules | GameTree,
    abstraction: str | Rule | None = None,
    changed: Changed = lambda: None,
    redraw: Changed = lambda: None,
) -> list[Way]:
    """The ways that fit a game, the one for a given abstraction first."""
    ways: list[Way] = []
    name = abstraction if isinstance(abstraction, str) else None
    if isinstance(abstraction, str):
        named_rules(game, abstraction)  # refuses unknown names
    elif abstraction is not None:
        ways.append(_own(abstraction))
    rules = getattr(game, "rules", game)
    if (form := form_of(rules)) and form.num_histories > LARGEST:  # the others need a tree
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
        ways.insert(0 if form else len(ways), _hands(changed, redraw, rules))
    return [*ways, _buckets(changed)]


def _choices(steps: Any, name: str) -> dict[str, Any] | None:
    """The choices that make this name; None if no choices do."""
    all_choices = product(*(option.choices for option in options_of(steps)))
    return next((asdict(made) for one in all_choices if (made := steps(*one)).name == name), None)
