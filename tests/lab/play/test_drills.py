"""Drills: what is asked, what it costs, what comes back and when, and the file that remembers."""

from __future__ import annotations

import io
import itertools
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.play.test_session import BOOK, SMALL
from tests.own_game import SpokenKuhn4
from workbench.lab.cli.main import main
from workbench.lab.play.drill_terminal import DrillTerminal
from workbench.lab.play.drills import LATER, Drill, line_of
from workbench.rules import GameError

GAMES: list[tuple[Any, dict[str, Any]]] = [
    ("kuhn", {}),
    ("leduc", {}),
    ("toepen", SMALL),
    ("rhode_island", {"ranks": 3, "suits": 2}),
    ("leduc", {"players": 3, "ranks": 2, "suit_isomorphism": True}),
    (SpokenKuhn4(), {}),
]


def costliest(drill: Drill) -> Any:
    asked = drill.asked
    assert asked is not None
    worth = drill.session.judge(drill.rules).worth(asked.player, asked.seen)
    return worth.actions[int(np.argmin(worth.values))]


def best(drill: Drill) -> Any:
    asked = drill.asked
    assert asked is not None
    return drill.session.judge(drill.rules).worth(asked.player, asked.seen).best


def drilled(drill: Drill, answer: Any = costliest) -> Drill:
    while drill.ask() is not None:
        drill.answer(answer(drill))
    return drill


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_twenty_questions_in_which_something_is_at_stake_and_their_exact_costs(game, options):
    drill = drilled(Drill(game, options=options, seed=2, book=BOOK))
    assert len(drill.mine) == 20
    reference = drill.session.judge(drill.rules).reference
    for one, found in zip(drill.mine, drill.verdicts, strict=True):
        seen = found.step.seen
        exact = wb.play.worth(reference, reference.tree.find_infoset(seen, one.seat))
        assert found.cost == pytest.approx(exact.values.max() - exact.values.min())
        assert found.cost >= found.small
        assert not (one.right)
        assert not (exact.trembling)
    total = sum(found.cost for found in drill.verdicts)
    assert drill.score == f"0 of 20 right, {drill.words.amount(total)} given away"
    assert drill.missed()["cost"].is_monotonic_decreasing
    assert drill.chart() is None
    right = drilled(Drill(game, options=options, seed=2, book=BOOK), best)
    assert right.score.startswith("20 of 20 right, 0 ")
    assert right.missed().empty


def spots(drill: Drill) -> list[Any]:
    return [(found.step.player, found.step.seen) for found in drill.verdicts]


def test_what_is_missed_comes_back_after_three_others_and_then_ever_later():
    drill = Drill("leduc", seed=4, questions=60, book=BOOK)
    drill.ask()
    drill.answer(costliest(drill))  # the first one only
    first = spots(drilled(drill, best))
    again = [k for k, spot in enumerate(first) if spot == first[0]]
    assert again[:4] == [0, 4, 4 + 1 + 9, 14 + 1 + 27]
    assert LATER == 3
    assert len(set(first)) == 60 - 3  # everything else was new


def test_at_least_every_second_question_is_new():
    missed = spots(drilled(Drill("leduc", seed=4, book=BOOK)))
    new = [spot not in missed[:k] for k, spot in enumerate(missed)]
    assert new[:5] == [True, True, True, True, False]
    assert all(one or two for one, two in itertools.pairwise(new))
    assert sum(new) < 20


