"""Where behaviour is judged: other right answers are accepted, and typical wrong ones explained.

The solutions are right (test_solutions.py); here their functions are used again, and bent.
"""

from __future__ import annotations

from itertools import islice, permutations
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.exercises.course import FILES, accepted, judges, refused, solved
from workbench.games.toepen.suits import ThesisSuits


def always(*moves: Any) -> Any:
    """Everybody plays one move, or each player her own."""
    return lambda player, seen, actions: moves[player % len(moves)]


def steps(solver: Any, change: Any) -> Any:
    """A generator as a student writes it, made of the package's own iterations."""
    return lambda tree, seed=0: map(change, wb.iterate(tree, solver, seed=seed))


def test_start_here(kuhn: wb.GameTree) -> None:
    accepted("00", worse=[always("p"), wb.Strategy.from_function(kuhn, always("p"))])
    assert "1.0000" in FILES["00"].check_worse(always("p")).text
    refused("00", worse=[(always("b"), "0.3333"), (wb.Strategy.uniform(kuhn), "0.4583")])


def test_playing_well(kuhn: wb.GameTree) -> None:
    alphas = [{"uniform": 0.333, "honest": "all", "bold": "all"}]
    accepted("01", mine=[wb.solve(kuhn, "lp")], alphas=alphas)
    accepted("01", mixed=[("1/3", 0.75), {"start": 0.333, "pb": 0.75}])
    refused(
        "01",
        mixed=[((1 / 3, 5 / 6), "never gets to"), ((1 / 3, 1 / 2), "before the game")],
        mine=[(always("b"), "mend player"), (wb.Strategy.uniform(kuhn), "0.4583")],
        alphas=[
            ([0.2, 0, 0], "uniform: α = 0.2"),
            ([1, 0, 0], "between 0 and 1/3"),
            ([1 / 3, 1 / 3, 1 / 3], "as good as any"),
            ({"uniform": "all", "honest": "all", "bold": "all"}, "not every α"),
            ({"uniform": "x", "honest": "all", "bold": "all"}, '"all"'),
        ],
    )


@pytest.mark.parametrize(
    ("astray", "after", "why"),
    [
        ((0, 1), "l", "still cancel"),
        ((0, -1), "l", "both pay"),
        ((1, -1), "l", "should win"),
        ((1, -1), "p", "nobody looked"),
    ],
)
def test_bank(astray: tuple[int, int], after: str, why: str) -> None:
    """The price is given to the one who spoke last, or to the other one."""
    bank: Any = solved("own-game")[0].Bank

    class Wrong(bank):  # type: ignore[misc]
        def node(self, state: str) -> Any:
            node = super().node(state)
            if not isinstance(node, wb.Terminal) or state[-1] != after:
                return node
            change = self.price * np.array(astray[:: 1 if len(state) % 2 else -1])
            return wb.Terminal(tuple((np.array(node.payoffs) + change).tolist()))

    refused("own-game", bank=[(Wrong, why), (bank(0.5), "the class itself")])


def test_fair() -> None:
    fair: Any = solved("own-game")[0].Fair

    class Generous(fair):  # type: ignore[misc]
        """The same, but player 2 pays a chip more for everything."""

        def node(self, state: str) -> Any:
            node = super().node(state)
            if not isinstance(node, wb.Terminal):
                return node
            return wb.Terminal((node.payoffs[0] + 1, node.payoffs[1] - 1))

    refused(
        "own-game",
        fair=[
            (wb.load_game("kuhn"), "player 2 has an advantage"),
            (Generous, "the rules themselves"),
            (Generous(), "player 1 has an advantage"),
            (solved("own-game")[0].Bank(0.5), "zero-sum"),
            (wb.load_game("rock_paper_scissors"), "no longer a poker"),
        ],
    )


