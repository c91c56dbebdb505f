"""The page that says how the camera is hung: choose a game and a camera, see height, drawing and pixels."""

from functools import lru_cache
from typing import Final

from flask import Blueprint, render_template, request

from calibration.camera_errors import CalibrationError
from calibration.marker_side import MARKER_MM
from calibration.mount_drawing import mount_svg
from calibration.mounting import MountGuide, guide
from calibration.plan import plan_of
from calibration.profiles import camera_names, camera_profile
from engine import GAMES

USUAL: Final = "pi-camera-3"
"""The camera that the shopping list names."""


def mount_pages() -> Blueprint:
    """The one page."""
    pages = Blueprint("mount", __name__)
    pages.get("/mount")(page)
    return pages


def page() -> str:
    """The page for the game and the camera that were chosen; for usual ones where they are none of ours."""
    game, camera = request.args.get("game", ""), request.args.get("camera", "")
    game = game if game in GAMES else GAMES[0]
    camera = camera if camera in cameras() else USUAL
    found, drawing = hung(game, camera)
    titles = {name: name.replace("-", " ").title().replace(" Of ", " of ") for name in GAMES}
    return render_template(
        "mount.html", token="",
        game=game, camera=camera, games=titles, cameras=cameras(), found=found, at=found.best,
        remarks=list(dict.fromkeys((*found.best.remarks, *found.remarks))), drawing=drawing,
    )  # fmt: skip


@lru_cache(1)
def cameras() -> dict[str, str]:
    """The cameras that are known, with their titles; not the one that stands for all others."""
    found = {}
    for name in camera_names():
        try:
            found[name] = camera_profile(name).title
        except CalibrationError:
            continue
    return {name: title for name, title in found.items() if name != "unknown"}


@lru_cache(64)
def hung(game: str, camera: str) -> tuple[MountGuide, str]:
    """How this camera hangs over this game's table, and the drawing of it."""
    plan = plan_of(game)
    found = guide(plan, camera_profile(camera))
    return found, mount_svg(plan, found, found.best, MARKER_MM)
