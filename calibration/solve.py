"""Least squares with outliers, for the few dozen unknowns of a camera and its markers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats

_DOWN, _UP = 0.25, 6.0
_TINY = 1e-9


@dataclass(frozen=True)
class Problem:
    """What is to be fitted: residuals of measurements, and residuals that speak for a guess.

    ``measured`` gives the residuals in pixels for a vector of unknowns; ``expected`` those of prior
    knowledge, already divided by its standard deviation. ``groups`` numbers the measurements that share an
    unknown common offset (the bleeding of a marker in a picture), which is removed.
    """

    measured: Callable[[Floats], Floats]
    steps: Floats
    """For each unknown the change that is small enough to take a slope from."""
    expected: Callable[[Floats], Floats] | None = None
    groups: NDArray[np.intp] | None = None
    slopes: Callable[[Floats, Floats], Floats] | None = None
    """The slopes of ``measured`` at a vector of unknowns, given its residuals there, where that is cheaper
    than to change the unknowns one by one."""
    noise_px: float = 0.1
    """Standard deviation of a good measurement; one further off than about four of them loses its say."""


@dataclass(frozen=True)
class Solved:
    """The unknowns found."""

    unknowns: Floats
    weights: Floats
    """Of the measurements: near 1 where they agree, near 0 where they are outliers."""
    residuals_px: Floats
    """With the common offsets removed."""
    covariance: Floats
    rms_px: float
    """Of the measurements that agree."""


def fit(problem: Problem, start: Floats, *, most_steps: int = 40) -> Solved:
    """The unknowns that explain the measurements best (Levenberg and Marquardt, outliers weighed down)."""
    x = np.asarray(start, dtype=np.float64).copy()
    damping = 1e-3
    scale = problem.noise_px
    residuals = problem.measured(x)
    # Outliers are let go step by step: from far away everything looks like one.
    for round_scale in (8.0, 2.0, 1.0):
        spread = max(scale * round_scale, scale)
        for _ in range(most_steps):
            weights, centred = _weigh(problem, residuals, spread)
            cost = _cost(problem, x, residuals, spread)
            normal, gradient = _normal_equations(problem, x, residuals, weights, centred)
            moved, damping, x_next, residuals_next = _step(
                problem, x, (normal, gradient), (cost, damping, spread)
            )
            if not moved:
                break
            gain = cost - _cost(problem, x_next, residuals_next, spread)
            x, residuals = x_next, residuals_next
            if gain < 1e-6 * cost + _TINY:
                break
    weights, centred = _weigh(problem, residuals, scale)
    normal, _ = _normal_equations(problem, x, residuals, weights, centred)
    trusted = weights > 0.5
    rms = float(np.sqrt(np.mean(centred[trusted] ** 2))) if trusted.any() else float("inf")
    covariance = np.linalg.pinv(normal, hermitian=True)
    return Solved(x, weights, centred, np.asarray(covariance, dtype=np.float64), rms)


def remove_offsets(values: Floats, weights: Floats, groups: NDArray[np.intp] | None) -> Floats:
    """``values`` (n or n×k) less the weighted mean of their group."""
    if groups is None or not len(groups):
        return values
    total = np.maximum(np.bincount(groups, weights=weights), _TINY)
    if values.ndim == 1:
        return np.asarray(values - (np.bincount(groups, weights=weights * values) / total)[groups])
    means = [np.bincount(groups, weights=weights * column) / total for column in values.T]
    return np.asarray(values - np.array(means).T[groups])


def robust_weights(residuals: Floats, spread: float) -> Floats:
    """Cauchy-like weights that fall faster: 1 at rest, a half near 1.6 spreads off, none far away."""
    return np.asarray(1.0 / (1.0 + (residuals / (2.5 * spread)) ** 2) ** 2)


def _weigh(problem: Problem, residuals: Floats, spread: float) -> tuple[Floats, Floats]:
    weights = np.where(np.isfinite(residuals), 1.0, 0.0)
    clean = np.where(np.isfinite(residuals), residuals, 0.0)
    known = weights.copy()
    centred = remove_offsets(clean, weights, problem.groups)
    for _ in range(2):
        weights = known * robust_weights(centred, spread)
        centred = remove_offsets(clean, weights, problem.groups)
    return weights, centred


def _cost(problem: Problem, x: Floats, residuals: Floats, spread: float) -> float:
    centred = _weigh(problem, residuals, spread)[1]
    reach = 2.5 * spread
    share = (centred / reach) ** 2
    # A point that cannot be projected costs as much as the worst outlier.
    loss = np.where(np.isfinite(residuals), share / (1 + share), 1.0).sum() * (reach / problem.noise_px) ** 2
    if problem.expected is not None:
        loss += float(np.sum(problem.expected(x) ** 2))
    return float(loss)


def _normal_equations(
    problem: Problem, x: Floats, residuals: Floats, weights: Floats, centred: Floats
) -> tuple[Floats, Floats]:
    if problem.slopes is not None:
        slopes = problem.slopes(x, residuals)
    else:
        slopes = _slopes(problem.measured, x, residuals, problem.steps)
    slopes = np.where(np.isfinite(slopes), slopes, 0.0)
    slopes = remove_offsets(slopes, weights, problem.groups)
    heavy = weights[:, None] * slopes / problem.noise_px**2
    normal, gradient = slopes.T @ heavy, heavy.T @ centred
    if problem.expected is not None:
        here = problem.expected(x)
        prior = _slopes(problem.expected, x, here, problem.steps)
        normal = normal + prior.T @ prior
        gradient = gradient + prior.T @ here
    return normal, gradient


def _slopes(function: Callable[[Floats], Floats], x: Floats, here: Floats, steps: Floats) -> Floats:
    slopes = np.empty((len(here), len(x)))
    for k, step in enumerate(steps):
        shifted = x.copy()
        shifted[k] += step
        slopes[:, k] = (function(shifted) - here) / step
    return slopes


def _step(
    problem: Problem,
    x: Floats,
    equations: tuple[Floats, Floats],
    state: tuple[float, float, float],
) -> tuple[bool, float, Floats, Floats]:
    """One accepted step downhill: whether there was one, the new damping, unknowns and residuals."""
    normal, gradient = equations
    cost, damping, spread = state
    diagonal = np.maximum(np.diag(normal), _TINY)
    for _ in range(8):
        move = np.linalg.solve(normal + np.diag(damping * diagonal), -gradient)
        residuals = problem.measured(x + move)
        if _cost(problem, x + move, residuals, spread) < cost:
            return True, max(damping * _DOWN, 1e-9), x + move, residuals
        damping *= _UP
    return False, damping, x, problem.measured(x)
