"""What an action is worth: against brute force over everything a player could do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import workbench as wb
from tests import oracles
from tests.oracles import Key, Policy, expected_values, policy_of, table_of, values_below
from tests.random_games import ANY_PLAYERS, SEEDS, random_games, random_strategy
from workbench.lab.play.action_values import NEVER, TREMBLE, Worth, worth
from workbench.lab.play.hand_record import Hand
from workbench.lab.play.review import Judge
from workbench.rules import Decision, Rules, Terminal

# One of Kuhn's equilibria (α = 1/5): how often each information set bets.
KUHN = {
    "J": Fraction(1, 5), "Q": 0, "K": Fraction(3, 5),
    "Jp": Fraction(1, 3), "Qp": 0, "Kp": 1, "Jb": 0, "Qb": Fraction(1, 3), "Kb": 1,
    "Jpb": 0, "Qpb": Fraction(8, 15), "Kpb": 1,
}  # fmt: skip


def kuhn_policy() -> Policy:
    return {
        (len(key[1:]) % 2, (key[0], key[1:])): {"p": 1 - Fraction(bet), "b": Fraction(bet)}
        for key, bet in KUHN.items()
    }


def members_of(rules: Rules, policy: Policy, key: Key, exact: bool = False) -> list[Any]:
    """[(π_-i(h), state)] of an information set: her own moves count for nothing."""
    free = {at: dict.fromkeys(known, 1) for at, known in policy.items() if at[0] == key[0]}
    members: list[tuple[Any, Any]] = []
    waiting: list[tuple[Any, Any]] = [(1, rules.start())]
    while waiting:
        weight, state = waiting.pop()
        node = rules.node(state)
        if isinstance(node, Decision) and (node.player, node.seen) == key:
            members.append((weight, state))
        else:
            below = oracles.ways(rules, state, policy | free, exact)
            waiting += [(weight * p, after) for p, after in below]
    return members


def by_pure_plans(rules: Rules, policy: Policy, player: int, seen: Any) -> dict[Any, Any]:
    """q(a) straight from the definition: every pure plan of the player, exact fractions."""
    members = members_of(rules, policy, (player, seen), exact=True)
    total = sum(others for others, _ in members)
    best: dict[Any, Any] = {}
    for pure in oracles.pure_strategies(rules, player, limit=64):
        for action in policy[player, seen]:
            value = sum(
                others / total
                * values_below(rules, rules.next(state, action), policy | pure, exact=True)[player]
                for others, state in members
            )  # fmt: skip
            best[action] = max(best.get(action, value), value)
    return best


def by_recursion(rules: Rules, policy: Policy, player: int, seen: Any) -> dict[Any, float]:
    """q(a) for larger games: what the player cannot tell apart goes on together."""

    def best(group: list[tuple[float, Any]]) -> float:
        total, hers = 0.0, {}  # hers: seen -> [(weight, state)]
        waiting = list(group)
        while waiting:
            weight, state = waiting.pop()
            node = rules.node(state)
            if isinstance(node, Terminal):
                total += weight * node.payoffs[player]
            elif isinstance(node, Decision) and node.player == player and len(node.actions) > 1:
                hers.setdefault(node.seen, []).append((weight, state))
            else:
                below = oracles.ways(rules, state, policy, exact=False)
                waiting += [(weight * p, after) for p, after in below]
        return total + sum(max(moved(members).values()) for members in hers.values())

    def moved(members: list[tuple[float, Any]]) -> dict[Any, float]:
        actions = rules.node(members[0][1]).actions
        return {a: best([(w, rules.next(s, a)) for w, s in members]) for a in actions}

    members = members_of(rules, policy, (player, seen))
    total = sum(weight for weight, _ in members)
    return moved([(weight / total, state) for weight, state in members])


def test_every_infoset_of_kuhn_is_worth_what_brute_force_finds(kuhn):
    rules, policy = wb.load_game("kuhn"), kuhn_policy()
    table = {key: {a: float(p) for a, p in at.items()} for key, at in policy.items()}
    sigma = wb.Strategy.from_function(kuhn, lambda player, seen, actions: table[player, seen])
    assert wb.exploitability(sigma) == pytest.approx(0, abs=1e-12)
    costs = {}
    for infoset in range(kuhn.num_infosets):
        player, seen = int(kuhn.infoset_player[infoset]), kuhn.seen[infoset]
        exact = by_pure_plans(rules, policy, player, seen)
        found = worth(sigma, infoset)
        assert not found.trembling
        assert found.beliefs.sum() == pytest.approx(1)
        for action, value in exact.items():
            assert found.value(action) == pytest.approx(float(value), abs=1e-12)
            cost = float(max(exact.values()) - value)
            assert found.cost(action) == pytest.approx(cost, abs=1e-12)
        costs["".join(map(str, seen))] = [found.cost("p"), found.cost("b")]
    assert np.allclose(costs["Qpb"], [0, 0])  # she is made indifferent
    assert np.allclose(costs["Jpb"], [0, 1])  # a Jack that calls loses one coin more
    assert np.allclose(costs["Kb"], [3, 0])  # a King that folds loses 1 instead of winning 2


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_random_games_are_worth_what_the_recursion_finds(game, seed):
    tree = wb.compile_game(game)
    if not tree.num_infosets:
        return
    sigma = random_strategy(tree, seed)
    policy = policy_of(sigma)
    for infoset in range(tree.num_infosets):
        found, player = worth(sigma, infoset), int(tree.infoset_player[infoset])
        if not found.trembling:
            exact = by_recursion(game, policy, player, tree.seen[infoset])
            values = dict(zip(found.actions, found.values, strict=True))
            assert values == pytest.approx(exact, abs=1e-9)


def test_where_nobody_comes_beliefs_are_those_of_trembling_hands(kuhn):
    def facing_a_bet(king: float, seen: tuple[str, str] = ("Q", "b")) -> Worth:
        """The Queen faces a bet of others who bet the King so often, and nothing else."""
        bets = {"J": 0.0, "Q": 0.0, "K": king}
        sigma = wb.Strategy.from_function(
            kuhn, lambda player, seen, actions: [1 - bets[seen[0]], bets[seen[0]]]
        )
        return worth(sigma, kuhn.find_infoset(seen))

    found = facing_a_bet(king=0.0)
    assert found.trembling
    assert found.reach == 0.0
    assert found.beliefs.tolist() == [0.5, 0.5]  # Jack and King slip as easily
    assert (found.value("p"), found.value("b")) == (-1.0, 0.0)

    often = 1e-3  # more than never: then Bayes' rule
    assert often / 2 > NEVER
    found = facing_a_bet(king=often)
    assert not found.trembling
    assert found.reach == pytest.approx(often / 2)
    assert found.value("b") == pytest.approx(-2.0)

    found = facing_a_bet(king=NEVER)  # a solver's zero
    assert found.trembling
    king = (1 - TREMBLE) * NEVER + TREMBLE / 2
    jack = TREMBLE / 2
    assert found.beliefs.tolist() == pytest.approx([jack / (jack + king), king / (jack + king)])

    assert facing_a_bet(1.0, ("K", "pb")).strayed  # a King that always bets has not passed
    assert not facing_a_bet(0.0, ("K", "pb")).strayed


def hands_of(rules: Rules) -> list[Hand]:
    """Every way a game can go."""
    hands, waiting = [], [(rules.start(), ())]
    while waiting:
        state, moves = waiting.pop()
        node = rules.node(state)
        if isinstance(node, Terminal):
            hands.append(Hand(len(hands) + 1, rules, tuple(range(rules.players)), moves))
            continue
        seat = node.player if isinstance(node, Decision) else -1
        possible = node.actions if isinstance(node, Decision) else node.probabilities
        waiting += [(rules.next(state, what), (*moves, (seat, what))) for what in possible]
    return hands


def probability(hand: Hand, policy: Policy) -> float:
    p = 1.0
    for step in hand.steps:
        if step.player < 0:
            p *= hand.rules.node(step.before).probabilities[step.what]
        elif len(step.actions) > 1:
            p *= policy[step.player, step.seen][step.what]
    return p


@pytest.mark.parametrize(
    ("game", "options"), [("kuhn", {}), ("leduc", {"ranks": 2, "suit_isomorphism": True})]
)
def test_luck_is_zero_on_average_and_costs_are_what_is_lost(game, options):
    """Against the reference, whatever one plays: E[luck] = 0, E[cost] = value − payoff."""
    rules = wb.load_game(game, **options)
    tree = wb.compile_game(rules)
    reference = wb.solve(tree, "cfr+", iterations=2).strategy
    mixed = 0.9 * reference.probs + 0.1 * wb.Strategy.uniform(tree).probs
    reference = wb.Strategy(tree, mixed)  # everything is reached
    judge = Judge(reference)
    hands = hands_of(rules)
    for seat in (0, 1):
        mine = random_strategy(tree, 5 + seat)
        seats = [reference, reference]
        seats[seat] = mine
        together = table_of(tree, wb.seated(seats).probs)
        luck = cost = payoff = total = 0.0
        for hand in hands:
            p = probability(hand, together)
            found = judge.review(hand, seat)
            total, luck = total + p, luck + p * found.luck
            cost, payoff = cost + p * found.cost, payoff + p * found.payoff
        assert total == pytest.approx(1)
        assert luck == pytest.approx(0, abs=1e-9)
        assert payoff == pytest.approx(expected_values(rules, together)[seat], abs=1e-9)
        assert cost == pytest.approx(judge.value(seat) - payoff, abs=1e-9)
        assert cost > 0.01
