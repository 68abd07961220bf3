"""Which reasons of the course are checked? Every causal sentence, beside its check.

    python -m tests.reasons [KEY…]

A sentence of a notebook that says *because*, *so*, *that is why*, *the reason* claims a cause. In
`tests/claims/KEY.py` a comment quotes some words of it, and the asserts below take the cause away
(another discard, another norm, another seat) and see the effect go, or stay where the text says
that it stays:

    # because: the discard is dominated
    assert …

Words that stand in no causal sentence of that notebook make `tests/test_reasons.py` fail, so text
and check change together. A sentence that calls itself a guess claims nothing.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.reading_time import prose
from workbench.lab.shelves import key, notebooks

CLAIMS = Path(__file__).parent / "claims"
CAUSAL = re.compile(
    r"\b(because|(that|which|this) is why|the reasons?|for this reason|therefore|hence|thus|due to"
    r"|thanks to|owing to)\b"
    r"|(^|[,;:—(] )so\b(?! (that|far|much|many|little|few|long|on|is|does)\b)",
    re.I,
)
GUESS = re.compile(r"\b(guess|perhaps|presumably|we do not know|not tested|untested)", re.I)
END = re.compile(
    r"(?<=[.!?:])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z\"“*_`$(\[])|\n\s*(?=[-*|#]|\d+\.)|\n\n"
)
MARKS = re.compile(r"\]\([^)]*\)|<[^>]+>|[*_`\[\]]")
QUOTED = re.compile(r"^# because: (.+)$")


@dataclass(frozen=True)
class Reason:
    """A causal sentence, and the asserts that check it."""

    sentence: str
    guess: bool
    checks: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Text without marks and line breaks: what a reader reads."""
    return " ".join(MARKS.sub("", text).split())


def sentences(path: Path) -> list[str]:
    """The sentences of a notebook's prose."""
    found = [plain(part) for text in prose(path) for part in END.split(text) if part]
    return [one for one in found if one]


def quoted(claims: Path) -> dict[str, int]:
    """Words that claims quote after "because:", each with the number of asserts that follow."""
    found: dict[str, int] = {}
    words = ""
    for line in claims.read_text("utf-8").splitlines() if claims.exists() else []:
        if said := QUOTED.match(line):
            words = plain(said[1])
            found[words] = 0
        elif line.startswith("# "):
            words = ""
        elif words and re.match(r"\s*assert\b", line):
            found[words] += 1
    return found


def reasons(path: Path) -> list[Reason]:
    """The causal sentences of a notebook in their order."""
    checks = quoted(CLAIMS / f"{key(path)}.py")
    return [
        Reason(one, bool(GUESS.search(one)), tuple(words for words in checks if words in one))
        for one in sentences(path)
        if CAUSAL.search(one)
    ]


def main(wanted: list[str]) -> None:
    total = checked = guesses = 0
    for path in notebooks():
        found = reasons(path)
        covered, open_ = sum(bool(one.checks) for one in found), [one for one in found if one.guess]
        total, checked, guesses = total + len(found), checked + covered, guesses + len(open_)
        print(
            f"{key(path)}: {len(found)} causal sentences, {covered} checked, {len(open_)} guesses"
        )
        for one in found if not wanted or key(path) in wanted else []:
            mark = "✓" if one.checks else "?" if one.guess else "·"
            print(f"  {mark} {one.sentence}")
    print(f"{total} causal sentences, {checked} checked, {guesses} called guesses")


if __name__ == "__main__":
    main(sys.argv[1:])
