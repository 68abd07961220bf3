"""Studies: a spot made, sent and opened again, at the table, in the browser and in a page."""

from __future__ import annotations

import pytest

import workbench as wb
from tests.lab.play.test_session import BOOK, SMALL, play_on
from tests.lab.widgets.helpers import SOON, press, said, text
from tests.own_game import SpokenKuhn4
from workbench.lab.cli.main import main
from workbench.lab.play.session import Session
from workbench.lab.play.studies import Study
from workbench.lab.widgets import GameBrowser, PlayTable
from workbench.rules import GameError

SAID = "Is it a call?\n-> call: it *may* be\n\nNot *always*."


def spot(study: Study) -> tuple[object, ...]:
    return study.seat, study.node, study.moves, study.lines, study.comment, study.content


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kuhn", {}),
        ("leduc", {"players": 3, "ranks": 2, "suit_isomorphism": True}),
        ("toepen", SMALL),
        ("rhode_island", {"ranks": 3, "suits": 2}),
        ("bluff", {}),
    ],
)
def test_every_spot_of_some_hands_is_saved_and_read_again(game, options, tmp_path):
    session = Session(game, options=options, seed=2, book=BOOK)
    made = 0
    for _ in range(4):
        session.deal()
        while session.asked is not None:
            asked = session.asked
            move = session.words.move(asked.actions[-1], asked.seen, asked.actions)
            study = Study.at(session, f"Look.\n→ {move}: because", "A title")
            assert (study.seat, study.node.seen) == (asked.player, asked.seen)
            assert study.moves == session.moves
            assert study.lines[0].moves == ((asked.player, asked.actions[-1]),)
            worth = session.judge(session.rules).worth(asked.player, asked.seen)
            assert [row[1] for row in study.content.worth] == pytest.approx(worth.values, abs=1e-6)
            again = Study.load(study.save(tmp_path / "spot.toml"))
            assert spot(again) == spot(study)
            assert again.rules == session.rules
            made += 1
            session.play(asked.actions[-1])
    assert made >= 2


def test_a_study_of_holdem_has_deals_of_several_cards(tmp_path):
    holdem = wb.load_game("limit_holdem")
    study = Study.of(holdem, ["K♥ A♥", "7♦ 7♠", "r", "c", "2♣ J♥ Q♥"], SAID.replace("call", "bet"))
    again = Study.load(study.save(tmp_path / "flop.toml"))
    assert spot(again) == spot(study)
    assert (again.seat, again.node.seen) == (1, ("7♦ 7♠", "2♣ J♥ Q♥", "rc/"))


def test_the_costliest_decision_of_a_hand_that_is_over():
    session = play_on(Session("leduc", seed=3, book=BOOK), 3)
    worst = max(session.review(-1).verdicts, key=lambda verdict: verdict.cost)
    study = Study.at(session)
    assert (study.seat, study.node.seen) == (worst.step.player, worst.step.seen)
    shown = text(study._repr_html_())
    assert "A study" in shown
    assert session.words.number(worst.worth.values.max()) in shown
    with pytest.raises(GameError, match="no decision to save"):
        Study.at(Session("kuhn", book=BOOK))


def test_one_s_own_game_and_what_is_refused(tmp_path):
    own = SpokenKuhn4()
    path = Study.of(own, ["Q", "J", "p", "b"], SAID).save(tmp_path / "own.toml")
    assert Study.load(path, own).arrows == ("c: it *may* be",)
    assert "<em>always</em>" in Study.load(path, own)._repr_html_()
    with pytest.raises(GameError, match="give the rules of 'spoken kuhn4'"):
        Study.load(path)
    good = Study.of(wb.load_game("kuhn"), ["Q", "J", "p", "b"], SAID).save(path).read_text("utf-8")
    for old, new, says in [
        ("Q → J", "Q → Q", "there is no 'Q' after 'Q'; there are J, K"),
        ("p → b", "p → b → p", "nobody decides after"),
        ('"b: it', '"c: it', "arrow 'c: it .*there is no 'c'; there are p, b"),
        ('"b: it', '"b → b: it', "there is no 'b' after 'b'; it is over"),
        ('"kuhn"', '"khun"', "there is no game 'khun'; did you mean 'kuhn'"),
        ('"kuhn"', '"own.py:Kuhn"', "there is no game"),
        ('kind = "study"', 'kind = "session"', "is no study"),
        ("format = 1", "format = 2", "newer workbench"),
        ('comment = "', "comment = ", "is no study: "),
        ("moves = ", "move = ", "no field 'move'; did you mean 'moves'"),
        ("options = {}", 'worth = [["b"]]', "worth must be rows"),
        ("options = {}", "options = {card = 3}", "no option 'card'; did you mean 'cards'"),
    ]:
        assert old in good
        path.write_text(good.replace(old, new), encoding="utf-8")
        with pytest.raises(GameError, match=says) as refused:
            Study.load(path)
        assert str(path) in str(refused.value)
    with pytest.raises(GameError, match="there is no file"):
        Study.load(tmp_path / "none.toml")
    hostile = Study.of(own, ["Q", "J"], "<img src=x onerror=alert(1)>", "<b>")
    assert "<img" not in hostile._repr_html_()


def test_made_at_the_table_sent_and_opened_there_in_the_browser_and_as_a_page(
    tmp_path, panels, capsys
):
    table = panels(PlayTable, "leduc", seat=0, seed=3)
    assert table.wait(SOON)
    asked = table.session.asked
    table.studies.title.value, table.studies.text.value = "First move", "Quiet.\n-> check -> bet"
    table.studies.file.value = str(path := tmp_path / "spot.toml")
    press(table, "save_study")
    assert "written to" in said(table)
    study = Study.load(path)
    assert asked is not None
    assert (study.seat, study.node.seen, study.arrows) == (0, asked.seen, ("c → r",))

    other = panels(PlayTable, "kuhn")  # a table of another game goes to it
    assert other.wait(SOON)
    other.studies.file.value = str(path)
    press(other, "open_study")
    begun = panels(PlayTable, study)
    assert begun.wait(SOON)
    for one in (other, begun):
        assert one.session.asked.seen == asked.seen
        assert one.session.moves == study.moves
        assert "Quiet" in one.studies.shown.value
        assert one.score.value.startswith("Practice")
        one.moves[0].click()
        assert not one.session.hands

    browser = panels(GameBrowser, study)
    assert browser.path == study.line.split(" → ")
    assert len(browser._arrows) == len(study.moves) + 1 + 2  # the way, and the arrow's two moves
    browser.go((*browser.path, "c"))
    browser.studies.text.value, browser.studies.file.value = "-> r", str(tmp_path / "b.toml")
    press(browser, "save_study")
    saved = Study.load(tmp_path / "b.toml")
    assert (saved.seat, saved.arrows) == (1, ("r",))
    assert [row[0] for row in saved.content.worth] == ["c", "r"]
    browser.studies.file.value = str(path)
    press(browser, "open_study")
    assert browser.path == study.line.split(" → ")
    kuhn = panels(GameBrowser, "kuhn")
    kuhn.studies.file.value = str(path)
    press(kuhn, "open_study")
    assert "this is a study of" in said(kuhn)

    assert main(["report", str(path), "-o", str(tmp_path / "spot.html")]) == 0
    assert "spot.html" in capsys.readouterr().out
    page = text((tmp_path / "spot.html").read_text("utf-8"))
    assert "First move" in page
    assert "check → bet" in page
