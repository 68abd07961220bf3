"""A stored switch as native controls: one `select` for each label, one figure for each option.

Without script all options stand one below the other, each with its caption; `page.js` then
shows the chosen one. What is stored is described in `workbench/lab/widgets/switches.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from workbench.lab.reports.cleaning import clean, coloured


def choices(stored: Mapping[str, Any], number: int) -> str:
    """The switch as HTML; `number` keeps its names apart from those of others on the page."""
    labels, values = stored["labels"], stored["values"]
    chosen = stored["chosen"]
    selects = "".join(
        f'<label for="switch-{number}-{k}">{escape(label)} <select id="switch-{number}-{k}">'
        + "".join(
            f"<option{' selected' if j == chosen[k] else ''}>{escape(value)}</option>"
            for j, value in enumerate(options)
        )
        + "</select></label>"
        for k, (label, options) in enumerate(zip(labels, values, strict=True))
    )
    figures = "".join(
        f'<figure data-option="{" ".join(map(str, option["at"]))}">'
        f"<figcaption>{escape(_caption(stored, option['at']))}</figcaption>"
        f'<div class="scroll" tabindex="0">{_shown(option)}</div></figure>'
        for option in stored["options"]
    )
    name = escape(" and ".join(labels))
    return (
        f'<div class="switch output" role="group" aria-label="Choose: {name}">'
        f'<div class="controls" hidden>{selects}</div>{figures}'
        '<p class="aside" aria-live="polite"></p></div>\n'
    )


def _caption(stored: Mapping[str, Any], at: list[int]) -> str:
    pairs = zip(stored["labels"], stored["values"], at, strict=True)
    return ", ".join(f"{label}: {values[k]}" for label, values, k in pairs)


def _shown(option: Mapping[str, Any]) -> str:
    if "html" in option:
        html = clean(option["html"])
        return f'<div class="paper">{html}</div>' if coloured(html) else html
    width, height = option["size"]
    return (
        f'<img alt="{escape(option["alt"])}" width="{width}" height="{height}" '
        f'style="--wide: {width}" src="data:{option["kind"]};base64,{option["data"]}">'
    )
