"""Bets of any size: which ones a player thinks of, and what she makes of all the others.

Everyday example: you have learnt what to do against a bet of the pot and against all-in. Now
somebody bets three quarters of the pot. You must take it for something you know: for the nearer one
(and whoever notices bets just below the border, at a bargain), or for either, by a toss of a coin.

`BetSizes(sizes, mapping)` is an abstraction like one of cards. `sizes` lists the bets of the small
game: "half pot", "pot", "all-in", other parts of the pot as numbers (a raise is measured after the
call), each as the nearest bet that the rules allow; or a function allowed(player, seen, action).
Fold and call are always there. `mapping` takes a bet x between two sizes A < B of the list, a check
or call being size 0, for A with probability f(A, B, x), else for B (Ganzfried & Sandholm 2013):

    nearest                 1 if x < (A + B) / 2, else 0
    geometric               1 if x < √(A B), else 0                     (Tartanian2)
    randomized geometric    A (B + x)(B - x) / ((B - A)(x² + A B))      (Tartanian4)
    pseudo-harmonic         (B - x)(1 + A) / ((B - A)(1 + x))

or one's own f(A, B, x). A bet above all sizes is taken for the largest.

**Lifting is exact.** Who maps plays from a *perceived* history g of the small game while the real
one is h. What she hears is mapped as above, all-in being all-in if it is listed; what she says in g
is played in h as the same part of the real pot, at the nearest legal bet, all-in as all-in. Where g
asks nothing of her (she thinks that the betting is over), she checks or calls. Each g that she may
have in mind at h has a weight: the mapping's probabilities on the way times those of her own moves
in g. By Kuhn's theorem the average of her moves with these weights is a strategy of the full game
that plays just like her, so that its exploitability is hers, not an estimate.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("no_limit_kuhn", stack=9))
>>> ab = wb.abstract(tree, BetSizes(["pot", "all-in"], mapping="nearest"))
>>> ab
Abstraction 'pot, all-in; nearest' of 'no_limit_kuhn(stack=9)': 540 -> 24 infosets, 516 uncovered
>>> sigma = ab.lift(wb.Strategy.uniform(ab.coarse))
>>> ab.coarse.actions_at(ab.coarse.find_infoset(("Q", "r3")))
('f', 'c', 'r9')
>>> sigma.at(("Q", "r5"))  # a bet of two pots is taken for one
{'f': 0.3333333333333333, 'c': 0.3333333333333333, 'r9': 0.3333333333333333}
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np

from workbench.abstraction.abstraction import Abstraction, AbstractionFunction, name_of
from workbench.rules import GameError, shown
from workbench.settings import known_in, need_function, need_number, need_several, unknown_name
from workbench.strategy import Strategy, normalised
from workbench.tree import CHANCE, FloatArray, GameTree, IntArray

NAMED = {"half pot": 0.5, "pot": 1.0, "all-in": inf}
MAPPINGS: dict[str, Callable[[float, float, float], float]] = {
    "nearest": lambda a, b, x: float(x < (a + b) / 2),
    "geometric": lambda a, b, x: float(x * x < a * b),
    "randomized geometric": lambda a, b, x: a * (b + x) * (b - x) / ((b - a) * (x * x + a * b)),
    "pseudo-harmonic": lambda a, b, x: (b - x) * (1 + a) / ((b - a) * (1 + x)),
}

Sizes = tuple[float, ...]  # of the actions at an infoset: -1 fold, 0 call, else part of the pot
Moves = list[tuple[int, int, float]]  # a real action, what it is in mind (-1: nothing), probability


@dataclass(frozen=True)
class BetSizes:
    """The bets of the small game and the mapping of all others; see the module's first lines.

    >>> BetSizes(["half pot", 2, "all-in"], mapping="geometric")
    BetSizes(sizes=('half pot', 2, 'all-in'), mapping='geometric')
    """

    sizes: Any  # names and numbers, or a function allowed(player, seen, action)
    mapping: Any = "pseudo-harmonic"  # a name, or a function f(A, B, x)

    def __post_init__(self) -> None:
        if callable(self.sizes):
            need_function("sizes", self.sizes, "player, seen, action")
        else:
            given = [self.sizes] if isinstance(self.sizes, str | int | float) else self.sizes
            several = need_several("sizes", given, "'pot', 'all-in', numbers or other bets")
            object.__setattr__(self, "sizes", tuple(several))
            for size in self.sizes:
                if isinstance(size, str) and size not in NAMED:
                    raise unknown_name("size of a bet", size, NAMED)
                if not isinstance(size, str) and need_number("a bet, in pots,", size, 0) == 0:
                    raise GameError("a bet of size 0 is a check or call, which is always allowed")
        if callable(self.mapping):
            need_function("mapping", self.mapping, "A, B, x")
        elif not known_in(self.mapping, MAPPINGS):
            raise unknown_name("mapping", self.mapping, MAPPINGS)

    @property
    def name(self) -> str:
        sizes = (self.sizes,) if callable(self.sizes) else self.sizes
        said = [name_of(size) if callable(size) else f"{size}" for size in sizes]
        return f"{', '.join(said) or 'no bets'}; {name_of(self.mapping)}"

    def for_tree(self, tree: GameTree) -> AbstractionFunction:
        """The rule that leaves out all other bets."""
        rules = _with_bets(tree)

        def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Any, list[Any]]:
            sizes = rules.bet_sizes(seen, actions)
            listed = {c for c, size in enumerate(sizes) if size <= 0}
            if callable(self.sizes):
                answers = [ask_own("sizes", self.sizes, player, seen, one) for one in actions]
                listed |= {c for c, answer in enumerate(answers) if answer}
            else:
                listed |= {_nearest(sizes, NAMED.get(size, size)) for size in self.sizes}
            return seen, [one if c in listed else None for c, one in enumerate(actions)]

        return rule

    def completed(self, built: Abstraction) -> BetAbstraction:
        """The abstraction that lifts by the mapping."""
        tree, at = built.full, built.full.infoset >= 0
        width, choices = np.diff(tree.first_child)[at], np.diff(tree.first_choice)
        if not np.array_equal(width, choices[tree.infoset[at]]):
            raise GameError(f"in {tree.name!r} some actions are merged already; map bets first")
        return BetAbstraction(**vars(built), bets=self)

    def hear(self, real: Sizes, listed: Sizes, largest: float) -> Moves:
        """What each action of another player is taken for, a fold that is not listed for nothing;
        `largest` is all-in in mind."""
        known = {-1.0: -1} | {size: thought for thought, size in enumerate(listed)}
        moves: Moves = []
        for action, bet in enumerate(real):
            all_in = 0 < bet == max(real) and largest in known
            x = largest if all_in else min(bet, max(known))
            low, high = max(s for s in known if s <= x), min(s for s in known if s >= x)
            part = 1.0 if low == high else self._share(low, high, x)
            both = ((low, part), (high, 1.0 - part))
            moves += [(action, known[size], p) for size, p in both if p > 0]
        return moves

    def _share(self, low: float, high: float, x: float) -> float:
        if callable(self.mapping):
            whose = f"mapping: {name_of(self.mapping)}({low:g}, {high:g}, {x:g})"
            return need_number(whose, ask_own("mapping", self.mapping, low, high, x), 0, 1)
        return float(min(max(MAPPINGS[self.mapping](low, high, x), 0.0), 1.0))


def ask_own(what: str, function: Callable[..., Any], *given: Any) -> Any:
    """What somebody's own function answers; what it raises is said with its name."""
    try:
        return function(*given)
    except Exception as error:
        called = f"{name_of(function)}({', '.join(map(shown, given))})"
        raise GameError(f"{what}: {called} raises {type(error).__name__}: {error}") from error


