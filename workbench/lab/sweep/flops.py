"""An exact best response: 1,755 flops, overnight on the cores of a machine or on a Dask cluster, in
minutes on a GPU, which is taken if there is one.

    workbench best-response strategy.npz --workers 2         or --dask tcp://scheduler:8786

Each flop is a piece of work of its own, half a minute to a minute long, whose record is a small
file that is written in one move. On a GPU (an H200: a hundredth to a tenth of a second) some flops
are worked out together and share a file, which has the name of the first:

    runs/best-response-<key>/flop-0123.npz

Stopping (Ctrl-C, kill -9, a closed laptop) loses the flops that were being worked out; the same
command goes on with the others and ends with the same numbers, wherever it runs (on a GPU to seven
digits). The key is a hash of the strategy and of the version. It stands in each file, with the
numbers of the flops: what is damaged or of another strategy is worked out again, and
`RealResponse.replaced` names it.
"""

import hashlib
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from workbench._version import __version__
from workbench.arrays import Torch, gpu, need_room
from workbench.disk_cache import say_once
from workbench.files import BusyError, fitting, load_arrays, locked, need_path, save_arrays
from workbench.lab.sweep.workers import Pool, need_version, open_pool
from workbench.poker.response.flop_arrays import FlopArrays
from workbench.poker.response.flop_response import FixedOpponent
from workbench.poker.response.real_response import (
    RealResponse,
    drawn_flops,
    flop_cards,
    flop_record,
    summed,
)
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.settings import need_whole
from workbench.strategy import Strategy, need_numbers
from workbench.tree import FloatArray

KIND, RECORD = "best response on flops", (2, 169, 7)
AGAIN = "its flops are worked out again"
RETRIES = 2  # of a flop
TOGETHER, EACH = 32, 2e9  # flops at a time on a GPU if there is room, in bytes, for each of them
SAID = 2.0  # seconds between two estimates on the way
_room = partial(need_room, "the best response", "hide the GPU: CUDA_VISIBLE_DEVICES=")
_opponents: dict[str, FixedOpponent] = {}  # the last one that this worker met


def best_response_sweep(
    strategy: Any, *, flops: int | None = None, seed: int = 0, store: str | Path = "runs",
    workers: int = 2, dask: Any = None, progress: bool | None = True,
) -> RealResponse:  # fmt: skip
    """The best response to a strategy with buckets: exact, or an estimate from so many flops.

    What the store knows already is not worked out again."""
    need_whole("workers", workers)
    drawn = drawn_flops(flops, seed)
    opponent = FixedOpponent(strategy)
    key = key_of(strategy)
    folder = need_path(store, "a store") / f"best-response-{key}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "lock", wait=False):
            job = (key, __version__, strategy.saved(), strategy.tree.rules)
            found, wrong = _collect(opponent, drawn, folder, job, workers, dask, progress)
    except BusyError:
        raise GameError(f"another process works on {folder}; wait for it, or stop it") from None
    except OSError as error:
        raise GameError(f"{folder} cannot be written ({error.strerror})") from None
    return replace(summed(opponent, drawn, found), replaced=wrong)


def key_of(strategy: Any) -> str:
    """A hash of everything that decides the records; the responder may fold, call and raise."""
    digest = hashlib.sha256(f"{__version__} fcr {strategy.played.fingerprint}".encode())
    digest.update(np.ascontiguousarray(strategy.probs).tobytes())
    return digest.hexdigest()[:16]


