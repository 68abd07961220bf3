"""The CFR stepper: one iteration at a time, with every number on the table.

    wb.widgets.CFRStepper("kuhn", solver="cfr")
    wb.widgets.CFRStepper("leduc", solver="external-sampling", path=("Q♠", "K♠", "c", "r"))
    wb.widgets.CFRStepper.example("3.2.1")

Step, +10 and +100 iterate, Back takes one iteration back, Reset begins again. For each information
set (of a large game: those on `path`, or those that the filter finds) it shows regrets, the
strategy that will be played next and the average one; what has changed since the last look is
marked. Below, the last iteration at one information set is worked out. A sampling solver comes to a
few sets only: the marks show where. First-order methods have no regrets: for `egt` the table has
smoothed best responses and plans, and below stand μ of both players, τ and the excessive gap.

>>> stepper = CFRStepper("kuhn")
>>> stepper.step_button.click()
>>> stepper.wait(), stepper.state.iteration, round(stepper.exploitability, 6)
(True, 1, 0.458333)
>>> stepper.close()
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from workbench.lab.lectures.worked_iteration import update_at, update_table

from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.registry import given_game
from workbench.games.words import unit_of
from workbench.lab import ledger
from workbench.lab.html import NOTHING, Html, actions, bold, quiet, signed, status, table
from workbench.lab.plots.history_names import History, find_history, path_to
from workbench.lab.text import figure, judged, number
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.controls import choose, column, place, relist, row, telling, text
from workbench.lab.widgets.forms import readable
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Curve
from workbench.rules import GameError, Rules, label_of
from workbench.settings import FrozenDict, need_whole
from workbench.solvers.base import Solver, State, average, find_solver, list_solvers, start_state
from workbench.solvers.cfr import CFR
from workbench.solvers.smoothing import respond, smooth
from workbench.tree import FloatArray, GameTree

MOMENT = 0.05  # seconds
ROWS = 24  # information sets in the table
LISTED = 200  # and in the list of those that can be worked out
CHANGED = 5e-4  # what is not seen in three digits has not changed
COLUMNS = {  # instead of regrets, what is played next, and the average
    "egt": ("smoothed best response", "plan"),
    "iterated-smoothing": ("where the stage began", "plan"),
    "fictitious-play": ("best response", "average"),
}
Step = tuple[State, State, list[tuple[int, float]]]  # before and after the last iteration, measured


class CFRStepper(Panel):
    def __init__(
        self,
        game: str | Rules | GameTree = "kuhn",
        solver: str | Solver = "cfr",
        *,
        options: Mapping[str, Any] | None = None,
        path: History | None = None,
        seed: int = 0,
    ) -> None:
        self.tree = compile_game(given_game(game, FrozenDict("options", options or {})))
        self.on_path = None if path is None else self._infosets_on(path)
        chosen = find_solver(solver)
        if chosen.exact:
            raise GameError(f"{chosen.name} has no iterations to step through")
        known = map(find_solver, list_solvers())
        self._solvers = {one.name: one for one in known if not one.exact} | {chosen.name: chosen}
        super().__init__(f"CFR step by step: {readable(self.tree.name)}", "cfr-stepper")
        self._lock, self._busy, self._target = threading.Lock(), False, 0
        reset = self.act(self.reset)
        self.solver = choose("Solver", list(self._solvers), "solver", reset, value=chosen.name)
        self.seed = ui.number("Seed", seed, "seed", reset)
        buttons = self.make_buttons(
            ("Step", "step", self.step, "One iteration", "primary"),
            ("+10", "ten", partial(self.step, 10), "Ten iterations", ""),
            ("+100", "hundred", partial(self.step, 100), "100 iterations", ""),
            ("Stop", "stop", self.stop, "Stay where it is now", "danger"),
            ("Back", "back", self.back, "One iteration back", ""),
            ("Reset", "reset", self.reset, "Begin again", ""),
        )
        self.when |= dict.fromkeys((self.solver, self.seed), lambda: not self._busy)
        self.when[self.stop_button] = lambda: self._busy
        self.when[self.back_button] = lambda: not self._busy and self.state.iteration
        for one in buttons:
            one.layout.width = "5em"
        hint = "all; or type, as Q"
        self.filter = text("Sets with", "", "filter", self.act(self._show), placeholder=hint)
        self.curve = Curve(5.6, 3.3)
        self.status, self.table, self.worked = place("status"), place("sets"), place("worked")
        self.at = choose(
            "Worked out at", [""], "at", self.act(self._show_worked),
            width="26em", label_width="7.5em",
        )  # fmt: skip
        left = column(self.solver, self.seed, self.filter)
        self.lay_out(
            row(*buttons, gap="4px 6px"), self.status,
            row(left, self.curve.view, align="flex-start"), self.table, self.at, self.worked,
        )  # fmt: skip
        self.reset()

    @classmethod
    def example(cls, name: str = "3.2.1", *, solver: str = "cfr") -> Panel:
        """Examples 3.2.1 and 3.2.2 of Le (2021): one infoset of Toepen, step by step."""
        made: Panel = ledger.WorkedExample(name, solver=solver)
        return made

    # ---- stepping --------------------------------------------------------------------

    def reset(self) -> None:
        """Back to uniform play, before the first iteration."""
        seed = need_whole("seed", self.seed.value, 0, None)
        if self.job is not None:
            self.job.close()
        self._busy, self._target = False, 0
        self._start = self.state = self.before = self.shown = start_state(self.tree, seed)
        self.trace: list[tuple[int, float]] = []
        self.exploitability = self._measure(self.state)
        self.curve.clear()
        self.set_buttons()
        self._show()

    def step(self, iterations: int = 1) -> None:
        """So many more iterations; several presses add up."""
        need_whole("seed", self.seed.value, 0, None)  # a wrong one has not begun again
        with self._lock:
            self._target += iterations
            if self._busy:
                return
            self._busy = True
        self.shown = self.state
        self._go_on()

    def back(self) -> None:
        """One iteration back: the same seed gives the same numbers, so it begins again."""
        if self._busy or self.state.iteration == 0:
            raise GameError("nothing to take back: this is the start, or it is still working")
        self.step(-1)

    def stop(self) -> None:
        if self.job is not None:
            self._target = 0
            self.job.stop()

    def _go_on(self) -> None:
        self.run(self._work, show=telling(self.status), done=self._done)

    def _work(self, job: Job) -> Step:
        """Up to the target, a tenth or a moment at a time; the last iteration on its own."""
        tree, solver = self.tree, self._solvers[self.solver.value]
        before, state, trace = self.before, self.state, list(self.trace)
        solver.check(tree)
        first, target = state.iteration, self._target
        if target < first:  # back
            first, before = 0, (state := self._start)
            trace = [row for row in trace if row[0] < target]
        tenth = max(1, (target - first) // 10)
        chunk = min(tenth, 500)
        while state.iteration < target:
            began, many = time.perf_counter(), min(chunk, target - state.iteration)
            before = solver.advance(tree, state, many - 1) if many > 1 else state
            state = solver.advance(tree, before, 1)
            trace = [row for row in trace if row[0] != state.iteration]
            trace = sorted([*trace, (state.iteration, self._measure(state))])
            if time.perf_counter() - began < MOMENT:
                chunk = min(tenth, 2 * chunk)
            share = (state.iteration - first) / (target - first)
            job.tell(share, f"iteration {state.iteration:,}", value=(before, state, trace[:]))
        return before, state, trace

    def _done(self, outcome: Outcome) -> None:
        if outcome.value is not None:
            self.before, self.state, self.trace = outcome.value
            self.exploitability = self.trace[-1][1] if self.trace else self._measure(self.state)
        trace = pd.DataFrame(self.trace, columns=["iteration", "exploitability"])
        try:
            name, unit = readable(self.tree.name), unit_of(self.tree)
            self.curve.draw({self.solver.value: trace}, name, unit)
            self._show()  # the filter may find nothing
        finally:
            with self._lock:
                if outcome.error or outcome.stopped:
                    self._target = self.state.iteration
                self._busy = again = self._target > self.state.iteration
            if again:
                self._go_on()

    def _measure(self, state: State) -> float:
        tree = self.tree
        return exploitability(average(tree, state)) if tree.perfect_recall else float("nan")

    # ---- showing ---------------------------------------------------------------------

    @property
    def infosets(self) -> list[int]:
        """The sets that are shown."""
        wanted = " ".join(self.filter.value.split())
        found = [
            infoset
            for infoset in self.on_path or range(self.tree.num_infosets)
            if wanted in self.tree.infoset_label(infoset)
        ]
        if not self.tree.num_infosets:
            raise GameError(f"nobody decides anything in {self.tree.name!r}")
        if not found:
            raise GameError(f"no information set has {wanted!r} in what is seen")
        return found

    def _infosets_on(self, path: History) -> list[int]:
        way = path_to(self.tree, find_history(self.tree, path))
        found = [int(self.tree.infoset[h]) for h in way if self.tree.infoset[h] >= 0]
        if not found:
            raise GameError(f"nobody decides anything on the way {path!r}")
        return found

    def _show(self) -> None:
        infosets, t, tree = self.infosets, self.state.iteration, self.tree
        now = Html("After {} iteration{}").format(bold(f"{t:,}"), "" if t == 1 else "s")
        if self.exploitability == self.exploitability:
            lost = bold(figure(self.exploitability, ".4f"))
            lost += f" {unit}" if (unit := unit_of(tree)) else ""
            now += Html("; " + judged(tree, "the average strategy")).format(lost)
        self.status.value = status(now + ".")
        more = len(infosets) - ROWS
        plans = COLUMNS.get(self.solver.value)
        self.table.value = sets_table(tree, self.state, self.shown, infosets[:ROWS], plans) + (
            quiet(f"… and {more:,} more sets; the filter finds them.") if more > 0 else ""
        )
        relist(self.at, [
            (f"{tree.infoset_label(k)} (player {tree.infoset_player[k] + 1})", k)
            for k in infosets[:LISTED]
        ])  # fmt: skip
        self._show_worked()

    def _show_worked(self) -> None:
        solver, t = self._solvers[self.solver.value], self.state.iteration
        if t == 0 or self.before.iteration != t - 1:
            self.worked.value = quiet("Press Step: here it is worked out.")
        elif solver.name in COLUMNS:
            self.worked.value = first_order_table(self.tree, solver, self.before, self.state)
        elif not isinstance(solver, CFR):
            self.worked.value = quiet(
                "A sampling solver comes to a set with luck and adds u − Σσu as it is; the marks "
                "in the table show where it has been. Take cfr to see an iteration worked out."
            )
        elif self.at.value not in (None, ""):
            found = update_at(self.tree, solver, self.before, self.state, self.at.value)
            self.worked.value = update_table(found)

    def show_off(self) -> None:
        if not self.state.iteration:
            self.step(10)

    def still(self) -> Html:
        """Where somebody stands, and the last iteration worked out."""
        worked = NOTHING
        if self.state.iteration:
            name = self.at.options[self.at.index or 0][0]
            worked = Html("<p>Worked out at {}:</p>{}").format(bold(name), self.worked.value)
        curve = self.curve.view.value if len(self.trace) > 1 else NOTHING  # not a single dot
        return Html("<p>{}</p>{}{}{}").format(self.status.value, curve, self.table.value, worked)


def sets_table(
    tree: GameTree, now: State, last: State, infosets: Sequence[int],
    plans: Sequence[str] | None = None,
) -> Html:  # fmt: skip
    """Regrets, next and average strategy of these infosets; what differs from `last`, the state
    that was shown before, is marked ▲ or ▼ and has a coloured ground. Probabilities have a bar.
    `plans`: what the strategies are called where there are no regrets."""
    rows: list[list[Any]] = []
    old, new = average(tree, last), average(tree, now)
    for infoset in infosets:
        at = slice(*tree.first_choice[infoset : infoset + 2].tolist())
        names = [label_of(action) for action in tree.actions_at(infoset)]
        regrets = [] if plans else [_marked(names, now.regret[at], last.regret[at], share=False)]
        rows.append([
            int(tree.infoset_player[infoset]) + 1, bold(tree.infoset_label(infoset)), *regrets,
            _marked(names, now.probs[at], last.probs[at], share=True),
            _marked(names, new.probs[at], old.probs[at], share=True),
        ])  # fmt: skip
    head = ("player", "sees", *(plans or ("regret R", "plays next", "average")))
    return Html('<div class="wb-acts">{}</div>').format(table(rows, head=head, left=range(5)))


def _marked(names: Sequence[str], values: FloatArray, before: FloatArray, *, share: bool) -> Html:
    shown = []
    for name, value, change in zip(names, values, values - before, strict=True):
        mark = "▲" if change > CHANGED else "▼" if change < -CHANGED else ""
        shown.append((name, figure(value, ".3f") if share else signed(value), value * share, mark))
    return actions(shown)


def smoothed_worth(tree: GameTree, solver: Any, state: State) -> FloatArray:
    """(2,) w of both players, after at least one iteration of the excessive gap technique."""
    game, plans = smooth(tree), np.concatenate([state.strategy_sum, np.ones(2)])
    centre = game.uniform if solver.prox == "euclidean" else None
    scratch = np.empty(tree.num_choices)
    worth = [respond(game, i, state.memory[i], centre, plans, scratch) for i in (0, 1)]
    return np.array(worth)


def first_order_table(tree: GameTree, solver: Any, before: State, after: State) -> Html:
    """The numbers of the last iteration, which are of no single information set."""
    if solver.name == "fictitious-play":
        return quiet(
            "Everybody plays a best response to the average of what the others have played, and "
            f"{after.iteration + 1:,} plans, uniform play the first of them, make the new average."
        )
    gap = number(2.0 * exploitability(average(tree, after)))
    if solver.name == "iterated-smoothing":
        step, target = after.memory[0], after.memory[3]
        where = f"Step {number(int(step))} of a stage" if step else "A new stage begins"
        return quiet(
            f"{where}: it descends on the smoothed gap, from the strategies in the first column, "
            f"until the gap is {number(target)}. Now it is {gap}. Then the target is divided by e."
        )
    worth, mu, tau = smoothed_worth(tree, solver, after), after.memory[:2], after.memory[2]
    old = before.memory[:2] if len(before.memory) else mu  # before the first, μ was being found
    rows = [
        ["μ before", *map(number, old)],
        ["μ", *map(number, mu)],
        ["w", *map(signed, worth, (6, 6))],
    ]
    kept = "≤ 0: the plans have an excessive gap" if worth.sum() <= 1e-12 else "> 0"
    return table(rows, "Smoothing", head=("", "player 1", "player 2"), named=True) + quiet(
        f"τ = {number(tau)}: one player's smoothing μ was multiplied by 1 − τ. w: what her "
        "smoothed best response to the other's plan is worth, its price subtracted. Together "
        f"{signed(float(worth.sum()), 6)} {kept}. Without prices the sum is the gap, {gap}."
    )
