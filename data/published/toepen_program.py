"""A wrong sign in the program published with Le (2021): the game it really computes.

The program walks through a hand with values "to the player who acts here". After a move it takes
the value of what follows with the sign −1, or +1 if the same player acts again, as she does after
winning a trick with the second card. In the loop over her moves the sign is set to +1 there and not
set back (June 2021): once a card has won the trick, *every later card of the list counts as if it
had won it, too*, and what follows a lost trick is counted for the wrong player.

    (I, a) is *miscounted*   if its player answers a led card, a loses the trick, and a card that
                             would win it stands before a in the program's order: by the
                             alphabetical name of the suit, then from low to high

If cards must follow suit, the winning ones stand last and nothing is miscounted: so it is in the
games without betting. With betting the program asks nobody to follow suit, and with hands of two
cards it miscounts 5 % to 8 % of the choices with which a led card is answered.

A wrong sign multiplies what follows by −1, so the program's numbers are those of another *game*:
the same tree with other payoffs. There are two, because a walk that trains one player lists her
moves only, and a walk that evaluates lists everybody's:

    evaluating      u_i(z) is multiplied by −1 for every miscounted choice on the way to z
    training        u_i(z) is multiplied by −1 for each of i's own; this game is not zero-sum

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("toepen", suits=2, ranks=3, follow_suit=False))
>>> uniform = wb.Strategy.uniform(tree)
>>> float(wb.expected_values(uniform)[0].round(4))
0.3395
>>> program = as_evaluated(tree)
>>> float(wb.expected_values(wb.Strategy(program, uniform.probs))[0].round(4))
0.2715
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from workbench.lab.ledger.papers.trained_response import trained_response

from workbench.evaluation.values import best_response, expected_values
from workbench.games.toepen.suit_names import SUITS
from workbench.games.toepen.suits import ALPHABETICAL
from workbench.games.toepen.view import SeenReader, deck_of
from workbench.rules import GameError
from workbench.solvers.base import average, iterate
from workbench.solvers.external_sampling import ExternalSampling
from workbench.strategy import Strategy
from workbench.tree import GameTree, kept

THESIS = ExternalSampling(linear=False, average_at="traverser", opponent="average")


@kept
def miscounted(tree: GameTree) -> NDArray[np.bool_]:
    """(K,) the choices whose consequences the program counts with the wrong sign."""
    _, ranks, nameless = deck_of(tree)
    if nameless:
        raise GameError(
            f"the program's order of cards has suits with names, and {tree.name!r} has none; "
            "compile it with suit_isomorphism=False"
        )
    view, wrong = SeenReader(ranks, tree.num_players), np.zeros(tree.num_choices, np.bool_)
    seen: Any
    for infoset, seen in enumerate(tree.seen):
        low, high = tree.first_choice[infoset : infoset + 2]
        cards: Any = tree.actions[low:high]
        led = view(seen)[1].led
        if not led or cards[0][-1] not in SUITS:
            continue
        won = False
        for card in sorted(cards, key=lambda c: (ALPHABETICAL.index(c[-1]), view.number[c[:-1]])):
            if card[-1] == led[-1] and view.number[card[:-1]] > view.number[led[:-1]]:
                won = True
            else:
                wrong[low + cards.index(card)] = won
    wrong.flags.writeable = False
    return wrong


def as_evaluated(tree: GameTree) -> GameTree:
    """The game in which the program evaluates a profile."""
    signs = _signs(tree)
    return _with(tree, tree.utility * signs.prod(axis=1, keepdims=True), "as evaluated")


def as_trained(tree: GameTree) -> GameTree:
    """The game in which the program trains: each player miscounts her own moves only."""
    return _with(tree, tree.utility * _signs(tree), "as trained")


def judged_as_told(
    tree: GameTree, iterations: int, judging: int, *, sign_error: bool = True, seed: int = 0
) -> tuple[float, float]:
    """Train and judge as the thesis tells, with or without the wrong sign: estimate, truth.

    `tree`: the game whose payoffs are right, an abstraction of Toepen or Toepen itself. Everybody
    is trained for `iterations` (`THESIS`), then each player goes on for `judging`
    more against the other, who stays as he is; what both then win, as evaluated, is added up. The
    second number is what exact best responses would win from the trained strategy in this tree.
    """
    trained, evaluated = (as_trained(tree), as_evaluated(tree)) if sign_error else (tree, tree)
    state = next(iterate(trained, THESIS, seed=seed, every=iterations))
    sigma = average(trained, state)
    estimate = 0.0
    for i in range(tree.num_players):
        learnt = trained_response(
            sigma, i, THESIS, iterations=judging, seed=seed, start=state, keep_average=True
        ).strategy
        estimate += float(expected_values(Strategy(evaluated, learnt.probs))[i])
    exact = Strategy(tree, sigma.probs)
    return estimate, sum(best_response(exact, i).value for i in range(tree.num_players))


def _signs(tree: GameTree) -> NDArray[np.float64]:
    """(Z, P) at each end of the game −1 to the number of a player's miscounted choices."""
    full = tree.derived_from if tree.rules is None else tree
    if full is None or full.num_histories != tree.num_histories:
        raise GameError(f"{tree.name!r} is no tree of Toepen, nor an abstraction of one")
    wrong, owner = miscounted(full), full.infoset_player[full.choice_infoset]
    signs = np.ones((full.num_histories, full.num_players))
    for level in full.levels():
        choice, mine = full.choice[level], signs[full.parent[level]]
        bad = np.flatnonzero((choice >= 0) & wrong[choice])
        mine[bad, owner[choice[bad]]] *= -1.0
        signs[level] = mine
    ends = np.flatnonzero(tree.terminal >= 0)
    found = np.empty_like(tree.utility)
    found[tree.terminal[ends]] = signs[ends]
    return found


def _with(tree: GameTree, utility: NDArray[np.float64], what: str) -> GameTree:
    return replace(tree, name=f"{tree.name} [{what}]", utility=utility, derived_from=tree)
