"""Backup and restore: byte-equal exports, nothing half, every bad file refused in a sentence."""

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from calibration import toml
from device import folders
from device.cli import main
from device.folders import SettingsFiles
from device.journal.events import Draft, Picture
from device.journal.game import added, began
from device.journal.journal_reader import read_chain
from device.journal.leaving import is_left
from device.journal.store import VERSION, Journal
from device.keeping import unpacking
from device.keeping.belongings import BackupError, is_member
from device.keeping.caretaker import make_order
from device.keeping.packing import pack
from device.keeping.stick import backup_to_stick, sticks
from device.keeping.unpacking import restore
from device.settings import Settings, load
from tests.device.match.match_bench import FACTS, LEGAL, game

SETTINGS = b"[manners]\ncalm_s = 2.5\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def state_of(tmp_path: Path) -> Path:
    """The state folder."""
    return tmp_path / "data" / "pipwatch"


def filled(tmp_path: Path) -> Path:
    """A machine on which something was played, learned and set."""
    state = state_of(tmp_path)
    for folder in ("matches", "sets", "calibration", "examples/sheets"):
        (state / folder).mkdir(parents=True)
    first, then = game(), game(*FACTS, *LEGAL)
    for number in range(2):
        with Journal(state / "matches" / f"2026-01-0{number + 1}-kingdomino-duel-abc.match") as journal:
            journal.append(began(first, (Picture("frame", os.urandom(3000)),)))
            journal.append(added(first, then))
    (state / "sets" / "ours.toml").write_text("name = 'ours'\n")
    (state / "calibration" / "mine.toml").write_text("name = 'mine'\n")
    (state / "examples" / "sheets" / "ab12.png").write_bytes(b"png")
    (state / "cookies.json").write_text('{"secret": 1}')
    settings = tmp_path / "config" / "pipwatch" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_bytes(SETTINGS)
    return state


def exported(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Every match as every form that text can be."""
    told = []
    for number in (1, 2):
        for form in ("json", "csv", "text"):
            name = f"2026-01-0{number}-kingdomino-duel-abc"
            assert main(["export", name, "--as", form]) == 0
            told.append(capsys.readouterr().out)
    return told


def test_what_was_packed_comes_back_byte_by_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Backup, loss of everything, restore: exports, chains, pictures, sets and settings are the same."""
    state = filled(tmp_path)
    told = exported(capsys)
    chains = [read_chain(path) for path in sorted((state / "matches").glob("*.match"))]
    assert main(["backup", str(tmp_path)]) == 0
    (backup,) = tmp_path.glob("pipwatch-*.zip")
    assert "2 matches and 4 other files" in capsys.readouterr().out
    with zipfile.ZipFile(backup) as file:
        assert "cookies.json" not in file.namelist()
    state.rename(tmp_path / "lost")
    (tmp_path / "config" / "pipwatch" / "config.toml").write_text("[manners]\ncalm_s = 9.0\n")
    assert main(["restore", str(backup)]) == 0
    assert "2 matches are back. Nothing was there before." in capsys.readouterr().out
    assert exported(capsys) == told
    there = sorted((state / "matches").glob("*.match"))
    assert [read_chain(path) for path in there] == chains
    # None of them begins by itself, and the newest is that which was played last.
    assert all(map(is_left, there))
    assert [round(path.stat().st_mtime) for path in there] == [round(one.events[-1].at) for one in chains]
    assert (state / "sets" / "ours.toml").read_text() == "name = 'ours'\n"
    assert load() == toml.parse(SETTINGS.decode(), Settings, "as they were")
    assert (
        "9.0" in (tmp_path / "config" / "pipwatch" / "config.toml").read_text()
    )  # what people write is theirs
    names = {"matches", "sets", "calibration", "examples", "settings.toml"}
    assert {path.name for path in state.iterdir()} == names


def test_a_match_that_is_being_played_is_packed_as_it_is_at_that_moment(tmp_path: Path) -> None:
    """The writer has it open, with events that are only in the log of SQLite; it never waits."""
    state = filled(tmp_path)
    path = state / "matches" / "2026-02-01-draw-game-abc.match"
    with Journal(path) as journal:
        journal.append([Draft("note", {"number": number}) for number in range(5)])
        assert Path(f"{path}-wal").stat().st_size
        packed = pack(tmp_path / "b.zip")
        journal.append([Draft("note", {"number": 5})])
        with pytest.raises(BackupError, match="is being written by another Pipwatch"):
            restore(packed.path)
        assert journal.length == 6
    (tmp_path / "got.match").write_bytes(zipfile.ZipFile(packed.path).read(f"matches/{path.name}"))
    chain = read_chain(tmp_path / "got.match")
    assert [one.body["number"] for one in chain.events] == [0, 1, 2, 3, 4]
    assert not chain.damage


def test_what_was_there_is_kept_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A restore over other matches puts these aside under a name of their own, each time another."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip")
    for number in (1, 2):
        (state / "sets" / "ours.toml").write_text(f"name = 'later {number}'\n")
        assert main(["restore", str(packed.path)]) == 0
        before = state / f"before-restore-{number}"
        assert str(before) in capsys.readouterr().out
        assert (before / "sets" / "ours.toml").read_text() == f"name = 'later {number}'\n"
        assert len([*(before / "matches").glob("*.match")]) == 2
        assert (state / "sets" / "ours.toml").read_text() == "name = 'ours'\n"


