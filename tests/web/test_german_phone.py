"""A German phone: what the box says of machine, camera, sheets and errors is German where it stands."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.health.finding import fails, ok
from device.match.match_view import view
from device.match.signals import Kind, Told
from device.match.transitions import step
from device.service.aiming import Aimed
from device.service.front import Front
from device.service.pairing import Pairing
from device.sheet_reading import PhotoMap, ReadPhoto
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet
from tests.web.box_speeches import away
from tests.web.browser import MISSING, Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import ruled
from tests.web.lobbies import ShownLobby
from vision.sheet_decoder import as_told

ROWS = (". . . . . . .", ". . d0 d0 . . .", ". . . C s9 . .", ". . . . . . .", "b0 . . . . . q0")
"""Nine crosses are on no die, and two squares stand alone."""

NEARER = "The squares are only 30 pixels wide: take the photo from nearer, so that the map fills it."


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A phone that asks for German, and gets no other language."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path_factory.mktemp("phone"), "--lang=de", "--accept-lang=de") as made:
        made.viewport(390, 844, mobile=True)
        yield made


def fits(phone: Browser) -> bool:
    """Whether nothing is cut, however long the words are."""
    return bool(phone.run("return document.documentElement.scrollWidth <= innerWidth"))


CABLE = "check the cable, and that no other program uses it: rpicam-hello --list-cameras"
CARD = "delete old matches or take a larger card"


def test_the_doctor_speaks_german(phone: Browser) -> None:
    """What is wrong and what to do, each with the name of the check; the camera's aim; a refusal."""
    why = away("Webcam 2", "it hangs").partition(". It is tried")[0]
    found = [
        ok("board", "Raspberry Pi 4 Model B, 64 bits"),
        fails("camera", why, CABLE),
        fails("disk", "only 120 MB are free at /var/lib/pipwatch", CARD),
    ]
    jpeg = cv2.imencode(".jpg", np.zeros((60, 80, 3), np.uint8))[1].tobytes()
    aimed = Aimed(jpeg, "markers 1, 3 cannot be seen", False, 0.5)
    with ShownLobby().but(doctor=lambda: [one.to_json() for one in found], aim=lambda: aimed) as lobby:
        phone.open(f"{lobby.address}first#machine")
        phone.until(lambda: phone.run("return document.querySelector('#machine').open"))
        phone.click("#check")
        phone.until(lambda: phone.text("#findings li"))
        told = " ".join(phone.text("#findings").split())
        assert "Gerät: Raspberry Pi 4 Model B, 64 Bit" in told
        assert "Kamera: Webcam 2 liefert kein Bild: sie hängt → prüfe das Kabel" in told
        assert "Speicher: nur 120 MB sind frei unter /var/lib/pipwatch → lösche alte Partien" in told
        assert fits(phone)
        phone.run("document.querySelector('#aiming').open = true")
        phone.until(lambda: "die Marker 1, 3 sind nicht zu sehen" in phone.text("#aimed"))
        phone.run("document.querySelector('#learn').open = true")
        phone.click("#see")
        phone.until(lambda: "Es gibt kein Bild" in phone.text("#learned"))


def test_a_match_tells_of_its_camera_in_german(phone: Browser, tmp_path: Path) -> None:
    """A camera that is away, why, and what is tried; a picture that is black."""
    lost = step(ruled(), Told(Kind.LOST, away("The camera", "it hangs")), 0.0)[0]
    with ShownDesk(tmp_path, lost) as shown:
        phone.open(shown.address)
        phone.until(lambda: phone.text("#words"))
        assert phone.text("#words").startswith(
            "Die Kamera liefert kein Bild: sie hängt. Es wird immer wieder"
        )
        assert fits(phone)
        black = "The picture is black: the lens is covered, or there is no light."
        shown.desk.views.put({**view(lost), "words": black})
        phone.until(
            lambda: phone.text("#words").startswith("Das Bild ist schwarz: Das Objektiv ist verdeckt")
        )


