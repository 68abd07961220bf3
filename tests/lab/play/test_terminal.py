"""Whole evenings at the terminal, with scripted input; and `workbench play`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.lab.play.test_session import BOOK, play_on
from workbench.lab.cli.main import main
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import TextTable
from workbench.shipped import shipped


def evening(session: Session, answers: Iterable[Any], **settings: Any) -> tuple[str, bool]:
    """What stands on the screen, and whether somebody interrupted."""
    lines, waiting = [], iter(answers)

    def ask(prompt: str) -> str:
        answer = next(waiting, EOFError)
        if isinstance(answer, type):
            lines.append(prompt)
            raise answer
        lines.append(prompt + str(answer))
        return str(answer)

    interrupted = TextTable(session, ask, lines.append, **settings).run()
    return "\n".join(lines), interrupted


def test_a_hand_of_kuhn_from_the_deal_to_the_review():
    """A Jack that calls: folding −1.00, calling −2.00."""
    session = Session("kuhn", opponent="always-bet", seat=0, seed=3, book=BOOK)
    screen, interrupted = evening(session, ["pass", "call"], hands=1)
    assert not interrupted
    assert session.hands[0].moves[0] == (-1, "J")
    told = ("the Jack", "you [J] · Player 2 [??]", "You pass. Player 2 bets.", "shows",
            session.review(-1).summary, "calling −2.00, folding −1.00", "Goodbye.")  # fmt: skip
    places = [screen.find(text) for text in told]
    assert places[0] > -1
    assert places == sorted(places)


def test_no_card_of_others_is_shown_before_the_showdown():
    session = Session("leduc", opponent="always-fold", seat=0, seed=4, book=BOOK)
    screen, _ = evening(session, ["bet"], hands=1)
    assert session.hands[0].moves[-1][1] == "f"
    assert session.hands[0].moves[1][1] not in screen
    assert "shows" not in screen


def test_letters_numbers_names_and_cards_are_moves():
    for answer in ("2", "b", "B", "bet", "r", "be"):
        session = Session("leduc", opponent="always-fold", seat=0, book=BOOK)
        evening(session, [answer], hands=1)
        assert session.hands[0].moves[2] == (0, "r"), answer
    options = {"suits": 2, "ranks": 3}
    for answer in ("1", "{card}", "{plain}", "play the {card}"):
        session = Session("toepen", options=options, opponent="uniform", seat=0, review=False)
        session.deal()
        card = session.moves[0][1].split()[0]
        plain = card.replace("♠", "s").replace("♥", "h")
        session = Session("toepen", options=options, opponent="uniform", seat=0, review=False)
        evening(session, ["check", answer.format(card=card, plain=plain)])
        assert session.moves[2] == (0, card), answer


def test_help_hint_take_back_and_nonsense():
    session = Session("leduc", seat=0, seed=1, book=BOOK)
    screen, _ = evening(session, ["?", "h", "u", "rise", "", "fold", "c", "u", "r", "q"])
    for text in (
        "Bets are 2 chips", "q stop", "The equilibrium: check", "no move to take back",
        "There is no move 'rise'", "There is no move 'fold'", "You take your last move back.",
    ):  # fmt: skip
        assert text in screen
    assert any(move == (0, "r") for move in (session.hands[0] if session.hands else session).moves)
    without = Session("leduc", opponent="uniform", review=False)
    assert "no equilibrium to ask" in evening(without, ["h"])[0]


@pytest.mark.parametrize(("end", "interrupted"), [(EOFError, False), (KeyboardInterrupt, True)])
def test_it_ends_politely_with_the_score(end, interrupted):
    session = Session("kuhn", opponent="always-bet", seat=1, book=BOOK)
    screen, was = evening(session, ["fold", "fold", end])
    assert was == interrupted
    assert "2 hands, −2.00 chips; without luck" in screen.splitlines()[-1]


def test_a_match_of_toepen_to_its_end():
    options = {"suits": 2, "ranks": 3}
    session = Session("toepen", options=options, match=3, opponent="always-fold", book=BOOK)
    screen, _ = evening(session, ["1"] * 100)
    assert session.winners == (0,)
    for text in (
        "You play a match to 3 of toepen(suits=2)", "penalty points, 3 loses: You 0, Player 2 1",
        "You win the match.", "Goodbye.",
    ):  # fmt: skip
        assert text in screen


def test_keys_are_unique_and_no_commands():
    session = Session("leduc", opponent="always-raise", seat=1, book=BOOK)
    session.deal()
    choices = SessionView(session).choices
    assert [(one.key, one.cost) for one in choices] == [("f", ""), ("c", "(2)"), ("r", "(4)")]
    assert SessionView(Session("kuhn", book=BOOK)).choices == []


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """`workbench play` with these arguments and answers: exit code, output, complaints."""

    def run(arguments: str, answers: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers.replace(" ", "\n")))
        return main(["play", *arguments.split()]), *capsys.readouterr()

    return run


def test_the_command_plays_from_a_pipe_and_goes_on_with_its_file(command, tmp_path):
    file = tmp_path / "evening.jsonl"
    arguments = f"leduc --seed 3 --seat 1 --hands 1 --save {file}"
    code, out, err = command(arguments, "c c c c c ")
    assert (code, err) == (0, "")
    assert "> c\n" in out  # what was read is repeated
    assert "1 hand, " in out
    assert len(Session.load(file).hands) == 1
    code, out, _ = command(arguments, "c c c c c ")
    assert (code, "── Hand 2" in out) == (0, True)
    assert len(Session.load(file).hands) == 2


def test_a_deck_too_large_to_list_is_played_without_review(command):
    full = "toepen --option suits=4 --option ranks=8 --option hand=4"
    code, out, err = command(full)
    assert (code, "--opponent sampled --no-review" in err) == (2, True)
    small = "toepen --option suits=1 --option ranks=3 --option hand=1"
    for others in (f"{small} --opponent match", "leduc --abstraction nonsense"):  # trees are small
        code, out, err = command(others)
        assert (code, "sampled" in err) == (2, False)
    sampled = "--opponent sampled --iterations 5 --no-review --hands 1"
    code, out, err = command(f"{full} {sampled}", "1 " * 60)
    assert (code, err, "1 hand, " in out) == (0, "", True)


def test_escape_sequences_in_names_stay_out_of_the_terminal(command, tmp_path):
    game = tmp_path / "evil.txt"
    text = (shipped("data/games") / "bluff.txt").read_text(encoding="utf-8")
    game.write_text(text.replace("game bluff", "game bl\x1b[2Juff"), encoding="utf-8")
    _, out, err = command(f"{game} --opponent uniform --no-review --hands 1", "1 1 1 ")
    assert "\x1b" not in out + err
    assert "\x1b" not in command(f"{game} --opponent bl\x1b[31m")[2]


def test_two_evenings_with_one_file(command, tmp_path, monkeypatch):
    """Somebody else writes to the file while a hand is on."""
    file = tmp_path / "evening.jsonl"
    arguments = f"kuhn --opponent uniform --no-review --hands 1 --save {file}"
    command(arguments, "p p ")
    other = Session.load(file)
    load = Session.load

    def meanwhile(*given: Any, **settings: Any) -> Session:
        session = load(*given, **settings)
        play_on(other, 1).save(file)
        return session

    monkeypatch.setattr(Session, "load", meanwhile)
    code, out, _ = command(arguments, "p p ")
    assert code == 0
    assert "evening-2.jsonl" in out.replace("\n", " ")
    monkeypatch.undo()
    assert (
        len(Session.load(file).hands) == len(Session.load(tmp_path / "evening-2.jsonl").hands) == 2
    )
