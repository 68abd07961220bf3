"""The note beside a verdict, made in one place of the facts that an entry states.

what the verdict depends on     "inside only with cfr: …", "true of 5 of 6, not of cfr: …"
the entry's remark and facts    "need not follow suit", "naive: 0.94, simple-hand: 0.19"
what the range is over          "range over 6 solvers", "mean and range over 15 seeds"
what counts as the same number  "150,000 to 250,000 counts as reproduced", if it was rounded
runs that no verdict counts     "24 random starts 187.00 to 455.20; the nearest of these has …"
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from workbench.lab.text import figure

Numbers = Mapping[str, float]  # solver, seed or base -> what it found
HUGE = 1e8  # larger numbers are estimates, and nobody counts their digits


def note(said: Any, found: Any, verdict: str, beside: Iterable[Numbers] = ()) -> str:
    """What a reader must know to believe a verdict, the most important first."""
    number, pieces = said.number, [""]
    if number is not None and verdict == "inside the range":
        pieces += [f"inside only with {found.without(one)}" for one in found.hangs_on(number)]
    if found.true_of is not None:
        pieces.append(true_of(found, found.true_of))
    pieces += [found.note, listed(found.facts), found.over]
    rounded = "e" in said.published or "approximately" in said.where + said.says
    if number is not None and rounded:
        near = [short(number + sign * said.precision) for sign in (-1, 1)]
        pieces.append(f"{' to '.join(near)} counts as reproduced")
    tables = [runs for runs in beside if runs]
    if number is None and tables:
        tables = [{name: x for runs in tables for name, x in runs.items()}]
    pieces += [summed_up(runs, number) for runs in tables]
    pieces = [piece for piece in pieces if piece]
    if number is not None and verdict == "not reproduced":
        pieces = [f"off by {figure(found.value - number, '+.4g')}", *(pieces or ["why is open"])]
    return "; ".join(pieces)


def true_of(found: Any, true: Sequence[str]) -> str:
    """Of how many parts a claim is true; the smaller side by name, a single exception in full."""
    false = [name for name in found.parts if name not in true]
    text = f"true of {len(true)} of {len(found.parts)}"
    if not true or not false:
        return text
    if len(true) < len(false):
        return f"{text}: {', '.join(true)}"
    alone = len(false) == 1 and len(true) > 1
    return f"{text}, not of {found.without(false[0]) if alone else ', '.join(false)}"


def listed(facts: Mapping[str, Any]) -> str:
    """As in "sets: 3,099, a (iterations: 45, seconds: 0.25), solver: lp"."""
    pieces = []
    for name, value in facts.items():
        if isinstance(value, Mapping):
            pieces.append(f"{name} ({listed(value)})")
        else:
            pieces.append(f"{name}: {value if isinstance(value, str) else short(value, digits=4)}")
    return ", ".join(pieces)


def summed_up(runs: Numbers, number: float | None) -> str:
    """Runs that no verdict counts, kind by kind; only the last kind says where a number lies."""
    named = by_kind(runs)
    if number is None:
        true = [f"{sum(x > 0 for x in of)} of {kind}" for kind, of in named.items()]
        return f"not in the verdict: true of {', '.join(true)}"
    text = ", ".join(f"{kind} {span(of, '.2f')}" for kind, of in named.items())
    found = [*named.values()][-1]
    near = min(found, key=lambda x: abs(x - number))
    among = min(found) <= number <= max(found)  # on both sides of it: need not be near
    where = "what is printed lies among these, the nearest" if among else "the nearest of these"
    return f"{text}; {where} has {figure(near, '.2f')}"


def by_kind(runs: Numbers) -> dict[str, list[float]]:
    """Runs by their names without numbers: {"2 random starts": [2.0, -1.0]}."""
    kinds: dict[str, list[float]] = {}
    for name, x in runs.items():
        kinds.setdefault(name.rstrip("0123456789 "), []).append(x)
    return {f"{len(of)} {kind}{'s' * (len(of) > 1)}": of for kind, of in kinds.items()}


def span(found: Collection[float], digits: str) -> str:
    low, high = (figure(end, digits) for end in (min(found), max(found)))
    return low if low == high else f"{low} to {high}"


def short(value: float | None, row: Any = None, digits: int = 5) -> str:
    """A number for people: whole ones whole, the others with as many decimals as the published.

    Without anything published it has five digits that count, or as many as are asked for.

    >>> short(9457.0), short(489.77139), short(None), short(-1e-17)
    ('9,457', '489.77', '', '0')
    >>> short(1.1e14), short(1_366_338.0)
    ('1.1e14', '1,366,338')
    >>> from workbench.lab.ledger.ledger import Row
    >>> short(489.77139, Row("", "", "", 496.3, 489.77139, None, None, "not reproduced", ""))
    '489.8'
    """
    if value is None:
        return ""
    value = 0.0 if abs(value) < 1e-12 else value
    if abs(value) >= HUGE:
        return figure(value, ".4g").replace("e+", "e").replace("e0", "e")
    printed = row.published if row is not None else None
    if printed is not None and not printed.is_integer():
        decimals = -int(Decimal(repr(printed)).as_tuple().exponent)
        return figure(value, f",.{max(decimals, 0)}f")
    whole = abs(value - round(value)) < 1e-9
    return figure(round(value), ",") if whole else figure(value, f".{digits}g")
