"""Sampled matches agree with exact values as often as their intervals promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.random_games import SEEDS, compiled, random_games, random_strategy, tree_of
from tests.test_compiling import told
from workbench.evaluation import matches
from workbench.evaluation.intervals import intervals
from workbench.evaluation.matches import played_scores, sample_scores
from workbench.policies import as_policy


def exact(strategies):
    found = wb.judge.meetings({str(k): strategy for k, strategy in enumerate(strategies)})
    return found["winnings"].to_numpy()


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize(("game", "players"), [("kuhn", 2), ("leduc", 2), ("leduc", 3)])
def test_intervals_hold_the_truth_95_times_in_100(game, players, duplicate):
    options = {"players": players, "suit_isomorphism": True} if game == "leduc" else {}
    tree = tree_of(game, **options)
    strategies = [random_strategy(tree, k) for k in range(players)]
    truth, inside, names = exact(strategies)[0], 0, ["0", "1", "2"][:players]
    for seed in range(400):
        scores = sample_scores(strategies, deals=200 // players, seed=seed, duplicate=duplicate)
        found = intervals(names, scores).loc["0"]
        inside += bool(found["low"] <= truth <= found["high"])
    assert 0.915 < inside / 400 < 0.98, "three standard errors of 400 tries around 0.95"


@settings(max_examples=30)
@given(random_games(players=st.integers(1, 3), recall=False), SEEDS)
def test_any_game_any_number_of_players(rules, seed):
    """No bias: the mean of many deals lies within five standard errors of the truth."""
    tree = compiled(rules)
    strategies = [random_strategy(tree, seed + k) for k in range(tree.num_players)]
    scores = sample_scores(strategies, deals=4000, seed=seed)
    error = scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    assert np.all(np.abs(scores.mean(axis=0) - exact(strategies)) <= 5 * error + 1e-9)


def test_merged_actions_are_drawn_evenly(leduc):
    """In a coarse game one choice may stand for several moves; each gets its share."""
    tree = wb.abstract(
        leduc, lambda p, seen, actions: (seen, ["go" if a != "f" else a for a in actions])
    )
    strategies = [random_strategy(tree.coarse, k) for k in range(2)]
    scores = sample_scores(strategies, deals=20_000, seed=5)[:, 0]
    assert abs(scores.mean() - exact(strategies)[0]) < 4 * scores.std() / np.sqrt(len(scores))


@pytest.mark.parametrize("players", [2, 3])
def test_the_same_hands_in_every_seat(players):
    """Equal strategies without dice win nothing from any deal: each gets every hand once."""
    tree = tree_of("leduc", players=players, suit_isomorphism=True)
    pure = wb.Strategy.from_function(
        tree, lambda p, seen, actions: actions[len(seen[0] + seen[1]) % 2]
    )
    scores = sample_scores([pure] * players, deals=2000)
    np.testing.assert_allclose(scores, 0.0, atol=1e-12)
    own = sample_scores([pure] * players, deals=2000, duplicate=False)
    assert np.abs(own).max() > 0.5, "with cards of their own they do"


def test_the_board_is_the_same_after_any_betting(leduc):
    """A caller and a raiser end at the same showdown, for one bet or for many."""
    caller = wb.Strategy.from_function(leduc, lambda p, seen, actions: "c")
    raiser = wb.Strategy.from_function(
        leduc, lambda p, seen, actions: "r" if "r" in actions else "c"
    )
    calm = sample_scores([caller, caller], deals=500, duplicate=False, seed=3)[:, 0]
    wild = sample_scores([raiser, raiser], deals=500, duplicate=False, seed=3)[:, 0]
    # nobody folds and nobody throws dice: the mean of two showdowns for 1 or for 13 chips
    np.testing.assert_allclose(wild, 13 * calm, atol=1e-12)


def test_same_seed_same_match_and_more_deals_begin_with_the_fewer(leduc):
    strategies = [random_strategy(leduc, k) for k in range(2)]
    few, many = (sample_scores(strategies, deals=n, seed=4) for n in (100, 300))
    assert np.array_equal(few, many[:100])
    assert not np.array_equal(few, sample_scores(strategies, deals=100, seed=5))


def test_interval_is_its_definition(kuhn):
    players = {"a": random_strategy(kuhn, 1), "b": random_strategy(kuhn, 2)}
    scores = sample_scores(list(players.values()), deals=50, seed=9)
    found = wb.sample_match(players, deals=50, seed=9)
    assert list(found.index) == ["a", "b"]
    assert found.loc["a", "winnings"] == scores[:, 0].mean()
    half = 2.0095752 * scores[:, 0].std(ddof=1) / np.sqrt(50)  # t for 49 degrees of freedom
    assert found.loc["a", "margin"] == pytest.approx(half, rel=1e-6)
    assert found.loc["a", "high"] - found.loc["a", "low"] == pytest.approx(2 * half, rel=1e-4)


@pytest.mark.parametrize("scoring", ["bankroll", "run-off"])
def test_sampled_standings_find_the_exact_ones(kuhn, scoring):
    """Bold play robs the timid and loses to an equilibrium; its twin's table is nobody's."""
    field = {
        "equilibrium": wb.solve(kuhn, "lp").strategy,
        "bold": wb.Strategy.from_function(kuhn, lambda player, seen, actions: "b"),
        "twin": wb.Strategy.from_function(kuhn, lambda player, seen, actions: "b"),
        "timid": wb.Strategy.from_function(kuhn, lambda player, seen, actions: "p"),
    }
    found = wb.judge.sample_standings(field, deals=20_000, seed=1, scoring=scoring)
    truth = wb.standings(field, scoring=scoring)
    first = {"bankroll": {"bold", "twin"}, "run-off": {"equilibrium"}}[scoring]
    assert found.index[0] in first
    for name, row in found.iterrows():
        assert (row["wins"], row["losses"]) == (truth.loc[name, "wins"], truth.loc[name, "losses"])
        assert abs(row["winnings"] - truth.loc[name, "winnings"]) < 2 * row["margin"] + 1e-12
    assert found.loc["timid", ["wins", "losses"]].tolist() == [0, 3]


def test_sampled_standings_are_the_tournament_and_its_last_table(kuhn):
    players = {str(k): random_strategy(kuhn, k) for k in range(4)}
    bankroll = wb.judge.sample_standings(players, deals=500, seed=3)
    same = wb.judge.sample_tournament(players, deals=500, seed=3)
    assert bankroll.columns.tolist() == ["winnings", "margin", "wins", "losses"]
    assert np.allclose(bankroll[["winnings", "margin"]], same[["winnings", "margin"]])
    run_off = wb.judge.sample_standings(players, deals=500, seed=3, scoring="run-off")
    assert run_off.index[-1] == bankroll.index[-1]
    last = {name: one for name, one in players.items() if name in run_off.index[:2]}
    match = wb.sample_match(last, deals=500, seed=3).loc[run_off.index[:2]]
    assert np.allclose(run_off[["winnings", "margin"]][:2], match[["winnings", "margin"]])
    alone = wb.judge.sample_tournament(last, deals=500, seed=3).loc[run_off.index[:2]]
    assert alone.equals(match)


def test_what_is_rare_is_in_the_margin_or_unknown():
    """One deal in a thousand pays a thousand to whoever asks for it, the others nothing."""

    def paid(state):
        won = 1000.0 * (state == ("j", "a"))
        return wb.Terminal((won, -won))

    rules = told(wb.Chance({"j": 0.001, "n": 0.999}), wb.Decision(0, "x", ("a", "b")), paid)
    tree = wb.compile_game(rules)
    asks, not_ = (wb.Strategy.from_function(tree, lambda p, s, a, k=k: a[k]) for k in (0, 1))
    both, alike = {"asks": asks, "does not": not_}, 0
    for seed in range(40):
        found = wb.sample_match(both, deals=1000, seed=seed).loc["asks"]
        assert found["low"] <= 0.5 <= found["high"]
        alike += found["winnings"] == 0.0
    assert 5 < alike < 25  # nobody met it, and yet 0.5 is inside
    assert np.isnan(wb.judge.play_match(rules, both, deals=20)["margin"]).all()
    assert (wb.sample_match({"a": not_, "b": not_}, deals=20)["margin"] == 0.0).all()  # by rule
    standings = wb.judge.sample_standings({"a": asks, "b": not_}, deals=1000, seed=seed)
    assert (standings["margin"] > 0).all()


def uniform(player, seen, actions):
    return [1 / len(actions)] * len(actions)


@pytest.mark.parametrize("players", [2, 3])
def test_play_by_the_rules_agrees_with_the_exact_value(players):
    """In all two or six seatings."""
    tree = tree_of("leduc", players=players, suit_isomorphism=True)
    habits = [lambda p, s, actions: actions[-1], uniform, lambda p, s, actions: "c"]
    strategies = [wb.Strategy.from_function(tree, habit) for habit in habits[:players]]
    named = dict(zip("abc", strategies, strict=False))
    table = wb.judge.play_match(tree.rules, named, deals=300, seed=3)
    assert list(table.index) == list(named)
    assert np.all(np.abs(table["winnings"] - exact(strategies)) < 2 * table["margin"])
    assert table["winnings"].sum() == pytest.approx(0.0)


def test_seats_get_what_they_should(kuhn):
    a, b = random_strategy(kuhn, 1), random_strategy(kuhn, 2)
    (scores,) = played_scores(wb.load_game("kuhn"), [[as_policy(a), as_policy(b)]], deals=3_000)
    margin = 4 * scores.std(axis=0) / np.sqrt(len(scores))
    assert np.all(np.abs(scores.mean(axis=0) - wb.expected_values([a, b])) < margin)


def test_one_bar_for_a_match(monkeypatch):
    opened = []
    bar = matches.ProgressBar
    monkeypatch.setattr(
        matches, "ProgressBar", lambda what, total: opened.append(what) or bar(what, total)
    )
    wb.judge.play_match(wb.load_game("kuhn"), {"one": uniform, "two": uniform}, deals=5)
    assert opened == ["playing kuhn"]


def test_same_policy_wins_nothing_and_same_seed_same_numbers():
    rules = wb.load_game("kuhn")
    pure = {"one": lambda p, s, a: "b", "two": lambda p, s, a: "b"}
    table = wb.judge.play_match(rules, pure, deals=50)
    assert np.all(table["winnings"] == 0.0)  # every deal is played from both seats
    assert table[["margin", "low", "high"]].isna().to_numpy().all()  # from a sample: unknown
    mixed = {"bold": pure["one"], "uniform": uniform}
    first = wb.judge.play_match(rules, mixed, deals=60, seed=4)
    assert first.equals(wb.judge.play_match(rules, mixed, deals=60, seed=4))
    assert not first.equals(wb.judge.play_match(rules, mixed, deals=60, seed=5))
