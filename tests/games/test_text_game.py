"""Text games: what is written is read again, and every mistake is reported with its line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.games import text_game
from workbench.games.leduc import Leduc
from workbench.games.matrix import MATRIX_GAMES
from workbench.games.registry import load_game
from workbench.games.text_game import load_text, save_text, to_text
from workbench.rules import Chance, Decision, GameError, Rules, Terminal

TEXTS = sorted((Path(__file__).parents[2] / "data" / "games").glob("*.txt"))


def assert_same_game(first: Rules, second: Rules) -> int:
    """Compare two games with all their names; return the number of histories."""
    assert (first.name, first.players) == (second.name, second.players)
    ours, theirs = wb.compile_game(first), wb.compile_game(second)
    assert ours.fingerprint == theirs.fingerprint
    assert (ours.seen, ours.actions) == (theirs.seen, theirs.actions)
    assert ours.outcomes == theirs.outcomes
    assert np.array_equal(ours.outcome, theirs.outcome)
    return ours.num_histories


@pytest.mark.parametrize("name", ["kuhn", "leduc", *MATRIX_GAMES, *(path.stem for path in TEXTS)])
def test_round_trip(name, tmp_path):
    rules = load_game(name)
    path = tmp_path / "game.txt"
    save_text(rules, path)
    assert assert_same_game(rules, load_text(path)) > 3
    assert to_text(load_text(path)) == path.read_text(encoding="utf-8")


NO_NUMBERS = ["one", "1/0", "9" * 399]


class Odd:
    """Names, knowledge and numbers that need care."""

    name, players = 'odd "game": #1', 1

    def start(self):
        return ()

    def next(self, state, action):
        return (*state, action)

    def node(self, state):
        if not state:
            return Chance({"a b": 1 / 7, "#": 1e-12, ":": 6 / 7 - 1e-12})
        if len(state) == 1:
            seen = {"a b": ("", "tab\tand\nnewline"), "#": '\u2028 \\ "', ":": ""}[state[0]]
            return Decision(0, seen, ["player", "é ", "pays"])
        return Terminal([{"player": 1e300, "é ": -0.1, "pays": 5e-324}[state[1]]])


def test_names_and_numbers_that_need_care():
    assert assert_same_game(Odd(), load_text(to_text(Odd()))) == 13


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
    good = to_text(load_game("figure1"))
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


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(GameError, match=r"cannot read the game file .*: No such file"):
        load_text(tmp_path / "missing.txt")
    with pytest.raises(GameError, match="cannot read the game file"):
        load_text(tmp_path)
    (tmp_path / "picture.txt").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(GameError, match="it is not UTF-8 text"):
        load_text(tmp_path / "picture.txt")


def test_a_game_too_large_for_a_file_leaves_no_file(tmp_path):
    with pytest.raises(GameError, match="leduc has more than 100 histories"):
        save_text(Leduc(), tmp_path / "leduc.txt", max_lines=100)
    assert not list(tmp_path.iterdir())


def test_knowledge_that_would_read_alike_is_refused():
    class Blurred(Odd):
        def node(self, state):
            if not state:
                return Chance({"a": 0.5, "b": 0.5})
            if len(state) == 1:
                return Decision(0, 1 if state[0] == "a" else "1", ["x", "y"])
            return Terminal([0.0])

    with pytest.raises(GameError, match=r"player 1 sees '1' and 1|player 1 sees 1 and '1'"):
        to_text(Blurred())


def test_large_and_deep_files_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = "game deep\nplayer 1\n" + "".join(" " * k + "a: player 1\n" for k in range(1, 5002))
    with pytest.raises(GameError, match="line 5002: more than 5,000 moves follow on one another"):
        load_text(deep)
    path = tmp_path / "large.txt"
    path.write_text(deep)
    monkeypatch.setattr(text_game, "LARGEST", 1_000_000)
    with pytest.raises(GameError, match=r"large.txt has 13 MB, .* write its rules in Python"):
        load_text(path)
