"""What is wired where: every part of a panel with its wires to the 40 pins, as plain data for a drawing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, TypeAlias

from device.panel.gpio_pins import BUTTONS, LAMPS, Pins
from device.panel.press_meaning import BACKUP_S, BOTH, PAIR_S, PAUSE_S, SHUTDOWN_S

GPIO_VOLTS: Final = 3.3
"""What a pin gives that is high; the Raspberry Pi's data sheet."""
LAMP_MA: Final = 5.0
"""What a lamp gets at most: bright enough beside a table, and far below the 16 mA that a pin may give."""
PIEZO_MA: Final = 16.0
"""What a pin may give at most; a piezo is a capacitor and would take more for a moment."""
FORWARD_VOLTS: Final = {"green": 2.1, "amber": 2.0, "red": 1.8}
"""What is lost in a lamp itself, as data sheets of ordinary 5 mm lamps say."""
E12: Final = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The steps in which ordinary resistors are sold."""
_BANDS: Final = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")
I2S: Final = {"BCLK": 18, "LRC": 19, "DIN": 21}
"""Where the Raspberry Pi has its digital sound, by Broadcom's numbers; that cannot be moved."""
I2S_CARD: Final = "sndrpihifiberry"
"""What Linux calls the card of such an amplifier, by the overlay that the drawing names."""
I2C: Final = {"SDA": 2, "SCL": 3}

_ROWS: Final = (
    ("3V3", "5V"), (2, "5V"), (3, "GND"), (4, 14), ("GND", 15), (17, 18), (27, "GND"), (22, 23), ("3V3", 24),
    (10, "GND"), (9, 25), (11, 8), ("GND", 7), (0, 1), (5, "GND"), (6, 12), (13, "GND"), (19, 16), (26, 20),
    ("GND", 21),
)  # fmt: skip
HEADER: Final = tuple(name if isinstance(name, str) else f"GPIO {name}" for row in _ROWS for name in row)
"""What each of the 40 pins is, pin 1 first."""
GROUNDS: Final = tuple(number for number, name in enumerate(HEADER, 1) if name == "GND")

Side: TypeAlias = Literal["left", "right"]
Kind: TypeAlias = Literal["button", "lamp", "buzzer", "speaker", "display", "amplifier"]
Ink: TypeAlias = tuple[str, str]
"""The name of a colour and the colour."""

BLACK: Final[Ink] = ("black", "#20262d")
RED: Final[Ink] = ("red", "#c62828")
_INKS: Final[dict[str, tuple[str, Ink]]] = {
    "confirm_a": ("A", ("grey", "#7d8996")), "confirm_b": ("B", ("blue", "#1f6fb2")),
    "undo": ("U", ("violet", "#7a3fb0")), "pause": ("P", ("brown", "#8a5a2b")),
    "as_it_is": ("T", ("pink", "#d1508f")), "green": ("G", ("green", "#1e8e3e")),
    "amber": ("Y", ("yellow", "#d9a400")), "red": ("R", ("orange", "#e06a10")),
    "buzzer": ("S", ("turquoise", "#0b8f93")), "speaker": ("S", ("turquoise", "#0b8f93")),
    "SDA": ("D", ("dark green", "#0e5a35")), "SCL": ("C", ("dark blue", "#23397a")),
    "BCLK": ("K", ("turquoise", "#0b8f93")), "LRC": ("L", ("dark red", "#8c2f39")),
    "DIN": ("N", ("dark blue", "#23397a")),
}  # fmt: skip
"""The letter and the colour of each wire: whoever cannot tell colours goes by letters."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from a pin of the header to a part."""

    letter: str
    ink: Ink
    pin: int
    """Counted as on the board, 1 to 40."""
    end: str
    """What it is called at the part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A thing that is wired."""

    kind: Kind
    name: str
    notes: tuple[str, ...]
    wires: tuple[Wire, ...]
    """By their pins."""
    ohms: int | None = None
    """The resistor that stands before it."""
    rail: bool = False
    """Whether its other leg goes to the side's common ground."""

    @property
    def side(self) -> Side:
        """On which side of the header it is drawn: where most of its pins are."""
        odd = sum(wire.pin % 2 for wire in self.wires)
        return "left" if odd * 2 >= len(self.wires) else "right"

    @property
    def signal(self) -> Wire:
        """Its first wire that is no ground."""
        return next(wire for wire in self.wires if wire.ink is not BLACK)