def test_a_damaged_match_is_packed_and_brought_back_as_it_lies(tmp_path: Path) -> None:
    """A backup mends nothing and loses nothing: what is whole of a damaged match is worth keeping."""
    state = filled(tmp_path)
    bad = state / "matches" / "2026-03-03-dominoids-abc.match"
    bad.write_bytes(b"no database at all" * 40)
    packed = pack(tmp_path / "b.zip")
    assert packed.matches == 3
    restore(packed.path)
    assert bad.read_bytes() == b"no database at all" * 40


def changed(backup: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup that somebody has worked on."""
    with zipfile.ZipFile(backup) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    change(parts)
    other = backup.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return other


def manifest(parts: dict[str, bytes], **more: object) -> None:
    """Change what the manifest says."""
    parts["manifest.json"] = json.dumps(json.loads(parts["manifest.json"]) | more).encode()


def smuggled(name: str) -> Callable[[dict[str, bytes]], None]:
    """A file more, with a manifest that agrees."""

    def change(parts: dict[str, bytes]) -> None:
        parts[name] = b"x"
        told = json.loads(parts["manifest.json"])
        told["members"].append({"name": name, "size": 1, "sha256": hashlib.sha256(b"x").hexdigest()})
        parts["manifest.json"] = json.dumps(told).encode()

    return change


def newer_match(parts: dict[str, bytes]) -> None:
    """A match of a form to come, with a manifest that agrees."""
    name = next(name for name in parts if name.endswith(".match"))
    data = bytearray(parts[name])
    data[60:64] = (VERSION + 1).to_bytes(4, "big")
    told = json.loads(parts["manifest.json"])
    for one in told["members"]:
        if one["name"] == name:
            one["sha256"] = hashlib.sha256(data).hexdigest()
    parts[name], parts["manifest.json"] = bytes(data), json.dumps(told).encode()


BAD: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "newer form": (lambda parts: manifest(parts, form=9), "is newer than this one: update first"),
    "newer journal": (lambda parts: manifest(parts, journal=VERSION + 1), "is newer than this one"),
    "newer match": (newer_match, "was written by a newer Pipwatch"),
    "no manifest": (lambda parts: parts.pop("manifest.json") and None, "is no backup of Pipwatch"),
    "no JSON": (lambda parts: parts.update({"manifest.json": b"{"}), "is no backup of Pipwatch"),
    "a list": (lambda parts: parts.update({"manifest.json": b"[]"}), "is no backup of Pipwatch"),
    "no letters": (lambda parts: parts.update({"manifest.json": b"\xff\xfe"}), "is no backup of Pipwatch"),
    "cut": (lambda parts: parts.update({"manifest.json": parts["manifest.json"][:-9]}), "is no backup of"),
    "endless": (lambda parts: manifest(parts, form=float("inf")), "is no backup of Pipwatch"),
    "no number": (lambda parts: manifest(parts, form=float("nan")), "is no backup of Pipwatch"),
    "another type": (lambda parts: manifest(parts, journal=[]), "is no backup of Pipwatch"),
    "a key less": (lambda parts: parts.update({"manifest.json": b'{"form": 1}'}), "is no backup of Pipwatch"),
    "nested": (lambda parts: parts.update({"manifest.json": b"[" * 99_999}), "is no backup of Pipwatch"),
    "no members": (lambda parts: manifest(parts, members=None), "names no files"),
    "strange member": (lambda parts: manifest(parts, members=[5]), "manifest cannot be read"),
    "one lacks": (lambda parts: parts.pop("sets/ours.toml") and None, "does not hold the files"),
    "one more": (lambda parts: parts.update({"sets/more.toml": b""}), "does not hold the files"),
    "another text": (
        lambda parts: parts.update({"sets/ours.toml": b"name = 'OURS'\n"}),
        "is not what was packed",
    ),
    "a longer one": (lambda parts: parts.update({"sets/ours.toml": b"long" * 9}), "is not as large"),
    "a way out": (smuggled("../evil.match"), "belongs to no backup"),
    "absolute": (smuggled("/etc/evil.toml"), "belongs to no backup"),
    "in a folder": (smuggled("matches/../../evil.match"), "belongs to no backup"),
    "another kind": (smuggled("matches/evil.py"), "belongs to no backup"),
    "backslash": (smuggled("sets/..\\evil.toml"), "belongs to no backup"),
    "hidden": (smuggled("matches/.evil.match"), "belongs to no backup"),
    "cookies": (smuggled("cookies.json"), "belongs to no backup"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_backup_is_refused_in_a_sentence_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Whatever is wrong with it, what is there stays as it was."""
    state, (change, words) = filled(tmp_path), BAD[name]
    before = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    bad = changed(pack(tmp_path / "b.zip").path, change)
    assert main(["restore", str(bad)]) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert {path: path.read_bytes() for path in state.rglob("*") if path.is_file()} == before
    assert not [*tmp_path.rglob("*evil*")]


def test_a_bomb_is_refused_before_it_fills_the_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What says that it is larger than any disk is not unpacked; what is larger than it says is cut."""
    filled(tmp_path)
    huge = changed(pack(tmp_path / "b.zip").path, lambda parts: manifest(parts, members=[
        {"name": "sets/ours.toml", "size": 1 << 60, "sha256": "0" * 64}] ))  # fmt: skip
    assert main(["restore", str(huge)]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=[pytest.mark.long])])
def test_a_backup_that_is_cut_or_flipped_anywhere_is_refused_or_whole(tmp_path: Path, step: int) -> None:
    """Cut at every byte and flipped at every byte: a sentence, or everything; never something else."""
    state = filled(tmp_path)
    for path in [*(state / "matches").glob("*.match")][1:]:
        path.unlink()
    good = pack(tmp_path / "b.zip").path.read_bytes()
    restore(tmp_path / "b.zip")
    as_packed = {path.name: path.read_bytes() for path in state.glob("[!b]*/[!.]*.*") if path.is_file()}
    assert len(as_packed) == 3
    bad, rng, whole = tmp_path / "bad.zip", Random(1), 0
    told: list[str] = []
    for at in range(0, len(good), step):
        flipped = good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :]
        for data in (good[:at], flipped):
            bad.write_bytes(data)
            try:
                restore(bad)
            except BackupError as wrong:
                told.append(str(wrong))
            else:
                whole += 1
            now = {path.name: path.read_bytes() for path in state.glob("[!b]*/[!.]*.*") if path.is_file()}
            assert all(data == as_packed[name] for name, data in now.items() if name in as_packed)
            assert not (state / "restore.new").exists()
    print(f"{len(told)} refused, {whole} brought back whole, of {len(good)} bytes")
    assert len(told) > whole
    assert not any("\n" in words for words in told)


def test_a_restore_over_matches_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """Who went back to an older Pipwatch must not put old matches over new ones unawares."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip")
    path = next((state / "matches").glob("*.match"))
    with sqlite3.connect(path) as base:
        base.execute(f"PRAGMA user_version={VERSION + 1}")
    base.close()
    with pytest.raises(BackupError, match="was written by a newer Pipwatch than this one"):
        restore(packed.path)


