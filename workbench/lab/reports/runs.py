"""A run as a page: what was solved, how fast it converged, the strategy, and how to repeat it."""

import re
from contextlib import suppress
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from workbench.abstraction.abstraction import Abstraction, abstract, list_abstractions
from workbench.evaluation.values import expected_values
from workbench.files import LONGEST
from workbench.games import words
from workbench.games.words import listed, unit_of
from workbench.lab.code import Plan, made_again, own_game, solve_cell
from workbench.lab.html import NOTHING, Html, table
from workbench.lab.play.opponents import Opponent
from workbench.lab.play.session import Session
from workbench.lab.plots.convergence import plot_convergence
from workbench.lab.plots.png import picture
from workbench.lab.plots.strategy_grid import StrategyGrid
from workbench.lab.plots.strategy_table import strategy_html
from workbench.lab.reports.page import Page, template
from workbench.lab.reports.table_page import BOOK
from workbench.lab.text import judged, number
from workbench.policies import as_policy
from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.settings import changed
from workbench.solvers.base import solver_code, solver_name
from workbench.tree import GameTree

UNJUDGED = "Nobody computes an exact best response here: a player forgets, or it would take hours."
PLAYED = 20_000  # histories, at most, of a game that comes with a card table: seconds
COLUMNS = {  # of the trace
    "iteration": ("Iteration", "{:,.0f}"),
    "seconds": ("Seconds", "{:,.3f}"),
    "exploitability": ("Exploitability", "{:.6g}"),
    "abstract_exploitability": ("… in the abstract game", "{:.6g}"),
}


def run_page(run: Run) -> str:
    """The page as text."""
    tree = run.tree
    title, unit = f"{run.solver.name} on {tree.name}", unit_of(tree)
    summed = "tree" in tree.offers or ("passes" in tree.offers and tree.perfect_recall)
    values: Any = expected_values([run.strategy] * tree.num_players) if summed else []
    units = unit or "units of payoff per game"
    code, own = repeat(run)
    body = template("run.html.j2").render(
        run=run,
        title=title,
        quality=_quality(run, units) if tree.perfect_recall and tree.judged else UNJUDGED,
        unit=units,
        values=", ".join(words.number(value, 6, sign=True) for value in values),
        curve=_curve(run, title),
        trace=_trace(run.trace, f" ({unit})" if unit else ""),
        strategy=strategy_html(run.strategy),
        lines=_lines(run),
        code=code,
        own=listed([f"{name} ({what})" for name, what in own.items()]) if own else "",
        number=number,
        pairs=lambda of: table([(n, str(one)) for n, one in of.items()], named=True, look="pairs"),
        solver_name=solver_name,
    )
    made, ending = Page(), f"Run {run.run_id}" if run.run_id else "A run"
    shown = made.clean(body)
    rules = tree.rules if isinstance(tree, GameTree) and tree.perfect_recall else None
    if rules is not None and tree.num_histories <= PLAYED:
        policy = as_policy(run.strategy)
        with suppress(GameError):  # rules of one's own may be solved, but not be told
            whom = Opponent("this strategy", lambda rules, hands=(): policy)
            played = made.play(Session(rules, opponent=[whom] * (rules.players - 1), book=BOOK))
            shown += made.clean("<h2>Play against it</h2>") + played
    return made.render(title=title, body=shown, ending=ending, contents=True)


def _quality(run: Run, unit: str) -> Markup:
    """How good the strategy is, in a sentence."""
    said = judged(run.tree, "the strategy") + (" in the full game" if run.abstraction else "")
    lost = Markup("<strong>{} {}</strong>").format(number(run.exploitability, figures=4), unit)
    sentence = f"{said[0].upper()}{said[1:]} (exploitability, mean over the players)."
    return Markup(sentence).format(lost)


def run_name(run: Run) -> str:
    """A name for a run's file: all that people choose, so that no run overwrites another.

    >>> import workbench as wb
    >>> run_name(wb.solve(wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), 30))
    'kuhn-cards-4-dcfr-alpha-2.0-30-seed-0'
    """
    if not isinstance(run, Run):
        raise GameError(f"a report is of a notebook, a folder or a run, not {type(run).__name__}")
    solver: Any = run.solver
    settings = changed(solver) if is_dataclass(solver) else vars(solver)
    chosen = [f"{name}-{value}" for name, value in settings.items() if not name.startswith("_")]
    within = [run.abstraction.name] if run.abstraction else []
    work = [] if solver.exact else [f"{run.iterations}-seed-{run.seed}"]
    name = "-".join([run.tree.name, *within, solver.name, *chosen, *work])
    name = file_name(name)
    return name if len(name.encode()) <= LONGEST - 55 else f"{name[:40]}-{run.run_id[:12]}"


def file_name(name: str) -> str:
    """A name without signs that a shell or a system of files would trip over."""
    return re.sub(r"-*[^\w+.-]+-*", "-", name).strip("-")


def repeat(run: Run) -> tuple[str, dict[str, Any]]:
    """A cell that repeats the run; the names in it that stand for what is somebody's own."""
    tree, solver, coarse = run.tree, run.solver, run.abstraction
    rule: Any = coarse.name if coarse and _known(coarse) else coarse
    plan = Plan(rule)
    made = {"game": made_again(tree), "solver": solver_code(solver), "rule": plan.code}
    what = {"game": tree.name, "solver": solver, "rule": coarse and coarse.name}
    made["game"] = "game" if own_game(tree) else made["game"]  # its class stands elsewhere
    own = {name: what[name] for name, code in made.items() if code == name}
    return solve_cell(tree, solver, run.iterations, run.seed, plan), own


def _known(abstraction: Any) -> bool:
    """Is it the one that its game knows by this name, for all players? Buckets of hands are not."""
    if not isinstance(abstraction, Abstraction):
        return False
    tree, name = abstraction.full, abstraction.name
    if not set(name.split("+")) <= set(list_abstractions(tree)):
        return False
    return np.array_equal(abstract(tree, name).choice_map, abstraction.choice_map)


def _curve(run: Run, title: str) -> Markup:
    if len(run.trace) < 2 or not (run.trace["exploitability"] > 0).any():
        return Markup()
    figure, unit = Figure(figsize=(8, 4.6), layout="constrained"), unit_of(run.tree)
    columns = {"in the game": "exploitability", "in the abstract game": "abstract_exploitability"}
    curves: Any = {
        name: run.trace.assign(exploitability=run.trace[column])
        for name, column in columns.items()
        if run.trace[column].notna().any()
    }
    title += " (lower is better)"
    plot_convergence(curves if len(curves) > 1 else run, figure.subplots(), unit=unit, title=title)
    return Markup(f"<figure>{picture(figure).html}</figure>")


def _lines(run: Run) -> Html:
    """What each hand does, line by line; nothing in a game without lines of betting."""
    with suppress(GameError):
        return StrategyGrid(run)._repr_html_()
    return NOTHING


def _trace(trace: pd.DataFrame, unit: str) -> Html:
    shown = {
        title + (unit if name == "exploitability" else ""): trace[name].map(form.format)
        for name, (title, form) in COLUMNS.items()
        if trace[name].notna().any()
    }
    rows = zip(*shown.values(), strict=True)
    return table(rows, head=list(shown), left=(), look="dataframe")
