"""A strategy by lines of betting: press a move, and the grid shows what each hand does then.

    wb.widgets.StrategyGrid(run)                                    a run, or a strategy of any form
    wb.widgets.StrategyGrid({"CFR+": run, "JQ-K": blurred})         two, and their difference
    wb.widgets.StrategyGrid(run, after="rc/rc/", board="Qh Jh 2c 7d")     a turn of Hold'em

Everyday example: a player checks and you bet. With which cards does she raise now, and how often?
Some of her hands are never here, because they have bet themselves.

    line     the betting so far, as the rules write it: "", "cr", "rc/r"
    grid     own card × public card (Kuhn, Leduc); on a board: rank × suit (Rhode Island), 13 × 13
    cell     how many of its hands come here, as far as the player herself decides it, and with
             which probability it chooses each move: the mean over hands that come here

A cell is filled in the colours of the moves, the higher the more of its hands come here; its text
is the likeliest move, in percent, and the line below says all about it. Arrow keys go from cell to
cell. It needs no kernel: a notebook, its report and that of a run show the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.games.merge_cards import rank_of, ranks_of
from workbench.games.registry import name_at_table
from workbench.games.words import words_for
from workbench.lab.html import Html, scripted
from workbench.lab.plots.style import SHADES
from workbench.poker.cards.boards import round_of
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR, NAMES
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.rules import GameError, label_of
from workbench.sequence_form import sequence_form
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray

MOST = 100_000  # cells of all grids together; rounds with which there are more are left out
UNLINED = "{!r} has no lines of betting; its players would see them last: ('Q', 'K', 'rc/r')"
CALM = {"fold": SHADES[0], "check": SHADES[3], "call": SHADES[3], "pass": SHADES[3]}
BOLD = [SHADES[k] for k in (7, 2, 6, 4, 5, 8, 9, 10, 11, 1)]  # bets, from small to large

Grid = tuple[str, int, tuple[str, ...]]  # title, columns, names of cells ("" where there is none)


class GridLine(NamedTuple):
    player: int  # counted from 1
    moves: list[tuple[str, str, str, str]]  # in words, the line it leads to, in short, its colour
    grid: int  # its number
    cells: tuple[FloatArray, ...]  # of each strategy, (cells, 1 + moves): how many come; the mix


class StrategyGrid:
    """`after`: the line to begin with; `board`: public cards, where a grid does not have them all.

    >>> import workbench as wb
    >>> grid = StrategyGrid(wb.solve(wb.load_game("leduc"), iterations=100))
    >>> grid, grid.lines["cr"].moves[2]
    (<StrategyGrid of Leduc poker: 36 lines>, ('raise', 'crr', 'r', '#f0a085'))
    """

    def __init__(self, strategies: Any, *, after: str = "", board: str = "") -> None:
        given = strategies if isinstance(strategies, Mapping) else {"": strategies}
        some: list[Any] = [getattr(one, "strategy", one) for one in given.values()]
        forms: Any = [(_Board if isinstance(s, PublicStrategy) else _Tree)(s, board) for s in some]
        if not 1 <= len(some) <= 2 or not some[0].tree.same_as(some[-1].tree):
            raise GameError("a grid shows one strategy, or two of the same game")
        self.game, self.names = name_at_table(forms[0].rules), [*map(str, given)]
        self.after, self.grids, self.lines = after, dict[Grid, int](), dict[str, GridLine]()
        now, size, self._words = [""], 0, words_for(forms[0].rules)
        while now and now[0].count("/") <= forms[0].last:
            found, later = dict[str, GridLine](), list[str]()
            for line in now:  # those that follow in the same round join in
                found[line] = self._line(forms, line)
                size += len(found[line].cells[0])
                if self.lines and size > MOST:
                    return
                for _, then, *_ in found[line].moves:
                    if then and (then.startswith(after) or after.startswith(then)):
                        (later if then.endswith("/") else now).append(then)
            now, self.lines = later, self.lines | found
        if after not in self.lines:
            last = max((line for line in self.lines if after.startswith(line)), key=len)
            raise GameError(f"no grid after {after!r}; on the way there the last is {last!r}")

    def _line(self, forms: list[Any], line: str) -> GridLine:
        (player, actions, seen), moves, bets = forms[0].spot(line), list[Any](), iter(BOLD)
        for action in actions:
            word, label = self._words.move(action, seen, actions), label_of(action)
            then = next((x for x in (line + label, f"{line}{label}/") if forms[0].spot(x)), "")
            colour = CALM.get(word) or next(bets, BOLD[-1])
            moves.append((word, then, word[0] if len(label) == 1 else label, colour))
        grids, cells = zip(*(_cells(*form.hands(line)) for form in forms), strict=True)
        return GridLine(player + 1, moves, self.grids.setdefault(grids[0], len(self.grids)), cells)

    def _repr_html_(self) -> Html:
        lines = json.dumps(self.lines, default=lambda x: np.rint(100 * x).astype(int).tolist())
        names = [*self.names, " minus ".join(self.names[::-1])][: 2 * len(self.names) - 1]
        return scripted(Path(__file__), grid=self, lines=lines, tables=names)

    def __repr__(self) -> str:
        return f"<StrategyGrid of {self.game}: {len(self.lines)} lines>"


def _cells(grid: Grid, cell: Any, mix: FloatArray, reach: FloatArray) -> tuple[Grid, Any]:
    """A grid of n hands, each in its cell: how many of these come here, and what they do."""
    title, width, names = grid
    count = np.bincount(cell, minlength=len(names))
    there = cell == np.flatnonzero(count)[:, None]  # (cells, n)
    share = there @ reach / count[count > 0]
    come = there * np.where(share[:, None] > 0.0, reach, 1.0)  # nobody comes: as if all did
    cells = np.column_stack([share, come @ mix / come.sum(axis=1, keepdims=True)])
    return (title, width, tuple(np.where(count, names, "").tolist())), cells


class _Tree:
    """Hands are what is seen of cards. Those of one cell differ in suits; they are as likely."""

    def __init__(self, strategy: Strategy, board: str) -> None:
        tree, found = need_strategy(strategy).tree, dict[Any, list[int]]()
        self.sigma, self.tree, self.rules, self.last = strategy, tree, tree.rules, MOST
        if board:
            raise GameError(f"a grid of {tree.name!r} has all public cards; leave out the board")
        for k, seen in enumerate(list[Any](tree.seen)):
            lined = isinstance(seen, tuple) and len(seen) > 1 and isinstance(seen[-1], str)
            spot = seen[-1] if lined else "?", int(tree.infoset_player[k]), tree.actions_at(k)
            found.setdefault(spot, []).append(k)
        self.sets = {line: np.array(sets) for (line, *_), sets in found.items()}
        self.spot = {line: (*at, tree.seen[sets[0]]) for (line, *at), sets in found.items()}.get
        nexts = {"", *(line + label_of(one) for line, _, moves in found for one in moves)}
        if len(self.sets) < len(found) or not {x.removesuffix("/") for x in self.sets} <= nexts:
            raise GameError(UNLINED.format(tree.name))
        self.order, form = {rank: -k for k, rank in enumerate(ranks_of(tree))}, sequence_form(tree)
        self.reach = form.plan(strategy.probs)[form.above]  # (M,)

    def hands(self, line: str) -> tuple[Grid, Any, FloatArray, FloatArray]:
        """A grid; of n hands the cells, what they do, and how often they come."""
        sets, order, tree = self.sets[line], self.order, self.tree
        seen = [[rank_of(label_of(one)) for one in tree.seen[k][:-1]] for k in sets]
        held, public = [own for own, *_ in seen], [" ".join(cards) for _, *cards in seen]
        rows, columns = (sorted({*s}, key=lambda x: (order.get(x, 1), x)) for s in (held, public))
        names = [f"{row} on {one}".removesuffix(" on ") for row in rows for one in columns]
        title = "Rows: own card. Columns: public card" if "/" in line else "Own card"
        cell = len(columns) * np.array([*map(rows.index, held)]) + [*map(columns.index, public)]
        moves = np.arange(len(tree.actions_at(sets[0]))) + tree.first_choice[sets][:, None]
        return (title, len(columns), tuple(names)), cell, self.sigma.probs[moves], self.reach[sets]


class _Board:
    """Hands are private cards, the same in all rounds of a board."""

    def __init__(self, strategy: PublicStrategy, board: str) -> None:
        strategy.played.need_whole()
        self.rules, deck = strategy.tree.rules, strategy.tree.rules.deck
        some = np.random.default_rng(0).permutation(deck.size).tolist()
        self.board = deck.parse(board or some[: sum(self.rules.public_cards)])
        self.last, size = round_of(self.rules.public_cards, self.board), self.rules.private_cards
        self.cards, self.mix = deck.hands(size), cache(partial(strategy.on, self.board))
        self.chart, falling = (13, NAMES, CLASS_OF_PAIR), range(deck.size)[::-1]
        if size == 1:  # by rank and suit
            self.chart = deck.suits, tuple(map(deck.name, falling)), np.array(falling)

    def spot(self, line: str) -> Any:
        """Who moves, what she may do, what she has seen; nothing if nobody decides."""
        over = line.count("/") == len(self.rules.public_cards)
        at = None if over else self.rules.betting.follow(line)
        return (at.player, at.actions, ("", "", line)) if at and at.player >= 0 else None

    def hands(self, line: str) -> tuple[Grid, Any, FloatArray, FloatArray]:
        public = self.board[: sum(self.rules.public_cards[: 1 + line.count("/")])]
        free, reach = ~np.isin(self.cards, public).any(axis=1), np.ones(len(self.cards))
        for k, move in enumerate(line):
            before = self.spot(line[:k])  # None where a round ends
            if before and before[0] == self.spot(line)[0]:
                reach *= self.mix(line[:k])[:, before[1].index(move)]
        where, (width, names, cell) = " ".join(map(self.rules.deck.name, public)), self.chart
        title = f"Own cards on {where}" if where else "Own cards before the flop"
        return (title, width, names), cell[free], self.mix(line)[free], reach[free]
