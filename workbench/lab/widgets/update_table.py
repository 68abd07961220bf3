"""One iteration at one information set as a table: from what was played to what comes next.

>>> from workbench.lab.analysis.worked_iteration import thesis_example
>>> page = update_table(thesis_example("3.2.1")[0])
>>> "−1.000" in page, page.count("<tr")
(True, 5)
"""

from __future__ import annotations

from html import escape

from workbench.lab.analysis.worked_iteration import Update
from workbench.lab.widgets.infoset_tables import bar, grid, number

COLUMNS = (  # head, and what it means
    ("plays σ<sup>t</sup>", "what is played in this iteration"),
    ("brings u", "what the action brings on average to somebody who is here"),
    ("v = π<sub>−i</sub> u", "counterfactual value: times how likely the others come here"),
    ("r = v − Σσv", "regret of this iteration: compared with what was played"),
    ("R before", "regrets summed up before this iteration"),
    ("R", "and now"),
    ("next σ<sup>t+1</sup>", "positive regrets, scaled to one"),
    ("S", "sum of what was played, each time with the weight π_i"),
    ("average", "S scaled to one: the answer of the solver"),
)


def update_table(update: Update, words: tuple[str, ...] = ()) -> str:
    """The table, and above it how likely this place is reached."""
    columns = ['<th scope="col" class="left">action</th>']
    columns += [
        f'<th scope="col"><abbr title="{escape(means)}">{name}</abbr></th>'
        for name, means in COLUMNS
    ]
    rows = [
        (
            "",
            [
                f"<b>{escape(name)}</b>",
                bar(float(update.probs[k])),
                number(float(update.worth[k])),
                number(float(update.values[k])),
                number(float(update.instant[k])),
                number(float(update.regret_before[k])),
                f"<b>{number(float(update.regret[k]))}</b>",
                bar(float(update.next[k])),
                f"{update.strategy_sum[k]:.3f}",
                bar(float(update.average[k])),
            ],
        )
        for k, name in enumerate(words or update.actions)
    ]
    rows.append(("sum", ["Σ σ v", "", "", number(update.value), *[""] * 6]))
    reach = (
        f'<div class="wb-quiet">π<sub>−i</sub> = {update.others:.4g}: so likely do chance and the '
        f"others come here. π<sub>i</sub> = {update.own:.4g}: so likely does the player herself."
        f"{_weights(update)}</div>"
    )
    head = f"Iteration {update.iteration}, worked out"
    return f'<div class="wb-side"><div>{reach}{grid(head, columns, rows)}</div></div>'


def _weights(update: Update) -> str:
    """What this solver does beyond plain CFR, in words."""
    said = []
    if update.negative == 0.0:
        said.append("negative sums become 0")
    elif update.negative != 1.0 or update.positive != 1.0:
        said.append(
            f"sums above zero count {update.positive:.3g} times, below {update.negative:.3g} times"
        )
    if update.share != 1.0:
        said.append(f"this iteration counts {update.share:.4g} times in the average")
    if update.predictive:
        said.append("the next strategy expects the same regret once more")
    return f" This solver: {'; '.join(said)}." if said else ""
