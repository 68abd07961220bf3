"""Working copies: what is handed out, and what an update does to each kind of file."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from tests.conftest import ROOT
from workbench.lab import working_copies
from workbench.lab.working_copies import FIRST, FOLDER, RECORD, Copies, find_folder, hand_out
from workbench.rules import GameError

ONE, TWO = "notebooks/01.ipynb", "notebooks/exercises/01.toml"
BESIDE = "notebooks/01.new.ipynb"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two files, as an installed package has it."""
    home = tmp_path / "package"
    for name in (ONE, TWO):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("first", encoding="utf-8")
    monkeypatch.setattr(working_copies, "shipped", home.joinpath)
    monkeypatch.setattr(working_copies, "CHECKOUT", None)
    return home


@pytest.fixture
def mine(tmp_path: Path, course: Path) -> Path:
    """Working copies of it."""
    folder = tmp_path / "empty" / FOLDER
    assert set(hand_out(folder).new) == {ONE, TWO}
    return folder


def text(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != RECORD
    }


def write(path: Path, words: str) -> None:
    path.write_text(words, encoding="utf-8")


@pytest.mark.parametrize(
    ("hers", "ours", "found"),
    [
        ("first", "first", {ONE: "first"}),
        ("first", "second", {ONE: "second"}),
        ("mine", "first", {ONE: "mine"}),
        ("mine", "second", {ONE: "mine", BESIDE: "second"}),
        ("second", "second", {ONE: "second"}),  # she has brought it herself
        (None, "first", {ONE: "first"}),
        (None, "second", {ONE: "second"}),
    ],
)
def test_an_update_leaves_alone_what_she_changed(course, mine, hers, ours, found):
    if hers is None:
        (mine / ONE).unlink()
    else:
        write(mine / ONE, hers)
    write(course / ONE, ours)
    made = hand_out(mine)
    assert text(mine) == found | {TWO: "first"}
    assert made.beside == (((ONE, BESIDE),) if BESIDE in found else ())
    assert hand_out(mine) == Copies(mine)  # said and done once
    assert text(mine) == found | {TWO: "first"}


def test_an_update_that_she_works_in_is_hers_too(course, mine):
    write(mine / ONE, "mine")
    for ours in ("second", "third"):  # the update beside is updated, if she leaves it alone
        write(course / ONE, ours)
        assert hand_out(mine).beside == ((ONE, BESIDE),)
    assert text(mine) == {ONE: "mine", BESIDE: "third", TWO: "first"}
    write(mine / BESIDE, "mine as well")
    write(course / ONE, "fourth")
    assert hand_out(mine).beside == ((ONE, "notebooks/01.new2.ipynb"),)
    assert text(mine)[BESIDE] == "mine as well"


@pytest.mark.parametrize("record", ["", "[]", '{"notebooks/01.ipynb": 3}', "[" * 100_000])
def test_without_a_sound_record_every_difference_is_hers(course, mine, record):
    write(mine / RECORD, record)
    write(mine / ONE, "mine")
    assert hand_out(mine).beside == ((ONE, BESIDE),)
    assert text(mine) == {ONE: "mine", BESIDE: "first", TWO: "first"}


def test_stopped_half_way_it_goes_on(course, mine, monkeypatch):
    write(course / ONE, "second")
    write(course / TWO, "second")
    write(mine / ONE, "mine")
    really = working_copies._write

    def stop_at_the_second(path: Path, content: bytes) -> None:
        if path == mine / TWO:
            raise KeyboardInterrupt
        really(path, content)

    monkeypatch.setattr(working_copies, "_write", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        hand_out(mine)
    monkeypatch.setattr(working_copies, "_write", really)
    assert hand_out(mine) == Copies(mine, (), (TWO,), ((ONE, BESIDE),))
    assert text(mine) == {ONE: "mine", BESIDE: "second", TWO: "second"}


def test_nothing_is_written_through_a_link_or_over_a_folder(course, mine, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere, "first")
    (mine / ONE).unlink()
    (mine / ONE).symlink_to(elsewhere)
    (mine / TWO).unlink()
    (mine / TWO).mkdir()
    for name in (ONE, TWO):
        write(course / name, "second")
    assert len(hand_out(mine).beside) == 2
    assert elsewhere.read_text() == "first"
    assert (mine / ONE).is_symlink()
    assert (mine / TWO).is_dir()


def test_a_folder_that_cannot_be_made_is_named(course, tmp_path):
    write(tmp_path / "file", "")
    with pytest.raises(GameError, match=r"cannot be written .*; name a folder of your own"):
        hand_out(tmp_path / "file" / "below")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("loop", "x" * 300, "zero\0"):
        with pytest.raises(GameError, match=r"leads nowhere .*; name another one"):
            hand_out(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_as_record_is_not_waited_for(mine):
    (mine / RECORD).unlink()
    os.mkfifo(mine / RECORD)
    with pytest.raises(GameError, match="it is a device or a pipe"):
        hand_out(mine)


def test_what_a_killed_start_left_half_written_goes(course, mine, monkeypatch):
    def killed(path: Path, missing_ok: bool = False) -> None:
        """Nothing is tidied up."""

    write(course / ONE, "second")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        patch.setattr(Path, "unlink", killed)
        hand_out(mine)
    assert [name for name in text(mine) if name.endswith(".part")]
    write(mine / "notebooks" / ".hers.part", "hers")
    hand_out(mine)
    assert [name for name in text(mine) if name.endswith(".part")] == ["notebooks/.hers.part"]


def test_it_is_found_again(course, mine, monkeypatch):
    for here in (mine.parent, mine, mine / "notebooks" / "exercises"):
        monkeypatch.chdir(here)
        assert find_folder() == mine
        assert find_folder(Path("other")) == here / "other"
    monkeypatch.chdir(course)
    assert find_folder() == course / FOLDER
    monkeypatch.setattr(working_copies, "CHECKOUT", ROOT)  # the same from everywhere
    assert find_folder() == ROOT / FOLDER


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hand_out(tmp_path_factory.mktemp("student") / FOLDER).folder


def test_the_whole_course_is_handed_out(copies):
    assert (copies / FIRST).is_file()
    for kind in ("**/*.ipynb", "exercises/*.toml"):
        originals = sorted(path.name for path in (ROOT / "notebooks").glob(kind))
        assert originals == sorted(path.name for path in (copies / "notebooks").glob(kind))
    names = {part for path in copies.rglob("*") for part in path.relative_to(copies).parts}
    assert not [name for name in names if name.startswith((".", "__")) and name != RECORD]


def test_links_inside_lead_somewhere(copies):
    for path in copies.rglob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        for words in [cell.source for cell in cells if cell.cell_type == "markdown"]:
            for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", words):
                assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("name", ["", "notebooks/mine", "data"])
def test_the_originals_are_not_working_copies(name):
    with pytest.raises(GameError, match="holds the originals"):
        hand_out(ROOT / name)


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_a_clone_stays_clean(tmp_path, monkeypatch):
    """Also with a folder of another name, inside the clone."""
    monkeypatch.setattr(working_copies, "CHECKOUT", tmp_path)
    shutil.copy(ROOT / ".gitignore", tmp_path)

    def git(*words: str) -> str:
        run = ["git", "-C", str(tmp_path), *words]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    hand_out(tmp_path / FOLDER)
    hand_out(tmp_path / "ada")
    assert git("status", "--porcelain") == "?? .gitignore\n"
