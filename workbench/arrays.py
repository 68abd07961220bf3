"""Where arrays live: in numpy, or on a GPU with torch. One code for both.

Passes that are written as array operations (`solvers/array_cfr.py`, and `card_arrays.py` of poker)
take what they need from a `Machine`: a place for arrays, and a way to repeat an iteration. On a GPU
an iteration is captured once as a graph: hundreds of small operations then start without Python.
Without torch, or without a GPU, the same lines run in numpy: that is how they are tested; compiled
kernels are faster there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.disk_cache import say_once
from workbench.rules import GameError

Array = Any  # of numpy or of torch
PINNED = 1 << 24  # bytes: what is larger takes longer to pin than to wait for
alone = Lock()  # of a run: it has arrays that the next one takes over, and a graph is caught alone


class Machine:
    """numpy, on the processor."""

    gpu = False
    room = 0.0  # bytes that are free; 0 where nobody counts them
    xp: Any = np  # functions that numpy and torch both know under one name

    def put(self, values: Any) -> Array:
        """A copy of an array that lives here."""
        return np.array(values)

    def read(self, array: Array, into: NDArray[Any]) -> None:
        """Copy an array that lives here into one of numpy."""
        into[...] = array

    def zeros(self, shape: tuple[int, ...], kind: str = "float64") -> Array:
        return np.zeros(shape, kind)

    def cast(self, array: Array, kind: str) -> Array:
        return array.astype(kind)

    def sort(self, array: Array) -> Array:
        """Each row from small to large."""
        return np.sort(array)

    def sparse(self, matrix: Any) -> Any:
        """What multiplies arrays as this scipy matrix does."""
        return matrix.tocsr()

    def repeated(self, step: Callable[[], None], changed: list[Array]) -> Callable[[], None]:
        """What does a step again. `changed`: the arrays that a step changes."""
        return step


class Torch(Machine):
    """torch, on a GPU if there is one."""

    def __init__(self, torch: Any, device: str) -> None:
        self.torch, self.xp, self.device, self.gpu = torch, torch, device, device != "cpu"
        self.room = float(torch.cuda.mem_get_info()[0]) if self.gpu else 0.0
        warnings.filterwarnings("ignore", "The given NumPy array is not w|Sparse", UserWarning)

    def put(self, values: Any) -> Array:
        found = self.torch.from_numpy(np.array(values, order="C", copy=not self.gpu or None))
        if self.gpu and found.nbytes < PINNED:
            found = found.pin_memory()  # so that nobody waits for the copy
        return found.to(self.device, non_blocking=True)

    def read(self, array: Array, into: NDArray[Any]) -> None:
        self.torch.from_numpy(into).copy_(array)

    def zeros(self, shape: tuple[int, ...], kind: str = "float64") -> Array:
        return self.torch.zeros(shape, dtype=getattr(self.torch, kind), device=self.device)

    def cast(self, array: Array, kind: str) -> Array:
        return array.to(getattr(self.torch, kind))

    def sort(self, array: Array) -> Array:
        return array.sort().values

    def sparse(self, matrix: Any) -> Any:
        csr = matrix.tocsr()
        parts = (self.put(one.astype(np.int64)) for one in (csr.indptr, csr.indices))
        return self.torch.sparse_csr_tensor(*parts, self.put(csr.data), csr.shape)

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


@contextmanager
def need_room(what: str, instead: str = "engine='auto'") -> Iterator[None]:
    """A GPU that is full says so in one sentence."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "OutOfMemoryError":  # of torch, which may not be there
            raise
        said = f"{what} does not fit into the memory of the GPU; take fewer buckets, or {instead}"
        raise GameError(said) from None


@cache
def gpu() -> Torch | str:
    """The GPU of this computer, or why there is none."""
    try:
        import torch

        return Torch(torch, "cuda") if torch.cuda.is_available() else "torch finds no GPU here"
    except Exception as error:  # not there, or not whole
        return f"torch cannot be used ({error}; pip install torch)"


@cache
def machine() -> Machine:
    """The GPU of this computer; where there is none, numpy, and a word about it."""
    if isinstance(found := gpu(), Torch):
        return found
    say_once(f"{found}: engine='gpu' runs on the processor, more slowly than engine='auto'")
    return Machine()
