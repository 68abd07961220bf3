"""Hostile and careless input: one clear line, whatever somebody tries; nothing is overwritten.

The cases are of the kinds that attempts to break the workbench have found. A row is what somebody
tries; the answer is a GameError of one line, or, where that is said, something that works.
"""

import json
import random
import sqlite3
import string
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests.test_compiling import told
from workbench import compiling
from workbench.files import checksum
from workbench.lab.cli.main import main
from workbench.lab.reports.page import Page
from workbench.rules import Chance, Decision, GameError, Terminal

KUHN = wb.load_game("kuhn")
TREE = wb.compile_game(KUHN)
HUGE = 10**400
LONG = 10**5000  # too long to be printed


def tree(node, name="told"):
    """A game made of one node, and its end."""
    return wb.compile_game(replace(told(node), name=name))


def test_notes_do_not_command_the_terminal(tmp_path, capsys):
    picture = cell("markdown", source='<img src="far\x1b[2J.png">')
    (tmp_path / "x.ipynb").write_text(notebook(picture))
    assert main(["report", str(tmp_path / "x.ipynb"), "-o", str(tmp_path / "x.html")]) == 0
    assert "far[2J.png" in (said := capsys.readouterr().err)
    assert "\x1b" not in said


def test_a_store_is_a_folder_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wb.solve(KUHN, iterations=3, store="file:x?mode=memory&a=")
    assert (tmp_path / "file:x?mode=memory&a=" / "store.sqlite").is_file()


def test_no_run_is_deleted_outside_the_store(tmp_path):
    wb.solve(KUHN, iterations=3, store=tmp_path / "runs")
    (tmp_path / "victim.npz").touch()
    with sqlite3.connect(tmp_path / "runs" / "store.sqlite") as db:
        db.execute("UPDATE runs SET id = '../../victim'")
    with wb.Store(tmp_path / "runs") as store, pytest.raises(GameError, match="victim"):
        store.delete("../../v")
    assert (tmp_path / "victim.npz").exists()


def test_a_strategy_file_knows_its_run(tmp_path):
    run = wb.solve(KUHN, iterations=30, store=tmp_path / "runs")
    loaded = wb.Strategy.load(run.strategy.save(tmp_path / "x"), TREE)
    assert loaded.run_id == run.run_id
    assert run.run_id in repr(loaded)
    with wb.Store(tmp_path / "runs") as store:
        assert store.strategy(run.run_id[:6], TREE).run_id == run.run_id


@pytest.mark.parametrize(
    "change",
    [
        {"probs": np.full(24, "0.5")}, {"kind": 5}, {"format": "x"},
        {"run": "\x1b[2J"}, {"run": "a\nb"}, {"run": "x" * 2000}, {"run": ["a", "b"]}, {"run": 5},
        {"game": "\x1b[2J"}, {"fingerprint": ["x"]}, {"run": "\ud800"},
    ],
    ids=str,
)  # fmt: skip
def test_a_hostile_strategy_file(change, tmp_path):
    whole = {**wb.Strategy.uniform(TREE).saved(), "format": 1, "kind": "strategy", **change}
    arrays = {name: np.asarray(value) for name, value in whole.items()}
    np.savez(tmp_path / "x.npz", **arrays, checksum=np.array(checksum(arrays)))
    with pytest.raises(GameError):
        wb.Strategy.load(tmp_path / "x.npz", TREE)


def test_a_file_that_unpacks_to_more_than_it_is(tmp_path):
    np.savez_compressed(tmp_path / "x.npz", probs=np.zeros(10**6))
    with pytest.raises(GameError, match="unpacks to more"):
        wb.Strategy.load(tmp_path / "x.npz", TREE)


def test_zero_sum_where_the_game_ends_and_nowhere_else():
    """A large bet beside it does not make the prisoner's dilemma a zero-sum game."""
    mine, yours = [[3, 0, 0], [5, 1, 0], [0, 0, 1e12]], [[3, 5, 0], [0, 1, 0], [0, 0, -1e12]]
    paid = np.dstack([mine, yours]).reshape(-1, 2)
    dilemma = replace(wb.compile_game(Matrix("dilemma", mine)), utility=paid)
    assert not dilemma.zero_sum
    with pytest.raises(GameError, match="not zero-sum"):
        wb.solve(dilemma, "lp")
    for scale in (1e-100, 0.1, 1e100):
        assert wb.compile_game(Matrix("thirds", [[scale / 3, -scale], [0.7 * scale, 0]])).zero_sum


def test_memory_is_judged_before_it_is_gone(monkeypatch):
    monkeypatch.setattr(compiling, "LARGE", 2**12)
    monkeypatch.setattr(compiling, "_free_memory", lambda: 1e6)
    about = r"'leduc' has about [0-9,]+ histories.* GB while they are compiled"
    with pytest.warns(RuntimeWarning, match=about) as caught:
        leduc = wb.compile_game(wb.load_game("leduc"), cache=False)
    (once,) = caught  # though it looks ahead again and again
    said = int(str(once.message).split("about ")[1].split()[0].replace(",", ""))
    assert said == pytest.approx(leduc.num_histories, rel=0.5)
    monkeypatch.setattr(compiling, "_free_memory", lambda: 1e9)
    wb.compile_game(wb.load_game("leduc"), cache=False)  # no warning, which would be an error


# ---- notebooks -------------------------------------------------------------------------


def notebook(*cells, **changes):
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
    return json.dumps(whole | changes)


def cell(kind="code", **changes):
    more = {"outputs": [], "execution_count": 1} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": "1", "id": "a", **more, **changes}


