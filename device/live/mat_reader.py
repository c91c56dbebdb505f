"""The real reader: follows the mat's markers, reads the pieces on it, and tells them in the game's words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import follow
from calibration.aruco import Grey
from calibration.mats import MARKER_MM, mat_scale
from calibration.plan import TablePlan, plan_of
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile
from calibration.reading_needs import reading_density
from calibration.table_finder import Table
from calibration.watch import TableState as Watched
from device.answer_places import KnownMat
from device.journal.ruling_pictures import Outline
from device.lenses import unlike
from device.live.other_size import corners_in, reading_in, shrunk, size_of
from device.live.ports import Picture, Seen
from device.live.steadying import mark_box
from device.live.unexplained import Unexplained
from device.live.unread import Unread
from engine import rulebook
from engine.belonging import Belongings
from engine.matching.adopted import Adopter, adopter_for
from engine.matching.guide import guide_for
from vision.pieces import looks as taught
from vision.pieces.expecting import Expecting, believable
from vision.pieces.field import on_field
from vision.pieces.known_signs import KnownSigns, Sign, sign_of
from vision.pieces.mat import table_in
from vision.pieces.memory import Memory
from vision.pieces.overlay import short
from vision.pieces.reading import Readout, read_table
from vision.pieces.second_look import Lack, dice_looked_again, looked_again, wanted
from vision.pieces.table_scene import scene_of
from vision.sheet_scene import SeenMap, SheetWatch, empty_squares
from vision.view import Look, Polygon, SeenArm, TableView

SETS: Mapping[str, str | None] = {
    "dominoids": None,  # dominoes and a piecepack, as its rule book tells
    "kingdomino-duel": "kingdomino-duel",
    "dominoes-of-war": "soldiers",
    "draw-game": "double-six",
}
"""What can lie on each game's table."""
_AGAIN_S = 1.0
_NOT_WORTH_IT = 1.25
"""For pictures that are larger by less nobody waits: by so much the measured ones differ, too."""
_RIM_PX = 12
"""An outline is told on a coarse grid: so near the picture's rim it reaches it."""
_SIDE_MM = 60.0
"""An arm that comes in nearer to the middle line than this may be anybody's."""
BOTH = frozenset({1, 2})
_NO_MARKERS = "I see no markers: at least three of the mat's four corners must be in the picture."
_UNTRUSTED = "The camera or the mat was moved: I am looking for the markers."