def test_regret(kuhn: wb.GameTree) -> None:
    mixes = [(0, 1 / 3, 2 / 3), (2 / 3, 0, 1 / 3), (1 / 3, 2 / 3, 0), ("0.333", "0.667", "0")]
    lp, cfr, few = wb.solve(kuhn, "lp"), wb.solve(kuhn, "cfr", 2_000), wb.solve(kuhn, "cfr", 5)
    assert FILES["02"].check_starts(lp, cfr.strategy)
    accepted("02", left_out=mixes, jack=[("-1/8", "1/8")], own_reach=[(0.16, 1.3), (0.17, 1.35)])
    refused(
        "02",
        left_out=[
            *((mix, "wins 0.5") for mix in permutations((0, 0.5, 0.5))),
            ([0, 2 / 3, 1 / 3], "plays scissors and wins 0.667"),
            ([0.2, 0.3, 0.5], "all three"),
            ([0, 1, 2], "sum 1"),
        ],
        jack=[
            ((-3 / 8, 3 / 8), "1/6 of its deal"),
            ((-1 / 4, 1 / 4), "not one from the other"),
            ((-1 / 16, 1 / 16), "two histories"),
            ((1 / 8, -1 / 8), "wrong way round"),
            ((-5 / 12, -1 / 6), "above their mean"),
        ],
        starts=[(lp, lp, "further apart"), (lp, few, "more iterations")],
        own_reach=[
            ((1.3, 0.16), "The other way round"),
            ((2.37, 1.3), "counterfactual: 2.37"),
            ((0.16, 0.17), "own reach: 0.17"),
        ],
    )


def test_cfr_plus() -> None:
    def yields(solver: str, average: Any = wb.average) -> Any:
        """What the lecture's generator yields, made of the package's own iterations."""

        def step(tree: wb.GameTree, state: Any) -> Any:
            names = zip(tree.infoset_player.tolist(), tree.seen, strict=True)
            parts = np.split(state.regret, tree.first_choice[1:-1])
            return dict(zip(names, parts, strict=True)), average(tree, state)

        return lambda tree: (step(tree, state) for state in wb.iterate(tree, solver))

    def coins(tree: wb.GameTree, state: Any) -> wb.Strategy:
        return wb.Strategy.uniform(tree)

    accepted("02", cfr_plus=[yields("cfr+")])
    refused(
        "02",
        cfr_plus=[
            (yields("cfr"), "plain CFR"),
            (yields("dcfr"), "differ from CFR+"),
            (yields("cfr+", coins), "counts t times"),
            (lambda tree: islice(yields("cfr+")(tree), 7), "ended after 7"),
            (lambda tree: iter([1, 2, 3]), "Yield two things"),
            (lambda tree: iter([({}, wb.Strategy.uniform(tree))]), "Yield two things"),
            (lambda tree: ((one, 3) for one, _ in yields("cfr+")(tree)), "strategy"),
            (lambda tree: 3, "stopped"),
        ],
    )


def test_solvers(kuhn: wb.GameTree) -> None:
    pennies = wb.load_game("biased_pennies")
    accepted(
        "03",
        exception=[pennies, wb.compile_game(pennies)],
        exponents=[wb.solvers.DCFR(alpha=2.0), {"alpha": 1.5, "beta": -1, "gamma": 2}],
    )
    refused(
        "03",
        first_tenth=[([10, 1, 0.1], "percent"), ([0.1, 0.1, 0.1], "a tenth of the weight")],
        bound=[(0.339, "as it stands"), (0.0566, "two of them")],
        exception=[
            (kuhn, "`cfr+` at"),
            ("prisoners_dilemma", "not zero-sum"),
            ("odd_one_out", "not zero-sum for two"),
            ("pennies", "biased_pennies"),
            (3, "no game"),
        ],
        exponents=[((1.5, 0, 2), "itself"), ((1, 0, 2), "after 1,000 iterations")],
    )