def output(data, **changes):
    return cell(outputs=[{"output_type": "display_data", "metadata": {}, "data": data, **changes}])


def without(whole, name):
    return {key: value for key, value in whole.items() if key != name}


ATTACHED = "![](attachment:x)"
MALFORMED = {
    "no source": notebook(without(cell(), "source")),
    "no kind": notebook(without(cell(), "cell_type")),
    "no data": notebook(cell(outputs=[{"output_type": "display_data"}])),
    "source in pieces": notebook(cell("markdown", source=["# a", 5, None])),
    "data is a list": notebook(output([1])),
    "picture is no base64": notebook(output({"image/png": "§§§"})),
    "attachments are a list": notebook(cell("markdown", attachments=[1], source=ATTACHED)),
    "half a letter": notebook(cell("markdown", source="# \ud800"), cell(source="'\udfff'")),
    "deep": notebook(cell("markdown", source="<div>" * 50_000 + "> " * 5000)),
    "cells are missing": '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "a newer format": notebook(nbformat=9),
    "nested": "[" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_notebook(what, tmp_path):
    """A page that shows the rest, or one clear line."""
    (tmp_path / "x.ipynb").write_text(MALFORMED[what])
    try:
        page = wb.write_report(tmp_path / "x.ipynb", tmp_path / "x.html").path.read_text("utf-8")
    except GameError as error:
        assert "x.ipynb is not a notebook" in str(error)  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert page.count("</html>") == 1


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("clean", "<" + "a" * 20_000), ("clean", "<a " * 33_000), ("clean", "<!--" * 25_000),
        ("clean", "<div><table></div></table>" * 1_000),
        ("clean", "<style " * 15_000 + "</style>"),
        ("clean", f'<p style="{"a:b;" * 50_000}">x</p>'), ("markdown", "**a" * 15_000),
        ("markdown", "$" * 50_001), ("markdown", "a\n: b\n" * 5_000), ("code", "(" * 50_000),
    ],
)  # fmt: skip
def test_signs_without_an_end_take_no_time(kind, text):
    assert isinstance(getattr(Page(), kind)(text), str)  # some took minutes


# ---- at random -------------------------------------------------------------------------


def anything(rng, depth=0):
    """A value that nobody expects."""
    few = [
        lambda: rng.choice([None, True, False, 0, -1, 2**63, HUGE, LONG, 0.5, 1e308, -0.0]),
        lambda: rng.choice([float("nan"), float("inf"), 1j, b"x", "", "\0", "\ud800", "\x1b[2J"]),
        lambda: "".join(rng.choices(string.printable, k=rng.randrange(40))),
        lambda: rng.choice([int, print, len, object(), range(3), np.ones(3), np.float64(2), KUHN]),
        lambda: [anything(rng, depth + 1) for _ in range(rng.randrange(4))],
        lambda: {few[2]()[:9]: anything(rng, depth + 1) for _ in range(2)},
    ]
    return rng.choice(few[:3] if depth > 2 else few)()


TRIED = {
    **{
        name: lambda value, name=name: wb.Experiment(**{"game": "kuhn", name: value})
        for name in ("options", "solver", "settings", "iterations", "seed", "target", "abstraction")
    },
    "checkpoints": lambda value: wb.Experiment("kuhn", checkpoints=value),
    "over": lambda value: wb.grid(game="kuhn", over={"seed": value}),
    "alpha": lambda value: wb.solvers.DCFR(alpha=value),
    "cards": lambda value: wb.load_game("kuhn", cards=value),
    "payoffs": lambda value: tree(Terminal(value)),
    "probabilities": lambda value: tree(Chance(value)),
    "actions": lambda value: tree(Decision(0, "", value)),
    "seen": lambda value: tree(Decision(0, value, "ab")),
    "node": tree,
    "name": lambda value: tree(Terminal((1, -1)), value),
    "probs": lambda value: wb.Strategy(TREE, value),
    "function": lambda value: wb.Strategy.from_function(TREE, value),
    "answer": lambda value: wb.Strategy.from_function(TREE, lambda player, seen, actions: value),
    "start": lambda value: wb.solve(KUHN, iterations=3, start=value),
    "rule": lambda value: wb.abstract(TREE, value),
    "label": lambda value: wb.abstract(TREE, lambda player, seen, actions: value),
    "load": lambda value: wb.Strategy.load(value, TREE),
    "best_response": lambda value: wb.best_response(value, 0),
    "weights": lambda value: wb.Strategy.uniform(TREE).weighted(value),
    "player": lambda value: wb.best_response(wb.Strategy.uniform(TREE), value),
    "expected_values": wb.expected_values,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TRIED)
def test_whatever_is_tried_at_random(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(what)
    for _ in range(400):
        value = anything(rng)
        with suppress(GameError):
            TRIED[what](value)


@pytest.mark.slow
def test_notebooks_damaged_at_random(tmp_path):
    rng, file = random.Random(0), tmp_path / "x.ipynb"
    whole = json.loads(notebook(cell("markdown", source="# a $x$"), output({"text/html": "<b>x"})))

    def damage(value):
        if rng.random() < 0.06:
            return anything(rng, 9)
        if isinstance(value, dict):
            return {k: damage(v) for k, v in value.items() if rng.random() > 0.03}
        return [damage(one) for one in value] if isinstance(value, list) else value

    for _ in range(300):
        with suppress(ValueError, TypeError):  # not everything goes into JSON
            file.write_text(json.dumps(damage(whole)))
        with suppress(GameError), warnings.catch_warnings():
            wb.write_report(file, tmp_path / "x.html")
