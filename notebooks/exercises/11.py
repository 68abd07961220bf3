"""Judges for lecture 11, *What changes with three players?*: chips, and 48ths of a chip."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations, permutations

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, nearly, numbers, right, strategy, wrong


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
        "Values " + ", ".join(f"{x:+.3g}" for x in value) + ". Whoever loses here could not do "
        "anything about it, and decides how the others share."
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
    """`runs["pcfr+"]` of the notebook."""
    tree = wb.compile_game(Kuhn3())
    return wb.average(tree, next(wb.iterate(tree, "pcfr+", every=5_000)))


def check_favour(answer):
    tree = solved().tree
    sigma = strategy(answer, tree)
    others = tree.infoset_player[tree.choice_infoset] != 1
    if not np.allclose(sigma.probs[others], solved().probs[others], rtol=0, atol=1e-3):
        return wrong("Players 1 and 3 must play on as in `runs['pcfr+']`; only player 2 changes.")
    value, gain = 48 * wb.expected_values(sigma), wb.gains(sigma)[1]
    if gain >= 1e-3:
        return wrong(
            f"Player 2 could gain {gain:.4f} chips: this is no best reply, so the favour costs her "
            "something."
        )
    if abs(value[2]) > 0.05:
        return wrong(f"Player 3 wins {value[2]:+.2f} 48ths; it should be 0.")
    return right(
        f"Values in 48ths: {', '.join(f'{x:+.2f}' for x in value)}. Player 3 plays an equilibrium "
        "strategy and wins nothing, as a present from player 2 to player 1."
    )


def check_chairs(four, answer):
    strategies = four_strategies(four)
    if any(np.array_equal(a.probs, b.probs) for a, b in combinations(strategies, 2)):
        return wrong("Two of the four are one and the same strategy.")
    given = numbers(answer, ("seatings", "third chair wins"))
    verdict = nearly(
        given["seatings"],
        24,
        tolerance=0,
        slips={
            4: "So many *tables* there are; the three at a table can change chairs.",
            6: "That is one table. Somebody can stay away, in four ways.",
            64: "That counts tables where a strategy sits twice.",
        },
    )
    if not verdict:
        return wrong(f"seatings: {verdict.text}")
    won = [float(wb.expected_values(list(who))[2]) for who in permutations(strategies, 3)]
    wins = sum(x > 0 for x in won)
    if given["third chair wins"] != wins:
        return wrong(
            f"third chair wins: Not {given['third chair wins']:g} times. Count the seatings in "
            "which the third value is above zero."
        )
    worst = f" Where it does not win, it has {1000 * min(won):.1f} milli-antes." * (wins < 24)
    return right(
        f"{wins} of 24, whoever sits in it.{worst} It is the chair, and not the player, in nearly "
        "all of them; that is why all seatings have to be played."
    )


def four_strategies(answer):
    given = list(answer.values()) if isinstance(answer, Mapping) else answer
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UnfitError("four strategies with their names are needed here: {'null': …, …}")
    found = list(given)
    if len(found) != 4 or not all(isinstance(each, wb.Strategy) for each in found):
        raise UnfitError("four strategies are needed here, `three | {'real': real[-1]}`")
    if any(each.tree.num_players != 3 for each in found):
        raise UnfitError("strategies of a game for three are needed here")
    return found
