"""A strategy by lines of betting in a real browser: pressed, by keyboard, in a page and live."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Locator

import workbench as wb
from tests.browser.conftest import Show
from tests.browser.test_reports import opened, violations, written
from tests.lab.reports.reader import reported
from tests.lab.reports.reader import shown as display

pytestmark = pytest.mark.browser
LOOKS = [("light", 1280), ("dark", 390)]


@pytest.fixture(scope="module")
def runs() -> dict[str, wb.Run]:
    leduc = wb.load_game("leduc")
    return {name: wb.solve(leduc, "cfr+", 200, abstraction=rule)
            for name, rule in (("CFR+", None), ("JQ-K", "JQ-K"))}  # fmt: skip


@pytest.fixture(scope="module")
def report(runs: dict[str, wb.Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wb.write_report(runs["CFR+"], tmp_path_factory.mktemp("grids") / "run.html").path


def go_on(box: Locator, *words: str) -> None:
    for word in words:
        box.locator(".moves").get_by_role("button", name=word, exact=True).click()


def shown(box: Locator) -> list[list[str]]:
    """The texts of the cells of each table to be seen."""
    figures = [figure for figure in box.locator("figure").all() if figure.is_visible()]
    return [figure.locator(".hand span").all_text_contents() for figure in figures]


def mixed(run: wb.Run, seen: tuple[str, str, str]) -> str:
    """What stands in a small cell; CFR+ plays both suits alike."""
    plays = run.strategy.at(seen).items()
    return " ".join(f"{a} {100 * p:.0f}" for a, p in plays if p >= 0.005)


@pytest.mark.parametrize(("look", "width"), LOOKS)
def test_in_the_report_of_a_run(
    chromium: Browser, runs: dict[str, wb.Run], report: Path, look: str, width: int
) -> None:
    with opened(chromium, report, look, width) as page:
        box = page.locator(".wb-lines")
        assert len(shown(box)[0]) == 3
        go_on(box, "bet", "call", "bet")
        assert "Player 2 moves after rc/r" in (box.locator("p").first.text_content() or "")
        (cells,) = shown(box)
        k = 3 * "KQJ".index("Q") + "KQJ".index("Q")
        assert cells[k] == mixed(runs["CFR+"], ("Q♠", "Q♥", "rc/r"))
        fold = box.locator(".moves button", has_text="fold")
        assert fold.is_disabled()
        assert fold.text_content() == "fold (ends the hand)"
        assert violations(page) == []
        box.locator(".path").get_by_role("button", name="P1 bet").first.click()
        assert "Player 2 moves after r." in (box.locator("p").first.text_content() or "")
        ground = "getComputedStyle(document.querySelector('.hand')).backgroundColor"
        assert (
            page.evaluate(ground)
            == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[look]
        )


def test_by_keyboard(chromium: Browser, report: Path) -> None:
    with opened(chromium, report, width=390) as page:
        box = page.locator(".wb-lines")
        box.locator(".moves button").nth(1).focus()
        page.keyboard.press("Enter")  # bet
        said = "document.activeElement.textContent"
        assert page.evaluate(said) == "call"
        page.keyboard.press("Enter")
        assert page.evaluate(said) == "check"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.title").startswith("K on K: ")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")  # there is no further one
        told = box.locator("p").last.text_content() or ""
        assert told.startswith("Q on J: check ")
        assert told.endswith("of its hands come here")


def test_the_chart_of_holdem_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    run = wb.solve(wb.load_game("limit_holdem"), "cfr+", 3, abstraction="2222")
    html = wb.widgets.StrategyGrid(run, board="Qh Jh 2c")._repr_html_()
    path = page_with(html, tmp_path)
    for look, width in LOOKS:
        with opened(chromium, path, look, width) as page:
            box = page.locator(".wb-lines")
            go_on(box, "raise", "call")
            assert len(shown(box)[0]) == 169
            wide = box.locator("figure:visible").evaluate(
                "one => [one.scrollWidth, one.clientWidth]"
            )
            assert wide[0] <= wide[1]  # nothing is cut off, nothing to scroll
            assert violations(page) == []


def page_with(html: str, folder: Path) -> Path:
    return reported(folder, new_code_cell("x", outputs=[display({"text/html": html})])).path


def test_two_and_their_difference(
    chromium: Browser, runs: dict[str, wb.Run], tmp_path: Path
) -> None:
    path = page_with(wb.widgets.StrategyGrid(runs)._repr_html_(), tmp_path)
    for look, width in LOOKS:
        with opened(chromium, path, look, width) as page:
            box = page.locator(".wb-lines")
            go_on(box, "check", "bet")
            first, second, differs = shown(box)
            names = ["CFR+: Own card", "JQ-K: Own card", "JQ-K minus CFR+: Own card"]
            assert box.locator("caption").all_text_contents()[:3] == names
            assert first[1] == mixed(runs["CFR+"], ("Q♠", "", "cr"))
            assert second[1] == second[2] == mixed(runs["JQ-K"], ("Q♠", "", "cr"))
            one, other = (run.strategy.at(("J♠", "", "cr")) for run in runs.values())
            most = max(one, key=lambda action: other[action] - one[action])
            assert differs[2].startswith(f"{most} +")
            assert abs(int(differs[2].split("+")[1]) - 100 * (other[most] - one[most])) <= 1
            assert violations(page) == []


def test_live_in_a_notebook(show: Show) -> None:
    notebook = show(
        "run = wb.solve(wb.load_game('leduc'), 'cfr+', 100)\nwb.widgets.StrategyGrid(run)"
    )
    box = notebook.page.locator(".wb-lines.live")
    box.wait_for()
    go_on(box, "check", "check", "check")
    assert "Player 2 moves after cc/c" in (box.locator("p").first.text_content() or "")
    box.locator("figure:visible .hand").first.focus()
    notebook.page.keyboard.press("ArrowDown")  # and JupyterLab stays at this cell
    notebook.page.keyboard.press("ArrowRight")
    assert notebook.page.evaluate("document.activeElement.title").startswith("Q on Q: ")
    (cells,) = shown(box)
    assert len(cells) == 9
    assert all(cells)


def test_a_slider_moves_the_figure(chromium: Browser, tmp_path: Path) -> None:
    """By mouse and by keyboard, in the page of a lecture; all its figures are there."""
    with opened(chromium, written(tmp_path, "14"), "dark", 390) as page:
        slider = page.get_by_role("slider", name="Buckets")
        box = slider.locator("xpath=ancestor::*[@data-switch]")
        pictures = box.locator("figure")

        def told() -> tuple[str | None, list[str]]:
            (image,) = [one.locator("img") for one in pictures.all() if one.is_visible()]
            return slider.get_attribute("aria-valuetext"), (
                image.get_attribute("alt") or ""
            ).split()[:2]

        assert told() == ("26", ["26", "buckets"])
        slider.focus()
        page.keyboard.press("ArrowRight")
        assert told() == ("32", ["32", "buckets"])
        page.keyboard.press("Home")
        assert told() == ("13", ["13", "buckets"])
        wide = slider.bounding_box()
        assert wide is not None
        page.mouse.click(wide["x"] + wide["width"] - 4, wide["y"] + wide["height"] / 2)
        assert told() == ("52", ["52", "buckets"])
        assert box.locator("output").text_content() == "52"
        assert not box.locator("select").is_visible()
        assert violations(page, "[data-switch]") == []
