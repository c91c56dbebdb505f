"""Following a table through a camera's frames: the pose of every frame at small cost, bumps and all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration import aruco
from calibration.aruco import Corners, Grey
from calibration.camera import Camera, Floats, Pose
from calibration.camera_errors import ResolutionChanged
from calibration.edges import Edges, measure, plan_edges, with_response
from calibration.glance import Anchor, Glance, anchor, glance, moved_pose, shift_px
from calibration.joint import LensKnowledge
from calibration.mats import MarkerPlace
from calibration.place import locate, place_marker
from calibration.table_finder import Table, average, keep_frame, refine
from calibration.watch import ENOUGH_MARKERS, MarkerLook, Sign, TableState, Watch, regained, step

_SEARCH_S = 0.2
"""The least time between two searches of the whole picture while the table is not where it was."""
_SURVEY_S, _SURVEY_MISSING_S = 3.0, 1.0
"""The time between two looks for markers that are new or lie elsewhere, all seen or not all seen."""
_CALM_PX = 0.35
_MOST_STEPS = 5
_REST_FRAMES = 30
_REFINE_AT = (8, 40)
_SAME_MM = 0.6
_NOTHING = np.zeros(6)


@dataclass(frozen=True)
class FollowedTable:
    """What is known of the table after a frame."""

    table: Table
    watch: Watch
    news: tuple[str, ...] = ()
    """What happened in this frame, for the log: bumps, moved markers, better calibration."""

    @property
    def trusted(self) -> bool:
        """Whether ``table`` may be used to turn this frame's pixels into millimetres."""
        return self.watch.trusted


