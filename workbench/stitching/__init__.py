"""Stitching: one strategy from a coarse whole and fine parts.

A *base* plays the whole game in a coarse abstraction, *experts* play parts of it in fine ones. A
grafting partition says who plays where. This package knows partitions, the games of experts and
how to stitch strategies together; it leaves to its caller how a game is abstracted and solved
(`wb.static_experts`, `wb.dynamic_experts`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "builders": ["first_bets", "heads_up_experts"],
        "expert_rules": ["expert_rule"],
        "experts": ["Expert", "expert_sizes", "rebuild_base", "resolve_parts"],
        "joining": ["cut", "expert_game", "trembling"],
    },
)
