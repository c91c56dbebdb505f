"""Maps on a table that is played at: found in their regions, read, their new squares told to the referee."""

import json
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens, Pose
from calibration.plan import plan_of
from calibration.table import Table
from engine import rulebook
from engine.kingdomino_duel.book import cells
from engine.kingdomino_duel.kingdom import NUMBERS, Kingdom, Mark
from engine.kingdomino_duel.model import DuelState
from engine.matching import Follower, Nothing, Question, Ruled
from engine.scene import Guess, Scene, Sighting
from simulation.looks import SheetLook
from simulation.sheets import sheet_face
from vision.sheet_cells import Floats, Picture
from vision.sheet_scene import SheetWatch

BOOK = rulebook("kingdomino-duel")
PLAN = plan_of("kingdomino-duel")
SIZE = (1280, 960)
CAMERA = Camera(Lens(SIZE, (1400.0, 1400.0), (640.0, 480.0)), Pose((np.pi, 0.0, 0.0), (0.0, 0.0, 700.0)))
TABLE = Table(CAMERA, (), 0.0)
PAPER_MM = (138.0, 100.0)
FIRST = Kingdom().add(Mark(NUMBERS["r3c3"], 0, 0)).add(Mark(NUMBERS["r3c2"], 2, 1))
NEW = (Mark(NUMBERS["r2c4"], 0, 0), Mark(NUMBERS["r1c4"], 3, 0))


@lru_cache(maxsize=8)
def paper(kingdom: Kingdom) -> Picture:
    """A filled map, ten pixels a millimetre."""
    look = SheetLook(*PAPER_MM, (0.72, 0.68, 0.58), (0.3, 0.2, 0.12), "duel-map")
    face = sheet_face(look, json.dumps({"map": cells(kingdom), "roof": False}), 3, 10.0)
    light = np.clip(face.colour[..., 2::-1], 0, 1) ** (1 / 2.2)
    return np.asarray(light * 255, dtype=np.uint8)


def frame(*lying: tuple[Kingdom, tuple[float, float], float]) -> Picture:
    """The table from above with maps at these places, turned by these degrees."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 95, 90), np.uint8)
    for kingdom, middle, turn in lying:
        flat = paper(kingdom)
        height, width = flat.shape[:2]
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        corners: Floats = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * np.array(PAPER_MM) / 2
        seen = CAMERA.to_pixels(corners @ np.array([[c, s], [-s, c]]) + middle).astype(np.float32)
        start = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        home = cv2.getPerspectiveTransform(start, seen)
        small = cv2.GaussianBlur(flat, (0, 0), 2.0)
        over = cv2.warpPerspective(small, home, SIZE, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), home, SIZE)
        picture[mask > 127] = over[mask > 127]
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) + noise, 0, 255), dtype=np.uint8)


def state(first: Kingdom) -> DuelState:
    """A game in which player 1 has taken a dot and two stripes, and draws."""
    made = BOOK.start(setup={"a": 1, "players": [{"map": list(first.rows)}, {}]})
    made = BOOK.observe(made, BOOK.parse_fact("see roll d s S D"))
    for line in ("1: take 1", "2: take 2+4"):
        made = BOOK.play(made, BOOK.parse(line))
    assert isinstance(made, DuelState)
    return made


def scene(watch: SheetWatch, picture: Picture, now: DuelState) -> Scene:
    """The dice as the record has them, and the maps as they are read."""
    dice = [
        Sighting("die", spot.region, 10.0 * k, 0.0, guesses=(Guess(spot.value, 0.999),))
        for k, spot in enumerate(BOOK.layout(now).spots)
        if spot.kind == "die"
    ]
    return Scene((*dice, *(one.sighting() for one in watch.read(picture, TABLE))))


LEFT, RIGHT = (-158.0, 0.0), (158.0, 0.0)


def test_the_two_squares_just_drawn_go_to_the_referee() -> None:
    """From pixels: nothing new says nothing; two new coats are the drawing, or are asked about."""
    watch, now = SheetWatch(PLAN), state(FIRST)
    before = scene(watch, frame((FIRST, LEFT, 3.0), (Kingdom(), RIGHT, -4.0)), now)
    follower = Follower(BOOK, (now,)).at(before)
    assert {one.region for one in before.sightings if one.kind == "sheet"} == {"sheet-1", "sheet-2"}
    assert isinstance(follower.see(before), Nothing)
    drawn = FIRST.add(NEW[0]).add(NEW[1])
    # The sheet was pushed a little while it was drawn on.
    after = scene(watch, frame((drawn, (-155.0, 4.0), 1.0), (Kingdom(), RIGHT, -4.0)), now)
    verdict = follower.see(after)
    assert isinstance(verdict, Ruled | Question)
    outcomes = [verdict] if isinstance(verdict, Ruled) else [choice.outcome for choice in verdict.choices]
    told = [one for outcome in outcomes if isinstance(outcome, Ruled) for one in outcome.happened]
    assert BOOK.format(BOOK.parse("1: draw d@r2c4 S@r1c4")) in [one.text for one in told]


@pytest.mark.parametrize("turn", [90.0, 180.0])
def test_a_sheet_lies_as_its_player_likes(turn: float) -> None:
    """Turned sheets are read upright, and looked for anew when they were turned since."""
    watch = SheetWatch(PLAN)
    watch.read(frame((FIRST, LEFT, 0.0)), TABLE)
    (seen,) = watch.read(frame((FIRST, LEFT, turn)), TABLE)
    drawn = seen.reading.coats.argmax(axis=1)
    assert drawn[15] == 3
    assert drawn[16] > 0
    assert (drawn > 0).sum() <= 4


def test_what_a_hand_covers_is_not_read() -> None:
    """Neither is a map that is not there."""
    picture = frame((FIRST, LEFT, 0.0), (Kingdom(), RIGHT, 0.0))
    hand = CAMERA.to_pixels(np.array([(-170.0, -60.0), (-140.0, -60.0), (-140.0, 20.0), (-170.0, 20.0)]))
    assert [one.region for one in SheetWatch(PLAN).read(picture, TABLE, [hand])] == ["sheet-2"]
    assert SheetWatch(PLAN).read(frame(), TABLE) == []
    assert SheetWatch(plan_of("draw-game")).read(picture, TABLE) == []
