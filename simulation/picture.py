"""One call from a scene to its picture and its truth."""

from dataclasses import dataclass

from simulation import sensor, surfaces
from simulation.bodies import PlacedBody, place
from simulation.canvas import Array
from simulation.ground_view import GroundView
from simulation.render import Room, draw
from simulation.sensor import Picture
from simulation.truth import Facts, facts_of, hidden_regions
from simulation.virtual_scene import VirtualScene, stream

TALL_MM = 40.0
"""Things at least this high hide what lies behind them."""


@dataclass(frozen=True)
class KnownPicture:
    """A picture with everything that is known about it."""

    picture: Picture
    bodies: Array
    facts: list[Facts]
    hidden: list[list[list[int]]]

    def as_json(self, image: str) -> Facts:
        """The truth in the form of a line of ``pipwatch read --json``."""
        rows, columns = self.picture.shape[:2]
        return {"image": image, "size": [columns, rows], "pieces": self.facts, "hidden": self.hidden}


def room_of(scene: VirtualScene) -> Room:
    """What stays in a scene while pieces move."""
    view = GroundView.of(scene.camera)
    ground = surfaces.paint(scene.surface, view.region(None, 4.0), view.density())
    return Room(view, ground, scene.lamps, scene.surroundings)


def shoot(scene: VirtualScene) -> KnownPicture:
    """The picture of a scene and its truth."""
    room = room_of(scene)
    placed = [place(piece) for piece in scene.pieces]
    drawing = draw(room, placed)
    picture = sensor.expose(drawing.total(), scene.sensor, stream(scene.seed, "sensor"))
    facts = facts_of(room.view, scene.pieces, placed, drawing.bodies, metric=scene.metric)
    return KnownPicture(picture, drawing.bodies, facts, hidden_regions(_tall(scene, placed, drawing.bodies)))


def _tall(scene: VirtualScene, placed: list[PlacedBody], bodies: Array) -> Array:
    covered = bodies < -1
    for k, (piece, one) in enumerate(zip(scene.pieces, placed, strict=True)):
        if piece.kind == "distractor" and one.top_mm > TALL_MM:
            covered |= bodies == k
    return covered