def test_doubts_and_broken_rules_of_sheets_are_told_in_german(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the reader doubts, how to photograph better, which rules a map breaks; a file that is none."""
    kingdom, doubts = Kingdom.from_rows(ROWS), ("r2c3", "r2c4", "r5c1")
    grid = np.stack(np.meshgrid(np.arange(8) * 30 + 20, np.arange(6) * 30 + 20), axis=-1).astype(float)
    lying = PhotoMap(as_told(kingdom, False, doubts), grid, Sheet(kingdom), advice=NEARER)
    monkeypatch.setattr("web.sheet_pages.read_photo", lambda image, *_others: ReadPhoto(image, (lying,)))
    good, bad = tmp_path / "map.png", tmp_path / "film.jpg"
    cv2.imwrite(str(good), np.full((220, 300, 3), 200, np.uint8))
    bad.write_bytes(b"GIF89a and so on")
    with ShownLobby() as lobby:
        phone.open(f"{lobby.address}sheets")
        phone.until(lambda: phone.run("return document.body.dataset.may") == "act")
        phone.type("#file", str(bad))
        phone.until(lambda: "ist ein Bild der Art GIF, die nicht gelesen wird" in phone.text("#told"))
        phone.type("#file", str(good))
        phone.until(lambda: phone.text(".look"))
        told = phone.text(".look")
        assert "Fotografiere von näher, sodass die Karte das Bild füllt." in told
        lines = [one for one in told.splitlines() if one]
        assert len(lines) > 2
        assert [one for one in lines if " the " in one or one.startswith(("No ", "The "))] == []
        assert fits(phone)


def test_errors_of_the_box_s_pages_are_german(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is not there, a password that is too short, remarks and refusals of the lobby."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    port = Front(lambda: None, 80)._sentence(PermissionError(13, ""))  # type: ignore[arg-type,return-value]
    with ShownLobby(words="A match is going on: leave it first.", remarks=[port]) as lobby:
        phone.open(lobby.address)
        phone.until(lambda: phone.text("#remarks li"))
        assert "Die Seite kann an Port 80 nicht lauschen (Keine Berechtigung)" in phone.text("#remarks li")
        assert phone.text("#notice") == "Eine Partie läuft: Verlasst sie zuerst."
        phone.open(f"{lobby.address}nowhere")
        assert "Diese Seite gibt es nicht." in phone.text("main")
        phone.open(f"{lobby.address}owner")
        phone.run("document.querySelector('#set [name=password]').removeAttribute('minlength')")
        phone.type("#set [name=password]", "short\n")
        phone.until(lambda: phone.text("#notice") == "Ein Passwort hat mindestens 8 Zeichen.")
        phone.open(f"{lobby.address}mount?game=draw-game&camera=webcam-78")
        phone.until(lambda: "vom Tisch zum Objektiv" in phone.text("main"))
        assert "Zweiter Spieler" in phone.run("return document.querySelector('main svg').textContent")
        assert fits(phone)


NAMELESS = {
    "name": "a", "players": ["player 1", "player 2"], "title": "Dominoids", "game": "dominoids",
    "scores": [3, 4], "over": False, "winner": None, "at": 1793707200.0,
}  # fmt: skip
"""A match of the third of November 2026, at noon in London."""


def test_people_without_names_and_days_are_told_in_the_language_of_the_page(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the lobby and on the owner's page, in what is read aloud and in what is asked."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    pairing = Pairing(tmp_path / "phones.json", say=lambda _: None)
    told = {"de": ("Spieler 1 – Spieler 2", "3. Nov."), "en": ("Player 1 – Player 2", "Nov 3")}
    with ShownLobby(pairing, matches=[NAMELESS]) as lobby:
        phone.open(f"{lobby.address}owner")
        phone.until(lambda: phone.run("return document.querySelector('#set').onsubmit !== null"))
        phone.type("#set [name=password]", "correct horse\n")
        phone.until(lambda: phone.text("#matches li"))
        for language, (people, day) in told.items():
            phone.run("document.cookie = `language=${arguments[0]}; path=/`", language)
            phone.open(f"{lobby.address}owner")
            phone.until(lambda: phone.text("#matches li"))
            assert phone.text("#matches b") == people
            button = phone.run("return document.querySelector('#matches button').ariaLabel")
            phone.click("#matches button")
            assert people in button
            assert people in phone.text("#sure-what")
            phone.open(lobby.address)
            phone.until(lambda: phone.text("#kept .who"))
            assert phone.text("#kept .who") == people
            assert phone.text("#kept .game").replace("\u00a0", " ").endswith(day)
    phone.devtools("Network.clearBrowserCookies")
