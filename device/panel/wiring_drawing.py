"""The wiring of a panel as a picture that is followed with jumper wires in hand, made from the settings.

The header is drawn as it is seen from above with the USB sockets towards oneself. Every wire has a letter at
both ends and a line of the list below, so that nobody needs to tell colours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from device.panel.wiring_plan import (
    BLACK,
    FORWARD_VOLTS,
    GPIO_VOLTS,
    HEADER,
    I2S_CARD,
    Part,
    Side,
    Wire,
    WiringPlan,
    bands,
)

WIDE: Final = 1240.0
MIDDLE: Final = WIDE / 2
TOP: Final = 128.0
PITCH: Final = 32.0
_PIN_X, _PIN_R, _NAME_W, _NAME_H = 17.0, 12.0, 66.0, 22.0
EXIT: Final = MIDDLE - _PIN_X - _PIN_R - 4 - _NAME_W
"""Where a wire of the left side leaves the header."""
PART_X, PART_W, RAIL_X = 64.0, 244.0, 36.0
_GAP, _ENDS, _LANE = 14.0, 26.0, 13.0
_RESISTOR_ENDS: Final = 40.0
"""Two legs of a part with a resistor are further apart: its value stands between them."""
_HIGH: Final = {"button": 66.0, "lamp": 86.0, "buzzer": 100.0, "speaker": 116.0}
_PAINT: Final = {
    "black": "#222222", "brown": "#7b4a21", "red": "#c62828", "orange": "#f08a1d", "yellow": "#f2d22e",
    "green": "#2e9e4f", "blue": "#2565c0", "violet": "#7a3fb0", "grey": "#8a8f96", "white": "#ffffff",
    "gold": "#b8860b",
}  # fmt: skip
_LIGHT: Final = {"green lamp": "#7be08f", "amber lamp": "#ffd166", "red lamp": "#ff8a80"}
_INK, _FAINT, _LINE, _PAPER, _DARK = "#1d2733", "#5b6b7b", "#b9c3cd", "#f6f8fa", "#2b323a"
_FONT: Final = 'font-family="Helvetica, Arial, sans-serif"'
_SAFE: Final = (
    "Switch the box off and pull its plug before you wire. Letters and list tell the wires apart; "
    "any colour will do."
)


@dataclass(frozen=True, slots=True)
class _Seat:
    """A part and where it is drawn."""

    part: Part
    upper: float
    high: float

    @property
    def ends(self) -> tuple[float, ...]:
        """The height of each of its wires' ends."""
        wires = len(self.part.wires)
        apart = _ENDS if self.part.ohms is None else _RESISTOR_ENDS
        middle = self.upper + self.high / 2 + (10 if self.part.ohms is not None and wires == 1 else 0)
        return tuple(middle + (n - (wires - 1) / 2) * apart for n in range(wires))

    @property
    def middle(self) -> float:
        """The height at which its own body is."""
        return sum(self.ends) / len(self.ends)


@dataclass(frozen=True, slots=True)
class _WireRun:
    """A wire's way from the header to its end, on one side."""

    wire: Wire
    start: float
    end: float
    far: float
    """How far from the edge of the drawing it ends."""


def wiring_svg(plan: WiringPlan, title: str = "Your wiring") -> str:
    """The drawing as SVG."""
    left, right = _seats(plan, "left"), _seats(plan, "right")
    lowest = max(TOP + 20 * PITCH, *(seat.upper + seat.high for seat in (*left, *right)), TOP)
    listed, advice = lowest + 74, _advice(plan)
    high = listed + max(9, (len(plan.wires) + 1) // 2 + 1) * 24 + 34 + 22 * len(advice)
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {high:g}" role="img" {_FONT}>',
        f"<title>{escape(title)}</title>",
        _box(0, 0, WIDE, high, "#ffffff", "none"),
        _text(40, 42, title, 24, bold=True),
        _text(40, 68, _SAFE, 15),
        *_socket(),
        *_wires(plan, "left", left, lowest),
        *_wires(plan, "right", right, lowest),
        *_header(plan),
        *(shape for seat in left for shape in _part(seat, "left")),
        *(shape for seat in right for shape in _part(seat, "right")),
        *_listed(plan, listed),
        *_board(listed),
        *(_text(40, high - 22 * (len(advice) - n) + 2, words, 14) for n, words in enumerate(advice)),
        "</svg>",
    ]
    return "\n".join(shapes) + "\n"


