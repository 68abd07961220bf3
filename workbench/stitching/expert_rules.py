"""What an expert's game forgets: one rule inside the parts, another elsewhere.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"])
>>> wb.abstract(tree, expert_rule(tree, part, "JQ-K"))
Abstraction 'JQ-K with experts' of 'leduc': 936 -> 444 infosets
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.abstraction.registry import AbstractionFunction, chain, list_abstractions, name_of
from workbench.abstraction.registry import Rule as AbstractionRule
from workbench.abstraction.rules import piecewise
from workbench.games.merge_cards import MergeCards
from workbench.rules import GameError
from workbench.stitching.partition import GraftingPartition, need_partition
from workbench.tree import GameTree

NamedRule = str | AbstractionRule | None  # None: nothing is forgotten
Rule = NamedRule | Abstraction
Rules = Rule | Mapping[str, Rule]  # one for all experts, or one for each


class _Base(Enum):
    """The place where the base plays. No name of an expert equals it, not even the empty one; a
    label leaves it out."""

    PLAYS = ""

    def __str__(self) -> str:
        return ""


def expert_rule(
    tree: GameTree, part: GraftingPartition, base: Rule, abstraction: Rules = "null"
) -> AbstractionFunction:
    """The abstraction of dynamic experts: `base` where the base plays, finer in the parts.

    Give it to `solve`, to `abstract`, or to `static_experts` for experts that are themselves
    dynamic. A set that a rule would spread over two parts is split at the border.
    """
    need_partition(part, tree)
    return piecewise(
        _place(part, part.names),
        {_Base.PLAYS: _rule(tree, base), **rules_of(tree, part, abstraction)},
        name=f"{_name(base)} with experts",
    )


def inside_and_outside(
    tree: GameTree, part: GraftingPartition, name: str, inside: AbstractionFunction, outside: Rule
) -> AbstractionFunction:
    """One rule in the part of an expert, another elsewhere."""
    rules = {_Base.PLAYS: _rule(tree, outside), name: inside}
    return piecewise(_place(part, (name,)), rules, name=f"expert {name}")


def _place(part: GraftingPartition, names: tuple[str, ...]) -> Any:
    """place(player, seen): the name of the part; `_Base` also for parts not named."""
    shown = [_Base.PLAYS, *(name if name in names else _Base.PLAYS for name in part.names)]
    players, seen = part.tree.infoset_player.tolist(), part.tree.seen
    where = {(i, s): shown[j] for i, s, j in zip(players, seen, part.part.tolist(), strict=True)}
    return lambda player, seen: where[player, seen]


def rules_of(
    tree: GameTree, part: GraftingPartition, abstraction: Rules
) -> dict[str, AbstractionFunction]:
    """A rule for each expert."""
    if not isinstance(abstraction, Mapping):
        return dict.fromkeys(part.names, _rule(tree, abstraction))
    for name in abstraction:
        part.number(name)
    if missing := [name for name in part.names if name not in abstraction]:
        raise GameError(f"abstraction: expert {missing[0]!r} has none; None forgets nothing")
    return {name: _rule(tree, abstraction[name]) for name in part.names}


def rule_code(rule: Any) -> str:
    """A rule as Python: a name, or what makes it; a rule of one's own has only its name."""
    if rule is None or isinstance(rule, MergeCards):
        return repr(rule)
    return f'"{rule}"' if isinstance(rule, str) else _name(rule)


def _name(rule: Rule) -> str:
    return rule.name if isinstance(rule, Abstraction) else "null" if rule is None else name_of(rule)


def _as_merged(tree: GameTree, ab: Abstraction) -> AbstractionFunction:
    """An abstraction of this game as a rule: a set is called what its coarse one is."""
    if not ab.full.same_as(tree):
        raise GameError(f"{ab!r} is not of {tree!r}; abstract that one, or give the rule")
    players, first = tree.infoset_player.tolist(), tree.first_choice.tolist()
    of_choice = np.repeat(np.arange(ab.coarse.num_infosets), np.diff(ab.coarse.first_choice))
    answers: dict[tuple[int, Any], tuple[Any, list[Any]]] = {}
    for infoset, key in enumerate(zip(players, tree.seen, strict=True)):
        there = ab.choice_map[first[infoset] : first[infoset + 1]].tolist()
        names = [ab.coarse.actions[c] if c >= 0 else None for c in there]
        if max(there) < 0:  # the coarse game never comes here, but an expert's may
            answers[key] = ("uncovered", key[1]), list(tree.actions_at(infoset))
        else:
            answers[key] = ("covered", ab.coarse.seen[of_choice[max(there)]]), names
    return lambda player, seen, actions: answers[player, seen]


def _rule(tree: GameTree, rule: Rule) -> AbstractionFunction:
    """A rule by its name. Games without a null abstraction of their own forget nothing in it."""
    known = list_abstractions(tree)
    if rule is None or (isinstance(rule, str) and rule == "null" and "null" not in known):
        return lambda player, seen, actions: seen
    if isinstance(rule, Abstraction):
        return _as_merged(tree, rule)
    if not (isinstance(rule, str) or callable(rule) or hasattr(rule, "for_tree")):
        raise GameError(f"an abstraction is a name, a function or None here, not {rule!r}")
    return chain(rule).for_tree(tree)
