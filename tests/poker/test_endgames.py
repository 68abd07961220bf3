"""Endgames against an oracle: the rest of a hand written as rules, and solved by an LP."""

import itertools
from dataclasses import dataclass, field, replace
from functools import cache
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards
from tests.poker.test_best_response import matrices
from workbench.poker import Resolved, first_phase, resolve, resolve_all, rollout
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search import endgame
from workbench.poker.search.endgame import part_after
from workbench.poker.search.resolving import _learners
from workbench.rules import Chance, Decision, Terminal

SMALL = wb.load_game("rhode_island", ranks=3, suits=2)
SLOW = pytest.mark.slow
MIDDLE = wb.load_game("rhode_island", ranks=4, suits=2)
HOLDEM = wb.load_game("limit_holdem")


@dataclass(frozen=True)
class Rest:
    """The rest of a hand: two cards as likely as `weight` says, then the game goes on. A guest may
    stay away, and wins `floor` of her card."""

    board: tuple[str, ...]
    betting: str
    weight: dict[tuple[str, str], float]
    guest: int = -1
    floor: dict[str, float] = field(default_factory=dict)
    rules: Any = SMALL
    name: str = "rest"
    players: int = 2

    def start(self):
        return "deal"

    def next(self, state, action):
        if state == "deal":
            begin = (*action.split(", "), *self.board), self.betting
            return ("enter?", begin) if self.floor else begin
        if state[0] == "enter?":
            return state[1] if action == "enter" else ("away", state[1])
        return self.rules.next(state, action)

    def node(self, state):
        if state == "deal":
            total = sum(self.weight.values())
            return Chance({", ".join(deal): w / total for deal, w in self.weight.items()})
        if state[0] == "enter?":
            return Decision(self.guest, (state[1][0][self.guest],), ("away", "enter"))
        if state[0] == "away":
            won = self.floor[state[1][0][self.guest]]
            return Terminal((won, -won) if self.guest == 0 else (-won, won))
        return self.rules.node(state)


@cache
def coarse(rules=SMALL, buckets=(1, 2, 3), iterations=30):
    """A blueprint that is never sure of anything, but often wrong."""
    cut = wb.cluster_hands(rules, buckets=buckets, metric="ehs")
    run = wb.solve(rules, "cfr+", iterations=iterations, abstraction=cut, checkpoints=iterations)
    return run.strategy


@cache
def trained(rules=SMALL, iterations=400):
    return wb.solve(rules, "cfr+", iterations=iterations, checkpoints=iterations).strategy


def reaches(sigma, board, betting, hands=()):
    """How likely each player comes here with each card, or with some hands: move by move."""
    rules, cards = sigma.tree.rules, board.split()
    every = map(rules.deck.name, range(rules.deck.size))
    found = {hand: {0: 1.0, 1: 1.0} for hand in hands or every if hand not in cards}
    for k, move in enumerate(betting):
        if move != "/":
            at = rules.betting.follow(betting[:k])
            shown = " ".join(cards[: sum(rules.public_cards[: at.round + 1])])
            for hand, reach in found.items():
                reach[at.player] *= sigma.at((hand, shown, betting[:k]))[move]
    return found


def deals(reach, *players):
    """The deals of two hands that share no card."""
    return {
        (a, b): np.prod([reach[(a, b)[player]][player] for player in players])
        for a in reach for b in reach
        if 0 in reach[a] and 1 in reach[b] and not {*a.split()} & {*b.split()}
    }  # fmt: skip


def played(tree, sigma):
    def of(player, seen, actions):
        known = {"away": 0.5, "enter": 0.5} if "enter" in actions else sigma.at(seen)
        return [known[action] for action in actions]

    return wb.Strategy.from_function(tree, of)


SPOTS = [("A♥ K♥", "cc/rc/"), ("Q♠ A♠", "rc/crc/"), ("K♠", "crc/")]


