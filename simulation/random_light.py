"""Random tables, lamps and cameras, from a bright kitchen to one lamp at night."""

import math
from dataclasses import replace

import numpy as np

from simulation.makes import Colour
from simulation.random_looks import Rng, any_colour, brightness, near, pick
from simulation.virtual_scene import Lamp, Sensor, Surface, Surroundings, VirtualScene

_WARM: Colour = (1.0, 0.72, 0.42)
_NEUTRAL: Colour = (1.0, 0.95, 0.88)
_COOL: Colour = (0.78, 0.90, 1.0)

_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((0.52, 0.32, 0.15), (0.28, 0.14, 0.06)),
    ((0.62, 0.46, 0.27), (0.42, 0.27, 0.13)),
    ((0.20, 0.10, 0.05), (0.07, 0.03, 0.015)),
    ((0.40, 0.19, 0.08), (0.16, 0.06, 0.025)),
    ((0.55, 0.52, 0.47), (0.33, 0.30, 0.26)),
    ((0.70, 0.62, 0.50), (0.5, 0.40, 0.28)),
    ((0.05, 0.035, 0.03), (0.02, 0.013, 0.01)),
)
_CLOTHS: tuple[Colour, ...] = (
    (0.02, 0.20, 0.06),
    (0.02, 0.28, 0.12),
    (0.02, 0.05, 0.20),
    (0.35, 0.02, 0.03),
    (0.02, 0.02, 0.022),
    (0.07, 0.07, 0.075),
    (0.55, 0.52, 0.45),
    (0.5, 0.14, 0.04),
    (0.68, 0.66, 0.62),
    (0.14, 0.10, 0.08),
)


def random_surface(rng: Rng) -> Surface:
    """A table, most often wood, cloth or something plain."""
    material = str(
        pick(
            rng,
            (
                "wood",
                "planks",
                "cloth",
                "felt",
                "fleece",
                "plain",
                "paper",
                "leather",
                "stone",
                "brushed",
                "checks",
                "stripes",
                "tiles",
                "flowers",
                "dots",
                "squares",
                "race board",
            ),
            (6, 2, 3, 3, 1.5, 5, 2, 1, 1.5, 1.5, 0.8, 0.8, 0.6, 0.8, 0.3, 0.4, 0.3),
        )
    )
    colour, second = _colours(rng, material)
    gloss = {
        "wood": 0.45,
        "planks": 0.35,
        "plain": 0.5,
        "leather": 0.5,
        "stone": 0.6,
        "brushed": 0.6,
        "tiles": 0.6,
    }.get(material, 0.1)
    return Surface(
        material,
        colour,
        second,
        scale=float(rng.uniform(0.7, 1.5)),
        gloss=float(np.clip(gloss * rng.uniform(0.2, 1.4), 0.02, 0.80)),
        angle_deg=float(rng.normal(0, 4) + 90 * rng.integers(2)),
        seed=int(rng.integers(1 << 30)),
    )


def _colours(rng: Rng, material: str) -> tuple[Colour, Colour]:
    if material in ("wood", "planks"):
        light, dark = pick(rng, _WOODS)
        return near(rng, light, 0.07), near(rng, dark, 0.07)
    if material in ("cloth", "felt", "fleece"):
        body = near(rng, pick(rng, _CLOTHS)) if rng.random() < 0.85 else any_colour(rng)
        return body, near(rng, body, 0.6)
    if material in ("plain", "paper", "dots"):
        body = pick(
            rng,
            (
                near(rng, (0.72, 0.71, 0.68), 0.05),
                near(rng, (0.03, 0.03, 0.032)),
                any_colour(rng, 0.5),
                any_colour(rng),
            ),
            (5, 2, 2, 1),
        )
        return body, any_colour(rng, 0.9)
    if material in ("leather", "brushed"):
        body = near(rng, pick(rng, ((0.02, 0.018, 0.016), (0.16, 0.07, 0.03), (0.3, 0.3, 0.31))))
        return body, near(rng, body, 0.4)
    return any_colour(rng, 0.45, (0.1, 0.75)), any_colour(rng, 0.7, (0.02, 0.6))


