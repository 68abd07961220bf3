"""What there is to see at a place in a game, as HTML: tables whose numbers have bars.

Everything that comes from the game is escaped, and nothing depends on colour alone.

>>> from workbench.compiling import compile_game
>>> from workbench.lab.analysis.infoset_view import look
>>> from workbench.games.registry import load_game
>>> from workbench.strategy import Strategy
>>> kuhn = compile_game(load_game("kuhn"))
>>> page = actions_table(look(Strategy.uniform(kuhn), "Q pb"))
>>> page.count("<tr"), "−0.167" in page
(3, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from workbench.lab.analysis.infoset_view import Sight
from workbench.rules import label_of
from workbench.tree import FloatArray, GameTree

ROWS = 10  # histories of an information set that are listed

CSS = """<style>
.wb-panel .wb-side > * {min-width: 0; max-width: 100%}
.wb-panel .wb-side {display: flex; flex-wrap: wrap; line-height: 1.5; gap: 4px 14px;
  align-items: flex-start}
.wb-panel .wb-side table.wb th, .wb-panel .wb-side table.wb td {padding: 3px 5px}
.wb-panel .wb-side .wb-name {margin: 6px 0 2px; font-size: 14px; font-weight: 600}
.wb-panel .wb-share {display: inline-block; width: 2.8em; height: .7em; margin-left: .5em;
  border: 1px solid var(--jp-border-color1, #8a8a8a); border-radius: 2px; vertical-align: -1px}
.wb-panel .wb-share > span {display: block; height: 100%; background: #3d8fc7}
.wb-panel table.wb tr.here td {background: var(--jp-layout-color2, #eee)}
.wb-panel table.wb tr.sum td {border-top: 2px solid var(--jp-border-color1, #888)}
.wb-panel table.wb abbr {text-decoration: underline dotted; cursor: help}
.wb-panel details {margin: 6px 0; font-size: 13px; line-height: 1.5; max-width: 60em}
.wb-panel summary {cursor: pointer; color: var(--jp-content-link-color, #0a5)}
</style>"""

MEANING = {
    "plays": "how often the strategy plays this action here, σ(I, a)",
    "brings": "what it brings on average to somebody who is here and believes what is listed "
    "below, if everybody plays the strategy later on",
    "v(I, a)": "counterfactual value: the same, times how often the others and chance let it come "
    "to this",
    "regret": "v(I, a) minus what playing the strategy here is worth, Σ σ(I, a) v(I, a)",
    "R": "the regrets that the solver has summed up over its iterations",
    "belief": "how likely this is what happened, to somebody who is here",
}

HELP = (
    "<details><summary>What do these numbers mean?</summary>"
    + "".join(f"<b>{name}</b>: {means}.<br>" for name, means in MEANING.items())
    + "</details>"
)


def number(value: float, digits: int = 3) -> str:
    """With sign and a real minus; a dash if there is none.

    >>> number(-0.5), number(1 / 3), number(0.0), number(float("nan")), number(-1e-9), number(2e4)
    ('−0.500', '+0.333', '0', '–', '0', '+20,000')
    """
    if value != value:
        return "–"
    if abs(value) >= 1000:
        return f"{value:+,.0f}".replace("-", "−")
    text = f"{value:+.{1 if abs(value) >= 100 else digits}f}"
    return "0" if float(text) == 0.0 else text.replace("-", "−")


def bar(share: float) -> str:
    """A probability as a number and as a bar."""
    if share != share:
        return "–"
    width = 100.0 * min(max(share, 0.0), 1.0)
    drawn = f'<span class="wb-share" aria-hidden="true"><span style="width:{width:.1f}%"></span>'
    return f"{share:.3f}{drawn}</span>"


def head(name: str) -> str:
    """A column's name that explains itself."""
    means = MEANING.get(name)
    shown = f'<abbr title="{escape(means)}">{name}</abbr>' if means else escape(name)
    return f'<th scope="col">{shown}</th>'


def grid(caption: str, columns: Iterable[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table: columns are cells of the head; rows are a class and cells, the first one a name."""
    body = "".join(
        f'<tr class="{kind}"><td class="left">{cells[0]}</td>'
        + "".join(f"<td>{cell}</td>" for cell in cells[1:])
        + "</tr>"
        for kind, cells in rows
    )
    return (
        f'<div class="wb-scroll"><table class="wb"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{''.join(columns)}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def actions_table(
    sight: Sight, regrets: FloatArray | None = None, words: Sequence[str] = ()
) -> str:
    """One row for each action; `regrets`: (A,) what a solver has summed up."""
    names = list(words) or [label_of(action) for action in sight.actions]
    columns = ['<th scope="col" class="left">action</th>']
    shown = ["plays", "brings", "v(I, a)", "regret"]
    columns += [head(name) for name in (shown if regrets is None else [*shown, "R"])]
    rows = []
    for k, name in enumerate(names):
        cells = [
            f"<b>{escape(name)}</b>", bar(float(sight.probs[k])), number(sight.expected[k]),
            number(sight.counterfactual[k]), number(sight.regret[k]),
        ]  # fmt: skip
        if regrets is not None:
            cells.append(number(float(regrets[k])))
        rows.append(("", cells))
    return grid("What to do here", columns, rows)


def beliefs_table(sight: Sight, here: int = -1) -> str:
    """The histories of the infoset, the likely ones of many, and what each action would bring."""
    tree = sight.strategy.tree
    names = [label_of(action) for action in sight.actions]
    order = list(range(len(sight.histories)))
    if len(order) > ROWS:
        order = np.argsort(-np.nan_to_num(sight.beliefs), kind="stable")[:ROWS].tolist()
    where = np.flatnonzero(sight.histories == here)
    if len(where) and int(where[0]) not in order:
        order[-1] = int(where[0])
    columns = ['<th scope="col" class="left">what happened</th>', head("belief")]
    columns += [f'<th scope="col">{escape(name)}</th>' for name in names]
    rows = []
    for k in order:
        h = int(sight.histories[k])
        mark, kind = ("▸ ", "here") if h == here else ("", "")
        cells = [mark + escape(tree.history_label(h)), bar(float(sight.beliefs[k]))]
        rows.append((kind, cells + [number(value) for value in sight.worth[k]]))
    left = len(sight.histories) - len(order)
    if left:
        rows.append(("", [f"… and {left:,} more", *[""] * (1 + len(names))]))
    rows.append(("sum", ["on average", "", *[number(value) for value in sight.expected]]))
    return grid("What you believe, and what each action would bring", columns, rows)


def outcomes_table(
    tree: GameTree, children: Sequence[int], values: Mapping[str, FloatArray], most: int = 12
) -> str:
    """Chance's outcomes: how likely, and what they are worth to player 1 by each strategy."""
    columns = ['<th scope="col" class="left">outcome</th>', '<th scope="col">chance</th>']
    columns += [f'<th scope="col">{escape(name)}</th>' for name in values]
    rows = [
        ("", [f"<b>{escape(tree.edge_label(h))}</b>", bar(float(tree.chance[h])),
              *[number(float(of[h, 0])) for of in values.values()]])
        for h in children[:most]
    ]  # fmt: skip
    if len(children) > most:
        rows.append(("", [f"… and {len(children) - most:,} more", *[""] * (1 + len(values))]))
    return grid("What chance may do, and what it is worth to player 1", columns, rows)


def side_by_side(blocks: Mapping[str, str]) -> str:
    """Blocks of HTML with a name each, side by side where there is room."""
    shown = "".join(
        f'<div><div class="wb-name">{escape(name)}</div>{block}</div>'
        for name, block in blocks.items()
    )
    return f'<div class="wb-side">{shown}</div>'
