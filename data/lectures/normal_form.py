"""The normal form: the whole game as one table of pure strategies, and why nobody builds it.

Everyday example: before a game of chess you write down what you will do in every position that
could come up, hand the book to a friend and go home. The book is a *pure strategy*. Once both
players have handed in a book, the outcome is decided, so the game is a table with a row for each
book of one player and a column for each of the other. It is an honest table, but there are very
many books:

>>> import workbench as wb
>>> kuhn = wb.compile_game(wb.load_game("kuhn"))
>>> count_pure_strategies(kuhn), count_pure_strategies(kuhn, reduced=False)
((27, 64), (64, 64))
>>> form = normal_form(kuhn)
>>> form
NormalForm of 'kuhn': 27 × 64 pure strategies, reduced
>>> found = form.solve()
>>> round(found.value * 18, 9)
-1.0
>>> form.to_nfg()[:58]
'NFG 1 R "kuhn" { "player 1" "player 2" }\\n{ { "pppppp" "ppp'

A *reduced* pure strategy says nothing about situations that its own earlier moves rule out; plans
that differ only there have the same row. With perfect recall the reduced ones are counted from the
last information set to the first: below a choice all information sets are planned (a product), at
an information set one choice is made (a sum). A player who forgets plans for everything.

A *mixed* strategy draws a plan before the game, a *behavioural* one tosses a coin at every
information set. Kuhn's theorem (1953): with perfect recall each mixed strategy has a behavioural
one that leads to every end of the game equally often, whatever the others do,

    σ(I, a)  =  P(plan reaches I by its own moves and plays a) / P(plan reaches I by its own moves)

and `behavioural` computes it. Without perfect recall it may not (`forgetful`, in data/games):

>>> wb.expected_values(form.behavioural(found.mixtures))[0].round(4)
np.float64(-0.0556)
>>> forgetful = normal_form(wb.compile_game(wb.load_game("forgetful")))
>>> same = forgetful.solve()
>>> round(same.value, 6), wb.expected_values(forgetful.behavioural(same.mixtures))[0].round(6)
(0.0, np.float64(-0.5))
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.lab.formats.gambit import fraction, head, labels, written
from workbench.later import pd
from workbench.linear_programs import solve_program
from workbench.passes import luck, reach
from workbench.rules import GameError, label_of
from workbench.settings import need_bool, need_whole
from workbench.strategy import Strategy, normalised
from workbench.tree import FloatArray, GameTree, need_players, need_tree

MOST = 1_000_000  # entries of the table
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Solved:
    """An equilibrium of a two-player zero-sum table."""

    value: float  # to the first player
    mixtures: tuple[FloatArray, FloatArray]  # how likely each plan is


@dataclass(frozen=True, eq=False, repr=False)
class NormalForm:
    """A game as one table: a row for each pure strategy of player 1, a column for each of player 2.

    `wb.theory.normal_form(tree)` builds it; `plan(player, number)` reads one strategy, `solve()`
    finds an equilibrium in mixed strategies.
    """

    tree: GameTree
    plans: tuple[Mask, ...]  # for each player (n_i, K): the choices that each plan makes
    payoffs: FloatArray  # (n_1, …, n_P, P): what each player wins

    def __repr__(self) -> str:
        kind = "reduced" if self.tree.perfect_recall else "not reduced: a player forgets"
        sizes = " × ".join(f"{len(plans):,}" for plans in self.plans)
        return f"NormalForm of {self.tree.name!r}: {sizes} pure strategies, {kind}"

    def names(self, player: int) -> list[str]:
        """Each plan in short: its actions in the order of the information sets, "-" for none."""
        (i,) = need_players(self.tree, (player,))
        infosets = self.tree.infosets_of(i)
        short = all(len(label_of(action)) == 1 for action in self.tree.actions)
        return [
            ("" if short else " ").join(self._said(plan, infoset) for infoset in infosets)
            for plan in self.plans[i]
        ]

    def plan(self, player: int, number: int) -> dict[str, str]:
        """One plan in full: information set -> action."""
        (i,) = need_players(self.tree, (player,))
        made = np.flatnonzero(self.plans[i][number])
        return {
            self.tree.infoset_label(int(self.tree.choice_infoset[c])): label_of(
                self.tree.actions[c]
            )
            for c in made
        }

    def table(self) -> pd.DataFrame:
        """The first player's payoffs, for two players: her plans by his."""
        self._need_two("table")
        return pd.DataFrame(self.payoffs[..., 0], index=self.names(0), columns=self.names(1))

    def to_nfg(self, path: str | Path | None = None) -> str:
        """The table as Gambit reads it (.nfg), in exact fractions; the first player's plan changes
        first. It is also written to `path` if one is given."""
        players = range(len(self.plans))
        plans = " ".join(f"{{ {' '.join(labels(self.names(i)))} }}" for i in players)
        cells = self.payoffs.transpose(*reversed(players), len(players)).ravel()
        payoffs = " ".join(str(fraction(one)) for one in cells.tolist())
        return written(f"NFG 1 R {head(self.tree)}", f"{{ {plans} }}", '""', "", payoffs, path=path)

    def solve(self) -> Solved:
        """The equilibrium of a zero-sum table by linear programming.

        Maximise v so that v ≤ Σ_r x_r A[r, c] for every column c, x a probability distribution; the
        multipliers of the inequalities are the other player's mixture.
        """
        from scipy.sparse import csr_matrix, hstack

        self._need_two("solve")
        if not self.tree.zero_sum:
            raise GameError(f"solve is for zero-sum games; {self.tree.name!r} is not zero-sum")
        worth = self.payoffs[..., 0]
        rows, columns = worth.shape
        x, y = solve_program(
            np.eye(1, rows + 1, rows)[0],
            at_most=hstack([csr_matrix(-worth.T), csr_matrix(np.ones((columns, 1)))]),
            equal=csr_matrix(np.ones((1, rows))),
            low=np.r_[np.zeros(rows), -np.inf],
        )
        first, second = np.maximum(x[:rows], 0.0), np.maximum(y, 0.0)
        return Solved(float(x[rows]), (first / first.sum(), second / second.sum()))

    def dominated(self, player: int) -> Mask:
        """(n,) the dominated plans (Waugh, Bard & Bowling 2009, Definition 6): some mixture of the
        others is never worse, whatever everybody else plays, and better at least once.

        For each plan r, maximise Σ_c (x' A − A[r])[c] over the mixtures x with x' A ≥ A[r].
        """
        from scipy.sparse import csr_matrix

        (i,) = need_players(self.tree, (player,))
        worth = np.moveaxis(self.payoffs[..., i], i, 0).reshape(len(self.plans[i]), -1)
        scale = np.abs(worth).max(initial=0.0) or 1.0
        found = np.zeros(len(worth), np.bool_)
        for r, row in enumerate(worth):
            lead = (worth - row) / scale
            x, _ = solve_program(
                lead.sum(axis=1),
                at_most=csr_matrix(-lead.T),
                equal=csr_matrix(np.ones((1, len(worth)))),
                low=np.zeros(len(worth)),
            )
            found[r] = x @ lead.sum(axis=1) > 1e-7
        return found

    def behavioural(self, mixtures: Sequence[ArrayLike]) -> Strategy:
        """A coin at every information set instead of one before the game (Kuhn's theorem).

        `mixtures`: for each player how likely each plan is. Equivalent with perfect recall; without
        it the coins are tossed anew, and what the plan had coordinated is lost.
        """
        tree, weights = self.tree, np.zeros(self.tree.num_choices)
        for i, given in enumerate(self._distributions(mixtures)):
            if tree.perfect_recall:  # a reduced plan plays only where it comes
                weights += given @ self.plans[i]
            else:
                weights += given @ (self.plans[i] & self._comes_to(i)[:, tree.choice_infoset])
        return normalised(tree, weights)

    def _comes_to(self, player: int) -> Mask:
        """(n, M) whether a plan's own moves lead to some history of an information set."""
        tree = self.tree
        there = np.zeros((len(self.plans[player]), tree.num_infosets), np.bool_)
        open_ = _open(tree, player, self.plans[player])
        for history in np.flatnonzero(tree.infoset >= 0):
            there[:, tree.infoset[history]] |= open_[:, history]
        return there

    def _distributions(self, mixtures: Sequence[ArrayLike]) -> Iterator[FloatArray]:
        if len(mixtures) != len(self.plans):
            raise GameError(
                f"behavioural needs one mixture for each of {len(self.plans)} players, "
                f"not {len(mixtures)}"
            )
        for i, (mixture, plans) in enumerate(zip(mixtures, self.plans, strict=True), 1):
            weights = np.asarray(mixture, float)
            if weights.shape != (len(plans),):
                raise GameError(
                    f"player {i} has {len(plans):,} plans; her mixture has shape {weights.shape}"
                )
            if not np.all(weights >= 0) or abs(weights.sum() - 1) > 1e-9:
                raise GameError(f"player {i}'s mixture is no probability distribution")
            yield weights

    def _said(self, plan: Mask, infoset: int) -> str:
        low, high = self.tree.first_choice[infoset : infoset + 2]
        made = np.flatnonzero(plan[low:high])
        return label_of(self.tree.actions[low + made[0]]) if len(made) else "-"

    def _need_two(self, what: str) -> None:
        if len(self.plans) != 2:
            raise GameError(
                f"{what} is for two players; {self.tree.name!r} is for {len(self.plans)}"
            )


