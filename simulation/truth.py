"""The exact truth of a drawn frame, under the keys of ``pipwatch read --json``.

Each piece also has ``name``, ``square_px`` (the square around what has no corners), ``visible`` (the share
of its top face, or of its whole shape where it has no flat top, that the picture shows) and ``top_mm`` (how
high that face is). A coin has ``stack`` as well: how many coins lie there, from the table up to this one.
"""

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import cv2
import numpy as np

from simulation.bodies import PlacedBody, place
from simulation.canvas import Array
from simulation.ground_view import GroundView
from simulation.shapes import Block, circle, rounded_rectangle
from simulation.virtual_scene import Piece

Facts: TypeAlias = dict[str, Any]
ROUND = ("pawn", "coin")
GAME_KINDS = ("domino", "coin", "pawn", "die", "soldier", "wall", "tile", "sheet")


def facts_of(
    view: GroundView,
    pieces: Sequence[Piece],
    placed: Sequence[PlacedBody],
    bodies: Array,
    *,
    metric: bool = True,
) -> list[Facts]:
    """The facts of every piece of a game, in order; ``placed[k]`` is the body of ``pieces[k]``."""
    counts: Array = np.bincount(bodies.ravel() + 1, minlength=len(placed) + 1)[1:]
    found = []
    for k, (piece, one) in enumerate(zip(pieces, placed, strict=False)):
        if piece.kind not in GAME_KINDS:
            continue
        fact = _where(view, piece, one, metric)
        fact["visible"] = (
            round(_visible(view, (piece, one), (bodies == k), int(counts[k])), 4) if counts[k] else 0.0
        )
        if piece.kind == "coin":
            fact["stack"] = stack_up_to(piece, pieces)
        found.append(fact)
    return found


def stack_up_to(coin: Piece, pieces: Sequence[Piece]) -> int:
    """How many coins lie in a coin's place, from the lowest up to this one."""
    reach = place(coin).body.shape.reach_mm / 2
    below = [
        one
        for one in pieces
        if one.kind == "coin" and one.z_mm < coin.z_mm and math.dist(_at(one), _at(coin)) < reach
    ]
    return 1 + len(below)


def _at(piece: Piece) -> tuple[float, float]:
    return piece.x_mm, piece.y_mm


def _where(view: GroundView, piece: Piece, one: PlacedBody, metric: bool) -> Facts:
    corners = one.top_corners()
    pixels = view.camera.to_pixels(corners)
    middle = view.camera.to_pixels(corners.mean(axis=0, keepdims=True))[0]
    value = seen_value(piece)
    return {
        "name": piece.name,
        "kind": piece.kind,
        "face": piece.face,
        "value": value,
        "owner": piece.owner,
        "centre_px": _rounded(middle),
        "corners_px": None if piece.kind in ROUND else [_rounded(p) for p in pixels],
        "square_px": [_rounded(p) for p in pixels] if piece.kind in ROUND else None,
        "centre_mm": _rounded(corners.mean(axis=0)[:2]) if metric else None,
        "angle_deg": round(piece.angle_deg % 360, 2),
        "top_mm": round(float(corners[:, 2].mean()), 2),
    }


def seen_value(piece: Piece) -> Facts | None:
    """What of a piece's value its upper side shows: a coin never both its suit and its value."""
    if piece.value is None or (piece.kind in ("domino", "wall") and piece.face != "up"):
        return None
    value: Facts = dict(piece.value)
    if piece.kind == "coin":
        value["value" if piece.face == "down" else "suit"] = None
    elif piece.kind == "die" and value.get("face") == "null":
        value["suit"] = None
    elif piece.kind == "soldier":
        value["facing_deg"] = round(piece.angle_deg % 360, 2)
    return value


def _rounded(point: Array) -> list[float]:
    return [round(float(v), 2) for v in point]


def _visible(view: GroundView, what: tuple[Piece, PlacedBody], seen: Array, count: int) -> float:
    piece, one = what
    outline = _flat_top(view, piece, one)
    if outline is None:
        return min(1.0, count / max(1.0, _silhouette_px(view, one)))
    face, left, upper = _drawn(view.camera.to_pixels(outline), [])
    inside = _window(seen, left, upper, face.shape)
    whole = int(np.count_nonzero(face))
    return int(np.count_nonzero(inside & (face > 0))) / max(1, whole)


def _flat_top(view: GroundView, piece: Piece, one: PlacedBody) -> Array | None:
    """The outline (n×3, on the table) of the flat part of the top face, or None for a piece without one."""
    less = 0.75 / view.density(one.x_mm, one.y_mm)
    shape = one.body.shape
    if piece.kind == "coin":
        flat = circle(max(0.5, one.body.shape.reach_mm - 0.6 - less))
    elif isinstance(shape, Block) and piece.kind in GAME_KINDS:
        less += shape.edge_mm
        corner = max(shape.corner_mm, shape.edge_mm)
        flat = rounded_rectangle(shape.x_mm - 2 * less, shape.y_mm - 2 * less, max(0.1, corner - less))
    else:
        return None
    return one.on_table(np.concatenate([flat, np.full((len(flat), 1), one.body.face_mm)], axis=1))


def _silhouette_px(view: GroundView, one: PlacedBody) -> float:
    """How many pixels a body alone would cover, those beyond the frame included."""
    layers = []
    for points, low, high in one.outlines():
        rims = [np.concatenate([points, np.full((len(points), 1), z)], axis=1) for z in (low, high)]
        layers.append(
            cv2.convexHull(view.camera.to_pixels(np.concatenate(rims)).astype(np.float32)).reshape(-1, 2)
        )
    mask, _, _ = _drawn(layers[0], layers[1:])
    # Filling takes the whole of every pixel on the rim, of which half lies outside.
    inner = cv2.erode(mask, np.ones((3, 3), np.uint8))
    return float(np.count_nonzero(mask) + np.count_nonzero(inner)) / 2


def _drawn(first: Array, rest: Sequence[Array]) -> tuple[Array, int, int]:
    """Polygons filled on a mask of their own, and where its upper left corner lies in the picture."""
    points = np.concatenate([first, *rest])
    left, upper = np.floor(points.min(axis=0)).astype(int) - 1
    right, lower = np.ceil(points.max(axis=0)).astype(int) + 2
    mask = np.zeros((min(lower - upper, 4000), min(right - left, 4000)), dtype=np.uint8)
    for polygon in (first, *rest):
        pixels = np.round((polygon - (left, upper)) * 16).astype(np.int32)
        cv2.fillPoly(mask, [pixels], 1, shift=4)
    return mask, int(left), int(upper)


def _window(seen: Array, left: int, upper: int, shape: tuple[int, ...]) -> Array:
    """The part of a picture-wide mask under a window that may stick out of the picture."""
    found = np.zeros(shape, dtype=bool)
    rows, columns = seen.shape
    x0, y0 = max(left, 0), max(upper, 0)
    x1, y1 = min(left + shape[1], columns), min(upper + shape[0], rows)
    if x0 < x1 and y0 < y1:
        found[y0 - upper : y1 - upper, x0 - left : x1 - left] = seen[y0:y1, x0:x1]
    return found


def hidden_regions(covered: Array, smallest_px: int = 60) -> list[list[list[int]]]:
    """The outlines of what a mask covers (hands, things in the way), as ``hidden`` lists them."""
    contours, _ = cv2.findContours(covered.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        if cv2.contourArea(contour) < smallest_px:
            continue
        simple = cv2.approxPolyDP(contour, 1.5, True).reshape(-1, 2)
        found.append([[int(x), int(y)] for x, y in simple])
    return found
