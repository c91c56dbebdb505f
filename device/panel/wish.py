"""What buttons of the table can ask of the box itself, beside what they say to a match; and how that is told.

None of these signs is one of a match, by lamp or by sound. While a wish is at work its lamps burn; then those
of the match come back.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from device.match.lamp_signs import Lamps, LampSign, Tune


class Wish(StrEnum):
    """Something that only the box can do."""

    SHUTDOWN = "shutdown"
    PAIR = "pair"
    BACKUP = "backup"


HOLDING: Final = LampSign(Lamps(amber="##..##..", red="..##..##"), Tune("....", 1480))
"""A button is being held, and will ask something of the box: let go in time, and it does not."""
GRANTED: Final[Mapping[Wish, LampSign]] = {
    Wish.SHUTDOWN: LampSign(Lamps(green="#.#.#.#.", amber="#.#.#.#.", red="#.#.#.#."), Tune("-----", 196)),
    Wish.PAIR: LampSign(Lamps(amber="######..", red="######.."), Tune(".-.-", 1175)),
    Wish.BACKUP: LampSign(Lamps(amber="#...#...", red="..#...#."), Tune("..-", 784)),
}
"""All lamps together: it goes off; amber and red long together: a phone is let in; in turn: it copies."""
DONE: Final = Tune(".--", 1568)
"""What took its time is done; the lamps of the match are back."""
FAILED: Final = LampSign(Lamps(red="#..#..#."), Tune("---.", 165))
"""Nothing came of it: pages and log say why."""
SIGN_S: Final = 3.0
"""How long it is told at least what was asked for: long enough to be seen by whoever looks up."""
