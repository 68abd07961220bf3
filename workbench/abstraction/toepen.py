"""The abstractions that Toepen brings along, by name."""

from __future__ import annotations

from typing import Any

from workbench.abstraction.toepen_suits import ThesisSuits, lossless_suits

__all__ = ["TOEPEN_ABSTRACTIONS"]

TOEPEN_ABSTRACTIONS: dict[str, Any] = {
    "thesis-suits": ThesisSuits(),
    "lossless-suits": lossless_suits,
}
