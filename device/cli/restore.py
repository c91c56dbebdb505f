"""`pipwatch restore FILE`: a backup brought back; what was there is kept."""

import argparse
import sys
from pathlib import Path

from device.cli import UserError, for_the_box


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "bring a backup back; what was there is kept in a folder beside it"
    p = commands.add_parser("restore", help=words, description=f"{words.capitalize()}.")
    p.add_argument("file", metavar="FILE", type=Path, help="what `pipwatch backup` made")
    p.add_argument(for_the_box.OPENED, action="store_true", help=argparse.SUPPRESS)
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Bring it back, and say where what was there is now."""
    from device.health.field_machine import ThisMachine
    from device.keeping.belongings import BackupError
    from device.keeping.unpacking import restore

    if for_the_box.is_meant():
        if ThisMachine().service_runs():
            raise UserError("the box runs, and would not see what is new: sudo systemctl stop pipwatch.")
        print(for_the_box.restore(arguments.file))
        return 0
    try:
        opened = sys.stdin.buffer if arguments.opened else None
        print(restore(arguments.file, opened=opened).words)
    except BackupError as wrong:
        raise UserError(str(wrong)) from None
    return 0
