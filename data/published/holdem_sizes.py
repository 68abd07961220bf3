"""How large limit Hold'em is, and how large the tables are that look its hands up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

import numpy as np

from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.cards.board_sets import MOVED, ORDERS, PAIRS, board_sets, unpacked
from workbench.poker.cards.boards import holdings

PREFLOP, FLOP, TURN = range(3)
SMALL_LARGE, LARGER = (8, 32), 2.53  # k in 20x8 and in 20x32; how much larger, as printed
GS3 = (20, 800, 4_800, 28_800)  # its buckets, round by round
NO_ORDER = "cards that come together have no order"
BYTES = {3: 8, 4: 8, 5: 2}  # of a hand on a board of so many cards: two sums, or one


def hand_classes(cards: int) -> int:
    """How many hands on boards of so many cards there are up to the names of suits.

    Renamings that keep a board form a group, and there are as many classes as, on average over the
    group, a renaming leaves hands where they are (Burnside).

    >>> hand_classes(3)
    1286792
    """
    boards = board_sets(cards)
    masks, free = unpacked(boards.code), boards.free()
    stays, total = np.arange(PAIRS) == MOVED, 0  # (24, 1326)
    for equal in product((False, True), repeat=3):  # masks are sorted: equal ones side by side
        some = ((masks[:, 1:] == masks[:, :-1]) == equal).all(axis=1)
        part = np.cumsum([0, *(not same for same in equal)])
        group = [k for k, order in enumerate(ORDERS) if (part[list(order)] == part).all()]
        total += int((free[some] @ stays[group].sum(axis=0)).sum()) // len(group)
    return total


@dataclass
class Sizes:
    """The real game for two."""

    effort: Effort

    def __post_init__(self) -> None:
        rules: Any = load_game("limit_holdem")
        self.game = rules.public_game()

    def counted(self, nodes: Callable[[Any, bool], int]) -> int:
        """Nodes of the tree, by those of a round of betting and whether it is the last; two cards,
        and the three of a flop, come in no order."""
        rules, left, deals, total = self.game.rules, 48, comb(52, 2) * comb(50, 2), 0
        betting = rules.betting
        for new, one, starts in zip(
            rules.public_cards, betting.rounds, betting.starts, strict=True
        ):
            deals *= comb(left, new)
            left -= new
            total += deals * starts * nodes(one, one is betting.rounds[-1])
        return total

    def states(self) -> Ours:
        dealt = {"if every order of the cards counts": self.game.num_histories}
        return Ours(self.counted(lambda one, _: len(one.text)), note=NO_ORDER, facts=dealt)

    def leaves(self) -> Ours:
        """Ends of the tree: folds in all rounds, and showdowns."""

        def ends(one: Any, last: bool) -> int:
            return int(np.isin(one.kind, (FOLD, END) if last else (FOLD,)).sum())

        return Ours(self.counted(ends), note=NO_ORDER)

    def larger(self) -> Ours:
        """20x32 over 20x8 as `waugh-2009-holdem` reads them, and in every other reading we tried.

        A reading has in each round 20^a · k^b buckets, a and b at most the rounds of board cards so
        far, or 20 + k; before the flop 20, k or 169.
        """
        nodes = [
            starts * np.count_nonzero(one.kind < FOLD)
            for one, starts in zip(
                self.game.rules.betting.rounds, self.game.rules.betting.starts, strict=True
            )
        ]
        rounds = [_readings(board) for board in range(4)]
        found = {
            names: sum(n * at[name][1] for n, at, name in zip(nodes, rounds, names, strict=True))
            / sum(n * at[name][0] for n, at, name in zip(nodes, rounds, names, strict=True))
            for names in product(*rounds)
        }
        ours = found["20", "k", "k", "k"]
        near = min(found, key=lambda names: abs(found[names] - LARGER))
        return Ours(
            ours,
            note="as 20 buckets before the flop and k = 8 or 32 in each later round; 2.53 asks for "
            "about half of the sets of 20x8 to grow fourfold and the others to stay",
            facts={
                "readings tried": len(found),
                "that agree": sum(abs(x - LARGER) <= 0.005 for x in found.values()),
                "nearest": found[near],
                "its buckets by round": " / ".join(near),
            },
        )

    def lp_of_gs3(self) -> Ours:
        """Payoffs of the linear program: one for each pair of buckets at each end of the betting,
        folds in all rounds and showdowns in the last."""
        betting = self.game.rules.betting
        ends = [one.kind == FOLD for one in betting.rounds[:-1]]
        ends.append(np.isin(betting.rounds[-1].kind, (FOLD, END)))
        rounds = zip(betting.starts, ends, GS3, strict=True)
        payoffs = sum(starts * int(at.sum()) * size**2 for starts, at, size in rounds)
        note = "four bytes for each payoff, if any two buckets can meet; with eight twice as much"
        return Ours(4e-12 * payoffs, note=note, facts={"payoffs": payoffs})

    def hands(self, round: int) -> int:
        """A player's two cards with the board, suits told apart."""
        return int(holdings(self.game.rules)[round])

    def flops(self) -> Ours:
        note = "ours are counted up to the names of suits; `gameshrink` refuses Hold'em"
        return Ours(hand_classes(3), note=note)

    def db5(self) -> Ours:
        return Ours(self.hands(FLOP), facts=_table(3), note="one entry for each pair and flop")

    def handval(self) -> Ours:
        """Ours has no such table: strengths are computed, and only what they add up to is kept."""
        return Ours(
            comb(52, 7), facts=_table(5),
            note="one entry for each seven cards; we keep what a hand wins on each board instead",
        )  # fmt: skip

    def db223(self) -> Ours:
        both = comb(52, 2) * comb(50, 2) // 2
        return Ours(both * comb(48, 3), note="one entry for two pairs and a flop")


