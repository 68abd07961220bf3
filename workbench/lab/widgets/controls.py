"""The controls of panels: one look in light and dark, room for labels, names for tests.

Every control has a class of its own, `wb-start` or `wb-game`, by which a test in a browser, or a
lecturer's style sheet, finds it. A function that is given with a control is called when it is
pressed or changed.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ipywidgets as widgets
import traitlets

from workbench.lab.html import CSS, NOTHING, Html, quiet, show, status
from workbench.lab.text import ungrouped
from workbench.lab.widgets.jobs import Progress

COPY = Html(
    '<button class="jupyter-button widget-button wb-copy" '
    'title="Copy this code" data-code="{}" '
    "onclick=\"navigator.clipboard.writeText(this.dataset.code); this.textContent = 'Copied'\">"
    "Copy</button>"
)

BESIDE = {  # the fields of a panel: as wide as a picture, narrower where there is less room
    "flex": "1 1 28em", "min_width": "min(28em, 100%)", "max_width": "540px",
}  # fmt: skip
TIP = "wb-tip-"  # a class that ends with the tip, see tips.js
DIGITS = 30  # no number that people type is longer
TIPS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("tips.toml").read_text("utf-8"))


def script(name: str) -> Html:
    """A file of JavaScript beside this one, for an attribute such as `onclick`."""
    return show(Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8"))


def run_once(name: str) -> Html:
    """It runs when it is shown: a page of Jupyter runs no `script` elements."""
    return Html('<style onload="{}"></style>').format(script(name))


def tag(widget: Any, name: str) -> Any:
    """The widget, with the class wb-name."""
    return widget.add_class(f"wb-{name}")


def heard(control: Any, changed: Callable[[], Any]) -> Any:
    """The control; `changed()` is called when it has another value."""
    control.observe(lambda change: changed(), "value")
    return control


def _field(
    kind: Any, holds: str, label: str, given: Any, name: str,
    changed: Callable[[], Any] = lambda: None, /, *,
    width: str = "19.5em", label_width: str = "6.8em", **more: Any,
) -> Any:  # fmt: skip
    """A control with its label; `changed` is called when somebody sets it."""
    look = {"layout": widgets.Layout(width=width), "style": {"description_width": label_width}}
    more.setdefault("tooltip", TIPS.get(name, label))
    made = tag(kind(description=label, **{holds: given, **look, **more}), name)
    made.observe(lambda change: _show_tip(made), "tooltip")
    _show_tip(made)
    return heard(made, changed)


def _show_tip(control: Any) -> None:
    """Let the browser know the tooltip of a field; see `TIP`."""
    others = (name for name in control._dom_classes if not name.startswith(TIP))
    control._dom_classes = (*others, f"{TIP}{quote(control.tooltip)}")


class NumberField(widgets.Text):  # type: ignore[misc]
    """A field for a number that shows what it was understood to say when it is left.

    Browsers' own number fields drop what they do not like: "1e3" becomes 13, and an emptied one
    keeps its old number. Here a number, written as people write it (1e6, 10_000, 10,000, 10 000;
    1,5 where it need not be whole), becomes that number, and the field shows it; anything else
    stays there as text, for the view to refuse it by name.
    """

    value = traitlets.Any(0).tag(sync=True, to_json=lambda value, field: str(value))

    def __init__(self, value: Any = 0, *, whole: bool = True, **more: Any) -> None:
        self.whole = whole
        super().__init__(value=value, continuous_update=False, **more)

    @traitlets.validate("value")
    def _understand(self, proposal: Any) -> Any:
        value = proposal["value"]
        return understood(value, whole=self.whole) if isinstance(value, str) else value


def understood(text: str, *, whole: bool) -> int | float | str:
    """The number that a text says; the text itself if it says none, or none that is whole."""
    digits = ungrouped(text)
    if not whole:
        digits = re.sub(r"(?<=\d),(?=\d+$)", ".", digits)  # a comma in front of decimals
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", digits, re.ASCII | re.I):
        return text
    number = Decimal(digits)
    if not whole:
        return float(number)
    pointed = "." in digits and "e" not in digits.lower()  # 1.000 is a thousand to many
    if pointed or number.adjusted() > DIGITS or number != int(number):
        return text
    return int(number)


choose = partial(_field, widgets.Dropdown, "options")  # one of several
number = partial(_field, NumberField, "value")  # typed; the view checks it, nothing is rewritten
slide = partial(_field, widgets.SelectionSlider, "options")
text = partial(_field, widgets.Text, "value")
switch = partial(_field, widgets.Checkbox, "value")


def relist(control: Any, options: Sequence[Any]) -> None:
    """Another list to choose from; what was chosen stays chosen if it is there still."""
    if list(control.options) != list(options):
        values = [option[1] if isinstance(option, tuple) else option for option in options]
        kept = control.value
        control.options = options
        control.value = kept if kept in values else values[0]


def button(
    label: str, name: str, pressed: Callable[..., Any], *, style: str = "", tip: str = ""
) -> Any:
    """A button; style: "" or "primary", "success", "danger"."""
    made = widgets.Button(description=label, button_style=style, tooltip=tip or label)
    made.layout.width = "8em"
    made.on_click(pressed)
    return tag(made, name)


def press_with(made: Any, *keys: str) -> None:
    """A button that these keys press, where `table.js` listens; its tip says so."""
    keys = tuple(filter(None, keys))
    made.tooltip = f"{made.description} (key {' or '.join(keys)})"
    kept = [name for name in made._dom_classes if not name.startswith("wb-key-")]
    made._dom_classes = (*kept, *(f"wb-key-{name}" for name in keys))


class HtmlPlace(widgets.HTML):  # type: ignore[misc]
    """Its value is `Html`; any other text is shown as text.

    >>> print(HtmlPlace("a<b").value, HtmlPlace(Html("<b>a</b>")).value)
    a&lt;b <b>a</b>
    """

    @traitlets.validate("value")
    def _shown(self, proposal: Any) -> Html:
        return show(proposal["value"])


def place(name: str, html: Html = NOTHING, **layout: str) -> Any:
    """A place for HTML."""
    return tag(HtmlPlace(html, layout=widgets.Layout(**layout)), name)


def telling(place: Any) -> Callable[[Progress], None]:
    """For a job: this place says what is done just now."""

    def show(progress: Progress) -> None:
        place.value = status(quiet(f"{progress.text} …"))

    return show


def caption(words: str) -> Any:
    """A heading inside a panel."""
    return place("caption", Html('<div class="wb-head">{}</div>').format(words))


def row(*parts: Any, gap: str = "4px 12px", align: str = "center") -> Any:
    """Side by side, in a second line where there is no room; align: "center" or "flex-start"."""
    layout = widgets.Layout(flex_flow="row wrap", align_items=align, grid_gap=gap)
    return widgets.HBox(parts, layout=layout)


def column(*parts: Any, **layout: str) -> Any:
    """One below the other."""
    return widgets.VBox(parts, layout=widgets.Layout(**layout))


def sheet(title: str, name: str) -> Any:
    """A panel with its title; its parts come below."""
    head = CSS + run_once("tips") + Html("<h3>{}</h3>").format(title)
    return tag(tag(column(HtmlPlace(head)), "panel"), name)


def close(widget: Any) -> None:
    """Take away a widget and all it is made of."""
    for child in getattr(widget, "children", ()):
        close(child)
    for part in (widget.layout, getattr(widget, "style", None), widget):
        if part is not None:
            part.close()


class Many:
    """A row of controls whose number changes; each has the class wb-name. They are made once, by
    `make(k)`, and hidden while they are not needed: a browser keeps every widget it has seen, and a
    button that has the focus shall not lose it."""

    def __init__(self, name: str, make: Callable[[int], Any], gap: str = "4px 6px") -> None:
        self.view, self._make = tag(row(gap=gap), f"{name}s"), lambda k: tag(make(k), name)

    @property
    def shown(self) -> list[Any]:
        return [one for one in self.view.children if one.layout.display == ""]

    def show(self, labels: Sequence[str]) -> None:
        """Controls with these labels and no others."""
        missing = range(len(self.view.children), len(labels))
        self.view.children += tuple(map(self._make, missing))
        for one, label in zip_longest(self.view.children, labels):
            one.description = one.tooltip = label or ""
            one.layout.display = "none" if label is None else ""
        self.view.layout.display = "" if labels else "none"


class Ticks(Many):
    """Names to tick; `changed()` is called when somebody does."""

    def __init__(self, name: str, changed: Callable[[], Any]) -> None:
        self._showing = False

        def make(k: int) -> Any:
            box = widgets.Checkbox(indent=False, layout=widgets.Layout(width="auto"))
            return heard(box, lambda: None if self._showing else changed())

        super().__init__(name, make, "2px 14px")

    @property
    def value(self) -> tuple[str, ...]:
        return tuple(box.description for box in self.shown if box.value)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(box.description for box in self.shown)

    def show(self, names: Sequence[str], ticked: Collection[str] | None = None) -> None:
        """These names and no others, all ticked or only some."""
        self._showing = True
        super().show(names)
        for box in self.shown:
            box.value = ticked is None or box.description in ticked
        self._showing = False


class Fold:
    """Parts that a button unfolds and folds away again; `opened()` is called when they unfold."""

    def __init__(
        self, title: str, name: str, *parts: Any, open: bool = False,
        opened: Callable[[], Any] = lambda: None,
    ) -> None:  # fmt: skip
        self.title, self._opened, self._parts = title, opened, column(*parts)
        self.button = tag(tag(widgets.ToggleButton(value=open), "unfolds"), f"fold-{name}")
        self.button.layout.width = "auto"
        self.view = column(heard(self.button, self._turned), self._parts)
        self._turned()

    @property
    def open(self) -> bool:
        return bool(self.button.value)

    def _turned(self) -> None:
        self.button.description = f"{'▾' if self.open else '▸'} {self.title}"
        self.button.tooltip = f"{'Fold away' if self.open else 'Show'}: {self.title.lower()}"
        self._parts.layout.display = "" if self.open else "none"
        if self.open:
            self._opened()


class CodeBox:
    """As code: the cell that does again what was done by hand, and a button that copies it."""

    def __init__(self, *, folded: bool = False) -> None:
        self.text = tag(widgets.Textarea(layout=widgets.Layout(width="auto")), "code")
        self.text.tooltip = "Python that repeats this"
        self.copy = HtmlPlace()
        self.view = (
            Fold("As code", "code", self.copy, self.text).view
            if folded
            else column(row(caption("As code"), self.copy), self.text)
        )

    @property
    def value(self) -> str:
        return str(self.text.value)

    @value.setter
    def value(self, code: str) -> None:
        if code != self.text.value:
            self.text.rows = sum(1 + len(line) // 90 for line in code.split("\n")) + 1
            self.text.value = code
            self.copy.value = COPY.format(code)


class ProgressBar:
    """A bar with words: how far, how long still.

    >>> bar = ProgressBar()
    >>> bar.show(Progress(0.25, "250 of 1,000 iterations", seconds=10.0, left=30.0, value=None))
    >>> print(bar.bar.value, bar.words.value)
    0.25 <span role="status">250 of 1,000 iterations · 30 s left</span>
    """

    def __init__(self) -> None:
        self.bar = tag(widgets.FloatProgress(max=1.0, layout=widgets.Layout(width="14em")), "bar")
        self.bar.tooltip = "How much of the work is done"
        self.words = place("progress")
        self.view = row(self.bar, self.words)
        self.text("")

    def begin(self, words: str = "starting") -> None:
        """Work has been asked for."""
        self.bar.value, self.bar.bar_style = 0.0, ""
        self.text(words)

    def show(self, progress: Progress) -> None:
        """While it goes on."""
        self.bar.value = progress.fraction or 0.0
        left, spent = progress.left, f"{minutes(progress.seconds)} so far"
        self.text(f"{progress.text} · {spent if left is None else f'{minutes(left)} left'}")

    def end(self, *, stopped: bool = False) -> None:
        """It is over."""
        self.bar.value = self.bar.value if stopped else 1.0
        self.bar.bar_style = "warning" if stopped else "success"
        self.text("stopped" if stopped else "done")

    def text(self, words: str) -> None:
        self.words.value = status(words)


def minutes(seconds: float) -> str:
    """A time as people say it.

    >>> minutes(3), minutes(75), minutes(7300), minutes(1e6), minutes(1e12)
    ('3 s', '1 min 15 s', '2 h 1 min', '11 days', '31,709 years')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    days = whole // 86_400
    if days < 2:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{days} days" if days < 730 else f"{days // 365:,} years"
