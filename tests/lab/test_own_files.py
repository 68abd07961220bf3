"""One's own game by the name of its file: with its options, everywhere a game is named."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import workbench as wb
from tests.lab.play.test_session import forged, rewritten
from tests.lab.widgets.helpers import press, said, stitches_as_told, text
from workbench.games.registry import game_code, known_game
from workbench.games.words import unit_of
from workbench.lab.cli.main import main
from workbench.lab.play.session import Session
from workbench.shipped import shipped

Dice: Any = run_path(str(shipped("data/games/dice.py")))["Dice"]

GAMES = '''
import workbench as wb
from dataclasses import dataclass
from typing import Annotated, Literal
from workbench.settings import Between

class Odd:
    """Everybody says in or out, nobody sees the others; an odd number of ins wins."""
    unit = "points per game"
    def __init__(self, players=2, stake: float = 1, *, deck=None, **more):
        self.players, self.stake, self.deck = players, stake, deck
        self.name = f"odd{players}"
    def start(self): return ()
    def next(self, state, action): return (*state, action)
    def node(self, state):
        if len(state) < self.players:
            return wb.Decision(len(state), (), ["in", "out"])
        sign = 1 if state.count("in") % 2 else -1
        return wb.Terminal([sign * self.stake * (1 if k % 2 else -1) for k in range(self.players)])

@dataclass(frozen=True)
class Checked(Odd):
    seats: Annotated[int, Between(2, 4)] = 2
    mood: Literal["calm", "wild"] = "calm"
    name = "checked"
    players = property(lambda self: self.seats)
    stake = 1

class Further(Odd):
    def __init__(self, luck=0.5, **more):
        super().__init__(**more)

class Needs(Odd):
    def __init__(self, players): super().__init__(players)

class First(Odd):
    def __init__(self, players, /, stake=1): super().__init__(players, stake)

class Silent(Odd):
    def __init__(self, players=2, extra: int | None = 1):
        super().__init__(players, extra or 1)
        self.extra, self.name = extra, "silent"

made = Odd(3)
def build(players: int = 2): return Odd(players)
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own" / "games.py"
    path.parent.mkdir()
    path.write_text(GAMES, encoding="utf-8")
    return path


def test_options_reach_the_constructor(file, output):
    def solved(game: str, *options: str) -> dict[str, Any]:
        given = (f"--option={option}" for option in options)
        return dict(json.loads(output("solve --iterations 3 --json", f"{file}:{game}", *given)))

    assert solved("Odd", "players=3")["players"] == 3
    assert solved("Odd", "stake=0.5", "deck=[1, 2]")["options"] == {"stake": 0.5, "deck": [1, 2]}
    assert solved("Checked", "seats=4", "mood=wild")["players"] == 4
    assert solved("Further", "luck=1", "players=3")["players"] == 3
    assert solved("Needs", "players=3")["players"] == 3
    assert solved("First", "players=3", "stake=2")["players"] == 3
    assert solved("Silent", "extra=none")["options"] == {"extra": None}
    assert solved("build", "players=3")["players"] == 3
    assert solved("made")["players"] == 3


@pytest.mark.parametrize(
    ("game", "option", "word"),
    [
        ("Odd", "nonsense=3", "players, stake, deck"),
        ("Odd", "player=3", "did you mean 'players'?"),
        ("Odd", "players=2.5", "players"),
        ("Odd", "players=2 players=3", "twice"),
        ("Checked", "seats=5", "from 2 to 4"),
        ("Checked", "mood=odd", "'wild'"),
        ("Needs", "", "lacks"),
        ("made", "players=3", "no options"),
        ("Ode", "", "games.py: there is no game 'Ode'; did you mean 'Odd'?"),
        ("", "", "say which"),
        ("TEXT", "nonsense=3", "no options"),
    ],
)
def test_what_does_not_fit_is_refused(file, refused, game, option, word):
    named = f"{file}:{game}"
    if game == "TEXT":
        named = str(file.with_name("mine.txt"))
        Path(named).write_text("game mine\nplayer 1 sees x\n  a: pays 1 -1\n  b: pays 0 0\n")
        assert wb.load_game(named).name == "mine"
    given = [f"--option={one}" for one in option.split()]
    for command in ("solve", "play"):
        assert word in refused(command, named, *given)


def test_a_file_is_read_again_after_a_change_and_may_import_its_neighbour(file):
    before = wb.load_game(f"{file}:Odd")
    assert type(wb.load_game(f"{file}:Odd")) is type(before)
    file.with_name("neighbour_of_games.py").write_text("UNIT = 'franc'\n")
    file.write_text(f"from neighbour_of_games import UNIT\n{GAMES}\nOdd.unit = UNIT\n")
    assert unit_of(wb.load_game(f"{file}:Odd")) == "francs per game"
    assert not list(file.parent.glob("__pycache__/games*"))  # nothing of hers is written


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("import sys\nsys.exit()", "ends Python when it is read"),
        ("x = 1", "has no game: a class with start, next, node"),
        ("\0", "is no Python"),
    ],
)
def test_files_that_hold_no_game(file, refused, content, told):
    file.write_text(content, encoding="utf-8")
    assert told in refused(f"solve {file}")


def test_a_mistake_in_ones_own_file_is_shown_from_there_on(tmp_path, capsys):
    file = tmp_path / "mine.py"
    for start, last in (("return 1 / 0", "ZeroDivisionError: division by zero"), ("(", "closed")):
        file.write_text(
            f"class G:\n    name, players = 'x', 2\n    next = node = None\n"
            f"    def start(self):\n        {start}\n"
        )
        assert main(["play", f"{file}:G"]) == 2
        said = capsys.readouterr().err
        assert last in said
        assert said.count("File ") == 1


def test_what_a_file_prints_is_no_result(file, capsys):
    file.write_text(f"print('hello')\n{GAMES}", encoding="utf-8")
    assert main(["solve", f"{file}:Odd", "--iterations", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["players"] == 2
    assert err == "hello\n"


SWEEP = """
game = "games.py:Odd"
iterations = 20
options = {players = 3}
[grid]
solver = ["dcfr", "cfr+"]
"""


def test_a_sweep_file_names_it(file, tmp_path, output, refused):
    """Beside the TOML file, wherever one stands; also in processes of their own."""
    many, store = file.with_name("many.toml"), tmp_path / "runs"
    many.write_text(SWEEP, encoding="utf-8")
    swept = output(f"sweep {many} --store {store} --workers 2")
    assert "2 runs, all with game odd3" in swept
    assert "points per game" in swept
    for table in (swept, output(f"runs --store {store}")):
        lines = table.splitlines()
        assert [name for line in lines[-2:] for name in line.split() if "cfr" in name] == [
            "cfr+", "dcfr",
        ]  # fmt: skip
    many.write_text(SWEEP.replace("players = 3", "nonsense = 3"), encoding="utf-8")
    assert "no option 'nonsense'" in refused(f"sweep {many} --store {store}")


def test_files_of_others_never_run_code(file, tmp_path):
    """A saved session, a store, a game as text: only names of games that are known."""
    file.write_text(f"raise SystemError\n{GAMES}", encoding="utf-8")
    name = f"{file}:Odd"
    with pytest.raises(wb.GameError, match="there is no game"):
        known_game(name)
    written = Session("kuhn", opponent="uniform", review=False, seed=1).save(tmp_path / "a.jsonl")
    with pytest.raises(wb.GameError, match="there is no game"):
        Session.load(rewritten(written, forged(lambda head: head.update(game=name))))
    run = wb.solve(wb.load_game("kuhn"), iterations=3, store=tmp_path / "runs")
    with sqlite3.connect(tmp_path / "runs" / "store.sqlite") as db:
        (kept,) = db.execute("SELECT experiment FROM runs").fetchone()
        db.execute("UPDATE runs SET experiment = ?", (kept.replace("kuhn", name),))
    with wb.Store(tmp_path / "runs") as store, pytest.raises(wb.GameError, match="put together"):
        store.run(run.run_id)
    mine = tmp_path / "mine.txt"
    mine.write_text(f'game "{name}"\nplayer 1 sees x\n  a: pays 1 -1\n  b: pays 0 0\n')
    assert game_code(wb.load_game(mine)) == "game"


# ---- as code, in panels, in words -----------------------------------------------------


class Match(Dice):  # type: ignore[misc]
    def __init__(self, dice: int) -> None:
        super().__init__(sides=dice)


def test_as_code(file):
    assert game_code(Dice(sides=4)) == "Dice(sides=4)"
    assert game_code(wb.load_game(f"{file}:Odd", players=3)) == (
        f'wb.load_game("{file}:Odd", players=3)'
    )
    assert game_code(Match(3)) == "game"  # nobody knows any more what it was made of
    changed = wb.load_game(f"{file}:Odd")
    changed.unit = "coin"  # type: ignore[attr-defined]
    assert game_code(changed) == "game"


PANELS = ("SolverPanel", "AbstractionExplorer", "StitchingExplorer", "GameBrowser", "CFRStepper")


def test_every_panel_takes_its_options(panels, ready, file):
    for name in (*PANELS, "PlayTable"):
        panel = ready(getattr(wb.widgets, name), f"{file}:Silent", options={"players": 3})
        assert said(panel) == ""
        with pytest.raises(wb.GameError, match="yours has them already"):
            getattr(wb.widgets, name)(wb.load_game(f"{file}:Odd"), options={"players": 3})
    explorer = panels(wb.widgets.StitchingExplorer, "kuhn", options={"cards": 4})
    assert explorer.recipe.tree.name == "kuhn(cards=4)"
    assert 'wb.load_game("kuhn", cards=4)' in explorer.code_box.value


def test_a_form_shows_its_options(panels, file, tmp_path):
    """By its file, or as an object; what has no control is kept."""
    assert main(["new", str(tmp_path / "dice.py")]) == 0
    for game in (str(tmp_path / "dice.py"), wb.load_game(str(tmp_path / "dice.py"))):
        panel = panels(wb.widgets.SolverPanel, game, iterations=3)
        assert panel.game.controls["wild"].tooltip == "ones count as every face"
        panel.game.controls["sides"].value = 2
        press(panel, "start")
        panel.game.controls["sides"].value = 1
        panel.start_button.click()
        assert "sides must be a whole number from 2 to 6, not 1" in said(panel)
        (run,) = panel.runs
        assert run.tree.name == "dice(sides=2)"
        assert 'dice.py:Dice", sides=2)' in panel.code
    panel = panels(wb.widgets.SolverPanel, f"{file}:Silent", options={"extra": None}, iterations=3)
    assert list(panel.game.controls) == ["players"]
    assert panel.game.value.extra is None
    panel.game.name.value = "kuhn"
    panel.game.name.value = "silent (your own)"
    panel.game.controls["players"].value = 3
    assert (panel.game.value.players, panel.game.value.extra) == (3, None)
    assert panel.new_trial().game == "silent(players=3, extra=None)"


@pytest.mark.parametrize(("players", "stitching"), [(2, "each"), (3, "dynamic")])
def test_experts_of_games_without_bets_and_cards(panels, file, players, stitching):
    rules = wb.load_game(f"{file}:Odd", players=players)
    explorer = panels(wb.widgets.StitchingExplorer, rules, stitching=stitching, iterations=20)
    assert explorer.way.value in ("player", "card")
    press(explorer, "solve")
    assert said(explorer) == ""
    assert stitches_as_told(explorer)
    assert f"{'all' if players == 3 else 'both'} seats" in text(explorer.table.value)


# ---- a new game -----------------------------------------------------------------------


def test_a_new_game_is_one(tmp_path, ready, output, refused):
    file = str(tmp_path / "my dice.py")
    assert f"workbench play '{file}'" in output("new", file)
    tested = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file]
    done = subprocess.run(tested, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "3 passed" in done.stdout, done.stdout + done.stderr
    out = output("solve --option sides=4 --iterations 10", file)
    assert out.startswith("my dice(sides=4): 2 players")
    assert out.splitlines()[-1].startswith("after 10 iterations: loses ")
    out = output("play --hands 1 --seat 1 --seed 1", file, typed="?\n1\nliar\nliar\n")
    assert "You bid 1x1" in out
    assert "Both roll a die in secret." in out
    assert said(ready(wb.widgets.GameBrowser, file)) == ""
    assert "exists already" in refused("new", file)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dice", "is no name"), ("no/dice.py", "no folder"), ("numpy.py", "such as my_numpy.py"),
        ("__init__.py", "such as my_init.py"), ('d"""e.py', "is no name"),
    ],
)  # fmt: skip
def test_names_of_new_games(tmp_path, refused, name, told):
    assert told in refused("new", str(tmp_path / name))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["words", "2 x", "class", "testing"])
def test_classes_of_new_games(tmp_path, name):
    file = tmp_path / f"{name}.py"
    assert main(["new", str(file)]) == 0
    assert wb.load_game(str(file)).name == name
