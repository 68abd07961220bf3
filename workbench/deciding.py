"""From probabilities to moves: a strategy sits down at the table.

`play_hand` and `ToepenMatch` ask for one action at a time; strategies, functions and sampled runs
answer with probabilities (a *policy*, see `playing.py`). A decider throws the dice for them.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> def cautious(player, seen, actions):
...     return "b" if seen[0] == "K" else {"p": 0.9, "b": 0.1}
>>> sigma = wb.Strategy.from_function(tree, cautious)
>>> me, you = wb.decider(sigma, seed=1), wb.decider(lambda player, seen, actions: "p")
>>> [event.what for event in wb.play_hand(wb.load_game("kuhn"), [me, you], seed=4)]
['K', 'Q', 'b', 'p', (1.0, -1.0)]
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from workbench.games.hand import Decider, need_random
from workbench.policies import as_policy, pick

__all__ = ["decider"]


def decider(policy: Any, seed: int | np.random.Generator = 0) -> Decider:
    """Who plays as a policy says: a Strategy, a function, what has `probabilities`."""
    asked, random = as_policy(policy), need_random(seed)

    def decide(player: int, seen: Any, actions: Sequence[Any]) -> Hashable:
        chosen: Hashable = pick(
            actions, asked.probabilities(player, seen, actions), random.random()
        )
        return chosen

    return decide
