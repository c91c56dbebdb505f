"""`pipwatch doctor`: whether this machine can referee, and the remedy for whatever it lacks."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import UserError
from device.cli.marker_option import add_marker_mm, marker_mm
from device.health.finding import Finding, Grade
from device.live.source_name import SOURCES, SourceName, source_name
from engine import GAMES

if TYPE_CHECKING:
    from device.settings import Settings


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "check camera, markers, light, pins, disk and clock, and say the remedy of what fails"
    p = commands.add_parser(
        "doctor", help=words, description=f"{words.capitalize()}. Exit status 1 if any does."
    )
    p.add_argument("--source", default="auto", metavar="SOURCE", help=f"{SOURCES} (auto)")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    add_marker_mm(p)
    p.add_argument("--json", action="store_true", help="one JSON object a line")
    field = "measure this board once, and write the figures as rows for docs/field.md"
    p.add_argument("--field-report", action="store_true", help=field)
    p.add_argument("--minutes", type=float, metavar="M", help="how long its camera is watched (5)")
    p.add_argument("-o", "--out", metavar="FILE", help="where its rows go, instead of being printed")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and tell."""
    try:
        name = source_name(arguments.source)
    except ValueError as wrong:
        raise UserError(str(wrong)) from None
    given = marker_mm(arguments)
    if arguments.field_report:
        return _field_report(arguments, name, given)
    if arguments.minutes is not None or arguments.out:
        raise UserError("--minutes and -o are for --field-report.")
    failed = False
    for finding in findings(name, Path(arguments.config) if arguments.config else None, given):
        failed |= finding.grade is Grade.FAILS
        print(
            json.dumps(finding.to_json(), ensure_ascii=False) if arguments.json else finding.line(),
            flush=True,
        )
    return 1 if failed else 0


def _field_report(arguments: argparse.Namespace, name: SourceName, side_mm: float | None) -> int:
    """Measure the board once."""
    from dataclasses import replace

    from device.cli import field_report

    settings, wrong = _settings(Path(arguments.config) if arguments.config else None)
    if wrong is not None:
        raise UserError(f"{wrong.words}.")
    if side_mm is not None:
        settings = replace(settings, table=replace(settings.table, marker_mm=side_mm))
    minutes = field_report.MINUTES if arguments.minutes is None else arguments.minutes
    field_report.write(name, settings, minutes, Path(arguments.out) if arguments.out else None)
    return 0


def findings(name: SourceName, config: Path | None, side_mm: float | None = None) -> Iterator[Finding]:
    """One check after the other; those that need pictures only where these can be looked at.

    ``side_mm`` is the size of the markers where somebody has said it; else the settings tell.
    """
    from device import places
    from device.health import board, machine, wiring
    from device.health.parcel import parcel

    yield board.board()
    yield from filter(None, [parcel()])
    packages = machine.packages()
    yield packages
    settings, wrong = _settings(config)
    if packages.grade is Grade.OK:
        readers = machine.models()
        yield readers
        yield from _seen(name, side_mm or settings.table.marker_mm, reads=readers.grade is Grade.OK)
    yield wrong or wiring.pins(settings.pins)
    yield from filter(None, [board.devices()])
    yield machine.disk(places.matches_folder())
    yield machine.clock()
    yield machine.power()
    yield machine.work(settings.service.work)


def _seen(name: SourceName, side_mm: float, *, reads: bool) -> Iterator[Finding]:
    from device.health import sight
    from device.live.starting import Terms
    from device.live.wiring import Seats, open_source

    found, picture = sight.camera(lambda: open_source(name, Terms(GAMES[0]), Seats()))
    yield found
    yield sight.markers(picture)
    yield sight.light(picture)
    if reads:
        yield sight.sizes(picture, side_mm)


def _settings(config: Path | None) -> "tuple[Settings, Finding | None]":
    """The settings, or those that are shipped and what is wrong with the user's own."""
    from calibration.errors import BadProfileFile
    from device.health.finding import fails
    from device.settings import Settings, load

    try:
        return load(config), None
    except BadProfileFile as error:
        remedy = "mend the file, or move it away to play as shipped"
        return Settings(), fails("settings", str(error).rstrip("."), remedy)
