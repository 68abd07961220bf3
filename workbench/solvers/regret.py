"""Regret matching: play in proportion to what you wish you had played.

    σ(a) = R⁺(a) / Σ R⁺,   uniform if no regret is positive       (Hart & Mas-Colell 2000)

The one implementation in the package; every solver calls it.
"""

from __future__ import annotations

from workbench.kernels import kernel
from workbench.tree import FloatArray

__all__ = ["regret_matching", "update_regrets"]


@kernel
def regret_matching(regret: FloatArray, first: int, last: int, probs: FloatArray) -> None:
    """Write the probabilities of the choices first .. last."""
    total = 0.0
    for c in range(first, last):
        total += max(regret[c], 0.0)
    if total > 0.0:
        scale = 1.0 / total
        for c in range(first, last):
            probs[c] = max(regret[c], 0.0) * scale
    else:
        for c in range(first, last):
            probs[c] = 1.0 / (last - first)


@kernel
def update_regrets(
    values: FloatArray,  # (K,) v(I, a)
    probs: FloatArray,
    first: int,
    last: int,
    positive: float,
    negative: float,
    regret: FloatArray,
    prediction: FloatArray,  # (K,) or (0,)
) -> float:
    """R ← (R + r) · discount, where r(a) = v(I, a) − Σ σ v; return Σ σ v, the infoset's value.

    The discount depends on the sign; 1 and 1 is plain CFR, 1 and 0 is the floor of CFR+.
    """
    value = 0.0
    for c in range(first, last):
        value += probs[c] * values[c]
    for c in range(first, last):
        instant = values[c] - value
        total = regret[c] + instant
        regret[c] = total * (positive if total > 0.0 else negative)
        if len(prediction):
            prediction[c] = instant
    return value
