"""A lens from another machine, given to the box on the owner's page: checked, named, and kept or refused."""

from pathlib import Path
from typing import Any

import pytest

from calibration import toml
from calibration.camera import Lens
from calibration.profiles import CameraProfile
from device import lenses
from device.lenses import MOST_BYTES, chosen_lens, lens_names
from device.service import owner as owner_module
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser
from tests.web.test_access import BOX, PHONE, Net
from web.guard import OWNER_COOKIE

ROUTE = "/api/owner/lens"
PASSWORD = "correct horse"
FOUND = Lens((1280, 720), (1010.0, 1012.0), (640.5, 355.0), (-0.2, 0.03, 0.001, 0.0, 0.0))
DEN = CameraProfile("Den", round(FOUND.horizontal_deg, 2), lens=FOUND, rms_px=0.2)
TEXT = toml.dump(DEN)


class Owned:
    """A box whose owner has entered the password."""

    def __init__(self, folder: Path) -> None:
        self.net = Net(folder)
        self.net.pairing.owner.set_password(PASSWORD)
        self.cookie = f"{OWNER_COOKIE}={self.net.pairing.owner.enter(PHONE, PASSWORD)[2]}"
        self.folder = folder / "calibration"

    def give(self, cookie: str | None = None, **body: Any) -> Any:
        """What is answered."""
        return self.net.ask(ROUTE, body, Cookie=self.cookie if cookie is None else cookie)

    def kept(self) -> dict[str, str]:
        """All that lies in the folder of lenses."""
        return {path.name: path.read_text() for path in self.folder.glob("*")} if self.folder.exists() else {}


