"""How fast does a solver approach perfect play? Exploitability against iterations or seconds.

Both axes are logarithmic: a straight line of slope −1/2 is the rate 1/√T that the theorem
promises for CFR, a slope of −1 is 1/T. Several runs under one name (seeds, say) become one line,
their geometric mean, in a band from the lowest to the highest:

    plot_convergence({"cfr": run, "cfr+": [run_of_seed_0, run_of_seed_1]})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workbench.lab.plots import style
from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.settings import unknown_name
from workbench.tree import FloatArray

ZERO = 1e-12  # what is not larger is zero up to rounding: a solver that is exact, like lp

X_LABELS = {"iteration": "Iterations T", "seconds": "Seconds", "touched": "Histories visited"}
Y_LABELS = {
    "exploitability": "Exploitability",
    "abstract_exploitability": "Exploitability in the abstract game",
}

Trace = Run | pd.DataFrame
Curve = tuple[FloatArray, FloatArray]  # x and y of one run, both positive, x increasing


def plot_convergence(
    runs: Trace | Sequence[Trace] | Mapping[str, Trace | Sequence[Trace]],
    ax: Axes | None = None,
    *,
    x: str = "iteration",
    y: str = "exploitability",
    unit: str = "chips per game",
    scale: float = 1.0,
    order: Sequence[str] | Mapping[str, str | style.Look] | None = None,
    title: str = "How far from perfect play? (lower is better)",
) -> Axes:
    """Draw the traces of one run, of a list of runs, or of a dict name -> run or list of runs.

    Runs of a list are named after their solvers.

    x: "iteration", "seconds", or "touched" if the table counts the histories that were visited.
    y: "exploitability" or "abstract_exploitability".
    scale: multiplies y, as in scale=1000, unit="milli-antes per hand".
    order: all names; the place of a name decides how its line looks, whichever others are drawn. A
        dict also says the colour of each, or its whole `Look`.

    A line of one solver has that solver's colour in the course, if no other line has the same.
    """
    if x not in X_LABELS:
        raise unknown_name("x column", x, X_LABELS)
    if y not in Y_LABELS:
        raise unknown_name("y column", y, Y_LABELS)
    if not 0 < scale < np.inf:
        raise GameError(f"scale must be a positive number, not {scale!r}")
    groups = _groups(runs)
    named = {name: [_curve(run, x, y, name, scale) for run in groups[name]] for name in groups}
    named, floor = _lift_zeros(named, ZERO * scale)
    ax = style.axes(ax, 7.5, 4.8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    places = list(named if order is None else order)
    if missing := [name for name in named if name not in places]:
        raise GameError(f"order must have all runs; it lacks {', '.join(missing)}")
    concepts = [_concept(one, groups.get(one, [])) for one in places]
    known: Any = order.values() if isinstance(order, Mapping) else style.colours(concepts)
    looks = [style.Look(one, k) if isinstance(one, str) else one for k, one in enumerate(known)]
    for name, curves in named.items():
        _draw(ax, looks[places.index(name)], name, curves)
    _limits(ax, list(named.values()))
    zeros = [at[values <= floor] for group in named.values() for at, values in group]
    if any(map(len, zeros)):
        _note_zeros(ax, np.concatenate(zeros), floor, ZERO * scale)
    style.label(ax, X_LABELS[x], style.with_unit(Y_LABELS[y], unit), title)
    if list(named) != [""]:
        ax.legend(framealpha=0.9, handlelength=3.2, fontsize=11)
    return ax


def _groups(runs: Any) -> dict[str, list[Trace]]:
    """What the caller gave, by name; a single run needs none."""
    if _is_run(runs):
        return {"": [runs]}
    if isinstance(runs, Mapping):
        named = {str(name): [one] if _is_run(one) else list(one) for name, one in runs.items()}
    elif isinstance(runs, Iterable):
        listed = list(runs)
        solvers = [str(getattr(getattr(run, "solver", None), "name", "run")) for run in listed]
        if len(set(solvers)) < len(solvers):
            solvers = [f"{solver} {k}" for k, solver in enumerate(solvers, 1)]
        named = {solver: [run] for solver, run in zip(solvers, listed, strict=True)}
    else:
        raise GameError(f"runs to plot are a run, a list of runs or a dict of them, not {runs!r}")
    empty = [name for name, group in named.items() if not group]
    if empty or not named:
        raise GameError(f"no runs to plot{f' under {empty[0]!r}' if empty else ''}")
    return named


def _is_run(value: Any) -> bool:
    return isinstance(value, pd.DataFrame) or hasattr(value, "trace")


def _curve(run: Any, x: str, y: str, name: str, scale: float) -> Curve:
    trace = getattr(run, "trace", run)
    if not isinstance(trace, pd.DataFrame):
        raise GameError(f"{name or 'data'}: a run or its trace is needed, not {type(run).__name__}")
    missing = [column for column in (x, y) if column not in trace]
    if missing:
        raise GameError(f"{name or 'this run'}: its trace has no column {missing[0]!r}")
    at = trace[x].to_numpy(np.float64)
    values = scale * trace[y].to_numpy(np.float64)
    good = np.isfinite(at) & np.isfinite(values) & (at > 0)
    if not good.any():
        raise GameError(f"{name or 'this run'}: its trace has no {y} at a positive {x}")
    order = np.argsort(at[good], kind="stable")
    return at[good][order], values[good][order]


def _lift_zeros(named: dict[str, list[Curve]], zero: float) -> tuple[dict[str, list[Curve]], float]:
    """Zero has no logarithm: draw it a decade below the smallest other value, and where."""
    positive = np.concatenate([y[y > zero] for curves in named.values() for _, y in curves])
    floor = float(10.0 ** (np.ceil(np.log10(positive.min())) - 2)) if len(positive) else zero
    lifted = {
        name: [(x, np.where(y > zero, y, floor)) for x, y in curves]
        for name, curves in named.items()
    }
    return lifted, floor


def _concept(name: str, group: Sequence[Trace]) -> str | None:
    """What a line stands for: its name if that has a colour, else the one solver of its runs."""
    solvers = {getattr(getattr(run, "solver", None), "name", None) for run in group}
    return name if name in style.CONCEPTS or len(solvers) != 1 else solvers.pop()


def _draw(ax: Axes, look: style.Look, name: str, curves: list[Curve]) -> None:
    colour, k = look
    if len(curves) == 1:
        at, values = curves[0]
    else:
        at = _common(curves)
        stack = np.array([np.interp(np.log(at), np.log(x), np.log(y)) for x, y in curves])
        low, values, high = (np.exp(f(stack, axis=0)) for f in (np.min, np.mean, np.max))
        ax.fill_between(at, low, high, color=colour, alpha=0.22, linewidth=0)
        name = f"{name}: mean and range of {len(curves)}"
    dash, size = (style.DASHES[k], 6.5) if len(at) > 1 else ("", 11)
    ax.plot(
        at, values, color=colour, linestyle=dash, linewidth=2, marker=style.MARKERS[k],
        markersize=size, markeredgecolor="white", markeredgewidth=0.8, markevery=style.marks(at, k),
        label=name or None, zorder=3,
    )  # fmt: skip


def _common(curves: list[Curve]) -> FloatArray:
    """The points where all runs of a group can be compared: those of the first, where all are."""
    low = max(x[0] for x, _ in curves)
    high = min(x[-1] for x, _ in curves)
    if low > high:
        raise GameError("these runs share no range of x; plot them under different names")
    inside = curves[0][0][(curves[0][0] >= low) & (curves[0][0] <= high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _limits(ax: Axes, groups: list[list[Curve]]) -> None:
    """Room for one part in twenty around the data; at least one decade."""
    for axis, setter in ((0, ax.set_xlim), (1, ax.set_ylim)):
        logs = np.concatenate([np.log10(curve[axis]) for group in groups for curve in group])
        low, high = float(logs.min()), float(logs.max())
        pad = max(0.05 * (high - low), 0.5 * (1.0 - (high - low)))
        setter(10 ** (low - pad), 10 ** (high + pad))


def _note_zeros(ax: Axes, at: FloatArray, floor: float, zero: float) -> None:
    """Say that these points are zeros, on the side where there are fewer of them."""
    ax.axhline(floor, color=style.GREY, linewidth=0.8)
    low, high = np.log(ax.get_xlim())
    edge, side = (0.01, "left") if np.log(at).mean() > (low + high) / 2 else (0.99, "right")
    ax.text(
        edge, floor, f"points on this line are zero up to rounding (below {zero:.0e})",
        transform=ax.get_yaxis_transform(), ha=side, va="bottom", fontsize=9, color=style.INK,
    )  # fmt: skip
