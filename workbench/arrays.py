"""Where arrays live: in numpy, or on a GPU with torch. One code for both.

Passes that are written as array operations (`solvers/array_cfr.py`, and `card_arrays.py` of poker)
take what they need from a `Machine`: a place for arrays, and a way to repeat an iteration. On a GPU
an iteration is captured once as a graph: hundreds of small operations then start without Python.
Without torch, or without a GPU, the same lines run in numpy: that is how they are tested; compiled
kernels are faster there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.disk_cache import say_once

Array = Any  # of numpy or of torch


class Machine:
    """numpy, on the processor."""

    gpu = False

    def put(self, values: Any) -> Array:
        """A copy of an array that lives here."""
        return np.array(values)

    def read(self, array: Array, into: NDArray[Any]) -> None:
        """Copy an array that lives here into one of numpy."""
        into[...] = array

    def sparse(self, matrix: Any) -> Any:
        """What multiplies arrays as this scipy matrix does."""
        return matrix.tocsr()

    def where(self, condition: Array, one: Any, other: Any) -> Array:
        return np.where(condition, one, other)

    def repeated(self, step: Callable[[], None], changed: list[Array]) -> Callable[[], None]:
        """What does a step again. `changed`: the arrays that a step changes."""
        return step


class Torch(Machine):
    """torch, on a GPU if there is one."""

    def __init__(self, torch: Any, device: str) -> None:
        self.torch, self.device, self.gpu = torch, device, device != "cpu"

    def put(self, values: Any) -> Array:
        return self.torch.tensor(np.array(values), device=self.device)

    def read(self, array: Array, into: NDArray[Any]) -> None:
        self.torch.from_numpy(into).copy_(array)

    def sparse(self, matrix: Any) -> Any:
        csr = matrix.tocsr()
        warnings.filterwarnings("ignore", "Sparse", UserWarning)  # "beta", says torch
        parts = (self.put(one.astype(np.int64)) for one in (csr.indptr, csr.indices))
        return self.torch.sparse_csr_tensor(*parts, self.put(csr.data), csr.shape)

    def where(self, condition: Array, one: Any, other: Any) -> Array:
        return self.torch.where(condition, one, other)

    def repeated(self, step: Callable[[], None], changed: list[Array]) -> Callable[[], None]:
        if not self.gpu:
            return step
        cuda, kept = self.torch.cuda, [one.clone() for one in changed]
        aside = cuda.Stream()
        aside.wait_stream(cuda.current_stream())
        with cuda.stream(aside):  # libraries want to be started before they are captured
            step()
            step()
        cuda.current_stream().wait_stream(aside)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            step()
        for one, before in zip(changed, kept, strict=True):
            one.copy_(before)
        return graph.replay  # type: ignore[no-any-return]


@cache
def machine() -> Machine:
    """The GPU of this computer; where there is none, numpy, and a word about it."""
    why = "torch finds no GPU here"
    try:
        import torch

        if torch.cuda.is_available():
            return Torch(torch, "cuda")
    except ImportError:
        why = "torch is not installed (pip install 'workbench[gpu]')"
    say_once(f"{why}: engine='gpu' runs on the processor, more slowly than engine='auto'")
    return Machine()