def test_forgetting(leduc: wb.GameTree) -> None:
    def base(player: int, seen: Any, actions: Any) -> Any:
        private, board, betting = seen
        return private[0] == "K", board and private[0] == board[0], betting

    made = wb.abstract(leduc, "JQ.K")
    kind = wb.solve(made.coarse, "cfr+", 3_000)
    refused(
        "04",
        small=[
            (lambda player, seen, actions: seen, "936 information sets"),
            (base, "132 information sets, 489 milli-antes"),  # JQ.K
        ],
        cruel=[
            (kind, "There are worse"),
            (made.lift(kind.strategy), "There are worse"),
            (wb.Strategy.uniform(made.coarse), "no equilibrium"),
            (wb.solve(leduc, "cfr+", 200), "tells hands apart"),
        ],
    )


def test_sampling() -> None:
    def sampled(solver: Any, scale: float = 1.0, average: Any = None) -> Any:
        def change(state: Any) -> Any:
            return scale * state.regret, state.strategy_sum if average is None else average

        return steps(solver, change)

    chance, full = wb.solvers.ChanceSampling(linear=False), wb.solvers.CFR(alternating=False)
    accepted("05", chance_sampling=[sampled(chance)], average=[(4 / 21, 8 / 15, 29 / 105)])
    refused(
        "05",
        hearts=[(10_626 / 20_475, "has no heart"), (4 / 7, "several hearts")],
        average=[((0, 0.49, 0.51), "what the thesis prints"), ((0, 0.8, 0.2), "That is σ²")],
        chance_sampling=[
            (sampled(full), "full CFR"),
            (sampled(wb.solvers.ExternalSampling(linear=False)), "external sampling"),
            (sampled(chance, 1 / 6), "multiplied in"),
            (sampled(chance, 3.0), "should report"),
            (sampled(chance, average=np.ones(24)), "The average"),
            (lambda tree, seed: iter([1, 2]), "two arrays"),
        ],
    )


def test_suits() -> None:
    pairs = [f"{r}{a} {r}{b}" for r in ("10", "9", "8") for a, b in ("♠♥", "♠♦", "♥♦")]
    one_suit = [f"{a}{s} {b}{s}" for s in "♠♥♦" for a, b in (("10", "9"), ("10", "8"), ("9", "8"))]
    both = [tuple(hand.split()) for hand in pairs + one_suit]

    def longer_names(player: int, seen: Any, actions: Any) -> Any:
        label, names = solved("06")[0].other_half(player, seen, actions)
        return ("mine", label), [f"play {name}" for name in names]

    accepted(
        "06",
        stabiliser=[18, {*pairs, *one_suit}, both, [f"{b} {a}" for a, b in both]],
        two_suits=[[True, True, True, False]],
        other_half=[longer_names],  # the same rule
    )
    refused(
        "06",
        stabiliser=[
            (9, "one kind"),
            (36, "size 1"),
            (pairs, "missing"),
            ([*pairs, *one_suit, "10♠ 9♥"], "too many"),
            *(([*pairs, odd], f"{odd!r} is none of the 36") for odd in (1, "7♠ 8♠", "10♠", None)),
        ],
        leads=[
            ({"10♠ 9♥": "10♠", "10♠ 9♦": "9♦"}, "habit of section 3"),
            ({"10♠ 9♥": "9♥", "10♠ 9♦": "9♦"}, "With 10♠ 9♦ the 9♦"),
            ({"10♠ 9♥": "9♠", "10♠ 9♦": "10♠"}, "she can lead 10♠ or 9♥"),
            ({"10♠ 9♥": "9♥"}, "each of the two hands"),
        ],
        two_suits=[([1, 1, 1, 0], "are needed"), ({"2/2/2": True}, "True or False is needed")],
        other_half=[
            (ThesisSuits("♠♥♦"), "not merged"),
            (lambda player, seen, actions: seen, "51 labels"),
        ],
    )


