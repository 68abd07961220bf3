"""What sampling a game's rules has learned: a policy that knows what it has reached.

It answers for everything a player can see, uniformly where nobody has ever been. Where the game
has a tree, `to_strategy` hands over to the exact judges. Files hold the table and nothing that
could be run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np

from workbench.abstraction.abstraction import Rule, chain, label_and_names
from workbench.files import fitting, load_arrays, save_arrays
from workbench.lab.analysis.rules_sampling.infoset_store import InfosetTable, Shape, code_of
from workbench.later import pd
from workbench.policies import Dealer, Dice, Policy, as_policy
from workbench.rules import GameError, Rules, need_rules, shown
from workbench.settings import as_tuple, known_in, need_one_of, need_whole
from workbench.solvers.regret import TINY
from workbench.strategy import Strategy
from workbench.tree import GameTree, need_tree

MARKS = 2000  # a stream of random numbers that nobody else uses

Stopped = Literal["iterations", "memory", "interrupted"]


class View(NamedTuple):
    """What players remember of what they see, and what they call their actions."""

    name: str  # of the abstraction; none if nothing is forgotten
    see: Callable[[int, Any, tuple[Any, ...]], tuple[Hashable, Sequence[Any]]]


EVERYTHING = View("", lambda player, seen, actions: (seen, actions))


@dataclass(frozen=True, eq=False, repr=False)
class Sampled:
    """What was learned by sampling a game's rules. It is a policy: ask for `probabilities`."""

    rules: Rules
    table: InfosetTable
    seed: int
    stopped: Stopped
    seconds: float
    view: View
    player: int  # who was trained, -1 if everybody was
    mark: str  # of these rules as seen through this view, see `mark_of`

    @property
    def abstraction(self) -> str:
        """Its name, none if nothing is forgotten."""
        return self.view.name

    @property
    def iterations(self) -> int:
        return len(self.table.reached)

    @property
    def infosets(self) -> int:
        """How many information sets were reached."""
        return self.table.num_infosets

    @property
    def bytes(self) -> int:
        """What the table takes."""
        return self.table.nbytes

    @property
    def trace(self) -> pd.DataFrame:
        """iteration, infosets: how many were reached after each iteration."""
        reached = np.array(self.table.reached, np.int64)
        return pd.DataFrame({"iteration": np.arange(1, len(reached) + 1), "infosets": reached})

    def knows(self, player: int, seen: Any, actions: Sequence[Any]) -> bool:
        """Whether this information set was ever reached."""
        return self._find(player, seen, actions)[0] >= 0

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        """The average strategy at an information set; uniform where it was never reached."""
        row, shape = self._find(player, seen, actions)
        size = len(shape.groups)
        weights = self.table.weights(row).tolist() if row >= 0 else [0.0] * size
        total = sum(weights)
        probs = [0.0] * len(actions)
        for weight, group in zip(weights, shape.groups, strict=True):
            for place in group:
                probs[place] = (weight / total if total > TINY else 1 / size) / len(group)
        return probs

    def response(self, otherwise: Policy) -> Policy:
        """The policy that takes the action with the largest regret; `otherwise` where none is."""
        return _Greedy(self, otherwise)

    def to_strategy(self, tree: GameTree) -> Strategy:
        """The same as a strategy of the compiled game, for exact judges."""
        if need_tree(tree).name != self.rules.name:
            raise GameError(
                f"{self.rules.name!r} was sampled, and this is the tree of {tree.name!r}; compile "
                "the rules that were sampled"
            )
        return Strategy.from_function(tree, self.probabilities)

    def __repr__(self) -> str:
        within = f" [{self.abstraction}]" if self.abstraction else ""
        ended = {
            "iterations": "",
            "memory": f"; stopped: the next one does not fit into {_size(self.table.memory)}",
            "interrupted": "; stopped: interrupted",
        }[self.stopped]
        return (
            f"Sampled run on {self.rules.name}{within}: {self.iterations:,} iterations, "
            f"{self.infosets:,} infosets reached, {_size(self.bytes)}{ended}"
        )

    # ---- keeping ---------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write to an npz file; `load` and `start=` go on from there, bit for bit."""
        return save_arrays(
            path, "sampled run", game=self.rules.name, abstraction=self.abstraction,
            mark=self.mark, seed=self.seed, player=self.player, stopped=self.stopped,
            seconds=self.seconds, memory=self.table.memory, **self.table.arrays(),
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | Path, rules: Rules, abstraction: Rule | str | None = None) -> Sampled:
        """Read what `save` wrote, to go on or to play:

            run.save("leduc")
            run = wb.judge.load_sampled("leduc.npz", wb.load_game("leduc"))

        A damaged file, another game and another abstraction are refused.
        """
        view, saved = view_of(rules, abstraction), load_arrays(path, "sampled run")
        with fitting(str(path), "sample again"):
            game, within = str(saved["game"]), str(saved["abstraction"])
        if game != rules.name or within != view.name:
            raise GameError(
                f"{path} holds a sampled run on {game!r} with abstraction {within or None!r}, not "
                f"on {rules.name!r} with {view.name or None!r}"
            )
        mark = mark_of(rules, view)
        if str(saved.get("mark")) != mark:
            raise GameError(
                f"{path} holds a sampled run on {game!r} as its rules or its abstraction were "
                "then; they give other answers now, so sample again"
            )
        with fitting(str(path), "sample again"):
            seed, player, memory = (int(saved[name]) for name in ("seed", "player", "memory"))
            table, seconds = InfosetTable.from_arrays(saved, memory), float(saved["seconds"])
            stopped = need_one_of("stopped", str(saved["stopped"]), get_args(Stopped))
            return cls(rules, table, seed, stopped, seconds, view, player, mark)

    def _find(self, player: int, seen: Any, actions: Sequence[Any]) -> tuple[int, Shape]:
        need_whole("player", player, 0, self.rules.players - 1)
        given = as_tuple(actions)
        if not given or not known_in(given, (given,)):
            raise GameError(f"actions must be what a player may do here, not {shown(actions)}")
        label, names = self.view.see(player, seen, given)
        shape = self.table.shape(player, tuple(names))
        row = self.table.find(code_of(player, label))
        if row >= 0 and self.table.shape_of[row] != shape.number:
            raise self.table.refuse(row, player, seen, shape)
        return row, shape


