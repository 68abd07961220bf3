"""Gambit's files come in: what we write is found again, tables as a naive reader has them."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests.random_games import compiled, random_games
from workbench.games.gambit_text import gambit_text
from workbench.progress import told_to

TOO_LARGE = {"limit_holdem", "rhode_island", "toepen"}
HEAD = 'EFG 2 R "x" { "A" "B" }\n'


def same(tree, other):
    assert (tree.num_players, tree.num_histories) == (other.num_players, other.num_histories)
    for name in ("parent", "player", "infoset", "choice", "chance", "terminal", "first_choice"):
        assert getattr(tree, name).tolist() == getattr(other, name).tolist(), name
    assert tree.utility.tolist() == other.utility.tolist()


@pytest.mark.parametrize("name", sorted({*wb.list_games()} - TOO_LARGE))
def test_a_game_that_went_out_comes_in_again(name, tmp_path):
    tree = wb.compile_game(wb.load_game(name))
    wb.to_efg(tree, tmp_path / "game.efg")
    again = wb.load_game(tmp_path / "game.efg")
    assert again.name == tree.name
    same(wb.compile_game(again), tree)
    assert wb.load_game(again.text) == again  # and is a game in our own text


def test_a_table_that_went_out_comes_in_again(tmp_path):
    form = wb.theory.normal_form(wb.compile_game(wb.load_game("kuhn")))
    form.to_nfg(tmp_path / "kuhn.nfg")
    again = wb.theory.normal_form(wb.compile_game(wb.load_game(tmp_path / "kuhn.nfg")))
    assert np.allclose(again.payoffs, form.payoffs, rtol=0, atol=1e-15)
    assert wb.load_game('NFG 1 R "m&#252;nze" { "a" } { { "Köpfe" } } "" 3\n').name == "münze"


@given(random_games(players=st.integers(1, 3)) | random_games(recall=False))
def test_any_game_that_went_out_comes_in_again(rules):
    tree = compiled(rules)
    same(wb.compile_game(wb.load_game(wb.to_efg(tree))), tree)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 99), st.booleans())
def test_tables_are_read_as_a_naive_reader_reads_them(counts, seed, outcomes):
    """In the file the first player's strategies run fastest, so it is Fortran's order."""
    random, players = np.random.default_rng(seed), len(counts)
    paid = random.integers(-9, 9, (players, *counts))
    cells = paid.reshape(players, -1, order="F").T
    head = f'NFG 1 R "t" {{ {" ".join(f"{chr(34)}{i}{chr(34)}" for i in range(players))} }}'
    if outcomes:
        names = " ".join("{ " + " ".join(f'"s{k}"' for k in range(n)) + " }" for n in counts)
        listed = " ".join(f'{{ "" {", ".join(map(str, cell))} }}' for cell in cells)
        numbers = " ".join(map(str, range(1, len(cells) + 1)))
        body = f'{{ {names} }} "comment" {{ {listed} }}\n{numbers}'
    else:
        body = f"{{ {' '.join(map(str, counts))} }}\n{' '.join(map(str, cells.ravel()))}"
    rules = wb.load_game(f"{head}\n{body}\n")
    for profile in itertools.product(*map(range, counts)):
        state = rules.start()
        for k in profile:
            state = rules.next(state, rules.node(state).actions[k])
        assert list(rules.node(state).payoffs) == paid[(slice(None), *profile)].tolist()
    tree = wb.compile_game(rules)
    assert tree.num_infosets == sum(n > 1 for n in counts)  # nobody sees anything


def test_what_is_left_out_and_what_is_named_twice():
    text = gambit_text(
        HEAD
        + """"a comment"
        c "" 1 "" { "h" .5 "h" 5e-1 } 1 "paid on the way" { 1, -1 }
        p "" 1 7 "same" { "say \\"no\\"" "up" } 0
        t "" 2 "" { 1/3 0 } t "" 1
        p "" 1 9 "same" { "say \\"no\\"" "up" } 0 t "" 0 t "" 2"""
    )
    assert text.splitlines() == [
        'game "x"',
        "chance",
        '  "h (1)" 1/2: player 1 sees "same"',
        '    "say \\"no\\"": pays 4/3 -1',
        '    "up": pays 2 -2',
        '  "h (2)" 1/2: player 1 sees "same (9)"',
        '    "say \\"no\\"": pays 1 -1',
        '    "up": pays 4/3 -1',
    ]
    assert wb.compile_game(wb.load_game(text)).num_infosets == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('EFG 2 R "x" { }\n', "line 1: expected names in braces, found { }"),
        ('EFG 3 R "x" { "A" }\n', "line 1: expected 2"),
        ("", "line 1: expected EFG or NFG, found the end of the file"),
        ("game mine\n", "line 1: expected EFG or NFG, found game"),
        (HEAD, "found the end of the file"),
        (HEAD + "x", "expected c or p or t, found x"),
        (HEAD + 'p "" 3 1 "" { "a" } 0', "line 2: there is no player 3; the game has 2"),
        (HEAD + 'p "" 1 1 "" { } 0', "expected names in braces, found { }"),
        (HEAD + 'p "" 1 1 0', "has not been described yet"),
        (HEAD + 'p "" 1 1 "" { "a" } 0\np "" 1 1 "" { "b" } 0', "line 3: .*other actions"),
        (HEAD + 'p "" 1 1 "" { "a" } 0\nt "" 4', "line 3: outcome 4 has not"),
        (HEAD + 't "" 1 "" { 1 }', "line 2: 1 payoffs for 2 players"),
        (HEAD + 't "" 1 "" { 1 1e999 }', "'1e999' is no number"),
        (HEAD + 't "" 1 "" { 1 -1 } t "" 1', "'t' follows"),
        (HEAD + 'c "" 1 "" { "a" 1/2 "b" 1/3 } 0', "add up to 1, not to 0.8333"),
        (HEAD + 'c "" 1 "" { "a" 1 "b" } 0', "line 2: chance needs probabilities"),
        (HEAD + 'c "" 1 "" { "a" 2 "b" -1 } 0', "line 2: chance needs probabilities"),
        (HEAD + 't "never closed\n', "line 2: expected a name in quotes, closed at its end"),
        ('NFG 1 R "x" { "A" "B" } { 2 2 }\n1 -1', "line 1: the table needs 8 numbers"),
        ('NFG 1 R "x" { "A" "B" } { 2 }\n1 -1', "strategies of 2 players"),
        ('NFG 1 R "x" { "A" } { 2 } { { "" 1 } }\n1 2', "line 2: outcome 2 has not"),
    ],
)
def test_mistakes_are_told_with_their_line(text, says, tmp_path):
    (tmp_path / "bad.efg").write_text(text)
    with pytest.raises(wb.GameError, match=f"bad.efg, .*{says}|bad.efg, {says}"):
        wb.load_game(tmp_path / "bad.efg")


def test_who_waits_for_a_long_file_is_told_how_far_it_is(tmp_path):
    moves = " ".join(f'"{k}"' for k in range(600))
    ends = "\n".join(['t "" 1 "" { 1 -1 }'] * 600)
    (tmp_path / "long.efg").write_text(f'{HEAD}p "" 1 1 "" {{ {moves} }} 0\n{ends}\n')
    heard: list[str] = []
    with told_to(heard.append):
        wb.load_game(tmp_path / "long.efg")
    assert "reading long.efg, moves: 512" in heard
    assert "reading lines: 512" in heard
