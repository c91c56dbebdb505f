"""`pipwatch pins`: light each lamp, name each press, and find buttons that stick or chatter."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Final

from calibration.errors import BadProfileFile
from device.cli import UserError
from device.health.bounce import Edge
from device.health.contacts import reports
from device.panel.pins import BUTTONS, LAMPS, PanelError, Pins, Wired
from device.settings import load

_LIT_S: Final = 0.6
_HZ: Final = 880
_LOOK_S: Final = 0.05


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "light each lamp, name each press, find buttons that stick or chatter"
    p = commands.add_parser(
        "pins", help=words, description=f"{words.capitalize()}. Exit status 1 if something is wrong."
    )
    p.add_argument("--seconds", type=float, default=30.0, metavar="N", help="how long presses are heard (30)")
    p.add_argument("--json", action="store_true", help="what was found, as one JSON object")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Try them all; Ctrl-C ends it and tells what was found until then."""
    if not 0 < arguments.seconds <= 3600:
        raise UserError(f"--seconds should be more than 0 and at most 3600, not {arguments.seconds:g}.")
    try:
        pins = load(Path(arguments.config) if arguments.config else None).pins
    except BadProfileFile as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    if not pins.any:
        raise UserError("no pins are set: name them under [pins] in the settings (docs/match.md).")
    edges: list[Edge] = []
    begin_s = time.monotonic()
    try:
        wired = Wired(pins, lambda name, closed, at: edges.append((name, closed, at)))
    except PanelError as wrong:
        raise UserError(str(wrong)) from None
    try:
        _show(wired, pins)
        _listen(edges, pins, arguments.seconds)
    except KeyboardInterrupt:
        pass
    finally:
        wired.close()
    return _tell(pins, edges, begin_s, as_json=arguments.json)


def _show(wired: Wired, pins: Pins) -> None:
    """Each lamp by itself, then the sound."""
    for number, name in enumerate(LAMPS):
        if getattr(pins, name) is not None:
            print(f"{name} lamp, pin {getattr(pins, name)}: it burns now", file=sys.stderr, flush=True)
            wired.light(number == 0, number == 1, number == 2)
            time.sleep(_LIT_S)
    wired.light(False, False, False)
    if pins.buzzer is not None or pins.speaker is not None:
        print("sound: it is heard now", file=sys.stderr, flush=True)
        wired.sound(_HZ)
        time.sleep(_LIT_S)
        wired.sound(None)


def _listen(edges: list[Edge], pins: Pins, seconds: float) -> None:
    """Name each press as it comes."""
    names = ", ".join(name.replace("_", " ") for name in _wired(pins))
    if not names:
        return
    print(f"press {names}; Ctrl-C ends it", file=sys.stderr, flush=True)
    until, told = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for name, closed, _ in edges[told:]:
            print(f"  {name.replace('_', ' ')} {'down' if closed else 'up'}", file=sys.stderr, flush=True)
        told = len(edges)
        time.sleep(_LOOK_S)


def _tell(pins: Pins, edges: list[Edge], begin_s: float, *, as_json: bool) -> int:
    found = reports(_wired(pins), edges, begin_s, time.monotonic())
    if as_json:
        print(json.dumps({"buttons": [asdict(one) | {"wrong": one.wrong} for one in found]}))
    else:
        for one in found:
            words = f"{one.presses} presses, chatter {one.chatter_ms:.1f} ms, held {one.held_s:.1f} s at most"
            print(f"{'✗' if one.wrong else '✓'} {one.name.replace('_', ' '):10} {one.wrong or words}")
    return 1 if any(one.wrong for one in found) else 0


def _wired(pins: Pins) -> list[str]:
    return [name for name in BUTTONS if getattr(pins, name) is not None]
