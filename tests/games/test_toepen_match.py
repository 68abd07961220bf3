"""Hands and matches are played by the rules, by anybody, and the same way again."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench.games.toepen.match import ToepenMatch
from workbench.games.toepen.rules import Toepen
from workbench.policies import play_hand


def wild(seed):
    random = np.random.default_rng(seed)

    def decide(player, seen, actions):
        return actions[random.integers(len(actions))]

    return decide


def first(player, seen, actions):
    return actions[0]


def test_frequencies_of_play_are_those_of_the_tree():
    rules = wb.load_game("kuhn")
    tree = wb.compile_game(rules)
    value = wb.expected_values([wb.Strategy.uniform(tree)] * 2)[0]
    random, deciders = np.random.default_rng(0), [wild(1), wild(2)]
    won = [list(play_hand(rules, deciders, random))[-1].what[0] for _ in range(3000)]
    assert np.mean(won) == pytest.approx(value, abs=4 * np.std(won) / len(won) ** 0.5)


def test_somebody_is_asked_and_asked_again():
    hand = play_hand(wb.load_game("kuhn"), [None, first], seed=0)
    event = next(hand)
    while event.kind != "ask":
        event = next(hand)
    again = hand.send("pass")
    assert (again.kind, again.actions) == ("ask", event.actions)
    assert "cannot choose 'pass'" in again.what
    acted = hand.send("b")
    assert (acted.kind, acted.player, acted.what) == ("action", 0, "b")


MATCHES = [
    ToepenMatch(Toepen(), bound=5),
    ToepenMatch(Toepen(suits=4, ranks=8, hand=4, players=4, suit_isomorphism=True)),
    ToepenMatch(Toepen(suits=3, ranks=4, hand=3, players=3, betting="leader"), bound=8),
    ToepenMatch(Toepen(suits=4, ranks=8, hand=4, players=8, betting="anytime")),
]


@pytest.mark.parametrize("match", MATCHES, ids=str)
def test_a_match_follows_its_rules(match):
    players = match.rules.players
    for seed in range(10):
        points, stake, waiting = [0] * players, 1, 0
        inside, starter, bets = list(range(players)), -1, 0
        events = list(match.play([wild(10 * seed + player) for player in range(players)], seed))
        for event in events:
            if event.kind == "hand":
                assert sorted(event.what) == inside
                assert event.player == event.what[0]
                if starter >= 0:
                    later = [p for p in inside if p > starter] or inside
                    assert event.player == later[0], "the next one starts"
                starter, stake, waiting, called = event.player, 1, 0, 0
                seated = list(event.what)
            elif event.kind == "action" and event.what == "bet":
                assert points[event.player] + stake + 1 <= match.bound
                waiting, called, bets = len(seated) - 1, 0, bets + 1
            elif event.kind == "action" and event.what in ("call", "fold"):
                waiting -= 1
                called += event.what == "call"
                if event.what == "fold":
                    seated.remove(event.player)
                if not waiting and called:
                    stake += 1
            elif event.kind == "points":
                for row in event.what:
                    points[row["player"]] += row["pays"]
                    assert row["points"] == points[row["player"]]
                    assert row["wins"] == (row["pays"] == 0) == (row["player"] == event.player)
                    assert row["pays"] <= stake
            elif event.kind == "out":
                assert points[event.player] == event.what >= match.bound
                inside.remove(event.player)
        assert events[-1].kind == "match"
        assert [events[-1].player] == inside
        assert events[-1].what == tuple(points)
        assert bets > 0
        assert sum(event.kind == "out" for event in events) == players - 1


def test_tricks_are_told():
    match = ToepenMatch(Toepen(suits=4, ranks=8, hand=4, betting=False), bound=3)
    events = list(match.play([wild(0), wild(1)]))
    hands = sum(event.kind == "hand" for event in events)
    assert sum(event.kind == "trick" for event in events) == 3 * hands, "the fourth ends the hand"
    for before, event in pairwise(events):
        if before.kind == "trick":
            assert event.kind != "action" or event.player == before.player, "the winner leads"


def test_the_same_seed_is_the_same_match():
    match = ToepenMatch()
    sheets = [match.scores([wild(1), wild(2)], seed=seed) for seed in (7, 7, 8)]
    assert sheets[0] == sheets[1] != sheets[2]
    table = pd.DataFrame(sheets[0])
    assert list(table.columns) == ["hand", "player", "starts", "wins", "pays", "points"]
    assert table.groupby("player").pays.sum().max() >= 15


def test_deciders_by_the_number_of_players():
    asked = []

    def among(number):
        def decide(player, seen, actions):
            asked.append(number)
            assert player < number
            return actions[-1]

        return decide

    everybody = {3: among(3), 2: among(2)}
    list(THREE.play([everybody, everybody, wild(0)], seed=1))
    assert set(asked) == {2, 3}
    assert asked == sorted(asked, reverse=True), "first three, then two"


THREE = ToepenMatch(Toepen(players=3), bound=4)


def test_strategies_play_a_match():
    """A strategy of one free hand plays to the bound: where bets are forbidden it checks."""
    tree = wb.compile_game(Toepen(suits=2, ranks=2))
    good = wb.solve(tree, "cfr+", iterations=500, checkpoints=[500]).strategy
    match = ToepenMatch(Toepen(suits=2, ranks=2), bound=4)
    won = 0
    for seed in range(200):
        first, second = (
            wb.judge.decider(good, seed),
            wb.judge.decider(wb.Strategy.uniform(tree), seed + 1000),
        )
        *_, end = match.play([first, second], seed)
        won += end.player == 0
    assert won > 120, "who plays well wins more matches"


def test_the_decider_draws_what_the_strategy_says(kuhn):
    mixed = wb.Strategy.from_function(kuhn, lambda *_: {"p": 0.25, "b": 0.75})
    decide = wb.judge.decider(mixed, seed=0)
    chosen = [decide(0, ("J", ""), ("p", "b")) for _ in range(2000)]
    assert chosen.count("b") == pytest.approx(1500, abs=80)
