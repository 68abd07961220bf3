"""Matches from the rules agree with exact values, and deal the same cards to everybody."""

from typing import Any

import numpy as np
import pytest

from tests.random_games import random_strategy
from workbench.evaluation import matches
from workbench.evaluation.matches import play_match, played_scores
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.policies import as_policy


def uniform(player: int, seen: Any, actions: tuple[Any, ...]) -> list[float]:
    return [1 / len(actions)] * len(actions)


def test_agrees_with_the_exact_value(leduc):
    a, b = random_strategy(leduc, 1), random_strategy(leduc, 2)
    exact = (expected_values([a, b])[0] + expected_values([b, a])[1]) / 2
    table = play_match(load_game("leduc"), {"a": a, "b": b}, deals=800, seed=3)
    row = table.loc["a"]
    assert abs(row["winnings"] - exact) < 2 * row["margin"]
    assert row["high"] - row["low"] == pytest.approx(2 * row["margin"])
    assert table["winnings"].sum() == pytest.approx(0.0)


def test_seats_get_what_they_should(kuhn):
    a, b = random_strategy(kuhn, 1), random_strategy(kuhn, 2)
    scores = played_scores(load_game("kuhn"), [as_policy(a), as_policy(b)], deals=3_000)
    margin = 4 * scores.std(axis=0) / np.sqrt(len(scores))
    assert np.all(np.abs(scores.mean(axis=0) - expected_values([a, b])) < margin)


def test_one_bar_for_a_match(monkeypatch):
    opened: list[str] = []
    bar = matches.ProgressBar
    monkeypatch.setattr(
        matches, "ProgressBar", lambda what, total: opened.append(what) or bar(what, total)
    )
    play_match(load_game("kuhn"), {"one": uniform, "two": uniform}, deals=5)
    assert opened == ["playing kuhn"]


def test_same_policy_wins_nothing_and_same_seed_same_numbers():
    rules = load_game("kuhn")
    pure = {"one": lambda p, s, a: "b", "two": lambda p, s, a: "b"}
    table = play_match(rules, pure, deals=50)
    assert np.all(table["winnings"] == 0.0)  # every deal is played from both seats
    assert table[["margin", "low", "high"]].isna().to_numpy().all()  # from a sample: unknown
    mixed = {"bold": pure["one"], "uniform": uniform}
    first = play_match(rules, mixed, deals=60, seed=4)
    assert first.equals(play_match(rules, mixed, deals=60, seed=4))
    assert not first.equals(play_match(rules, mixed, deals=60, seed=5))


def test_three_players_in_six_seatings():
    table = play_match(
        load_game("leduc", players=3),
        {"bold": lambda p, s, a: a[-1], "uniform": uniform, "calm": lambda p, s, a: "c"},
        deals=20,
    )
    assert list(table.index) == ["bold", "uniform", "calm"]
    assert table["winnings"].sum() == pytest.approx(0.0)
