"""Exercises of notebook 12, *What did the authors leave for later?*: Leduc in milli-antes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from workbench.evaluation.best_response import best_response
from workbench.evaluation.values import seated
from workbench.lab.exercises.answers import agree, chosen, nearly, number, numbers, strategy
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import FIRST, by_rank, game, milli, solved
from workbench.stitching.builders import betting_experts
from workbench.stitching.expert_rules import expert_rule
from workbench.stitching.experts import expert_sizes, rebuild_base, static_experts
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy

TALK = Question(
    "Two experts, l and r, take turns; each is computed exactly (`lp`). At once they lose 2/3, and "
    "2/9 is the best there is. Where does their conversation end?",
    "at 2/9 if l begins, above it if r begins",
    options=(
        "at 2/9, whoever begins",
        "at 2/9 if l begins, above it if r begins",
        "at 2/3: each spoils what the other one has learnt",
    ),
    because="If l begins, each lap divides the distance to 2/9 by ten. If r begins, it stops at "
    "2/5: neither can improve alone there, and they would have to move together.",
)
REBUILT = Question(
    "With two experts the strategy loses 220 (CFR+). Now the base is solved again around them, and "
    "all know all experts. What does the strategy lose then?",
    770,
    low=0,
    high=1500,
    step=5,
    unit="milli-antes",
    because="More than three times as much. The new base is right in a game in which the opponents "
    "inside the parts cannot draw conclusions, and the real ones can.",
)
EYES = Question(
    "Fine eyes after a call, or fine eyes after a second raise: 118 and 119 information sets. "
    "Which makes the strategy safer?",
    "after a call, about ten times as much",
    options=(
        "after a second raise, where the pots are large",
        "after a call, about ten times as much",
        "both alike: they cost the same",
    ),
    because="Some 190 milli-antes against some 20. Before you believe in memory, count the hands.",
)
PRE = ("r", "cr")
EVERYBODY = (0, 1)
ITERATIONS = 10_000


@cache
def _base() -> Strategy:
    return solved(by_rank(), "cfr+", ITERATIONS, "JQ-K")


@cache
def _part(names: tuple[str, ...] = FIRST) -> GraftingPartition:
    return betting_experts(by_rank(), names)


@cache
def _sewn(names: tuple[str, ...]) -> Strategy:
    """The base of CFR+ with experts behind these bets, S = N."""
    return static_experts(by_rank(), _base(), _part(names), EVERYBODY, iterations=ITERATIONS)


def _rebuilt(sigma: Strategy, names: tuple[str, ...], players: Iterable[int] | int) -> Strategy:
    return rebuild_base(by_rank(), sigma, _part(names), "JQ-K", players, iterations=ITERATIONS)


@cache
def _confession() -> dict[str, float]:
    four, two = _sewn(FIRST), _sewn(PRE)
    own = seated([_rebuilt(four, FIRST, i) for i in EVERYBODY])
    return {
        "four": milli(_rebuilt(four, FIRST, EVERYBODY)),
        "two": milli(_rebuilt(two, PRE, EVERYBODY)),
        "own": milli(own),
        "before": milli(four),
    }


@exercise(
    "`wb.rebuild_base(tree, room.all, part, 'JQ-K', N, **room.how)` with `room = rooms['cfr+']`.",
    "The loss is `1000 * wb.exploitability(…)`; the first move is "
    "`sigma.at((card, '', ''), 0)['r']`.",
)
def check_confession(loss: Any, cards: Any) -> Verdict:
    """The loss with the base rebuilt under four experts, and the cards that player 1 raises."""
    found = _confession()
    truth = found["four"]
    verdict = nearly(
        loss,
        truth,
        tolerance=0.02,
        unit="milli-antes",
        slips={
            found["two"]: "That is with the two experts of section 3 (`early`, `pre`).",
            found["before"]: "That is the strategy *before* its base is rebuilt.",
            found["own"]: "That is with one's own experts known; asked is the one for everybody.",
            2 * truth: "That is the sum over both seats; exploitability is the mean.",
        },
    )
    if not verdict:
        return wrong(f"loss: {verdict.text}")
    if chosen(cards, ("J", "Q", "K")) != {"K"}:
        return wrong("cards: Look at `sigma.at((card, '', ''), 0)` for all three of them.")
    return right(
        f"{truth:.0f}: with four frozen experts the trap is deeper than with two "
        f"({found['two']:.0f}). A raise is a King, and a check is none."
    )


@cache
def _talk(order: str) -> tuple[float, ...]:
    """What player 2 loses in the smallest game after each lap of a conversation with CFR+."""
    small = game("figure1")

    def blind(player: int, seen: Any, actions: Any) -> Hashable:
        return "nothing" if player == 0 else seen[-1]

    sewn = solved(small, "lp", rule=blind)
    two, found = betting_experts(small, ["l", "r"]).of(1), []
    for _ in range(12):
        for name in order:
            sewn = static_experts(
                small, sewn, two.only(name), 1, abstraction=None, iterations=20_000
            )
        found.append(float(best_response(sewn, 0).value))
    return tuple(found)


def _below(losses: tuple[float, ...], bound: float = 0.25) -> int:
    return next(k for k, loss in enumerate(losses, 1) if loss < bound)


@exercise(
    "`talk('rl', 'cfr+', laps=12)` gives the loss after each lap.",
    "Laps are counted from one: the first number of the array is the loss after lap 1.",
)
def check_laps(answer: Any) -> Verdict:
    """After how many laps the loss is below 0.25 if r begins and CFR+ computes the experts."""
    laps, losses = number(answer, "a number of laps"), _talk("rl")
    truth = _below(losses)
    if laps == truth:
        return right(
            f"After {truth} laps it is {losses[truth - 1]:.3f}. CFR+ leaves each expert a little "
            "away from the corner, and from there the other one sees where to go."
        )
    if laps == _below(_talk("lr")):
        return wrong("That is if *l* begins. Let *r* begin.")
    if laps in range(1, len(losses) + 1):
        after = losses[int(laps) - 1]
        return wrong(f"After {laps:g} laps it is {after:.3f}{', but not first' * (after < 0.25)}.")
    return wrong(f"{laps:g} is too {'many' if laps > truth else 'few'}. Count whole laps of two.")


@exercise(
    "`in_turns(rooms['cfr+'], 'null', laps=…)`: two laps are not enough.",
    "Each lap brings a little less than the one before. Try five or six.",
)
def check_patience(answer: Any) -> Verdict:
    """A strategy below 100: the base of CFR+ outside the four parts, experts made in turns."""
    sigma, base = strategy(answer, by_rank()), _base()
    here = np.repeat(_part().part == 0, np.diff(by_rank().first_choice))
    if not np.allclose(sigma.probs[here], base.probs[here], rtol=0, atol=0.02):
        return wrong(
            "Outside the four parts this is not the base of CFR+: there, "
            f"{np.sum(np.abs(sigma.probs - base.probs)[here] > 0.02)} probabilities differ."
        )
    lost = milli(sigma)
    if lost >= 100:
        return wrong(f"It loses {lost:.1f} milli-antes; less than 100 is asked for.")
    return right(
        f"{lost:.1f} milli-antes, on a base that loses {milli(base):.0f} alone. Dynamic experts, "
        "whose base knows them, lose 115 and need no laps; but 444 sets at once instead of 327."
    )


def _prefixes(answer: Any) -> list[str]:
    if isinstance(answer, str):
        answer = [each.strip() for each in answer.split(",")]
    if isinstance(answer, Mapping) or not isinstance(answer, Iterable):
        raise UnfitError("a list of betting prefixes is needed here, such as ['rc', 'crc']")
    given = list(answer)
    if not given or not all(isinstance(each, str) and each for each in given):
        raise UnfitError("prefixes are texts of bets, such as ['rc', 'crc']; at least one of them")
    return given


@exercise(
    "Fine eyes in the whole flop after a call need 118 sets. Which part of it is worth most?",
    "Somebody bets on the flop: before that bet, or after it? Try prefixes one letter longer than "
    "`rc` and `crc`.",
)
def check_eyes(answer: Any) -> Verdict:
    """Prefixes for fine eyes: at most 80 sets in the largest expert, a loss below 400."""
    where = _prefixes(answer)
    rules = [expert_rule(t, betting_experts(t, where), "JQ-K") for t in (by_rank(), game("leduc"))]
    behind = betting_experts(game("leduc"), PRE)
    size = max(expert_sizes(game("leduc"), behind, EVERYBODY, abstraction=rules[1]).values())
    if size > 80:
        return wrong(f"The largest expert has {size} information sets; at most 80 may be used.")
    sewn = static_experts(
        by_rank(), _base(), _part(PRE), EVERYBODY, abstraction=rules[0], iterations=2_000
    )
    lost = milli(sewn)
    if lost >= 400:
        return wrong(f"{size} sets, and it loses {lost:.0f} milli-antes; below 400 is asked for.")
    return right(
        f"{size} sets and {lost:.0f} milli-antes. All coarse are 52 sets and 480, the whole flop "
        "after a call 118 sets and 266 (CFR+)."
    )


@cache
def _seesaw() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Five laps: what is lost after the base's move, and after the experts' move."""
    sigma, bases, experts = _sewn(PRE), [], []
    for _ in range(5):
        base = _rebuilt(sigma, PRE, EVERYBODY)
        sigma = static_experts(by_rank(), base, _part(PRE), EVERYBODY, iterations=ITERATIONS)
        bases.append(milli(base))
        experts.append(milli(sigma))
    return tuple(bases), tuple(experts)


