"""A virtual table that is filmed: draws frame after frame, and of each frame only what has changed.

    stage = Stage(scene)             # the scene's own pieces stay put: markers, a mat, tiles of a board
    frame = stage.frame(pieces)      # everything that may move, every time
    frame.picture, frame.facts(), frame.hidden()

**Hands and anything else** come in three ways, all arguments of ``frame``:

* ``hands``: bodies (``simulation.bodies.PlacedBody``) of any form, such as fingers and arms of
  ``shapes.Limbs`` at any height. They are drawn, lit, cast shadows and hide pieces like all else, and are
  no part of the facts; what they cover is ``frame.hidden()``. Give each a name, and the same ``Body``
  object as long as it has not changed: only poses are compared.
* ``overlays``: flat pictures laid over the light before the lens (``Overlay``), however they were drawn.
* ``gains`` (one for the room and one for each lamp), ``veils`` (a lamp's share of light, a map of any size
  over the picture, by the lamp's index; -1 is the room) and ``exposure``: lamps that are switched, shadows
  that pass, a camera that hunts for its exposure.

A moved camera is ``stage.look_from(camera)``: everything is drawn anew, the table's surface stays the same.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Camera
from simulation import sensor, surfaces
from simulation.bodies import PlacedBody, place
from simulation.canvas import Array, threefold
from simulation.ground_view import GroundView, Rect, overlap
from simulation.ray_memory import RayMemory
from simulation.render import Room, draw, reach_rect
from simulation.sensor import Picture
from simulation.truth import Facts, facts_of, hidden_regions
from simulation.virtual_scene import Lamp, Piece, VirtualScene, stream

_GLOOM_MM = 12.0
_NOISE_MARGIN_PX = 160


@dataclass(frozen=True)
class Overlay:
    """A flat picture of linear light (rows × columns × 3, red first) with its coverage (0 to 1)."""

    left: int
    upper: int
    light: Array
    cover: Array


@dataclass(frozen=True)
class StageFrame:
    """One frame of the film."""

    picture: Picture
    pieces: tuple[Piece, ...]
    placed: tuple[PlacedBody, ...]
    bodies: Array
    """Which of ``placed`` each pixel shows, -1 for the table; hands come after all pieces."""
    view: GroundView
    covered: Array | None

    def facts(self) -> list[Facts]:
        """The truth about every piece of the game."""
        return facts_of(self.view, self.pieces, self.placed, self._bodies_under_overlays())

    def hidden(self) -> list[list[list[int]]]:
        """The outlines of what hands and overlays cover."""
        hands = self.bodies >= len(self.pieces)
        return hidden_regions(hands if self.covered is None else hands | self.covered)

    def hand_share(self) -> float:
        """The share of the picture that hands and overlays cover."""
        hands = self.bodies >= len(self.pieces)
        return float((hands if self.covered is None else hands | self.covered).mean())

    def _bodies_under_overlays(self) -> Array:
        return self.bodies if self.covered is None else np.where(self.covered, np.int32(-1), self.bodies)


class Stage:
    """A table, its lamps and a camera, with everything that has not changed since the last frame kept."""

    def __init__(self, scene: VirtualScene) -> None:
        self.scene = scene
        self.fixed = scene.pieces
        self._rng = stream(scene.seed, "film noise")
        # Haze and fringes depend on the whole picture; a film camera under a lamp has neither to speak of.
        self.sensor = replace(scene.sensor, haze=0.0, fringe=0.0, metering=0.0)
        self._ground: surfaces.Ground | None = None
        self.look_from(scene.camera)

    def look_from(self, camera: Camera) -> None:
        """Moves the camera; the next frame is drawn anew."""
        view = GroundView.of(camera)
        if self._ground is None or not self._ground.covers(view.region()):
            left, near, right, far = view.region()
            margin = 0.06 * max(right - left, far - near)
            self._ground = surfaces.paint(self.scene.surface, view.region(None, margin), view.density())
        self.room = Room(view, self._ground, self.scene.lamps, self.scene.surroundings, RayMemory())
        self._last: tuple[PlacedBody, ...] | None = None
        self._mix: tuple[object, ...] | None = None
        self._laid: list[Rect] = []
        columns, rows = view.size
        self._light = np.zeros((len(self.scene.lamps) + 1, rows, columns, 3), dtype=np.float32)
        self._bodies = np.full((rows, columns), -1, dtype=np.int32)
        self._shown = np.zeros((rows, columns, 3), dtype=np.float32)
        self._grain = np.zeros((rows, columns, 3), dtype=np.float32)
        # Memory that is asked for anew with every frame would cost as much as what is reckoned in it.
        self._noisy = np.empty((rows, columns, 3), dtype=np.float32)
        self._vignette = threefold(sensor.vignette((rows, columns), self.sensor.vignette))
        self._noise = sensor.noise(
            (rows + _NOISE_MARGIN_PX, columns + _NOISE_MARGIN_PX, 3), self.sensor, self._rng
        )

    def frame(
        self,
        pieces: Sequence[Piece],
        *,
        hands: Sequence[PlacedBody] = (),
        overlays: Sequence[Overlay] = (),
        gains: Sequence[float] | None = None,
        veils: Mapping[int, Array] | None = None,
        exposure: float = 1.0,
    ) -> StageFrame:
        """The next frame of the film."""
        everything = (*self.fixed, *pieces)
        placed = (*(place(piece) for piece in everything), *hands)
        rects = self._redraw(placed)
        mix = (tuple(gains) if gains else None, exposure)
        whole = (0, 0, *self.room.view.size)
        laid = [_overlay_rect(one) for one in overlays]
        laid += [rect for veil in (veils or {}).values() if (rect := _veil_rect(veil, self.room.view.size))]
        if mix != self._mix:
            rects = [whole]
        elif laid or self._laid:
            # What overlays and veils touched has to be developed again once they have gone.
            rects = merged([*rects, *laid, *self._laid], whole)
        self._mix, self._laid = mix, laid
        for rect in rects:
            self._develop(rect, overlays, (gains, veils or {}, exposure))
        covered = self._cover(overlays) if overlays else None
        return StageFrame(self._film(), everything, placed, self._bodies.copy(), self.room.view, covered)

    # --- drawing -----------------------------------------------------------------------------------

    def _redraw(self, placed: tuple[PlacedBody, ...]) -> list[Rect]:
        """Draws what has changed since the last frame, and says where that is."""
        whole = (0, 0, *self.room.view.size)
        if self._last is None:
            rects = [whole]
        else:
            rects = merged([r for one in _changed(self._last, placed) for r in self._touched(one)], whole)
            if _names(self._last) != _names(placed):
                self._renumber(self._last, placed)
        for rect in rects:
            drawing = draw(self.room, placed, rect)
            left, upper, right, lower = rect
            self._light[:, upper:lower, left:right] = drawing.light
            self._bodies[upper:lower, left:right] = drawing.bodies
        self._last = placed
        return rects

    def _renumber(self, before: tuple[PlacedBody, ...], after: tuple[PlacedBody, ...]) -> None:
        """Keeps the index of every body that stays when others come or go."""
        now = {one.name: k for k, one in enumerate(after)}
        table = np.array([now.get(one.name, -1) for one in before] + [-1], dtype=np.int32)
        self._bodies = table[self._bodies]

    def _touched(self, one: PlacedBody) -> list[Rect]:
        """The pixels that a body, its shadows and its gloom can change."""
        view = self.room.view
        rects = [
            reach_rect(view, one),
            view.rect_around(one.x_mm, one.y_mm, one.body.shape.reach_mm + _GLOOM_MM, (0, 0)),
        ]
        rects += [_shadow_rect(view, one, lamp) for lamp in self.scene.lamps]
        left, upper = (min(r[k] for r in rects) for k in (0, 1))
        right, lower = (max(r[k] for r in rects) for k in (2, 3))
        found = overlap((left - 2, upper - 2, right + 2, lower + 2), (0, 0, *view.size))
        return [found] if found else []

    def _develop(
        self,
        rect: Rect,
        overlays: Sequence[Overlay],
        mix: tuple[Sequence[float] | None, Mapping[int, Array], float],
    ) -> None:
        """Turns light into display values for a part of the picture (and a little around it)."""
        gains, veils, exposure = mix
        pad = int(4 * self.sensor.blur_px + 2 * np.hypot(*self.sensor.motion_px)) + 4
        whole = (0, 0, *self.room.view.size)
        outer = overlap((rect[0] - pad, rect[1] - pad, rect[2] + pad, rect[3] + pad), whole) or whole
        inner = (
            overlap((rect[0] - pad // 2, rect[1] - pad // 2, rect[2] + pad // 2, rect[3] + pad // 2), whole)
            or whole
        )
        light = self._mixed(outer, gains, veils)
        for overlay in overlays:
            _lay(overlay, light, outer)
        left, upper, right, lower = outer
        light *= self._vignette[upper:lower, left:right]
        raw = sensor.through_lens(
            light,
            replace(self.sensor, vignette=0.0, exposure=self.sensor.exposure * exposure),
        )
        steps = sensor.curve_steps(raw)
        shown = sensor.sharpened(sensor.develop(steps, self.sensor), self.sensor)
        grain = sensor.grain(raw, steps, self.sensor)
        x, y = inner[0] - left, inner[1] - upper
        w, h = inner[2] - inner[0], inner[3] - inner[1]
        target = (slice(inner[1], inner[3]), slice(inner[0], inner[2]))
        self._shown[target] = shown[y : y + h, x : x + w]
        self._grain[target] = grain[y : y + h, x : x + w]

    def _mixed(self, rect: Rect, gains: Sequence[float] | None, veils: Mapping[int, Array]) -> Array:
        left, upper, right, lower = rect
        part = self._light[:, upper:lower, left:right]
        total = np.zeros(part.shape[1:], dtype=np.float32)
        kept = np.empty_like(total)
        for k, layer in enumerate(part):
            if gains is not None:
                layer = np.multiply(layer, np.float32(gains[k]), out=kept)
            if k - 1 in veils:
                veil = threefold(_veil_over(veils[k - 1], rect, self.room.view.size))
                layer = np.multiply(layer, veil, out=kept)
            total += layer
        return total

    def _film(self) -> Picture:
        """The developed picture with fresh noise."""
        rows, columns = self._shown.shape[:2]
        x, y = (int(v) for v in self._rng.integers(0, _NOISE_MARGIN_PX, 2))
        noise = self._noise[y : y + rows, x : x + columns]
        noisy = cv2.multiply(self._grain, noise, dst=self._noisy)
        picture = cv2.add(noisy, self._shown, dtype=cv2.CV_8U)
        cv2.cvtColor(picture, cv2.COLOR_RGB2BGR, dst=picture)
        return sensor.compress(np.asarray(picture, dtype=np.uint8), self.sensor.jpeg_quality)

    def _cover(self, overlays: Sequence[Overlay]) -> Array:
        columns, rows = self.room.view.size
        covered = np.zeros((rows, columns), dtype=bool)
        for overlay in overlays:
            where = _where_laid(overlay, (0, 0, columns, rows))
            if where:
                target, source = where
                covered[target] |= overlay.cover[source] > 0.5
        return covered


def _names(placed: Sequence[PlacedBody]) -> list[str]:
    return [one.name for one in placed]


def _pose(one: PlacedBody) -> tuple[float, ...]:
    return (one.x_mm, one.y_mm, one.z_mm, one.angle_deg, one.tilt_deg)


def _changed(before: Sequence[PlacedBody], after: Sequence[PlacedBody]) -> list[PlacedBody]:
    """All bodies that came, went or moved: as they were and as they are."""
    was, now = ({one.name: one for one in group} for group in (before, after))
    found = []
    for name in was.keys() | now.keys():
        a, b = was.get(name), now.get(name)
        if a is None or b is None or a.body is not b.body or _pose(a) != _pose(b):
            found += [one for one in (a, b) if one is not None]
    return sorted(found, key=lambda one: one.name)


def _shadow_rect(view: GroundView, one: PlacedBody, lamp: Lamp) -> Rect:
    """The pixels on which a body's shadow from a lamp can fall."""
    lx, ly, lz = lamp.position_mm
    z = min(one.top_mm, 0.85 * lz)
    share = z / (lz - z)
    reach = one.body.shape.reach_mm * (1 + share) + lamp.radius_mm * share
    return view.rect_around(
        one.x_mm - (lx - one.x_mm) * share, one.y_mm - (ly - one.y_mm) * share, reach, (0.0, 0.0)
    )


