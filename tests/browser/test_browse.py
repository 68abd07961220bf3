"""Walking through games in JupyterLab."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = pytest.mark.browser


def test_game_browser(show: Show) -> None:
    notebook = show("browser = wb.widgets.GameBrowser('kuhn')\nbrowser")
    notebook.press("wb-move", "Q")
    notebook.press("wb-move", "J")
    notebook.says("wb-place", "You hold the Queen")
    notebook.press("wb-move", "pass")
    notebook.press("wb-move", "bet")
    notebook.says("wb-place", "Q pb")
    notebook.says("wb-tables", "CFR+")
    notebook.says("wb-tables", "uniform")
    notebook.page.locator(".wb-tree svg[aria-label*='Q J p b is outlined']").wait_for()
    assert notebook.ask("print(browser.path)") == "['Q', 'J', 'p', 'b']"
    notebook.press("wb-crumb", "J")
    notebook.says("wb-place", "Information set Q: 2 histories")
    notebook.find("wb-root").click()
    notebook.says("wb-place", "Chance is to move")
    notebook.find("wb-deal").click()
    notebook.says("wb-place", "You are player 1")
    tree = notebook.find("wb-tree")
    tree.get_by_label("Go to K Q b", exact=True).locator("circle").click()  # press a node
    notebook.says("wb-place", "Information set Q b")
    tree.locator("[aria-current][aria-label='Go to K Q b']").focus()
    for key, path in (("ArrowUp", "K Q"), ("ArrowDown", "K Q p"), ("ArrowRight", "K Q b")):
        notebook.page.keyboard.press(key)
        tree.locator(f"[aria-current][aria-label='Go to {path}']:focus").wait_for()
    assert notebook.page.locator(".jp-Cell").count() == 2  # no key went to the notebook


def test_payoffs_are_changed_where_the_tree_is_drawn(show: Show) -> None:
    notebook = show("browser = wb.widgets.GameBrowser('bluff', at='king bet call')\nbrowser")
    notebook.says("wb-place", "player 1 −2")
    assert notebook.find("wb-numbers").locator("input").input_value() == "-2 2"
    notebook.type_in("wb-numbers", "-7 7")
    notebook.find("wb-again").click()
    notebook.says("wb-place", "player 1 −7")
    notebook.press("wb-crumb", "king")
    notebook.says("wb-tables", "before the change")
    assert notebook.ask("print(browser.tree.utility.min())") == "-7.0"
    assert notebook.too_wide("wb-game-browser") == []
    notebook.find("wb-as-it-was").click()
    notebook.says("wb-tables", "CFR+")
    assert notebook.ask("print(browser.tree.utility.min())") == "-2.0"


def test_cfr_stepper(show: Show) -> None:
    notebook = show(
        "stepper = wb.widgets.CFRStepper('kuhn')\nstepper",
        "example = wb.widgets.CFRStepper.example('3.2.1')\nexample",
    )
    notebook.find("wb-cfr-stepper").locator(".wb-step").click()
    notebook.says("wb-status", "After 1 iteration;")
    notebook.says("wb-worked", "Iteration 1, worked out")
    notebook.find("wb-hundred").click()
    notebook.says("wb-status", "After 101 iterations")
    notebook.find("wb-cfr-stepper").locator(".wb-back").click()
    notebook.says("wb-status", "After 100 iterations")
    notebook.find("wb-cfr-stepper").locator(".wb-step").click()
    notebook.says("wb-status", "After 101 iterations")
    notebook.page.locator(".wb-curve img[alt*='after 101']").wait_for()
    assert notebook.ask("print(stepper.state.iteration)") == "101"
    notebook.find("wb-cfr-stepper").locator(".wb-reset").click()
    notebook.says("wb-status", "After 0 iterations")
    notebook.find("wb-cfr-stepper").locator(".wb-solver select").select_option(label="egt")
    notebook.find("wb-cfr-stepper").locator(".wb-step").click()
    notebook.says("wb-worked", "the plans have an excessive gap")
    notebook.says("wb-sets", "smoothed best response")
    thesis = notebook.find("wb-worked-example")
    thesis.get_by_text("Example 3.2.1.").wait_for()
    thesis.locator(".wb-step").click()
    thesis.get_by_text("(0.00, 0.49, 0.51)").wait_for()
    assert notebook.too_wide("wb-cfr-stepper") == []


def test_stitching_explorer(show: Show) -> None:
    notebook = show("explorer = wb.widgets.StitchingExplorer('leduc', iterations=100)\nexplorer")
    notebook.page.locator(".wb-parts img").wait_for()
    notebook.find("wb-fold-parts").click()
    notebook.page.locator(".wb-parts img").wait_for(state="hidden")
    assert notebook.box("wb-stitching-explorer")["height"] < 500  # what is not looked at folds away
    notebook.find("wb-fold-parts").click()
    notebook.find("wb-fold-sizes").click()
    notebook.says("wb-sizes", "372")
    notebook.type_in("wb-iterations", "-5")
    notebook.find("wb-solve").click()
    notebook.says("wb-message", "at least 1, not -5")
    said, pressed = notebook.box("wb-message"), notebook.box("wb-solve")
    assert 0 < said["y"] - pressed["y"] < 80  # where the eye is
    notebook.type_in("wb-iterations", "100")
    notebook.find("wb-message").wait_for(state="hidden")
    notebook.page.locator(".wb-parts img[alt*='cccr (']").wait_for()
    notebook.find("wb-expert").nth(3).locator("input").uncheck()
    notebook.page.locator(".wb-parts img:not([alt*='cccr'])").wait_for()
    notebook.find("wb-solve").click()
    notebook.says("wb-results", "1: S = N: r, cr, ccr")
    notebook.find("wb-stitching").locator("select").select_option("dynamic: all in one")
    notebook.find("wb-solve").click()
    notebook.says("wb-results", "2: dynamic: r, cr, ccr")
    code = notebook.find("wb-code").locator("textarea").input_value()
    same = "print((stitched.probs == explorer.done[1].stitched.strategy.probs).all())"
    assert notebook.ask(f"{code}\n{same}").endswith("True")
    assert notebook.too_wide("wb-stitching-explorer") == []
