"""What the programs share that write numbers beside the networks: from pictures to a small file."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2

from vision.pieces.networks import MODELS


def write(doc: str | None, name: str, lines: Callable[[Path], list[str]]) -> int:
    """Ask for the folder of pictures, work out the lines of the file of this name, show and write them."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder made by training.pictures")
    parser.add_argument("--out", type=Path, default=MODELS)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    text = "\n".join(lines(asked.data))
    print(text)
    (asked.out / name).write_text(text + "\n", encoding="utf-8")
    return 0


def write_heads(path: Path, told: Mapping[str, Mapping[str, float]]) -> None:
    """Write how often each head of a network is right, and the temperature that makes its chances true."""
    lines = [
        f"[{name}]\nright = {one['right']}\ntemperature = {one['temperature']}\n"
        for name, one in told.items()
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
