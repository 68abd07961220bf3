"""A run: the work, in pieces that can be put down and taken up again, and what it comes to.

A *problem* is everything that decides the answer: trees, solver, seed, where to measure. A
*partial* is how far somebody has come: the solver's state and the trace so far. `work` takes
both and returns a later partial, at the end or when its time is up. Where the pieces begin and
end makes no difference to the numbers, so the same function serves a notebook, a run that is
resumed after a crash, and the workers of a sweep. A `Run` is what `solve` hands back: the
strategy, the trace, and where it all comes from.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from types import CodeType, FunctionType
from typing import Any, Literal

import numpy as np

from workbench._version import __version__
from workbench.abstraction.abstraction import Abstraction
from workbench.evaluation.values import exploitability
from workbench.games.registry import describe, name_with_options
from workbench.later import pd
from workbench.settings import changed
from workbench.solvers.base import Solver, State, average, is_listed, need_state, start_state
from workbench.strategy import Strategy
from workbench.tree import GameTree

Row = tuple[int, float, float, float, int]  # of the trace: see COLUMNS
COLUMNS = ("iteration", "seconds", "exploitability", "abstract_exploitability", "infosets")
Stopped = Literal["iterations", "target", "interrupted"]

CHUNK = 0.1  # seconds of compiled work between two looks at the clock and at Ctrl-C


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be done; the same problem has the same answer, bit for bit."""

    tree: GameTree
    abstraction: Abstraction | None
    solver: Solver
    seed: int
    stops: tuple[int, ...]  # iterations at which to measure, the last one ends the run
    target: float | None
    version: str = field(default_factory=lambda: __version__)  # that began the run

    @property
    def solved(self) -> GameTree:
        """The tree the solver works on."""
        return self.abstraction.coarse if self.abstraction else self.tree

    @cached_property
    def run_id(self) -> str:
        """A hash of the game, the settings and the version: equal problems share their run."""
        return self._hash(self.seed)

    def asked(self) -> dict[str, Any] | None:
        """The fields of an `Experiment` that asks for this; None if game or solver have no name."""
        game, solver = describe(self.tree.rules), self.solver
        if game is None or not is_listed(solver):
            return None
        named = {"game": game[0], "options": game[1], "settings": changed(solver)}
        return self._plainly() | named | {"checkpoints": _checkpoints(self.stops)}

    def description(self) -> dict[str, Any]:
        """What was asked, as the columns of a table. Options stand in the game's name."""
        at = _checkpoints(self.stops)
        return self._plainly() | {
            "game": name_with_options(self.tree),
            "settings": _description(self.solver)[0],
            "infosets": self.solved.num_infosets,
            "checkpoints": f"every {at}" if isinstance(at, int) else ", ".join(map(str, at)),
            "kind": self._hash(None)[:8],  # equal for runs that differ in their seed alone
        }

    def _plainly(self) -> dict[str, Any]:
        within = self.abstraction.name if self.abstraction else None
        asked = {"solver": self.solver.name, "abstraction": within, "seed": self.seed}
        return asked | {"iterations": self.stops[-1], "target": self.target}

    def _hash(self, seed: int | None) -> str:
        digest = hashlib.sha256(self.tree.fingerprint.encode())
        if self.abstraction:
            digest.update(self.abstraction.coarse.fingerprint.encode())
            digest.update(self.abstraction.choice_map.tobytes())
            digest.update(getattr(self.abstraction, "lifts", "").encode())  # maps bets, too
        solver = _description(self.solver)
        settings = (self.version, *solver, seed, self.stops, self.target)
        digest.update(repr(settings).encode())
        return digest.hexdigest()[:16]


def _checkpoints(stops: tuple[int, ...]) -> int | tuple[int, ...]:
    """The step between checkpoints, if it is the same everywhere, or else all of them.

    >>> _checkpoints((20, 40, 50)), _checkpoints((1, 10, 50))
    (20, (1, 10, 50))
    """
    regular = range(stops[0], stops[-1], stops[0])  # may be long: lengths first
    even = len(regular) == len(stops) - 1 and tuple(regular) == stops[:-1]
    return stops[0] if even else stops


