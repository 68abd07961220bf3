"""Grafting partitions: which expert plays where.

Everyday example: a football coach plans the whole match roughly, and hires a specialist for
corner kicks and one for penalties. For this to make sense, each moment of the match belongs to one
plan only, a player must know which plan is on, and corner kicks must not turn into penalties.

A grafting partition of player i's histories H_i into G_i0, G_i1, …, G_ip (Waugh et al. 2009,
Definition 7; Gibson & Szafron 2011, Definition 3.1), where G_i0 is what the base plays:

    1. each history lies in exactly one part (a part may be empty)
    2. an information set lies in one part as a whole
    3. after a history of G_ij, j ≥ 1, player i's histories are in G_ij or in G_i0

`GraftingPartition` holds one for every player, with the same parts. Conditions 1 and 2 hold for an
array over information sets by themselves; whoever starts from histories is checked. Condition 3
is always checked, and an error names the history that breaks it.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> def facing_a_bet(player, seen, actions):
...     return "facing a bet" if seen[1].endswith("b") else None
>>> GraftingPartition.from_function(tree, facing_a_bet)
GraftingPartition of 'kuhn': base 6, facing a bet 6 infosets
>>> GraftingPartition.from_function(tree, lambda player, seen, actions: "J" + seen[1])
Traceback (most recent call last):
    ...
workbench.rules.GameError: player 0 is in part 'J' at 'J Q' and later in part 'Jpb' at \
'J Q p b'; after a part a player may only be in the same part or in the base
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.passes import latest
from workbench.rules import GameError, label_of, shown
from workbench.settings import as_tuple, known_in, need_several, unknown_name
from workbench.tree import GameTree, IntArray, need_players, need_tree

PartFunction = Callable[[int, Any, tuple[Any, ...]], Hashable]


@dataclass(frozen=True, eq=False, repr=False)
class GraftingPartition:
    """`part[I]` is 0 where the base plays and j where expert j does, j = 1 … p."""

    tree: GameTree
    names: tuple[str, ...]  # (p,) of the experts; part j is names[j - 1]
    part: IntArray  # (M,)
    code: str = "part"  # the Python that makes it of a `tree`, if one of our builders did

    def __post_init__(self) -> None:
        names = tuple(need_several("experts", self.names, "names, like ('r', 'cr')"))
        if not all(isinstance(name, str) for name in names):
            raise GameError(f"experts have names, like ('r', 'cr'), not {shown(self.names)}")
        given = _numbers(self.part)
        numbers = given.dtype.kind in "biuf" and np.all(np.isfinite(given))
        if not numbers or not np.all(np.rint(given) == given):
            raise GameError("parts are whole numbers, one for each information set: 0 is the base")
        if given.shape != (need_tree(self.tree).num_infosets,):
            raise GameError(
                f"a partition of {self.tree.name!r} has one part for each of its "
                f"{self.tree.num_infosets:,} information sets, not {given.shape}"
            )
        strangers = np.flatnonzero((given < 0) | (given > len(names)))
        if len(strangers):
            raise GameError(
                f"'{self.tree.infoset_label(int(strangers[0]))}' is in part "
                f"{given[strangers[0]]}; there are parts 0 (the base) to {len(names)}"
            )
        if len({"base", *names}) <= len(names):
            raise GameError(
                f"experts need different names, none of them 'base', not {', '.join(names)}"
            )
        part = given.astype(np.int32)  # a copy: nobody changes it later
        part.flags.writeable = False
        object.__setattr__(self, "part", part)
        object.__setattr__(self, "names", names)
        self._check_closed()

    # ---- making ----------------------------------------------------------------------

    @classmethod
    def from_function(cls, tree: GameTree, function: PartFunction) -> GraftingPartition:
        """Ask `function(player, seen, actions)` once per infoset: an expert's name, or None."""
        need_tree(tree)
        if not callable(function):
            raise GameError(
                f"a function f(player, seen, actions) is needed here, not {function!r}: it answers "
                "with the name of an expert, or None for the base"
            )
        names: dict[str, int] = {}
        part = np.zeros(tree.num_infosets, np.int32)
        for infoset in range(tree.num_infosets):
            player, seen = int(tree.infoset_player[infoset]), tree.seen[infoset]
            try:
                answer = function(player, seen, tree.actions_at(infoset))
            except Exception as error:
                error.add_note(f"(asked for player {player} who has seen {seen!r})")
                raise
            if isinstance(answer, (bool, np.bool_)):
                raise GameError(
                    f"a part needs a name, and {answer!r} is none (asked for player {player} who "
                    f"has seen {seen!r}); answer like 'late' if late else None"
                )
            if answer is not None:
                part[infoset] = names.setdefault(label_of(answer), len(names) + 1)
        return cls(tree, tuple(names), part)

    @classmethod
    def from_histories(
        cls, tree: GameTree, parts: Mapping[str, Iterable[int] | NDArray[np.bool_]]
    ) -> GraftingPartition:
        """Parts as sets of histories: their numbers, or a mask (N,). Others are the base's.

        Only histories where somebody decides count, so whole subtrees may be given.
        """
        need_tree(tree)
        if not isinstance(parts, Mapping):
            raise GameError(
                "parts are named: {'late': histories}, with numbers of histories or a mask; "
                f"not {type(parts).__name__}"
            )
        where = np.zeros(tree.num_histories, np.int32)  # (N,) the part of each history
        names = tuple(map(label_of, parts))
        for j, (name, histories) in enumerate(zip(names, parts.values(), strict=True), 1):
            inside = _mask(tree, histories) & (tree.infoset >= 0)
            twice = np.flatnonzero(inside & (where > 0))
            if len(twice):
                raise GameError(
                    f"'{tree.history_label(int(twice[0]))}' is in parts "
                    f"{names[where[twice[0]] - 1]!r} and {name!r}; parts must be disjoint"
                )
            where[inside] = j
        part = np.zeros(tree.num_infosets, np.int32)
        deciding = np.flatnonzero(tree.infoset >= 0)
        part[tree.infoset[deciding]] = where[deciding]
        torn = deciding[part[tree.infoset[deciding]] != where[deciding]]
        if len(torn):
            here = int(torn[0])
            infoset = tree.infoset[here]
            there = int(deciding[tree.infoset[deciding] == infoset][-1])
            called = ("the base", *map(repr, names))
            raise GameError(
                f"'{tree.history_label(here)}' is in {called[where[here]]}, "
                f"'{tree.history_label(there)}' in {called[where[there]]}, and player "
                f"{tree.player[here]} cannot tell them apart ('{tree.infoset_label(infoset)}'); "
                "an information set must lie in one part"
            )
        return cls(tree, names, part)

    # ---- looking ---------------------------------------------------------------------

    @property
    def num_experts(self) -> int:
        """p: how many parts there are beside the base's."""
        return len(self.names)

    def number(self, name: str) -> int:
        """The j of an expert."""
        if not known_in(name, self.names):
            raise unknown_name("expert", name, self.names)
        return self.names.index(name) + 1

    def sizes(self) -> dict[str, int]:
        """How many information sets of the tree each part has; the base comes first."""
        counts = np.bincount(self.part, minlength=self.num_experts + 1)
        return dict(zip(("base", *self.names), counts.tolist(), strict=True))

    def __repr__(self) -> str:
        shown = [f"{name} {size:,}" for name, size in self.sizes().items()]
        if len(shown) > 9:
            shown = [*shown[:8], f"{len(shown) - 8} more"]
        return f"GraftingPartition of {self.tree.name!r}: {', '.join(shown)} infosets"

    # ---- others made of it -----------------------------------------------------------

    def of(self, players: Iterable[int] | int) -> GraftingPartition:
        """The same for these players only: to everybody else all histories are the base's.

        Nobody else then counts as "inside a part": while an expert learns, the opponents are as
        coarse there as elsewhere (`grafts`). `static_experts` is usually given the whole partition.
        """
        chosen = need_players(self.tree, players)
        theirs = np.isin(self.tree.infoset_player, chosen)
        code = f"{self.code}.of({chosen if len(chosen) > 1 else chosen[0]})"
        return GraftingPartition(self.tree, self.names, np.where(theirs, self.part, 0), code)

    def only(self, names: Iterable[str] | str) -> GraftingPartition:
        """The same with these experts only."""
        several = isinstance(names, Iterable) and not isinstance(names, str)
        chosen: list[Any] = list(as_tuple(names)) if several else [names]
        new = np.zeros(self.num_experts + 1, np.int32)
        new[[self.number(name) for name in chosen]] = np.arange(1, len(chosen) + 1)
        code = f"{self.code}.only({json.dumps(chosen)})"
        return GraftingPartition(self.tree, tuple(chosen), new[self.part], code)

    # ---- checking --------------------------------------------------------------------

    def _check_closed(self) -> None:
        """Condition 3, from the root down: where was each player's latest expert?"""
        tree = self.tree
        deciding = tree.infoset >= 0
        where = np.zeros(tree.num_histories, np.int32)  # (N,) the part of each history
        where[deciding] = self.part[tree.infoset[deciding]]
        for player in range(tree.num_players):
            mine = np.where(tree.player == player, where, 0)
            entered = latest(tree, mine > 0)  # (N,)
            again = np.flatnonzero((mine > 0) & (entered >= 0))
            wrong = again[mine[again] != mine[entered[again]]]
            if len(wrong):
                later, before = int(wrong[0]), int(entered[wrong[0]])
                raise GameError(
                    f"player {player} is in part {self.names[mine[before] - 1]!r} at "
                    f"'{tree.history_label(before)}' and later in part "
                    f"{self.names[mine[later] - 1]!r} at '{tree.history_label(later)}'; after a "
                    "part a player may only be in the same part or in the base"
                )


