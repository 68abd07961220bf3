"""The sampling solvers as one would explain them: recursive, on nothing but lists.

A walk can be taken with the dice of the kernels (the same numbers, drawn in the same order), or
with scripted ones, with which `expectation` tries every way the dice can fall: that turns "right on
average" into an equation.

Merged actions are read from the tree itself: the edges of a choice, one of which nature picks.
"""

from dataclasses import dataclass, field

import numpy as np

from tests.test_random import Xoshiro
from workbench.tree import CHANCE, NOBODY, GameTree


class RealDice:
    """The generator of the kernels."""

    def __init__(self, rng):
        self.draw = Xoshiro([int(word) for word in rng])

    def even(self, sides):
        return int(self.draw() * sides)

    def deal(self, chances):
        """The first whose cumulative probability exceeds the number."""
        luck, total = self.draw(), 0.0
        possible = [j for j, chance in enumerate(chances) if chance > 0.0]
        for j in possible:
            total += chances[j]
            if luck < total:
                return j
        return possible[-1]

    def pick(self, chances):
        luck = self.draw()
        possible = [j for j, chance in enumerate(chances) if chance > 0.0]
        for j in possible:
            luck -= chances[j]
            if luck < 0.0:
                return j
        return possible[-1]

    def below(self, epsilon):
        return self.draw() < epsilon


class Scripted:
    """Dice that fall as written; where the script ends, the first way that is possible."""

    def __init__(self, script):
        self.script, self.probability = script, 1.0
        self.fallen = []
        self.ways = []

    def pick(self, chances):
        k, possible = len(self.fallen), [j for j, p in enumerate(chances) if p > 0.0]
        j = self.script[k] if k < len(self.script) else possible[0]
        self.fallen.append(j)
        self.ways.append(possible)
        self.probability *= chances[j]
        return j

    deal = pick

    def even(self, sides):
        return self.pick([1.0 / sides] * sides)

    def below(self, epsilon):
        return self.pick([epsilon, 1.0 - epsilon]) == 0


def expectation(walk, limit=20_000):
    """The mean of what a walk gives, over all ways the dice can fall; None if they are too many."""
    mean = 0.0
    scripts = [[]]
    for _ in range(limit):
        script = scripts.pop()
        dice = Scripted(script)
        mean = mean + walk(dice) * dice.probability
        for k in range(len(script), len(dice.fallen)):
            others = [j for j in dice.ways[k] if j != dice.fallen[k]]
            scripts += [[*dice.fallen[:k], j] for j in others]
        if not scripts:
            return np.asarray(mean)
    return None


