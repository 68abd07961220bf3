"""A game tree as the papers draw it: moves go down, curves join what a player cannot tell apart.

    diamond                  chance moves
    numbered shape           the player with this number moves
    bold dashed curve        one information set
    thin curve               information sets that an abstraction merges
    grey diamond, σ          a player who follows a fixed strategy: chance, for the others
    heavy outline            histories the reader should look at
    shade behind a history   which of several groups it belongs to; each has a colour and a shape

With a strategy the width of an edge is its probability. Figures 1 and 2 of Gibson and Szafron
(2011) are four calls:

    plot_game_tree(tree, abstraction=merged)
    plot_game_tree(tree, abstraction=dynamic, highlight={"al", "bl", "cl"})
    plot_game_tree(tree, strategy=base, fixed={"ar", "br", "cr"}, highlight={"al", "bl", "cl"})
    plot_game_tree(tree, strategy=base, fixed=lambda moves: moves[1:] != ("l",), highlight=…)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from workbench.abstraction.abstraction import Abstraction
from workbench.compiling import compile_game
from workbench.games.words import amount
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.history_names import History, Selection, children, find_history, select
from workbench.lab.plots.style import (
    COLOURS,
    INK,
    SHADES,
    SHAPES,
    axes,
    behind,
    fraction,
    points_of,
)
from workbench.lab.plots.tree_layout import TRACK, Layout, Link, arrange, find_curves
from workbench.lab.text import number
from workbench.rules import GameError, Rules
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree

FIXED = "#d9d9d9"
PAGE = 12.0  # inches; a notebook shows some ten, and letters shrink with the picture
BOLD: dict[str, Any] = {"linestyle": (0, (2.5, 1.2)), "linewidth": 2.2}
THIN: dict[str, Any] = {"linestyle": "-", "linewidth": 0.9}
Odds = Callable[[int], float | None]  # how likely the move into a history is; None: not shown
NEVER = 0.005  # what is rounded to 0.00
PLAIN = "#555555"


def plot_game_tree(
    tree: GameTree | Rules,
    ax: Axes | None = None,
    *,
    strategy: Strategy | None = None,
    abstraction: Abstraction | None = None,
    highlight: Selection | None = None,
    shade: Mapping[str, Selection] | None = None,
    fixed: Selection | None = None,
    root: History = 0,
    depth: int | None = None,
    ends: bool = True,
    max_histories: int = 200,
    legend: bool = True,
    title: str | None = None,
) -> Axes:
    """Draw the tree from `root`, `depth` moves down; see the module's first lines for the signs.

    highlight, fixed: a set of histories, {"al", "bl"}, or a function of the tuple of moves.
    shade: such a set for each name of a group. ends: draw how the game ends, too.
    With `fixed`, `strategy` is the base strategy and is shown only where it decides.
    """
    tree = tree if isinstance(tree, GameTree) else compile_game(tree)
    _check(tree, strategy.tree if strategy else None, "strategy")
    _check(tree, abstraction.full if abstraction else None, "abstraction")
    layout = arrange(tree, find_history(tree, root), depth, max_histories, ends=ends)
    bold = select(tree, layout.histories, highlight)
    held = {h for h in select(tree, layout.histories, fixed) if tree.infoset[h] >= 0}
    curves = find_curves(tree, layout, held, abstraction)
    layout = layout.make_room(curves)
    odds = _odds(tree, strategy, None if fixed is None else held)

    ax, pitch, step = _paper(ax, tree, layout)
    node = min(_node_size(tree, layout, pitch), 0.27 * step)
    sizes = np.linspace(10.5, np.clip(0.35 * pitch, 5.5, 8.0), 6).tolist()
    _draw_edges(ax, tree, layout, odds, held)
    _draw_labels(ax, tree, layout, odds, pitch=pitch, sizes=sizes)
    shades = {name: select(tree, layout.histories, group) for name, group in (shade or {}).items()}
    inner = {int(tree.parent[h]) for h in layout.histories}
    for k, group in enumerate(shades.values()):
        for h in sorted(group):
            ax.plot(
                [layout.x[h]], [layout.y[h]], marker=SHAPES[k], zorder=1.5,
                markersize=2.0 * node if h in inner else min(2.0 * node, 0.85 * pitch),
                markerfacecolor=SHADES[k], markeredgecolor=INK, markeredgewidth=0.4, gid="shade",
            )  # fmt: skip
    for curve in curves:
        _draw_curve(ax, tree, layout, curve)
    for h in layout.histories:
        if tree.terminal[h] < 0:
            _draw_node(ax, layout, h, int(tree.player[h]), node, bold=h in bold, held=h in held)
    if ends:
        _draw_ends(ax, tree, layout, bold, pitch=pitch, sizes=sizes, node=node)
    ax.set_title(_title(tree, layout) if title is None else title, fontsize=13)
    if legend:
        _legend(ax, tree, layout, held, odds, pitch, list(shades))
    describe(ax, _words(tree, layout, curves, held, bold, shades, odds=strategy is not None))
    return ax


def _check(tree: GameTree, other: GameTree | None, what: str) -> None:
    if other is not None and not other.same_as(tree):
        raise GameError(f"the {what} belongs to {other!r}, not to {tree!r}")


def _odds(tree: GameTree, strategy: Strategy | None, only: set[int] | None) -> Odds:
    """How likely the move into a history is: by chance, or by the strategy where it is shown."""

    def odds(history: int) -> float | None:
        choice, edge = int(tree.choice[history]), float(tree.chance[history])
        if choice < 0:
            return edge
        if strategy is None or (only is not None and int(tree.parent[history]) not in only):
            return None
        return edge * float(strategy.probs[choice])

    return odds


def laid_out(tree: GameTree, root: History, depth: int | None) -> Layout:
    """Where a picture of the tree has its histories, if nothing is merged or fixed."""
    layout = arrange(tree, find_history(tree, root), depth, tree.num_histories)
    return layout.make_room(find_curves(tree, layout, set(), None))


def tree_size(tree: GameTree, layout: Layout) -> tuple[float, float]:
    """Inches that a picture of the tree would like to have."""
    wanted = float(np.clip(12 * 72 / layout.leaves, 30, 48))
    for level in layout.levels():
        widest = max(text_width(tree.edge_label(h), 10.5) for h in level)
        closest = min(np.diff([layout.x[h] for h in level]), default=2.0)
        wanted = max(wanted, (widest + 6) / (0.68 * closest))
    most = float(np.clip(15 / 72 * layout.leaves, PAGE, 16))  # wide pages are shrunk to be read
    width = float(np.clip(wanted / 72 * (layout.leaves + 0.4), 5, most))
    return width, 1.05 * (layout.depth + _foot(tree)) + 0.8


def _foot(tree: GameTree) -> float:
    """Room for payoffs, in levels."""
    return 0.4 if _one_number(tree) else 0.2 + 0.17 * tree.num_players


def _paper(ax: Axes | None, tree: GameTree, layout: Layout) -> tuple[Axes, float, float]:
    """Axes that hold the picture; points between neighbouring leaves, and from level to level."""
    given, ax = ax, axes(ax, *tree_size(tree, layout))
    ax.set_xlim(-0.7, layout.leaves - 0.3)
    high = layout.depth + _foot(tree)
    ax.set_ylim(-high, 0.25)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    wide, tall = points_of(ax, fresh=given is None)
    return ax, wide / (layout.leaves + 0.4), tall / (high + 0.25)


def _node_size(tree: GameTree, layout: Layout, pitch: float) -> float:
    """Diameter in points that keeps nodes apart from what stands beside them."""
    gaps = [
        layout.x[b] - layout.x[a]
        for level in layout.levels()
        for a, b in pairwise(level)
        if tree.terminal[a] < 0 or tree.terminal[b] < 0
    ]
    return float(np.clip(0.55 * pitch * min(gaps, default=2.0), 8, 18))


def text_width(text: str, size: float) -> float:
    """Points that a text of this font size needs, nearly (its longest line)."""
    lines = text.split("\n")
    return size * max(sum(0.33 if c in " .,:;'|ijl" else 0.65 for c in line) for line in lines)


def _draw_edges(ax: Axes, tree: GameTree, layout: Layout, odds: Odds, fixed: set[int]) -> None:
    """As wide as they are likely."""
    x, y = layout.x, layout.y
    lines, widths, colours, dashes = [], [], [], []
    for h in layout.histories[1:]:
        above = int(tree.parent[h])
        likely = odds(h) if tree.player[above] != CHANCE else None
        lines.append([(x[above], y[above]), (x[h], y[h])])
        widths.append(1.1 if likely is None else 0.8 + 3.4 * likely)
        player = int(tree.player[above])
        plain = likely is None or above in fixed
        colours.append(PLAIN if plain else COLOURS[player])
        dashes.append("-" if likely is None or likely >= NEVER else ":")
    edges = LineCollection(lines, linewidths=widths, colors=colours, linestyles=dashes, zorder=1)
    edges.set_gid("edges")
    ax.add_collection(edges, autolim=False)


def _draw_labels(
    ax: Axes, tree: GameTree, layout: Layout, odds: Odds, *, pitch: float, sizes: Sequence[float]
) -> None:
    """As much text as fits: all edges into one level are labelled the same way, the fullest that
    fits between neighbours, "p .80" in one line, in two lines, "p" alone, or "scissors" turned
    upright, in letters as large as fit. After a name that ends in a digit the number stands in
    brackets, "1 (1/3)": "1 1/3" would be one and a third.

    Where an abstraction has merged actions, several edges of one history have one name, and each
    carries its share of the probability: "land 1/2" and "land 1/2".

    pitch: points between neighbouring leaves; sizes: of the font, the best first.
    """
    y = layout.y
    for level, height in zip(layout.levels(), layout.heights, strict=True):
        above = [int(tree.parent[h]) for h in level]
        labels, share, rotation, size = _fullest(tree, layout, level, height, odds, pitch, sizes)
        for h, parent, label in zip(level, above, labels, strict=True):
            ax.text(
                _between(layout, parent, h, share), y[parent] + share * (y[h] - y[parent]), label,
                rotation=rotation, ha="center", va="center", fontsize=size, color=INK,
                linespacing=1.0, bbox=behind(0.6), zorder=4, gid="move",
            )  # fmt: skip


def _between(layout: Layout, parent: int, child: int, share: float) -> float:
    return layout.x[parent] + share * (layout.x[child] - layout.x[parent])


def _fullest(
    tree: GameTree, layout: Layout, level: list[int], height: float, odds: Odds, pitch: float,
    sizes: Sequence[float],
) -> tuple[list[str], float, int, float]:  # fmt: skip
    """Labels, where they stand on their edges, how they are turned, and how large they are."""
    names = ["" if tree.edge_label(h) == "?" else tree.edge_label(h) for h in level]
    numbers = [_number(tree, h, odds(h)) for h in level]
    forms = [(names, 0), (names, 90)]
    if any(numbers):
        if any(map(str.isdigit, "".join(names))):  # "10♠ 1" reads like a card
            numbers = [f"({number})" if number else "" for number in numbers]
        pairs = [list(filter(None, pair)) for pair in zip(names, numbers, strict=True)]
        forms = [([" ".join(p) for p in pairs], 0), (["\n".join(p) for p in pairs], 0), *forms]
    shares = [(0.5 / height, 0.62 / height), (0.68, 0.74)]  # above the curves; further down
    places = [p for group in shares for p in product(sizes, group)]
    if height == 1.0:
        places = list(product(sizes, (*shares[0], *shares[1])))
    for labels, rotation in forms:
        least = 9.0 if any(" " in label and label not in names for label in labels) else 0.0
        for size, share in places:
            if size < least:  # two lines of large letters are better than one of small ones
                continue
            at = [_between(layout, int(tree.parent[h]), h, share) for h in level]
            widths = [size if rotation else text_width(label, size) for label in labels]
            room = pitch * np.diff(at) - (np.array(widths[1:]) + np.array(widths[:-1])) / 2
            if not len(room) or room.min() >= max(3.0, 0.35 * size):
                return labels, share, rotation, size
    return names, 0.68, 90, sizes[-1]


def _number(tree: GameTree, history: int, likely: float | None) -> str:
    if likely is None:
        share = float(tree.chance[history])
        return fraction(share) if share < 1 else ""
    if tree.player[tree.parent[history]] == CHANCE:
        return fraction(likely)
    return f"{likely:.0f}" if not NEVER <= likely < 1 - NEVER else f"{likely:.2f}"[1:]


def _draw_curve(ax: Axes, tree: GameTree, layout: Layout, curve: Link) -> None:
    """Up from the left history, along its track, down to the right one."""
    x, y = layout.x, layout.y
    (left, low), (right, end) = (x[curve.left], y[curve.left]), (x[curve.right], y[curve.right])
    top = max(low, end) + 0.27 + TRACK * curve.track
    turn = min(0.5 * (right - left), 1.6)
    # An edge that comes from the side where the curve goes is crossed, not followed.
    above = [x.get(int(tree.parent[end]), x[end]) for end in (curve.left, curve.right)]
    out, back = (0.3 * turn * (not crossed) for crossed in (above[0] > left, above[1] < right))
    rise = [(left, low), (left + out, top - 0.05), (left + 0.4 * turn, top), (left + turn, top)]
    fall = [(right - turn, top), (right - 0.4 * turn, top), (right - back, top - 0.05)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3]
    look = {"edgecolor": COLOURS[tree.player[curve.left]], "gid": "infoset", **BOLD}
    if curve.merged:
        look = {"edgecolor": INK, "gid": "merged", **THIN}
    drawn = Path([*rise, *fall, (right, end)], codes)
    ax.add_patch(PathPatch(drawn, facecolor="none", zorder=2, **look))


def _draw_node(
    ax: Axes, layout: Layout, history: int, player: int, size: float, *, bold: bool, held: bool
) -> None:
    kind, marker, face, text = "chance", "D", "white", ""
    if held:
        kind, face, text = "fixed", FIXED, rf"$\sigma_{{{player + 1}}}$"
    elif player != CHANCE:
        kind, marker, face, text = "player", SHAPES[player], COLOURS[player], str(player + 1)
    x, y = layout.x[history], layout.y[history]
    ax.plot(
        [x], [y], marker=marker, markerfacecolor=face, zorder=5, gid=kind,
        markersize=size * (0.6 if kind == "chance" else 1.0) * (1.15 if bold else 1.0),
        markeredgecolor="black" if bold else INK, markeredgewidth=3.2 if bold else 1.0,
    )  # fmt: skip
    if text:
        ax.text(
            x, y, text, color=INK if held else "white", fontsize=0.6 * size, fontweight="bold",
            ha="center", va="center_baseline", zorder=6, gid="number",
        )  # fmt: skip


def _draw_ends(
    ax: Axes, tree: GameTree, layout: Layout, bold: set[int], *, pitch: float,
    sizes: Sequence[float], node: float,
) -> None:  # fmt: skip
    """Payoffs under the leaves, dots under decisions whose moves are not shown."""
    texts = {}
    for h in layout.histories:
        if tree.terminal[h] >= 0:
            payoffs = tree.utility[tree.terminal[h]][: 1 if _one_number(tree) else None]
            texts[h] = "\n".join(number(u, sign=True, figures=4) for u in payoffs)
        elif children(tree, h)[0] not in layout.x:
            texts[h] = "⋮"
    size, rows, upright = _place_ends(tree, layout, texts, pitch, sizes)
    for h, text in texts.items():
        over = tree.terminal[h] >= 0
        below = (-2 if over else -0.65 * node) - 1.15 * size * rows[h]
        ax.annotate(
            text.replace("\n", ", ") if upright else text, (layout.x[h], layout.y[h]),
            xytext=(0, below), textcoords="offset points", rotation=90 if upright else 0,
            ha="center", va="top", fontsize=size, fontweight="bold" if h in bold else "normal",
            color=INK, linespacing=1.0, zorder=4, gid="payoff" if over else "cut",
        )  # fmt: skip


def _place_ends(
    tree: GameTree, layout: Layout, texts: dict[int, str], pitch: float, sizes: Sequence[float]
) -> tuple[float, dict[int, int], bool]:
    """Font size, row of each text (0, or 1: one line lower), and whether they stand upright.

    Large letters in two rows are better than small ones in one row.
    """
    flat = dict.fromkeys(texts, 0)
    zigzag = {h: (h - children(tree, int(tree.parent[h]))[0]) % 2 if h else 0 for h in texts}
    ways = [(flat, size) for size in sizes if size >= 9]
    if not any("\n" in text for text in texts.values()):
        ways += [(zigzag, size) for size in sizes if size >= 8]
    ways += [(flat, size) for size in sizes]
    levels = [[h for h in level if h in texts] for level in layout.levels()]
    for rows, size in ways:
        lines = [[h for h in level if rows[h] == row] for level in levels for row in (0, 1)]
        if all(
            (text_width(texts[a], size) + text_width(texts[b], size)) / 2 + 0.45 * size
            <= pitch * (layout.x[b] - layout.x[a])
            for line in lines
            for a, b in pairwise(line)
        ):
            return size, rows, False
    return sizes[-1], flat, True


def _one_number(tree: GameTree) -> bool:
    """True if what player 1 wins says it all."""
    return tree.num_players == 1 or (tree.num_players == 2 and tree.zero_sum)


def _title(tree: GameTree, layout: Layout) -> str:
    root, shown = layout.histories[0], len(layout.histories)
    if shown == tree.num_histories:
        return f"{tree.name}: {shown} histories, {tree.num_infosets} information sets"
    after = f" after {tree.history_label(root)}" if root else ""
    return f"{tree.name}{after}: {shown} of {tree.num_histories:,} histories"


def sign(label: str, marker: str = "", face: str = "white", **look: Any) -> Line2D:
    """What stands for something in a legend."""
    usual: dict[str, Any] = {"linestyle": "", "color": INK, "markersize": 10}
    return Line2D([], [], marker=marker, mfc=face, mec=INK, label=label, **{**usual, **look})


def _legend(
    ax: Axes, tree: GameTree, layout: Layout, held: set[int], odds: Odds, pitch: float,
    shades: Sequence[str],
) -> None:  # fmt: skip
    drawn = {artist.get_gid() for artist in (*ax.lines, *ax.patches, *ax.texts)}
    movers = {int(tree.player[h]) for h in layout.histories if h not in held}
    signs = [sign("chance", "D", markersize=8)] if "chance" in drawn else []
    signs += [sign(f"player {i + 1}", SHAPES[i], COLOURS[i]) for i in sorted(movers) if i >= 0]
    if held:
        signs.append(sign("plays the base strategy σ", "D", FIXED, markersize=9))
    signs += [sign(name, SHAPES[k], SHADES[k], markersize=13) for k, name in enumerate(shades)]
    shares = {float(tree.chance[h]) for h in layout.histories if odds(h) is None} - {1.0}
    if shares:
        number = f"${fraction(max(shares))}$"
        signs.append(sign("share of a merged action", number, INK, markersize=17, mew=0))
    if "infoset" in drawn:
        signs.append(sign("information set", **BOLD))
    if "merged" in drawn:
        signs.append(sign("merged by the abstraction", **THIN))
    if "payoff" in drawn:
        everyone = ", ".join(str(i + 1) for i in range(tree.num_players))
        whom = "player 1" if _one_number(tree) else f"players {everyone} (top down)"
        signs.append(sign(f"payoff to {whom}", "$+1$", INK, markersize=13, mew=0))
    needed = sum(text_width(str(line.get_label()), 10) + 50 for line in signs)
    rows = 1 + int(needed / (pitch * layout.leaves))
    ax.legend(
        handles=signs, loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False, fontsize=10,
        ncols=-(-len(signs) // rows), handletextpad=0.5, columnspacing=1.6,
    )  # fmt: skip


def _words(
    tree: GameTree, layout: Layout, curves: list[Link], held: set[int], bold: set[int],
    shades: Mapping[str, set[int]], *, odds: bool,
) -> str:  # fmt: skip
    """The picture for those who cannot see it: who moves where, and what is joined."""
    who = {h: f"player {tree.player[h] + 1}" for h in layout.histories if tree.terminal[h] < 0}
    who |= {h: "chance" for h in who if tree.player[h] == CHANCE}
    movers = Counter((who | dict.fromkeys(held, "the base strategy")).values())
    sites = {name: amount(count, "place") for name, count in sorted(movers.items())}
    moves = ", ".join(f"{name} at {places}" for name, places in sites.items())
    ends = [tree.terminal[h] for h in layout.histories if tree.terminal[h] >= 0]
    said = [f"A tree of {len(layout.histories)} histories, from top to bottom: {moves} to move."]
    if ends:
        paid = tree.utility[ends]
        low, high = (number(end, sign=True, figures=4) for end in (paid.min(), paid.max()))
        said.append(f"{len(ends)} ends, with payoffs from {low} to {high}.")
    joined = Counter(curve.merged for curve in curves)
    for merged, look, what in (
        (False, "dashed", "what a player cannot tell apart"),
        (True, "thin", "what the abstraction merges"),
    ):
        if count := joined[merged]:
            drawn = amount(count, f"{look} curve")
            said.append(f"{drawn} {'joins' if count == 1 else 'join'} {what}.")
    for name, group in shades.items():
        said.append(f"In the colour of {name}: {amount(len(group), 'place')}.")
    if bold:
        names = [tree.history_label(h) for h in sorted(bold)[:8]]
        said.append(f"Heavy outline: {', '.join(names)}{' …' if len(bold) > 8 else ''}.")
    if odds:
        said.append("The wider an edge, the likelier the move.")
    return " ".join(said)
