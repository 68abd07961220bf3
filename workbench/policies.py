"""Playing straight from the rules, without a tree: chance draws, and policies answer.

Everyday example: nobody lists the 736 million deals of two hands of four out of 32 cards before
dealing one. A dealer shuffles.

A *policy* is whatever can say how likely a player chooses each of her actions: a `Strategy`, a
function f(player, seen, actions), or an object with `probabilities(player, seen, actions)`.

>>> from workbench.games import load_game
>>> bold = as_policy(lambda player, seen, actions: "b")
>>> deck, coins = Dice(seed=0), Dice(seed=0, stream=1)
>>> Dealer(load_game("kuhn")).play([bold, bold], deck.throw(1), coins.throw(1))
(2.0, -2.0)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import Any, Protocol

import numpy as np

from workbench.node_checks import complaint
from workbench.rules import Chance, Decision, GameError, Rules, Terminal, need_whole
from workbench.strategy import Answer, Strategy, read_answer

__all__ = ["MAX_DEPTH", "Dealer", "Dice", "Policy", "as_policy", "pick"]

MAX_DEPTH = 5_000  # a path this long is an endless game, not a long one


class Policy(Protocol):
    """How somebody plays, asked at one decision at a time."""

    def probabilities(
        self, player: int, seen: Any, actions: Sequence[Any], /
    ) -> Sequence[float]: ...


class Dice:
    """Random numbers that depend on the seed and on the number of the throw, on nothing else.

    So there is no state to keep: whoever goes on at throw 1001 gets what she would have got.
    Streams have nothing in common, so nobody is judged by the deals she has learned from.

    >>> dice = Dice(seed=7)
    >>> float(dice.throw(3).random()) == float(Dice(seed=7).throw(3).random())
    True
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.seed, self.stream = need_whole("seed", seed, 0), stream
        self._bits = np.random.Philox(seed=self.seed)
        self._state = self._bits.state
        self._generator = np.random.Generator(self._bits)

    def throw(self, number: int) -> np.random.Generator:
        """The generator of this throw, from its beginning; the one of the throw before ends.

        Philox numbers its output: every throw has 2⁶⁴ blocks of its own.
        """
        self._state["state"]["counter"][:] = (0, number, self.stream, 0)
        self._bits.state = self._state
        return self._generator


class Dealer:
    """Plays chance's part of a game; complains where the rules are wrong."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = rules.start()
        self._draw: Callable[[Any, np.random.Generator], Any] | None = getattr(rules, "draw", None)
        self._outcomes: list[Any] = []
        self._up_to: list[float] = []  # Σ of the probabilities up to each outcome
        self._paid: set[Any] = set()  # payoffs that need no second look
        self._fine: set[Any] = set()  # and actions

    def open(self, random: np.random.Generator) -> Any:
        """The state after chance's first move, or the start if chance does not begin.

        A first move is often the whole deal, so it is listed once only, or not at all.
        """
        if self._draw is not None:
            outcome = self._draw(self.start, random)
            return self.start if outcome is None else self.rules.next(self.start, outcome)
        if not self._outcomes:
            node = self.rules.node(self.start)
            if not isinstance(node, Chance):
                return self.start
            self.check(node)
            self._outcomes = list(node.probabilities)
            self._up_to = list(accumulate(node.probabilities.values()))
        place = bisect_right(self._up_to, random.random() * self._up_to[-1])
        return self.rules.next(self.start, self._outcomes[place])

    def outcome(self, state: Any, node: Chance, random: np.random.Generator) -> Any:
        """What chance does in a state."""
        if self._draw is not None:
            outcome = self._draw(state, random)
            if outcome is not None:
                return outcome
        self.check(node)
        return pick(node.probabilities, node.probabilities.values(), random.random())

    def payoffs(self, node: Terminal) -> Sequence[float]:
        payoffs = node.payoffs
        if type(payoffs) is not tuple or payoffs not in self._paid:
            self.check(node)
            if type(payoffs) is tuple and len(self._paid) < 1000:
                self._paid.add(payoffs)
        return payoffs

    def check(self, node: object) -> None:
        wrong = complaint(node, self.rules.players, self._fine)
        if wrong:
            raise GameError(f"in {self.rules.name!r}: {wrong}")

    def endless(self) -> GameError:
        return GameError(
            f"{self.rules.name!r} has a history of {MAX_DEPTH:,} moves, which looks endless; "
            "check that next() always moves towards a Terminal"
        )

    def play(
        self,
        policies: Sequence[Policy],  # one for each seat
        chance: np.random.Generator,
        players: np.random.Generator,
    ) -> tuple[float, ...]:
        """One game from the start to its payoffs."""
        ask_node, ask_next = self.rules.node, self.rules.next
        state = self.open(chance)
        for _ in range(MAX_DEPTH):
            node = ask_node(state)
            if isinstance(node, Decision):
                actions = node.actions
                if len(actions) > 1:
                    answer = policies[node.player].probabilities(node.player, node.seen, actions)
                    state = ask_next(state, pick(actions, answer, players.random()))
                else:
                    state = ask_next(state, actions[0])
            elif isinstance(node, Terminal):
                return tuple(map(float, self.payoffs(node)))
            else:
                self.check(node)
                state = ask_next(state, self.outcome(state, node, chance))
        raise self.endless()


def pick(items: Any, weights: Any, uniform: float) -> Any:
    """The item at a place in [0, 1) when each takes up as much of it as it weighs."""
    for item, weight in zip(items, weights, strict=True):
        if weight > 0.0:
            chosen = item
            uniform -= weight
            if uniform < 0.0:
                break
    return chosen


class _OfStrategy:
    def __init__(self, strategy: Strategy) -> None:
        self.tree, self.probs = strategy.tree, strategy.probs.tolist()
        self.infosets = {
            (int(player), seen): infoset
            for infoset, (player, seen) in enumerate(
                zip(self.tree.infoset_player, self.tree.seen, strict=True)
            )
        }

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> Sequence[float]:
        infoset = self.infosets.get((player, seen))
        if infoset is None:
            raise GameError(
                f"a strategy of {self.tree.name!r} is asked about {seen!r}, which it does not "
                "know; play the game it was made for"
            )
        low, high = self.tree.first_choice[infoset : infoset + 2]
        known, probs = self.tree.actions_at(infoset), self.probs[low:high]
        if known == tuple(actions):
            return probs  # type: ignore[no-any-return]
        return [probs[known.index(action)] for action in actions]


class _OfFunction:
    def __init__(self, function: Callable[[int, Any, tuple[Any, ...]], Answer], name: str) -> None:
        self.function, self.name = function, name

    def probabilities(self, player: int, seen: Hashable, actions: Sequence[Any]) -> Sequence[float]:
        answer = self.function(player, seen, tuple(actions))
        try:
            return read_answer(answer, tuple(actions))
        except (TypeError, ValueError) as error:
            raise GameError(
                f"player {player} who has seen {seen!r} may choose among {list(actions)}; "
                f"{self.name} answered {answer!r}: {error}"
            ) from None


def as_policy(value: Any, name: str = "the policy") -> Policy:
    """Strategy, function, or what is a policy already."""
    if isinstance(value, Strategy):
        return _OfStrategy(value)
    if hasattr(value, "probabilities") and not isinstance(value, type):
        policy: Policy = value
        return policy
    if callable(value) and not isinstance(value, type):
        return _OfFunction(value, name)
    raise GameError(
        f"{name} must be a Strategy, a function f(player, seen, actions) or an object with "
        f"probabilities(player, seen, actions), not {type(value).__name__}"
    )
