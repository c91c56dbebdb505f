"""Shares with their uncertainty, as every published figure carries them."""

import math


def interval(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of ``hits`` in ``n`` trials."""
    if n == 0:
        return (0.0, 1.0)
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (max(0.0, middle - reach), min(1.0, middle + reach))


def told(hits: int, n: int) -> str:
    """A share with its interval, as text."""
    low, high = interval(hits, n)
    share = hits / n if n else float("nan")
    return f"{hits}/{n} = {share:.4%} (95 %: {low:.4%} to {high:.4%})"
