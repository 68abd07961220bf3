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
from typing import Any

from workbench.poker.cards.boards import holdings
from workbench.poker.engine.card_game import CardGame
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search.endgame import Learner, part_after
from workbench.poker.search.leaves import cut_off
from workbench.poker.search.resolving import need_solver, need_strategy
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.settings import need_whole
from workbench.solvers.base import Solver
from workbench.tree import has_form


def first_phase(
    rules: Any, *, rounds: int = 2, leaves: PublicStrategy | str = "rollout",
    solver: Solver | str = "cfr+", iterations: int = 1000, progress: bool | None = None,
) -> PublicStrategy:  # fmt: skip
    """Solve the first `rounds` of a card game; `leaves` says how the others are played, and plays
    them in the strategy that comes back: "rollout" (check and call), or any strategy."""
    game = _card_game(rules)
    need_whole("rounds", rounds, 1, len(rules.public_cards) - 1)
    need_whole("iterations", iterations)
    found = need_solver(solver)
    if not game.on_boards:
        pairs = holdings(rules)[rounds] * math.comb(rules.deck.size - rules.private_cards, 2)
        raise GameError(
            f"phase one of {rules.name!r} needs the worth of its ends for each pair of hands on "
            f"each board of round {rounds + 1}, {pairs:,} before suits are left out; solve it with "
            "buckets (wb.cluster_hands), and if two play resolve the turn or river"
        )
    if leaves == "rollout":
        after = rollout(rules)
    elif isinstance(leaves, str):
        raise GameError(f'leaves are "rollout" or a strategy, not {leaves!r}')
    else:
        after = need_strategy(leaves, rules)
    whole = part_after(after, 0, None, 0, 0.0)
    learner = Learner(cut_off(whole, rounds, 0, after, [after]), found)
    with ProgressBar(f"phase one of {rules.name}", iterations, progress) as bar:
        learner.run(iterations, None, bar)
    return learner.part.put(learner.plan(), after)


def rollout(rules: Any) -> PublicStrategy:
    """Check and call, whatever comes."""
    game = _card_game(rules)
    if not game.on_boards:
        game.start_state()  # says why not
    return game.normalised(game.by_moves({"c": 1.0}))


def _card_game(rules: Any) -> CardGame:
    if not has_form(rules):
        raise GameError(
            "phases are for card games that are solved without a tree, such as rhode_island, not "
            f"{shown(rules)}; a tree is solved whole"
        )
    game: CardGame = rules.public_game()
    return game
