"""A network's file at half its size: weights rounded to 11 binary places, and the file packed.

    python -m training.packed NETWORK.onnx       leaves NETWORK.onnx.xz beside it
    python -m training.packed --places 9 NETWORK.onnx       smaller by a sixth

Numbers of 16 bits would be as small, but not every OpenCV that runs these networks reads them.
"""

import argparse
import lzma
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

_PLACES, _WHOLE = 11, 24
"""Of the 24 binary places of a weight those behind these become 0: packing then takes them for nothing."""


def rounded(model: onnx.ModelProto, places: int = _PLACES) -> onnx.ModelProto:
    """The same network with shorter weights."""
    dropped = _WHOLE - places
    for weight in model.graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype == np.float32:
            bits = values.view(np.uint32)
            half, kept = np.uint32(1 << dropped - 1), ~np.uint32((1 << dropped) - 1)
            weight.CopyFrom(numpy_helper.from_array((bits + half & kept).view(np.float32), weight.name))
    return model


def main() -> None:
    """Pack the files that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("network", type=Path, nargs="+")
    parser.add_argument("--places", type=int, default=_PLACES, help="binary places that a weight keeps")
    asked = parser.parse_args()
    for path in asked.network:
        whole = rounded(onnx.load(str(path)), asked.places).SerializeToString()
        path.with_suffix(".onnx.xz").write_bytes(lzma.compress(whole, preset=9))


if __name__ == "__main__":
    main()
