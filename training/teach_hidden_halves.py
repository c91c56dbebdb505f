"""Teach when a half of a domino is hidden: patches with things over dominoes and beside them, as ONNX.

    python -m training.teach_hidden_halves --data OUT/train --out OUT --steps 5000

The examples are drawn once, with the domino reader, and kept in OUT; learning goes on from the last
checkpoint there. To be run again when the domino reader has learned anew. Needs torch (2.13) beside numpy and
OpenCV.
"""

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training import learning
from training.domino_reader import as_found
from training.examples import Floats, Mix, Picture, Pictures, Rng, Target, recoloured
from training.laid_over import laid, untouched
from training.learning import Normed, layer
from training.outlines import OWN, to_picture
from vision.photos.hidden_halves import CORNERS, SIZE
from vision.pieces import domino_reading
from vision.pieces.domino_reading import FACES, DominoReading
from vision.pieces.finder import overlap
from vision.pieces.patches import carried, cut

EXAMPLES, A_PICTURE, BATCH = 36_000, 8, 64
SHARES = {"dominoes": 0.62, "soldiers": 0.13, "table": 0.25}
HIDDEN_BELOW, OPEN_ABOVE = 0.68, 0.85
"""The share of a half that is seen; between the two a half counts only if it was read wrong."""
_WHOLE, _NEARLY = 0.93, 0.75
_LEAST_BELIEVED = 0.3
"""What is believed less is asked about anyway."""
_FEW_PIPS, _OF_FEW = 2, 0.35
_FEWEST_LEFT = 30
_OFTEN_READ = 0.5
"""The others are taken as they were found; reading takes time."""
_AT_A_RIM = 0.2
_ITS_PLACE = 0.6
OPEN, HIDDEN, UNTOLD = 0.0, 1.0, -1.0


class HiddenNet(nn.Module):
    """Sees a patch, then says of each half whether something lies over it."""

    def __init__(self) -> None:
        super().__init__()
        self.see = nn.Sequential(
            Normed(), layer(3, 24, 2), layer(24, 48, 2), layer(48, 48), layer(48, 64, 2), layer(64, 64),
            layer(64, 64), layer(64, 16, size=1),
        )  # fmt: skip
        self.say = nn.Sequential(nn.Linear(16 * 13 * 9, 40), nn.ReLU(inplace=True), nn.Linear(40, 2))

    def forward(self, patch: Tensor) -> Tensor:
        """Logits of both halves."""
        said: Tensor = self.say(self.see(patch).flatten(1))
        return said


# --- examples ----------------------------------------------------------------------------------------


def truths(seen: Sequence[float], wrong: Sequence[bool]) -> Floats:
    """What is to be said of both halves, by how much is seen of them and whether they were read wrong."""
    least = min(seen)
    return np.array([_truth(part, bad, least) for part, bad in zip(seen, wrong, strict=True)])


def _truth(seen: float, wrong: bool, least: float) -> float:
    if seen < HIDDEN_BELOW or (wrong and least < OPEN_ABOVE):
        return HIDDEN
    return UNTOLD if wrong or seen < OPEN_ABOVE else OPEN


def natural_truths(visible: float, wrong: Sequence[bool]) -> Floats:
    """The same where a picture's own things lie over a domino, it is not known over which half."""
    if any(wrong):
        return np.array([HIDDEN if bad and visible < OPEN_ABOVE else UNTOLD for bad in wrong])
    return np.full(2, OPEN if visible >= _NEARLY else UNTOLD)


def turned(lying: Floats, corners: Floats) -> bool:
    """Whether corners begin with the other half of a domino."""
    return float(np.linalg.norm(lying[0] - corners[0])) > float(np.linalg.norm(lying[0] - corners[2]))


def read_wrong(one: DominoReading, want: Target, corners: Floats) -> list[bool]:
    """Which half of a reading is wrong, by the order of the halves in the truth; both where nothing fits."""
    is_up = want.facts["face"] == "up"
    if overlap(one.corners, corners) < _ITS_PLACE or (one.faces.argmax() == FACES.index("up")) != is_up:
        return [True, True]
    if not is_up:
        return [False, False]
    said = [int(part.argmax()) for part in (one.first, one.second)]
    said = said[::-1] if turned(one.corners, corners) else said
    return [a != b for a, b in zip(said, want.facts["value"]["pips"], strict=True)]


def as_seen(corners: Floats, mask: Any, rng: Rng) -> Floats:
    """The corners as a finder gives them: of the domino, or of what is left of it."""
    left = _what_is_left(corners, mask) if mask.max() > 0.5 and rng.random() < 0.5 else OWN
    return as_found(Target("domino", carried(left, to_picture(corners)), 1.0, {}), rng)


def _what_is_left(corners: Floats, mask: Any) -> Floats:
    """The box around what no thing covers, in the domino's own measure, its longer side first."""
    x, y = np.meshgrid(np.linspace(0.05, 1.95, 20), np.linspace(0.05, 0.95, 10))
    points = np.column_stack([x.reshape(-1), y.reshape(-1)])
    last = np.array(mask.shape[::-1]) - 1
    across, down = np.clip(np.round(carried(points, to_picture(corners))), 0, last).astype(int).T
    points = points[mask[down, across] < 0.5]
    if len(points) < _FEWEST_LEFT:
        return OWN
    (x0, y0), (x1, y1) = points.min(axis=0) - 0.05, points.max(axis=0) + 0.05
    box = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    return np.roll(box, 1, axis=0) if x1 - x0 < y1 - y0 else box


