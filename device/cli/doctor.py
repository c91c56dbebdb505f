"""`pipwatch doctor`: whether this machine can referee, and the remedy for whatever it lacks."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import UserError, for_the_box
from device.cli.marker_option import add_marker_mm, marker_mm
from device.cli.own_source import own_source
from device.cli.status import box_here
from device.health.finding import Finding, Grade
from device.live.source_name import SOURCES, SourceName, source_name
from engine import GAMES

if TYPE_CHECKING:
    from device.cameras.wanted import CameraSettings


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "check camera, light, buttons, display, sound, disk and clock, and say the remedy of what fails"
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
    from device.health.checkup import settings_of

    settings, whence = settings_of(Path(arguments.config) if arguments.config else None)
    if whence.grade is Grade.FAILS:
        raise UserError(f"{whence.words}.")
    if side_mm is not None:
        settings = replace(settings, table=replace(settings.table, marker_mm=side_mm))
    minutes = field_report.MINUTES if arguments.minutes is None else arguments.minutes
    field_report.write(name, settings, minutes, Path(arguments.out) if arguments.out else None)
    return 0


def findings(name: SourceName, config: Path | None, side_mm: float | None = None) -> Iterator[Finding]:
    """One check after the other.

    ``side_mm`` is the size of the markers where somebody has said it; else the settings tell.
    """
    from dataclasses import replace

    from device.cli.held_by_box import held_by_box
    from device.health.checkup import checkup, settings_of

    held = held_by_box(box_here(str(config) if config else None))
    if name.kind != "auto":
        held = replace(held, camera=None)  # a source that somebody names is looked at, whoever has the camera
    settings, _ = settings_of(config)
    matches = for_the_box.STATE / "matches" if for_the_box.is_meant() else None
    for finding in checkup(lambda: own_source(name, settings, GAMES[0]), config, side_mm, held, matches):
        yield finding
        if finding.name == "camera":
            with for_the_box.looked_into():
                named = [*_named(settings.camera)]
            yield from named


def _named(wanted: "CameraSettings") -> Iterator[Finding]:
    """How the cameras on cables are called in the settings, and which one is taken."""
    from device.cameras.naming import cameras, webcams
    from device.cameras.usb_names import sockets_of
    from device.health.finding import ok

    there = webcams()
    titles = {f"webcam:{one.name}": one.title for one in there}
    if titles:
        taken = next((one.name for one in cameras(wanted) if one.usual), "none")
        told = "; ".join(f"{name} is {title}" if title else name for name, title in titles.items())
        twins = any(len(places) > 1 for places in sockets_of(there).values())
        warned = "; some are alike but for their sockets: leave each in its own" if twins else ""
        yield ok("cameras", f"{told}; taken is {taken}{warned}")
