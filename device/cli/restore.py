"""`pipwatch restore FILE`: a backup brought back; what was there is kept."""

import argparse
from pathlib import Path

from device.cli import UserError


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "bring a backup back; what was there is kept in a folder beside it"
    p = commands.add_parser("restore", help=words, description=f"{words.capitalize()}.")
    p.add_argument("file", metavar="FILE", type=Path, help="what `pipwatch backup` made")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Bring it back, and say where what was there is now."""
    from device.keeping.belongings import BackupError
    from device.keeping.unpacking import restore

    try:
        print(restore(arguments.file).words)
    except BackupError as wrong:
        raise UserError(str(wrong)) from None
    return 0
