"""What holds for every panel: wrong arguments, what a notebook keeps, nothing left when closed."""

from typing import Any

import pytest
from ipywidgets import HTML, Button
from ipywidgets.widgets import widget

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, said, text, threads, until
from tests.test_compiling import Told

W = wb.widgets
SOLVING = (W.SolverPanel, W.AbstractionExplorer, W.StitchingExplorer)
KINDS = (*SOLVING, W.GameBrowser, W.CFRStepper, W.PlayTable)
NO_LIMIT = "no_limit_kuhn"


@pytest.mark.parametrize(
    ("kinds", "settings", "says"),
    [
        (KINDS, {"game": "leduk"}, "did you mean 'leduc'"),
        ((*SOLVING, W.CFRStepper), {"solver": "crf"}, "did you mean 'cfr'"),
        (SOLVING, {"iterations": 0}, "iterations must be a whole number of at least 1, not 0"),
        ((*SOLVING, W.PlayTable), {"seed": -1}, "seed must be a whole number of at least 0"),
        ([W.PlayTable], {"opponent": "equilibrum"}, "did you mean 'equilibrium'"),
        ((*SOLVING, W.PlayTable), {"options": 5}, "names with their values, not 5"),
        (SOLVING, {"game": 3}, "must be a name, rules or a tree"),
        (SOLVING, {"abstraction": "JQK"}, "abstraction"),
        (SOLVING[:1], {"game": "kuhn", "abstraction": "zz"}, "'kuhn' brings no abstractions"),
        ([W.RegretMatcher], {"game": "kuhn"}, "a regret matcher plays games of one move"),
        ([W.CFRStepper], {"solver": "lp"}, "lp has no iterations"),
        ([W.CFRStepper], {"game": "kuhn", "path": "QX"}, "no history 'QX'"),
        ([W.CFRStepper], {"game": "kuhn", "path": "Q"}, "nobody decides"),
        ([W.GameBrowser], {"game": "kuhn", "at": "QX"}, "'kuhn' has no history 'QX'"),
        ([W.GameBrowser], {"strategies": {}}, "at least one"),
        ([W.StitchingExplorer], {"game": "limit_holdem"}, "the explorer draws the parts of a tree"),
        ([W.StitchingExplorer], {"experts": 5}, "experts must be a list of names, not 5"),
        ([W.StitchingExplorer], {"experts": ["rr"]}, "expert 'rr'"),
        ([W.StitchingExplorer], {"stitching": "{1}"}, "stitching must be 'N', 'each'"),
        ([W.StitchingExplorer], {"way": "cards"}, "did you mean 'card'"),
        ([W.BetsPanel], {"game": 3}, "no game"),
        ([W.BetsPanel], {}, "no bets of different sizes"),
        ([W.BetsPanel], {"game": NO_LIMIT, "mapping": "far"}, "mapping"),
        ([W.BetsPanel], {"game": NO_LIMIT, "sizes": (-1,)}, "at least 0"),
        ([W.BetsPanel], {"game": NO_LIMIT, "sizes": (0.5, 1, 2)}, "two bets at most"),
        ([W.BetsPanel], {"game": wb.load_game("no_limit_leduc", stack=8)}, "too large"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(kinds, settings, says):
    for kind in kinds:
        with pytest.raises(wb.GameError, match=says):
            kind(**{"game": "leduc", **settings})
        assert not threads()


@pytest.mark.parametrize(
    ("kind", "settings", "kept"),
    [
        (W.SolverPanel, {}, ["What Start does, as code", 'wb.solve(game, "cfr+", iterations=20']),
        (W.AbstractionExplorer, {}, ["12 → 12 information sets", "wb.abstraction.merge_cards()"]),
        (W.StitchingExplorer, {}, ["wb.static_experts", "base 6 8 b 3 3 pb 3 3"]),
        (W.GameBrowser, {"at": "QJpb"}, ["Start › Q › J › p › b", "on average", "uniform"]),
        (W.CFRStepper, {}, ["After 0 iterations", "plays next"]),
        (W.PlayTable, {"seat": 0, "seed": 3}, ["Your moves: Pass, Bet (1).", "pot 2 chips"]),
        (W.RegretMatcher, {"game": "rock_paper_scissors"}, ["no regrets yet"]),
        (W.BetsPanel, {"game": "no_limit_kuhn"}, ["Allowed: 0.5, all-in", "the cheapest is"]),
        (W.SmoothingPanel, {"game": "biased_pennies"}, ["a best response wins", "at most μD"]),
        (W.TournamentPanel, {"units": 3}, ["What a stack is worth", "ICM", "33.33"]),
    ],
)
def test_what_a_notebook_keeps_and_what_is_left_after_closing(kind, settings, kept):
    before = set(widget._instances)
    more = {"iterations": 20} if kind in SOLVING else {}
    panel = made(kind, **settings, **more)
    assert panel.wait(SOON)
    page = panel._repr_mimebundle_()["text/html"]
    shown = text(page).replace("&quot;", '"')
    assert "run this cell in JupyterLab" in shown
    for words in kept:
        assert words in shown
    panel.close()
    until(lambda: not threads())
    assert set(widget._instances) == before


def made(kind: Any, **settings: Any) -> Any:
    """A panel of a small game."""
    return kind(**({"units": 3} if kind is W.TournamentPanel else {"game": "kuhn"}) | settings)


@pytest.mark.parametrize("kind", [*KINDS, W.TournamentPanel])
def test_every_control_says_what_it_is_for(kind, ready):
    panel = ready(made, kind)
    controls = [one for one in parts(panel.view) if hasattr(one, "description_allow_html")]
    controls += [one for one in parts(panel.view) if isinstance(one, Button)]
    for one in controls:
        if isinstance(one, HTML) or one.layout.display == "none":
            continue
        assert one.tooltip, one.description


HOSTILE = "<img src=x onerror=alert(1)>"


class Hostile(Told):
    """A game whose every word is markup."""

    unit = HOSTILE


def in_markup(state: tuple[str, ...]) -> Any:
    words = (f"{HOSTILE}a", f"{HOSTILE}b")
    if not state:
        return wb.Chance(dict.fromkeys(words, 0.5))
    if len(state) == 3:
        win = 1.0 if state[0] == state[2] else -1.0
        return wb.Terminal((win, -win))
    return wb.Decision(len(state) - 1, state[: len(state) - 1], words)


@pytest.mark.parametrize(
    "kind", [W.SolverPanel, W.AbstractionExplorer, W.GameBrowser, W.CFRStepper, W.PlayTable]
)
def test_no_word_of_a_game_becomes_markup(kind, ready):
    panel = ready(kind, Hostile(in_markup, name=HOSTILE))
    for name in ("start", "step", "deal"):
        if hasattr(panel, f"{name}_button") and kind is not W.PlayTable:  # a hand is on already
            press(panel, name)
            assert not said(panel)
    panel.say(HOSTILE)
    pages = [one.value for one in parts(panel.view) if isinstance(one, HTML)]
    for page in (*pages, panel.static()):
        assert HOSTILE not in page
        assert "<img src=x" not in page


def parts(view: Any) -> list[Any]:
    return [view, *(one for child in getattr(view, "children", ()) for one in parts(child))]


@pytest.mark.parametrize(
    ("kind", "pictures", "kept"),
    [
        (W.SolverPanel, 1, ["exploitability (chips per game)", "cfr+", "The chosen run as code"]),
        (W.AbstractionExplorer, 1, ["12 → 12 information sets", "exploitability (chips per game)"]),
        (W.StitchingExplorer, 1, ["base JQ-K", "wb.static_experts"]),
        (W.CFRStepper, 1, ["After 10 iterations", "Worked out at"]),
        (W.RegretMatcher, 0, ["After 8 rounds you have won", "regret: paper"]),
    ],
)
def test_a_page_without_a_kernel_shows_the_finished_result(
    kind, pictures, kept, ready, monkeypatch
):
    """In a notebook that a script runs; a live one starts nothing by itself."""
    game = "rock_paper_scissors" if kind is W.RegretMatcher else "kuhn"
    panel = ready(kind, game, **({"iterations": 20} if kind in SOLVING else {}))
    live = panel._repr_mimebundle_()["text/html"]
    assert not panel.running
    monkeypatch.setattr("workbench.lab.widgets.panel.watched", lambda: False)
    page = panel._repr_mimebundle_()["text/html"]
    assert page != live
    assert page.count("<img") == pictures
    assert "will stand here" not in page
    for words in kept:
        assert words in text(page)
    again = panel._repr_mimebundle_()["text/html"]
    assert len(again) == len(page)  # once is enough
