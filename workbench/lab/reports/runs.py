"""A run as a page: what was solved, how fast it converged, the strategy, and how to repeat it."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from workbench.abstraction.abstraction import Abstraction, abstract
from workbench.abstraction.registry import list_abstractions
from workbench.evaluation.values import expected_values
from workbench.games.registry import game_code
from workbench.games.words import listed, number, unit_of
from workbench.lab.plots.convergence import plot_convergence
from workbench.lab.plots.png import picture
from workbench.lab.plots.strategy_table import strategy_html
from workbench.lab.reports.page import Page
from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.settings import call, changed

BODY = Markup("""<h1>{title}</h1>
<p>{run.solver.name} solved {run.tree.name} {work}, in {run.seconds:.2g} seconds. Played against a
perfect opponent the strategy loses <strong>{run.exploitability:.4g} {unit}</strong> more than it
must (exploitability, mean over the players). If everybody follows it, the players win {values}
{unit}.{ended}</p>
<h2>What was solved</h2>{settings}
<h2>How close to perfect play</h2>{curve}
<details><summary>All {run.trace.shape[0]} measurements</summary>{trace}</details>
<h2>The strategy</h2>{strategy}
<h2>Once more</h2><pre><code>{code}</code></pre>{own}
<h2>Made with</h2>{provenance}""")
OWN = Markup('<p class="soft">Not on this page, because it is somebody\'s own: {}.</p>')
COLUMNS = {  # of the trace
    "iteration": ("Iteration", "{:,.0f}"),
    "seconds": ("Seconds", "{:,.3f}"),
    "exploitability": ("Exploitability", "{:.6g}"),
    "abstract_exploitability": ("… in the abstract game", "{:.6g}"),
}


def run_page(run: Run) -> str:
    """The page as text."""
    if not isinstance(run, Run):
        raise GameError(f"a report is of a notebook, a folder or a run, not {type(run).__name__}")
    title, unit = f"{run.solver.name} on {run.tree.name}", unit_of(run.tree)
    values = expected_values([run.strategy] * run.tree.num_players)
    early = not run.solver.exact and run.stopped != "iterations"
    code, own = repeat(run)
    body = BODY.format(
        run=run,
        title=title,
        work="exactly" if run.solver.exact else f"in {run.iterations:,} iterations",
        unit=unit or "units of payoff per game",
        values=", ".join(number(value, 6, sign=True) for value in values),
        ended=f" It stopped early: {run.stopped}." if early else "",
        settings=_pairs(_settings(run)),
        curve=_curve(run, title),
        trace=_trace(run.trace, f" ({unit})" if unit else ""),
        strategy=Markup(strategy_html(run.strategy)),
        code=code,
        own=OWN.format(listed([f"{name} ({what})" for name, what in own.items()])) if own else "",
        provenance=_pairs(run.provenance),
    )
    made, ending = Page(), f"Run {run.run_id}" if run.run_id else "A run"
    return made.render(title=title, body=made.clean(body), ending=ending, contents=True)


def run_name(run: Run) -> str:
    """A name for a run's file: all that people choose, so that no run overwrites another.

    >>> import workbench as wb
    >>> run_name(wb.solve(wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), 30))
    'kuhn-cards-4-dcfr-alpha-2.0-30-seed-0'
    """
    solver: Any = run.solver
    settings = changed(solver) if is_dataclass(solver) else vars(solver)
    chosen = [f"{name}-{value}" for name, value in settings.items() if not name.startswith("_")]
    within = [run.abstraction.name] if run.abstraction else []
    work = [] if solver.exact else [f"{run.iterations}-seed-{run.seed}"]
    name = "-".join([run.tree.name, *within, solver.name, *chosen, *work])
    return re.sub(r"-*[^\w+.-]+-*", "-", name).strip("-")


def repeat(run: Run) -> tuple[str, dict[str, Any]]:
    """A cell that repeats the run; the names in it that stand for what is somebody's own.

    >>> import workbench as wb
    >>> print(repeat(wb.solve(wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), 30))[0])
    import workbench as wb
    <BLANKLINE>
    run = wb.solve(wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), iterations=30, seed=0)
    """
    tree, solver, abstraction = run.tree, run.solver, run.abstraction
    game = game_code(tree.rules) if tree.derived_from is None else "game"
    own: dict[str, Any] = {"game": tree.name} if game == "game" else {}
    given = [game, "solver"]
    if type(solver).__module__.startswith("workbench."):
        given[1] = f"wb.solvers.{call(type(solver).__name__, changed(solver))}"
    else:
        own["solver"] = solver
    if not solver.exact:
        given += [f"iterations={run.iterations}", f"seed={run.seed}"]
    if abstraction:
        given.append(f"abstraction={abstraction.name!r}")
        if not _found(abstraction):
            given[-1], own["rule"] = "abstraction=rule", abstraction.name
    return f"import workbench as wb\n\nrun = {call('wb.solve', {}, *given)}", own


def _found(abstraction: Abstraction) -> bool:
    """Is it the one that its game knows by this name, for all players?"""
    known = set(abstraction.name.split("+")) <= set(list_abstractions(abstraction.full))
    again = abstract(abstraction.full, abstraction.name) if known else None
    return again is not None and np.array_equal(again.choice_map, abstraction.choice_map)


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


def _curve(run: Run, title: str) -> Markup:
    if len(run.trace) < 2 or not (run.trace["exploitability"] > 0).any():
        return Markup()
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    columns = {"in the game": "exploitability", "in the abstract game": "abstract_exploitability"}
    shown = {
        name: run.trace.assign(exploitability=run.trace[column])
        for name, column in columns.items()
        if run.trace[column].notna().any()
    }
    plot_convergence(
        shown if len(shown) > 1 else run, figure.subplots(), unit=unit_of(run.tree),
        title=f"{title} (lower is better)",
    )  # fmt: skip
    return Markup(f"<figure>{picture(figure).html}</figure>")


def _trace(trace: pd.DataFrame, unit: str) -> Markup:
    shown = {
        title + (unit if name == "exploitability" else ""): trace[name].map(form.format)
        for name, (title, form) in COLUMNS.items()
        if trace[name].notna().any()
    }
    return Markup(pd.DataFrame(shown).to_html(index=False, border=0))


def _pairs(pairs: dict[str, Any]) -> Markup:
    row = Markup("<tr><th>{}</th><td>{}</td></tr>")
    rows = Markup().join(row.format(*pair) for pair in pairs.items())
    return Markup("<table><tbody>{}</tbody></table>").format(rows)
