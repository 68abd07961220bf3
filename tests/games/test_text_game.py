"""Text games: what is written is read, and every mistake is reported with its line."""

import random
import re

import pytest

from workbench.games.registry import load_game
from workbench.games.text_game import load_text
from workbench.rules import Chance, Decision, GameError, Terminal

NO_NUMBERS = ["one", "1/0", "9" * 399]


def test_names_and_numbers_that_need_care():
    game = load_text(
        r"""
        game "odd \"game\": #1"
        chance
          "a b" 1/7: player 1 sees "" "tab\tand\nnewline"
            player: pays -0.1  # a situation's word is a name as any other
            "é ": pays 1/3
          ":" 6/7: player 1 sees "\u2028 \\ \" #"
            pays: pays 12345678901234567890
        """
    )
    assert (game.name, game.players) == ('odd "game": #1', 1)
    first, second = (game.next(game.start(), name) for name in ("a b", ":"))
    assert game.node(game.start()) == Chance({"a b": 1 / 7, ":": 6 / 7})
    assert game.node(first) == Decision(0, ("", "tab\tand\nnewline"), ("player", "é "))
    assert game.node(second) == Decision(0, '\u2028 \\ " #', ("pays",))
    assert game.node(game.next(first, "player")) == Terminal((-0.1,))
    assert game.node(game.next(second, "pays")) == Terminal((12345678901234567890.0,))


def test_what_is_seen_and_equal_chances():
    game = load_text(
        """
        game g   # indentation of the whole text does not matter
        chance
          left:  player 1
            x: pays 1/3
          right: player 1 sees one "two words" three
            x: pays -0.25
        """
    )
    assert game.node(game.start()) == Chance({"left": 0.5, "right": 0.5})
    left, right = (game.next(game.start(), side) for side in ("left", "right"))
    assert game.node(left) == Decision(0, "", ("x",))
    assert game.node(right) == Decision(0, ("one", "two words", "three"), ("x",))
    assert game.node(game.next(left, "x")) == Terminal((1 / 3,))


def test_games_with_the_same_text_are_equal():
    assert load_game("figure1") == load_game("figure1")
    assert len({load_game("figure1"), load_game("figure1"), load_game("gift")}) == 2


MISTAKES = [
    ("\n\n", 1, "game NAME"),
    ("game two words\nplayer 1\n", 1, "game NAME"),
    ("game g\n# nothing\n", 1, "no situation"),
    ("game g\nplayer 1\n  x: pays 1\n  y pays 2\n", 4, "MOVE: SITUATION"),
    ("game g\nplayer 1\n  x: pays 1\n  y:\n", 4, "colon"),
    ("game g\nplayer 1\n  x: pays 1\n  a b c: pays 1\n", 4, "double"),
    ("game g\nplayer 1\n  x: pays 1\n   y: pays 2\n", 4, "over"),
    ("game g\nplayer 1\n   x: pays 1\n  y: pays 2\n", 4, "indented"),
    ("game g\nplayer 1\n  x: pays 1\nplayer 1\n", 4, "indent"),
    ("game g\nplayer 1\n\tx: pays 1\n", 3, "tabs"),
    ("game g\nplayer 1\n  x: pays 1\n  x: pays 2\n", 4, "already"),
    ("game g\nplayer 1\n  x: pays 1\n  y: pay 2\n", 4, "did you mean 'pays'"),
    ("game g\nplayer 1\n  x: pays 1\n  y: pays\n", 4, "number"),
    ("game g\nplayer 1\n  x: pays 1\n  y: pays 1 2\n", 4, "2 payoffs"),
    *((f"game g\nplayer 1\n  x: pays {odd}\n", 3, "number") for odd in NO_NUMBERS),
    ("game g\nplayer 0\n  x: pays 1\n", 2, "player 1"),
    ("game g\nplayer 1 saw x\n  x: pays 1\n", 2, "sees"),
    ("game g\nplayer 2\n  x: pays 1\n", 2, "pays 1 players"),
    ("game g\nplayer 1\n  x: player 1\n", 3, "no actions"),
    ("game g\nplayer 1\n  x 1/2: pays 1\n", 3, "chance"),
    ("game g\nchance\n", 2, "no outcomes"),
    ("game g\nchance\n  a 1/2: pays 1\n  b 1/3: pays 1\n", 2, "5/6"),
    ("game g\nchance\n  a 0.5: pays 1\n  b: pays 1\n", 4, "no probability"),
    ("game g\nchance\n  a 3/2: pays 1\n  b -1/2: pays 1\n", 4, "negative"),
    ('game g\nplayer 1\n  "x: pays 1\n', 3, "quotes"),
    ('game g\nplayer 1\n  "\\q": pays 1\n', 3, "backslash"),
    (
        "game g\nplayer 1\n  x: player 2 sees s\n    a: pays 1 1\n    b: pays 1 1\n"
        "  y: player 2 sees s\n    a: pays 1 1\n    c: pays 1 1\n",
        6,
        "same",
    ),
]


@pytest.mark.parametrize(("text", "line", "word"), MISTAKES)
def test_mistakes_are_reported_with_file_and_line(text, line, word, tmp_path):
    with pytest.raises(GameError, match=f"^line {line}: .*{word}"):
        load_text(text)
    path = tmp_path / "broken.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameError, match=f"^broken.txt, line {line}: "):
        load_text(path)


def test_broken_text_never_ends_in_another_error():
    """Cut, repeat and scramble a good file: it is read, or refused with a line number."""
    rng, refusals = random.Random(7), []
    good = load_game("figure1").text
    for _ in range(1000):
        text = list(good)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 3)] = rng.choice(
                ['"', ":", "\n", " ", "  ", "1", "/", "#", ""]
            )
        try:
            load_text("".join(text) + "\n")
        except GameError as error:
            refusals.append(str(error))
    assert len(refusals) > 250
    assert all(re.match(r"line \d+: ", refusal) for refusal in refusals)


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "picture.txt").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(GameError, match="it is not UTF-8 text"):
        load_text(tmp_path / "picture.txt")
