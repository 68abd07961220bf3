"""A drill in a page: twenty questions with the keyboard, the score it adds up, what comes back."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import workbench as wb
from tests.browser.test_reports import LOOKS, opened, violations

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def drill_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    drill = wb.play.Drill("leduc", seed=1)
    return wb.write_report(drill, tmp_path_factory.mktemp("drill") / "leduc.html").path


def questions(page: Page) -> dict[str, Any]:
    text = page.locator(".wb-drill script").text_content() or ""
    return {one["html"]: one for one in json.loads(text)["questions"]}


def asked(page: Page) -> dict[str, Any]:
    """The question on the page: its table is that of one of them."""
    shown = page.locator(".wb-drill .asked")
    same = "([box, html]) => {const one = document.createElement('div'); one.innerHTML = html; "
    same += "return one.innerHTML === box.innerHTML}"
    box = shown.element_handle()
    (found,) = [
        one for html, one in questions(page).items() if page.evaluate(same, [box, html])
    ]  # fmt: skip
    return dict(found)


def test_a_drill_of_twenty_questions_with_the_keyboard(chromium: Browser, drill_page: Path) -> None:
    with opened(chromium, drill_page) as page:
        assert len(questions(page)) == 60
        spots, cost = [], 0.0
        for k in range(20):
            assert page.locator(".wb-head").inner_text() == f"Question {k + 1} of 20"
            question = asked(page)
            costs = [choice["cost"] for choice in question["choices"]]
            worst = costs.index(max(costs))
            page.keyboard.press(str(worst + 1))
            assert question["choices"][worst]["said"] in page.locator(".said").inner_text()
            spots.append(question["spot"])
            cost += costs[worst]
            page.keyboard.press("n" if k % 2 else "Enter")
        score = page.locator(".wb-head").inner_text()
        assert score == f"0 of 20 right, {cost:.2f} chips given away"
        assert page.locator(".missed p").count() == 20
        assert spots[4] == spots[0]  # after three others
        assert len({*spots[:4]}) == 4
        new = [spot not in spots[:k] for k, spot in enumerate(spots)]
        assert all(one or two for one, two in itertools.pairwise(new))
        kept = json.loads(page.evaluate("Object.values({...localStorage})[0]"))
        assert kept == [{"spot": spot, "right": False} for spot in spots]
        page.locator(".next").click()
        assert page.locator(".wb-head").inner_text() == "Question 1 of 20"
        after = asked(page)["spot"]  # what this browser has missed is due
        assert (after in spots) == new[-1]


@pytest.mark.parametrize(("look", "width"), LOOKS)
def test_everybody_can_use_it(chromium: Browser, drill_page: Path, look: str, width: int) -> None:
    with opened(chromium, drill_page, look, width) as page:
        for pressed in ("", "1"):
            page.keyboard.press(pressed) if pressed else None
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        for _ in range(19):
            page.keyboard.press("n")
            page.keyboard.press("1")
        page.locator(".next").click()
        assert "of 20 right" in page.locator(".wb-head").inner_text()
        assert violations(page) == []
