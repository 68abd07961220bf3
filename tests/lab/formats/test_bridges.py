"""Bridges: OpenSpiel's games come in, Gambit's text goes out, and both programs agree with us."""

import io
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests import golden
from tests.oracles import policy_of, positions
from tests.random_games import (
    SEEDS,
    compiled,
    land_or_water,
    random_games,
    random_strategy,
    tree_of,
)
from tests.test_compiling import told
from workbench.lab.formats.gambit import distribution, fraction, to_efg
from workbench.lab.formats.openspiel import OpenSpielGame, _ambiguous
from workbench.solvers.base import average, start_state
from workbench.solvers.cfr import CFR, CFRPlus

# ---- OpenSpiel -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def pyspiel():
    return pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("name", "histories", "infosets", "players"),
    [
        ("kuhn_poker", 58, 12, 2),
        ("leduc_poker", golden.LEDUC_HISTORIES, golden.LEDUC_INFOSETS, 2),
        ("kuhn_poker(players=3)", 617, 48, 3),
    ],
)
def test_games_come_in_and_uniform_play_is_judged_alike(
    pyspiel, name, histories, infosets, players
):
    algorithms = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policy = pytest.importorskip("open_spiel.python.policy")
    tree = wb.compile_game(wb.from_openspiel(name))
    sizes = tree.num_histories, tree.num_infosets, tree.num_players
    assert sizes == (histories, infosets, players)
    assert tree.perfect_recall
    assert tree.name.startswith(name.split("(")[0])
    game = pyspiel.load_game(name)
    theirs = algorithms.nash_conv(game, policy.UniformRandomPolicy(game))
    ours = wb.exploitability(wb.Strategy.uniform(tree)) * tree.num_players
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_names_and_what_is_seen_are_openspiels(pyspiel):
    game = pyspiel.load_game("kuhn_poker")
    tree = wb.compile_game(wb.from_openspiel(game))
    assert set(tree.actions) == {"Pass", "Bet"}
    state = game.new_initial_state()
    for action in (2, 0, 0):
        state.apply_action(action)
    assert state.information_state_string(1) in tree.seen
    sigma = wb.Strategy.uniform(tree)
    assert sigma.at(state.information_state_string(1), player=1) == {"Pass": 0.5, "Bet": 0.5}


@pytest.mark.parametrize("iterations", [1, 20])
@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize("solver", ["cfr", "cfr+"])
def test_average_strategies_equal_openspiels(pyspiel, solver, game, iterations):
    """Both alternate; OpenSpiel's CFR+ averages linearly, as ours does."""
    spiel = pyspiel.load_game(game)
    theirs = pyspiel.CFRSolver(spiel) if solver == "cfr" else pyspiel.CFRPlusSolver(spiel)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    policy = theirs.tabular_average_policy()

    rules = wb.from_openspiel(spiel, numbers=True)
    tree = wb.compile_game(rules)
    ours = (CFR() if solver == "cfr" else CFRPlus()).advance(tree, start_state(tree), iterations)
    mine = policy_of(average(tree, ours))
    compared = set()
    for position, node in positions(rules):
        if isinstance(node, wb.Decision) and (node.player, node.seen) not in compared:
            other = dict(policy.action_probabilities(position.state))
            assert mine[node.player, node.seen] == pytest.approx(other, abs=1e-9)
            compared.add((node.player, node.seen))
    assert len(compared) == tree.num_infosets


@pytest.mark.usefixtures("pyspiel")
def test_players_who_move_together_take_turns():
    tree = wb.compile_game(wb.from_openspiel("matrix_rps"))
    ours = wb.compile_game(wb.load_game("rock_paper_scissors"))
    assert [tree.num_histories, tree.num_infosets] == [ours.num_histories, ours.num_infosets]
    assert set(tree.actions) == {"Rock", "Paper", "Scissors"}
    assert sorted(map(tuple, tree.utility)) == sorted(map(tuple, ours.utility))
    goofspiel = wb.compile_game(wb.from_openspiel("goofspiel(num_cards=3)"))
    assert goofspiel.perfect_recall
    # player 1 must not see the bid that player 0 makes at the same moment
    hers = goofspiel.infosets_of(1)
    first = [i for i in hers if goofspiel.parent_choice[i] < 0]
    per_card = [np.sum(goofspiel.infoset == i) for i in first]
    assert per_card == [3] * len(first)


