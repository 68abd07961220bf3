"""Ways to build an abstraction: by name, in steps, by ticking cards, by hands, by buckets.

A *way* shows its controls and turns them into a *plan*: the rule, and the Python that makes it.
What a game offers is said by its rules: `abstractions`, `abstraction_steps`, `rank_names`.

>>> from workbench.games.registry import load_game
>>> [way.title for way in ways_of(load_game("toepen"))]
['thesis rules', 'buckets']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.clustering import Strength, cluster, decision_kinds, strength
from workbench.abstraction.registry import Rule, list_abstractions, name_of, named_rules, steps_of
from workbench.compiling import LARGEST
from workbench.form import form_of, hands_unlisted
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
from workbench.tree import GameTree

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


class AbstractionForm:
    """Controls and the plan they make; they are given what to call when somebody sets them."""

    title = ""
    busy = "building"  # what is said while a plan is made
    view: Any

    @property
    def pictured(self) -> str:
        """What the picture is of, where hands are drawn; such a way needs no tree."""
        return ""

    def plan(self, tree: Any) -> Plan:
        """What the controls say, in the background: of a `tree` that is compiled by now."""
        raise NotImplementedError

    def picture(self, buckets: Any) -> Html:
        """Which hands went together, where there are hands to be drawn."""
        return Html()


class Named(AbstractionForm):
    """One of the abstractions that the game brings along."""

    title = "published"

    def __init__(self, changed: Callable[[], None], names: list[str], chosen: str) -> None:
        names = [NOTHING, *names, *([chosen] if chosen not in names else [])]
        self.name = choose("Abstraction", names, "named", changed, value=chosen)
        self.view = column(self.name, meaning(self.name))

    def plan(self, tree: Any) -> Plan:
        return Plan(None if self.name.value == NOTHING else self.name.value)


class Steps(AbstractionForm):
    """A name made in steps, such as a way to see suits, then one of the rules of the thesis."""

    def __init__(self, changed: Callable[[], None], kind: Any, chosen: dict[str, Any]) -> None:
        self.title = getattr(kind, "title", "in steps")
        self.form = Form(changed)
        self.form.fill(kind, chosen)
        self.controls, self.view = self.form.controls, self.form.view

    def plan(self, tree: Any) -> Plan:
        return Plan(self.form.kind(**self.form.options).name or None)


class Cards(AbstractionForm):
    """Ranks merged by ticking pairs: any two of a small deck, neighbours of a larger one."""

    title = "merged cards"

    def __init__(self, changed: Callable[[], None], game: Rules | GameTree) -> None:
        self.ranks = ranks_of(game)
        pairs = combinations(self.ranks, 2) if len(self.ranks) <= 4 else pairwise(self.ranks)
        self.ticks = {
            (a, b): switch(f"{a} and {b} look alike", False, f"merge-{a}{b}", changed)
            for a, b in pairs
        }
        words = {"pair": "pair or not", "rank": "its rank", "group": "its group"}
        known = boards_of(game)
        boards = [(words[one], one) for one in known or ["pair"]]
        self.board = choose("Of the board", boards, "board", changed)
        self.board.layout.display = "" if known else "none"
        self.view = column(*self.ticks.values(), self.board)

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The ranks that the ticks join, directly or through others; lowest first."""
        group: dict[str, tuple[str, ...]] = {rank: (rank,) for rank in self.ranks}
        for (a, b), tick in self.ticks.items():
            if tick.value and group[a] != group[b]:
                joined = tuple(sorted(group[a] + group[b], key=self.ranks.index))
                group.update(dict.fromkeys(joined, joined))
        return [ranks for ranks in dict.fromkeys(group.values()) if len(ranks) > 1]

    def plan(self, tree: Any) -> Plan:
        made = merge_cards(*self.groups, board=self.board.value)
        return Plan(made, f"rule = {made!r}\n")


def _counted(options: list[Any], changed: Callable[[], None], **more: Any) -> Any:
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


