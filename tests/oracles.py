"""Naive twins: the definitions, written as recursion on the rules, without any tree.

They exist to be compared with. A *policy* is `{(player, seen): {action: probability}}`; a forced
move (one action) need not be in it. Numbers may be floats or, for exact answers, fractions:
`exact=True` reads chance probabilities and payoffs as the simplest fractions near them.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.rules import Chance, Decision, Rules, Terminal
from workbench.tree import CHANCE, NOBODY

Key = tuple[int, Any]  # (player, seen)
Policy = dict[Key, dict[Any, Any]]


def as_fraction(value):
    return Fraction(value).limit_denominator(10_000)


# ---- between policies and flat arrays ------------------------------------------------------


def table_of(tree, values):
    """{(player, seen): {action: value}} of an array over choices, (K,)."""
    table = {}
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        key = int(tree.infoset_player[infoset]), tree.seen[infoset]
        numbers = np.asarray(values[low:high], np.float64).tolist()
        table[key] = dict(zip(tree.actions_at(infoset), numbers, strict=True))
    return table


def array_of(tree, table):
    """(K,) the same, back again."""
    return np.array(
        [
            float(table[int(tree.infoset_player[infoset]), tree.seen[infoset]][action])
            for infoset in range(tree.num_infosets)
            for action in tree.actions_at(infoset)
        ]
    )


def policy_of(strategy):
    return table_of(strategy.tree, strategy.probs)


def uniform_policy(rules, exact=False):
    one = Fraction(1) if exact else 1.0
    return {
        (node.player, node.seen): {action: one / len(node.actions) for action in node.actions}
        for _, node in positions(rules)
        if isinstance(node, Decision) and len(node.actions) > 1
    }


# ---- walking -------------------------------------------------------------------------------


def positions(rules):
    """Every (state, node) of the game, the forced ones too."""
    waiting = [rules.start()]
    while waiting:
        state = waiting.pop()
        node = rules.node(state)
        yield state, node
        moves = node.probabilities if isinstance(node, Chance) else getattr(node, "actions", ())
        waiting.extend(rules.next(state, move) for move in moves)


def node_after(rules, *moves):
    """The node after a deal and these moves; players make what they are offered."""
    deal, *later = moves
    state = rules.next(rules.start(), deal)  # of deals that may be too many to list
    for move in later:
        node = rules.node(state)
        assert not isinstance(node, Decision) or move in node.actions, move
        state = rules.next(state, move)
    return rules.node(state)


def tandem(rules, tree):
    """(history, state, node) of tree and rules side by side; checks that the arrays fit."""

    def skip(state):
        node = rules.node(state)
        moves = list(getattr(node, "actions", None) or getattr(node, "probabilities", ()))
        return skip(rules.next(state, moves[0])) if len(moves) == 1 else (state, node)

    waiting = [(0, *skip(rules.start()))]
    while waiting:
        h, state, node = waiting.pop()
        yield h, state, node
        children = range(tree.first_child[h], tree.first_child[h + 1])
        if isinstance(node, Terminal):
            assert tree.player[h] == NOBODY
            assert len(children) == 0
            assert tree.utility[tree.terminal[h]].tolist() == list(node.payoffs)
            continue
        assert tree.terminal[h] == -1
        if isinstance(node, Chance):
            assert (tree.player[h], tree.infoset[h]) == (CHANCE, -1)
            moves = list(node.probabilities)
            assert [tree.outcomes[tree.outcome[c]] for c in children] == moves
            assert [tree.chance[c] for c in children] == list(node.probabilities.values())
            assert all(tree.choice[c] == -1 for c in children)
        else:
            infoset = tree.infoset[h]
            assert tree.player[h] == tree.infoset_player[infoset] == node.player
            assert tree.seen[infoset] == node.seen
            moves = [tree.actions[tree.choice[c]] for c in children]
            assert moves == list(tree.actions_at(infoset))
            assert set(moves) == set(node.actions)
            assert all(tree.chance[c] == 1.0 for c in children)
        assert all(tree.parent[c] == h for c in children)
        below = [(c, *skip(rules.next(state, m))) for c, m in zip(children, moves, strict=True)]
        waiting.extend(below)


def ways(rules, state, policy, exact):
    """[(probability, state below)]; none at the end."""
    node = rules.node(state)
    if isinstance(node, Chance):
        read = as_fraction if exact else float
        return [(read(p), rules.next(state, o)) for o, p in node.probabilities.items()]
    if isinstance(node, Decision):
        if len(node.actions) == 1:
            return [(1, rules.next(state, node.actions[0]))]
        at = policy[node.player, node.seen]
        return [(at[action], rules.next(state, action)) for action in node.actions]
    return []


# ---- values --------------------------------------------------------------------------------


def values_below(rules, state, policy, exact=False):
    """What each player wins from a state on."""
    node = rules.node(state)
    if isinstance(node, Terminal):
        return [as_fraction(x) if exact else float(x) for x in node.payoffs]
    branches = ways(rules, state, policy, exact)
    below = [(p, values_below(rules, child, policy, exact)) for p, child in branches]
    return [sum(p * values[i] for p, values in below) for i in range(rules.players)]


def expected_values(rules, policy, exact=False):
    return values_below(rules, rules.start(), policy, exact)


def counterfactual(rules, policy, player, exact=False):
    """v_i(I, a) for all infosets of a player, and π_i(h) for the histories h of each."""
    values = {}
    arrivals = {}

    def walk(state, others, own):
        node = rules.node(state)
        branches = ways(rules, state, policy, exact)
        mine = isinstance(node, Decision) and node.player == player
        if mine and len(branches) > 1:
            key = player, node.seen
            at = values.setdefault(key, dict.fromkeys(node.actions, 0))
            arrivals.setdefault(key, []).append(own)
            for action in node.actions:
                below = values_below(rules, rules.next(state, action), policy, exact)
                at[action] += others * below[player]
        for p, child in branches:
            walk(child, others if mine else others * p, own * p if mine else own)

    walk(rules.start(), 1, 1)
    return values, arrivals


# ---- best responses ------------------------------------------------------------------------


def best_response_value(rules, policy, player, exact=False):
    """The most a player with perfect recall can win; infosets decide, from the last one up."""
    members = {}  # seen -> [(state, π_-i)]

    def collect(state, others):
        node = rules.node(state)
        if isinstance(node, Decision) and node.player == player:
            members.setdefault(node.seen, []).append((state, others))
            for action in node.actions:
                collect(rules.next(state, action), others)
        else:
            for p, child in ways(rules, state, policy, exact):
                collect(child, others * p)

    collect(rules.start(), 1)
    chosen = {}

    def value(state):
        node = rules.node(state)
        if isinstance(node, Terminal):
            return as_fraction(node.payoffs[player]) if exact else float(node.payoffs[player])
        if isinstance(node, Decision) and node.player == player:
            if node.seen not in chosen:
                chosen[node.seen] = max(
                    node.actions,
                    key=lambda action: sum(
                        others * value(rules.next(member, action))
                        for member, others in members[node.seen]
                    ),
                )
            return value(rules.next(state, chosen[node.seen]))
        return sum(p * value(child) for p, child in ways(rules, state, policy, exact))

    return value(rules.start())


def best_response_by_enumeration(rules, policy, player, exact=False, limit=3000):
    """The same by trying every pure strategy; None if there are more than `limit`."""
    pures = pure_strategies(rules, player, limit)
    if pures is None:
        return None
    return max(expected_values(rules, policy | pure, exact)[player] for pure in pures)


def pure_strategies(rules, player, limit):
    """All pure strategies of a player; None if there are more than `limit`."""
    offered = {
        (player, node.seen): tuple(node.actions)
        for _, node in positions(rules)
        if isinstance(node, Decision) and node.player == player and len(node.actions) > 1
    }
    if np.prod([len(actions) for actions in offered.values()], dtype=float) > limit:
        return None
    return [
        {
            key: {action: int(action == picked) for action in offered[key]}
            for key, picked in zip(offered, picks, strict=True)
        }
        for picks in itertools.product(*offered.values())
    ]


# ---- counterfactual regret minimization ----------------------------------------------------


@dataclass(frozen=True)
class Schedule:
    """What differs between two members of the family; each a function of t = 1, 2, …"""

    positive: Callable[[Any], Any] = lambda t: 1
    negative: Callable[[Any], Any] = lambda t: 1
    average: Callable[[Any], Any] = lambda t: 1
    predictive: bool = False


# Zinkevich et al. 2007, Tammelin 2014, Brown & Sandholm 2019 (twice), Farina et al. 2021.
SCHEDULES = {
    "cfr": Schedule(),
    "cfr+": Schedule(negative=lambda t: 0, average=lambda t: t),
    "linear-cfr": Schedule(lambda t: t / (t + 1), lambda t: t / (t + 1), lambda t: t),
    "dcfr": Schedule(lambda t: t**1.5 / (t**1.5 + 1), lambda t: 1 / 2, lambda t: t**2),
    "pcfr+": Schedule(negative=lambda t: 0, average=lambda t: t**2, predictive=True),
}


def match(regrets):
    """Regret matching."""
    positive = {action: max(regret, 0) for action, regret in regrets.items()}
    total = sum(positive.values())
    if total > 0:
        return {action: regret / total for action, regret in positive.items()}
    one = Fraction(1) if isinstance(total, Fraction) else 1.0
    return dict.fromkeys(regrets, one / len(regrets))


@dataclass
class NaiveCFR:
    """The family as the papers write it. With imperfect recall, an infoset's share in the
    average is the mean of its histories' reach."""

    rules: Rules
    schedule: Schedule
    alternating: bool = True
    exact: bool = False
    iteration: int = 0
    policy: Policy = field(default_factory=dict)
    regret: Policy = field(default_factory=dict)
    strategy_sum: Policy = field(default_factory=dict)

    def __post_init__(self):
        uniform = uniform_policy(self.rules, self.exact)
        zero = Fraction(0) if self.exact else 0.0
        for table, start in [(self.policy, None), (self.regret, zero), (self.strategy_sum, zero)]:
            for key, at in uniform.items():
                table.setdefault(key, dict(at) if start is None else dict.fromkeys(at, start))

    def step(self):
        """One iteration: everybody is updated once."""
        self.iteration += 1
        t = Fraction(self.iteration) if self.exact else float(self.iteration)
        played = dict(self.policy)
        for player in range(self.rules.players):
            faced = self.policy if self.alternating else played
            self.policy = self.policy | self._update(player, faced, t)

    def _update(self, player, faced, t):
        values, arrivals = counterfactual(self.rules, faced, player, self.exact)
        schedule, new = self.schedule, {}
        for key, at in values.items():
            value = sum(faced[key][action] * at[action] for action in at)
            own = sum(arrivals[key]) / len(arrivals[key])
            hope = {}
            for action in at:
                instant = at[action] - value
                total = self.regret[key][action] + instant
                factor = schedule.positive(t) if total > 0 else schedule.negative(t)
                self.regret[key][action] = total * factor
                self.strategy_sum[key][action] += schedule.average(t) * own * faced[key][action]
                hope[action] = self.regret[key][action] + (instant if schedule.predictive else 0)
            new[key] = match(hope)
        return new
