"""How long one sheet takes in a photo of 12 megapixels, beside decoding that photo, and how much memory.

    python -m training.time_sheet [--seed 7]

The photo is made, and then read in a process of its own, by one core; of three runs the fastest counts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.sheet_decoder import decode
from vision.sheet_finder import find_sheets
from vision.sheet_maps import read_maps
from vision.sheet_reader import SheetReading, sheet_reader

_SIZE = (4032, 3024)
_RUNS = 3


def large_photo(path: Path, seed: int) -> None:
    """A photo of one filled sheet, at the size that phones take."""
    from simulation.filled_sheet import OUR_FORM, filled, random_cells
    from simulation.sheet_photo import PhotoConditions, photographed

    rng = np.random.default_rng([seed, 12])
    paper = filled(OUR_FORM, random_cells(rng), False, rng)
    image = photographed([paper], PhotoConditions(square_px=200, tilt=0.1, turn_deg=4), rng).image
    factor = min(_SIZE[0] / image.shape[1], _SIZE[1] / image.shape[0])
    image = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    right, below = _SIZE[0] - image.shape[1], _SIZE[1] - image.shape[0]
    whole = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REFLECT)
    cv2.imwrite(str(path), whole, [cv2.IMWRITE_JPEG_QUALITY, 92])


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the fastest run."""
    times = []
    for _ in range(_RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def most_memory() -> int:
    """The most memory this process ever held, in MB; what its parent held before it began is not counted."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def timed(path: Path) -> dict[str, object]:
    """Decoding and reading a photo: seconds, their ratio, and the most memory of this process."""
    cv2.setNumThreads(1)
    jpeg = np.frombuffer(path.read_bytes(), np.uint8)
    image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)

    def read() -> int:
        seen = read_maps(sheet_reader(), image, find_sheets(image).maps)
        readings = [one for one in seen if isinstance(one, SheetReading)]
        return len([decode(one.coats, one.crosses, one.roof) for one in readings])

    if not read():
        raise SystemExit("no map was found in the photo")
    decoding, reading = fastest(lambda: cv2.imdecode(jpeg, cv2.IMREAD_COLOR)), fastest(read)
    return {
        "megapixels": round(image[..., 0].size / 1e6, 1),
        "decoding seconds": round(decoding, 3),
        "reading seconds": round(reading, 3),
        "ratio": round(reading / decoding, 2),
        "peak MB": most_memory(),
    }


def main() -> None:
    """Make the photo, and have it read by a fresh process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=7, help="another seed, another sheet")
    parser.add_argument("--photo", type=Path, default=None, help="time this photo, in this process")
    options = parser.parse_args()
    if options.photo is not None:
        print(json.dumps(timed(options.photo)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jpg"
        large_photo(path, options.seed)
        again = [sys.executable, "-m", "training.time_sheet", "--photo", str(path)]
        print(subprocess.run(again, check=True, capture_output=True, text=True).stdout, end="")


if __name__ == "__main__":
    main()
