"""A best response as a sweep of flops: stopped, killed, resumed, on processes and on Dask."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache

import numpy as np
import pytest

import workbench as wb
from tests.conftest import ROOT
from workbench.files import locked, save_arrays
from workbench.lab.cli.main import main
from workbench.lab.sweep import flops
from workbench.lab.sweep.flops import best_response_sweep
from workbench.poker.response.real_response import opponent_named
from workbench.progress import told_to

RULES = wb.load_game("limit_holdem")
COMMAND = ["best-response", "always-call", "--flops", "12", "--seed", "2", "--json"]


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """In one go, in this process."""
    store = tmp_path_factory.mktemp("straight")
    return best_response_sweep(
        opponent_named(RULES, "always-call"), flops=12, seed=2, store=store, workers=1
    )


def _run(store):
    return subprocess.Popen(
        [sys.executable, "-m", "workbench", *COMMAND, "--store", str(store)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_killed_and_resumed(tmp_path, straight):
    process = _run(tmp_path)
    try:
        while process.poll() is None and not (before := [*tmp_path.glob("*/flop-*.npz")]):
            time.sleep(0.01)
        assert process.poll() is None, process.communicate()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    times = {path: path.stat().st_mtime_ns for path in before}
    assert 0 < len(times) < 12
    again = _run(tmp_path)
    out, complaints = again.communicate(timeout=600)
    assert again.returncode == 0, complaints
    found = json.loads(out)
    assert (found["first"], found["second"]) == straight.values  # bit for bit
    assert found["standard_error"] == straight.standard_error
    assert found["flops"] == 12
    assert all(path.stat().st_mtime_ns == then for path, then in times.items())


@pytest.mark.slow
def test_the_same_on_dask(tmp_path, straight):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        sigma = opponent_named(RULES, "always-call")
        found = best_response_sweep(sigma, flops=12, seed=2, store=tmp_path, dask=client)
    assert found == straight


@pytest.fixture
def cheap(monkeypatch):
    """Flops are worked out by nobody; which ones were asked for."""

    asked = []

    def records(*job):
        asked.extend(job[-1])
        return [np.full((2, 169, 7), 1e-6 * (1 + number % 5)) for number in job[-1]]

    monkeypatch.setattr(flops, "records", records)
    return asked


@cache
def uniform():
    return opponent_named(RULES, "uniform")


def swept(store, number):
    return best_response_sweep(uniform(), flops=number, store=store, workers=1, progress=False)


def test_what_is_stored_is_not_worked_out_again(tmp_path, cheap):
    first = swept(tmp_path, 10)
    known = [*cheap]
    assert len(known) == len({*known}) <= 10
    again = swept(tmp_path, 10)
    assert again == first
    assert cheap == known
    more = swept(tmp_path, 30)
    assert more.flops == 30
    assert len(cheap) == len({*cheap}) > len(known)
    other = opponent_named(RULES, "always-raise")
    assert flops.key_of(other) != flops.key_of(uniform())


def test_the_first_flop_tells_how_long_the_rest_takes(tmp_path, cheap):
    heard = []
    with told_to(heard.append):
        best_response_sweep(uniform(), flops=4, store=tmp_path, workers=1, progress=True)
    assert heard[0].endswith("0 of 4, starting, no value yet")
    assert "1 of 4, about" in heard[1]


def test_a_gpu_that_is_full(monkeypatch):
    class Full(flops.Torch):
        def __init__(self):
            pass

    def full(*_):
        raise type("OutOfMemoryError", (RuntimeError,), {})

    monkeypatch.setattr(flops, "gpu", Full)
    monkeypatch.setattr(flops, "FlopArrays", full)
    with pytest.raises(wb.GameError, match=r"best response does not fit .* CUDA_VISIBLE_DEVICES="):
        flops._gpu_pool(None)


def test_one_owner(tmp_path, cheap):
    folder = tmp_path / f"best-response-{flops.key_of(uniform())}"
    folder.mkdir()
    with locked(folder / "lock"), pytest.raises(wb.GameError, match="another process works on"):
        swept(tmp_path, 2)
    swept(tmp_path, 2)


def _record(record, **other):
    def write(path, key, number):
        named = {"key": key, "numbers": [number], "records": record, **other}
        save_arrays(path, flops.KIND, **named)

    return write


def _old(path, key, number):
    save_arrays(path, flops.KIND, records=np.zeros((1, 2, 169, 7)))


WRONG = {
    "cut": (lambda path, *_: path.write_bytes(path.read_bytes()[:-50]), "is damaged"),
    "of before": (_old, "lacks key"),
    "nan": (_record(np.full((1, 2, 169, 7), np.nan)), "not finite"),
    "short": (_record(np.zeros(5)), "1 × 2 × 169 × 7 numbers"),
    "another strategy's": (_record(np.zeros((1, 2, 169, 7)), key="0"), "against 0"),
    "number in words": (_record(np.zeros((1, 2, 169, 7)), numbers=["one"]), "whole numbers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_records_are_worked_out_again(tmp_path, cheap, name, capsys):
    first = swept(tmp_path, 4)
    path = sorted(tmp_path.glob("*/flop-*.npz"))[0]
    cheap.clear()
    WRONG[name][0](path, flops.key_of(uniform()), int(path.stem[5:]))
    asked = ["best-response", "uniform", "--flops", "4", "--workers", "1", "--store", str(tmp_path)]
    assert main(asked) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("workbench")]
    assert len(said) == 1
    assert WRONG[name][1] in said[0]
    assert said[0].endswith("its flops are worked out again")
    assert cheap == [int(path.stem[5:])]
    again = swept(tmp_path, 4)
    assert (again, again.replaced, len(cheap)) == (first, (), 1)


def test_one_flop_has_no_error(tmp_path, cheap, output, refused):
    asked = f"best-response uniform --workers 1 --store {tmp_path}"
    said = output(f"{asked} --flops 1")
    assert "one flop tells nothing about the error" in said
    assert "nan" not in said
    assert "chosen on other flops" not in said
    assert "seed must be" in refused(f"{asked} --flops 2 --seed -1")


def test_a_worker_that_fails_is_asked_again(tmp_path, cheap, monkeypatch):
    usual, failed = flops.records, []

    def sometimes(*job):
        if len(failed) < 2:
            failed.append(job[-1])
            raise OSError("lost")
        return usual(*job)

    monkeypatch.setattr(flops, "records", sometimes)
    found = swept(tmp_path, 3)
    assert len(failed) == 2
    assert found.flops == 3
