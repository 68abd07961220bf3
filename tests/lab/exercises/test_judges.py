"""Where behaviour is judged: other right answers are accepted, and wrong ones are told apart.

The solutions are right (test_solutions.py); here their functions are used again, and bent. Slips
that are data are tried in test_files.py.
"""

from itertools import islice, permutations
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.exercises.course import FILES, accepted, solved, told_apart
from workbench.games.toepen.suits import ThesisSuits


def always(*moves: Any) -> Any:
    """Everybody plays one move, or each player her own."""
    return lambda player, seen, actions: moves[player % len(moves)]


def test_equilibria(kuhn):
    uniform = wb.Strategy.uniform(kuhn)
    accepted("00", worse=[always("p"), wb.Strategy.from_function(kuhn, always("p"))])
    told_apart("00", worse=[always("b")])
    alphas = {"uniform": 0.333, "honest": "all", "bold": "all"}
    accepted("01", mine=[wb.solve(kuhn, "lp")], alphas=[alphas])
    told_apart(
        "01",
        mine=[uniform],
        alphas=[[0.2, 0, 0], [1, 0, 0], alphas | {"uniform": "all"}, alphas | {"uniform": "x"}],
    )


@pytest.mark.parametrize(("astray", "after"), [((0, 1), "l"), ((0, -1), "l"), ((1, -1), "p")])
def test_bank(astray, after):
    """The price is given to the one who spoke last, or to the other one."""
    bank: Any = solved("own-game")[0].Bank

    class Wrong(bank):  # type: ignore[misc]
        def node(self, state: str) -> Any:
            node = super().node(state)
            if not isinstance(node, wb.Terminal) or state[-1] != after:
                return node
            change = self.price * np.array(astray[:: 1 if len(state) % 2 else -1])
            return wb.Terminal(tuple((np.array(node.payoffs) + change).tolist()))

    told_apart("own-game", bank=[Wrong, bank(0.5)])


def test_fair():
    fair: Any = solved("own-game")[0].Fair

    class Generous(fair):  # type: ignore[misc]
        """The same, but player 2 pays a chip more for everything."""

        def node(self, state: str) -> Any:
            node = super().node(state)
            if not isinstance(node, wb.Terminal):
                return node
            return wb.Terminal((node.payoffs[0] + 1, node.payoffs[1] - 1))

    bank, other = solved("own-game")[0].Bank(0.5), wb.load_game("rock_paper_scissors")
    told_apart("own-game", fair=[wb.load_game("kuhn"), Generous, bank, other])
    told_apart("own-game", fair=[Generous()])


def test_regret(kuhn):
    mixes = [(0, 1 / 3, 2 / 3), (2 / 3, 0, 1 / 3), (1 / 3, 2 / 3, 0), ("0.333", "0.667", "0")]
    lp, cfr, few = wb.solve(kuhn, "lp"), wb.solve(kuhn, "cfr", 2_000), wb.solve(kuhn, "cfr", 5)
    assert FILES["02"].check_starts(lp, cfr.strategy)
    accepted("02", left_out=mixes, own_reach=[(0.16, 1.3), (0.17, 1.35)])
    told_apart(
        "02",
        left_out=[[0, 2 / 3, 1 / 3], [0.2, 0.3, 0.5], [0, 1, 2]],
        starts=[(lp, lp), (lp, few)],
        own_reach=[(1.3, 0.16), (2.37, 1.3), (0.16, 0.17)],
    )


def test_cfr_plus():
    def yields(solver: str, average: Any = wb.average) -> Any:
        """What the lecture's generator yields, made of the package's own iterations."""

        def step(tree: wb.GameTree, state: Any) -> Any:
            names = zip(tree.infoset_player.tolist(), tree.seen, strict=True)
            parts = np.split(state.regret, tree.first_choice[1:-1])
            return dict(zip(names, parts, strict=True)), average(tree, state)

        return lambda tree: (step(tree, state) for state in wb.iterate(tree, solver))

    accepted("02", cfr_plus=[yields("cfr+")])
    told_apart(
        "02",
        cfr_plus=[
            yields("cfr"),
            yields("cfr+", lambda tree, state: wb.Strategy.uniform(tree)),
            lambda tree: islice(yields("cfr+")(tree), 7),
            lambda tree: iter([1, 2, 3]),
            lambda tree: 3,
        ],
    )


