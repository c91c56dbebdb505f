"""Teach the pip counter how much each of its signs is worth, on simulated pictures; nothing else is learned.

    python -m training.pip_counter --data OUT/train

Every third picture is kept for the figures, which are printed and written beside the weights.
"""

from pathlib import Path

import numpy as np

from training.examples import Pictures, Target
from training.weighing import write
from vision.pieces import pips
from vision.pieces.patches import Floats, Picture, cut
from vision.pieces.pip_blobs import SIZE_PX

JITTER = 0.015
"""How far off the corners are that the networks give, as a share of a domino's width."""
WHOLE = 0.93
"""Pieces seen less than this teach only what a count is worth, not how patterns look."""
_ASKED = (0.9, 0.95, 0.97, 0.99)
_AT_ONCE = 64


def examples(folder: Path, rng: np.random.Generator) -> dict[str, tuple[Floats, Floats]]:
    """For dominoes and dice: features of halves or faces, and (pips, share seen, kept for the figures)."""
    pictures = Pictures(folder)
    seen: dict[str, list[tuple[Picture, tuple[float, ...]]]] = {"domino": [], "die": []}
    for n in range(len(pictures)):
        shown = [(t, _shows(t)) for t in pictures.targets[n] if t.visible >= 0.3]
        if not any(pips_there for _, pips_there in shown):
            continue
        picture = pictures.picture(n)
        for one, there in shown:
            if not there:
                continue
            width = float(np.linalg.norm(one.axes[1]))
            corners = one.corners + rng.normal(0, JITTER * width, (4, 2)) + rng.normal(0, JITTER * width, 2)
            kind = "domino" if len(there) == 2 else "die"
            for k, count in enumerate(there):
                if kind == "domino":
                    patch = pips.half(picture, corners, k)
                else:
                    patch = cut(picture, corners, pips.HALF, (SIZE_PX, SIZE_PX))[0]
                seen[kind].append((patch, (count, one.visible, float(n % 3 == 0))))
    return {kind: _told(kind, found) for kind, found in seen.items()}


def _shows(one: Target) -> tuple[int, ...]:
    value = one.facts["value"] or {}
    if one.kind == "domino" and one.facts["face"] == "up":
        return tuple(value["pips"])
    return (int(value["face"]),) if one.kind == "die" and value.get("set") == "pips" else ()


def _told(kind: str, found: list[tuple[Picture, tuple[float, ...]]]) -> tuple[Floats, Floats]:
    known = pips.DOMINO if kind == "domino" else pips.DIE
    parts = [
        pips.features(np.stack([p for p, _ in found[k : k + _AT_ONCE]]).astype(np.float32), known)
        for k in range(0, len(found), _AT_ONCE)
    ]
    return np.concatenate(parts), np.array([facts for _, facts in found])


def pattern_weights(told: Floats, pips_there: Floats, known: pips.Patterns, steps: int = 600) -> Floats:
    """The weights that make the right count likeliest: maximum likelihood, by Adam's steps."""
    right = np.array([*known.counts, 0])[None, :] == pips_there[:, None]
    weights = mean = square = np.zeros(told.shape[2])
    for step in range(1, steps + 1):
        p = pips.scores(told, weights)
        q = p * right / (p * right).sum(axis=1, keepdims=True).clip(1e-12)
        slope = np.einsum("np,npf->f", p - q, told) / len(told) + 1e-3 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights - 0.1 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def logistic(why: Floats, right: Floats, hold: float = 3e-4) -> Floats:
    """The weights of a logistic regression of ``right`` on ``why``, by Newton's steps."""
    weights = np.zeros(why.shape[1])
    ridge = hold * len(right) * np.diag([0.0] + [1.0] * (why.shape[1] - 1)) + 1e-6 * np.eye(why.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-why @ weights))
        bend = why.T @ (why * (p * (1 - p))[:, None]) + ridge
        weights = weights + np.linalg.solve(bend, why.T @ (right - p) - ridge @ weights)
    return weights


def learned(told: Floats, facts: Floats, known: pips.Patterns) -> tuple[pips.Weights, list[str]]:
    """The weights, and lines on how well they do on the pictures kept for that."""
    learn, whole = facts[:, 2] == 0, facts[:, 1] > WHOLE
    pattern = pattern_weights(told[learn & whole], facts[learn & whole, 0], known)
    best, why = pips.evidence(told, pips.scores(told, pattern), known)
    right = best == facts[:, 0]
    weights = pips.Weights(pattern, logistic(why[learn], right[learn].astype(float)))
    belief = 1 / (1 + np.exp(-why @ weights.count))
    lines = []
    for name, mine in (("whole", whole & ~learn), ("partly covered", ~whole & ~learn)):
        if not mine.any():
            continue
        lines.append(f"{name}: n {mine.sum()}, likeliest right {right[mine].mean():.4f}")
        for least in _ASKED:
            said = mine & (belief >= least)
            share, wrong = said.sum() / mine.sum(), (~right[said]).sum()
            lines.append(f"  confidence >= {least}: speaks of {share:.3f}, wrong {wrong} of {said.sum()}")
    return weights, lines


def file_lines(folder: Path) -> list[str]:
    """The weights that these pictures teach, and the figures."""
    text = ["# How much the pip counter's signs are worth; made by training.pip_counter, figures on pictures"]
    text += ["# that were kept apart."]
    for kind, (told, facts) in examples(folder, np.random.default_rng(5)).items():
        weights, shown = learned(told, facts, pips.DOMINO if kind == "domino" else pips.DIE)
        text += ["", *(f"# {kind}, {line.strip()}" for line in shown), f"[{kind}.pattern]"]
        text += [f'"{f}" = {w:.4f}' for f, w in zip(pips.FOR_A_PATTERN, weights.pattern, strict=True)]
        text += [f"[{kind}.count]"]
        text += [f'"{f}" = {w:.4f}' for f, w in zip(pips.FOR_THE_COUNT, weights.count, strict=True)]
    return text


if __name__ == "__main__":
    raise SystemExit(write(__doc__, "pips.toml", file_lines))
