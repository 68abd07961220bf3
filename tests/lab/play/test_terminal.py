"""Whole evenings at the terminal, with scripted input; and `workbench play`."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.conftest import ROOT, RunPython
from workbench.lab.cli.main import main
from workbench.lab.play.equilibrium_cache import Book
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import Moment
from workbench.lab.play.terminal import Terminal, keyed

BOOK = Book()


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

    interrupted = Terminal(session, ask, lines.append, **settings).run()
    return "\n".join(lines), interrupted


def test_a_hand_of_kuhn_from_the_deal_to_the_review() -> None:
    session = Session("kuhn", opponent="always-bet", seat=0, seed=2, book=BOOK)
    screen, interrupted = evening(session, ["p", "c"], hands=1)
    assert not interrupted
    cards = [what for _, what in session.hands[0].moves[:2]]
    names = {"J": "Jack", "Q": "Queen", "K": "King"}
    assert f"You are dealt the {names[cards[0]]}." in screen
    assert f"you [{cards[0]}] · Player 2 [??] · pot 2 chips" in screen
    assert "1 [p]ass   2 [b]et" in screen
    assert "You pass. Player 2 bets." in screen
    assert "1 [f]old   2 [c]all" in screen
    assert f"Player 2 shows the {names[cards[1]]}." in screen
    assert "for your decisions" in screen
    assert "  2. Calling " in screen
    assert screen.endswith("Goodbye.")
    found = session.review(-1)
    assert str(found.verdicts[1]).split(":")[0].split()[0] == "Calling"


def test_costs_are_told_in_words_and_numbers() -> None:
    """A Jack that calls: folding −1.00, calling −2.00."""
    seed = next(
        seed
        for seed in range(100)
        if _dealt(Session("kuhn", opponent="always-bet", seat=0, seed=seed, review=False)) == "J"
    )
    session = Session("kuhn", opponent="always-bet", seat=0, seed=seed, book=BOOK)
    screen, _ = evening(session, ["pass", "call"], hands=1)
    assert (
        "2. Calling cost you 1.00 chips on average: calling −2.00, folding −1.00." in screen
        or "2. Calling cost you 1 chip on average: calling −2.00, folding −1.00." in screen
    )
    assert "decisions cost 1.00" in screen


def _dealt(session: Session) -> Any:
    session.deal()
    return session.moves[0][1]


def test_no_card_of_others_is_shown_before_the_showdown() -> None:
    session = Session("leduc", opponent="always-fold", seat=0, seed=4, book=BOOK)
    screen, _ = evening(session, ["bet"], hands=1)
    assert session.hands[0].moves[-1][1] == "f"
    assert session.hands[0].moves[1][1] not in screen
    assert "shows" not in screen


def test_letters_numbers_names_and_cards_are_moves() -> None:
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


def test_help_hint_take_back_and_nonsense() -> None:
    session = Session("leduc", seat=0, seed=1, book=BOOK)
    screen, _ = evening(session, ["?", "h", "u", "rise", "", "fold", "c", "u", "r", "q"])
    assert "Bets are 2 chips" in screen
    assert "q stop" in screen
    assert "The equilibrium: check" in screen
    assert "no move to take back" in screen
    assert "There is no move 'rise'" in screen
    assert "There is no move 'fold'" in screen
    assert "You take your last move back." in screen
    assert "No hand was played to its end. Goodbye." in screen or "hand" in screen
    assert any(move == (0, "r") for move in (session.hands[0] if session.hands else session).moves)
    without = Session("leduc", opponent="uniform", review=False)
    assert "no equilibrium to ask" in evening(without, ["h"])[0]


@pytest.mark.parametrize(("end", "interrupted"), [(EOFError, False), (KeyboardInterrupt, True)])
def test_it_ends_politely_with_the_score(end: type[BaseException], interrupted: bool) -> None:
    session = Session("kuhn", opponent="always-bet", seat=1, book=BOOK)
    screen, was = evening(session, ["fold", "fold", end])
    assert was == interrupted
    assert "2 hands, −2.00 chips; without luck" in screen.splitlines()[-1]


def test_a_match_of_toepen_to_its_end() -> None:
    options = {"suits": 2, "ranks": 3}
    session = Session("toepen", options=options, match=3, opponent="always-fold", book=BOOK)
    screen, _ = evening(session, ["1"] * 100)
    assert session.winners == (0,)
    assert "You play a match to 3 of toepen(suits=2)" in screen
    assert "to 3 points: You 0, Player 2 1" in screen
    assert "You win the match." in screen
    assert "Goodbye." in screen


def test_three_players_at_the_terminal() -> None:
    options = {"players": 3, "ranks": 2, "suit_isomorphism": True}
    session = Session("leduc", options=options, opponent=["uniform", "always-call"], book=BOOK)
    screen, _ = evening(session, ["c"] * 40, hands=3)
    assert len(session.hands) == 3
    assert "Player 3" in screen
    assert "Player 2" in screen


def test_keys_are_unique_and_no_commands() -> None:
    session = Session("leduc", opponent="always-raise", seat=1, book=BOOK)
    session.deal()
    keys = [key for key, _, _ in keyed(Moment(session))]
    assert keys == ["f", "c", "r"]
    assert [choice.price for choice in Moment(session).choices] == [0, 2, 4]
    assert keyed(Moment(Session("kuhn", book=BOOK))) == []


# ---- the command -----------------------------------------------------------------------------


def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    try:
        code = main(["play", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_plays_from_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "evening.jsonl"
    arguments = ["leduc", "--seed", "3", "--seat", "1", "--hands", "1", "--save", str(file)]
    code, out, err = command(monkeypatch, capsys, "c\nc\nc\nc\nc\n", *arguments)
    assert (code, err) == (0, "")
    assert "> c\n" in out  # what was read is repeated
    assert "1 hand, " in out
    assert len(Session.load(file).hands) == 1
    code, out, _ = command(monkeypatch, capsys, "c\nc\nc\nc\nc\n", *arguments)  # goes on
    assert code == 0
    assert "── Hand 2" in out
    assert len(Session.load(file).hands) == 2


def test_the_command_deals_other_cards_every_time_and_says_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    usual = ["kuhn", "--opponent", "uniform", "--no-review", "--hands", "1"]
    found = [command(monkeypatch, capsys, "p\np\n", *usual)[1] for _ in range(3)]
    seeds = [out.split("have seed ")[1].split(".")[0] for out in found]
    assert len(set(seeds)) > 1
    again = command(monkeypatch, capsys, "p\np\n", *usual, "--seed", seeds[0])[1]
    assert again == found[0]
    file = tmp_path / "evening.jsonl"
    for _ in range(2):  # a file goes on with its own
        command(monkeypatch, capsys, "p\np\n", *usual, "--save", str(file))
    session = Session.load(file)
    assert len(session.hands) == 2
    code, _, err = command(monkeypatch, capsys, "", "kuhn", "--seat", "3")
    assert (code, err) == (2, "workbench: --seat must be a whole number from 1 to 2, not 3\n")


def test_the_command_without_anybody_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = command(monkeypatch, capsys, "", "kuhn", "--opponent", "uniform")
    assert (code, err) == (0, "")
    assert out.endswith("No hand was played to its end. Goodbye.\n")


def test_a_strategy_of_a_file_and_an_abstraction_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tree = wb.compile_game(wb.load_game("leduc"))
    file = wb.Strategy.uniform(tree).save(tmp_path / "uniform.npz")
    arguments = ["leduc", "--opponent", str(file), "--no-review", "--hands", "1"]
    code, out, _ = command(monkeypatch, capsys, "c\n" * 9, *arguments)
    assert code == 0
    assert "against: uniform.npz" in out
    arguments = ["leduc", "--abstraction", "JQ-K", "--iterations", "50", "--hands", "1"]
    code, out, _ = command(monkeypatch, capsys, "c\n" * 9, *arguments)
    assert code == 0
    assert "against: equilibrium [JQ-K]" in out


def test_a_deck_too_large_to_list_is_played_without_review(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = ["toepen", *(f"--option={o}" for o in ("suits=4", "ranks=8", "hand=4"))]
    code, out, err = command(monkeypatch, capsys, "", *full)
    assert code == 2
    assert "--opponent sampled --no-review" in err
    more = ["--opponent", "sampled", "--iterations", "5", "--no-review", "--hands", "1"]
    code, out, err = command(monkeypatch, capsys, "1\n" * 60, *full, *more)
    assert (code, err) == (0, "")
    assert "1 hand, " in out


BAD = {
    "unknown game": ["kunh"],
    "unknown opponent": ["kuhn", "--opponent", "equilibrum"],
    "unknown move": ["kuhn", "--opponent", "always-rise"],
    "no strategy file": ["kuhn", "--opponent", "nowhere.npz"],
    "unknown option": ["leduc", "--option", "player=3"],
    "unknown abstraction": ["leduc", "--abstraction", "JKQ"],
    "unknown solver": ["kuhn", "--solver", "crf+"],
    "a match of kuhn": ["kuhn", "--match"],
    "match to nothing": ["toepen", "--match", "0"],
    "seat 0": ["kuhn", "--seat", "0"],
    "seat 3": ["kuhn", "--seat", "3"],
    "no hands": ["kuhn", "--hands", "0"],
    "negative seed": ["kuhn", "--seed", "-1"],
    "save into nowhere": ["kuhn", "--save", "nowhere/evening.jsonl"],
    "save over something else": ["kuhn", "--save", "pyproject.toml"],
    "lp for three": ["leduc", "--option", "players=3", "--option", "ranks=2", "--solver", "lp"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_gets_one_line_and_exit_code_2(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    code, out, err = command(monkeypatch, capsys, "", *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("workbench: ")
    assert err.count("\n") == 1


def test_the_program_itself(run_python: RunPython) -> None:
    done = run_python("-m", "workbench", "play", "kuhn", "--opponent", "uniform", "--no-review")
    assert done.returncode == 0, done.stderr
    assert "Goodbye." in done.stdout
