"""A strategy profile: one probability for each choice of a tree, for all players together.

A student's own idea becomes a strategy by a function that is asked once for each
information set; it answers with an action, or with probabilities:

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> def cautious(player, seen, actions):
...     return "b" if seen[0] == "K" else {"p": 0.9, "b": 0.1}
>>> sigma = Strategy.from_function(tree, cautious)
>>> sigma.table().head(2)
   player information set action  probability
0       1               J      p          0.9
1       1               J      b          0.1
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from workbench.files import fitting, load_arrays, need_path, save_arrays, text_of, write_named
from workbench.rules import GameError, label_of, shown
from workbench.settings import need_function
from workbench.tree import FloatArray, GameTree, need_tree

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

Answer = Hashable | Mapping[Hashable, float] | Iterable[float]
Function = Callable[[int, Any, tuple[Any, ...]], Answer]  # of player, seen, actions


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """`probs[c]` is the probability of choice c; at each infoset they sum to one."""

    tree: GameTree
    probs: FloatArray  # (K,)
    run_id: str = ""  # of the run that found it, if one did

    def __post_init__(self) -> None:
        tree = need_tree(self.tree)

        def at(infoset: int) -> str:
            low, high = tree.first_choice[infoset : infoset + 2]
            said = f"infoset {infoset} ({tree.infoset_label(infoset)})"
            return f"{said} the probabilities are {probs[low:high].tolist()}"

        shape, whose = (tree.num_choices,), f"a strategy of {tree.name!r}"
        probs = need_numbers("probabilities", self.probs, shape, whose)
        need_probabilities(probs, partial(_sum_by_infoset, tree), at)
        probs.flags.writeable = False
        object.__setattr__(self, "probs", probs)

    # ---- making ----------------------------------------------------------------------

    @classmethod
    def uniform(cls, tree: GameTree) -> Strategy:
        """Every action equally likely."""
        need_tree(tree)
        sizes = np.diff(tree.first_choice)
        return cls(tree, np.repeat(1.0 / sizes, sizes))

    @classmethod
    def from_function(cls, tree: GameTree, function: Function) -> Strategy:
        """Ask `function(player, seen, actions)` once per infoset.

        It answers with one action, with `{action: probability}` (missing actions get 0), or
        with probabilities in the order of `actions`.
        """
        need_tree(tree)
        need_function("a strategy", function, "player, seen, actions")
        probs: list[float] = []
        for infoset, seen in enumerate(tree.seen):
            player, actions = int(tree.infoset_player[infoset]), tree.actions_at(infoset)
            probs += ask(function, player, seen, actions, "the function")
        return cls(tree, np.array(probs))

    def weighted(self, weights: FloatArray) -> Strategy:
        """Another one of the same game, proportional to weights ≥ 0."""
        return normalised(self.tree, weights)

    # ---- looking ---------------------------------------------------------------------

    def at(self, seen: Hashable, player: int | None = None) -> dict[Hashable, float]:
        """`{action: probability}` where a player has seen `seen`.

        >>> import workbench as wb
        >>> Strategy.uniform(wb.compile_game(wb.load_game("kuhn"))).at(("Q", "p"))
        {'p': 0.5, 'b': 0.5}
        """
        infoset = self.tree.find_infoset(seen, player)
        low, high = self.tree.first_choice[infoset : infoset + 2]
        return dict(zip(self.tree.actions_at(infoset), self.probs[low:high].tolist(), strict=True))

    def table(self) -> pd.DataFrame:
        """One row per choice: player (counted from 1), information set, action, probability."""
        import pandas as pd

        sizes = np.diff(self.tree.first_choice)
        labels = np.array([label_of(seen) for seen in self.tree.seen], object)
        return pd.DataFrame(
            {
                "player": np.repeat(self.tree.infoset_player.astype(int) + 1, sizes),
                "information set": np.repeat(labels, sizes),
                "action": [label_of(action) for action in self.tree.actions],
                "probability": self.probs,
            }
        )

    def to_csv(self, path: str | Path) -> Path:
        """Write `table()` for a spreadsheet; probabilities have all their digits."""
        text = self.table().to_csv(index=False, lineterminator="\n")
        return write_named(need_path(path), text.encode("utf-8-sig"))  # so that Excel reads ♠

    def __repr__(self) -> str:
        of_run = f", from run {self.run_id}" if self.run_id else ""
        return f"Strategy of {self.tree.name!r}: {self.tree.num_infosets:,} infosets{of_run}"

    # ---- keeping ---------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write to an npz file; a reader can check that it is whole, whose game and which run's."""
        return save_arrays(path, "strategy", **self.saved())

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        tree = self.tree
        whose = {"game": tree.name, "fingerprint": tree.fingerprint, "run": self.run_id}
        return {"probs": self.probs, **whose}

    @classmethod
    def load(cls, path: str | Path, tree: GameTree) -> Strategy:
        """Read what `save` wrote; refuse a damaged file, or a strategy of another game."""
        need_tree(tree)
        return cls.restored(load_arrays(path, "strategy"), tree, str(path))

    @classmethod
    def restored(cls, saved: Mapping[str, Any], tree: GameTree, where: str) -> Strategy:
        """The strategy out of its arrays, which were kept in `where`."""
        need_same_game(where, saved, tree.name, tree.fingerprint, "the tree it was made for")
        with fitting(where):
            return cls(tree, saved["probs"], run_of(saved))