@pytest.mark.parametrize(("board", "betting"), SPOTS)
def test_an_endgame_is_the_game_that_bayes_leaves(board, betting):
    answer = resolve(coarse(), board, betting, safe=False, iterations=300, tremble=0)
    reach = reaches(coarse(), board, betting)
    tree = wb.compile_game(Rest(tuple(board.split()), betting, deals(reach, 0, 1)))
    sigma = played(tree, answer)
    np.testing.assert_allclose(answer.values, wb.expected_values(sigma), atol=1e-9)
    assert answer.gap == pytest.approx(wb.exploitability(sigma), abs=1e-9)
    assert answer.gap < 0.02
    exact = wb.solve(tree, "lp", iterations=1).strategy
    assert abs(answer.values[0] - wb.expected_values(exact)[0]) <= 2 * answer.gap + 1e-9


@pytest.mark.parametrize("player", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("board", "betting"), SPOTS)
def test_a_safe_endgame_is_the_game_with_the_gadget(board, betting, player):
    guest, cards = 1 - player, tuple(board.split())
    reach = reaches(coarse(), board, betting)
    mine = deals(reach, player)  # the guest's cards are all equally likely
    floor = {}
    for card in reach:
        against = {deal: w for deal, w in mine.items() if deal[guest] == card}
        tree = wb.compile_game(Rest(cards, betting, against))
        floor[card] = wb.best_response(played(tree, coarse()), guest).value
    tree = wb.compile_game(Rest(cards, betting, mine, guest, floor))
    exact = wb.expected_values(wb.solve(tree, "lp", iterations=1).strategy)[guest]
    answer = resolve(coarse(), board, betting, safe=True, iterations=1000, tremble=0)
    ours = wb.best_response(played(tree, answer), guest).value
    assert exact - 1e-9 <= ours <= exact + 0.02
    assert answer.margin > -0.1  # no card wins more than before, up to unfinished solving


# ---- Hold'em: a few hands against the tree, all hands against matrices ----------------------

HANDS = ("A♥ K♥", "A♥ Q♦", "9♣ 8♣", "7♦ 7♥", "K♠ 3♦", "T♦ 9♦", "Q♦ 2♦")


def of_hands(board, betting, mine, theirs, seed=0):
    """A part of Hold'em with these hands for both, each as likely as chance has it."""
    caller, rng = wb.poker.opponent_named(HOLDEM, "uniform"), np.random.default_rng(seed)
    r, start, _ = HOLDEM.betting.start_of(betting)
    part, reach = part_after(caller, r, HOLDEM.deck.parse(board), start, 0.0), {}
    numbers, starts = part.held[r][0][1], []
    for player, hands in enumerate((mine, theirs)):
        starts.append(np.zeros((len(numbers), 1)))
        for hand in hands:
            at = np.searchsorted(numbers, HOLDEM.deck.hand(HOLDEM.deck.parse(hand)))
            starts[-1][at] = reach.setdefault(hand, {})[player] = 0.1 + rng.random()
    return caller, replace(part, start=(starts[0], starts[1])), reach


def solved(caller, part, board, betting, safe, iterations):
    learners = _learners(caller, part, safe, wb.solvers.CFRPlus())
    return Resolved(caller, board, betting, safe, learners, 0.0)._go_on(iterations, None)


@pytest.mark.parametrize(
    ("board", "betting", "mine", "theirs", "iterations"),
    [
        ("Q♥ J♥ 2♣ T♥ 7♣", "rc/cc/rrc/", HANDS[:5], HANDS[2:], 60),
        pytest.param("Q♥ J♥ 2♣ T♥", "cc/rrc/", HANDS[:2], HANDS[3:5], 3, marks=pytest.mark.slow),
    ],
)
def test_an_endgame_of_holdem_is_the_game_that_bayes_leaves(
    board, betting, mine, theirs, iterations
):
    caller, part, reach = of_hands(board, betting, mine, theirs)
    answer = solved(caller, part, board, betting, False, iterations)
    cards = board[:8], *board[9:].split()
    tree = wb.compile_game(Rest(cards, betting, deals(reach, 0, 1), rules=HOLDEM))
    sigma = played(tree, answer)
    np.testing.assert_allclose(answer.values, wb.expected_values(sigma), atol=1e-6)  # mbb
    assert answer.gap == pytest.approx(wb.exploitability(sigma), abs=1e-6)
    if iterations > 3:  # on the turn, regrets that are 0 in the tree are 0 up to rounding here
        run = wb.solve(tree, "cfr+", iterations=iterations)
        assert answer.gap == pytest.approx(run.exploitability, abs=1e-6)
    assert len(answer.table()) == len(part.size)


