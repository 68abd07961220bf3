"""Hand spaces: what players can tell apart in each round, and how that meets.

    boards     hands on boards, up to the names of suits; or buckets of them. At a leaf each board
               is looked at: folds and showdowns take time linear in its hands
    buckets    of a game whose boards are too many: two matrices say how likely buckets meet and who
               wins (joint_buckets.py); a leaf is a product with the opponent's reach

What a bucket wins is the sum over its hands of what each wins, as often as it is dealt. So passes
over the betting need not know hands where players cannot tell them apart (perfect recall).
"""

from functools import lru_cache
from typing import Any

import numpy as np

from workbench.poker.buckets.joint_buckets import joint_buckets
from workbench.poker.cards.board_sets import masks_of
from workbench.poker.cards.boards import boards_of, chances, round_of
from workbench.poker.cards.seven_cards import strengths
from workbench.poker.engine.card_passes import Indices, Space

NOTHING, NOBODY, NOWHERE = np.zeros(0), np.zeros(0, np.int64), np.zeros((0, 0, 0))


@lru_cache(maxsize=8)
def board_spaces(rules: Any, buckets: Any = None) -> list[Space]:
    """Each round's hands, one of those that differ only in the names of suits; or their buckets."""
    boards, made = boards_of(rules), list[Space]()
    counts, before = np.ones(1), np.zeros(1, np.int64)  # of the round before; what its hands are
    for r, (one, luck) in enumerate(zip(boards, chances(rules), strict=True)):
        place = np.unique(one.classes, return_index=True)[1][-one.num_classes :]
        board, cards = np.unravel_index(place, one.classes.shape)
        size = np.bincount(one.classes[one.classes >= 0]).astype(np.float64)
        above, strength = np.zeros((2, len(size)), np.int64)
        if r:
            above[:] = boards[r - 1].classes[one.parent[board], cards]
        if r == len(boards) - 1:
            private = rules.deck.hands(rules.private_cards)[cards]
            strength[:] = rules.strength(np.column_stack([private, one.cards[board]]))
        order = np.lexsort((strength, board))
        first = np.searchsorted(board, np.arange(len(one.cards) + 1))
        deals, above = one.weight[board] * size, before[above]
        thing, weight, count = np.arange(len(size)), NOTHING, deals
        if buckets is not None and (buckets.of_class[r] != thing).any():
            thing, weight = buckets.of_class[r].astype(np.int64), deals
            count, of_hand = np.ones(buckets.classes[r]), above
            above = np.zeros(len(count), np.int64)
            above[thing] = of_hand
        share = count / counts[above]
        cards_of = first, thing, size, weight, order, strength, float(luck)
        made.append(Space(above, share, NOWHERE, NOWHERE, *cards_of))
        counts, before = count, thing
    return made


Holdings = list[tuple[tuple[int, ...], Indices]]  # boards, and the numbers of the hands on each


def board_part(
    rules: Any, first: int, board: int | None, hands: list[slice], held: list[Holdings]
) -> list[Space]:
    """The rounds from `first` on, all of them or what is below one board; hands of the first round
    come from themselves. `hands` takes which of all hands of a round these are, `held` one for all
    that are alike."""
    spaces, boards = board_spaces(rules), boards_of(rules)
    low, high = (0, len(boards[first].cards)) if board is None else (board, board + 1)
    made, before = list[Space](), 0
    for r in range(first, len(boards)):
        one = spaces[r]
        if r > first:
            low, high = np.searchsorted(boards[r].parent, (low, high)).tolist()
        begin, end = one.first[low], one.first[high]
        above, share = one.above[begin:end] - before, one.share[begin:end]
        if r == first:
            above, share = np.arange(end - begin), np.ones(end - begin)
        mine = one._replace(size=one.size[begin:end], strength=one.strength[begin:end])
        first_hand, order = one.first[low : high + 1] - begin, one.order[begin:end] - begin
        of_hand = {"hand": np.arange(end - begin), "order": order}
        made.append(mine._replace(above=above, share=share, first=first_hand, **of_hand))
        hands.append(slice(int(begin), int(end)))
        some = [np.unique(row, return_index=True) for row in boards[r].classes[low:high]]
        alike = [number[classes >= 0] for classes, number in some]
        held.append([*zip(map(tuple, boards[r].cards[low:high].tolist()), alike, strict=True)])
        before = begin
    return made


def pair_part(rules: Any, board: tuple[int, ...], held: list[Holdings]) -> list[Space]:
    """Hands of two cards on a real board of Hold'em: the river, or the turn and then all rivers.
    `held` takes the hands."""
    r, cards, made = round_of(rules.public_cards, board), rules.deck.hands(2), list[Space]()
    rivers = [(*board, card) for card in range(rules.deck.size) if card not in board]
    for luck, boards in zip(chances(rules)[r:].tolist(), ([board], rivers), strict=False):
        holds = [np.flatnonzero(~np.isin(cards, one).any(axis=1)) for one in boards]
        number, first = np.concatenate(holds), np.cumsum([0, *map(len, holds)])
        strength, on_board = np.zeros((len(boards), len(cards)), np.int32), np.arange(len(boards))
        for one, out in zip(boards, strength, strict=True):
            if len(one) == sum(rules.public_cards):
                strengths(masks_of(one), out)
        strong = strength[np.repeat(on_board, np.diff(first)), number].astype(np.int64)
        order = np.lexsort((strong, np.repeat(on_board, np.diff(first))))
        each, ones = np.arange(len(number)), np.ones(len(number))
        above = np.searchsorted(held[-1][0][1], number) if made else each
        of_hand = first, each, ones, NOTHING, order, strong, luck, cards[number].astype(np.int64)
        made.append(Space(above, ones, NOWHERE, NOWHERE, *of_hand))
        held.append([*zip(boards, holds, strict=True)])
    return made


class Matrices:
    """How the buckets of some kinds meet, counted when first asked for."""

    def __init__(self, known: Any) -> None:
        self.known = known
        self.joint = [joint_buckets(one) for one in known]
        self.meets = [one.rounds(of) for one, of in zip(self.joint, known, strict=True)]

    def space(self, r: int, kinds: list[int]) -> Space:
        """Of a round that begins with the first of these kinds of buckets, of which there are
        equally many."""
        mine = self.known[kinds[0]]
        above = mine.parents(r) if r else np.zeros(mine.classes[0], np.int64)
        meets = np.array([self.meets[kind][r].T for kind in kinds])
        last = r == len(self.meets[0]) - 1
        wins = np.array([self.joint[kind].wins.T for kind in kinds]) if last else NOWHERE
        cards_of = NOBODY, NOBODY, NOTHING, NOTHING, NOBODY, NOBODY, 1.0
        return Space(above, np.ones(len(above)), meets, wins, *cards_of)
