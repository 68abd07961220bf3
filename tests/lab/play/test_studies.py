"""Studies: a spot made, sent and opened again, at the table, in the browser and in a page."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

import workbench as wb
from tests.lab.play.test_session import BOOK, SMALL, play_on
from tests.lab.widgets.helpers import SOON, press, said, text
from tests.own_game import SpokenKuhn4
from workbench.lab.play.session import Session
from workbench.lab.play.studies import Study
from workbench.lab.widgets import GameBrowser, PlayTable
from workbench.rules import GameError

SAID = "Is it a call?\n-> call: it *may* be\n\nNot *always*."


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kuhn", {}),
        ("leduc", {"players": 3, "ranks": 2, "suit_isomorphism": True}),
        ("toepen", SMALL),
        ("rhode_island", {"ranks": 2, "suits": 2}),
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
            assert (study.node.player, study.node.seen) == (asked.player, asked.seen)
            assert study.steps == session.steps
            ((steps, remark),) = study.lines
            assert ([step.what for step in steps], remark) == ([asked.actions[-1]], "because")
            worth = session.judge(session.rules).worth(asked.player, asked.seen)
            assert [row[1] for row in study.worth] == pytest.approx(worth.values, abs=1e-6)
            again = Study.load(study.save(tmp_path / "spot.toml"))
            assert again == study
            assert again.rules == session.rules
            made += 1
            session.play(asked.actions[-1])
    assert made >= 2


def test_a_study_of_holdem_has_deals_of_several_cards(tmp_path):
    holdem = wb.load_game("limit_holdem")
    study = Study.of(holdem, ["K♥ A♥", "7♦ 7♠", "r", "c", "2♣ J♥ Q♥"], SAID.replace("call", "bet"))
    again = Study.load(study.save(tmp_path / "flop.toml"))
    assert again == study
    assert (again.node.player, again.node.seen) == (1, ("7♦ 7♠", "2♣ J♥ Q♥", "rc/"))


def test_the_costliest_decision_of_a_hand_that_is_over():
    session = play_on(Session("leduc", seed=3, book=BOOK), 3)
    worst = max(session.review(-1).verdicts, key=lambda verdict: verdict.cost)
    study = Study.at(session)
    assert (study.node.player, study.node.seen) == (worst.step.player, worst.step.seen)
    shown = text(study._repr_html_())
    assert "A study of Leduc poker" in shown
    assert session.words.number(worst.worth.values.max()) in shown
    with pytest.raises(GameError, match="no decision to save"):
        Study.at(Session("kuhn", book=BOOK))


def test_one_s_own_game(tmp_path):
    own = SpokenKuhn4()
    path = Study.of(own, ["Q", "J", "p", "b"], SAID).save(tmp_path / "own.toml")
    again = Study.load(path, own)
    assert [step.what for step in again.lines[0][0]] == ["c"]
    assert "<em>always</em>" in again._repr_html_()
    with pytest.raises(GameError, match="give the rules of 'spoken kuhn4'"):
        Study.load(path)
    other = wb.load_game("game kuhn\nplayer 1 sees Q\n  p: pays 0 0\n  b: pays 1 -1")
    path = Study.of(other, []).save(tmp_path / "other.toml")
    with pytest.raises(GameError, match="give the rules of 'kuhn'"):
        Study.load(path)
    hostile = Study.of(own, ["Q", "J"], "<img src=x onerror=alert(1)>", "<b>")
    assert "<img" not in hostile._repr_html_()


def test_game_and_moves_are_enough(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text('\ufeffgame = "kuhn"\r\nmoves = "Q -> J -> pass -> bet"\r\n', encoding="utf-8")
    study = Study.load(path)
    assert (study.node.seen, str(study)) == (("Q", "pb"), "A study of Kuhn poker")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Q → J", "Q → Q", "move 2: chance cannot choose 'Q'; chance has the choice of J, K"),
        ("p → b", "p → b → p", "nobody decides after"),
        ('"-> call: it', '"-> cal: it', "move 5: seat 1 cannot choose 'cal'"),
        ('"-> call: it', '"-> call -> call: it', "move 6: 'call' comes after the end"),
        ('"-> call: it', '"->: it', "arrow '->: it .*has no move"),
        ('["-> call: it *may* be"]', '"call"', "arrows must be a list of texts"),
        ('"kuhn"', '"khun"', "there is no game 'khun'; did you mean 'kuhn'"),
        ('"kuhn"', '"own.py:Kuhn"', "there is no game"),
        ("moves = ", 'kind = "session"\nmoves = ', "kind must be 'study', not 'session'"),
        ("moves = ", "format = 2\nmoves = ", "format must be 1, not 2"),
        ('comment = "', "comment = ", "is no TOML: "),
        ("moves = ", "move = ", "no field 'move'; did you mean 'moves'"),
        ("moves = ", 'worth = [["b"]]\nmoves = ', "worth has a move, its value"),
        ("moves = ", 'worth = [["x", 1, 1]]\nmoves = ', "worth has a move, its value"),
        ("moves = ", 'worth = [["b", inf, 1]]\nmoves = ', "worth of 'b' must be a number"),
        ("moves = ", 'worth = [["b", 1, nan]]\nmoves = ', "probability of 'b' must be a number"),
        ("moves = ", "options = {card = 3}\nmoves = ", "no option 'card'; did you mean 'cards'"),
    ],
)
def test_what_cannot_be_played_is_refused(old, new, says, tmp_path):
    kuhn = wb.load_game("kuhn")
    path = Study.of(kuhn, ["Q", "J", "p", "b"], SAID).save(tmp_path / "spot.toml")
    good = path.read_text("utf-8")
    assert old in good
    assert "options" not in good  # there are none to be said
    path.write_text(good.replace(old, new), encoding="utf-8")
    with pytest.raises(GameError, match=says) as refused:
        Study.load(path)
    assert str(path) in str(refused.value)


def test_made_at_the_table_sent_and_opened_there_in_the_browser_and_as_a_page(
    tmp_path, panels, output
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
    assert (study.node.player, study.node.seen) == (0, asked.seen)
    assert study.arrows == ("-> check -> bet",)

    other = panels(PlayTable, "kuhn")  # a table of another game goes to it
    assert other.wait(SOON)
    other.studies.file.value = str(path)
    press(other, "open_study")
    begun = panels(PlayTable, study)
    assert begun.wait(SOON)
    for one in (other, begun):
        assert one.session.asked.seen == asked.seen
        assert one.session.steps == study.steps
        assert "Quiet" in one.studies.shown.value
        assert one.score.value.startswith("Practice")
        one.moves[0].click()
        assert not one.session.hands

    browser = panels(GameBrowser, study)
    assert browser.path == study.moves.split(" → ")
    assert len(browser._arrows) == len(study.steps) + 1 + 2  # the way, and the arrow's two moves
    browser.go((*browser.path, "c"))
    browser.studies.text.value, browser.studies.file.value = "-> r", str(tmp_path / "b.toml")
    press(browser, "save_study")
    saved = Study.load(tmp_path / "b.toml")
    assert (saved.node.player, saved.arrows) == (1, ("-> r",))
    assert [row[0] for row in saved.worth] == ["c", "r"]
    browser.studies.file.value = str(path)
    press(browser, "open_study")
    assert browser.path == study.moves.split(" → ")
    kuhn = panels(GameBrowser, "kuhn")
    kuhn.studies.file.value = str(path)
    press(kuhn, "open_study")
    assert "this is a study of" in said(kuhn)

    assert "spot.html" in output(f"report {path} -o {tmp_path}/spot.html")
    page = text((tmp_path / "spot.html").read_text("utf-8"))
    assert "First move" in page
    assert "check → bet" in page


@pytest.mark.parametrize("kind", ["Dice.py", "Rolls.efg"])
def test_the_panel_that_saved_a_study_of_a_game_from_a_file_opens_it(
    kind, tmp_path, panels, monkeypatch, output, refused
):
    """Under a name that the list of games knows already: people call both Dice."""
    monkeypatch.chdir(tmp_path)
    own = f"{Path(kind).stem}.py"
    output("new", own)
    if kind != own:
        wb.to_efg(wb.compile_game(wb.load_game(own, sides=2)), kind)
    for panel, at in ((PlayTable, {"seat": 0}), (GameBrowser, {"at": ("1", "2")})):
        made = panels(panel, kind, **at)
        assert made.wait(SOON)
        made.studies.file.value = f"{panel.__name__}.toml"
        press(made, "save_study")
        made.studies.title.value = "Nobody has said it yet"
        press(made, "open_study")
        assert not said(made)
        assert made.studies.shown.value
    assert made.path == ["1", "2"]
    assert "in a shell --play GAME" in refused("report PlayTable.toml")
    for study in ("PlayTable.toml", "GameBrowser.toml"):
        output(f"report {study} --play {kind}")
    assert {path.name for path in Path().glob("*.html")} == {"PlayTable.html", "GameBrowser.html"}
    other = panels(GameBrowser, "kuhn")
    other.studies.file.value = "PlayTable.toml"
    press(other, "open_study")
    assert "not of 'kuhn'" in unescape(said(other))


def test_every_study_has_a_page_of_its_own(tmp_path, monkeypatch, output):
    monkeypatch.chdir(tmp_path)
    kuhn = wb.load_game("kuhn")
    for name, title in (("one.toml", "Call?"), ("two.v2.toml", "A/B: bet")):
        study = Study.of(kuhn, ["Q", "J", "p", "b"], SAID, title)
        assert f"{Path(name).stem}.html" in output(f"report {study.save(name)}")
        wb.write_report(study)
    names = {path.name for path in tmp_path.glob("*.html")}
    assert names == {"one.html", "two.v2.html", "study-Call.html", "study-A-B-bet.html"}
