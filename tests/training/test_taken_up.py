"""Learning that goes on from a network which has left as ONNX."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")
pytest.importorskip("onnx", reason="onnx is not here: it is needed for training alone")


@pytest.mark.parametrize("name", ["sheet_marks", "domino_reader"])
def test_it_says_what_the_exported_network_said(name: str) -> None:
    """Looking and learning: the same weights, and norms by which the next step changes little."""
    from training.domino_reader import DominoNet
    from training.mark_network import MarkNet
    from training.taken_up import take_up
    from vision.pieces.networks import MODELS, network
    from vision.pieces.patches import DOMINO_SIZE
    from vision.sheet_fine import FINE_CELL_PX, PLANES

    torch.manual_seed(1)
    wide, high = DOMINO_SIZE
    inputs, net = {
        "sheet_marks": lambda: (torch.rand(16, PLANES, FINE_CELL_PX, FINE_CELL_PX), MarkNet()),
        "domino_reader": lambda: (torch.rand(16, 3, high, wide) * 255, DominoNet()),
    }[name]()
    [path] = MODELS.glob(f"{name}.onnx*")
    take_up(net, path, lambda: inputs)
    net.eval()
    with torch.no_grad():
        said = net(inputs).numpy()
    assert np.abs(said - network(name)(inputs.numpy())).max() < 1e-3
    for norm in (one for one in net.modules() if isinstance(one, torch.nn.BatchNorm2d)):
        assert float((norm.running_var - 1).abs().max()) > 1e-3, "a norm that takes nothing out"
    net.train()
    for dropped in (one for one in net.modules() if isinstance(one, torch.nn.Dropout)):
        dropped.p = 0.0
    with torch.no_grad():
        learning = net(inputs).numpy()
    assert np.abs(learning - said).max() < 0.05 * np.abs(said).max()
