"""Files are whole or refused by name; a crash leaves the old file."""

import os
import zipfile

import numpy as np
import pytest

from workbench import GameError
from workbench.files import DamagedError, load_arrays, save_arrays, write_file


@pytest.fixture
def saved(tmp_path):
    return save_arrays(tmp_path / "file", "thing", numbers=np.arange(100.0), text="a word")


def test_what_is_saved_comes_back(saved):
    assert saved.name == "file.npz"
    content = load_arrays(saved, "thing")
    assert content["numbers"].tolist() == list(range(100))
    assert str(content["text"]) == "a word"
    assert [path.name for path in saved.parent.iterdir()] == ["file.npz"]


def test_every_shorter_file_is_refused_by_name(saved):
    whole = saved.read_bytes()
    for length in [0, 1, *range(10, len(whole), 97), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(DamagedError, match=r"file\.npz is damaged .*; save it again"):
            load_arrays(saved, "thing")


def test_no_flipped_byte_goes_unnoticed(saved):
    """Every single damaged byte is refused, or was one that carries no meaning."""
    whole, content, refused = saved.read_bytes(), load_arrays(saved, "thing"), 0
    for place in range(0, len(whole), 3):
        saved.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            loaded = load_arrays(saved, "thing")
        except GameError as error:
            assert "file.npz" in str(error)  # noqa: PT017
            refused += 1
        else:
            assert loaded["numbers"].tobytes() == content["numbers"].tobytes()
    assert refused > len(whole) // 3 // 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numbers": np.arange(1.0, 101.0)}, "checksum does not fit its content; throw it away"),
        ({"text": np.array("another")}, "checksum does not fit"),
        ({"checksum": np.array("0" * 64)}, "checksum does not fit"),
        ({"checksum": None}, "damaged or no saved thing"),
        ({"format": np.int64(99)}, r"newer workbench \(format 99\); update this one"),
        ({"format": np.array("one")}, "damaged or no saved thing"),
    ],
)
def test_an_edit_that_zip_accepts_is_noticed(saved, changes, message):
    """The same file with other entries; None leaves one out."""
    with np.load(saved) as file:
        entries = dict(file) | changes
    np.savez(saved, **{name: value for name, value in entries.items() if value is not None})
    with pytest.raises(GameError, match=message):
        load_arrays(saved, "thing", fix="throw it away")


@pytest.mark.parametrize("kind", ["text", "npy", "zip", "pickle", "folder"])
def test_other_files_are_refused(tmp_path, kind):
    path = tmp_path / "other.npz"
    if kind == "text":
        path.write_text("not a thing")
    elif kind == "npy":
        with open(path, "wb") as file:
            np.save(file, np.ones(24))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("probs.npy", "nothing")
    elif kind == "pickle":
        np.savez(path, numbers=np.array([{"run": "me"}], object))
    else:
        path.mkdir()
    with pytest.raises(DamagedError, match=r"other\.npz is damaged or no saved thing"):
        load_arrays(path, "thing")


def test_another_kind_and_no_file(saved):
    with pytest.raises(GameError, match="holds a thing, not a strategy"):
        load_arrays(saved, "strategy")
    with pytest.raises(GameError, match=r"there is no file .*nowhere.npz"):
        load_arrays(saved.with_name("nowhere.npz"), "thing")


def test_a_link_is_followed_for_oneself_and_not_among_strangers(saved):
    other, link = saved.with_name("other"), saved.with_name("link")
    write_file(other, b"old")
    link.symlink_to(other)
    write_file(link, b"new")
    assert (link.is_symlink(), other.read_bytes()) == (True, b"new")
    write_file(link, b"hers", follow=False, mode=0o640)
    assert (link.is_symlink(), other.read_bytes(), link.read_bytes()) == (False, b"new", b"hers")
    assert link.stat().st_mode & 0o777 == 0o640 or os.name == "nt"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file(saved, step, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left"):
        write_file(saved, b"new")
    monkeypatch.undo()
    assert [path.name for path in saved.parent.iterdir()] == ["file.npz"]
    assert load_arrays(saved, "thing")["numbers"][99] == 99
