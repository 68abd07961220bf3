"""Hostile and careless input: one clear line, whatever somebody tries; nothing is overwritten.

The cases are of the kinds that attempts to break the workbench have found. A row is what somebody
tries; the answer is a GameError of one line, or, where that is said, something that works.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sqlite3
import string
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

import workbench as wb
from workbench import compiling
from workbench.files import checksum, save_arrays, write_file
from workbench.fixed_game import Fixed
from workbench.games.matrix import Matrix
from workbench.games.text_game import load_text, save_text
from workbench.lab.cli.main import main
from workbench.lab.html import SWITCH
from workbench.lab.reports.page import Page
from workbench.poker.public_strategy import PublicStrategy
from workbench.rules import Chance, Decision, GameError, Terminal
from workbench.solvers.base import average, current
from workbench.stitching.partition import GraftingPartition

KUHN = wb.load_game("kuhn")
TREE = wb.compile_game(KUHN)
HUGE = 10**400
BIG = Matrix("big", [[1e308, -1e308], [-1e308, 5]])
LONG = 10**5000  # too long to be printed
UNIFORM = wb.Strategy.uniform(TREE)
NAME: Any = np.array("x")  # it says that it can be gone through, and cannot
FEW: Any = np.ones(3)  # it is neither true nor false
SAMPLED: Any = wb.sample_rules(KUHN, iterations=3)
PUBLIC: Any = PublicStrategy.uniform(wb.load_game("rhode_island", ranks=3))


class Own:
    """A game made of one node, and what follows it."""

    players = 2

    def __init__(self, node: Any, name: Any = "own") -> None:
        self.first, self.name = node, name

    def start(self) -> str:
        return ""

    def next(self, state: str, action: object) -> str:
        return f"{state}{action}"

    def node(self, state: str) -> Any:
        return Terminal((1, -1)) if state else self.first


def tree(node: Any, name: Any = "own") -> Any:
    return wb.compile_game(Own(node, name))


def solve(**changes: Any) -> Any:
    return wb.solve(KUHN, **{"iterations": 3, **changes})


def pays(*payoffs: Any) -> Any:
    return tree(Terminal(payoffs if len(payoffs) > 1 else payoffs[0]))


RAW: dict[str, Callable[[], Any]] = {
    "seed 2**63": lambda: solve(seed=2**63),
    "seed too long to print": lambda: solve(seed=LONG),
    "seed of an experiment": lambda: wb.Experiment("kuhn", seed=2**64),
    "target of 400 digits": lambda: solve(target=HUGE),
    "target of 5,000 digits": lambda: solve(target=LONG),
    "iterations of 5,000 digits": lambda: solve(iterations=LONG),
    "settings of 400 digits": lambda: wb.solvers.DCFR(alpha=HUGE),
    "start is a run": lambda: solve(start=solve()),
    "start is a text": lambda: solve(start="x"),
    "average of a run": lambda: average(TREE, solve()),
    "current of a run": lambda: current(TREE, solve()),
    "store with a null": lambda: solve(store="a\0b"),
    "store without a name": lambda: solve(store=""),
    "store of half a letter": lambda: solve(store="\ud800"),
    "progress is a text": lambda: solve(progress="yes"),
    "progress takes too little": lambda: solve(progress=lambda done: None),
    "checkpoints are names": lambda: solve(checkpoints={}),
    "checkpoints without end": lambda: solve(checkpoints=itertools.count(1)),
    "abstraction is a class": lambda: solve(abstraction=int),
    "abstraction takes too little": lambda: solve(abstraction=lambda seen: seen),
    "options without names": lambda: wb.Experiment("kuhn", options={5: 5}),
    "settings without names": lambda: wb.Experiment("kuhn", settings={5: 5}),
    "a grid of 1e9 points": lambda: wb.grid(
        game="kuhn", over={name: range(1, 1001) for name in ("seed", "iterations", "target")}
    ),
    "a grid without end": lambda: wb.grid(game="kuhn", over={"seed": itertools.count()}),
    "payoff of 400 digits": lambda: pays(HUGE, 0),
    "payoffs in two dimensions": lambda: pays(np.ones((2, 2))),
    "payoffs of a long list": lambda: pays(list(range(5000))),
    "probability of 400 digits": lambda: tree(Chance({"a": HUGE, "b": 0.5})),
    "actions from a generator": lambda: tree(Decision(0, "", (a for a in "ab"))),  # type: ignore[arg-type]
    "no name": lambda: tree(Terminal((1, -1)), None),
    "name of half a letter": lambda: tree(Terminal((1, -1)), "\ud800"),
    "name that commands a terminal": lambda: tree(Terminal((1, -1)), "\x1b[2J"),
    "strategy of a name": lambda: wb.Strategy("kuhn", np.ones(3)),  # type: ignore[arg-type]
    "strategy of words": lambda: wb.Strategy(TREE, ["a"] * 24),  # type: ignore[arg-type]
    "strategy of nothing": lambda: wb.Strategy(TREE, None),  # type: ignore[arg-type]
    "from_function without one": lambda: wb.Strategy.from_function(TREE, 5),  # type: ignore[arg-type]
    "from_function of too little": lambda: wb.Strategy.from_function(TREE, lambda seen: seen),  # type: ignore[arg-type, misc]
    "save under no name": lambda: wb.Strategy.uniform(TREE).save(None),  # type: ignore[arg-type]
    "save under a null": lambda: wb.Strategy.uniform(TREE).save("a\0b"),
    "save into nowhere": lambda: wb.Strategy.uniform(TREE).save("no/such/folder/x"),
    "save over a folder": lambda: wb.Strategy.uniform(TREE).save("."),
    "save with a long name": lambda: wb.Strategy.uniform(TREE).save("x" * 300),
    "load no name": lambda: wb.Strategy.load(5, TREE),  # type: ignore[arg-type]
    "load a device": lambda: wb.Strategy.load("/dev/zero", TREE),
    "a device as a game": lambda: load_text("/dev/zero"),
    "a folder as a game": lambda: load_text(Path()),
    "half a letter as a game": lambda: load_text('game "\\ud800"\npays 1'),
    "a text that commands": lambda: load_text('game x\nplayer 1\n  "\\u001b": pays 1'),
    "save under a folder's name": lambda: wb.Strategy.uniform(TREE).save("a/"),
    "a class in no folder": lambda: wb.classroom(5),  # type: ignore[arg-type]
    "a hand-in into no file": lambda: wb.exercises.hand_in(5),  # type: ignore[arg-type]
    "a session with a number": lambda: wb.play.Session("kuhn", abstraction=7),  # type: ignore[arg-type]
    "a session with a long seed": lambda: wb.play.Session("kuhn", seed=10**30),
    "a report of nothing": lambda: wb.write_report(None),  # type: ignore[arg-type]
    "a game for Gambit that is not compiled": lambda: wb.to_efg(KUHN),
    "a curve of nothing": lambda: wb.plots.plot_convergence(5),  # type: ignore[arg-type]
    "a table into no file": lambda: wb.Strategy.uniform(TREE).to_csv(5),  # type: ignore[arg-type]
    "hand-ins in no folder": lambda: wb.exercises.read_hand_ins(5),  # type: ignore[arg-type]
    "hand-ins in no folders": lambda: wb.exercises.read_hand_ins([5]),  # type: ignore[list-item]
    "a name as one's own solvers": lambda: wb.widgets.SolverPanel("kuhn", solvers="cfr"),  # type: ignore[arg-type]
    "payoffs that overflow": lambda: wb.solve(BIG, iterations=100),
    "a game with nothing fixed": lambda: Fixed(UNIFORM, TREE, None),  # type: ignore[arg-type]
    "a game fixed elsewhere": lambda: Fixed(UNIFORM, TREE, np.full(24, 24)),
    "one name for all experts": lambda: GraftingPartition(TREE, NAME, np.zeros(12, int)),
    "pure strategies, partly reduced": lambda: wb.theory.count_pure_strategies(TREE, reduced=FEW),
    "a bound without rho": lambda: wb.judge.sampled_regret_bound(TREE, 5, rho=None),  # type: ignore[arg-type]
    "regrets of a name": lambda: wb.judge.measured_regrets(NAME),
    "training without seeds": lambda: wb.judge.trained_exploitability(UNIFORM, seeds=None),  # type: ignore[arg-type]
    "training with one seed": lambda: wb.judge.trained_exploitability(UNIFORM, seeds=5),  # type: ignore[arg-type]
    "hand-ins in a name": lambda: wb.exercises.read_hand_ins(NAME),
    "hand-ins in bytes": lambda: wb.exercises.read_hand_ins(b"x"),  # type: ignore[arg-type]
    "a class in an array": lambda: wb.classroom(FEW),
    "a class for an array": lambda: wb.classroom(name=FEW),
    "a hand-in of an array": lambda: wb.exercises.hand_in(".", name=FEW),
    "no experts on Hold'em": lambda: wb.widgets.HoldemBuilder(experts=None),  # type: ignore[arg-type]
    "an array of experts": lambda: wb.widgets.HoldemBuilder(experts=FEW),
    "an array of deals": lambda: wb.widgets.HoldemBuilder(deals=FEW),
    "experts by a class": lambda: wb.card_experts(TREE, card=int),
    "outcomes by a class": lambda: wb.gameshrink([(("a",), ("b",))], outcome=int),
    "more probabilities than memory": lambda: wb.Strategy(TREE, range(10**12)),  # type: ignore[arg-type]
    "actions nowhere": lambda: TREE.actions_at(12),
    "actions before the first": lambda: TREE.actions_at(-1),
    "actions at a word": lambda: TREE.actions_at("J"),  # type: ignore[arg-type]
    "a label of nothing": lambda: TREE.infoset_label(None),  # type: ignore[arg-type]
    "sampled for nobody": lambda: SAMPLED.knows(None, "J", "pb"),
    "sampled without actions": lambda: SAMPLED.knows(0, "J", None),
    "sampled with lists": lambda: SAMPLED.probabilities(0, "J", [["p"], ["b"]]),
    "sampled with one array": lambda: SAMPLED.probabilities(0, "J", NAME),
    "a board of bytes": lambda: wb.poker.resolve(PUBLIC, b"Ah", "cc/"),  # type: ignore[arg-type]
    "a betting of bytes": lambda: wb.poker.resolve(PUBLIC, "Ah", b"cc/"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("what", RAW)
def test_a_slip_gets_one_clear_line(what: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError) as caught:
        RAW[what]()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert str(caught.value).isprintable()
    assert not list(tmp_path.iterdir())


TOML = {
    "nested lists": "game=" + "[" * 100_000 + "]" * 100_000,
    "nested tables": "game=" + "{a=" * 3000 + "1" + "}" * 3000,
    "a long number": "game='kuhn'\nseed=1" + "0" * 5000,
    "a target of 400 digits": "game='kuhn'\ntarget=1" + "0" * 400,
    "a seed of 2**63": f"game='kuhn'\n[grid]\nseed=[1, {2**63}]",
    "a grid of 1e9": "game='kuhn'\n[grid]\n"
    + "\n".join(f"{name}={list(range(1, 1001))}" for name in ("seed", "iterations", "target")),
    "many experiments": "game='kuhn'\n[grid]\nseed="
    + str(list(range(1000)))
    + "\n[[experiment]]\niterations=5" * 101,
    "not UTF-8": "game='kuhn' # \udcff",
}


@pytest.mark.parametrize("what", TOML)
def test_a_hostile_toml_file(what: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(TOML[what].encode(errors="surrogateescape"))
    assert main(["sweep", str(file), "--store", str(tmp_path / "runs")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert not (tmp_path / "runs").exists()


COMMANDS = """
solve kuhn --iterations 3 --save .
solve kuhn --iterations 3 --save pipe
solve kuhn --iterations 3 --save no/such/x
solve kuhn --iterations 3 --save new/
play kuhn --save new/
play kuhn --save pipe
solve kuhn --iterations 3 --seed 9223372036854775808
solve /dev/zero
sweep /dev/zero
sweep pipe
report pipe
report runs
report page.ipynb -o pipe
report page.ipynb -o .
report page.ipynb -o new/
runs --store runs --csv pipe
runs --store runs --csv .
runs --store runs --csv new/
runs --store file:x?mode=memory
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    """A folder with a store, a notebook, and a pipe, which as a device must never be replaced."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    wb.solve(KUHN, iterations=3, store="runs")
    (tmp_path / "page.ipynb").write_text(notebook())
    return tmp_path


@pytest.mark.parametrize("line", COMMANDS.strip().splitlines())
def test_a_hostile_command(line: str, folder: Path, capsys: Any) -> None:
    before = sorted(folder.iterdir())
    assert main(line.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert sorted(folder.iterdir()) == before
    assert (folder / "pipe").is_fifo()


def test_notes_do_not_command_the_terminal(tmp_path: Path, capsys: Any) -> None:
    picture = cell("markdown", source='<img src="far\x1b[2J.png">')
    (tmp_path / "x.ipynb").write_text(notebook(picture))
    assert main(["report", str(tmp_path / "x.ipynb"), "-o", str(tmp_path / "x.html")]) == 0
    assert "far[2J.png" in (said := capsys.readouterr().err)
    assert "\x1b" not in said


def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    for content in (b"one", b"two"):
        assert write_file(tmp_path / "link", content) == tmp_path / "link"
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "file").read_bytes() == content


def test_a_store_is_a_folder_whatever_its_name(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    wb.solve(KUHN, iterations=3, store="file:x?mode=memory&a=")
    assert (tmp_path / "file:x?mode=memory&a=" / "store.sqlite").is_file()


def test_no_run_is_deleted_outside_the_store(tmp_path: Path) -> None:
    wb.solve(KUHN, iterations=3, store=tmp_path / "runs")
    (tmp_path / "victim.npz").touch()
    with sqlite3.connect(tmp_path / "runs" / "store.sqlite") as db:
        db.execute("UPDATE runs SET id = '../../victim'")
    with wb.Store(tmp_path / "runs") as store, pytest.raises(GameError, match="victim"):
        store.delete("../../v")
    assert (tmp_path / "victim.npz").exists()


def test_a_strategy_file_knows_its_run(tmp_path: Path) -> None:
    run = wb.solve(KUHN, iterations=30, store=tmp_path / "runs")
    loaded = wb.Strategy.load(run.strategy.save(tmp_path / "x"), TREE)
    assert loaded.run_id == run.run_id
    assert run.run_id in repr(loaded)
    with wb.Store(tmp_path / "runs") as store:
        assert store.strategy(run.run_id[:6], TREE).run_id == run.run_id
    old = {name: value for name, value in run.strategy.saved().items() if name != "run"}
    assert wb.Strategy.load(save_arrays(tmp_path / "old", "strategy", **old), TREE).run_id == ""


@pytest.mark.parametrize(
    "change",
    [
        {"probs": np.full(24, np.nan)}, {"probs": np.full(24, "0.5")}, {"probs": np.ones(24) / 2j},
        {"probs": np.zeros(24, "M8[s]")}, {"probs": np.ones((2, 12)) / 2}, {"probs": None},
        {"game": None}, {"fingerprint": None}, {"kind": 5}, {"format": "x"},
        {"run": "\x1b[2J"}, {"run": "a\nb"}, {"run": "x" * 2000}, {"run": ["a", "b"]}, {"run": 5},
        {"game": "\x1b[2J"}, {"fingerprint": ["x"]}, {"run": "\ud800"},
    ],
    ids=str,
)  # fmt: skip
def test_a_hostile_strategy_file(change: dict[str, Any], tmp_path: Path) -> None:
    whole = {**wb.Strategy.uniform(TREE).saved(), "format": 1, "kind": "strategy", **change}
    arrays = {name: np.asarray(value) for name, value in whole.items() if value is not None}
    with suppress(ValueError):  # dates have no checksum
        arrays["checksum"] = np.array(checksum(arrays))
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(GameError):
        wb.Strategy.load(tmp_path / "x.npz", TREE)


def test_a_file_that_unpacks_to_more_than_it_is(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", probs=np.zeros(10**6))
    with pytest.raises(GameError, match="unpacks to more"):
        wb.Strategy.load(tmp_path / "x.npz", TREE)


EVIL = "<img src=x onerror=alert(1)>"


class Evil:
    """A game whose every word is markup."""

    name, players, unit, moves = EVIL, 2, EVIL, {"a": EVIL, "b": f"{EVIL}b"}

    def start(self) -> str:
        return ""

    def next(self, state: str, action: object) -> str:
        return f"{state}{action}"

    def node(self, state: str) -> Any:
        if len(state) == 2:
            return Terminal((1, -1) if state == "ab" else (-1, 1))
        return Decision(len(state), (EVIL, len(state)), ["a", "b"])

    def cards(self, seen: object) -> list[str]:
        return [EVIL]


@pytest.mark.parametrize(
    "panel",
    [wb.widgets.PlayTable, wb.widgets.GameBrowser, wb.widgets.CFRStepper],
)
def test_no_word_of_a_game_is_markup(panel: Any) -> None:
    shown = panel(Evil())
    try:
        if panel is wb.widgets.PlayTable:
            for _ in range(2):
                assert shown.wait(600)
                shown._moves.shown[0].click()
                assert shown.wait(600)
                shown.deal_button.click()
        assert shown.wait(600)
        assert "<img src=x" not in shown.static()
        assert "&lt;img src=x" in shown.static()
    finally:
        shown.close()


def test_zero_sum_where_the_game_ends_and_nowhere_else() -> None:
    """A large bet beside it does not make the prisoner's dilemma a zero-sum game."""
    mine, yours = [[3, 0, 0], [5, 1, 0], [0, 0, 1e12]], [[3, 5, 0], [0, 1, 0], [0, 0, -1e12]]
    dilemma = wb.compile_game(Matrix("dilemma", mine, column_payoffs=yours))
    assert not dilemma.zero_sum
    with pytest.raises(GameError, match="not zero-sum"):
        wb.solve(dilemma, "lp")
    for scale in (1e-100, 0.1, 1e100):
        assert wb.compile_game(Matrix("thirds", [[scale / 3, -scale], [0.7 * scale, 0]])).zero_sum


