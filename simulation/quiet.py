"""A table in the midst of a game at which nothing is done: hands that touch nothing, and light that changes.

    film = quiet("draw-game", seed=7, episodes=20)
    film.script.setup        # the position, which is the same from the first frame to the last
    film.truth()             # hands and light by turns, twenty of either, each alone

Hands cover from hardly anything up to three fifths of the table: the more, the nearer they are to the lens
and the more of them there are, both hands of both players at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.camera import Camera, Lens
from engine import State, rulebook
from simulation.canvas import Array
from simulation.director import Episode, FilmTake
from simulation.film import Film, Options, props_of, scene_of
from simulation.gestures import Passage, Reel, Rng, Seat, seats
from simulation.hands import Person, draw_hand
from simulation.script import Script, write
from simulation.setting import TableSetting
from simulation.skeleton import POSES, reach
from simulation.tabletop import Tabletop
from simulation.trouble import Trouble
from simulation.virtual_scene import VirtualScene, stream

VISITS = ("quick", "point", "hover", "rest")
"""What hands do: in and out at once, point, wait over the table, or lie there for a while."""
LIGHTS = ("lamp", "shadow", "exposure")
MOST = 0.6
"""The largest share of the table that hands are wanted to cover."""
_LONG_S = {"lamp": (0.6, 2.5), "shadow": (1.0, 1.8), "exposure": (0.8, 1.6)}
_STAY_S = {"quick": (0.0, 0.1), "hover": (0.3, 1.0), "rest": (1.0, 2.0)}
_HIGHEST = 0.66
"""Of the way from the table to the lens."""
_TRIES = 40
_SMALL = (160, 120)


@dataclass(frozen=True)
class HandReach:
    """Where one hand goes: whose it is (3 and 4 are the players' other hands), and how it is bent."""

    hand: int
    at: tuple[float, float, float]
    pose: str


@dataclass(frozen=True)
class SmallSight:
    """A small picture of a table, in which the share of it that hands cover is soon told."""

    scene: VirtualScene
    size_mm: tuple[float, float]
    persons: Sequence[Person]
    places: Sequence[Seat]

    @cached_property
    def camera(self) -> Camera:
        """The scene's own camera with few pixels."""
        wide = self.scene.camera.lens
        share = _SMALL[0] / wide.size_px[0]
        focal, centre = (tuple(share * v for v in pair) for pair in (wide.focal_px, wide.centre_px))
        lens = Lens(_SMALL, (focal[0], focal[1]), (centre[0], centre[1]), wide.distortion)
        return Camera(lens, self.scene.camera.pose)

    def covered(self, hands: Sequence[HandReach]) -> float:
        """The share of the table that hands cover."""
        found: Array = np.zeros((_SMALL[1], _SMALL[0]), dtype=bool)
        for one in hands:
            seat, person = self.places[one.hand - 1], self.persons[one.hand - 1]
            parts = reach(POSES[one.pose], np.asarray(one.at), np.asarray(seat.shoulder), left=person.left)
            seen = draw_hand(self.camera, parts, person, (), self.scene.surroundings)
            if seen is not None:
                rows, columns = seen.cover.shape
                found[seen.upper : seen.upper + rows, seen.left : seen.left + columns] |= seen.cover > 0.5
        return float(found[table_in(self.camera, self.size_mm)].mean())


def table_in(camera: Camera, size_mm: tuple[float, float]) -> Array:
    """Which pixels of a picture show the table."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], dtype=float)
    mask = np.zeros(camera.lens.size_px[::-1], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(camera.to_pixels(corners)).astype(np.int32), 1)
    return mask.astype(bool)


def quiet(game: str, *, seed: int, episodes: int, options: Options | None = None) -> Film:
    """The film of a random position at a random table: so many visits of hands, as many changes of light."""
    options = options or Options()
    script = in_progress(game, seed, options.profile)
    setting = TableSetting(game, seed, props_of(seed, options.look))
    scene = scene_of(setting, seed, options)
    tiles = [piece for piece in setting.fixed(markers=False) if piece.kind == "tile"]
    take = _empty_take(dict(Tabletop(setting, script.start, tiles).world), setting, seed)
    sight = SmallSight(scene, setting.plan.size_mm, take.persons, take.seats)
    rng, now = stream(seed, "quiet"), 2.2
    lights: list[Trouble] = []
    order = ["hand"] * episodes + ["light"] * episodes
    rng.shuffle(order)
    for what in order:
        if what == "hand":
            now = _visited(take, sight, now, rng) + 0.4
        else:
            kind = LIGHTS[int(rng.integers(len(LIGHTS)))]
            long = float(rng.uniform(*_LONG_S[kind]))
            lights.append(Trouble(kind, now, now + long, len(lights), float(rng.uniform(0.6, 1.0))))
            now += long
        now += float(rng.uniform(1.2, 1.6))
    take.reel.end = now
    return Film(script, scene, take, options, lights)


def in_progress(game: str, seed: int, profile: str = "default") -> Script:
    """A position of a random game in which nothing is due to come to light, and nothing happens."""
    many = int(stream(seed, "so far").integers(1, 13))
    whole = write(game, seed=seed, moves=many, profile=profile)
    book = rulebook(game, profile=profile)
    states = [State.from_json(plain) for plain in whole.states]
    some = [state for state in states if book.pending(state) is None and book.outcome(state) is None]
    state = some[-1] if some else states[0]
    plain = state.to_json()
    return Script(game, whole.profile, seed, plain, book.layout(state), (), (plain,))


def _empty_take(world: dict[str, object], setting: TableSetting, seed: int) -> FilmTake:
    """Two players with both hands each, who have done nothing yet."""
    size, persons = setting.plan.size_mm, (Person.drawn(seed * 2 + 1), Person.drawn(seed * 2 + 2))
    others = tuple(replace(person, left=not person.left) for person in persons)
    mine = seats(size, [person.left for person in persons])
    theirs = (replace(one, player=one.player + 2) for one in seats(size, [one.left for one in others]))
    return FilmTake(Reel(world), (*persons, *others), (*mine, *theirs))  # type: ignore[arg-type]


def _visited(take: FilmTake, sight: SmallSight, start: float, rng: Rng) -> float:
    """One visit, of several hands at once where much is to be covered; when it is over."""
    kind = VISITS[int(rng.integers(len(VISITS)))]
    hands, pace = reaching(kind, float(rng.uniform(0.01, MOST)), sight, rng), float(rng.uniform(0.6, 1.0))
    end = start
    for one in hands:
        passage = Passage(take.seats[one.hand - 1], start + float(rng.uniform(0, 0.2)), rng, pace)
        if kind == "point":
            passage.point(one.at[0], one.at[1], one.at[2])
        else:
            passage.go(*one.at, one.pose)
            passage.rest(float(rng.uniform(*_STAY_S[kind])))
        passage.leave()
        take.reel.add(passage)
        end = max(end, passage.now)
    players = {(one.hand - 1) % 2 + 1 for one in hands}
    take.episodes.append(Episode(kind, start, end, players.pop() if len(players) == 1 else 0))
    return end


def reaching(kind: str, wanted: float, sight: SmallSight, rng: Rng) -> list[HandReach]:
    """Hands that cover about as much of the table as is wanted."""
    best: tuple[float, list[HandReach]] = (np.inf, [])
    for _ in range(_TRIES):
        found = _some_hands(kind, wanted, sight, rng)
        off = abs(sight.covered(found) - wanted)
        if off < best[0]:
            best = off, found
        if off < 0.03:
            break
    return best[1]


def _some_hands(kind: str, wanted: float, sight: SmallSight, rng: Rng) -> list[HandReach]:
    """Hands anywhere over the table; where much is to be covered, several of them, and not low."""
    much = wanted / MOST
    many = int(rng.integers(1 + round(2.4 * much), 5 if much > 0.2 else 3))
    pose = {"point": "point", "rest": "flat"}.get(kind, "open")
    low = 14.0 if kind == "rest" else 45.0
    high = _HIGHEST * float(sight.camera.pose.eye_mm[2])
    found = []
    for hand in rng.permutation(4)[:many] + 1:
        near = -1.0 if hand % 2 else 1.0  # the first player sits at the lower side
        x = float(rng.uniform(-0.4, 0.4)) * sight.size_mm[0]
        y = near * float(rng.uniform(-0.4, 0.45)) * sight.size_mm[1]
        z = low + (high - low) * float(rng.uniform(0.8 * much**2, 1)) * float(rng.random() < 0.4 + much)
        found.append(HandReach(int(hand), (x, y, z), pose))
    return found
