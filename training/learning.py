"""The one way in which the small networks learn: so many steps, with checkpoints, ending as ONNX."""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training.examples import Mix

Step = Callable[[np.random.Generator], Tensor]
"""One batch: draws examples with the generator and gives the loss."""
_KEEP = 200
"""Steps between two checkpoints."""
_WARM_STEPS, _HIGHEST_RATE, _LOWEST_RATE = 200, 2.5e-3, 1e-5
_GENTLE_RATE = 6e-4
"""The highest rate for a network that knows its trade and learns something more."""


@dataclass(frozen=True)
class Plan:
    """How many steps to take, where the checkpoints go, and what the random numbers begin with."""

    out: Path
    steps: int
    seed: int
    threads: int
    data: Path
    start: Path | None = None
    """An exported network to go on from."""


def plan(doc: str | None, argv: Sequence[str] | None = None) -> Plan:
    """The plan that the command line gives."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder made by training.pictures")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True, help="batches in all, earlier runs counted in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, default=None, help="an exported network to go on from")
    asked = parser.parse_args(argv)
    torch.set_num_threads(asked.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(asked.seed)
    asked.out.mkdir(parents=True, exist_ok=True)
    return Plan(asked.out, asked.steps, asked.seed, asked.threads, asked.data, asked.start)


def learn(name: str, net: nn.Module, step: Step, plan: Plan, look: Callable[[], None]) -> None:
    """Take the steps of the plan that are not taken yet; the slow mean of the weights is what stays.

    ``look`` is called after each checkpoint: pictures that are still being drawn can be taken in.
    """
    optimiser = torch.optim.AdamW(net.parameters(), lr=_HIGHEST_RATE, weight_decay=1e-3)
    slow = {key: value.clone() for key, value in net.state_dict().items()}
    steps, kept = 0, plan.out / f"{name}.pt"
    if kept.exists():
        saved = torch.load(kept, weights_only=True, map_location=next(net.parameters()).device)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        slow, steps = saved["slow"], saved["steps"]
    highest = _HIGHEST_RATE if plan.start is None else _GENTLE_RATE
    net.train()
    while steps < plan.steps:
        rng = np.random.default_rng(
            [plan.seed, steps]
        )  # the same again where a run goes on from a checkpoint
        told = torch.zeros((), device=next(net.parameters()).device)
        for _ in range(_KEEP):
            rate = highest * (0.5 + 0.5 * math.cos(math.pi * min(1.0, steps / plan.steps))) + _LOWEST_RATE
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (steps + 1) / _WARM_STEPS)
            wrong = step(rng)
            optimiser.zero_grad()
            wrong.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            steps += 1
            _follow(slow, net, min(0.998, steps / (steps + 20)))
            # To ask for the figure at each step would have a graphics card wait.
            told += wrong.detach() / _KEEP
        print(f"{name}: step {steps} of {plan.steps}, {float(told):.4f}", file=sys.stderr, flush=True)
        _keep(kept, net, optimiser, {"slow": slow, "steps": steps})
        look()
    net.load_state_dict(slow)
    net.eval()


def _follow(slow: dict[str, Tensor], net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for key, value in net.state_dict().items():
            if value.is_floating_point():
                slow[key].mul_(keep).add_(value, alpha=1 - keep)
            else:
                slow[key].copy_(value)


def _keep(path: Path, net: nn.Module, optimiser: torch.optim.Optimizer, rest: dict[str, Any]) -> None:
    part = path.with_suffix(".part")
    torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), **rest}, part)
    part.replace(path)


def teach(name: str, net: nn.Module, mix: Mix, step: Step, plan: Plan, size: tuple[int, int]) -> None:
    """Learn to read patches of a size (wide, high) from pictures, and write the network."""
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    weights = sum(p.numel() for p in net.parameters())
    print(f"{len(mix.pictures)} pictures, {weights} weights", file=sys.stderr)
    learn(name, net, step, plan, mix.refresh)
    free = {"input": {0: "patches"}, "output": {0: "patches"}}
    export(net, plan.out / f"{name}.onnx", (1, 3, size[1], size[0]), free)


def quick(net: nn.Module, inputs: Tensor) -> Tensor:
    """The answer of a network while it learns, worked out in half the figures where that is faster."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        said: Tensor = net(inputs.contiguous(memory_format=torch.channels_last))
    return said.float()


def export(net: nn.Module, path: Path, example: tuple[int, ...], free: dict[str, dict[int, str]]) -> None:
    """The network as ONNX; ``free`` names the sides of input and output that may differ."""
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(example),), str(path), input_names=["input"], output_names=["output"],
        dynamic_axes=free, opset_version=12, dynamo=False,
    )  # fmt: skip


def layer(before: int, after: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution that is normed and cut off below."""
    conv = nn.Conv2d(before, after, size, stride=stride, padding=size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class Normed(nn.Module):
    """Brings 0 … 255 to about -2 … 2."""

    def forward(self, picture: Tensor) -> Tensor:
        """The picture in the numbers that the first layer likes."""
        return (picture - 115.0) / 69.0
