"""A strategy as an HTML table: one row per information set, one bar per action.

The table is a fragment that stands on its own: no script, no style sheet, everything from the
game escaped. Text takes the colour of the page, so it reads on light and dark ground alike.
"""

from __future__ import annotations

from html import escape

from workbench.rules import label_of
from workbench.strategy import Strategy

_CELL = 'style="text-align:left;padding:.15em .9em .15em 0;white-space:nowrap"'
_NAME = 'style="display:inline-block;min-width:1em"'
_NUMBER = 'style="display:inline-block;width:3.2em;text-align:right;margin-right:.4em"'
_FRAME = "display:inline-block;width:4.5em;height:.7em;border:1px solid #8a8a8a;border-radius:2px"
_BAR = "display:block;height:100%;background:#3d8fc7"


def strategy_html(strategy: Strategy, max_rows: int = 60) -> str:
    """The table; of a large game the first information sets of each player, and how many more.

    >>> import workbench as wb
    >>> page = strategy_html(Strategy.uniform(wb.compile_game(wb.load_game("kuhn"))))
    >>> page.count("<tr>"), "0.500" in page, "<script" in page
    (13, True, False)
    """
    tree = strategy.tree
    share = max(1, max_rows // tree.num_players)
    rows: list[str] = []
    widest = 1
    for player in range(tree.num_players):
        infosets = tree.infosets_of(player)
        shown = infosets if tree.num_infosets <= max_rows else infosets[:share]
        rows += [_row(strategy, infoset) for infoset in shown]
        widest = max([widest, *(len(tree.actions_at(infoset)) for infoset in shown)])
        if more := len(infosets) - len(shown):
            rows.append(
                f'<tr><td {_CELL}>{player + 1}</td><td {_CELL} colspan="99">'
                f"<em>… and {more:,} more information sets</em></td></tr>"
            )
    title = f"Strategy of {escape(tree.name)}: {tree.num_infosets:,} information sets"
    head = "".join(f'<th scope="col" {_CELL}>{what}</th>' for what in ("Player", "Sees"))
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;color:inherit">'
        f'<caption style="text-align:left;font-weight:bold;color:inherit">{title}</caption>'
        f'<thead><tr>{head}<th scope="col" {_CELL} colspan="{widest}">Plays</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(strategy: Strategy, infoset: int) -> str:
    tree = strategy.tree
    low, high = tree.first_choice[infoset : infoset + 2]
    cells = "".join(
        f"<td {_CELL}><b {_NAME}>{escape(label_of(action))}</b>"
        f"<span {_NUMBER}>{probability:.3f}</span>"
        f'<span style="{_FRAME}" aria-hidden="true">'
        f'<span style="{_BAR};width:{100 * min(probability, 1.0):.1f}%"></span></span></td>'
        for action, probability in zip(
            tree.actions[low:high], strategy.probs[low:high].tolist(), strict=True
        )
    )
    player = int(tree.infoset_player[infoset]) + 1
    seen = escape(tree.infoset_label(infoset)) or "·"
    return f"<tr><td {_CELL}>{player}</td><td {_CELL}>{seen}</td>{cells}</tr>"
