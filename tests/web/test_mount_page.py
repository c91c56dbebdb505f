"""The page that says how the camera is hung."""

import re
from itertools import product
from pathlib import Path

import pytest

from calibration.mounting import guide
from calibration.plan import plan_of
from calibration.profiles import camera_names, camera_profile
from engine import GAMES
from tests.web.test_access import Net

CAMERAS = [name for name in camera_names() if name != "unknown"]


@pytest.mark.parametrize(
    ("game", "camera"), [*product(GAMES, ["pi-camera-3", "webcam-78"]), ("draw-game", "pi-camera-hq-16mm")]
)
def test_height_drawing_and_pixels_are_those_of_the_guide(tmp_path: Path, game: str, camera: str) -> None:
    """What the page says is computed, for each game and camera that is chosen."""
    answer = Net(tmp_path).ask(f"/mount?game={game}&camera={camera}")
    assert answer.status_code == 200
    text, found = answer.get_data(as_text=True), guide(plan_of(game), camera_profile(camera))
    assert (f">{found.best.height_mm:.0f} mm</p>" in text) is found.fits
    assert ("It does not fit" in text) is not found.fits
    assert text.count("<svg") == 1
    for one in found.best.pixels:
        assert f"<td data-told>{one.full_px:.1f}</td><td data-told>{one.least_px:.1f}</td>" in text
    assert f'value="{game}" selected' in text
    assert f'value="{camera}" selected' in text
    form = text[text.index('<form action="/mount"') : text.index("</form>")]
    assert set(re.findall(r'<option value="([^"]*)"', form)) == {*GAMES, *CAMERAS}
    assert "style=" not in text  # the page's own rules forbid it


@pytest.mark.parametrize(
    "asked", ["", "?game=chess", "?camera=../../etc/passwd", "?game=<script>&camera=<b>"]
)
def test_what_is_not_known_is_the_usual(tmp_path: Path, asked: str) -> None:
    """Whatever stands in the address, a page comes, and nothing of that is in it."""
    answer = Net(tmp_path).ask(f"/mount{asked}")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert 'value="pi-camera-3" selected' in text
    assert "<script>" not in text
    assert "<b>" not in text
    assert "passwd" not in text


def test_the_lobby_leads_there(tmp_path: Path) -> None:
    """Whoever sets a box up finds it."""
    net = Net(tmp_path)
    page = net.lobby.test_client().get("/", headers={"Host": "localhost:8000"})
    assert 'href="/mount"' in page.get_data(as_text=True)
