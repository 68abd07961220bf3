"""Results that were computed before, behind a labelled choice: figures, tables or text.

    wb.widgets.switch({"JQ-K": figure_1, "J-QK": figure_2}, label="Abstraction")
    wb.widgets.switch({("JQ-K", "cfr+"): table, …}, label=("Abstraction", "Solver"))

Everything is inside the notebook's output, so nothing is computed when the choice changes, and the
choice outlives the kernel: a live notebook shows ipywidgets that are linked in the browser, a
report native controls, any other page the first option. What is stored for reports, under `SWITCH`:

    labels   ["Abstraction"]
    values   [["JQ-K", "J-QK"]]         what can be chosen, one list for each label
    chosen   [0]                        what is shown first
    options  [{"at": [0], "kind": "image/png", "data": base64, "alt": words, "size": [w, h]},
              {"at": [1], "html": "<p>…</p>"}]
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist

from workbench.lab.html import CSS, NOTHING, SWITCH, Html, bold, framed
from workbench.lab.notebook import html_of
from workbench.lab.plots.png import Picture, picture
from workbench.lab.widgets.controls import choose, place, row
from workbench.lab.widgets.panel import PATIENCE, Panel
from workbench.rules import GameError
from workbench.settings import need_kind, need_several, unknown_name

NARROW = {"description_width": "initial"}  # a label as wide as its word

Shown = Picture | Html


class Switch(Panel):
    """A choice among results; keys are tuples if there is more than one label.

    An option is a figure (or Axes), anything that shows itself as HTML (a DataFrame, a
    strategy), a text, or a panel: that is shown as it stands, and closed. `value`: the key that
    is shown first; later the chosen one, and can be set.

    >>> choice = switch({"low": "a text", "high": "another one"}, label="Stakes")
    >>> choice.controls[0].description, choice.value
    ('Stakes', 'low')
    """

    def __init__(
        self,
        options: Mapping[Any, Any],
        label: str | Sequence[str] = "Choice",
        *,
        value: Any = None,
        title: str = "",
    ) -> None:
        several = [label] if isinstance(label, str) else need_several("label", label, "names")
        self.labels = [str(name) for name in several]
        if not need_kind("options", options, dict) or not self.labels:
            raise GameError('nothing to choose from: give at least one option, {"name": figure}')
        self.options: dict[tuple[str, ...], Shown] = {}
        for key, option in options.items():
            names = self._names(key)
            if names in self.options:
                raise GameError(f"two options are called {' · '.join(names)}")
            self.options[names] = _shown(option, key)
        self.first = next(iter(self.options)) if value is None else self._known(value)
        super().__init__(title or f"Choose: {', '.join(self.labels)}", "switch")
        self.sheet = ""
        for key, shown in self.options.items():  # panels bring their style sheet; one is enough
            if isinstance(shown, str) and shown.startswith(CSS):
                self.sheet, self.options[key] = CSS, shown.removeprefix(CSS)
        self.values = [list(dict.fromkeys(names)) for names in zip(*self.options, strict=True)]
        named = zip(self.labels, self.values, self.first, strict=True)
        self.controls = [
            choose(label, values, f"switch-{k}", value=chosen, width="auto", style=NARROW)
            for k, (label, values, chosen) in enumerate(named)
        ]
        self.links: list[Any] = []
        self.stack = self._stack(())
        self.lay_out(row(*self.controls), self.stack)

    @property
    def value(self) -> str | tuple[str, ...]:
        key = tuple(str(control.value) for control in self.controls)
        return key if len(key) > 1 else key[0]

    @value.setter
    def value(self, key: Any) -> None:
        for control, name in zip(self.controls, self._known(key), strict=True):
            control.value = name

    def static(self) -> Html:
        """The first option, for pages that know nothing of switches."""
        others = len(self.options) - 1
        more = f"; {others} more in the live notebook and in its report" if others else ""
        named = zip(self.labels, self.first, strict=True)
        chosen = bold(", ".join(f"{label}: {name}" for label, name in named))
        shown = _html(self.options[self.first])
        return Html("{}<p>{}{}</p>{}").format(self.sheet, chosen, more, shown)

    def stored(self) -> dict[str, Any]:
        """Everything, for a report: see the first lines of this file."""

        def places(key: tuple[str, ...]) -> list[int]:
            return [values.index(name) for values, name in zip(self.values, key, strict=True)]

        options = [{"at": places(key), **_stored(at)} for key, at in self.options.items()]
        for first in [option for option in options if "html" in option][:1]:
            first["html"] = self.sheet + first["html"]
        chosen = places(self.first)
        return {"labels": self.labels, "values": self.values, "chosen": chosen, "options": options}

    def _stack(self, key: tuple[str, ...]) -> Any:
        """One child for each value, only one of them visible; below the last label the options."""
        depth = len(key)
        if depth == len(self.labels):
            shown = self.options.get(key, Html("<p>(This combination was not computed.)</p>"))
            return place("option", _html(shown))
        children = [self._stack((*key, value)) for value in self.values[depth]]
        control = self.controls[depth]
        stack = widgets.Stack(children, selected_index=control.index)
        self.links.append(widgets.jslink((control, "index"), (stack, "selected_index")))
        return stack

    def _names(self, key: Any) -> tuple[str, ...]:
        count = len(self.labels)
        names = key if isinstance(key, tuple) and count > 1 else (key,)
        if len(names) != count:
            raise GameError(f"option {key!r} needs {count} names, one for each label")
        return tuple(map(str, names))

    def _known(self, key: Any) -> tuple[str, ...]:
        if (names := self._names(key)) not in self.options:
            raise unknown_name("option", " · ".join(names), map(" · ".join, self.options))
        return names

    def close(self) -> None:
        for link in self.links:
            link.close()
        super().close()

    def _repr_mimebundle_(  # type: ignore[override]
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The first option is stored as a plain picture if it is one: every viewer shows that."""
        data, first = super()._repr_mimebundle_(include, exclude), self.options[self.first]
        data[SWITCH] = self.stored()
        if isinstance(first, str):
            return data, {}
        del data["text/html"]
        data[first.kind] = _stored(first)["data"]
        width, height = first.size
        return data, {first.kind: {"alt": first.words, "width": width, "height": height}}


switch = Switch


def _shown(option: Any, key: Any) -> Shown:
    if isinstance(option, Picture):
        return option
    if isinstance(option, Artist):
        return picture(option)  # type: ignore[arg-type]
    if isinstance(option, str):
        return NOTHING.join(Html("<p>{}</p>").format(part) for part in option.split("\n\n"))
    if isinstance(option, Panel):
        option.wait(PATIENCE)
        still = framed(option.still())
        option.close()
        return still
    html = html_of(option)
    if html is None:
        raise GameError(
            f"option {key!r} is a {type(option).__name__}; "
            "a figure, a table, a panel, HTML or a text can be shown"
        )
    return Html(html)


def _html(shown: Shown) -> Html:
    return shown if isinstance(shown, Html) else shown.html


def _stored(shown: Shown) -> dict[str, Any]:
    if isinstance(shown, str):
        return {"html": shown}
    data = base64.b64encode(shown.data).decode("ascii")
    return {"kind": shown.kind, "data": data, "alt": shown.words, "size": list(shown.size)}