def random_light(rng: Rng) -> tuple[tuple[Lamp, ...], Surroundings]:
    """One of the ways in which tables are lit."""
    way = pick(
        rng, ("ceiling", "window", "desk", "mixed", "overcast", "flash", "night"), (4, 4, 2, 4, 2, 1, 1)
    )
    tint = near(rng, pick(rng, (_WARM, _NEUTRAL, _COOL)), 0.05)
    room = 0.30
    lamps: list[Lamp] = []
    if way in ("ceiling", "mixed"):
        for _ in range(int(rng.integers(1, 4 if way == "ceiling" else 2))):
            lamps.append(_lamp(rng, (500, 1500), (0, 900), tint, (20, 120)))
    if way in ("window", "mixed"):
        lamps.append(_lamp(rng, (500, 1100), (900, 1900), near(rng, _COOL, 0.05), (150, 500)))
    if way in ("desk", "night"):
        lamps.append(_lamp(rng, (250, 600), (100, 500), near(rng, _WARM, 0.06), (15, 60)))
    if way == "flash":
        lamps.append(_lamp(rng, (300, 700), (10, 90), (1.0, 0.98, 0.95), (6, 15)))
    room = {"overcast": 0.75, "night": 0.06, "flash": 0.15, "desk": 0.15}.get(
        str(way), float(rng.uniform(0.18, 0.5))
    )
    total = 1.0 - room
    shares = rng.dirichlet(np.full(max(1, len(lamps)), 2.0))
    powered = tuple(
        replace(lamp, power=float(total * share)) for lamp, share in zip(lamps, shares, strict=False)
    )
    around = near(rng, pick(rng, (_WARM, _NEUTRAL, _COOL), (1, 3, 2)), 0.05)
    lean = (float(rng.normal(0, 0.35)), float(rng.normal(0, 0.35)))
    glow = (around[0] * room, around[1] * room, around[2] * room)
    return powered, Surroundings(glow, lean, float(rng.uniform(0.2, 1.2)))


def _lamp(
    rng: Rng, high: tuple[float, float], aside: tuple[float, float], tint: Colour, radius: tuple[float, float]
) -> Lamp:
    far, turn = rng.uniform(*aside), rng.uniform(0, 2 * math.pi)
    place = (float(far * math.cos(turn)), float(far * math.sin(turn)), float(rng.uniform(*high)))
    return Lamp(place, near(rng, tint, 0.04), 0.5, float(rng.uniform(*radius)))


def balanced(rng: Rng, scene: VirtualScene) -> VirtualScene:
    """The scene with a camera that has done what cameras do: taken out most of the light's colour, and
    chosen an exposure between that for the table and that for a grey card."""
    light = np.asarray(scene.surroundings.colour) + sum(
        (np.asarray(lamp.colour) * lamp.power for lamp in scene.lamps), start=np.zeros(3)
    )
    done = float(rng.uniform(0.5, 1.0))
    gains = (light[1] / light) ** done * np.asarray(scene.sensor.white_balance)
    seen = 0.35 * brightness(scene.surface.colour) + 0.65 * 0.25
    exposure = scene.sensor.exposure * float(np.clip(0.24 / seen, 0.55, 1.35)) / float(light[1]) ** 0.7
    sensor = replace(scene.sensor, white_balance=(float(gains[0]), 1.0, float(gains[2])), exposure=exposure)
    return replace(scene, sensor=sensor)


def random_sensor(rng: Rng, poor: float = 0.25) -> Sensor:
    """A camera: a good phone as often as not, a poor webcam with the chance ``poor``."""
    bad = rng.random() < poor
    balance = np.exp(rng.normal(0, 0.10 if bad else 0.06, 3))
    balance /= balance[1]
    moving = rng.random() < 0.12
    speed = rng.normal(0, 2.0, 2) if moving else (0.0, 0.0)
    return Sensor(
        exposure=float(np.clip(np.exp(rng.normal(0.08, 0.28)), 0.4, 2.2)),
        white_balance=(float(balance[0]), 1.0, float(balance[2])),
        vignette=float(rng.uniform(0, 0.4)),
        blur_px=float(rng.uniform(0.35, 0.9) if not bad else rng.uniform(0.7, 2.0)),
        motion_px=(float(speed[0]), float(speed[1])),
        shot_noise=float(rng.uniform(0.004, 0.018) * (2.0 if bad else 1.0)),
        read_noise=float(rng.uniform(0.001, 0.005) * (2.0 if bad else 1.0)),
        noise_grain_px=float(rng.uniform(0.35, 0.9)),
        contrast=float(rng.uniform(0.05, 0.7)),
        metering=float(rng.choice([0.0, 0.5, 0.8, 1.0])),
        saturation=float(np.clip(rng.normal(1.05, 0.15), 0.55, 1.5)),
        sharpening=float(rng.choice([0.0, 0.3, 0.7, 1.2], p=[0.2, 0.4, 0.3, 0.1])),
        fringe=float(max(0.0, rng.normal(0, 0.5))),
        haze=float(max(0.0, rng.normal(-0.02, 0.04))),
        jpeg_quality=int(rng.integers(45, 97)),
    )
