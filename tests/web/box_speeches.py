"""What the box says of itself, said by what really says it: checks, faults, refusals, wrong settings."""

import errno
import lzma
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from calibration import camera_errors as calibrating
from calibration.camera_errors import BadProfileFile
from calibration.mount_drawing import DrawnWords, mount_shapes
from calibration.mounting import guide
from calibration.plan import plan_of
from calibration.profiles import camera_profile
from device import power, settings_form
from device.cameras import usb_known, usb_names
from device.cameras.frames import Frame
from device.cameras.naming import missing_camera
from device.cameras.own_process import Apart
from device.cameras.watchdog import Patience
from device.folders import SettingsFiles, sockets_file, state_folder
from device.health import extras, machine, parcel, pi_board, sight, wired_parts
from device.health.checkup import settings_of
from device.health.contacts import ContactReport
from device.health.finding import Finding
from device.journal.store import Journal
from device.keeping import stick_copier
from device.keeping.caretaker import make_order
from device.keeping.packing import Packed
from device.keeping.unpacking import NOTE, Restored
from device.lenses import chosen_lens
from device.live.mishaps import words_of
from device.live.ports import Away
from device.live.saying import _BLIND
from device.own_pieces import own_set
from device.panel.fittings import Fittings
from device.panel.gpio_pins import PanelError, Pins
from device.panel.keys import Keys, refusal_of_keys
from device.panel.oled_settings import OledSettings
from device.service import aiming, box_match
from device.service.beats import Beats, late
from device.service.front import Front
from device.service.last_good import usable
from device.service.machinery import Machinery
from device.service.own_lens import UNSURE
from device.service.owner import Owner
from device.service.pairing import Pairing
from device.service.shelf import Shelf
from device.service.stick_backup import StickBackup
from device.service.trying import TriedPiece, changes
from device.service.vitality import strained
from device.sheet_powers import power_words
from device.untrusted_picture import BadPicture, decoded, load_picture
from engine import GAMES
from tests.device.usb_sockets import SAME, sockets
from tests.web import camera_speeches
from vision.pieces.marker_size import OtherSize
from web.owner_pages import NOT_WRITABLE

PICTURES: Final = (
    b"", b"plain text", b"GIF89a", b"BM12", b"II*\0", b"RIFF0000WEBP", b"\0\0\0\x18ftypheic",
    b"\0\0\0\x18ftypavif", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0\0\x10", b"\xff\xd8\xff\xd9",
)  # fmt: skip
WRONG: Final = (
    "no toml", "[pins]\nundo = 99", "[pins]\nundo = 4\npause = 4", "[manners]\nconfirm = 'never'",
    "[manners]\ncalm_s = 'soon'", "[nonsense]", "[pins]\nnonsense = 1", "pins = 3", "[camera]\nfps = 900",
    "[camera]\nfocus = 90", "[camera]\nrotate = 45", "[camera]\nsource = 'film'", "[camera]\nsize = [7, 8]",
    "[camera]\nsize = [640]", "[service]\nport = 0", "[service]\nnames = ['!']", "[sound]\nquiet = ['x']",
    "[sound]\nquiet = 3", "[table]\nmarker_mm = 900", "[keys]\nundo = 'KEY_X'",
    "[keys]\nundo = 'KEY_XX'\ndevice = 'a'", "[keys]\nundo = 'KEY_A'\npause = 'KEY_A'\ndevice = 'a'",
    "[mqtt]\nhost = 'a'\nport = 99999", "[mqtt]\nname = '!'", "[mqtt]\npassword = 'a'\npassword_file = 'b'",
    "[mqtt]\nca_file = 'a'", "[mqtt]\ndiscovery = '#'", "[oled]\naddress = 3", "[oled]\nport = -1",
    "[oled]\nchip = 'ssd1306'\n[pins]\nundo = 2",
)  # fmt: skip
FIELDS: Final = {
    "manners.calm_s": "soon", "camera.size": "large", "service.port": "many", "oled.upside_down": "maybe",
    "manners.confirm": "never", "camera.fps": "inf", "nonsense.key": "1",
}  # fmt: skip


