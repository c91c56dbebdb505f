"""The command line: one module a command, each with ``add(commands)`` that registers it and its function."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib import metadata

COMMANDS: tuple[str, ...] = (
    "run", "serve", "demo", "referee", "replay", "export", "simulate", "rules", "printing", "calibrate",
    "read", "learn", "sheet", "doctor", "pins", "mount", "bench", "status", "join", "backup", "restore",
    "diagnose", "install_service",
)  # fmt: skip
"""The modules of this package that hold a command, in the order in which `pipwatch --help` shows them."""


class UserError(Exception):
    """Something the user gave is wrong; the message is the one sentence they are shown."""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="pipwatch", description="A camera referee for tabletop games that explains itself."
    )
    top.add_argument("--version", action="version", version=f"pipwatch {metadata.version('pipwatch')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        importlib.import_module(f"device.cli.{name}").add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input ends in one plain sentence and exit status 2."""
    arguments = parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
    except UserError as error:
        print(f"pipwatch {arguments.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, and nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status
