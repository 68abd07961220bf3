"""The panels in JupyterLab, driven as a person would."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show
from tests.browser.lab import WAIT, Notebook

pytestmark = pytest.mark.browser

LOOK = """button => {
  const look = getComputedStyle(button);
  return [look.backgroundColor, look.boxShadow, look.fontWeight, look.textAlign, look.padding];
}"""
CUT = """panel => [...panel.querySelectorAll(".widget-label, select")].filter(part => {
  if (!part.offsetParent) return false;
  if (part.tagName !== "SELECT") return part.scrollWidth > part.clientWidth;
  const pen = document.createElement("canvas").getContext("2d"), arrow = 24;
  pen.font = getComputedStyle(part).font;
  const text = part.options[part.selectedIndex]?.text ?? "";
  return pen.measureText(text).width > part.clientWidth - arrow;
}).map(part => part.title || part.textContent)"""
THREADS = "print(sum(t.name.startswith('workbench') for t in __import__('threading').enumerate()))"


def changes(notebook: Notebook, name: str, before: str = "") -> str:
    """Wait for another picture, or the first one."""
    notebook.page.wait_for_function(
        "([name, before]) => (document.querySelector(`.${name} img`)?.src ?? before) !== before",
        arg=[name, before],
        timeout=WAIT,
    )
    return notebook.image(name)


def stop(notebook: Notebook) -> None:
    notebook.find("wb-stop").click()
    notebook.says("wb-progress", "stopped")


def soon(notebook: Notebook, code: str, answer: str) -> None:
    """Wait until the kernel prints this; the browser sends what was typed when it has time."""
    for _ in range(600):
        if (said := notebook.ask(code)) == answer:
            return
        notebook.page.wait_for_timeout(100)
    assert said == answer


def no_threads(notebook: Notebook) -> None:
    """Wait until nothing works in the background any more."""
    soon(notebook, THREADS, "0")


def test_solver_panel(show: Show) -> None:
    """A run that moves and stops, its code, what is typed; no run outlives its cell."""
    notebook = show("panel = wb.widgets.SolverPanel('kuhn', iterations=100_000_000, seed=1)\npanel")
    notebook.says("wb-curve", "will stand here")
    notebook.find("wb-solver").locator("select").hover()
    notebook.page.locator(".wb-solver[title^='The algorithm']").wait_for()
    notebook.choose("wb-game", "leduc")
    notebook.choose("wb-abstraction", "JQ-K")
    notebook.choose("wb-solver", "dcfr")
    notebook.type_in("wb-alpha", "2.5")
    notebook.find("wb-start").click()
    first = changes(notebook, "wb-curve")
    notebook.says("wb-progress", "left")
    changes(notebook, "wb-curve", first)  # it moves
    assert notebook.ask("print(1 + 1)") == "2"  # and the kernel has time for others
    stop(notebook)
    assert notebook.ask("print(panel.runs[0].solver.alpha)") == "2.5"
    notebook.ready()

    code = notebook.find("wb-code").locator("textarea").input_value()
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.find("wb-copy").click()
    notebook.find("wb-copy").filter(has_text="Copied").wait_for()
    assert notebook.page.evaluate("() => navigator.clipboard.readText()") == code

    what_is_typed(notebook)
    reached = int(notebook.ask("print(panel.runs[0].iterations)"))
    notebook.find("wb-continue").click()
    notebook.says("wb-message", "at least 1")
    notebook.type_in("wb-iterations", "100000000")
    notebook.find("wb-continue").click()
    notebook.says("wb-progress", "left")
    stop(notebook)
    assert int(notebook.ask("print(panel.runs[0].iterations)")) > reached
    notebook.find("wb-continue").click()
    notebook.says("wb-progress", "left")
    notebook.run()  # all cells again, in the middle of a run
    notebook.says("wb-results", "will stand here")
    notebook.page.wait_for_function("() => document.querySelectorAll('.wb-start').length === 1")
    no_threads(notebook)

    notebook.ran()
    notebook.find("wb-start").click()
    notebook.says("wb-progress", "left")
    assert notebook.ask(THREADS) != "0"
    notebook.page.evaluate("() => window.jupyterapp.commands.execute('notebook:delete-cell')")
    notebook.page.wait_for_function("() => !document.querySelector('.wb-start')")
    no_threads(notebook)
    assert notebook.ask("print(panel.runs[0].stopped)") == "interrupted"


def what_is_typed(notebook: Notebook) -> None:
    """By keyboard, letter by letter: 1e3 is a thousand, and an emptied field is no old number."""
    field = notebook.find("wb-iterations").locator("input")
    for typed, shown in (("1e3", "1000"), ("10,000", "10000"), ("2.5", "2.5"), ("", "")):
        field.click()
        field.press("Control+A")
        field.press("Delete")
        notebook.page.keyboard.type(typed)
        field.press("Tab")
        number = int(shown) if shown.isdigit() else shown
        soon(notebook, "print(repr(panel.iterations.value))", repr(number))
        assert field.input_value() == shown
        if number == shown:
            notebook.find("wb-start").click()
            notebook.says("wb-message", f"whole number of at least 1, not {number!r}")
    assert notebook.ask("print(len(panel.runs))") == "1"


def test_abstraction_explorer(show: Show) -> None:
    """Every way to build an abstraction, and two runs; no label and no list is cut."""
    notebook = show(
        "explorer = wb.widgets.AbstractionExplorer('leduc', iterations=100_000_000)\nexplorer"
    )
    panel = notebook.find("wb-abstraction-explorer")
    notebook.says("wb-size", "936 → 132 information sets")
    ways = {"found automatically": "wb-metric", "published": "wb-named", "buckets": "wb-trained"}
    for way, control in {**ways, "merged cards": "wb-merge-JQ"}.items():
        notebook.choose("wb-way", way)
        notebook.find(control).wait_for()
        assert panel.evaluate(CUT) == []
        if way == "buckets":
            notebook.says("wb-buckets", "91")
            notebook.find("wb-buckets").get_by_role("slider").press("ArrowRight")
            notebook.says("wb-buckets", "104")
            notebook.says("wb-size", "936 → 104 information sets")
    notebook.says("wb-size", "936 → 198 information sets")
    notebook.find("wb-merge-JQ").locator("input").check()
    notebook.says("wb-size", "936 → 132 information sets")
    notebook.says("wb-merged", "JQ no pair")
    notebook.find("wb-start").click()
    first = changes(notebook, "wb-bars")
    notebook.says("wb-progress", "left")
    changes(notebook, "wb-bars", first)
    stop(notebook)
    gap = "run = explorer.runs[0]; print(run.exploitability > 0.3 > run.abstract_exploitability)"
    assert notebook.ask(gap) == "True"
    notebook.choose("wb-way", "published")
    notebook.choose("wb-named", "null (only suits forgotten)")
    notebook.says("wb-size", "936 → 468 information sets")
    notebook.says("wb-merged", "J♠ rr; J♥ rr")  # it pushes the button down
    notebook.press("wb-start")
    notebook.says("wb-progress", "left")
    stop(notebook)
    notebook.says("wb-curves", "2: cfr+, leduc [null (only suits forgotten)]")
    assert panel.evaluate(CUT) == []


def test_tournament_panel(show: Show) -> None:
    """Other prizes, another chart, and a tournament with the price of a decision."""
    notebook = show("panel = wb.widgets.TournamentPanel(units=4, prizes=(50, 30, 20))\npanel")
    notebook.says("wb-values", "Nobody could gain more than")
    first = notebook.image("wb-chart")
    notebook.choose("wb-decision", "small blind, after a fold")
    changes(notebook, "wb-chart", first)
    notebook.find("wb-second").locator("[role=slider]").press("ArrowLeft")
    soon(notebook, "print(panel.game.prizes)", "(50.0, 25.0, 25.0)")
    soon(notebook, "print(panel.found is not None)", "True")
    notebook.press("wb-deal")
    notebook.says("wb-played", "Hand 1")
    notebook.page.locator(".wb-fold:not([disabled])").wait_for(timeout=WAIT)
    looks = [notebook.find(name).evaluate(LOOK) for name in ("wb-jam", "wb-fold")]
    assert looks[0] == looks[1]
    assert looks[0][0] != "rgba(0, 0, 0, 0)"
    notebook.press("wb-fold")
    # hands without a question may follow, so that the page no longer shows this line
    soon(notebook, "print(any('for your decisions' in line for line in panel.lines))", "True")
    assert not notebook.too_wide("wb-tournament")


def test_smoothing_panel_and_bets_panel(show: Show) -> None:
    """A slider by keyboard, another by mouse, and another price: the picture follows."""
    notebook = show(
        "panel = wb.widgets.SmoothingPanel('biased_pennies', mu=1.0)\npanel",
        "wb.widgets.BetsPanel()",
    )
    notebook.says("wb-status", "at most μD = 0.2500")
    first = changes(notebook, "wb-smoothed")
    notebook.find("wb-mu").locator(".noUi-handle").focus()
    for _ in range(4):
        notebook.page.keyboard.press("ArrowRight")
    notebook.says("wb-status", "at most μD = 0.6250")
    second = changes(notebook, "wb-smoothed", first)
    q = notebook.box("wb-q .noUi-base")
    place = {"x": 0.6 * q["width"], "y": q["height"] / 2}
    notebook.find("wb-q").locator(".noUi-base").click(position=place)
    soon(notebook, "print(panel.q.value)", "0.6")
    changes(notebook, "wb-smoothed", second)
    notebook.choose("wb-price", "entropy")
    notebook.says("wb-status", "at most μD = 1.7329")
    before = changes(notebook, "wb-prices")
    for _ in range(2):
        notebook.find("wb-second").locator(".noUi-handle").press("ArrowRight")
    changes(notebook, "wb-prices", before)
    assert notebook.too_wide("wb-smoothing") + notebook.too_wide("wb-bets") == []


def test_holdem_builder(show: Show) -> None:
    """What fits follows the sliders; a small base is trained and meets a house that only calls."""
    notebook = show(
        "from workbench.poker.response.real_response import opponent_named\n"
        'rules = wb.load_game("limit_holdem")\n'
        'caller = opponent_named(rules, "always-call")\n'
        "house = rules.public_game().abstraction(caller.played.buckets).lift(caller)\n"
        "panel = wb.widgets.HoldemBuilder(100_000, iterations=5, house=house, deals=500)\npanel"
    )
    notebook.says("wb-sizes", "96,056")
    notebook.choose("wb-way", "base and experts, S = N")
    notebook.says("wb-sizes", "90,846")
    notebook.choose("wb-way", "one base")
    notebook.find("wb-limit").locator("[role=slider]").press("ArrowLeft")
    soon(notebook, "print(panel.limit.value)", "50000")
    notebook.find("wb-limit").locator("[role=slider]").press("ArrowRight")
    soon(notebook, "print(panel.limit.value)", "100000")
    notebook.press("wb-train")
    notebook.says("wb-results", "500 deals")
    assert not notebook.too_wide("wb-holdem-builder")
    hidden = "parts => parts.map(part => part.scrollWidth - part.clientWidth)"  # to scroll for
    assert notebook.find("wb-holdem-builder .wb-scroll").evaluate_all(hidden) == [0, 0]