def say(real: Sizes, listed: Sizes, largest: float) -> Moves:
    """How each action in mind is played: as large a part of the real pot, all-in as all-in."""
    wanted = [inf if size == largest > 0 else size for size in listed]
    played = [_nearest(real, size) if size else real.index(0.0) for size in wanted]
    return [(action, thought, 1.0) for thought, action in enumerate(played)]


def _nearest(sizes: Sizes, wanted: float) -> int:
    """The legal bet that is nearest to a part of the pot, the smaller of two; a fold if that is
    wanted. Where there is no such thing, a call."""
    same_kind = [size for size in sizes if (size > 0) == (wanted > 0) and size]
    if wanted == inf:
        return sizes.index(max(same_kind, default=0.0))
    return sizes.index(min(same_kind, key=lambda size: (abs(size - wanted), size), default=0.0))


def _with_bets(tree: GameTree) -> Any:
    """The rules of a game whose bets have sizes."""
    if not hasattr(tree.origin, "bet_sizes"):
        raise GameError(
            f"{tree.name!r} has no bets of different sizes: its rules have no method "
            "bet_sizes(seen, actions); no_limit_leduc and no_limit_kuhn have one"
        )
    return tree.origin


class Walk(NamedTuple):
    """Pairs of a real history and one in a player's mind, in the order of the real depth."""

    above: IntArray  # (W,) the pair before, of which this one is a child
    real: IntArray  # (W,) her real choice on the way into the pair, -1 if it was not her move
    thought: IntArray  # (W,) her choice in mind, -1 if she had none
    heard: FloatArray  # (W,) the mapping's probability of this pair after the one before
    levels: tuple[slice, ...]


