"""A run as a page: what was solved, how fast it converged, the strategy, and how to repeat it."""

from __future__ import annotations

from html import escape
from typing import Any

from matplotlib.figure import Figure

from workbench.evaluation.values import expected_values
from workbench.games.words import unit_of
from workbench.lab.plots.convergence import plot_convergence
from workbench.lab.plots.png import picture
from workbench.lab.plots.strategy_table import strategy_html
from workbench.lab.reports.cleaning import Outline, clean
from workbench.lab.reports.page import page
from workbench.rules import GameError
from workbench.runs.run import Run

COLUMNS = {
    "iteration": ("Iteration", ",.0f"),
    "seconds": ("Seconds", ",.3f"),
    "exploitability": ("Exploitability", ".6g"),
    "abstract_exploitability": ("… in the abstract game", ".6g"),
}


def run_page(run: Run) -> str:
    """The page as text."""
    if not isinstance(run, Run):
        raise GameError(f"a report is of a notebook, a folder or a run, not {type(run).__name__}")
    outline = Outline()
    title = f"{run.solver.name} on {run.tree.name}"
    body = clean(
        f"<h1>{escape(title)}</h1>{_summary(run)}"
        f"<h2>What was solved</h2>{_pairs(_settings(run))}"
        f"<h2>How close to perfect play</h2>{_curve(run)}{_trace(run)}"
        f"<h2>The strategy</h2>{strategy_html(run.strategy)}"
        f"<h2>Once more</h2>{_repeat(run)}"
        f"<h2>Made with</h2>{_pairs(run.provenance)}",
        outline=outline,
    )
    ending = f"Run {escape(run.run_id)}" if run.run_id else "A run"
    return page(title, body, contents=outline.headings, ending=ending)


def _summary(run: Run) -> str:
    values = expected_values([run.strategy] * run.tree.num_players)
    worth = ", ".join(f"{value:+.6f}".replace("-", "−") for value in values)
    work = "exactly" if run.solver.exact else f"in {run.iterations:,} iterations"
    ended = "" if run.stopped == "iterations" else f" It stopped early: {run.stopped}."
    ended = "" if run.solver.exact else ended
    unit = escape(unit_of(run.tree) or "units of payoff per game")
    return (
        f"<p>{escape(run.solver.name)} solved {escape(run.tree.name)} {work}, in "
        f"{run.seconds:.2g} seconds. Played against a perfect opponent the strategy loses "
        f"<strong>{run.exploitability:.4g} {unit}</strong> more than it must (exploitability, mean "
        f"over the players). If everybody follows it, the players win {worth} {unit}."
        f"{escape(ended)}</p>"
    )


def _settings(run: Run) -> dict[str, Any]:
    tree, abstraction = run.tree, run.abstraction
    coarse = f" ({abstraction.coarse.num_infosets:,} information sets)" if abstraction else ""
    return {
        "game": tree.name,
        "players": tree.num_players,
        "histories": f"{tree.num_histories:,}",
        "information sets": f"{tree.num_infosets:,}",
        "abstraction": f"{abstraction.name}{coarse}" if abstraction else "none",
        "solver": repr(run.solver),
        "iterations": f"{run.iterations:,}",
        "seed": run.seed,
        "stopped by": run.stopped,
    }


def _curve(run: Run) -> str:
    if len(run.trace) < 2 or not (run.trace["exploitability"] > 0).any():
        return ""
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    columns = {"in the game": "exploitability", "in the abstract game": "abstract_exploitability"}
    shown = {
        name: run.trace.assign(exploitability=run.trace[column])
        for name, column in columns.items()
        if run.trace[column].notna().any()
    }
    title = f"{run.solver.name} on {run.tree.name} (lower is better)"
    unit = unit_of(run.tree)
    plot_convergence(shown if len(shown) > 1 else run, figure.subplots(), unit=unit, title=title)
    return f"<figure>{picture(figure).html}</figure>"


def _trace(run: Run) -> str:
    columns = [name for name in COLUMNS if run.trace[name].notna().any()]
    unit = unit_of(run.tree)
    units = {"exploitability": f" ({unit})"} if unit else {}
    head = "".join(f"<th>{COLUMNS[name][0]}{units.get(name, '')}</th>" for name in columns)
    rows = "".join(
        "<tr>"
        + "".join(f'<td class="number">{row[name]:{COLUMNS[name][1]}}</td>' for name in columns)
        + "</tr>"
        for row in run.trace.to_dict(orient="records")
    )
    return (
        f"<details><summary>All {len(run.trace)} measurements</summary>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>"
    )


def _repeat(run: Run) -> str:
    """The call that repeats the run, as far as a page can know it: rules may be anybody's own."""
    options: dict[str, Any] = {}
    if not run.solver.exact:
        options = {"iterations": run.iterations, "seed": run.seed}
    if run.abstraction:
        options["abstraction"] = run.abstraction.name
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    solver = f"wb.solvers.{run.solver!r}"  # a dataclass: complete, and valid Python
    code = (
        "import workbench as wb\n\n"
        f"run = wb.solve(wb.load_game({run.tree.name!r}), {solver}{given})"
    )
    return (
        f"<pre><code>{escape(code)}</code></pre>"
        "<p class=soft>Options of the game, and rules of one's own, are not part of this line.</p>"
    )


def _pairs(pairs: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>"
        for name, value in pairs.items()
    )
    return f"<table><tbody>{rows}</tbody></table>"