def findings(folder: Path) -> Iterator[Finding]:
    """What the doctor may find, on machines of many kinds."""
    model = folder / "model"
    for name in ("", "Raspberry Pi 4 Model B Rev 1.2", "Raspberry Pi 3 Model B", "Banana Pi"):
        model.write_text(name)
        yield pi_board.board(model if name else folder / "none")
        yield pi_board.board(model if name else folder / "none", 2**31)
        (folder / "meminfo").write_text("MemTotal: 944264 kB\n")
        yield pi_board.board(model if name else folder / "none", meminfo=folder / "meminfo")
    yield from (machine.work(asked, name) for asked in ("auto", "small", "full") for name in ("", "Pi 3"))
    yield from _of_the_machine(folder)
    yield from _of_extras(folder)
    dark = np.zeros((480, 640, 3), np.uint8)
    for picture in (None, dark, dark + 30, dark + 255, dark + 120):
        yield sight.markers(picture)
        yield sight.light(picture)
        yield sight.sizes(picture, 32.0)
    yield sight.camera(lambda: None)[0]
    yield wired_parts.pins(Pins())
    yield wired_parts.pins(Pins(undo=4))
    unusable = (PanelError(f"The pins cannot be used: {why}.") for why in ("'GPIO busy'", "no chip"))
    for wrong in (None, *unusable):
        yield from filter(None, [wired_parts.held(Pins(undo=4, confirm_a=5), wrong)])
    yield from _of_config(folder)


def _of_config(folder: Path) -> Iterator[Finding]:
    """From which files the settings come: one that people write, one of the page, one that is hidden."""
    by_hand, by_page = folder / "hand.toml", folder / "page.toml"
    by_hand.write_text("[camera]\nfps = 5\n")
    by_page.write_text("[manners]\ncalm_s = 3.0\n[service]\nport = 80\n")
    hidden: Any = OutOfSight(by_page)
    none = folder / "none.toml"
    for first in (none, by_hand):
        for second in (none, by_page, hidden):
            yield settings_of(SettingsFiles(first, second))[1]
    yield settings_of(by_hand)[1]


class OutOfSight(type(Path())):  # type: ignore[misc]
    """A file that this user may not read."""

    def read_text(self, *_args: Any, **_more: Any) -> str:
        """It is refused."""
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _of_the_machine(folder: Path) -> Iterator[Finding]:
    def lacks(name: str) -> object:
        raise ImportError(f"No module named {name!r}")

    yield machine.packages(lacks)
    yield machine.packages(lambda _name: None)
    yield machine.models(folder / "no models")
    (folder / "broken.onnx.xz").write_bytes(lzma.compress(b"nothing"))
    yield machine.models(folder)
    yield machine.disk(folder)
    ticks = iter(range(0, 9999, 3))
    yield machine.disk(folder, lambda: float(next(ticks)))
    yield machine.clock(lambda: 0.0)
    for told in ("no", "yes"):
        yield machine.clock(lambda: 1.8e9, lambda _command, told=told: told)  # type: ignore[misc]
    for told in ("", "throttled=0x0", "throttled=0x50005", "throttled=0x80008"):
        yield machine.power(lambda _command, told=told: told)  # type: ignore[misc]
    yield machine.power(lambda _command: "", on="Raspberry Pi 4 Model B")
    (folder / parcel.MARK).write_text("1.0 abc")
    (folder / "carried").mkdir(exist_ok=True)
    for said in ("half-installed", "installed"):
        yield from filter(None, [parcel.parcel(folder, lambda _command, said=said: said)])  # type: ignore[misc]
    (folder / "carried" / parcel.MARK).write_text("1.0 abc")
    for many in (1, 3):
        lines = "".join(f"??5?????? {folder}/file{number}.py\n" for number in range(many))

        def dpkg(command: Any, lines: str = lines) -> str:
            return lines if command[0] == "dpkg" else "installed"

        yield from filter(None, [parcel.parcel(folder, dpkg)])


