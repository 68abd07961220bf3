"""As many buckets as fit: what a limit on information sets buys for each way of stitching.

Everyday example: a bag holds 500,000 information sets. One strategy for the whole game fits into it
with three buckets a round. An expert who plays only after a raise packs less game into the same
bag, so there is room for four on the flop, turn and river. Bags are packed one at a time: the limit
is for each computation (Gibson & Szafron 2011, Section 6).

    "base"      one game
    "dynamic"   base and experts in one game: the base gives up buckets until an expert is finer
                than a base alone would be
    "S={i}"     an expert's game: one player decides in the part only, the other everywhere
    "S=N"       an expert's game: both decide in the part only

Rounds get as nearly the same number of buckets as possible, and a bucket more or less comes first
in the last round: 3333, 3334, 3344, 3444, 4444. What an expert shares with the base stays as it is,
and before the flop there are never more than the 169 classes of hands.

>>> from workbench.games.registry import load_game
>>> rules = load_game("limit_holdem")
>>> fit_buckets(rules, 500_000)
Fit of 500,000: base 3333 (476,934)
>>> fit_buckets(rules, 500_000, "S=N")
Fit of 500,000: base 3333 (476,934), r 3444 (479,889), cr 3444 (479,889)
>>> fit_buckets(rules, 500_000, "dynamic")
Fit of 500,000: base 3332, r 3334 (455,064)
>>> fit_buckets(rules, 500_000, "S={i}", most=4)
Fit of 500,000: base 3333 (476,934), r 3344 (496,188), cr 3344 (496,188), ccr 3344 (276,645), \
cccr 3344 (276,645)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, Literal

import numpy as np

from workbench.poker.betting.betting_tree import BettingParts, betting_tree
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.buckets.holdem_clustering import SEEN
from workbench.rules import GameError, rules_in, shown
from workbench.settings import need_one_of, need_whole
from workbench.tree import hands_unlisted

Method = Literal["base", "dynamic", "S={i}", "S=N"]
Counts = tuple[int, ...]  # buckets in each round

MOST = 1000  # buckets in a round, if nothing is said
EXPERTS = {  # as in the paper
    "base": (), "dynamic": ("r",), "S={i}": ("r", "cr", "ccr", "cccr"), "S=N": ("r", "cr"),
}  # fmt: skip


@dataclass(frozen=True)
class Fit:
    """How many buckets a limit allows. `base` and `experts` make them: a minute each, then kept."""

    rules: Any
    limit: int
    method: str
    counts: dict[str, Counts]  # in each round: of the base, and of each expert
    sizes: dict[str, int]  # information sets of each computation

    @property
    def part(self) -> BettingParts:
        """Where the experts play."""
        return BettingParts(self.rules, tuple(name for name in self.counts if name != "base"))

    @cached_property
    def base(self) -> HoldemBuckets:
        """The base's buckets: nested percentiles of E[HS²]."""
        return _percentiles(self.rules, self.counts["base"])

    @cached_property
    def experts(self) -> dict[str, HoldemBuckets]:
        """The buckets of each expert."""
        return {name: _percentiles(self.rules, self.counts[name]) for name in self.part.names}

    def __repr__(self) -> str:
        said = [
            f"{name} {''.join(map(str, some)) if max(some) < 10 else some}"
            + (f" ({self.sizes[name]:,})" if name in self.sizes else "")
            for name, some in self.counts.items()
        ]
        return f"Fit of {self.limit:,}: {', '.join(said)}"


