"""Which hands went together: the buckets of one round of a card game.

Before the second public card a hand is a private card and at most one public card, and the map
has a cell for each: its number is its bucket, its colour what the bucket is worth on average, the
probability to win at the showdown against a random hand. Later there are too many hands for cells;
then each bucket is a line from its weakest hand to its strongest, with a dot at its mean.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.style import BLUE, INK, axes, label
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.hand_clustering import expected, leaf_strengths
from workbench.poker.strength.hand_signals import hand_signals
from workbench.poker.strength.signals import Numbers
from workbench.rules import GameError
from workbench.tree import FloatArray, IntArray

WORTH = "Probability to win at the showdown"


def plot_hand_map(
    buckets: HandBuckets, ax: Axes | None = None, *, round: int = 1, title: str = ""
) -> Axes:
    """Draw the buckets of a round (0, 1, …).

    Example:

        plot_hand_map(wb.cluster_hands(wb.load_game("rhode_island"), (13, 50, 250)))
    """
    if not 0 <= round < len(buckets.rounds):
        raise GameError(
            f"there is no round {round} in {buckets!r}: its rounds are 0 to "
            f"{len(buckets.rounds) - 1}"
        )
    rules, boards = buckets.rules, buckets.boards[round]
    worth = expected(tree := hand_signals(rules), leaf_strengths(tree))[round]  # (classes,)
    title = title or f"Round {round + 1}: {buckets.classes[round]:,} buckets"
    of_class = np.empty(len(worth), np.int64)
    free = boards.classes >= 0
    of_class[boards.classes[free]] = buckets.rounds[round][free]
    heavy = boards.sizes
    mean = np.bincount(of_class, heavy * worth) / np.bincount(of_class, heavy)
    if rules.private_cards == 1 and boards.cards.shape[1] <= 1:
        return _cells(buckets, round, mean, ax, title)
    return _lines(of_class, worth, mean, ax, title)


def _cells(buckets: HandBuckets, round: int, mean: FloatArray, ax: Axes | None, title: str) -> Axes:
    """A row for each private rank, a column for each public one, of the same suit or another."""
    blocks = _blocks(buckets, round)
    ranks = buckets.rules.rank_names
    table = np.concatenate([block[::-1] for block in blocks.values()], axis=1)  # strongest on top
    many, wide = len(ranks), next(iter(blocks.values())).shape[1]
    size = 0.34 if many > 8 else 0.44
    ax = axes(ax, 1.6 + size * table.shape[1], 1.5 + size * many)
    colours = np.where(table >= 0, mean[table], np.nan)
    ax.imshow(colours, cmap="YlGnBu", vmin=0, vmax=1, aspect="auto")
    for (y, x), bucket in np.ndenumerate(table):
        if bucket >= 0:
            ink = "white" if mean[bucket] > 0.6 else INK
            ax.text(x, y, str(bucket + 1), ha="center", va="center", fontsize=9, color=ink)
    for x in range(wide, table.shape[1], wide):
        ax.axvline(x - 0.5, color=INK, linewidth=2)
    label(ax, "Public card" if wide > 1 else "", "Own card", title)
    ax.grid(visible=False)
    shown = [rank.replace("T", "10") for rank in ranks]
    ax.set_yticks(range(many), shown[::-1])
    ax.set_xticks(range(table.shape[1]), shown * len(blocks) if wide > 1 else [""])
    if len(blocks) > 1:
        for k, name in enumerate(blocks):
            ax.text(
                (k + 0.5) / len(blocks), 1.01, name, transform=ax.transAxes, ha="center",
                va="bottom", fontsize=10, color=INK,
            )  # fmt: skip
        ax.set_title(title, fontsize=13, pad=22)
    return ax


def _blocks(buckets: HandBuckets, round: int) -> dict[str, IntArray]:
    """(own ranks, public ranks) the bucket of each hand, −1 where there is none."""
    boards, suits = buckets.boards[round], buckets.rules.deck.suits
    many = buckets.rules.deck.size // suits
    found = buckets.rounds[round]
    if boards.cards.shape[1] == 0:
        return {"": found[0].reshape(many, suits)[:, :1]}
    same, other = (np.full((many, many), -1, np.int32) for _ in range(2))
    for cards, row in zip(boards.cards[:, 0], found, strict=True):
        rank, suit = divmod(int(cards), suits)
        by_suit = row.reshape(many, suits)
        same[:, rank] = by_suit[:, suit]
        other[:, rank] = np.delete(by_suit, suit, axis=1).max(axis=1, initial=-1)
    alike = (same == other) | (same < 0) | (other < 0)
    if alike.all():
        return {"": np.maximum(same, other)}
    return {"own card of the same suit": same, "of another suit": other}


def _lines(
    of_class: Numbers, worth: FloatArray, mean: FloatArray, ax: Axes | None, title: str
) -> Axes:
    ax = axes(ax, 7.0, 4.2)
    low, high = np.full(len(mean), np.inf), np.full(len(mean), -np.inf)
    np.minimum.at(low, of_class, worth)
    np.maximum.at(high, of_class, worth)
    order = np.argsort(mean, kind="stable")
    rows = np.arange(1, len(mean) + 1)
    ax.hlines(rows, low[order], high[order], color=BLUE, linewidth=max(0.6, 120 / len(mean)) / 2)
    ax.plot(mean[order], rows, ".", color=INK, ms=3)
    ax.set_xlim(-0.02, 1.02)
    label(ax, WORTH, "Bucket, from weak to strong", title, grid="x")
    return ax