@pytest.mark.parametrize("player", [0, 1])
def test_a_safe_endgame_of_holdem_is_the_game_with_the_gadget(player):
    board, betting, guest = "Q♥ J♥ 2♣ T♥ 7♣", "rc/cc/rrc/", 1 - player
    hands = (HANDS, HANDS[:4]) if player else (HANDS[:4], HANDS)
    caller, part, reach = of_hands(board, betting, *hands)
    cards, floor = (board[:8], *board[9:].split()), {}
    weight = deals(reach, player)  # the guest's hands are all equally likely
    for hand in HANDS:
        against = {deal: w for deal, w in weight.items() if deal[guest] == hand}
        tree = wb.compile_game(Rest(cards, betting, against, rules=HOLDEM))
        floor[hand] = wb.best_response(wb.Strategy.uniform(tree), guest).value
    tree = wb.compile_game(Rest(cards, betting, weight, guest, floor, HOLDEM))
    exact = wb.expected_values(wb.solve(tree, "lp", iterations=1).strategy)[guest]
    answer = solved(caller, part, board, betting, True, 400)
    ours = wb.best_response(played(tree, answer), guest).value
    assert exact - 1e-6 <= ours <= exact + 20  # mbb, of bets of 2000
    assert answer.margin > -100


def test_all_hands_on_a_river_against_matrices():
    """1,081 hands of both: who meets whom, and who wins, pair by pair."""
    board, betting = "Q♥ J♥ 2♣ T♥ 7♣", "rc/cc/rrc/"
    _, part, _ = of_hands(board, betting, (), ())
    rng, n = np.random.default_rng(1), len(part.size)
    assert n == 1081
    plan, start = rng.random(part.walk.num_choices), rng.random((n, 1))
    one, hands = HOLDEM.betting.rounds[3], part.held[3][0][1]
    for probs in part.walk.views(plan):
        for d in np.flatnonzero(one.count):
            probs[one.first[d] :][: one.count[d]] /= probs[one.first[d] :][: one.count[d]].sum(0)
    meets, wins = (pairs[np.ix_(hands, hands)] for pairs in matrices(HOLDEM.deck.parse(board)))
    chance = 1 / (comb(52, 2) * comb(50, 2) * comb(48, 3) * 45 * 44)

    def value(seat, text, reach):
        at = HOLDEM.betting.follow(betting + text)
        if at.folded >= 0:
            return (meets @ reach) * (-1 if at.folded == seat else 1) * min(at.paid) * chance
        if at.player < 0:
            return (wins @ reach) * at.paid[0] * chance
        d = one.text.index(text)
        probs = part.walk.views(plan)[0][one.first[d] :]
        if at.player == seat:
            return np.max([value(seat, text + move, reach) for move in at.actions], axis=0)
        return sum(value(seat, text + a, reach * probs[k]) for k, a in enumerate(at.actions))

    for seat in (0, 1):
        exact = value(seat, "", start)
        found = part.answer(seat, plan, start=start)
        np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-12 * np.abs(exact).max())


