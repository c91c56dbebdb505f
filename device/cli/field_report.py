"""`pipwatch doctor --field-report`: what the owner of a board measures once, as rows for docs/field.md."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, TextIO

from calibration.camera_errors import BadProfileFile
from device.cli import UserError, for_the_box
from device.cli.bench import reading_ratio
from device.cli.own_source import own_source
from device.cli.status import asked
from device.folders import matches_folder
from device.health import camera_asked, field_machine, watching
from device.health.bounce import Edge, bounce
from device.health.field_checks import Probe, Unmeasured, figure_of, figures, row, table
from device.health.field_machine import ThisMachine
from device.health.service_memory import service_memory
from device.health.watching import Thermometer, Watched
from device.lenses import chosen_lens
from device.live.source_name import SourceName
from device.panel.gpio_pins import PanelError, Pins, Wired
from device.service.address import from_here

if TYPE_CHECKING:
    from device.live.ports import Reader, Source
    from device.settings import Settings

MINUTES: Final = 5.0
_ROUNDS: Final = 5
_ENDS: Final = (signal.SIGHUP, signal.SIGTERM)
"""What ends this from without: a line that is cut hangs up."""
_GAME: Final = "draw-game"
"""A plain one: what the figures of all boards are compared by."""


def write(
    name: SourceName, settings: "Settings", minutes: float, out: Path | None,
    this: "ThisMachine | None" = None,
) -> None:  # fmt: skip
    """Measure all that can be had here, and write the rows; what cannot says why."""
    from device.live.mat_reader import MatReader

    if not 0 < minutes <= 60:
        raise UserError("--minutes should be more than 0, and 60 at most.")
    try:
        with for_the_box.looked_into():
            lens, kept = chosen_lens(settings.camera.lens), matches_folder()
    except BadProfileFile as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    this = this or ThisMachine()
    with _ended_in_order(), ExitStack() as stack:
        target = _target(out, stack)
        where = from_here(settings.service.host, settings.service.port)
        page = figure_of(partial(field_machine.page, where))
        memory = service_memory(this, _health(where))
        _take_over(this, stack)
        reader: Reader = MatReader(_GAME, lens, marker_mm=settings.table.marker_mm)
        source = _source(name, settings, stack)
        edges = _buttons(settings.pins, stack)
        _say(f"watching for {minutes:g} min: leave the table as it is, press each button a few times")
        seen = watching.watch(source, reader, 60 * minutes, Thermometer(this.warmth, this.held_back))
        probes: dict[str, Probe] = {
            **_of_the_machine(this, kept),
            **_of_the_sight(seen, source, reader),
            "buttons": partial(_bounced, settings.pins, edges),
            "page": lambda: page,
            "memory_rest": memory.rest,
            "memory_play": partial(memory.play, this),
        }
        print("\n".join([*table({})][:2]), file=target)
        for item, figure in figures(probes):
            print(row(item, figure), file=target, flush=True)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Within this all that was begun is put back, whatever ends it: the service must not stay stopped."""

    def heard(number: int, _frame: FrameType | None) -> None:
        for each in _ENDS:
            signal.signal(each, signal.SIG_IGN)  # a second one would cut what puts it back
        raise SystemExit(128 + number)

    here = threading.current_thread() is threading.main_thread()
    before = {each: signal.getsignal(each) for each in _ENDS if here}
    for each, handler in before.items():
        if handler is not signal.SIG_IGN:  # as under nohup
            signal.signal(each, heard)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _target(out: Path | None, stack: ExitStack) -> TextIO:
    if out is None:
        return sys.stdout
    try:
        return stack.enter_context(out.open("w", encoding="utf-8"))
    except OSError as wrong:
        raise UserError(f"{out} cannot be written: {wrong.strerror}.") from None


def _health(where: str) -> Mapping[str, object]:
    """What the service tells of itself, before it is stopped; nothing where none answers."""
    try:
        return asked(where)
    except UserError:
        return {}


def _take_over(this: ThisMachine, stack: ExitStack) -> None:
    """Stop the service for as long as this takes, since it has the camera; it needs root to do so."""
    if not this.service_runs():
        return
    if os.geteuid() != 0:
        raise UserError("pipwatch.service has the camera: run this with sudo, which stops it for a while.")
    _say("pipwatch.service is stopped, and started again at the end")
    # First what starts it again: a line may be cut while it is being stopped.
    stack.callback(this.run, ["systemctl", "start", "pipwatch.service"])
    this.run(["systemctl", "stop", "pipwatch.service"])


def _of_the_machine(this: ThisMachine, kept: Path) -> Mapping[str, Probe]:
    """``kept`` is where matches are."""
    return {
        "board": this.board,
        "system": this.system,
        "kernel": this.kernel,
        "libcamera": this.libcamera,
        "picamera2": this.picamera2,
        "opencv": partial(field_machine.module_version, "cv2"),
        "numpy": partial(field_machine.module_version, "numpy"),
        "networks": field_machine.networks,
        "camera": this.camera,
        "ratio": partial(reading_ratio, _GAME, _ROUNDS),
        "boot": this.boot,
        "work": this.work,
        "card": partial(field_machine.card, kept),
        "sync": partial(field_machine.small_writes, kept),
        "network": this.network,
    }


def _of_the_sight(seen: Watched, source: "Source | None", reader: "Reader") -> Mapping[str, Probe]:
    return {
        "picture": seen.size,
        "large": partial(camera_asked.large, source),
        "chosen": partial(camera_asked.chosen, source),
        "frame_rate": seen.frame_rate,
        "exposure": seen.exposure,
        "focus": seen.focus,
        "sweep": partial(camera_asked.sweep, source),
        "obeys": partial(camera_asked.obeys, source),
        "camera_back": partial(watching.camera_back, source),
        "gate": seen.gate,
        "markers": seen.markers,
        "reading": partial(watching.reading, seen, reader),
        "temperature": seen.temperature,
        "throttling": seen.throttling,
    }


def _source(name: SourceName, settings: "Settings", stack: ExitStack) -> "Source | None":
    """The source of frames, or none where it cannot be opened: the other figures can still be had."""
    try:
        source = own_source(name, settings, _GAME)
    except OSError as wrong:
        _say(f"without a picture: {wrong}")
        return None
    if source is not None:
        stack.callback(source.close)
    return source


def _buttons(pins: Pins, stack: ExitStack) -> list[Edge]:
    """The edges that the buttons give from now on."""
    edges: list[Edge] = []
    if pins.any:
        with suppress(PanelError):
            wired = Wired(pins, lambda name, closed, at: edges.append((name, closed, at)))
            stack.callback(wired.close)
    return edges


def _bounced(pins: Pins, edges: list[Edge]) -> str:
    if not pins.any:
        raise Unmeasured("no pins are set")
    return bounce(edges)


def _say(words: str) -> None:
    print(f"pipwatch: {words}…", file=sys.stderr, flush=True)
