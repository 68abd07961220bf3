"""Reports in a real browser, without a network: nothing is fetched, the switch works, all can read.

axe-core (https://github.com/dequelabs/axe-core, from the package axe-playwright-python) looks for
violations of WCAG 2.2, A and AA, in light and dark, on a desktop and on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import axe_playwright_python
import nbformat
import pandas as pd
import pytest
from IPython.display import HTML
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import Browser, Page

import workbench as wb
from tests.browser.conftest import Show
from tests.browser.lab import Server
from tests.lab.reports.reader import reported
from tests.lab.reports.reader import shown as display
from workbench.lab.html import framed, table
from workbench.lab.play.card_table_html import review_html
from workbench.lab.play.session import Session
from workbench.lab.plots.strategy_table import strategy_html
from workbench.lab.reports.course import first_page
from workbench.lab.reports.ledger import write_ledger
from workbench.lab.reports.lessons import lesson
from workbench.lab.reports.page import notebook_page, save
from workbench.lab.reports.reading import read_notebook
from workbench.lab.reports.reference import write_reference
from workbench.lab.reports.search import write_search
from workbench.lab.reports.writing import write_report
from workbench.lab.shelves import key, notebooks

pytestmark = pytest.mark.browser

JUDGE = """async ([where, rules]) => {  // only what is wrong is told with all its places
  const found = await axe.run(where, {runOnly: rules, resultTypes: ["violations"], preload: false});
  return [found.passes.length, found.violations];
}"""
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [
    ("light", 1200), ("dark", 360),
    *(pytest.param(*look, marks=pytest.mark.slow) for look in (("dark", 1200), ("light", 360))),
]  # fmt: skip


@contextmanager
def opened(
    browser: Browser, path: Path, look: str = "light", width: int = 1200, place: str = ""
) -> Iterator[Page]:
    """The page with the network off; in the end, nothing was asked for, nothing complained, and
    nothing is wider than the window."""
    asked, said = [], []
    context = browser.new_context(
        offline=True,
        bypass_csp=False,
        color_scheme=look,  # type: ignore[arg-type]
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri() + place)
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    assert said == []
    context.close()


def violations(page: Page, where: str = "html", rules: Sequence[str] = RULES) -> list[str]:
    """What axe-core finds, one line for each kind with the first place."""
    page.evaluate(AXE)
    passes, found = page.evaluate(JUDGE, [where, rules])
    assert passes > (10 if rules is RULES else 0)
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]} ({len(each['nodes'])})"
        for each in found
    ]


def drawing(name: str) -> Figure:
    figure = Figure(figsize=(6, 3), layout="constrained")
    figure.subplots().plot([1, 2, 3], [len(name), 2, 1], label=name)
    return figure


@pytest.fixture(scope="module")
def page_of_everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prose, formulas, code, tables, a strategy, two switches, a panel that needs a kernel."""
    strategy = wb.Strategy.uniform(wb.compile_game(wb.load_game("kuhn")))
    shown = [
        wb.widgets.switch({name: drawing(name) for name in ("JQ-K", "J-QK")}, label="Abstraction"),
        wb.widgets.switch(
            {(a, b): f"{a} with {b}" for a, b in product(("one", "two"), ("cfr", "cfr+"))}
            | {("three", "cfr"): "three with cfr"},
            label=("Number", "Solver"),
        ),
        wb.widgets.report_button(),
        strategy.table().head(),
        strategy,
        HTML(framed(table(pd.DataFrame([range(10**8, 10**8 + 9)]), "more than a phone " * 9))),
    ]
    outputs = [display(_bundle(each)) for each in shown]
    text = "# Everything?\n\nA formula, $\\sigma_i$, and $$\\sum_i \\frac{x_i}{\\sqrt{T}}$$\n\n"
    text += "| claim | number |\n|---|---|\n| a | 1 |\n\n> quote\n\n1. one\n2. two\n\n`code`"
    cells = [
        new_markdown_cell(text),
        new_code_cell("x = 1  # " + "long " * 50, outputs=outputs, execution_count=1),
        new_markdown_cell("## One\n\n**Takeaway.** That.\n\n## Two\n\n### Deeper\n\n## Three"),
    ]
    return reported(tmp_path_factory.mktemp("everything"), *cells).path