# — places —


def _seats(plan: WiringPlan, side: Side) -> list[_Seat]:
    """The parts of a side, one below the other in the order of their pins, near the pins they go to."""
    parts = sorted((part for part in plan.parts if part.side == side), key=lambda part: part.wires[0].pin)
    highs = [_HIGH.get(part.kind, len(part.wires) * _ENDS + 34) for part in parts]
    uppers = list[float]()
    for part, high in zip(parts, highs, strict=True):
        wanted = sum(_pin_y(wire.pin) for wire in part.wires) / len(part.wires) - high / 2
        least = uppers[-1] + highs[len(uppers) - 1] + _GAP if uppers else TOP - 30
        uppers.append(max(wanted, least))
    for n in reversed(range(len(uppers))):  # what would hang out below moves up, as far as there is room
        below = uppers[n + 1] - _GAP if n + 1 < len(uppers) else TOP + 20 * PITCH
        uppers[n] = min(uppers[n], below - highs[n])
    lift = max(0.0, TOP - 30 - uppers[0]) if uppers else 0.0
    return [_Seat(part, y + lift, high) for part, y, high in zip(parts, uppers, highs, strict=True)]


def _pin_y(pin: int) -> float:
    return TOP + PITCH / 2 + (pin - 1) // 2 * PITCH


def _across(side: Side, x: float) -> float:
    return x if side == "left" else WIDE - x


# — wires —


def _wires(plan: WiringPlan, side: Side, seats: Sequence[_Seat], lowest: float) -> Iterator[str]:
    runs = [
        _WireRun(wire, _exit_y(wire.pin, side), y, PART_X + PART_W)
        for seat in seats
        for wire, y in zip(seat.part.wires, seat.ends, strict=True)
    ]
    for rail_side, pin in plan.rails:
        if rail_side == side:
            yield from _rail(side, seats, lowest + 22)
            runs.append(_WireRun(Wire("GND", BLACK, pin, ""), _exit_y(pin, side), lowest + 22, RAIL_X))
    yield from _routed(side, runs)


def _rail(side: Side, seats: Sequence[_Seat], foot: float) -> Iterator[str]:
    """The common ground of a side, with a dot where each part meets it."""
    x = _across(side, RAIL_X)
    heights = [seat.middle for seat in seats if seat.part.rail]
    yield _line(((x, min(heights)), (x, foot)), BLACK[1], 5)
    for y in heights:
        yield _line(((x, y), (_across(side, PART_X), y)), BLACK[1], 3)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="{BLACK[1]}"/>'
    place = f"translate({_across(side, RAIL_X - 12):g} {(min(heights) + max(heights)) / 2:g})"
    turn = f"{place} rotate({-90 if side == 'left' else 90})"
    look = f'font-size="13" fill="{_INK}" text-anchor="middle"'
    yield f'<text transform="{turn}" {look}>ground rail (GND)</text>'


def _exit_y(pin: int, side: Side) -> float:
    """A wire to the other side leaves between two rows."""
    return _pin_y(pin) + (0 if _is_of(pin, side) else PITCH / 2)


def _is_of(pin: int, side: Side) -> bool:
    return (pin % 2 == 1) is (side == "left")


