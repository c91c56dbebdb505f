"""Films a game on the virtual table: frame after frame with the truth of each.

    film = Film.of("dominoids", seed=7, options=Options(moves=20, illegal=0.1, troubles=("lamp", "bump")))
    film.truth()                            # every line, known before anything is drawn
    for shot in film.shots():               # pictures, each drawn when it is asked for
        shot.picture, shot.index, shot.hand, shot.pieces(), shot.hidden()

The same seed gives the same film; players, gestures, looks, light, noise and trouble have streams of their
own.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.camera import Camera
from engine.plain import JsonObject
from simulation.canvas import Array
from simulation.director import Episode, FilmTake, TableManners, direct
from simulation.gestures import HandAt, Player
from simulation.hand_shadows import veils
from simulation.hands import Person, draw_hand, smeared
from simulation.makes import DOMINOES, ORDINARY
from simulation.random_light import random_light, random_sensor, random_surface
from simulation.random_scene import random_props
from simulation.script import Script, write
from simulation.sensor import Picture
from simulation.setting import Props, TableSetting
from simulation.skeleton import POSES, BoneChain, pencil, reach
from simulation.stage import Overlay, Stage, StageFrame
from simulation.trouble import Tick, Trouble, Weather, plan, ticks
from simulation.truth import Facts
from simulation.virtual_scene import Sensor, VirtualScene, stream

BLACK = 2
"""The grey of a frame that is black."""
SHUTTER_S = 0.012
"""How long a frame is exposed: what moves is smeared by as much as it goes meanwhile."""


@dataclass(frozen=True)
class Options:
    """How a game is filmed."""

    moves: int = 20
    illegal: float = 0.0
    stands: float = 0.3
    """The share of the illegal moves that the players let stand; the others are taken back."""
    retracted: float = 0.0
    """The share of the legal moves that are taken back."""
    troubles: tuple[str, ...] = ()
    size_px: tuple[int, int] = (1280, 960)
    fps: float = 10.0
    look: str = "random"
    """The make of the dominoes, or ``random``."""
    tilt_deg: float | None = None
    profile: str = "default"
    manners: TableManners = field(default_factory=TableManners)


@dataclass(frozen=True)
class FilmShot:
    """One frame of a film."""

    index: int
    tick: Tick
    picture: Picture
    hand: bool
    """Whether a hand or an arm can be seen."""
    state: int
    """The number of the referee's state that holds on the table."""
    moving: frozenset[str]
    """The pieces that are being moved."""
    complete: bool
    """Whether no move is under way."""
    camera: Camera
    frame: StageFrame

    def pieces(self) -> list[Facts]:
        """What lies where: kind, name, face, value, place and angle of every piece, with how much is seen."""
        return [fact for fact in self.frame.facts() if not fact["name"].startswith("marker")]

    def hidden(self) -> list[list[list[int]]]:
        """The outlines of what hands cover, in pixels."""
        return self.frame.hidden()