@dataclass(frozen=True, slots=True)
class Advised:
    """A panel as it is wired by whoever has no reason for another one."""

    title: str
    pins: Pins
    display: bool = False
    card: str = ""


_THREE: Final = Pins(confirm_a=5, confirm_b=6, undo=13, green=17, amber=27, red=22, buzzer=18)
_FOUR: Final = replace(_THREE, pause=26)
ADVISED: Final = {
    3: Advised("Three buttons, three lamps, a buzzer", _THREE),
    4: Advised("Four buttons, three lamps, a buzzer, a display", _FOUR, display=True),
    5: Advised(
        "Five buttons, three lamps, an I²S speaker, a display", replace(_FOUR, as_it_is=11, buzzer=None),
        display=True, card=I2S_CARD,
    ),
}  # fmt: skip
"""By how many buttons there are. What two of them have in common is on the same pins."""


def advised_settings(advised: Advised) -> str:
    """The lines of the settings that say so."""
    pins = ((field.name, getattr(advised.pins, field.name)) for field in fields(advised.pins))
    lines = ["[pins]", *(f"{name} = {gpio}" for name, gpio in pins if gpio is not None)]
    lines += ["", "[oled]", 'chip = "ssd1306"'] if advised.display else []
    lines += ["", "[sound]", f'card = "{advised.card}"'] if advised.card else []
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class WiringPlan:
    """A whole panel."""

    parts: tuple[Part, ...]
    rails: tuple[tuple[Side, int], ...]
    """Which sides have a common ground, and from which pin it comes."""
    remarks: tuple[str, ...] = ()

    @property
    def wires(self) -> tuple[Wire, ...]:
        """All wires by their pins."""
        rails = (Wire("GND", BLACK, pin, f"the {side} ground rail") for side, pin in self.rails)
        return tuple(sorted((*(w for one in self.parts for w in one.wires), *rails), key=lambda one: one.pin))


def board_pin(gpio: int) -> int:
    """The pin of the header, 1 to 40, that has this Broadcom number."""
    return HEADER.index(f"GPIO {gpio}") + 1


def next_ohms(volts: float, milliamperes: float) -> int:
    """The smallest resistor that is sold and lets no more than this through."""
    least = volts / milliamperes * 1000
    steps = (step * int(10**power) for power in range(5) for step in E12)
    return next(ohms for ohms in steps if ohms >= least - 1e-9)


def bands(ohms: int) -> tuple[str, str, str]:
    """The three colours that are painted on a resistor of two digits and zeros."""
    digits = str(ohms)
    return _BANDS[int(digits[0])], _BANDS[int(digits[1])], _BANDS[len(digits) - 2]


def wiring_plan(pins: Pins, *, display: bool = False, card: str = "") -> WiringPlan:
    """How all of this is wired; ``card`` is the sound card that plays the tunes, where one does."""
    taken = {getattr(pins, name) for name in (*BUTTONS, *LAMPS, "buzzer", "speaker")}
    parts, remarks = [*_on_pins(pins)], []
    if display:
        parts.append(_display())
    if card and not taken & {*I2S.values()}:
        parts.append(_amplifier())
    elif card:
        numbers = ", ".join(str(gpio) for gpio in I2S.values())
        remarks.append(
            f"The sound card {card} is not drawn: an amplifier on the pins needs GPIO {numbers}, "
            "and one of these has another job here."
        )
    placed, rails = _grounded(parts)
    return WiringPlan(tuple(placed), tuple(rails), tuple(remarks))


# — the parts —


