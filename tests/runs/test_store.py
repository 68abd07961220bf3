"""The store: finds, resumes, lists and refuses; a checkpoint is kept whole or not at all."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench.files import DamagedError, locked
from workbench.progress import StatusLine
from workbench.runs import database as records
from workbench.runs import store as store_module
from workbench.runs.run import begin, work
from workbench.runs.solve import solve_stored

LEDUC = {
    "game": "leduc",
    "options": {"suit_isomorphism": True},
    "iterations": 60,
    "checkpoints": 20,
}


@pytest.fixture
def store(tmp_path):
    with wb.Store(tmp_path / "runs") as opened:
        yield opened


def problem_of(**fields):
    return wb.Experiment(**LEDUC | fields).problem()


def put_down(problem, store):
    """Work a little, save, and stop, as a process would that is then killed."""
    with store.claim(problem) as partial:
        state = problem.solved.advance(problem.solver, partial.state, 7)
        store.save(problem, replace(partial, state=state))


# ---- resume ----------------------------------------------------------------------------


@pytest.mark.parametrize("abstraction", [None, "JQ-K"])
@pytest.mark.parametrize("solver", wb.solvers.list_solvers())
def test_resumed_equals_uninterrupted(solver, abstraction, store):
    problem = problem_of(solver=solver, abstraction=abstraction, iterations=15, checkpoints=6)
    straight = work(problem, begin(problem))
    stopped, pieces = None, 0
    while stopped is None:
        with store.claim(problem) as partial:
            piece = work(problem, partial, budget=0.0)
            store.save(problem, piece)
        stopped, pieces = piece.stopped, pieces + 1
    assert pieces == (1 if problem.solver.exact else 15)
    run = solve_stored(problem, store)
    for name, value in vars(straight.state).items():  # random numbers, too
        assert np.array_equal(getattr(run.state, name), value), name
    assert [row[0] for row in straight.rows] == run.trace["iteration"].tolist()
    assert [row[2] for row in straight.rows] == run.trace["exploitability"].tolist()
    for kept in (store.strategy(run.run_id, problem.tree), store.run(run.run_id[:6]).strategy):
        assert kept.probs.tobytes() == run.strategy.probs.tobytes()


def test_where_a_call_costs_more_than_an_iteration_calls_are_few(monkeypatch):
    """A large state is copied to a GPU and back at each call: 0.15 s, and 0.02 an iteration."""
    problem, now = problem_of(iterations=500, checkpoints=500), [0.0]
    advance = type(problem.solved).advance

    def slow(tree, solver, state, iterations):
        now[0] += 0.15 + 0.02 * iterations
        return advance(tree, solver, state, iterations)

    monkeypatch.setattr(type(problem.solved), "advance", slow)
    monkeypatch.setitem(work.__globals__, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    assert 10 < work(problem, begin(problem)).seconds < 13


@pytest.mark.parametrize("target", [None, 0.01])
def test_solve_finds_a_finished_run(target, tmp_path, monkeypatch):
    rules = wb.load_game("kuhn")
    first = wb.solve(rules, iterations=1000, target=target, store=tmp_path)
    monkeypatch.setitem(solve_stored.__globals__, "work", None)  # nobody may call it
    second = wb.solve(rules, iterations=1000, target=target, store=tmp_path)
    assert first.stopped == second.stopped == ("target" if target else "iterations")
    assert second.strategy.probs.tobytes() == first.strategy.probs.tobytes()
    for name in ("run_id", "iterations", "seconds", "provenance"):
        assert getattr(second, name) == getattr(first, name)
    with pytest.raises(wb.GameError, match="start and store exclude each other"):
        wb.solve(rules, iterations=1000, store=tmp_path, start=first.state)


@pytest.mark.parametrize("at", ["put_record", "put_arrays"])
def test_a_crash_within_a_checkpoint_leaves_the_one_before(at, store, monkeypatch):
    """Whatever was written by then: record, trace and state are of the same moment."""
    problem = problem_of()
    put_down(problem, store)
    with store.claim(problem) as partial:
        done = work(problem, partial)
    before, write = store.runs(), getattr(records, at)

    def crash(*values):
        write(*values)
        raise KeyboardInterrupt

    monkeypatch.setattr(records, at, crash)
    with pytest.raises(KeyboardInterrupt):
        store.save(problem, done)
    monkeypatch.undo()
    pd.testing.assert_frame_equal(store.runs(), before)
    assert store.trace().empty
    assert store.load(problem).state.regret.tobytes() == partial.state.regret.tobytes()
    run, straight = solve_stored(problem, store), wb.solve(problem.tree, iterations=60)
    assert run.strategy.probs.tobytes() == straight.strategy.probs.tobytes()
    assert store.trace(run.run_id)["iteration"].tolist() == list(problem.stops)


# ---- damage ----------------------------------------------------------------------------

DAMAGE = {  # to the regrets of one run
    "cut": "UPDATE arrays SET content = substr(content, 1, 100) WHERE {}",
    "edited": "UPDATE arrays SET content = zeroblob(length(content)) WHERE {}",
    "another shape": "UPDATE arrays SET shape = '3' WHERE {}",
    "another's": "UPDATE arrays SET (content, checksum) = (SELECT content, checksum FROM arrays "
    "WHERE run != '{id}' AND name = 'regret') WHERE {}",
    "missing": "DELETE FROM arrays WHERE {}",
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("ended", [False, True])
def test_a_damaged_state_is_refused_by_name(damage, ended, store):
    problem, other = problem_of(seed=1), problem_of(seed=2)
    for one in (problem, other):
        solve_stored(one, store) if ended else put_down(one, store)
    where = f"run = '{problem.run_id}' AND kind = 'solver state' AND name = 'regret'"
    store._db.execute(DAMAGE[damage].format(where, id=problem.run_id))
    with pytest.raises(DamagedError) as error, store.claim(problem):
        pass
    for word in (problem.run_id, str(store.folder), "regret"):
        assert word in str(error.value)
    assert solve_stored(other, store).iterations == 60
    store.delete(problem.run_id)  # as the message says
    assert solve_stored(problem, store).iterations == 60


@pytest.mark.parametrize("field", ["regret", "probs", "strategy_sum", "rng", "iteration", "rows"])
def test_a_state_that_does_not_fit_never_reaches_a_kernel(field, store):
    """Checksums tell damage from what was written; this was written, by whatever mistake."""
    problem = problem_of()
    put_down(problem, store)
    wrong = {"iteration": 99, "rows": np.zeros(7)}.get(field, np.zeros(3))
    records.put_arrays(store._db, problem.run_id, store_module.STATE, {field: wrong})
    with pytest.raises(DamagedError, match=f"run {problem.run_id} .*does not fit what was asked"):
        store.load(problem)


def test_a_strategy_that_is_damaged_or_of_another_game_is_refused(store):
    run = solve_stored(problem_of(), store)
    with pytest.raises(wb.GameError, match=r"holds a strategy of 'leduc.*not of this 'kuhn'"):
        store.strategy(run.run_id, wb.compile_game(wb.load_game("kuhn")))
    for damage, named in (("UPDATE arrays SET content = x'00'", "is damaged"),
                          ("DELETE FROM arrays", "has lost .*probs")):  # fmt: skip
        store._db.execute(f"{damage} WHERE kind = 'strategy'")
        with pytest.raises(DamagedError, match=f"run {run.run_id} in .* {named}"):
            store.strategy(run.run_id, run.tree)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: b"this is no database, but long enough " * 100, "not a database"),
        (lambda content: content[:4096] + b"\xff" * (len(content) - 4096), "malformed"),
    ],
    ids=["no database", "malformed"],
)
def test_damaged_records(tmp_path, damage, reason):
    with wb.Store(tmp_path) as store:
        solve_stored(problem_of(), store)
    file = tmp_path / "store.sqlite"
    file.write_bytes(damage(file.read_bytes()))
    with (
        pytest.raises(wb.GameError, match=rf"{reason}; move .*store.sqlite away"),
        wb.Store(tmp_path) as store,
    ):
        store.runs()
    file.unlink()  # as the message says
    assert wb.solve(wb.load_game("kuhn"), iterations=5, store=tmp_path).iterations == 5


def test_a_closed_store_is_not_a_damaged_one(store):
    store.close()
    for use in (store.runs, lambda: solve_stored(problem_of(), store)):
        with pytest.raises(wb.GameError, match="closed database; open it again"):
            use()


def test_full_records_are_rolled_back(store):
    """SQLite itself says that the disk is full; files and records stay usable."""
    solve_stored(problem_of(seed=1), store)
    before = store.runs()
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(wb.GameError, match="disk is full; what it held before is intact"):
        wb.sweep(wb.grid(over={"seed": range(2, 60)}, **LEDUC), store=store, workers=1)
    assert not store._db.in_transaction
    pd.testing.assert_frame_equal(store.runs(seed=1), before)
    store._db.execute("PRAGMA max_page_count = 100000")
    assert solve_stored(problem_of(seed=59), store).iterations == 60
    assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


# ---- read-only, shared, waiting ----------------------------------------------------------


def test_a_store_made_by_another_while_it_is_opened(tmp_path, monkeypatch):
    """Whoever is told that a file cannot be written, because it is not there yet, must not take
    it for read-only when it is there a moment later, and look at a copy of nothing."""
    folder, access = tmp_path / "runs", os.access
    folder.mkdir()

    def slow(path, mode):
        before = access(path, mode)
        if path == folder / records.FILE:
            records.open_records(folder, read_only=False).close()
        return before

    (folder / "locks").mkdir()
    monkeypatch.setattr(store_module.os, "access", slow)
    with wb.Store(folder) as opened:
        assert not opened.read_only


@pytest.fixture
def read_only(filled, monkeypatch):
    """A store that may not be written, also where tests run as root, who may write anything."""
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with wb.Store(filled.folder) as opened:
        yield opened


def test_a_read_only_store_is_listed_and_read(filled, read_only, tmp_path):
    pd.testing.assert_frame_equal(read_only.runs(), filled.runs())
    pd.testing.assert_frame_equal(read_only.compare(), filled.compare())
    assert len(pd.read_csv(read_only.export_csv(tmp_path / "all.csv"))) == len(filled.trace())
    problem = problem_of(solver="cfr")
    kept = read_only.strategy(problem.run_id, problem.tree)
    found = wb.sweep([wb.Experiment(**LEDUC | {"solver": "cfr"})], store=read_only).runs[0]
    for run in (found, solve_stored(problem, read_only)):
        assert run.strategy.probs.tobytes() == kept.probs.tobytes()


def test_a_read_only_store_is_not_written(read_only):
    before = list(read_only._db.iterdump())
    half, ended = problem_of(seed=9), problem_of(solver="cfr")
    for write in (
        lambda: solve_stored(half, read_only),
        lambda: wb.sweep([wb.Experiment(**LEDUC, seed=9)], store=read_only, workers=1),
        lambda: read_only.save(ended, begin(ended)),
        lambda: read_only.delete(ended.run_id),
    ):
        with pytest.raises(wb.GameError, match=r"it is read-only \(.*\); what it held before is"):
            write()
    assert before == list(read_only._db.iterdump())


def test_threads_share_a_store(store):
    def use(first):
        for seed in range(first, first + 8):
            solve_stored(problem_of(seed=seed, iterations=5), store)
            assert len(store.runs(seed=seed)) == 1

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(use, (0, 4, 8)))
    assert sorted(store.runs()["seed"]) == list(range(16))


def test_who_is_waited_for_is_said(store, monkeypatch):
    problem, said, other = problem_of(), [], ExitStack()
    other.enter_context(store.claim(problem))

    def show(line, text):
        other.close()  # it ends when it is noticed
        said.append((line.after, text))

    monkeypatch.setattr(StatusLine, "show", show)
    late = threading.Timer(600, other.close)  # or else in the end
    late.start()
    assert solve_stored(problem, store).iterations == 60
    late.cancel()
    waiting = f"waiting for process {os.getpid()}, which works on {problem.run_id}"
    assert said[0] == (2.0, waiting)
    assert said[1][1].startswith("cfr+ on leduc")


# ---- schemas ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("experiment", None),  # somebody's own game
        ("experiment", '{"game": "leduc", "options": {"players": 3}}'),  # another game
        ("experiment", '{"game": "kuhn.py", "options": {}}'),  # a file would be run
        ("experiment", "[" * 10_000),
        ("provenance", '{"workbench": "0.0.9"}'),
    ],
)
def test_a_record_that_does_not_prove_itself(column, text, store):
    run = solve_stored(problem_of(), store)
    store._db.execute(f"UPDATE runs SET {column} = ?", (text,))
    refused = rf"^run {run.run_id} in .* cannot be put together from its records: [^\n]*; solve it"
    with pytest.raises(wb.GameError, match=refused):
        store.run(run.run_id)


@pytest.mark.parametrize("schema", [records.SCHEMA - 1, records.SCHEMA + 1])
def test_a_store_of_another_schema_is_refused_untouched(schema, store):
    store._db.execute("UPDATE meta SET value = ?", (schema,))
    store.close()
    file = store.folder / "store.sqlite"
    before = file.read_bytes()
    with pytest.raises(wb.GameError, match=rf"another version .* \(schema {schema}"):
        wb.Store(store.folder)
    assert file.read_bytes() == before


# ---- many runs -------------------------------------------------------------------------


@pytest.fixture
def filled(store):
    for solver in ("cfr", "cfr+"):
        for abstraction in (None, "JQ-K"):
            solve_stored(problem_of(solver=solver, abstraction=abstraction), store)
    put_down(problem_of(seed=9), store)
    return store


def test_list_and_filter(filled):
    assert len(filled.runs()) == 5
    assert len(filled.runs(solver="cfr")) == 2
    assert len(filled.runs(abstraction=None)) == 3
    assert filled.runs(status="running")["seed"].tolist() == [9]
    assert filled.runs(solver="lp").empty
    assert filled.runs(seed=np.int64(9))["done"].tolist() == [7]
    for wrong in ({"seed": "9"}, {"solver": 3}, {"sovler": "cfr"}):
        with pytest.raises(wb.GameError, match=r"seed|solver"):
            filled.runs(**wrong)


def test_compare(filled):
    for seed in (1, 2):
        solve_stored(problem_of(solver="cfr", seed=seed), filled)
    by_solver = filled.compare()
    assert by_solver.index.names == ["solver", "abstraction"]
    assert by_solver["runs"].tolist() == [1, 3, 1, 1]
    assert (by_solver["low"] <= by_solver["mean"]).all()
    assert (by_solver["mean"] <= by_solver["high"]).all()
    assert filled.compare(abstraction=None)["runs"].to_dict() == {"cfr": 3, "cfr+": 1}
    assert filled.compare(by="abstraction", solver="cfr")["runs"].tolist() == [1, 3]
    with pytest.raises(wb.GameError, match="no column 'what'"):
        filled.compare(by="what")


DIFFERENT = {
    "settings": [{"settings": {"alpha": alpha}} for alpha in (1.0, 2.0)],
    "checkpoints": [{"checkpoints": 20}, {"checkpoints": [1, 60]}],
    "iterations": [{"iterations": 40}, {"iterations": 60}],
    "target": [{"target": None}, {"target": 0.0}],
    "game": [{"options": {"suit_isomorphism": flag}} for flag in (True, False)],
    "infosets": [
        {"abstraction": lambda player, seen, actions: seen},
        {"abstraction": lambda player, seen, actions: seen[1:]},
    ],
    "kind": [
        {"abstraction": lambda player, seen, actions: (player == 0, seen[0], seen[1:])},
        {"abstraction": lambda player, seen, actions: (player == 1, seen[0], seen[1:])},
    ],
}


@pytest.mark.parametrize("column", DIFFERENT)
def test_what_differs_is_never_averaged(column, store):
    """Two seeds each of two experiments that differ in one thing."""
    for fields in DIFFERENT[column]:
        for seed in (0, 1):
            solve_stored(problem_of(solver="dcfr", seed=seed, **fields), store)
    assert store.runs()[column].nunique(dropna=False) == 2
    compared = store.compare()
    assert compared["runs"].tolist() == [2, 2]
    assert compared.index.names == ["solver", column]


def test_trace_and_export(filled, tmp_path):
    run_id = filled.runs(solver="cfr", abstraction=None)["id"][0]
    assert filled.trace(run_id[:8])["iteration"].iloc[-1] == 60
    table = pd.read_csv(filled.export_csv(tmp_path / "all.csv"))
    assert len(table) == len(filled.trace())
    assert set(table["solver"]) == {"cfr", "cfr+"}
    one = table[table["run"] == run_id]
    assert one["exploitability"].tolist() == filled.trace(run_id)["exploitability"].tolist()


def test_an_empty_store_lists_and_exports(store, tmp_path):
    exported = pd.read_csv(store.export_csv(tmp_path / "none.csv"))
    assert all(table.empty for table in (store.runs(), store.trace(), store.compare(), exported))


def test_find_and_delete(filled):
    for nothing in ("", None, 3):
        with pytest.raises(wb.GameError, match="found by the first letters of its id, not by"):
            filled.delete(nothing)
    run_id = filled.runs()["id"][0]
    filled.delete(run_id[:10])
    arrays = {row[0] for row in filled._db.execute("SELECT run FROM arrays")}
    assert run_id not in {*filled.runs()["id"], *filled.trace()["run"], *arrays}
    assert len(filled.runs()) == 4
    with pytest.raises(wb.GameError, match="0 runs"):
        filled.delete(run_id)


def test_a_run_that_is_worked_on_is_not_deleted(filled):
    problem = problem_of(seed=9)
    with (
        filled.claim(problem),
        pytest.raises(wb.GameError, match=f"run {problem.run_id} is being worked on"),
    ):
        filled.delete(problem.run_id)
    with pytest.raises(wb.GameError, match="is not finished; start it again to resume it"):
        filled.strategy(problem.run_id, problem.tree)


def test_locks_leave_no_files(tmp_path):
    wb.sweep(wb.grid(over={"seed": range(5)}, **LEDUC), store=tmp_path, workers=1, progress=False)
    assert list((tmp_path / "locks").iterdir()) == []


def test_a_lock_that_is_removed_is_nobodys(tmp_path):
    """Threads that wait for a file which its holder removes: never two at once, and all of them."""
    path, inside = tmp_path / "a.lock", []

    def enter(_):
        for _ in range(20):
            with locked(path):
                inside.append(1)
                assert len(inside) == 1
                inside.pop()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(enter, range(4)))
    assert not path.exists()
