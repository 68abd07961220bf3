"""Strategies: how a student makes one, how it is refused, kept, and shown."""

from __future__ import annotations

import zipfile
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games, random_strategy
from workbench import GameError, GameTree, Strategy, compile_game, load_game
from workbench.strategy import normalised

# ---- making --------------------------------------------------------------------------------


@given(random_games(players=ANY_PLAYERS))
def test_uniform_strategies_are_uniform(rules: Any) -> None:
    tree = compiled(rules)
    probs = Strategy.uniform(tree).probs
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        assert probs[low:high].tolist() == [1 / (high - low)] * (high - low)


ANSWERS: list[tuple[Any, list[float]]] = [
    ("coast", [1, 0]),
    ({"coast": 0.25, "road": 0.75}, [0.25, 0.75]),
    ({"road": 1}, [0, 1]),
    ([0.5, 0.5], [0.5, 0.5]),
    ((0.25, 0.75), [0.25, 0.75]),
    (np.array([0.0, 1.0]), [0, 1]),
    ((p for p in [0.5, 0.5]), [0.5, 0.5]),
    ({"coast": np.float32(0.5), "road": "0.5"}, [0.5, 0.5]),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_answers_of_a_function(smuggler: GameTree, answer: Any, expected: list[float]) -> None:
    def function(player: int, seen: Hashable, actions: tuple[Hashable, ...]) -> Any:
        return answer if player == 0 else "village"

    sigma = Strategy.from_function(smuggler, function)
    assert sigma.probs.tolist() == [*expected, 0, 1, 0]


WRONG_ANSWERS = [
    ("sea", "that is none of the actions"),
    (None, "that is none of the actions"),
    (3, "that is none of the actions"),
    (b"coast", "that is none of the actions"),
    ({"sea": 1.0}, r"\['sea'\] cannot be chosen here"),
    ({"coast": 0.5}, "at least 0 and sum to 1"),
    ({"coast": 1.5, "road": -0.5}, "at least 0 and sum to 1"),
    ({"coast": None}, "answered"),
    ({}, "sum to 1"),
    ([0.5, 0.6], "sum to 1"),
    ([1.0], "2 probabilities are needed"),
    ([0.5, 0.25, 0.25], "2 probabilities are needed"),
    ([float("nan"), 1.0], "sum to 1"),
    (["coast"], "answered"),
    ([[1.0], [0.0]], "answered"),
]


@pytest.mark.parametrize(("answer", "message"), WRONG_ANSWERS)
def test_wrong_answers_are_explained(smuggler: GameTree, answer: Any, message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        Strategy.from_function(smuggler, lambda player, seen, actions: answer)
    text = str(caught.value)
    assert text.startswith("player 0 who has seen '' may choose among ['coast', 'road']")
    assert repr(answer) in text


def test_an_error_of_the_students_own_comes_through(kuhn: GameTree) -> None:
    def broken(player: int, seen: Any, actions: Any) -> Any:
        return {"x": 1}[seen]

    with pytest.raises(KeyError):
        Strategy.from_function(kuhn, broken)


def test_the_function_is_asked_once_for_each_infoset(kuhn: GameTree) -> None:
    asked = []

    def function(player: int, seen: Hashable, actions: tuple[Hashable, ...]) -> Hashable:
        asked.append((player, seen, actions))
        return actions[0]

    Strategy.from_function(kuhn, function)
    assert len(asked) == len(set(asked)) == 12
    assert {actions for _, _, actions in asked} == {("p", "b")}
    assert {(player, seen) for player, seen, _ in asked} >= {(0, ("Q", "pb")), (1, ("K", "b"))}


@pytest.mark.parametrize(
    ("probs", "message"),
    [
        (np.ones(3), r"'kuhn' has 24 probabilities, not \(3,\)"),
        (np.ones((24, 1)), "24 probabilities"),
        (np.ones(24), r"at infoset 0 \(J\) the probabilities are \[1.0, 1.0\]"),
        (np.tile([1.5, -0.5], 12), "at least 0"),
        (np.full(24, np.nan), "sum to 1"),
        (np.r_[np.full(20, 0.5), 0.7, 0.7, 0.5, 0.5], "at infoset 10"),
        (np.r_[np.full(20, 0.5), 1.5, -0.5, 0.5, 0.5], "at infoset 10"),
    ],
)
def test_wrong_probabilities_are_refused(kuhn: GameTree, probs: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Strategy(kuhn, probs)


def test_a_strategy_owns_its_probabilities(kuhn: GameTree) -> None:
    mine = np.full(24, 0.5)
    sigma = Strategy(kuhn, mine)
    mine[:] = 7.0
    assert np.all(sigma.probs == 0.5)
    with pytest.raises(ValueError, match="read-only"):
        sigma.probs[0] = 1.0


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_normalising_keeps_proportions(rules: Any, seed: int) -> None:
    tree = compiled(rules)
    weights = np.random.default_rng(seed).integers(0, 3, tree.num_choices).astype(float)
    probs = normalised(tree, weights).probs
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        total = weights[low:high].sum()
        expected = weights[low:high] / total if total else np.full(high - low, 1 / (high - low))
        np.testing.assert_allclose(probs[low:high], expected, atol=1e-15)


# ---- looking -------------------------------------------------------------------------------


def test_at_reads_one_infoset(kuhn: GameTree) -> None:
    sigma = Strategy.from_function(
        kuhn, lambda player, seen, actions: {"b": 0.25, "p": 0.75} if seen[0] == "Q" else "b"
    )
    assert sigma.at(("Q", "p")) == {"p": 0.75, "b": 0.25}
    assert sigma.at("Q p") == {"p": 0.75, "b": 0.25}, "as table() writes it"
    assert sigma.at(("K", ""), player=0) == {"p": 0.0, "b": 1.0}


def test_at_says_what_is_missing(kuhn: GameTree, smuggler: GameTree) -> None:
    with pytest.raises(GameError, match=r"no information set of 'kuhn' .*table\(\) lists them all"):
        Strategy.uniform(kuhn).at(("A", ""))
    with pytest.raises(GameError, match="no information set"):
        Strategy.uniform(kuhn).at(("K", ""), player=1)
    with pytest.raises(GameError, match=r"2 information sets of 'smuggler' .*say which player"):
        Strategy.uniform(smuggler).at("")
    assert Strategy.uniform(smuggler).at("", player=0) == {"coast": 0.5, "road": 0.5}


def test_the_table_has_a_row_for_each_choice(smuggler: GameTree) -> None:
    sigma = Strategy(smuggler, np.array([0.25, 0.75, 0.0, 1.0, 0.0]))
    table = sigma.table()
    assert list(table.columns) == ["player", "information set", "action", "probability"]
    assert table["player"].tolist() == [1, 1, 2, 2, 2]
    assert table["action"].tolist() == ["coast", "road", "coast", "village", "road"]
    assert table["probability"].tolist() == [0.25, 0.75, 0.0, 1.0, 0.0]


def test_names_are_short(kuhn: GameTree) -> None:
    assert repr(Strategy.uniform(kuhn)) == "Strategy of 'kuhn': 12 infosets"


# ---- keeping -------------------------------------------------------------------------------


@pytest.fixture
def saved(kuhn: GameTree, tmp_path: Path) -> tuple[Strategy, Path]:
    sigma = random_strategy(kuhn, 5)
    return sigma, sigma.save(tmp_path / "sigma.npz")


def test_saved_and_loaded_is_the_same_bit_for_bit(
    kuhn: GameTree, saved: tuple[Strategy, Path]
) -> None:
    sigma, path = saved
    assert path.name == "sigma.npz"
    again = Strategy.load(path, kuhn)
    assert again.probs.tobytes() == sigma.probs.tobytes()
    assert Strategy.load(str(path), compile_game(load_game("kuhn"))).tree is not kuhn
    assert [p.name for p in path.parent.iterdir()] == ["sigma.npz"], "no half-written file stays"


def test_the_suffix_is_added(kuhn: GameTree, tmp_path: Path) -> None:
    path = Strategy.uniform(kuhn).save(tmp_path / "v1.2")
    assert path == tmp_path / "v1.2.npz"
    assert Strategy.load(path, kuhn).tree is kuhn


def test_saving_replaces_the_earlier_file(kuhn: GameTree, saved: tuple[Strategy, Path]) -> None:
    _, path = saved
    Strategy.uniform(kuhn).save(path)
    assert np.all(Strategy.load(path, kuhn).probs == 0.5)


def test_a_strategy_of_another_game_is_refused_by_name(saved: tuple[Strategy, Path]) -> None:
    _, path = saved
    leduc = compile_game(load_game("leduc", suit_isomorphism=True))
    with pytest.raises(GameError, match=r"sigma.npz holds a strategy of 'kuhn' .*not of this 'led"):
        Strategy.load(path, leduc)
    edited = compile_game(load_game("kuhn", cards=4))
    with pytest.raises(GameError, match=r"holds a strategy of 'kuhn' .*'kuhn\(cards=4\)'"):
        Strategy.load(path, edited)


def test_a_missing_file_is_named(kuhn: GameTree, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"there is no file .*nowhere.npz"):
        Strategy.load(tmp_path / "nowhere.npz", kuhn)


def test_a_truncated_file_is_refused(kuhn: GameTree, saved: tuple[Strategy, Path]) -> None:
    _, path = saved
    whole = path.read_bytes()
    for length in [0, 1, 10, 100, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(GameError, match=r"sigma.npz is damaged"):
            Strategy.load(path, kuhn)


def test_no_flipped_byte_goes_unnoticed(kuhn: GameTree, saved: tuple[Strategy, Path]) -> None:
    """Every single damaged byte is refused, or was one that carries no meaning."""
    sigma, path = saved
    whole = path.read_bytes()
    refused = 0
    for position in range(0, len(whole), 3):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        try:
            loaded = Strategy.load(path, kuhn)
        except GameError as error:
            assert "sigma.npz" in str(error)  # noqa: PT017
            refused += 1
        else:
            assert loaded.probs.tobytes() == sigma.probs.tobytes()
    assert refused > len(whole) // 3 // 2


def rewritten(path: Path, **changes: Any) -> None:
    """The same file with other entries; None leaves one out."""
    with np.load(path) as file:
        entries = dict(file) | changes
    np.savez(path, **{name: value for name, value in entries.items() if value is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"probs": np.full(24, 0.5)}, "checksum does not fit"),
        ({"fingerprint": np.array("0" * 32)}, "checksum does not fit"),
        ({"game": np.array("leduc")}, "checksum does not fit"),
        ({"checksum": np.array("0" * 64)}, "checksum does not fit"),
        ({"checksum": None}, "damaged or no saved strategy"),
        ({"format": np.int64(99)}, r"newer workbench \(format 99\)"),
        ({"format": np.array("one")}, "damaged or no saved strategy"),
    ],
)
def test_an_edited_file_is_refused(
    kuhn: GameTree, saved: tuple[Strategy, Path], changes: dict[str, Any], message: str
) -> None:
    rewritten(saved[1], **changes)
    with pytest.raises(GameError, match=message):
        Strategy.load(saved[1], kuhn)


@pytest.mark.parametrize("kind", ["text", "npy", "zip", "pickle", "folder"])
def test_other_files_are_refused(kuhn: GameTree, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "other.npz"
    if kind == "text":
        path.write_text("not a strategy")
    elif kind == "npy":
        with open(path, "wb") as file:
            np.save(file, np.ones(24))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("probs.npy", "nothing")
    elif kind == "pickle":
        np.savez(path, probs=np.array([{"run": "me"}], object))
    else:
        path.mkdir()
    with pytest.raises(GameError, match=r"other.npz is damaged or no saved strategy"):
        Strategy.load(path, kuhn)
