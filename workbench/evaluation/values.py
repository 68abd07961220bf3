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

import numpy as np

from workbench.kernels import kernel
from workbench.passes import profile_values
from workbench.rules import GameError
from workbench.sequence_form import (
    SequenceForm,
    all_gradients,
    best_up,
    down,
    gradient,
    sequence_form,
    up,
)
from workbench.strategy import JudgesItself, Profile, Strategy, need_profile, need_strategy
from workbench.tree import FloatArray, Form, GameTree, need_players


def common_tree(strategies: Sequence[Strategy]) -> GameTree:
    """The game that all strategies are for."""
    if not isinstance(strategies, Sequence) or not strategies:
        given = repr(strategies) if isinstance(strategies, Sequence) else type(strategies).__name__
        raise GameError(f"a list of strategies is needed here, [a, b], not {given}")
    tree: GameTree = need_profile(strategies[0]).tree
    for k, strategy in enumerate(strategies):
        other = need_profile(strategy).tree
        if not other.same_as(tree):
            raise GameError(
                f"strategy {k} is of {other.name!r}, strategy 0 of {tree.name!r}, and they cannot "
                "meet; lift both to the same game first"
            )
    return tree


def seated(strategies: Sequence[Strategy]) -> Strategy:
    """The profile in which seat i is played by strategies[i]."""
    tree = common_tree(strategies)
    if len(strategies) != tree.num_players:
        raise _seats(tree.name, tree.num_players, len(strategies))
    if isinstance(tree, Form):
        return tree.seated(strategies)  # type: ignore[no-any-return]
    probs = np.empty(tree.num_choices)
    for i, strategy in enumerate(strategies):
        mine = tree.choices_of(i)
        probs[mine.start : mine.stop] = strategy.probs[mine.start : mine.stop]
    return Strategy(tree, probs)


def _seats(name: str, seats: int, given: int) -> GameError:
    return GameError(f"{name!r} has {seats} seats, not {given}; give one strategy for each seat")


def expected_values(strategies: Sequence[Profile] | Profile) -> FloatArray:
    """(P,) what each seat wins; one strategy per seat, or one profile for all seats."""
    if isinstance(strategies, JudgesItself):
        return strategies.expected_values()
    if isinstance(strategies, Sequence) and strategies and isinstance(strategies[0], JudgesItself):
        if len(strategies) != (seats := strategies[0].tree.num_players):
            raise _seats(strategies[0].tree.name, seats, len(strategies))
        return strategies[0].expected_values(*strategies[1:])
    if isinstance(strategies, Sequence):
        strategies = seated(strategies)  # type: ignore[arg-type]  # which checks each of them
    profile = need_strategy(strategies)
    return profile_values(profile.tree, profile.probs)


# ---- the most that somebody could win who knew everything ----------------------------


@dataclass(frozen=True)
class BestResponse:
    """`value` is what `player` wins at best; `strategy` plays so, the others as before."""

    player: int
    value: float
    strategy: Strategy


def best_response(sigma: Profile, player: int) -> BestResponse:
    """The best reply of one player to the others' part of a profile."""
    need_players(tree := need_profile(sigma).tree, (player,))
    if isinstance(sigma, JudgesItself):
        return BestResponse(player, *sigma.best_response(player))
    form = sequence_form(tree)
    x, probs, g = form.plan(sigma.probs), sigma.probs.copy(), np.zeros(form.num_sequences)
    all_gradients(form, player, x, g)
    low, high = form.first_infoset[player : player + 2]
    best_up(form, low, high, g, probs)
    return BestResponse(player, float(g[tree.num_choices + player]), Strategy(tree, probs))


def gains(sigma: Profile) -> FloatArray:
    """(P,) what each player would win by deviating alone: her best response − her value."""
    if isinstance(sigma, JudgesItself):
        return sigma.gains()
    form = sequence_form(need_strategy(sigma).tree)
    out = np.empty(form.num_players)
    _gains(form, sigma.probs, out)
    return out


def exploitability(sigma: Profile) -> float:
    """The mean over players of what deviating alone would win."""
    if isinstance(sigma, JudgesItself):
        return sigma.exploitability()
    return float(gains(sigma).mean())


@kernel
def _gains(form: SequenceForm, probs: FloatArray, out: FloatArray) -> None:
    players, k, m = len(out), len(probs), len(form.above)
    x, pure = np.ones(k + players), np.zeros(k)
    down(form, probs, 0, m, x)
    honest = np.zeros(k + players)
    gradient(form, 0, k + players, x, honest)
    best = honest.copy()
    up(form, probs, 0, m, honest, np.zeros(m))
    best_up(form, 0, m, best, pure)
    for i in range(players):
        out[i] = best[k + i] - honest[k + i]