def test_memory_is_judged_before_it_is_gone(monkeypatch: Any) -> None:
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


def test_a_long_text_game_takes_no_longer_per_line(tmp_path: Path) -> None:
    lines = [f"  o{k}: pays {k} {-k}" for k in range(20_000)]
    game = load_text("\n".join(["game long", "chance", *lines]))
    assert wb.compile_game(game).num_histories == 20_001
    save_text(game, tmp_path / "long.txt")
    assert load_text(tmp_path / "long.txt").root.node == game.root.node


# ---- notebooks -------------------------------------------------------------------------


def notebook(*cells: Any, **changes: Any) -> str:
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
    return json.dumps(whole | changes)


def cell(kind: str = "code", **changes: Any) -> dict[str, Any]:
    more: dict[str, Any] = {"outputs": [], "execution_count": 1} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": "1", "id": "a", **more, **changes}


def output(data: Any, **changes: Any) -> dict[str, Any]:
    return cell(outputs=[{"output_type": "display_data", "metadata": {}, "data": data, **changes}])


def without(whole: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key != name}


def switch(**changes: Any) -> dict[str, Any]:
    option = changes.pop("option", {})
    option = {"at": [0], **({} if "kind" in option else {"html": "<b>x</b>"}), **option}
    stored = {"labels": ["a"], "values": [["x"]], "chosen": [0], "options": [option]}
    return output({SWITCH: stored | changes, "text/plain": "PLAIN"})


