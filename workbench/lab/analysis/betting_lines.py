"""A strategy by lines of betting: after each line a grid of hands, and what each of them does.

Everyday example: a player checks and you bet. With which cards does she raise now, and how often?
Her King on a King may, her Jack on a Queen will not; and some of her hands are never here, because
they have bet themselves.

    line     the betting so far, as the rules write it: "", "cr", "rc/r"
    grid     what there is to hold, the same for all lines of a round:
             Kuhn, Leduc     own card × public card
             Rhode Island    own card; own card, of the same suit or another × public card;
                             own card × what it makes with both public cards
             Hold'em         the 13 × 13 chart before the flop, then buckets, in a row those that
                             come from one bucket of the round before
    mix      with which probability a cell chooses each move: the mean over its hands, as often
             as they are dealt and come here
    share    how many of its hands come here, as far as the player herself decides it; nan where
             buckets forget what they were

>>> import workbench as wb
>>> found = betting_lines(wb.Strategy.uniform(wb.compile_game(wb.load_game("leduc"))))
>>> len(found), found["cr"].player, found["cr"].moves
(36, 0, {'f': ('fold', ''), 'c': ('call', 'crc/'), 'r': ('raise', 'crr')})
>>> found["crc/r"].grid.names[:2], found["crc/r"].mix[0].round(2).tolist(), found["crr"].share
(('K on K', 'K on Q'), [0.33, 0.33, 0.33], array([0.5, 0.5, 0.5]))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from workbench.games.deck import SIGNS
from workbench.games.words import words_for
from workbench.passes import counterfactual, luck
from workbench.poker.betting.betting_tree import MOVES
from workbench.poker.cards.boards import boards_of
from workbench.poker.cards.hand_classes import COMBOS, NAMES
from workbench.poker.engine.deal_walk import BUCKET, CHOICE, FIRST, KIND, NODE
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.games.board_poker import STREETS
from workbench.poker.games.rhode_island import RhodeIsland
from workbench.rules import GameError, label_of, shown
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, IntArray

MOST = 100_000  # cells of all grids together; rounds with which there are more are left out
KINDS = ("no pair", "pair", "flush", "straight", "three", "straight flush")  # of three cards
UNLINED = (
    "a grid by lines of betting needs a game whose players see their cards and, at last, the moves "
    "so far as one text, ('Q', 'K', 'rc/r'), as in poker; {!r} is another one"
)
Key = tuple[int, str]  # where a row or a column stands, and its name
Keys = tuple[Key, Key, str]
Moves = dict[str, tuple[str, str]]  # in words, and the line it leads to; "" if to an end
Wanted = Callable[[str], bool]


class Grid(NamedTuple):
    """The cells of a round, row by row; a chart has no names of rows, its cells have theirs."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]  # of the cells; "" where there is no such hand


class Line(NamedTuple):
    """What one line of betting leads to; cells without a hand are left out of its arrays."""

    player: int
    moves: Moves
    grid: Grid
    mix: FloatArray  # (cells, moves)
    share: FloatArray  # (cells,)


class _Hands(NamedTuple):
    """The n hands that are looked at in a round."""

    grid: Grid
    cell: Any  # (n,)
    weight: Any  # (n,) how often each is dealt
    bucket: Any = None  # (n,) in which bucket each is
    above: Any = None  # (n,) which hand of the round before; None: nobody knows

    def line(self, player: int, moves: Moves, reach: FloatArray, mix: FloatArray) -> Line:
        """Cells, out of how often each hand comes here (n,) and what it does (n, moves)."""
        size = sum(map(bool, self.grid.names))
        dealt = np.bincount(self.cell, self.weight, size)
        here = self.weight * np.nan_to_num(reach, nan=1.0)
        come = np.bincount(self.cell, here, size)
        here = np.where(come[self.cell] > 0.0, here, self.weight)  # nobody comes: as they are dealt
        total = np.bincount(self.cell, here, size)
        with np.errstate(invalid="ignore"):  # a cell that this player cannot have
            mean = [np.bincount(self.cell, here * one, size) / total for one in mix.T]
            share = come / dealt if np.isfinite(reach).all() else np.full(size, np.nan)
        return Line(player, moves, self.grid, np.array(mean).T, share)


