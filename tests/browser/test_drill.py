"""A drill in a page, a report and a notebook: asked, judged, summed up, and what comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Page

import workbench as wb
from tests.browser.conftest import Show
from tests.browser.test_reports import opened, violations
from tests.lab.reports.reader import reported, shown

pytestmark = pytest.mark.browser
CASES = [("leduc", "light", 1280), ("limit_holdem", "dark", 390),
         pytest.param("leduc", "dark", 390, marks=pytest.mark.slow),
         pytest.param("limit_holdem", "light", 1280, marks=pytest.mark.slow)]  # fmt: skip
Pick = Callable[[list[float]], float]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("drills")
    few = wb.play.Session("limit_holdem", iterations=20)
    return {game: wb.write_report(wb.play.Drill(of), folder / f"{game}.html").path
            for game, of in (("leduc", "leduc"), ("limit_holdem", few))}  # fmt: skip


def data(page: Page) -> Any:
    return json.loads(page.locator("[data-drill]").get_attribute("data-drill") or "")


def asked(page: Page) -> int:
    """The number of the question to be seen."""
    shown = page.locator(".question").evaluate_all("all => all.map(one => one.checkVisibility())")
    assert shown.count(True) == 1
    return int(shown.index(True))


def answered(page: Page, told: Any, pick: Pick, mouse: bool = False) -> tuple[int, Any]:
    """Answer the question to be seen, read the verdict, and go on."""
    question = asked(page)
    choices = told["choices"][question]
    costs = [choice["cost"] for choice in choices]
    k = costs.index(pick(costs))
    if mouse:
        page.locator(".moves button").nth(k).click()
    else:
        page.keyboard.press(choices[k]["key"] or str(k + 1))
    sign = "✗" if choices[k]["cost"] else "✓"
    assert page.locator(".said").inner_text() == f"{sign} {choices[k]['said']}"
    if mouse:
        page.locator(".moves button").click()
    else:
        page.keyboard.press("n")
    return question, choices[k]


def again(page: Page, url: str = "") -> Page:
    """As after a reload; or another page of the same browser."""
    other = page.context.new_page()
    other.goto(url or page.url)
    return other


@pytest.mark.parametrize(("game", "look", "width"), CASES)
def test_twenty_questions(
    chromium: Browser, pages: dict[str, Path], game: str, look: str, width: int
) -> None:
    with opened(chromium, pages[game], look, width) as page:
        assert violations(page) == []
        told, given = data(page), []
        for k in range(20):
            assert page.locator(".wb-head").inner_text() == f"Question {k + 1} of 20"
            given.append(answered(page, told, max if k % 3 else min, mouse=bool(k % 2)))
        assert page.locator(".said").inner_text() == ""
        wrong = [(question, choice) for question, choice in given if choice["cost"]]
        lost, unit = sum(choice["cost"] for _, choice in wrong), told["unit"]
        score = f"{20 - len(wrong)} of 20 right, {lost / told['coin']:.2f} {unit} given away"
        assert page.locator(".wb-head").inner_text() == score
        lines = page.locator(".missed li").all_inner_texts()
        assert sum(int(line.split()[0]) for line in lines) == len(wrong)
        assert {line.partition(f"{unit}: ")[2] for line in lines} == {
            f"{told['spots'][question]}: {choice['habit']}" for question, choice in wrong
        }
        numbers = [re.match(r"(\d+) × ([\d.]+)", line).groups() for line in lines]  # type: ignore[union-attr]
        dear = [int(times) * float(cost) for times, cost in numbers]
        assert dear == sorted(dear, reverse=True)
        assert violations(page) == []
        marked = page.locator(".wb-hands :is(.wb-good, .wb-bad)")
        hands = {told["hands"][question] for question, _ in given}
        assert marked.count() == (len(hands) if game == "limit_holdem" else 0)
        for cell in page.locator(".wb-hands td:first-child, .wb-hands td:last-child").all():
            box = cell.bounding_box()
            assert box
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert again(page).locator(".wb-head").inner_text() == score
        page.locator(".moves button").click()
        assert page.locator(".wb-head").inner_text() == "Question 1 of 20"
        assert page.locator(".said").get_attribute("class") == "said "


def test_what_is_missed_comes_back_as_in_python(chromium: Browser, pages: dict[str, Path]) -> None:
    drill, asks = wb.play.Drill("leduc", questions=20), []
    for k in range(20):
        question = drill.ask()
        assert question is not None
        asks.append(question.spot)
        costs = {action: choice.cost for action, choice in question.choices.items()}
        drill.answer((max if k % 2 else min)(costs, key=costs.__getitem__))
    with opened(chromium, pages["leduc"]) as page:
        spots = [text.removesuffix(".")
                 for text in page.locator(".question > p").all_text_contents()]  # fmt: skip
        told = data(page)
        given = [answered(page, told, max if k % 2 else min)[0] for k in range(12)]
        other = again(page)
        assert other.locator(".wb-head").inner_text() == "Question 13 of 20"
        given += [answered(other, told, max if k % 2 else min)[0] for k in range(12, 20)]
        assert [spots[question] for question in given] == asks
        assert given[5] == given[1]  # after three others
        assert other.locator(".wb-head").inner_text() == drill.summary[0]


@pytest.mark.parametrize(
    ("kept", "question"),
    [
        ('{"deck": [], "given": []}', 1),
        ("[0, 0, 7, 0]", 3),
        ("[0, null]", 2),
        ("3", 1),
        ("nonsense", 1),
        ("[0, 0, 0]", 4),
    ],
)
def test_a_damaged_memory_holds_what_can_be_read(
    chromium: Browser, pages: dict[str, Path], kept: str, question: int
) -> None:
    with opened(chromium, pages["leduc"]) as page:
        keep = "text => localStorage.setItem(JSON.parse(document.querySelector('[data-drill]')"
        page.evaluate(f"{keep}.dataset.drill).name, text)", kept)
        other = again(page)
        for k in (question, question + 1):
            assert other.locator(".wb-head").inner_text() == f"Question {k} of 20"
            answered(other, data(other), min)
        shown = again(page).locator(".wb-head").inner_text()
        assert shown == f"Question {question + 2} of 20"


def test_two_drills_about_one_game_have_two_memories(chromium: Browser, tmp_path: Path) -> None:
    """Kuhn poker has fewer questions than either asks for, so the decks are the same."""
    drills = [wb.play.Drill("kuhn", questions=n, seed=1) for n in (20, 5)]
    long, short = (wb.write_report(one, tmp_path / f"{one.of}.html").path for one in drills)
    with opened(chromium, long) as page:
        for _ in range(9):
            answered(page, data(page), min)
        other = again(page, short.as_uri())
        assert other.locator(".wb-head").inner_text() == "Question 1 of 5"


def test_a_key_that_is_held_down_is_one_answer(chromium: Browser, pages: dict[str, Path]) -> None:
    with opened(chromium, pages["leduc"]) as page:
        for key in ("1", "n", "Enter"):  # the focus is on the first move
            for _ in range(4):
                page.keyboard.down(key)
            page.keyboard.up(key)
        assert page.locator(".wb-head").inner_text() == "Question 2 of 20"
        assert page.locator(".said").inner_text()[0] in "✓✗"


def test_in_the_report_of_a_notebook(chromium: Browser, tmp_path: Path) -> None:
    drill = wb.play.Drill("kuhn", questions=2)
    cell = new_code_cell("drill", outputs=[shown({"text/html": drill._repr_html_()})])
    with opened(chromium, reported(tmp_path, cell).path) as page:
        page.keyboard.press("1")  # the page is not its own
        assert page.locator(".wb-head").inner_text() == "Question 1 of 2"
        assert page.locator(".said").inner_text() == "Your move?"
        told = data(page)
        answered(page, told, max, mouse=True)
        answered(page, told, min)
        assert "1 of 2 right" in page.locator(".wb-head").inner_text()


def test_in_a_notebook_its_keys_stay_inside(show: Show) -> None:
    notebook = show("wb.play.Drill('kuhn', questions=3)")
    page, cells = notebook.page, notebook.page.locator(".jp-Cell")
    page.locator(".wb-drill.live").wait_for()
    many = cells.count()
    page.locator(".wb-drill .wb-head").click()
    for k in range(3):
        notebook.says("wb-head", f"Question {k + 1} of 3")
        page.keyboard.press("1")
        assert page.locator(".wb-drill .said").inner_text()[0] in "✓✗"
        page.keyboard.press("b")  # in JupyterLab, a new cell below
        page.keyboard.press("Enter")  # the focus is on Next
    notebook.says("wb-head", "of 3 right")
    assert cells.count() == many
