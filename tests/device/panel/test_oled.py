"""The small display: what it shows, and that nothing it does holds up a match."""

import queue
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from luma.core.device import dummy
from luma.oled import device as real

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.live import oled as module
from device.live.desk import Desk
from device.live.oled import OledDisplay, opened
from device.live.thread_channels import Latest
from device.match.match_view import View
from device.panel.oled_face import COLUMNS, HIGH, LETTER_W, WIDE, Entrance, FaceLine, face, picture
from device.panel.oled_settings import OledSettings
from device.service.address import Invitation, Wifi
from device.service.outside import Outside, entrance_of
from device.service.pairing import Pairing
from device.settings import Settings

DOOR = Entrance("pipwatch.local:8000", "482913")
SETTINGS = OledSettings(chip="ssd1306")


def view(
    headline: str = "Ann to move", one: str = "Ann", other: str = "Bo", totals: tuple[int, int] = (35, 20)
) -> View:
    """A match as its screens get it."""
    return {"players": [one, other], "scores": {"totals": [*totals]}, "headline": headline}


def words(lines: tuple[FaceLine, ...]) -> list[str]:
    """All that stands there."""
    return [text for line in lines for text in (line.words, line.right) if text]


def test_score_turn_and_address_are_shown() -> None:
    """The code is nobody's business who only plays; an open door is told in place of the address."""
    assert words(face(view(), DOOR)) == ["Ann", "Bo", "35 : 20", "Ann to move", "pipwatch.local:8000"]
    opened_door = Entrance(DOOR.address, DOOR.code, is_open=True)
    assert words(face(view(), opened_door))[-1] == "next phone may join"
    assert words(face({"headline": "Set the table up"}, DOOR)) == ["Set the table up", "pipwatch.local:8000"]


def test_between_matches_the_code_is_shown_large() -> None:
    """With the address; without a network there is neither."""
    lines = face(None, DOOR)
    assert words(lines) == ["pipwatch.local:8000", "code", "482 913"]
    assert lines[-1].large
    assert words(face(None, Entrance())) == ["Pipwatch"]
    assert "The next phone" in words(face(None, Entrance(DOOR.address, DOOR.code, is_open=True)))


@pytest.mark.parametrize(
    "shown",
    [
        face(view("Seen; it waits to be confirmed by somebody else", "Bartholomew van Dyck", "Łukasz"), DOOR),
        face(view(totals=(1035, 1120)), Entrance("192.168.178.123:65000")),
        face(view("Donaudampfschifffahrtsgesellschaft"), DOOR),
        face(None, DOOR),
    ],
)  # fmt: skip
def test_whatever_is_told_fits(shown: tuple[FaceLine, ...]) -> None:
    """No line is too long and none hangs out below; the names leave room for one another."""
    for line in shown:
        assert (len(line.words) * (2 if line.large else 1)) + len(line.right) <= COLUMNS
    assert sum(22 if line.large else 13 for line in shown) <= HIGH + 2


def test_the_picture_has_its_dots_where_the_words_are() -> None:
    """Left, right, and large in the middle."""
    made = picture((FaceLine("I", "I"), FaceLine("8", large=True)))
    assert made.size == (WIDE, HIGH)
    upper = made.crop((0, 0, WIDE, 11))
    assert upper.crop((0, 0, LETTER_W, 11)).getbbox() is not None
    assert upper.crop((WIDE - LETTER_W, 0, WIDE, 11)).getbbox() is not None
    assert upper.crop((LETTER_W, 0, WIDE - LETTER_W, 11)).getbbox() is None
    left, _, right, _ = made.crop((0, 13, WIDE, HIGH)).getbbox() or (0, 0, 0, 0)
    assert abs((left + right) / 2 - WIDE / 2) <= 3


def desk_of(views: Latest[View], tmp_path: Path) -> Desk:
    """A desk at which nobody says anything."""
    return Desk(lambda _: None, views, Latest(), tmp_path / "x.match")


def wait_for(come: Callable[[], bool]) -> None:
    """Until it has come; the test's own time limit is the only other end."""
    while not come():
        time.sleep(0.005)


def test_a_display_follows_the_match_and_shows_the_box_between(tmp_path: Path) -> None:
    """On luma's own stand-in for a device."""
    screen = dummy(width=WIDE, height=HIGH, mode="1")
    door = [DOOR]
    display = OledDisplay(SETTINGS, lambda: door[0], stays=True, made=lambda _: screen)

    def shows(lines: tuple[FaceLine, ...]) -> Callable[[], bool]:
        wanted = picture(lines).tobytes()
        return lambda: screen.image is not None and screen.image.tobytes() == wanted

    wait_for(shows(face(None, DOOR)))
    views: Latest[View] = Latest()
    display.start(desk_of(views, tmp_path))
    for totals in ((35, 20), (35, 25)):
        views.put(view(totals=totals))
        wait_for(shows(face(view(totals=totals), DOOR)))
    door[0] = Entrance(DOOR.address, DOOR.code, is_open=True)
    wait_for(shows(face(view(totals=(35, 25)), door[0])))
    views.close()
    display.close(1)
    wait_for(shows(face(None, door[0])))
    display.end(20)
    assert display.trouble == ""


