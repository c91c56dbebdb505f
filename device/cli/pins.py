"""`pipwatch pins`: light each lamp, name each press, find buttons that stick or chatter; draw the wiring."""

import argparse
import json
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from calibration.camera_errors import BadProfileFile
from device.cli import UserError
from device.cli.status import box_here
from device.health.bounce import Edge
from device.health.contacts import reports
from device.match.lamp_signs import Tune
from device.panel.fittings import Fittings
from device.panel.gpio_pins import BUTTONS, LAMPS, Pins, Wired
from device.panel.keys import Keypad, devices
from device.panel.sound_card import SoundCard
from device.panel.wiring_drawing import wiring_svg
from device.panel.wiring_plan import ADVISED, advised_settings, wiring_plan
from device.settings import Settings, load

_LIT_S: Final = 0.6
_HZ: Final = 880
_TAKEN: Final = (
    "the box that runs here has the pins: sudo systemctl stop pipwatch first, and start it again afterwards."
)
_LOOK_S: Final = 0.05
_CARD_S: Final = 1.2


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "light each lamp, name each press, find buttons that stick or chatter; draw the wiring"
    p = commands.add_parser(
        "pins", help=words, description=f"{words.capitalize()}. Exit status 1 if something is wrong."
    )
    p.add_argument("--seconds", type=float, default=30.0, metavar="N", help="how long presses are heard (30)")
    p.add_argument("--json", action="store_true", help="what was found, as one JSON object")
    p.add_argument(
        "--draw", type=Path, metavar="FILE", help="draw what the settings wire as an SVG, and no more"
    )
    p.add_argument("--buttons", type=int, choices=sorted(ADVISED), help="draw an advised wiring, with --draw")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Try them all; Ctrl-C ends it and tells what was found until then."""
    if not 0 < arguments.seconds <= 3600:
        raise UserError(f"--seconds should be more than 0 and at most 3600, not {arguments.seconds:g}.")
    try:
        settings = load(Path(arguments.config) if arguments.config else None)
    except BadProfileFile as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    if arguments.draw is not None:
        return _draw(settings, arguments.draw, arguments.buttons)
    if not settings.has_panel:
        raise UserError(
            "no pins are set: name them under [pins] in the settings (docs/match.md), and try them with sudo "
            f"where the box's page has set them. {_keypads()}"
        )
    return _tried(arguments, settings)


def _tried(arguments: argparse.Namespace, settings: Settings) -> int:
    """All that can be had; the exit status."""
    edges: list[Edge] = []
    begin_s = time.monotonic()
    with ExitStack() as stack:
        fittings = Fittings(settings.pins, settings.sound.card, lambda *edge: edges.append(edge))
        stack.callback(fittings.close)
        if fittings.unwired is not None and box_here(arguments.config):
            raise UserError(_TAKEN)
        if fittings.unwired is not None:
            settings = replace(settings, pins=Pins())  # the rest can be tried all the same
        _warn(fittings, nothing_else=not (settings.pins.any or settings.keys.any or fittings.card))
        if settings.keys.any:
            print(_keypads(), file=sys.stderr, flush=True)
            keypad = Keypad(
                settings.keys, lambda *edge: edges.append((f"key_{edge[0]}", *edge[1:])),
                lambda: print("  the keypad has gone", file=sys.stderr, flush=True),
                other=lambda name: print(f"  {name} is no button", file=sys.stderr, flush=True),
            )  # fmt: skip
            stack.callback(keypad.close, 1.0)
        with suppress(KeyboardInterrupt):
            _show(fittings.wired, settings.pins, fittings.card)
            _listen(edges, _wired(settings), arguments.seconds, any_key=settings.keys.any)
    status = _tell(_wired(settings), edges, begin_s, as_json=arguments.json)
    return 1 if fittings.unwired or fittings.soundless else status


def _warn(fittings: Fittings, *, nothing_else: bool) -> None:
    """What cannot be had; that is an error where there is nothing else to try."""
    wrong = [str(one) for one in (fittings.unwired, fittings.soundless) if one is not None]
    if wrong and nothing_else:
        raise UserError(" ".join(wrong))
    for sentence in wrong:
        print(f"pipwatch: {sentence}", file=sys.stderr, flush=True)


def _keypads() -> str:
    """The keypads and keyboards of this machine."""
    names = sorted({*devices().values()})
    return f"keypads and keyboards here: {', '.join(names) or 'none'}"


def _draw(settings: Settings, path: Path, buttons: int | None) -> int:
    """The wiring of the settings, or an advised one where they have none."""
    if buttons is None and settings.pins.any:
        title = "Your wiring"
        plan = wiring_plan(settings.pins, display=bool(settings.oled.chip), card=settings.sound.card)
    else:
        advised = ADVISED[buttons or 4]
        title = advised.title
        plan = wiring_plan(advised.pins, display=advised.display, card=advised.card)
        print("# for the settings, as it is drawn", advised_settings(advised), sep="\n", end="", flush=True)
    try:
        path.write_text(wiring_svg(plan, title), encoding="utf-8")
    except OSError as wrong:
        raise UserError(f"{path} cannot be written: {wrong.strerror}.") from None
    print(f"{path}: {title}", file=sys.stderr)
    return 0


def _show(wired: Wired, pins: Pins, card: SoundCard | None) -> None:
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
    if card is not None:
        print("sound card: it plays now", file=sys.stderr, flush=True)
        card.play(Tune("-.-", _HZ))
        time.sleep(_CARD_S)
        card.close()


def _listen(edges: list[Edge], named: list[str], seconds: float, *, any_key: bool) -> None:
    """Name each press as it comes."""
    names = ", ".join(name.replace("_", " ") for name in named)
    if not names and not any_key:
        return
    print(f"press {names or 'any key'}; Ctrl-C ends it", file=sys.stderr, flush=True)
    until, told = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for name, closed, _ in edges[told:]:
            print(f"  {name.replace('_', ' ')} {'down' if closed else 'up'}", file=sys.stderr, flush=True)
        told = len(edges)
        time.sleep(_LOOK_S)


def _tell(named: list[str], edges: list[Edge], begin_s: float, *, as_json: bool) -> int:
    found = reports(named, edges, begin_s, time.monotonic())
    if as_json:
        print(json.dumps({"buttons": [asdict(one) | {"wrong": one.wrong} for one in found]}))
    else:
        for one in found:
            words = f"{one.presses} presses, chatter {one.chatter_ms:.1f} ms, held {one.held_s:.1f} s at most"
            told = f"{one.wrong} ({words})" if one.wrong else words
            print(f"{'✗' if one.wrong else '✓'} {one.name.replace('_', ' '):14} {told}")
    return 1 if any(one.wrong for one in found) else 0


def _wired(settings: Settings) -> list[str]:
    """The buttons by name, wired ones and then keys."""
    pins = [name for name in BUTTONS if getattr(settings.pins, name) is not None]
    return [*pins, *(f"key_{name}" for name in settings.keys.buttons.values())]
