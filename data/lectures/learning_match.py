"""A match of a player who learns: many hands, what they bring, and what they were worth exactly.

Each deal is played twice, with seats exchanged and the same cards (*duplicate*), and after each
hand the learner sees what a player at the table sees. Her opponent plays one strategy, or is asked
for the next one, f(learner): the worst that she can meet is somebody who always knows what she
plays, `worst_opponent`.

    won         chips of the hand
    expected    what her strategy wins from the opponent's on average in this seat, exactly
    sure        what her strategy is sure of in this seat; the value of the game less her risk
    value       what an equilibrium is sure of in this seat

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> shy = Strategy.from_function(tree, lambda player, seen, actions: "p")
>>> played = learning_match(wb.models.Adaptive(tree, budget=0.1), shy, deals=100, seed=1)
>>> match_score(played).round(2).to_dict()
{'winnings': 0.46, 'margin': 0.1, 'expected': 0.46, 'value': -0.0}
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from workbench.evaluation.intervals import margins
from workbench.evaluation.matches import most_chance_moves
from workbench.evaluation.values import best_response, expected_values, seated
from workbench.later import pd
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Hand, ends_of
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.settings import need_kind, need_whole
from workbench.strategy import Strategy
from workbench.tree import CHANCE, FloatArray, GameTree

Opponent = Strategy | Callable[[Adaptive], Strategy]


def worst_opponent(learner: Adaptive) -> Strategy:
    """Somebody who knows what the learner plays in this hand, and plays best against it."""
    need_kind("the learner", learner, Adaptive)
    return seated([best_response(learner.strategy, i).strategy for i in (0, 1)])


def learning_match(
    learner: Adaptive, opponent: Opponent, *, deals: int = 2_500, seed: int = 0
) -> pd.DataFrame:
    """One row for each hand, two for each deal: deal, seat, won, expected, sure, value."""
    tree = need_kind("the learner", learner, Adaptive).tree
    if not (isinstance(opponent, Strategy) or callable(opponent)):
        raise GameError(
            f"the opponent must be a Strategy, or a function of the learner, not {shown(opponent)}"
        )
    random, walk = np.random.default_rng([need_whole("seed", seed, 0, None), 1]), CardsWalk(tree)
    hands: dict[tuple[int, int], Hand] = {}
    playing: Strategy | None = None
    rows = []
    with ProgressBar("a match of a learner", need_whole("deals", deals)) as bar:
        for deal in range(deals):
            bar.show(deal)
            cards = random.random(walk.most)
            for seat in (0, 1):
                if playing is not learner.strategy:
                    playing = learner.strategy
                    met = opponent if isinstance(opponent, Strategy) else opponent(learner)
                    tables = [seated([playing, met]), seated([met, playing])]
                    worth = [float(expected_values(one)[i]) for i, one in enumerate(tables)]
                    probs = [one.probs.tolist() for one in tables]
                end = walk(probs[seat], cards, random)
                sure = learner.answers[seat]
                rows.append(
                    (deal, seat, tree.utility[end, seat], worth[seat], sure.sure, sure.value)
                )
                look = int(ends_of(tree).sight[seat, end])
                if (seat, look) not in hands:
                    hands[seat, look] = Hand.ended(tree, seat, end)
                learner.saw(hands[seat, look])
    return pd.DataFrame(rows, columns=["deal", "seat", "won", "expected", "sure", "value"])


def match_score(played: pd.DataFrame) -> pd.Series[float]:
    """Chips per hand: the mean over deals with its 95 % margin, and the exact means."""
    won = played.groupby("deal")["won"].mean().to_numpy()[:, None]
    exact = {name: float(played[name].mean()) for name in ("expected", "value")}
    return pd.Series({"winnings": float(won.mean()), "margin": margins(won).item(), **exact})


class CardsWalk:
    """From the root to an end, cards by given numbers: the k-th move of chance by the k-th."""

    def __init__(self, tree: GameTree) -> None:
        self.first, self.player = tree.first_child.tolist(), tree.player.tolist()
        self.choice, self.chance = tree.choice.tolist(), tree.chance.tolist()
        self.terminal, self.most = tree.terminal.tolist(), most_chance_moves(tree)

    def __call__(self, probs: list[float], cards: FloatArray, random: np.random.Generator) -> int:
        h = dealt = 0
        while self.terminal[h] < 0:
            below = range(self.first[h], self.first[h + 1])
            if self.player[h] == CHANCE:
                number, weights = cards[dealt], [self.chance[c] for c in below]
                dealt += 1
            else:
                number = random.random()
                weights = [self.chance[c] * probs[self.choice[c]] for c in below]
            up_to = np.cumsum(weights).tolist()
            h = below[min(bisect_right(up_to, number * up_to[-1]), len(up_to) - 1)]
        return int(self.terminal[h])