def merged(rects: Sequence[Rect], whole: Rect) -> list[Rect]:
    """The same pixels in rectangles that do not overlap."""
    found: list[Rect] = []
    for rect in rects:
        current = overlap(rect, whole)
        while current:
            near = next((r for r in found if overlap(r, current)), None)
            if near is None:
                found.append(current)
                break
            found.remove(near)
            current = (
                min(near[0], current[0]),
                min(near[1], current[1]),
                max(near[2], current[2]),
                max(near[3], current[3]),
            )
    return found


def _overlay_rect(overlay: Overlay) -> Rect:
    rows, columns = overlay.cover.shape
    return (overlay.left, overlay.upper, overlay.left + columns, overlay.upper + rows)


def _veil_rect(veil: Array, size: tuple[int, int]) -> Rect | None:
    """The pixels that a veil darkens."""
    dark = veil < 0.998
    columns, rows = np.flatnonzero(dark.any(axis=0)), np.flatnonzero(dark.any(axis=1))
    if not len(columns):
        return None
    wide, high = size[0] / veil.shape[1], size[1] / veil.shape[0]
    return (
        math.floor((int(columns[0]) - 1) * wide),
        math.floor((int(rows[0]) - 1) * high),
        math.ceil((int(columns[-1]) + 2) * wide),
        math.ceil((int(rows[-1]) + 2) * high),
    )


