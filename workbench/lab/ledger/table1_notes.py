"""The notes beside the numbers of Gibson & Szafron's Table 1: who made a range, and who did not.

A range is over solvers, and a verdict rests on these alone. With two players they leave at most a
milli-ante of mean gain (over the players) in every game they solved, as the paper's did. Two other
kinds of runs stand apart, in the notes:

    random starts       the same games, but Base and Dynamic learn from random regrets: which
                        equilibria are there to be found?
    chance sampling     the paper's solver, but with fewer deals and less close

>>> found = {"cfr+": 151.2, "random start 12": 455.2, "chance sampling 10M seed 4": 394.4}
>>> [list(names) for names in kinds(found)]
[['cfr+'], ['random start 12'], ['chance sampling 10M seed 4']]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.lab.ledger.bases import CHOSEN
from workbench.lab.ledger.leduc_experts import TWIN

Found = Mapping[str, float]  # solver, start or seed -> milli-antes
CHANCE, START = "chance sampling", "random start"


def kinds(found: Found) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Solvers, random starts, and seeds of chance sampling."""
    started, drawn = (
        {name: x for name, x in found.items() if name.startswith(kind)} for kind in (START, CHANCE)
    )
    return (
        {name: x for name, x in found.items() if name not in started and name not in drawn},
        started,
        drawn,
    )


def solvers(found: Found) -> str:
    return f"range over {len(found)} solvers"


def starts(found: Found, printed: float) -> str:
    """Random starts, and whether the printed number lies there.

    >>> starts({"random start 0": 187.0, "random start 1": 455.2}, 432.74)
    '; 2 random starts 187.00 to 455.20; what is printed lies among these, the nearest has 455.20'
    """
    return f"; {_count(found, START)} {span(found)}{place(found, printed)}" if found else ""


def seeds(found: Found, printed: float) -> str:
    """Chance sampling, by number of deals, and where the longest runs are.

    >>> names = [f"chance sampling {end}" for end in ("1M seed 0", "1M seed 1", "10M seed 0")]
    >>> seeds(dict(zip(names, [193.0, 447.88, 394.41])), 432.74)
    '; chance sampling: 2 seeds with 1M deals 193.00 to 447.88, 1 seed with 10M deals 394.41; \
the nearest of these has 394.41'
    """
    if not found:
        return ""
    groups = _by_deals(found)
    pieces = [f"{_count(of, 'seed')} with {deals} deals {span(of)}" for deals, of in groups.items()]
    return f"; {CHANCE}: {', '.join(pieces)}{place(list(groups.values())[-1], printed)}"


def place(found: Found, printed: float) -> str:
    """Where a printed number lies: numbers on both sides of it need not be near.

    >>> place({"seed 0": 134.1, "seed 1": 166.0}, 159.84)
    '; what is printed lies among these, the nearest has 166.00'
    >>> place({"seed 0": 147.8, "seed 1": 394.41}, 432.74)
    '; the nearest of these has 394.41'
    """
    near = min(found.values(), key=lambda x: abs(x - printed))
    here = min(found.values()) <= printed <= max(found.values())
    return (
        f"; what is printed lies among these, the nearest has {near:.2f}"
        if here
        else f"; the nearest of these has {near:.2f}"
    )


def span(found: Found) -> str:
    low, high = (f"{f(found.values()):.2f}" for f in (min, max))
    return low if low == high else f"{low} to {high}"


def true_of(started: Found, drawn: Found) -> str:
    """A claim, by start and by seed."""
    pieces = []
    if started:
        pieces.append(f"{_true(started)} of {_count(started, START)}")
    pieces += [
        f"{_true(of)} of {_count(of, 'seed')} of {CHANCE} with {deals} deals"
        for deals, of in _by_deals(drawn).items()
    ]
    return f"; not in the verdict: true of {', '.join(pieces)}" if pieces else ""


def over_base(row: str, rows: Mapping[str, Found], printed: float) -> str:
    """Levels move with the opponents' equilibria; what a row earns more than Base moves less."""
    base = "Base" + (TWIN if row.endswith(TWIN) else "")
    if row == base:
        return ""
    lead = {name: x - rows[base][name] for name, x in rows[row].items()}
    return (
        f"more than Base by {lead[CHOSEN]:.1f} ({min(lead.values()):.1f} to "
        f"{max(lead.values()):.1f}), as printed by {printed:.1f}; "
    )


def mean_gains(half: str, iterations: Mapping[str, int], inside: Found) -> str:
    """Said once for half of the table: who made its ranges, and how close to equilibrium they are.

    >>> mean_gains("2p", {"cfr+": 50, "cfr": 50, "random start 0": 50}, {"cfr+": 0.0123,
    ...     "cfr": 0.911, "random start 0": 0.025})
    '2p: ours is cfr+; ranges and verdicts are over cfr+ (mean gain 0.0123 left), cfr (0.911) \
after 50 iterations; in the notes only: 1 random start (0.025)'
    """
    sure, started, drawn = kinds(inside)
    groups: dict[int, list[str]] = {}
    for name in sure:
        groups.setdefault(iterations[name], []).append(name)
    first = " (mean gain {:.3g} left)"
    pieces = []
    for steps, names in groups.items():
        each = []
        for name in names:
            each.append(name + first.format(inside[name]))
            first = " ({:.3g})"
        pieces.append(f"{', '.join(each)} after {steps:,} iterations")
    text = f"{half}: ours is {CHOSEN}; ranges and verdicts are over {' and '.join(pieces)}"
    apart = [f"{_count(started, START)} ({max(started.values()):.3g})"] if started else []
    apart += [
        f"{_count(of, 'seed')} of {CHANCE} with {deals} deals ({max(of.values()):.3g})"
        for deals, of in _by_deals(drawn).items()
    ]
    return f"{text}; in the notes only: {', '.join(apart)}" if apart else text


def _by_deals(found: Found) -> dict[str, dict[str, float]]:
    """
    >>> _by_deals({"chance sampling 1M seed 0": 1.0, "chance sampling 10M seed 0": 2.0})
    {'1M': {'chance sampling 1M seed 0': 1.0}, '10M': {'chance sampling 10M seed 0': 2.0}}
    """
    groups: dict[str, dict[str, float]] = {}
    for name, x in found.items():
        groups.setdefault(name.removeprefix(CHANCE).split()[0], {})[name] = x
    return groups


def _true(leads: Found) -> int:
    return sum(x > 0 for x in leads.values())


def _count(found: Iterable[str], word: str) -> str:
    count = len(list(found))
    return f"{count} {word}{'s' if count > 1 else ''}"
