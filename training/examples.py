"""What the networks learn from: the pieces of training pictures, and how pictures are varied."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.finder import KINDS, USUAL_MM

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Target:
    """A piece of a training picture: the corners of its top face, or of the square around it, in pixels."""

    kind: str
    corners: Floats
    visible: float
    facts: dict[str, Any]

    @property
    def middle(self) -> Floats:
        """Where the finder should find it."""
        return np.asarray(self.corners.mean(axis=0))

    @property
    def axes(self) -> tuple[Floats, Floats]:
        """The two sides as vectors; the first is the one from half ``a`` to half ``b``."""
        p = self.corners
        return (p[1] - p[0] + p[2] - p[3]) / 2, (p[3] - p[0] + p[2] - p[1]) / 2


def targets(pieces: Sequence[dict[str, Any]]) -> list[Target]:
    """The pieces of a picture that the finder knows."""
    found = []
    for piece in pieces:
        kind = "wall" if piece["face"] == "edge" else str(piece["kind"])
        if kind in KINDS:
            corners = np.array(piece["corners_px"] or piece["square_px"], dtype=float)
            found.append(Target(kind, corners, float(piece["visible"]), piece))
    return found


class Pictures:
    """All shards of a folder, their pictures still packed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.packed: list[Any] = []
        self.targets: list[list[Target]] = []
        self.kinds: list[str] = []
        self._known: set[Path] = set()
        self.refresh()

    def refresh(self) -> None:
        """Take in the shards that have come since."""
        for path in sorted(set(self.folder.glob("*.npz")) - self._known):
            self._known.add(path)
            with np.load(path) as kept:
                told = json.loads(str(kept["truth"]))
                self.packed += [kept[f"arr_{k}"] for k in range(len(told))]
                self.targets += [targets(one["pieces"]) for one in told]
                self.kinds += [one["kind"] for one in told]

    def __len__(self) -> int:
        return len(self.packed)

    def picture(self, index: int) -> Any:
        """One of them, unpacked."""
        return cv2.imdecode(self.packed[index], cv2.IMREAD_COLOR)


class Mix:
    """Draws pictures so that each kind has its share, however many of it there are."""

    def __init__(self, pictures: Pictures, shares: Mapping[str, float], kinds: Sequence[str]) -> None:
        self.pictures, self.shares, self.wanted = pictures, shares, frozenset(kinds)
        self.refresh()

    def refresh(self) -> None:
        """Take in the shards that have come since."""
        self.pictures.refresh()
        self._of_kind: dict[str, list[int]] = {kind: [] for kind in self.shares}
        for k, (kind, found) in enumerate(zip(self.pictures.kinds, self.pictures.targets, strict=True)):
            if kind in self._of_kind and any(one.kind in self.wanted for one in found):
                self._of_kind[kind].append(k)
        there = [kind for kind, each in self._of_kind.items() if each]
        self._there, total = there, sum(self.shares[kind] for kind in there)
        self._odds = [self.shares[kind] / total for kind in there]

    def draw(self, rng: Rng) -> tuple[Any, list[Target]]:
        """A picture, unpacked, with its pieces."""
        each = self._of_kind[self._there[int(rng.choice(len(self._there), p=self._odds))]]
        index = each[int(rng.integers(len(each)))]
        return self.pictures.picture(index), self.pictures.targets[index]


def evenly(found: Sequence[Target], rng: Rng) -> Target:
    """One of these, every kind as often as any other: a table has more tiles than pawns."""
    kinds = sorted({one.kind for one in found})
    kind = kinds[int(rng.integers(len(kinds)))]
    like = [one for one in found if one.kind == kind]
    return like[int(rng.integers(len(like)))]


def density(found: Sequence[Target]) -> float:
    """About how many pixels show a millimetre of the table."""
    each = [max(np.linalg.norm(axis) for axis in one.axes) / USUAL_MM[one.kind] for one in found]
    return float(np.median(each)) if each else 1.0


def recoloured(picture: Any, rng: Rng, *, faithful: bool = False) -> Picture:
    """The same things in other light, by another camera; ``faithful`` keeps red from looking blue."""
    work: Any = picture.astype(np.float32) / 255
    if rng.random() < 0.6:
        work *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.6:
        work = np.clip(work, 0, 1) ** np.float32(math.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.5:
        work = (work - 0.5) * np.float32(rng.uniform(0.6, 1.3)) + np.float32(0.5 + rng.normal(0, 0.08))
    if rng.random() < 0.35:
        grey = work.mean(axis=2, keepdims=True)
        work = grey + (work - grey) * np.float32(rng.uniform(0.5 if faithful else 0.0, 1.6))
    if not faithful and rng.random() < 0.15:
        work = work[:, :, rng.permutation(3)]
    if rng.random() < 0.3:
        work = _shaded(work, rng)
    if rng.random() < 0.3:
        work = cv2.GaussianBlur(work, (0, 0), float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.15:
        soft = cv2.GaussianBlur(work, (0, 0), 1.0)
        work = work + np.float32(rng.uniform(0.3, 1.2)) * (work - soft)
    if rng.random() < 0.4:
        work = work + rng.normal(0, rng.uniform(0.005, 0.05), work.shape).astype(np.float32)
    out: Picture = np.clip(work * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return out


def _shaded(work: Any, rng: Rng) -> Any:
    """A soft slope of light, or the hard edge of a shadow, across the picture."""
    rows, columns = work.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    along = (x * math.cos(angle) + y * math.sin(angle)) / max(rows, columns)
    along -= np.float32(rng.uniform(float(along.min()), float(along.max())))
    if rng.random() < 0.5:
        share = 0.5 + 0.5 * np.tanh(along * np.float32(rng.uniform(4, 60)))
        return work * (1 - share[:, :, None] * np.float32(rng.uniform(0.2, 0.65)))
    return work * np.clip(1 + along * np.float32(rng.normal(0, 0.7)), 0.25, 2.5)[:, :, None]