@dataclass(frozen=True, eq=False, repr=False)
class BetAbstraction(Abstraction):
    """An abstraction that lifts to the strategy of a player who maps bets."""

    bets: BetSizes

    def lift(self, coarse: Strategy) -> Strategy:
        """The strategy of the full game in which everybody plays this one and maps the bets that it
        does not know. Where her own moves never lead, she goes on as if they had."""
        super().lift(coarse)  # refuses a strategy of another game
        full = self.full
        sums = np.zeros((2, full.num_choices))
        for walk in self.walks:
            own = np.append(coarse.probs, 1.0)[walk.thought]  # (W,) -1 is the 1 at the end
            weight = np.ones((2, len(own)))  # with and without her own moves before
            for level in walk.levels:
                weight[:, level] = weight[:, walk.above[level]] * walk.heard[level]
                weight[0, level] *= own[level]
            hers = walk.real >= 0
            weight[1] *= own
            for total, played in zip(sums, weight, strict=True):
                total += np.bincount(walk.real[hers], played[hers], full.num_choices)
        reached = np.add.reduceat(sums[0], full.first_choice[:-1]) > 0
        return normalised(full, np.where(reached[full.choice_infoset], sums[0], sums[1]))

    @property
    def lifts(self) -> str:
        """A hash of how it lifts: runs that map otherwise are other runs."""
        walked = [part.tobytes() for walk in self.walks for part in walk[:-1]]
        return hashlib.sha256(b"".join(walked)).hexdigest()

    @cached_property
    def walks(self) -> tuple[Walk, ...]:
        """For each player, all that she may have in mind."""
        return tuple(self._walk(player) for player in range(self.full.num_players))

    @cached_property
    def _kinds(self) -> tuple[tuple[IntArray, list[Any]], tuple[IntArray, list[Any]]]:
        """The sizes at each infoset, of the full and of the coarse game; different lists once."""
        full, rules, first = self.full, _with_bets(self.full), self.full.first_choice
        real: list[Sizes] = []
        mind: list[tuple[Sizes, float]] = [((), 0.0)] * self.coarse.num_infosets
        for infoset, (seen, coarse) in enumerate(zip(full.seen, self.infoset_map, strict=True)):
            sizes = tuple(map(float, rules.bet_sizes(seen, full.actions_at(infoset))))
            real.append(sizes)
            if coarse >= 0:
                there = self.choice_map[first[infoset] : first[infoset + 1]] >= 0
                mind[coarse] = tuple(compress(sizes, there)), max(sizes)
        return _numbered(real), _numbered(mind)

    def _walk(self, player: int) -> Walk:
        """Go down the full game with what `player` has in mind."""
        full, coarse = self.full, self.coarse
        needed, none = _leads_to(full, player), np.full(1, -1, np.int32)
        parts: list[tuple[Any, ...]] = [(none, none, none, np.ones(1))]
        starts, pair, h, g = [0, 1], *np.zeros((3, 1), np.int64)  # a pair of histories: h, g
        while len(h):
            tables, which = self._moves(h, g, player)
            sizes, flat = np.array([*map(len, tables)]), np.array([*chain.from_iterable(tables)])
            up = np.repeat(np.arange(len(h)), sizes[which])  # a copy of the pair for each move
            skipped = np.cumsum(sizes)[which] - np.cumsum(sizes[which])
            action, thought, heard = flat[np.arange(len(up)) + skipped[up]].T
            below = full.first_child[h[up]] + action.astype(np.int64)
            inner = coarse.first_child[g[up]] + thought.astype(np.int64)
            mind, hers = np.where(thought >= 0, inner, g[up]), full.player[h[up]] == player
            kept = needed[below] | hers
            real = np.where(hers, full.choice[below], -1)
            chosen = np.where(hers & (thought >= 0), coarse.choice[mind], -1)
            parts.append((pair[up][kept], real[kept], chosen[kept], heard[kept]))
            number, on = starts[-1] + np.cumsum(kept) - 1, needed[below]
            starts.append(starts[-1] + int(kept.sum()))
            pair, h, g = number[on], below[on], mind[on]
        above, real, chosen, heard = map(np.concatenate, zip(*parts, strict=True))
        return Walk(above, real, chosen, heard, tuple(slice(*two) for two in pairwise(starts[1:])))

    def _moves(self, h: Any, g: Any, player: int) -> tuple[list[Moves], Any]:
        """What may happen at pairs of histories: a list of tables, and which one at each pair."""
        full, coarse = self.full, self.coarse
        (of_real, real), (of_mind, mind) = self._kinds
        who = full.player[h]
        luck, follows = who == CHANCE, coarse.player[g] == who
        role = np.where(luck, 0, np.where(who == player, 1, 2))
        there = np.where(luck, np.diff(full.first_child)[h], of_real[full.infoset[h]])
        here = np.where(follows, np.where(luck, 0, of_mind[coarse.infoset[g]]), -1)
        rows, which = np.unique([role, there, here], axis=1, return_inverse=True)
        tables: list[Moves] = []
        for kind, one, other in rows.T.tolist():
            if kind == 0:
                tables.append([(c, c if other >= 0 else -1, 1.0) for c in range(one)])
            elif other >= 0:
                tables.append((say if kind == 1 else self.bets.hear)(real[one], *mind[other]))
            else:  # she has lost the thread: she calls, and hears nothing
                calls = (real[one].index(0.0),) if kind == 1 else range(len(real[one]))
                tables.append([(c, -1, 1.0) for c in calls])
        return tables, which.reshape(-1)


def _numbered(things: list[Any]) -> tuple[IntArray, list[Any]]:
    """Which of the different things each one is, and these."""
    number = {thing: k for k, thing in enumerate(dict.fromkeys(things))}
    return np.array([number[thing] for thing in things], np.int32), [*number]


def _leads_to(tree: GameTree, player: int) -> Any:
    """(N,) the histories on the way to the first one of each infoset of a player: as she knows
    no more there than anywhere else in it, that one will do."""
    mine = np.flatnonzero(tree.player == player)
    needed = np.zeros(tree.num_histories, bool)
    needed[mine[np.unique(tree.infoset[mine], return_index=True)[1]]] = True
    for low, high in reversed(list(pairwise(tree.level_start[1:]))):
        needed[tree.parent[low:high][needed[low:high]]] = True
    return needed
