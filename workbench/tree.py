"""A game as flat arrays: every history once, in breadth-first order.

The symbol table of the whole package (sizes in brackets stand beside every array):

    h   history     (N,)   a sequence of moves; history 0 is the empty one, the root
    z   terminal    (Z,)   a history where the game is over
    i   player      (P,)   0, 1, ...; chance is -1; nobody (the game is over) is -2
    I   infoset     (M,)   histories its player cannot tell apart
    c   choice      (K,)   one action at one infoset, written (I, a) in the papers
    σ   probs       (K,)   a strategy profile: one probability per choice
    π   reach       (N,)   how likely a history is reached
    u   utility     (Z,P)  what each player wins
    R   regret      (K,)   how much better a choice would have been
    t   iteration          counted from 1

The children of a history stand next to each other, and a parent stands before its
children, so a loop forwards over the arrays goes down the tree and a loop backwards
goes up. Infosets are numbered player by player, each player's in order of first
appearance: an infoset stands before all that can follow it, and what belongs to one
player is one range.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> tree
GameTree 'kuhn': 2 players, 58 histories, 12 infosets, 24 choices
>>> tree.infoset_label(3), tree.history_label(31)
('J pb', 'Q J p b')
"""

from __future__ import annotations

import hashlib
import json
import pickle
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, wraps
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.rules import GameError, Rules, label_of, rules_in, shown
from workbench.settings import as_tuple, need_whole

IntArray = NDArray[np.int32]
IndexArray = NDArray[np.uint32]  # never negative: kernels need not ask, which is 1.5 × as fast
FloatArray = NDArray[np.float64]

CHANCE = -1
NOBODY = -2

Answer = TypeVar("Answer")
Array = TypeVar("Array", bound=NDArray[Any])


def frozen(array: Array) -> Array:
    """The array, which nobody writes to any more."""
    array.flags.writeable = False
    return array


class Game(ABC):
    """A game as solvers, runs, stores and judges see it, whatever it is made of.

    Every algorithm of the workbench is a local rule at an information set and three passes over the
    game: down (how likely is it that a player plays to here), gradient (what is every choice worth
    against the others), up (what follows from that: she learns, the mean, the best). A game has one
    of three forms, and each fuses the passes into kernels of its own:

        tree form     `GameTree`: histories in arrays (`passes.py`), and under perfect recall one
                      sparse list of payoffs (`sequence_form.py`)
        card form     one tree of betting, and at each of its nodes what players tell apart: hands
                      on boards, or buckets that meet by a matrix (`Form`; `poker/` has it)
        rules form    no arrays at all: walks by the rules (`sample_rules`, `play_match`)

    Passes that learn are `advance`; those that judge belong to a strategy (`strategy.Profile`).
    Each of these names is asked for; a `Form` says them in its class or when it is made.
    """

    name: str
    num_players: int
    num_infosets: Any  # where somebody decides and is not held to a strategy
    num_choices: Any  # the length of a state's arrays
    num_histories: Any  # of the tree, if anybody builds it
    perfect_recall: Any
    zero_sum: Any
    largest_payoff: Any  # what tolerances in the unit of the payoffs are a part of
    judged: Any  # whether an exact best response takes seconds; else `gains` refuses
    fingerprint: Any  # a hash of the game itself: equal for equal games, whatever their name
    checksum: Any  # a quick look at the same, never 0
    rules: Any
    derived_from: Any  # the game of which this is an abstraction or a part
    saved_as: Any = "strategy"  # what files call its strategies

    def same_as(self, other: Any) -> bool:
        """Whether this is the same game, perhaps made another time."""
        return self is other or bool(self.fingerprint == other.fingerprint)

    @property
    @abstractmethod
    def offers(self) -> tuple[str, ...]:
        """Whom `advance` serves: "passes" the CFR family, "smoothing" first-order methods, "deals"
        external sampling, "tree" all others."""

    @abstractmethod
    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        """The state of a solver after so many more iterations."""


