"""A table at which things are done while it is filmed: nothing is decided before it happens.

    table = LiveTable("draw-game", seed=7, start=layout)
    until = table.do(event, "3")        # hands begin to do it; when they have gone again
    shot = table.next()                 # the next frame, drawn now; None where the camera delivers none

Frames are far apart while a hand is at work, and near each other when it has gone: a hand is seen in a few, a
still table has to be seen in some. Nothing is drawn that nobody looks at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.layout import Layout
from simulation.director import Director, TableManners
from simulation.film import Options, Studio, props_of, scene_of
from simulation.makes import ORDINARY
from simulation.random_light import random_surface
from simulation.script import Scripted
from simulation.setting import TableSetting
from simulation.sketch import Pictured, Sketcher
from simulation.trouble import Tick, Trouble, Weather, plan
from simulation.virtual_scene import Surface, VirtualScene, stream

BUSY_S, STILL_S, IDLE_S = 0.3, 0.1, 0.25
"""Between two frames while hands are over the table, when they have just gone, and once nothing happens.

A gate that sees nothing for 0.35 s takes it that hands may have been there."""
GONE_S = 1.2
"""So long after the last hand a table has been seen to be still."""
CHAPTER_S = 60.0
"""Trouble is planned for so long at a time."""
PRINTED = ("squares", "race board")
"""Surfaces that are printed boards of other games: no cloth and no bare table."""
PATTERNED = (*PRINTED, "tiles", "flowers", "checks", "stripes", "dots", "stone", "brushed")
"""Surfaces at which ordinary pieces are not shown: a wooden table and a cloth are ordinary, too."""
PLAIN = TableManners(pause_s=1.1, idle=0.0, together=0.0, nudge=0.03)
"""Unhurried players: they do not reach in together. Needless visits are up to those who sit there."""
HARD = TableManners(pause_s=0.9, idle=0.0, together=0.08, nudge=0.06)
"""Players as in the films."""


@dataclass(frozen=True)
class Conditions:
    """What a table is like."""

    hard: bool = False
    """Whether everything happens that films have had: other lamps, knocks, a failing camera, any surface."""
    look: str = "random"
    """The make of the dominoes, or ``random``."""
    troubles: tuple[str, ...] = ()
    size_px: tuple[int, int] = (1280, 960)
    watched: float = 1.0
    """How wide the picture is that is watched, beside the one that is handed over when it is asked for."""
    sketched: bool = False
    """Whether frames are only sketched (``simulation.sketch``), for whoever does not judge the reading."""


@dataclass
class LiveTable:
    """One table, its camera, and its clock."""

    game: str
    seed: int
    start: Layout
    conditions: Conditions = field(default_factory=Conditions)
    now: float = 0.0
    """Table time of the last frame, in seconds."""
    drawn: int = 0
    """How many frames were drawn."""

    def __post_init__(self) -> None:
        options = Options(look=self.conditions.look, size_px=self.conditions.size_px)
        setting = TableSetting(self.game, self.seed, props_of(self.seed, options.look))
        scene = scene_of(setting, self.seed, options)
        if not self.conditions.hard:
            odd = PATTERNED if self.conditions.look == ORDINARY else PRINTED
            scene = replace(scene, surface=_surface(scene, self.seed, odd))
        self.director = Director(self.start, setting, self.seed, HARD if self.conditions.hard else PLAIN)
        self._troubles: list[Trouble] = []
        self._chapters = 0
        self._scene = scene
        self._weather = Weather(self._troubles, scene.lamps, scene.camera, self.seed)
        draws = Sketcher if self.conditions.sketched else Studio
        self.studio: Studio | Sketcher = draws(scene, self.director.take, self._weather)
        """Whoever draws the frames."""
        self._tick = -1
        self._shows = 0.0

    @property
    def free_at(self) -> float:
        """When the last hand that has begun something has gone."""
        return max((hand.end for hand in self.director.reel.hands), default=0.0)

    def do(self, event: Scripted, name: str) -> float:
        """Hands begin to do this now; when they have gone. ``name`` tells it apart from all else done."""
        self.director.now = max(self.now, self.director.now)
        self.director.perform(event, stream(self.seed, "live gestures", name))
        return max(self.director.now, self.free_at)

    def visit(self, player: int, name: str) -> float:
        """A hand comes now and changes nothing; when it has gone."""
        self.director.now = max(self.now, self.director.now)
        self.director.idle(player, stream(self.seed, "live idle", name))
        return self.free_at

    def next(self) -> Pictured | None:
        """Time goes on to the next frame; None where the camera has none to give."""
        self.now = round(self.now + self._step(), 6)
        self._tick += 1
        self._plan()
        weather, t = self._weather, self.now
        if weather.on("unplug", t) or weather.on("drop", t):
            return None
        if weather.on("freeze", t) is None:
            self._shows = t
        self.drawn += 1
        return self.studio.shot(self._tick, Tick(t, self._shows, weather.on("black", t) is not None))

    def _step(self) -> float:
        """How long it is to the next frame."""
        if self.director.reel.hands_at(self.now):
            return BUSY_S
        return STILL_S if self.now - self.free_at < GONE_S else IDLE_S

    def _plan(self) -> None:
        """What goes wrong in the chapter that begins."""
        while self.conditions.troubles and self.now >= self._chapters * CHAPTER_S:
            begin = self._chapters * CHAPTER_S
            pose = self._weather.pose(begin)
            camera = replace(self._scene.camera, pose=pose)
            seed = self.seed + 1_000_003 * self._chapters
            for one in plan(self.conditions.troubles, CHAPTER_S, camera, seed):
                number = len(self._troubles)
                self._troubles.append(
                    replace(one, start=one.start + begin, end=one.end + begin, number=number)
                )
            self._chapters += 1


def _surface(scene: VirtualScene, seed: int, odd: Sequence[str]) -> Surface:
    """The table's own surface, or another one where that is an odd one."""
    surface, k = scene.surface, 0
    while surface.material in odd:
        k += 1
        surface = random_surface(stream(seed, "surface", str(k)))
    return surface


def troubles_of(seed: int, kinds: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The trouble of a seed: it goes round."""
    return tuple(kinds[seed % len(kinds)])
