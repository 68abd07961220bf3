"""Abstractions of a tree: one label per infoset, one name per action.

An abstraction is a function, asked once for each infoset of the full game:

    f(player, seen, actions) -> label                    actions keep their names
    f(player, seen, actions) -> (label, names)           names: a list of one name per action,
                                                         None for an action left out

Infosets of one player with equal labels become one coarse infoset, and their actions
with equal names one coarse choice; the names of merged infosets must be the same. If
m actions of one infoset share a name they are one coarse choice, and each is played
with 1/m of its probability (Gibson & Szafron 2011, Definition 2.2).

Everything about the relation is in one array, `choice_map`: the coarse choice of each
full choice, -1 for a choice that the coarse game does not have. To *lift* a coarse
strategy is to read it through that map, divided by m.

**Rules by their names, and one after the other.** Everyday example: first forget the names of the
suits, then the order of the bets. Written with a plus, `"lossless-suits+advanced-history"` is a
rule like any other: each step is told what the step before remembers, as if that was what the
player has seen. A rule that must know the game first (how many ranks has the deck?) is an object
whose `for_tree(tree)` makes the function.

>>> import workbench as wb
>>> rule = chain("null", lambda player, seen, actions: seen[0], name="only my rank")
>>> function = rule.for_tree(wb.compile_game(wb.load_game("leduc")))
>>> function(0, ("Q♠", "K♥", "crc/r"), ("f", "c", "r"))
('Q', ['f', 'c', 'r'])

Ready-made kinds: forget something, give up some actions, here but not there.

>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> wb.abstract(tree, merge_infosets(lambda player, seen: (seen[0][0], seen[1][:1], seen[2])))
Abstraction 'merge_infosets' of 'leduc': 936 -> 288 infosets
>>> one_raise = restrict_actions(
...     lambda player, seen, action: action != "r" or "r" not in seen[2], name="one raise"
... )
>>> wb.abstract(tree, one_raise)
Abstraction 'one raise' of 'leduc': 936 -> 264 infosets, 672 uncovered

Somebody who is careful only once a bet is on the table:

>>> rules = tree.rules.abstractions
>>> def serious(player, seen):
...     return "serious" if "r" in seen[2] else ""
>>> wb.abstract(tree, piecewise(serious, {"": rules["JQ-K"], "serious": rules["null"]}))
Abstraction 'piecewise' of 'leduc': 936 -> 444 infosets
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from workbench.games.registry import load_game
from workbench.later import pd
from workbench.passes import how_often
from workbench.progress import counted
from workbench.rules import GameError, Rules, label_of, need_rules, rules_in, shown
from workbench.settings import need_function, need_kind, need_whole, unknown_name
from workbench.strategy import Strategy, need_numbers, need_strategy
from workbench.tree import (
    FloatArray,
    GameTree,
    IntArray,
    ask_each,
    derived,
    form_of,
    frozen,
    has_form,
    need_players,
    need_tree,
)

Names = tuple[Hashable, ...]
AbstractionFunction = Callable[[int, Any, tuple[Any, ...]], Any]


class NeedsTree(Protocol):
    """A rule that looks at the game before it answers."""

    def for_tree(self, tree: GameTree) -> AbstractionFunction: ...


Rule = AbstractionFunction | NeedsTree


def list_abstractions(game: str | Rules | GameTree) -> list[str]:
    """The abstractions that a game brings along; `"a+b"` is first a, then b. Where hands are put
    into buckets, some of their counts (`named_buckets` knows others too).

    >>> list_abstractions("leduc")
    ['null', 'JQ-K', 'J-QK', 'J.Q.K', 'JQ.K', 'J.QK']
    >>> list_abstractions("toepen")[:2]
    ['thesis-suits', 'lossless-suits']
    >>> list_abstractions("limit_holdem"), list_abstractions("rhode_island")
    (['2222', '3333', '5555'], ['13-50-250', '13-100-750', 'gameshrink'])
    """
    if isinstance(game, str):
        game = load_game(game)
    if isinstance(game, GameTree):
        return list(_abstractions(game))
    return [*_abstractions(need_rules(game)), *getattr(game, "bucket_names", ())]


def steps_of(game: Rules | GameTree) -> Any:
    """A dataclass of choices whose `name` is the abstraction they make, "lossless-suits+naive";
    None for a game whose abstractions are not made in steps (`abstraction_steps` of the rules)."""
    return getattr(rules_in(game), "abstraction_steps", None)


def _abstractions(game: Rules | GameTree | None) -> Mapping[str, Rule]:
    """The named rules of a game; of a tree, if its players see what the rules say."""
    return getattr(rules_in(game), "abstractions", {})


def named_rules(game: Rules | GameTree, names: str) -> list[Rule]:
    """The rules of a name such as "JQ-K" or "thesis-suits+naive", in this order."""
    known = _abstractions(game)
    if not known and has_form(game):
        raise GameError(
            f"{names!r} may name buckets of hands, but no rule for information sets of "
            f"{game.name!r}; wb.solve takes such names, and wb.cluster_hands makes the buckets"
        )
    if not known:
        wanted = "give a function f(player, seen, actions) -> label"
        raise GameError(f"{game.name!r} brings no abstractions; {wanted}")
    for name in names.split("+"):
        if name not in known:
            raise unknown_name("abstraction", name, known)
    return [known[name] for name in names.split("+")]


def name_of(rule: Rule | str) -> str:
    """What an abstraction by this rule is called."""
    if isinstance(rule, str):
        return rule
    return str(getattr(rule, "name", None) or getattr(rule, "__name__", "own"))


@dataclass(frozen=True)
class Chain:
    """Rules one after the other; see `chain`."""

    steps: tuple[Rule | str, ...]
    name: str

    def for_tree(self, tree: GameTree) -> AbstractionFunction:
        rules: list[Rule] = []
        for step in self.steps:
            rules += named_rules(tree, step) if isinstance(step, str) else [step]
        for before, rule in pairwise(rules):
            if getattr(before, "forgets", False) and getattr(rule, "reads_all", False):
                raise GameError(
                    f"{name_of(before)!r} forgets what {name_of(rule)!r} must know; suits come "
                    'first and what is remembered of them last: "lossless-suits+naive"'
                )
        functions = [rule.for_tree(tree) if hasattr(rule, "for_tree") else rule for rule in rules]
        return reduce(_after, functions)

    def completed(self, built: Abstraction) -> Abstraction:
        """The abstraction with what a step adds to it: another way to lift (`BetSizes`)."""
        for step in self.steps:
            built = getattr(step, "completed", lambda same: same)(built)
        return built


def chain(*steps: Rule | str, name: str | None = None) -> Chain:
    """One rule after the other: names of rules, functions, or both."""
    if not steps:
        raise GameError("chain needs at least one rule")
    for step in steps:
        if not (isinstance(step, str) or callable(step) or hasattr(step, "for_tree")):
            raise GameError(
                f"abstraction must be a name, a function or an Abstraction, not {shown(step)}"
            )
        if not (isinstance(step, str) or hasattr(step, "for_tree")):
            need_function("abstraction", step, "player, seen, actions")
    return Chain(steps, name or "+".join(map(name_of, steps)))


def _after(first: AbstractionFunction, second: AbstractionFunction) -> AbstractionFunction:
    """The rule that asks `second` about what `first` remembers and what it calls the actions."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        label, names = label_and_names(first(player, seen, actions), seen, actions)
        distinct = tuple([name for name in dict.fromkeys(names) if name is not None])
        label, renamed = label_and_names(second(player, label, distinct), label, distinct)
        if len(distinct) == len(names):
            return label, renamed
        new = dict(zip(distinct, renamed, strict=True))
        return label, [new.get(name) for name in names]

    return rule