def killed_at(number: int, backup: Path) -> bool:
    """A process that restores, killed with SIGKILL at its step of this number; whether it got so far."""
    child = os.fork()
    if child == 0:
        left = [number]

        def step(event: str, arguments: tuple[object, ...]) -> None:
            changes = event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree")
            writes = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & os.O_WRONLY)
            if changes or writes:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(step)
        try:
            restore(backup)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_a_restore_killed_at_any_step_is_all_or_nothing(tmp_path: Path) -> None:
    """After kill -9 at each of its steps the next start has all of the old or all of the new, and says so."""
    state = filled(tmp_path)
    page = state / "settings.toml"
    packed = pack(tmp_path / "b.zip").path
    kills, new = 0, 0
    while True:
        (state / "sets" / "ours.toml").write_text("name = 'later'\n")
        (state / "matches" / "2026-09-09-draw-game-new.match").write_bytes(b"x")
        page.write_text("[manners]\ncalm_s = 7.0\n")
        hit = killed_at(kills, packed)
        said = make_order(state)
        later = (state / "sets" / "ours.toml").read_text() == "name = 'later'\n"
        extra = (state / "matches" / "2026-09-09-draw-game-new.match").exists()
        assert later == extra == (load().manners.calm_s == 7.0)
        assert not (state / "restore.new").exists()
        assert not (state / "restore.json").exists()
        assert len([*(state / "matches").glob("2026-01*.match")]) == 2
        assert bool(said) <= (not later)
        new += not later
        if not hit:
            break
        kills += 1
    assert kills > 20
    assert 3 < new < kills
    print(f"{kills} kills: {kills - new} as before, {new} all new")


