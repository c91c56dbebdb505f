"""What people at a table are like, and what they can press."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Confirm: TypeAlias = Literal["button", "auto"]
"""Whether a move waits for its button, or counts once the table lies still."""

READS_S = 0.7
"""How long it takes to read a verdict before anybody acts on it."""
PATIENT_S = 4.0
"""So long people wait for a word on what they have done, before they see to it themselves."""
SOON_S = 2.5
"""So long they wait after they have pressed or typed something."""
NOTHING_S = 1.5
"""So long they look whether the referee makes something of a hand that did nothing."""
STARTS_S = 8.0
"""So long they wait for a table that is set up to be taken up."""
LOST_S = 45.0
"""So long they wait for a camera that has gone."""
BREAK_S = 600.0
"""So long a break may be."""
BOUND_S = 60.0
"""So long people wait at most for anything that comes of one move; then they see to it themselves."""
MOST_S = 4 * 3600.0
"""After so long at the table they stop."""
TRIES = 6
"""So often they try to bring record and table together before they play on as it is."""
GIVES_UP = 12
"""After so many moves in a row of which the record could not be brought right, they stop."""


@dataclass(frozen=True)
class Press:
    """Something that is pressed or typed."""

    kind: str
    words: str = ""
    number: int = 0
    key: str = ""


@dataclass(frozen=True)
class Temper:
    """What people at a table are like; shares are of their moves."""

    confirm: Confirm = "auto"
    illegal: float = 0.06
    """Moves that are not allowed, made on purpose or by mistake."""
    insists: float = 0.3
    """The share of the refused ones that both let stand."""
    retracts: float = 0.04
    """Legal moves that are put back again after the ruling."""
    touches: float = 0.12
    """How often a hand comes for nothing after a move."""
    forgets: float = 0.06
    """How often nobody thinks of the button at first."""
    early: float = 0.05
    """How often the button is pressed before there was a ruling."""
    hesitates: float = 0.15
    """How often somebody thinks for long before a move."""
    hurries: float = 0.0
    """How often the next move follows at once (where no button is waited for)."""
    pause_s: float = 0.8
