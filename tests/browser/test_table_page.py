"""The card table in a page, in a real browser: it plays, and judges as the live table does."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import workbench as wb
from tests.browser.test_reports import opened, violations
from tests.own_game import SpokenKuhn4
from workbench.games.words import situation
from workbench.lab.play.felt import felt
from workbench.lab.play.hand_record import Hand, histories
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.reports.writing import write_report

pytestmark = pytest.mark.browser

PLAY = """([hands, seed]) => new Promise(done => {
  const box = document.querySelector("[data-table]"), found = [];
  const lines = where => [...box.querySelectorAll(where)].map(each => each.textContent);
  box.addEventListener("hand", ({detail}) => found.push({
    at: detail.at, seat: detail.seat, payoff: detail.payoff, value: detail.value,
    cost: detail.cost, luck: detail.luck, summary: lines(".judged > p")[0],
    verdicts: lines(".judged li span"), saw: lines(".judged li div"), log: lines(".wb-log li"),
    now: lines(".wb-now")[0], felt: box.querySelector(".felt").innerHTML,
  }));
  HTMLElement.prototype.focus = () => {};  // it lays the page out, which is most of the work
  while (found.length < hands) {
    const buttons = [...box.querySelectorAll(".moves .main")];
    seed = (seed * 1103515245 + 12345) % 2147483648;
    buttons[Math.floor(seed / 65536) % buttons.length].click();
  }
  done(found);
})"""


def spoken(html: str) -> list[str]:
    """All texts of a table, the names of its cards among them, in order."""
    return [unescape(text) for text in re.findall(">([^<]+)<", html)]


def check(session: Session, found: list[dict[str, Any]]) -> None:
    """Each hand, as the live table sees and judges it."""
    rules, players = session.rules, session.players
    ends = {hand["at"] for hand in found}
    walk = histories(session.book.tree(rules), rules)
    played = {h: steps for h, _, steps, _ in walk if h in ends}
    for number, hand in enumerate(found):
        seat = number % players
        assert hand["seat"] == seat  # seats go round
        seats = tuple((one - seat) % players for one in range(players))
        moves = tuple((step.player, step.what) for step in played[hand["at"]])
        session.played = (Hand(number + 1, rules, seats, moves),)
        view, live = SessionView(session), session.review(session.played[0])
        for name in ("payoff", "value", "cost", "luck"):
            assert hand[name] == pytest.approx(getattr(live, name), abs=1e-12), name
        assert hand["summary"] == live.summary
        assert hand["verdicts"] == [str(verdict) for verdict in live.verdicts]
        assert hand["log"] == view.told
        assert hand["now"] == ". ".join([*view.told[-1:], view.result]) + "."
        drawn = felt(view.scene(), view.names, view.you, view.words, -1, view.result)
        assert spoken(hand["felt"]) == spoken(drawn)
        saw = []
        for verdict in live.verdicts:
            before = live.hand.steps[: live.hand.steps.index(verdict.step)]
            saw.append(situation(view.words, before, verdict.step.seen, view.names, seat) + ".")
        assert hand["saw"] == saw


def play(page: Page, hands: int) -> list[dict[str, Any]]:
    page.locator(".wb-felt").wait_for()
    found: list[dict[str, Any]] = page.evaluate(PLAY, [hands, 1])
    return found


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> tuple[Session, Path]:
    session = Session("leduc")
    path = tmp_path_factory.mktemp("table") / "table.html"
    assert write_report(session, path).size < 1_500_000
    return session, path


def test_a_thousand_hands_are_judged_as_at_the_live_table(
    chromium: Browser, leduc: tuple[Session, Path]
) -> None:
    session, path = leduc
    with opened(chromium, path, place="#seed=5") as page:
        found = play(page, 1000)
    check(session, found)
    luck, cost = (np.array([hand[name] for hand in found]) for name in ("luck", "cost"))
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))  # against an equilibrium it is 0
    assert cost.mean() > 0.5
    assert len({hand["at"] for hand in found}) > 500


@pytest.mark.parametrize(
    ("game", "options", "opponent"),
    [
        ("kuhn", {}, "always-bet"),
        ("no_limit_kuhn", {}, "uniform"),
        ("toepen", {"suits": 2, "suit_isomorphism": True}, "equilibrium"),
        ("odd_one_out", {}, "equilibrium"),  # for three
        (SpokenKuhn4(), None, "uniform"),
        pytest.param(
            "leduc", {"players": 3, "suit_isomorphism": True}, "equilibrium", marks=pytest.mark.slow
        ),
    ],
)
def test_any_game_is_played_by_the_same_script(
    chromium: Browser, tmp_path: Path, game: Any, options: Any, opponent: str
) -> None:
    session = Session(game, options=options, opponent=opponent)
    path = write_report(session, tmp_path / "table.html").path
    with opened(chromium, path, place="#seed=2") as page:
        check(session, play(page, 150))


@pytest.mark.parametrize(("look", "width"), [("light", 1280), ("dark", 390)])
def test_mouse_and_keyboard(
    chromium: Browser, leduc: tuple[Session, Path], look: str, width: int
) -> None:
    with opened(chromium, leduc[1], look, width, place="#seed=7") as page:
        now, moves = page.locator(".wb-now"), page.locator(".moves button")
        moves.first.wait_for()
        assert now.text_content() == "You hold the Jack of spades. Your move?"
        assert moves.all_text_contents() == ["Check", "Bet (2)", "Hint"]
        page.keyboard.press("h")
        assert str(now.text_content()).startswith("The equilibrium: check ")
        assert violations(page) == []
        page.keyboard.press("c")  # the first hand by letters
        while page.get_by_role("button", name="Next hand").count() == 0:
            page.keyboard.press("2")  # and by numbers
        assert "for the seat" in page.locator(".judged").inner_text()
        page.keyboard.press("n")
        assert page.locator(".score").inner_text().startswith("Hand 2 · Player 2 begins")
        while page.get_by_role("button", name="Next hand").count() == 0:
            moves.first.click(delay=20)
        for details in page.locator(".wb-play details").all():
            details.locator("summary").click()
        assert page.locator(".past li").count() == 2
        assert all((box.bounding_box() or {})["height"] >= 44 for box in moves.all())
        assert violations(page) == []


def test_a_key_that_is_held_down_is_one_move(
    chromium: Browser, leduc: tuple[Session, Path]
) -> None:
    with opened(chromium, leduc[1], place="#seed=7") as page:
        page.locator(".moves .main").first.wait_for()  # before the table is there keys do nothing
        for key in ("c", "Enter"):  # the focus is on the first move
            for _ in range(4):
                page.keyboard.down(key)
            page.keyboard.up(key)
        told = ["You are dealt the Jack of spades", "You check", "Player 2 bets", "You fold"]
        assert page.locator(".wb-log li").all_text_contents() == told
        assert page.locator(".score").inner_text().startswith("Hand 1 ")
        assert "1 hand so far: net −1.00 chips, " in page.locator(".total").inner_text()


def test_cards_of_others_are_shown_when_asked(
    chromium: Browser, leduc: tuple[Session, Path]
) -> None:
    with opened(chromium, leduc[1], place="#seed=7") as page:
        for _ in range(40):
            fold = page.get_by_role("button", name="Fold")
            (fold if fold.count() else page.locator(".moves .main").first).click(delay=300)
            if (asked := page.get_by_role("button", name="Show cards")).count():
                break
        hidden = page.locator(".felt svg[aria-label='face-down card']")
        assert hidden.count() == 1
        asked.click()
        assert hidden.count() == 0
        assert asked.count() == 0


def test_a_run_brings_its_table(chromium: Browser, tmp_path: Path) -> None:
    run = wb.solve(wb.load_game("kuhn"), "cfr", 3)
    with opened(chromium, write_report(run, tmp_path / "run.html").path, "dark", 390) as page:
        assert page.locator(".wb-felt").count() == 0
        page.get_by_role("button", name="Play a hand").click()
        assert len(play(page, 20)) == 20
        assert violations(page) == []
