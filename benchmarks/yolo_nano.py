"""A detector of YOLOv8-nano's shape with random weights: what a general network of the usual size costs.

3.2 million weights and 8.7 billion operations for a picture of 640×640, as its published graph has them. The
decoding of boxes after the last convolution is left out, which only makes the reference faster.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

SIDE_PX = 640
_CLASSES, _BINS = 80, 16


class _Graph:
    """Nodes and weights, in the order in which they are said."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def node(self, kind: str, inputs: Sequence[str], outputs: int = 1, **settings: Any) -> list[str]:
        from onnx import helper

        names = [f"n{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **settings))
        return names

    def constant(self, values: np.ndarray) -> str:
        from onnx import numpy_helper

        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def bare(self, x: str, before: int, after: int, size: int = 1, stride: int = 1) -> str:
        """A convolution alone; its weights keep the size of what flows through it."""
        spread = (2 / (before * size * size)) ** 0.5
        kernel = self.rng.normal(0, spread, (after, before, size, size)).astype(np.float32)
        weights = [x, self.constant(kernel), self.constant(np.zeros(after, np.float32))]
        pads = [size // 2] * 4
        settings: dict[str, Any] = {"kernel_shape": [size, size], "strides": [stride, stride], "pads": pads}
        return self.node("Conv", weights, **settings)[0]

    def conv(self, x: str, before: int, after: int, size: int = 1, stride: int = 1) -> str:
        """A convolution and its sigmoid-weighted unit."""
        y = self.bare(x, before, after, size, stride)
        return self.node("Mul", [y, self.node("Sigmoid", [y])[0]])[0]

    def c2f(self, x: str, before: int, after: int, deep: int, *, shortcut: bool) -> str:
        """A block that splits its channels and lets one part through ``deep`` bottlenecks."""
        half = after // 2
        parts = self.node("Split", [self.conv(x, before, after)], 2, axis=1, split=[half, half])
        for _ in range(deep):
            y = self.conv(self.conv(parts[-1], half, half, 3), half, half, 3)
            parts.append(self.node("Add", [parts[-1], y])[0] if shortcut else y)
        return self.conv(self.joined(parts), half * len(parts), after)

    def sppf(self, x: str, channels: int) -> str:
        """Three pools in a row, and all of them side by side."""
        parts = [self.conv(x, channels, channels // 2)]
        for _ in range(3):
            pool: dict[str, Any] = {"kernel_shape": [5, 5], "strides": [1, 1], "pads": [2] * 4}
            parts += self.node("MaxPool", [parts[-1]], **pool)
        return self.conv(self.joined(parts), 2 * channels, channels)

    def joined(self, parts: Sequence[str]) -> str:
        return self.node("Concat", parts, axis=1)[0]

    def doubled(self, x: str) -> str:
        whole, scales = (np.array(v, np.float32) for v in ([], [1, 1, 2, 2]))
        return self.node("Resize", [x, self.constant(whole), self.constant(scales)], mode="nearest",
                         coordinate_transformation_mode="asymmetric", nearest_mode="floor")[0]  # fmt: skip

    def head(self, x: str, channels: int, cells: int) -> str:
        """What one size of cells says: the boxes' bins and the classes."""
        said = []
        for within, after in ((64, 4 * _BINS), (_CLASSES, _CLASSES)):
            y = self.conv(self.conv(x, channels, within, 3), within, within, 3)
            said.append(self.bare(y, within, after))
        shape = self.constant(np.array([1, 4 * _BINS + _CLASSES, cells * cells], np.int64))
        return self.node("Reshape", [self.joined(said), shape])[0]


def write(path: Path, seed: int = 1) -> None:
    """Write the network as ONNX."""
    import onnx
    from onnx import TensorProto, helper

    net = _Graph(seed)
    fourth = net.conv(net.conv("images", 3, 16, 3, 2), 16, 32, 3, 2)
    fourth = net.c2f(fourth, 32, 32, 1, shortcut=True)
    eighth = net.c2f(net.conv(fourth, 32, 64, 3, 2), 64, 64, 2, shortcut=True)
    sixteenth = net.c2f(net.conv(eighth, 64, 128, 3, 2), 128, 128, 2, shortcut=True)
    last = net.c2f(net.conv(sixteenth, 128, 256, 3, 2), 256, 256, 1, shortcut=True)
    last = net.sppf(last, 256)
    middle = net.c2f(net.joined([net.doubled(last), sixteenth]), 384, 128, 1, shortcut=False)
    fine = net.c2f(net.joined([net.doubled(middle), eighth]), 192, 64, 1, shortcut=False)
    middle = net.c2f(net.joined([net.conv(fine, 64, 64, 3, 2), middle]), 192, 128, 1, shortcut=False)
    coarse = net.c2f(net.joined([net.conv(middle, 128, 128, 3, 2), last]), 384, 256, 1, shortcut=False)
    said = [
        net.head(x, channels, SIDE_PX // step)
        for x, channels, step in ((fine, 64, 8), (middle, 128, 16), (coarse, 256, 32))
    ]
    output = net.node("Concat", said, axis=2)[0]
    images = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, SIDE_PX, SIDE_PX])
    cells = sum((SIDE_PX // step) ** 2 for step in (8, 16, 32))
    boxes = helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 4 * _BINS + _CLASSES, cells])
    graph = helper.make_graph(net.nodes, "nano", [images], [boxes], net.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
