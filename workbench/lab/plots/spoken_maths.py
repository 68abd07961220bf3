r"""Matplotlib's formulas as a voice would read them: `$b_1 + b_2$` is "b1 + b2".

>>> plain(r"$b_1 + b_2$ in the game"), plain(r"$\mathdefault{10^{-3}}$"), plain("5 $")
('b1 + b2 in the game', '10 to the power -3', '5 $')
>>> plain(r"$\bar{\sigma}^T \leq \frac{1}{\sqrt{T}}$"), plain(r"$\sigma^*$")
('sigma bar to the power T ≤ 1 / square root of T', 'sigma*')
"""

from __future__ import annotations

import re

PART = r"(\{[^{}]*\}|\\[A-Za-z]+|[^\s{}\\])"  # of a formula: {…}, a command, or one sign
STEPS = [  # from the inside out, until nothing changes
    (r"\\(?:mathdefault|mathregular|math\w\w|text|left|right)\b", ""),
    (rf"\\frac\s*{PART}\s*{PART}", r"{\1 / \2}"),
    (rf"\\sqrt\s*{PART}", r"{square root of \1}"),
    (rf"\\(bar|hat|tilde|dot|vec)\s*{PART}", r"{\2 \1}"),
    (r"\^\{?([*+†])\}?", r"\1"),
    (rf"\s*\^\s*{PART}", r" to the power \1"),
    (rf"\s*_\s*{PART}", r"\1"),
    (r"\{([^{}\\^_]*)\}", r"\1"),
]
SIGNS = {
    "times": "×", "cdot": "·", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
    "pm": "±", "approx": "≈", "to": "→", "rightarrow": "→", "infty": "infinity", "quad": " ",
}  # fmt: skip


def plain(text: str) -> str:
    """The text with its formulas in plain signs and words; a text without any as it is."""
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0 or len(parts) == 1:  # dollars that enclose nothing, as for matplotlib
        return text
    parts[1::2] = map(_formula, parts[1::2])
    return "".join(parts).replace(r"\$", "$")


def _formula(text: str) -> str:
    text = re.sub(r"\\[,;:! ]|~", " ", text)
    before = ""
    while before != text:
        before = text
        for found, said in STEPS:
            text = re.sub(found, said, text)
    text = re.sub(r"\\([A-Za-z]+)", lambda name: SIGNS.get(name[1], name[1]), text)
    return " ".join(re.sub(r"[{}\\]", "", text).split())
