"""Dominated choices: moves that are never right, whatever the other player does.

Everyday example: in poker, to fold the best possible hand. Against some opponents it costs nothing,
against none does it win anything. Waugh, Bard & Bowling (2009), Definition 6: a pure strategy of
player i is *dominated* if another strategy, pure or mixed, does at least as well against every
strategy of the opponent and strictly better against at least one.

There are far too many pure strategies to look at each, so what is computed here is the same notion
for single choices. A choice (I, a) is dominated if **every pure strategy that gets to I by its own
moves and then plays a is dominated**. Whoever makes such a choice with positive probability
mixes in dominated strategies. (The converse fails: choices that are each fine may be dominated
together, so the mass on dominated choices is a lower bound on that on dominated strategies.)

Exact: a pure strategy is undominated if and only if it is a best reply to some opponent who plays
every move with positive probability (Pearce 1984, Lemma 4). So (I, a) is undominated if and only if
some such opponent makes it part of a best reply, which linear programs find out: `Beliefs`.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> [f"{tree.infoset_label(int(tree.choice_infoset[c]))}: {tree.actions[c]}"
...     for c in np.flatnonzero(dominated_choices(tree))]
['J pb: b', 'K pb: p', 'K p: p', 'K b: p', 'J b: b']
>>> dominated_mass(Strategy.uniform(tree))
array([0.083, 0.25 ])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.kernels import kernel
from workbench.later import pd
from workbench.linear_programs import (
    InfeasibleError,
    need_two_players,
    payoff_matrix,
    plan_constraints,
    plan_of,
    scale_of,
    solve_program,
)
from workbench.passes import reach
from workbench.rules import GameError, label_of
from workbench.sequence_form import gradient
from workbench.strategy import Strategy, need_strategy, normalised
from workbench.tree import FloatArray, GameTree, IndexArray, frozen, kept, need_tree

Mask = NDArray[np.bool_]

DRAWS = 300  # random opponents before linear programs
SURE = 1e-7  # t below this is zero
INFEASIBLE = 2  # SciPy's word for: no such point


def dominated_choices(tree: GameTree, among: ArrayLike | None = None) -> Mask:
    """(K,) True for choices that no undominated strategy makes; found once for each tree.

    `among`: (K,) True for the choices to ask about, if not all; the others stay False. In a large
    game that saves most of the work.
    """
    if among is None:
        return _dominated(tree)
    asked = np.asarray(among)
    if asked.dtype != np.bool_ or asked.shape != (need_tree(tree).num_choices,):
        raise GameError(
            f"among must say True or False for each of the {tree.num_choices:,} choices of "
            f"{tree.name!r}, not {asked.dtype} of shape {asked.shape}"
        )
    hers = [asked[slice(r.start, r.stop)] for r in map(tree.choices_of, (0, 1))]
    parts = [Beliefs(tree, i).undominated(some) for i, some in enumerate(hers)]
    return np.asarray(asked & ~np.concatenate(parts))


@kept
def _dominated(tree: GameTree) -> Mask:
    return frozen(~np.concatenate([Beliefs(tree, player).undominated() for player in (0, 1)]))


def dominated_mass(sigma: Strategy) -> FloatArray:
    """(2,) how likely each player makes a dominated choice in one game of this profile."""
    tree = need_strategy(sigma).tree
    wrong, owner = dominated_choices(tree), tree.infoset_player[tree.choice_infoset]
    edge = np.flatnonzero(tree.choice >= 0)
    mass = np.zeros(2)
    for i in (0, 1):
        hers = wrong & (owner == i)
        clean = reach(tree, np.where(hers, 0.0, sigma.probs))  # (N,) without one so far
        first = edge[hers[tree.choice[edge]]]  # the edges on which she makes her first
        often = clean[tree.parent[first]] * tree.chance[first] * sigma.probs[tree.choice[first]]
        mass[i] = often.sum()
    return mass


def dominated_table(sigma: Strategy) -> pd.DataFrame:
    """Where: the dominated choices a profile makes, most frequent first.

    Columns: player (counted from 1), information set, action, probability (at that information
    set), frequency (how often per game it is made, when everybody plays the profile).
    """
    tree = need_strategy(sigma).tree
    often = np.zeros(tree.num_choices)
    edge = tree.choice >= 0
    np.add.at(often, tree.choice[edge], reach(tree, sigma.probs)[edge])
    made = np.flatnonzero(dominated_choices(tree) & (often > 0.0))
    made = made[np.argsort(-often[made], kind="stable")]
    at = tree.choice_infoset[made]
    return pd.DataFrame(
        {
            "player": tree.infoset_player[at].astype(int) + 1,
            "information set": [tree.infoset_label(int(infoset)) for infoset in at],
            "action": [label_of(tree.actions[c]) for c in made],
            "probability": sigma.probs[made],
            "frequency": often[made],
        }
    )


class Beliefs:
    """What one player may believe about the other: every move has positive probability, so that
    nothing is impossible, and she plays a best reply. Columns are her choices, the empty sequence
    last. That some such belief supports (I, a) asks for a plan y of his, and numbers q, with

        y ≥ t · (the uniform plan), t > 0
        E' q ≥ A y                 q[I] is at least what each of her choices at I is worth
        and exactly that           for (I, a), the choices before it, and one choice at each of her
                                   other information sets that may come after any of these

    all linear in y, q, t (E and A are those of `linear_programs`), once those choices are picked.
    (All of them: a q[J] that is too large beside the way to I makes the way look better than it
    is.) Instead of y the programs have what it is beyond t · (the uniform plan), which is at least
    0. Steps:

    1. Random opponents: whatever is in a best reply to one of them is supported.
    2. Without any pick, the largest t: if it is zero, nobody supports (I, a).
    3. With the picks that are best against the y of step 2: if t > 0, it is supported.
    4. All picks at once, by whole numbers (0 or 1 for each), and step 3 with what comes out.

    What follows an unsupported choice is unsupported with it.
    """

    def __init__(self, tree: GameTree, player: int) -> None:
        from scipy.sparse import csr_matrix, hstack

        self.form = form = need_two_players(tree, "dominated_choices")
        self.tree, self.player, self.hers = tree, player, tree.choices_of(player)
        f, e = plan_constraints(form, 1 - player), plan_constraints(form, player)
        self.uniform = plan_of(form, form.plan(Strategy.uniform(tree).probs), 1 - player)
        scale = scale_of(form)
        self.bound = scale * np.ptp(tree.utility[:, player]) if len(tree.utility) else 0.0
        self.y, self.q = f.shape[1], e.shape[0]  # variables: y − t · uniform, q, t
        payoff = scale * payoff_matrix(form, player)
        even, first = csr_matrix((payoff @ self.uniform)[:, None]), np.eye(f.shape[0], 1)
        self.behind = hstack([payoff, -e.T, even], "csr")  # A y − E' q
        self.plan = hstack([f, csr_matrix((f.shape[0], self.q)), csr_matrix(first)], "csr")
        above = tree.parent_choice[tree.choice_infoset[self.hers.start : self.hers.stop]]
        self.above = np.where(above >= 0, above - self.hers.start, -1)  # (columns,) -1: none

    def undominated(self, asked: Mask | None = None) -> Mask:
        """(her choices,) True where some belief supports the choice; if only some are asked about,
        the others are not looked into."""
        fine = np.zeros(len(self.hers), np.bool_)
        rng = np.random.default_rng(0)  # only how soon the answer is found depends on it
        for k in range(DRAWS):
            weights = rng.gamma(0.1 + k % 10, size=self.tree.num_choices) + 1e-6
            fine |= self._best_replies(self.form.plan(normalised(self.tree, weights).probs))
        for column in range(len(self.hers)) if asked is None else np.flatnonzero(asked):
            above = self.above[column]  # known to be right, unless it was not asked about
            if not fine[column] and (above < 0 or fine[above] or asked is not None):
                fine[column] = self._supported(int(column))
        return fine

    def _supported(self, column: int) -> bool:
        path = self._path(column)
        way, after = [len(self.hers), *path], self._after(path)
        t, y = self._largest(way)
        if t <= SURE or not after:
            return t > SURE
        x = np.zeros(self.form.num_sequences)
        theirs = self.tree.choices_of(1 - self.player)
        x[theirs.start : theirs.stop], x[len(self.form.owner) + 1 - self.player] = y[:-1], y[-1]
        best = self._best_replies(x, path)
        picked = [c for c in after if best[c]]
        if self._largest(way + picked)[0] > SURE:
            return True
        picked = self._pick(path, after)
        return bool(picked) and self._largest(way + picked)[0] > SURE

    def _path(self, column: int) -> list[int]:
        """The columns of a choice and of all that come before it."""
        path = [column]
        while self.above[path[-1]] >= 0:
            path.append(int(self.above[path[-1]]))
        return path

    def _after(self, path: Sequence[int]) -> list[int]:
        """The columns of her choices that may follow one of these, beside the path itself."""
        infoset = self.tree.choice_infoset[self.hers.start : self.hers.stop]
        on_path, follows = set(infoset[path].tolist()), np.zeros(len(self.hers), np.bool_)
        follows[path] = True
        after = []
        for c in range(len(self.hers)):
            if int(infoset[c]) not in on_path and self.above[c] >= 0 and follows[self.above[c]]:
                follows[c] = True
                after.append(c)
        return after

    def _largest(self, tight: Sequence[int]) -> tuple[float, FloatArray]:
        """The largest t when these columns are worth exactly q, and the opponent's plan."""
        from scipy.sparse import vstack

        width = self.y + self.q + 1
        try:
            answer, _ = solve_program(
                np.eye(1, width, width - 1)[0],
                at_most=self.behind.tocsc(),
                equal=vstack([self.plan, self.behind[list(tight)]], "csc"),
                low=np.r_[np.zeros(self.y), np.full(self.q, -np.inf), 0.0],
            )
        except InfeasibleError:  # right against nobody, mixed or not
            return 0.0, np.zeros(self.y)
        return float(answer[-1]), np.maximum(answer[: self.y], 0.0) + answer[-1] * self.uniform

    def _pick(self, path: Sequence[int], after: list[int]) -> list[int]:
        """The columns to be tight after those of the path, chosen together with the opponent."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import bmat, identity, vstack

        width, n, way = self.y + self.q + 1, len(after), [len(self.hers), *path]
        infoset = self.tree.choice_infoset[self.hers.start : self.hers.stop]
        groups = np.unique(infoset[after])
        # z picks a choice: then it is worth q. Reached infosets pick one: z[above] ≤ Σ z
        one = np.zeros((len(groups), n))
        first = np.zeros(len(groups))
        where = {c: k for k, c in enumerate(after)}
        for k, c in enumerate(after):
            row = int(np.searchsorted(groups, infoset[c]))
            one[row, k] = 1.0
            if self.above[c] in path:
                first[row] = 1.0
            else:
                one[row, where[int(self.above[c])]] = -1.0
        large = 2.0 * self.bound + 1.0
        blocks: list[list[Any]] = [
            [self.behind, None],  # ≤ 0
            [-self.behind[after], large * identity(n)],  # E' q − A y ≤ large (1 − z)
            [None, -one],
            [vstack([self.plan, self.behind[way]]), None],
        ]
        equal = np.r_[1.0, np.zeros(self.plan.shape[0] - 1 + len(way))]
        high = np.r_[np.zeros(self.behind.shape[0]), np.full(n, large), -first, equal]
        low = np.r_[np.full(len(high) - len(equal), -np.inf), equal]
        for presolve in (True, False):  # which may leave open whether anything is feasible
            answer = milp(
                -np.eye(1, width + n, width - 1)[0],
                integrality=np.r_[np.zeros(width), np.ones(n)],
                bounds=Bounds(
                    np.r_[np.zeros(self.y), np.full(self.q, -np.inf), np.zeros(1 + n)],
                    np.r_[np.full(width, np.inf), np.ones(n)],
                ),
                constraints=LinearConstraint(bmat(blocks, "csc"), low, high),
                options={"presolve": presolve},
            )
            if answer.status == INFEASIBLE:
                return []
            if answer.status == 0:
                break
        else:
            choice = self.hers.start + path[0]
            label = self.tree.infoset_label(int(infoset[path[0]]))
            raise GameError(
                f"whether {label_of(self.tree.actions[choice])!r} at '{label}' is dominated could "
                f"not be decided: {answer.message}"
            )
        return [c for c, z in zip(after, answer.x[width:], strict=True) if z > 0.5]

    def _best_replies(self, x: FloatArray, path: Sequence[int] = ()) -> Mask:
        """(her choices,) what best replies to the other's part of x may choose: from the beginning,
        or after the choices of a path."""
        form = self.form
        low, high = form.first_infoset[self.player : self.player + 2]
        g, made = np.zeros(len(x)), np.zeros(len(form.owner), np.bool_)
        gradient(form, 0, len(x), x, g)
        given = np.zeros(len(form.owner), np.bool_)
        given[[self.hers.start + column for column in path]] = True
        _best_replies(form.first_choice, form.above, low, high, g, given, not path, made)
        return made[self.hers.start : self.hers.stop]


@kernel
def _best_replies(
    first_choice: IndexArray, above: IndexArray, low: int, high: int, g: FloatArray,
    given: Mask, from_start: bool, made: Mask,
) -> None:  # fmt: skip
    """Mark what best replies choose; g: what each sequence wins by itself, infosets low .. high."""
    k = len(made)
    for infoset in range(high - 1, low - 1, -1):
        best = g[first_choice[infoset]]
        for c in range(first_choice[infoset], first_choice[infoset + 1]):
            best = max(best, g[c])
        g[above[infoset]] += best
    for infoset in range(low, high):
        s = above[infoset]
        if (s < k and (made[s] or given[s])) or (s >= k and from_start):
            best = g[first_choice[infoset]]
            for c in range(first_choice[infoset], first_choice[infoset + 1]):
                best = max(best, g[c])
            for c in range(first_choice[infoset], first_choice[infoset + 1]):
                made[c] = g[c] == best
