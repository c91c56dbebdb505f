"""Heights and drawings of docs/pi.md are those that the guide computes; run as a module it writes them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.marker_side import MARKER_MM
from calibration.mount_drawing import mount_svg
from calibration.mounting import MountGuide
from calibration.plan import plan_of
from calibration.profiles import camera_names, camera_profile
from engine import GAMES
from tests.calibration.guides import guided

DOCS = Path(__file__).parents[2] / "docs"
CAMERAS = [name for name in camera_names() if name != "unknown"]
DRAWN = "draw-game"
"""One of the two larger mats: where a camera hangs well over it, it has a drawing."""
_TABLE = re.compile(r"(?<=<!-- heights -->\n).*?(?=<!-- end of heights -->)", re.DOTALL)


def cell(found: MountGuide) -> str:
    """One height, and between which it may be."""
    if not found.fits:
        return "does not fit"
    return f"{found.best.height_mm:.0f} ({found.lowest_mm:.0f} to {found.highest_mm:.0f})"


def lines() -> Iterator[str]:
    """The table."""
    yield f"| camera, mm from table to lens | {' | '.join(GAMES)} | drawing |"
    yield f"|{'---|' * (len(GAMES) + 2)}"
    for name in CAMERAS:
        cells = " | ".join(cell(guided(game, name)) for game in GAMES)
        yield f"| {camera_profile(name).title} (`{name}`) | {cells} | [mount/{name}.svg](mount/{name}.svg) |"


def drawing(name: str) -> str:
    """The drawing of one camera."""
    plan = plan_of(DRAWN)
    found = guided(DRAWN, name)
    return mount_svg(plan, found, found.best, MARKER_MM)


def test_the_heights_are_computed() -> None:
    """Each camera and each game."""
    told = _TABLE.search((DOCS / "pi.md").read_text(encoding="utf-8"))
    assert told is not None
    assert told[0] == "\n".join(lines()) + "\n"


@pytest.mark.parametrize("name", CAMERAS)
def test_each_camera_has_its_drawing(name: str) -> None:
    """As `pipwatch mount --game draw-game -o` draws it."""
    assert (DOCS / "mount" / f"{name}.svg").read_text(encoding="utf-8") == drawing(name)


def write() -> None:
    """Write table and drawings anew."""
    path = DOCS / "pi.md"
    table = "\n".join(lines()) + "\n"
    path.write_text(_TABLE.sub(lambda _: table, path.read_text(encoding="utf-8")), encoding="utf-8")
    (DOCS / "mount").mkdir(exist_ok=True)
    for name in CAMERAS:
        (DOCS / "mount" / f"{name}.svg").write_text(drawing(name), encoding="utf-8")


if __name__ == "__main__":
    write()
