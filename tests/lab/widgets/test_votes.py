"""The lecturer's panel: votes come in, the answer is opened, the page keeps both."""

import json
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.lab.widgets.helpers import said, text, until
from workbench.lab.exercises.class_folder import asked, closed
from workbench.lab.exercises.hand_ins import VOTE, HandIn, Note
from workbench.lab.plots.alt_text import describe
from workbench.lab.widgets.jobs import Progress
from workbench.lab.widgets.prediction import Votes

Question = wb.exercises.Question
SUIT = Question("Which is red?", "hearts", "It bleeds.", ("spades", "hearts"))
SIZE = Question("How many?", 1000, "So many.", low=1, high=1e6, log=True)


def vote(folder: Path, question: Question, *guesses: Any) -> None:
    for k, guess in enumerate(guesses):
        notes = {VOTE + question.key: Note(guess, 1_790_000_000)}
        HandIn(f"{k} {guess}", "Anna", notes).write(folder / f"{k} {guess}.json")


def test_votes_come_in_and_the_answer_is_opened(tmp_path, panels):
    panel = panels(Votes, SUIT, tmp_path)
    assert asked(SUIT, tmp_path) is False
    vote(tmp_path, SUIT, "spades", "hearts", "hearts", "clubs", 3)  # two of them are no votes
    until(lambda: "3 votes" in text(panel.count.value))
    assert "spades" not in panel.still()  # before all have voted
    panel.shows.value = True
    assert 'alt="3 votes. spades: 1. hearts: 2."' in panel.histogram.value
    (tmp_path / "broken.json").write_text("{")
    until(lambda: "1 file has a problem" in text(panel.count.value))
    panel.shows.value = False
    assert "spades" not in panel.still()
    assert "It bleeds" not in panel.static()
    assert "The answer is" not in panel.static()
    panel.open_button.click()
    until(lambda: not panel.running)
    assert panel.open_button.disabled
    assert asked(SUIT, tmp_path) is True
    page = panel._repr_mimebundle_()["text/html"]
    assert "3 votes, 2 right" in text(page)
    assert "It bleeds." in page
    assert 'alt="3 votes. spades: 1. hearts: 2. The answer is hearts."' in page
    again = panels(Votes, SUIT, tmp_path)  # the next morning
    assert "It bleeds." in again.still()
    assert not again.running


def test_a_look_from_before_a_refresh_is_old_news(tmp_path, panels):
    panel = panels(Votes, SUIT, tmp_path, live=False)
    old = Progress(None, "", 0.0, None, (panel.refreshed, panel.read()))  # still under way
    vote(tmp_path, SUIT, "spades", "hearts")
    panel.refresh_button.click()
    panel._news(old)
    assert text(panel.count.value).startswith("2 votes")
    vote(tmp_path, SUIT, "spades", "hearts", "hearts")
    panel._news(old._replace(value=(panel.refreshed, panel.read())))
    assert text(panel.count.value).startswith("3 votes")


def test_open_can_be_taken_back(tmp_path, panels):
    panel = panels(Votes, SUIT, tmp_path)
    assert panel.hide_button.disabled
    panel.open_button.click()
    assert (panel.open_button.disabled, panel.hide_button.disabled) == (True, False)
    until(lambda: not panel.running)
    panel.hide_button.click()
    assert asked(SUIT, tmp_path) is False
    vote(tmp_path, SUIT, "spades")
    until(lambda: "1 vote" in text(panel.count.value))  # it looks on
    page = panel.static()
    assert not [word for word in ("right", "It bleeds", "spades") if word in text(page)]
    panel.open_button.click()
    assert asked(SUIT, tmp_path) is True
    assert 'alt="1 vote. spades: 1. hearts: 0. The answer is hearts."' in panel.static()


def test_a_folder_that_goes_away_is_said(tmp_path, panels):
    folder = tmp_path / "class"
    folder.mkdir()
    panel = panels(Votes, SUIT, folder)
    folder.rename(tmp_path / "moved")
    until(lambda: "there is no file or folder" in said(panel))
    until(lambda: not panel.live.value)