ATTACHED = "![](attachment:x)"
MALFORMED = {
    "no source": notebook(without(cell(), "source")),
    "no outputs": notebook(without(cell(), "outputs")),
    "no kind": notebook(without(cell(), "cell_type")),
    "no data": notebook(cell(outputs=[{"output_type": "display_data"}])),
    "no kind of output": notebook(cell(outputs=[{"data": {"text/plain": "x"}}])),
    "no text": notebook(cell(outputs=[{"output_type": "stream"}])),
    "no traceback": notebook(cell(outputs=[{"output_type": "error"}])),
    "outputs are a number": notebook(cell(outputs=5)),
    "an output is a text": notebook(cell(outputs=["x"])),
    "source is a number": notebook(cell(source=5)),
    "source in pieces": notebook(cell("markdown", source=["# a", 5, None])),
    "data is a list": notebook(output([1])),
    "html is a number": notebook(output({"text/html": 5})),
    "picture is a list": notebook(output({"image/png": ["a", "b"]})),
    "picture is no base64": notebook(output({"image/png": "§§§"})),
    "picture is short": notebook(output({"image/png": "aGk="})),
    "metadata is a text": notebook(output({"image/png": "aGk="}, metadata="x")),
    "metadata of a picture is a text": notebook(
        output({"image/png": "aGk="}, metadata={"image/png": "x"})
    ),
    "attachments are a list": notebook(cell("markdown", attachments=[1], source=ATTACHED)),
    "an attachment is a text": notebook(cell("markdown", attachments={"x": "y"}, source=ATTACHED)),
    "half a letter": notebook(cell("markdown", source="# \ud800"), cell(source="'\udfff'")),
    "private letters": notebook(cell("markdown", source="# \ue000 \uf8ff $x$ `y`")),
    "a null": notebook(cell("markdown", source="# a\0b")),
    "a switch that is a text": notebook(output({SWITCH: "x"})),
    "a switch without values": notebook(switch(values=[])),
    "a switch chosen elsewhere": notebook(switch(chosen=[7])),
    "a switch of numbers": notebook(switch(option={"html": 5})),
    "a switch with an odd size": notebook(
        switch(option={"at": [0], "kind": "image/png", "data": "aGk=", "alt": "", "size": "x"})
    ),
    "cells are missing": '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "cells are a number": notebook(cells=5),
    "a cell is a number": notebook(5),
    "metadata is missing": '{"nbformat": 4, "nbformat_minor": 5, "cells": []}',
    "a newer format": notebook(nbformat=9),
    "a list": "[]",
    "nothing": "",
    "nested": "[" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_notebook(what: str, tmp_path: Path) -> None:
    """A page that shows the rest, or one clear line."""
    (tmp_path / "x.ipynb").write_text(MALFORMED[what])
    try:
        page = wb.write_report(tmp_path / "x.ipynb", tmp_path / "x.html").path.read_text("utf-8")
    except GameError as error:
        assert "x.ipynb is not a notebook" in str(error)  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert page.count("</html>") == 1
        assert "PLAIN" in page or "switch" not in what or "text" in what


HARMFUL = ("<script>alert", "<meta http-equiv=refresh", "<form", "onerror=", "javascript:", "<base")
HARMFUL += ("<iframe", "<template", "<link rel=", "onload=", "ping=", "srcset", "url(http")
HARMFUL += ("@import", "<set", 'src="http')


@pytest.mark.parametrize(
    "html",
    [
        "<svg><style><meta http-equiv=refresh content='0;url=http://localhost'></style></svg>",
        "<script>alert(1)</script>",
        "<form action=http://localhost><input name=pw></form>",
        "<img src=x onerror=alert(1)>",
        "<a href='java&#10;script:alert(1)'>x</a>",
        "<svg><p><title><b title='</title><script>alert(1)</script>'>",
        "<math><mtext><mglyph><style><!--</style><img title='--><img src=x onerror=alert(1)>'>",
        "<noscript><p title='</noscript><script>alert(1)</script>'>",
        "\"><meta http-equiv=refresh content='0;url=http://localhost'>",
        "<base href=http://localhost>",
        "<svg onload=alert(1)><desc><meta http-equiv=refresh content=0></desc></svg>",
        "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml>",
        "<svg><a><set attributeName=href to='javascript:alert(1)'/></a></svg>",
        "<template shadowrootmode=open><script>alert(1)</script></template>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<a href='#' ping=http://localhost onerror=1>x</a>",
        "<style>p{color:'\f} p{background:url(http://localhost)} '}</style>",
        "<p style=\"color:'\r;background:url(http://localhost);'\">x</p>",
        "<style>/**/@import/**/'http://localhost';</style>",
        "<svg><rect fill='url(http://localhost#a)'/><use xlink:href='http://localhost#a'/></svg>",
        "<img src=http://localhost srcset='http://localhost 1x'>",
        "<link rel=prefetch href=http://localhost>",
    ],
)
@pytest.mark.parametrize("kind", ["text/html", "text/markdown", "text/latex", "image/png", SWITCH])
def test_nothing_harmful_reaches_a_page(html: str, kind: str, tmp_path: Path) -> None:
    made = switch(option={"html": html}) if kind == SWITCH else output({kind: html})
    (tmp_path / "x.ipynb").write_text(notebook(made, cell("markdown", source=html)))
    page = wb.write_report(tmp_path / "x.ipynb", tmp_path / "x.html").path.read_text("utf-8")
    page = page.replace('<link rel="icon" href="data:,">', "").replace("&lt;", "")
    assert not [harm for harm in HARMFUL if harm in page]
    assert "form-action 'none'" in page


@pytest.mark.parametrize(
    "source",
    [
        "# a\n\n" * 5000,
        "<div>" * 50_000,
        "`" * 80_000,
        "[" * 20_000,
        "> " * 5000,
        "*a " * 20_000,
        "".join(f"<b id=b{k}>" for k in range(2000)) + "<p>x" * 2000,
    ],
    ids=["headings", "nested", "backticks", "brackets", "quotes", "stars", "repeated"],
)
def test_a_page_that_is_hard_to_read(source: str, tmp_path: Path) -> None:
    (tmp_path / "x.ipynb").write_text(notebook(cell("markdown", source=source)))
    assert wb.write_report(tmp_path / "x.ipynb", tmp_path / "x.html").size


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("clean", "<" + "a" * 20_000), ("clean", "<a " * 33_000), ("clean", "<!--" * 25_000),
        ("clean", "<div><table></div></table>" * 10_000),
        ("clean", "<style " * 15_000 + "</style>"),
        ("clean", f'<p style="{"a:b;" * 50_000}">x</p>'), ("markdown", "**a" * 15_000),
        ("markdown", "$" * 50_001), ("markdown", "a\n: b\n" * 5_000), ("code", "(" * 50_000),
    ],
)  # fmt: skip
def test_signs_without_an_end_take_no_time(kind: str, text: str) -> None:
    assert isinstance(getattr(Page(), kind)(text), str)  # some took minutes


