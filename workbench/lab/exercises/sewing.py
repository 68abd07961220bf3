"""Exercises of notebook 08, *How do you sew two strategies together?*: small games and Leduc."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

from workbench.evaluation.best_response import best_response, exploitability
from workbench.lab.exercises.answers import (
    agree,
    chosen,
    nearly,
    need_function,
    numbers,
    strategy,
)
from workbench.lab.exercises.core import Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import FIRST, game, solved
from workbench.stitching.builders import betting_experts, round_experts
from workbench.stitching.experts import expert_sizes, static_experts
from workbench.stitching.partition import GraftingPartition
from workbench.stitching.sewing import Unreached
from workbench.strategy import Strategy

REPAIR = Question(
    "Player 2 loses 2/3 with the base. Two experts for her decisions after l, both with perfect "
    "eyes: S = {2} freezes her own other decisions, S = N freezes player 1 as well. Who repairs "
    "more?",
    "S = {2}; the other one repairs nothing",
    options=(
        "S = {2}; the other one repairs nothing",
        "S = N, since it knows what everybody does",
        "both the same: they see the same",
    ),
    because="S = {2} brings the loss to 1/3, S = N leaves it at 2/3. A frozen player 1 always "
    "plays l, so l says nothing about the card; a thinking one gives herself away.",
)
TIDY = Question(
    "All base probabilities below 1 % become zero while the four experts learn. The base itself "
    "still loses 490. The sewn strategy lost 150 before this; what does it lose now?",
    463,
    low=0,
    high=1000,
    step=1,
    unit="milli-antes",
    because="Without the leftovers nobody ever enters the room of the `ccr`-expert. She learns "
    "nothing and tosses coins, and the real opponent needs one raise to meet her.",
)


@cache
def _plain() -> Strategy:
    """The base of the small game: its players forget what chance drew."""

    def blind(player: int, seen: Any, actions: Any) -> Hashable:
        return "nothing" if player == 0 else seen[-1]

    return solved(game("figure1"), "lp", rule=blind)


def _after(*names: str) -> GraftingPartition:
    return betting_experts(game("figure1"), ["l", "r"]).of(1).only(list(names))


def _loss(sigma: Strategy) -> float:
    """What a perfect player 1 wins from player 2 in the small game."""
    return float(best_response(sigma, 0).value)


@exercise(
    "After each of five ways to bet before the flop there is the same flop betting. Count the "
    "places where somebody decides in one of them.",
    "Six places: to begin, after a check, after a bet (by either), after a raise (by either). At "
    "each she sees one of 3 ranks and one of 5 board cards. `wb.expert_sizes` knows it, too.",
)
def check_rooms(answer: Any) -> Verdict:
    """The information sets of the largest expert of `wb.round_experts(leduc)` with S = N."""
    part = round_experts(game("leduc"))
    sizes = expert_sizes(game("leduc"), part, players={0, 1})
    largest = max(sizes.values())
    return nearly(
        answer,
        largest,
        tolerance=0,
        slips={
            sum(sizes.values()): f"That is all {len(sizes)} experts together. They are computed "
            "one after the other, so only the largest has to fit.",
            max(
                expert_sizes(game("leduc"), part, players={0, 1}, abstraction=None).values()
            ): "That counts the suit of the own card as well; experts see `null`.",
            max(
                expert_sizes(game("leduc"), part, players=0, outside="JQ-K").values()
            ): "That is S = {i}: the opponent decides outside the part as well.",
            54: "With 3 board cards. The paper's players see the suit of the board: 5 cards.",
            186: "That is the `r`-expert of section 8, who takes over before the flop.",
        },
        good=f"All {len(sizes)} have the same size, half of the `r`-expert's: smaller than the "
        "base, which has 132.",
    )


@cache
def _trap(solver: str, unreached: Unreached) -> float:
    sewn = static_experts(
        game("figure1"), _plain(), _after("r"), players={0, 1}, abstraction=None, solver=solver,
        unreached=unreached,
    )  # fmt: skip
    return _loss(sewn)


@exercise(
    '`wb.static_experts(small, base, trap, players={0, 1}, abstraction=None, solver="lp")`, and '
    "then `loss(…)` of it.",
    'Once more with `unreached="base"` added. Look at `.at("c r", 1)` in both.',
)
def check_corner(answer: Any) -> Verdict:
    """What player 2 loses with the r-expert of the last example: by `lp`, and if the base plays."""
    truth = {"lp": _trap("lp", "uniform"), "the base plays on": _trap("lp", "base")}
    slips = {
        _trap("cfr+", "uniform"): "That is CFR+, which tosses a coin where nobody arrives.",
        2 / 5: "That is S = {2}, with a player 1 who thinks: `players={0, 1}` is asked for.",
        2 / 9: "That is the perfect strategy; this expert has learnt nothing at all.",
    }
    for name, value in numbers(answer, list(truth)).items():
        verdict = nearly(value, truth[name], unit="chips", slips=slips)
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    return right(
        "Where nobody arrives every answer is optimal inside. A linear program stops at some "
        "corner, here at x whatever she sees, the worst there is; the base, coarse as it is, had "
        "at least an opponent to think of."
    )


@cache
def _base() -> Strategy:
    return solved(game("leduc"), "cfr+", 2_000, "JQ-K")


@cache
def _sewn(names: tuple[str, ...]) -> float:
    """Milli-antes lost by the base with these experts, S = N."""
    if not names:
        return 1000 * exploitability(_base())
    part = betting_experts(game("leduc"), FIRST).only(list(names))
    return 1000 * exploitability(
        static_experts(game("leduc"), _base(), part, players={0, 1}, iterations=1_000)
    )


@exercise(
    "`experts.only(['r'])` is a partition with one expert; sew it with `players={0, 1}`, and "
    "compare `milli(…)` with the base's.",
    "Two of the four make the base worse. Ask of each: how many hands come to her door?",
)
def check_alone(answer: Any) -> Verdict:
    """Those of the experts r, cr, ccr, cccr that help the base when they are alone (S = N)."""
    given = chosen(answer, FIRST)
    base = _sewn(())
    for name in FIRST:
        lost = _sewn((name,))
        if (lost < base) != (name in given):
            return wrong(
                f"`{name}` alone {'helps' if lost < base else 'hurts'}: the base loses "
                f"{base:.0f} milli-antes, with this expert {lost:.0f}."
            )
    return right(
        f"`ccr` alone makes {base:.0f} into {_sewn(('ccr',)):.0f}, but in the company of `r` and "
        f"`cr` {_sewn(('r', 'cr')):.0f} into {_sewn(('r', 'cr', 'ccr')):.0f}. Our reading: a "
        "worst case is a maximum over ways to hurt us. Alone she opens a new one and closes none; "
        "in company the old ones are closed, and what she does well begins to count."
    )


@exercise(
    "`wb.expert_rule(small, partition, blind, None)` makes the woven rule of any partition; "
    "`wb.GraftingPartition.from_function` makes partitions that own sets of player 1, too.",
    "Player 2 needs to be fine after l *and* after r, and player 1 has to be able to use her "
    "card. Count what is then left to merge.",
)
def check_woven(answer: Any) -> Verdict:
    """How many information sets dynamic experts of the small game need to reach a loss of 2/9."""
    return nearly(
        answer,
        6,
        tolerance=0,
        slips={
            3: "Three is the base: it loses 2/3.",
            4: "With four sets, a player 1 who sees everything brings it to 8/15, no further.",
            5: "With five the best is 1/3: player 2 is still coarse after l or after r.",
            22: "22 is the number of histories.",
        },
        good="All six, which is the whole game. In a game this small weaving saves nothing, and "
        "two static experts who take turns (exercise 5) get there with four sets at a time.",
    )


@exercise(
    "`wb.static_experts(small, sigma, two.only(['l']), players={1}, abstraction=None, "
    "solver='lp')` sews the l-expert onto sigma.",
    "Sew the r-expert onto what you got, not onto sigma, and return it.",
)
def check_again(answer: Any) -> Verdict:
    """One round of repair as a function: the l-expert anew, then the r-expert onto the result."""
    again = need_function(answer, "again(sigma)")
    sigma, losses = _plain(), []
    for _ in range(10):
        sigma = strategy(again(sigma), game("figure1"))
        losses.append(_loss(sigma))
    said = "The losses of ten rounds: " + ", ".join(f"{loss:.3f}" for loss in losses) + "."
    if losses[0] < 0.23:
        return wrong(
            f"{said} Perfect at once: that is one expert for both places. Here each of the two "
            "learns while the other stands still."
        )
    if losses[-1] <= 2 / 9 + 0.004:
        return right(
            f"{said} Cohesion comes with patience. No law, though: the same two in the other "
            "order, r first, stay at 2/5, where neither can improve alone."
        )
    if agree(losses[-1], 2 / 5):
        return wrong(
            f"{said} Stuck: neither of the two can improve alone from here. The order decides; "
            "begin with l."
        )
    if agree(losses[0], 2 / 3):
        return wrong(
            f"{said} No better than the base: do both learn beside the *old* neighbour? The second "
            "must be sewn onto the result of the first."
        )
    return wrong(f"{said} That should go to 2/9 = 0.222. Is every round given the last result?")
