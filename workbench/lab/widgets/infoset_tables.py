"""What there is to see at a place in a game: strategies to compare, tables, and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from workbench.games.words import speaks, words_for
from workbench.lab.analysis.infoset_view import Sight
from workbench.lab.html import Html, abbreviation, bar, bold, signed, table
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
    "worth": "what it wins on average for somebody who is here and believes what is listed "
    "below, if everybody plays the strategy later on",
    "v(I, a)": "counterfactual value: the same, times the probability that chance and the other "
    "players reach this information set",
    "regret": "v(I, a) minus what playing the strategy here is worth, Σ σ(I, a) v(I, a)",
    "R": "the regrets that the solver has summed up over its iterations",
    "belief": "how likely this is what happened, to somebody who is here",
}

HELP = Html(
    "<details><summary>What do these numbers mean?</summary>"
    + "".join(f"<b>{name}</b>: {means}.<br>" for name, means in MEANING.items())
    + "</details>"
)

Given = Strategy | Run | Mapping[str, Strategy | Run] | None


# ---- tables --------------------------------------------------------------------------


def _head(*names: str) -> list[Any]:
    """Columns whose names explain themselves, where there is something to explain."""
    return [abbreviation(name, MEANING[name]) if name in MEANING else name for name in names]


def actions_table(sight: Sight, regrets: FloatArray | None, words: Sequence[str]) -> Html:
    """One row for each action; `regrets`: (A,) what a solver has summed up."""
    numbers = [sight.expected, sight.counterfactual, sight.regret]
    numbers += [] if regrets is None else [regrets]
    head = ("action", "plays", "worth", "v(I, a)", "regret", "R")[: 2 + len(numbers)]
    columns = [map(bold, words), map(bar, sight.probs), *(map(signed, of) for of in numbers)]
    return table(zip(*columns, strict=True), "What to do here", head=_head(*head))


def beliefs_table(sight: Sight, here: int) -> Html:
    """The histories of the infoset, the likely ones of many, and what each action is worth."""
    names = [label_of(action) for action in sight.actions]
    place = int(np.flatnonzero(sight.histories == here)[0])
    order = list(range(len(sight.histories)))
    if len(order) > ROWS:
        order = np.argsort(-np.nan_to_num(sight.beliefs), kind="stable")[:ROWS].tolist()
    if place not in order:
        order[-1] = place
    rows: list[list[Any]] = []
    for k in order:
        name = ("▸ " if k == place else "") + sight.strategy.tree.history_label(sight.histories[k])
        rows.append([name, bar(sight.beliefs[k]), *map(signed, sight.worth[k])])
    if left := len(sight.histories) - len(order):
        rows.append([f"… and {left:,} more", *[""] * (1 + len(names))])
    rows.append(["on average", "", *map(signed, sight.expected)])
    words = "What you believe, and what each action is worth"
    kinds = {order.index(place): "here", len(rows) - 1: "sum"}
    return table(rows, words, head=_head("what happened", "belief") + names, kinds=kinds)


def outcomes_table(
    tree: GameTree, children: Sequence[int], values: Mapping[str, FloatArray]
) -> str:
    """Chance's outcomes: how likely, and what they are worth to player 1 by each strategy."""
    rows: list[list[Any]] = []
    for h in children[:OUTCOMES]:
        worth = [signed(of[h, 0]) for of in values.values()]
        rows.append([bold(tree.edge_label(h)), bar(tree.chance[h]), *worth])
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
        given = {given.solver.name if isinstance(given, Run) else "strategy": given}
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


def words_at(tree: GameTree, infoset: int) -> tuple[list[str], str]:
    """What the actions are called in this moment, and what the player holds and sees; what the
    rules call things, where a game brings no words."""
    rules, actions, seen = tree.rules, tree.actions_at(infoset), tree.seen[infoset]
    plain = [label_of(action) for action in actions]
    if rules is None or not speaks(rules):
        return plain, ""
    words = words_for(rules)
    said = [words.move(action, seen, actions) for action in actions]
    moves = [
        word if name in word.split() else f"{word} ({name})"
        for word, name in zip(said, plain, strict=True)
    ]
    return moves, "; ".join(words.holds(seen))