def _collect(
    opponent: FixedOpponent, drawn: Any, folder: Path, job: Any, workers: int, dask: Any,
    progress: bool | None,
) -> tuple[dict[int, FloatArray], tuple[str, ...]]:  # fmt: skip
    """The records of all flops that were drawn, those at hand and the others from workers; and
    what was wrong with some that were at hand."""
    numbers, key = list(dict.fromkeys(drawn.tolist())), job[0]
    kept, wrong = dict[int, FloatArray](), list[str]()
    for path in sorted(folder.glob("flop-*.npz")):
        try:
            kept |= _read(path, key)
        except GameError as error:
            wrong.append(str(error))
            path.unlink()
    found = {number: kept[number] for number in numbers if number in kept}
    waiting = deque(number for number in numbers if number not in found)
    out, failed = dict[Future[Any], list[int]](), Counter[int]()
    written, said, later = list[Future[Path]](), "no value yet", 0.0

    def say(_: Any) -> str:
        nonlocal said, later
        if time.monotonic() > later:  # an estimate may take longer than a flop
            later = time.monotonic() + SAID
            known = next((k for k, n in enumerate(drawn.tolist()) if n not in found), len(drawn))
            if len({*drawn[:known].tolist()}) > 1:
                now = summed(opponent, drawn[:known], found)
                said = f"{now.exploitability:.0f} ± {now.standard_error:.0f} mbb"
        return said

    with (
        ProgressBar("flops", len(numbers), shown=progress, note=say) as bar,
        ThreadPoolExecutor(4) as files,  # which a disk may keep waiting longer than a GPU
    ):
        bar.show(len(found), 0)
        if not waiting:
            return found, ()
        here = None if dask is not None else _gpu_pool(opponent)
        with here or open_pool(min(workers, len(waiting)), dask) as pool:
            bar.begin(len(found))
            try:
                while waiting or out:
                    while waiting and len(out) < pool.capacity():
                        some = [waiting.popleft() for _ in range(min(pool.many, len(waiting)))]
                        out[pool.submit(records, *job, some)] = some
                    for future in wait(out, timeout=0.5, return_when=FIRST_COMPLETED).done:
                        some = out.pop(future)
                        try:
                            made = future.result()
                        except (Exception, SystemExit) as error:
                            failed.update(some)
                            if isinstance(error, GameError) or failed[some[0]] > RETRIES:
                                raise GameError(f"flop {some[0]}: {error}; start again") from None
                            waiting.extend(some)
                            continue
                        found |= zip(some, made, strict=True)
                        named = {"key": key, "numbers": some, "records": made}
                        path = folder / f"flop-{some[0]:04}.npz"
                        written.append(files.submit(save_arrays, path, KIND, **named))
                        bar.show(len(found), 0)
            finally:
                for future in out:
                    future.cancel()
        for file in written:
            file.result()  # it may say that there is no room
    return found, tuple(wrong)


def _gpu_pool(opponent: FixedOpponent) -> Any:
    """The GPU as a pool of one: a thread reads what it found while another hands it the next flops.
    None, and a word about it, where there is none."""
    if not isinstance(machine := gpu(), Torch):
        if not opponent.worth:  # else it takes minutes
            say_once(f"{machine}: flops are worked out on the processor, more slowly")
        return None
    with _room():
        return _on_gpu(FlopArrays(opponent, machine))


@contextmanager
def _on_gpu(arrays: FlopArrays) -> Iterator[Pool]:
    def work(numbers: list[int]) -> FloatArray:
        found = np.empty((len(numbers), *RECORD))
        with _room():
            arrays.on.read(arrays.records([flop_cards(number) for number in numbers]), found)
        return found

    with ThreadPoolExecutor(2) as threads:
        arrays.compiling.append(threads.submit(arrays.compile_kernels))
        work([0])  # kernels and tables come once, not in each thread
        many = min(TOGETHER, 1 + int(arrays.on.room / EACH))
        yield Pool(lambda _, *job: threads.submit(work, job[-1]), lambda: 3, many)


def _read(path: Path, key: str) -> dict[int, FloatArray]:
    """The records of a file by their flops, if they are this strategy's."""
    saved = load_arrays(path, KIND, fix=AGAIN)
    with fitting(str(path), AGAIN):
        if (given := str(saved["key"])) != key:
            raise GameError(f"records against {given}")
        numbers = need_numbers("numbers", saved["numbers"], None, "flops", np.int64)
        shape = len(numbers), *RECORD
        found = need_numbers("numbers", saved["records"], shape, "records")
        if not np.isfinite(found).all():
            raise GameError("some of its numbers are not finite")
    return dict(zip(numbers.tolist(), found, strict=True))


def records(key: str, version: str, saved: Any, rules: Any, numbers: list[int]) -> list[FloatArray]:
    """What a worker does: some flops, with the strategy that travels along."""
    need_version(version)
    opponent = _opponents.get(key)
    if opponent is None:
        opponent = FixedOpponent(Strategy.restored(saved, rules, "what was sent"))
        _opponents.clear()
        _opponents[key] = opponent
    return [flop_record(opponent, number) for number in numbers]
