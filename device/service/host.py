"""The threads around the box: its own turn here, the match and the overseer beside it."""

import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

from device.cameras.naming import camera_here, cameras, chosen, open_camera
from device.folders import SettingsFiles, settings_files
from device.health import wired_parts
from device.health.checkup import Held, checkup
from device.journal.readable import readable_match
from device.keeping.old_pictures import shed
from device.live.messages import Heard, Message
from device.live.panel import Panel, panel_of
from device.live.referee_thread import Teller
from device.live.source_name import source_name
from device.match.lamp_signs import Lamps
from device.match.signals import Kind
from device.own_pieces import OwnPieces
from device.panel.gpio_pins import PanelError, Pins
from device.panel.wish import Wish
from device.power import power_off, refusal
from device.service import hotspot
from device.service.aiming import Aimed, Aiming
from device.service.beats import Pulse
from device.service.box import (
    BUSY,
    Close,
    Closed,
    Duty,
    Exit,
    Forgive,
    Input,
    OnceMore,
    Open,
    Place,
    Pressed,
    Quit,
    Rested,
    Standing,
    Want,
    Wanted,
    step,
)
from device.service.box_match import Around, BoxMatch
from device.service.crashes import GOOD_S, CrashFile
from device.service.front import Front
from device.service.kept_camera import KeptCamera
from device.service.machinery import Machinery
from device.service.notify import Notifier
from device.service.outside import Outside
from device.service.overseer import Facts, Overseer
from device.service.own_lens import lens_of_usual
from device.service.pins_trial import PinsTrial
from device.service.reception import Reception
from device.service.report import report
from device.service.shelf import Shelf, delete
from device.service.stick_backup import StickBackup
from device.service.tidying import Tidying
from device.service.trying import AsInMatches, Tried, Trying
from device.settings import Settings
from device.workload import board, workload
from engine import GAMES, rulebook
from engine.plain import JsonObject

LOBBY: Final = Lamps(green="#.......", amber="..#.....", red="....#...")
"""A light that runs along the lamps: the box is there, and no match goes on."""
LOBBY_BLIND: Final = Lamps(red="#.#.....")
"""The same without vision."""
STAYS_ON: Final = 1
"""How the box ends where the machine was to be switched off and stays on: systemd starts it anew."""
STARTS_ANEW: Final = 75
"""How it ends where its owner wants it started again: the unit names this status, and calls it no failure."""
ALONE: Final = (
    "Pipwatch was started by hand, so nobody would start it again: stop it where it runs, and start it there."
)
_ANSWER_S: Final = 0.4
"""So long the page has to answer whoever ended the box by it."""
_TURN_S: Final = 0.5
_FAREWELL_S: Final = 0.5
_END_S: Final = 0.8
"""A match that is not closed by then is left as it is: all that it acknowledged is on the disk."""
_CRASHED: Final = (
    "The box stopped by itself several times within ten minutes, so it plays without the camera now: moves "
    "are typed. Press “Try the camera again” when you like."
)
_STAYED: Final = "The match that was going on may be what stops the box: it waits to be gone on with."


class PowerRefused(Exception):
    """The machine would stay on; the message is the sentence for whoever held the button."""