def draw(picture: Any, found: Sequence[Target], rng: Rng) -> list[tuple[Picture, Floats]]:
    """Patches of a picture, with what is to be said of both halves."""
    seen = [one for one in found if one.kind == "domino" and one.visible >= 0.2 and (one.corners > 0).all()]
    few = [one for one in seen if one.facts["face"] == "up" and min(one.facts["value"]["pips"]) < _FEW_PIPS]
    out = []
    for _ in range(A_PICTURE if seen else 0):
        among = few if few and rng.random() < _OF_FEW else seen
        one = among[int(rng.integers(len(among)))]
        whole = one.visible >= _WHOLE
        thing = laid(picture, one, seen, rng) if whole else untouched(picture, one)
        rough = as_seen(thing.corners, thing.mask, rng)
        if rng.random() < 0.5:
            rough = np.roll(rough, 2, axis=0)
        lying, wrong = rough, [overlap(rough, thing.corners) < _ITS_PLACE] * 2
        if not whole or rng.random() < _OFTEN_READ:
            (reading,) = domino_reading.read(thing.picture, [rough], quick=True)
            if not _may_be_believed(reading):
                continue
            lying, wrong = reading.corners, read_wrong(reading, one, thing.corners)
        said = truths(thing.seen, wrong) if whole else natural_truths(one.visible, wrong)
        if said.max() > UNTOLD:
            said = said[::-1] if turned(lying, thing.corners) else said
            out.append((cut(thing.picture, lying, CORNERS, SIZE)[0], said))
    return out


def _may_be_believed(one: DominoReading) -> bool:
    up, down = one.faces[FACES.index("up")], one.faces[FACES.index("down")]
    return bool(max(up * one.first.max() * one.second.max(), down) > _LEAST_BELIEVED)


def examples(data: Path, kept: Path, seed: int) -> tuple[Any, Floats]:
    """All patches and truths, drawn once and then kept."""
    if not kept.exists():
        mix, pictures = Mix(Pictures(data), SHARES, ("domino",)), 0
        drawn: list[tuple[Picture, Floats]] = []
        while len(drawn) < EXAMPLES:
            rng = np.random.default_rng([seed, pictures])
            drawn += draw(*mix.draw(rng), rng)
            pictures += 1
            if pictures % 500 == 0:
                print(f"{len(drawn)} of {EXAMPLES} examples", file=sys.stderr, flush=True)
        patches, said = (np.stack(each) for each in zip(*drawn, strict=True))
        np.savez(kept, patches=patches, truths=said)
    with np.load(kept) as told:
        return told["patches"], told["truths"]


def batch(patches: Any, said: Floats, rng: Rng) -> tuple[Tensor, Tensor]:
    """Some of the examples, mirrored and in other light."""
    inputs, answers = [], []
    for k in rng.integers(len(patches), size=BATCH):
        patch, answer = patches[k], said[k]
        if rng.random() < 0.5:
            patch, answer = patch[:, ::-1], answer[::-1]
        if rng.random() < 0.5:
            patch = patch[::-1]
        if rng.random() < _AT_A_RIM:
            patch = at_a_rim(patch, rng)
        inputs.append(recoloured(patch, rng)[:, :, ::-1].transpose(2, 0, 1))
        answers.append(answer)
    return torch.from_numpy(np.stack(inputs)).float(), torch.from_numpy(np.stack(answers)).float()


def at_a_rim(patch: Picture, rng: Rng) -> Picture:
    """A patch that reaches beyond the picture: from its rim on outwards the last pixels go on.

    The rim runs anyhow, past the domino or just through one of its corners.
    """
    angle = float(rng.uniform(0, 2 * math.pi))
    out = np.array([math.cos(angle), math.sin(angle)], np.float32)
    away = float(((CORNERS - CORNERS.mean(axis=0)) @ out).max()) * float(rng.uniform(0.93, 1.4))
    places = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1).astype(np.float32)
    beyond = np.maximum((places - CORNERS.mean(axis=0).astype(np.float32)) @ out - np.float32(away), 0)
    places -= beyond[:, :, None] * out
    x, y = places[:, :, 0], places[:, :, 1]
    smeared = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(smeared, dtype=np.uint8)


def loss(out: Tensor, truth: Tensor) -> Tensor:
    """How wrong the halves are of which anything is to be said."""
    told = (truth > UNTOLD).float()
    each = nn.functional.binary_cross_entropy_with_logits(out, truth.clamp(min=0), reduction="none")
    return (each * told).sum() / told.sum().clamp(min=1)


def main() -> int:
    """Draw the examples, learn, then write the network."""
    plan = learning.plan(__doc__)
    patches, said = examples(plan.data, plan.out / "hidden_halves.npz", plan.seed)
    net = HiddenNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{len(said)} examples, {sum(p.numel() for p in net.parameters())} weights", file=sys.stderr)
    print(f"hidden {(said == HIDDEN).mean():.3f}, open {(said == OPEN).mean():.3f}", file=sys.stderr)

    def step(rng: Rng) -> Tensor:
        inputs, truth = batch(patches, said, rng)
        return loss(learning.quick(net, inputs), truth)

    learning.learn("hidden_halves", net, step, plan, lambda: None)
    free = {"input": {0: "patches"}, "output": {0: "patches"}}
    learning.export(net, plan.out / "hidden_halves.onnx", (1, 3, SIZE[1], SIZE[0]), free)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
