"""What there is to see at a place in a game: strategies to compare, tables, and words.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> kuhn = compile_game(load_game("kuhn"))
>>> strategies, regrets = compared(kuhn, None)
>>> list(strategies), list(regrets)
(['CFR+', 'uniform'], ['CFR+'])
>>> page = actions_table(Outlook(strategies["uniform"]).at(kuhn.find_infoset("Q pb")))
>>> page.count("<tr"), "−0.167" in page
(3, True)
>>> words, facing = TreeWords(kuhn), kuhn.find_infoset("Q pb")
>>> words.moves(facing), words.knows(facing)
(['fold (p)', 'call (b)'], 'You hold the Queen')
>>> figure1 = compile_game(load_game("figure1"))
>>> TreeWords(figure1).moves(0), TreeWords(figure1).knows(0)
(['l', 'r'], '')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from workbench.games.words import words_for
from workbench.lab.analysis.infoset_view import Outlook as Outlook
from workbench.lab.analysis.infoset_view import Sight
from workbench.lab.html import abbreviation, bar, bold, signed, table
from workbench.rules import GameError, label_of
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.solvers.base import State
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, GameTree

ROWS = 10  # histories of an information set that are listed
OUTCOMES = 12  # of chance that are listed
SOLVED = 20_000  # histories of games that are solved if no strategy is given

MEANING = {
    "plays": "how often the strategy plays this action here, σ(I, a)",
    "brings": "what it brings on average to somebody who is here and believes what is listed "
    "below, if everybody plays the strategy later on",
    "v(I, a)": "counterfactual value: the same, times how often the others and chance let it come "
    "to this",
    "regret": "v(I, a) minus what playing the strategy here is worth, Σ σ(I, a) v(I, a)",
    "R": "the regrets that the solver has summed up over its iterations",
    "belief": "how likely this is what happened, to somebody who is here",
}

HELP = (
    "<details><summary>What do these numbers mean?</summary>"
    + "".join(f"<b>{name}</b>: {means}.<br>" for name, means in MEANING.items())
    + "</details>"
)

Given = Strategy | Run | Mapping[str, Strategy | Run] | None


# ---- tables --------------------------------------------------------------------------


def _head(*names: str) -> list[Any]:
    """Columns whose names explain themselves, where there is something to explain."""
    return [abbreviation(name, MEANING[name]) if name in MEANING else name for name in names]


def actions_table(
    sight: Sight, regrets: FloatArray | None = None, words: Sequence[str] = ()
) -> str:
    """One row for each action; `regrets`: (A,) what a solver has summed up."""
    names = list(words) or [label_of(action) for action in sight.actions]
    columns: list[Any] = [map(bar, sight.probs)]
    columns += [map(signed, of) for of in (sight.expected, sight.counterfactual, sight.regret)]
    columns += [] if regrets is None else [map(signed, regrets)]
    head = ("action", "plays", "brings", "v(I, a)", "regret", "R")[: 1 + len(columns)]
    rows = zip(map(bold, names), *columns, strict=True)
    return table(rows, "What to do here", head=_head(*head))


def beliefs_table(sight: Sight, here: int = -1) -> str:
    """The histories of the infoset, the likely ones of many, and what each action would bring."""
    tree = sight.strategy.tree
    names = [label_of(action) for action in sight.actions]
    order = list(range(len(sight.histories)))
    if len(order) > ROWS:
        order = np.argsort(-np.nan_to_num(sight.beliefs), kind="stable")[:ROWS].tolist()
    where = np.flatnonzero(sight.histories == here)
    if len(where) and int(where[0]) not in order:
        order[-1] = int(where[0])
    rows: list[list[Any]] = []
    kinds: dict[int, str] = {}
    for k in order:
        history = int(sight.histories[k])
        if history == here:
            kinds[len(rows)] = "here"
        mark = "▸ " if history == here else ""
        name = mark + tree.history_label(history)
        rows.append([name, bar(sight.beliefs[k]), *map(signed, sight.worth[k])])
    if left := len(sight.histories) - len(order):
        rows.append([f"… and {left:,} more", *[""] * (1 + len(names))])
    kinds[len(rows)] = "sum"
    rows.append(["on average", "", *map(signed, sight.expected)])
    words = "What you believe, and what each action would bring"
    return table(rows, words, head=_head("what happened", "belief") + names, kinds=kinds)


def outcomes_table(
    tree: GameTree, children: Sequence[int], values: Mapping[str, FloatArray]
) -> str:
    """Chance's outcomes: how likely, and what they are worth to player 1 by each strategy."""
    rows: list[list[Any]] = [
        [
            bold(tree.edge_label(h)),
            bar(tree.chance[h]),
            *(signed(of[h, 0]) for of in values.values()),
        ]
        for h in children[:OUTCOMES]
    ]
    if len(children) > OUTCOMES:
        rows.append([f"… and {len(children) - OUTCOMES:,} more", *[""] * (1 + len(values))])
    words = "What chance may do, and what it is worth to player 1"
    return table(rows, words, head=("outcome", "chance", *values))


# ---- strategies ----------------------------------------------------------------------


def compared(
    tree: GameTree, given: Given, state: State | None = None
) -> tuple[dict[str, Strategy], dict[str, FloatArray]]:
    """name -> strategy, and (K,) the regrets that their solvers have summed up."""
    if given is None:
        small = tree.num_histories <= SOLVED
        given = {"CFR+": solve(tree, "cfr+", 1000)} if small else {}
        given = {**given, "uniform": Strategy.uniform(tree)}
    if not isinstance(given, Mapping):
        name = given.solver.name if isinstance(given, Run) else "strategy"
        given = {name: given}
    if not given:
        raise GameError("strategies: give at least one, {name: strategy}")
    strategies, regrets = {}, {}
    for name, one in given.items():
        sigma = one.strategy if isinstance(one, Run) else need_strategy(one)
        if not sigma.tree.same_as(tree):
            raise GameError(f"{name!r} is a strategy of {sigma.tree!r}, not of {tree!r}")
        strategies[str(name)] = sigma
        if isinstance(one, Run):
            regrets[str(name)] = _regret_of(one)
    if state is not None:
        if state.regret.shape != (tree.num_choices,):
            raise GameError(
                f"state has {len(state.regret)} regrets, {tree.name!r} {tree.num_choices} choices"
            )
        regrets[next(iter(strategies))] = state.regret
    return strategies, regrets


def _regret_of(run: Run) -> FloatArray:
    """(K,) regrets of a run; with an abstraction those of the coarse choice, nan without one."""
    if run.abstraction is None:
        return run.state.regret
    there = run.abstraction.choice_map
    return np.where(there >= 0, run.state.regret[there], np.nan)


# ---- words ---------------------------------------------------------------------------


class TreeWords:
    """Words for the infosets of a tree; what the rules call things, where there are none."""

    def __init__(self, tree: GameTree) -> None:
        rules: Any = tree.rules
        self.tree, self._words = tree, words_for(rules) if hasattr(rules, "words") else None

    def moves(self, infoset: int) -> list[str]:
        """What the actions are called in this moment."""
        actions, seen = self.tree.actions_at(infoset), self.tree.seen[infoset]
        plain = [label_of(action) for action in actions]
        if self._words is None:
            return plain
        said = [self._words.move(action, seen, actions) for action in actions]
        return [
            word if name in word.split() else f"{word} ({name})"
            for word, name in zip(said, plain, strict=True)
        ]

    def knows(self, infoset: int) -> str:
        """What the player holds and sees."""
        return "; ".join(self._words.holds(self.tree.seen[infoset])) if self._words else ""