class MatReader:
    """Reads a game's table through one camera."""

    def __init__(
        self,
        game: str,
        camera: CameraProfile = UNKNOWN_CAMERA,
        looks: taught.Looks | None = None,
        marker_mm: float = MARKER_MM,
    ) -> None:
        """A reader of a game's table; ``looks`` are those of the players' own pieces."""
        self._camera, self._looks, self._marker_mm = camera, looks, marker_mm
        self._set: str | None = SETS.get(game)
        self._true_plan: TablePlan = plan_of(game)
        guide = guide_for(rulebook(game))
        self._belongings: Belongings = guide.belongings
        self._opening = _opening(adopter_for(guide.book))
        self._follower: follow.TableFollower | None = None
        self._searched_s = self._voted_s = -_AGAIN_S
        """When the mat was looked for last, in a frame and in a settled picture."""
        self._size_px = (0, 0)
        self._sheets = SheetWatch(self._true_plan)
        self._signs = KnownSigns()
        self._memory, self._between = Memory(), Memory()
        """What is remembered of settled tables, and of what was seen of one between hands."""
        self._view: int | None = None
        """The number of the view that was read last; None where that came to no end."""
        self._riddles = ((Unread(), Unexplained()),) * 2
        """What is unread and unexplained on settled tables, and, from the last of these on, between hands."""

    @property
    def _plan(self) -> TablePlan:
        """The plan as it lies there."""
        return self._sheets.plan

    def steady(self, picture: Picture, at_s: float) -> bool | None:
        """Follow the table through the next frame; whether its markers are where they were, if they tell."""
        if self._follower is None:
            self._search(picture, at_s)
            return None
        self._size_px = (picture.shape[1], picture.shape[0])
        grey: Grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        watch = self._follower.see(grey, at_s).watch
        if watch.state is Watched.MOVING:
            return False
        return True if watch.trusted else None

    def arms(self, look: Look) -> Sequence[SeenArm]:
        """The arms over the table: each comes in at its owner's side of the picture."""
        return [] if self._follower is None else [one for one in map(self._arm, look.hidden) if one]

    def _arm(self, outline: Polygon) -> SeenArm | None:
        """An arm, if what is hidden reaches the rim as arms do."""
        rim = [point for point in outline if _on_rim(point, self._size_px)]
        if not rim or self._follower is None:
            return None
        y_mm = self._follower.table.camera.to_mm(np.array(rim, dtype=float))[:, 1]
        return SeenArm(frozenset(1 if y < 0 else 2 for y in y_mm if abs(y) > _SIDE_MM) or BOTH, outline)

    def larger(self) -> float:
        """By how much larger pictures than those that are watched are read better; 1 if these do."""
        if self._follower is None:
            return 1.0
        share = reading_density(self._true_plan.size_mm) * self._follower.table.camera.mm_per_px()
        return share if share > _NOT_WORTH_IT else 1.0

    def read(self, view: TableView, before: Seen | None = None) -> Seen | str:
        """What lies on the table, or why that cannot be told; ``before`` is what is looked for again.

        The picture may be larger than those that are watched: what is told is in the pixels of these.
        """
        picture = view.picture
        if self._follower is None and view.at_s - self._voted_s >= _AGAIN_S:
            # A still table's many frames, made one, show markers that noise hides in each of them.
            self._voted_s = view.at_s
            self._find(shrunk(picture, self._size_px) if any(self._size_px) else picture)
        if self._follower is None:
            return self._other_size() or _NO_MARKERS
        if not self._follower.watch.trusted:
            return self._follower.watch.reason or _UNTRUSTED
        watched, size = self._follower.table, size_of(picture)
        table = watched.in_pictures_of(size)
        memory = self._memory if view.settled else self._between
        if before is None or self._view in (None, view.number):
            memory.forget()  # whoever looks once more wants another opinion; what failed was none
        self._view = None if view.settled else self._view
        memory.see(picture)
        if before is not None and before.record is not None:
            self._signs = self._signs.agreed(before.scene, before.record, before.signs, before.shown)
        reading = self._pieces_in(picture, table, before, memory)
        signs = self._signs_in(picture, reading)
        remark = "" if reading.other_size is None else reading.other_size.sentence
        reading = reading_in(reading, watched)
        scene = scene_of(reading, self._plan)
        pieces = believable(scene.sightings, self._belongings)
        settled, between = self._riddles
        unread, unexplained = settled if view.settled else between
        unread = unread.read(reading, [int(one.ref) for one in pieces], view)
        blank = unread.told(reading)
        marks = (*_marks(reading), *_marks(blank))
        unseen = enumerate(scene_of(blank, self._plan).sightings, len(reading.pieces))
        lying = (replace(one, ref=str(k)) for k, one in unseen)
        scene = replace(scene, sightings=(*pieces, *lying))
        maps = self._maps_in(picture, table, before, memory)
        named = (replace(one.sighting(), ref=str(len(marks) + k)) for k, one in enumerate(maps))
        scene = replace(scene, sightings=(*scene.sightings, *named))
        outlines = (corners_in(one.outline, size, self._size_px) for one in maps)
        marks = (*marks, *(Outline(tuple((float(x), float(y)) for x, y in one), "map") for one in outlines))
        lie = [box for one in scene.sightings if (box := mark_box(one, marks)) is not None]
        unexplained = unexplained.read(lie, watched, self._plan, view)
        between = unread, unexplained
        self._riddles = between if view.settled else settled, between
        self._view = view.number if view.settled else self._view
        return Seen(
            scene, marks, unexplained.left, remark, maps=tuple(maps), signs=signs,
            mat=KnownMat(watched, self._plan),
        )  # fmt: skip

    def _pieces_in(self, picture: Picture, table: Table, before: Seen | None, memory: Memory) -> Readout:
        """What pieces lie there: those that one look missed are looked for again."""
        expecting = Expecting(self._belongings, self._plan, table, self._looks, self._signs)
        reading = read_table(picture, table, self._set, expecting, memory)
        known = () if before is None else before.scene.sightings
        wants = self._opening if before is None else wanted(known)
        if expecting.tells:
            reading = looked_again(picture, reading, self._plan, expecting, wants, memory)
            reading = dice_looked_again(picture, reading, self._plan, expecting, known, memory)
        return on_field(picture, reading, self._plan, memory, self._belongings.most.get("wall", 0))

    def _signs_in(self, picture: Picture, reading: Readout) -> Mapping[str, Sign]:
        """What each die of a piecepack shows, by the number of its reading."""
        if self._belongings.dice != "piecepack":
            return {}
        dice = ((k, one) for k, one in enumerate(reading.pieces) if one.kind == "die")
        return {str(k): sign_of(picture, one.corners) for k, one in dice}

    def _maps_in(
        self, picture: Picture, table: Table, before: Seen | None, memory: Memory
    ) -> Sequence[SeenMap]:
        """The maps that lie there."""
        if before is not None and before.record is not None:
            self._sheets.agreed(before.maps, empty_squares(before.record))
        return self._sheets.read(picture, table, (), memory)

    def _search(self, picture: Picture, at_s: float) -> None:
        """Look for the mat; that takes long, and is not done for every frame."""
        if at_s - self._searched_s >= _AGAIN_S:
            self._searched_s = at_s
            self._find(picture)

    def _find(self, picture: Picture) -> None:
        self._size_px = (picture.shape[1], picture.shape[0])
        if self._other_size():
            return
        lens = self._camera.knowledge(self._size_px)
        table = table_in(picture, lens, self._marker_mm)
        if table is not None:
            self._follower = follow.TableFollower(table, lens)
            scale = mat_scale(self._true_plan, table.markers)
            self._sheets = SheetWatch(self._true_plan.scaled(scale))

    def _other_size(self) -> str:
        """What is wrong where the lens was calibrated for pictures of another size, or nothing."""
        return unlike(self._camera, self._size_px)


def _opening(adopter: Adopter) -> tuple[Lack, ...]:
    """The pieces of a set-up that have places."""
    needs = adopter.opening(adopter.book.start(None))
    return tuple(Lack(n.kind, n.x, n.y, n.angle or 0.0) for n in needs if n.x is not None and n.y is not None)


def _on_rim(point: tuple[int, int], size_px: tuple[int, int]) -> bool:
    (x, y), (wide, high) = point, size_px
    return min(x, y, wide - x, high - y) <= _RIM_PX


def _marks(reading: Readout) -> Sequence[Outline]:
    """What was read, for the evidence."""
    return [Outline(tuple((float(x), float(y)) for x, y in k.corners), short(k)) for k in reading.pieces]