def _routed(side: Side, runs: Sequence[_WireRun]) -> Iterator[str]:
    """The ways of all wires of a side. Those that go down turn the later the lower they begin, those that go
    up the earlier, so that none crosses another where the parts lie in the order of the pins."""
    ordered = sorted(runs, key=lambda run: (run.start, run.end))
    down = [run for run in ordered if run.end > run.start + 1]
    up = [run for run in ordered if run.end < run.start - 1]
    tags = list[str]()
    for run in ordered:
        lane = len(down) - 1 - down.index(run) if run in down else up.index(run) if run in up else 0
        turn = EXIT - 46 - lane * _LANE
        points = [(EXIT, run.start), (turn, run.start), (turn, run.end), (run.far, run.end)]
        if not _is_of(run.wire.pin, side):  # from the other row, through between two rows
            over = MIDDLE + _PIN_X
            points = [(over, _pin_y(run.wire.pin)), (over, run.start), *points]
        path = [(_across(side, x), y) for x, y in points]
        yield _line(path, "#ffffff", 8)
        yield _line(path, run.wire.ink[1], 4)
        tags += _tag(run.wire, _across(side, EXIT - 22), run.start)
        if run.far == PART_X + PART_W:
            tags += _tag(run.wire, _across(side, run.far + 22), run.end)
    yield from tags


def _tag(wire: Wire, x: float, y: float) -> Iterator[str]:
    wide = 20.0 if len(wire.letter) == 1 else 34.0
    yield _box(x - wide / 2, y - 10, wide, 20, "#ffffff", wire.ink[1], 2, 5)
    yield _text(x, y + 5, wire.letter, 13, anchor="middle", bold=True)


# — the header —


def _socket() -> Iterator[str]:
    wide = 2 * (_PIN_X + _PIN_R) + 6
    yield _box(MIDDLE - wide / 2, TOP - 2, wide, 20 * PITCH + 4, _DARK, "none", 0, 6)
    yield _text(MIDDLE, TOP - 12, "pin 1 is the square one", 13, anchor="middle", fill=_FAINT)


def _header(plan: WiringPlan) -> Iterator[str]:
    used = {wire.pin: wire for wire in plan.wires}
    for pin, name in enumerate(HEADER, 1):
        odd, y, wire = pin % 2 == 1, _pin_y(pin), used.get(pin)
        x = MIDDLE + (-_PIN_X if odd else _PIN_X)
        fill, edge = (wire.ink[1], "#ffffff") if wire else ("#e9edf1", "none")
        if pin == 1:
            yield _box(x - _PIN_R, y - _PIN_R, 2 * _PIN_R, 2 * _PIN_R, fill, edge, 2)
        else:
            yield _disc(x, y, _PIN_R, fill, edge)
        number_fill, name_fill = ("#ffffff", _INK) if wire else (_FAINT, "#7d8996")
        yield _text(x, y + 4, str(pin), 12, anchor="middle", fill=number_fill, bold=bool(wire))
        left = EXIT if odd else WIDE - EXIT - _NAME_W
        if wire:
            yield _box(left, y - _NAME_H / 2, _NAME_W, _NAME_H, "#ffffff", wire.ink[1], 2, 4)
        size = 14 if wire else 12
        yield _text(left + _NAME_W / 2, y + 5, name, size, anchor="middle", fill=name_fill, bold=bool(wire))


# — the parts —


def _part(seat: _Seat, side: Side) -> Iterator[str]:
    left = PART_X if side == "left" else WIDE - PART_X - PART_W
    yield _box(left, seat.upper, PART_W, seat.high, _PAPER, _LINE, 1.5, 8)
    if seat.part.kind == "button":
        yield from _button(seat, side)
    elif seat.part.kind in ("lamp", "buzzer", "speaker"):
        yield from _two_legged(seat, side)
    else:
        yield from _module(seat, side)
    for wire, y in zip(seat.part.wires, seat.ends, strict=True):
        yield _disc(_across(side, PART_X + PART_W), y, 5, wire.ink[1])


def _button(seat: _Seat, side: Side) -> Iterator[str]:
    """A cap with the letter of its wire, a leg to the wire and one to ground."""
    part, y = seat.part, seat.middle
    x = _across(side, PART_X + 34)
    for wire, end in zip(part.wires, seat.ends, strict=True):
        yield _line(((x, end), (_across(side, PART_X + PART_W), end)), wire.ink[1], 3)
    if part.rail:
        yield _line(((_across(side, PART_X), y), (x, y)), BLACK[1], 3)
    yield _disc(x, y, 24, "#ffffff", _INK)
    yield _disc(x, y, 17, "#dfe5eb", _INK)
    yield _text(x, y + 6, part.signal.letter, 17, anchor="middle", bold=True)
    words = _across(side, PART_X + 66 if side == "left" else PART_X + PART_W - 12)
    spread = 10 if len(seat.ends) > 1 else 0
    yield _text(words, y - 9 - spread, part.name, 15, bold=True)
    for note in part.notes:
        yield _text(words, y + 20 + spread, note, 13, fill=_FAINT)


