"""Move for move the same games as OpenSpiel's: who acts, what is offered, what is paid."""

import random

import pytest

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.rules import Chance, Decision, Terminal

pyspiel = pytest.importorskip("pyspiel")

LEDUC = {"Fold": "f", "Call": "c", "Raise": "r"}
KUHN = {"Pass": "p", "Bet": "b"}


def paired_moves(rules, state, spiel, names, deck):
    """Check that both games agree here; return [(our move, their move)]."""
    node = rules.node(state)
    if isinstance(node, Terminal):
        assert spiel.is_terminal()
        assert list(node.payoffs) == pytest.approx(spiel.returns(), abs=1e-12)
        return []
    if isinstance(node, Chance):
        assert spiel.is_chance_node()
        theirs = {deck[card]: p for card, p in spiel.chance_outcomes()}
        assert dict(node.probabilities) == pytest.approx(theirs, abs=1e-12)
        return [(deck[card], card) for card, _ in spiel.chance_outcomes()]
    assert isinstance(node, Decision)
    assert spiel.current_player() == node.player
    moves = [(names[spiel.action_to_string(a)], a) for a in spiel.legal_actions()]
    assert [ours for ours, _ in moves] == list(node.actions)
    return moves


@pytest.mark.parametrize(
    ("rules", "game", "names", "histories"),
    [(Kuhn(), "kuhn_poker", KUHN, 58), (Leduc(), "leduc_poker", LEDUC, 9457)],
)
def test_every_history_agrees(rules, game, names, histories):
    deck = list("JQK") if game == "kuhn_poker" else [r + s for r in "JQK" for s in "♠♥"]
    stack, visited = [(rules.start(), pyspiel.load_game(game).new_initial_state())], 0
    ours_to_theirs = {}
    while stack:
        state, spiel = stack.pop()
        visited += 1
        node = rules.node(state)
        if isinstance(node, Decision):  # the same information sets
            theirs = spiel.information_state_string()
            assert ours_to_theirs.setdefault((node.player, node.seen), theirs) == theirs
        for ours, theirs in paired_moves(rules, state, spiel, names, deck):
            stack.append((rules.next(state, ours), spiel.child(theirs)))
    assert visited == histories
    assert len(set(ours_to_theirs.values())) == len(ours_to_theirs)


@pytest.mark.parametrize("players", [3, 4])
def test_random_games_of_more_players_agree(players):
    # OpenSpiel's deck has players + 1 ranks.
    rules = Leduc(players=players, ranks=players + 1)
    deck = [rank + suit for rank in rules.rank_names for suit in "♠♥"]
    game = pyspiel.load_game(f"leduc_poker(players={players})")
    rng = random.Random(20110)
    lengths = set()
    for _ in range(1000):
        state, spiel, length = rules.start(), game.new_initial_state(), 0
        while moves := paired_moves(rules, state, spiel, LEDUC, deck):
            ours, theirs = rng.choice(moves)
            state = rules.next(state, ours)
            spiel.apply_action(theirs)
            length += 1
        lengths.add(length)
    assert len(lengths) > 5, "the games played must differ"