def test_settings_come_back_where_the_box_may_not_write_those_of_people(tmp_path: Path) -> None:
    """They are the page's, and count; what is the same by hand is left to that file."""
    state = filled(tmp_path)
    (state / "settings.toml").write_text("# mine\n[manners]\ncalm_s = 4.5\n[service]\nport = 8001\n")
    packed = pack(tmp_path / "b.zip").path
    with zipfile.ZipFile(packed) as file:
        whole = file.read("config.toml").decode()
    assert toml.parse(whole, Settings, "backup").manners.calm_s == 4.5
    (state / "settings.toml").write_text("[service]\nport = 8002\n")
    hand = Path("/proc/none/config.toml")
    done = restore(packed, settings=SettingsFiles(hand, state / "settings.toml"))
    assert done.settings == state / "settings.toml"
    assert str(done.settings) in done.words
    assert done.settings.read_text() == whole
    assert "8002" in (state / "before-restore-1" / "settings.toml").read_text()
    assert restore(packed).settings == state / "settings.toml"
    assert (load().service.port, load().manners.calm_s) == (8001, 4.5)
    own = tomllib.loads((state / "settings.toml").read_text())
    assert own == {"manners": {"calm_s": 4.5}, "service": {"port": 8001}}
    (tmp_path / "config" / "pipwatch" / "config.toml").write_text(whole)
    assert restore(packed).settings is None
    assert not (state / "settings.toml").exists()


