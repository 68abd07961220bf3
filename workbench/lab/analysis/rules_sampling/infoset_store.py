"""A table of information sets that grows as they are met, and knows how many bytes it takes.

    code        128 bits of a hash of the text of (player, label); that two of a billion infosets
                share one has a chance of 10⁻²¹
    row         infosets in order of their first visit: code, shape, first choice
    shape       whose infoset it is and the names of its choices, the same for many rows
    choice      one float for the regret, one for the sum of strategies

Everything lies in flat buffers, 28 bytes per infoset, 16 per choice and 6 to 12 for the slots that
lead from a code to its row; a dictionary of what players have seen takes five times as much.
"""

import json
from array import array
from collections.abc import Hashable
from hashlib import blake2b
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.rules import GameError
from workbench.strategy import need_numbers
from workbench.tree import FloatArray

_TWO_WORDS = Struct("<QQ").unpack
_PER_INFOSET, _PER_CHOICE, _PER_SLOT, _PER_ITERATION = 28, 16, 4, 8
_BUFFERS = ("low", "high", "shape_of", "regret", "strategy_sum", "reached")

Code = tuple[int, int]


class FullError(Exception):
    """The next infoset would not fit into the memory that was allowed."""


class Shape(NamedTuple):
    """Whose choices, and which: equal shapes have equal numbers."""

    number: int
    groups: tuple[tuple[int, ...], ...]  # for each choice, the places of the actions it stands for


def code_of(player: int, label: Hashable) -> Code:
    """The code of an infoset: the same in every process, for values with a lasting text."""
    text = repr((player, label))
    if "{" in text or " at 0x" in text:  # sets have no order, objects no name
        text = f"({player},{_lasting(label)})"
    words: Code = _TWO_WORDS(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    )
    return words


def _lasting(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({','.join(map(_lasting, value))},)"
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(map(_lasting, value))) + "}"
    text = repr(value)
    if not isinstance(value, (str, bytes)) and ("{" in text or " at 0x" in text):
        raise GameError(
            f"what a player sees or is called, {text}, has no lasting text; use plain values "
            "(strings, numbers, tuples, frozensets) or give its class a __repr__"
        )
    return text


