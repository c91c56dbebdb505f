"""The bundle for a bug report, made by the box that runs: what it has for itself is told, and not tried."""

from pathlib import Path

from device.folders import SettingsFiles
from device.health.checkup import Held, checkup
from device.health.finding import Finding, absent, ok
from device.keeping.bundle import BundleParts, bundle
from device.service.kept_camera import CameraState
from engine.plain import JsonObject


def report(
    state: Path, files: SettingsFiles, camera: CameraState, pins: Finding | None, health: JsonObject
) -> bytes:
    """One file, without names and faces; ``pins`` is what whoever has them says of them."""
    found = checkup(lambda: None, files, held=Held(_camera(camera), pins))
    return bundle(BundleParts(state=state, settings=files, findings=tuple(found), health=health))


def _camera(camera: CameraState) -> Finding:
    """What the box knows of its camera; one that rests is not woken for this."""
    more = camera.why or camera.chosen
    words = f"the box has it; it is {camera.state}, started anew {camera.restarts} times"
    words = f"{words}: {more}" if more else words
    return ok("camera", words) if camera.state == "ok" else absent("camera", words)