@pytest.mark.parametrize(
    ("question", "guesses", "says"),
    [
        (SIZE, [1, 1000.0, 1e6], "The middle one: 1,000."),
        (Question("?", 7, high=10), [0, 10, 10, 7], "9.5 to 10.5: 2. The middle one: 8.5."),
        (Question("?", 58, high=120), [0, 120], "−0.5 to 6.5: 1. 118.5 to 125.5: 1."),
        (Question("?", 0.3, high=1, step=0.01), [0.3] * 4, "0.295 to 0.355: 4."),
        (SUIT, [], "spades: 0. hearts: 0."),
    ],
)
def test_what_the_picture_says(question, guesses, says):
    ax = wb.plots.plot_votes(question, guesses)
    assert describe(ax).startswith(f"{len(guesses)} votes.")
    assert says in describe(ax)
    if not question.options:  # everybody is in a bar
        assert sum(bar.get_height() for bar in ax.patches) == len(guesses)  # type: ignore
    assert "answer" not in describe(ax)
    truth = f"The answer is {question.number(question.answer)}."
    assert describe(wb.plots.plot_votes(question, guesses, answer=True)).endswith(truth)


def test_a_vote_is_closed_talked_over_and_repeated(tmp_path, panels):
    panel = panels(Votes, SUIT, tmp_path)
    assert panel.repeat_button.disabled
    vote(tmp_path, SUIT, "spades", "spades", "hearts")
    panel.refresh_button.click()
    assert panel.histogram.value == ""
    panel.close_button.click()
    until(lambda: not panel.running)
    assert closed(SUIT, tmp_path)
    assert "3 votes; closed" in text(panel.count.value)
    assert 'alt="3 votes. spades: 2. hearts: 1."' in panel.histogram.value
    assert panel.close_button.disabled
    panel.repeat_button.click()
    assert not closed(SUIT, tmp_path)
    assert "0 votes again, 3 before" in text(panel.count.value)
    assert panel.histogram.value == ""  # nobody sees what the others said
    again = {VOTE + SUIT.key: Note("hearts", 1_790_000_100)}  # two of three vote again
    HandIn("0 spades", "Anna", again).write(tmp_path / "0 spades.json")
    HandIn("2 hearts", "Anna", again).write(tmp_path / "2 hearts.json")
    until(lambda: "2 votes again" in text(panel.count.value))
    later = panels(Votes, SUIT, tmp_path)  # in another kernel
    for one in (panel, later):
        one.open_button.click()
        assert "2 votes again, 3 before, 2 right" in text(one.count.value)
        assert (
            "Before, 3: spades: 2. hearts: 1. After: spades: 0. hearts: 2." in one.histogram.value
        )


def test_before_a_third_round_is_the_second(tmp_path, panels):
    panel = panels(Votes, SUIT, tmp_path, live=False)
    vote(tmp_path, SUIT, "spades", "spades", "hearts", "spades")
    for k, (voters, says) in enumerate([((), "4 votes"), ((0, 2), "2 votes again, 4 before"),
                                        ((1,), "1 vote again, 2 before")]):  # fmt: skip
        for who in voters:
            name = sorted(tmp_path.glob(f"{who} *.json"))[0].stem
            note = {VOTE + SUIT.key: Note("hearts", 1_790_000_100 + k)}
            HandIn(name, "Anna", note).write(tmp_path / f"{name}.json")
        panel.refresh_button.click()
        assert text(panel.count.value) == says
        panel.repeat_button.click()
    assert text(panel.count.value) == "0 votes again, 1 before"
    assert "goes on" not in panel.hide_button.tooltip


@pytest.mark.parametrize("key", ["else", SUIT.key])
def test_what_is_no_state_of_this_question_closes_nothing(tmp_path, panels, key):
    """A copy of another question's file, or a damaged one."""
    said = json.dumps({"key": key, "open": False, "closed": True, "first": {"a": ["spades", 1]}})
    said = said if key == "else" else said[:-1]
    (tmp_path / f"question-{SUIT.key}.vote").write_text(said)
    panel = panels(Votes, SUIT, tmp_path)
    vote(tmp_path, SUIT, "spades")
    panel.refresh_button.click()
    assert text(panel.count.value) == "1 vote"
