"""The small networks, run by onnxruntime where it can be loaded, as it is twice as fast, or by OpenCV.

Both give the same answers (tests/vision/pieces/test_networks.py).
"""

import lzma
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.onnxruntime_here import loads_onnxruntime
from vision.pieces.patches import Floats, Picture

Run: TypeAlias = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""What a network says of a batch."""
MODELS = Path(__file__).parents[1] / "models"
_AT_ONCE = 8
"""For 32 pictures a network's layers take up to 47 MB, for 8 up to 15, in the same time; it says the same."""
_ERRORS_ALONE = 3


@cache
def network(name: str, folder: Path = MODELS) -> Run:
    """A network by its name; it stays loaded."""
    path = folder / f"{name}.onnx"
    path = path if path.exists() else path.with_suffix(".onnx.xz")
    return by_onnxruntime(path) if loads_onnxruntime() else by_opencv(path)


def content(path: Path) -> bytes:
    """A network's file, unpacked where it is packed."""
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def by_onnxruntime(path: Path) -> Run:
    """A network run by onnxruntime, with as many threads as OpenCV has."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, cv2.getNumThreads())
    options.log_severity_level = _ERRORS_ALONE
    # A pool of memory that never shrinks would hold what the largest picture once took.
    options.enable_cpu_mem_arena = False
    session: Any = onnxruntime.InferenceSession(content(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    session._model_bytes = None  # it would keep the file beside what it has made of it, to begin anew

    def run(batch: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(session.run(None, {name: batch})[0], dtype=np.float32)

    return run


def by_opencv(path: Path) -> Run:
    """A network run by OpenCV itself."""
    net: Any = cv2.dnn.readNetFromONNX(np.frombuffer(content(path), np.uint8))

    def run(batch: NDArray[np.float32]) -> NDArray[np.float32]:
        net.setInput(batch)
        return np.array(net.forward(), dtype=np.float32)

    return run


def answers(name: str, pictures: Sequence[Picture]) -> Floats:
    """What a network says of pictures of one size, a row each."""
    run, starts = network(name), range(0, len(pictures), _AT_ONCE)
    rows = [run(batch_of(pictures[start : start + _AT_ONCE])) for start in starts]
    return np.concatenate(rows).astype(np.float64)


def batch_of(pictures: Sequence[Picture]) -> NDArray[np.float32]:
    """Pictures of one size as a network takes them: planes of red, green and blue."""
    return np.asarray(cv2.dnn.blobFromImages(pictures, swapRB=True), dtype=np.float32)


def shares(logits: Floats, temperature: float = 1.0) -> Floats:
    """Logits (n×k) as probabilities."""
    top = logits / temperature
    top = np.exp(top - top.max(axis=1, keepdims=True))
    return np.asarray(top / top.sum(axis=1, keepdims=True))
