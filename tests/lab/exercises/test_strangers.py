"""A class folder among strangers: three accounts, one of whom lays links and forges files."""

import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.lab.exercises.test_class import votes_on
from tests.lab.widgets.helpers import said
from workbench.disk_cache import alone
from workbench.files import locked
from workbench.lab.exercises import class_folder, hand_ins
from workbench.lab.exercises.class_folder import ask, asked, guess_of, note_vote
from workbench.lab.exercises.hand_ins import VOTE, HandIn, Note
from workbench.lab.widgets.prediction import Votes

CARDS = wb.exercises.Question("How many cards has a pack of Skat?", 32, high=60)
MALLORY, ANNA, LECTURER = 2001, 2002, 2003
FORGED = {VOTE + CARDS.key: Note(59, 1, True), "01 check_queen": Note("I cheat", 1, True)}
As = Callable[[int], AbstractContextManager[Path]]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that every account can reach; those of pytest belong to one alone."""
    if not hasattr(os, "seteuid") or os.geteuid() != 0:
        pytest.skip("only root can act as several accounts")
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    monkeypatch.delenv("WORKBENCH_CACHE_DIR", raising=False)
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    Votes(CARDS, place, live=False).close()  # so that strangers need not import anything,
    first = HandIn("w", "first", {"x": Note(1, 1)}).write(place / "first.json")
    wb.exercises.read_hand_ins(first)  # which they might not be allowed to
    first.unlink()
    yield place
    shutil.rmtree(place)


@pytest.fixture
def act(world: Path, monkeypatch: pytest.MonkeyPatch) -> As:
    """`with act(ANNA) as home:` what follows is done by this account, in a new kernel."""

    @contextmanager
    def acting(account: int) -> Iterator[Path]:
        home, groups = world / f"home-{account}", os.getgroups()
        if not home.exists():
            home.mkdir(mode=0o700)
            (home / "diary").write_text("Dear diary")
            for path in (home, home / "diary"):
                os.chown(path, account, account)
        for name, value in {"HOME": home, "XDG_CACHE_HOME": home, "LOGNAME": f"u{account}"}.items():
            monkeypatch.setenv(name, str(value))
        fresh = {"_here": None, "_noted": HandIn(), "_taken": "", "LAST": secrets.token_hex(8)}
        for name, value in fresh.items():
            monkeypatch.setattr(class_folder, name, value)
        os.setgroups([])
        os.setegid(account)
        os.seteuid(account)
        try:
            yield home
        finally:
            os.seteuid(0)
            os.setegid(0)
            os.setgroups(groups)
        assert (home / "diary").read_text() == "Dear diary"  # whatever others have laid

    return acting


@pytest.fixture
def folder(world: Path, act: As) -> Path:
    return made(world / "class", 0o1777)


def made(path: Path, mode: int, owner: int = LECTURER) -> Path:
    path.mkdir()
    os.chown(path, owner, owner)
    path.chmod(mode)
    return path


def file_of_anna(act: As, folder: Path) -> Path:
    with act(ANNA):
        return folder / wb.classroom(folder, name="Anna").file


def state(folder: Path) -> Path:
    return folder / f"question-{CARDS.key}.vote"


def votes(act: As, folder: Path) -> list[Any]:
    with act(LECTURER):
        return votes_on(CARDS, folder)[0]


# ---- the student's file ----------------------------------------------------------------


TAKEN: dict[str, Callable[[Path, Path], Any]] = {
    "a link into her home": lambda file, home: file.symlink_to(home / "startup.py"),
    "a link to her diary": lambda file, home: file.symlink_to(home / "diary"),
    "a folder of that name": lambda file, home: (file / "full").mkdir(parents=True),
    "a pipe": lambda file, home: os.mkfifo(file),
    "a closed file": lambda file, home: file.touch(mode=0o000),
    "a forged file": lambda file, home: HandIn(file.stem[-10:], "Anna", FORGED).write(file),
}


@pytest.mark.parametrize("take", TAKEN.values(), ids=TAKEN)
@pytest.mark.parametrize("names", [1, 30])
def test_whatever_takes_her_name_is_left_alone_and_her_vote_arrives(act, folder, take, names):
    file = file_of_anna(act, folder)
    with act(MALLORY):
        for k in range(1, names + 1):
            take(file.with_stem(file.stem + f"-{k}" * (k > 1)), folder.parent / f"home-{ANNA}")
    with act(ANNA) as home:
        place = wb.classroom(folder, name="Anna")
        assert f"Tell your lecturer: {file} " in repr(place)
        assert guess_of(CARDS) is None
        assert note_vote(CARDS, 12, final=False) == ""
        assert guess_of(CARDS) == 12
        handed = wb.exercises.hand_in(home / "mine.json", name="Anna")
        assert list(handed.answer) == ["12"]
        assert [path.name for path in home.iterdir() if path.suffix == ".py"] == []
    assert 12 in votes(act, folder)
    with act(ANNA):  # the next day
        wb.classroom(folder, name="Anna")
        assert guess_of(CARDS) == (12 if names < 9 else None)  # else its name was drawn by lot


def test_a_name_laid_while_she_works_is_no_way_through(act, folder):
    """Between her look and her writing: what is renamed takes the link's place or is refused."""
    file = file_of_anna(act, folder)
    with act(ANNA) as home:
        wb.classroom(folder, name="Anna")
        mine = HandIn("w", "Anna", {"x": Note(1, 1)})
        file.symlink_to(home / "diary")
        mine.write(file)
        assert not file.is_symlink()
        file.unlink()
    with act(MALLORY):
        file.symlink_to(home / "diary")
    with act(ANNA), pytest.raises(wb.GameError, match="cannot be written"):
        mine.write(file)