def label_and_names(
    answer: Any, seen: Hashable, actions: Sequence[Any]
) -> tuple[Hashable, list[Any]]:
    """A rule's answer, a label or (label, names). A list is never part of a label; a tuple of one
    name per action may be, so it counts as a label if it is just what the player has seen."""
    if isinstance(answer, tuple) and len(answer) == 2:
        label, names = answer
        if isinstance(names, list):
            return label, names
        if isinstance(names, tuple) and len(names) == len(actions):
            from_seen = answer == seen or (isinstance(seen, tuple) and names in seen)
            if not from_seen:
                return label, list(names)
    return answer, list(actions)


def answers(
    tree: GameTree, rule: AbstractionFunction
) -> Iterator[tuple[int, Hashable, tuple[Any, ...]]]:
    """(player, label, names of the actions): what a rule says about each infoset, in order."""
    asked = counted(ask_each(tree, rule), f"abstracting {tree.num_infosets:,} sets")
    for player, seen, actions, answer in asked:
        label, names = label_and_names(answer, seen, actions)
        yield player, label, tuple(names)


# ---- ready-made kinds ----------------------------------------------------------------


def merge_infosets(
    remember: Callable[[int, Any], Hashable], *, name: str = "merge_infosets"
) -> Callable[..., Any]:
    """A player knows only `remember(player, seen)` of what she has seen."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        return remember(player, seen)

    rule.__name__ = name
    return rule


def restrict_actions(
    allowed: Callable[[int, Any, Any], bool], *, name: str = "restrict_actions"
) -> Callable[..., Any]:
    """A player uses only the actions with `allowed(player, seen, action)`."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        return seen, [action if allowed(player, seen, action) else None for action in actions]

    rule.__name__ = name
    return rule


