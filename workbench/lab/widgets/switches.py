"""Results that were computed before, behind a labelled choice: figures, tables or text.

    wb.widgets.switch({"JQ-K": figure_1, "J-QK": figure_2}, label="Abstraction")
    wb.widgets.switch({("JQ-K", "cfr+"): table, …}, label=("Abstraction", "Solver"))
    wb.widgets.slider({0.5: figure_1, 1: figure_2, 2: figure_3}, label="μ")
    wb.widgets.slider(draw, "μ", steps=(0.5, 1, 2))           draw(ax, step) draws each figure

It is HTML with all options inside and native controls (`switch.html.j2`, `switch.js`), so
nothing is computed when the choice changes, and it needs no kernel: a live notebook, the same one
next morning, its report and any other page show the same. Where no script runs, the first choice
stands there alone, and in a report all options, one below the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from workbench.lab.html import CSS, NOTHING, Html, framed, template
from workbench.lab.notebook import html_of
from workbench.lab.plots.png import Picture, picture
from workbench.lab.widgets.controls import run_once
from workbench.lab.widgets.panel import PATIENCE, Panel
from workbench.rules import GameError
from workbench.settings import need_kind, need_several, unknown_name

PAGE = Path(__file__).with_name("switch.html.j2")


class Switch:
    """A choice among results; keys are tuples if there is more than one label.

    An option is a figure (or Axes), anything that shows itself as HTML (a DataFrame, a
    strategy), a text, or a panel: that is shown as it stands, and closed. `value`: the key that
    is shown first.

    >>> choice = switch({"low": "a text", "high": "another one"}, label="Stakes")
    >>> choice, choice.value, choice.values
    (<Switch: Stakes>, 'low', [['low', 'high']])
    """

    slides = False  # along steps in their order, or chosen by name

    def __init__(
        self,
        options: Mapping[Any, Any],
        label: str | Sequence[str] = "Choice",
        *,
        value: Any = None,
        title: str = "",
    ) -> None:
        several = [label] if isinstance(label, str) else need_several("label", label, "names")
        self.labels, self.title = [str(name) for name in several], title
        if not all(name.strip() for name in self.labels):
            raise GameError("label: a choice needs a name that says what is chosen, not ''")
        if not need_kind("options", options, dict) or not self.labels:
            raise GameError('nothing to choose from: give at least one option, {"name": figure}')
        self.options: dict[tuple[str, ...], Html] = {}
        for key, option in options.items():
            names = self._names(key)
            if names in self.options:
                raise GameError(f"two options are called {' · '.join(names)}")
            self.options[names] = _shown(option, key)
        self.first = next(iter(self.options)) if value is None else self._names(value)
        if self.first not in self.options:
            raise unknown_name("option", " · ".join(self.first), map(" · ".join, self.options))
        self.value = self.first if len(self.labels) > 1 else self.first[0]
        self.values = [list(dict.fromkeys(names)) for names in zip(*self.options, strict=True)]

    def _names(self, key: Any) -> tuple[str, ...]:
        count = len(self.labels)
        names = key if isinstance(key, tuple) and count > 1 else (key,)
        if len(names) != count:
            raise GameError(f"option {key!r} needs {count} names, one for each label")
        return tuple(map(str, names))

    def _repr_html_(self) -> Html:
        page = template(PAGE).render(switch=self, script=run_once("switch"))
        return CSS + Html(page.replace(CSS, ""))  # panels bring their style sheet; one is enough

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self.labels)}>"


class Slider(Switch):
    """A switch for steps that have an order: one slider for each label, and the figure follows.

    Arguments are those of `switch`, or a function `draw(ax, step)` with its `steps` and the `size`
    of a figure in inches. Every step is computed before.

    >>> slider({k: f"{k} squared is {k * k}" for k in range(1, 6)}, label="k", value=2)
    <Slider: k>
    >>> slider(lambda ax, k: ax.plot([0, k]), "k", steps=(1, 2, 4)).values
    [['1', '2', '4']]
    """

    slides = True

    def __init__(
        self, options: Any, label: Any = "Choice", *, value: Any = None, title: str = "",
        steps: Sequence[Any] = (), size: tuple[float, float] = (8, 3),
    ) -> None:  # fmt: skip
        if callable(options):
            draw, options = options, {}
            for step in need_several("steps", steps, "numbers, (0.5, 1, 2)"):
                options[step] = Figure(figsize=size, layout="constrained")
                draw(options[step].subplots(), step)
        super().__init__(options, label, value=value, title=title)


switch, slider = Switch, Slider


def _shown(option: Any, key: Any) -> Html:
    if isinstance(option, Artist | Picture):
        return (option if isinstance(option, Picture) else picture(option)).html  # type: ignore[arg-type]
    if isinstance(option, str):
        return NOTHING.join(Html("<p>{}</p>").format(part) for part in option.split("\n\n"))
    if isinstance(option, Panel):
        option.wait(PATIENCE)
        still = framed(option.still())
        option.close()
        return still
    if (html := html_of(option)) is None:
        raise GameError(
            f"option {key!r} is a {type(option).__name__}; "
            "a figure, a table, a panel, HTML or a text can be shown"
        )
    return Html(html)