@pytest.fixture
def owned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Owned:
    """One whose state lies in a folder of the test."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setitem(owner_module._COST, "n", 2)
    return Owned(tmp_path)


def test_a_lens_that_was_given_can_be_chosen_and_is_looked_through(owned: Owned) -> None:
    """It is kept as it came, offered in the settings, told to the owner; no other one is replaced unasked."""
    assert owned.give(name="den", lens=TEXT).status_code == 204
    assert owned.kept() == {"den.toml": TEXT}
    assert chosen_lens("den") == DEN
    assert lens_names()[0] == "den"
    told = owned.net.ask("/api/owner", Cookie=owned.cookie).get_json()
    assert told["lenses"] == ["den"]
    assert "den" in next(one for one in told["fields"] if one["key"] == "camera.lens")["choices"]
    other = toml.dump(CameraProfile("Other", 70.0))
    refused = owned.give(name="den", lens=other)
    assert refused.status_code == 422
    assert refused.get_json()["error"] == lenses.KEPT.format(name="den")
    assert owned.kept() == {"den.toml": TEXT}
    assert owned.give(name=" den ", lens=other, replace=True).status_code == 204
    assert owned.kept() == {"den.toml": other}


HOSTILE = (
    "../settings", "../../etc/passwd", "/etc/pipwatch/config", "den/../../x", "den.toml", "den\0",
    "den\nx", "Den", "dén", "-den", "", " ", ".", "..",
    "a" * 41, "a" * 4000, "den\\..\\x", "%2e%2e%2fx", "<b>den</b>",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_writes_nothing_anywhere(owned: Owned, tmp_path: Path, name: str) -> None:
    """A name is small letters, digits and dashes, and never a way to another folder."""
    before = {*tmp_path.rglob("*")}
    answer = owned.give(name=name, lens=TEXT, replace=True)
    assert answer.status_code == 422
    assert answer.get_json() == {"error": lenses.NO_NAME, "status": 422}
    assert {*tmp_path.rglob("*")} == before


DAMAGED = {
    "cut": (TEXT[: len(TEXT) // 2 - 3], "is not TOML"),
    "no TOML": ("{}", "is not TOML"),
    "nothing": ("", "the key 'title' is missing"),
    "bytes that are no text": ("\ufffd\ufffdPNG", "it is not UTF-8 text"),
    "nested": ("a = " + "[" * 9_000, "is not TOML"),
    "another file": ("title = 'x'\n[[looks]]\nkind = 'coin'\n", "there is no key 'looks'"),
    "a key less": ("title = 'Den'\n", "the key 'horizontal_deg' is missing"),
    "another type": ("title = 3\nhorizontal_deg = 60\n", "title should be a text, not 3"),
    "no lens": ("title = 'x'\nhorizontal_deg = 60\nlens = 3\n", "lens should be a table, not 3"),
    "half a lens": ("title = 'x'\nhorizontal_deg = 60\n[lens]\nsize_px = [1, 2]\n", "'focal_px' is missing"),
    "too wide": ("title = 'x'\nhorizontal_deg = 400\n", "horizontal_deg should be between 10 and 150"),
    "too large a number": (f"title = 'x'\nhorizontal_deg = 1{'0' * 400}\n", "should be a number, not 1000"),
    "no focal length": (TEXT.replace("1010.0", "0.0"), "lens.focal_px should be larger than 0"),
    "no number": (TEXT.replace("640.5", "nan"), "lens: centre_px[0] should be a number, not nan"),
    "an endless one": (
        "title = 'x'\nhorizontal_deg = 66\nbend = [inf, 0]\n",
        "bend[0] should be a number, not inf",
    ),
    "half of a letter": (TEXT + "# \ud800\n", "it is not UTF-8 text"),
    "no size": (TEXT.replace("[1280, 720]", "[0, 720]"), "lens.size_px should be larger than 0"),
    "a needle's eye": (TEXT.replace("1010.0", "90000.0"), "lens should see between 10 and 150 degrees"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_refused_with_what_is_wrong_with_it(owned: Owned, what: str) -> None:
    """By the loader that reads lenses for a match; nothing is written, and what was kept stays."""
    text, why = DAMAGED[what]
    assert owned.give(name="attic", lens=TEXT).status_code == 204
    for name in ("den", "attic"):
        answer = owned.give(name=name, lens=text, replace=True)
        assert answer.status_code == 422
        told = answer.get_json()
        assert told.keys() == {"error", "status"}
        assert told["error"].startswith("This is no file of a lens: ")
        assert why in told["error"]
        assert told["error"].endswith(".")
        assert "\n" not in told["error"]
    assert owned.kept() == {"attic.toml": TEXT}


@pytest.mark.parametrize("letter", ["#", "\x01", "€"])
def test_a_file_that_is_too_large_is_refused_before_it_is_read(owned: Owned, letter: str) -> None:
    """By its bytes, however its letters are sent; what just fits is taken."""
    size = len(letter.encode())
    for more, status in ((1, 422), (1_000_000, 413)):
        text = TEXT + "#" + letter * ((MOST_BYTES - len(TEXT)) // size + more)
        answer = owned.give(name="den", lens=text)
        assert answer.status_code == status
        assert answer.get_json()["error"] == lenses.TOO_LARGE.format(kilobytes=20)
    assert owned.kept() == {}
    assert owned.give(name="den", lens=TEXT + "#" * (MOST_BYTES - len(TEXT))).status_code == 204


@pytest.mark.parametrize(
    "body", [{}, {"name": "den"}, {"lens": TEXT}, {"name": 3, "lens": TEXT}, {"name": "den", "lens": [TEXT]},
             {"name": "den", "lens": TEXT, "replace": "yes"}],
)  # fmt: skip
def test_what_is_no_lens_with_a_name_is_refused(owned: Owned, body: dict[str, Any]) -> None:
    """In the one shape of refusals."""
    answer = owned.give(**body)
    assert answer.get_json() == {"error": "A lens comes with its name and its file.", "status": 400}
    assert owned.kept() == {}


def test_only_the_owner_gives_lenses(owned: Owned) -> None:
    """Neither a player nor this machine itself; and of forty, one has to be replaced."""
    player = owned.net.ask(ROUTE, {"name": "den", "lens": TEXT}, secret=owned.net.joined())
    here = owned.net.ask(ROUTE, {"name": "den", "lens": TEXT}, peer=BOX)
    assert (player.status_code, here.status_code) == (401, 401)
    assert owned.kept() == {}
    for number in range(40):
        assert owned.give(name=f"den-{number}", lens=TEXT).status_code == 204
    assert owned.give(name="den", lens=TEXT).get_json()["error"] == lenses.TOO_MANY.format(number=40)
    assert owned.give(name="den-7", lens=TEXT, replace=True).status_code == 204
    assert len(owned.kept()) == 40


def test_a_card_that_takes_nothing_is_told(owned: Owned, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept stays whole."""
    assert owned.give(name="den", lens=TEXT).status_code == 204

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lenses, "write_safely", full)
    answer = owned.give(name="den", lens=toml.dump(CameraProfile("Other", 70.0)), replace=True)
    assert answer.status_code == 409
    assert "cannot be written (No space left on device): nothing was changed." in answer.get_json()["error"]
    assert owned.kept() == {"den.toml": TEXT}


def test_an_owner_gives_a_lens_by_its_file(browser: Browser, tmp_path: Path) -> None:
    """A real box: the name is guessed from the file's, a damaged one is told, the whole one can be chosen."""
    file = tmp_path / "My Lens (2).toml"
    file.write_text("title = 'x'\n")
    with RealBox(tmp_path / "box") as box:
        box.until(lambda: box.json("/api/box"))
        browser.size(390, 844)
        browser.open(f"http://localhost:{box.port}/owner")
        browser.type('#set [name="password"]', PASSWORD)
        browser.click("#set button")
        browser.until(lambda: browser.run("return Boolean(document.querySelector('#lens'))"))
        browser.type('#lens [name="file"]', str(file))
        browser.until(lambda: browser.run("return document.querySelector('#lens [name=name]').value"))
        assert browser.run("return document.querySelector('#lens [name=name]').value") == "my-lens-2"
        browser.click("#lens button")
        browser.until(lambda: "the key 'horizontal_deg' is missing." in browser.text("#notice"))
        file.write_text(TEXT)
        browser.type('#lens [name="file"]', str(file))
        browser.click("#lens button")
        browser.until(lambda: browser.text("#notice").startswith("The lens is kept"))
        browser.until(lambda: browser.text("#lenses") == "Kept here: my-lens-2")
        option = "return [...document.getElementById('camera.lens').options].map((one) => one.value)"
        browser.until(lambda: "my-lens-2" in browser.run(option))
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert (tmp_path / "box/state/calibration/my-lens-2.toml").read_text() == TEXT