def _two_legged(seat: _Seat, side: Side) -> Iterator[str]:
    """A lamp, a buzzer or a piezo, with the resistor that stands before it."""
    part, middle = seat.part, seat.middle
    far, near = _across(side, PART_X + 62), _across(side, PART_X + PART_W)
    words = _across(side, PART_X + 12 if side == "left" else PART_X + PART_W - 12)
    yield _text(words, seat.upper + 21, part.name.upper(), 15, bold=True)
    for wire, y in zip(part.wires, seat.ends, strict=True):
        yield _line(((near, y), (far, y), (far, middle)), wire.ink[1], 3)
        if part.ohms is not None and wire.ink is not BLACK:
            yield from _resistor(_across(side, PART_X + 172), y, part.ohms)
        if part.kind == "buzzer":
            yield _text(_across(side, PART_X + 100), y - 6, wire.end, 15, anchor="middle", bold=True)
    if part.rail:
        yield _line(((_across(side, PART_X), middle), (far, middle)), BLACK[1], 3)
    if part.kind == "lamp":
        yield from _lamp(part, side, far, middle)
        return
    yield _disc(far, middle, 21, _DARK, _INK)
    yield _disc(far, middle, 5, "#ffffff")
    yield _text(words, seat.upper + seat.high - 9, part.notes[0], 12, fill=_FAINT)


def _lamp(part: Part, side: Side, x: float, y: float) -> Iterator[str]:
    yield _disc(x, y, 19, _LIGHT[part.name], _INK)
    yield _text(x, y + 6, part.signal.letter, 16, anchor="middle", bold=True)
    yield _text(_across(side, PART_X + 108), y - 8, "long leg", 11, anchor="middle", fill=_FAINT)
    yield _text(_across(side, PART_X + 24), y - 8, "short", 11, anchor="middle", fill=_FAINT)


def _resistor(x: float, y: float, ohms: int) -> Iterator[str]:
    """Its body with the painted rings, its value, and the rings in words."""
    yield _box(x - 32, y - 10, 64, 20, "#ead7b0", "#8a7448", 1.5, 7)
    for n, name in enumerate((*bands(ohms), "gold")):
        yield _box(x - 22 + n * 12 + (6 if name == "gold" else 0), y - 10, 6, 20, _PAINT[name], "none")
    yield _text(x, y - 15, f"{ohms} Ω", 14, anchor="middle", bold=True)
    yield _text(x, y + 24, ", ".join(bands(ohms)), 11, anchor="middle", fill=_FAINT)


def _module(seat: _Seat, side: Side) -> Iterator[str]:
    """A small board with named pins."""
    part = seat.part
    edge, inner = _across(side, PART_X + PART_W), _across(side, PART_X + PART_W - 18)
    anchor = "end" if side == "left" else "start"
    for wire, y in zip(part.wires, seat.ends, strict=True):
        yield _line(((edge, y), (inner, y)), wire.ink[1], 3)
        yield _text(_across(side, PART_X + PART_W - 24), y + 5, wire.end, 14, anchor=anchor, bold=True)
    x = PART_X + 12 if side == "left" else WIDE - PART_X - 142
    yield _text(x, seat.upper + 21, part.name, 14, bold=True)
    fill, words = ("#10161c", "Ann 35 : 20 Bob") if part.kind == "display" else ("#2a5d9f", "MAX98357A")
    high = max(34.0, seat.high - 84)
    yield _box(x, seat.upper + 32, 118, high, fill, _INK, 1.5, 4)
    yield _text(x + 59, seat.upper + 32 + high / 2 + 5, words, 13, anchor="middle", fill="#ffffff")
    for n, note in enumerate(part.notes):
        yield _text(x, seat.upper + seat.high - 26 + 16 * n, note, 12, fill=_FAINT)


