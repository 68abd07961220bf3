"""Experiments: complete descriptions, from Python and from TOML, refused by the field's name."""

import pickle

import numpy as np
import pytest

import workbench as wb
from workbench.solvers.cfr import DCFR

GOOD = """
game = "leduc"
iterations = 50
options = {players = 2, suit_isomorphism = true}
checkpoints = [10, 20]

[grid]
seed = [0, 1]
abstraction = ["null", "JQ-K"]

[[experiment]]
solver = "dcfr"
settings = {alpha = 2.0}

[[experiment]]
solver = "cfr"
target = 0.5
"""


def test_toml_describes_many_experiments(tmp_path):
    file = tmp_path / "many.toml"
    file.write_text(GOOD, encoding="utf-8")
    many = wb.Experiment.from_toml(file)
    assert len(many) == 8
    assert many[0].find_solver() == DCFR(alpha=2.0)
    assert [(one.seed, one.abstraction) for one in many[:4]] == [
        (0, "null"), (0, "JQ-K"), (1, "null"), (1, "JQ-K"),
    ]  # fmt: skip
    assert [one.target for one in many] == [None] * 4 + [0.5] * 4
    assert many[0].problem().stops == (10, 20, 50)
    assert many[0].problem().tree.num_infosets == 288
    assert len({one.problem().run_id for one in many}) == 8
    file.write_text('game = "kuhn"', encoding="utf-8")
    (one,) = wb.Experiment.from_toml(file)
    assert (one.game, one.solver, one.iterations) == ("kuhn", "cfr+", 1000)


BAD_FILES = {
    "iterations = 3": "game",
    'game = "kunh"': "did you mean 'kuhn'",
    'game = "kuhn"\niteration = 3': "did you mean 'iterations'",
    'game = "kuhn"\n[grid]\nsolver = "cfr"': "list",
    'game = "kuhn"\nseed = 1\n[grid]\nseed = [3]': "twice",
    'game = "kuhn"\ngrid = 3': "grid",
    'game = "kuhn"\n[over]\nseed = [3]': "over",
    'game = "kuhn"\n[experiment]\nseed = 3': "[[experiment]]",
    'game = "kuhn': "TOML",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_bad_toml_names_file_and_field(text, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(wb.GameError) as error:
        wb.Experiment.from_toml(file)
    assert str(error.value).startswith(str(file))
    assert BAD_FILES[text] in str(error.value)


def test_grid_takes_any_field():
    many = wb.grid(
        over={"game": ["kuhn", "leduc"], "settings": [{"alpha": 1.0}, {"alpha": 2.0}]},
        solver="dcfr",
    )
    assert [(one.game, one.settings["alpha"]) for one in many] == [
        ("kuhn", 1.0), ("kuhn", 2.0), ("leduc", 1.0), ("leduc", 2.0),
    ]  # fmt: skip
    assert wb.grid(over={}, game="kuhn")[0].game == wb.grid(game="kuhn")[0].game == "kuhn"


def test_an_experiment_stays_as_it_was_checked():
    options = {"players": 2}
    one = wb.Experiment("leduc", options, solver="dcfr", settings={"alpha": 2.0})
    options["players"] = 99
    for change in (
        lambda: one.options.update(players=99),
        lambda: one.options.__setitem__("players", 99),
        lambda: one.settings.pop("alpha"),
    ):
        with pytest.raises(wb.GameError, match="of an experiment stay as they are"):
            change()
    assert one.options == {"players": 2}
    again = pickle.loads(pickle.dumps(one))  # as it travels to a worker
    assert repr(again) == repr(one)
    assert again.problem().run_id == one.problem().run_id


BASE = {"game": "leduc", "solver": "dcfr", "iterations": 100}
OTHER = {
    "game": {"game": "kuhn"},
    "options": {"options": {"suit_isomorphism": True}},
    "solver": {"solver": "cfr"},
    "settings": {"settings": {"gamma": 3.0}},
    "iterations": {"iterations": 101},
    "seed": {"seed": 1},
    "target": {"target": 0.001},
    "abstraction": {"abstraction": "JQ-K"},
    "checkpoints": {"checkpoints": 10},
}


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_another_setting_is_another_run(change):
    base = wb.Experiment(**BASE).problem().run_id
    assert wb.Experiment(**BASE).problem().run_id == base
    assert wb.Experiment(**BASE | change).problem().run_id != base


def test_another_version_is_another_run(monkeypatch):
    base = wb.Experiment(**BASE).problem().run_id
    monkeypatch.setattr("workbench.runs.run.__version__", "0.0.1")
    assert wb.Experiment(**BASE).problem().run_id != base


def test_the_same_game_by_another_road_is_the_same_run(leduc):
    by_name = wb.Experiment(**BASE)
    assert wb.Experiment(**BASE | {"game": leduc}).problem().run_id == by_name.problem().run_id


EDITED = """
class Own:
    name, exact = "own", False
    def __init__(self, step):
        self.step = step
    def check(self, tree):
        pass
    def advance(self, tree, state, iterations):
        return state if tree.name in {"a", "b", "c"} else WHAT
"""


def test_an_edited_solver_of_ones_own_is_another_run():
    def run_id(what, step=1.0):
        place = {"__name__": "__main__"}
        exec(EDITED.replace("WHAT", what), place)
        return wb.Experiment("kuhn", solver=place["Own"](step)).problem().run_id

    assert run_id("None") == run_id("None")
    assert len({run_id("None"), run_id("1"), run_id("2"), run_id("None", 2.0)}) == 4


def test_many_iterations_are_measured_rarely():
    stops = wb.Experiment("kuhn", iterations=10**15).problem().stops
    assert stops[-1] == 10**15
    assert len(stops) < 100


def test_a_rule_that_changes_its_mind_is_asked_again():
    def rule(player, seen, actions):
        return seen if sharp else seen[1]

    sharp = True
    before = wb.Experiment("kuhn", abstraction=rule).problem()
    sharp = False
    after = wb.Experiment("kuhn", abstraction=rule).problem()
    assert (before.solved.num_infosets, after.solved.num_infosets) == (12, 4)
    assert before.run_id != after.run_id


def test_a_text_game_that_was_edited_is_read_again(tmp_path):
    path = tmp_path / "mine.txt"
    text = "game mine\nplayer 1 sees x\n  l: pays {} 0\n  r: pays 0 0\n"
    path.write_text(text.format(1), encoding="utf-8")
    before = wb.Experiment(str(path)).problem()
    path.write_text(text.format(2), encoding="utf-8")
    assert wb.Experiment(str(path)).problem().run_id != before.run_id


def test_the_values_a_solver_was_made_with_are_part_of_its_runs():
    def made(strength):
        class Own(wb.solvers.CFR):
            def weights(self, t):
                return np.ones_like(t), strength * np.ones_like(t), t

        return Own()

    ids = {wb.Experiment("kuhn", solver=made(strength)).problem().run_id for strength in (0.1, 0.2)}
    assert len(ids) == 2