def test_another_name_is_a_new_file_and_renames_nothing_of_others(act, folder):
    with act(ANNA):
        old = folder / wb.classroom(folder, name="A").file
        note_vote(CARDS, 12, final=False)
        new = folder / class_folder.Classroom("Anna", folder).file
    with act(MALLORY) as home:
        new.symlink_to(home / "stolen")
    with act(ANNA):
        wb.classroom(folder, name="A")
        wb.classroom(folder, name="Anna")
        assert not old.exists()
        assert guess_of(CARDS) == 12
    assert new.is_symlink()
    assert not (home / "stolen").exists()
    assert votes(act, folder) == [12]


def test_hand_in_goes_through_no_strangers_link_and_over_nobody_elses_file(act, folder):
    with act(ANNA) as home:
        (home / "private").mkdir()
    with act(MALLORY):
        HandIn("w", "Anna", FORGED).write(folder / "anna.json")
        (folder / "link.json").symlink_to(home / "made")
        (folder / "dir").symlink_to(home / "private")
        (folder / "round").symlink_to(folder / "round")
    with act(ANNA):
        note_vote(CARDS, 12, final=False)
        for name, why in {
            "anna.json": "belongs to account",
            "link.json": "it is a link",
            "dir": r"dir is a link of account \S+; name the",
            "dir/z.json": r"dir is a link of account \S+; name the",
            "round/z.json": "leads nowhere",
        }.items():
            with pytest.raises(wb.GameError, match=why):
                wb.exercises.hand_in(folder / name, name="Anna")
        assert list(wb.exercises.hand_in(folder, name="Anna").answer) == ["12"]
        assert not (home / "made").exists()
        assert not list((home / "private").iterdir())
        (home / "own").symlink_to(home / "private")
        wb.exercises.hand_in(home / "own" / "z.json", name="Anna")
        assert (home / "private" / "z.json").exists()


def test_where_owners_mean_nothing_nobody_is_locked_out(act, folder, monkeypatch):
    """A network disk that gives every file to one account, and containers that share one."""
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    with act(ANNA):
        ask(CARDS, folder)
        wb.classroom(folder, name="Anna")
        assert note_vote(CARDS, 12, final=False) == ""
    with act(ANNA):
        wb.classroom(folder, name="Anna")
        assert guess_of(CARDS) == 12
        assert asked(CARDS, folder) is False


def test_a_lock_is_no_way_through(tmp_path, monkeypatch):
    """In a cache that is shared, against all advice, another may lay links, or hold a lock."""
    cache, diary = tmp_path / "cache" / "workbench", tmp_path / "diary"
    cache.mkdir(parents=True)
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(cache.parent))
    diary.write_text("Dear diary")
    for lay in (Path.symlink_to, Path.hardlink_to):
        lay(cache / "a.lock", diary)
        with alone("a.lock") as found:
            assert found  # elsewhere
        assert diary.read_text() == "Dear diary"
        (cache / "a.lock").unlink()
    cache.chmod(0o777)
    with locked(cache / "a.lock"), alone("a.lock") as found:
        assert found or os.name == "nt"


