"""Exercises of notebook 11, *Do grafts help?*: Kuhn poker in chips, Leduc in millibets."""

from __future__ import annotations

from functools import cache
from typing import Any

from workbench.evaluation.best_response import exploitability
from workbench.evaluation.tournament import standings
from workbench.evaluation.values import seated
from workbench.lab.analysis.graft_theorem import graft_gains
from workbench.lab.exercises.answers import agree, nearly, number, numbers
from workbench.lab.exercises.core import Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import FIRST, by_rank, solved
from workbench.stitching.builders import betting_experts, card_experts
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy

SIZE = Question(
    "The grafted strategies see all 288 information sets; the base J.Q.K has 198. How many has the "
    "largest game that is solved for a graft on it?",
    147,
    low=0,
    high=300,
    because="While one card learns, the two others stand still: the game of a graft is smaller "
    "than the base's, though its player sees everything.",
)
PARTNER = Question(
    "The training partner of the grafts now sees the whole game. What will they be like?",
    "safer, but most of them earn less than their base",
    options=(
        "safer, and they earn more: who trains with the best becomes the best",
        "safer, but most of them earn less than their base",
        "easier to beat, since they learnt against one opponent only",
    ),
    because="All six become harder to beat, by 43 to 118 millibets, and four of six earn less "
    "than their base: the room is full of blind players, against whom caution is wasted.",
)
NAMES = ("J.Q.K", "JQ.K", "J.QK")
ITERATIONS = 2_000


@cache
def _base(name: str) -> Strategy:
    return solved(by_rank(), "pcfr+", ITERATIONS, name)


@cache
def _grafted(name: str, kind: str, partner: str | None) -> Strategy:
    """A base with grafts "pre-flop", "flop" or by "betting", both players."""
    part: GraftingPartition
    if kind == "betting":
        part = betting_experts(by_rank(), FIRST)
    else:
        part = card_experts(by_rank(), start=int(kind == "flop"))
    return seated(
        [
            graft_gains(
                by_rank(), _base(name), part.of(i), i, outside=partner, solver="pcfr+",
                iterations=ITERATIONS,
            ).strategy
            for i in (0, 1)
        ]
    )  # fmt: skip


def _millibets(sigma: Strategy) -> float:
    return 500 * exploitability(sigma)


@exercise(
    "`wb.card_experts(kuhn, ['J']).of(1)` is a partition with one graft; `wb.graft_gains` as in "
    "section 3 gives its `gain`.",
    "For player 1: `wb.card_experts(kuhn).of(0)`, and player 0 in `graft_gains`. Look at what he "
    "does with his first word, before and after.",
)
def check_jack(answer: Any) -> Verdict:
    """The gain (chips) of player 2's graft for the Jack alone, and of player 1's for all cards."""
    given = numbers(answer, ("player 2, Jack only", "player 1, all cards"))
    two, one = given.values()
    verdict = nearly(
        two,
        1 / 6,
        unit="chips",
        slips={
            1 / 3: "That is the greedy best response; a graft is careful.",
            500 / 6: "That is in millibets; asked are chips.",
            1 / 2: "She holds the Jack in one hand of three only.",
            0: "The Jack learns to fold, where it called every second time. That is worth a lot.",
        },
    )
    if not verdict:
        return wrong(f"player 2, Jack only: {verdict.text}")
    if abs(one) > 1e-3:
        why = f"{one:.4g} is not what he gains. Is it `outside=beginner`, and player 0?"
        if agree(abs(one), 1 / 6):
            why = "1/6 is what a best response would gain, or what player 2's Jack gains."
        elif agree(abs(one), 1 / 3):
            why = "1/3 is what a perfect player 2 wins from him; asked is what the grafts gain."
        return wrong(f"player 1, all cards: {why}")
    return right(
        "The Jack alone is worth as much as all three together, and player 1 gains nothing: he "
        "bets with every card, and in each graft's game that is still right. The grafts change "
        "only his second word, which he never comes to say."
    )


