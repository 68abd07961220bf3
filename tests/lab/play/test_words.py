"""Words and tables tell everything that a player knows, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from tests.games.test_toepen_match import wild
from tests.lab.test_new_game import Bare
from tests.test_compiling import told
from workbench.games.words import situation, words_for
from workbench.lab.play.hand_record import replay
from workbench.policies import Step, play_hand
from workbench.rules import Rules

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("kuhn", {"cards": 5}),
    ("leduc", {}),
    ("leduc", {"players": 3}),
    ("leduc", {"suit_isomorphism": True}),
    ("toepen", {}),
    ("toepen", {"players": 3, "hand": 2}),
    ("toepen", {"suit_isomorphism": True}),
    ("toepen", {"limits": (2, 1)}),
    ("toepen", {"betting": "anytime", "players": 3, "limits": (1, 3, 2)}),
    ("bluff", {}),
]


def random_steps(rules: Rules, seed: int) -> tuple[Step, ...]:
    events = play_hand(rules, [wild(seed)] * rules.players, seed)
    steps = tuple(step for step in events if step.kind != "over")
    assert replay(rules, [(step.player, step.what) for step in steps]) == steps
    return steps


def named(players: int, you: int) -> list[str]:
    return ["You" if seat == you else f"Player {seat + 1}" for seat in range(players)]


def liar():
    """Says nothing about its cards: a die is cast, a number said, which the die may show, too."""
    return told(
        wb.Chance(dict.fromkeys((1, 2, 3), 1 / 3)),
        lambda state: wb.Decision(0, ("die", state[0]), (0, 1, 2)),
        lambda state: wb.Decision(1, ("claim", state[1]), ("doubt", "accept")),
    )


def test_what_is_said_is_no_card():
    words = words_for(liar())
    for moves in [(2, 2), (2, 1), (3, 2), (1, 0)]:
        steps = replay(liar(), [(-1, moves[0]), (0, moves[1]), (1, "doubt")])
        assert words.scene(steps[:1], 0, set()).places[0].cards == (str(moves[0]),)
        yours = words.scene(steps[:2], 1, set()).places[1]
        assert (yours.cards, yours.note) == ((), f"see “claim {moves[1]}”")


@pytest.mark.parametrize(
    ("game", "options"), [*GAMES, (liar, {}), (Bare, {}), (Bare, {"nested": True, "speaks": False})]
)
def test_who_has_seen_the_same_is_told_the_same(game, options):
    """Nothing leaks: text and table are functions of what the rules say a player has seen."""
    rules = wb.load_game(game, **options) if isinstance(game, str) else game(**options)
    words, views = words_for(rules), {}
    for seed in range(150):
        steps = random_steps(rules, seed)
        for k, step in enumerate(steps):
            if len(step.actions) < 2:
                continue
            you, before = step.player, steps[:k]
            names = named(rules.players, you)
            view = (
                situation(words, before, step.seen, names, you),
                words.scene(before, you, set()),
                [text for one in before for text in words.told(one, names, you)],
                [words.move(action, step.seen, step.actions) for action in step.actions],
            )
            assert views.setdefault((you, step.seen), view) == view
            assert len(set(view[3])) == len(step.actions)  # no two moves are called the same


@pytest.mark.parametrize(("game", "options"), GAMES[:-1])
def test_every_card_is_on_the_table_once(game, options):
    rules = wb.load_game(game, **options)
    words = words_for(rules)
    everybody = set(range(rules.players))
    for seed in range(50):
        steps = random_steps(rules, seed)
        scene = words.scene(steps, 0, everybody)
        cards = [card for place in scene.places for card in place.cards]
        cards += [*scene.board, *(card for trick in scene.tricks for _, card in trick.cards)]
        hand = getattr(rules, "hand", 1)
        assert len(cards) == rules.players * hand + len(scene.board)
        assert None not in cards
        if not options.get("suit_isomorphism"):
            assert len(set(cards)) == len(cards)
        hidden = words.scene(steps, 0, set())
        assert [len(place.cards) for place in hidden.places] == [
            len(place.cards) for place in scene.places
        ]
        assert all(card is None for place in hidden.places[1:] for card in place.cards)


# Game, options, moves (chance is −), who is told; what she is told, move by move.
TOLD: list[tuple[str, dict[str, Any], list[tuple[int, str]], int, list[str]]] = [
    (
        "kuhn", {}, [(-1, "Q"), (-1, "J"), (0, "p"), (1, "b"), (0, "b")], 0,
        ["You are dealt the Queen", "You pass", "Player 2 bets", "You call"],
    ),
    (
        "leduc", {"players": 3},
        [(-1, "Q♠"), (-1, "K♠"), (-1, "J♥"), (0, "r"), (1, "r"), (2, "f"), (0, "c"), (-1, "J♠")], 1,
        ["You are dealt the King of spades", "Player 1 bets", "You raise", "Player 3 folds",
         "Player 1 calls", "The board shows the Jack of spades"],
    ),
    (
        "toepen", {"suits": 2, "ranks": 3},
        [(-1, "10♠ 9♥ | 9♠ 10♥"), (0, "check"), (0, "9♥"), (1, "check"), (1, "10♥"), (1, "bet")], 0,
        ["You are dealt the 10♠ and 9♥", "You lead", "You check", "You play the 9♥",
         "Player 2 checks", "Player 2 plays the 10♥", "Player 2 wins the trick", "Player 2 bets"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "moves", "you", "texts"), TOLD)
def test_what_is_told(game, options, moves, you, texts):
    rules = wb.load_game(game, **options)
    words, names = words_for(rules), named(rules.players, you)
    steps = replay(rules, moves)
    assert [text for step in steps for text in words.told(step, names, you)] == texts


def test_what_is_shown_at_the_end():
    kuhn, names = wb.load_game("kuhn"), ["You", "Player 2"]
    words = words_for(kuhn)
    steps = replay(kuhn, TOLD[0][2])
    assert words.shown(steps, names, 0) == ["Player 2 shows the Jack"]
    assert words.showdown(steps) == {0, 1}
    assert words.scene(steps, 0, set()).at_stake == "pot 4 chips"
    folded = replay(kuhn, [(-1, "Q"), (-1, "J"), (0, "b"), (1, "p")])
    assert words.showdown(folded) == set()
    assert words.shown(folded, names, 0) == []


def test_the_table_in_the_middle_of_a_hand():
    def scene(game, options, moves, you, _):
        rules = wb.load_game(game, **options)
        return words_for(rules).scene(replay(rules, moves), you, set())

    leduc, toepen = (scene(*row) for row in TOLD[1:])
    assert [place.paid for place in leduc.places] == [5, 5, 1]
    assert [place.folded for place in leduc.places] == [False, False, True]
    assert (leduc.board, leduc.at_stake) == (("J♠",), "pot 11 chips")
    assert [place.cards for place in toepen.places] == [("10♠",), (None,)]
    assert (toepen.tricks[0].cards, toepen.tricks[0].winner) == (((0, "9♥"), (1, "10♥")), 1)


def test_a_trick_that_ends_with_a_fold():
    toepen = wb.load_game("toepen", betting="anytime", players=3, limits=(1, 2, 1))
    words, names = words_for(toepen), ["You", "Player 2", "Player 3"]
    moves = [
        (-1, "8♠ 8♥ | 10♠ 9♥ | 9♠ 10♥"), (1, "check"), (0, "8♠"), (1, "check"), (1, "10♠"),
        (1, "bet"), (2, "fold"), (0, "call"),
    ]  # fmt: skip
    steps = replay(toepen, moves)
    assert words.told(steps[0], names, 0)[-1] == "You lead", "though somebody else speaks first"
    scene = words.scene(steps, 0, set())
    assert (scene.tricks[0].cards, scene.tricks[0].winner) == (((0, "8♠"), (1, "10♠")), 1)
    assert scene.places[2].folded