def _bundle(shown: object) -> dict[str, object]:
    if hasattr(shown, "_repr_mimebundle_"):
        bundle = shown._repr_mimebundle_()
        return bundle[0] if isinstance(bundle, tuple) else bundle
    page = strategy_html(shown) if isinstance(shown, wb.Strategy) else shown._repr_html_()  # type: ignore[attr-defined]
    return {"text/html": page, "text/plain": ""}


def test_the_switch_changes_the_figure(chromium: Browser, page_of_everything: Path) -> None:
    with opened(chromium, page_of_everything) as page:
        figures = page.locator(".wb-switch").first.locator("figure")
        assert [figure.is_visible() for figure in figures.all()] == [True, False]
        choice = page.get_by_role("combobox", name="Abstraction")
        choice.select_option("J-QK")
        assert [figure.is_visible() for figure in figures.all()] == [False, True]
        assert "J-QK: from 4 at 1" in (figures.nth(1).locator("img").get_attribute("alt") or "")
        assert page.locator("[aria-live]").first.text_content() == "Abstraction: J-QK"
        page.get_by_role("combobox", name="Number").select_option("two")
        page.get_by_role("combobox", name="Solver").select_option("cfr+")
        texts = page.locator(".wb-switch").nth(1).locator("figure div")
        seen = [text.text_content() for text in texts.all() if text.is_visible()]
        assert seen == ["two with cfr+"]
        said = page.locator("[aria-live]").nth(1)
        assert said.text_content() == "Number: two, Solver: cfr+"
        page.get_by_role("combobox", name="Number").select_option("three")
        assert not any(text.is_visible() for text in texts.all())
        assert said.inner_text() == "(This combination was not computed.)"
        assert (said.bounding_box() or {})["width"] > 100
        page.get_by_role("combobox", name="Solver").select_option("cfr")
        assert said.text_content() == "Number: three, Solver: cfr"
        assert (said.bounding_box() or {})["width"] == 1
        page.emulate_media(media="print")  # the chosen one is printed, with its caption
        assert [figure.is_visible() for figure in figures.all()] == [False, True]
        assert not choice.is_visible()
        caption = page.locator("figcaption", has_text="Abstraction: J-QK").bounding_box()
        assert caption is not None
        assert caption["width"] > 50


def test_without_script_everything_is_there(chromium: Browser, page_of_everything: Path) -> None:
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(page_of_everything.as_uri())
    assert all(figure.is_visible() for figure in page.locator("figure").all())
    assert page.locator("figure").count() == 7
    assert not page.locator("select").first.is_visible()
    assert not page.get_by_role("button").count()
    context.close()


def test_code_folds_and_boxes_scroll(chromium: Browser, page_of_everything: Path) -> None:
    with opened(chromium, page_of_everything, width=360) as page:
        words = page.locator("caption", has_text="more than a phone")
        assert words.evaluate("caption => caption.getBoundingClientRect().right") <= 360
        assert words.locator("..").evaluate("table => table.clientWidth") > 360
        code = page.locator("details.code pre")
        assert code.get_attribute("tabindex") == "0"  # it is wider than a phone
        assert page.locator("blockquote").is_visible()
        page.get_by_role("button", name="Hide all code").click()
        assert not code.is_visible()
        page.get_by_role("button", name="Hide all code").click()
        assert code.is_visible()
        page.keyboard.press("Home")
    with opened(chromium, page_of_everything) as page:
        assert page.locator("span.formula").get_attribute("tabindex") is None  # no need to scroll
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"