# ---- the lecturer's files --------------------------------------------------------------


@pytest.mark.parametrize("owner", [LECTURER, 0])
@pytest.mark.parametrize("take", [*TAKEN.values(), None], ids=[*TAKEN, "a text"])
def test_a_students_question_files_count_for_nobody_and_block_nothing(world, act, owner, take):
    folder = made(world / "class", 0o1777, owner)
    with act(LECTURER) as home:
        assert not (home / "startup.py").exists()
    with act(MALLORY):
        if take:
            take(state(folder), home)
        else:
            state(folder).write_text(json.dumps({"key": CARDS.key, "open": True}))
    with act(ANNA):
        assert asked(CARDS, folder) is None
    with act(LECTURER):
        panel = Votes(CARDS, folder, live=False)
        assert panel.opened is False
        panel.open_button.click()
        assert panel.opened is True
        panel.close()
        assert not (home / "startup.py").exists()
    if owner == LECTURER:
        with act(ANNA):
            assert asked(CARDS, folder) is True


@pytest.mark.parametrize(
    ("owner", "mode", "says"),
    [(0, 0o1777, "only what its owner asks"), (LECTURER, 0o777, "chmod +t")],
)
def test_a_folder_that_others_rule_comes_with_a_warning(world, act, panels, owner, mode, says):
    """It is somebody else's, or anybody may delete in it."""
    folder = made(world / "class", mode, owner)
    with act(LECTURER):
        assert says in said(panels(Votes, CARDS, folder, live=False))
    with act(ANNA):
        assert ("chmod +t" in repr(wb.classroom(folder, name="Anna"))) == (mode == 0o777)


def test_a_second_name_of_the_lecturers_file_opens_nothing(act, folder):
    """Where hard links to others' files are allowed."""
    other = wb.exercises.Question("Which is red?", "hearts", options=("spades", "hearts"))
    with act(LECTURER):
        ask(other, folder, opened=True)
        ask(CARDS, folder)
    os.link(state(folder), folder / "second-name")
    for account in (ANNA, LECTURER):
        with act(account):
            assert asked(CARDS, folder) is False
    state(folder).unlink()
    os.link(folder / f"question-{other.key}.vote", state(folder))
    for account in (ANNA, LECTURER):
        with act(account):
            assert asked(CARDS, folder) is None


# ---- what the lecturer reads -----------------------------------------------------------


def test_a_file_under_annas_name_changes_nothing_in_her_row(act, folder):
    with act(ANNA):
        place = wb.classroom(folder, name="Anna")
        who, file = place.who, place.file
        wb.exercises.load("01").check_queen("7/1800")
        note_vote(CARDS, 12, final=False)
    with act(LECTURER):
        before = wb.exercises.read_hand_ins(folder)
    with act(MALLORY):
        HandIn(who, "Anna", FORGED).write(folder / "z.json")
        HandIn(who, "Anna", {}).write(folder / "z2.json")
    with act(LECTURER):
        table = wb.exercises.read_hand_ins(folder)
        assert votes_on(CARDS, folder)[1] == 2
    hers = table[(table.student == "Anna") & (table.problem == "")]
    assert hers.reset_index(drop=True).equals(before)
    (why,) = set(table.problem) - {""}
    for claim in ("z.json, z2.json (account 2001)", f"{file} (account 2002)"):
        assert claim in why


def forge(folder: Path, files: dict[str, str], name: str = "Anna") -> None:
    for k, (file, who) in enumerate(files.items()):
        HandIn(who, name, {key: Note(59 - k, 5 + k) for key in FORGED}).write(folder / file)


