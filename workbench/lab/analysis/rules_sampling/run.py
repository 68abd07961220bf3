"""Sampling from the rules: for games too large to compile, only a table of what was met.

Everyday example: Toepen as it is played has 32 cards, 736 million deals and 5 million million
information sets. A table of those that were met fits into a laptop, and says when it is full.

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

>>> import workbench as wb
>>> run = sample_rules(wb.load_game("leduc"), 200, seed=1)
>>> run.infosets, run.iterations, run.stopped
(833, 200, 'iterations')
>>> run.probabilities(1, ("K♠", "", "r"), ("f", "c", "r"))[0] < 0.2  # would you fold a king?
True
>>> sample_rules(wb.load_game("leduc"), 200, seed=1, abstraction="JQ-K").infosets
131
>>> sample_rules(wb.load_game("leduc"), 200, seed=1, memory=40_000)
Sampled run on leduc: 48 iterations, 506 infosets reached, 39 kB; \
stopped: the next one does not fit into 40 kB
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from operator import mul
from typing import Any

from numpy.random import Generator as Random

from workbench.abstraction.abstraction import Rule
from workbench.lab.analysis.rules_sampling.infoset_store import FullError, InfosetTable, code_of
from workbench.lab.analysis.rules_sampling.policy import Sampled, Stopped, View, mark_of, view_of
from workbench.policies import Dealer, Dice, Policy, pick
from workbench.progress import ProgressBar
from workbench.rules import MAX_DEPTH, Decision, GameError, Rules, Terminal
from workbench.settings import need_whole
from workbench.solvers.regret import TINY

TOLD = 4096  # new infosets after which an unfinished iteration gives a sign of life
Tell = Callable[[int, int], None]  # finished iterations, infosets
Groups = tuple[tuple[int, ...], ...]

load_sampled = Sampled.load  # what `run.save(path)` wrote, for the same rules and abstraction


def sample_rules(
    rules: Rules,
    iterations: int = 1000,
    *,
    seed: int = 0,
    memory: int = 2_000_000_000,
    abstraction: Rule | str | None = None,
    progress: bool | Callable[[int, int, int], None] | None = None,
    start: Sampled | None = None,
    against: tuple[int, Policy] | None = None,
) -> Sampled:
    """External sampling without a tree; the run is a policy and knows what it has reached.

    `memory`: bytes that the table may take (75 or so per information set; what Python and an
    abstraction keep in mind comes on top, some 100 MB). When it is full, or after Ctrl-C, the run
    ends before the iteration that was not finished, keeps all the others, and `stopped` says why.
    Iterations weigh the same, as with `ExternalSampling(linear=False)`.

    `abstraction`: as in `wb.abstract`, a name or f(player, seen, actions); `progress`: True or
    False, None to show it after two seconds, or a function of (done, total, infosets), called
    within long iterations, too. `start`: an earlier run to go on from, with the same seed; it is
    not changed. `against`: train this player only, against a policy that does not change.

    Games that compile are better compiled: `wb.solve(rules, "external-sampling")` is a hundred
    times as fast and measures exploitability. Here `wb.judge.estimate_exploitability` and
    `wb.judge.play_match` judge, and `run.to_strategy(tree)` hands over to the exact judges where
    there is a tree.
    """
    view = view_of(rules, abstraction)
    iterations, memory = need_whole("iterations", iterations), need_whole("memory", memory, 0)
    mark = mark_of(rules, view)
    if start is None:
        table = InfosetTable(memory)
    elif not isinstance(start, Sampled):
        raise GameError(
            f"start must be a sampled run (wb.judge.load_sampled reads one), not {start!r}"
        )
    elif (start.rules.name, start.abstraction, start.seed) != (rules.name, view.name, seed):
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
        table = InfosetTable.from_arrays(start.table.arrays(), memory)
    player, policy = against or (-1, None)
    learners = range(rules.players) if policy is None else (player,)
    stopped: Stopped = "iterations"
    dice, total = Dice(seed, stream=1 + player), len(table.reached) + iterations
    began = time.perf_counter()
    note = "{:,} infosets reached".format
    with ProgressBar(f"sampling {rules.name}", total, progress, note) as bar:
        iterate = _iteration(rules, table, view, policy, bar.show)
        try:
            for t in range(len(table.reached) + 1, total + 1):
                iterate(learners, dice.throw(t))
                bar.show(t, table.num_infosets)
        except (FullError, MemoryError):
            stopped = "memory"
        except KeyboardInterrupt:
            stopped = "interrupted"
    seconds = time.perf_counter() - began + (start.seconds if start is not None else 0.0)
    return Sampled(rules, table, seed, stopped, seconds, view, player, mark)


def _iteration(
    rules: Rules, table: InfosetTable, view: View, policy: Policy | None, tell: Tell
) -> Callable[[Sequence[int], Random], None]:
    """The function that runs one iteration on a table, all of it or nothing.

    Closures, because their names are looked up a million times.
    """
    dealer, ask_node, ask_next, see = Dealer(rules), rules.node, rules.next, view.see
    regret, strategy_sum, first_choice = table.regret, table.strategy_sum, table.first_choice
    find, shape_of, shape_at = table.find, table.shape, table.shape_of
    checked: set[int] = set()
    undo: list[tuple[Any, int, Any]] = []  # buffer, first choice, what was there
    at_others = policy is None and rules.players == 2  # where the average is taken
    apart = policy is None and rules.players != 2  # or in averaging walks of one's own
    random: Random  # of this iteration
    uniforms: Iterator[float]  # and of this walk

    def iterate(learners: Sequence[int], drawn: Random) -> None:
        nonlocal random, uniforms
        random, before = drawn, (table.num_infosets, len(table.reached))
        undo.clear()
        try:
            for player in learners:
                if apart:
                    uniforms = _uniforms(random)
                    average(dealer.open(random), player, (player + 1) % rules.players)
                uniforms = _uniforms(random)
                walk(dealer.open(random), player, 1.0)
            table.reached.append(table.num_infosets)
        except BaseException as error:
            for buffer, first, values in reversed(undo):
                buffer[first : first + len(values)] = values
            table.truncate(before[0])
            del table.reached[before[1] :]
            if isinstance(error, RecursionError):
                raise dealer.endless() from None
            raise

    def play_on(state: Any) -> tuple[Any, Decision | Terminal]:
        """On to the next choice or to the end: what chance and forced moves do on the way."""
        for _ in range(MAX_DEPTH):
            node = ask_node(state)
            if isinstance(node, Decision):
                if len(node.actions) > 1:
                    return state, node
                state = ask_next(state, node.actions[0])
            elif isinstance(node, Terminal):
                return state, node
            else:
                dealer.check(node)
                state = ask_next(state, dealer.outcome(state, node, random))
        raise dealer.endless()

    def meet(node: Decision) -> tuple[int, Groups, Any, list[float]]:
        """First choice, actions of each choice, regrets and σ of an infoset, new or known."""
        player, seen = node.player, node.seen
        label, names = see(player, seen, tuple(node.actions))
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
        probs = [r / total for r in positive] if total > TINY else [1.0 / size] * size
        return first, groups, before, probs

    def add(first: int, probs: list[float], weight: float = 1.0) -> None:
        """S ← S + weight · σ."""
        undo.append((strategy_sum, first, strategy_sum[first : first + len(probs)]))
        for c, p in enumerate(probs, first):
            strategy_sum[c] += weight * p

    def taken(groups: Groups, probs: list[float]) -> int:
        """The place of the action that is played by one who plays σ."""
        group: tuple[int, ...] = pick(groups, probs, next(uniforms))
        return group[0] if len(group) == 1 else group[int(next(uniforms) * len(group))]

    def walk(state: Any, i: int, weight: float) -> float:
        """Steps 1–3: what a state is worth to i. `weight`: 1/m below m actions merged into one."""
        for _ in range(MAX_DEPTH):
            state, node = play_on(state)
            if isinstance(node, Terminal):
                return dealer.payoffs(node)[i]
            player, actions = node.player, node.actions
            if policy is not None and player != i:
                answer = policy.probabilities(player, node.seen, actions)
                state = ask_next(state, pick(actions, answer, next(uniforms)))
                continue
            first, groups, before, probs = meet(node)
            if player == i:
                undo.append((regret, first, before))
                values = []
                for group in groups:
                    value, share = 0.0, weight / len(group)
                    for place in group:
                        value += walk(ask_next(state, actions[place]), i, share)
                    values.append(value / len(group))
                value = float(sum(map(mul, probs, values)))
                for c, worth in enumerate(values, first):
                    regret[c] += weight * (worth - value)
                return value
            if at_others:
                add(first, probs, weight)
            state = ask_next(state, actions[taken(groups, probs)])
        raise dealer.endless()

    def average(state: Any, i: int, tried: int) -> None:
        """S ← S + σ_i wherever i gets if she plays σ_i, `tried` everything, the rest anything."""
        for _ in range(MAX_DEPTH):
            state, node = play_on(state)
            if isinstance(node, Terminal):
                return
            place, actions = 0, node.actions
            if node.player == i:
                first, groups, _, probs = meet(node)
                add(first, probs)
                place = taken(groups, probs)
            elif node.player == tried:
                for action in actions[1:]:
                    average(ask_next(state, action), i, tried)
            else:
                place = int(next(uniforms) * len(actions))
            state = ask_next(state, actions[place])
        raise dealer.endless()

    return iterate


def _uniforms(random: Random) -> Iterator[float]:
    """Numbers from [0, 1), drawn by the dozen because one call for each takes longer."""
    while True:
        yield from random.random(48).tolist()
