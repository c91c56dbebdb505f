"""`pipwatch backup [FILE|FOLDER]`: matches, sets, calibration and settings in one checked file."""

import argparse
from pathlib import Path

from device.cli import UserError


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "put matches, sets, calibration and settings into one checked file"
    p = commands.add_parser("backup", help=words, description=f"{words.capitalize()}, also in mid-match.")
    where = "the file to make, or the folder to make it in (the current one)"
    p.add_argument("target", metavar="FILE|FOLDER", nargs="?", type=Path, default=Path(), help=where)
    p.add_argument("--stick", action="store_true", help="onto the USB stick that is put in")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the backup, and say what is in it."""
    from device.keeping.belongings import BackupError
    from device.keeping.packing import free_name, pack
    from device.keeping.stick import backup_to_stick

    target: Path = arguments.target
    try:
        if arguments.stick:
            print(backup_to_stick())
            return 0
        if target.is_dir():
            target = free_name(target)
        if target.exists():
            raise UserError(f"{target} is there already: name another file, or a folder.")
        print(pack(target).words)
    except BackupError as wrong:
        raise UserError(str(wrong)) from None
    return 0
