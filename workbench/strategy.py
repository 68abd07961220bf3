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
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.compiling import compile_game
from workbench.files import fitting, load_arrays, need_path, save_arrays, text_of, write_named
from workbench.later import pd
from workbench.passes import profile_values
from workbench.rules import GameError, label_of, need_rules, shown
from workbench.sequence_form import sequence_form
from workbench.settings import need_function
from workbench.tree import FloatArray, GameTree, form_of, frozen, need_tree

Answer = Hashable | Mapping[Hashable, float] | Iterable[float]
Function = Callable[[int, Any, tuple[Any, ...]], Answer]  # of player, seen, actions


class Profile(ABC):
    """A strategy of a game of any form: it knows its worth, answers what it does, and is kept."""

    tree: Any  # the game it is a strategy of
    played: Any  # the game whose choices have `probs`: the same, or an abstraction of it
    probs: FloatArray  # (K,)
    run_id: str  # of the run that found it, which writes it into a copy: this is a dataclass
    thinks: ClassVar[str] = ""  # "module:Class" for a `Searcher` that plays by it, if there is one

    # ---- judging: `workbench.evaluation.values` asks, and checks what it is given

    @abstractmethod
    def seated(self, *others: Any) -> Any:
        """The profile in which this plays in seat 0 and the others in the seats after it."""

    @abstractmethod
    def expected_values(self, *others: Any) -> FloatArray:
        """(P,) what each seat wins; with other strategies in the seats after the first."""

    @abstractmethod
    def best_response(self, player: int) -> tuple[float, Any]:
        """What a player wins at best, and the profile in which she does."""

    def gains(self) -> FloatArray:
        """(P,) what each player would win by deviating alone."""
        best = [self.best_response(player)[0] for player in range(self.tree.num_players)]
        return best - self.expected_values()

    def exploitability(self) -> float:
        """Their mean."""
        return float(np.add.reduce(gains := self.gains())) / len(gains)  # `mean` takes 2 µs more

    # ---- looking and keeping

    @abstractmethod
    def weighted(self, weights: FloatArray) -> Any:
        """Another one of the same game, proportional to weights ≥ 0."""

    @abstractmethod
    def at(self, seen: Any, player: int | None = None) -> Mapping[Any, float]:
        """`{action: probability}` where a player has seen `seen`."""

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        """As a policy is asked, at a table and in matches by the rules (`workbench.policies`)."""
        known = self.at(seen, player)
        return [known[action] for action in actions]

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """One row per choice: player (counted from 1), information set, action, probability."""

    def to_csv(self, path: str | Path) -> Path:
        """Write `table()`, of cards that of the first round, for a spreadsheet, with all digits."""
        text: str = self.table().to_csv(index=False, lineterminator="\n")
        return write_named(need_path(path), text.encode("utf-8-sig"))  # so that Excel reads ♠

    def save(self, path: str | Path) -> Path:
        """Write to an npz file; a reader can check that it is whole, whose game and which run's."""
        return save_arrays(path, self.tree.saved_as, **self.saved())

    def saved(self) -> dict[str, Any]:
        """The arrays that `Form.restored` needs."""
        whose = {"game": self.tree.name, "fingerprint": self.played.fingerprint, "run": self.run_id}
        return {"probs": self.probs, **whose}

    def __repr__(self) -> str:
        of_run = f", from run {self.run_id}" if self.run_id else ""
        size = f"{self.played.num_infosets:,} infosets"
        return f"{type(self).__name__} of {self.tree.name!r}: {size}{of_run}"


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(Profile):
    """`probs[c]` is the probability of choice c; at each infoset they sum to one."""

    tree: GameTree
    probs: FloatArray  # (K,)
    run_id: str = ""

    def __post_init__(self) -> None:
        tree = need_tree(self.tree)

        def at(infoset: int) -> str:
            low, high = tree.first_choice[infoset : infoset + 2]
            said = f"infoset {infoset} ({tree.infoset_label(infoset)})"
            return f"{said} the probabilities are {probs[low:high].tolist()}"

        shape, whose = (tree.num_choices,), f"a strategy of {tree.name!r}"
        probs = need_numbers("probabilities", self.probs, shape, whose)
        need_probabilities(probs, partial(_sum_by_infoset, tree), at)
        self.__dict__.update(played=tree, probs=frozen(probs))

    # ---- making ----------------------------------------------------------------------

    @classmethod
    def uniform(cls, tree: Any) -> Strategy:
        """Every action equally likely, on a tree or by the rules of a card game."""
        if form := form_of(tree):  # nothing was played yet
            return form.average(form.start_state())  # type: ignore[no-any-return]
        sizes = np.diff(need_tree(tree).first_choice)
        return cls(tree, np.repeat(1.0 / sizes, sizes))

    @classmethod
    def from_function(cls, tree: GameTree, function: Function) -> Strategy:
        """Ask `function(player, seen, actions)` once per infoset.

        It answers with one action, with `{action: probability}` (missing actions get 0), or
        with probabilities in the order of `actions`.
        """
        if form_of(tree):
            raise GameError(
                f"in {tree.name!r} a function plays as it is: wb.judge.play_match(rules, {{...}}), "
                "PlayTable(rules, opponent=f); a small game has a tree: wb.compile_game(rules)"
            )
        need_tree(tree)
        need_function("a strategy", function, "player, seen, actions")
        probs: list[float] = []
        for infoset, seen in enumerate(tree.seen):
            player, actions = int(tree.infoset_player[infoset]), tree.actions_at(infoset)
            probs += ask(function, player, seen, actions, "the function")
        return cls(tree, np.array(probs))

    def weighted(self, weights: FloatArray) -> Strategy:
        return normalised(self.tree, need_weights(self.tree, weights))

    # ---- judging ---------------------------------------------------------------------

    def seated(self, *others: Strategy) -> Strategy:
        probs = self.probs.copy()
        for i, other in enumerate(others, 1):
            mine = self.tree.choices_of(i)
            probs[mine.start : mine.stop] = need_strategy(other, self.tree).probs[mine]
        return Strategy(self.tree, probs)

    def expected_values(self, *others: Strategy) -> FloatArray:
        return profile_values(self.tree, (self.seated(*others) if others else self).probs)

    def best_response(self, player: int) -> tuple[float, Strategy]:
        value, probs = sequence_form(self.tree).best(player, self.probs)
        return value, Strategy(self.tree, probs)

    def gains(self) -> FloatArray:
        return sequence_form(self.tree).gains(self.probs)

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

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        infoset = self.tree.infoset_of.get((player, seen))
        if infoset is None:
            raise GameError(
                f"a strategy of {self.tree.name!r} is asked about {seen!r}, which it does not "
                "know; play the game it was made for"
            )
        low, high = self.tree.first_choice[infoset : infoset + 2]
        known, probs = self.tree.actions_at(infoset), self.probs[low:high].tolist()
        return probs if known == tuple(actions) else [probs[known.index(a)] for a in actions]

    def table(self) -> pd.DataFrame:
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

    # ---- keeping ---------------------------------------------------------------------

    @staticmethod
    def load(path: str | Path, game: Any) -> Any:
        """Read what `save` wrote, with the tree or the rules it was made for: a strategy of a tree
        or of a form, whichever the file holds. A damaged file and another game are refused."""
        return Strategy.restored(load_arrays(path, GameTree.saved_as), game, str(path))

    @staticmethod
    def restored(saved: Mapping[str, Any], game: Any, where: str) -> Any:
        """The strategy out of its arrays, which were kept in `where`."""
        kind, form = str(saved.get("kind", "")), form_of(game)  # a store does not say which kind
        if not isinstance(game, GameTree):  # before it is compiled, or buckets are made for it
            need_same_game(where, saved, need_rules(form.rules if form else game).name)
        if form and kind != GameTree.saved_as:
            return form.restored(saved, where)
        tree = compile_game(game)
        run = need_same_game(where, saved, tree.name, tree.fingerprint)
        with fitting(where):
            return Strategy(tree, saved["probs"], run)