class TableFollower:
    """Holds a table and, frame by frame, whether it may be trusted."""

    def __init__(self, table: Table, lens: LensKnowledge) -> None:
        self._lens = lens
        self._anchor = anchor(table)
        self._rest: Floats = _NOTHING
        self._rest_frames = 0
        self._candidate: Anchor | None = None
        self._candidate_move: Floats = _NOTHING
        self._calm_frames = 0
        self._watch = Watch()
        self._searched_s = self._surveyed_s = -_SURVEY_S
        self._found = Sign(0.0, MarkerLook.BLIND)
        self._ignored: frozenset[int] = frozenset()
        self._strays: Mapping[int, MarkerPlace] = {}
        self._still: list[Edges] = []
        self._refined = 0
        self._exchanged = False
        """Whether the picture was turned so that markers came to lie in the places of others."""

    def see(self, grey: Grey, at_s: float) -> FollowedTable:
        """Take in the next frame, taken at ``at_s`` (seconds of any clock that does not run backwards)."""
        before = self._watch
        news: list[str] = []
        sign = self._sign(grey, at_s, news)
        self._watch = step(before, sign)
        if regained(before, self._watch):
            self._settle(news)
        elif before.state is not self._watch.state:
            news.append(
                f"{self._watch.state.value}: {sign.detail}" if sign.detail else self._watch.state.value
            )
        if self._watch.state is TableState.STEADY:
            self._candidate = None
        return FollowedTable(self.table, self._watch, tuple(news))

    @property
    def watch(self) -> Watch:
        """Whether it may be trusted, and why not."""
        return self._watch

    @property
    def table(self) -> Table:
        """The table as held now; whether it may be trusted, `see` says."""
        table = self._anchor.table
        pose = moved_pose(table.camera.pose, self._rest)
        return replace(table, camera=Camera(table.camera.lens, pose))

    # What a frame shows ------------------------------------------------------------------------------------

    def _sign(self, grey: Grey, at_s: float, news: list[str]) -> Sign:
        size = (grey.shape[1], grey.shape[0])
        if size != self._anchor.plan.size_px:
            return Sign(
                at_s, MarkerLook.WRONG_SIZE, detail=str(ResolutionChanged(size, self._anchor.plan.size_px))
            )
        if self._candidate is None and not self._exchanged:
            seen = glance(grey, self._anchor, rest=self._rest, ignored=self._ignored)
            sign = self._at_rest(grey, seen, at_s)
            if sign is not None:
                if sign.look is MarkerLook.IN_PLACE:
                    self._rest_here(grey, seen, news)
                    self._survey(grey, sign, seen.agreeing, news)
                    if self._exchanged:
                        return self._search(grey, at_s)
                return sign
        sign = self._elsewhere(grey, at_s)
        if sign.look is MarkerLook.IN_PLACE:
            self._exchanged = False
            self._survey(grey, sign, (), news)
        return sign

    def _at_rest(self, grey: Grey, seen: Glance, at_s: float) -> Sign | None:
        """What the frame shows if the markers can be seen about where they were; None where they cannot."""
        limit, notice = self._anchor.limit_px, self._anchor.notice_px
        agreeing = len(seen.agreeing)
        if seen.explained and agreeing >= 2:
            # Three markers at rest hold the table, however much noise grows towards the fourth corner.
            if _holds(seen) or (seen.doubt_px < limit and seen.shift_px < notice):
                return Sign(at_s, MarkerLook.IN_PLACE, agreeing)
            clear = seen.doubt_px < limit or seen.shift_px - seen.doubt_px >= notice
            if clear and agreeing >= ENOUGH_MARKERS:
                pose = moved_pose(self._anchor.table.camera.pose, seen.move)
                self._candidate = self._anchored_at(pose, grey)
                return Sign(at_s, MarkerLook.MOVED, agreeing, detail=_moved(seen.agreeing))
        return None

    def _elsewhere(self, grey: Grey, at_s: float) -> Sign:
        """Look for the table at the pose last guessed, or in the whole picture."""
        if self._candidate is not None:
            sign = self._at_candidate(grey, at_s)
            if sign is not None:
                return sign
        if at_s - self._searched_s < _SEARCH_S and self._found.look is not MarkerLook.IN_PLACE:
            return replace(self._found, at_s=at_s)
        self._searched_s = at_s
        self._found = self._search(grey, at_s)
        return self._found

    def _search(self, grey: Grey, at_s: float) -> Sign:
        """Look for the markers in the whole picture."""
        found = locate(grey, self.table, self._ignored)
        if found.pose is not None:
            self._candidate = self._anchored_at(found.pose, grey)
            sign = self._at_candidate(grey, at_s)
            if sign is not None:
                return sign
            if len(found.seen) >= ENOUGH_MARKERS:
                return Sign(at_s, MarkerLook.PUZZLING, detail=_puzzling(found.seen))
        away = found.away_from(self.table, self._anchor.limit_px)
        if away:
            return Sign(at_s, MarkerLook.MOVED, len(away), detail=_moved(away))
        return Sign(at_s, MarkerLook.BLIND, detail=_covered(found.seen))

    def _at_candidate(self, grey: Grey, at_s: float) -> Sign | None:
        """What the frame shows around the pose last guessed; None where the guess explains nothing."""
        guess = candidate = self._candidate
        if candidate is None:
            return None
        seen = glance(grey, candidate, rest=_NOTHING, ignored=self._ignored)
        for _ in range(_MOST_STEPS):
            if _is_calm(seen) or len(seen.seen) < 2:
                break
            candidate = self._anchored_at(moved_pose(candidate.table.camera.pose, seen.move), grey)
            seen = glance(grey, candidate, rest=_NOTHING, ignored=self._ignored)
        calm = candidate is guess
        self._calm_frames = self._calm_frames + 1 if calm else 1
        self._candidate_move = self._candidate_move * calm
        self._candidate_move += (seen.move - self._candidate_move) / self._calm_frames
        if not seen.explained or len(seen.agreeing) < 2:
            self._candidate = None
            return None
        self._candidate = candidate
        pose = moved_pose(candidate.table.camera.pose, seen.move)
        if seen.doubt_px < self._anchor.limit_px and self._is_home(pose):
            return Sign(at_s, MarkerLook.IN_PLACE, len(seen.agreeing))
        if self._may_be_a_marker(grey, seen.agreeing):
            return Sign(at_s, MarkerLook.PUZZLING, detail=_puzzling(seen.agreeing))
        return Sign(at_s, MarkerLook.MOVED, len(seen.agreeing), calm, _moved(seen.agreeing))

    def _is_home(self, pose: Pose) -> bool:
        """Whether this is the pose held before: somebody only covered or shook something."""
        return self._away_px(pose, self._anchor.table.outline_mm) < self._anchor.notice_px / 2

    def _may_be_a_marker(self, grey: Grey, agreeing: Collection[int]) -> bool:
        """Whether what looks like a move of the camera might be one marker's own.

        Three markers fit a pose wherever the third one lies. If two of them are where they were, then more
        likely that marker was pushed than that the camera tilted just about the line through the two.
        """
        before = glance(grey, self._anchor, rest=self._rest, ignored=self._ignored)
        at_rest = [number for number in before.at_rest if number in agreeing]
        return len(agreeing) <= ENOUGH_MARKERS and len(at_rest) == 2

    def _away_px(self, pose: Pose, points_mm: Floats) -> float:
        """How far a pose shifts table points in the picture."""
        held = self.table.camera
        shift = Camera(held.lens, pose).to_pixels(points_mm) - held.to_pixels(points_mm)
        return float(np.linalg.norm(shift, axis=-1).max())

    def _anchored_at(self, pose: Pose, grey: Grey) -> Anchor:
        table = self._anchor.table
        guess = anchor(replace(table, camera=Camera(table.camera.lens, pose)))
        return replace(guess, plan=with_response(grey, guess.plan))

    # While all is well -------------------------------------------------------------------------------------

    def _rest_here(self, grey: Grey, seen: Glance, news: list[str]) -> None:
        """Let a good frame make the pose, and the whole calibration, a little better."""
        for number in sorted(set(seen.odd) - self._ignored):
            news.append(f"marker {number} was moved; the others still say where the table is")
        self._ignored |= set(seen.odd)
        if self._rest_frames == 0:
            plan = with_response(grey, self._anchor.plan)
            self._anchor = replace(self._anchor, plan=plan)
        if len(seen.agreeing) >= ENOUGH_MARKERS:
            self._rest_frames = min(self._rest_frames + 1, _REST_FRAMES)
            self._rest = self._rest + (seen.move - self._rest) / self._rest_frames
        if shift_px(self._anchor, self._rest) > _CALM_PX:
            self._reanchor(self.table)
        else:
            self._refine(seen, news)

    def _refine(self, seen: Glance, news: list[str]) -> None:
        """Solve lens and layout anew from the mean of the first frames, which are all of one pose."""
        if self._refined >= len(_REFINE_AT) or self._ignored or set(seen.agreeing) != set(self._numbers()):
            return
        self._still.append(seen.edges)
        if len(self._still) < _REFINE_AT[self._refined]:
            return
        mean, table = average(self._still), self._anchor.table
        better = keep_frame(refine([(table.camera.pose, mean)], table, self._lens)[0], table)
        self._refined += 1
        news.append(f"calibration refined over {len(self._still)} frames: {better.rms_px:.2f} px")
        self._reanchor(better)

    def _survey(self, grey: Grey, sign: Sign, agreeing: Collection[int], news: list[str]) -> None:
        """Take markers that are new, or lie elsewhere, in at the place where they lie twice in a row."""
        wait_s = _SURVEY_S if len(agreeing) == len(self._numbers()) else _SURVEY_MISSING_S
        if sign.at_s - self._surveyed_s < wait_s:
            return
        self._surveyed_s = sign.at_s
        table = self.table
        strays: dict[int, MarkerPlace] = {}
        found = aruco.detect(grey)
        self._exchanged = self._are_exchanged(found)
        if self._exchanged:
            return
        numbers = [number for number, _ in found]
        for number, corners in found:
            if number in agreeing or numbers.count(number) > 1:
                continue
            place = self._stray(grey, number, corners)
            if place is None:
                continue
            if number in self._strays and _same(place, self._strays[number]):
                others = tuple(p for p in table.markers if p.number != number)
                table = replace(table, markers=tuple(sorted((*others, place), key=lambda p: p.number)))
                self._ignored -= {number}
                news.append(f"marker {number} is used where it lies now")
                self._reanchor(table)
            else:
                strays[number] = place
        self._strays = strays

    def _are_exchanged(self, found: Sequence[tuple[int, Corners]]) -> bool:
        """Whether most markers lie in the places of others: their edges do not tell which they are."""
        held = self.table.camera
        away = []
        for place in self._anchor.plan.places:
            there = held.to_pixels(place.corners_mm)
            side = float(np.linalg.norm(there[1] - there[0]))
            seen = [corners for number, corners in found if number == place.number]
            away += [float(np.linalg.norm(one.mean(axis=0) - there.mean(axis=0))) > side for one in seen]
        return sum(away) >= ENOUGH_MARKERS

    def _stray(self, grey: Grey, number: int, corners: Corners) -> MarkerPlace | None:
        table = self.table
        place = place_marker(grey, table.camera, number, corners, table.markers[0].side_mm)
        known = {p.number: p for p in table.markers}
        if place is None or (number in known and number not in self._ignored and _same(place, known[number])):
            return None
        return place

    def _numbers(self) -> list[int]:
        return [place.number for place in self._anchor.plan.places]

    # Taking up a pose --------------------------------------------------------------------------------------

    def _settle(self, news: list[str]) -> None:
        if self._candidate is None:
            return
        off = self._away_px(self._candidate.table.camera.pose, self._anchor.table.outline_mm)
        news.append(f"the camera was moved by {off:.1f} px; the table is found again")
        self._reanchor(self._candidate.table)
        self._rest = self._candidate_move

    def _reanchor(self, table: Table) -> None:
        self._anchor = anchor(table)
        self._rest, self._rest_frames = _NOTHING, 0
        self._still, self._exchanged = [], False