@pytest.mark.slow  # buckets need the tables of all hands
def test_a_blueprint_with_buckets_is_resolved_on_the_river_and_on_the_turn():
    cut = wb.cluster_hands(HOLDEM, (2, 2, 2, 2), metric="ehs2", method="percentile")
    blueprint = wb.solve(HOLDEM, "cfr+", iterations=20, abstraction=cut).strategy
    board, betting, seen = "Q♥ J♥ 2♣ T♥ 7♣", "rc/cc/cc/", ("A♥ K♥", "Q♥ J♥ 2♣ T♥ 7♣", "rc/cc/cc/")
    reach = reaches(blueprint, board, betting, ("A♥ K♥", "7♦ 7♥"))
    unsafe = resolve(blueprint, board, betting, safe=False, iterations=100, tremble=0)
    numbers = unsafe.part.held[3][0][1]
    for hand, own in reach.items():
        at = np.searchsorted(numbers, HOLDEM.deck.hand(HOLDEM.deck.parse(hand)))
        assert [start[at, 0] for start in unsafe.part.start] == pytest.approx([*own.values()])
    assert unsafe.gap < 10 < unsafe.more(1).iterations  # mbb
    assert unsafe.at(("A♥ K♥", "Q♥ J♥ 2♣ T♥ 7♦", betting)) == blueprint.at(
        ("A♥ K♥", "Q♥ J♥ 2♣ T♥ 7♦", betting)
    )
    assert sum(unsafe.at(seen).values()) == pytest.approx(1)
    safe = resolve(blueprint, board, betting, safe=True, iterations=100)
    assert safe.margin > unsafe.margin
    turn = resolve(blueprint, board[:-3], "rc/cc/", safe=False, iterations=2)
    again = resolve(blueprint, board[:-3], "rc/cc/r", safe=False, iterations=4)
    assert again.gap < turn.gap
    assert sum(turn.at(seen).values()) == pytest.approx(1)


def test_one_endgame_is_a_piece_of_all_of_them():
    for safe in (False, True):
        whole = resolve_all(coarse(), safe=safe, iterations=20)
        one = resolve(coarse(), "A♠ Q♥", "crc/cc/cr", safe=safe, iterations=20)
        for card in ("Q♠", "K♥", "K♠", "A♥"):
            for betting in ("crc/cc/", "crc/cc/cr"):
                seen = (card, "A♠ Q♥", betting)
                assert one.at(seen) == pytest.approx(whole.at(seen), abs=1e-12)
        outside = ("K♥", "A♠ Q♥", "cc/cc/")
        assert one.at(outside) == pytest.approx(coarse().at(outside))
        assert whole.at(("K♥", "A♠", "cc/")) == pytest.approx(coarse().at(("K♥", "A♠", "cc/")))


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize(
    "kind", ["coarse", *(pytest.param(one, marks=SLOW) for one in ("uniform", "equilibrium"))]
)
def test_safe_is_never_more_exploitable_than_its_blueprint(kind, rounds):
    made = {"uniform": wb.Strategy.uniform, "coarse": coarse, "equilibrium": trained}
    blueprint = made[kind](SMALL)
    iterations = 200 if rounds == 1 else 800  # 200 leave two rounds 0.025 chips unfinished
    safe = resolve_all(blueprint, rounds=rounds, safe=True, iterations=iterations)
    assert wb.exploitability(safe) <= wb.exploitability(blueprint) + 0.01


def test_unsafe_wins_from_its_blueprint_and_gives_itself_away():
    """Eight cards."""
    blueprint = coarse(MIDDLE, (2, 4, 6), 200)
    unsafe, safe = (resolve_all(blueprint, safe=how, iterations=100) for how in (False, True))
    assert won(unsafe, blueprint) > 0.5 > won(safe, blueprint)
    assert wb.exploitability(safe) < wb.exploitability(blueprint) - 1


def won(one, two):
    """What the first wins from the second, seats averaged."""
    return (wb.expected_values([one, two])[0] + wb.expected_values([two, one])[1]) / 2


def timid():
    """Bets only with an ace, never raises, always calls."""
    sigma = rollout(SMALL)
    probs = sigma.probs.copy()
    first = sigma.played.views(probs)[0]
    one, ace = SMALL.betting.rounds[0], 2
    for text in ("", "c"):
        choice = one.first[one.text.index(text)]
        first[choice : choice + 2, ace, 0] = 0.0, 1.0
    return PublicStrategy(sigma.tree, sigma.played, probs)


