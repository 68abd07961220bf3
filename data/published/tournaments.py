"""Jam/fold tournaments (Ganzfried and Sandholm, 2008 and 2009): the ex-post check, ICM's error."""

from __future__ import annotations

from collections import Counter
from functools import cache
from time import process_time
from typing import Any

from workbench.lab.ledger.papers.two_players import jam_fold_gaps
from workbench.lab.ledger.papers.waiting import worked_example

from workbench.jamfold.chip_values import icm
from workbench.jamfold.equity_tables import equities
from workbench.jamfold.found import TournamentSolution, solve
from workbench.jamfold.tournament import INFOSETS, SEATS, Tournament
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.cards.hand_classes import COMBOS

LIMIT = 0.1  # % of the highest payoff
CHALLENGE = 0.5  # dollars: the talk names no number, this threshold is ours
SUBSTANTIAL = 20.0  # % of the hands, a threshold of ours
SHORT, NEAR = 4, 0.01  # antes of a stack, and antes per hand that are nearly nothing; ours
TWICE = 2.0  # as long is still competitive; ours
NEW = ("pi-fp", "fp-pi", "fp-vi")


class Tournaments:
    """Nine units, blinds 1 and 2, prizes 50, 30 and 20; each algorithm once."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.game = effort, Tournament()
        self.solved = cache(self._solve)
        self.seconds: dict[str, float] = {}  # of the processor, by algorithm

    def _solve(self, method: str) -> TournamentSolution:
        if method != "pi-fp":
            self.effort.full_only("a quick measurement solves by policy iteration only")
        start = process_time()
        found = solve(self.game, method, progress=self.effort.progress or None)
        self.seconds[method] = process_time() - start
        return found

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


def _spaces(work: Tournaments) -> Ours:
    """Jam or fold with each of 169 hands, after each thing that can have happened before."""
    bits = {
        SEATS[seat]: len(COMBOS) * count for seat, count in Counter(s for s, _ in INFOSETS).items()
    }
    note = "of the button; the other seats decide after two and three different beginnings"
    return Ours(2 ** bits["button"], note=note, facts={"powers of two, by seat": bits})


def _stuck(work: Tournaments) -> Ours:
    """The first algorithm and its cure on a game in which all may wait for ever."""
    first, cured = (worked_example(method, start=2.0, rounds=5) for method in ("vi-fp", "pi-fp"))
    still = first["believed"].diff().iloc[-1] == 0
    gain = float(first["gain"].iloc[-1])
    return Ours(
        gain, holds=bool(still and gain > 0),
        note="in a waiting game of ours: the values no longer move, and a player gains by stopping",
        facts={"with policy iteration outside": float(cured["gain"].iloc[-1])},
    )  # fmt: skip


def _shares(found: TournamentSolution, stacks: tuple[int, ...], places: Any) -> dict[str, float]:
    """With how many of the hands, in %, a seat goes in after the others' moves."""
    charts = {f"{seat} {after}".strip(): found.push(stacks, seat, after) for seat, after in places}
    return {
        name: float(100 * (chart.ravel() @ COMBOS) / COMBOS.sum()) for name, chart in charts.items()
    }


def _apart(
    tournament: TournamentSolution, stacks: tuple[int, ...], places: Any
) -> dict[str, dict[str, float]]:
    """The same chips, worth what they are in the tournament, and worth their number."""
    game = tournament.game
    chips = (float(game.units), *[0.0] * (game.players - 1))
    flat = Tournament(units=game.units, players=game.players, prizes=chips, blinds=game.blinds)
    cash = solve(flat, "vi-fp", iterations=1, progress=None)
    both = {"cash": cash, "tournament": tournament}
    return {name: _shares(found, stacks, places) for name, found in both.items()}


def _differ(work: Tournaments) -> Ours:
    places = [(SEATS[seat], after) for seat, after in INFOSETS]
    both = _apart(work.solved("pi-fp"), (3, 3, 3), places)
    apart = {name: abs(x - both["cash"][name]) for name, x in both["tournament"].items()}
    most = max(apart, key=apart.__getitem__)
    return Ours(
        apart[most], holds=apart[most] > SUBSTANTIAL,
        note=f"{most} at equal stacks; holds if more than {SUBSTANTIAL:g}, a threshold of our own",
        facts=both,
    )  # fmt: skip


def _two_alike(work: Tournaments) -> Ours:
    """Two players with the same nine units: what they play for is the first prize only."""
    game = Tournament(units=work.game.units, players=2, prizes=(50.0, 30.0))
    found = solve(game, "pi-fp", progress=work.effort.progress or None)
    places = [("button", ""), ("big blind", "J")]
    both = _apart(found, (4, 5), places)
    apart = max(abs(x - both["cash"][name]) for name, x in both["tournament"].items())
    note = f"the largest difference; holds if at most {SUBSTANTIAL:g}, a threshold of our own"
    return Ours(apart, holds=apart <= SUBSTANTIAL, note=note, facts=both)


def _jam_or_fold(work: Tournaments) -> Ours:
    """What all-in as the only bet costs, mean of both seats, by the stack."""
    table = jam_fold_gaps(range(2, work.effort.pick(9, SHORT + 1)))
    gaps = {int(stack): float(gap) for stack, gap in zip(table["stack"], table["gap"], strict=True)}
    lost = {f"{stack} antes": gap for stack, gap in gaps.items()}
    worst = max(gap for stack, gap in gaps.items() if stack <= SHORT)
    return Ours(
        worst, holds=worst <= NEAR, facts=lost,
        note=f"no-limit Leduc, at most {SHORT} antes each; holds if at most {NEAR:g} is lost",
    )  # fmt: skip


def _competitive(work: Tournaments) -> Ours:
    """CPU seconds until the target, each algorithm once; what the first one compiles is warm."""
    assert work.solved("pi-fp")
    assert all(work.solved(method) for method in ("vi-fp", *NEW))
    taken = {method: round(seconds, 1) for method, seconds in work.seconds.items()}
    slow = max(NEW, key=taken.__getitem__)
    return Ours(
        taken[slow], holds=taken[slow] <= TWICE * taken["vi-fp"], facts=taken,
        note=f"{slow}, the slowest new one; holds if it takes at most twice as long as vi-fp, the "
        "first; a threshold of our own",
    )  # fmt: skip


ENTRIES = {
    "ganzfried-sandholm-tournaments": Entry(
        "Ganzfried and Sandholm (2008, 2009), as told in Sandholm's talk: three-player jam/fold "
        "tournaments. Nine units instead of theirs; every gain is that of the ex-post check, the "
        "most that anybody could gain in any state. What lecture 16 shows stands here too: a "
        "waiting game in which the first algorithm ends at no equilibrium, the same stacks in a "
        "cash game, and jam or fold for two players in no-limit Leduc.",
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
            "strategy space of the button": _spaces,
            "the first algorithm can end at no equilibrium": _stuck,
            "the new algorithms are competitive": _competitive,
            "tournament and cash game differ": _differ,
            "with two players they do not": _two_alike,
            "jam or fold is near-optimal with high blinds": _jam_or_fold,
        },
        scale="nine units in all; the papers' tournaments are larger",
    )
}
