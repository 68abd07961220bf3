"""Judges for the project *Is that what the paper says?*: the ledger, and fields of players."""

from decimal import Decimal, InvalidOperation
from functools import cache

import workbench as wb
from workbench.lab.exercises import UnfitError, agree, chosen, game, nearly, number, right, wrong

PAPER = "496.31"
THREE = ("J.Q.K", "JQ.K", "J.QK")


def check_share(answer):
    """The ledger grows, so what is true is counted here."""
    rows = wb.ledger.read_ledger()
    printed = [row.verdict for row in rows if row.published is not None]
    exact, inside = (printed.count(word) for word in ("reproduced", "inside the range"))
    good, held = exact + inside, [row.verdict for row in rows].count("claim holds")
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
        good=f"{good} of {len(printed)}, {exact} of them to the last digit.",
    )


def check_rounding(answer):
    if not isinstance(answer, str):
        raise UnfitError("the number is needed as text, in quotes: a float forgets its digits")
    try:
        printed = Decimal(answer.strip())
        unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    except (InvalidOperation, TypeError, ValueError):
        raise UnfitError(f"{answer!r} is no number that a paper could print") from None
    table = wb.ledger.read_result("gibson-szafron-2011-table1")
    half, ours = float(unit) / 2, float(table.ours["2p exploitability Base"].parts["pcfr+"])
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
def field(solver, ranks=False):
    """Millibets that the first of two wins from the second, in both seats."""
    tree = game("leduc", suit_isomorphism=ranks)
    how = {} if solver == "lp" else {"iterations": 10_000, "checkpoints": 10_000}
    players = {
        name: wb.solve(tree, solver, abstraction=name, progress=False, **how).strategy
        for name in THREE
    }
    return 500 * wb.tournament(players)


def ahead(won):
    return (won.loc["J.Q.K"].sum() - won.loc["JQ.K"].sum()) / 2


def check_corner(lead, match):
    """Which corner `lp` stops at is the solver's choice, so it is solved here again."""
    value, pair = number(lead), chosen(match, THREE)
    fields = [field("lp"), field("lp", True)]  # with suits, as in the notebook, or by rank
    if not any(agree(value, ahead(won), 0.03) for won in fields):
        truth = ahead(fields[0])
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
    a, b = sorted(pair)
    old, new = field("cfr+"), fields[0]
    if pair != {"JQ.K", "J.QK"}:
        return wrong(
            f"The lead is right. {a} against {b} goes from {old.loc[a, b]:.0f} to "
            f"{new.loc[a, b]:.0f} millibets; another match changes more."
        )
    return right(
        "The sign changes. J.Q.K did not become better, but JQ.K lost its best match: it took "
        f"{old.loc['JQ.K', 'J.QK']:.0f} millibets from J.QK, and at this corner of the equilibria "
        f"takes {new.loc['JQ.K', 'J.QK']:.0f}."
    )
