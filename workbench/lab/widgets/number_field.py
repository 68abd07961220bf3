"""A field for a number that shows what it was understood to say.

Browsers' own number fields drop what they do not like: "1e3" becomes 13, and an emptied one keeps
its old number. This one takes what is typed as it stands. A number, written as people write it
(1e6, 10_000, 10,000, 10 000; 1,5 where it need not be whole), becomes that number, and the field
shows it; anything else stays there as text, for the view to refuse it by name.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import ipywidgets as widgets
import traitlets

from workbench.lab.text import ungrouped

DIGITS = 30  # no number that people type is longer


class NumberField(widgets.Text):  # type: ignore[misc]
    """`value` is a number, or the text that is none; heard of when the field is left."""

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
