"""Guides for every game and every camera that is known, each made once: they are frozen, and take a while."""

from functools import cache

from calibration.mounting import MountGuide, guide
from calibration.plan import plan_of
from calibration.profiles import camera_profile


@cache
def guided(game: str, camera: str) -> MountGuide:
    """Where this camera hangs over the table of this game."""
    return guide(plan_of(game), camera_profile(camera))