def piecewise(
    place: Callable[[int, Any], Hashable],
    rules: Mapping[Any, Callable[..., Any]],
    *,
    name: str = "piecewise",
) -> Callable[..., Any]:
    """Another rule in every place: the one of `place(player, seen)`.

    What lies in different places is never merged, even if the rules' labels are equal.
    """

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        here = place(player, seen)
        label, names = label_and_names(rules[here](player, seen, actions), seen, actions)
        return (here, label), names

    rule.__name__ = name
    return rule


# ---- two trees and what joins them ------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Abstraction:
    """Two trees and the map between their choices."""

    name: str
    full: GameTree
    coarse: GameTree
    choice_map: IntArray  # (K of full,) the coarse choice, -1 if there is none
    share: FloatArray  # (K of full,) 1/m, how much of the coarse probability it gets
    made: str = field(default="", kw_only=True)  # its name as Python; of one's own there is none

    def lift(self, coarse: Strategy) -> Strategy:
        """The strategy of the full game that plays like this one of the coarse game.

        Infosets that the coarse game never reaches are played uniformly.
        """
        found = need_strategy(coarse, self.coarse).probs[self.choice_map] * self.share
        probs = np.where(self.choice_map >= 0, found, 0.0)
        unreached = self.uncovered_infosets[self.full.choice_infoset]
        return Strategy(self.full, np.where(unreached, Strategy.uniform(self.full).probs, probs))

    def gather(self, values: FloatArray) -> FloatArray:
        """(K of coarse,) sums of a quantity of full choices, for instance of regrets."""
        numbers = need_numbers("values", values, self.choice_map.shape, repr(self.full))
        there, out = self.choice_map >= 0, np.zeros(self.coarse.num_choices)
        np.add.at(out, self.choice_map[there], numbers[there])
        return out

    @property
    def infoset_map(self) -> IntArray:
        """(M of full,) the coarse infoset of each full one, -1 where the coarse game has none."""
        if self.full.num_infosets == 0:
            return np.zeros(0, np.int32)
        some = np.maximum.reduceat(self.choice_map, self.full.first_choice[:-1])  # of its choices
        return np.where(some >= 0, self.coarse.choice_infoset[some], -1).astype(np.int32)

    @property
    def uncovered_infosets(self) -> np.typing.NDArray[np.bool_]:
        """(M of full,) True where the coarse game has no counterpart."""
        return np.asarray(self.infoset_map < 0)

    @property
    def uncovered(self) -> int:
        """How many full infosets the coarse game never reaches."""
        return int(self.uncovered_infosets.sum())

    @property
    def forced(self) -> int:
        """How many coarse infosets have a single choice: there is nothing left to decide."""
        return int(np.count_nonzero(np.diff(self.coarse.first_choice) == 1))

    def __repr__(self) -> str:
        missing = f", {self.uncovered:,} uncovered" if self.uncovered else ""
        return (
            f"Abstraction {self.name!r} of {self.full.name!r}: {self.full.num_infosets:,} -> "
            f"{self.coarse.num_infosets:,} infosets{missing}"
        )