def betting_lines(strategy: Any, after: str = "") -> dict[str, Line]:
    """The lines of a strategy, earlier rounds first; of a large game those of the first rounds.
    `after`: only lines that lead to this one or go on from it, so that later rounds fit in, too."""
    if not isinstance(after, str):
        raise GameError(f"a line of betting is a text, such as 'rc/r', not {shown(after)}")

    def wanted(line: str) -> bool:
        return line.startswith(after) or after.startswith(line)

    walk = _of_cards if isinstance(strategy, PublicStrategy) else _of_tree
    found, size = dict[str, Line](), 0
    for line, one in walk(strategy, wanted):
        found[line], r = one, line.count("/")
        size += len(one.share)
        if r and size > MOST:
            found = {text: kept for text, kept in found.items() if text.count("/") < r}
            break
    if after not in found:
        last = max((line for line in found if after.startswith(line)), key=len)
        raise GameError(f"nobody decides after {after!r}; on the way there the last is {last!r}")
    return found


# ---- a tree ------------------------------------------------------------------------------


def _of_tree(strategy: Strategy, wanted: Wanted) -> Iterator[tuple[str, Line]]:
    tree, lines = need_strategy(strategy).tree, dict[str, list[int]]()
    for infoset, one in enumerate(tree.seen):
        if not (isinstance(one, tuple) and len(one) > 1 and isinstance(one[-1], str)):
            raise GameError(UNLINED.format(tree.name))
        lines.setdefault(one[-1], []).append(infoset)
    decides = np.flatnonzero(tree.infoset >= 0)
    at, dealt, size = tree.infoset[decides], luck(tree)[decides], tree.num_infosets
    own = np.array([counterfactual(tree, strategy.probs, p)[2] for p in range(tree.num_players)])
    weight = np.bincount(at, dealt, size)
    reach = np.bincount(at, dealt * own[tree.player[decides], decides], size) / weight
    words, rounds, known = words_for(tree.rules), dict[int, _Hands](), {""}  # type: ignore[arg-type]
    for line in sorted(lines, key=lambda line: (line.count("/"), len(line))):
        here, r, first = np.array(lines[line]), line.count("/"), lines[line][0]
        if r not in rounds:
            round_ = [k for k, one in enumerate(tree.seen) if one[-1].count("/") == r]  # type: ignore[index]
            grid, cell = _grid(_keys(tree.rules, [tree.seen[k] for k in round_]))
            cells = np.zeros(size, np.int64)
            cells[round_] = cell
            rounds[r] = _Hands(grid, cells, weight)
        actions, moves = tree.actions_at(first), {}
        same = {(tree.infoset_player[k], tree.actions_at(k)) for k in here}
        if line not in known or len(same) > 1:
            raise GameError(UNLINED.format(tree.name))
        for action in actions:
            then = line + label_of(action)
            then = next((one for one in (then, f"{then}/") if one in lines), "")
            known.add(then)
            moves[label_of(action)] = words.move(action, tree.seen[first], actions), then
        if wanted(line):
            mix = strategy.probs[tree.first_choice[here][:, None] + np.arange(len(actions))]
            some = rounds[r]._replace(cell=rounds[r].cell[here], weight=weight[here])
            yield line, some.line(int(tree.infoset_player[first]), moves, reach[here], mix)


# ---- cards without a tree ----------------------------------------------------------------


def _of_cards(strategy: PublicStrategy, wanted: Wanted) -> Iterator[tuple[str, Line]]:
    rules, played = strategy.tree.rules, strategy.played
    if not played.whole:
        raise GameError(f"{played.name!r} is part of a game; stitch its expert to a base first")
    limit, layout, words = rules.betting, played.layout, words_for(rules)
    last, hands = len(rules.public_cards) - 1, _board_hands if played.on_boards else _holdem_hands
    waiting: list[list[Any]] = [[] for _ in rules.public_cards]
    waiting[0] = [("", np.ones((len(limit.antes), 1)))]
    for r, now in enumerate(waiting):
        for line, reach in now:  # it grows meanwhile
            node, at, moves = played.flat.node(line), limit.follow(line), {}
            group = layout.groups[layout.group[node]]
            here = hands(played, r, int(group[KIND]))
            first = group[FIRST] + node * group[NODE] + here.bucket * group[BUCKET]
            apart = group[CHOICE] * np.array([MOVES.index(action) for action in at.actions])
            mix = strategy.probs[first[:, None] + apart].astype(np.float64)
            reach = np.broadcast_to(reach, (len(reach), len(first)))
            for k, action in enumerate(at.actions):
                then, after = line + action, limit.follow(line + action)
                over = after.player < 0 and (len(after.live) == 1 or r == last)
                then += "/" * (after.player < 0)
                moves[action] = words.move(action, ("", "", line), at.actions), "" if over else then
                if not over and wanted(then):
                    new = reach.copy()
                    new[at.player] *= mix[:, k]
                    if after.player < 0:
                        above = hands(played, r + 1, 0).above
                        new = np.full((len(new), 1), np.nan) if above is None else new[:, above]
                    waiting[r + (after.player < 0)].append((then, new))
            yield line, here.line(at.player, moves, reach[at.player], mix)


