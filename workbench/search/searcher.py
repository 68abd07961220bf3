"""A searcher: it carries a blueprint and solves the rest of the game again, before it answers.

Everyday example: you know a chess opening by heart. When the opponent leaves the book, or when few
pieces are left, you stop and calculate. How far (`depth`), what you think of the position where
you stop (`leaves`), and whether you trust the other player to have come here as the book says
(`safe`), decides how well you play.

At each own decision where it thinks, the searcher builds the game from this public state on
(`subgame`), with beliefs by Bayes' rule from the strategies so far, solves it, and from now on both
players are believed to play what came out: the next thought starts there.

    depth=None      to the end of the game; there is nothing left to think about below
    depth=2         two moves ahead (chance not counted), then again at the next own decision. In a
                    card game without a tree depth counts rounds: to the end of the next one
    leaves          what the cut-off rest is worth:
        "blueprint"     what it is worth if both play the blueprint on
        "biased"        the other player chooses: the blueprint, or with five times as much weight
                        on one kind of action (Brown, Sandholm & Amos 2018)
        {name: σ, …}    ... or among these strategies
        "all"           she chooses anything, and only my part is the blueprint's (on a tree)
    safe=False      she came as the strategies so far say (Gilpin & Sandholm 2006)
    safe=True       she may decline with each hand, and wins what a best response to what I would
                    have played wins with it: to the end, my new play gives no hand more (Burch
                    et al. 2014); cut off, it may, because values at leaves are guesses
    listed          the actions that the blueprint was made for, f(player, seen, action), or the
                    abstraction it was solved in. After another one the searcher thinks at once,
                    and the floor of a hand is what her best *listed* action would have won
                    (Brown & Sandholm 2017)
    when            the round from which on it thinks; None: only after unlisted actions; or a
                    function f(player, seen, actions)

The answer depends on what a player has seen and on nothing else, so `strategy()` can write down all
answers: a strategy of the full game, whose exploitability is exact. Two players, zero sum.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from pkgutil import resolve_name
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.abstraction.abstraction import Abstraction
from workbench.abstraction.bets import ask_own
from workbench.evaluation.values import best_response, seated
from workbench.linear_programs import need_zero_sum
from workbench.passes import history_values, how_often, luck, others_reach, rounds
from workbench.rules import GameError, label_of, shown
from workbench.search.public import Histories, below, knowledge, states, timed
from workbench.search.subgame import Mask, subgame
from workbench.search.thought import Thought, different_parts
from workbench.settings import Between, check, need_function, need_number, need_one_of, need_whole
from workbench.solvers.base import Solver, average, find_solver, iterate
from workbench.stitching.joining import trembling
from workbench.strategy import Strategy, need_strategy, normalised
from workbench.tree import CHANCE, FloatArray, GameTree, ask_each, need_players

TREMBLE, TINY, BIAS = 1e-6, 1e-12, 5.0

When = int | None | Callable[[int, Any, tuple[Any, ...]], bool]


@dataclass(frozen=True, eq=False)
class Searcher:
    """A policy that thinks; see help('workbench.search.searcher').

    >>> import workbench as wb
    >>> leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
    >>> blueprint = wb.solve(leduc, "cfr+", 100).strategy
    >>> searcher = Searcher(blueprint, when=1)
    >>> [round(p, 2) for p in searcher.probabilities(1, ("Q", "K", "crc/r"), ("f", "c", "r"))]
    [0.49, 0.51, 0.0]
    >>> searcher.thought.table().round(1)
      hand  belief  f wins  c wins  r wins
    0    K     0.7    -3.0    -7.0   -11.0
    1    Q     0.2    -3.0     0.0     7.0
    2    J     0.1    -3.0     7.0     7.0
    """

    blueprint: Any  # a Strategy, or a strategy of a card game without a tree
    _: KW_ONLY
    depth: Annotated[int | None, Between(1)] = None
    when: When = 0
    safe: bool = True
    leaves: str | Mapping[str, Strategy] = "biased"
    listed: Callable[[int, Any, Any], bool] | Abstraction | None = None
    solver: Solver | str = "cfr+"
    iterations: Annotated[int, Between(1)] = 300
    seconds: Annotated[float | None, Between(0.001)] = None  # for a thought that takes longer
    tremble: float = TREMBLE

    def __post_init__(self) -> None:
        check(self)
        need_number("tremble", self.tremble, below=1.0)
        find_solver(self.solver)
        if not (isinstance(self.leaves, Mapping) and self.leaves):
            need_one_of("leaves", self.leaves, ("blueprint", "biased", "all"))
        if not (self.listed is None or isinstance(self.listed, Abstraction)):
            need_function("listed", self.listed, "player, seen, action")
        self._mind  # noqa: B018  # refuses what it cannot think about

    @cached_property
    def _mind(self) -> Any:
        """Who thinks: whom a strategy names, or who knows trees and refuses all else."""
        return resolve_name(getattr(self.blueprint, "thinks", "") or f"{__name__}:_Mind")(self)

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        """How likely each action is; what it thought is then in `thought`."""
        began = time.monotonic()
        found, self._mind.thought = self._mind.answer(player, seen, actions)
        self._mind.seconds = time.monotonic() - began
        return [*map(float, found)]

    @property
    def thought(self) -> Thought:
        """What it considered before its last answer."""
        if self._mind.thought is None:
            raise GameError("nobody has asked this searcher yet: searcher.probabilities(…) first")
        found: Thought = self._mind.thought(self._mind.seconds)
        return found

    def strategy(self) -> Any:
        """The strategy of the full game that it plays, all answers written down."""
        return self._mind.strategy()


class _Mind:
    """The game of a searcher, and a memory for each seat."""

    thought: Callable[[float], Thought] | None = None  # of the last answer

    def __init__(self, how: Searcher) -> None:
        if not isinstance(how.blueprint, Strategy):
            raise GameError(
                "a Searcher needs a blueprint of a game that it can walk: a Strategy of a compiled "
                "game, or the run.strategy of rhode_island or limit_holdem; not "
                f"{shown(how.blueprint)}"
            )
        tree = how.blueprint.tree
        need_zero_sum(tree, "a Searcher")
        if not tree.perfect_recall:
            raise GameError(f"players of {tree.name!r} forget; lift the blueprint to the full game")
        self.how, self.full = how, tree
        self.game, self.number, _ = timed(tree)
        game = self.game
        self.state = states(game)
        self.order = np.argsort(self.state, kind="stable")
        self.first = np.searchsorted(self.state[self.order], np.arange(self.state.max() + 2))
        self.know = [knowledge(game, player) for player in (0, 1)]
        self.luck, self.listed, self.wanted = luck(game), self._listed(), self._wanted()
        _, first = np.unique(game.infoset, return_index=True)
        self.somewhere = first[-game.num_infosets :].tolist()  # (M,) a history of each infoset
        self.blueprint = self.of_full(how.blueprint)
        self.plans = self._plans()
        waits = (game.player == CHANCE) & (np.diff(game.first_child) == 1)
        moved = (waits | (game.player >= 0))[game.parent]  # somebody has just moved, or waited
        self.move = how_often(game, moved & (game.parent >= 0))
        self.seats = [_Seat(self, player) for player in (0, 1)]

    def of_full(self, strategy: Strategy) -> FloatArray:
        """(K,) a strategy of the full game, as the timed game numbers choices."""
        probs = np.empty(self.game.num_choices)
        probs[self.number] = need_strategy(strategy, self.full).probs
        return probs

    def _listed(self) -> Mask:
        """(K,) which choices the blueprint was made for."""
        said, found = self.how.listed, np.ones(self.game.num_choices, np.bool_)
        if isinstance(said, Abstraction):
            found[self.number] = said.choice_map >= 0
        elif said is not None:
            asked = partial(ask_own, "listed", said)
            sets = ask_each(self.game, lambda i, seen, acts: [asked(i, seen, a) for a in acts])
            found = np.array([bool(one) for *_, answers in sets for one in answers])
        return found

    def _wanted(self) -> Mask:
        """(N,) where it thinks, whatever was done before."""
        when, game, deciding = self.how.when, self.game, self.game.player >= 0
        if callable(when):
            need_function("when", when, "player, seen, actions")
            sets = ask_each(game, partial(ask_own, "when", when))
            wanted: Mask = np.array([bool(answer) for *_, answer in sets])
            return deciding & wanted[game.infoset]
        round_ = rounds(game)
        if when is not None:
            need_whole("when, a round,", when, 0, int(round_[deciding].max(initial=0)))
        return deciding & (round_ >= (np.inf if when is None else when))

    def roots(self, state: int) -> Histories:
        """The histories of a public state."""
        return np.sort(self.order[self.first[state] : self.first[state + 1]])

    def _plans(self) -> dict[str, FloatArray]:
        """How the other player may go on where a thought ends, by name."""
        given, game = self.how.leaves, self.game
        if isinstance(given, Mapping):
            return {name: self.of_full(strategy) for name, strategy in given.items()}
        plans = {"blueprint": self.blueprint}
        kinds = np.array([label_of(action)[:1] for action in game.actions])
        for kind in dict.fromkeys(kinds) if given == "biased" else ():
            much = self.blueprint * np.where(kinds == kind, BIAS, 1.0)
            plans[f"more {kind}"] = normalised(game, much).probs
        return plans

    @cached_property
    def leaves(self) -> list[FloatArray]:
        """For each seat: (N, m) what the *other* player wins from a history on with each of her
        continuations, against the blueprint."""
        game, values = self.game, []
        for seat in (0, 1):  # hers, and mine from the blueprint
            hers = game.infoset_player[game.choice_infoset] != seat
            both = [np.where(hers, plan, self.blueprint) for plan in self.plans.values()]
            values.append(np.stack([history_values(game, one)[:, 1 - seat] for one in both], 1))
        return values

    def answer(self, player: int, seen: Any, actions: Sequence[Any]) -> tuple[Any, Any]:
        (player,) = need_players(self.game, (player,))
        game, seat = self.game, self.seats[player]
        infoset = game.find_infoset(seen, player)
        known = game.actions_at(infoset)
        if {*actions} != {*known}:
            raise GameError(
                f"at {game.infoset_label(infoset)!r} the actions are {', '.join(map(str, known))}; "
                f"not {', '.join(map(str, actions))}"
            )
        probs = seat.ask(infoset)
        return [probs[known.index(one)] for one in actions], partial(seat.thought, infoset)

    def strategy(self) -> Strategy:
        return seated([Strategy(self.full, seat.unroll()[self.number]) for seat in self.seats])


class _Thought(NamedTuple):
    """What came out of one public state."""

    choices: NDArray[np.integer]  # which both play anew ...
    probs: FloatArray  # ... how
    roots: Histories
    entered: FloatArray | float  # (R,) how often the other player came in; nan: she had to
    complete: bool  # nothing is left to think about behind it


class _Seat:
    """What one player has thought: at each public state, knowing what she thought on the way."""

    def __init__(self, mind: _Mind, player: int) -> None:
        self.mind, self.player, self.other = mind, player, 1 - player
        self.known: dict[int, _Thought | None] = {}  # by public state; None: nothing to think about
        self._forget()

    def _forget(self) -> None:
        """Back to the beginning of the game: the blueprint."""
        game = self.mind.game
        self.way: tuple[int, ...] = ()  # the public states behind her
        self.plan = self.mind.blueprint.copy()  # (K,) what both are believed to play
        self.searched = np.zeros(game.num_choices, np.bool_)  # (K,)
        self.complete = False  # it has thought to the end
        self.entered = np.full(game.num_histories, np.nan)  # (N,) she came in that often

    def ask(self, infoset: int) -> FloatArray:
        """(A,) what she plays at an information set of hers."""
        self._go(self._way(self.mind.somewhere[infoset]))
        return self.plan[slice(*self.mind.game.first_choice[infoset : infoset + 2])]

    def unroll(self) -> FloatArray:
        """(K,) what she plays everywhere."""
        game, found = self.mind.game, self.mind.blueprint.copy()
        sets = game.infosets_of(self.player)
        for _, infoset in sorted((self._way(self.mind.somewhere[i]), i) for i in sets):
            found[slice(*game.first_choice[infoset : infoset + 2])] = self.ask(infoset)
        return found

    def _way(self, history: int) -> tuple[int, ...]:
        """The public states on the way to a history, its own last."""
        found = []
        while history >= 0:
            found.append(int(self.mind.state[history]))
            history = int(self.mind.game.parent[history])
        return tuple(found[::-1])

    def _go(self, way: tuple[int, ...]) -> None:
        """Think on the way through some public states. Thoughts elsewhere do not count, so that an
        answer depends on nothing but the way; those that were made before are remembered."""
        if way[: len(self.way)] != self.way:
            self._forget()
        for state in way[len(self.way) :]:
            if state not in self.known:
                self.known[state] = self._visit(state)
            if (one := self.known[state]) is not None:
                self._remember(one)
            self.way = (*self.way, state)  # at last: whoever is interrupted does it again

    def _remember(self, one: _Thought) -> None:
        self.plan[one.choices] = one.probs
        self.searched[one.choices] = True
        self.entered[one.roots] = one.entered
        self.complete |= one.complete

    def _visit(self, state: int) -> _Thought | None:
        """Think, if this is a state to think in."""
        roots, game = self.mind.roots(state), self.mind.game
        into, mine = game.choice[roots], roots[game.player[roots] == self.player]
        hers = (into >= 0) & (game.player[game.parent[roots]] == self.other)
        strange = bool(hers.all() and not self.listed[into].any())  # she has just surprised me
        if len(mine) and not self.complete and (strange or self.mind.wanted[mine].any()):
            return self._think(roots, strange)
        return None

    @property
    def listed(self) -> Mask:
        """(K,) the choices that have been thought of: by the blueprint, or on the way."""
        return self.mind.listed | self.searched

    def _reach(self, player: int, histories: Histories) -> FloatArray:
        """(R,) how likely a player makes all her moves to some histories, with trembles; where she
        never does, all are equally likely."""
        game, often = self.mind.game, self.mind.how.tremble
        probs = trembling(Strategy(game, self.plan), often).probs
        found = others_reach(game, probs, 1 - player)[histories] / self.mind.luck[histories]
        return np.ones(len(found)) if found.max() <= TINY else found

    def _think(self, roots: Histories, strange: bool) -> _Thought:
        """Solve the game from a public state on; both play the answer from now on."""
        mind, how, game = self.mind, self.mind.how, self.mind.game
        weight = mind.luck[roots] * self._reach(self.player, roots)
        options: dict[str, Any] = {}
        if how.safe:
            options["floor"] = self._floor(roots, weight, strange)
        else:
            weight = weight * self._reach(self.other, roots)
        if (closed := self._cut(roots, how.depth or game.num_histories)).any():
            options["closed"] = closed
            if how.leaves == "all":
                options["held"] = mind.blueprint
            else:
                options |= {"leaves": mind.leaves[self.player], "names": tuple(mind.plans)}
        rest = subgame(game, roots, weight, self.other, mind.know[self.other], **options)
        found = _solved(rest.tree, how).probs
        entered = found[rest.tree.choice[rest.place]] if how.safe else np.nan
        inside = below(game, roots, closed)
        deciding = inside[(game.infoset[inside] >= 0) & ~closed[inside]]
        here = np.flatnonzero(np.isin(game.choice_infoset, game.infoset[deciding]))
        return _Thought(here, found[rest.choice[here]], roots, entered, not closed[inside].any())

    def _cut(self, roots: Histories, depth: int) -> Mask:
        """(N,) where the tree is cut off: all of a public state, or nothing of it."""
        mind = self.mind
        inside = below(mind.game, roots, np.zeros(mind.game.num_histories, np.bool_))
        far = inside[mind.move[inside] >= mind.move[roots].min() + depth]
        far = far[mind.game.terminal[far] < 0]
        closed = np.zeros(mind.game.num_histories, np.bool_)
        closed[inside] = np.isin(mind.state[inside], mind.state[far])
        return closed

    def _floor(self, roots: Histories, weight: FloatArray, strange: bool) -> FloatArray:
        """(R,) what the other player's hand wins at best against what I would have played: from
        here on, or by a listed action instead of the one that led here."""
        game, know = self.mind.game, self.mind.know[self.other]
        start = roots
        if strange:
            start = np.unique(game.parent[roots])
            weight = self.mind.luck[start] * self._reach(self.player, start)
        hers = (game.choice >= 0) & (game.player[game.parent] == self.other)
        barred = hers & ~self.listed[game.choice]  # I shall think again there
        worst = np.full((game.num_histories, 1), -10.0 * (1.0 + game.largest_payoff))
        rest = subgame(game, start, weight, self.other, know, closed=barred, leaves=worst)
        probs = np.empty(rest.tree.num_choices)
        probs[rest.choice[rest.choice >= 0]] = self.plan[rest.choice >= 0]
        best = best_response(Strategy(rest.tree, probs), self.other).strategy
        wins = history_values(rest.tree, best.probs)[rest.place, self.other]
        hands, which = np.unique(know[start], return_inverse=True)
        often = np.bincount(which, weight, len(hands))
        mean = np.bincount(which, weight * wins, len(hands)) / np.where(often > 0.0, often, 1.0)
        before = np.searchsorted(hands, know[game.parent[roots] if strange else roots])
        return np.asarray(mean[before])

    # ---- what it considered --------------------------------------------------------------

    def thought(self, infoset: int, seconds: float) -> Thought:
        mind, game = self.mind, self.mind.game
        self.ask(infoset)  # somebody may have asked something else since
        here = np.flatnonzero(game.infoset == infoset)
        low, high = game.first_choice[infoset : infoset + 2]
        often = mind.luck[here] * self._came(here)
        values = history_values(game, self.plan)[:, self.player]
        each = game.first_child[here][:, None] + np.arange(high - low)
        know = mind.know[self.other][here]
        hands, first, which = np.unique(know, return_index=True, return_inverse=True)
        belief = np.bincount(which, often, len(hands))
        wins = np.stack([np.bincount(which, often * won, len(hands)) for won in values[each].T], 1)
        alone = np.where(belief > 0.0, belief, 1.0)
        return Thought(
            self.player, game.seen[infoset], game.actions_at(infoset), self.plan[low:high].copy(),
            different_parts([self._hand(int(here[k])) for k in first]), belief / belief.sum(),
            wins / alone[:, None], bool(self.searched[low]), seconds,
        )  # fmt: skip

    def _came(self, histories: Histories) -> FloatArray:
        """(R,) how likely the other player comes to some histories: as in the game that was solved,
        where she may have stayed away, or else as the strategies so far say."""
        game, found = self.mind.game, np.ones(len(histories))
        for k, h in enumerate(histories.tolist()):
            while h > 0 and np.isnan(self.entered[h]):
                above = int(game.parent[h])
                found[k] *= self.plan[game.choice[h]] if game.player[above] == self.other else 1.0
                h = above
            found[k] *= np.nan_to_num(self.entered[h], nan=1.0)
        return self._reach(self.other, histories) if found.max() <= TINY else found

    def _hand(self, history: int) -> Any:
        """What the other player had seen when she acted last, or will have seen when she acts."""
        game, h = self.mind.game, history
        last = game.last_choice(self.other)[history]
        if last >= 0:
            return game.seen[game.choice_infoset[last]]
        while game.player[h] != self.other and game.first_child[h] < game.first_child[h + 1]:
            h = int(game.first_child[h])
        return game.seen[game.infoset[h]] if game.player[h] == self.other else ""


def _solved(tree: GameTree, how: Searcher) -> Strategy:
    """The answer of a solver after so many iterations or seconds; `lp` needs none."""
    until = time.monotonic() + (how.seconds or np.inf)
    every = how.iterations if how.seconds is None else min(10, how.iterations)
    for state in iterate(tree, how.solver, every=every):
        if state.iteration >= how.iterations or time.monotonic() > until:
            break
    return average(tree, state)
