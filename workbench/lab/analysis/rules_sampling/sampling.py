"""External sampling straight from the rules: no tree, only a table of what was met.

Everyday example: nobody can write down every situation of a card game with 32 cards. But one can
play, remember the situations one has been in, and do better the next time.

One iteration, for each player i in turn (Lanctot et al. 2009, external sampling):

    1. chance deals; it and the other players are sampled, player i tries all her actions
    2. where another player moves, her σ is added to her sum of strategies, then sampled
    3. where i moves, R(a) += v(a) − Σ σ v, where σ is regret matching on R

Step 2 is right for two players; with more of them (and alone) each takes an averaging walk of her
own before it instead, for the reasons that `external_sampling.py` gives. All iterations weigh the
same; where m actions are one choice all of them are tried, and below them counts 1/m.

The average strategy is the sum, normalised. Infosets enter the table when they are first met; the
table stops growing at a number of bytes. An iteration that does not fit (or is interrupted) is
undone as a whole, so a run always stands between two iterations, and since the random numbers of
an iteration depend on the seed and its number alone, going on is the same as never having stopped.

`against` trains one player only, against a policy that does not change: a response to it.

>>> import workbench as wb
>>> run = sample(wb.load_game("leduc"), 50, seed=1)
>>> run
Sampled run on leduc: 50 iterations, 517 infosets reached, 40 kB
>>> run.knows(1, ("K♠", "", "r"), ("f", "c", "r"))
True
>>> run.probabilities(1, ("K♠", "", "r"), ("f", "c", "r"))[0] < 0.2  # would you fold a king?
True
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from operator import mul
from typing import Any

import numpy as np

from workbench.lab.analysis.rules_sampling.infoset_store import FullError, Table, code_of
from workbench.lab.analysis.rules_sampling.policy import Sampled, Stopped, View, mark_of
from workbench.policies import MAX_DEPTH, Dealer, Dice, Policy, pick
from workbench.rules import Decision, GameError, Rules, Terminal
from workbench.solvers.regret import NOTHING

TOLD = 4096  # new infosets after which an unfinished iteration gives a sign of life
Tell = Callable[[int, int], None]  # finished iterations, infosets


def sample(
    rules: Rules,
    iterations: int,
    *,
    seed: int = 0,
    memory: int = 2_000_000_000,
    view: View | None = None,
    abstraction: str = "",
    start: Sampled | None = None,
    against: tuple[int, Policy] | None = None,
    tell: Tell = lambda done, infosets: None,
) -> Sampled:
    """So many iterations (more, after `start`), or as many as fit; see the first lines above."""
    mark = mark_of(rules, view)
    if start is None:
        table = Table(memory)
    elif (start.rules.name, start.abstraction, start.seed) != (rules.name, abstraction, seed):
        raise GameError(
            f"start is a run on {start.rules.name!r} with abstraction "
            f"{start.abstraction or None!r} and seed {start.seed}; to go on give the same again"
        )
    elif start.mark != mark:
        raise GameError(
            f"start is a run on {rules.name!r} with rules or an abstraction that give other "
            "answers than these; to go on give the same again"
        )
    else:
        table = start.table.copy(memory)
    player, policy = against if against is not None else (-1, None)
    learners = range(rules.players) if policy is None else (player,)
    stopped: Stopped = "iterations"
    dice, iterate = Dice(seed, stream=1 + player), _Iteration(rules, table, view, policy, tell)
    began = time.perf_counter()
    try:
        for t in range(len(table.reached) + 1, len(table.reached) + iterations + 1):
            iterate(learners, dice.throw(t))
            tell(t, table.num_infosets)
    except (FullError, MemoryError):
        stopped = "memory"
    except KeyboardInterrupt:
        stopped = "interrupted"
    seconds = time.perf_counter() - began + (start.seconds if start is not None else 0.0)
    return Sampled(rules, table, seed, stopped, seconds, view, abstraction, player, mark)


class _Iteration:
    """One iteration on a table, all of it or nothing."""

    def __init__(
        self, rules: Rules, table: Table, view: View | None, policy: Policy | None, tell: Tell
    ) -> None:
        self.table, self.dealer = table, Dealer(rules)
        self.undo: list[tuple[Any, int, Any]] = []  # buffer, first choice, what was there
        self.players = rules.players
        self.apart = policy is None and rules.players != 2  # averaging walks of one's own
        self.walk, self.average = _walkers(self.dealer, table, view, policy, self.undo, tell)

    def __call__(self, learners: Sequence[int], random: np.random.Generator) -> None:
        table, infosets = self.table, self.table.num_infosets
        iterations = len(table.reached)
        self.undo.clear()
        try:
            for player in learners:
                if self.apart:
                    tried = (player + 1) % self.players
                    self.average(self.dealer.open(random), player, tried, _uniforms(random), random)
                self.walk(self.dealer.open(random), player, _uniforms(random), random, 1.0)
            table.reached.append(table.num_infosets)
        except BaseException as error:
            for buffer, first, before in reversed(self.undo):
                buffer[first : first + len(before)] = before
            table.truncate(infosets)
            del table.reached[iterations:]
            if isinstance(error, RecursionError):
                raise self.dealer.endless() from None
            raise


def _uniforms(random: np.random.Generator) -> Iterator[float]:
    """Numbers from [0, 1), drawn by the dozen because one call for each takes longer."""
    while True:
        yield from random.random(48).tolist()


Groups = tuple[tuple[int, ...], ...]
Walk = Callable[[Any, int, Iterator[float], np.random.Generator, float], float]
AveragingWalk = Callable[[Any, int, int, Iterator[float], np.random.Generator], None]


def _walkers(
    dealer: Dealer,
    table: Table,
    view: View | None,
    policy: Policy | None,
    undo: list[tuple[Any, int, Any]],
    tell: Tell,
) -> tuple[Walk, AveragingWalk]:
    """The walk of steps 1–3, which says what a state is worth to player i, and the averaging walk.

    Closures, because their names are looked up a million times.
    """
    ask_node, ask_next = dealer.rules.node, dealer.rules.next
    regret, strategy_sum, first_choice = table.regret, table.strategy_sum, table.first_choice
    find, shape_of, shape_at = table.find, table.shape, table.shape_of
    checked: set[int] = set()
    at_others = policy is None and dealer.rules.players == 2

    def meet(node: Decision) -> tuple[int, Groups, Any, list[float]]:
        """First choice, actions of each choice, regrets and σ of an infoset, new or known."""
        player, seen, actions = node.player, node.seen, node.actions
        if view is None:
            code, shape = code_of(player, seen), shape_of(player, tuple(actions))
        else:
            label, names = view(player, seen, tuple(actions))
            code, shape = code_of(player, label), shape_of(player, tuple(names))
        row = find(code)
        if row < 0:
            if shape.number not in checked:  # one look at each player and kind of decision
                dealer.check(node)
                checked.add(shape.number)
            row = table.add(code, shape)
            if (row + 1) % TOLD == 0:  # one iteration of a large game takes minutes
                tell(len(table.reached), row + 1)
        elif shape_at[row] != shape.number:
            raise table.refuse(row, player, seen, shape)
        first, groups = first_choice[row], shape.groups
        size = len(groups)
        before = regret[first : first + size]
        positive = [r if r > 0.0 else 0.0 for r in before]
        total = sum(positive)
        probs = [r / total for r in positive] if total > NOTHING else [1.0 / size] * size
        return first, groups, before, probs

    def add(first: int, probs: list[float], weight: float = 1.0) -> None:
        """S ← S + weight · σ."""
        undo.append((strategy_sum, first, strategy_sum[first : first + len(probs)]))
        for c, p in enumerate(probs, first):
            strategy_sum[c] += weight * p

    def one_of(group: tuple[int, ...], uniforms: Iterator[float]) -> int:
        return group[0] if len(group) == 1 else group[int(next(uniforms) * len(group))]

    def walk(
        state: Any,
        i: int,
        uniforms: Iterator[float],
        random: np.random.Generator,
        weight: float,  # 1, or 1/m below m actions of i's that were merged into one choice
    ) -> float:
        for _ in range(MAX_DEPTH):
            node = ask_node(state)
            if isinstance(node, Terminal):
                return dealer.payoffs(node)[i]
            if not isinstance(node, Decision):
                dealer.check(node)
                state = ask_next(state, dealer.outcome(state, node, random))
                continue
            player, seen, actions = node.player, node.seen, node.actions
            if len(actions) == 1:
                state = ask_next(state, actions[0])
                continue
            if policy is not None and player != i:
                answer = policy.probabilities(player, seen, actions)
                state = ask_next(state, pick(actions, answer, next(uniforms)))
                continue

            first, groups, before, probs = meet(node)
            if player == i:
                undo.append((regret, first, before))
                values = []
                for group in groups:
                    value, share = 0.0, weight / len(group)
                    for place in group:
                        value += walk(ask_next(state, actions[place]), i, uniforms, random, share)
                    values.append(value / len(group))
                value = float(sum(map(mul, probs, values)))
                for c, worth in enumerate(values, first):
                    regret[c] += weight * (worth - value)
                return value

            if at_others:
                add(first, probs, weight)
            group = pick(groups, probs, next(uniforms))
            state = ask_next(state, actions[one_of(group, uniforms)])
        raise dealer.endless()

    def average(
        state: Any, i: int, tried: int, uniforms: Iterator[float], random: np.random.Generator
    ) -> None:
        """S ← S + σ_i wherever i gets if she plays σ_i, `tried` everything, the rest anything."""
        for _ in range(MAX_DEPTH):
            node = ask_node(state)
            if isinstance(node, Terminal):
                return
            if not isinstance(node, Decision):
                dealer.check(node)
                state = ask_next(state, dealer.outcome(state, node, random))
                continue
            player, actions = node.player, node.actions
            if len(actions) == 1:
                place = 0
            elif player == i:
                first, groups, _, probs = meet(node)
                add(first, probs)
                place = one_of(pick(groups, probs, next(uniforms)), uniforms)
            elif player == tried:
                for action in actions[1:]:
                    average(ask_next(state, action), i, tried, uniforms, random)
                place = 0
            else:
                place = int(next(uniforms) * len(actions))
            state = ask_next(state, actions[place])
        raise dealer.endless()

    return walk, average