class Film:
    """A game that is filmed: everything is decided when it is made, and drawn when it is asked for."""

    def __init__(
        self, script: Script, scene: VirtualScene, take: FilmTake, options: Options,
        troubles: Sequence[Trouble] | None = None,
    ) -> None:  # fmt: skip
        """``troubles`` where it is known already what goes wrong, and when."""
        self.script, self.scene, self.take, self.options = script, scene, take, options
        seconds = take.reel.end + 0.5
        planned = plan(options.troubles, seconds, scene.camera, script.seed) if troubles is None else troubles
        self.troubles = list(planned)
        self.weather = Weather(self.troubles, scene.lamps, scene.camera, script.seed)
        self.ticks = ticks(seconds, options.fps, self.weather)
        self._times = [tick.t for tick in self.ticks]

    @classmethod
    def of(cls, game: str, *, seed: int, options: Options | None = None) -> "Film":
        """The film of a random game at a random table."""
        options = options or Options()
        script = write(game, seed=seed, moves=options.moves, illegal=options.illegal, stands=options.stands,
                       retracted=options.retracted, profile=options.profile)  # fmt: skip
        setting = TableSetting(game, seed, props_of(seed, options.look))
        manners = options.manners
        if "hurry" in options.troubles:
            manners = replace(manners, pause_s=0.12, idle=0.03, together=0.25)
        take = direct(script, setting, seed, manners)
        return cls(script, scene_of(setting, seed, options), take, options)

    def __len__(self) -> int:
        return len(self.ticks)

    # --- truth -------------------------------------------------------------------------------------

    def first_frame(self, t: float) -> int:
        """The number of the first frame that was taken at ``t`` or later."""
        return min(bisect_left(self._times, t), len(self.ticks) - 1)

    def last_frame(self, t: float) -> int:
        """The number of the last frame that was taken at ``t`` or earlier."""
        return max(bisect_right(self._times, t) - 1, 0)

    def header(self) -> JsonObject:
        """The first line of the truth."""
        lens, pose = self.scene.camera.lens, self.scene.camera.pose
        return {
            "type": "film",
            "version": 1,
            "game": self.script.game,
            "profile": self.script.profile,
            "seed": self.script.seed,
            "fps": self.options.fps,
            "frames": len(self.ticks),
            "size": list(lens.size_px),
            "camera": {
                "focal_px": list(lens.focal_px),
                "centre_px": list(lens.centre_px),
                "distortion": list(lens.distortion),
                "rotation": list(pose.rotation),
                "shift_mm": list(pose.shift_mm),
            },
            "setup": self.script.setup,
        }

    def truth(self) -> list[JsonObject]:
        """All lines of the truth: the header, then what happened, in the order of first frames."""
        lines = [self._told(episode) for episode in self.take.episodes]
        lines += [self._troubled(one) for one in self.troubles]
        lines.sort(key=lambda line: (line["first"], line["last"]))
        for number, line in enumerate(line for line in lines if line["type"] == "move"):
            line["number"] = number + 1
        return [self.header(), *lines]

    def _told(self, episode: Episode) -> JsonObject:
        span: JsonObject = {
            "first": self.first_frame(episode.start), "last": self.last_frame(episode.end),
        }  # fmt: skip
        if span["last"] < span["first"]:  # type: ignore[operator]  # both are numbers
            span["last"] = span["first"]
        event = episode.event
        if event is None:
            return {"type": "hand", "kind": episode.kind, "player": episode.player, **span}
        if event.kind == "fact":
            return {"type": "fact", "fact": event.text, "player": episode.player, **span,
                    "visible": event.visible, "state": event.state}  # fmt: skip
        line: JsonObject = {
            "type": "move", "move": event.text, "player": episode.player, **span,
            "legal": event.status != "illegal", "status": event.status, "rule": event.rule,
            "stands": event.stands, "visible": event.visible, "state": event.state,
        }  # fmt: skip
        if episode.back is not None:
            line["back"] = [self.first_frame(episode.back[0]), self.last_frame(episode.back[1])]
        if episode.nudged:
            line["nudged"] = list(episode.nudged)
        return line

    def _troubled(self, one: Trouble) -> JsonObject:
        first = self.first_frame(one.start)
        last = max(first, self.last_frame(one.end)) if one.kind not in ("unplug", "drop", "bump") else first
        return {"type": "trouble", **one.to_json(), "first": first, "last": last}

    # --- pictures ----------------------------------------------------------------------------------

    def shots(self, only: Container[int] | None = None) -> Iterator[FilmShot]:
        """The frames, or ``only`` those with some numbers; each is drawn when it is asked for."""
        studio = Studio(self.scene, self.take, self.weather)
        for index, tick in enumerate(self.ticks):
            if only is None or index in only:
                yield studio.shot(index, tick)


def props_of(seed: int, look: str) -> Props:
    """The makes of the pieces: any, ordinary ones, or any with dominoes of the look that is wanted."""
    if look == ORDINARY:
        return Props()
    props = random_props(stream(seed, "props"))
    return props if look == "random" else replace(props, domino=DOMINOES[look])


