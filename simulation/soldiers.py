"""Toy soldiers: small figures on a round base that face along x, one pose for each type of troop."""

from collections.abc import Callable

from calibration import soldier_marks
from simulation.bodies import Body, Skin, square_corners
from simulation.canvas import Canvas, Texture
from simulation.makes import Colour, SoldierLook, Stuff
from simulation.shapes import Group, Limbs, Moved, Shape, Turned

Rod = tuple[float, float, float, float, float, float, float, float]


def _rod(
    a: tuple[float, float, float], b: tuple[float, float, float], ra: float, rb: float | None = None
) -> Rod:
    return (*a, *b, ra, ra if rb is None else rb)


def _standing(stride: float = 2.5, lean: float = 0.0) -> list[Rod]:
    """Legs and trunk of a figure 30 mm tall that looks along x."""
    return [
        _rod((-stride, 2.6, 2.5), (0, 1.8, 13), 1.7, 2.1),
        _rod((stride, -2.6, 2.5), (0, -1.8, 13), 1.7, 2.1),
        _rod((0, 0, 13), (lean, 0, 21), 3.0, 3.3),
    ]


def _arms(
    left: tuple[float, float, float], right: tuple[float, float, float], lean: float = 0.0
) -> list[Rod]:
    return [_rod((lean, 3.6, 20.5), left, 1.5, 1.3), _rod((lean, -3.6, 20.5), right, 1.5, 1.3)]


def _head(lean: float = 0.6, z: float = 26.0) -> Rod:
    return _rod((lean, 0, z), (lean, 0, z + 1.2), 2.8)


def _hat(brim: float, lean: float = 0.6, z: float = 28.0) -> Shape:
    """A hat with a brim (seen from above the best sign of its wearer)."""
    crown = min(2.8, brim)
    return Moved(
        Turned(((0, 0), (brim, 0), (brim, 0.7), (crown, 0.9), (crown * 0.8, 3.2), (0, 3.4))), lean, 0, z
    )


_HELMET = Moved(Turned(((0, 0), (3.6, 0), (3.5, 1.2), (2.4, 3.0), (0, 3.6))), 0.6, 0, 26.6)
_WOOD: Colour = (0.22, 0.11, 0.04)
_IRON: Colour = (0.05, 0.05, 0.055)
_Pose = tuple[list[Rod], list[Rod], list[Shape], tuple[Colour, ...]]


def _general() -> _Pose:
    # Hands on the hips and a flat cap with a peak.
    body = [*_standing(1.5), *_arms((-0.5, 6.2, 15.5), (-0.5, -6.2, 15.5)), _head()]
    body += [_rod((-0.5, 6.2, 15.5), (0.8, 3.4, 13.5), 1.3), _rod((-0.5, -6.2, 15.5), (0.8, -3.4, 13.5), 1.3)]
    cap = Moved(Turned(((0, 0), (3.2, 0), (4.4, 2.2), (0, 2.8))), 0.4, 0, 28)
    peak: Shape = Limbs((_rod((3.0, -2, 28), (3.0, 2, 28), 1.2),))
    return body, [], [cap, peak], (_WOOD, _WOOD)


def _chieftain() -> _Pose:
    body = [*_standing(1.5), *_arms((2, 6.5, 16), (3.5, -6.0, 19)), _head()]
    feathers: Shape = Limbs(tuple(
        _rod((-0.5, 0, 28), (-4.5 - 1.2 * (2 - abs(k)), 3.2 * k, 31.5), 0.9, 0.7) for k in (-2, -1, 0, 1, 2)
    ))  # fmt: skip
    staff = [_rod((3.5, -6.2, 3), (3.5, -6.2, 32), 0.6)]
    return body, staff, [feathers], ((0.7, 0.68, 0.6),)


def _grunt() -> _Pose:
    body = [*_standing(3.0), *_arms((5.5, 1.5, 18.5), (2.5, -2.5, 17.0)), _head()]
    return body, [_rod((-2.5, -4.2, 16), (10.5, 3.6, 20.5), 0.75)], [_HELMET], (_IRON,)