def count_pure_strategies(tree: GameTree, *, reduced: bool = True) -> tuple[int, ...]:
    """How many pure strategies each player has; exact, however many there are.

    Not reduced, or if a player forgets: one choice at every information set.
    """
    need_bool("reduced", reduced)
    return tuple(_count(tree, i, reduced) for i in range(need_tree(tree).num_players))


def normal_form(tree: GameTree, *, most: int = MOST) -> NormalForm:
    """The table of a game with at most `most` entries; a larger one is counted and refused."""
    need_whole("most", most)
    sizes = count_pure_strategies(tree)
    if prod(sizes) > most or max(sizes) * tree.num_histories > 100 * MOST:
        raise GameError(
            f"{tree.name!r} has {' × '.join(map(_number, sizes))} pure strategies, a table of "
            f"{_number(prod(sizes))} entries; at most {_number(most)} are built. Its sequence form "
            f"has {tree.num_choices:,} choices: wb.solve(tree, 'lp') needs no table"
        )
    plans, ends = [], []
    for i, size in enumerate(sizes):
        made = np.zeros((size, tree.num_choices), np.bool_)
        for number, choices in enumerate(_plans(tree, i)):
            made[number, list(choices)] = True
        made.flags.writeable = False
        plans.append(made)
        ends.append(_open(tree, i, made)[:, tree.terminal >= 0].astype(float))  # (n_i, Z)
    lucky = luck(tree)[tree.terminal >= 0]
    utility = tree.utility[tree.terminal[tree.terminal >= 0]]
    payoffs = np.empty((*sizes, tree.num_players))
    for rest in np.ndindex(sizes[2:]):  # the plans of players 3, 4, …
        weight = lucky * prod((ends[i][a] for i, a in enumerate(rest, 2)), start=np.float64(1))
        for p in range(tree.num_players):
            first = ends[0] * (weight * utility[:, p])
            payoffs[(slice(None),) * min(2, len(sizes)) + (*rest, p)] = (
                first @ ends[1].T if len(sizes) > 1 else first.sum(axis=1)
            )
    payoffs.flags.writeable = False
    return NormalForm(tree, tuple(plans), payoffs)


