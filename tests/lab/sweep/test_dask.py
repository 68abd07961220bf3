"""A real Dask cluster on this machine: scheduler and workers are processes of their own."""

import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

import workbench as wb
from tests.conftest import ROOT
from tests.lab.sweep.test_sweep import OWN_GAME, OWN_SWEEP, probs
from tests.test_notebooks import execute, written
from workbench.lab.sweep import sweep as scheduler
from workbench.lab.sweep import workers

distributed = pytest.importorskip("distributed")


class Cluster:
    """A scheduler, and workers that can be lost."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "tcp://127.0.0.1", "--port", "0",
                    "--no-dashboard", "--scheduler-file", str(file))  # fmt: skip
        while not (file.exists() and file.read_text().endswith("}")):
            assert self.processes[0].poll() is None, "the scheduler has ended"
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def add_worker(self):
        return self._start("worker", self.address, "--no-nanny", "--nthreads", "1",
                           "--no-dashboard", "--host", "127.0.0.1")  # fmt: skip

    def _start(self, what, *arguments):
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def close(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        for _ in range(2):
            started.add_worker()
        with distributed.Client(started.address, timeout=600) as client:
            client.wait_for_workers(2, timeout=600)
        yield started
    finally:
        started.close()


@pytest.mark.usefixtures("forked_kernels")
def test_a_game_of_ones_own_in_a_notebook_on_dask(cluster, tmp_path):
    define = OWN_SWEEP.replace("{folder!r}", repr(str(tmp_path))).rsplit("\n", 2)[0]
    compare = "from distributed import Client; assert sweep(folder + '/{0}', dask={1}) == serial"
    cells = written(
        OWN_GAME,
        define,
        "serial = sweep(folder + '/serial', workers=1)",
        compare.format("address", repr(cluster.address)),
        compare.format("client", f"Client({cluster.address!r})"),
    )
    execute(cells, ROOT)


def test_a_lost_worker_loses_nothing(cluster, tmp_path, monkeypatch):
    """24 runs on two workers; one is killed when a quarter is done, a new one is not needed."""
    monkeypatch.setattr(scheduler, "SAVE_EVERY", 0.1)
    over = {"solver": ["cfr", "cfr+", "dcfr", "pcfr+"], "abstraction": [None, "JQ-K"]}
    ranked = {"game": "leduc", "options": {"suit_isomorphism": True}, "iterations": 1_000}
    experiments = wb.grid(over=over | {"seed": [0, 1, 2]}, **ranked)
    assert len(experiments) == 24
    victim, take, ended = cluster.processes[1], scheduler.Owner._take, []

    def kill_midway(owner, task, *more):
        take(owner, task, *more)
        ended.append(task.ended)
        if sum(ended) == 6 and task.ended:
            victim.kill()
            victim.wait()

    monkeypatch.setattr(scheduler.Owner, "_take", kill_midway)
    swept = wb.sweep(experiments, store=tmp_path / "dask", dask=cluster.address)
    assert victim.poll() is not None
    serial = wb.sweep(experiments, store=tmp_path / "serial", workers=1)
    assert probs(swept) == probs(serial)
    assert len(probs(swept)) == 24
    with wb.Store(tmp_path / "dask") as store:
        assert store.runs()["status"].tolist() == ["done"] * 24


def test_a_lost_cluster_is_named_and_nothing_stored_is_lost(tmp_path, monkeypatch):
    def lost():
        raise OSError("Timed out")

    gone = SimpleNamespace(status="closed", submit=None, nthreads=lost, close=lambda: None)
    gone.get_executor = lambda pure: gone
    monkeypatch.setattr(distributed, "Client", lambda address, timeout: gone)
    many = wb.grid(over={"seed": range(2)}, game="kuhn", iterations=10)
    wb.sweep(many[:1], store=tmp_path, workers=1)
    with pytest.raises(wb.GameError, match=r"dask: the cluster is lost \(Timed out\)"):
        wb.sweep(many, store=tmp_path, dask="tcp://127.0.0.1:9")
    with wb.Store(tmp_path) as store:
        assert len(store.runs(status="done")) == 1


def test_no_cluster_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "CONNECT", 0.2)
    with pytest.raises(wb.GameError, match=r"dask: no cluster answers at tcp://127\.0"):
        wb.sweep([wb.Experiment("kuhn")], store=tmp_path, dask="tcp://127.0.0.1:9")
    with pytest.raises(wb.GameError, match="dask must be a cluster's address or its Client"):
        wb.sweep([wb.Experiment("kuhn")], store=tmp_path, dask=3)


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(wb.GameError, match=r"pip install 'dask\[distributed\]'"):
        wb.sweep([wb.Experiment("kuhn")], store=tmp_path, dask="tcp://127.0.0.1:9")