def scene_of(setting: TableSetting, seed: int, options: Options) -> VirtualScene:
    """The table with its markers, lamps and camera."""
    tilt = options.tilt_deg
    if tilt is None:
        tilt = float(stream(seed, "tilt").uniform(0, 16))
    lamps, around = random_light(stream(seed, "light"))
    sensor: Sensor = random_sensor(stream(seed, "sensor make"), poor=0.1)
    sensor = replace(sensor, motion_px=(0.0, 0.0), exposure=float(np.clip(sensor.exposure, 0.75, 1.3)))
    markers = tuple(piece for piece in setting.fixed() if piece.kind != "tile")
    surface = random_surface(stream(seed, "surface"))
    camera = setting.camera(options.size_px, tilt_deg=tilt)
    return VirtualScene(markers, surface, lamps, camera, around, sensor, seed)


class Studio:
    """Draws one frame after another of what is done at a table."""

    def __init__(self, scene: VirtualScene, take: FilmTake, weather: Weather) -> None:
        self.scene, self.take, self.weather = scene, take, weather
        self.stage = Stage(scene)
        self.player = Player(take.reel)
        self.camera = scene.camera
        self.last: tuple[StageFrame, bool, frozenset[str]] | None = None
        self.shown = -1.0

    def shot(self, index: int, tick: Tick) -> FilmShot:
        """The frame of a tick, which shows no earlier time than the last one did."""
        if self.last is None or tick.shows > self.shown:
            self.last, self.shown = self._draw(tick.shows), tick.shows
        frame, hand, moving = self.last
        picture = np.full_like(frame.picture, BLACK) if tick.black else frame.picture
        episodes = self.take.episodes
        busy = any(e.under_way(tick.shows) for e in episodes)
        state, hand = _state_at(episodes, tick.shows), hand and not tick.black
        return FilmShot(index, tick, picture, hand, state, moving, not busy, self.camera, frame)

    def _draw(self, t: float) -> tuple[StageFrame, bool, frozenset[str]]:
        pose = self.weather.pose(t)
        if pose != self.camera.pose:
            self.camera = replace(self.camera, pose=pose)
            self.stage.look_from(self.camera)
        pieces = self.player.at(t)
        overlays, dark = self._hands(self.take.reel.hands_at(t))
        passing = self.weather.veil(t)
        if passing is not None:
            which, veil = passing
            dark[which] = dark[which] * veil if which in dark else veil
        frame = self.stage.frame(
            list(pieces.values()), overlays=overlays, veils=dark, gains=self.weather.gains(t),
            exposure=self.weather.exposure(t),
        )  # fmt: skip
        hand = frame.covered is not None and bool(frame.covered.any())
        return frame, hand, self.player.moving

    def _hands(self, hands: Sequence[HandAt]) -> tuple[list[Overlay], dict[int, Array]]:
        overlays: list[Overlay] = []
        dark: dict[int, Array] = {}
        for hand in hands:
            person: Person = self.take.persons[hand.player - 1]
            parts = parts_of(self.take, hand)
            overlay = draw_hand(self.camera, parts, person, self.scene.lamps, self.scene.surroundings)
            if overlay is not None:
                overlays.append(smeared(overlay, self._smear(hand)))
            for which, veil in veils(self.stage.room.view, parts, self.scene.lamps).items():
                dark[which] = dark[which] * veil if which in dark else veil
        return overlays, dark

    def _smear(self, hand: HandAt) -> tuple[float, float]:
        """How far a hand moves in the picture while the shutter is open."""
        scale = self.stage.room.view.density()
        vx, vy = hand.speed_mm_s
        turn = self.camera.pose.matrix[:2, :2]
        dx, dy = turn @ np.array([vx, vy]) * (scale * SHUTTER_S)
        return float(dx), float(dy)


def parts_of(take: FilmTake, hand: HandAt) -> list[BoneChain]:
    """The parts of a hand and its arm, with a pencil where it holds one."""
    left = take.persons[hand.player - 1].left
    pose = POSES[hand.pose].towards(POSES[hand.next_pose], hand.share)
    at, shoulder = np.asarray(hand.at), np.asarray(take.seats[hand.player - 1].shoulder)
    found = reach(pose, at, shoulder, left=left)
    return [*found, pencil(at, shoulder, left=left)] if hand.pencil else found


def _state_at(episodes: Sequence[Episode], t: float) -> int:
    """The number of the state that holds: that of the last event that is over."""
    done = [e.event.state for e in episodes if e.event is not None and e.end <= t]
    return done[-1] if done else 0
