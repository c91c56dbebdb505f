"""`pipwatch status`: how the box that is running is, in a few lines, with what to do about it."""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from device.cli import UserError
from device.cli.for_the_box import how_to_start

_PATIENCE_S: Final = 5.0
_MOST_BYTES: Final = 65_536
"""A box's health is a tenth of it."""
_ASKS_FOR_CODE: Final = (401, 403)


class ClosedToUs(UserError):
    """A box that tells this not to everybody."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "how the box that is running is, and what to do about it"
    p = commands.add_parser(
        "status",
        help=words,
        description=f"Tell {words}. Exit status 0: well, 1: not as it should be, 2: no box answers.",
    )
    p.add_argument(
        "--url", metavar="URL",
        help="another box, such as http://pipwatch.local:8000: what it tells to everybody",
    )  # fmt: skip
    p.add_argument("--json", action="store_true", help="what the box tells, as one JSON object")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask and tell; of a box that gives its figures to its owner alone, what it tells to everybody."""
    from device.home.wellbeing import glanced, is_glance, wellbeing

    where = arguments.url or _own_url(arguments.config)
    try:
        told = asked(where)
        lines, well = wellbeing(told), told["status"] == "ok"
    except ClosedToUs:
        told = _told(where, "/api/health/glance", is_glance)
        lines, well = glanced(told), not told["wrong"]
    print(json.dumps(told, ensure_ascii=False) if arguments.json else "\n".join(lines))
    return 0 if well else 1


def asked(url: str) -> dict[str, Any]:
    """The health of the box at an address; raises UserError in a sentence where there is none.

    Closed is raised where the box tells it to its owner, and to whoever asks on the box itself.
    """
    from device.home.wellbeing import is_health

    return _told(url, "/api/health", is_health)


def _told(url: str, path: str, is_meant: Callable[[Any], bool]) -> dict[str, Any]:
    """What a box answers; raises UserError in a sentence where it does not, or something else does."""
    where = url.rstrip("/")
    if not where.startswith(("http://", "https://")):
        raise UserError(f"--url should begin with http://, not {url!r}.")
    # A box is a neighbour: whatever stands between this machine and the internet is not asked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{where}{path}", timeout=_PATIENCE_S) as answer:
            told = json.loads(answer.read(_MOST_BYTES))
    except urllib.error.HTTPError as wrong:
        with wrong:
            kind = ClosedToUs if wrong.code in _ASKS_FOR_CODE else UserError
            raise kind(_refused(where, wrong.code)) from None
    except (OSError, ValueError) as wrong:
        raise UserError(_silent(where, wrong)) from None
    if not is_meant(told):
        raise UserError(f"what answers at {where} is no box of Pipwatch's; --url names another.")
    return dict(told)


def box_here(config: str | None = None) -> dict[str, Any]:
    """The health of the box of this machine, which has camera and pins for itself; empty where none runs."""
    try:
        return asked(_own_url(config))
    except UserError:
        return {}


def _refused(where: str, code: int) -> str:
    if code in _ASKS_FOR_CODE:
        return f"the box at {where} tells this only to who has entered its code; ask on the box itself."
    return f"what answers at {where} is no box of this version (HTTP {code}); --url names another."


def _silent(where: str, wrong: Exception) -> str:
    reason: Any = getattr(wrong, "reason", wrong)
    number = getattr(reason, "errno", None)
    if isinstance(wrong, ValueError):
        return f"what answers at {where} is no box of Pipwatch's; --url names another."
    why = os.strerror(number) if isinstance(number, int) and number > 0 else str(reason)
    return f"no box answers at {where} ({why.lower()}): {how_to_start()}, or name another with --url."


def _own_url(config: str | None) -> str:
    """Where the box of this machine is, by its settings."""
    from calibration.camera_errors import BadProfileFile
    from device.service.address import from_here
    from device.settings import Settings, load

    try:
        settings = load(Path(config) if config else None)
    except BadProfileFile as wrong:
        if config:
            raise UserError(f"{str(wrong).rstrip('.')}.") from None
        # The box runs on all the same, with the last good ones.
        print(f"pipwatch: {str(wrong).rstrip('.')}; the usual address is asked.", file=sys.stderr)
        settings = Settings()
    return from_here(settings.service.host, settings.service.port)
