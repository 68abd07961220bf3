"""Two players: what is lost by going all-in or giving up, and nothing in between?

With high blinds next to nothing, showed Miltersen and Sørensen (2007) for Hold'em. Here it is exact
and small: no-limit Leduc, solved with all bets allowed, and solved again while *one* player has no
bet but all-in and the other may do everything. The difference is what her small bets are worth.

>>> jam_fold_gaps([2, 4]).round(4).to_dict("records")[1]
{'stack': 4, 'value': -0.0442, 'gap_first': 0.0077, 'gap_second': 0.0107, 'gap': 0.0092}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from workbench.abstraction.abstraction import abstract, restrict_actions
from workbench.compiling import compile_game
from workbench.evaluation.values import expected_values
from workbench.games.no_limit_leduc import NoLimitLeduc, follow
from workbench.later import pd
from workbench.progress import counted
from workbench.rules import GameError, shown
from workbench.runs.solve import solve
from workbench.tree import GameTree


def jam_fold_gaps(stacks: Iterable[int] = range(2, 9)) -> pd.DataFrame:
    """By chips of each player (the ante is 1): the value of the game for the first player, what
    each loses, in chips a hand, if all-in is her only bet, and the mean of both."""
    if not isinstance(stacks, Iterable):
        raise GameError(f"stacks are a list of whole numbers, such as [2, 4], not {shown(stacks)}")
    rows = []
    for stack in counted(stacks, "no-limit Leduc"):
        tree = compile_game(NoLimitLeduc(stack))
        value = _value(tree)
        lost = []
        for player, worth in enumerate((value, -value)):
            short = abstract(tree, restrict_actions(_jam_or_fold(stack, player)))
            lost.append(worth - _value(short.coarse, player))
        rows.append((stack, value, *lost, sum(lost) / 2))
    return pd.DataFrame(rows, columns=["stack", "value", "gap_first", "gap_second", "gap"])


def _value(tree: GameTree, player: int = 0) -> float:
    strategy = solve(tree, "lp").strategy
    return float(expected_values([strategy, strategy])[player])


def _jam_or_fold(stack: int, player: int) -> Callable[[int, Any, Any], bool]:
    """What a player may do who goes all-in or gives up, for `restrict_actions`; the other may do
    everything. Checking and answering an all-in are allowed, calling a smaller bet is not."""

    def allowed(who: int, seen: tuple[str, str, str], action: str) -> bool:
        if who != player or action in ("f", f"r{stack}"):
            return True
        paid = follow(stack, seen[2]).paid
        return action == "c" and (paid[0] == paid[1] or max(paid) == stack)

    return allowed