@runtime_checkable
class JudgesItself(Protocol):
    """A strategy of a game without a tree: it knows its own values (see `poker/`)."""

    @property
    def tree(self) -> Any: ...

    def best_response(self, player: int) -> tuple[float, Any]:
        """What a player wins at best, and the profile in which she does."""

    def gains(self) -> FloatArray: ...

    def exploitability(self) -> float: ...

    def expected_values(self, *others: Any) -> FloatArray:
        """What each seat wins; with other strategies in the seats after the first."""


def need_strategy(value: object, tree: GameTree | None = None) -> Strategy:
    """Refuse what is not a strategy (of this tree), and say how to get one."""
    if not isinstance(value, Strategy):
        raise GameError(
            f"a Strategy is needed here, not {type(value).__name__}: "
            "run.strategy, Strategy.uniform(tree) or Strategy.from_function(tree, f)"
        )
    other = value.tree
    if tree is not None and other is not tree and other.fingerprint != tree.fingerprint:
        raise GameError(
            f"a strategy of {tree!r} is needed here, not one of {other!r}; "
            "solve this game, or lift the strategy to it"
        )
    return value


def normalised(tree: GameTree, weights: FloatArray) -> Strategy:
    """The strategy proportional to weights ≥ 0, (K,); uniform where an infoset has none."""
    sums = _sum_by_infoset(tree, weights)
    if not (some := sums > 0.0).all():
        weights = np.where(some[tree.choice_infoset], weights, 1.0)
        sums = np.where(some, sums, np.diff(tree.first_choice))
    return Strategy(tree, weights / sums[tree.choice_infoset])


def need_numbers(
    name: str, given: Any, shape: tuple[int, ...] | None, whose: str, kind: Any = np.float64
) -> NDArray[Any]:
    """A copy of an array of numbers; shape None: any."""
    try:
        if shape and isinstance(given, range) and len(given) != shape[0]:
            raise TypeError  # before all of them are written out
        read = np.asarray(given)
        if read.dtype.kind in "cSUmMV":  # numpy would make numbers of words and of dates
            raise TypeError
        with np.errstate(invalid="ignore", over="ignore"):
            numbers = np.array(read, kind)
        if numbers.dtype.kind in "iu" and not np.array_equal(numbers, read):
            raise TypeError
    except (TypeError, ValueError, OverflowError, MemoryError):
        whole = "whole " if np.dtype(kind).kind in "iu" else ""
        raise GameError(f"{name} must be {whole}numbers, not {shown(given)}") from None
    if shape is not None and numbers.shape != shape:
        need = " × ".join(map(str, shape))
        raise GameError(f"{whose} has {need} {name}, not {numbers.shape}")
    return numbers


def need_probabilities(
    probs: FloatArray, sums: Callable[[FloatArray], FloatArray], at: Callable[[int], str],
    rounding: float = 1e-9,
) -> None:  # fmt: skip
    """Refuse what is negative, not finite or does not sum to one at some information set. `sums`
    adds up an array over choices at each, `at` says what stands at one."""
    with np.errstate(invalid="ignore"):  # inf - inf
        wrong = ~(np.abs(sums(probs) - 1.0) <= rounding)
        if not probs.min(initial=0.0) >= 0.0:
            wrong |= sums(np.minimum(probs, 0.0)) < 0.0
    if wrong.any():
        raise GameError(f"at {at(int(wrong.argmax()))}; they must be at least 0 and sum to 1")


def need_same_game(where: str, saved: Any, name: str, fingerprint: str, made_for: str) -> None:
    """Refuse the arrays of a strategy of another game."""
    with fitting(where):
        game, found = text_of(saved, "game"), text_of(saved, "fingerprint")
        for key in saved:
            if "name" in key.split():  # of buckets, of some of them: "name of 1"
                text_of(saved, key)
    if found != fingerprint:
        raise GameError(
            f"{where} holds a strategy of {game!r} (fingerprint {found[:8]}), not of this {name!r} "
            f"(fingerprint {fingerprint[:8]}); load it with {made_for}"
        )


def run_of(saved: Mapping[str, Any]) -> str:
    """The run that found a saved strategy, if it is known."""
    return text_of(saved, "run") if "run" in saved else ""


def _sum_by_infoset(tree: GameTree, values: FloatArray) -> FloatArray:
    if tree.num_infosets == 0:
        return np.zeros(0)
    return np.asarray(np.add.reduceat(values, tree.first_choice[:-1]))


def ask(function: Function, player: int, seen: Any, actions: Any, name: str) -> list[float]:
    """What a function answers, as probabilities in the order of the actions."""
    try:
        answer = function(player, seen, tuple(actions))
    except Exception as error:
        error.add_note(f"(asked for player {player} who has seen {seen!r})")
        raise
    try:
        return read_answer(answer, tuple(actions))
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(
            f"player {player} who has seen {seen!r} may choose among {list(actions)}; "
            f"{name} answered {shown(answer)}: {error}"
        ) from None


def read_answer(answer: Any, actions: tuple[Hashable, ...]) -> list[float]:
    """Probabilities in the order of actions; ValueError says what is wrong."""
    if isinstance(answer, Mapping):
        strangers = set(answer) - set(actions)
        if strangers:
            raise ValueError(f"{sorted(map(label_of, strangers))} cannot be chosen here")
        values = [float(answer.get(action, 0.0)) for action in actions]
    elif isinstance(answer, Hashable) and answer in actions:
        return [float(action == answer) for action in actions]
    elif isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise ValueError("that is none of the actions")
    else:
        values = [float(value) for value in answer]
        if len(values) != len(actions):
            raise ValueError(f"{len(actions)} probabilities are needed")
    total = math.fsum(values)
    if min(values) < 0 or not abs(total - 1.0) <= 1e-6:
        raise ValueError("probabilities must be at least 0 and sum to 1")
    return [value / total for value in values]
