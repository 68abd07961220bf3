"""Phase one: the first rounds solved by themselves, with a guess at what comes after them.

Everyday example: before the last card comes, a player says "if we both just checked from here, I
would win six times in ten". That guess is *rollout*: no more bets, the cards decide. A better one
looks at how people bet in the later rounds: the *statistics* of a strategy that plays them.

Both are a strategy for the rounds that are left out. It makes the ends of phase one leaves: for two
hands on a board and a betting so far, what the first wins from the second on average. Computed
once (25 passes over the last round of Rhode Island), it makes an iteration of phase one cheap.

    GS1 (Gilpin & Sandholm 2006)    phase one by rollout; the rest in real time
    GS2 (Gilpin & Sandholm 2007)    phase one by statistics; the rest in real time, and phase two
                                    begins a round before phase one ends

>>> import workbench as wb
>>> from workbench.poker.search.resolving import resolve_all
>>> rules = wb.load_game("rhode_island", ranks=3, suits=2)
>>> first = first_phase(rules, rounds=2, iterations=100)
>>> gs1 = resolve_all(first, rounds=1, safe=False, iterations=100)
>>> gs2 = first_phase(rules, rounds=2, leaves=gs1, iterations=100)
>>> gs2 = resolve_all(gs2, rounds=2, safe=False, iterations=100)
>>> wb.exploitability(gs2) < wb.exploitability(gs1)
True
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.poker.cards.boards import holdings
from workbench.poker.engine.card_game import CardGame
from workbench.poker.engine.card_passes import Space
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search.endgame import Learner, Part, part_after
from workbench.poker.search.resolving import need_solver, need_strategy
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.settings import need_whole
from workbench.solvers.base import Solver
from workbench.tree import FloatArray, has_form


def first_phase(
    rules: Any, *, rounds: int = 2, leaves: PublicStrategy | str = "rollout",
    solver: Solver | str = "cfr+", iterations: int = 1000, progress: bool | None = None,
) -> PublicStrategy:  # fmt: skip
    """Solve the first `rounds` of a card game; `leaves` says how the others are played, and plays
    them in the strategy that comes back: "rollout" (check and call), or any strategy."""
    if not has_form(rules):
        raise GameError(f"phases are for games of the public-state engine, not {shown(rules)}")
    game: CardGame = rules.public_game()
    need_whole("rounds", rounds, 1, len(rules.public_cards) - 1)
    need_whole("iterations", iterations)
    found = need_solver(solver)
    if not game.on_boards:
        pairs = holdings(rules)[rounds] * math.comb(rules.deck.size - rules.private_cards, 2)
        raise GameError(
            f"phase one of {rules.name!r} needs the worth of its ends for each pair of hands on "
            f"each board of round {rounds + 1}, {pairs:,} before suits are left out; solve it with "
            "buckets, abstraction='3333', and resolve the turn or river"
        )
    if leaves == "rollout":
        after = rollout(rules)
    elif isinstance(leaves, str):
        raise GameError(f'leaves are "rollout" or a strategy, not {leaves!r}')
    else:
        after = need_strategy(leaves)
        if after.tree.rules != rules:
            raise GameError(f"{after!r} is no strategy of {rules.name!r}")
    learner = Learner(_first_part(game, rounds, after), found)
    with ProgressBar(f"phase one of {rules.name}", iterations, progress) as bar:
        learner.run(iterations, None, bar)
    return learner.part.put(learner.plan(), after)


def rollout(rules: Any) -> PublicStrategy:
    """Check and call, whatever comes."""
    game: CardGame = rules.public_game()
    probs = np.zeros(game.num_choices)
    for one, view in zip(rules.betting.rounds, game.views(probs), strict=True):
        calls = [d for d, text in enumerate(one.text) if text.endswith("c")]
        view[one.choice[calls]] = 1.0
    return PublicStrategy(game, game, probs)


def _first_part(game: CardGame, rounds: int, after: PublicStrategy) -> Part:
    """The first rounds, whose ends are worth what `after` makes of them."""
    limit, spaces = game.rules.betting, game.spaces()[:rounds]
    n, starts = len(spaces[-1].above), limit.starts[rounds - 1]
    ends = limit.rounds[rounds - 1].num_ends
    first = spaces[-1].first
    board = np.repeat(np.arange(len(first) - 1), np.diff(first))
    # (n, most) the hands on the same board as each hand; where there are fewer, the last one again
    rivals = first[board][:, None] + np.arange(np.diff(first).max())
    rivals = np.minimum(rivals, first[board + 1][:, None] - 1)
    worth = _leaves(game, rounds, after)

    def leaves(player: int, reach: FloatArray) -> FloatArray:
        theirs = reach.reshape(ends, n, starts).transpose(1, 2, 0).reshape(n, -1)
        won = np.einsum("hgs,hgs->hs", worth[player], theirs[rivals])
        return np.ascontiguousarray(won.reshape(n, starts, ends).transpose(2, 0, 1)).ravel()

    hands = [slice(0, len(space.above)) for space in spaces]
    lanes = [slice(0, number) for number in limit.starts[:rounds]]
    return Part(game, 0, spaces, [], hands, lanes, (np.ones((1, 1)), np.ones((1, 1))), leaves)


def _leaves(game: CardGame, rounds: int, after: PublicStrategy) -> FloatArray:
    """(2, n, most, S) what each hand of a player wins from each hand on its board, at each start of
    the next round, times the probability of the deal."""
    rest = part_after(after, rounds, None, 0, 0.0)
    plan, (hands, then) = rest.plan_of(after), game.spaces()[rounds - 1 : rounds + 1]
    first = worth_of_pairs(rest, hands, then, 0, plan, plan)
    found = np.stack([first, np.zeros_like(first)])
    for low, high in pairwise(hands.first):  # what one wins ...
        size, both = hands.size[low:high], found[0, low:high, : high - low]
        lost = -(size[:, None, None] * both).transpose(1, 0, 2) / size[:, None, None]
        found[1, low:high, : high - low] = lost  # ... the other loses
    return found


def worth_of_pairs(
    rest: Part, hands: Space, then: Space, player: int, mine: FloatArray, theirs: FloatArray
) -> FloatArray:
    """(n, most, S) what each hand of a player wins from each hand on its board, at each start of
    the rest, times the probability of the deal; the hands of the rest, `then`, come from these."""
    n, on_board = len(hands.above), np.diff(hands.first)
    place = np.concatenate([np.arange(count) for count in on_board])  # on its board
    starts = rest.lanes[0].stop - rest.lanes[0].start
    found = np.zeros((n, int(on_board.max()), starts))
    for at in range(found.shape[1]):
        holds = (place == at).astype(np.float64)[then.above]  # the opponent has this one
        start = np.repeat(holds[:, None], starts, axis=1)
        won = rest.answer(player, theirs, mine, start)
        np.add.at(found[:, at], then.above, then.share[:, None] * won)
    return found
