"""Learning goes on from a network that has left as ONNX.

What leaves has each convolution scaled by the norm behind it. Here the norms come back: they are set so that
the layers say what they said, by what some real batches make of them, and can learn on from there.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.pieces.networks import content


def take_up(net: nn.Module, path: Path, batch: Callable[[], Tensor]) -> None:
    """Give ``net`` the weights of an exported network of the same layers; ``batch`` draws its inputs."""
    kept = [
        (one.name, torch.tensor(numpy_helper.to_array(one)))
        for one in onnx.load_from_string(content(path)).graph.initializer
    ]
    named = dict(kept)
    # Those that were scaled have lost their names. They stand in the order of the layers, weight before bias.
    scaled = iter([value for name, value in kept if name not in _names(net)])
    norms: list[tuple[nn.BatchNorm2d, Tensor]] = []
    with torch.no_grad():
        for name, parts in _layers(net):
            convolution, norm = parts
            if norm is None:
                convolution.weight.copy_(named[f"{name}.weight"])
                convolution.bias.copy_(named[f"{name}.bias"])
            else:
                convolution.weight.copy_(next(scaled))
                norms.append((norm, next(scaled)))
        for norm, bias in norms:
            _as_it_was(norm, bias)
        _renormed(net, norms, batch())


def _names(net: nn.Module) -> set[str]:
    return {name for name, _ in net.named_parameters()}


def _layers(net: nn.Module) -> list[tuple[str, tuple[Any, nn.BatchNorm2d | None]]]:
    """All layers with weights, in their order, each with the norm that follows it."""
    found: list[tuple[str, tuple[Any, nn.BatchNorm2d | None]]] = []
    for name, module in net.named_modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            found.append((name, (module, None)))
        elif isinstance(module, nn.BatchNorm2d):
            found[-1] = (found[-1][0], (found[-1][1][0], module))
    return found


def _as_it_was(norm: nn.BatchNorm2d, bias: Tensor) -> None:
    """A norm that changes nothing but adds this."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1.0)
    norm.bias.copy_(bias)


def _renormed(net: nn.Module, norms: list[tuple[nn.BatchNorm2d, Tensor]], inputs: Tensor) -> None:
    """Norms that take out what these inputs show, and put it in again: the same words, ready to learn."""
    seen: dict[nn.BatchNorm2d, tuple[Tensor, Tensor]] = {}

    def look(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        seen[norm] = (given[0].mean((0, 2, 3)), given[0].var((0, 2, 3), unbiased=False))

    hooks = [norm.register_forward_pre_hook(look) for norm, _ in norms]
    net.eval()
    net(inputs)
    for hook in hooks:
        hook.remove()
    for norm, bias in norms:
        mean, spread = seen[norm]
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(bias + mean)