def _choices(tree: GameTree, infoset: int) -> range:
    return range(*map(int, tree.first_choice[infoset : infoset + 2]))


def _count(tree: GameTree, player: int, reduced: bool) -> int:
    hers = tree.infosets_of(player)
    if not (reduced and tree.perfect_recall):
        return prod(len(_choices(tree, infoset)) for infoset in hers)
    ways: defaultdict[int, int] = defaultdict(lambda: 1)  # choice -> plans for all that follows it
    for infoset in reversed(hers):
        ways[int(tree.parent_choice[infoset])] *= sum(ways[c] for c in _choices(tree, infoset))
    return ways[-1]


def _plans(tree: GameTree, player: int) -> Iterator[tuple[int, ...]]:
    """The choices of each plan."""
    hers = tree.infosets_of(player)
    if not tree.perfect_recall:
        yield from product(*[_choices(tree, infoset) for infoset in hers])
        return
    below = defaultdict(list)  # choice -> the information sets that follow at once
    for infoset in hers:
        below[int(tree.parent_choice[infoset])].append(infoset)

    def after(choice: int) -> Iterator[tuple[int, ...]]:
        each = [
            [(c, *more) for c in _choices(tree, infoset) for more in after(c)]
            for infoset in below[choice]
        ]
        for one in product(*each):
            yield tuple(c for part in one for c in part)

    yield from after(-1)


def _open(tree: GameTree, player: int, plans: Mask) -> Mask:
    """(n, N) whether a plan's own moves let the game come to a history."""
    open_ = np.empty((len(plans), tree.num_histories), np.bool_)
    probs, hers = np.ones(tree.num_choices), tree.choices_of(player)
    for plan, line in zip(plans, open_, strict=True):
        probs[hers.start : hers.stop] = plan[hers.start : hers.stop]
        line[:] = reach(tree, probs) > 0
    return open_


def _number(number: int) -> str:
    if number < 10**15:
        return f"{number:,}"
    digits, power = f"{Decimal(number):.1e}".split("e+")
    return f"{digits}·10^{power}"
