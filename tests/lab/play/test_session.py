"""Sessions: the same answers, the same hands; moves taken back; files that are whole or refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench.games.toepen.rules import Toepen
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.play.hand_record import Hand, replay
from workbench.lab.play.opponents import find_opponent
from workbench.lab.play.session import Session
from workbench.lab.play.session_file import _checksum, _line
from workbench.rules import GameError

SMALL = {"suits": 2, "ranks": 3, "hand": 2}  # Toepen that is solved in a moment
BOOK = EquilibriumCache()


def play_on(session: Session, hands: int, seed: int = 0) -> Session:
    """So many hands with random answers."""
    random = np.random.default_rng(seed)
    for _ in range(hands):
        session.deal()
        while session.asked is not None:
            session.play(session.asked.actions[random.integers(len(session.asked.actions))])
    return session


GAMES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("kuhn", {}, {}),
    ("leduc", {}, {"opponent": "uniform"}),
    ("leduc", {"players": 3, "ranks": 2, "suit_isomorphism": True}, {"opponent": "uniform"}),
    ("toepen", SMALL, {}),
    ("toepen", SMALL, {"match": 4}),
    ("toepen", {**SMALL, "suit_isomorphism": True}, {"opponent": "uniform", "review": False}),
    ("bluff", {}, {}),
]


@pytest.mark.parametrize(("game", "options", "settings"), GAMES)
def test_the_same_answers_give_the_same_hands_also_from_a_file(game, options, settings, tmp_path):
    def session(**other: Any) -> Session:
        return Session(game, options=options, book=BOOK, **{"seed": 7, **settings, **other})

    first, second = play_on(session(), 6), play_on(session(), 6)
    assert first.hands == second.hands
    assert play_on(session(seed=8), 6).hands != first.hands
    assert first.net == sum(hand.payoff_of(0) for hand in first.hands)

    again = Session.load(first.save(tmp_path / "evening.jsonl"), book=BOOK)
    assert again.hands == first.hands
    assert (again.net, again.winners, again.standing) == (first.net, first.winners, first.standing)
    pd.testing.assert_frame_equal(again.table(), first.table())
    # and it goes on as if nobody had stopped
    assert play_on(again, 2, seed=1).hands == play_on(first, 2, seed=1).hands


def test_taking_back_changes_neither_the_cards_nor_the_answers_of_others():
    session = Session("leduc", book=BOOK, seat=0, seed=5)
    session.deal()
    before, asked = session.moves, session.asked
    session.play("r")
    while session.playing and len(session.moves) < 5:
        session.play("c")
    while any(seat == 0 for seat, _ in session.moves):
        session.undo()
    assert (session.moves, session.asked) == (before, asked)
    with pytest.raises(GameError, match="no move to take back"):
        session.undo()
    session.play("c")
    reference = Session("leduc", book=BOOK, seat=0, seed=5)
    reference.deal()
    reference.play("c")
    assert session.moves == reference.moves


def test_seats_go_round_or_stay():
    session = play_on(Session("kuhn", book=BOOK, seed=1), 4)
    assert [hand.seat_of(0) for hand in session.hands] == [0, 1, 0, 1]
    session = play_on(Session("kuhn", book=BOOK, seat=1), 3)
    assert [hand.seat_of(0) for hand in session.hands] == [1, 1, 1]
    options = {"players": 3, "ranks": 2}
    session = Session("leduc", options=options, opponent=["uniform", "always-call"], review=False)
    play_on(session, 4)
    assert [hand.seats for hand in session.hands] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    for hand in session.hands:  # player 3 never folds or raises
        assert {step.what for step in hand.decisions_of(2)} <= {"c"}


def test_a_match_ends_at_the_bound_and_the_next_one_begins():
    settings: dict[str, Any] = {"options": SMALL, "match": 3, "opponent": "uniform", "book": BOOK}
    session = Session("toepen", review=False, **settings)
    while len(session.winners) < 2:
        play_on(session, 1, seed=len(session.hands))
        assert all(points < 3 for points in session.standing.points)
        last = session.hands[-1]
        assert last.match in (len(session.winners), len(session.winners) + 1)
        assert last.rules.limits is not None  # type: ignore[attr-defined]
    for number, winner in enumerate(session.winners, 1):
        points = np.zeros(2)
        for hand in session.hands:
            if hand.match == number:
                points += [max(-hand.payoff_of(player), 0) for player in (0, 1)]
        assert points[winner] < 3 <= points[1 - winner]
    assert session.seats[0] == 0  # the second one began the second match, the third is yours


def test_hands_near_the_bound_are_games_of_their_own():
    rules = Toepen(**SMALL)
    assert Toepen(**SMALL, limits=(15, 9)).simplest == rules
    assert Toepen(**SMALL, limits=(15, 4)).simplest == Toepen(**SMALL, limits=(5, 4))
    session = Session("toepen", options=SMALL, match=3, book=EquilibriumCache())
    assert session.needed[0][0] == Toepen(**SMALL, limits=(3, 3))
    session.prepare()
    assert session.needed == []
    play_on(session, 3)
    assert session.table()["cost"].min() >= 0


def test_table_and_scores_agree():
    session = play_on(Session("leduc", book=BOOK, seed=2), 20)
    table, scores = session.table(), session.scores()
    assert list(table)[:5] == ["hand", "player", "seat", "seen", "action"]
    assert (table["cost"] >= 0).all()
    assert table["probability"].between(0, 1).all()
    assert np.allclose(table["best value"] - table["value"], table["cost"])
    assert np.allclose(scores["payoff"], scores["value"] - scores["cost"] + scores["luck"])
    by_hand = table.groupby("hand")["cost"].sum().reindex(scores["hand"], fill_value=0.0)
    assert np.allclose(by_hand, scores["cost"])
    assert scores["net"].iloc[-1] == session.net
    assert np.allclose(scores["adjusted"], (scores["value"] - scores["cost"]).cumsum())
    both = session.table(everybody=True)
    assert set(both["player"]) == {1, 2}
    reference = both[both["player"] == 2]  # costs nothing where it expects to come
    assert not reference["strayed"].any()  # it plays itself
    assert reference[~reference["trembling"].astype(bool)]["cost"].max() < 0.01
    assert reference[reference["trembling"].astype(bool)]["cost"].max() > 1
    without = play_on(Session("kuhn", review=False, opponent="uniform"), 3)
    assert without.table()["cost"].isna().all()
    assert len(without.table()) == sum(len(hand.decisions_of(0)) for hand in without.hands)


# ---- opponents -------------------------------------------------------------------------------


def test_opponents_by_name_file_and_object(tmp_path, leduc):
    rules = wb.load_game("leduc")
    uniform = wb.Strategy.uniform(leduc)
    seen, actions = ("Q♠", "", ""), ("c", "r")
    file = uniform.save(tmp_path / "sigma.npz")
    run = wb.solve(leduc, iterations=5)
    for who in ["uniform", file, str(file), uniform, lambda p, s, a: [1 / len(a)] * len(a)]:
        policy = find_opponent(who, rules).policy(rules)
        assert list(policy.probabilities(0, seen, actions)) == [0.5, 0.5]
    policy = find_opponent(run, rules).policy(rules)
    assert list(policy.probabilities(0, seen, actions)) == list(run.strategy.at(seen, 0).values())
    for habit, wanted in ("fold", "f"), ("call", "c"), ("raise", "r"), ("r", "r"):
        policy = find_opponent(f"always-{habit}", rules).policy(rules)
        facing = ("f", "c", "r")
        assert facing[int(np.argmax(policy.probabilities(1, ("Q♠", "", "r"), facing)))] == wanted
    sampled = wb.sample_rules(rules, 50, seed=1)
    again = find_opponent(sampled.save(tmp_path / "sampled.npz"), rules).policy(rules)
    assert again.probabilities(0, seen, actions) == sampled.probabilities(0, seen, actions)
    island = wb.load_game("rhode_island", ranks=3, suits=2)  # solved without a tree, however small
    file = wb.Strategy.uniform(island).save(tmp_path / "island.npz")
    policy = find_opponent(file, island).policy(island)
    assert list(policy.probabilities(0, ("A♥", "", "cr"), "fcr")) == [1 / 3] * 3


def test_an_opponent_in_an_abstraction_cannot_tell_what_it_forgets():
    session = Session(
        "leduc", abstraction="JQ-K", iterations=200, book=EquilibriumCache(iterations=200)
    )
    assert session.opponents[0].name == "equilibrium [JQ-K]"
    session.prepare()
    policy = session.opponents[0].policy(session.rules)
    jack, queen = (policy.probabilities(0, (card, "", ""), ("c", "r")) for card in ("J♠", "Q♥"))
    assert list(jack) == pytest.approx(list(queen))


def test_wrong_moments_get_one_clear_error():
    session = Session("kuhn", book=BOOK, seed=3)
    with pytest.raises(GameError, match="deal"):
        session.play("p")
    for number in (-1, 0, 1):
        with pytest.raises(GameError, match=f"there is no hand {number}: 0 hands played"):
            session.review(number)
    session.deal()
    with pytest.raises(GameError, match="a hand is on"):
        session.deal()
    with pytest.raises(GameError, match="you cannot choose 'pp'"):
        session.play("pp")
    assert session.playing


def test_an_opponent_who_fails_leaves_the_session_whole():
    calls = []

    def broken(player: int, seen: Any, actions: Any) -> Any:
        calls.append(seen)
        if len(calls) == 1:
            raise RuntimeError("no idea")
        return actions[0]

    session = Session("kuhn", opponent=broken, seat=0, review=False)
    session.deal()
    with pytest.raises(RuntimeError):
        session.play("p")
    assert not session.playing
    session.deal()
    session.play("p")
    assert len(session.hands) == 1


# ---- files -----------------------------------------------------------------------------------


def rewritten(path: Path, change: Any) -> Path:
    worse = path.with_name("worse.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    worse.write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    return worse


def forged(edit: Any) -> Any:
    """Change the content of a file, and make its checksum fit."""

    def change(lines: list[str]) -> list[str]:
        content = [json.loads(line) for line in lines[:-1]]
        edit(*content)
        new = [_line(line) for line in content]
        return [*new, _line({"end": len(new) - 1, "checksum": _checksum(new)})]

    return change


DAMAGED = {
    "the end is missing": lambda lines: lines[:-1],
    "another move": lambda lines: [line.replace('"p"', '"b"', 1) for line in lines],
    "empty": lambda lines: [],
    "an illegal move": forged(lambda head, hand, *_: hand["moves"][2].__setitem__(1, "x")),
    "other payoffs": forged(lambda head, hand, *_: hand.update(payoffs=[100.0, -100.0])),
    "other seats": forged(lambda head, hand, *_: hand.update(seats=[1, 0])),
    "another kind": forged(lambda head, *_: head.update(kind="votes")),
    "too many iterations": forged(lambda head, *_: head.update(iterations=10**9)),
    "a newer format": forged(lambda head, *_: head.update(format=99)),
    "format is no number": forged(lambda head, *_: head.update(format=float("nan"))),
    "abstraction is a number": forged(lambda head, *_: head.update(abstraction=7)),
    "opponents are numbers": forged(lambda head, *_: head.update(opponents=[5])),
    "no moves": forged(lambda head, hand, *_: hand.pop("moves")),
    "a move without a hash": forged(lambda head, hand, *_: hand["moves"].append([0, {}])),
}
RAW = re.compile(r"object|NoneType|unhashable|unpack|argument|codec|^'|: '\w+'$")  # words of Python


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
def test_damaged_and_forged_files_are_refused_by_name(change, tmp_path):
    session = play_on(Session("kuhn", opponent="uniform", review=False), 3)
    path = session.save(tmp_path / "a.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == ["a.jsonl"]  # nothing half written
    with pytest.raises(GameError, match=r"worse\.jsonl") as caught:
        Session.load(rewritten(path, change))
    assert not RAW.search(str(caught.value))


def test_wrong_files_are_refused_by_name(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"\x93NUMPY\xff\x00")
    with pytest.raises(GameError, match=r"x\.npz is damaged or no saved session"):
        Session.load(tmp_path / "x.npz")
    with pytest.raises(GameError, match="there is no file"):
        Session.load(tmp_path / "b.jsonl")
    path = play_on(Session("kuhn", opponent="uniform", review=False), 1).save(tmp_path / "a.jsonl")
    with pytest.raises(GameError, match="3 is no game"):
        Session.load(path, rules=3)
    with pytest.raises(GameError, match="there is no folder"):
        Session("kuhn", review=False).save(tmp_path / "nowhere" / "a.jsonl")
    for folder in (tmp_path, f"{tmp_path}/new/"):
        with pytest.raises(GameError, match=r"folder.*; name a file"):
            Session("kuhn", review=False).save(folder)
    assert not (tmp_path / "new").exists()


def test_an_opponent_who_is_gone_does_not_keep_us_from_looking_back(tmp_path):
    session = play_on(Session("kuhn", opponent=lambda p, s, a: a[0], book=BOOK), 2)
    again = Session.load(session.save(tmp_path / "a.jsonl"), book=BOOK)
    assert len(again.table()) == len(session.table())
    with pytest.raises(GameError, match="is not here; load with opponent"):
        again.deal()
    assert Session.load(tmp_path / "a.jsonl", opponent="uniform").hands == session.hands


WRONG_MOVES = {
    "move 2: chance cannot choose 'Q'; chance has the choice": [(-1, "Q"), (-1, "Q")],
    "move 3: seat 2 cannot choose 'p'; seat 1 has": [(-1, "Q"), (-1, "J"), (1, "p")],
    "move 5: 'p' comes after the end": [(-1, "Q"), (-1, "J"), (0, "p"), (1, "p"), (0, "p")],
}


def test_replay_names_the_wrong_move():
    kuhn = wb.load_game("kuhn")
    for message, moves in WRONG_MOVES.items():
        with pytest.raises(GameError, match=message):
            replay(kuhn, moves)
    with pytest.raises(GameError, match="no end"):
        Hand(1, kuhn, (0, 1), ((-1, "Q"),))
    with pytest.raises(GameError, match="2 seats"):
        Hand(1, kuhn, (0, 0), ((-1, "Q"),))
    full = Toepen(suits=4, ranks=8, hand=4)  # cannot list its deals
    session = play_on(Session(full, opponent="uniform", review=False), 2)
    assert session.rules.name == full.name
    assert replay(full, session.hands[0].moves) == session.hands[0].steps


def test_two_writers_of_one_file_lose_nothing(tmp_path):
    file = tmp_path / "evening.jsonl"
    two = [Session("kuhn", opponent="uniform", seed=seed, book=BOOK) for seed in (1, 2)]
    for _ in range(3):
        for session in two:
            play_on(session, 1).save(file)
    kept = [
        Session.load(tmp_path / name, book=BOOK) for name in ("evening.jsonl", "evening-2.jsonl")
    ]
    assert [[hand.moves for hand in one.hands] for one in kept] == [
        [hand.moves for hand in one.hands] for one in two
    ]
    diary = tmp_path / "diary.txt"
    diary.write_text("not a session")
    assert two[0].save(diary) == tmp_path / "diary-2.txt"
    assert diary.read_text() == "not a session"
