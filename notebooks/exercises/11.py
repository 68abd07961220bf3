"""Judges for lecture 11, *What changes with three players?*: chips, and 48ths of a chip."""

from functools import cache

import numpy as np

import workbench as wb
from workbench.lab.exercises import game, right, strategy, wrong


def check_half(answer):
    sigma = strategy(answer, game("odd_one_out"))
    gain, value = wb.gains(sigma), wb.expected_values(sigma)
    if gain.max() > 1e-3:
        who = int(gain.argmax())
        return wrong(
            f"This is no equilibrium: player {who + 1} alone could gain {gain[who]:.3g} chips."
        )
    if abs(value[0] - 0.5) > 1e-3:
        return wrong(f"An equilibrium, but player 1 wins {value[0]:.3g} chips in it.")
    return right(
        "Values " + ", ".join(f"{x:+.3g}" for x in value) + ". Whoever loses here could not "
        "avoid it, and decides what the other two win."
    )


class Kuhn3:
    """Kuhn poker for three, as in the notebook."""

    players, name = 3, "kuhn for three"

    def start(self):
        return "", ""

    def next(self, state, move):
        cards, bets = state
        return (cards + move, bets) if len(cards) < 3 else (cards, bets + move)

    def node(self, state):
        cards, bets = state
        if len(cards) < 3:
            return wb.Chance({card: 1 / (4 - len(cards)) for card in "JQKA" if card not in cards})
        if len(bets) < 3 + max(bets.find("b"), 0):
            turn = len(bets) % 3
            return wb.Decision(turn, (cards[turn], bets), ("p", "b"))
        last = {k % 3: word for k, word in enumerate(bets)}
        paid = [1 + (last[i] == "b") for i in range(3)]
        stay = [i for i in range(3) if last[i] == "b"] or [0, 1, 2]
        winner = max(stay, key=lambda i: "JQKA".index(cards[i]))
        return wb.Terminal([float(sum(paid) * (i == winner) - paid[i]) for i in range(3)])


@cache
def solved():
    """`sigma` of the notebook."""
    tree = wb.compile_game(Kuhn3())
    return wb.average(tree, next(wb.iterate(tree, "pcfr+", every=5_000)))


def check_favour(answer):
    tree = solved().tree
    sigma = strategy(answer, tree)
    others = tree.infoset_player[tree.choice_infoset] != 1
    if not np.allclose(sigma.probs[others], solved().probs[others], rtol=0, atol=1e-3):
        return wrong("Players 1 and 3 must play on as in `sigma`; only player 2 changes.")
    value, gain = 48 * wb.expected_values(sigma), wb.gains(sigma)[1]
    if gain >= 1e-3:
        return wrong(
            f"Player 2 could gain {gain:.4f} chips: this is no best response, so the favour costs "
            "him something."
        )
    if abs(value[2]) > 0.05:
        return wrong(f"Player 3 wins {value[2]:+.2f} 48ths; it should be 0.")
    return right(
        f"Values in 48ths: {', '.join(f'{x:+.2f}' for x in value)}. Player 3 plays an equilibrium "
        "strategy and wins nothing, as a present from player 2 to player 1."
    )