def test_a_picture_fits_a_phone_and_can_be_enlarged(
    chromium: Browser, page_of_everything: Path
) -> None:
    with opened(chromium, page_of_everything, width=360) as page:
        box = page.locator(".wb-switch figure .scroll").first
        wide = "box => [box.clientWidth, box.scrollWidth]"
        shown, whole = box.evaluate(wide)
        assert 250 < whole <= shown
        page.get_by_role("combobox", name="Abstraction").focus()
        page.keyboard.press("Tab")
        larger = page.get_by_role("button", name="Full size")
        assert larger.evaluate("button => button === document.activeElement")
        page.keyboard.press("Enter")
        assert larger.get_attribute("aria-pressed") == "true"
        shown, whole = box.evaluate(wide)
        assert whole > 1.5 * shown
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.keyboard.press("Enter")
        shown, whole = box.evaluate(wide)
        assert whole <= shown
    with opened(chromium, page_of_everything) as page:  # no need for it
        assert page.get_by_role("button", name="Full size").count() == 0


def everybody_can_read(browser: Browser, path: Path, look: str = "dark", width: int = 360) -> None:
    with opened(browser, path, look, width) as page:
        assert violations(page) == []


def written(folder: Path, name: str) -> Path:
    """The page of one of our notebooks."""
    source = next(path for path in notebooks() if key(path) == name)
    return write_report(source, folder / "page.html").path


@pytest.mark.parametrize(("look", "width"), LOOKS)
def test_everybody_can_read_it(
    chromium: Browser, page_of_everything: Path, look: str, width: int
) -> None:
    everybody_can_read(chromium, page_of_everything, look, width)


@pytest.mark.parametrize(
    "name", ["01", *(pytest.param(n, marks=pytest.mark.slow) for n in ("00", "08", "10"))]
)
def test_everybody_can_read_a_notebook(chromium: Browser, tmp_path: Path, name: str) -> None:
    everybody_can_read(chromium, written(tmp_path, name))


def test_every_choice_can_be_read_in_the_dark(chromium: Browser, tmp_path: Path) -> None:
    """With room for all columns, and whatever is chosen; verdicts about moves have colours."""
    session = Session("kuhn", seed=1)
    for _ in range(6):
        session.deal()
        while session.asked is not None:
            session.play(session.asked.actions[-1])
    reviews = {k: review_html(session.review(k), session.names) for k in range(1, 7)}
    shown = display(_bundle(wb.widgets.switch(reviews, label="Hand")))
    cell = new_code_cell("switch", outputs=[shown], execution_count=1)
    with opened(chromium, reported(tmp_path, cell).path, "dark") as page:
        page.evaluate("document.querySelectorAll('figure').forEach(f => f.hidden = false)")
        assert page.locator(".wb-good").first.is_visible()
        assert page.locator(".wb-bad").first.is_visible()
        assert violations(page, ".wb-switch", ["color-contrast"]) == []


def test_everybody_can_read_runs_and_the_first_page(chromium: Browser, tmp_path: Path) -> None:
    run = wb.solve(wb.load_game("kuhn"), "cfr+", 20)
    everybody_can_read(chromium, write_report(run, tmp_path / "run.html").path)
    lessons = [lesson(nbformat.read(source, as_version=4), source) for source in notebooks()]
    (tmp_path / "index.html").write_text(first_page(lessons), "utf-8")
    everybody_can_read(chromium, tmp_path / "index.html")