def _description(solver: Solver) -> tuple[str, ...]:
    """A solver's settings; if it is somebody's own, also its code: an edited one is another."""
    kind = type(solver)
    bare = kind.__repr__ is object.__repr__  # names a place in memory, not the settings
    settings = f"{kind.__qualname__}({vars(solver)})" if bare else repr(solver)
    if kind.__module__.startswith("workbench."):
        return (settings,)
    own = [base for base in kind.__mro__ if not base.__module__.startswith("workbench.")]
    methods = [method for base in own for method in sorted(vars(base).items(), key=itemgetter(0))]
    return (settings, *(_function(name, f) for name, f in methods if isinstance(f, FunctionType)))


def _function(name: str, function: FunctionType) -> str:
    """A method: its name, its code, and the values it was made with."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    values = repr((function.__defaults__, function.__kwdefaults__, held))
    return repr((name, _code(function.__code__), "" if " at 0x" in values else values))


def _code(code: CodeType) -> str:
    """What a function does, without the places of its lines."""
    inside = [
        _code(c) if isinstance(c, CodeType) else sorted(map(repr, c)) if isinstance(c, frozenset)
        else repr(c) for c in code.co_consts  # sets have another order in each process
    ]  # fmt: skip
    return repr((code.co_code, code.co_names, inside))


@dataclass(frozen=True, eq=False)
class Partial:
    """How far a run has come; `stopped` says why it has ended, None if it has not."""

    state: State
    seconds: float
    rows: tuple[Row, ...]
    stopped: Stopped | None = None


def begin(problem: Problem, state: State | None = None) -> Partial:
    """Nothing done yet, or what an earlier state has done."""
    if state is None:
        state = start_state(problem.solved, problem.seed)
    return Partial(need_state(problem.solved, state).copy(), 0.0, ())


def averages(problem: Problem, state: State) -> tuple[Strategy, Strategy]:
    """The average strategy of a state, of the tree that is solved and of the one that was given."""
    unlifted = average(problem.solved, state)
    return unlifted, problem.abstraction.lift(unlifted) if problem.abstraction else unlifted


def measure(problem: Problem, state: State, seconds: float) -> Row:
    """A line of the trace."""
    tree, solved = problem.tree, problem.solved
    judged = tree.perfect_recall and tree.judged
    inside = problem.abstraction and solved.perfect_recall and solved.judged
    real = within = np.nan
    if judged or inside:
        unlifted, lifted = averages(problem, state)
        real = exploitability(lifted) if judged else np.nan
        within = exploitability(unlifted) if inside else np.nan
    return (state.iteration, seconds, real, within, solved.num_infosets)


def reached(row: Row) -> float:
    """The exploitability of a line: the real one, or, where that takes too long, the abstract."""
    return row[3] if np.isnan(row[2]) else row[2]


def work(
    problem: Problem,
    partial: Partial,
    budget: float = float("inf"),
    tell: Callable[[Partial], None] = lambda partial: None,
    piece: float | None = None,
) -> Partial:
    """Go on until the run ends, `budget` seconds have passed (some progress is made whatever the
    budget), or somebody presses Ctrl-C.

    tell: called after each piece of about `piece` seconds (default CHUNK; longer where a call
    alone takes more than a tenth of that); it may raise to stop.
    """
    solver, solved = problem.solver, problem.solved
    state, seconds, rows = partial.state, partial.seconds, list(partial.rows)
    begun = state.iteration  # a state may change in place (`poker/`)
    solved.advance(solver, state, 0)  # loads or compiles the kernels, off the clock
    began = time.perf_counter()
    solved.advance(solver, state, 0)
    fixed = time.perf_counter() - began  # what every call takes: on a GPU states are copied
    deadline = time.perf_counter() + budget
    stopped: Stopped | None = "iterations"
    chunk, piece = 1, max(CHUNK if piece is None else piece, 10 * fixed)
    try:
        for stop in (stop for stop in problem.stops if stop > (rows[-1][0] if rows else 0)):
            while state.iteration < stop:
                if state.iteration > begun and time.perf_counter() >= deadline:
                    return Partial(state, seconds, tuple(rows))
                size = min(chunk, stop - state.iteration)
                began = time.perf_counter()
                state = solved.advance(solver, state, size)
                took = time.perf_counter() - began
                seconds += took
                chunk = max(1, min(2 * chunk, int(size * piece / max(took, 1e-9))))
                tell(Partial(state, seconds, tuple(rows)))
            rows.append(measure(problem, state, seconds))
            if problem.target is not None and reached(rows[-1]) <= problem.target:
                stopped = "target"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
        if not rows or rows[-1][0] < state.iteration:
            rows.append(measure(problem, state, seconds))
    return Partial(state, seconds, tuple(rows), stopped)


# ---- what it comes to ----------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The result of one run of a solver.

    Example:

        run = wb.solve(wb.load_game("kuhn"), "cfr+", iterations=100)
        run.strategy         # the average strategy, of the game that was given
        run.trace            # a DataFrame: iteration, seconds, exploitability, …
        run.exploitability   # the last of them
        wb.solve(run.tree, run.solver, iterations=200, start=run.state)    # goes on from there
    """

    tree: GameTree  # the game that was given
    solver: Solver
    seed: int
    abstraction: Abstraction | None
    strategy: Strategy  # of `tree`, lifted if there was an abstraction
    trace: pd.DataFrame  # iteration, seconds, exploitability, abstract_exploitability, infosets
    state: State  # where the solver stands: solve(..., start=run.state) goes on from here
    stopped: Stopped
    run_id: str = ""  # equal problems, equal ids
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def iterations(self) -> int:
        return self.state.iteration

    @property
    def exploitability(self) -> float:
        """Of `strategy`, in the game that was given."""
        return float(self.trace["exploitability"].iloc[-1])

    @property
    def abstract_exploitability(self) -> float:
        """Of the strategy inside the abstraction; nan without one."""
        return float(self.trace["abstract_exploitability"].iloc[-1])

    @property
    def seconds(self) -> float:
        """Spent in the solver (measuring not counted)."""
        return float(self.trace["seconds"].iloc[-1])

    def __repr__(self) -> str:
        within = f" [{self.abstraction.name}]" if self.abstraction else ""
        ended = "" if self.stopped == "iterations" else f", stopped: {self.stopped}"
        several = "" if self.iterations == 1 else "s"
        work = "exact" if self.solver.exact else f"{self.iterations:,} iteration{several}"
        real = not np.isnan(self.exploitability) or np.isnan(self.abstract_exploitability)
        gap = self.exploitability if real else self.abstract_exploitability
        judged = f", {'' if real else 'abstract '}exploitability {gap:.3g}"
        return (
            f"Run of {self.solver.name} on {self.tree.name}{within}: {work}"
            f"{'' if np.isnan(gap) else judged}{ended}"
        )


def finish(problem: Problem, partial: Partial, origin: dict[str, Any] | None = None) -> Run:
    """The run that a partial has become; `origin`: its provenance, if it is not from here."""
    assert partial.stopped is not None
    return Run(
        tree=problem.tree,
        solver=problem.solver,
        seed=problem.seed,
        abstraction=problem.abstraction,
        strategy=replace(averages(problem, partial.state)[1], run_id=problem.run_id),
        trace=pd.DataFrame(partial.rows, columns=list(COLUMNS)),
        state=partial.state,
        stopped=partial.stopped,
        run_id=problem.run_id,
        provenance=provenance() if origin is None else origin,
    )


def provenance() -> dict[str, Any]:
    """Versions and the kind of machine (no names or paths of it)."""
    import numba
    import scipy

    return {
        "workbench": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "scipy": scipy.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
        "byteorder": sys.byteorder,
    }
