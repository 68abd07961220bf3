"""Ways to build an abstraction: by name, by ticking cards, by the thesis's rules, by buckets.

A *way* shows its controls and turns them into a *plan*: the rule, and the Python that makes it.

>>> from workbench.games.registry import load_game
>>> way = Cards(load_game("leduc"))
>>> way.ticks["J", "Q"].value = True
>>> way.plan(None).setup
'rule = wb.merge_cards("JQ")\\n'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import ipywidgets as widgets
import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.clustering import Strength, cluster, same_actions, strength
from workbench.abstraction.registry import Rule, list_abstractions, name_of, named_rules
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.toepen.hand_rules import SIX_RULES
from workbench.lab.widgets.style import choose, number, switch, tag
from workbench.rules import Rules
from workbench.runs.solve import solve
from workbench.settings import need_whole
from workbench.tree import GameTree

NOTHING = "nothing: the whole game"


@dataclass(frozen=True, eq=False)
class Plan:
    """What to build, and the Python that builds it."""

    rule: Rule | str | None  # None: forget nothing
    code: str = ""  # its name, or `rule`
    setup: str = ""  # lines that make `rule`, of a `game`
    needs_tree: bool = False  # and that must be compiled


class Way:
    """Controls and the plan they make; `fit` tells them the game, in the background."""

    title = ""

    def __init__(self, *controls: Any) -> None:
        self.controls = controls
        self.view = widgets.VBox(controls)
        self._fitting = False

    def on_change(self, heard: Callable[[], None]) -> None:
        """Call this when a control changes, but not when `fit` changes it."""
        for control in self.controls:
            control.observe(lambda change: None if self._fitting else heard(), "value")

    def fit(self, tree: GameTree) -> None:
        """The game is compiled now."""

    def plan(self, tree: Any) -> Plan:
        """What the controls say."""
        raise NotImplementedError


class Named(Way):
    """One of the abstractions that the game brings along."""

    title = "published"

    def __init__(self, game: Rules | GameTree, chosen: str | None = None) -> None:
        names = [NOTHING, *list_abstractions(game)]
        names += [chosen] if chosen and chosen not in names else []
        self.name = choose("Abstraction", names, "named", value=chosen or names[1])
        super().__init__(self.name)

    def plan(self, tree: Any) -> Plan:
        name = str(self.name.value)
        return Plan(None) if name == NOTHING else Plan(name, f'"{name}"')


class Cards(Way):
    """Ranks merged by ticking pairs: any two of a small deck, neighbours of a larger one."""

    title = "merged cards"

    def __init__(self, rules: Rules | GameTree) -> None:
        self.ranks = ranks_of(rules)
        pairs = list(combinations(self.ranks, 2))
        if len(self.ranks) > 4:
            pairs = [
                pair for pair in pairs if self.ranks.index(pair[1]) == self.ranks.index(pair[0]) + 1
            ]
        self.ticks = {
            (a, b): switch(f"{a} and {b} look alike", False, f"merge-{a}{b}") for a, b in pairs
        }
        boards = [("pair or not", "pair"), ("its rank", "rank"), ("its group", "group")]
        self.board = choose("Of the board", boards, "board")
        has_board = rules.name.startswith("leduc")
        super().__init__(*self.ticks.values(), *([self.board] if has_board else []))

    @property
    def groups(self) -> list[str]:
        """The ranks that the ticks join, directly or through others; lowest first."""
        group = {rank: rank for rank in self.ranks}
        for (a, b), tick in self.ticks.items():
            if tick.value and group[a] != group[b]:
                joined = "".join(sorted(group[a] + group[b], key=self.ranks.index))
                group.update(dict.fromkeys(joined, joined))
        return [ranks for ranks in dict.fromkeys(group.values()) if len(ranks) > 1]

    def plan(self, tree: Any) -> Plan:
        board = self.board.value
        code = [f'"{ranks}"' for ranks in self.groups]
        code += [] if board == "pair" else [f'board="{board}"']
        made = merge_cards(*self.groups, board=board)
        return Plan(made, "rule", f"rule = wb.merge_cards({', '.join(code)})\n")


class ToepenRules(Way):
    """A way to see suits, then one of the six rules of the thesis."""

    title = "thesis rules"

    def __init__(self, chosen: str = "lossless-suits") -> None:
        steps = chosen.split("+")
        first, rule = next((step for step in steps if step.endswith("-suits")), ""), steps[-1]
        by_kind = rule.endswith("-by-kind")
        rule = rule.removesuffix("-by-kind")
        self.suits = choose(
            "Suits", [("by name", ""), *((f"{s}-suits",) * 2 for s in ("thesis", "lossless"))],
            "suits-rule", value=first,
        )  # fmt: skip
        self.rule = choose(
            "Rule", [("none", ""), *((name, name) for name in SIX_RULES)], "rule",
            value=rule if rule in SIX_RULES else "",
        )  # fmt: skip
        self.by_kind = switch("Kinds kept apart", by_kind, "by-kind")
        super().__init__(self.suits, self.rule, self.by_kind)

    def plan(self, tree: Any) -> Plan:
        rule = self.rule.value + ("-by-kind" if self.rule.value and self.by_kind.value else "")
        name = "+".join(filter(None, [self.suits.value, rule]))
        return Plan(name, f'"{name}"') if name else Plan(None)


class Buckets(Way):
    """As many buckets as the slider says, of sets that a trained strategy finds alike."""

    title = "buckets"

    def __init__(self) -> None:
        self.count = tag(
            widgets.SelectionSlider(
                options=[("a tenth", 0)],
                description="Buckets",
                readout=False,  # the label says it, and leaves more room to slide
                continuous_update=False,
                style={"description_width": "7.5em"},
                layout=widgets.Layout(width="19em"),
            ),
            "buckets",
        )
        self.trained = number("Trained for", 100, "trained")
        self.known: dict[tuple[str, int], Strength] = {}
        self._tree = ""
        self.count.observe(lambda change: self._label(), "value")
        super().__init__(self.count, self.trained)

    def _label(self) -> None:
        self.count.description = f"{self.count.value:,} buckets"

    def fit(self, tree: GameTree) -> None:
        if tree.fingerprint == self._tree:
            return
        kinds = "naive-by-kind" if "naive-by-kind" in list_abstractions(tree) else same_actions
        least = abstract(tree, kinds).coarse.num_infosets
        sizes = np.unique(
            np.geomspace(least, max(tree.num_infosets, least), 40).round().astype(int)
        )
        near = int(np.abs(sizes - tree.num_infosets / 10).argmin())
        self._fitting = True
        self.count.options = [(f"{size:,}", int(size)) for size in sizes]
        self.count.index = near
        self._label()
        self._fitting, self._tree = False, tree.fingerprint

    def plan(self, tree: Any) -> Plan:
        iterations = need_whole("trained for", self.trained.value)
        if tree is None:  # not compiled yet
            return Plan(None)
        key = tree.fingerprint, iterations
        if key not in self.known:
            trained = solve(tree, iterations=iterations, progress=False, checkpoints=iterations)
            self.known[key] = strength(trained.strategy)
        buckets = self.count.value
        return Plan(
            cluster(tree, self.known[key], buckets=buckets),
            "rule",
            f"trained = wb.solve(game, iterations={iterations}).strategy\n"
            f"rule = wb.cluster(game, wb.strength(trained), buckets={buckets})\n",
            needs_tree=True,
        )


class Own(Way):
    """A rule that was given to the panel."""

    title = "your own"

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        super().__init__(widgets.HTML(f"The rule {name_of(rule)!r}, as it was given."))

    def on_change(self, heard: Callable[[], None]) -> None:
        pass

    def plan(self, tree: Any) -> Plan:
        return Plan(self.rule, "rule", "# rule: the abstraction that was given to the panel\n")


def ways_of(game: Rules | GameTree, abstraction: str | Rule | None = None) -> list[Way]:
    """The ways that fit a game, the one for a given abstraction first."""
    if abstraction is not None and not isinstance(abstraction, str):
        return [Own(abstraction), *ways_of(game)]
    if abstraction is not None:
        named_rules(game, abstraction)  # refuses unknown names
    ways: list[Way] = []
    if game.name.startswith("toepen"):
        ways.append(ToepenRules(abstraction or "lossless-suits"))
    elif list_abstractions(game):
        ways.append(Named(game, abstraction))
    if ranks_of(game):
        ways.append(Cards(game))
    return [*ways, Buckets()]