@pytest.mark.usefixtures("pyspiel")
def test_perfect_information_needs_no_information_state():
    tree = wb.compile_game(wb.from_openspiel("pig(winscore=3,horizon=4)"))
    assert tree.num_infosets == np.sum(tree.infoset >= 0), "every decision is its own infoset"


class Renamed:
    """A stand-in for a pyspiel game whose actions are called differently in two histories."""

    def __init__(self, names, path=()):
        self.names, self.path = names, path

    def child(self, action):
        return Renamed(self.names, (*self.path, action))

    def is_terminal(self):
        return len(self.path) == 2

    def is_chance_node(self):
        return len(self.path) == 0

    def current_player(self):
        return 0 if self.path else -1

    def legal_actions(self):
        return [4, 7]

    def chance_outcomes(self):
        return [(4, 0.25), (7, 0.75)]

    def action_to_string(self, player, action):
        names = self.names.get(self.path, ["one", "two"])
        return names[self.legal_actions().index(action)]

    def information_state_string(self, player):
        return "always the same"

    def returns(self):
        return [float(self.path[-1]), 0.0]

    # the game itself
    provides_information_state_string = True

    def get_type(self):
        return self

    def num_players(self):
        return 2

    def new_initial_state(self):
        return self

    def __str__(self):
        return "renamed"


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        ({}, False),
        ({(4,): ["two", "one"]}, True),  # differ between histories
        ({(4,): ["same", "same"]}, True),  # clash in one history
        ({(4,): ["same", "same"], (7,): ["same", "same"]}, False),  # clash everywhere
        ({(): ["card", "card"]}, False),  # chance outcomes need no common name
    ],
)
def test_numbers_where_names_clash_or_differ(names, numbers):
    rules = OpenSpielGame(Renamed(names))
    assert _ambiguous(rules) is numbers
    tree = wb.compile_game(OpenSpielGame(Renamed(names), numbers=numbers))
    assert tree.num_infosets == 1
    assert tree.num_histories == 7
    fallback = numbers or "same" in names.get((7,), [])
    assert tree.actions == ((4, 7) if fallback else ("one", "two"))
    # the same integer is the same choice in both histories
    for choice, payoff in ((0, 4.0), (1, 7.0)):
        ends = tree.terminal[np.flatnonzero(tree.choice == choice)]
        assert tree.utility[ends, 0].tolist() == [payoff, payoff]


def test_a_clash_found_late_is_refused_not_ignored():
    with pytest.raises(wb.GameError, match="must offer the same actions"):
        wb.compile_game(OpenSpielGame(Renamed({(7,): ["uno", "due"]})))


def test_openspiel_is_loaded_when_asked_for_and_named_when_missing(run_python):
    code = (
        "import sys, workbench as wb\n"
        "wb.from_openspiel; print('pyspiel' in sys.modules)\n"
        "sys.modules['pyspiel'] = None\n"
        "try:\n    wb.from_openspiel('kuhn_poker')\n"
        "except wb.GameError as error:\n    print(error)\n"
    )
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr
    loaded, message = done.stdout.splitlines()
    assert loaded == "False"
    assert "pip install open_spiel" in message


# ---- fractions -----------------------------------------------------------------------------


@given(st.integers(-2000, 2000), st.integers(1, 2000))
def test_small_fractions_are_found_again(numerator, denominator):
    assert fraction(numerator / denominator) == Fraction(numerator, denominator)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_fraction_rounds_to_its_number(value):
    assert float(fraction(value)) == value


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_probabilities_are_found_again(weights):
    total = sum(weights)
    found = distribution([weight / total for weight in weights])
    assert found == [Fraction(weight, total) for weight in weights]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda weights: sum(weights) > 0.1))
def test_probabilities_sum_to_exactly_one(weights):
    scaled = [weight / sum(weights) for weight in weights]
    found = distribution(scaled)
    assert sum(found) == 1
    assert [float(p) for p in found] == pytest.approx(scaled, abs=1e-12)
    assert all(p >= 0 for p in found)


