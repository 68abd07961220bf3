"""How things show themselves in a notebook: `import workbench` calls `set_up` there.

Strategies become tables, and figures are stored with a description. Both are IPython's
formatters, so the core knows nothing of its views, and settings of the inline backend stay as
they are. From then on cells and clicks are also kept apart (`cells_and_clicks.py`).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from workbench.lab.cells_and_clicks import keep_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def set_up() -> None:
    """Tell the notebook's shell; nothing happens outside of one."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        keep_apart(shell)
        formatter = shell.display_formatter
        pages = formatter.formatters["text/html"]
        pages.for_type_by_name("workbench.strategy", "Profile", _strategy)
        formatter.mimebundle_formatter.for_type_by_name("matplotlib.figure", "Figure", _alt)


def html_of(value: Any) -> str | None:
    """What a notebook shows for a value, as HTML; None if it has nothing to show."""
    from workbench.strategy import Profile

    if isinstance(value, Profile):
        return _strategy(value)
    return str(value._repr_html_()) if hasattr(value, "_repr_html_") else None


def _strategy(strategy: Any) -> str:
    from workbench.lab.plots.strategy_table import strategy_html

    return strategy_html(strategy)


def _alt(figure: Figure) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """No picture, only the description of one: how figures are drawn is IPython's business."""
    from workbench.lab.plots.alt_text import describe

    try:
        words = describe(figure)
    except Exception:  # a picture without words is better than no picture
        return {}, {}
    return {}, {kind: {"alt": words} for kind in ("image/png", "image/svg+xml", "image/jpeg")}
