"""What strategies are worth: expected values, best responses, exploitability. All of it is exact.

    expected values       what each seat wins when strategies meet
    best response of i    max over σ'_i of u_i(σ'_i, σ_-i): one sweep over the sequence form
    gain of i             best response − u_i(σ): what i wins by deviating alone
    exploitability        the mean gain; zero exactly at a Nash equilibrium

In a two-player zero-sum game the gains add up to the two best responses, so exploitability
is their mean.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> uniform = Strategy.uniform(tree)
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> expected_values([uniform, bold])
array([-0.25,  0.25])
>>> best_response(uniform, 0).value, exploitability(uniform) * 24
(0.5, 11.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.rules import GameError
from workbench.strategy import Profile, Strategy, need_profile
from workbench.tree import FloatArray, GameTree, need_players


def common_tree(strategies: Sequence[Any]) -> Any:
    """The game that all strategies are for."""
    if not isinstance(strategies, Sequence) or not strategies:
        given = repr(strategies) if isinstance(strategies, Sequence) else type(strategies).__name__
        raise GameError(f"a list of strategies is needed here, [a, b], not {given}")
    tree = need_profile(strategies[0]).tree
    for k, strategy in enumerate(strategies):
        other = need_profile(strategy).tree
        if not other.same_as(tree):
            games = [(one, isinstance(one, GameTree)) for one in (tree, other)]
            one, two = (one.origin if is_tree else one.rules for one, is_tree in games)
            way = (
                "take those of wb.solve(rules, abstraction=buckets), and wb.sample_match",
                "solve both by the rules, or both on wb.compile_game(rules)",
                "lift both to the same game first",
            )[games[0][1] + games[1][1]]
            of = [f"{'the tree of ' * is_tree}{game.name!r}" for game, is_tree in games]
            raise GameError(
                f"strategy {k} is of {of[1]}, strategy 0 of {of[0]}, and they cannot "
                f"meet; {way if one == two else 'they are of different games'}"
            )
    return tree


def _one_each(strategies: Sequence[Profile]) -> Sequence[Profile]:
    """Refuse what is not one strategy of the same game for each seat."""
    tree = common_tree(strategies)
    if len(strategies) != tree.num_players:
        raise GameError(
            f"{tree.name!r} has {tree.num_players} seats, not {len(strategies)}; "
            "give one strategy for each seat"
        )
    return strategies


def seated(strategies: Sequence[Strategy]) -> Strategy:
    """The profile in which seat i is played by strategies[i]."""
    first, *others = _one_each(strategies)
    return first.seated(*others)  # type: ignore[no-any-return]


def expected_values(strategies: Sequence[Profile] | Profile) -> FloatArray:
    """(P,) what each seat wins; one strategy per seat, or one profile for all seats."""
    if not isinstance(strategies, Sequence):
        return need_profile(strategies).expected_values()
    first, *others = _one_each(strategies)
    return first.expected_values(*others)


# ---- the most that somebody could win who knew everything ----------------------------


@dataclass(frozen=True)
class BestResponse:
    """`value` is what `player` wins at best; `strategy` plays so, the others as before."""

    player: int
    value: float
    strategy: Strategy


def best_response(sigma: Profile, player: int) -> BestResponse:
    """The best reply of one player to the others' part of a profile."""
    need_players(need_profile(sigma).tree, (player,))
    return BestResponse(player, *sigma.best_response(player))


def gains(sigma: Profile) -> FloatArray:
    """(P,) what each player would win by deviating alone: her best response − her value."""
    return need_profile(sigma).gains()


def exploitability(sigma: Profile) -> float:
    """The mean over players of what deviating alone would win."""
    return need_profile(sigma).exploitability()