class Host:
    """The box with everything around it. ``run`` holds the main thread until the end."""

    def __init__(
        self, settings: Settings, front: Front, state: Path, *, remarks: Sequence[str] = (),
        notifier: Notifier | None = None, machinery: Machinery | None = None,
        camera: KeptCamera | None = None, crashes: CrashFile | None = None,
        files: SettingsFiles | None = None,
    ) -> None:  # fmt: skip
        """``remarks`` are what was wrong with the start, such as settings that are broken."""
        self.inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.standing = Standing()
        self._lit: Lamps | None = None
        """What the lamps show between matches."""
        self._settings, self._front, self._remarks = settings, front, list(remarks)
        self._work = workload(settings.service.work, board())
        self._crashes = crashes or CrashFile(state / "crashes.json")
        self._notifier = notifier or Notifier()
        self._camera = camera or _kept(settings, self._work.fps)
        self._shelf = Shelf(state / "shelf.json", lambda: self.standing.place is Place.LOBBY)
        self._pieces, self._pulse = OwnPieces(), Pulse()
        self._stick = StickBackup()
        self._match: BoxMatch | None = None
        self._untouched = True
        """Nobody has opened a match since the start: then the one that was open may go on by itself."""
        self._goes_off = self._comes_back = False
        """Whether the machine is switched off, or the box started again, once the box has ended."""
        self._farewell: threading.Thread | None = None
        self._parts_until = 0.0
        self.outside: Outside | None = None
        """Whom the box tells what; nobody where it is not set."""
        self._panel = panel_of(settings, self._pressed, self._wished)
        self._fitted = _fitted(settings, self._panel)
        """The settings with what of the panel can be had."""
        self._pins_trial = PinsTrial(self._fitted, lambda: self._panel, self._lobby_again)
        self.overseer = Overseer(
            self.facts, front, self._camera, self._notifier, machinery or Machinery(), state / "matches"
        )
        self._aiming = Aiming(self._camera.visit)
        lens = partial(lens_of_usual, settings.camera, self._camera.sensor)
        self._trying = Trying(self.pictured, AsInMatches(lens, settings.table.marker_mm))
        self._tidying = Tidying(lambda stopped: shed(state, stopped=stopped))
        self._files, self._state = files, state
        self.reception = Reception(
            self.inbox.put, self.told, lambda: self.overseer.health.to_json(), self.delete,
            self.checked, self.aimed, self.pictured, self.focused, self.tried, files,
            blind=self.blind, report=self.report, stick=self._stick, older=self.older,
            try_pins=self.tried_pins, pins=self._pins_trial.told,
            alone="" if self._notifier.there else ALONE, restart=self.restart,
            switch_off=lambda: self.switch_off(_ANSWER_S),
        )  # fmt: skip

    # — the main thread —

    def run(self) -> int:
        """Until somebody stops it."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._heard)
        if self._work.small:
            print(f"pipwatch: work is {self._work.words}.", file=sys.stderr, flush=True)
        known = self._crashes.start()
        self.standing = Standing(sight=known.sight)
        self._show_lobby()
        self._front.open(self.reception)
        self.overseer.round()
        self._notifier.ready(self._front.address or self._front.problem)
        if self.outside is not None:
            self.outside.open()
        self._invite()
        threading.Thread(
            target=self.overseer.run, args=(self._try_page,), name="overseer", daemon=True
        ).start()
        if known.goes_on:
            threading.Thread(target=self._go_on, name="going-on", daemon=True).start()
        else:
            self._remarks.append(_STAYED)
        self._turns()
        return self._end()

    def _try_page(self) -> None:
        """Another program may have had its port until now."""
        self._front.open(self.reception)
        self._invite()

    def _invite(self) -> None:
        """People are told how to join once there is a page that they would find."""
        if self.outside is not None and self._front.address:
            self.outside.invite()

    def _turns(self) -> None:
        good_s: float | None = time.monotonic() + GOOD_S
        until: float | None = None
        while True:
            self._pulse.beat()
            said: Input | None = None
            with suppress(queue.Empty):
                left_s = _TURN_S if until is None else max(0.0, min(_TURN_S, until - time.monotonic()))
                said = self.inbox.get(timeout=left_s)
            now = time.monotonic()
            if good_s is not None and now >= good_s:
                good_s = None
                self.inbox.put(Rested())
            if said is not None and self._become(said, now):
                return
            if self.standing.place is Place.LOBBY:
                self._tidying.look()
            if self.standing.place is Place.LOBBY and self._lit != self._lobby_lamps():
                self._show_lobby()
            if self.standing.stopping:
                until = until or now + _END_S
                if now >= until:
                    return

    def _become(self, said: Input, now: float) -> bool:
        """What happened and what follows from it; whether that ends the box."""
        before = self.standing
        self.standing, duties = step(before, said, now)
        if self.standing.stopping and not before.stopping:
            self._notifier.stopping()
            self._parting()
        if isinstance(said, Closed):
            self._tidying.match_closed()
        over = [self._do(duty) for duty in duties]
        if self.standing.place is Place.LOBBY and before != self.standing:
            self._show_lobby()
        return any(over)

    def _do(self, duty: Duty) -> bool:
        """Carry out what the box orders; whether that ends it."""
        if isinstance(duty, Open):
            self._open(duty)
        elif isinstance(duty, Close) and self._match is not None:
            self._match.stop(left=duty.left)
        elif isinstance(duty, Forgive):
            self._crashes.forgive()
        elif isinstance(duty, OnceMore):
            threading.Thread(target=self._once_more, name="once-more", daemon=True).start()
        return isinstance(duty, Exit)

    def _open(self, duty: Open) -> None:
        self._untouched = False
        self._aiming.close()
        self._pins_trial.end()
        tellers: tuple[Teller, ...] = () if self._panel is None else (self._panel,)
        screens = (self._front, *(self.outside.seats if self.outside is not None else ()))
        way = self._tidying.make_way
        around = Around(self._settings, self._camera, screens, self.inbox.put, tellers, way)
        self._match = BoxMatch(duty, around)
        threading.Thread(target=self._match.run, name="match", daemon=True).start()

    def _end(self) -> int:
        """The crash file first: an end that takes too long is still one in order."""
        self._crashes.end()
        parting = self._parting()
        self.overseer.stop()
        self._front.end(0.2)
        self._camera.close()
        parting.join(max(0.0, self._parts_until - time.monotonic()))
        if self._panel is not None:
            self._panel.close(0.2)
        if self._goes_off:
            if refused := power_off():
                print(f"pipwatch: {refused}", file=sys.stderr, flush=True)
            return STAYS_ON if refused else 0
        return STARTS_ANEW if self._comes_back else 0

    def _parting(self) -> threading.Thread:
        """Good-byes to others: a name or a broker that is far away must not hold up the end, nor a match that
        is closed meanwhile them."""
        if self._farewell is None:
            self._parts_until = time.monotonic() + _FAREWELL_S
            self._farewell = threading.Thread(target=self._part, name="farewell", daemon=True)
            self._farewell.start()
        return self._farewell

    def _part(self) -> None:
        if self.outside is not None:
            self.outside.close(_FAREWELL_S)

    # — what goes on by itself, or by a button —

    # Both aside: to judge what is kept may take a small board longer than systemd's patience.

    def _go_on(self) -> None:
        kept = self._shelf.going_on()
        if kept is None:
            self._shelf.look()  # what cannot be read is told before anybody opens the page
        elif self._untouched:
            title = f"{kept.title}, {kept.entries} entries"
            print(f"pipwatch: going on with {kept.name}: {title}.", file=sys.stderr, flush=True)
            self.inbox.put(Want(Wanted(kept.seating, kept.name)))

    def _once_more(self) -> None:
        kept = self._shelf.look()
        wanted = next((Wanted(one.seating, one.name) for one in kept if not one.over), None)
        if wanted is None and kept:
            wanted = Wanted(kept[0].seating)
        if wanted is not None and self.standing.place is Place.LOBBY:
            self.inbox.put(Want(wanted))

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        self.inbox.put(Quit())

    # — buttons and lamps —

    @property
    def _unwired(self) -> PanelError | None:
        """Why there is nothing at the pins, where the settings name some."""
        return None if self._panel is None else self._panel.fittings.unwired

    def _pressed(self, message: Message) -> None:
        """A button: it means the match, or the box while there is none."""
        match = self._match
        if self.standing.place is not Place.LOBBY:
            if match is not None and match.running is not None:
                match.running.desk.say(message)
        elif isinstance(message, Heard):
            self.inbox.put(Pressed(Kind(message.signal.kind)))

    def _wished(self, wish: Wish) -> None:
        """Buttons that were held. The box is switched off only once all is on the disk."""
        if wish is Wish.SHUTDOWN:
            if refused := self.switch_off():
                self._remarks = list(dict.fromkeys([*self._remarks, refused]))
                raise PowerRefused(refused)
        elif wish is Wish.BACKUP:
            print(f"pipwatch: {self._stick.pressed()}", file=sys.stderr, flush=True)
        elif self.outside is not None:
            self.outside.grant(wish)

    def switch_off(self, after_s: float = 0.0) -> str:
        """End, and switch the machine off; why not, if not: a box that ended and stays on would be none."""
        if self._goes_off:
            return ""
        if refused := refusal():
            return refused
        self._goes_off = True
        self._quit(after_s)
        return ""

    def restart(self) -> str:
        """End, to be started again by the service; a match that goes on goes on then. Why not, if not."""
        if not self._notifier.there:
            return ALONE
        self._comes_back = True
        self._quit(_ANSWER_S)
        return ""

    def _quit(self, after_s: float) -> None:
        if not after_s:
            self.inbox.put(Quit())
            return
        later = threading.Timer(after_s, self.inbox.put, (Quit(),))
        later.daemon = True
        later.start()

    def _show_lobby(self) -> None:
        self._match = None
        self._lit = self._lobby_lamps()
        if self._panel is not None:
            self._panel.show(self._lit)

    def _lobby_again(self) -> None:
        """The lamps have shown something else: the next turn shows what it should."""
        self._lit = None

    def _lobby_lamps(self) -> Lamps:
        if not self.standing.sight:
            return LOBBY_BLIND
        return hotspot.LAMPS if self.outside is not None and self.outside.has_own_wifi else LOBBY

    # — what others see —

    def facts(self) -> Facts:
        """The box at this moment, for the overseer."""
        crashed = [_CRASHED] if self.standing.degraded else []
        port = [self._front.problem] if self._front.problem else []
        outside = [] if self.outside is None else self.outside.remarks
        panel = () if self._panel is None else self._panel.problems
        remarks = (
            *port, *crashed, *self._remarks, *panel, *self._shelf.problems, *self._pieces.problems, *outside,
            *self._stick.remarks,
        )  # fmt: skip
        return Facts(self.standing, self._pulse.age_s, self._match, remarks, self._work.words)

    def delete(self, name: str) -> str:
        """Delete a match that is kept; why not, if not."""
        path, wanted = readable_match(name), self.standing.wanted
        if path is None:
            return "There is no such match."
        if self.standing.place is not Place.LOBBY and wanted is not None and wanted.name == path.stem:
            return "This match is going on: leave it first."
        return delete(path)

    def checked(self) -> Sequence[JsonObject]:
        """The machine, checked; only while no match has the camera."""
        if self.standing.place is not Place.LOBBY:
            return ()
        held = Held(pins=wired_parts.held(self._settings.pins, self._unwired))
        found = checkup(self._camera.visit, self._files, held=held)
        return [dict(one.to_json()) for one in found]

    def report(self) -> bytes:
        """The bundle for a bug report, at any time: a match keeps its camera."""
        pins = wired_parts.held(self._settings.pins, self._unwired)
        files, health = self._files or settings_files(), self.overseer.health.to_json()
        return report(self._state, files, self._camera.state(), pins, health)

    def aimed(self) -> Aimed | None:
        """How the camera hangs; only while no match has it."""
        return self._aiming.look() if self.standing.place is Place.LOBBY else None

    def pictured(self) -> Any | None:
        """What the camera sees; only while no match has it."""
        return self._aiming.picture() if self.standing.place is Place.LOBBY else None

    def blind(self) -> str:
        """Why the camera gave no picture just now; only while no match has it."""
        return self._aiming.blind if self.standing.place is Place.LOBBY else ""

    def focused(self) -> bool | None:
        """Have the camera focus anew; only while no match has it."""
        return self._aiming.focus_again() if self.standing.place is Place.LOBBY else None

    def tried(self, anew: bool) -> Tried | None:
        """A look of the test move; only while no match has the camera."""
        return self._trying.look(anew=anew)

    def told(self) -> JsonObject:
        """What the lobby shows."""
        standing = self.standing
        return {
            "place": str(standing.place), "words": standing.words, "sight": standing.sight,
            "blind": standing.blind, "over": standing.over, "dashboard": self._front.at_match,
            "camera": chosen(self._settings.camera) is not None,
            "cameras": [
                {"name": one.name, "title": one.title, "usual": one.usual, "there": one.there}
                for one in cameras(self._settings.camera)
            ],
            "pieces": [one.to_json() for one in self._pieces.look()],
            "games": [{"name": name, "title": rulebook(name).title} for name in GAMES],
            "confirm": self._settings.manners.confirm,
            "work": self._work.words if self._work.small else "",
            "remarks": list(self.overseer.health.remarks),
            **self._shelf.told(),
        }  # fmt: skip

    def tried_pins(self, on: bool) -> str:
        """Begin to try buttons and lamps, or end it; why not, if not: a match needs them."""
        if not on:
            self._pins_trial.end()
            return ""
        if self.standing.place is not Place.LOBBY:
            return BUSY
        if self._unwired is not None and not self._fitted.has_panel:
            return str(self._unwired)
        return self._pins_trial.begin()

    def older(self, after: str) -> JsonObject | None:
        """Matches that lie further back than one of this name, if that is kept."""
        found = self._shelf.page(after)
        return None if found is None else found.to_json()


def _fitted(settings: Settings, panel: Panel | None) -> Settings:
    """The settings without what of the panel cannot be had."""
    if panel is None:
        return settings
    pins = settings.pins if panel.fittings.unwired is None else Pins()
    card = settings.sound.card if panel.fittings.soundless is None else ""
    return replace(settings, pins=pins, sound=replace(settings.sound, card=card))


def _kept(settings: Settings, fps: float) -> KeptCamera:
    """The camera of the settings, or another one that was chosen for a match."""
    wanted = settings.camera
    return KeptCamera(
        lambda: camera_here(fps, wanted),
        named=lambda name: open_camera(source_name(name), fps=fps, wanted=wanted),
        usual=lambda: "" if (found := chosen(wanted)) is None else found.text,
    )
