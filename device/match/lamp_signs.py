"""Lamps and sounds: each phase is told by lamp alone and by sound alone.

A green lamp means one thing: everything that counts is on the disk. It burns only where a move may be made,
or the game is over, and never while the journal has not said so.

A rhythm is one second in eight parts, ``#`` for on; a tune is dots and dashes for a buzzer, and each has a
pitch of its own for those who have a speaker.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from device.match.match import Match
from device.match.phase import Phase
from device.match.signals import Kind

PART_S: Final = 0.125
"""An eighth of the second that a rhythm lasts."""
_OFF, _ON, _SLOW, _FAST, _WINK, _TWICE = (
    "........", "########", "####....", "#.#.#.#.", "#.......", "#.#.....",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lamps:
    """The rhythm of each lamp."""

    green: str = _OFF
    amber: str = _OFF
    red: str = _OFF

    def lit(self, part: int) -> tuple[bool, bool, bool]:
        """Which lamps burn in an eighth of a second, counted from any moment."""
        green, amber, red = (rhythm[part % 8] == "#" for rhythm in (self.green, self.amber, self.red))
        return green, amber, red


@dataclass(frozen=True, slots=True)
class Tune:
    """A short signal: dots and dashes, and the pitch for a speaker."""

    beats: str
    hz: int

    def parts(self) -> tuple[tuple[float, float], ...]:
        """For each beat: how long it sounds, and how long it is silent afterwards."""
        return tuple((0.08 if beat == "." else 0.3, 0.12) for beat in self.beats)


@dataclass(frozen=True, slots=True)
class LampSign:
    """How a phase is told at the table."""

    lamps: Lamps
    tune: Tune


SIGNS: Final[Mapping[Phase, LampSign]] = {
    Phase.SETTING_UP: LampSign(Lamps(amber=_WINK), Tune("-.", 660)),
    Phase.WATCHING: LampSign(Lamps(green=_ON), Tune(".", 1320)),
    Phase.HANDS: LampSign(Lamps(green=_SLOW), Tune("..", 440)),
    Phase.SETTLING: LampSign(Lamps(amber=_FAST), Tune("...", 440)),
    Phase.UNFINISHED: LampSign(Lamps(amber=_TWICE), Tune("-..", 740)),
    Phase.RULED: LampSign(Lamps(amber=_ON), Tune("-", 990)),
    Phase.ASKING: LampSign(Lamps(amber=_SLOW), Tune(".-", 880)),
    Phase.ILLEGAL: LampSign(Lamps(red=_ON), Tune("---", 220)),
    Phase.OUT_OF_STEP: LampSign(Lamps(red=_SLOW), Tune("-.-", 330)),
    Phase.PAUSED: LampSign(Lamps(amber=_WINK, red=_WINK), Tune("--", 550)),
    Phase.CAMERA_LOST: LampSign(Lamps(red=_FAST), Tune("-..-", 275)),
    Phase.FINISHED: LampSign(Lamps(green=_ON, amber=_ON), Tune("..--", 1100)),
}
SAVING: Final = Lamps(amber=_FAST)
"""While the journal writes: the same as while the table is being read. Wait a moment."""
AGREEING: Final = Lamps(amber="##......", red="....##..")
"""Somebody asks that the table counts as it lies: the other one's word is waited for."""


def lamps(match: Match) -> Lamps:
    """What the lamps show now."""
    if match.wish is Kind.AS_IT_IS:
        return AGREEING
    shown = SIGNS[match.phase].lamps
    return shown if match.saved or "#" not in shown.green else SAVING
