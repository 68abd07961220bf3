"""Drills: what is asked, what it costs, what comes back and when, and the file that remembers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import workbench as wb
from tests.lab.play.test_session import BOOK, SMALL
from tests.own_game import SpokenKuhn4
from workbench.lab.play.drills import Drill, DrillQuestion
from workbench.lab.play.hand_record import line_of
from workbench.lab.play.session import Session
from workbench.poker.cards.hand_classes import NAMES
from workbench.rules import GameError

GAMES: list[tuple[Any, dict[str, Any]]] = [
    ("kuhn", {}),
    ("leduc", {}),
    ("toepen", SMALL),
    ("rhode_island", {"ranks": 2, "suits": 2}),
    ("leduc", {"players": 3, "ranks": 2, "suit_isomorphism": True}),
    (SpokenKuhn4(), {}),
]


def made(game: Any, options: Any = None, seed: int = 0, **settings: Any) -> Drill:
    return Drill(Session(game, options=options, seed=seed, book=BOOK), **settings)


def pick(question: DrillQuestion, which: Any = max) -> Any:
    costs = {action: choice.cost for action, choice in question.choices.items()}
    return which(costs, key=costs.__getitem__)


def drilled(drill: Drill, which: Any = max) -> list[str]:
    """The spots that were asked, each answered as badly or as well as one can."""
    asked = []
    while question := drill.ask():
        asked.append(question.spot)
        drill.answer(pick(question, which))
    return asked


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_twenty_questions_with_the_costs_and_the_words_of_the_table(game, options):
    drill = made(game, options)
    drilled(drill)
    assert len(drill.given) == 20
    for question, choice in drill.given:
        asked, table = question.at.asked, Session(game, options=options, book=BOOK)
        table.set_up(question.at.moves, asked.player)
        assert table.asked.seen == asked.seen
        table.play(pick(question))
        while table.asked:
            table.play(table.asked.actions[0])
        hand = table.played[-1]
        verdict = table.review(hand).verdicts[hand.practice - 1]
        assert (choice.cost, choice.said) == (verdict.cost, str(verdict))
        assert choice.cost >= verdict.small
        assert {one.cost == 0 for one in question.choices.values()} == {True, False}
    lost = drill.words.amount(sum(choice.cost for _, choice in drill.given))
    assert drill.summary[0] == f"0 of 20 right, {lost} given away"
    assert sum(int(line.partition(" ×")[0]) for line in drill.summary[1:]) == 20
    with pytest.raises(GameError, match="is over"):
        drill.answer(asked.actions[0])
    right = made(game, options)
    drilled(right, min)
    assert right.summary == [f"20 of 20 right, {right.words.amount(0.0)} given away"]


def test_what_is_missed_comes_back_after_three_others_and_then_later_and_later():
    drill = made("leduc", questions=60)
    first = drill.ask()
    drill.answer(pick(first))  # the first one only
    asked = [first.spot, *drilled(drill, min)]
    places = [k for k, spot in enumerate(asked) if spot == asked[0]]
    assert places == [0, 4, 4 + 1 + 9, 14 + 1 + 27]
    assert len(set(asked)) == 60 - 3  # everything else was new


def test_a_street_and_a_spot():
    for question, _ in made("leduc", street="flop").deck:
        assert question.at.asked.seen[1]
    for question, _ in made("leduc", spot="crc/*", street=2).deck:
        assert line_of(question.at.steps) == question.at.asked.seen[2]
        assert question.at.asked.seen[2].startswith("crc/")
    assert Drill("leduc", seed=3).name == made("leduc", seed=3).name == "Leduc poker, seed 3"
    seats = {one.at.asked.player for one, _ in Drill(Session("leduc", seat=1, book=BOOK)).deck}
    assert seats == {1}
    for settings, says in [
        ({"street": "flopp"}, "did you mean 'flop'"),
        ({"street": 0}, "there is no street '0'"),
        ({"street": 9}, "no hand comes to Leduc poker, street 9"),
        ({"spot": "zz"}, "no hand comes to Leduc poker, after zz"),
        ({"questions": 0}, "questions must be"),
        ({"seed": "now"}, "seed must be a whole number"),
    ]:
        with pytest.raises(GameError, match=says):
            Drill("leduc", **settings)  # nothing is solved for that
    with pytest.raises(GameError, match="no choice made a difference"):
        assert made("rock_paper_scissors").deck
    with pytest.raises(GameError, match=r"'forgetful' a player forgets.*--no-review --iterations"):
        Drill(Session("forgetful", iterations=100))
    for session, says in [
        (Session("limit_holdem", options={"players": 3}), "for two players here, not for 3"),
        (Session("toepen", match=15), "Give a session without a match"),
    ]:
        with pytest.raises(GameError, match=rf"single hands with review\..*{says}"):
            Drill(session)


def test_a_file_goes_on_where_it_was_left(tmp_path):
    file = tmp_path / "mine.json"
    whole = drilled(made("leduc", questions=20))
    part, parts = made("leduc", questions=20, file=file), []
    for _ in range(7):
        parts.append(part.ask().spot)
        part.answer(pick(part.ask()))
    again = made("leduc", questions=20, file=file)
    parts += drilled(again)[:13]
    assert parts == whole
    drilled(made("kuhn", questions=2, file=file))  # another deck in the same file
    assert [one.spot for one, _ in made("leduc", questions=20, file=file).deck] == [
        one.spot for one, _ in again.deck
    ]
    for text, says in [
        (file.read_text("utf-8") + "\n}", r"mine.json is damaged.*line \d\d+, column 1 is no JSON"),
        ("[]", "mine.json is damaged .*; name another file"),
        ('{"Kuhn poker, seed 0": 3}', "no table of tables"),
        ('{"Kuhn poker, seed 0": {"spot": "often"}}', "no table of tables"),
    ]:
        file.write_text(text, "utf-8")
        with pytest.raises(GameError, match=says):
            made("kuhn", file=file)


def test_the_terminal_asks_judges_and_sums_up():
    lines: list[str] = []
    answers = iter(["h", "?", "u", "nonsense", *["1"] * 20])
    drill = made("leduc", seed=3)
    assert not drill.run(lambda prompt: next(answers), lines.append)
    screen = "\n".join(lines)
    told = ("Leduc poker: 20 questions.", "Question 1 of 20", "The equilibrium:", "? this help",
            "no move 'u'", "no move 'nonsense'", "Question 20", drill.summary[0], "×")  # fmt: skip
    places = [screen.find(text) for text in told]
    assert places[0] > -1
    assert places == sorted(places)
    assert "take back" not in screen  # there is nothing to take back
    assert screen.count("✓") == 20 - screen.count("✗")
    assert 0 < screen.count("✗") < 20


def test_the_chart_in_the_terminal():
    lines: list[str] = []
    drill = Drill(Session("limit_holdem", iterations=20), street="preflop", questions=3)
    drill.run(lambda prompt: "1", lines.append)
    assert "Judged within buckets" in lines[1]
    chart = [line.split() for line in lines[-1].splitlines()]
    assert {len(row) for row in chart} == {13}
    for k, cell in enumerate(cell for row in chart for cell in row):
        costs = [choice.cost for question, choice in drill.given if question.hand == k]
        said = drill.words.number(max(costs)) if any(costs) else "✓"
        assert cell == (said if costs else NAMES[k])


def test_the_command(tmp_path, output, refused, monkeypatch):
    page, own = tmp_path / "kuhn.html", tmp_path / "own.json"
    assert "kuhn.html" in output(f"drill kuhn --seed 1 -o {page}")
    text = page.read_text(encoding="utf-8")
    assert '<h1 id="drill-kuhn-poker">Drill: Kuhn poker</h1>' in text
    assert text.count("data-drill=") == 1
    assert "a player forgets, so no hand can be judged" in refused("drill forgetful")
    slashed, folder = "game a/b\nplayer 1\n  l: pays 1 -1\n  r: pays 0 0", tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert wb.write_report(Drill(wb.load_game(slashed))).path.name == "drill-a-b.html"
    assert "did you mean 'flop'" in refused("drill kuhn --street flopp")
    for typed, says in (("", "0 of 0 right"), ("1\n1\n", "of 2 right")):
        assert says in output(f"drill kuhn --save {own}", typed=typed)
    assert "Kuhn poker, seed 0" in json.loads(own.read_text("utf-8"))
