"""Where the histories of a game tree stand on paper; nothing here draws.

Leaves stand at x = 0, 1, 2, … in reading order, a parent in the middle between its first and
its last child. A level is one move below the level above; y counts downwards from 0 and makes
room for the curves that run above a level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.lab.plots.history_names import children, path_to
from workbench.rules import GameError
from workbench.tree import GameTree, IntArray

TRACK = 0.13  # distance of two curves that run above each other, in levels


@dataclass(frozen=True)
class Layout:
    """The visible histories, breadth first, and their places."""

    histories: tuple[int, ...]
    x: dict[int, float]
    level: dict[int, int]
    leaves: int  # how many histories have no child in the picture
    heights: list[float]  # from each level to the one below

    @property
    def y(self) -> dict[int, float]:
        ends = np.concatenate([[0.0], np.cumsum(self.heights)])
        return {h: -float(ends[level]) for h, level in self.level.items()}

    @property
    def depth(self) -> float:
        return sum(self.heights)

    def levels(self) -> Iterator[list[int]]:
        """The histories of each level below the root, from left to right."""
        for d in range(1, len(self.heights) + 1):
            yield [h for h in self.histories if self.level[h] == d]

    def make_room(self, curves: list[Link]) -> Layout:
        """The same picture with higher levels where many curves run above each other."""
        heights = list(self.heights)
        for curve in curves:
            d = self.level[curve.left]
            if d > 0:
                heights[d - 1] = max(heights[d - 1], 1.0 + TRACK * curve.track)
        return replace(self, heights=heights)


@dataclass(frozen=True)
class Link:
    """A connection of two histories of one set; curves of a higher track run higher."""

    left: int
    right: int
    merged: bool  # by an abstraction; False: one information set
    track: int = 0


def arrange(
    tree: GameTree, root: int, depth: int | None, most: int, *, ends: bool = True
) -> Layout:
    """Give every history from `root` down to `depth` moves its place; refuse more than `most`.
    `ends`: also those with which the game is over."""
    if depth is not None and depth < 0:
        raise GameError(f"depth must be at least 0, not {depth}")

    def family(history: int) -> list[int]:
        return [child for child in children(tree, history) if ends or tree.terminal[child] < 0]

    levels, total = [[root]], 1
    while depth is None or len(levels) <= depth:
        below = [child for history in levels[-1] for child in family(history)]
        if not below:
            break
        total += len(below)
        if total > most:
            raise _too_large(tree, root, most, len(levels) - 1)
        levels.append(below)
    level = {history: d for d, histories in enumerate(levels) for history in histories}
    last = len(levels) - 1
    x: dict[int, float] = {}
    waiting, parents = [root], []
    while waiting:  # leaves, in reading order
        history = waiting.pop()
        if level[history] < last and (below := family(history)):
            parents.append((history, below[0], below[-1]))
            waiting.extend(reversed(below))
        else:
            x[history] = float(len(x))
    leaves = len(x)
    for history, first, end in reversed(parents):  # children stand after their parents
        x[history] = (x[first] + x[end]) / 2
    return Layout(tuple(level), x, level, leaves, [1.0] * last)


def neighbourhood(tree: GameTree, history: int, most: int = 60) -> tuple[int, int | None]:
    """Root and depth of a picture around a history: the whole tree if it is small enough, else
    some moves back and some ahead, at most so many histories (but always the next moves).

    >>> import workbench as wb
    >>> leduc = wb.compile_game(wb.load_game("leduc"))
    >>> root, depth = neighbourhood(leduc, 200)
    >>> leduc.history_label(200), leduc.history_label(root), depth
    ('K♠ J♠ r c', 'K♠ J♠', 4)
    """
    if tree.num_histories <= most:
        return 0, None
    above = path_to(tree, history)[::-1]
    for back, ahead in ((3, 3), (2, 3), (2, 2), (1, 3), (1, 2), (0, 3), (0, 2), (1, 1)):
        root = above[: back + 1][-1]
        depth = above.index(root) + ahead
        with suppress(GameError):  # too large
            arrange(tree, root, depth, most)
            return root, depth
    return history, 1


def _too_large(tree: GameTree, root: int, most: int, fits: int) -> GameError:
    where, start = f" below {tree.history_label(root)!r}" if root else "", root
    for _ in range(4):  # some history further down that is not over
        family = children(tree, start)
        start = next((child for child in family if tree.terminal[child] < 0), start)
    return GameError(
        f"the tree of {tree.name!r}{where} has more than {most} histories (max_histories), too "
        f"many for one picture; pass depth={fits} or less, a subtree with root= (for instance "
        f"root={tree.history_label(start)!r}), or a larger max_histories"
    )


def find_curves(
    tree: GameTree, layout: Layout, fixed: set[int], abstraction: Abstraction | None
) -> list[Link]:
    """The curves of all information sets, and of those an abstraction merges, with tracks."""
    sets = _sets(tree, layout, fixed, np.arange(tree.num_infosets, dtype=np.int32))
    curves = [Link(a, b, merged=False) for histories in sets for a, b in pairwise(histories)]
    if abstraction is not None:
        curves += _merged(tree, layout, fixed, abstraction)
    placed: list[Link] = []
    for d in range(len(layout.heights) + 1):
        here = [curve for curve in curves if layout.level[curve.left] == d]
        tracks = tracks_of([(layout.x[c.left], layout.x[c.right]) for c in here])
        placed += [replace(c, track=track) for c, track in zip(here, tracks, strict=True)]
    return placed


def _sets(tree: GameTree, layout: Layout, fixed: set[int], group: IntArray) -> Iterable[list[int]]:
    """The visible decisions, one list from left to right for each group of infosets: (M,)."""
    members: dict[int, list[int]] = {}
    for h in sorted(layout.histories, key=layout.x.__getitem__):
        if tree.infoset[h] >= 0 and h not in fixed:
            members.setdefault(int(group[tree.infoset[h]]), []).append(h)
    return members.values()


def _merged(
    tree: GameTree, layout: Layout, fixed: set[int], abstraction: Abstraction
) -> Iterator[Link]:
    """As few curves as connect the information sets of each abstract one."""
    kept = abstraction.infoset_map  # (M,)
    coarse = np.where(kept >= 0, kept, -1 - np.arange(len(kept)))  # uncovered: on their own
    for histories in _sets(tree, layout, fixed, coarse):
        group = {int(tree.infoset[h]): int(tree.infoset[h]) for h in histories}
        for a, b in pairwise(histories):
            left, right = group[int(tree.infoset[a])], group[int(tree.infoset[b])]
            if left != right:
                group = {infoset: left if g == right else g for infoset, g in group.items()}
                yield Link(a, b, merged=True)


def tracks_of(spans: list[tuple[float, float]]) -> list[int]:
    """A height for each curve over a level, so that no two run along each other.

    Short curves come first and lie low; a curve lies above all that it covers or crosses.

    >>> tracks_of([(0, 5), (1, 3), (2, 4), (5, 7)])
    [2, 0, 1, 0]
    """
    tracks = [-1] * len(spans)
    for k in sorted(range(len(spans)), key=lambda k: (spans[k][1] - spans[k][0], spans[k])):
        low, high = spans[k]
        below = [
            tracks[j]
            for j, (left, right) in enumerate(spans)
            if tracks[j] >= 0 and left < high and low < right
        ]
        tracks[k] = max(below, default=-1) + 1
    return tracks
