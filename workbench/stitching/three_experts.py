"""Static experts for three players of limit Hold'em: heads-up specialists behind a coarse base.

Everyday example: with three players a laptop has room for three buckets of hands a round. But in
most hands somebody folds before the flop, and what is left is a small game for two: there is room
for sixty. So let a base play until somebody has folded, and then an expert (Abou Risk & Szafron
2010; Gibson & Szafron 2011, section 6):

    f      the button folds                                the blinds play on
    rf     the button raises, the small blind folds        the big blind and the button
    rrf    both of them raise, the big blind folds         the small blind and the button
    rcf    the small blind calls instead                   the same two, on the flop

    rules = wb.load_game("limit_holdem", players=3)
    how = {"metric": "ehs2", "method": "percentile", "recall": "imperfect"}
    coarse = wb.cluster_hands(rules, (169, 3, 3, 3), **how)
    fine = wb.cluster_hands(rules, (169, 60, 60, 60), **how)
    base = wb.solve(rules, "external-sampling", iterations=600_000, abstraction=coarse).strategy
    team = wb.stitching.three_experts(base, abstraction=fine, iterations=250_000)
    wb.sample_match({"experts": team, "base": base, "base again": base}, deals=500_000)

Measured on one core: 33 s for the base, 24 s for the experts, 8 s for 400,000 triplicate hands. The
experts win 31.5 ± 3.2 mbb per hand from two bases; with the base's three buckets instead of sixty
they win -0.4 ± 2.9, so the buckets are the cause (in the ledger: `workbench reproduce
gibson-szafron-2011-table2-three`). More buckets need more training: after a fifth of it (a base of
120,000 iterations, experts of 80,000) sixty buckets lose 10 ± 8, while twenty win 43.5 ± 3.2
(200,000 and 150,000); but as that base is unfinished, experts with its own buckets win 9.9 ± 3.0.

With S = N, as here, everybody follows the base on the way to an expert, so that it learns against
the hands with which the base comes there. With S = {i} (`alone=True`) only player i does: her
expert's game is the whole game, in which the others play as they like, so each player needs experts
of her own, and each takes as long as a base. Dynamic experts are solved together with their base:

    parts = wb.stitching.ExpertBuckets(coarse, fine, ("f", "rf", "rrf", "rcf"))
    dynamic = wb.solve(rules, "external-sampling", iterations=600_000, abstraction=parts).strategy

How the winners of both three-player events of the 2010 competition did it: a base with 169, 900,
100 and 25 buckets (70 million iterations of CFR), and these four experts with
169, 60,000, 180,000 and 26,160 buckets each (10 billion iterations), clustered by strength
distributions instead of percentiles; one of the two was trained to play more aggressively for the
event by total bankroll. `sizes` counts what that takes:

>>> from workbench.games.limit_holdem import LimitHoldem
>>> sizes(LimitHoldem(players=3), ACPC_2010["base"])
{'base': 262115760}
>>> sizes(LimitHoldem(players=3), ACPC_2010["experts"], EXPERTS)
{'f': 265928552, 'rf': 113969307, 'rrf': 75979538, 'rcf': 37989600}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.poker.betting_parts import BettingParts
from workbench.poker.betting_tree import betting_tree
from workbench.poker.deal_walk import PART, PLAYER
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.mixed_buckets import MixedBuckets
from workbench.poker.public_strategy import PublicStrategy
from workbench.rules import GameError, shown
from workbench.runs.solve import Progress, solve
from workbench.settings import need_bool

if TYPE_CHECKING:
    from workbench.runs.store import Store

EXPERTS = ("f", "rf", "rrf", "rcf")
ACPC_2010 = {  # buckets of each round
    "base": (169, 900, 100, 25),
    "experts": (169, 60_000, 180_000, 26_160),
}


class ExpertBuckets(MixedBuckets):
    """Buckets for the whole game, and finer ones after some betting: what is solved with them as
    one game has dynamic experts."""

    def __init__(self, outside: HoldemBuckets, inside: HoldemBuckets, names: Sequence[str]) -> None:
        part = BettingParts(outside.rules, tuple(names))
        super().__init__(outside, part, dict.fromkeys(part.names, inside))


def three_experts(
    base: PublicStrategy,
    names: Iterable[str] = EXPERTS,
    *,
    abstraction: HoldemBuckets | Mapping[str, HoldemBuckets],
    iterations: int = 200_000,
    alone: bool = False,
    seed: int = 0,
    progress: bool | Progress | None = None,
    store: Store | str | Path | None = None,
) -> PublicStrategy:
    """The base with static experts: one for each preflop betting of `names`.

    `abstraction`: buckets for all experts, or {name: buckets}. `alone`: S = {i} instead of S = N,
    with runs of their own for each player who is still in. `store`: a folder that keeps each
    expert's run, to be found again or resumed.
    """
    coarse: Any = base.played.buckets if isinstance(base, PublicStrategy) else None
    if not isinstance(coarse, HoldemBuckets) or base.tree.num_players != 3:
        raise GameError(
            "base must be a strategy of limit Hold'em for three, as wb.solve finds it for "
            f"wb.load_game('limit_holdem', players=3), not {shown(base)}"
        )
    rules, part = coarse.rules, BettingParts(coarse.rules, tuple(names))
    if late := [name for name in part.names if "/" in part.begins(name)[:-1]]:
        raise GameError(f"static experts of three begin before the flop, not after {late[0]!r}")
    fine: Any = abstraction
    if not isinstance(abstraction, Mapping):
        fine = dict.fromkeys(part.names, abstraction)
    team = rules.public_game(MixedBuckets(coarse, part, fine))
    probs = np.zeros(team.num_choices, team.dtype)
    probs[: len(base.probs)] = base.probs
    seeding = base.probs if need_bool("alone", alone) else base.probs[: team.first_round]
    for number, name in enumerate(part.names, start=1):
        live = rules.betting.follow(name).live
        for players in [(seat,) for seat in live] if alone else [(0, 1, 2)]:
            game: Any = MixedBuckets(
                coarse, part.only(name), fine, expert=name, players=players, seeding=seeding
            )
            run: Any = solve(
                rules, "external-sampling", iterations, seed=seed, abstraction=game,
                checkpoints=iterations, progress=progress, store=store,
            )  # fmt: skip
            mine = np.isin(team.layout.groups[:, PLAYER], players)
            mine &= team.layout.groups[:, PART] == number
            team.copy_choices(probs, run.strategy, mine)
    return PublicStrategy(base.tree, team, probs)


def sizes(rules: Any, buckets: Sequence[int], experts: Iterable[str] = ()) -> dict[str, int]:
    """Information sets of a base with so many buckets a round; with experts, of each of them."""
    tree = betting_tree(rules.betting)
    return {
        name or "base": sum(
            (high - low) * count
            for (low, high), count in zip(tree.blocks(name).tolist(), buckets, strict=True)
        )
        for name in (tuple(experts) or ("",))
    }
