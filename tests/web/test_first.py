"""The first evening in a browser: own pieces are learned, a test move is made, and steps are left out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.aruco import picture as marker
from device.folders import sets_folder
from device.lenses import MISSING, chosen_lens
from device.own_pieces import OwnPieces, own_set
from device.service.aiming import Aimed, aimed
from device.service.trying import Trying
from tests.device.test_learn_command import NAMES, PLACES, write
from tests.web.browser import Browser
from tests.web.lobbies import ShownLobby
from vision.photos import picture_reading as reading
from vision.pieces.patches import Picture, rectangle
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

WAIT_S = 60
CORNERS = ((40, 40), (540, 40), (540, 380), (40, 380))
"""Where the markers of a mat lie in a picture of 640×480."""
_AIMED = """const img = document.querySelector("#aim"), canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [img.naturalWidth || 1, img.naturalHeight || 1];
const on = canvas.getContext("2d", { willReadFrequently: true });
on.drawImage(img, 0, 0);
const framed = ([x, y]) => {
  const { data } = on.getImageData(x - 10, y - 10, 80, 80);
  let green = 0;
  for (let k = 0; k < data.length; k += 4) green += data[k + 1] > 150 && data[k] < 120 && data[k + 2] < 140;
  return green > 200;
};
return [arguments[0].map(framed), document.querySelector("#sharp").value,
  document.querySelector("#aimed").innerText];"""


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photo of four coins, found where they lie; and a home for what is learned."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))

    def found(picture: Picture, _set: str | None = None) -> Readout:
        value = {"suit": "moons", "value": None}
        places = PLACES if picture.shape[0] == 320 else ()
        coins = [
            Read("coin", "down", ((value, 0.6),), 0.999, rectangle(x, y, 80, 80, 0), 0.0) for x, y in places
        ]
        return Readout((picture.shape[1], picture.shape[0]), tuple(coins), {})

    monkeypatch.setattr(reading, "read_picture", found)
    path = tmp_path / "coins.png"
    write(path, 0)
    return path


def name(browser: Browser, names: tuple[str, ...]) -> None:
    """Say what each of the pieces is."""
    for number, one in enumerate(names):
        field = f"document.querySelector('[name=\"piece {number}\"]')"
        browser.run(f"{field}.value = arguments[0]", one)


def until(browser: Browser, what: Callable[[], Any]) -> None:
    """Wait, also on a machine that has much to do."""
    browser.until(what, WAIT_S)


@pytest.mark.parametrize("way", ["photo", "camera"])
def test_own_pieces_are_learned_and_can_be_chosen(
    photo: Path, browser: Browser, tmp_path: Path, way: str
) -> None:
    """By a photo or the camera: each piece cut out, its name beside it; wrong ones are told in a sentence."""
    picture = cv2.imread(str(photo))
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((90, 90, 3), 80, np.uint8))
    with ShownLobby().but(picture=lambda: picture if way == "camera" else None) as lobby:
        browser.viewport(390, 844, mobile=True)
        browser.open(f"{lobby.address}first#learn")
        until(browser, lambda: browser.run("return document.querySelector('#learn').open"))
        assert "What for: coins, pawns and soldiers" in browser.text("#learn .why")
        if way == "photo":
            browser.click("#see")
            until(browser, lambda: "There is no picture" in browser.text("#learned"))
            browser.type("#pieces-photo", str(empty))
            until(browser, lambda: "No coin was found" in browser.text("#learned"))
            browser.type("#pieces-photo", str(photo))
        else:
            browser.click("#see")
        until(browser, lambda: browser.text("#learned").startswith("4 found"))
        loaded = (
            "return [...document.querySelectorAll('#found img')].every((one) => one.naturalWidth === 160)"
        )
        until(browser, lambda: browser.run(loaded))
        browser.type("#set-title", "Red box")
        browser.click("#naming button")
        until(browser, lambda: "Name one of them, at least." in browser.text("#learned"))
        name(browser, NAMES[:3])
        browser.click("#naming button")
        until(browser, lambda: browser.text("#learned").startswith("3 learned. “Red box” can be chosen"))
        wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        assert [one for one in browser.complaints() if "409" not in one and "422" not in one] == []
    assert [one.name for one in own_set("red-box").looks] == list(NAMES[:3])
    (kept,) = OwnPieces().look()
    assert (kept.title, dict(kept.kinds)) == ("Red box", {"coin": 3})


def test_a_step_is_done_or_left_out_and_the_page_remembers_it(browser: Browser) -> None:
    """By keys alone: each step says what it is for; what was left out says so after loading anew."""
    with ShownLobby() as lobby:
        browser.open(f"{lobby.address}first")
        told = "return [...document.querySelectorAll('.step .why')].map((one) => one.textContent)"
        assert all(one.startswith("What for: ") for one in browser.run(told))
        assert len(browser.run(told)) == 7
        browser.run("document.querySelector('#machine .skip').focus()")
        browser.keys("\ue007")
        assert browser.run("return document.activeElement.closest('.step').id") == "paper"
        opened = "return [...document.querySelectorAll('.step[open]')].map((one) => one.id)"
        assert browser.run(opened) == ["paper"]
        browser.run("document.querySelector('#paper .done').focus()")
        browser.keys("\ue007")
        browser.open(f"{lobby.address}first")
        assert browser.text("#machine .state") == "– left out"
        assert browser.text("#paper .state") == "✓ done"
        assert browser.run("return document.querySelector('#aiming').open")


def under_camera(markers: tuple[int, ...], soft_px: float = 0.0) -> Picture:
    """A mat with some of its markers, each in its own corner, sharp or as a camera out of focus sees it."""
    tiles = np.random.default_rng(6).integers(120, 240, (30, 40), np.uint8)
    picture = np.kron(tiles, np.ones((16, 16), np.uint8))
    for number, (x, y) in zip(range(4), CORNERS, strict=True):
        picture[y - 15 : y + 75, x - 15 : x + 75] = 255
        if number in markers:
            picture[y : y + 60, x : x + 60] = marker(number, 10)
    if soft_px:
        picture = cv2.GaussianBlur(picture, (0, 0), soft_px).astype(np.uint8)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)


def test_aiming_shows_markers_and_sharpness_as_they_are_now(browser: Browser) -> None:
    """A soft look without one of the markers, then a sharp one with all: picture, bar and words follow."""
    shown: list[Aimed | None] = [aimed(under_camera((0, 1, 2), soft_px=3.0))]
    with ShownLobby().but(aim=lambda: shown[0]) as lobby:
        browser.open(f"{lobby.address}first#aiming")

        def told() -> tuple[str, float, list[bool]]:
            corners, sharp, words = browser.run(_AIMED, CORNERS)
            return words, sharp, corners

        until(browser, lambda: told()[2] == [True, True, True, False])
        words, soft, _ = told()
        assert words == "✗ marker 3 cannot be seen"
        assert 0 < soft < 0.4, "the bar is red below that"
        shown[0] = aimed(under_camera((0, 1, 2, 3)))
        until(browser, lambda: told()[2] == [True] * 4)
        words, sharp, _ = told()
        assert words.startswith("✓ all four are seen")
        assert sharp > 0.7
        shown[0] = None
        until(browser, lambda: told()[0].startswith("There is no picture: no camera is connected"))
        assert [one for one in browser.complaints() if "404" not in one] == []


def test_a_test_move_says_what_has_changed(photo: Path, browser: Browser) -> None:
    """Before any game: the picture with what was read, and after a move what moved."""
    shown: list[Any] = [
        None,
        cv2.imread(str(photo)),
        cv2.imread(str(photo)),
        np.full((90, 90, 3), 80, np.uint8),
    ]
    trying = Trying(lambda: shown.pop(0))
    with ShownLobby().but(tried=lambda anew: trying.look(anew=anew)) as lobby:
        browser.open(f"{lobby.address}first#trial")
        until(browser, lambda: browser.run("return document.querySelector('#trial').open"))
        for words in (
            "There is no picture: no camera is connected", "4 pieces are seen. Move one of them",
            "Nothing has changed", "coin moons? is gone.",
        ):  # fmt: skip
            browser.click("#try")
            until(browser, lambda words=words: words in browser.text("#tried"))
        assert browser.text("#lies") == ""
        assert browser.run("return document.querySelector('#seen').naturalWidth") == 90


def test_a_test_move_by_a_lens_of_no_use_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence that a match would show, in the one shape of refusals."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    with ShownLobby().but(tried=lambda _anew: chosen_lens("attic")) as lobby:
        answer = lobby.client().post("/api/first/look", json={})
        assert answer.status_code == 422
        assert answer.get_json() == {"error": MISSING.format(name="attic"), "status": 422}


def test_what_is_no_answer_of_the_page_is_refused(photo: Path) -> None:
    """Kinds, names, titles, files that are no photo, pieces that are gone: a sentence, nothing written."""
    with ShownLobby() as lobby:
        asked = lobby.client()

        def told(path: str, status: int, body: Any = None, **more: Any) -> str:
            answer = asked.post(f"/api/first/pieces{path}", json=body, **more)
            assert answer.status_code == status, answer.get_json()
            return str(answer.get_json().get("error", ""))

        assert "no kind 'king'" in told("?kind=king", 400, {})
        sent = {"data": b"GIF89a", "content_type": "application/octet-stream"}
        assert "GIF" in asked.post("/api/first/pieces?kind=coin", **sent).get_json()["error"]
        sent["data"] = photo.read_bytes()
        found = asked.post("/api/first/pieces?kind=coin", **sent).get_json()
        assert (found["count"], found["names"][:2]) == (4, ["suns", "moons"])
        at = f"/{found['photo']}"
        assert "what this set of pieces is called" in told(
            f"{at}/keep", 422, {"title": " ", "names": [""] * 4}
        )
        assert "needs a name" in told(f"{at}/keep", 422, {"title": "★", "names": ["suns"] * 4})
        assert "These are 4 pieces" in told(f"{at}/keep", 400, {"title": "a", "names": ["suns"]})
        assert "can be called" in told(f"{at}/keep", 400, {"title": "a", "names": ["general"] * 4})
        assert "not kept any more" in told("/x/keep", 404, {"title": "a", "names": []})
        assert asked.get(f"/api/first/pieces{at}/4.jpg").status_code == 404
        assert asked.get(f"/api/first/pieces{at}/3.jpg").mimetype == "image/jpeg"
    assert not sets_folder().exists()


def test_a_camera_that_focuses_is_not_said_to_be_missing() -> None:
    """Wherever a picture of it is wanted; one that is missing, or in a match, is."""
    focuses = "The camera gives no picture: it focuses."
    for blind, words in ((focuses, focuses), ("", "There is no picture: no camera is connected")):
        with ShownLobby().but(blind=lambda blind=blind: blind) as lobby:
            client = lobby.client()
            for answer in (
                client.get("/api/first/aim.jpg"), client.post("/api/first/focus", json={}),
                client.post("/api/first/look", json={}), client.post("/api/first/pieces?kind=coin", json={}),
            ):  # fmt: skip
                assert answer.status_code in (404, 409)
                assert answer.get_json()["error"].startswith(words)