@lru_cache(maxsize=32)
def _board_hands(played: Any, r: int, kind: int) -> _Hands:
    """Hands on boards, one for all that differ only in the names of suits."""
    rules, boards = played.rules, boards_of(played.rules)
    one = boards[r]
    place = np.unique(one.classes, return_index=True)[1][-one.num_classes :]
    board, hand = np.unravel_index(place, one.classes.shape)
    cards = zip(rules.deck.hands(rules.private_cards)[hand], one.cards[board], strict=True)
    grid, cell = _grid(_keys(rules, [rules.seen_with(*both, "") for both in cards]))
    above = boards[r - 1].classes[one.parent[board], hand] if r else None
    weight = one.weight[board] * np.bincount(one.classes[one.classes >= 0]).astype(np.float64)
    bucket = played.kinds[kind].rounds[r].ravel()[place].astype(np.int64)
    return _Hands(grid, cell, weight, bucket, above)


@lru_cache(maxsize=32)
def _holdem_hands(played: Any, r: int, kind: int) -> _Hands:
    """The 169 hands before the flop, buckets after it. How a bucket came here is known if it tells
    its bucket of the round before, and if all nodes know the same buckets."""
    buckets, above = played.kinds[kind], None
    if r == 0:
        grid = Grid("Hands before the flop", (), ("",) * 13, NAMES)
        bucket = buckets.chart().ravel().astype(np.int64)
        return _Hands(grid, np.arange(len(NAMES)), COMBOS.astype(np.float64), bucket)
    names, rows, before = [""], [""], np.zeros(buckets.classes[r], np.int64)
    for k in range(r + 1) if buckets.nested else (r,):  # 2.3: the third of those that were 2
        rows, before = names, buckets.parents(k) if k and buckets.nested else before
        each = np.arange(buckets.classes[k])
        before = before[: len(each)]
        number = (each - np.searchsorted(before, before) + 1).tolist()
        names = [f"{rows[p]}.{n}".strip(".") for p, n in zip(before, number, strict=True)]
    if buckets.nested and len(played.kinds) == 1:
        first = np.unique(_holdem_hands(played, 0, kind).bucket, return_index=True)[1]
        above = first[before] if r == 1 else before
    keys = [
        ((p, rows[p]), (n, str(n)), f"bucket {name}")
        for p, n, name in zip(before.tolist(), number, names, strict=True)
    ]
    grid, cell = _grid(keys, f"Buckets on the {STREETS[r - 1]}, from weak to strong")
    return _Hands(grid, cell, np.ones(len(cell)), each, above)


# ---- cells -------------------------------------------------------------------------------


def _keys(rules: Any, views: Sequence[Any]) -> list[Keys]:
    """Where somebody stands who has seen each of these: row, column, name."""
    found = list[Keys]()
    kinds = np.zeros(len(views), np.int64)
    suits_count = isinstance(rules, RhodeIsland)
    if suits_count and " " in views[0][1]:
        cards = np.array([sum(rules.spot(seen)[:2], ()) for seen in views])
        kinds = rules.strength(cards) // 4096 - 3
    for seen, kind in zip(views, kinds.tolist(), strict=True):
        held, *more = (label_of(one) for one in seen[:-1])
        board, row = " ".join(filter(None, more)), _card(rules, held)
        column, of = _card(rules, board), " on "
        if suits_count and " " in board:
            column, of = (kind, KINDS[kind]), ", "
        elif suits_count and board:
            other = held[-1] != board[-1]
            row = 2 * row[0] + other, f"{row[1]} {'other' if other else 'same'} suit"
        found.append((row, column, f"{row[1]}{of}{column[1]}" if board else row[1]))
    return found


def _card(rules: Any, name: str) -> Key:
    """A card by its rank, the highest first; anything else by its name."""
    rank = getattr(rules, "rank_names", "").find(name[:1] or " ")
    if rank < 0 or name[1:] not in ("", *SIGNS):
        return 0, name
    return -rank, name[0].replace("T", "10")


def _grid(keys: Sequence[Keys], title: str = "") -> tuple[Grid, IntArray]:
    """The grid of these hands, and the cell of each."""
    rows, columns = sorted({row for row, _, _ in keys}), sorted({column for _, column, _ in keys})
    named = {(row, column): name for row, column, name in keys}
    places = [(row, column) for row in rows for column in columns]
    number = {place: k for k, place in enumerate(place for place in places if place in named)}
    names = tuple(named.get(place, "") for place in places)
    title = title or ("Own card, and the board" if len(columns) > 1 else "Own card")
    grid = Grid(title, tuple(name for _, name in rows), tuple(name for _, name in columns), names)
    return grid, np.array([number[row, column] for row, column, _ in keys])