def mark_of(rules: Rules, view: View = EVERYTHING) -> str:
    """A hash of what players see, may do and remember in some random games: names can be equal."""
    shown = blake2b(digest_size=10)

    def watch(player: int, seen: Any, actions: tuple[Any, ...]) -> list[float]:
        label, names = view.see(player, seen, actions)
        shown.update(repr(code_of(player, (seen, label, *names))).encode())
        return [1 / len(actions)] * len(actions)

    dealer, cards, coins = Dealer(rules), Dice(0, stream=MARKS), Dice(0, stream=MARKS + 1)
    watched = [as_policy(watch)] * rules.players
    for game in range(20):
        payoffs = dealer.play(watched, cards.throw(game), coins.throw(game))
        shown.update(repr(payoffs).encode())
    return shown.hexdigest()


def view_of(rules: Rules, abstraction: Rule | str | None) -> View:
    """What players remember and what they call their actions, by an abstraction."""
    need_rules(rules)
    if abstraction is None:
        return EVERYTHING
    rule = chain(abstraction)
    known = SimpleNamespace(rules=rules, name=rules.name, num_players=rules.players)  # of a tree
    try:
        function = rule.for_tree(cast(GameTree, known))  # enough to ask about the deck
    except AttributeError as error:
        raise GameError(
            f"abstraction {rule.name!r} needs the whole tree of {rules.name!r}, not only its rules "
            f"({error}); compile it"
        ) from None

    def see(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Any, Sequence[Any]]:
        label, names = label_and_names(function(player, seen, actions), seen, actions)
        if len(names) != len(actions) or all(name is None for name in names):
            raise GameError(
                f"abstraction {rule.name!r}, player {player} who has seen {seen!r}: the names "
                f"{names} for the actions {list(actions)}; one name for each is needed, None to "
                "leave an action out, but not all of them"
            )
        return label, names

    return View(rule.name, see)


class _Greedy(NamedTuple):
    sampled: Sampled
    otherwise: Policy

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> Sequence[float]:
        if player == self.sampled.player:
            row, shape = self.sampled._find(player, seen, actions)
            regret = self.sampled.table.weights(row, regret=True) if row >= 0 else np.zeros(1)
            if regret.any():
                group = shape.groups[int(np.argmax(regret))]
                return [float(k in group) / len(group) for k in range(len(actions))]
        return self.otherwise.probabilities(player, seen, actions)


def _size(count: int) -> str:
    """Bytes as people say them.

    >>> _size(2_000_000_000), _size(40_000)
    ('2.0 GB', '40 kB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count // 1000} kB"