def test_a_street_and_a_spot():
    flop = Drill("leduc", street="flop", seed=1, questions=8, book=BOOK)
    while asked := flop.ask():
        assert asked.seen[1]
        flop.answer(costliest(flop))
    spot = Drill("leduc", spot="crc/*", street=2, seed=1, questions=8, book=BOOK)
    while asked := spot.ask():
        assert asked.seen[2].startswith("crc/")
        assert spot.line == line_of(spot.session.steps) == asked.seen[2]
        spot.answer(best(spot))
    for settings, says in [
        ({"street": "flopp"}, "did you mean 'flop'"),
        ({"street": 0}, "there is no street '0'"),
        ({"street": 3}, "no choice cost anything in round 3"),
        ({"spot": "ff"}, "at the spot 'ff'; lines that were met: '', 'c', 'r'"),
        ({"questions": 0}, "questions must be"),
        ({"seat": 2}, "seat must be"),
    ]:
        with pytest.raises(GameError, match=says):
            Drill("leduc", book=BOOK, seed=1, **settings).ask()
    with pytest.raises(GameError, match="no question"):
        Drill("kuhn").answer("p")
    with pytest.raises(GameError, match=r"no drills without costs: .*two players"):
        Drill("limit_holdem", options={"players": 3})


def test_a_file_remembers_what_was_missed_and_goes_on_with_a_drill(tmp_path):
    file = tmp_path / "mine.jsonl"
    whole = Drill("kuhn", seed=5, questions=5, book=BOOK)
    part = Drill("kuhn", seed=5, questions=5, file=file, book=BOOK)
    for k in range(4):
        for drill in (whole, part):
            drill.ask()
            drill.answer(costliest(drill) if k else best(drill))
    part = drilled(Drill("kuhn", seed=5, questions=20, file=file, book=BOOK), best)
    assert part.answers == drilled(whole, best).answers  # five of them, and no more
    after = Drill("kuhn", seed=6, questions=6, file=file, book=BOOK)
    assert (after.number, len(after.answers)) == (0, 5)
    after.ask()
    assert [after.session.moves] == [one.moves for one in whole.answers if not one.right][:1]
    for game, options in (("leduc", None), ("kuhn", {"cards": 4})):
        with pytest.raises(GameError, match="has answers about 'kuhn'"):
            Drill(game, options=options, file=file)
    file.write_text(file.read_text().replace('"right": false', '"right": true'))
    with pytest.raises(GameError, match="checksum"):
        Drill("kuhn", file=file)
    file.write_text('{"kind": "session", "format": 1}\n{"end": 0}')
    with pytest.raises(GameError, match="not a drill of answers"):
        Drill("kuhn", file=file)


def test_the_pool_of_a_page_has_each_spot_once():
    asked = [(step.player, step.seen) for step in Drill("kuhn", seed=1, book=BOOK).pool(60)]
    assert len(set(asked)) == len(asked)
    assert 5 <= len(asked) <= 12  # of twelve infosets


def test_the_terminal_asks_judges_and_sums_up():
    lines: list[str] = []
    answers = iter(["h", "u", "nonsense", *["1"] * 20])
    drill = Drill("leduc", seed=3, book=BOOK)
    assert not DrillTerminal(drill, lambda prompt: next(answers), lines.append).run()
    screen = "\n".join(lines)
    told = ("Question 1 of 20", "no hints", "stays", "no move 'nonsense'", "Question 20 of 20")
    places = [screen.find(text) for text in (*told, drill.score, "question  seat  seen")]
    assert places[0] > -1
    assert places == sorted(places)
    assert screen.count("✓") == sum(one.right for one in drill.mine)
    assert screen.count("✗") == sum(not one.right for one in drill.mine) > 0


def test_the_command(tmp_path, capsys, monkeypatch):
    page, own = tmp_path / "kuhn.html", tmp_path / "own.jsonl"
    assert main(["drill", "kuhn", "--seed", "1", "-o", str(page)]) == 0
    assert "kuhn.html" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").count("application/json") == 1
    assert main(["drill", "kuhn", "--street", "flopp"]) == 2
    assert "did you mean 'flop'" in capsys.readouterr().err
    for typed, says in (("", "No question was answered"), ("1\n1\n", "of 2 right")):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["drill", "kuhn", "--save", str(own)]) == 0
        assert says in capsys.readouterr().out
    assert len(Drill("kuhn", file=own).answers) == 2