class Buckets(AbstractionForm):
    """As many buckets as the slider says, of sets that a trained strategy finds alike."""

    title = "buckets"

    def __init__(self, changed: Callable[[], None]) -> None:
        self._fitting, self._tree = False, ""
        self.count = _counted([("a tenth", 0)], lambda: None if self._fitting else changed())
        self.trained = number("Training iterations", 100, "trained", changed, label_width="9.5em")
        self.view = column(self.count, self.trained)
        self.known: dict[tuple[str, int], Strength] = {}

    def _fit(self, tree: GameTree) -> None:
        """As many buckets as this game can have."""
        least = abstract(tree, decision_kinds(tree)).coarse.num_infosets
        sizes = _sizes(least, max(tree.num_infosets, least))
        self._fitting = True
        self.count.options = [(f"{size:,}", size) for size in sizes]
        self.count.value = min(sizes, key=lambda size: abs(size - tree.num_infosets / 10))
        self._fitting, self._tree = False, tree.fingerprint

    def plan(self, tree: Any) -> Plan:
        if tree.fingerprint != self._tree:
            self._fit(tree)
        iterations = need_whole("training iterations", self.trained.value)
        key = tree.fingerprint, iterations
        if key not in self.known:
            trained = solve(tree, iterations=iterations, progress=False, checkpoints=iterations)
            self.known[key] = strength(trained.strategy)
        buckets = self.count.value
        made = code(
            "cluster", {"buckets": buckets}, "game", code("abstraction.strength", {}, "trained")
        )
        return Plan(
            cluster(tree, self.known[key], buckets=buckets),
            f"trained = {code('solve', {'iterations': iterations}, 'game')}.strategy\n"
            f"rule = {made}\n",
            needs_tree=True,
        )


class HandBucketsForm(AbstractionForm):
    """Hands in as many buckets as the slider says, by what they are worth; `redraw` is called when
    another picture of them is asked for."""

    title = "found automatically"

    def __init__(self, changed: Callable[[], None], redraw: Callable[[], None], rules: Any) -> None:
        self.most = tuple(one.num_classes for one in need_card_game(rules))  # for each round
        tip = "Which hands share a bucket"
        self.metric = choose("Alike by", METRICS, "metric", changed, tooltip=tip, width=WIDE)
        sizes = _sizes(2, self.most[-1])
        at = min(sizes, key=lambda size: abs(size - self.most[0] ** 2))
        self.count = _counted([(f"{size:,}", size) for size in sizes], changed, value=at)
        self.count.description = f"{at:,} buckets"
        rounds = [(f"round {r}", r - 1) for r in range(1, len(self.most) + 1)]
        self.round = choose("Picture of", rounds, "round", redraw, value=min(1, len(rounds) - 1))
        self.view = column(self.metric, self.count, self.round)

    @property
    def pictured(self) -> str:
        return str(self.round.label)

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets of each round: the first keeps what it can, the last has as many as wanted."""
        last, rounds = int(self.count.value), len(self.most)
        wanted = np.geomspace(min(self.most[0], last), last, rounds).round().astype(int).tolist()
        return tuple(map(min, wanted, self.most))

    @property
    def how(self) -> dict[str, Any]:
        """What `cluster_hands` is told besides."""
        return {"metric": self.metric.value}

    def plan(self, tree: Any) -> Plan:
        asked = {"buckets": self.counts, **self.how}
        found = cluster_hands(tree.rules, **asked)
        return Plan(self.named(found), f"rule = {code('cluster_hands', asked, 'game')}\n")

    def named(self, found: HandBuckets) -> HandBuckets:
        return HandBuckets(found.rules, found.rounds, f"{self.metric.value} {found.name}")

    def picture(self, buckets: Any) -> Html:
        round, drawn = self.round.value, figure(*MAP)
        plot_hand_map(buckets, drawn.add_subplot(), round=round)
        drawn.set_layout_engine("constrained")
        sizes = buckets.sizes(round)
        return painted(
            drawn,
            f"Round {round + 1}: {len(sizes):,} buckets, the largest with {sizes.max():,} of "
            f"{sizes.sum():,} hands; equal numbers went together.",
        )


class HoldemHands(HandBucketsForm):
    """The ways of Hold'em, where nobody lists hands: k buckets a round, and a chart of them."""

    busy = "sorting hands into buckets; new ones take a minute"

    def __init__(self, changed: Callable[[], None], redraw: Callable[[], None], rules: Any) -> None:
        if rules.players != 2:
            raise GameError(
                f"the explorer knows {rules.name!r} with two players; with three, "
                "wb.cluster_hands makes buckets and wb.plots.plot_bucket_chart shows them"
            )
        tip = (
            "What puts hands into one bucket: percentiles of E[HS²], k-means of E[HS] or "
            "where they may lead; are buckets of earlier rounds remembered?"
        )
        self.metric = choose("Alike by", list(HOLDEM), "metric", changed, tooltip=tip, width=WIDE)
        self.count = slide(
            "k", list(range(2, 7)), "buckets", changed, value=3, continuous_update=False,
            tooltip="Buckets of each round: k",
        )  # fmt: skip
        self.round = text(
            "Picture on", "", "round", redraw, placeholder="before the flop",
            tooltip="A flop such as Qh Jh 2c; nothing: before the flop", continuous_update=False,
        )  # fmt: skip
        self.wrong, self._board = place("wrong", display="none", width=WIDE), ""
        self.view = column(self.metric, self.count, self.round, self.wrong)

    @property
    def pictured(self) -> str:
        return self.round.value or "before the flop"

    @property
    def counts(self) -> tuple[int, ...]:
        k = int(self.count.value)
        return HOLDEM[self.metric.value][0] or k, k, k, k

    @property
    def how(self) -> dict[str, Any]:
        return HOLDEM[self.metric.value][1]

    def plan(self, tree: Any) -> Plan:
        if not tables_kept():
            raise GameError(
                "how strong hands are is not counted yet: run `workbench tables holdem` in a "
                "terminal, half a minute, and choose again"
            )
        return super().plan(tree)

    def named(self, found: HandBuckets) -> HandBuckets:
        return found

    def picture(self, buckets: Any) -> Html:
        """The chart on the board that is typed; while that makes no sense, on the one before."""
        drawn, said = figure(5.2, 5.4), Html()
        try:
            ax = plot_bucket_chart(buckets, self.round.value, drawn.add_subplot())
            self._board = self.round.value
        except GameError as error:
            drawn = figure(5.2, 5.4)
            ax = plot_bucket_chart(buckets, self._board, drawn.add_subplot())
            said = Html('<div class="wb-said error" role="alert">{}</div>').format(error)
        self.wrong.value, self.wrong.layout.display = said, "" if said else "none"
        drawn.set_layout_engine("constrained")
        return painted(drawn, describe(ax))