def _of_extras(folder: Path) -> Iterator[Finding]:
    keys, oled = Keys(device="Pad", undo="KEY_A"), OledSettings(chip="ssd1306")
    yield extras.keypad(Keys())
    yield extras.keypad(keys, folder)
    yield extras.display(OledSettings())
    yield extras.display(oled, folder)
    (folder / "dev").mkdir(exist_ok=True)
    (folder / "dev/i2c-1").touch()
    yield extras.display(oled, folder, lambda _path, _how: False)
    yield extras.display(oled, folder, has_library=False)
    yield extras.display(oled, folder, has_library=True)
    yield extras.display(oled, folder, has_library=True, ioctl=lambda *_all: None)
    yield extras.sound("", folder)
    yield extras.sound("DAC", folder)
    (folder / "proc/asound").mkdir(parents=True, exist_ok=True)
    (folder / "proc/asound/cards").write_text(" 0 [DAC            ]: x\n")
    yield extras.sound("Other", folder)
    yield extras.sound("DAC", folder, has_player=False)


def speeches(folder: Path) -> Iterator[str]:
    """All of it, sentence by sentence."""
    for found in findings(folder):
        yield from (found.words, found.remedy)
    yield from _of_cameras()
    yield from _of_twins(folder)
    yield from _of_settings(folder)
    yield from _of_the_box(folder)
    yield from _of_pictures(folder)
    yield from _of_mounts()
    yield from (str(one) for one in _of_markers())


def _of_cameras() -> Iterator[str]:
    yield from _BLIND.values()
    yield words_of(ValueError("shapes do not match"))
    for name in ("The camera", "Webcam 2"):
        for why in ("", "it hangs", "the camera cannot be opened: Camera in use", "Traceback: odd"):
            yield away(name, why)
            yield aiming._why(Away(away(name, why)))
    yield _slow("Webcam 2")
    yield from camera_speeches.speeches()
    for doing in ("it focuses", "it focuses on the mat (3 looks)", "it measures the light (2)"):
        yield away("The camera", doing)
        yield aiming._why(Away(away("The camera", doing)))


def _of_twins(folder: Path) -> Iterator[str]:
    """Cameras that are alike: both there, or one of which nobody knows which it is."""
    name, places = SAME[1], ("1-1.2", "1-1.3")
    with patch.object(usb_names, "NODES", sockets(folder / "twins", *((one, SAME) for one in places))):
        yield away("The camera", usb_names.not_there(name))
        yield missing_camera(f"webcam:{name}")
        yield from (usb_names.not_there(one) for one in (name, "046d:082d:8F3A-1"))
    usb_known.keep(sockets_file(), {name: [f"{one}:1.0" for one in places]})
    with patch.object(usb_names, "NODES", sockets(folder / "one", (places[0], SAME))):
        yield usb_names.not_there(name)
    yield UNSURE.format(camera=f"webcam:{name}@1-1.2:1.0", other=f"webcam:{name}")
    yield box_match.OTHER_CAMERA


def away(name: str, why: str) -> str:
    """What is told of a camera that ended so."""
    camera = Apart(lambda _take: _Dead(), name, Patience(), lambda: 0.0)
    camera.watchdog.started(0.0)
    camera._why = why
    return camera._away(9.0)


def _slow(name: str) -> str:
    now = [0.0]
    camera = Apart(lambda _take: _Dead(), name, Patience(), lambda: now[0])
    camera._take(Frame(picture=np.zeros((8, 8, 3), np.uint8)))
    now[0] = 5.5
    camera._take(Frame(picture=np.ones((8, 8, 3), np.uint8)))
    return camera._away(now[0])


class _Dead:
    def ended(self) -> bool:
        """Whether it is gone."""
        return True

    def kill(self) -> str:
        """End it."""
        return ""

    def ask(self, _words: bytes) -> bool:
        """It hears nothing."""
        return False


