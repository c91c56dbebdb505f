"""The command line: one module a command, each with ``add(commands)`` that registers it and its function.

Only the module of the command that was typed is loaded: all take half a second, on a small board seconds.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

COMMANDS: tuple[str, ...] = (
    "run", "serve", "demo", "referee", "replay", "export", "simulate", "rules", "print", "calibrate",
    "read", "learn", "sheet", "doctor", "pins", "mount", "bench", "status", "join", "backup", "restore",
    "diagnose", "install-service",
)  # fmt: skip
"""All commands, in the order in which `pipwatch --help` shows them; each has a module of its name."""
_MODULES = {"rules": "rule_book", "print": "printing", "install-service": "install_service"}
"""Those whose module has another name."""


class UserError(Exception):
    """Something the user gave is wrong; the message is the one sentence they are shown."""


class _Version(argparse.Action):
    """Tells the version; what knows it takes as long to load as a small command, and is loaded only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib import metadata

        print(f"pipwatch {metadata.version('pipwatch')}")
        parser.exit()


def parser(command: str = "") -> argparse.ArgumentParser:
    """The command line of this command, or the whole one where it is none."""
    top = argparse.ArgumentParser(
        prog="pipwatch", description="A camera referee for tabletop games that explains itself."
    )
    top.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in (command,) if command in COMMANDS else COMMANDS:
        importlib.import_module(f"device.cli.{_MODULES.get(name, name)}").add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input ends in one plain sentence and exit status 2."""
    typed = sys.argv[1:] if argv is None else argv
    arguments = parser(*typed[:1]).parse_args(typed)
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
