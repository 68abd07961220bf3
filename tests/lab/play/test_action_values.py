"""What an action is worth: against brute force over everything a player could do."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import workbench as wb
from tests.oracles import (
    Policy,
    expected_values,
    policy_of,
    positions,
    table_of,
    values_below,
)
from tests.random_games import ANY_PLAYERS, SEEDS, RandomGame, random_games, random_strategy
from workbench.lab.play.action_values import NEVER, TREMBLE, worth
from workbench.lab.play.hand_record import Hand
from workbench.lab.play.review import Judge
from workbench.rules import Chance, Decision, GameError, Rules, Terminal

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


def by_pure_plans(rules: Rules, policy: Policy, player: int, seen: Any) -> dict[Any, Any]:
    """q(a) straight from the definition: every pure plan of the player, exact fractions."""
    members: list[tuple[Any, Any]] = []

    def collect(state: Any, others: Any) -> None:
        node = rules.node(state)
        if isinstance(node, Decision):
            if (node.player, node.seen) == (player, seen):
                members.append((state, others))
                return
            for action in node.actions:
                p = 1 if node.player == player else policy[node.player, node.seen][action]
                collect(rules.next(state, action), others * p)
        elif isinstance(node, Chance):
            for outcome, p in node.probabilities.items():
                collect(rules.next(state, outcome), others * Fraction(p).limit_denominator(1000))

    collect(rules.start(), Fraction(1))
    total = sum(others for _, others in members)
    hers = {
        node.seen: tuple(node.actions)
        for _, node in positions(rules)
        if isinstance(node, Decision) and node.player == player
    }
    best: dict[Any, Any] = {}
    for plan in itertools.product(*hers.values()):
        pure = {
            (player, known): {a: Fraction(int(a == choice)) for a in hers[known]}
            for known, choice in zip(hers, plan, strict=True)
        }
        for action in hers[seen]:
            value = sum(
                others / total
                * values_below(rules, rules.next(state, action), policy | pure, exact=True)[player]
                for state, others in members
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
            elif isinstance(node, Chance):
                waiting += [
                    (weight * p, rules.next(state, o)) for o, p in node.probabilities.items()
                ]
            elif node.player == player and len(node.actions) > 1:
                hers.setdefault(node.seen, []).append((weight, state))
            elif len(node.actions) == 1:
                waiting.append((weight, rules.next(state, node.actions[0])))
            else:
                at = policy[node.player, node.seen]
                waiting += [(weight * at[a], rules.next(state, a)) for a in node.actions]
        for members in hers.values():
            actions = rules.node(members[0][1]).actions
            total += max(best([(w, rules.next(s, a)) for w, s in members]) for a in actions)
        return total

    members: list[tuple[float, Any]] = []
    waiting: list[tuple[float, Any]] = [(1.0, rules.start())]
    while waiting:
        weight, state = waiting.pop()
        node = rules.node(state)
        if isinstance(node, Chance):
            waiting += [(weight * p, rules.next(state, o)) for o, p in node.probabilities.items()]
        elif isinstance(node, Decision):
            if (node.player, node.seen) == (player, seen):
                members.append((weight, state))
                continue
            at = policy.get((node.player, node.seen), dict.fromkeys(node.actions, 1.0))
            at = dict.fromkeys(node.actions, 1.0) if node.player == player else at
            waiting += [(weight * at[a], rules.next(state, a)) for a in node.actions]
    total = sum(weight for weight, _ in members)
    actions = rules.node(members[0][1]).actions
    return {a: best([(w / total, rules.next(s, a)) for w, s in members]) for a in actions}


def test_every_infoset_of_kuhn_is_worth_what_brute_force_finds(kuhn: wb.GameTree) -> None:
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
        for action in ("p", "b"):
            assert found.value(action) == pytest.approx(float(exact[action]), abs=1e-12)
            assert found.cost(action) == pytest.approx(
                float(max(exact.values()) - exact[action]), abs=1e-12
            )
        costs["".join(map(str, seen))] = [found.cost("p"), found.cost("b")]
    assert np.allclose(costs["Qpb"], [0, 0])  # she is made indifferent
    assert np.allclose(costs["Jpb"], [0, 1])  # a Jack that calls loses one coin more
    assert np.allclose(costs["Kb"], [3, 0])  # a King that folds loses 1 instead of winning 2


def test_leduc_is_worth_what_a_recursion_over_the_rules_finds(leduc: wb.GameTree) -> None:
    rules = wb.load_game("leduc")
    sigma = wb.solve(leduc, "cfr+", iterations=50).strategy
    policy = policy_of(sigma)
    for infoset in range(0, leduc.num_infosets, 89):
        found = worth(sigma, infoset)
        if found.trembling:
            continue
        player, seen = int(leduc.infoset_player[infoset]), leduc.seen[infoset]
        exact = by_recursion(rules, policy, player, seen)
        assert {a: pytest.approx(exact[a], abs=1e-9) for a in exact} == {
            a: found.value(a) for a in found.actions
        }


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_random_games_are_worth_what_the_recursion_finds(game: RandomGame, seed: int) -> None:
    tree = wb.compile_game(game)
    if not tree.num_infosets:
        return
    sigma = random_strategy(tree, seed)
    policy = policy_of(sigma)
    for infoset in range(tree.num_infosets):
        found = worth(sigma, infoset)
        if not found.trembling:
            key = int(tree.infoset_player[infoset]), tree.seen[infoset]
            exact = by_recursion(game, policy, *key)
            for action in found.actions:
                assert found.value(action) == pytest.approx(exact[action], abs=1e-9)


def test_the_best_values_of_the_first_infosets_add_up_to_the_best_response(
    leduc: wb.GameTree,
) -> None:
    sigma = wb.solve(leduc, "cfr+", iterations=200).strategy
    for player in (0, 1):
        total = 0.0
        for infoset in leduc.infosets_of(player):
            if leduc.parent_choice[infoset] < 0:
                found = worth(sigma, infoset)
                luck = 1 / 6 if player == 0 else found.reach / 6  # of her card
                total += luck * found.values.max()
        assert total == pytest.approx(wb.best_response(sigma, player).value, abs=1e-9)


def test_an_equilibrium_errs_only_where_it_never_comes(leduc: wb.GameTree) -> None:
    sigma = wb.solve(leduc, "cfr+", iterations=20_000, target=1e-5).strategy
    errors = {"expected": 0.0, "trembling": 0.0, "strayed": 0.0}
    for infoset in range(leduc.num_infosets):
        found = worth(sigma, infoset)
        kind = "strayed" if found.strayed else "trembling" if found.trembling else "expected"
        costs = [found.cost(a) for a, p in zip(found.actions, found.probs, strict=True) if p > 0.01]
        errors[kind] = max(errors[kind], *costs)
    assert errors["expected"] < 0.01
    assert errors["trembling"] > 1
    assert errors["strayed"] > 1


def test_where_nobody_comes_beliefs_are_those_of_trembling_hands(kuhn: wb.GameTree) -> None:
    def never_bets(player: int, seen: Any, actions: Any) -> Any:
        return "p"

    sigma = wb.Strategy.from_function(kuhn, never_bets)
    found = worth(sigma, kuhn.find_infoset(("Q", "b")))
    assert found.trembling
    assert found.reach == 0.0
    assert found.beliefs.tolist() == [0.5, 0.5]  # Jack and King slip as easily
    assert (found.value("p"), found.value("b")) == (-1.0, 0.0)

    often = 1e-3  # more than never: then Bayes' rule
    table = {"J": 0.0, "Q": 0.0, "K": often}
    bold = wb.Strategy.from_function(
        kuhn, lambda player, seen, actions: [1 - table[seen[0]], table[seen[0]]]
    )
    found = worth(bold, kuhn.find_infoset(("Q", "b")))
    assert not found.trembling
    assert found.reach == pytest.approx(often / 2)
    assert found.value("b") == pytest.approx(-2.0)
    assert often / 2 > NEVER

    small = {"J": 0.0, "Q": 0.0, "K": NEVER}  # a solver's zero
    shaky = wb.Strategy.from_function(
        kuhn, lambda player, seen, actions: [1 - small[seen[0]], small[seen[0]]]
    )
    found = worth(shaky, kuhn.find_infoset(("Q", "b")))
    assert found.trembling
    king = (1 - TREMBLE) * NEVER + TREMBLE / 2
    jack = TREMBLE / 2
    assert found.beliefs.tolist() == pytest.approx([jack / (jack + king), king / (jack + king)])


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
def test_luck_is_zero_on_average_and_costs_are_what_is_lost(game: str, options: Any) -> None:
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


def test_bad_questions_get_one_clear_error(kuhn: wb.GameTree, leduc: wb.GameTree) -> None:
    with pytest.raises(GameError, match="infosets 0 to 11, not 12"):
        worth(wb.Strategy.uniform(kuhn), 12)
    with pytest.raises(GameError, match="a Strategy is needed"):
        worth("leduc", 0)  # type: ignore[arg-type]
    forgetful = wb.abstract(leduc, lambda player, seen, actions: "".join(actions))
    with pytest.raises(GameError, match="imperfect recall"):
        worth(wb.Strategy.uniform(forgetful.coarse), 0)