@exercise(
    '`wb.standings(room | {"equilibrium": wb.solve(tree, "lp").strategy})`, sorted by winnings.',
    "In both seats together nobody can win anything from an equilibrium. So how many does it beat?",
)
def check_guest(answer: Any) -> Verdict:
    """The equilibrium's place by winnings among the ten, and how many of the nine it beats."""
    given = numbers(answer, ("place", "beats"))
    room = {name: _base(name) for name in NAMES}
    for name in NAMES:
        room |= {f"{name} {kind}": _grafted(name, kind, name) for kind in ("pre-flop", "flop")}
    table = standings(room | {"equilibrium": solved(by_rank(), "cfr+", ITERATIONS)})
    won = {str(name): 500 * float(x) for name, x in table["winnings"].items()}
    beats = {str(name): int(x) for name, x in table["wins"].items()}["equilibrium"]
    if given["beats"] == 10:
        return wrong("Ten players are in the room, and nobody beats herself.")
    if given["beats"] != beats:
        return wrong(
            f"It does not beat {given['beats']:g}. Over both seats an equilibrium never loses, and "
            "all others here have weaknesses that it meets by playing well."
        )
    mine = won.pop("equilibrium")
    if given["place"] != 1 + sum(other > mine for other in won.values()):
        return wrong(f"Not place {given['place']:g}: look at the column of winnings.")
    second = max(won, key=lambda name: won[name])
    return right(
        f"First, and it beats all nine. The one that CFR+ finds earns {mine:.0f} millibets, "
        f"`{second}` follows with {won[second]:.0f}; the one that `lp` finds earns 28. Equilibria "
        "are all equally safe, and not equally good at winning from the weak."
    )


@exercise(
    "`wb.betting_experts(tree, ['r', 'cr', 'ccr', 'cccr'])` instead of `parts[kind]`, the rest as "
    "in `invite`: `graft_gains` for both players with `outside='JQ.K'`, then `seated`.",
    "`500 * wb.exploitability(…)` of the seated pair. Compare with 247.5, the base's.",
)
def check_betting(answer: Any) -> Verdict:
    """The exploitability (millibets) of JQ.K with grafts by betting: r, cr, ccr, cccr."""
    cards = {kind: _millibets(_grafted("JQ.K", kind, "JQ.K")) for kind in ("pre-flop", "flop")}
    truth, base = _millibets(_grafted("JQ.K", "betting", "JQ.K")), _millibets(_base("JQ.K"))
    return nearly(
        answer,
        truth,
        tolerance=0.015,
        slips={
            2 * truth: "That is in milli-antes, or the sum of both seats; a millibet is two "
            "milli-antes, and exploitability the mean.",
            truth / 500: "That is in chips: 500 millibets to the chip.",
            base: "That is the base without grafts.",
            cards["pre-flop"]: "Those are the pre-flop grafts by card.",
            cards["flop"]: "Those are the flop grafts by card.",
            _millibets(
                _grafted("JQ.K", "betting", None)
            ): "That is with a sharp partner; `outside='JQ.K'` is asked for.",
        },
        good=f"Less than the base's {base:.0f}, where grafts by card have {cards['pre-flop']:.0f} "
        f"and {cards['flop']:.0f}. Theorem 1 holds for both cuts, and does not care which one "
        "you choose. The perfect opponent does.",
    )


@exercise(
    "In `invite` the partner's eyes are `outside=view`. Set it to `'J.Q.K'` for the base `'JQ.K'`.",
    "`graft_gains(tree, room['JQ.K'], parts[kind].of(i), i, outside='J.Q.K', …)` for i = 0 and 1, "
    "then `seated`, then 500 times the exploitability.",
)
def check_sharper(answer: Any) -> Verdict:
    """The exploitability (millibets) of JQ.K's grafts by card with a partner who sees J.Q.K."""
    given = numbers(answer, ("pre-flop", "flop"))
    found = {
        kind: {view: _millibets(_grafted("JQ.K", kind, view)) for view in ("JQ.K", "J.Q.K", None)}
        for kind in given
    }
    if all(
        agree(number(given[a]), found[b]["J.Q.K"], 0.015)
        for a, b in zip(given, [*given][::-1], strict=True)
    ):
        return wrong("Right numbers, but pre-flop and flop have changed places.")
    for kind, value in given.items():
        truth = found[kind]["J.Q.K"]
        verdict = nearly(
            value,
            truth,
            tolerance=0.015,
            slips={
                found[kind]["JQ.K"]: "That partner is as blind as the base.",
                found[kind][None]: "That partner sees everything: `outside='J.Q.K'` is asked for.",
                2 * truth: "That is in milli-antes, or the sum of both seats.",
                truth / 500: "That is in chips: 500 millibets to the chip.",
            },
        )
        if not verdict:
            return wrong(f"{kind}: {verdict.text}")
    steps = [
        f"{kind}: " + " → ".join(f"{lost:.0f}" for lost in ways.values())
        for kind, ways in found.items()
    ]
    return right(
        f"From the blind partner to J.Q.K to the sharp one: {'; '.join(steps)}. A partner who is a "
        "little sharper does not make a graft a little safer. What she sees more is not what the "
        "perfect opponent uses: the board."
    )