class Own(AbstractionForm):
    """A rule that was given to the panel."""

    title = "your own"

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.view = place("own", show(f"The rule {name_of(rule)!r}, as it was given."))

    def plan(self, tree: Any) -> Plan:
        return Plan(self.rule, "# rule: the abstraction that was given to the panel\n")


def ways_of(
    game: Rules | GameTree,
    abstraction: str | Rule | None = None,
    changed: Callable[[], None] = lambda: None,
    redraw: Callable[[], None] = lambda: None,
) -> list[AbstractionForm]:
    """The ways that fit a game, the one for a given abstraction first."""
    ways: list[AbstractionForm] = []
    name = abstraction if isinstance(abstraction, str) else None
    if isinstance(abstraction, str):
        named_rules(game, abstraction)  # refuses unknown names
    elif abstraction is not None:
        ways.append(Own(abstraction))
    rules = getattr(game, "rules", game)
    if (form := form_of(rules)) and form.num_histories > LARGEST:  # the others need a tree
        kind = HoldemHands if hands_unlisted(rules) else HandBucketsForm
        return [*ways, kind(changed, redraw, rules)]
    buckets = getattr(rules, "bucket_names", ())  # of hands: HandBucketsForm makes them
    steps, names = steps_of(game), [one for one in list_abstractions(game) if one not in buckets]
    made = _choices(steps, name) if steps and name else {}
    if made is None or (names and not steps):
        telling = [one for one in names if one != "null"] or names
        ways.append(Named(changed, names, name or telling[0]))
    if steps:
        ways.append(Steps(changed, steps, made or {}))
    if ranks_of(game):
        ways.append(Cards(changed, game))
    if is_card_game(rules):
        ways.insert(0 if form else len(ways), HandBucketsForm(changed, redraw, rules))
    return [*ways, Buckets(changed)]


def _choices(steps: Any, name: str) -> dict[str, Any] | None:
    """The choices that make this name; None if no choices do."""
    all_choices = product(*(option.choices for option in options_of(steps)))
    return next((asdict(made) for one in all_choices if (made := steps(*one)).name == name), None)
