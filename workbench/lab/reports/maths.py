r"""Formulas as MathML, which browsers draw and screen readers read themselves.

    >>> notes = []
    >>> formula("R^+", notes)
    '<math><mrow><msup><mi>R</mi><mo>+</mo></msup></mrow></math>'

What cannot be translated stays as it was written, and is noted:

    >>> formula(r"\unheard{x}", notes), notes
    ('<code class="formula">\\unheard{x}</code>', ['formula \\unheard{x} is shown as text: ...
"""

import re
import unicodedata
from contextlib import suppress
from html import escape
from xml.etree import ElementTree as ET

CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
CHILDREN |= {"msubsup": 3, "munderover": 3}
BELOW = {"max", "min", "sup", "inf", "lim", "argmax", "argmin"}  # in a line of its own
LONG = 20  # letters of a formula in the text that may be wider than a phone


def formula(latex: str, notes: list[str], *, block: bool = False) -> str:
    """A formula as HTML, in the text or in a line of its own; `notes`: what could not be read."""
    latex = " ".join(latex.split())
    try:
        made = mathml(latex, block=block)
    except ValueError as error:
        notes.append(f"formula {latex} is shown as text: {error}")
        made = f'<code class="formula">{escape(latex)}</code>'
    letters = len(re.sub(r"<.*?>|\s", "", made))  # a long one scrolls where the page is narrow
    look = "formula" if block else "long" if letters > LONG else ""
    return f'<span class="{look} scroll" tabindex="0">{made}</span>' if look else made


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
        with suppress(KeyError):
            return unicodedata.lookup(full)
    return letter