def drawing(levels: int) -> str:
    """Ten copies of ten copies of … a path."""
    copies = [
        f'<g id="b{k}">{f"""<use href="#b{k - 1}"/>""" * 10}</g>' for k in range(1, levels + 1)
    ]
    return f'<svg xmlns="x"><g id="b0"><path d="M0 0"/></g>{"".join(copies)}</svg>'


@pytest.mark.parametrize("levels", [1, 2, 7, 40])
def test_copies_of_copies_are_not_drawn(levels: int) -> None:
    """Seven levels of ten would be ten million. In the page, in a picture, in an output."""
    svg, fine = drawing(levels), levels < 3
    page = Page()
    assert page.clean(svg).count("<use") == (10 * levels if fine else 0)
    picture = f'<img alt="far too much" src="data:image/svg+xml,{quote(svg)}">'
    assert ("<img" in page.clean(picture)) == fine
    assert ("<img" in page.image("image/svg+xml", svg, "far too much")) == fine
    assert "far too much" in page.clean(picture)


@pytest.mark.parametrize(
    "inside",
    [
        '<g id="a"><use href="#a"/></g>', "<g>" * 5_000 + "</g>" * 5_000, "<g>",
        f'<g id="a">{"<path/>" * 5_000}</g>{"""<use href="#a"/>""" * 5_000}',
        '<filter id="f"/>', '<image href="data:image/svg+xml,x"/>',
        "<style>.a {fill: url(#b)}</style>",
    ],
)  # fmt: skip
def test_a_picture_does_not_keep_a_browser_busy(inside: str) -> None:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg'>{inside}</svg>"
    assert "<img" not in Page().image("image/svg+xml", svg, "a drawing")


