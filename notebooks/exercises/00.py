"""Judges for *Start here*."""

import workbench as wb
from workbench.lab.exercises import game, right, strategy, wrong


def check_worse(answer):
    lost = wb.exploitability(strategy(answer, game("kuhn")))
    coins = wb.exploitability(wb.Strategy.uniform(game("kuhn")))
    if lost > coins + 1e-9:
        return right(f"Yours loses {lost:.4f} chips per game, and a coin-tosser only {coins:.4f}.")
    return wrong(
        f"Yours loses {max(lost, 0):.4f} chips per game and a coin-tosser {coins:.4f}, so it still "
        "plays too well."
    )
