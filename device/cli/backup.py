"""`pipwatch backup [FILE|FOLDER]`: matches, sets, calibration and settings in one checked file."""

import argparse
import os
import sys
from pathlib import Path

from device.cli import UserError, for_the_box


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "put matches, sets, calibration and settings into one checked file"
    p = commands.add_parser("backup", help=words, description=f"{words.capitalize()}, also in mid-match.")
    where = "the file to make, or the folder to make it in (the current one)"
    p.add_argument("target", metavar="FILE|FOLDER", nargs="?", type=Path, default=Path(), help=where)
    p.add_argument("--stick", action="store_true", help="onto the USB stick that is put in")
    p.add_argument(for_the_box.OPENED, action="store_true", help=argparse.SUPPRESS)
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the backup, and say what is in it."""
    from device.folders import settings_files, state_folder
    from device.keeping.belongings import BackupError, belongings
    from device.keeping.packing import free_name, pack, pack_into, settings_members
    from device.keeping.stick import backup_to_stick

    target: Path = arguments.target
    if for_the_box.is_meant():
        print(for_the_box.backup_to_stick() if arguments.stick else for_the_box.backup(target))
        return 0
    own = any(True for _ in belongings(state_folder())) or bool(settings_members(settings_files()))
    if not own and for_the_box.is_asked():
        raise UserError("the box keeps nothing yet: no match, no set, no settings.")
    if not own and for_the_box.STATE.is_dir():
        raise UserError("nothing of your own is kept here; what the box keeps: sudo pipwatch backup.")
    try:
        if arguments.stick:
            print(backup_to_stick())
            return 0
        if arguments.opened:
            with os.fdopen(os.dup(sys.stdout.fileno()), "r+b") as out:
                print(pack_into(out, target).words, file=sys.stderr)
            return 0
        if target.is_dir():
            target = free_name(target)
        if target.exists():
            raise UserError(f"{target} is there already: name another file, or a folder.")
        print(pack(target).words)
    except BackupError as wrong:
        raise UserError(str(wrong)) from None
    return 0
