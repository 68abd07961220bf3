"""Judges for notebook 00, *Start here*."""

import workbench as wb
from workbench.lab.exercises import game, right, strategy, wrong


def check_worse(answer):
    lost = wb.exploitability(strategy(answer, game("kuhn")))
    coins = wb.exploitability(wb.Strategy.uniform(game("kuhn")))
    if lost > coins + 1e-9:
        return right(f"Yours loses {lost:.4f} chips a game, a coin only {coins:.4f}.")
    return wrong(
        f"Yours loses {max(lost, 0):.4f} chips a game, a coin {coins:.4f}: too well played."
    )
