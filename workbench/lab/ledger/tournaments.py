"""Jam/fold tournaments (Ganzfried and Sandholm, 2008 and 2009): the ex-post check, ICM's error."""

from __future__ import annotations

from functools import cache
from typing import Any

from workbench.jamfold.chip_values import icm
from workbench.jamfold.equity_tables import equities
from workbench.jamfold.found import Found, solve
from workbench.jamfold.tournament import Tournament
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours

LIMIT = 0.1  # % of the highest payoff
CHALLENGE = 0.5  # dollars: the talk names no number, this threshold is ours


class Tournaments:
    """Nine units, blinds 1 and 2, prizes 50, 30 and 20; each algorithm once."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.game = effort, Tournament()
        self.solved = cache(self._solve)

    def _solve(self, method: str) -> Found:
        if method != "pi-fp":
            self.effort.full_only("a quick measurement solves by policy iteration only")
        return solve(self.game, method, progress=self.effort.progress or None)

    @property
    def settings(self) -> dict[str, Any]:
        table = equities()
        return {
            "game": repr(self.game), "states": len(self.game.states), "boards": table.boards,
            "equity error": table.error, "largest equity error": table.largest,
            "seeds": f"{table.seed}, of the equities",
        }  # fmt: skip


def _gain(work: Tournaments, method: str) -> Ours:
    found = work.solved(method)
    part = 100 * found.ex_post_gain / work.game.prizes[0]
    return Ours(
        part, holds=part <= LIMIT, note=f"holds if nobody gains more than {LIMIT:g} %",
        facts={"rounds": found.now.outer, "dollars": found.ex_post_gain},
    )  # fmt: skip


def _icm_error(work: Tournaments, seat: str) -> Ours:
    table = work.solved("pi-fp").icm_error()
    each = table[table["seat"] == seat]["error"]
    size = each.abs()
    return Ours(
        float(each.mean()), float(each.min()), float(each.max()),
        holds=bool(size.max() > CHALLENGE),
        note=f"holds if some state is off by more than {CHALLENGE:g}, a threshold of our own",
        over="ICM minus the value found: mean and range over 28 states",
        facts={"mean of the sizes": float(size.mean())},
    )  # fmt: skip


def _button(work: Tournaments) -> Ours:
    button, small, big = work.solved("pi-fp").values((3, 3, 3))
    facts = {"small blind": small, "big blind": big}
    return Ours(button, holds=button > sum(work.game.prizes) / 3, facts=facts)


ENTRIES = {
    "ganzfried-sandholm-tournaments": Entry(
        "Ganzfried and Sandholm (2008, 2009), as told in Sandholm's talk: three-player jam/fold "
        "tournaments. Nine units instead of theirs; every gain is that of the ex-post check, the "
        "most that anybody could gain in any state.",
        Tournaments,
        {
            "gain by deviating, first algorithm": (_gain, "vi-fp"),
            "gain by deviating, policy iteration outside": (_gain, "pi-fp"),
            "gain by deviating, fictitious play outside": (_gain, "fp-pi"),
            "gain by deviating, pessimistic values": (_gain, "fp-vi"),
            "ICM's mean error, button": (_icm_error, "button"),
            "ICM's mean error, small blind": (_icm_error, "small blind"),
            "ICM's mean error, big blind": (_icm_error, "big blind"),
            "ICM of 6000, 4500, 3000 for the first stack": (
                lambda work: icm((6000, 4500, 3000), (50, 30, 20))[0]
            ),
            "value at equal stacks, button": _button,
        },
        scale="nine units in all; the papers' tournaments are larger",
    )
}