def test_the_search_works_from_the_disk(chromium: Browser, tmp_path: Path) -> None:
    pages = []
    for path in notebooks():
        if key(path) in ("01", "02", "12", "glossary"):
            text, _ = notebook_page(read_notebook(path), path, search="search.html")
            pages.append(save(tmp_path / f"{path.stem}.html", text))
    long = f"<main><h1 id='l'>Ledger</h1><h2 id='h'>{'every quetzalcoatl and ' * 20}</h2>"
    pages.insert(0, save(tmp_path / "long.html", long))
    search = write_search(tmp_path, pages, "").path
    everybody_can_read(chromium, search)
    with opened(chromium, search) as page:
        field, found = page.get_by_role("searchbox"), page.locator("#results a")
        field.fill("Reach probability")
        places = [one.get_attribute("href") or "" for one in found.all()]
        assert places[0] == "glossary.html#reach"
        assert places[1].startswith("02-how-does-regret")  # where it is taught
        assert page.locator("#results mark").first.inner_text().lower() in ("reach", "probability")
        field.fill("no such wörd anywhere")
        assert page.get_by_role("status").inner_text() == "Nothing has all of these words."
        assert found.count() == 0
        field.fill("exploitability")  # what is called so comes first
        assert found.first.get_attribute("href") == "glossary.html#exploitability"
        said = page.get_by_role("status")
        for asked, same in [
            ("exploitability.", "exploitability"),
            ("=reach probability.", "reach probability"),
            ("reach-probability", "reach probability"),
            ("Regret-matching", "regret matching"),
            ("best-response", "best response"),
        ]:
            field.fill(same)
            count, first = said.inner_text(), found.first.get_attribute("href")
            assert "sections" in count
            field.fill(asked)
            assert (said.inner_text(), found.first.get_attribute("href")) == (count, first)
        for asked in ("7/18", "cfr+", "wb.solve", "bets", "studies"):
            field.fill(asked)
            assert "section" in said.inner_text(), asked
        field.fill("quetzalcoatl")
        assert len(found.inner_text()) < 122
        assert found.inner_text().endswith("every quetzalcoatl and every …")
        field.fill("a")
        assert {mark.lower() for mark in page.locator("#results mark").all_inner_texts()} == {"a"}
        for asked in ("ploitability", "rowser"):  # in the middle of a word
            field.fill(asked)
            assert said.inner_text() == "Nothing has all of these words."
        field.fill(" ( ")  # no word at all
        assert said.inner_text().startswith("Words, in any ending")
        assert found.count() == 0
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.goto(pages[-1].path.as_uri())
    page.keyboard.press("/")
    page.keyboard.type("regret matching")
    page.keyboard.press("Enter")
    page.locator("#results a").first.click()
    page.wait_for_url(lambda url: "search.html" not in url)
    assert page.locator(":target").count() == 1
    context.close()


@pytest.mark.slow
def test_everybody_can_read_the_reference(chromium: Browser, tmp_path: Path) -> None:
    for report in write_reference(tmp_path):
        everybody_can_read(chromium, report.path, "light", 360)


@pytest.mark.slow
def test_everybody_can_read_the_ledger(chromium: Browser, tmp_path: Path) -> None:
    write_ledger(tmp_path / "ledger.html")
    for look, width in (("dark", 1200), ("light", 360)):
        everybody_can_read(chromium, tmp_path / "ledger.html", look, width)


def test_the_buttons_save_a_run_and_the_notebook(
    chromium: Browser, lab: Server, show: Show
) -> None:
    """Pressed in JupyterLab, opened without a network."""
    notebook = show(
        "panel = wb.widgets.SolverPanel('kuhn', iterations=100)\npanel",
        "wb.widgets.report_button()",
    )
    notebook.find("wb-start").click()
    notebook.find("wb-progress").filter(has_text="done").wait_for()
    notebook.find("wb-solver-panel").locator(".wb-report").click()
    said = notebook.find("wb-message")
    said.filter(has_text="Saved kuhn-cfr+-100-seed-0.html").wait_for()
    notebook.save()
    notebook.find("wb-report-panel").locator(".wb-report").click()
    said.filter(has_text="Saved test").wait_for()
    pages = sorted(lab.folder.glob("*.html"))
    assert pages[0].name == "kuhn-cfr+-100-seed-0.html"
    assert pages[1].with_suffix(".ipynb").exists()
    for path, words in zip(pages, ("cfr+ on kuhn", "Solver panel"), strict=True):
        with opened(chromium, path) as page:
            page.get_by_text(words).first.wait_for()
            assert all(image.get_attribute("alt") for image in page.locator("img").all())
