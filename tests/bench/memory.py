"""How many bytes a history costs: in the arrays, and at the peak of compiling and solving.

Arrays are counted once, whoever shares them; names are not counted. The peak is what the
system says of a process that compiles a game of more than ten million histories, then runs
CFR+ on it; there everything counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from tests.bench import peers
from tests.bench.clock import Settings, seconds
from tests.bench.start import fresh
from tests.bench.table import Row, below, noted
from workbench.sequence_form import sequence_form

PEAK = 2.0  # GB
CARDS, MOVES = 36, 12  # 1 + 36 + 36² · (2¹³ − 1) = 10,615,573 histories

_BIG = """
import sys
from tests.bench.memory import big
big(int(sys.argv[1]), int(sys.argv[2]))
"""


class Ladder:
    """A big game with cheap rules: a card each, then two actions in turn, `moves` times."""

    players = 2

    def __init__(self, cards: int, moves: int) -> None:
        self.name = f"ladder({cards}, {moves})"
        self.cards, self.end = cards, 1 << moves
        self.deal = wb.Chance(dict.fromkeys(range(cards), 1 / cards))
        self.over = [wb.Terminal((float(x), -float(x))) for x in range(-3, 4)]

    def start(self) -> tuple[int, ...]:
        return ()

    def next(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        if len(state) == 3:
            return state[0], state[1], 2 * state[2] + action
        return (*state, action) if not state else (*state, action, 1)

    def node(self, state: tuple[int, ...]) -> wb.Chance | wb.Decision | wb.Terminal:
        if len(state) < 3:
            return self.deal
        moves = state[2]
        if moves >= self.end:
            return self.over[(state[0] * 5 + state[1] * 3 + moves) % 7]
        player = 1 - moves.bit_length() % 2
        return wb.Decision(player, (state[player], moves), (0, 1))


def memory(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Bytes per history; peak memory of ten million histories (not in --quick)"""
    three = [] if settings.quick else [peers.THREE]
    more = [peers.Game(f"leduc, {n} ranks", "leduc", (("ranks", n),), "") for n in (6, 10)]
    for game in [peers.MERGED, peers.SUITED, *more, *three]:
        yield from _arrays(game.label, peers.tree_of(game))
    if settings.quick:
        return
    told = json.loads(fresh(_BIG, str(CARDS), str(MOVES)))
    histories = told["histories"]
    label = f"{histories:,} histories"
    yield noted("compile", label, told["seconds"], "s")
    yield noted("tree", label, told["tree"] / histories, "B/history")
    yield noted("tree, sequence form, CFR+", label, told["all"] / histories, "B/history")
    for stage in ("compiling", "solving"):
        if told[stage] is None:
            continue
        each = (told[stage] - told["before"]) / histories
        yield noted(f"peak of {stage}", label, each, "B/history")
        yield below(PEAK, f"peak of {stage}", label, told[stage] / 1e9, "GB")


def _arrays(label: str, tree: wb.GameTree) -> Iterator[Row]:
    n = tree.num_histories
    yield noted("tree", label, tree.nbytes / n, "B/history")
    yield noted("tree, sequence form, CFR+", label, _with_solver(tree) / n, "B/history")


def _with_solver(tree: wb.GameTree) -> int:
    sequence_form(tree)  # kept with the tree
    state = tree.advance(wb.solvers.find_solver("cfr+"), wb.solvers.start_state(tree), 1)
    return array_bytes(tree, state)


def array_bytes(*holders: Any) -> int:
    """Bytes of all arrays in these objects and in the objects they hold."""
    found: dict[int, int] = {}
    waiting = list(holders)
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            while isinstance(value.base, np.ndarray):
                value = value.base
            found[id(value)] = value.nbytes
        elif hasattr(value, "__dict__"):
            waiting.extend(vars(value).values())
    return sum(found.values())


def big(cards: int, moves: int) -> None:
    """Compile and solve the big game; print what it took, as JSON."""
    wb.solve(Ladder(2, 2), iterations=2)  # imports and kernels are not the game's
    before = peak_bytes()
    trees: list[wb.GameTree] = []
    took = seconds(lambda _: trees.append(wb.compile_game(Ladder(cards, moves))))
    (tree,) = trees
    told = {"before": before, "seconds": took, "histories": tree.num_histories}
    told |= {"compiling": peak_bytes(), "tree": tree.nbytes}
    told |= {"all": _with_solver(tree), "solving": peak_bytes()}
    print(json.dumps(told))


def peak_bytes() -> int | None:
    """The most memory this process has held so far; None where the system does not tell.

    Not `ru_maxrss` on Linux: a child inherits it from the process that started it.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