def _on_pins(pins: Pins) -> Iterator[Part]:
    names = [name for name in BUTTONS if getattr(pins, name) is not None]
    for name in names:
        yield Part(
            "button", _TITLES[name], _held(name, names), (_signal(name, getattr(pins, name), "a leg"),)
        )
    for name in LAMPS:
        if (gpio := getattr(pins, name)) is not None:
            ohms = next_ohms(GPIO_VOLTS - FORWARD_VOLTS[name], LAMP_MA)
            yield Part("lamp", f"{name} lamp", (), (_signal(name, gpio, "the resistor"),), ohms)
    if pins.buzzer is not None:
        wire = _signal("buzzer", pins.buzzer, "+")
        yield Part("buzzer", "buzzer", ("active, 3 V, 10 mA at most",), (wire,))
    if pins.speaker is not None:
        wire = _signal("speaker", pins.speaker, "the resistor")
        ohms = next_ohms(GPIO_VOLTS, PIEZO_MA)
        yield Part("speaker", "piezo speaker", ("passive: it has a pitch",), (wire,), ohms)


_TITLES: Final = {
    "confirm_a": "CONFIRM A", "confirm_b": "CONFIRM B", "undo": "UNDO / CHALLENGE", "pause": "PAUSE",
    "as_it_is": "TABLE AS IT IS",
}  # fmt: skip


def _held(name: str, names: Collection[str]) -> tuple[str, ...]:
    """What holding a button does."""
    if name in BOTH and {*names} >= BOTH:
        return (f"both {PAIR_S:g} s: phones join",)
    if name == "pause":
        return (f"hold {SHUTDOWN_S:g} s: box off",)
    if name == "undo" and "pause" not in names:
        return (f"hold {PAUSE_S:g} s pause, {SHUTDOWN_S:g} s off",)
    return (f"hold {BACKUP_S:g} s: backup",) if name == "as_it_is" else ()


def _signal(name: str, gpio: int, end: str) -> Wire:
    letter, ink = _INKS[name]
    return Wire(letter, ink, board_pin(gpio), end)


def _display() -> Part:
    wires = (
        Wire("3V3", RED, 1, "VCC"),
        *(_signal(name, gpio, name) for name, gpio in I2C.items()),
        Wire("GND", BLACK, 9, "GND"),
    )
    return Part("display", "OLED, 128 × 64, I²C", ("its pins may lie", "in another order"), wires)


def _amplifier() -> Part:
    wires = (
        Wire("5V", RED, 4, "Vin"),
        Wire("GND", BLACK, 6, "GND"),
        *(_signal(name, gpio, name) for name, gpio in I2S.items()),
    )
    ordered = tuple(sorted(wires, key=lambda wire: wire.pin))
    return Part("amplifier", "I²S amplifier", ("MAX98357A, and a", "speaker of 4 to 8 Ω"), ordered)


# — ground —


def _grounded(parts: Sequence[Part]) -> tuple[list[Part], list[tuple[Side, int]]]:
    """Each part that lacks one gets a ground: a pin of its own, or the rail of its side if several do."""
    placed, rails = [*parts], list[tuple[Side, int]]()
    used = {wire.pin for part in parts for wire in part.wires}
    sides: tuple[Side, ...] = ("left", "right")
    for side in sides:
        lacking = [n for n, part in enumerate(placed) if part.side == side and not _has_ground(part)]
        if not lacking:
            continue
        pin = _ground(side, [wire.pin for n in lacking for wire in placed[n].wires], used)
        used.add(pin)
        if len(lacking) > 1 or placed[lacking[0]].kind == "lamp":  # whose legs are told apart by their sides
            rails.append((side, pin))
            for n in lacking:
                placed[n] = replace(placed[n], rail=True)
        else:
            lone = placed[lacking[0]]
            own = Wire("GND", BLACK, pin, "−" if lone.kind == "buzzer" else "the other leg")
            ordered = sorted((*lone.wires, own), key=lambda wire: wire.pin)
            placed[lacking[0]] = replace(lone, wires=tuple(ordered))
    return placed, rails


def _has_ground(part: Part) -> bool:
    return any(wire.ink is BLACK for wire in part.wires)


def _ground(side: Side, near: Sequence[int], used: Collection[int]) -> int:
    """The free ground pin that is best reached: below all wires of its side, else the nearest."""
    free = [pin for pin in GROUNDS if pin % 2 == (side == "left") and pin not in used]
    if len(near) > 1 and free[-1] > max(pin for pin in used if pin % 2 == (side == "left")):
        return free[-1]
    return min(free, key=lambda pin: (abs(pin - near[0]), pin))
