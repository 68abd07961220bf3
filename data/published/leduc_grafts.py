"""The field of Waugh, Bard & Bowling's Leduc tournament: three bases, each grafted in two ways.

    J.Q.K, JQ.K, J.QK       equilibria of these abstractions
    … preflop grafts        a graft for each private card, which plays everything
    … flop grafts           a graft for each private card, which plays after the flop

A graft forgets nothing about its player. Its opponent stays in the base's abstraction: with an
opponent who sees everything the text's claims fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from workbench.lab.ledger.papers.bases import adds_up, bounded
from workbench.lab.ledger.papers.claims import NOTHING, Claim, pairs
from workbench.lab.ledger.papers.dominance import dominated_mass
from workbench.lab.ledger.papers.graft_theorem import GraftGains, graft_gains

from workbench.abstraction.abstraction import abstract, piecewise
from workbench.compiling import compile_game
from workbench.evaluation.tournament import tournament
from workbench.evaluation.values import exploitability, seated
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.runs.experiment import Experiment
from workbench.runs.solve import solve
from workbench.solvers.base import Solver
from workbench.stitching.partition import card_experts
from workbench.strategy import Strategy
from workbench.tree import GameTree

BASES = ("J.Q.K", "JQ.K", "J.QK")
PREFLOP = tuple(f"{name} preflop grafts" for name in BASES)
FLOP = tuple(f"{name} flop grafts" for name in BASES)
GRAFTS = PREFLOP + FLOP
NAMES = BASES + GRAFTS
FOLDING = "always folding"
OF_BASES = tuple(zip(GRAFTS, BASES * 2, strict=True))  # graft, base
MILLIBETS = 500.0  # in a chip
EPSILON = 1e-5  # chips that a player may gain, as in the paper
CHOSEN = "pcfr+ on pcfr+"  # grafts on bases; comes closest soonest
FREE_STEPS = 4_000  # iterations against an opponent who forgets nothing
STEPS, GRAFT_STEPS = 300_000, {"pcfr+": 50_000, "cfr+": 300_000}  # iterations
CLAIMS = {
    **{
        f"{order}: {claim}": Claim(order, of, rank)
        for order in ("winnings", "wins")
        for claim, of, rank in (
            ("J.Q.K is the best base", pairs(BASES[:1], BASES[1:]), 0),
            ("JQ.K is better than J.QK", pairs(BASES[1:2], BASES[2:]), 0),
            ("preflop grafts keep the bases' order", tuple(pairwise(PREFLOP)), 0),
            ("flop grafts keep the bases' order", tuple(pairwise(FLOP)), 0),
            ("every graft improves on its base", OF_BASES, 0),
            ("preflop better than flop, usually", tuple(zip(PREFLOP, FLOP, strict=True)), 1),
        )
    },
    "winnings: JQ.K flop before JQ.K preflop grafts": Claim("winnings", ((FLOP[1], PREFLOP[1]),)),
    "winnings: larger is better, but for J.QK flop": Claim("winnings", pairs(GRAFTS[:-1], BASES)),
    "winnings: J.QK flop is the exception": Claim("winnings", pairs(BASES, FLOP[2:]), -1),
    "a graft can be more exploitable than its base": Claim("exploitability", OF_BASES, -1),
    "always folding is less exploitable than a graft": Claim(
        "exploitability", pairs(GRAFTS, [FOLDING]), -1
    ),
    "grafts make fewer dominated choices than their base": Claim(
        "dominated", tuple((base, graft) for graft, base in OF_BASES)
    ),
    "always folding wins against nobody": Claim("won from folding", pairs(NAMES, [NOTHING])),
    "always folding would be last": Claim("winnings of ten", pairs(NAMES, [FOLDING])),
}


@dataclass(frozen=True)
class Nine:
    """How the nine do: column -> name -> millibets, or wins."""

    numbers: dict[str, dict[str, float]]
    theorem: list[GraftGains]  # both sides of Theorem 1 for every player's grafts; chips

    @property
    def epsilon(self) -> float:
        """How many chips somebody could gain in a game that was solved for them, at most."""
        return max(float(one.epsilon) for one in self.theorem)


def play_nine(
    tree: GameTree, bases: Mapping[str, Strategy], solver: Solver | str, iterations: int
) -> Nine:
    """Graft the three bases, and let everybody meet everybody, exactly."""
    players, theorem = dict(bases), []
    for kind, start in (("preflop", 0), ("flop", 1)):
        cards = card_experts(tree, start=start)
        for name, base in bases.items():
            both = [
                graft_gains(
                    tree, base, cards.of(i), i, outside=name, solver=solver, iterations=iterations
                )
                for i in (0, 1)
            ]
            players[f"{name} {kind} grafts"] = seated([one.strategy for one in both])
            theorem += both
    ten = {name: players[name] for name in NAMES} | {FOLDING: always_fold(tree)}
    won = MILLIBETS * tournament(ten).to_numpy()
    np.fill_diagonal(won, 0.0)  # nobody meets herself
    columns = {  # of the nine, and of the ten
        "winnings": won[:9, :9].sum(axis=1) / 8,
        "wins": (won[:9, :9] > 1e-6).sum(axis=1).astype(float),
        "exploitability": [MILLIBETS * exploitability(one) for one in ten.values()],
        "won from folding": won[:9, 9],
        "winnings of ten": won.sum(axis=1) / 9,
        "dominated": [mistakes(ten[name], [ten[n] for n in NAMES if n != name]) for name in NAMES],
    }
    named = {name: dict(zip(ten, map(float, of), strict=False)) for name, of in columns.items()}
    return Nine(named, theorem)


def mistakes(one: Strategy, others: Sequence[Strategy]) -> float:
    """Hands with a dominated choice of hers, in per cent; seats and opponents averaged."""
    shares = [
        dominated_mass(seated([one, other] if seat == 0 else [other, one]))[seat]
        for other in others
        for seat in (0, 1)
    ]
    return 100 * float(np.mean(shares))


def always_fold(tree: GameTree) -> Strategy:
    """Fold whenever there is something to fold to; check otherwise."""
    return Strategy.from_function(tree, lambda p, s, actions: "f" if "f" in actions else "c")


class Fields:
    """Grafts of one solver on bases of another; those count that come as close as the paper's."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.tree = compile_game(load_game("leduc", suit_isomorphism=True))
        self.sets = {name: abstract(self.tree, name).coarse.num_infosets for name in BASES}

    @cached_property
    def fields(self) -> dict[str, Nine]:
        found = {}
        for base in self.effort.pick(("pcfr+", "cfr+", "dcfr"), ("pcfr+",)):
            runs = self.effort.solve(
                Experiment(
                    self.tree, solver=base, iterations=STEPS, abstraction=name, checkpoints=STEPS
                )
                for name in BASES
            )
            three = dict(zip(BASES, (run.strategy for run in runs), strict=True))
            for solver in self.effort.pick(tuple(GRAFT_STEPS), ("pcfr+",)):
                nine = play_nine(self.tree, three, solver, GRAFT_STEPS[solver])
                found[f"{solver} on {base}"] = nine
        return found

    @property
    def close(self) -> dict[str, Nine]:
        return {name: nine for name, nine in self.fields.items() if nine.epsilon <= EPSILON}

    @property
    def grafted(self) -> list[GraftGains]:
        return [one for nine in self.close.values() for one in nine.theorem]

    @cached_property
    def corollary(self) -> list[GraftGains]:
        """Every base again, against an opponent who forgets nothing, with the same grafts."""
        rules: Any = self.tree.rules
        named, found = rules.abstractions, []
        for name in BASES:
            for i in (0, 1):
                mine = piecewise(lambda p, _: p, {i: named[name], 1 - i: named["null"]})
                run = solve(
                    self.tree, "pcfr+", FREE_STEPS, abstraction=mine, checkpoints=FREE_STEPS,
                    progress=False,
                )  # fmt: skip
                found += [
                    graft_gains(
                        self.tree, run.strategy, card_experts(self.tree, start=start).of(i), i,
                        solver="pcfr+", iterations=FREE_STEPS,
                    )
                    for start in (0, 1)
                ]  # fmt: skip
        return found

    def claim(self, item: str) -> Ours:
        """By field: by how much a claim is true."""

        def by_field(claim: Claim) -> dict[str, float]:
            return {name: claim.lead(nine.numbers) for name, nine in self.close.items()}

        facts = {}
        if item.startswith("winnings: JQ.K flop"):  # the text does not say in which order
            wins = by_field(CLAIMS[item]._replace(column="wins")).values()
            facts = {"by wins, at least": min(wins), "at most": max(wins)}
        how = {"note": "by how much, at least", "facts": facts}
        return Ours.lead(by_field(CLAIMS[item]), CHOSEN, "fields", **how)

    @property
    def settings(self) -> dict[str, Any]:
        shown = [
            self.fields[CHOSEN].numbers[name] for name in ("winnings", "wins", "exploitability")
        ]
        epsilon = {name: nine.epsilon for name, nine in self.fields.items()}
        return {
            "game": self.tree.name,
            "iterations of bases": STEPS,
            "iterations of grafts": GRAFT_STEPS,
            "iterations of Corollary 1": FREE_STEPS,
            "fields": list(self.close),
            "chips to gain, largest of all games": epsilon,
            f"{CHOSEN}: millibets won, wins, millibets of exploitability": {
                name: [round(by[name], 2) for by in shown] for name in NAMES
            },
            **NO_SEEDS,
        }


