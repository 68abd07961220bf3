"""Files are whole or refused by name; a crash leaves the old file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench import GameError
from workbench import files as archive
from workbench.files import DamagedError, load_arrays, save_arrays, write_file


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save_arrays(tmp_path / "file", "thing", numbers=np.arange(100.0), text="a word")


def test_what_is_saved_comes_back(saved: Path) -> None:
    assert saved.name == "file.npz"
    content = load_arrays(saved, "thing")
    assert content["numbers"].tolist() == list(range(100))
    assert str(content["text"]) == "a word"
    assert [path.name for path in saved.parent.iterdir()] == ["file.npz"]


def test_every_shorter_file_is_refused_by_name(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in [0, 1, *range(10, len(whole), 97), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(DamagedError, match=r"file\.npz is damaged .*; save it again"):
            load_arrays(saved, "thing")


def test_every_edited_byte_of_the_numbers_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    where = whole.index(np.arange(100.0).tobytes())
    for place in range(where, where + 800, 37):
        edited = bytearray(whole)
        edited[place] ^= 1
        saved.write_bytes(edited)
        with pytest.raises(DamagedError, match=r"file\.npz is damaged"):
            load_arrays(saved, "thing")


def test_an_edit_that_zip_accepts_is_noticed(saved: Path) -> None:
    with np.load(saved) as file:
        content: dict[str, Any] = dict(file)
    content["numbers"] = content["numbers"] + 1.0
    np.savez(saved, **content)
    with pytest.raises(DamagedError, match="checksum does not fit its content; throw it away"):
        load_arrays(saved, "thing", fix="throw it away")


def test_pickles_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "pickle.npz"
    np.savez(path, numbers=np.array([{}], dtype=object))
    with pytest.raises(DamagedError, match=r"pickle\.npz is damaged or no saved thing"):
        load_arrays(path, "thing")


def test_another_kind_a_newer_format_and_no_file(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GameError, match="holds a thing, not a strategy"):
        load_arrays(saved, "strategy")
    with pytest.raises(GameError, match="there is no file"):
        load_arrays(saved.with_name("nowhere.npz"), "thing")
    monkeypatch.setattr(archive, "FORMAT", 2)
    save_arrays(saved, "thing", numbers=1)
    monkeypatch.undo()
    with pytest.raises(GameError, match=r"newer workbench \(format 2\); update this one"):
        load_arrays(saved, "thing")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file(
    saved: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left"):
        write_file(saved, b"new")
    monkeypatch.undo()
    assert [path.name for path in saved.parent.iterdir()] == ["file.npz"]
    assert load_arrays(saved, "thing")["numbers"][99] == 99