def need_partition(part: object, tree: GameTree) -> GraftingPartition:
    """Refuse what is no partition, or one of another game."""
    if not isinstance(part, GraftingPartition):
        raise GameError(
            f"a GraftingPartition is needed here, not {type(part).__name__}: "
            "wb.betting_experts(tree, ['r', 'cr'])"
        )
    if not part.tree.same_as(need_tree(tree)):
        raise GameError(f"the partition is of {part.tree!r}, not of {tree!r}")
    return part


def _mask(tree: GameTree, histories: Iterable[int] | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) histories given as numbers or as a mask."""
    n = tree.num_histories
    listed = isinstance(histories, Iterable) and not isinstance(histories, (str, np.ndarray))
    given = _numbers(list(histories) if listed else histories)
    if given.dtype == np.bool_ and given.shape == (n,):
        return np.asarray(given, np.bool_)
    whole = np.issubdtype(given.dtype, np.integer) or given.size == 0
    if not whole or given.ndim != 1 or np.any((given < 0) | (given >= n)):
        raise GameError(f"a part has histories from 0 to {n - 1:,} of {tree.name!r}, or a mask")
    mask = np.zeros(n, np.bool_)
    mask[given.astype(np.int64)] = True
    return mask


def _numbers(values: Any) -> NDArray[Any]:
    """Values as an array; rows of different lengths are none, and come out as objects."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray(None)