def test_remembering() -> None:
    def by(label: Any, **how: Any) -> Any:
        return wb.toepen.hand_rule(label, **how)

    def as_tuples(hand: Any, table: Any) -> Any:
        return hand.cards, tuple(sorted(table.cards)), table.calls

    accepted("07", order=[as_tuples, by(as_tuples)])
    refused(
        "07",
        nobody=[(10, "none of them near"), (15, "asks for ±0.1")],
        order=[
            (by(as_tuples, by_kind=False), "merges bets with cards"),
            (by(lambda hand, table: (hand.cards, table.cards, table.stake)), "remembers the order"),
            (by(lambda hand, table: (hand.cards, frozenset(table.cards))), "forgets the stake"),
            (by(lambda hand, table: hand.cards), "make 1,773"),
        ],
        few=[
            (by(lambda hand, table: table.text), "at most 300"),
            (by(lambda hand, table: hand.cards), "65 information sets have exploitability 0.2"),
        ],
    )


def test_toepen_tournament() -> None:
    def by(label: Any, **how: Any) -> Any:
        return wb.toepen.hand_rule(label, **how)

    def asked(hand: Any, table: Any) -> Any:
        return hand.high, table.stake

    def bold(player: int, seen: Any, actions: Any) -> Any:
        return next((move for move in ("bet", "call") if move in actions), actions[0])

    key = "toepen-tournament"
    accepted(key, stake=[asked, by(asked), by(lambda hand, table: f"{hand.high} {table.calls}")])
    assert "18 information sets" in FILES[key].check_stake(by(asked, by_kind=False)).text
    refused(
        key,
        stake=[
            (by(lambda hand, table: hand.high), "forgets the stake"),
            (by(lambda hand, table: table.stake), "forgets the high"),
            (by(lambda hand, table: hand.cards), "65 information sets"),
        ],
        dominated=[(39, "not dominated"), (27, "information sets")],
        message=[((8, 1), "player 2's answers"), ((4, 2), "after a bet and a call")],
        bankroll=[(bold, "and is number"), (3, "strategy is needed")],
    )


def test_stitching() -> None:
    names = solved("09")[0]
    best, train = wb.solve(names.small, "lp").strategy, names.train
    how = {"players": {1}, "abstraction": None, "solver": "lp"}
    lp, base = (names.loss(sigma) for sigma in names.stitched.values())  # the solver's own corner
    refused(
        "09",
        again=[
            (lambda sigma: train(train(sigma, "r"), "l"), "begin with l"),
            (lambda x: wb.static_experts(names.small, x, names.two, **how), "*old* neighbour"),
            (lambda sigma: best, "Perfect at once"),
            (lambda sigma: train(sigma, "l"), "0.333, 0.333"),
        ],
        corner=[
            ((5 / 6, base), "lp: That is CFR+"),
            ((lp, 2 / 5), "the base plays on: That is S = {2}"),
            ((-lp, base), "sign"),
        ],
        gains=[((1, 1 / 2, 3 / 2), "do not add up"), ((1 / 2, 0, 1 / 2), "Subtract what the base")],
    )
    cut = [((90, 163), "That is S = N"), ((144, 326), "the sum over both")]
    refused("stitching", cut=cut, cards=[(468, "one after the other"), (312, "its rank only")])


def test_experts_and_patience(leduc: wb.GameTree) -> None:
    nine, twelve = solved("10")[0], solved("left-for-later")[0]
    fine = wb.solve(nine.tree, "cfr+", 200)
    refused("10", cohesion=[(nine.base, "less than 150"), (fine, "sees more")])
    accepted("left-for-later", eyes=["rcr, crcr"])
    refused(
        "left-for-later",
        patience=[(twelve.laps[0], "less than 100"), (fine, "not the base")],
        eyes=[
            (["rc", "crc"], "has 118 information sets"),
            (["rccr", "crccr"], "74 sets, and it loses 48"),
            (["ccr"], "52 sets, and it loses 4"),
            (["rcr", "rcrr"], "parts must be disjoint"),
            (["rxr"], "obody ever bets 'rxr'"),
            ([], "at least one"),
        ],
    )


