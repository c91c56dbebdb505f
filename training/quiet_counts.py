"""What was made of a film at which nothing is done, episode by episode."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from device.live.ports import Picture, Viewing
from device.live.stopwatch import Stopwatch
from device.match.match import Match
from device.match.phase import Phase
from training.film_counts import Line
from vision.view import Look

AGREED = (Phase.WATCHING, Phase.FINISHED)
"""Phases in which table and record agree, and somebody may move."""


class Witness(Stopwatch):
    """Notes of each frame what the gate said, and when the match came into another phase."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[Look] = []
        self.phases: list[tuple[float, str]] = []

    def view(self, view: Viewing) -> Viewing:
        """A view of the table of which every look is noted."""
        return _Noted(super().view(view), self.looks)

    def tell(self, match: Match, at: float) -> None:
        """The match has changed."""
        if not self.phases or self.phases[-1][1] != match.phase:
            self.phases.append((at, str(match.phase)))
        super().tell(match, at)


class _Noted:
    def __init__(self, view: Viewing, looks: list[Look]) -> None:
        self._view, self._looks = view, looks
        self.table, self.shows, self.lose = view.table, view.shows, view.lose

    def see(self, picture: Picture, at_s: float, **how: Any) -> Look:
        self._looks.append(self._view.see(picture, at_s, **how))
        return self._looks[-1]


@dataclass
class SeenFilm:
    """What came of a film, frame by frame."""

    told: Sequence[Line]
    hands: Sequence[bool]
    shares: Sequence[float]
    """Of the table, covered by hands."""
    settled: Sequence[bool]
    phases: Sequence[tuple[float, str]] = field(default_factory=list)
    fps: float = 10.0

    def agrees(self, frame: int) -> bool:
        """Whether table and record agreed once this frame was judged."""
        now = [phase for at, phase in self.phases if at <= frame / self.fps + 1e-3]
        return bool(now) and now[-1] in AGREED


def counted(truth: Sequence[Line], seen: SeenFilm) -> Line:
    """Each episode with all that was told from its beginning to that of the next one."""
    lines = [one for one in truth if one["type"] in ("hand", "trouble")]
    begins = [int(one["first"]) for one in lines]
    ends = [*begins[1:], len(seen.hands)] if begins else []
    spans = zip(lines, begins, ends, strict=True)
    return {
        "before": _told_in(seen, 0, begins[0] if begins else len(seen.hands)),
        "episodes": [_episode(line, seen, begin, end) for line, begin, end in spans],
    }


def _episode(line: Line, seen: SeenFilm, begin: int, end: int) -> Line:
    found: Line = {"kind": line["kind"], "first": begin, "in_step": seen.agrees(begin - 1)}
    found.update(_told_in(seen, begin, end))
    if line["type"] == "hand":
        there = [k for k in range(begin, end) if seen.hands[k]]
        gone = there[-1] + 1 if there else begin
        free = [k for k in range(gone, end) if seen.settled[k]]
        agreed = [k for k in free if seen.agrees(k)]
        # An arm out of sight throws its shadow on the table as long as it is on its way.
        over = max(gone, int(line["last"]) + 1)
        found["share"] = round(max(seen.shares[begin:end]), 4)
        for key, some, since in (
            ("settled_s", free, gone), ("agreed_s", agreed, gone), ("agreed_after_s", agreed, over),
        ):  # fmt: skip
            found[key] = round(max(0, some[0] - since) / seen.fps, 3) if some else None
    return found


def _told_in(seen: SeenFilm, begin: int, end: int) -> Line:
    """What was told in some frames: all that changes the record, what was asked, and what did not agree.

    What waited when the film ended is told after its last frame.
    """
    last = len(seen.hands) - 1
    timed = [(min(round(one["at_s"] * seen.fps), last), one) for one in seen.told if "at_s" in one]
    some = [one for frame, one in timed if begin <= frame < end]
    return {
        "entries": [one for one in some if "phase" not in one],
        "asked": [one["words"] for one in some if one.get("phase") == Phase.ASKING],
        "lost": [one["words"] for one in some if one.get("phase") == Phase.OUT_OF_STEP],
    }
