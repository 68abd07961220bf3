"""Settings: what an annotation says is what is checked, shown in a form and read from a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from workbench.games.registry import GAMES, game_class
from workbench.rules import GameError
from workbench.settings import Between, FrozenDict, changed, check, full_name, make, options_of
from workbench.solvers.base import SOLVERS, solver_class


@dataclass(frozen=True)
class Table:
    seats: Annotated[int, Between(2, 10), "how many sit down"] = 2
    rounds: int = 1
    rake: Annotated[float, Between(0, 0.5)] = 0.0
    open: bool = True
    betting: Annotated[bool | Literal["leader"], "who may bet"] = True
    felt: Literal["green", "blue"] = "green"
    limits: Annotated[tuple[int, ...] | None, Between(1)] = None
    name: str = "table"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        check(self, "table")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"seats": 1}, "table: seats must be a whole number from 2 to 10, not 1"),
        ({"seats": True}, "table: seats must be a whole number from 2 to 10, not True"),
        ({"rounds": "x"}, "table: rounds must be a whole number, not 'x'"),
        ({"rake": 0.6}, "table: rake must be a number from 0 to 0.5, not 0.6"),
        ({"open": 1}, "table: open must be True or False, not 1"),
        ({"betting": "all"}, "table: betting must be True, False or 'leader', not 'all'"),
        ({"felt": "red"}, "table: felt must be 'green' or 'blue', not 'red'"),
        ({"limits": (1, 0)}, "table: limits must be a whole number of at least 1, not 0"),
        ({"limits": 5}, "table: limits must be a list of whole numbers, not 5"),
        ({"name": 5}, "table: name must be a text, not 5"),
        ({"seat": 3}, "table has no option 'seat'; did you mean 'seats'? Options: seats, rounds"),
    ],
)
def test_a_wrong_value_is_named(options, says):
    with pytest.raises(GameError) as caught:
        make(Table, options, "table")
    assert str(caught.value).startswith(says)


@dataclass(frozen=True)
class Unchecked:
    """A class that does not ask to be checked."""

    seats: Annotated[int, Between(2)] = 2
    names: tuple[str, ...] = ()  # not of whole numbers: it takes what it is given


def test_what_is_made_by_name_is_checked():
    with pytest.raises(GameError, match="table: seats must be a whole number of at least 2, not 1"):
        make(Unchecked, {"seats": 1}, "table")
    made = make(Unchecked, {"seats": np.int64(3), "names": ("a",)}, "table")
    assert (type(made.seats), made.names) == (int, ("a",))


def test_values_become_plain():
    table = Table(seats=np.int64(3), rake=np.float32(0.25), limits=[1, 2])
    assert (type(table.seats), type(table.rake), table.limits) == (int, float, (1, 2))
    assert full_name("table", table) == "table(seats=3, rake=0.25, limits=(1, 2))"
    assert changed(Table()) == {}
    assert make(Table, {"rounds": 10**5000}, "table").rounds == 10**5000
    assert FrozenDict("options", {"a": np.int64(1), "b": [2]}) == {"a": 1, "b": (2,)}


def test_a_text_says_what_the_annotation_can_read():
    options = {option.name: option for option in options_of(Table)}
    said = {
        "seats": "3", "rake": "0.25", "open": "FALSE", "betting": "leader", "felt": "blue",
        "limits": "3,4", "name": "x",
    }  # fmt: skip
    read = {name: options[name].read(text) for name, text in said.items()}
    assert read == {
        "seats": 3, "rake": 0.25, "open": False, "betting": "leader", "felt": "blue",
        "limits": (3, 4), "name": "x",
    }  # fmt: skip
    assert options["betting"].read("true") is True
    assert options["seats"].read("many") == "many"  # for `checked` to refuse
    assert options["seats"].help == "how many sit down"


@pytest.mark.parametrize("kind", [*map(game_class, GAMES), *map(solver_class, SOLVERS)])
def test_every_option_of_games_and_solvers_is_understood(kind):
    for option in options_of(kind):
        assert option.kind is not None or option.choices, f"{kind.__name__}.{option.name}"
        assert option.checked(option.default) == option.default
