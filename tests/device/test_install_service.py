"""A checkout as the service: what is written is told, undo removes just that; what cannot work is refused."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from device.cli import UserError, install_service, main
from device.health import pi_board
from device.health.finding import fails

ROOT = Path(__file__).parents[2]


def command(folder: Path) -> Path:
    """A command of a virtual environment."""
    path = folder / "venv/bin/pipwatch"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def files(root: Path) -> set[str]:
    """Every file below a folder."""
    return {str(path) for path in root.rglob("*") if not path.is_dir()}


def quiet(_command: Sequence[str]) -> None:
    """Stands in for the programs of a system."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a system in which somebody else's file lies."""
    folder = tmp_path / "root"
    (folder / "etc/udev/rules.d").mkdir(parents=True)
    (folder / "etc/udev/rules.d/90-other.rules").write_text("other\n")
    return folder


def test_every_path_is_told_and_undo_removes_just_those(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is told as written is what is new on the disk; after undo the disk is as before."""
    before = files(root)
    install_service.install(root, ROOT, command(tmp_path), quiet)
    told = {line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines() if "wrote" in line}
    assert told == files(root) - before
    assert len(told) == len(install_service.PLACES) + 4
    (root / "etc/issue.d").mkdir()
    (root / install_service.LOGIN).symlink_to("/run/pipwatch/issue")  # as systemd-tmpfiles does
    install_service.undo(root, quiet)
    assert files(root) == before
    assert not (root / "etc/pipwatch").exists()


def test_the_link_above_the_login_is_told_where_it_is_made(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the system that runs it is made at once, and is among all that was written."""
    before, login = files(root), root / install_service.LOGIN

    def system(command: Sequence[str]) -> None:
        if command[0] == "systemd-tmpfiles":
            login.parent.mkdir()
            login.symlink_to("/run/pipwatch/issue")

    monkeypatch.setattr(install_service, "_is_live", lambda _root: True)
    install_service.install(root, ROOT, command(tmp_path), system)
    told = {line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines() if "wrote" in line}
    assert str(login) in told
    assert told == files(root) - before


def test_what_somebody_changed_is_left_by_undo(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A unit that was edited by hand is theirs now, and they are told."""
    install_service.install(root, ROOT, command(tmp_path), quiet)
    unit = root / install_service.PLACES["pipwatch.service"]
    unit.write_text("mine\n")
    install_service.undo(root, quiet)
    assert unit.read_text() == "mine\n"
    assert f"left     {unit}: it was changed since" in capsys.readouterr().out


def test_a_file_of_somebody_else_is_not_written_over(root: Path, tmp_path: Path) -> None:
    """Nothing at all is written then."""
    rule = root / install_service.PLACES["pipwatch.rules"]
    rule.write_text("theirs\n")
    before = files(root)
    with pytest.raises(UserError, match="somebody else's"):
        install_service.install(root, ROOT, command(tmp_path), quiet)
    assert files(root) == before


def test_it_may_be_installed_again(root: Path, tmp_path: Path) -> None:
    """As after `git pull`: its own files of before are no obstacle."""
    made = command(tmp_path)
    install_service.install(root, ROOT, made, quiet)
    note = root / install_service.NOTE
    drop_in = root / install_service.DROP_IN
    old = drop_in.read_text() + "# as an older version wrote it\n"
    drop_in.write_text(old)
    note.write_text(
        note.read_text().replace(install_service._sum_of(old[:-31]), install_service._sum(drop_in))
    )
    install_service.install(root, ROOT, made, quiet)
    assert "as an older version" not in drop_in.read_text()


@pytest.mark.skipif(not shutil.which("systemctl"), reason="systemctl is not here")
def test_what_systemd_links_is_told_too(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every link that enabling makes, and that disabling takes away, by the real program."""
    install_service.install(root, ROOT, command(tmp_path), quiet)
    capsys.readouterr()
    before = files(root)
    for act in ("enable", "disable"):
        there = files(root)
        install_service._system(["systemctl", f"--root={root}", act, "pipwatch.service"])
        told, links = capsys.readouterr().out, files(root) ^ there
        assert links
        assert all(link.removeprefix(str(root)) in told for link in links)
    assert files(root) == before


def test_the_unit_with_its_drop_in_is_one_that_systemd_takes(root: Path, tmp_path: Path) -> None:
    """`systemd-analyze verify` has nothing to say of the two together."""
    install_service.install(root, ROOT, command(tmp_path), quiet)
    units = root / "etc/systemd/system"
    done = subprocess.run(
        ["systemd-analyze", "verify", "pipwatch.service"], capture_output=True, text=True, cwd=units,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:"},
    )  # fmt: skip
    assert (done.returncode, [line for line in done.stderr.splitlines() if "pipwatch" in line]) == (0, [])
    assert "ProtectHome=tmpfs" in (root / install_service.DROP_IN).read_text()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ("package", "the package pipwatch is installed"),
        ("command", "start it as the service would be"),
        ("checkout", "needs a checkout"),
        ("name", "which a unit cannot hold"),
        ("board", "32-bit"),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str, words: str
) -> None:
    """And nothing is written."""
    made, checkout = command(tmp_path), ROOT
    if spoil == "package":
        unit = root / install_service.PACKAGED
        unit.parent.mkdir(parents=True)
        unit.write_text("[Unit]\n")
    elif spoil == "command":
        made.chmod(0o644)
        made = tmp_path / "nothing"
    elif spoil == "checkout":
        checkout = tmp_path
    elif spoil == "name":
        made = command(tmp_path / "a:b")
    else:
        monkeypatch.setattr(pi_board, "board", lambda: fails("board", "this runs a 32-bit system", "take 64"))
    before = files(root)
    with pytest.raises(UserError, match=words):
        install_service.install(root, checkout, made, quiet)
    assert files(root) == before


def test_undo_without_an_install_is_one_sentence(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, as for all bad input."""
    assert main(["install-service", "--undo", "--root", str(root)]) == 2
    assert "no service of a checkout is installed" in capsys.readouterr().err


def test_without_rights_the_sentence_says_sudo(root: Path, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    """A folder that may not be written is told with what to put before the command."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(root / "etc"))

    monkeypatch.setattr(install_service, "_written", refuse)
    monkeypatch.setattr(sys, "argv", [str(ROOT / ".venv/bin/python")])
    monkeypatch.setattr(install_service.os, "access", lambda *_: True)
    assert main(["install-service", "--root", str(root)]) == 2
    assert "put sudo before the command" in capsys.readouterr().err
