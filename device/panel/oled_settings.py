"""Which small display there is."""

from dataclasses import dataclass
from typing import Final, Literal

DISPLAY_PINS: Final = (2, 3)
"""Its wires, by Broadcom's numbers: the header's I²C bus."""


@dataclass(frozen=True)
class OledSettings:
    """A display of 128 × 64 dots at the I²C bus."""

    chip: Literal["", "ssd1306", "sh1106"] = ""
    """What it is driven by, or nothing where there is none; those of 1.3 inches mostly have an SH1106."""
    address: int = 0x3C
    port: int = 1
    upside_down: bool = False

    def __post_init__(self) -> None:
        if not 0x08 <= self.address <= 0x77:
            raise ValueError("address should be from 0x08 to 0x77, mostly 0x3C or 0x3D")
        if not 0 <= self.port <= 99:
            raise ValueError("port should be the number of an I²C bus, mostly 1")