def measured(grey: Grey, table: Table) -> Edges:
    """The edges of a table's markers in a picture."""
    return measure(grey, plan_edges(table.camera, table.markers))


def _holds(seen: Glance) -> bool:
    """Whether three markers are at rest and nothing speaks clearly for a move."""
    return len(seen.at_rest) >= ENOUGH_MARKERS and seen.shift_px < seen.doubt_px


def _is_calm(seen: Glance) -> bool:
    return seen.shift_px < _CALM_PX or _holds(seen)


def _same(one: MarkerPlace, other: MarkerPlace) -> bool:
    return float(np.abs(one.corners_mm - other.corners_mm).max()) < _SAME_MM


def _names(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return f"marker {numbers[0]}"
    return f"markers {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _covered(seen: tuple[int, ...]) -> str:
    if not seen:
        return "no marker can be seen where it should be: uncover the markers at the table's corners"
    return f"only {_names(seen)} can be seen, too little to notice a bump: uncover another marker"


def _moved(seen: tuple[int, ...]) -> str:
    if len(seen) >= ENOUGH_MARKERS:
        return "the camera was moved: keep it still for a moment"
    return f"the camera was moved and only {_names(seen)} can be seen: uncover a third marker"


def _puzzling(seen: tuple[int, ...]) -> str:
    return f"{_names(seen)} no longer lie as they did: lay them flat and find the table anew"