def _veil_over(veil: Array, rect: Rect, size: tuple[int, int]) -> Array:
    """A veil of any size as it lies over some pixels of the picture."""
    wide, high = veil.shape[1] / size[0], veil.shape[0] / size[1]
    warp = np.array([
        [wide, 0, (rect[0] + 0.5) * wide - 0.5], [0, high, (rect[1] + 0.5) * high - 0.5]
    ])  # fmt: skip
    return np.asarray(
        cv2.warpAffine(
            np.asarray(veil, dtype=np.float32), warp, (rect[2] - rect[0], rect[3] - rect[1]),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )
    )  # fmt: skip


def _where_laid(overlay: Overlay, rect: Rect) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    rows, columns = overlay.cover.shape
    mine = (overlay.left, overlay.upper, overlay.left + columns, overlay.upper + rows)
    both = overlap(mine, rect)
    if both is None:
        return None
    target = (slice(both[1] - rect[1], both[3] - rect[1]), slice(both[0] - rect[0], both[2] - rect[0]))
    source = (slice(both[1] - mine[1], both[3] - mine[1]), slice(both[0] - mine[0], both[2] - mine[0]))
    return target, source


def _lay(overlay: Overlay, light: Array, rect: Rect) -> None:
    where = _where_laid(overlay, rect)
    if where:
        target, source = where
        part = light[target]
        more = overlay.light[source] - part
        more *= threefold(overlay.cover[source])
        part += more
