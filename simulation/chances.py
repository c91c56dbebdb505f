"""Sources of chance that come from another one and leave it as it was."""

from typing import Any

import numpy as np


def spawned(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """As numpy's own `spawn` makes them, which Debian 12's numpy does not have."""
    source: Any = rng.bit_generator
    seeds: Any = source.seed_seq if hasattr(source, "seed_seq") else source._seed_seq
    return [np.random.Generator(type(source)(seed)) for seed in seeds.spawn(count)]
