"""Kept trees: the same tree again, and never a wrong, a damaged or a stale one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests import prepared
from tests.test_compiling import told
from workbench import compiling, disk_cache
from workbench.rules import Decision, GameError, Rules


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept trees, empty; everything is worth keeping."""
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(disk_cache, "_user_cache", lambda: tmp_path)  # not what a user has kept
    monkeypatch.setattr(compiling, "WORTH_KEEPING", -1.0)
    return tmp_path / "workbench" / "trees"


def kept_tree(rules: Rules) -> wb.GameTree | None:
    """What is on disk for these rules."""
    kept = disk_cache.load("trees", f"{rules!r} {compiling._sources()}")
    return None if kept is None else wb.GameTree.from_arrays(kept, rules)


def assert_same(one: wb.GameTree, two: wb.GameTree) -> None:
    for name in one.__dataclass_fields__:
        first, second = getattr(one, name), getattr(two, name)
        assert type(first) is type(second), name
        if isinstance(first, np.ndarray):
            assert first.dtype == second.dtype, name
            assert not second.flags.writeable, name
            np.testing.assert_array_equal(first, second, err_msg=name)
        else:
            assert first == second, name


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kuhn", {}),
        ("leduc", {}),
        ("toepen", {"suits": 2}),
        ("toepen", {"suits": 2, "suit_isomorphism": True}),
    ],
)
def test_a_kept_tree_is_the_tree(
    trees: Path, game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = wb.load_game(game, **options)
    fresh = wb.compile_game(rules, cache=False)
    assert not trees.exists()
    wb.compile_game(rules)
    assert len(list(trees.iterdir())) == 1
    monkeypatch.setattr(compiling, "_Walk", None)  # it is read and not compiled
    kept = wb.compile_game(rules)
    assert_same(fresh, kept)
    assert kept.fingerprint == fresh.fingerprint


def test_options_and_sources_make_another_tree(
    trees: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wb.compile_game(wb.load_game("kuhn"))
    assert kept_tree(wb.load_game("kuhn", cards=4)) is None
    monkeypatch.setattr(compiling, "_sources", lambda: "edited")
    assert kept_tree(wb.load_game("kuhn")) is None


def test_a_damaged_one_is_compiled_again(trees: Path) -> None:
    rules = wb.load_game("kuhn")
    fresh = wb.compile_game(rules)
    (path,) = trees.iterdir()
    good = path.read_bytes()
    for bad in (b"", good[: len(good) // 2], good[:200] + b"\0\1\2\3" + good[204:]):
        path.write_bytes(bad)
        assert kept_tree(rules) is None
        assert_same(fresh, wb.compile_game(rules))
        assert path.read_bytes() == good


def test_a_file_under_the_name_of_another_is_not_taken(trees: Path) -> None:
    for cards in (3, 4):
        wb.compile_game(wb.load_game("kuhn", cards=cards))
    three, four = sorted(trees.iterdir(), key=lambda path: path.stat().st_size)
    shutil.copy(four, three)
    assert kept_tree(wb.load_game("kuhn")) is None
    assert kept_tree(wb.load_game("kuhn", cards=4)) is not None


def test_large_arrays_under_the_name_of_others_are_not_taken(trees: Path) -> None:
    folder = trees.parent / "large"
    for key in ("one", "two"):
        disk_cache.save_mapped("large", key, {"a": np.array([ord(key[0])])})
    one, two = sorted(folder.glob("*.npz"))
    for path in (two, *folder.glob(f"{two.stem}-*")):
        shutil.copy(path, folder / path.name.replace(two.stem, one.stem))
    assert sorted(disk_cache.load_mapped("large", key) is None for key in ("one", "two")) == [
        False,
        True,
    ]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_a_shared_folder_leads_nowhere(trees: Path, tmp_path: Path) -> None:
    """Somebody else has linked the file's name to a file of hers."""
    wb.compile_game(wb.load_game("kuhn"))
    (path,) = trees.iterdir()
    diary = tmp_path / "diary"
    diary.write_text("dear diary")
    path.unlink()
    path.symlink_to(diary)
    fresh = wb.compile_game(wb.load_game("kuhn"))
    assert diary.read_text() == "dear diary"
    kept = kept_tree(wb.load_game("kuhn"))
    assert kept is not None
    assert_same(fresh, kept)


def test_the_limit_holds_for_kept_trees(trees: Path) -> None:
    wb.compile_game(wb.load_game("kuhn"))
    with pytest.raises(GameError, match="more than 50 histories"):
        wb.compile_game(wb.load_game("kuhn"), max_histories=50)


def test_own_games_and_quick_ones_are_not_kept(
    trees: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wb.compile_game(told(Decision(0, "", "ab")))
    wb.compile_game(wb.load_game("bluff"))
    monkeypatch.setattr(compiling, "WORTH_KEEPING", 60.0)
    wb.compile_game(wb.load_game("kuhn"))
    assert not trees.exists()


@pytest.mark.usefixtures("trees")
def test_the_first_place_that_can_be_written_to_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    places = [tmp_path / "file", tmp_path / "second", tmp_path / "third"]
    for several in (places[:1], places):
        monkeypatch.setattr(disk_cache, "candidates", lambda several=several: several)
        fresh = wb.compile_game(wb.load_game("kuhn"))
    assert [place.exists() for place in places] == [True, True, False]
    kept = kept_tree(wb.load_game("kuhn"))
    assert kept is not None
    assert_same(fresh, kept)


def test_old_trees_make_room(trees: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 20_000)
    for cards in (3, 4, 5, 6):
        wb.compile_game(wb.load_game("kuhn", cards=cards))
    assert kept_tree(wb.load_game("kuhn", cards=6)) is not None
    assert kept_tree(wb.load_game("kuhn", cards=3)) is None


def test_what_comes_along_is_looked_at_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.shipped.shipped", lambda name: tmp_path / name)
    monkeypatch.setattr(disk_cache, "candidates", lambda: [tmp_path / disk_cache.PREPARED])
    disk_cache.save("numbers", "one", {"a": np.ones(1)})
    monkeypatch.setattr(disk_cache, "candidates", lambda: [tmp_path / "cache"])
    assert disk_cache.load("numbers", "one") is None
    along = disk_cache.load("numbers", "one", prepared=True)
    assert along is not None
    assert along["a"] == 1
    (path,) = tmp_path.glob(f"{disk_cache.PREPARED}/numbers/*")
    os.utime(path, (1000, 1000))
    disk_cache.load("numbers", "one", prepared=True)
    assert path.stat().st_mtime == 1000, "files of the project stay as they are"
    disk_cache.save("numbers", "one", {"a": np.zeros(1)})
    newer = disk_cache.load("numbers", "one", prepared=True)
    assert newer is not None
    assert newer["a"] == 0


def test_what_comes_along_belongs_to_these_sources() -> None:
    files = [*prepared.FOLDER.glob("*/*")]
    assert files
    for path in files:
        key, wanted = prepared.keys(path)
        assert key == wanted, f"{path} is of other sources: see tests/prepared.py"
        assert path == disk_cache._path(prepared.FOLDER, path.parent.name, key)


def test_names_must_be_plain() -> None:
    strange = wb.compile_game(told(Decision(0, frozenset("a"), "lr")))
    with pytest.raises(GameError, match="no plain values"):
        strange.to_arrays()
