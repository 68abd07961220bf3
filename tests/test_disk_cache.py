"""Kept trees: the same tree again, and never a wrong, a damaged or a stale one."""

import os
import shutil

import numpy as np
import pytest

import workbench as wb
from tests import prepared
from tests.lab.exercises.test_strangers import ANNA, LECTURER, MALLORY, As, act, made, world  # noqa: F401
from tests.test_compiling import told
from workbench import compiling, disk_cache
from workbench.files import load_arrays
from workbench.lab.play import equilibrium_cache
from workbench.rules import Decision, GameError


@pytest.fixture
def trees(tmp_path, monkeypatch):
    """The folder of kept trees, empty; everything is worth keeping."""
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(disk_cache, "_user_cache", lambda: tmp_path)  # not what a user has kept
    monkeypatch.setattr(compiling, "WORTH_KEEPING", -1.0)
    return tmp_path / "workbench" / "trees"


def kept_tree(rules):
    """What is on disk for these rules."""
    kept = disk_cache.load("trees", f"{rules!r} {compiling._sources()}")
    return None if kept is None else wb.GameTree.from_arrays(kept, rules)


def assert_same(one, two):
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
def test_a_kept_tree_is_the_tree(trees, game, options, monkeypatch):
    rules = wb.load_game(game, **options)
    fresh = wb.compile_game(rules, cache=False)
    assert not trees.exists()
    wb.compile_game(rules)
    assert len(list(trees.iterdir())) == 1
    monkeypatch.setattr(compiling, "_Walk", None)  # it is read and not compiled
    kept = wb.compile_game(rules)
    assert_same(fresh, kept)
    assert kept.fingerprint == fresh.fingerprint


def test_options_and_sources_make_another_tree(trees, monkeypatch):
    wb.compile_game(wb.load_game("kuhn"))
    assert kept_tree(wb.load_game("kuhn", cards=4)) is None
    monkeypatch.setattr(compiling, "_sources", lambda: "edited")
    assert kept_tree(wb.load_game("kuhn")) is None