def test_nobody_takes_annas_name_or_votes_twice(world, act):
    folder = made(world / "class", 0o3733)
    with act(ANNA):
        file = wb.classroom(folder, name="Anna").file
        note_vote(CARDS, 12, final=False)
    with act(LECTURER):
        before = wb.exercises.read_hand_ins(folder)
        assert list(before.student) == ["Anna"]
    with act(MALLORY):
        forge(folder, {f"a{k}.json": f"{k:010}" for k in range(3)})
    with act(LECTURER):
        table = wb.exercises.read_hand_ins(folder)
        assert votes_on(CARDS, folder) == ([57, 12], 3)  # the newest of Mallory's
    assert table[table.student == "Anna"].reset_index(drop=True).equals(before)
    (name, *_), (why,) = set(table.student) - {"Anna"}, set(table.problem) - {""}
    assert name.startswith("Anna (account 2001)")
    assert why == "account 2001 has 3 hand-ins (a0.json, a1.json, a2.json); a2.json counts"
    with act(MALLORY):  # a file named as a class folder would name it: who is the real Anna?
        forge(folder, {"anna-0000000001.json": "0000000001"}, "ANNA")
        for k in range(3):
            (folder / f"a{k}.json").unlink()
        forge(folder, {"b.json": "b"}, "Anna (account 2002)")
    with act(LECTURER):
        table = wb.exercises.read_hand_ins(folder).set_index("student")
        assert votes_on(CARDS, folder)[0] == [59, 12]
    assert table.file["Anna (account 2002)"] == file
    assert {*table.file["ANNA (account 2001)"]} == {"anna-0000000001.json"}
    assert {*table.file["Anna (account 2002) (2)"]} == {"b.json"}


def test_what_the_lecturer_brings_or_one_account_for_all_counts_as_before(act, folder):
    """Files that were mailed to her; students whose files all belong to one account."""
    with act(ANNA):
        forge(folder, {f"a{k}.json": f"a{k}" for k in range(2)})
    with act(LECTURER):
        forge(folder, {f"b{k}.json": f"b{k}" for k in range(2)}, "Bob")
        table = wb.exercises.read_hand_ins(folder)
        assert votes_on(CARDS, folder) == ([59, 58, 59, 58], 0)
    assert [*table.student.unique()] == ["Anna", "Anna (2)", "Bob", "Bob (2)"]
    with act(MALLORY):
        forge(folder, {"c.json": "c"}, "Bob")
    with act(LECTURER):
        assert votes_on(CARDS, folder) == ([58, 59, 58, 59], 3)  # Anna's are of one account
        table = wb.exercises.read_hand_ins(folder)
    assert {"Bob", "Bob (2)", "Bob (account 2001)"} < {*table.student}


def test_one_accounts_junk_hides_nobody(act, folder, monkeypatch):
    monkeypatch.setattr(hand_ins, "MOST", 20)
    with act(ANNA):
        wb.classroom(folder, name="Anna")
        note_vote(CARDS, 12, final=False)
    with act(MALLORY):
        for k in range(30):
            (folder / f"{k:02}").touch()
            (folder / f".{k}").touch()
        (folder / "large.json").write_bytes(b" " * hand_ins.LARGEST)
        deep = folder
        for _ in range(1100):
            (deep := deep / "d").mkdir()
        (folder / "round").symlink_to(folder)
    with act(LECTURER):
        guesses, odd = votes_on(CARDS, folder)
        said = wb.exercises.read_hand_ins(folder).set_index("file").problem
    while deep != folder:  # too deep for shutil
        deep.rmdir()
        deep = deep.parent
    assert guesses == [12]
    assert odd <= 21
    assert "files of account 2001" in said[str(folder)]


# ---- a folder that only the lecturer may list ------------------------------------------


def test_in_a_drop_box_nobody_reads_anothers_answers(world, act):
    folder = made(world / "class", 0o3733)
    with act(LECTURER):
        ask(CARDS, folder)
    with act(ANNA):
        umask = os.umask(0o077)  # her own settings
        try:
            place = wb.classroom(folder, name="Anna")
            assert asked(CARDS) is False
            assert note_vote(CARDS, 12, final=False) == ""
        finally:
            os.umask(umask)
        file = folder / place.file
    with act(ANNA):
        wb.classroom(folder, name="Anna")
        assert guess_of(CARDS) == 12
        assert "chmod" not in repr(place)
        with pytest.raises(wb.GameError, match=r"cannot be listed .* only who made it"):
            Votes(CARDS, folder)
    info = file.stat()
    assert (stat.S_IMODE(info.st_mode), info.st_gid) == (0o640, LECTURER)
    with act(MALLORY):
        for tried in (file.read_bytes, file.unlink, lambda: os.listdir(folder)):
            with pytest.raises(PermissionError):
                tried()
    assert votes(act, folder) == [12]
    with act(LECTURER):
        ask(CARDS, folder, opened=True)
    with act(ANNA):
        assert asked(CARDS, folder) is True
