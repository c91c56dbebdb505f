"""`pipwatch doctor`: whether this machine can referee, and the remedy for whatever it lacks."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from device.cli import UserError
from device.health.finding import Finding, Grade
from device.live.source_name import SOURCES, SourceName, source_name
from engine import GAMES


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "check camera, markers, light, pins, disk and clock, and say the remedy of what fails"
    p = commands.add_parser(
        "doctor", help=words, description=f"{words.capitalize()}. Exit status 1 if any does."
    )
    p.add_argument("--source", default="auto", metavar="SOURCE", help=f"{SOURCES} (auto)")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    p.add_argument("--json", action="store_true", help="one JSON object a line")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and tell."""
    try:
        name = source_name(arguments.source)
    except ValueError as wrong:
        raise UserError(str(wrong)) from None
    failed = False
    for finding in findings(name, Path(arguments.config) if arguments.config else None):
        failed |= finding.grade is Grade.FAILS
        print(
            json.dumps(finding.to_json(), ensure_ascii=False) if arguments.json else finding.line(),
            flush=True,
        )
    return 1 if failed else 0


def findings(name: SourceName, config: Path | None) -> Iterator[Finding]:
    """One check after the other; those that need pictures only where these can be looked at."""
    from device import places
    from device.health import machine

    packages = machine.packages()
    yield packages
    if packages.grade is Grade.OK:
        yield machine.models()
        yield from _seen(name)
    yield from _wired(config)
    yield machine.disk(places.matches_folder())
    yield machine.clock()
    yield machine.power()


def _seen(name: SourceName) -> Iterator[Finding]:
    from device.health import sight
    from device.live.starting import Terms
    from device.live.wiring import Seats, open_source

    found, picture = sight.camera(lambda: open_source(name, Terms(GAMES[0]), Seats()))
    yield found
    yield sight.markers(picture)
    yield sight.light(picture)


def _wired(config: Path | None) -> Iterator[Finding]:
    from calibration.errors import BadProfileFile
    from device.health import wiring
    from device.health.finding import fails
    from device.settings import load

    try:
        settings = load(config)
    except BadProfileFile as error:
        yield fails("settings", str(error).rstrip("."), "mend the file, or move it away to play as shipped")
        return
    yield wiring.pins(settings.pins)