def test_a_damaged_one_is_compiled_again(trees):
    rules = wb.load_game("kuhn")
    fresh = wb.compile_game(rules)
    (path,) = trees.iterdir()
    good = path.read_bytes()
    for bad in (b"", good[: len(good) // 2], good[:200] + b"\0\1\2\3" + good[204:]):
        path.write_bytes(bad)
        assert kept_tree(rules) is None
        assert_same(fresh, wb.compile_game(rules))
        assert path.read_bytes() == good


def test_a_whole_one_that_is_no_tree_is_compiled_again(trees):
    rules = wb.load_game("kuhn")
    fresh = wb.compile_game(rules)
    for change in ({"names": np.zeros(3, np.uint8)}, {"parent": np.zeros(())}, {"wrong": 1}):
        arrays = {**fresh.to_arrays(), **change}
        if "wrong" in change:
            del arrays["choice"]
        disk_cache.save("trees", f"{rules!r} {compiling._sources()}", arrays)
        assert_same(fresh, wb.compile_game(rules))


def test_a_file_under_the_name_of_another_is_not_taken(trees):
    for cards in (3, 4):
        wb.compile_game(wb.load_game("kuhn", cards=cards))
    three, four = sorted(trees.iterdir(), key=lambda path: path.stat().st_size)
    shutil.copy(four, three)
    assert kept_tree(wb.load_game("kuhn")) is None
    assert kept_tree(wb.load_game("kuhn", cards=4)) is not None


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_in_a_shared_folder_leads_nowhere(trees, tmp_path):
    """Somebody else has linked the file's name to a file of hers."""
    wb.compile_game(wb.load_game("kuhn"))
    (path,) = trees.iterdir()
    diary = tmp_path / "diary"
    diary.write_text("dear diary")
    path.unlink()
    path.symlink_to(diary)
    fresh = wb.compile_game(wb.load_game("kuhn"))
    assert diary.read_text() == "dear diary"
    assert_same(fresh, kept_tree(wb.load_game("kuhn")))


@pytest.fixture
def shared(world, monkeypatch):  # noqa: F811
    """A cache folder that a lecturer has set up for everybody."""
    cache = made(world / "cache", 0o1777)
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(cache))
    for folder in ("workbench", "workbench/trees", "workbench/numbers"):
        made(cache / folder, 0o1777)
    monkeypatch.setattr(compiling, "WORTH_KEEPING", -1.0)
    return cache / "workbench"


def test_a_strangers_tree_is_compiled_anew(shared, act, capsys):  # noqa: F811
    """Key and checksum fit, and the payoffs are three times as high."""
    rules = wb.load_game("kuhn")
    fresh = wb.compile_game(rules, cache=False)
    forged = {**fresh.to_arrays(), "utility": fresh.utility * 3}
    with act(MALLORY):
        disk_cache.save("trees", f"{rules!r} {compiling._sources()}", forged)
        (path,) = (shared / "trees").iterdir()
        assert kept_tree(rules) is not None
    forgery = path.read_bytes()
    with act(ANNA) as home:
        assert kept_tree(rules) is None
        for _ in range(2):
            assert_same(fresh, wb.compile_game(rules))
        assert_same(fresh, kept_tree(rules))
        assert list(home.glob("workbench/trees/*.npz")), "it is kept in a place of her own"
    assert path.read_bytes() == forgery
    assert capsys.readouterr().err == ""
    for owner in (LECTURER, 0, ANNA):
        os.chown(path, owner, owner)
        with act(ANNA):
            assert kept_tree(rules).utility.max() == 6, "these she believes"


@pytest.mark.parametrize("part", ["", "-a"])
def test_large_arrays_of_strangers_are_not_mapped(shared, act, part):  # noqa: F811
    arrays = {"a": np.arange(4)}
    with act(LECTURER):
        disk_cache.save_mapped("numbers", "one", arrays)
    with act(ANNA):
        assert disk_cache.load_mapped("numbers", "one") is not None
    (path,) = (shared / "numbers").glob(f"*{part}.{'npy' if part else 'npz'}")
    os.chown(path, MALLORY, MALLORY)
    with act(ANNA):
        assert disk_cache.load_mapped("numbers", "one") is None
        disk_cache.save_mapped("numbers", "one", arrays)
        assert disk_cache.load_mapped("numbers", "one") is not None


@pytest.mark.parametrize("name", ["", "numbers", "file"])
def test_no_strangers_link_is_followed_in_a_shared_cache(shared, act, name):  # noqa: F811
    with act(ANNA) as home:
        disk_cache.save("numbers", "one", {"a": np.ones(1)})
        (file,) = (shared / "numbers").iterdir()
        private = home / "private"
        private.mkdir()
    file.unlink()
    link = {"": shared, "numbers": shared / "numbers", "file": file}[name]
    if name != "file":
        shutil.rmtree(link)
    link.symlink_to(private)
    os.chown(link, MALLORY, MALLORY, follow_symlinks=False)
    with act(ANNA):
        disk_cache.save("numbers", "one", {"a": np.ones(1)})
        assert disk_cache.load("numbers", "one") is not None
        assert not list(private.iterdir())
        assert link.is_symlink()


def test_the_limit_holds_for_kept_trees(trees):
    wb.compile_game(wb.load_game("kuhn"))
    with pytest.raises(GameError, match="more than 50 histories"):
        wb.compile_game(wb.load_game("kuhn"), max_histories=50)


def test_own_games_and_quick_ones_are_not_kept(trees, monkeypatch):
    wb.compile_game(told(Decision(0, "", "ab")))
    wb.compile_game(wb.load_game("bluff"))
    monkeypatch.setattr(compiling, "WORTH_KEEPING", 60.0)
    wb.compile_game(wb.load_game("kuhn"))
    assert not trees.exists()


@pytest.mark.usefixtures("trees")
def test_the_first_place_that_can_be_written_to_or_none(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    places = [tmp_path / "file", tmp_path / "second", tmp_path / "third"]
    for several in (places[:1], places):
        monkeypatch.setattr(disk_cache, "candidates", lambda several=several: several)
        fresh = wb.compile_game(wb.load_game("kuhn"))
    assert [place.exists() for place in places] == [True, True, False]
    assert_same(fresh, kept_tree(wb.load_game("kuhn")))


def test_old_trees_make_room(trees, monkeypatch):
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 20_000)
    for cards in (3, 4, 5, 6):
        wb.compile_game(wb.load_game("kuhn", cards=cards))
    assert kept_tree(wb.load_game("kuhn", cards=6)) is not None
    assert kept_tree(wb.load_game("kuhn", cards=3)) is None


def test_what_comes_along_is_looked_at_last(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.shipped.shipped", lambda name: tmp_path / name)
    monkeypatch.setattr(disk_cache, "candidates", lambda: [tmp_path / disk_cache.PREPARED])
    disk_cache.save("numbers", "one", {"a": np.ones(1)})
    monkeypatch.setattr(disk_cache, "candidates", lambda: [tmp_path / "cache"])
    assert disk_cache.load("numbers", "one") is None
    assert disk_cache.load("numbers", "one", prepared=True)["a"] == 1
    (path,) = tmp_path.glob(f"{disk_cache.PREPARED}/numbers/*")
    os.utime(path, (1000, 1000))
    disk_cache.load("numbers", "one", prepared=True)
    assert path.stat().st_mtime == 1000, "files of the project stay as they are"
    disk_cache.save("numbers", "one", {"a": np.zeros(1)})
    assert disk_cache.load("numbers", "one", prepared=True)["a"] == 0


def test_what_comes_along_belongs_to_these_sources():
    files = [*prepared.FOLDER.glob("*/*")]
    assert files
    for path in files:
        key, wanted = prepared.keys(path)
        assert key == wanted, f"{path} is of other sources: see tests/prepared.py"
        assert path == disk_cache._path(prepared.FOLDER, path.parent.name, key)


@pytest.mark.parametrize("treeless", [False, True])
def test_an_equilibrium_that_is_none_is_found_anew(trees, treeless, monkeypatch):
    monkeypatch.setattr(equilibrium_cache, "WORTH_KEEPING", -1.0)
    if treeless:
        monkeypatch.setattr(equilibrium_cache, "MOST_HISTORIES", 10)
    rules = wb.load_game("rhode_island", ranks=3, suits=2) if treeless else wb.load_game("kuhn")
    first = equilibrium_cache.EquilibriumCache(iterations=3).strategy(rules).probs
    (path,) = (trees.parent / "equilibria").iterdir()
    whole = load_arrays(path, "equilibria")
    key = str(whole["key"])
    for probs in (first * np.nan, first - 1, first[1:], np.full(first.shape, "x"), None):
        disk_cache.save("equilibria", key, {} if probs is None else {"probs": probs})
        again = equilibrium_cache.EquilibriumCache(iterations=3).strategy(rules).probs
        np.testing.assert_allclose(again, first, atol=1e-6)
    monkeypatch.setattr(equilibrium_cache, "solve", None)  # it is kept once more, and read
    again = equilibrium_cache.EquilibriumCache(iterations=3).strategy(rules).probs
    np.testing.assert_allclose(again, first, atol=1e-6)
