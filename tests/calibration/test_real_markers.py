"""The detector on real photographs, where they are at hand (they are not part of the project)."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import aruco

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "aruco"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the real photographs are not on this machine")
def test_markers_in_real_light_and_clutter_are_found() -> None:
    """At least 98 % of the labelled markers are found, and none that is not there."""
    labels = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))
    hit = total = strange = 0
    for image in labels["images"]:
        grey = cv2.imread(str(FOLDER / image["file"]), cv2.IMREAD_GRAYSCALE)
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, image["dictionary"]))
        found = {number for number, _ in aruco.detect(np.asarray(grey, dtype=np.uint8), dictionary)}
        wanted = set(image["expected_ids"])
        hit, total, strange = hit + len(found & wanted), total + len(wanted), strange + len(found - wanted)
    print(f"{hit} of {total} markers found, {strange} strange ones")
    assert hit >= 0.98 * total
    assert strange == 0