def test_one_s_own_come_back_beside_a_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without sudo nothing of the box is written or counted as beneath: all is set in one's own file."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip").path
    shutil.rmtree(tmp_path / "data")
    shutil.rmtree(tmp_path / "config")
    box, etc = tmp_path / "box", tmp_path / "etc.toml"
    box.mkdir()
    etc.write_bytes(SETTINGS)
    monkeypatch.setattr(folders, "_SYSTEM_STATE", box)
    monkeypatch.setattr(folders, "_SYSTEM_SETTINGS", etc)
    for _ in range(2):
        assert restore(packed).settings == state / "settings.toml"
    assert not [*box.iterdir()]
    assert load().manners.calm_s == 2.5


def test_settings_that_cannot_be_written_keep_no_match_from_coming_back(tmp_path: Path) -> None:
    """They lie where they can be found, each restore's; the next one and the next start go on."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip").path
    (tmp_path / "file").touch()
    page = tmp_path / "file" / "settings.toml"
    for number in (1, 2):
        (state / "sets" / "ours.toml").write_text("name = 'later'\n")
        done = restore(packed, settings=SettingsFiles(tmp_path / "none", page))
        kept = state / f"settings-restore-{number}.toml"
        assert f"cannot be written to {page}; they are in {kept}." in done.words
        assert kept.read_bytes() == SETTINGS
        assert (state / "sets" / "ours.toml").read_text() == "name = 'ours'\n"
        assert make_order(state) == ""


def all_in(state: Path) -> dict[Path, bytes]:
    """Every file and folder in the state folder."""
    return {path: path.read_bytes() if path.is_file() else b"" for path in state.rglob("*")}


@pytest.mark.parametrize("had_page", [True, False])
@pytest.mark.parametrize("step", ["rename", "mkdir", "unlink", "sync"])
def test_a_restore_that_the_disk_refuses_anywhere_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, had_page: bool
) -> None:
    """Whichever step fails, nothing is left half, and the next start has nothing to finish."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip").path
    (state / "sets" / "ours.toml").write_text("name = 'later'\n")
    if had_page:
        (state / "settings.toml").write_text("[manners]\ncalm_s = 7.0\n")
    (tmp_path / "config" / "pipwatch" / "config.toml").write_text("[manners]\ncalm_s = 9.0\n")
    shutil.copytree(state, tmp_path / "copy")
    before, refused, told = all_in(state), 0, set[str]()
    owner, name = (unpacking, "sync_folder") if step == "sync" else (Path, step)
    real = getattr(owner, name)
    while True:
        left = [refused]

        def once(*given: object, left: list[int] = left, **told: object) -> object:
            left[0] -= 1
            if left[0] == -1:
                raise OSError(5, "Input/output error")
            return real(*given, **told)

        with monkeypatch.context() as patched:
            patched.setattr(owner, name, once)
            try:
                done = restore(packed)
            except BackupError as wrong:
                told.add(str(wrong))
            else:
                assert (state / "sets" / "ours.toml").read_text() == "name = 'ours'\n"
                if done.unset is None:
                    break
                assert done.unset.read_bytes() == SETTINGS
                shutil.rmtree(state)
                shutil.copytree(tmp_path / "copy", state)
        assert all_in(state) == before
        assert make_order(state) == ""
        refused += 1
    assert told == {"b.zip cannot be brought back: Input/output error."}
    assert refused >= {"rename": 6, "mkdir": 2, "unlink": 1, "sync": 2}[step]