def _of_settings(folder: Path) -> Iterator[str]:
    path, state = folder / "config.toml", folder / "state"
    files = SettingsFiles(path, state / "settings.toml")
    for text in WRONG:
        yield settings_form.wrong_with(text)
        path.write_text(text)
        yield usable(files, state)[1]
    path.write_bytes(b"\xff")
    yield usable(files, state)[1]
    for key, typed in FIELDS.items():
        try:
            settings_form.changed("", {key: typed})
        except settings_form.BadField as wrong:
            yield str(wrong)
    try:
        settings_form.changed("no toml", {"service.port": "80"})
    except BadProfileFile as wrong:
        yield f"{wrong}: change the file below."
    yield from (one.meaning for one in settings_form.form())
    path.unlink()
    yield usable(SettingsFiles(path, OutOfSight(files.by_page)), state)[1]
    yield NOT_WRITABLE.format(path=files.by_page, why=os.strerror(errno.EROFS))
    yield from _of_own_things()


def _of_own_things() -> Iterator[str]:
    """Lenses and pieces that somebody chose, and that are gone or broken now."""
    for kind, chosen in (("calibration", chosen_lens), ("sets", own_set)):
        place = state_folder() / kind
        place.mkdir(parents=True, exist_ok=True)
        for name, text in (("gone-of-old", ""), ("attic", "no toml"), ("den", "title = 3")):
            if text:
                (place / f"{name}.toml").write_text(text)
            try:
                chosen(name)
            except BadProfileFile as wrong:
                yield str(wrong)


def _of_the_box(folder: Path) -> Iterator[str]:
    yield from late(Beats(9.4, 7.2, 0.0, 3.0))
    yield from strained(84.6, 120)
    (folder / "dev/gpiochip0").touch()
    yield from Machinery(folder, lambda _c: "throttled=0x1", lambda: 0.0, may_open=lambda _p: False).remarks()
    parts = Fittings(Pins(undo=4), "", lambda *_: None)
    yield from parts.problems
    parts.close()
    yield "aplay is missing: sudo apt install alsa-utils."  # it may be there
    for one in (errno.EACCES, errno.EIO):
        yield refusal_of_keys("USB Keypad", folder, OSError(one, os.strerror(one)))
    yield from (words for words in _of_pairing() if words)
    yield from (power.refusal(lambda _command, said=said: said) for said in ("", 's "challenge"'))  # type: ignore[misc]
    yield power.refusal(_unanswered)
    yield missing_camera("webcam:046d:082d:8F3A-1")
    yield Restored(12, folder / "before-restore-1", folder / "settings.toml").words
    yield Restored(12, None).words
    yield Restored(12, None, by_hand=folder / "config.toml").words
    yield Restored(12, None, folder / "settings.toml", by_hand=folder / "config.toml").words
    yield Restored(12, None, folder / "settings.toml", folder / "settings-restore-1.toml").words
    (folder / "unfinished").mkdir()
    (folder / "unfinished" / NOTE).write_text("{")
    yield make_order(folder / "unfinished")
    yield f"The backup cannot be made: {os.strerror(errno.ENOSPC)}."
    yield from _of_sticks(folder)
    stuck = ContactReport("undo", 1, 1, 0.0, 12.0, down_since_start=True)
    yield from (stuck.wrong, ContactReport("undo", 3, 9, 30.0, 0.1, down_since_start=False).wrong)
    for wrong in (OSError(errno.EADDRINUSE, ""), ImportError("No module named 'flask'")):
        yield Front(lambda: None, 8000)._sentence(wrong)  # type: ignore[arg-type,return-value]
    with suppress(Exception), Journal(folder / "fresh.match"):
        pass
    before = [
        TriedPiece("coin suns", 0.2, 0.2),
        TriedPiece("domino 3-4?", 0.8, 0.8),
        TriedPiece("pawn", 0.5, 0.1),
    ]
    after = [
        TriedPiece("coin suns", 0.4, 0.2),
        TriedPiece("die moons ace", 0.1, 0.9),
        TriedPiece("soldier sniper", 0.7, 0.1),
    ]
    yield from changes(before, after)
    yield from (one.what for one in (*before, *after))