def fit_buckets(
    rules: Any,
    limit: int,
    method: Method = "base",
    *,
    experts: Iterable[str] | None = None,
    most: int | None = None,
) -> Fit:
    """As many buckets as fit `limit` information sets in each computation.

    `experts`: where they play; as in the paper, if nothing is said. `most`: buckets in any round.
    """
    rules = rules_in(rules)
    if not hands_unlisted(rules):
        raise GameError(f"experts with fitted buckets play limit_holdem, not {shown(rules)}")
    need_one_of("method", method, tuple(EXPERTS))
    need_whole("limit", limit)
    if most is not None:
        need_whole("most", most)
    if rules.players != 2:
        raise GameError(
            f"buckets are fitted for two players, not {rules.players}; with three, choose them and "
            "count: rules.public_game(wb.cluster_hands(rules, (169, k, k, k), …)).num_infosets"
        )
    given: Any = EXPERTS[method] if experts is None or method == "base" else experts
    part = BettingParts(rules, given)
    if method != "base" and not part.names:
        raise GameError(f"{method} needs experts, for example experts=['r', 'cr']")
    rounds = len(rules.betting.bets)
    base = _largest(_upward((), rounds, most), partial(infosets, part.only(())), limit)
    if base is None:
        least = infosets(part.only(()), (1,) * rounds)
        raise GameError(
            f"a limit of {limit:,} information sets is too small for any base of {rules.name!r}: "
            f"with one bucket a round it has {least:,}; allow at least so many"
        )
    if method == "dynamic":
        return _dynamic(part, base, limit, most)
    counts, sizes = {"base": base}, {"base": infosets(part.only(()), base)}
    for name in part.names:
        alone = part.only(name)
        players = ((0, 1),) if method == "S=N" else ((0,), (1,))

        def size(some: Counts, alone: BettingParts = alone, players: Any = players) -> int:
            return max(infosets(alone, base, some, s) for s in players)

        shared = base[: part.shared(name)]
        found = _largest(_upward(shared, rounds, most), size, limit)
        if found is None:
            raise GameError(
                f"a limit of {limit:,} information sets is too small for expert {name!r} with "
                f"{method} on a base with {base} buckets"
            )
        counts[name], sizes[name] = found, size(found)
    return Fit(rules, limit, method, counts, sizes)


def _dynamic(part: BettingParts, alone: Counts, limit: int, most: int | None) -> Fit:
    """The base gives up a bucket at a time, in the last round first."""
    shared, rounds = max(map(part.shared, part.names)), len(alone)
    for base in _downward(alone, shared):
        fine = _largest(
            _upward(base[:shared], rounds, most),
            lambda some, b=base: infosets(part, b, some),
            limit,
        )
        if fine is not None and prod(fine) > prod(alone):
            counts = {"base": base} | dict.fromkeys(part.names, fine)
            return Fit(
                part.rules, limit, "dynamic", counts, {part.names[-1]: infosets(part, base, fine)}
            )
    raise GameError(
        f"a limit of {limit:,} information sets is too small for dynamic experts: no base leaves "
        f"room for experts finer than a base alone, {alone}"
    )


def infosets(part: BettingParts, base: Counts, fine: Counts = (), held: Iterable[int] = ()) -> int:
    """Information sets with so many buckets a round, `fine` in the parts; in the game of an expert
    players who are held to the base decide in the part only."""
    sequences = [list(accumulate(some, mul)) for some in (base, fine or base)]
    return sum(
        count * sequences[inside][r]
        for inside, r, player, count in _decisions(part)
        if inside or player not in held
    )


@cache
def _decisions(part: BettingParts) -> list[tuple[bool, int, int, int]]:
    """Whether in a part, in which round, who, and at how many points of the betting."""
    tree, rounds = betting_tree(part.rules.betting), range(len(part.rules.betting.bets))
    many = np.bincount(tree.info + 16 * (part.parts() > 0), minlength=32).tolist()
    return [
        (bool(inside), r, player, many[player + 4 * r + 16 * inside])
        for r in rounds
        for inside in (0, 1)
        for player in (0, 1)
    ]


def _upward(shared: Counts, rounds: int, most: int | None) -> Iterator[Counts]:
    """Finer and finer: 1111, 1112, 1122, …; the first rounds may be given."""
    free = rounds - len(shared)
    for k in range(1, (most or MOST) + 1):
        for more in range(free if k < (most or MOST) else 1):
            first, *others = *shared, *[k] * (free - more), *[k + 1] * more
            yield min(first, SEEN[0]), *others


def _downward(alone: Counts, shared: int) -> Iterator[Counts]:
    """Coarser and coarser, in the last round first; the first rounds stay."""
    now = list(alone)
    while max(now[shared:]) > 1:
        at = max(r for r in range(shared, len(now)) if now[r] == max(now[shared:]))
        now[at] -= 1
        yield tuple(now)


def _largest(ways: Iterable[Counts], size: Any, limit: int) -> Counts | None:
    found = None
    for way in ways:
        if size(way) > limit:
            break
        found = way
    for r, (buckets, there) in enumerate(zip(accumulate(found or (), mul), SEEN, strict=False)):
        if buckets > there:
            raise GameError(
                f"a limit of {limit:,} information sets is more than hands can fill: {found} "
                f"buckets a round make {buckets:,} in round {r + 1}, but only {there:,} hands can "
                "be told apart there; allow less, or fewer buckets a round by most=…"
            )
    return found


def _percentiles(rules: Any, counts: Counts) -> HoldemBuckets:
    return cluster_hands(rules, counts, metric="ehs2", method="percentile")  # type: ignore[return-value]
