"""A strategy at a glance: dark cells are what a player likes to do.

Where a player's view ends with the moves so far, as ("Q", "pb") in poker does, rows are what
the player holds and columns are the moves so far with the actions below them: reading down a
column compares hands. Any other game gets one row per information set, one column per action.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import INK, axes, points_of
from workbench.rules import GameError, label_of
from workbench.strategy import Strategy
from workbench.tree import need_players

MOST_ROWS, MOST_COLUMNS = 120, 160
SPACE = 0.35  # between groups, in cells
MOST_WORDS = 16  # rows that are told number by number

Places = dict[tuple[str, str], float]  # (group, name) of columns or of rows -> where


class _Cell(NamedTuple):
    group: str  # a head over several columns
    column: str
    block: str  # a heading beside several rows
    row: str
    probability: float


def plot_strategy_map(
    strategy: Strategy,
    ax: Axes | None = None,
    *,
    player: int | None = None,
    where: Callable[[int, Any], bool] | None = None,
    title: str | None = None,
) -> Axes:
    """Draw the probabilities of one player (0, 1, …) or of all, where `where(player, seen)`.

    Example:

        plot_strategy_map(run.strategy, player=0)
    """
    tree = strategy.tree
    players = need_players(tree, range(tree.num_players) if player is None else (player,))
    found, first = np.unique(tree.infoset[tree.infoset >= 0], return_index=True)
    in_order = found[np.argsort(first)].tolist()  # of play: by their first histories
    own = [i for i in in_order if tree.infoset_player[i] in players]
    chosen = [i for i in own if where is None or where(int(tree.infoset_player[i]), tree.seen[i])]
    if not chosen:
        raise GameError(f"no information set of {tree.name!r} is left to draw")
    cells, across, down = _arrange(strategy, chosen)
    if not _fits(across, down):
        raise GameError(
            f"{len(chosen):,} information sets of {tree.name!r} do not fit into one picture; "
            "choose some with player= or where=, for instance "
            f"where=lambda player, seen: {_example(strategy, own)}"
        )
    ax = _draw(ax, cells, across, down, title or f"{tree.name}: how likely is each action?")
    describe(ax, _words(cells))
    return ax


def _words(cells: list[_Cell]) -> str:
    """The picture for those who cannot see it: the first rows number by number."""
    rows: dict[str, list[str]] = {}
    for cell in cells:
        place = " ".join(f"{cell.group} {cell.block} {cell.row}".split())
        rows.setdefault(place, []).append(f"{cell.column} {_number(cell.probability)}")
    shown = [f"{place}: {', '.join(plays)}" for place, plays in rows.items()][:MOST_WORDS]
    more = f" And {len(rows) - MOST_WORDS} more." if len(rows) > MOST_WORDS else ""
    return f"{len(rows)} rows of shaded cells, the darker the likelier. {'; '.join(shown)}.{more}"


def _arrange(strategy: Strategy, chosen: list[int]) -> tuple[list[_Cell], Places, Places]:
    """The cells of these infosets, and where their columns and rows are."""
    cells = _by_hand(strategy, chosen) or _by_infoset(strategy, chosen)
    across = _places([(cell.group, cell.column) for cell in cells])
    return cells, across, _places([(cell.block, cell.row) for cell in cells])


def _fits(across: Places, down: Places) -> bool:
    return len(down) <= MOST_ROWS and len(across) <= MOST_COLUMNS


def _example(strategy: Strategy, chosen: list[int]) -> str:
    """A condition on `seen` that leaves a part of these infosets that fits.

    One entry of `seen` if that is enough, as in seen[0] == 'K♠', else more and more entries.
    """
    tree = strategy.tree
    views: list[Any] = [tree.seen[infoset] for infoset in chosen]
    first = views[0]
    if not all(isinstance(view, tuple) for view in views):
        return f"seen == {first!r}"
    for size in range(1, len(first) + 1):
        for some in combinations(enumerate(first), size):
            left = [
                infoset
                for infoset, view in zip(chosen, views, strict=True)
                if all(view[k : k + 1] == (entry,) for k, entry in some)
            ]
            if _fits(*_arrange(strategy, left)[1:]):
                return " and ".join(f"seen[{k}] == {entry!r}" for k, entry in some)
    return f"seen == {first!r}"


def _by_hand(strategy: Strategy, chosen: list[int]) -> list[_Cell]:
    """Hands × moves so far; nothing if the views have no such form, or hardly ever meet."""
    tree = strategy.tree
    views: list[Any] = [tree.seen[infoset] for infoset in chosen]
    if not all(isinstance(v, tuple) and len(v) > 1 and isinstance(v[-1], str) for v in views):
        return []
    cells = []
    for infoset, view in zip(chosen, views, strict=True):
        moves = f"after {view[-1]}" if view[-1] else "at the start"
        group = f"player {int(tree.infoset_player[infoset]) + 1}\n{moves}"
        cells += _cells(strategy, infoset, group, "", label_of(view[:-1]))
    rows = list(dict.fromkeys(cell.row for cell in cells))
    cells.sort(key=lambda cell: rows.index(cell.row))  # the columns of the first hand come first
    size = len(rows) * len({cell.group for cell in cells})
    return cells if size <= 4 * len(chosen) else []


def _by_infoset(strategy: Strategy, chosen: list[int]) -> list[_Cell]:
    tree = strategy.tree
    cells = []
    for infoset in sorted(chosen, key=lambda infoset: tree.infoset_player[infoset]):
        block = f"player {int(tree.infoset_player[infoset]) + 1}"
        row = tree.infoset_label(infoset).strip("·") or "nothing"
        cells += _cells(strategy, infoset, "", block, row)
    return cells


def _cells(strategy: Strategy, infoset: int, group: str, block: str, row: str) -> list[_Cell]:
    at = slice(*strategy.tree.first_choice[infoset : infoset + 2].tolist())
    plays = zip(strategy.tree.actions[at], strategy.probs[at].tolist(), strict=True)
    return [_Cell(group, label_of(action), block, row, share) for action, share in plays]


def _places(keys: list[tuple[str, str]]) -> Places:
    """A coordinate for each (group, name): groups together, a little space between them."""
    rank = {group: k for k, group in enumerate(dict.fromkeys(group for group, _ in keys))}
    ordered = sorted(dict.fromkeys(keys), key=lambda key: rank[key[0]])
    return {key: k + SPACE * rank[key[0]] for k, key in enumerate(ordered)}


def _draw(given: Axes | None, cells: list[_Cell], across: Places, down: Places, title: str) -> Axes:
    width, height = max(across.values()) + 1, max(down.values()) + 1
    inches = np.clip([0.62 * width + 1.6, 0.42 * height + 1.6], (5.5, 2.8), 15)
    ax = axes(given, *inches.tolist())
    ax.set_xlim(-0.06, width + 0.06)
    ax.set_ylim(height + 0.06, -0.06)
    _name_axes(ax, across, down)
    heads = _name_groups(ax, across)
    ax.set_title(title, fontsize=13, pad=8 + heads)
    per_cell = points_of(ax, fresh=given is None) / (width, height)
    shades = PatchCollection(
        [Rectangle((across[c.group, c.column], down[c.block, c.row]), 1, 1) for c in cells],
        cmap="Blues",
        edgecolor="#b5b5b5" if per_cell.min() > 8 else "none",
        linewidth=0.6,
    )
    shades.set_array([c.probability for c in cells])
    shades.set_clim(0, 1)
    shades.set_gid("cells")
    ax.add_collection(shades, autolim=False)
    if per_cell[0] < 25 or per_cell[1] < 11:  # no room for numbers
        ax.figure.colorbar(shades, ax=ax, label="probability", shrink=0.8)
        return ax
    size = float(np.clip(0.55 * per_cell[1], 6.5, min(11, 0.38 * per_cell[0])))
    for c in cells:
        ax.text(
            across[c.group, c.column] + 0.5, down[c.block, c.row] + 0.5, _number(c.probability),
            ha="center", va="center", fontsize=size, gid="probability",
            color="white" if c.probability > 0.55 else INK,
        )  # fmt: skip
    return ax


def _number(probability: float) -> str:
    """Two digits, but 0 and 1 for what is that to two digits.

    >>> _number(1 / 3), _number(0.004), _number(0.996)
    ('0.33', '0', '1')
    """
    text = f"{probability:.2f}"
    return {"0.00": "0", "1.00": "1"}.get(text, text)


def _name_axes(ax: Axes, across: Places, down: Places) -> None:
    ax.set_xticks([at + 0.5 for at in across.values()], [name for _, name in across], fontsize=11)
    ax.set_yticks([at + 0.5 for at in down.values()], [name for _, name in down])
    ax.tick_params(length=0)
    ax.tick_params(axis="y", labelsize=11 if len(down) <= 30 else 7)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("action", fontsize=12)
    blocks = _centres(down)
    if list(blocks) == [""]:
        ax.set_ylabel("player holds", fontsize=12)
        return
    ax.set_ylabel("player has seen", fontsize=12)
    for block, centre in blocks.items():
        ax.annotate(
            block, (1.0, centre), xycoords=ax.get_yaxis_transform(),
            xytext=(8, 0), textcoords="offset points", rotation=270, ha="left", va="center",
            fontsize=11, color=INK,
        )  # fmt: skip


def _centres(places: Places) -> dict[str, float]:
    """The middle of each group of columns or rows."""
    found: dict[str, list[float]] = {}
    for (group, _), at in places.items():
        found.setdefault(group, []).append(at + 0.5)
    return {group: (at[0] + at[-1]) / 2 for group, at in found.items()}


def _name_groups(ax: Axes, across: Places) -> float:
    """Write the heads over their columns; the points that they need."""
    groups = {group: centre for group, centre in _centres(across).items() if group}
    upright = len(groups) > 8
    for group, centre in groups.items():
        ax.annotate(
            group.replace("\n", " ") if upright else group, (centre, 0),
            xytext=(0, 4), textcoords="offset points", rotation=90 if upright else 0, gid="head",
            ha="center", va="bottom", fontsize=9 if upright else 10.5,
        )  # fmt: skip
    longest = max(map(len, groups), default=0)
    return 0.0 if not groups else 4.8 * longest if upright else 28.0
