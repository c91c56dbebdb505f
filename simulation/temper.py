"""What people at a table are like, and what they can press."""

from dataclasses import dataclass
from typing import Literal


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

    confirm: Literal["button", "auto"] = "auto"
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