def test_exploiting_opponents() -> None:
    limited, field = (
        solved("exploiting-opponents")[0].limited,
        judges("exploiting-opponents").field(),
    )
    refused(
        "exploiting-opponents",
        corners=[
            (("1/18", "2/5", "4/5"), "free: That is the value"),
            ((1 / 6, 1 / 5, 4 / 5), "first p: That is player 1"),
            ((1 / 6, 2 / 5, 2 / 3), "one more follows"),
        ],
        limited=[(limited[0.1], "trust the model more"), (limited[0.25], "trust the model less")],
        both=[
            (field["equilibrium"], "by bankroll somebody"),
            (wb.theory.restricted_response(field["maniac"], 0, 0.5).strategy, "bankroll"),
        ],
    )


def test_three_players() -> None:
    names, coin = solved("11")[0], {"heads": 0.5, "tails": 0.5}
    sigma, favour, uniform = names.sigma, names.favour, wb.Strategy.uniform(names.trio)

    class FondOfThree(names.Kuhn3):  # type: ignore[misc, name-defined]
        def wish(self, payoffs: list[float]) -> list[float]:
            payoffs[1] += 0.001 * payoffs[2]
            return payoffs

    wishful = wb.Strategy(wb.compile_game(FondOfThree()), sigma.probs)
    other = wb.Strategy(names.trio, wb.best_response(wishful, 1).strategy.probs)
    accepted(
        "11",
        half=[always("tails", "heads", coin), always("heads", coin, "tails")],
        favour=[names.tables, names.mixed(other, favour, 0.5)],
    )
    refused(
        "11",
        half=[
            (always("heads", "heads", coin), "no equilibrium: player"),
            (always(coin), "player 1 wins 0"),
            (always("heads", "tails", "tails"), "player 1 wins 2"),
        ],
        favour=[
            (sigma, "Player 3 wins +2.26"),
            (favour, "Player 3 wins -4.00"),
            (uniform, "only player 2 changes"),
            (wb.seated([sigma, uniform, sigma]), "costs him something"),
        ],
    )


def test_seats(kuhn: wb.GameTree) -> None:
    trio, rng = solved("11")[0].trio, np.random.default_rng(1)
    four = [wb.Strategy.from_function(trio, lambda *_: rng.dirichlet([1, 1])) for _ in range(4)]
    wins = sum(wb.expected_values(list(who))[2] > 0 for who in permutations(four, 3))
    judge = FILES["three-player-leduc"].check_seats
    assert judge(four, {"seatings": 24, "third seat wins": wins})
    assert judge(dict(enumerate(four)), [24, wins])
    refused(
        "three-player-leduc",
        seats=[
            (four, [4, 4], "*tables*"),
            (four, [64, 4], "sits twice"),
            (four, [24, 25], "Not 25 times"),
            ([four[0]] * 4, [24, 24], "the same strategy"),
            (four[:3], [24, 24], "our strategies are"),
            ([wb.Strategy.uniform(kuhn)] * 4, [24, 24], "a game for three"),
        ],
    )


def test_rhode_island() -> None:
    names = solved("13")[0]
    two = names.showdown_two

    def by_table(strength: Any, reach: Any, cards: Any) -> Any:
        free = ~(cards[:, None, :, None] == cards[:, None, :]).any(axis=(2, 3))
        return (free * np.sign(strength[:, None] - strength)) @ reach

    refused(
        "13",
        two_cards=[
            (lambda *given: names.showdown(*given[:2]), "still count"),
            (lambda *given: -two(*given), "sign is wrong"),
            (lambda *given: two(*given) + 1, "one by one"),
            (by_table, "all pairs"),
        ],
        merge=[
            ("J", names.left["neither"], "both merges"),
            ("K", names.left["K"], "Kings split"),
            ("J", 2 * names.left["J"], "both players"),
        ],
        ranks=[((7, 16), "three ranks"), ((10, 9), "three ranks")],
        deck=[((5, 35, 485), "exactly six"), ((5, 45, 285), "any two of the three")],
    )
    assert FILES["13"].check_two_cards(lambda *given: 0).kind != "right"
    assert FILES["13"].SUITS.answer == 13 * 12 + 13 * 13
    assert int(FILES["13"].LEDUC.answer) == wb.gameshrink(wb.load_game("leduc")).classes[1]