def _sniper() -> _Pose:
    # On one knee, a long rifle straight ahead.
    body = [
        _rod((-5.5, 2, 2.5), (0.5, 2, 3), 1.8), _rod((3.5, -2.4, 2.5), (3.0, -2, 10), 1.8),
        _rod((3.0, -2, 10), (-0.5, 0, 9.5), 2.0), _rod((-0.5, 0, 9.5), (0.5, 0, 17), 3.0, 3.2),
        _rod((0.5, 3.4, 16.5), (7.5, 0.6, 17.5), 1.4), _rod((0.5, -3.4, 16.5), (2.5, -1.0, 17.2), 1.4),
        _head(1.4, 21.0),
    ]  # fmt: skip
    helmet = Moved(Turned(((0, 0), (3.4, 0), (3.2, 1.2), (2.2, 2.8), (0, 3.3))), 1.4, 0, 21.6)
    return body, [_rod((-1.5, -0.6, 17.6), (19.5, -0.2, 18.6), 0.62)], [helmet], (_IRON,)


def _kamikaze() -> _Pose:
    # Arms flung wide, a pack on the back.
    body = [*_standing(4.0, 1.0), *_arms((1.5, 10.5, 23), (1.5, -10.5, 23), 1.0), _head(1.6)]
    pack: Shape = Limbs(
        (_rod((-4.0, -2.2, 15), (-4.0, -2.2, 21), 2.1), _rod((-4.0, 2.2, 15), (-4.0, 2.2, 21), 2.1))
    )
    band: Shape = Moved(Turned(((0, 0), (3.05, 0), (3.05, 1.0), (0, 1.2))), 1.6, 0, 26.6)
    return body, [], [pack, band], ((0.45, 0.04, 0.03), (0.7, 0.68, 0.62))


def _grenadier() -> _Pose:
    # One arm drawn back with something round in the hand.
    body = [*_standing(3.2, -0.8), *_arms((6.0, 4.5, 19.5), (-7.5, -5.5, 23.5), -0.8), _head(-0.2)]
    helmet = Moved(_HELMET.shape, -0.2, 0, 26.6)
    ball: Shape = Limbs((_rod((-8.8, -6.2, 24.5), (-8.8, -6.2, 24.6), 2.1),))
    return body, [], [helmet, ball], (_HELMET_GREEN, _IRON)


_HELMET_GREEN: Colour = (0.05, 0.09, 0.04)


def _quick_shot() -> _Pose:
    body = [*_standing(2.0), *_arms((2.5, 9.0, 19), (8.0, -3.8, 19)), _head()]
    guns = [_rod((2.5, 9.0, 19), (2.9, 13.8, 19.3), 0.8), _rod((8, -3.8, 19), (12.8, -3.9, 19.3), 0.8)]
    return body, guns, [_hat(5.8)], (_IRON, _WOOD)


def _shotgunner() -> _Pose:
    body = [*_standing(2.4), *_arms((5.0, 2.0, 16.5), (1.5, -3.0, 16.0)), _head()]
    return body, [_rod((-1, -3.8, 15.5), (9.5, 2.2, 17), 1.15)], [_hat(6.6)], (_IRON, (0.1, 0.06, 0.03))


def _gunslinger() -> _Pose:
    body = [*_standing(1.8), *_arms((7.5, 4.2, 18.5), (7.5, -4.2, 18.5)), _head()]
    guns = [_rod((7.5, y, 18.5), (12.6, 1.05 * y, 18.8), 0.85) for y in (4.2, -4.2)]
    return body, guns, [_hat(4.6)], (_IRON, (0.03, 0.03, 0.03))


def _spear_thrower() -> _Pose:
    body = [*_standing(3.6, 0.6), *_arms((5.8, 4.6, 19), (-4.2, -5.4, 24.5), 0.6), _head(1.2)]
    feather: Shape = Limbs((_rod((0.4, 0, 28.5), (-3.8, 1.2, 31), 0.8),))
    return body, [_rod((-13.5, -5.8, 24), (14.5, -5.2, 27.5), 0.65)], [feather], (_WOOD, (0.7, 0.66, 0.58))


def _lightfoot() -> _Pose:
    # Running, nothing in the hands.
    body = [
        _rod((-7.5, 2.0, 6.5), (-1.5, 1.6, 11), 1.6), _rod((-1.5, 1.6, 11), (0, 1.2, 13), 1.9),
        _rod((5.0, -2.2, 2.5), (3.4, -1.6, 9), 1.7), _rod((3.4, -1.6, 9), (0, -1.2, 13), 2.0),
        _rod((0, 0, 13), (2.4, 0, 20.5), 2.8, 3.0), _rod((2.4, 3.2, 19.8), (6.5, 4.2, 17.5), 1.3),
        _rod((2.4, -3.2, 19.8), (-2.6, -5.0, 17.0), 1.3), _head(3.4, 25.4),
    ]  # fmt: skip
    feathers: Shape = Limbs(
        (_rod((2.4, 0.5, 28), (-2.0, 1.5, 31), 0.7), _rod((2.4, -0.5, 28), (-2.0, -1.5, 31), 0.7))
    )
    return body, [], [feathers], ((0.7, 0.66, 0.58),)


