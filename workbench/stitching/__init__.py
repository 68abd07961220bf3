"""Stitching: one strategy from a coarse whole and fine parts.

A *base* plays the whole game in a coarse abstraction, *experts* play parts of it in fine ones. A
grafting partition says who plays where. This package knows partitions, the games of experts and
how to sew strategies together; it leaves to its caller how a game is abstracted and solved
(`wb.static_experts`, `wb.dynamic_experts`).
"""

from workbench.stitching.builders import (
    betting_experts,
    card_experts,
    first_bets,
    heads_up_experts,
    round_experts,
)
from workbench.stitching.partition import GraftingPartition
from workbench.stitching.sewing import cut, expert_game, stitch

__all__ = [
    "GraftingPartition",
    "betting_experts",
    "card_experts",
    "cut",
    "expert_game",
    "first_bets",
    "heads_up_experts",
    "round_experts",
    "stitch",
]