def abstract(
    tree: GameTree, rule: str | Rule, *, players: Iterable[int] | int | None = None
) -> Abstraction:
    """The abstraction of a tree by a named rule or by one's own function.

    `"a+b"` is first a, then b. `players`: who is abstracted (everybody by default); the others
    keep what they see. A card game without a tree takes buckets of hands, for everybody.
    """
    if form := form_of(tree):
        if players is not None:
            raise GameError(f"{form.name!r} has no tree: its buckets are for everybody")
        return form.abstraction(rule)  # type: ignore[no-any-return]
    steps = chain(rule)
    function = everybody = steps.for_tree(need_tree(tree))
    if players is not None:
        several = list(players) if isinstance(players, Iterable) else [players]
        chosen = need_players(tree, several) if several else several

        def function(player: int, seen: Any, actions: tuple[Any, ...]) -> Any:
            return everybody(player, seen, actions) if player in chosen else seen

    found = steps.completed(_Merge(tree, name_of(rule)).build(function))
    named = isinstance(rule, str) and players is None
    return replace(found, made=f'"{rule}"') if named else found


class _Merge:
    """The coarse infosets of one abstraction as they are found."""

    def __init__(self, tree: GameTree, name: str) -> None:
        self.tree, self.name = tree, name
        self.infosets: dict[tuple[int, Hashable], int] = {}
        self.first_choice = [0]
        self.labels: list[Hashable] = []
        self.known: list[Names] = []  # the choices of each coarse infoset
        self.origin: list[int] = []  # the first full infoset of each coarse one
        self.matches: dict[tuple[Names, Names], tuple[list[int], list[float]]] = {}

    def build(self, rule: AbstractionFunction) -> Abstraction:
        tree = self.tree
        if tree.num_infosets == 0:  # nobody decides anything: there is nothing to forget
            return Abstraction(self.name, tree, tree, np.zeros(0, np.int32), np.zeros(0))
        infoset_map: list[int] = []
        choice_map: list[int] = []
        share: list[float] = []
        sizes = np.diff(tree.first_choice).tolist()
        for infoset, (player, label, names) in enumerate(answers(tree, rule)):
            self._check(infoset, names, sizes[infoset])
            coarse = self._find(infoset, player, label, names)
            places, shares = self._aligned(infoset, coarse, names)
            low = self.first_choice[coarse]
            infoset_map.append(coarse)
            choice_map += [low + place if place >= 0 else -1 for place in places]
            share += shares
        return self._coarse_game(
            np.array(infoset_map, np.int32), np.array(choice_map, np.int32), np.array(share)
        )

    def _check(self, infoset: int, names: Names, size: int) -> None:
        """Refuse names that are no names, or too few or too many."""
        if len(names) != size:
            actions = f"{size} actions {list(self.tree.actions_at(infoset))}"
            raise self._error(infoset, f"{len(names)} names {list(names)} for {actions}")
        if names.count(None) == size:
            raise self._error(infoset, "every action is left out; at least one must stay")
        try:
            hash(names)
        except TypeError:
            what = f"the names {list(names)} are not hashable; use strings"
            raise self._error(infoset, what) from None

    def _find(self, infoset: int, player: int, label: Hashable, names: Names) -> int:
        """The coarse infoset with this label: known, or new."""
        try:
            coarse = self.infosets.setdefault((player, label), len(self.labels))
        except TypeError:
            what = f"the label {shown(label)} is not hashable; use a string or a tuple"
            raise self._error(infoset, what) from None
        if coarse == len(self.labels):
            self.labels.append(label)
            self.known.append(_distinct(names))
            self.first_choice.append(self.first_choice[-1] + len(self.known[-1]))
            self.origin.append(infoset)
        return coarse

    def _aligned(self, infoset: int, coarse: int, names: Names) -> tuple[list[int], list[float]]:
        """For each name its place among the coarse choices, -1 if left out, and its share."""
        known = self.known[coarse]
        if (known, names) not in self.matches:
            if set(known) != set(_distinct(names)):
                raise self._error(
                    infoset,
                    f"label {label_of(self.labels[coarse])!r} would merge actions "
                    f"{list(_distinct(names))} with {list(known)} of "
                    f"'{self.tree.infoset_label(self.origin[coarse])}'; merged information sets "
                    "must have actions of the same names (answer (label, [names]) to align them)",
                )
            self.matches[known, names] = (
                [-1 if name is None else known.index(name) for name in names],
                [1.0 if name is None else 1.0 / names.count(name) for name in names],
            )
        return self.matches[known, names]

    def _coarse_game(
        self, infoset_map: IntArray, choice_map: IntArray, share: FloatArray
    ) -> Abstraction:
        """Rename infosets and choices; drop the histories behind choices left out."""
        tree = self.tree
        alive = how_often(tree, (tree.choice >= 0) & (choice_map[tree.choice] < 0)) == 0
        kept = np.flatnonzero(alive)
        rank = np.cumsum(alive, dtype=np.int32) - 1
        parent, choice, infoset = tree.parent[kept], tree.choice[kept], tree.infoset[kept]
        parent[1:] = rank[parent[1:]]
        edge = choice >= 0
        over = tree.terminal[kept] >= 0
        coarse, renumbered = derived(
            tree,
            name=f"{tree.name} [{self.name}]",
            parent=parent,
            player=tree.player[kept],
            infoset=np.where(infoset >= 0, infoset_map[infoset], -1).astype(np.int32),
            choice=np.where(edge, choice_map[choice], -1).astype(np.int32),
            chance=np.where(edge, share[choice], 1.0) * tree.chance[kept],
            terminal=np.where(over, np.cumsum(over) - 1, -1).astype(np.int32),
            utility=tree.utility[tree.terminal[kept][over]],
            outcome=tree.outcome[kept],
            first_choice=np.array(self.first_choice, np.int32),
            seen=self.labels,
            actions=[name for names in self.known for name in names],
            rules=None,
        )
        final = np.where(choice_map >= 0, renumbered[choice_map], -1).astype(np.int32)
        return Abstraction(self.name, tree, coarse, frozen(final), frozen(share))

    def _error(self, infoset: int, what: str) -> GameError:
        player = int(self.tree.infoset_player[infoset])
        return GameError(
            f"abstraction {self.name!r}, player {player} who has seen "
            f"{label_of(self.tree.seen[infoset])!r}: {what}"
        )


