"""The notes beside the numbers of Gibson & Szafron's Table 1: who made a range, and who did not.

A range is over solvers that leave at most a milli-ante to gain in every game they solved, as the
paper's did; a verdict rests on these alone. Chance sampling is the paper's solver, but ours has
fewer deals and is not that close, so its seeds stand apart, in the note.

>>> inside = {"cfr+": 0.01, "cfr": 0.9, "chance sampling 1M seed 0": 13.6}
>>> seeds({"chance sampling 1M seed 0": 447.88}, inside, 432.74)
'; chance sampling, not in the range: 1 seed with 1M deals 447.88 (at most 14 to gain)'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.experiments.reproduce.bases import CHOSEN
from workbench.experiments.reproduce.ledger import Ours
from workbench.experiments.reproduce.leduc_experts import TWIN
from workbench.experiments.reproduce.table1_base import CHANCE, Drawn

__all__ = ["among", "longer", "over_base", "seeds", "solvers", "true_of_seeds", "unfinished"]

Found = Mapping[str, float]  # solver or seed -> milli-antes


def solvers(found: Found, iterations: Mapping[str, int], inside: Found) -> str:
    """What a range is over, and how close to equilibrium its strategies are."""
    groups: dict[int, list[str]] = {}
    for name in found:
        groups.setdefault(iterations[name], []).append(name)
    pieces = [
        f"{', '.join(names)} ({steps:,} iterations; at most "
        f"{max(inside[name] for name in names):.3g} to gain in any game)"
        for steps, names in groups.items()
    ]
    first = f"ours is {CHOSEN} after {iterations[CHOSEN]:,} iterations"
    return f"{first}; range over {' and '.join(pieces)}"


def seeds(found: Found, inside: Found, printed: float) -> str:
    """Chance sampling, by number of deals, and whether the printed number lies there."""
    if not found:
        return ""
    pieces = []
    for deals, names in _by_deals(found).items():
        low, high = (f(found[name] for name in names) for f in (min, max))
        span = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
        most = max(inside[name] for name in names)
        pieces.append(f"{_count(names)} with {deals} deals {span} (at most {most:.2g} to gain)")
    return f"; {CHANCE}, not in the range: {', '.join(pieces)}{among(found, printed)}"


def among(found: Found, printed: float) -> str:
    """
    >>> among({"seed 0": 134.1, "seed 1": 166.0}, 159.84)
    '; what is printed lies among these seeds'
    """
    here = found and min(found.values()) <= printed <= max(found.values())
    return "; what is printed lies among these seeds" if here else ""


def longer(row: Ours, sampled: Drawn, printed: float) -> Ours:
    """A row whose note has longer runs of chance sampling in place of those of `seeds`."""
    if not sampled.outside:
        return row
    note = row.note.split(f"; {CHANCE}, ")[0]
    words = f"not in the range: {sampled.words()}{among(sampled.parts, printed)}"
    return replace(row, note=f"{note}; {words}")


def true_of_seeds(leads: Found) -> str:
    """A claim, by seed."""
    if not leads:
        return ""
    pieces = [
        f"{sum(leads[name] > 0 for name in names)} of {_count(names)} with {deals} deals"
        for deals, names in _by_deals(leads).items()
    ]
    return f"; {CHANCE}, not in the verdict: true of {', '.join(pieces)}"


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


def unfinished(inside: Found) -> str:
    """With three players: how far from an equilibrium each solver may be."""
    each = ", ".join(f"{name} {most:.1f}" for name, most in inside.items())
    return f"; milli-antes that a player could still gain in some game, at most: {each}"


def _by_deals(found: Found) -> dict[str, list[str]]:
    """
    >>> _by_deals({"chance sampling 1M seed 0": 1.0, "chance sampling 10M seed 0": 2.0})
    {'1M': ['chance sampling 1M seed 0'], '10M': ['chance sampling 10M seed 0']}
    """
    groups: dict[str, list[str]] = {}
    for name in found:
        groups.setdefault(name.removeprefix(CHANCE).split()[0], []).append(name)
    return groups


def _count(names: list[str]) -> str:
    return f"{len(names)} seeds" if len(names) > 1 else "1 seed"