# — below —


def _listed(plan: WiringPlan, upper: float) -> Iterator[str]:
    """Every wire in words, in two columns."""
    yield _text(40, upper, "Every wire", 17, bold=True)
    owners = {wire: part for part in plan.parts for wire in part.wires}
    half = (len(plan.wires) + 1) // 2
    for n, wire in enumerate(plan.wires):
        x, y = 40 + 470 * (n // half), upper + 28 + 24 * (n % half)
        yield from _tag(wire, x + 18, y - 5)
        to = f"{owners[wire].name}, {wire.end}" if wire in owners else wire.end
        yield _text(x + 44, y, f"pin {wire.pin} ({HEADER[wire.pin - 1]}) to {to}", 14)


def _board(upper: float) -> Iterator[str]:
    """Where on the board the header is."""
    x, y = WIDE - 232, upper - 6
    yield _box(x, y, 120, 170, "#e6f2ea", "#3c7a54", 2, 8)
    yield _box(x + 98, y + 10, 16, 104, _DARK, "none", 0, 2)
    yield _box(x + 99.5, y + 11.5, 5, 5, "#ffffff", "none")
    for n in range(3):
        yield _box(x + 8 + 38 * n, y + 142, 30, 34, "#c4ccd4", "#7d8996", 1.5, 2)
    yield _text(x + 50, y + 66, "Raspberry Pi", 13, anchor="middle", fill="#3c7a54")
    yield _text(x + 128, y + 20, "← pin 1", 13)
    yield _text(x + 128, y + 66, "← the 40 pins", 13)
    yield _text(x + 128, y + 164, "← USB", 13)


def _advice(plan: WiringPlan) -> list[str]:
    kinds = {part.kind for part in plan.parts}
    told = []
    if "button" in kinds:
        told.append(
            "Button: any push button that closes when it is pressed; of one with four legs take two in "
            "opposite corners. It needs no resistor."
        )
    if "lamp" in kinds:
        told.append(
            "Lamp: an LED of 3 or 5 mm; its long leg looks to the resistor, its short one (flat side) to "
            f"ground. All together take {_milliamperes(plan):.0f} mA of the 50 mA that the pins may give."
        )
    if "display" in kinds:
        told.append(
            "Display: add dtparam=i2c_arm=on to /boot/firmware/config.txt, [oled] chip to the settings."
        )
    if "amplifier" in kinds:
        told.append(
            "Amplifier: add dtoverlay=hifiberry-dac to /boot/firmware/config.txt; its card is then "
            f"{I2S_CARD}, and [sound] card in the settings names it."
        )
    return [*told, *plan.remarks, "Then: pipwatch pins. It lights each lamp and names each press."]


def _milliamperes(plan: WiringPlan) -> float:
    """What all lamps take while all burn."""
    lamps = ((part.name.split()[0], part.ohms) for part in plan.parts if part.kind == "lamp")
    return sum((GPIO_VOLTS - FORWARD_VOLTS[name]) / ohms * 1000 for name, ohms in lamps if ohms)


# — shapes —


def _text(
    x: float, y: float, words: str, size: int, *, anchor: str = "start", fill: str = _INK, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{where}{weight}>{escape(words)}</text>'


def _box(
    x: float, y: float, wide: float, high: float, fill: str, edge: str, line: float = 1.0, corner: float = 0.0
) -> str:
    around = "" if edge == "none" else f' stroke="{edge}" stroke-width="{line:g}"'
    size = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
    return f'<rect {size} rx="{corner:g}" fill="{fill}"{around}/>'


def _disc(x: float, y: float, r: float, fill: str, edge: str = "none") -> str:
    around = "" if edge == "none" else f' stroke="{edge}" stroke-width="2"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"{around}/>'


def _line(points: Sequence[tuple[float, float]], colour: str, wide: float) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    stroke = f'stroke="{colour}" stroke-width="{wide:g}" stroke-linejoin="round"'
    return f'<polyline points="{path}" fill="none" {stroke}/>'
