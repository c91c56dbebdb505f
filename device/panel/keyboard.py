"""The keyboard in place of buttons: a letter is a button, anything else is a move or a correction."""

import sys
import threading
from collections.abc import Callable, Mapping
from typing import TextIO

from device.match.signals import Kind, Told

HELP = "a or b: confirm · u: undo or challenge · p: pause · 1, 2 …: choose · put back · stand · misread · "
HELP += (
    "as it is (what both must agree to, a and b do) · sheets: read and score the Duel's maps · or a move, "
)
HELP += "a fact or a correction in notation (correct 3: …, take back 3, back to 3; put …: set a piece)"
_WORDS = {
    "a": Told(Kind.CONFIRM, number=1),
    "b": Told(Kind.CONFIRM, number=2),
    "u": Told(Kind.UNDO),
    "p": Told(Kind.PAUSE),
    "put back": Told(Kind.PUT_BACK),
    "stand": Told(Kind.LET_STAND),
    "misread": Told(Kind.MISREAD),
    "as it is": Told(Kind.AS_IT_IS),
}


def signal_of(line: str) -> Told | None:
    """What a typed line says to the match, or None where it says nothing."""
    said = line.strip()
    if not said:
        return None
    if said.lower() in _WORDS:
        return _WORDS[said.lower()]
    if said.isascii() and said.isdecimal() and len(said) <= 2:
        return Told(Kind.CHOOSE, number=int(said) - 1)
    return Told(Kind.TYPED, said)


def listen(
    press: Callable[[Told], None],
    lines: TextIO = sys.stdin,
    more: Mapping[str, Callable[[], None]] | None = None,
) -> threading.Thread:
    """Hear what is typed, line by line, until there is no more; ``more`` are words that do something else."""

    def run() -> None:
        for line in lines:
            if more and (act := more.get(line.strip().lower())):
                act()
                continue
            signal = signal_of(line)
            if signal is not None:
                press(signal)

    thread = threading.Thread(target=run, name="keyboard", daemon=True)
    thread.start()
    return thread