_POSES: dict[str, Callable[[], _Pose]] = {
    "general": _general, "chieftain": _chieftain, "grunt": _grunt, "sniper": _sniper, "kamikaze": _kamikaze,
    "grenadier": _grenadier, "quick-shot": _quick_shot, "shotgunner": _shotgunner, "gunslinger": _gunslinger,
    "spear-thrower": _spear_thrower, "lightfoot": _lightfoot,
}  # fmt: skip


def soldier(look: SoldierLook, kind: str, side: int) -> Body:
    """A soldier of one of the types of ``calibration.soldier_marks`` in the colour of his side."""
    if kind not in _POSES:
        return _cover(look, side)
    rods, arms, worn, inks = _POSES[kind]()
    scale = look.tall_mm / 32.0
    r = look.base_mm / 2
    colour = look.sides[side % 2]
    stuff = Stuff(colour, look.gloss)
    shapes: list[Shape] = [
        Turned(((0, 0), (r, 0), (r, 1.2), (r - 0.8, 2.0), (0, 2.0))),
        _figure(rods, scale, look.bulk),
    ]
    stuffs = [stuff, stuff]
    extras: list[tuple[Shape, Colour]] = [(_figure(arms, scale, 1.0), inks[0])] if arms else []
    extras += [
        (_scaled(shape, scale), inks[min(k + bool(arms), len(inks) - 1)]) for k, shape in enumerate(worn)
    ]
    for shape, ink in extras:
        shapes.append(shape)
        # Cheap soldiers are cast in one colour; painted ones show what they carry.
        painted = look.gloss < 0.5
        stuffs.append(Stuff(ink, 0.4) if painted else stuff)
    faces = {}
    above = -1.0
    if look.marker:
        top = max(shape.top_mm for shape in shapes) - 0.6
        disc = soldier_marks.DISC_MM / 2
        shapes.append(Moved(Turned(((0, 0), (disc, 0), (disc, 0.5), (0, 0.5))), 0, 0, top))
        stuffs.append(Stuff((0.8, 0.8, 0.78), 0.15))
        above = top + 0.2
        faces["+z"] = lambda density: marker_face(kind, side % 2, density)
    shape = Group(tuple(shapes))
    skin = Skin(stuff, faces, tuple(stuffs), face_from=0.9, face_above_mm=above)
    size = 2 * max(r, 9.0 if look.marker else 0.0)
    return Body(shape, skin, square_corners(size, size), shape.top_mm if look.marker else 2.0)


def _cover(look: SoldierLook, side: int) -> Body:
    """The cap that a soldier nobody may know yet stands under."""
    r = look.base_mm / 2
    shape = Turned(
        (
            (0, 0),
            (r, 0),
            (0.7 * r, 0.8 * look.tall_mm),
            (0.5 * r, 0.85 * look.tall_mm),
            (0, 0.85 * look.tall_mm),
        )
    )
    return Body(shape, Skin(Stuff(look.sides[side % 2], 0.3)), square_corners(2 * r, 2 * r), 2.0)


def marker_face(kind: str, side: int, density: float) -> Texture:
    """The printed disc, transparent to nothing: what is not disc is never on a disc's surface."""
    size = soldier_marks.DISC_MM
    canvas = Canvas((size, size), density, Stuff((0.8, 0.8, 0.78), 0.15))
    for outline, ink in soldier_marks.outlines(kind, side):
        mask = canvas.polygon([(x * size / 2, y * size / 2) for x, y in outline])
        canvas.ink(mask, (0.02, 0.02, 0.02) if ink == "black" else (0.8, 0.8, 0.78))
    return canvas.finish()


def _figure(rods: list[Rod], scale: float, bulk: float) -> Limbs:
    return Limbs(
        tuple(
            (*(scale * v for v in rod[:6]), scale * bulk * rod[6], scale * bulk * rod[7])  # type: ignore[misc]
            for rod in rods
        ),
        melt_mm=1.2,
    )


def _scaled(shape: Shape, scale: float) -> Shape:
    if isinstance(shape, Limbs):
        return _figure(list(shape.rods), scale, 1.0)
    if isinstance(shape, Turned):
        return Turned(tuple((scale * r, scale * z) for r, z in shape.profile))
    if isinstance(shape, Moved):
        return Moved(_scaled(shape.shape, scale), *(scale * v for v in (shape.x_mm, shape.y_mm, shape.z_mm)))
    raise TypeError(f"no way to scale {shape!r}")
