"""Rules of abstraction by their names, and one after the other.

Everyday example: first forget the names of the suits, then the order of the bets. Written with a
plus, `"lossless-suits+advanced-history"` is a rule like any other: each step is told what the step
before remembers, as if that was what the player has seen.

A rule is a function f(player, seen, actions) -> label or (label, names). One that must know the
game first (how many ranks has the deck?) is an object whose `for_tree(tree)` makes the function.

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

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, product
from typing import Any, Protocol

from workbench.games.registry import list_games, load_game
from workbench.progress import counted
from workbench.rules import GameError, Rules, need_rules, shown
from workbench.settings import need_function, options_of, unknown_name
from workbench.tree import GameTree, ask_each

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
        if game not in list_games():
            return []
        game = load_game(game)
    if isinstance(game, GameTree):
        return list(_abstractions(game))
    return [*_abstractions(need_rules(game)), *getattr(game, "bucket_names", ())]


def offered_abstractions(game: Rules | GameTree) -> list[str]:
    """The abstractions to choose from in a list: those with names or, where they are made in steps
    (`steps_of`), every first step alone and with each that may follow.

    >>> [len(offered_abstractions(load_game(name))) for name in ("leduc", "kuhn", "toepen")]
    [6, 0, 14]
    """
    steps, known = steps_of(game), list_abstractions(game)
    if steps is None:
        return known
    lists = [option.choices for option in options_of(steps) if option.kind is str]
    return [steps(*chosen).name for chosen in product(*lists) if chosen[0] in known]


def steps_of(game: Rules | GameTree) -> Any:
    """A dataclass of choices whose `name` is the abstraction they make, "lossless-suits+naive";
    None for a game whose abstractions are not made in steps (`abstraction_steps` of the rules)."""
    return getattr(getattr(game, "rules", game), "abstraction_steps", None)


def _abstractions(game: Rules | GameTree | None) -> Mapping[str, Rule]:
    """The named rules of a game; of a tree, if its players see what the rules say."""
    return getattr(getattr(game, "rules", game), "abstractions", {})


def named_rules(game: Rules | GameTree, names: str) -> list[Rule]:
    """The rules of a name such as "JQ-K" or "thesis-suits+naive", in this order."""
    known = _abstractions(game)
    if not known and hasattr(game, "bucket_names"):
        raise GameError(
            f"{names!r} may name buckets of hands, but no rule for information sets of "
            f"{game.name!r}; wb.solve takes such names, and wb.cluster_hands makes the buckets"
        )
    if not known:
        raise GameError(
            f"{game.name!r} brings no abstractions; give a function f(player, seen, actions) -> "
            "label"
        )
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
