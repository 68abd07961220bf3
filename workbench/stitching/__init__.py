"""Stitching: one strategy from a coarse whole and fine parts.

A *base* plays the whole game in a coarse abstraction, *experts* play parts of it in fine ones. A
grafting partition says who plays where. This package knows partitions, the games of experts and
how to stitch strategies together; it leaves to its caller how a game is abstracted and solved
(`wb.static_experts`, `wb.dynamic_experts`).
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "stitching.partition": "first_bets",
        "stitching.experts": "Expert expert_sizes plan resolve_parts",
        "stitching.joining": "cut expert_game expert_rule trembling",
        "lab.lectures.heads_up": "heads_up_experts",
        "lab.lectures.rebuilding": "rebuild_base",
    },
)
