"""The growing table: codes lead to rows, the limit holds, nothing is lost."""

import pytest

from workbench.lab.analysis.rules_sampling.infoset_store import FullError, Table, code_of
from workbench.rules import GameError


def test_codes_that_begin_in_the_same_slot():
    table = Table(10**6)
    shape = table.shape(0, ("a", "b"))
    codes = [(1023, 1), (1023, 2), (2047, 1), (0, 1), (1023 + 2**40, 3)]  # around the end
    assert [table.add(code, shape) for code in codes] == [0, 1, 2, 3, 4]
    assert [table.find(code) for code in codes] == [0, 1, 2, 3, 4]
    assert table.find((1023, 3)) == table.find((1, 1)) == -1


def test_arrays_that_do_not_fit_are_refused():
    table = Table(10**6)
    for k in range(10):
        table.add(code_of(0, k), table.shape(0, ("f", "c")))
    arrays = table.arrays()
    for name in ("regret", "low", "shape_of"):
        with pytest.raises(ValueError, match="different sizes"):
            Table.from_arrays({**arrays, name: arrays[name][:-1]}, 10**9)
    with pytest.raises(ValueError, match="unknown shapes"):
        Table.from_arrays({**arrays, "shape_of": arrays["shape_of"] + 7}, 10**9)


def test_the_limit_is_never_passed():
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


class Nameless:
    pass


def test_codes_last(run_python):
    seen = (frozenset({"K♠", "9♥", "10♦"}), "{", ("x", 1))
    code = "from workbench.lab.analysis.rules_sampling.infoset_store import code_of; "
    code += "print(*code_of(1, (frozenset({'K♠', '9♥', '10♦'}), '{', ('x', 1))))"
    done = run_python("-c", code, env={"PYTHONHASHSEED": "1"})
    assert tuple(map(int, done.stdout.split())) == code_of(1, seen), done.stderr
    assert code_of(0, "{1}") != code_of(0, frozenset({1}))
    with pytest.raises(GameError, match="lasting text"):
        code_of(0, ("a", Nameless()))
