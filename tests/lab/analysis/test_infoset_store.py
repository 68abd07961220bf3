"""The growing table: codes lead to rows, the limit holds, nothing is lost."""

from __future__ import annotations

from random import Random

import pytest

from tests.conftest import RunPython
from workbench.lab.analysis.rules_sampling.infoset_store import FullError, Table, code_of
from workbench.rules import GameError


def filled(infosets: int, memory: int = 10**9, seed: int = 0) -> tuple[Table, dict[object, int]]:
    """A table with rows of two or three choices, and what it should know."""
    table, known, rng = Table(memory), {}, Random(seed)
    for k in range(infosets):
        shape = table.shape(k % 2, ("f", "c", "r")[: rng.choice([2, 3])])
        label = ("hand", k, rng.random())
        known[k % 2, label] = table.add(code_of(k % 2, label), shape)
    return table, known


def test_finds_what_was_added_and_nothing_else() -> None:
    table, known = filled(5_000)  # the slots double several times on the way
    assert list(known.values()) == list(range(5_000))
    for (player, label), row in known.items():  # type: ignore[misc]
        assert table.find(code_of(player, label)) == row
        assert table.find(code_of(1 - player, label)) == -1
    assert table.first_choice[-1] == table.num_choices == len(table.strategy_sum)


def test_codes_that_begin_in_the_same_slot() -> None:
    table = Table(10**6)
    shape = table.shape(0, ("a", "b"))
    codes = [(1023, 1), (1023, 2), (2047, 1), (0, 1), (1023 + 2**40, 3)]  # around the end
    assert [table.add(code, shape) for code in codes] == [0, 1, 2, 3, 4]
    assert [table.find(code) for code in codes] == [0, 1, 2, 3, 4]
    assert table.find((1023, 3)) == table.find((1, 1)) == -1


def test_truncating_forgets_the_last_rows() -> None:
    table, known = filled(3_000)
    table.truncate(700)
    other, _ = filled(700)
    assert table.nbytes == other.nbytes
    assert table.first_choice == other.first_choice
    for (player, label), row in known.items():  # type: ignore[misc]
        assert table.find(code_of(player, label)) == (row if row < 700 else -1)


def test_arrays_that_do_not_fit_are_refused() -> None:
    arrays = filled(10)[0].arrays()
    for name in ("regret", "low", "shape_of"):
        with pytest.raises(ValueError, match="different sizes"):
            Table.from_arrays({**arrays, name: arrays[name][:-1]}, 10**9)
    with pytest.raises(ValueError, match="unknown shapes"):
        Table.from_arrays({**arrays, "shape_of": arrays["shape_of"] + 7}, 10**9)


def test_the_limit_is_never_passed() -> None:
    table = Table(200_000)
    shape = table.shape(0, ("a", "b", "c"))

    def fill() -> None:
        for k in range(10_000):
            table.add(code_of(0, k), shape)

    with pytest.raises(FullError):
        fill()
    assert 150_000 < table.nbytes <= 200_000
    assert len(table._slots) > 1.5 * table.num_infosets
    assert table.find(code_of(0, table.num_infosets)) == -1  # the one that was refused
    held = [table.low, table.high, table.shape_of, table.regret, table.strategy_sum]
    held += [table.first_choice, table._slots]
    really = sum(buffer.buffer_info()[1] * buffer.itemsize for buffer in held)
    assert really <= table.nbytes


def test_merged_and_missing_names_make_groups() -> None:
    table = Table(10**6)
    assert table.shape(0, ("x", "y", "x", None)).groups == ((0, 2), (1,))
    assert table.shape(0, ("y", "x")).groups == ((1,), (0,))
    assert table.shape(0, ("x", "y")).number == table.shape(0, ("y", "x")).number
    assert table.shape(0, ("x", "y")).number != table.shape(1, ("x", "y")).number


class Nameless:
    pass


def test_codes_last(run_python: RunPython) -> None:
    seen = (frozenset({"K♠", "9♥", "10♦"}), "{", ("x", 1))
    code = "from workbench.lab.analysis.rules_sampling.infoset_store import code_of; "
    code += "print(*code_of(1, (frozenset({'K♠', '9♥', '10♦'}), '{', ('x', 1))))"
    done = run_python("-c", code, env={"PYTHONHASHSEED": "1"})
    assert tuple(map(int, done.stdout.split())) == code_of(1, seen), done.stderr
    assert code_of(0, "{1}") != code_of(0, frozenset({1}))
    with pytest.raises(GameError, match="lasting text"):
        code_of(0, ("a", Nameless()))
