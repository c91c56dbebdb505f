"""The faults of a camera where no match goes on: with nobody playing, before the next match, and in a check.

In each of them the page, or the doctor, is what tells people; their clock is that of ``camera_faults.py``.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Condition
from typing import Final

from device.cameras.own_process import Apart
from device.health import sight
from device.health.finding import Grade
from device.live.ports import Picture
from device.service.aiming import NOT_YET, Aimed, Aiming
from device.service.kept_camera import KeptCamera
from tests.device.camera_faults import FRESH_S, MOST_S, MOVED, Outcome, Table, Trial
from tests.device.moved_camera import SIZE, MarkedTable

_WARM_S: Final = 12.0
"""So long the camera has been there before it fails."""
_SOFT: Final = 0.5
"""A bar for the sharpness that has fallen to this share of what it was is seen to have fallen."""


class AimedTrial(Trial):
    """A camera over a table with markers, at which no match looks."""

    sizes = (SIZE, (960, 720))

    def __init__(self, folder: Path, fault: str, state: str) -> None:
        super().__init__(folder, fault, state)
        self._through: dict[int, tuple[Picture, Picture]] = {}

    def _laid(self) -> Table:
        return MarkedTable(self.fault if self.fault in MOVED else "shift")

    def through(self, scene: Picture, plan: str) -> Picture:
        """The scene through the camera: moved where that is the fault."""
        if plan not in MOVED:
            if id(scene) not in self._through:  # a new picture would be drawn anew each time
                self._through[id(scene)] = scene, super().through(scene, plan)
            return self._through[id(scene)][1]
        assert isinstance(self.table, MarkedTable)
        return self.table.moved(scene)


def _kept(trial: Trial) -> KeptCamera:
    return KeptCamera(lambda: trial.camera, lambda: trial.clock)


def _ticked(trial: Trial, before: float) -> None:
    """Time goes on, also where a frame was there at once."""
    if trial.clock == before:
        trial._wait(Condition(), 0.05)


def _idle(trial: Trial, kept: KeptCamera, seconds: float) -> None:
    """Nobody plays, and the camera is kept warm."""
    until = trial.clock + seconds
    while trial.clock < until:
        before = trial.clock
        kept.next(0.1)
        _ticked(trial, before)


def in_the_lobby(trial: Trial) -> Outcome:
    """With nobody playing the page tells how the camera is."""
    kept = _kept(trial)
    assert kept.borrow() is not None
    _idle(trial, kept, _WARM_S)
    trial.strike()

    def turn() -> tuple[str, bool]:
        before = trial.clock
        kept.next(0.1)
        _ticked(trial, before)
        state = kept.state()
        told = state.why or ("" if state.state == "ok" else state.state)
        return told, state.state == "ok" and (state.age_s or 0.0) < FRESH_S

    return trial.watched(turn)


def between_matches(trial: Trial) -> Outcome:
    """The camera fails after a match, and the next one begins a second later with it as it is."""
    kept = _kept(trial)
    assert kept.borrow() is not None
    _idle(trial, kept, _WARM_S)
    trial.strike()
    _idle(trial, kept, 1.0)
    lent = kept.borrow()
    assert lent is not None
    trial.looker = trial.looking_at(lent)
    return trial.outlived()


def aiming(trial: Trial) -> Outcome:
    """First evening's page: markers are framed, and a bar tells how sharp the picture is."""
    kept = _kept(trial)
    looks = Aiming(kept.visit)

    def look() -> Aimed | None:
        before = trial.clock
        found = looks.look()
        _ticked(trial, before)
        return found

    seen = None
    until = trial.clock + _WARM_S
    while trial.clock < until:
        seen = look() or seen
    assert seen is not None
    assert seen.well
    sharp = _SOFT * seen.sharp
    trial.strike()

    def turn() -> tuple[str, bool]:
        found = look()
        if found is None:
            return looks.blind if looks.blind != NOT_YET else "", False
        if not found.well:
            return found.markers, False
        return "" if found.sharp >= sharp else "the bar for its sharpness falls", found.sharp >= sharp

    try:
        return trial.watched(turn)
    finally:
        looks.close()
        kept.close()  # given back it would be kept warm, and take the time from whoever films next


def in_the_doctor(trial: Trial) -> Outcome:
    """The camera fails while the doctor looks; whoever reads that calls it again until all is well."""
    trial.strike()
    outcome = Outcome(trial.fault, trial.state)
    began, over, well = trial.clock, False, False
    while trial.clock - began < MOST_S and not (over and well):
        over = trial.passing()
        told = _checked(trial)
        well = not told
        if outcome.noticed_s is None and told:
            outcome.noticed_s, outcome.words = trial.clock - began, told
    outcome.back_s, outcome.goes_on = trial.clock - (trial.ends_s or began), over and well
    return outcome


def _checked(trial: Trial) -> str:
    """What a doctor says that begins now: the first thing that fails."""

    def opened() -> Apart:
        return Apart(trial._opened, "The camera", clock=lambda: trial.clock, wait=trial._wait)

    found, picture = sight.camera(opened)
    every = (found, sight.markers(picture), sight.light(picture))
    return next((one.words for one in every if one.grade is Grade.FAILS), "")


LOOKS: Final[Mapping[str, Callable[[Trial], Outcome]]] = {
    "lobby": in_the_lobby, "between": between_matches, "aiming": aiming, "doctor": in_the_doctor,
}  # fmt: skip
