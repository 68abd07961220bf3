"""Exercises of notebook 13, *Is that what the paper says?*: the ledger, and rooms of players."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from workbench.evaluation.tournament import tournament
from workbench.lab import ledger as reproduce
from workbench.lab.exercises.answers import agree, chosen, nearly, number, numbers
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import by_rank, game, solved

DIGITS = Question(
    "A paper prints 2.66, another one 2.6600. We find 2.6597. With whom do we agree?",
    "with the first only",
    options=("with both", "with the first only", "with neither"),
    because="A printed number is a promise about its digits: 2.66 stands for 2.655 to 2.665, "
    "2.6600 for 2.65995 to 2.66005.",
)
SPREAD = Question(
    "Six solvers solve the same abstract game almost perfectly. How far apart are their "
    "exploitabilities in real Leduc?",
    "more than 20 milli-antes",
    options=("less than 1 milli-ante", "about 5 milli-antes", "more than 20 milli-antes"),
    because="Inside nobody can tell the equilibria apart; the real opponent can, and each solver "
    "ends at its own.",
)
FIELD = Question(
    "In the room of three JQ.K earns more than J.Q.K, because it takes more from the weak J.QK. In "
    "the room of nine the weak one is one opponent of eight instead of one of two. And the lead?",
    "it changes sides: J.Q.K earns more",
    options=(
        "JQ.K leads by more",
        "it stays as it is: who is better is better",
        "it changes sides: J.Q.K earns more",
    ),
    because="Hunting pays less where there is less to hunt, and J.Q.K wins the duel.",
)
PAPER = "496.31"
TABLE = "gibson-szafron-2011-table1"
THREE = ("J.Q.K", "JQ.K", "J.QK")


@exercise(
    "`ledger['published'].notna()` are the rows with a number; two of the verdicts are agreement.",
    "`numbers['verdict'].isin(['reproduced', 'inside the range']).mean()`",
)
def check_share(answer: Any) -> Verdict:
    """The share of the published numbers (not claims) that are reproduced or inside the range."""
    rows = reproduce.read_ledger()
    printed = [row.verdict for row in rows if row.published is not None]
    exact, inside = (printed.count(word) for word in ("reproduced", "inside the range"))
    good, every = exact + inside, [row.verdict for row in rows]
    held = every.count("claim holds")
    return nearly(
        answer,
        good / len(printed),
        slips={
            good: "That is how many; divide by the number of printed numbers.",
            exact / len(printed): "Those inside the range belong to it.",
            good / len(rows): "That divides by all rows; claims have no number to agree with.",
            (good + held) / len(rows): "That has the claims in it, too.",
            1 - good / len(printed): "That is the share of those that are *not*.",
        },
        unit="a share between 0 and 1",
        good=f"{good} of {len(printed)}, {exact} of them to the last digit.",
    )


def _pcfr() -> float:
    parts = reproduce.read_result(TABLE).ours["2p exploitability Base"].parts
    return float(parts["pcfr+"])


@exercise(
    'Round 496.31 to fewer and fewer digits: "496.3", "496", and then? `verdict` wants the number '
    "as text, with an exponent if the last digits are not meant.",
    'Tens are written "…e1", or with one decimal and e2: 4.9e2 stands for 485 to 495.',
)
def check_rounding(answer: Any) -> Verdict:
    """496.31 as text, rounded no more than needed for pcfr+ (see section 4) to be reproduced."""
    if not isinstance(answer, str):
        raise UnfitError("the number is needed as text, in quotes: a float forgets its digits")
    try:
        printed = Decimal(answer.strip())
        unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    except (InvalidOperation, TypeError, ValueError):
        raise UnfitError(f"{answer!r} is no number that a paper could print") from None
    half, ours = float(unit) / 2, _pcfr()
    said = f'"{answer.strip()}" stands for {float(printed) - half:g} to {float(printed) + half:g}.'
    if abs(printed - Decimal(PAPER)) > unit / 2:
        why = f"{PAPER} is not in there, so nobody would round it to that."
        if printed == 500:
            why += " The zeros are promised, too; write it so that the last one is not."
        return wrong(f"{said} {why}")
    if abs(ours - float(printed)) > half:
        return wrong(f"{said} {ours:.2f} is not in there.")
    if unit > 10:
        return wrong(f"{said} That will do, but it is coarser than needed: keep one digit more.")
    return right(
        f"{said} Two digits: {ours:.2f} and {PAPER} agree there and in no finer rounding. A paper "
        "that prints five digits has promised more than its recipe says."
    )


@cache
def _room(solver: str, ranks: bool = False) -> dict[tuple[str, str], float]:
    """Millibets that the first of two wins from the second, in both seats: three bases and null."""
    tree = by_rank() if ranks else game("leduc")
    steps = 1 if solver == "lp" else 10_000
    players = {name: solved(tree, solver, steps, name) for name in (*THREE, "null")}
    won = (500 * tournament(players)).to_numpy()
    places = list(enumerate(players))
    return {(a, b): float(won[i, j]) for i, a in places for j, b in places}


@exercise(
    'Solve once more with `abstraction="null"` and put it into `three`; then `500 * '
    "wb.tournament(…)`.",
    "A player's winnings are the mean over her *three* opponents: `won.sum(axis=1) / 3`.",
)
def check_room(answer: Any) -> Verdict:
    """The mean winnings (millibets) of null, JQ.K, J.Q.K and J.QK in a room of these four."""
    won = _room("cfr+")
    names = ("null", "JQ.K", "J.Q.K", "J.QK")
    truth = {name: sum(won[name, other] for other in names) / 3 for name in names}
    for name, value in numbers(answer, names).items():
        mean = truth[name]
        verdict = nearly(
            value,
            mean,
            tolerance=0.03,
            unit="millibets",
            slips={
                3 * mean: "That is the sum; winnings are the mean over three opponents.",
                3 / 4 * mean: "Divide by three: nobody plays against herself.",
                2 * mean: "That is in milli-antes; a millibet is two of them.",
                mean / 500: "That is in chips: 500 millibets to the chip.",
                sum(won[name, other] for other in THREE) / 2: "That is the room of three.",
            },
        )
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    lead = truth["JQ.K"] - truth["J.Q.K"]
    return right(
        "`null` wins most, from everybody. The order of the other three stays: JQ.K is ahead of "
        f"J.Q.K by {lead:.1f} millibets, J.QK far behind. `null` takes about as much from "
        "either of the two, so it dilutes the field and decides nothing."
    )


def _lead(won: dict[tuple[str, str], float]) -> float:
    return sum(won["J.Q.K", other] - won["JQ.K", other] for other in THREE) / 2


@exercise(
    '`wb.solve(tree, "lp", abstraction=name)` for the three names; the lead is the difference of '
    "the two means, as `alone` in section 5.",
    "Subtract the cross table of CFR+ from the one of `lp`. Which pair changes most?",
)
def check_corner(lead: Any, match: Any) -> Verdict:
    """With `lp`, three in the room: J.Q.K's lead over JQ.K in millibets, the match behind it."""
    value, pair = number(lead), chosen(match, THREE)
    rooms = [_room("lp"), _room("lp", True)]  # with suits, as in the notebook, or by rank
    if not any(agree(value, _lead(won), 0.03) for won in rooms):
        truth = _lead(rooms[0])
        if value < 0:
            return wrong("A small negative lead is what CFR+ finds; with `lp` J.Q.K is ahead.")
        return nearly(
            value,
            truth,
            unit="millibets",
            slips={
                2 * truth: "That is the difference of the sums, or of milli-antes; winnings are "
                "the mean over two opponents, in millibets.",
                truth / 500: "That is in chips: 500 millibets to the chip.",
            },
        )
    if len(pair) != 2:
        return wrong('A match has two players: ["…", "…"].')
    (a, b), old = sorted(pair), _room("cfr+")
    if pair != {"JQ.K", "J.QK"}:
        return wrong(
            f"The lead is right. {a} against {b} goes from {old[a, b]:.0f} to "
            f"{rooms[0][a, b]:.0f} millibets; another match changes more."
        )
    return right(
        "The sign changes. J.Q.K did not become better: the hunter lost its prey. JQ.K took "
        f"{old['JQ.K', 'J.QK']:.0f} millibets from J.QK, and at this corner of the equilibria "
        f"takes {rooms[0]['JQ.K', 'J.QK']:.0f}."
    )