@pytest.mark.parametrize(
    ("tremble", "betting", "first", "second"),
    [
        (0, "rc/", 1, 1 / 4),  # the first has an ace; the second calls with any of the four others
        (0, "rrc/", 1, 1 / 4),  # the second never raises: anything
        (0, "crrc/", 1 / 4, 1),  # the first never raises
        (1e-6, "rc/", 1, 1 / 4),
        (1e-6, "rrc/", 1, 1 / 4),
        (1e-6, "crrc/", 0, 1),  # a check is no mistake without an ace, and the raise is one for all
        (1e-6, "crrrc/", 0, 1),
    ],
)
def test_beliefs_off_the_path(tremble, betting, first, second):
    """Two aces among the five cards that the board leaves."""
    answer = resolve(timid(), "K♥", betting, safe=False, iterations=1, tremble=tremble)
    aces = answer.table().set_index("hand").loc[["A♥", "A♠"]]
    believed = [aces[f"player {k} holds it"].sum() for k in (1, 2)]
    assert believed == pytest.approx([first, second], abs=1e-5)
    assert np.isfinite(answer.values).all()
    assert sum(answer.at(("K♠", "K♥", betting)).values()) == pytest.approx(1)
    with pytest.raises(wb.GameError):
        answer.at(("K♠", "K♥", betting), 7)


def test_the_solves_of_a_safe_answer_share_its_seconds(monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr(endgame, "time", SimpleNamespace(monotonic=lambda: next(clock) / 10))
    answers = [resolve(coarse(), "A♥ K♥", "cc/rc/", safe=safe, seconds=2) for safe in (False, True)]
    assert [one.iterations for one in answers] == [20, 10]


def test_an_answer_at_any_time():
    early = resolve(coarse(), "A♥ K♥", "cc/rc/", seconds=0)
    assert early.iterations == 1
    later = early.more(49)
    at_once = resolve(coarse(), "A♥ K♥", "cc/rc/", iterations=50)
    assert (early.iterations, later.iterations) == (1, 50)
    np.testing.assert_array_equal(later.strategy.probs, at_once.strategy.probs)
    assert "50 iterations" in repr(later)
    gaps = [
        resolve(coarse(), "A♥ K♥", "cc/rc/", safe=False, solver=name, iterations=400).gap
        for name in ("cfr", "cfr+", "dcfr", "pcfr+", wb.solvers.CFRPlus(alternating=False))
    ]
    assert max(gaps) < 0.3


@pytest.mark.parametrize("kind", ["rollout", "statistics"])
def test_phase_one_is_the_game_whose_later_rounds_are_fixed(kind):
    rules, tree = LeducCards(), wb.compile_game(wb.load_game("leduc"))
    leaves = "rollout"
    if kind == "statistics":
        game = rules.public_game()
        leaves = game.average(game.advance(wb.solvers.CFRPlus(), game.start_state(), 20))
    first = first_phase(rules, rounds=1, leaves=leaves, iterations=500)
    whole = wb.Strategy.from_function(
        tree, lambda player, seen, actions: first.probabilities(player, seen, actions)
    )
    fixed = wb.theory.fix(whole, np.array(["/" in seen[-1] for seen in tree.seen]))
    left = fixed.restrict(whole)
    exact = wb.expected_values(wb.solve(fixed.tree, "lp", iterations=1).strategy)[0]
    assert wb.exploitability(left) < 0.01
    assert wb.expected_values(left)[0] == pytest.approx(exact, abs=0.01)
    if kind == "rollout":
        assert whole.at(("K♥", "J♥", "cc/r"), 1) == {"f": 0.0, "c": 1.0, "r": 0.0}


@pytest.mark.slow  # the rounds of Leduc are above
def test_phases_of_three_rounds():
    """With the truth at its leaves, phase one is as good as the whole; rollout is not."""
    right = trained(MIDDLE)
    loss = {}
    for rounds in (1, 2):
        for name, leaves in (("rollout", "rollout"), ("truth", right)):
            first = first_phase(MIDDLE, rounds=rounds, leaves=leaves, iterations=300)
            loss[name] = -won(first, right)
        assert loss["truth"] < 0.02 < 0.5 < loss["rollout"]
    gs1 = resolve_all(first_phase(MIDDLE), rounds=1, safe=False, iterations=100)
    assert -won(gs1, right) < loss["rollout"]
