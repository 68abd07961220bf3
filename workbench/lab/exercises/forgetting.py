"""Exercises of notebook 03, *What does abstraction cost?*: Leduc poker, in milli-antes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.rules import restrict_actions
from workbench.evaluation.values import expected_values, seated
from workbench.lab.exercises.answers import agree, nearly, need_function, numbers, strategy
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import by_rank, game, milli, solved
from workbench.strategy import Strategy

OUTSIDE = Question(
    "CFR+ solves JQ-K. Inside the abstraction its exploitability goes to 0. And in real Leduc?",
    "it falls, and stops near half an ante",
    options=(
        "it goes to 0 as well, only later",
        "it falls, and stops near half an ante",
        "it stays where it began",
    ),
    because="490 milli-antes remain. They are not the solver's fault: the strategy is perfect "
    "against opponents who are as blind as it is.",
)
LADDER = Question(
    "Four abstractions, each a refinement of the one before: 132, 198, 228 and 288 information "
    "sets. What does the exploitability of their equilibria do along the ladder?",
    "it goes up once, then down to 0",
    options=(
        "it goes down at every step, to 0",
        "it goes up once, then down to 0",
        "it goes down, but never reaches 0",
    ),
    because="A player who learns to tell Jack from Queen becomes about 150 milli-antes easier to "
    "beat; with both ranks known, nothing that matters is forgotten.",
)
RERAISE = Question(
    "Nobody may re-raise in the abstract game: one kind of move is missing. What will its "
    "equilibrium lose in real Leduc? (Always folding loses 1000, playing at random 2374.)",
    2360,
    low=0,
    high=2500,
    step=1,
    unit="milli-antes",
    because="About as much as at random. The real opponent re-raises, and the strategy has no "
    "idea what to do then.",
)


@cache
def _value(hero: int | None) -> float:
    """What Leduc is worth to player 1 if one player is as blind as JQ.K, exactly."""
    tree = by_rank() if hero is None else abstract(game("leduc"), "JQ.K", players=[hero]).coarse
    return float(expected_values(solved(tree, "lp"))[0])


@exercise(
    "`only(0, rules['JQ.K'])` makes player 1 blind; solve it with `lp` and ask for "
    "`wb.expected_values`.",
    "With suits and without blindness the game is worth −0.0856 to player 1. A blind player 1 "
    "gets less, a blind player 2 lets her have more.",
)
def check_seats(answer: Any) -> Verdict:
    """The value of Leduc to player 1, in chips, if only player 1, or only player 2, sees JQ.K."""
    truth = {"only player 1": _value(0), "only player 2": _value(1)}
    given = numbers(answer, list(truth))
    one, two = truth.values()
    if agree(given["only player 1"], two) and agree(given["only player 2"], one):
        return wrong("Right numbers, wrong seats: a blind player 1 cannot be worth more to her.")
    for hero, (name, value) in enumerate(given.items()):
        lost = abs(truth[name] - _value(None))
        verdict = nearly(
            value,
            truth[name],
            unit="chips",
            slips={
                lost: "That is what blindness costs; asked is the value of the game to player 1.",
                _value(None): "That is real Leduc, where nobody is blind.",
                -0.1074307940: "That is JQ.K, where both are blind.",
                -truth[name]: "That is the value to player 2; asked is player 1's.",
            },
            bad=f"Abstract player {hero + 1} alone, and solve with `lp`.",
        )
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    costs = [1000 * abs(value - _value(None)) for value in truth.values()]
    return right(
        f"Blindness costs player 1 {costs[0]:.0f} milli-antes and player 2 {costs[1]:.0f}. A "
        "likely reason: he decides when more has been said, and has more use for his eyes."
    )


@exercise(
    "JQ.K has 132 sets; each further label on the flop costs 30, each one before it 6. So there is "
    "room for one more thing to know on the flop.",
    "What does the opponent see and you do not? What lies on the board.",
    "If you hold a Jack or a Queen without a pair: is the board a King or not?",
)
def check_small(answer: Any) -> Verdict:
    """An abstraction of at most 170 information sets that loses less than 400 milli-antes."""
    rule = need_function(answer, "rule(player, seen, actions)")
    made = abstract(game("leduc"), rule)
    sets = made.coarse.num_infosets
    if sets > 170:
        return wrong(f"{sets} information sets; at most 170 are allowed. Forget something more.")
    lost = milli(made.lift(solved(made.coarse, "cfr+", 2_000)))
    said = f"{sets} information sets, {lost:.0f} milli-antes after 2,000 iterations of CFR+."
    if not made.coarse.perfect_recall:
        said += " (It forgets what it once knew: imperfect recall.)"
    if lost < 400:
        return right(f"{said} JQ.K, with 132 sets, loses about 490.")
    return wrong(f"{said} Below 400 is asked for; JQ.K loses about 490.")


@cache
def _silence(before_the_flop: bool, knowing: bool) -> float:
    """Milli-antes lost without bets: everywhere or before the flop; with or without an answer."""

    def allowed(player: int, seen: Any, action: Any) -> bool:
        return not (action == "r" and (not before_the_flop or not seen[1]))

    rule = restrict_actions(allowed)
    if not knowing:
        made = abstract(game("leduc"), rule)
        return milli(made.lift(solved(made.coarse, "cfr+", 2_000)))
    heroes = []
    for hero in (0, 1):
        made = abstract(game("leduc"), rule, players=[hero])
        heroes.append(made.lift(solved(made.coarse, "lp")))
    return milli(seated(heroes))


@exercise(
    "`wb.abstraction.restrict_actions(lambda player, seen, action: action != 'r')` forbids bets; "
    "`seen[1]` is the board, empty before the flop.",
    "`1000 * wb.exploitability(least_exploitable(rule))`, as in section 10: we never bet, but we "
    "have met opponents who do.",
)
def check_silence(answer: Any) -> Verdict:
    """What never betting costs if the answers are known: everywhere, and before the flop only."""
    truth = {"everywhere": _silence(False, True), "before the flop": _silence(True, True)}
    for name, value in numbers(answer, list(truth)).items():
        first = name == "before the flop"
        verdict = nearly(
            value,
            truth[name],
            unit="milli-antes",
            slips={
                _silence(
                    first, False
                ): "That includes the missing answers: your opponent bets, and "
                "your strategy has no idea. Asked is the missing move alone.",
                2 * truth[name]: "That is the sum over both players; exploitability is the mean.",
            },
        )
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    return right(
        f"Without the answers both lose {_silence(False, False):.0f}. The missing move costs "
        f"{truth['everywhere']:.0f} and {truth['before the flop']:.0f}: the rest is ignorance."
    )


@exercise(
    "At epsilon = 0.001 the hero still has to play an equilibrium, but the kindest one.",
    "At epsilon = 0.999 the opponent is nearly always sharp: what is the least exploitable "
    "strategy that J.Q.K can express?",
)
def check_tradeoff(answer: Any) -> Verdict:
    """The two numbers of the notebook between which `outside` of J.Q.K runs, in milli-antes."""
    low, high = sorted(numbers(answer, ("one end", "other end")).values())
    truth = (107.658, 639.518)
    for value, asked, which in ((low, truth[0], "lower"), (high, truth[1], "upper")):
        verdict = nearly(
            value,
            asked,
            unit="milli-antes",
            slips={
                644.4: "That is where CFR+ ends; the kindest equilibrium is a little better.",
                518.2: "That is one per cent of doubt; go on.",
                169.719: "That is the floor of JQ.K.",
                41.646: "That is the floor of `strength`.",
                489.769: "That is the kindest equilibrium of JQ.K.",
                0: "J.Q.K cannot see the board; it cannot be safe against somebody who does.",
            },
        )
        if not verdict:
            return wrong(f"The {which} end: {verdict.text}")
    return right(
        "From the kindest equilibrium, 639.5, to the least exploitable strategy that J.Q.K can "
        "express, 107.7. Doubt buys the way from one to the other."
    )


@exercise(
    "The equilibria of JQ.K are a set with corners, and the loss is largest at one of them.",
    "`wb.equilibrium_range(wb.abstract(tree, 'JQ.K'))` climbs from random corners; `.worst` is a "
    "strategy of the full game.",
)
def check_cruel(answer: Any) -> Verdict:
    """An equilibrium of JQ.K that loses more than 600 milli-antes in real Leduc."""
    made = abstract(game("leduc"), "JQ.K")
    try:
        coarse = strategy(answer, made.coarse)
    except UnfitError:
        full = strategy(answer, game("leduc"))
        probs = np.zeros(made.coarse.num_choices)
        probs[made.choice_map] = full.probs
        coarse = Strategy(made.coarse, probs)
        if not np.allclose(made.lift(coarse).probs, full.probs, rtol=0, atol=1e-6):
            return wrong("This is not a strategy of JQ.K: it tells hands apart that JQ.K merges.")
    inside, outside = milli(coarse), milli(made.lift(coarse))
    said = f"Inside {max(inside, 0):.2f}, outside {outside:.1f} milli-antes."
    if inside > 1:
        return wrong(f"{said} More than 1 inside: that is no equilibrium of JQ.K.")
    if outside <= 600:
        return wrong(f"{said} There are worse ones: more than 600 is asked for.")
    return right(f"{said} The kindest equilibrium of the same game loses 489.8.")
