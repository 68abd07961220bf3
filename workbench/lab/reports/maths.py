r"""Formulas of Markdown cells as MathML, which browsers draw and screen readers read themselves.

A formula stands between dollar signs, two of them on each side for one in its own line. It is
taken out before Markdown sees it (an underscore is no emphasis there) and put back afterwards:

    >>> maths = Maths()
    >>> text = maths.take_out(r"a regret $R^+$, not `$R$`")
    >>> "$R^+$" in text, "`$R$`" in text
    (False, True)
    >>> maths.put_back(text)
    'a regret <math><mrow><msup><mi>R</mi><mo>+</mo></msup></mrow></math>, not `$R$`'

What cannot be translated stays as it was written, and is noted:

    >>> maths.put_back(maths.take_out(r"then $\unheard{x}$"))
    'then <code class="formula">\\unheard{x}</code>'
    >>> maths.notes
    ['formula \\unheard{x} is shown as text: \\unheard is unknown']
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from html import escape
from xml.etree import ElementTree as ET

# Code comes first, so that a dollar in it is left alone; so is one that has a backslash before it.
PIECES = re.compile(
    r"(?P<code>^(?P<fence>```+|~~~+).*?^(?P=fence)|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)|\\\$)"
    r"|\$\$(?P<block>.+?)\$\$"
    r"|\$(?P<line>(?!\s)(?:[^$\n]|\n(?!\s*\n))+?)(?<!\s)\$(?!\d)",
    re.DOTALL | re.MULTILINE,
)
OPEN, CLOSE = "\ue000", "\ue001"  # private characters around the number of a formula
CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
BELOW = {"max", "min", "sup", "inf", "lim", "argmax", "argmin"}  # in a line of its own
CHILDREN |= {"msubsup": 3, "munderover": 3}
LONG = 20  # letters of a formula in the text that may be wider than a phone


@dataclass
class Maths:
    """The formulas of one page, and notes about those that could not be translated."""

    formulas: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take_out(self, source: str) -> str:
        """Markdown with a mark in place of each formula."""

        def mark(found: re.Match[str]) -> str:
            if found["code"]:
                return found[0]
            self.formulas.append(self._translate(found["block"] or found["line"], found))
            return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

        return PIECES.sub(mark, source)

    def put_back(self, html: str) -> str:
        """HTML with the formulas in place of the marks."""
        return re.sub(f"{OPEN}(\\d+){CLOSE}", lambda found: self.formulas[int(found[1])], html)

    def _translate(self, latex: str, found: re.Match[str]) -> str:
        block = found["block"] is not None
        latex = " ".join(latex.split())
        try:
            made = mathml(latex, block=block)
        except ValueError as error:
            self.notes.append(f"formula {latex} is shown as text: {error}")
            made = f'<code class="formula">{escape(latex)}</code>'
        if block:
            return f'<span class="formula scroll" tabindex="0">{made}</span>'
        letters = len(re.sub("<.*?>|\\s", "", made))  # a long one scrolls where the page is narrow
        return f'<span class="long scroll" tabindex="0">{made}</span>' if letters > LONG else made


def mathml(latex: str, *, block: bool = False) -> str:
    r"""A formula as a MathML element; ValueError if it cannot be read.

    >>> mathml(r"\tfrac12")
    '<math><mrow><mstyle displaystyle="false" scriptlevel="0"><mfrac><mn>1</mn>...
    >>> mathml(r"\frac{1")
    Traceback (most recent call last):
        ...
    ValueError: a part of mfrac is missing
    >>> mathml(r"\max_a x_a", block=True)
    '<math display="block"><mrow><munder><mo>max</mo><mi>a</mi></munder>...
    """
    from latex2mathml.converter import convert

    try:
        root = ET.fromstring(convert(latex, display="block" if block else "inline"))
    except Exception as error:  # it raises whatever went wrong inside
        raise ValueError(str(error) or type(error).__name__) from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if len(element) != CHILDREN.get(element.tag, len(element)):
            raise ValueError(f"a part of {element.tag} is missing")
        if block and element.tag == "msub" and (element[0].text or "").strip() in BELOW:
            element.tag = "munder"
        if "\\" in (element.text or ""):
            raise ValueError(f"{element.text} is unknown")
        if (style := element.get("mathvariant", "normal")) != "normal":  # browsers know no other
            element.text = "".join(_letter(letter, style) for letter in element.text or "")
            del element.attrib["mathvariant"]
    root.attrib.clear()
    if block:
        root.set("display", "block")
    return ET.tostring(root, encoding="unicode")


def _letter(letter: str, style: str) -> str:
    """
    >>> _letter("A", "script"), _letter("I", "script"), _letter("N", "double-struck")
    ('𝒜', 'ℐ', 'ℕ')
    """
    case = "CAPITAL" if letter.isupper() else "SMALL" if letter.isalpha() else "DIGIT"
    name = unicodedata.name(letter, "").split()[-1] if letter.isdigit() else letter.upper()
    kind = style.replace("fraktur", "black-letter").upper()
    for full in (f"MATHEMATICAL {style.upper()} {case} {name}", f"{kind} {case} {name}"):
        try:
            return unicodedata.lookup(full)
        except KeyError:
            continue
    return letter
