"""Matches straight from the rules: for games that have no tree, or policies that have none.

Everyday example: two people who disagree about a card game do not compute, they play a hundred
evenings and count. Here as in `matches.py` every deal is played in all seatings, and the score
comes with a 95 % interval (which cannot know of what is rare and has not turned up: intervals.py);
only that nothing is compiled, so it is slower and knows no limits.

>>> import workbench as wb
>>> def bold(player, seen, actions): return actions[-1]
>>> def uniform(player, seen, actions): return [1 / len(actions)] * len(actions)
>>> both = {"bold": bold, "uniform": uniform}
>>> play_match(wb.load_game("leduc"), both, deals=500, seed=1).round(2)
         winnings  margin   low  high
bold          2.0    0.34  1.66  2.34
uniform      -2.0    0.34 -2.34 -1.66
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import permutations
from typing import TYPE_CHECKING, Any

from workbench.evaluation.intervals import intervals, no_scores
from workbench.policies import Dealer, Dice, Policy, as_policy
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules, need_rules
from workbench.tree import FloatArray

if TYPE_CHECKING:
    import pandas as pd

CARDS = 1000  # a stream of random numbers that no solver uses


def play_match(
    rules: Rules, players: Mapping[str, Any], *, deals: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """What each of P players wins: one row a name, columns winnings, margin, low, high.

    A player is a `Strategy`, a function f(player, seen, actions) as `Strategy.from_function` asks
    it, or an object with `probabilities(player, seen, actions)`, such as a sampled run. If all
    deals score alike, the margin is nan: unknown.
    """
    need_rules(rules)
    if not isinstance(players, Mapping) or len(players) != rules.players:
        raise GameError(
            f"{rules.name!r} is for {rules.players} players: give a dict with {rules.players} "
            "names and their policies"
        )
    policies = [as_policy(policy, str(name)) for name, policy in players.items()]
    scores = seated_scores(rules, policies, deals=deals, seed=seed)
    return intervals([str(name) for name in players], scores)


def seated_scores(
    rules: Rules, policies: Sequence[Policy], *, deals: int, seed: int = 0, duplicate: bool = True
) -> FloatArray:
    """(deals, P) what each policy wins from each deal, the mean over all seatings; without
    `duplicate` every seating gets cards of its own."""
    seatings = list(permutations(range(rules.players)))
    scores = no_scores(deals, rules.players)
    with ProgressBar(f"playing {rules.name}", deals * len(seatings)) as bar:
        for number, seating in enumerate(seatings):
            seated = [policies[member] for member in seating]
            stream = CARDS if duplicate else CARDS + 2 * number
            scores[:, seating] += played_scores(
                rules, seated, deals=deals, seed=seed, stream=stream, bar=bar, before=number * deals
            )
    return scores / len(seatings)


def played_scores(
    rules: Rules, seated: Sequence[Policy], *, deals: int, seed: int = 0, stream: int = CARDS,
    bar: ProgressBar | None = None, before: int = 0,
) -> FloatArray:  # fmt: skip
    """(deals, P) what each seat wins from each deal; the deals depend on the seed alone. `bar`:
    of a longer match, of which so many games were played `before`."""
    dealer = Dealer(rules)
    cards, coins = Dice(seed, stream=stream), Dice(seed, stream=stream + 1)
    scores = no_scores(deals, rules.players)
    with nullcontext(bar) if bar else ProgressBar(f"playing {rules.name}", deals) as shown:
        for deal in range(deals):
            scores[deal] = dealer.play(seated, cards.throw(deal), coins.throw(deal))
            shown.show(before + deal + 1)
    return scores
