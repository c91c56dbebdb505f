"""An eye on a scripted table, with the scenes that its follower was shown."""

from dataclasses import dataclass

from device.live.eye import Eye
from device.live.messages import Position
from device.match.signals import Saw
from engine.history import History
from engine.matching import Verdict
from engine.scene import Scene
from tests.device.live.scripted import (
    Beginning,
    ScriptedSource,
    ScriptedView,
    Stage,
    TruthFollower,
    TruthReader,
)
from tests.device.match.match_bench import game

SEEN: list[Scene] = []


@dataclass(frozen=True)
class Watched(TruthFollower):
    """Remembers the scenes that it was shown."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        SEEN.append(scene)
        return super().see(scene)

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Watched":
        """The follower of a game that has changed."""
        return Watched(history)


def seen(stage: Stage, position: Position, *, to_the_end: bool = False) -> list[Saw]:
    """What the eye says of a stage, with the scenes in SEEN."""
    SEEN.clear()
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Watched)
    source = ScriptedSource(stage)
    found = []
    while (shot := source.next(0)) is not None:
        found += [signal for signal in eye.see(shot, position) if isinstance(signal, Saw)]  # type: ignore[arg-type]
    if to_the_end:
        found += [signal for signal in eye.end(position) if isinstance(signal, Saw)]
    return found