def _of_sticks(folder: Path) -> Iterator[str]:
    """What came of a backup onto a stick, whoever asked for it."""
    packed = Packed(folder / "pipwatch-2026-11-25.zip", 9, 3, 10**6)
    copies = StickBackup(lambda: f"Backup: {packed.words} Now the stick may be taken out.")
    yield copies.pressed()
    yield "Backup: pipwatch-2026-11-25.zip is on the stick, checked. Now it may be taken out."
    copies._turn.acquire()
    yield copies.begin()
    yield from (stick_copier.NONE, stick_copier.CUT, "what was handed over is no backup")
    yield "The stick was not written: its copier gave no answer."
    yield f"The stick was not written: {os.strerror(errno.EACCES)}."
    for why in (os.strerror(errno.ENOSPC), "it was not written as it is; try another one", "mount: odd"):
        yield f"The stick (/dev/sda1) cannot be written: {why}."
    try:
        stick_copier._run(["false"])
    except OSError as wrong:
        yield str(wrong)


def _unanswered(_command: Any) -> str:
    raise OSError("no reason was given")


def shelved(matches: Path) -> list[str]:
    """What the lobby says of files that are no matches; ``matches`` is where they are kept."""
    for name, data in (("odd", b"nothing"), ("empty", b"")):
        (matches / f"{name}.match").write_bytes(data)
    shelf = Shelf()
    shelf.look()
    return list(shelf.problems)


def _of_pairing() -> Iterator[str]:
    pairing, owner = Pairing(say=lambda _words: None), Owner()
    wrong = "000000" if pairing.code != "000000" else "000001"
    yield pairing.join("10.0.0.1", "12")[0].words
    yield from (pairing.join("10.0.0.1", wrong)[0].words for _ in range(7))
    yield owner.set_password("short")
    yield owner.set_pin("12")
    yield owner.set_password("long enough")
    yield from (owner.enter("10.0.0.2", "wrong")[0] for _ in range(7))


def _of_pictures(folder: Path) -> Iterator[str]:
    for data in PICTURES:
        try:
            decoded(data)
        except BadPicture as wrong:
            yield f"This file {wrong}."
    for path in (folder / "none.jpg", folder):
        try:
            load_picture(path)
        except BadPicture as wrong:
            yield str(wrong)
    sizes = (OtherSize("dominoes", share, 45.0, 6) for share in (0.7, 1.4))
    yield from (words for one in sizes for words in (one.remark, one.remedy, one.sentence))
    line = SimpleNamespace(coat=0, ticks=(None, 2), owner=2, used=True, doubt=True)
    book: Any = SimpleNamespace(lines=(line,))
    yield from power_words(book)


def _of_mounts() -> Iterator[str]:
    for game in GAMES:
        plan = plan_of(game)
        for name in ("pi-camera-3", "webcam-78", "pi-camera-hq-16mm"):
            profile = camera_profile(name)
            found = guide(plan, profile)
            yield from (*found.remarks, *found.best.remarks, found.lowest_why, found.highest_why)
            shapes = mount_shapes(plan, found, found.best, 32.0)
            yield from (one.words for one in shapes if isinstance(one, DrawnWords))
            yield profile.title


def _of_markers() -> Iterator[Exception]:
    yield calibrating.NoMarkers()
    yield from (calibrating.TooFewMarkers(seen) for seen in ((1,), (1, 2)))
    yield calibrating.SameMarkerTwice(2)
    yield calibrating.MirroredPicture()
    yield calibrating.MarkersOutOfOrder((0, 2, 1, 3))
    yield calibrating.ResolutionChanged((640, 480), (1280, 960))
    yield from (calibrating.UnclearTable(odd) for odd in ((2,), (1, 2)))


REASONS: Final = tuple(
    os.strerror(one)
    for one in (errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EIO, errno.ENOENT, errno.EADDRINUSE)
)
"""What systems say most often when something cannot be read or written."""