def _distinct(names: Names) -> Names:
    """The different names, without what is left out."""
    return tuple(dict.fromkeys(name for name in names if name is not None))


def merged_table(ab: Abstraction, *, first: int = 10, members: int = 4) -> pd.DataFrame:
    """The coarse sets that are made of most full ones: who, what she remembers, of which sets.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("leduc"))
    >>> print(merged_table(wb.abstract(tree, "JQ-K"), first=2, members=3).to_string(index=False))
     player     remembered  sets                             merged
          1 JQ no pair cc/    16 J♠ Q♠ cc/; J♠ Q♥ cc/; J♠ K♠ cc/; …
          1 JQ no pair rc/    16 J♠ Q♠ rc/; J♠ Q♥ rc/; J♠ K♠ rc/; …
    """
    need_whole("first", first)
    need_whole("members", members)
    where = need_kind("ab", ab, Abstraction).infoset_map
    sizes = np.bincount(where[where >= 0], minlength=ab.coarse.num_infosets)
    largest = np.argsort(-sizes, kind="stable")[:first]
    rows = []
    for coarse in largest[sizes[largest] > 1]:
        inside = np.flatnonzero(where == coarse)
        names = [ab.full.infoset_label(int(infoset)) for infoset in inside[:members]]
        merged = "; ".join([*names, "…"] if len(inside) > members else names)
        player, label = int(ab.coarse.infoset_player[coarse]), label_of(ab.coarse.seen[coarse])
        rows.append((player + 1, label, len(inside), merged))
    return pd.DataFrame(rows, columns=["player", "remembered", "sets", "merged"])