LAPS = tuple(f"lap {k}" for k in range(1, 6))


@exercise(
    "A lap: `base = wb.rebuild_base(tree, sewn, pre, 'JQ-K', N, **room.how)`, then "
    "`sewn = wb.static_experts(tree, base, pre, N, **room.how)`. Begin with `room.early`.",
    "Five numbers, `1000 * wb.exploitability(sewn)` after each lap.",
)
def check_settle(answer: Any) -> Verdict:
    """The loss after the experts' move in each of five laps: rebuild for all, learn again."""
    bases, truth = _seesaw()
    given = tuple(numbers(answer, LAPS).values())
    if all(agree(x, y, 0.05) for x, y in zip(given, bases, strict=True)):
        return wrong("Those are the losses after the *base's* move; asked are the experts'.")
    for name, value, true in zip(LAPS, given, truth, strict=True):
        verdict = nearly(
            value,
            true,
            tolerance=0.05,
            unit="milli-antes",
            slips={
                milli(_sewn(PRE)): "That is `early`, where the laps begin.",
                2 * true: "That is the sum over both seats; exploitability is the mean.",
            },
        )
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    return right(
        f"It does not settle. It goes to and fro between {truth[-1]:.0f} and {truth[-2]:.0f}, both "
        f"above the {milli(_sewn(PRE)):.0f} of `early`: each side always answers what the other "
        "one has just given up."
    )
