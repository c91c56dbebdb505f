"""`pipwatch diagnose`: one file for a bug report, without names and faces."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.cli import UserError

if TYPE_CHECKING:
    from device.health.finding import Finding


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = (
        "make one file for a bug report: versions, settings, findings, the box's health, errors and events"
    )
    p = commands.add_parser(
        "diagnose", help=words, description=f"{words.capitalize()}. Names of players and secrets of the "
        "settings are left out; look into it before you send it.",
    )  # fmt: skip
    p.add_argument("-o", "--out", metavar="FILE.zip", type=Path, default=Path("pipwatch-report.zip"))
    log = "a log to add the end of; - reads stdin: journalctl -u pipwatch | pipwatch diagnose --log -"
    p.add_argument("--log", metavar="FILE", help=log)
    what = "with pictures of what failed, as far as they show the mat between its markers"
    p.add_argument("--pictures", action="store_true", help=what)
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the file."""
    from device import folders
    from device.cli import for_the_box
    from device.cli.status import box_here
    from device.files import write_safely
    from device.keeping.bundle import BundleParts, bundle

    if for_the_box.is_meant():
        os.environ["STATE_DIRECTORY"] = str(for_the_box.STATE)
    log = "" if arguments.log is None else _log(arguments.log)
    box = box_here()
    wanted = BundleParts(
        folders.matches_folder().parent, folders.settings_files(), _found(box), box, log, arguments.pictures
    )  # fmt: skip
    data = bundle(wanted)
    try:
        write_safely(arguments.out, data, owner=for_the_box.who_said_sudo())
    except OSError as wrong:
        raise UserError(f"{arguments.out} cannot be written: {wrong.strerror}.") from None
    print(f"{arguments.out}: {len(data) / 1000:.0f} kB, without names; look into it before you send it.")
    return 0


def _found(box: Mapping[str, Any]) -> "Sequence[Finding]":
    """What is wrong here; nothing is tried that the box, or a match beside it, has for itself."""
    from device.cli.held_by_box import held_by_box
    from device.health.checkup import checkup

    held = held_by_box(box)
    if held.camera is None:
        held = replace(held, camera=_untried())
    return [*checkup(lambda: None, None, held=held)]


def _untried() -> "Finding":
    """Which cameras are connected; none is opened."""
    from device.cameras.naming import cameras
    from device.health.finding import absent

    there = ", ".join(one.title for one in cameras() if one.there) or "none"
    words = f"connected: {there}; it was not tried, as the match that has the trouble may have it"
    return absent("camera", words, "pipwatch doctor tries it")


def _log(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode(errors="replace")
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as wrong:
        raise UserError(f"{name} cannot be read: {wrong.strerror}.") from None
