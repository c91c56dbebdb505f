"""The small networks as OpenCV runs them: the same answers on every machine, one thread or many."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.pieces.patches import Floats, Picture

MODELS = Path(__file__).parents[1] / "models"
_AT_ONCE = 32


@cache
def network(name: str, folder: Path = MODELS) -> Any:
    """A network by its name; it stays loaded."""
    return cv2.dnn.readNetFromONNX(str(folder / f"{name}.onnx"))


def answers(name: str, pictures: Sequence[Picture]) -> Floats:
    """What a network says of pictures of one size, a row each."""
    net = network(name)
    rows = []
    for start in range(0, len(pictures), _AT_ONCE):
        net.setInput(cv2.dnn.blobFromImages(pictures[start : start + _AT_ONCE], swapRB=True))
        rows.append(net.forward().copy())
    return np.concatenate(rows).astype(np.float64)


def shares(logits: Floats, temperature: float = 1.0) -> Floats:
    """Logits (n×k) as probabilities."""
    top = logits / temperature
    top = np.exp(top - top.max(axis=1, keepdims=True))
    return np.asarray(top / top.sum(axis=1, keepdims=True))