def need_profile(value: Any) -> Profile:
    """Refuse what is no strategy, of whatever form."""
    return value if isinstance(value, Profile) else need_strategy(value)


def need_strategy(value: object, tree: GameTree | None = None) -> Strategy:
    """Refuse what is not a strategy (of this tree), and say how to get one."""
    if isinstance(value, Profile) and not isinstance(value, Strategy):
        raise GameError(
            f"a strategy of a tree is needed here, and {value.tree.name!r} was solved without one: "
            "solve wb.compile_game(rules), if small, or take wb.static_experts or wb.poker.resolve"
        )
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


def need_weights(game: Any, given: Any) -> FloatArray:
    """Weights of all choices of a game, or a sentence."""
    weights = need_numbers("weights", given, (game.num_choices,), f"a strategy of {game.name!r}")
    if not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise GameError(f"weights must be numbers ≥ 0, not {shown(given)}")
    return weights


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


def need_same_game(where: str, saved: Any, name: str, fingerprint: str = "") -> str:
    """Refuse the arrays of a strategy of another game, by its fingerprint or, without, its name;
    returns the run that found it, if it is known."""
    with fitting(where):
        game, found = text_of(saved, "game"), text_of(saved, "fingerprint")
        run = text_of(saved, "run") if "run" in saved else ""
        for key in saved:
            if "name" in key.split():  # of buckets, of some of them: "name of 1"
                text_of(saved, key)
    if (found != fingerprint) if fingerprint else (game.partition(" [")[0] != name):
        apart = f" (fingerprint {found[:8]}, not {fingerprint[:8]})" if fingerprint else ""
        raise GameError(
            f"{where} holds a strategy of {game!r}, not of this {name!r}{apart}; load it with "
            "the rules or the tree it was made for"
        )
    return run


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