def test_published() -> None:
    names, inside, match = (
        solved("is-that-what-the-paper-says")[0],
        judges("is-that-what-the-paper-says"),
        ["J.QK", "JQ.K"],
    )
    good, printed = names.agrees, names.printed["verdict"]
    lead = inside.ahead(inside.field("lp"))  # of the solver's own corner, which differs by machine
    assert lead > 10 > 0 > inside.ahead(inside.field("cfr+"))
    assert FILES["is-that-what-the-paper-says"].check_corner(lead, "JQ.K, J.QK")
    assert FILES["is-that-what-the-paper-says"].check_corner(
        inside.ahead(inside.field("lp", True)), match
    )
    accepted("is-that-what-the-paper-says", rounding=["5.0e2", "50E1"])
    refused(
        "is-that-what-the-paper-says",
        share=[
            (100 * good.mean(), "yours is 100 times too large"),
            (good.sum(), "how many"),
            ((printed == "reproduced").mean(), "inside the range belong"),
            (good.sum() / len(names.ledger), "all rows"),
            (1 - good.mean(), "*not*"),
        ],
        rounding=[
            ("496.31", "495.07 is not in there"),
            ("496", "495.07 is not in there"),
            ("500", "zeros are promised"),
            ("4.9e2", "nobody would round"),
            ("5e2", "coarser than needed"),
            ("many", "no number"),
            (500.0, "in quotes"),
        ],
        corner=[
            (lead, ["JQ.K"], "two players"),
            (lead, ["J.Q.K", "J.QK"], "another match"),
            (-3, match, "CFR+"),
            (2 * lead, match, "the mean"),
        ],
    )


def test_found_abstractions() -> None:
    deck = wb.load_game("rhode_island", ranks=6)
    accepted("14", greed=[[[5, 5, 0], [5, 3, 2.5]]])
    refused(
        "14",
        ace=[([0.75, 0.5625], "square of the mean")],
        greed=[
            ([[10, 5, 2], [10, 6, 4]], "is the best"),
            ([[1, 2, 3], [3, 2, 1]], "does not grow"),
            ([[2, 1, 0], [2, 1, 0]], "equally much"),
            ([[1, 2], [3, 4]], "lists of three numbers"),
            ("greed", "lists of three numbers"),
        ],
        better=[
            (wb.cluster_hands(deck, (6, 40, 240)), "120 in the last"),
            (wb.cluster_hands(deck, (1, 2, 3)), "it should be less"),
            (wb.cluster_hands(wb.load_game("rhode_island", ranks=4), (4, 8, 16)), "deck of 24"),
            (3, "are needed, such as"),
        ],
    )


def test_chips() -> None:
    accepted(
        "16",
        second=[(44.545, 37.273)],
        big_stack=[(0.5213, 0.5336)],
        belief=[1, 1.0],
        coin=[lambda h: 66 / (3 - h * (1 - h))],
    )
    refused(
        "16",
        second=[((24, 12), "prize of 33 dollars"), ((14.545, 7.273), "30 dollars")],
        big_stack=[((0.5, 0.5336), "cash game"), ((0.5213, 0.571), "three chips each")],
        belief=[(2, "a smaller belief"), (0, "everybody stops")],
        coin=[(lambda h: 22.0, "as in section 1"), (lambda h: 24.0, "a fair coin")],
    )