def _readings(board: int) -> dict[str, tuple[int, int]]:
    """Name -> buckets of 20x8 and of 20x32 in the round after so many deals of board cards."""
    if not board:
        return {"20": (20, 20), "k": SMALL_LARGE, "169": (169, 169)}
    few, many = SMALL_LARGE
    ways = {
        " ".join(["20"] * a + ["k"] * b): (20**a * few**b, 20**a * many**b)
        for a, b in product(range(board + 1), repeat=2)
        if a + b
    }
    return ways | {"20 + k": (20 + few, 20 + many)}


def _table(board: int) -> dict[str, float]:
    """The size of our table for boards of so many cards."""
    boards = len(board_sets(board).code)
    entries = boards * PAIRS
    return {
        "boards up to suits": boards, "entries of ours": entries,
        "megabytes of ours": round(entries * BYTES[board] / 1e6, 1),
    }  # fmt: skip


ENTRIES = {
    "sandholm-2009-holdem-sizes": Entry(
        """Sandholm (2009), GS2, Gibson & Szafron (2011), Section 4, and Waugh, Bard & Bowling
        (2009), Sections 1 and 4.2: how many states, hands and information sets limit Hold'em for
        two has, and the tables that look hands up.

        The talk indexes its tables by cards in colexicographic order, each suit for itself. Ours
        index the board up to the names of suits and then the pair, which takes a tenth of the
        entries: 19 MB on the flop, and 357 MB for all boards of five.
        """,
        Sizes,
        {
            "states": Sizes.states,
            "leaves": Sizes.leaves,
            "20x32 over 20x8": Sizes.larger,
            "GS3's model as a linear program": Sizes.lp_of_gs3,
            "information sets": lambda work: work.game.num_infosets,
            "hands before the flop": (Sizes.hands, PREFLOP),
            "different hands before the flop": lambda work: hand_classes(0),
            "hands on the flop": (Sizes.hands, FLOP),
            "different hands on the flop": Sizes.flops,
            "hands on the turn": (Sizes.hands, TURN),
            "entries of db5": Sizes.db5,
            "entries of db223": Sizes.db223,
            "entries of handval": Sizes.handval,
        },
        lambda work: {"game": work.game.name, **NO_SEEDS},
    )
}
