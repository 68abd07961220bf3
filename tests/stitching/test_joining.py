"""Stitching: identities that hold for every game, every partition, every strategy."""

import pytest
from hypothesis import given

from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games, random_strategy
from tests.stitching.partitions import random_partition
from workbench import Strategy, expected_values
from workbench.stitching.joining import cut, expert_game, keep_base, stitch
from workbench.stitching.partition import betting_experts


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_stitching_a_strategy_with_its_own_pieces_is_the_identity(rules, seed):
    tree = compiled(rules)
    part, sigma = random_partition(tree, seed), random_strategy(tree, seed)
    for players in [None, {0}, set(range(tree.num_players))]:
        same = stitch(sigma, part, dict.fromkeys(part.names, sigma), players)
        assert same.probs.tolist() == sigma.probs.tolist()


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_everybody_plays_where_the_definition_says(rules, seed):
    tree = compiled(rules)
    part, base = random_partition(tree, seed), random_strategy(tree, seed)
    found = {name: random_strategy(tree, seed + k) for k, name in enumerate(part.names, 1)}
    players = {seed % tree.num_players}
    stitched = stitch(base, part, found, players)
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        j, player = part.part[infoset], int(tree.infoset_player[infoset])
        owner = found[part.names[j - 1]] if j and player in players else base
        assert stitched.probs[low:high].tolist() == owner.probs[low:high].tolist()


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_the_game_of_an_expert(rules, seed):
    """Left to decide: S in the part, the others everywhere; values are those of the whole game."""
    tree = compiled(rules)
    part, base = random_partition(tree, seed), random_strategy(tree, seed)
    players = {seed % tree.num_players, (seed // 7) % tree.num_players}
    for name in part.names:
        game = expert_game(base, part, name, players)
        left = [
            infoset
            for infoset in range(tree.num_infosets)
            if tree.infoset_player[infoset] not in players
            or part.part[infoset] == part.number(name)
        ]
        assert [tree.seen[infoset] for infoset in left] == list(game.tree.seen)
        mine = random_strategy(game.tree, seed + 1)
        assert expected_values(mine) == pytest.approx(expected_values(game.lift(mine)))


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_gains_of_one_players_experts_add_up(rules, seed):
    """The equation of Theorem 1 needs no equilibrium: it holds for any strategies."""
    tree = compiled(rules)
    part, base = random_partition(tree, seed, experts=3), random_strategy(tree, seed)
    found = {name: random_strategy(tree, seed + k) for k, name in enumerate(part.names, 1)}
    player = seed % tree.num_players
    before = expected_values(base)
    together = expected_values(stitch(base, part, found, player)) - before
    alone = [
        expected_values(stitch(base, part, {name: expert}, player)) - before
        for name, expert in found.items()
    ]
    assert together == pytest.approx(sum(alone), abs=1e-9)


def test_cutting(kuhn):
    sigma = Strategy.from_function(kuhn, lambda p, seen, a: {"p": 0.999, "b": 0.001})
    assert cut(sigma, 0.0) is sigma
    assert cut(sigma, 0.0005).probs == pytest.approx(sigma.probs)
    assert set(cut(sigma, 0.01).probs) == {0.0, 1.0}
    uniform = Strategy.uniform(kuhn)
    assert cut(uniform, 0.49).probs.tolist() == uniform.probs.tolist()


def test_the_base_plays_on_where_nobody_arrives(leduc):
    part = betting_experts(leduc, ["r", "cr"])
    never = Strategy.from_function(leduc, lambda p, seen, actions: "c")
    game = expert_game(never, part, "r", {0, 1})
    assert game.unreached.all()
    kept = keep_base(game, Strategy.uniform(leduc), never)
    assert kept.probs.tolist() == never.probs.tolist()
    half = expert_game(never, part, "r", {1})  # player 0 may still raise
    betting = [seen[2] for seen in half.tree.seen]
    reached = {b for b, alone in zip(betting, half.unreached, strict=True) if not alone}
    assert {"r", "rr", "rc/", "rc/r"} <= reached
    assert "cr" not in reached