@dataclass(frozen=True, eq=False, repr=False)
class GameTree(Game):
    """An immutable game tree; see the module's first lines for the letters."""

    name: str
    num_players: int
    parent: IntArray  # (N,)    history before h, -1 at the root
    first_child: IntArray  # (N+1,)  children of h: first_child[h] .. first_child[h+1]
    player: NDArray[np.int8]  # (N,)    who acts at h
    infoset: IntArray  # (N,)    I(h), -1 where nobody decides
    choice: IntArray  # (N,)    the choice that leads into h, -1 below chance
    chance: FloatArray  # (N,)    weight of the edge into h: chance, 1/m if merged, else 1
    terminal: IntArray  # (N,)    row of utility, -1 elsewhere
    utility: FloatArray  # (Z, P)
    first_choice: IntArray  # (M+1,)  choices of I: first_choice[I] .. first_choice[I+1]
    infoset_player: NDArray[np.int8]  # (M,)
    outcome: IntArray  # (N,)    row of outcomes below chance, -1 elsewhere
    seen: tuple[Hashable, ...]  # (M,)    what the rules say the player knows at I
    actions: tuple[Hashable, ...]  # (K,)    what the rules call a choice
    outcomes: tuple[Hashable, ...]  # what the rules call chance's outcomes
    rules: Rules | None = None  # what players see and do here is said by these rules
    derived_from: GameTree | None = None

    judged = True
    offers = ("passes", "smoothing", "deals", "tree")

    def __post_init__(self) -> None:
        for value in self._arrays():
            frozen(value)

    def _arrays(self) -> list[NDArray[Any]]:
        """The arrays it is made of, in order, without those derived from them later."""
        values = [getattr(self, name) for name in self.__dataclass_fields__]
        return [value for value in values if isinstance(value, np.ndarray)]

    @property
    def origin(self) -> Rules | None:
        """The rules of the game it comes from, through however many abstractions."""
        tree = self
        while tree.rules is None and tree.derived_from is not None:
            tree = tree.derived_from
        return tree.rules

    # ---- sizes -----------------------------------------------------------------------

    @property
    def num_histories(self) -> int:
        return len(self.parent)

    @property
    def num_terminals(self) -> int:
        return len(self.utility)

    @property
    def num_infosets(self) -> int:
        return len(self.infoset_player)

    @property
    def num_choices(self) -> int:
        return int(self.first_choice[-1])

    @property
    def nbytes(self) -> int:
        """Bytes in the arrays (names not counted)."""
        return sum(array.nbytes for array in self._arrays())

    def infosets_of(self, player: int) -> range:
        """The infosets of one player: one range, earlier ones first."""
        return range(*self.first_infoset[player : player + 2].tolist())

    def choices_of(self, player: int) -> range:
        """The choices of one player: one range."""
        infosets = self.infosets_of(player)
        return range(int(self.first_choice[infosets.start]), int(self.first_choice[infosets.stop]))

    # ---- names -----------------------------------------------------------------------

    def actions_at(self, infoset: int) -> tuple[Hashable, ...]:
        """The actions of an infoset, in the order of its choices."""
        need_whole("infoset", infoset, 0, self.num_infosets - 1)
        return self.actions[self.first_choice[infoset] : self.first_choice[infoset + 1]]

    @cached_property
    def infoset_of(self) -> dict[tuple[int, Hashable], int]:
        """By player and what she has seen, as the rules gave it."""
        sets = zip(self.infoset_player.tolist(), self.seen, strict=True)
        return {one: infoset for infoset, one in enumerate(sets)}

    def find_infoset(self, seen: Hashable, player: int | None = None) -> int:
        """The infoset where somebody has seen exactly this; a label will do if it is unique."""
        players = need_players(self, range(self.num_players) if player is None else (player,))
        known = self.infoset_of
        try:
            matches = [known[i, seen] for i in players if (i, seen) in known]
        except TypeError:
            raise GameError(f"what a player has seen is a text or a tuple, not {seen!r}") from None
        if not matches:
            labels = ((k, label_of(what)) for (i, what), k in known.items() if i in players)
            matches = [infoset for infoset, label in labels if label == seen]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise GameError(
                f"{len(matches)} information sets of {self.name!r} have seen {seen!r}; "
                + ("say which player" if player is None else "give seen as the rules do")
            )
        raise GameError(
            f"no information set of {self.name!r} has seen {seen!r}; "
            "a strategy's table() lists them all"
        )

    def infoset_label(self, infoset: int) -> str:
        need_whole("infoset", infoset, 0, self.num_infosets - 1)
        return label_of(self.seen[infoset])

    def edge_label(self, history: int) -> str:
        """The move that leads into a history."""
        if history == 0:
            return ""
        if self.choice[history] >= 0:
            return label_of(self.actions[self.choice[history]])
        row = self.outcome[history]
        return label_of(self.outcomes[row]) if row >= 0 else "?"

    def history_label(self, history: int) -> str:
        """All moves up to a history, as a person would write them."""
        moves = []
        while history > 0:
            moves.append(self.edge_label(history))
            history = int(self.parent[history])
        return " ".join(reversed(moves)) or "the start"

    def __repr__(self) -> str:
        return (
            f"GameTree {self.name!r}: {self.num_players} players, "
            f"{self.num_histories:,} histories, "
            f"{self.num_infosets:,} infosets, {self.num_choices:,} choices"
        )

    # ---- derived ---------------------------------------------------------------------

    @cached_property
    def first_infoset(self) -> NDArray[np.int64]:
        """(P+1,) infosets of player i: first_infoset[i] .. first_infoset[i+1]."""
        return frozen(np.searchsorted(self.infoset_player, np.arange(self.num_players + 1)))

    @cached_property
    def choice_infoset(self) -> IndexArray:
        """(K,) the infoset of each choice."""
        infosets = np.arange(self.num_infosets, dtype=np.uint32)
        return frozen(np.repeat(infosets, np.diff(self.first_choice)))

    @cached_property
    def level_start(self) -> IntArray:
        """(D+1,) histories of depth d: level_start[d] .. level_start[d+1]."""
        starts = [0, 1]
        while starts[-1] < self.num_histories:
            starts.append(int(self.first_child[starts[-1]]))
        return frozen(np.array(starts, np.int32))

    def levels(self) -> Iterator[slice]:
        """The histories of depth 1, 2, …: whoever goes through them goes down the tree."""
        for low, high in zip(self.level_start[1:-1], self.level_start[2:], strict=True):
            yield slice(low, high)

    def last_choice(self, player: int) -> IntArray:
        """(N,) the latest choice of `player` on the way to h, -1 if she has not moved yet."""
        last = np.full(self.num_histories, -1, np.int32)
        for level in self.levels():
            above = self.parent[level]
            last[level] = np.where(self.player[above] == player, self.choice[level], last[above])
        return last

    @cached_property
    def _recall(self) -> tuple[bool, IntArray]:
        parent_choice = np.full(self.num_infosets, -1, np.int32)
        perfect = True
        for i in range(self.num_players):
            mine = np.flatnonzero(self.player == i)
            last = self.last_choice(i)[mine]
            parent_choice[self.infoset[mine[::-1]]] = last[::-1]
            perfect = perfect and bool(np.all(parent_choice[self.infoset[mine]] == last))
        return perfect, frozen(parent_choice)

    @property
    def perfect_recall(self) -> bool:
        """True if no player ever forgets what she knew or did.

        Enough to check: all histories of an infoset agree on their player's last choice.
        """
        return self._recall[0]

    @property
    def parent_choice(self) -> IntArray:
        """(M,) the choice its player made last before I, -1 if none (perfect recall only)."""
        return self._recall[1]

    @cached_property
    def zero_sum(self) -> bool:
        """True if wherever the game ends the payoffs sum to 0, but for the rounding of their own
        digits: a large payoff elsewhere excuses nothing."""
        large = np.abs(self.utility).max(axis=1, initial=0.0)
        return bool(np.all(np.abs(self.utility.sum(axis=1)) <= 1e-13 * large))

    @property
    def largest_payoff(self) -> float:
        return float(np.abs(self.utility).max(initial=0.0))

    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        return solver.advance(self, state, iterations)

    @cached_property
    def checksum(self) -> int:
        """Of the numbers alone: enough to tell that a game has changed."""
        found = 0
        for value in self._arrays():
            found = zlib.crc32(np.ascontiguousarray(value).data.cast("B"), found)
        return found or 1

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.sha256(f"{self.num_players}".encode())
        for value in self._arrays():
            if value is not self.outcome:
                digest.update(str((value.dtype.str, value.shape)).encode())
                digest.update(value.tobytes())
        for names in (self.seen, self.actions):
            text = "\0".join(map(label_of, names))
            if " at 0x" in text:  # the default repr of an object: another one in each process
                raise GameError(
                    f"what players see or do in {self.name!r} has no lasting name; "
                    "use plain values (strings, numbers, tuples) or give its class a __repr__"
                )
            digest.update(text.encode())
        return digest.hexdigest()[:32]

    # ---- as plain data ---------------------------------------------------------------

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays, for a file; its names must be text, numbers and tuples of them."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        del values["rules"], values["derived_from"]
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        names = {name: value for name, value in values.items() if name not in arrays}
        text = json.dumps(names, ensure_ascii=False)
        return {**arrays, "names": np.frombuffer(text.encode(), np.uint8)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], rules: Rules | None) -> GameTree:
        """The tree that `to_arrays` took apart, of these rules."""
        names = _read_names(arrays["names"].tobytes().decode())
        fields: dict[str, Any] = {**arrays, **names, "rules": rules, "derived_from": None}
        return cls(**{name: fields[name] for name in cls.__dataclass_fields__})

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields: what is derived from them is made again. Rules that cannot be
        pickled, or not be read where the tree arrives, are left behind."""
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        try:
            return state | {"rules": pickle.dumps(self.rules)}
        except Exception:  # whatever somebody's own rules raise
            return state | {"rules": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rules = None
        with suppress(Exception):
            rules = pickle.loads(state.get("rules") or b"")
        self.__dict__.update({"derived_from": None} | state | {"rules": rules})
        self.__post_init__()

    def __deepcopy__(self, memo: object = None) -> GameTree:
        """Nobody changes a tree: it is its own copy."""
        return self

    __copy__ = __deepcopy__


def assemble(
    *,
    parent: IntArray,
    player: NDArray[np.int8],
    infoset: IntArray,
    choice: IntArray,
    first_choice: IntArray,
    seen: Sequence[Hashable],
    actions: Sequence[Hashable],
    **fields: Any,
) -> tuple[GameTree, IntArray]:
    """From arrays in breadth-first order to a tree: checked, numbered canonically, frozen. Whoever
    makes a tree ends here: the compiler, and abstractions, which rename and drop parts of another.

    Infosets may come in any numbering; those without a history are dropped. Returns the tree and
    `(old K,)` the new number of each old choice, -1 if its infoset was dropped.
    """
    n, old_m = len(parent), len(seen)
    decisions = np.flatnonzero(infoset >= 0)
    used, first_at = np.unique(infoset[decisions], return_index=True)
    owner = player[decisions[first_at]]
    strangers = np.flatnonzero(player[decisions] != _placed(used, owner, old_m)[infoset[decisions]])
    if len(strangers):
        bad = int(infoset[decisions[strangers[0]]])
        raise GameError(
            f"infoset {bad} ({label_of(seen[bad])}) of {fields['name']!r} belongs to two players; "
            "histories in one information set must have the same player"
        )
    order = np.lexsort((first_at, owner))
    new_infoset = _placed(used[order], np.arange(len(used), dtype=np.int32), old_m)

    sizes = np.diff(first_choice)[used[order]]
    new_first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    new_choice = np.full(int(first_choice[-1]), -1, np.int32)
    kept = np.repeat(first_choice[used[order]] - new_first[:-1], sizes)
    kept += np.arange(len(kept), dtype=np.int32)
    new_choice[kept] = np.arange(len(kept), dtype=np.int32)

    counts = np.bincount(parent[1:], minlength=n) if n > 1 else np.zeros(n, np.int64)
    first_child = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.int32)
    tree = GameTree(
        parent=parent,
        first_child=first_child,
        player=player,
        infoset=np.where(infoset >= 0, new_infoset[infoset], -1).astype(np.int32),
        choice=np.where(choice >= 0, new_choice[choice], -1).astype(np.int32)
        if len(new_choice)
        else choice,
        first_choice=new_first,
        infoset_player=owner[order].astype(np.int8),
        seen=tuple(seen[i] for i in used[order]),
        actions=tuple(actions[c] for c in kept),
        **fields,
    )
    return tree, new_choice


def derived(tree: GameTree, **changes: Any) -> tuple[GameTree, IntArray]:
    """A tree that is another one but for these fields, `assemble`d."""
    same = {name: getattr(tree, name) for name in tree.__dataclass_fields__}
    del same["first_child"], same["infoset_player"]
    return assemble(**same | {"derived_from": tree} | changes)


def _placed(where: NDArray[Any], values: NDArray[Any], size: int) -> NDArray[Any]:
    """An array of `size` with values[k] at where[k], and -1 elsewhere."""
    out = np.full(max(size, 1), -1, values.dtype)
    out[where] = values
    return out


def _read_names(text: str) -> dict[str, Any]:
    """Names as they were: lists in the text are tuples, and equal values are one object."""
    known: dict[Hashable, Hashable] = {}

    def as_tuple(value: Any) -> Any:
        if isinstance(value, list):
            return tuple([as_tuple(part) for part in value])
        return known.setdefault(value, value) if isinstance(value, str) else value

    return {name: as_tuple(value) for name, value in json.loads(text).items()}


def kept(make: Callable[[GameTree], Answer]) -> Callable[[GameTree], Answer]:
    """A function of a tree whose answer is made once for each tree and stays with it; what is no
    tree is refused."""
    name = f"_{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def asked(tree: GameTree) -> Answer:
        known = need_tree(tree).__dict__
        if name not in known:
            known[name] = make(tree)
        return known[name]  # type: ignore[no-any-return]

    return asked


def ask_each(
    tree: GameTree, function: Callable[[int, Any, tuple[Any, ...]], Answer]
) -> Iterator[tuple[int, Any, tuple[Any, ...], Answer]]:
    """(player, seen, actions, answer): what a function says of each infoset, in order; what it
    raises is told with the place."""
    first, players = tree.first_choice.tolist(), tree.infoset_player.tolist()
    for infoset, (player, seen) in enumerate(zip(players, tree.seen, strict=True)):
        actions = tree.actions[first[infoset] : first[infoset + 1]]
        try:
            answer = function(player, seen, actions)
        except Exception as error:
            error.add_note(f"(asked for player {player} who has seen {seen!r})")
            raise
        yield player, seen, actions, answer


def need_players(tree: GameTree, players: Iterable[int] | int) -> list[int]:
    """Players as a sorted list: not empty, and only those there are."""
    several: list[Any] = list(as_tuple(players)) if isinstance(players, Iterable) else [players]
    known = range(tree.num_players)
    strangers = [
        i for i in several if isinstance(i, bool) or not isinstance(i, Integral) or i not in known
    ]
    if strangers or not several:
        raise GameError(
            f"players must be some of 0 to {tree.num_players - 1} of {tree.name!r}, "
            f"not {shown(strangers[0] if strangers else players)}"
        )
    return sorted(map(int, set(several)))


def need_tree(value: object) -> GameTree:
    """Refuse what is not a compiled game, and say how to make one."""
    if isinstance(value, GameTree):
        return value
    fix = f"wb.compile_game(rules){' of a small game' if has_form(rules_in(value)) else ''}"
    raise GameError(f"a compiled game is needed here, not {type(value).__name__}: {fix}")


def need_game(value: Any) -> Any:
    """A compiled game, or the form that rules bring."""
    return form_of(value) or need_tree(value)


# ---- games without a tree ------------------------------------------------------------


class FormAbstraction:
    """What a form is abstracted by, as it knows how: buckets of hands."""

    name: str
    made = ""  # the Python that makes it, if one call does
    rule: Any = None  # the same for the tree of a small game, if that can be said there


class Form(Game):
    """A game without a tree, which its rules bring: `public_game(buckets=None)`.

    Its strategies are `strategy.Profile`, its states `solvers.base.State`, or what comes from
    these. What is not abstract here it may leave out: then users read that it is not there.
    """

    largest_payoff: Any = 1.0
    derived_from: Any = None

    @property
    def checksum(self) -> int:
        return int(self.fingerprint[:8], 16) or 1

    @property
    def saved_as(self) -> str:
        return f"strategy of {type(self).__name__}"

    @abstractmethod
    def start_state(self, seed: int = 0) -> Any:
        """Before the first iteration."""

    @abstractmethod
    def average(self, state: Any) -> Any:
        """The average strategy; uniform where nothing was played yet."""

    @abstractmethod
    def restored(self, saved: Any, where: str) -> Any:
        """A strategy from the arrays that it was saved as, kept in `where`."""

    def abstraction(self, buckets: Any) -> Any:
        """The game with these buckets, which may be named: `name`, `full`, `coarse` (a form),
        `choice_map` and `lift`, as `abstraction.Abstraction` has them."""
        raise self._without("abstractions")

    def sample_scores(
        self, strategies: Any, *, deals: int, seed: int, duplicate: bool
    ) -> FloatArray:
        """(deals, P) what each strategy wins from each deal, the mean over all seatings."""
        raise self._without("matches")

    def parts(self, moves: Sequence[Any]) -> Any:
        """Where experts play, behind these moves: what `stitching` takes as its `part`."""
        raise self._without("experts")

    def round_parts(self, start: int) -> Any:
        """The same for experts who take over at the beginning of a round."""
        raise self._without("experts")

    @property
    def stitching(self) -> Any:
        """The class of plans of experts: a `stitching.experts.Stitching` of its own."""
        raise self._without("experts")

    def _without(self, what: str) -> GameError:
        return GameError(f"{self.name!r} has no {what} without a tree, wb.compile_game(rules)")


def form_of(rules: Any) -> Form | None:
    """The form that these rules bring, or that they are; None: their tree is compiled."""
    return rules if isinstance(rules, Form) else rules.public_game() if has_form(rules) else None


def has_form(rules: object) -> bool:
    """Whether rules bring one, which is then not made."""
    return hasattr(rules, "public_game")


def hands_unlisted(rules: object) -> bool:
    """Whether there are too many hands to list: their buckets are cut by a signal."""
    return bool(getattr(rules, "hands_unlisted", False))
