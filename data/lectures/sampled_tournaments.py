"""Tournaments by matches instead of exact values: all tables play the same deals.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> timid = Strategy.from_function(tree, lambda player, seen, actions: "p")
>>> field = {"bold": bold, "timid": timid, "uniform": Strategy.uniform(tree)}
>>> sample_standings(field, deals=2000)[["wins", "losses"]].loc["bold"].tolist()
[2, 0]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.evaluation.intervals import intervals, margins, no_scores
from workbench.evaluation.matches import sample_scores, spans
from workbench.evaluation.tournament import need_names, ranked, tables_of
from workbench.evaluation.values import common_tree
from workbench.settings import need_one_of
from workbench.strategy import Strategy
from workbench.tree import FloatArray

if TYPE_CHECKING:
    import pandas as pd


def sample_tournament(
    players: Mapping[str, Strategy], *, deals: int = 10_000, seed: int = 0
) -> pd.DataFrame:
    """What each of any number of players wins: one row a name, columns winnings, margin, low, high.

    All tables of different strategies play the same deals.

    A row is the mean over the tables where a strategy sits, best first.
    """
    names, strategies = list(need_names(players)), list(players.values())
    scores = tournament_scores(strategies, deals=deals, seed=seed)
    found = intervals(names, scores, partial(spans, strategies))
    return found.sort_values("winnings", ascending=False)


def tournament_scores(strategies: list[Strategy], *, deals: int, seed: int = 0) -> FloatArray:
    """(deals, strategies) what each wins from each deal, the mean over the tables it sits at."""
    seats, many = common_tree(strategies).num_players, len(strategies)
    members, total, tables = tables_of(many, seats), no_scores(deals, many), np.zeros(many)
    for member in map(list, members):
        total[:, member] += sample_scores([strategies[a] for a in member], deals=deals, seed=seed)
        tables[member] += 1
    return total / tables


def sample_standings(
    players: Mapping[str, Strategy],
    *,
    deals: int = 10_000,
    seed: int = 0,
    scoring: Literal["bankroll", "run-off"] = "bankroll",
) -> pd.DataFrame:
    """Who is first, by matches instead of exact values: columns winnings, margin, wins, losses.

    All tables of different strategies play the same deals. A table is won if the 95 % interval of
    what is won there lies above zero, and lost if it lies below; a table too close to call is
    neither. `scoring` is that of `standings`: "bankroll" adds everything up, in a "run-off" the
    poorest goes home until one table is left, and each row has the numbers of its last round.
    """
    names, strategies = list(need_names(players)), list(players.values())
    need_one_of("scoring", scoring, ("bankroll", "run-off"))
    seats = common_tree(strategies).num_players
    played = {
        member: sample_scores([strategies[a] for a in member], deals=deals, seed=seed)
        for member in tables_of(len(names), seats)
    }
    tables = []
    for member, scores in played.items():
        span = partial(spans, [strategies[a] for a in member])
        won = intervals([names[a] for a in member], scores, span)
        tables.append((member, won["winnings"].to_numpy(), won["margin"].to_numpy()))
    found = ranked(names, tables, scoring)
    order, last = [names.index(name) for name in found.index], []
    for place, a in enumerate(order, start=1):
        left = {*order[: max(place, seats)]} if scoring == "run-off" else {*order}
        own = [scores[:, m.index(a)] for m, scores in played.items() if a in m and {*m} <= left]
        span = partial(spans, strategies, [a])
        last.append(margins(np.mean(own, axis=0)[:, None], span).item())
    found.insert(1, "margin", last)
    return found