def test_solvers(kuhn):
    pennies = wb.load_game("biased_pennies")
    accepted(
        "03",
        exception=[pennies, wb.compile_game(pennies)],
        exponents=[wb.solvers.DCFR(alpha=2.0), {"alpha": 1.5, "beta": -1, "gamma": 2}],
    )
    told_apart(
        "03",
        exception=[kuhn, "prisoners_dilemma", "pennies", 3],
        exponents=[(1.5, 0, 2), (1, 0, 2)],
    )
    accepted("19", ahead=[pennies, wb.compile_game(pennies)])
    told_apart("19", ahead=[kuhn, "prisoners_dilemma", "rock_paper_scissors", 3])


def test_forgetting(leduc):
    def base(player: int, seen: Any, actions: Any) -> Any:
        private, board, betting = seen
        return private[0] == "K", board and private[0] == board[0], betting

    made = wb.abstract(leduc, "JQ.K")
    kind = wb.solve(made.coarse, "cfr+", 3_000)
    fine = wb.solve(leduc, "cfr+", 200)
    told_apart("04", small=[lambda player, seen, actions: seen])
    told_apart("04", small=[base], cruel=[kind, wb.Strategy.uniform(made.coarse), fine])
    told_apart("04", cruel=[made.lift(kind.strategy)])


@pytest.mark.slow  # the solutions that it bends are
def test_sampling():
    def sampled(solver: Any, scale: float = 1.0, average: Any = None) -> Any:
        """A generator as a student writes it, made of the package's own iterations."""

        def change(state: Any) -> Any:
            return scale * state.regret, state.strategy_sum if average is None else average

        return lambda tree, seed=0: map(change, wb.iterate(tree, solver, seed=seed))

    chance, full = wb.solvers.ChanceSampling(linear=False), wb.solvers.CFR(alternating=False)
    accepted("05", chance_sampling=[sampled(chance)])
    told_apart(
        "05",
        chance_sampling=[
            sampled(full),
            sampled(wb.solvers.ExternalSampling(linear=False)),
            sampled(chance, 1 / 6),
            sampled(chance, average=np.ones(24)),
            lambda tree, seed: iter([1, 2]),
        ],
    )


def test_suits():
    pairs = [f"{r}{a} {r}{b}" for r in ("10", "9", "8") for a, b in ("♠♥", "♠♦", "♥♦")]
    one_suit = [f"{a}{s} {b}{s}" for s in "♠♥♦" for a, b in (("10", "9"), ("10", "8"), ("9", "8"))]
    both = [tuple(hand.split()) for hand in pairs + one_suit]
    accepted("06", stabiliser=[18, {*pairs, *one_suit}, both, [f"{b} {a}" for a, b in both]])
    told_apart(
        "06",
        stabiliser=[9, 36, pairs, [*pairs, *one_suit, "10♠ 9♥"], [*pairs, 1], [*pairs, None]],
        leads=[
            {"10♠ 9♥": "10♠", "10♠ 9♦": "9♦"},
            {"10♠ 9♥": "9♠", "10♠ 9♦": "10♠"},
            {"10♠ 9♥": "9♥"},
        ],
        other_half=[ThesisSuits("♠♥♦"), lambda player, seen, actions: seen],
    )


def test_seats(kuhn):
    trio, rng = solved("11")[0].trio, np.random.default_rng(1)
    four = [wb.Strategy.from_function(trio, lambda *_: rng.dirichlet([1, 1])) for _ in range(4)]
    wins = sum(wb.expected_values(list(who))[2] > 0 for who in permutations(four, 3))
    judge = FILES["three-player-leduc"].check_seats
    assert judge(four, {"seatings": 24, "third seat wins": wins})
    assert judge(dict(enumerate(four)), [24, wins])
    told_apart(
        "three-player-leduc",
        seats=[
            (four, [64, 4]),
            (four, [24, 25]),
            ([four[0]] * 4, [24, 24]),
            (four[:3], [24, 24]),
            ([wb.Strategy.uniform(kuhn)] * 4, [24, 24]),
        ],
    )
