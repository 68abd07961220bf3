"""Random games, for properties that must hold in every game.

A `RandomGame` makes up its tree as it goes: what happens after a sequence of moves is drawn from
a generator seeded with that sequence, so the same settings are always the same game, in every
process. What a player sees of a move is drawn as well: the move itself, only its parity, or
nothing. Her own moves she sees always, so she recalls perfectly, unless `recall` says how many
of the latest signals she keeps: then she may forget, even whether she has moved at all.

How many actions there are depends on what the player has seen, as it must. One action is a
forced move.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

import numpy as np
from hypothesis import strategies as st

from workbench.compiling import compile_game
from workbench.games.registry import load_game
from workbench.rules import Chance, Decision, Terminal
from workbench.strategy import normalised
from workbench.tree import CHANCE

State = tuple[tuple[int, int], ...]  # (who moved, what), chance is -1


@dataclass(frozen=True)
class RandomGame:
    """The rules; see the module's first lines."""

    seed: int
    players: int = 2
    depth: int = 4
    recall: int | None = None
    zero_sum: bool = False
    whole_payoffs: bool = False  # small integers: many ties

    @property
    def name(self):
        return f"random {self.seed}"

    def start(self):
        return ()

    def next(self, state, action):
        return (*state, (_kind(self, state), action))

    def node(self, state):
        return _node(self, state)

    def draw_node(self, state):
        kind = _kind(self, state)
        if kind == CHANCE:
            rng = self._rng("chance", state)
            weights = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
            return Chance({k: weight / sum(weights) for k, weight in enumerate(weights)})
        if kind >= 0:
            seen = self.seen(state, kind)
            actions = self._rng("actions", kind, seen).choice([1, 2, 2, 2, 2, 3, 3, 4])
            return Decision(kind, seen, tuple(range(actions)))
        rng = self._rng("payoffs", state)
        payoffs = [
            float(rng.randint(-3, 3)) if self.whole_payoffs else rng.uniform(-3, 3)
            for _ in range(self.players)
        ]
        if self.zero_sum:
            payoffs[-1] = -sum(payoffs[:-1])
        return Terminal(payoffs)

    def seen(self, state, player):
        """The signals that a player has got, all of them or only the latest."""
        signals = []
        for k, (who, move) in enumerate(state):
            if who == player:
                signals.append(f"I:{move}")
                continue
            eyes = self._rng("eyes", player, k).choice(["open", "half", "shut"])
            if eyes != "shut":
                signals.append(f"{k}:{move if eyes == 'open' else move % 2}")
        return tuple(signals if self.recall is None else signals[-self.recall :])

    def draw_kind(self, state):
        """Who moves: a player, chance (-1), or nobody (-2)."""
        if len(state) >= self.depth:
            return -2
        rng = self._rng("kind", state)
        if state and rng.random() < 0.1:
            return -2
        return CHANCE if rng.random() < 0.25 else rng.randrange(self.players)

    def _rng(self, *key):
        return Random(repr((self.seed, key)))


@lru_cache(maxsize=20_000)  # oracles ask again and again
def _node(rules, state):
    return rules.draw_node(state)


@lru_cache(maxsize=20_000)
def _kind(rules, state):
    return rules.draw_kind(state)


@st.composite
def random_games(draw, *, players=2, recall=True, zero_sum=None, whole_payoffs=None, max_depth=5):
    """Games of these kinds; None leaves it open."""
    return RandomGame(
        seed=draw(st.integers(0, 100_000)),
        players=players if isinstance(players, int) else draw(players),
        depth=draw(st.integers(1, max_depth)),
        recall=None if recall else draw(st.integers(1, 2)),
        zero_sum=draw(st.booleans()) if zero_sum is None else zero_sum,
        whole_payoffs=draw(st.booleans()) if whole_payoffs is None else whole_payoffs,
    )


SEEDS = st.integers(0, 1000)
ANY_PLAYERS = st.integers(1, 4)


def random_strategy(tree, seed):
    """Random probabilities, some of them zero, some infosets pure."""
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=tree.num_choices)
    weights[rng.random(tree.num_choices) < 0.25] = 0.0
    return normalised(tree, weights)


def compiled(rules):
    return compile_game(rules, max_histories=100_000)


@cache
def tree_of(name, **options):
    """A game of the registry, compiled once."""
    return compile_game(load_game(name, **options))


def played(games):
    """A random strategy of each of these games; `sigma.tree.rules` are its rules."""
    return st.builds(lambda rules, seed: random_strategy(compiled(rules), seed), games, SEEDS)


PROFILES = played(random_games(players=ANY_PLAYERS))
FORGETFUL_TOO = played(random_games(players=ANY_PLAYERS) | random_games(recall=False))


def land_or_water(player, seen, actions):
    """Smuggler as a player sees it who cannot tell village and road apart."""
    return ("where", ["water", "land", "land"]) if player == 1 else seen


@lru_cache
def forgetful():
    """A zero-sum game for two in which somebody forgets what she knew."""
    games = (compiled(RandomGame(seed, recall=1, depth=5, zero_sum=True)) for seed in range(50))
    return next(tree for tree in games if not tree.perfect_recall)