TOURNAMENT = Entry(
    """Waugh, Bard & Bowling (2009), Section 4.1: the Leduc tournament of nine, claim by claim.

    The numbers of the paper's Tables 1 and 2 are lost in our text; what it says about them is not.

    How: `leduc_grafts.py` builds the nine. They meet in a round robin of exact expected values,
    seats averaged, in millibets (500 to the chip: a thousandth of the small bet of two chips), and
    are ordered as in the paper: by mean winnings, and by wins. A claim holds if it is true of all
    fields. The text mentions one switch in the order and does not say in which of the two; it
    stands in the order by winnings, with the other one in its note.

    The paper's strategies leave no player more than ε = 10⁻⁵ chips to gain in the game they were
    computed for; ours neither, measured in the game of every base and every graft. Which
    equilibria these are is another matter. So there are several fields, whose bases are made by
    one solver and whose grafts by the same or another ("pcfr+ on cfr+": PCFR+ grafts on CFR+
    bases). Fields that do not come as close as the paper's do not count; the settings say how
    close each one came.

    That larger strategies play fewer dominated strategies is the authors' hope, and no number of
    theirs is about it. Ours counts hands with a choice that is never right, in per cent, against
    the other eight.

    Corollary 1 is about bases whose opponent forgets nothing, so they are made for it: each of the
    three abstractions for one player only, with both kinds of grafts.
    """,
    Fields,
    {
        "J.Q.K is the largest abstraction": lambda work: Ours(
            work.sets["J.Q.K"], facts=work.sets,
            holds=work.sets["J.Q.K"] > max(work.sets["JQ.K"], work.sets["J.QK"]),
        ),
        "JQ.K and J.QK have the same size": lambda work: Ours(
            work.sets["JQ.K"], note="each", holds=work.sets["JQ.K"] == work.sets["J.QK"]
        ),
        **{item: (Fields.claim, item) for item in CLAIMS},
        "always folding, exploitability": lambda work: Ours(
            MILLIBETS * exploitability(always_fold(work.tree)), note="one ante"
        ),
        "Theorem 1: gains add up": lambda work: adds_up(work.grafted),
        "Theorem 1: no gain below its bound": lambda work: bounded(work.grafted),
        "Corollary 1: no gain below its bound": lambda work: bounded(
            work.corollary, note="against an opponent who forgets nothing"
        ),
    },
)  # fmt: skip

ENTRIES = {"waugh-2009-leduc": TOURNAMENT}