def test_half_a_letter_in_a_switch(tmp_path: Path) -> None:
    options = [{"at": [0], "html": "q\ud800"}]
    stored = {"labels": ["\ud800"], "values": [["\udfff"]], "chosen": [0], "options": options}
    (tmp_path / "x.ipynb").write_text(notebook(output({SWITCH: stored})))
    assert wb.write_report(tmp_path / "x.ipynb", tmp_path / "x.html").size


# ---- at random -------------------------------------------------------------------------


def anything(rng: random.Random, depth: int = 0) -> Any:
    """A value that nobody expects."""
    few: list[Callable[[], Any]] = [
        lambda: rng.choice([None, True, False, 0, -1, 2**63, HUGE, LONG, 0.5, 1e308, -0.0]),
        lambda: rng.choice([float("nan"), float("inf"), 1j, b"x", "", "\0", "\ud800", "\x1b[2J"]),
        lambda: "".join(rng.choices(string.printable, k=rng.randrange(40))),
        lambda: rng.choice([int, print, len, object(), range(3), np.ones(3), np.float64(2), KUHN]),
        lambda: [anything(rng, depth + 1) for _ in range(rng.randrange(4))],
        lambda: {str(anything(rng, 9))[:9]: anything(rng, depth + 1) for _ in range(2)},
    ]
    return rng.choice(few[:3] if depth > 2 else few)()


TRIED: dict[str, Callable[[Any], Any]] = {
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
    "start": lambda value: solve(start=value),
    "rule": lambda value: wb.abstract(TREE, value),
    "label": lambda value: wb.abstract(TREE, lambda player, seen, actions: value),
    "load": lambda value: wb.Strategy.load(value, TREE),
    "best_response": lambda value: wb.best_response(value, 0),
    "player": lambda value: wb.best_response(wb.Strategy.uniform(TREE), value),
    "expected_values": wb.expected_values,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TRIED)
def test_whatever_is_tried_at_random(what: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(what)
    for _ in range(400):
        value = anything(rng)
        with suppress(GameError):
            TRIED[what](value)


@pytest.mark.slow
def test_notebooks_damaged_at_random(tmp_path: Path) -> None:
    rng, file = random.Random(0), tmp_path / "x.ipynb"
    whole = json.loads(
        notebook(cell("markdown", source="# a $x$"), switch(), output({"text/html": "<b>x"}))
    )

    def damage(value: Any) -> Any:
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
