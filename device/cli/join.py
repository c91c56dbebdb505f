"""`pipwatch join`: how phones join the box that runs on this machine, told again."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from device.cli import UserError
from device.cli.for_the_box import how_to_start


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "how phones join the box that runs here: address, QR code and the six digits"
    p = commands.add_parser("join", help=words, description=f"Tell {words}.")
    p.add_argument("--json", action="store_true", help="as one JSON object")
    p.add_argument("--forget", action="store_true", help="have every paired phone enter the code again")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Tell, or forget."""
    from device.service.address import lines
    from device.service.announcing import announced

    for folder in _folders():
        try:
            invitation, told = announced(folder)
        except FileNotFoundError:
            continue
        except PermissionError:
            raise UserError("what the box says is for its group alone: sudo pipwatch join.") from None
        except (OSError, ValueError) as wrong:
            raise UserError(f"what the box says in {folder} cannot be read: {wrong}.") from None
        if arguments.forget:
            return _forget(told["phones"])
        code = str(told["code"])
        if arguments.json:
            print(json.dumps({"urls": invitation.urls, "code": code, "wifi": told["wifi"]}))
        else:
            print("\n".join(lines(invitation, code)))
        return 0
    raise UserError(f"no box with a page runs here: {how_to_start()}, or pipwatch run --host 0.0.0.0.")


def _folders() -> Iterator[Path]:
    """Where a running box may have told: the service, or one that was started by hand."""
    from device.service.announcing import SERVICE_FOLDER, runtime_folder

    own = runtime_folder()
    yield from dict.fromkeys([SERVICE_FOLDER] if own is None else [SERVICE_FOLDER, own])


def _forget(phones: str | None) -> int:
    """Delete the file of phones: the box sees at once that it is gone."""
    if phones is None:
        raise UserError("this box keeps no phones over a restart: end it, and all are forgotten.")
    try:
        Path(phones).unlink(missing_ok=True)
    except OSError as wrong:
        why = os.strerror(wrong.errno or 0)
        raise UserError(
            f"the paired phones cannot be forgotten: {why}; try sudo pipwatch join --forget."
        ) from None
    print("All phones are forgotten: each enters the code again.", file=sys.stderr)
    return 0
