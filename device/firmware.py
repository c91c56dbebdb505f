"""What a Raspberry Pi's firmware says of power and heat, now and since the start."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

THROTTLED: Final = {
    0: "under-voltage", 1: "frequency capped", 2: "throttled", 3: "hot",
    16: "under-voltage before", 17: "frequency capped before", 18: "throttled before", 19: "hot before",
}  # fmt: skip
"""The bits of the firmware's word, as the Raspberry Pi's documentation names them."""
_WORD: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""The same word as a file, by the Raspberry Pi's own kernel: it needs no right that a service has not."""


def throttled(root: Path, run: Callable[[Sequence[str]], str]) -> tuple[str, ...] | None:
    """What it says; None where there is no such firmware, or where it may not be asked."""
    try:
        word = int((root / _WORD).read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        _, _equals, given = run(["vcgencmd", "get_throttled"]).partition("=")
        try:
            word = int(given, 16)
        except ValueError:
            return None
    return tuple(words for bit, words in THROTTLED.items() if word >> bit & 1)