class InfosetTable:
    """The buffers of a growing table; the lines above say what is in them."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.low, self.high = array("Q"), array("Q")  # (M,) the two halves of a code
        self.shape_of = array("i")  # (M,)
        self.first_choice = array("q", [0])  # (M+1,)
        self.regret, self.strategy_sum = array("d"), array("d")  # (K,)
        self.reached = array("q")  # (T,) infosets after each iteration
        self.shapes: dict[tuple[int, tuple[str, ...]], int] = {}  # names in order -> number
        self._met: dict[tuple[int, tuple[Any, ...]], Shape] = {}
        self._slots = array("I")  # row + 1 where a code belongs, or after it; 0 is empty
        self._resize()

    @property
    def num_infosets(self) -> int:
        return len(self.low)

    @property
    def num_choices(self) -> int:
        return len(self.regret)

    @property
    def nbytes(self) -> int:
        """Bytes in the buffers, with the sixteenth that growing buffers keep in reserve."""
        return _nbytes(self.num_infosets, self.num_choices, len(self.reached), len(self._slots))

    # ---- one infoset -----------------------------------------------------------------

    def find(self, code: Code) -> int:
        """The row of a code, -1 if it has none."""
        low, high = code
        slots, lows = self._slots, self.low
        mask = len(slots) - 1
        slot = low & mask
        while row := slots[slot]:
            if lows[row - 1] == low and self.high[row - 1] == high:
                return row - 1
            slot = (slot + 1) & mask
        return -1

    def add(self, code: Code, shape: Shape) -> int:
        """A new row, all zeros; raises `FullError` and changes nothing if it does not fit."""
        row, size = len(self.low), len(shape.groups)
        slots = len(self._slots) if row < self._most else 2 * len(self._slots)
        if _nbytes(row + 1, len(self.regret) + size, len(self.reached) + 1, slots) > self.memory:
            raise FullError
        self.low.append(code[0])
        self.high.append(code[1])
        self.shape_of.append(shape.number)
        self.regret.extend([0.0] * size)
        self.strategy_sum.extend([0.0] * size)
        self.first_choice.append(len(self.regret))
        if slots > len(self._slots):
            self._resize()
        else:
            mask = len(self._slots) - 1
            slot = code[0] & mask
            while self._slots[slot]:
                slot = (slot + 1) & mask
            self._slots[slot] = row + 1
        return row

    def shape(self, player: int, names: tuple[Any, ...]) -> Shape:
        """The shape of an infoset with these names of actions; None is an action left out."""
        shape = self._met.get((player, names))
        if shape is None:
            texts = [None if name is None else _lasting(name) for name in names]
            distinct = tuple(sorted({text for text in texts if text is not None}))
            number = self.shapes.setdefault((player, distinct), len(self.shapes))
            groups = tuple(
                tuple(place for place, text in enumerate(texts) if text == name)
                for name in distinct
            )
            shape = self._met[player, names] = Shape(number, groups)
        return shape

    def refuse(self, row: int, player: int, seen: object, shape: Shape) -> GameError:
        """The error for an infoset that comes with other names than before."""
        names = list(self.shapes)
        return GameError(
            f"player {player} who has seen {seen!r} chooses among "
            f"{', '.join(names[shape.number][1])}, but in another history of the same "
            f"information set among {', '.join(names[self.shape_of[row]][1])}; histories in one "
            "information set must offer the same actions (an abstraction may answer "
            "(label, [names]) to align them)"
        )

    # ---- the whole -------------------------------------------------------------------

    def truncate(self, infosets: int) -> None:
        """Forget all but the first rows."""
        choices = self.first_choice[infosets]
        del self.low[infosets:], self.high[infosets:], self.shape_of[infosets:]
        del self.first_choice[infosets + 1 :]
        del self.regret[choices:], self.strategy_sum[choices:]
        self.shapes = self._used_shapes()
        self._met.clear()
        self._resize()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Copies of all there is, for the archive."""
        shapes = [json.dumps([player, *names]) for player, names in self._used_shapes()]
        buffers = {name: np.array(getattr(self, name)) for name in _BUFFERS}
        return {**buffers, "shapes": np.array(shapes, np.str_)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], memory: int) -> "InfosetTable":
        """The table that `arrays` came from; ValueError if they do not fit together."""
        table = cls(memory)
        for name in _BUFFERS:
            buffer = getattr(table, name)
            numbers = need_numbers(name, arrays[name], None, "a table", buffer.typecode)
            if not np.isfinite(numbers).all() or (name == "strategy_sum" and (numbers < 0).any()):
                raise ValueError(f"{name} holds what no sum can be")
            buffer.frombytes(numbers.data.cast("B"))
        for text in arrays["shapes"].tolist():
            player, *names = json.loads(text)
            table.shapes[player, tuple(names)] = len(table.shapes)
        sizes = np.array([len(names) for _, names in table.shapes], np.int64)
        shape_of = np.array(table.shape_of)
        if not np.all((shape_of >= 0) & (shape_of < len(sizes))):
            raise ValueError("rows of unknown shapes")
        table.first_choice.frombytes(np.cumsum(sizes[shape_of], dtype=np.int64).tobytes())
        if not len(table.low) == len(table.high) == len(shape_of) or not (
            table.first_choice[-1] == len(table.regret) == len(table.strategy_sum)
        ):
            raise ValueError("buffers of different sizes")
        table._resize()
        return table

    def weights(self, row: int, *, regret: bool = False) -> FloatArray:
        """The sums of strategies (or the regrets) of a row."""
        values = self.regret if regret else self.strategy_sum
        return np.array(values[self.first_choice[row] : self.first_choice[row + 1]])

    def _used_shapes(self) -> dict[tuple[int, tuple[str, ...]], int]:
        """Shapes that some row has; others were only asked for, and came later."""
        last = int(np.array(self.shape_of).max(initial=-1))
        return {shape: number for shape, number in self.shapes.items() if number <= last}

    def _resize(self) -> None:
        wanted = 1 << (3 * self.num_infosets // 2).bit_length()  # at most two thirds are in use
        slots = np.zeros(max(1024, wanted), np.uint32)
        self._slots = array("I")  # the old ones go before the new ones come
        _fill_slots(np.asarray(self.low), slots)
        self._slots.frombytes(slots.data.cast("B"))
        self._most = (2 * len(slots) - 1) // 3  # rows that these slots have room for


def _nbytes(infosets: int, choices: int, iterations: int, slots: int) -> int:
    buffers = _PER_INFOSET * infosets + _PER_CHOICE * choices + _PER_ITERATION * iterations
    return buffers + buffers // 16 + _PER_SLOT * slots


@kernel
def _fill_slots(low: NDArray[np.uint64], slots: NDArray[np.uint32]) -> None:
    """Put every row into the first free slot from its code on."""
    mask = np.uint64(len(slots) - 1)
    for row in range(len(low)):
        slot = low[row] & mask
        while slots[slot]:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = np.uint32(row + 1)