def test_rounded_thirds_are_thirds():
    third = 1 - 1 / 3 - 1 / 3
    assert third != 1 / 3
    assert distribution([1 / 3, 1 / 3, third]) == [Fraction(1, 3)] * 3


# ---- the text ------------------------------------------------------------------------------


def parse(text):
    """The nodes of a text as tokens, quotes kept: an oracle for counting."""
    lines = text.split("\n\n", 1)[1].splitlines()
    return [re.findall(r'"(?:\\.|[^"\\])*"|[^\s"]+', line) for line in lines if line]


def test_a_file_is_written(tmp_path, kuhn):
    path = tmp_path / "kuhn.efg"
    text = to_efg(kuhn, path)
    assert path.read_text(encoding="utf-8") == text == to_efg(kuhn)
    with pytest.raises(wb.GameError, match=r"nowhere.* cannot be written"):
        to_efg(kuhn, tmp_path / "nowhere" / "kuhn.efg")


@pytest.mark.parametrize("name", ["kuhn", "figure1", "odd_one_out", "smuggler"])
def test_every_history_is_one_node(name):
    tree = wb.compile_game(wb.load_game(name))
    nodes = parse(to_efg(tree))
    kinds = [node[0] for node in nodes]
    assert len(nodes) == tree.num_histories
    assert kinds.count("t") == tree.num_terminals
    assert kinds.count("c") == np.sum(tree.player == -1)
    infosets = {(node[2], node[3]) for node in nodes if node[0] == "p"}
    assert len(infosets) == tree.num_infosets


def test_chance_is_written_in_exact_fractions():
    text = to_efg(wb.compile_game(wb.load_game("kuhn")))
    assert '{ "J" 1/3 "Q" 1/3 "K" 1/3 }' in text
    leduc = to_efg(wb.compile_game(wb.load_game("leduc", suit_isomorphism=True)))
    assert '{ "J" 1/5 "Q" 2/5 "K" 2/5 }' in leduc
    assert "." not in re.sub(r'"[^"]*"', "", leduc), "no decimals"


def test_text_is_plain_ascii_on_single_lines():
    rules = told(
        wb.Chance({'a "quoted"\n\tcard': 0.5, "Q♠": 0.5}),
        lambda state: wb.Decision(0, f"né\n{len(state[0])}", ("back\\", "♥")),
        wb.Terminal((0.1, -2.5)),
    )
    text = to_efg(wb.compile_game(replace(rules, name='a "game"')))
    assert text.isascii()
    assert text.startswith('EFG 2 R "a \\"game\\"" { "player 1" "player 2" }')
    assert '"a \\"quoted\\" card" 1/2 "Qs" 1/2' in text
    assert "{ 1/10 -5/2 }" in text


def test_merged_actions_become_chance():
    text = to_efg(wb.abstract(tree_of("smuggler"), land_or_water).coarse)
    nodes = parse(text)
    assert [node[0] for node in nodes] == ["p", "p", "t", "c", "t", "t", "p", "t", "c", "t", "t"]
    merged = (
        'p "" 2 1 "where" { "water" "land" } 0\nt "" 1 "" { 0 0 }\nc "" 1 "" { "1" 1/2 "2" 1/2 } 0'
    )
    assert merged in text


@given(random_games(players=st.integers(2, 3)) | random_games(recall=False), SEEDS)
def test_gambit_and_we_value_a_strategy_alike(rules, seed):
    gambit = pytest.importorskip("pygambit")
    tree = compiled(rules)
    game, sigma = gambit.read_efg(io.StringIO(to_efg(tree))), random_strategy(tree, seed)
    profile = game.mixed_behavior_profile(rational=False)
    for i, player in enumerate(game.players):
        for infoset in player.infosets:  # in an order of Gambit's own
            at = sigma.at(infoset.label.replace(".", "·"), player=i)
            for action in infoset.actions:
                profile[action] = at[int(action.label)]
    theirs = [profile.payoff(player) for player in game.players]
    np.testing.assert_allclose(wb.expected_values(sigma), theirs, atol=1e-12)
