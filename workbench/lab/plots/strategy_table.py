"""A strategy as an HTML table: one row per information set, one bar per action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.lab.html import Html, actions, bar, bare, table
from workbench.rules import label_of
from workbench.strategy import Strategy


def strategy_html(strategy: Strategy, max_rows: int = 60, *, find: str = "") -> Html:
    """The table; of a large game the first information sets of each player, and how many more.

    find: only information sets in whose name this stands.

    >>> import workbench as wb
    >>> page = strategy_html(Strategy.uniform(wb.compile_game(wb.load_game("kuhn"))))
    >>> page.count("<tr>"), "0.500" in page, "<script" in page
    (13, True, False)
    """
    tree, wanted = strategy.tree, " ".join(find.split())
    listed = isinstance(strategy, Strategy)
    rows = (_first_of_each if listed else _first_round)(strategy, max_rows, wanted)
    title = f"Strategy of {tree.name}: {tree.num_infosets:,} information sets"
    return bare(table(rows, title, head=("Player", "Sees", "Plays"), left=(0, 1, 2)))


def _first_of_each(strategy: Strategy, max_rows: int, wanted: str) -> list[tuple[Any, ...]]:
    tree, rows = strategy.tree, list[tuple[Any, ...]]()
    share = max(1, max_rows // tree.num_players)
    for player in range(tree.num_players):
        infosets: Sequence[int] = tree.infosets_of(player)
        if wanted:
            infosets = [k for k in infosets if wanted in tree.infoset_label(k)]
        shown = infosets if tree.num_infosets <= max_rows else infosets[:share]
        for infoset in shown:
            at = slice(*tree.first_choice[infoset : infoset + 2].tolist())
            names, probs = map(label_of, tree.actions[at]), strategy.probs[at].tolist()
            plays = actions((name, bar(p), 0, "") for name, p in zip(names, probs, strict=True))
            rows.append((player + 1, tree.infoset_label(infoset) or "·", plays))
        if more := len(infosets) - len(shown):
            rows.append((player + 1, f"… and {more:,} more information sets", ""))
    return rows


def _first_round(strategy: Any, max_rows: int, wanted: str) -> list[tuple[Any, ...]]:
    """The first round of a game without a tree: `strategy.table("K♥")` has the others."""
    found = strategy.table()
    found = found[found["information set"].str.contains(wanted, regex=False)]
    rows: list[tuple[Any, ...]] = []
    sets = found.groupby(["player", "information set"], sort=False)
    for (player, label), some in list(sets)[:max_rows]:
        chances = zip(some["action"], some["probability"], strict=True)
        rows.append((player, label, actions((name, bar(p), 0, "") for name, p in chances)))
    if (more := strategy.tree.num_infosets - len(rows)) > 0:
        rows.append(("", f"… and {more:,} more information sets", ""))
    return rows