@pytest.mark.parametrize("had_page", [True, False])
def test_settings_with_a_typing_error_are_packed_and_come_back_as_they_lay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], had_page: bool
) -> None:
    """Whatever the page has set; one that people have written since is theirs, and is not written over."""
    state, hand = filled(tmp_path), tmp_path / "config" / "pipwatch" / "config.toml"
    broken = b"# ours\n[manners\ncalm_s = 2.5\n"
    hand.write_bytes(broken)
    page = b"[service]\nport = 8001\n" if had_page else b""
    if had_page:
        (state / "settings.toml").write_bytes(page)
    assert main(["backup", str(tmp_path / "b.zip")]) == 0
    assert "Its settings cannot be read: they are in it as they lie." in capsys.readouterr().out
    shutil.rmtree(state)
    hand.unlink()
    for number in (0, 1, 2):
        kept = hand if number < 2 else state / "by-hand-restore-2.toml"
        if number == 2:
            hand.write_bytes(SETTINGS)
        assert main(["restore", str(tmp_path / "b.zip")]) == 0
        assert f"cannot be read: they are in {kept} as they lay." in capsys.readouterr().out
        assert kept.read_bytes() == broken
        assert (state / "settings.toml").exists() == had_page
        assert not had_page or (state / "settings.toml").read_bytes() == page
    assert hand.read_bytes() == SETTINGS


def test_a_backup_that_an_older_reader_understands_is_of_its_form(tmp_path: Path) -> None:
    """Only one that holds what it does not know is newer: that reader says so, and asks for an update."""
    filled(tmp_path)
    forms = []
    for number, text in enumerate((SETTINGS, b"[")):
        (tmp_path / "config" / "pipwatch" / "config.toml").write_bytes(text)
        with zipfile.ZipFile(pack(tmp_path / f"{number}.zip").path) as file:
            forms.append((json.loads(file.read("manifest.json"))["form"], "by-hand.toml" in file.namelist()))
    assert forms == [(1, False), (2, True)]


def test_a_backup_that_finds_no_room_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full stick is told in a sentence, without half a file on it."""
    filled(tmp_path)
    target = tmp_path / "stick"
    target.mkdir()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BackupError, match="cannot be written: No space left on device"):
        pack(target / "b.zip")
    assert not [*target.iterdir()]


def test_a_stick_is_found_where_sticks_are_mounted(tmp_path: Path) -> None:
    """The button's backup goes to the first stick that can be written; without one, a sentence."""
    filled(tmp_path)
    stick = tmp_path / "media" / "pi" / "MY STICK"
    stick.mkdir(parents=True)
    mounts = tmp_path / "mountinfo"
    escaped = str(stick).replace(" ", "\\040")
    lines = ["22 1 179:2 / / rw - ext4 /dev/root rw", f"40 22 8:1 / {escaped} rw,nosuid - vfat /dev/sda1 rw"]
    mounts.write_text("\n".join(lines) + "\n")
    places = (str(tmp_path / "media") + "/",)
    assert [*sticks(mounts, places)] == [stick]
    for number in range(2):  # the clock of a Pi may stand still: the second one has another name
        assert "Now the stick may be taken out" in backup_to_stick(mounts, places)
        assert len([*stick.glob("pipwatch-*.zip")]) == number + 1
    mounts.write_text(lines[0] + "\n")
    with pytest.raises(BackupError, match="no USB stick"):
        backup_to_stick(mounts, places)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["restore", "missing.zip"], "missing.zip cannot be brought back: No such file"),
        (["restore", "text.zip"], "text.zip is no backup that can be read"),
        (["backup", "text.zip"], "is there already"),
        (["backup", "nowhere/b.zip"], "cannot be written: No such file"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], words: str,
) -> None:  # fmt: skip
    """What, where and what would be right."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.zip").write_text("hello")
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    "name", ["", ".", "..", "matches", "matches/", "matches/a", "a.match", "matches/a.match/b"]
)
def test_a_name_is_one_of_the_known_kinds(name: str) -> None:
    """Everything that is not known is unknown."""
    assert not is_member(name)
    assert is_member("matches/a.match")
