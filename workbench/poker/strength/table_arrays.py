"""The tables of Hold'em as array operations, for a GPU: thousands of boards at a time.

    tables       how strong every hand is on every board (holdem_tables.py)
    count        how many hands have each signal, by what was known before (holdem_signals.py)
    joint        who meets whom and who wins, by sequences of buckets (joint_buckets.py)

Each finds the same whole numbers as the compiled kernels. Hands of a river are counted by products
(hand_arrays.py): 2 · wins + ties = wins - losses + 990, the row sum of S and 990; and the two joint
matrices are sums over boards and orders of Zᵀ · S · Z and Zᵀ · S² · Z. Only sequences that a board
has take part: of 4,096 (k = 8) some hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from workbench.arrays import Array, Machine
from workbench.poker.cards.board_sets import PAIRS, board_sets
from workbench.poker.strength.hand_arrays import HandArrays, cards_of
from workbench.tree import FloatArray

BOARDS = 64  # at a time, on a GPU


class Seen(NamedTuple):
    """What players know in the rounds before, as `HandArrays.buckets` asks for it."""

    cards: Any
    cuts: Any
    classes: Any = (2, 2, 2, 2)  # more than one


def orders(boards: Array) -> Iterator[Array]:
    """Boards (B, n) with their cards in every order that matters: three, a fourth, a fifth."""
    n = boards.shape[1]
    for late in permutations(range(n), n - 3):
        yield boards[:, [*(c for c in range(n) if c not in late), *late]]


def tables(on: Machine) -> dict[str, Any]:
    """flop, turn, river as `HoldemTables` has them."""
    codes = {n: board_sets(n).code for n in (3, 4, 5)}
    made = river(on, codes[5])
    turn = sums(on, codes[4], (made, made * made), 1)
    found = {"flop": sums(on, codes[3], turn, 2), "turn": turn, "river": made}
    return {
        name: _read(on, one if name == "river" else on.xp.stack(one)).astype(
            np.uint16 if name == "river" else np.uint32  # -1 becomes the largest number
        )
        for name, one in found.items()
    }


def river(on: Machine, codes: Any) -> Array:
    """(B, 1326) 2 · wins + ties on boards of five, -1 where they have a card of the hand."""
    shown, xp, every = HandArrays(on), on.xp, on.put(np.arange(PAIRS))
    places, found = on.put(cards_of(codes)), on.zeros((len(codes), PAIRS), "int64")
    for low in range(0, len(codes), BOARDS):
        boards = places[low : low + BOARDS]
        taken, hands = shown.taken(boards, every), every[None] + 0 * boards[:, :1]
        strength, place = shown.strengths(boards, every), xp.where(taken, -1, 0)
        wins = on.cast(shown.ahead(strength, place, 1, hands)[0][:, :, 0], "int64")
        found[low : low + BOARDS] = xp.where(taken, -1, wins + 990)
    return found


def sums(on: Machine, codes: Any, later: tuple[Array, Array], times: int) -> tuple[Array, Array]:
    """The sums of the next round's numbers over one more card; a board of five is met in one order
    from the turn, in two (`times`) from the flop."""
    shown, xp, every = HandArrays(on), on.xp, on.put(np.arange(PAIRS))
    boards = on.put(cards_of(codes))
    one, two = (on.zeros((len(codes), PAIRS), "int64") for _ in (0, 1))
    for card in range(52):
        there = (boards == card).any(1)
        at, renaming = shown.find(xp.concatenate([boards, 0 * boards[:, :1] + card], 1))
        at, moved = xp.where(there, 0, at)[:, None], shown.moved[renaming]
        fits = (later[0][at, moved] >= 0) & ~there[:, None]
        one += xp.where(fits, later[0][at, moved], 0)
        two += xp.where(fits, later[1][at, moved], 0)
    taken = shown.taken(boards, every)
    return xp.where(taken, -1, one // times), xp.where(taken, -1, two // times)


def _read(on: Machine, array: Array, kind: Any = np.int64) -> Any:
    found = np.empty(tuple(array.shape), kind)
    on.read(array, found)
    return found


def count(
    on: Machine, n: int, known: Any, table: Any, parents: int, sizes: int,
    some: slice = slice(None),
) -> FloatArray:  # fmt: skip
    """(parents, sizes) how many hands on real boards of n cards (or some of them), in each order,
    have each signal of the table, by their bucket in the round before."""
    shown, xp, sets, step = HandArrays(on), on.xp, board_sets(n), 16 * BOARDS
    cells, every = parents * sizes, on.put(np.arange(PAIRS))
    total, first = on.zeros((cells + 1,)), on.put(before(known))
    places, weights = cards_of(sets.code[some]), sets.weight[some].astype(np.float64)
    for low in range(0, len(places), step):
        boards = on.put(places[low : low + step])
        signal = on.put(table[some][low : low + step].astype(np.int64))
        weight = (on.put(weights[low : low + step])[:, None] + on.zeros((1, PAIRS))).reshape(-1)
        taken = shown.taken(boards, every)
        for order in orders(boards):
            z = first[None]
            for m in range(3, n):
                z = shown.buckets(known, order[:, :m], every, z)
            cell = xp.where(taken, cells, z * sizes + signal)
            total += xp.bincount(cell.reshape(-1), weight, cells + 1)
    return np.asarray(_read(on, total, float)[:-1].reshape(parents, sizes))


def before(known: Any) -> Any:
    """(1326,) the buckets of the first round."""
    first, cuts = known.cuts[0]
    return first[0] + (known.cards.preflop.astype(np.int64)[:, None] >= cuts[0]).sum(axis=1)


def joint(on: Machine, mine: Any, theirs: Any, boards: Any) -> Any:
    """(2, K, K') `meets` and `wins` in deals, on these of all boards of five."""
    shown, xp, sets = HandArrays(on), on.xp, board_sets(5)
    every, kinds = on.put(np.arange(PAIRS)), (mine,) if theirs is mine else (mine, theirs)
    firsts = [on.put(before(one)) for one in kinds]
    size = mine.classes[3] * theirs.classes[3]
    total = [on.zeros((size,)) for _ in (0, 1)]
    for low in range(0, len(boards), BOARDS // 2):
        some = boards[low : low + BOARDS // 2]
        five, weight = on.put(cards_of(sets.code[some])), on.put(sets.weight[some].astype(float))
        hands = xp.where(~shown.taken(five, every))[1].reshape(len(some), -1)  # (B, 1081)
        ordered, made = [*orders(five)], list[Any]()
        many, held = len(ordered), xp.concatenate([hands] * len(ordered))
        for one, first in zip(kinds, firsts, strict=True):
            z = first[held]
            for m in (3, 4, 5):
                z = shown.buckets(one, xp.concatenate(ordered)[:, :m], held, z)
            place, occur, occurring = shown.occurring(z, one.classes[3])
            wide = int(occurring.max())
            made.append((shown.within(place, wide), occur[:, :wide]))
        (one, rows), (two, columns) = made[0], made[-1]
        beside = xp.moveaxis(two.reshape(many, *hands.shape, -1), 0, 2)  # S meets all orders
        cell = rows[:, :, None] * theirs.classes[3] + columns[:, None, :]
        times = xp.concatenate([weight] * many)[:, None, None]
        for into, product in zip(
            total, shown.meeting(shown.strengths(five, hands), hands), strict=True
        ):
            met = (product @ beside.reshape(*hands.shape, -1)).reshape(beside.shape)
            deals = xp.swapaxes(one, 1, 2) @ xp.moveaxis(met, 2, 0).reshape(two.shape)
            deals = on.cast(deals, "float64") * times
            into += xp.bincount(cell.reshape(-1), deals.reshape(-1), size)
    return _read(on, xp.stack(total), float).reshape(2, mine.classes[3], theirs.classes[3])