def test_strengths() -> None:
    accepted(
        "17",
        queens=[(217, 1)],
        stay=[(19253, 325, 884, 13)],
        alike=[("6h5h", "A♥ 6♣")],
        blocker=[("JcJd", "AcTd", "Tc 8d 4h 3s 2s")],
    )
    refused(
        "17",
        queens=[((211, 1), "without any help"), ((201, 1), "a straight"), ((217, 0), "queens")],
        stay=[((14950, 325, 884, 13), "K♥ and K♠"), ((19253, 0, 884, 13), "two couples")],
        alike=[
            (("6♥ 5♥", "A♦ A♣"), "not the same strength"),
            (("6♥ 5♥", "6♥ 5♥"), "a flush or nothing"),
            (("Q♥ 5♥", "A♦ A♣"), "Q♥ is there twice"),
            ("6♥ 5♥ 4♥", "hands are needed"),
            (("6♥ 5♥ 3♥", "A♦ A♣"), "has 2 cards"),
            ((6, 5), "such as"),
            (("6♥ 5♥", "Z♦ A♣"), "no card"),
        ],
        blocker=[
            (("Q♦ Q♥", "A♣ J♦", "J♣ 7♣ 3♣ 5♦ 2♦"), "a flush is possible"),
            (("QcQd", "JdAc", "Jc 2c 8d 5h 3h"), "a jack on the board"),
            (("A♣ T♦", "J♣ J♦", "T♣ 8♦ 4♥ 3♠ 2♠"), "should beat it"),
            (("A♣ A♦", "K♣ K♦", "T♣ 8♦ 4♥ 3♠ 2♠"), "look for a worse"),
            (("A♣ A♦", "A♣ K♦", "T♣ 8♦ 4♥ 3♠ 2♠"), "A♣ is there twice"),
            (("A♣ A♦", "K♣ K♦"), "three texts"),
        ],
    )


def test_solving_parts() -> None:
    names = solved("15")[0]
    bad, other = names.blueprint, wb.load_game("rhode_island", ranks=3, suits=2)
    lost = [names.milli(one) for one in (bad, *names.again.values())]
    accepted("15", harmless=["0"], floor=[[0.4, -0.4, "2/5", 0.3]], coarse=[lost])
    refused(
        "15",
        floor=[
            ([1, -0.4, 0.4, 0.3], "what stopping wins"),
            ([0.4, -0.4, 0.25, 0.3], "more than its floor"),
            ([0.4, -0.4, 0.4, 0.6], "half of the time"),
            ([0.4, -0.4, 0.4, 300], "milli-small-bets"),
        ],
        harmless=[(-1, "section 2"), (1, "smaller s")],
        coarse=[([lost[0] / 100, *lost[1:]], "in chips")],
        keep=[
            (bad, "less than 50 is asked"),
            (names.again["unsafe"], "less than 50 is asked"),
            (wb.solve(names.rules, iterations=20).strategy, "In the first round"),
            (wb.solve(other, iterations=1).strategy, "eight-card game"),
            (44.9, "eight-card game"),
        ],
    )


def test_experts_within_a_limit() -> None:
    better = solved("18")[0].better
    accepted("18", single=[(359_919, 136_269, 496_188)], limit=[(8, 10)], deals=["8.8e6"])
    refused(
        "18",
        single=[
            ((359_919, 272_535, 496_188), "both players"),
            ((479_889, 136_269, 496_188), "3444"),
        ],
        limit=[((8, 14), "keep the base's 8"), ((9, 10), "37 million")],
        deals=[(2_100_000, "square root")],
        river=[
            (lambda W, N, reach, pot, bet: (pot + bet) * W @ reach, "its own choice"),
            (lambda W, N, reach, pot, bet: np.maximum(0, (pot + bet) * W @ reach), "not free"),
            (lambda W, N, reach, pot, bet: better(W, N, reach, pot, 0), "pot + bet"),
            (lambda W, N, reach, pot, bet: better(W, N, reach, pot, pot + bet), "whole pot"),
            (lambda W, N, reach, pot, bet: 2 * better(W, N, reach, pot, bet), "larger of two"),
        ],
    )
    assert FILES["18"].check_river(lambda *given: 0).kind != "right"
    accepted("holdem-player", fit=["36"], sure=[980_000], asked=[367, 370])
    refused(
        "holdem-player",
        fit=[(16, "the base"), (10, "Multiply")],
        sure=[(700_000, "square root")],
        asked=[(680, "all calls"), (27.5, "Lecture 18")],
    )
    two, four = (wb.fit_buckets(wb.load_game("limit_holdem"), 10**7, most=k) for k in (2, 4))
    assert 15 < four.sizes["base"] / two.sizes["base"] < 16  # BUYS