@dataclass
class Twin:
    """A table and the walks over a tree that change it. Strategies change in `match` only."""

    tree: GameTree
    regret: list[float]
    probs: list[float]
    strategy_sum: list[float]
    dice: object  # real or scripted
    touched: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, tree, state, dice=None):
        arrays = (state.regret, state.probs, state.strategy_sum)
        return cls(tree, *(array.tolist() for array in arrays), dice or RealDice(state.rng))

    def choices(self, h):
        """The choices at a history."""
        return range(*map(int, self.tree.first_choice[self.tree.infoset[h] :][:2]))

    def edges(self, h, choice):
        """Where a choice may lead: to several places if actions were merged."""
        children = range(*map(int, self.tree.first_child[h : h + 2]))
        return [child for child in children if self.tree.choice[child] == choice]

    def after(self, h, choice):
        """Where a choice leads: nature picks if several actions were merged."""
        edges = self.edges(h, choice)
        return edges[0] if len(edges) == 1 else edges[self.dice.even(len(edges))]

    def dealt(self, h):
        first, last = map(int, self.tree.first_child[h : h + 2])
        chances = self.tree.chance[first:last].tolist()
        if len(set(chances)) == 1:
            return first + self.dice.even(len(chances))
        return first + self.dice.deal(chances)

    def over(self, h):
        return bool(self.tree.player[h] == NOBODY)

    def pays(self, h, i):
        return float(self.tree.utility[self.tree.terminal[h], i])

    def sigma(self, choices):
        return [self.probs[c] for c in choices]

    def add(self, choices, weight):
        for c in choices:
            self.strategy_sum[c] += weight * self.probs[c]

    def match(self):
        """Regret matching wherever regrets have changed."""
        for infoset in self.touched:
            first, last = map(int, self.tree.first_choice[infoset : infoset + 2])
            positive = [max(r, 0.0) for r in self.regret[first:last]]
            total = sum(positive)
            for c, r in zip(range(first, last), positive, strict=True):
                self.probs[c] = r * (1.0 / total) if total > 1e-300 else 1.0 / len(positive)
        self.touched.clear()

    def average(self, h, i, tried, weight):
        """i plays σ, all moves of `tried` are tried, the rest moves blindly."""
        if self.over(h):
            return
        player = self.tree.player[h]
        if player == CHANCE:
            self.average(self.dealt(h), i, tried, weight)
            return
        choices = self.choices(h)
        if player == i:
            self.add(choices, weight)
            took = choices[self.dice.pick(self.sigma(choices))]
            self.average(self.after(h, took), i, tried, weight)
        elif player == tried:
            first, *others = choices
            self.average(self.after(h, first), i, tried, weight)
            for took in reversed(others):  # the order in which the kernel draws
                self.average(self.after(h, took), i, tried, weight)
        else:
            took = choices[self.dice.even(len(choices))]
            self.average(self.after(h, took), i, tried, weight)

    def chance(self, h, i, weight, own=1.0, others=1.0):
        if self.over(h):
            return self.pays(h, i)
        if self.tree.player[h] == CHANCE:
            return self.chance(self.dealt(h), i, weight, own, others)
        choices, mine = self.choices(h), self.tree.player[h] == i
        if mine:
            self.add(choices, weight * own)
        values = []
        for c in choices:
            reach = (own * self.probs[c], others) if mine else (own, others * self.probs[c])
            ahead = reach != (0.0, 0.0)  # else nobody goes there, and nature need not pick
            values.append(self.chance(self.after(h, c), i, weight, *reach) if ahead else 0.0)
        value = sum(p * v for p, v in zip(self.sigma(choices), values, strict=True))
        if mine and others > 0.0:
            self._regret(h, choices, [weight * others * (v - value) for v in values])
        return value

    def external(self, h, i, weight, at="opponent", opponent="current", own=1.0):
        if self.over(h):
            return self.pays(h, i)

        def on(h, own, share=1):
            return self.external(h, i, weight / share, at, opponent, own)

        if self.tree.player[h] == CHANCE:
            return on(self.dealt(h), own)
        choices = self.choices(h)
        if self.tree.player[h] == i:
            if at == "traverser":
                self.add(choices, weight * own)
            values = []
            for c in choices:
                edges = self.edges(h, c)
                found = [on(edge, own * self.probs[c], len(edges)) for edge in edges]
                values.append(sum(v / len(edges) for v in found))
            value = sum(p * v for p, v in zip(self.sigma(choices), values, strict=True))
            self._regret(h, choices, [weight * (v - value) for v in values])
            return value
        sums = [self.strategy_sum[c] for c in choices]
        if opponent == "current":
            took = choices[self.dice.pick(self.sigma(choices))]
        elif sum(sums) > 0.0:
            took = choices[self.dice.pick([s / sum(sums) for s in sums])]
        else:
            took = choices[self.dice.even(len(choices))]
        if at == "opponent" and self.tree.num_players == 2:
            self.add(choices, weight)
        return on(self.after(h, took), own)

    def outcome(self, h, i, weight, epsilon, tried=1.0):
        """Returns W · T at h."""
        if self.over(h):
            return weight * self.pays(h, i) / tried
        if self.tree.player[h] == CHANCE:
            return self.outcome(self.dealt(h), i, weight, epsilon, tried)
        choices = self.choices(h)
        if self.tree.player[h] != i:
            took = choices[self.dice.pick(self.sigma(choices))]
            return self.outcome(self.after(h, took), i, weight, epsilon, tried)
        if self.dice.below(epsilon):
            took = choices[self.dice.even(len(choices))]
        else:
            took = choices[self.dice.pick(self.sigma(choices))]
        tried *= epsilon / len(choices) + (1.0 - epsilon) * self.probs[took]
        worth = self.outcome(self.after(h, took), i, weight, epsilon, tried)
        self._regret(h, choices, [worth * ((c == took) - self.probs[took]) for c in choices])
        return worth * self.probs[took]

    def _regret(self, h, choices, increments):
        for c, increment in zip(choices, increments, strict=True):
            self.regret[c] += increment
        self.touched.append(int(self.tree.infoset[h]))