def test_a_display_that_fails_is_told_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever starts and ends matches never waits for it, even while it hangs."""
    monkeypatch.setattr(module, "AGAIN_S", 0.02)
    tries: queue.SimpleQueue[int] = queue.SimpleQueue()
    calls = iter(range(1000))

    def made(_: OledSettings) -> Any:
        number = next(calls)
        tries.put(number)
        if number < 3:
            raise OSError("there is none at address 0x3c of I²C bus 1")
        time.sleep(60)

    display = OledDisplay(SETTINGS, made=made)
    while tries.get(timeout=20) < 3:
        pass
    began = time.monotonic()
    display.start(desk_of(Latest(), tmp_path))
    assert "there is none at address 0x3c" in display.trouble
    display.close(0.1)
    assert time.monotonic() - began < 5
    assert capsys.readouterr().err.count("The display shows nothing") == 1


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's own, of a new Pillow
def test_the_real_device_is_asked_as_luma_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bus here: one sentence with what to check. With one, its chip gets address and turn."""
    with pytest.raises(OSError, match="check its wires"):
        opened(OledSettings(chip="sh1106", port=97))
    sent: list[bytes] = []

    class Bus:
        def command(self, *_: int) -> None:
            """Commands are taken."""

        def data(self, data: Any) -> None:
            """So are the dots."""
            sent.append(bytes(data))

        def cleanup(self) -> None:
            """Nothing is held."""

    monkeypatch.setattr("luma.core.interface.serial.i2c", lambda port, address: Bus())  # noqa: ARG005
    for chip in ("ssd1306", "sh1106"):
        device = opened(OledSettings(chip=chip, upside_down=True))  # type: ignore[arg-type]
        assert isinstance(device, getattr(real, chip))
        sent.clear()
        device.display(picture(face(None, DOOR)))
        assert any(any(part) for part in sent)


def test_without_the_library_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install."""
    monkeypatch.setitem(__import__("sys").modules, "luma.oled", None)
    with pytest.raises(OSError, match=r"sudo apt install python3-luma\.oled"):
        opened(SETTINGS)


def test_a_box_alone_shows_its_own_wifi() -> None:
    """Nobody could read its page or its log to find out; all five lines fit, before the code and after."""
    alone = replace(DOOR, wifi=("Pipwatch-1a2b", "abcd2345efgh"))
    shown = [line.words for line in face(None, alone)]
    assert shown == ["Join this Wi-Fi:", "Pipwatch-1a2b", "abcd2345efgh", DOOR.address, "code"]
    assert face(None, alone)[-1].right == DOOR.code
    assert face(None, replace(alone, is_open=True))[-1].words == "next phone may join"
    assert picture(face(None, alone)).size == (WIDE, HIGH)


def test_the_box_tells_its_display_how_one_gets_in() -> None:
    """The shortest way to the page, the code, and whether the door is open; trouble is a remark."""
    pairing = Pairing(code="482913", say=lambda _: None)
    assert entrance_of(pairing) == Entrance("", "482913")
    pairing.invitation = Invitation(8000, "pipwatch.local", ("192.168.1.20",))
    assert entrance_of(pairing) == DOOR
    pairing.open()
    assert entrance_of(pairing).is_open
    own = Wifi("Pipwatch-1", "abcd2345efgh")
    pairing.invitation = Invitation(8000, "pipwatch.local", ("10.42.0.1",), own)
    assert entrance_of(pairing).wifi == ("Pipwatch-1", "abcd2345efgh")
    display = OledDisplay(SETTINGS, made=lambda _: dummy(width=WIDE, height=HIGH, mode="1"))
    outside = Outside(pairing, 8000, display=display)
    assert outside.seats == (display,)
    display.trouble = "The display shows nothing: it is away."
    assert list(outside.remarks) == [display.trouble]
    outside.close(20)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[oled]\nchip = "ssd1306"\n[pins]\nundo = 3\n', "pin 3 is the display's and cannot be undo"),
        ('[oled]\nchip = "ssd1307"\n', "should be one of"),
        ("[oled]\naddress = 0x80\n", "mostly 0x3C"),
        ("[oled]\nport = -1\n", "mostly 1"),
    ],
)
def test_displays_that_cannot_be_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    """As every other setting is."""
    with pytest.raises(BadProfileFile, match=sentence):
        toml.parse(text, Settings, "config.toml")
