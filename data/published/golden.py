"""Golden values of Kuhn and Leduc poker: values that are proven, counts, uniform play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import best_response, expected_values, exploitability
from workbench.games.registry import load_game
from workbench.lab.formats.openspiel import from_openspiel
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.rules import GameError
from workbench.solvers.base import average, iterate
from workbench.solvers.lp import LP
from workbench.strategy import Strategy
from workbench.tree import GameTree

MEASURES: dict[str, Callable[[GameTree], float]] = {
    "histories": lambda tree: tree.num_histories,
    "information sets": lambda tree: tree.num_infosets,
    "uniform NashConv": lambda tree: 2 * exploitability(Strategy.uniform(tree)),
    "uniform value to player 1": lambda tree: expected_values(Strategy.uniform(tree))[0],
    "uniform best response of player 1": lambda t: best_response(Strategy.uniform(t), 0).value,
    "uniform best response of player 2": lambda t: best_response(Strategy.uniform(t), 1).value,
}


def proven_value(tree: GameTree, claimed: float | None = None) -> Ours:
    """The value of a two-player zero-sum game to player 1, enclosed with no trust in a solver.

    Player 2's best response shows what player 1's strategy is sure of, and the other way round.
    `claimed`: whether the value is this number.
    """
    strategy = average(tree, next(iterate(tree, LP())))
    low, high = -best_response(strategy, 1).value, best_response(strategy, 0).value
    holds = None if claimed is None else max(abs(low - claimed), abs(high - claimed)) < 1e-12
    proof = "the range is what best responses to the LP's strategies prove"
    return Ours((low + high) / 2, low, high, holds=holds, over=proof)


def _uniform(tree: GameTree) -> Ours:
    lost = exploitability(Strategy.uniform(tree))
    return Ours(lost, note="11/24", holds=abs(lost - 11 / 24) < 1e-12)


class GoldenGames:
    """The games, with suits and by rank; OpenSpiel's own, if it is installed."""

    def __init__(self, effort: Effort) -> None:
        self.two, self.two_ranks, self.three, self.three_ranks = (
            compile_game(load_game("leduc", players=players, suit_isomorphism=by_rank))
            for players in (2, 3)
            for by_rank in (False, True)
        )
        try:
            self.theirs: GameTree | None = compile_game(from_openspiel("leduc_poker"))
        except GameError:
            self.theirs = None


def _with_witness(leduc: GoldenGames, measure: Callable[[GameTree], float]) -> Ours:
    value, note = float(measure(leduc.two)), ""
    if leduc.theirs is not None:
        other = float(measure(leduc.theirs))
        same = abs(other - value) < 1e-12 * max(1.0, abs(value))
        note = f"OpenSpiel's own game gives {'the same' if same else other}"
    return Ours(value, note=note)


def _three(leduc: GoldenGames, player: int) -> float:
    return float(expected_values(Strategy.uniform(leduc.three))[player])


KUHN = Entry(
    """Kuhn (1950), A simplified two-person poker: the value, and uniform play.

    The text is not among the documents we hold, so its number is a claim to be checked and not a
    published cell. How: the linear program gives a strategy; what its two best responses win
    encloses the value of the game, with no trust in the solver. The payoffs of uniform play are
    small fractions, and floating point meets them to rounding.
    """,
    lambda effort: compile_game(load_game("kuhn")),
    {
        "value to player 1": lambda tree: replace(proven_value(tree, -1 / 18), note="−1/18"),
        "uniform exploitability": _uniform,
    },
    lambda tree: {"game": tree.name, "solver": "lp", **NO_SEEDS},
)

ABSTRACT = Entry(
    """Values of abstract Leduc: what the games JQ-K, J-QK and J.Q.K are worth to player 1.

    No text prints them. Published here means: another linear program, written for our tests from
    the definition and without this package's trees. How: the linear program of this package,
    enclosed by best responses inside the abstract game, so that nothing depends on either solver.
    JQ.K and J.QK of Waugh et al. are the same games as JQ-K and J-QK.
    """,
    lambda effort: compile_game(load_game("leduc")),
    {
        "value of JQ-K to player 1": lambda tree: proven_value(abstract(tree, "JQ-K").coarse),
        "value of J-QK to player 1": lambda tree: proven_value(abstract(tree, "J-QK").coarse),
        "value of J.Q.K to player 1": lambda tree: proven_value(abstract(tree, "J.Q.K").coarse),
    },
    lambda tree: {"game": tree.name, "solver": "lp", **NO_SEEDS},
)

LEDUC = Entry(
    """Leduc's golden values: counts, the value, uniform play; two and three players.

    Published here means: what OpenSpiel's own tests expect, with the file named; where no text
    prints a number, it is computed a second time in our tests, by plain recursion on the rules.
    How: compile the game and count; enclose the value by best responses to the strategies of a
    linear program; answer uniform play by exact best responses. Where OpenSpiel is installed, its
    own game is compiled as well and must give the same (two players; its three-player Leduc has
    eight cards, ours has the six of Gibson and Szafron).
    """,
    GoldenGames,
    {
        **{f"2p {item}": (_with_witness, measure) for item, measure in MEASURES.items()},
        "2p value to player 1": lambda leduc: proven_value(leduc.two_ranks),
        "2p information sets by rank": lambda leduc: leduc.two_ranks.num_infosets,
        "3p histories": lambda leduc: leduc.three.num_histories,
        "3p information sets": lambda leduc: leduc.three.num_infosets,
        "3p information sets by rank": lambda leduc: leduc.three_ranks.num_infosets,
        **{f"3p uniform value to player {i + 1}": (_three, i) for i in range(3)},
    },
    lambda leduc: {
        "game": "leduc", "solver": "lp", **NO_SEEDS,
        "OpenSpiel": "not installed" if leduc.theirs is None else version("open_spiel"),
    },
)  # fmt: skip

ENTRIES = {"kuhn-1950": KUHN, "leduc-abstract-values": ABSTRACT, "leduc-golden": LEDUC}
