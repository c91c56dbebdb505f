"""The drawing of the wiring: right pins, right resistors, no wire across another, and the files in docs/."""

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import toml
from device.cli import main
from device.panel.gpio_pins import BUTTONS, LAMPS, Pins
from device.panel.wiring_drawing import PART_W, WIDE, wiring_svg
from device.panel.wiring_plan import (
    ADVISED,
    BLACK,
    FORWARD_VOLTS,
    GPIO_VOLTS,
    HEADER,
    LAMP_MA,
    WiringPlan,
    advised_settings,
    bands,
    board_pin,
    next_ohms,
    wiring_plan,
)
from device.settings import Settings

DOCS = Path(__file__).parents[3] / "docs" / "wiring"
NAMES = (*BUTTONS, *LAMPS, "buzzer", "speaker")
Segment = tuple[tuple[float, float], tuple[float, float]]


def advised(buttons: int) -> WiringPlan:
    """The plan of an advised panel."""
    one = ADVISED[buttons]
    return wiring_plan(one.pins, display=one.display, card=one.card)


def segments(svg: str) -> list[list[Segment]]:
    """The ways of the wires, each as straight pieces."""
    found = []
    for line in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}polyline"):
        if line.get("stroke-width") == "4":
            points = [tuple(map(float, one.split(","))) for one in line.get("points", "").split()]
            found.append([*itertools.pairwise(points)])
    return found  # type: ignore[return-value]


def cross(one: Segment, other: Segment) -> bool:
    """Whether two straight pieces, level or upright, meet."""
    (ax, ay), (bx, by) = sorted(one)
    (cx, cy), (dx, dy) = sorted(other)
    return ax <= dx and cx <= bx and min(ay, by) <= max(cy, dy) and min(cy, dy) <= max(ay, by)


def test_the_header_is_that_of_the_board() -> None:
    """Each of the 40 pins is called as the pins' own library has it."""
    (board,) = [header for header in MockFactory().board_info.headers.values() if len(header.pins) == 40]
    for number, pin in board.pins.items():
        told = pin.name.replace("GPIO", "GPIO ")
        assert HEADER[number - 1] == told, number
    assert (board_pin(5), board_pin(21), board_pin(18)) == (29, 40, 12)


def test_resistors_let_no_more_through_than_is_wanted() -> None:
    """The next one that is sold, with its painted rings; all lamps together stay below what the pins give."""
    assert [bands(ohms) for ohms in (330, 270, 1000, 47)] == [
        ("orange", "orange", "brown"), ("red", "violet", "brown"), ("brown", "black", "red"),
        ("yellow", "violet", "black"),
    ]  # fmt: skip
    lamps = [part for part in advised(4).parts if part.kind == "lamp"]
    currents = []
    for part in lamps:
        assert part.ohms is not None
        volts = GPIO_VOLTS - FORWARD_VOLTS[part.name.split()[0]]
        currents.append(volts / part.ohms * 1000)
        assert 0.8 * LAMP_MA < currents[-1] <= LAMP_MA
    assert len(currents) == 3
    assert sum(currents) < 50
    assert next_ohms(1.5, 5.0) == 330
    assert next_ohms(3.3, 10.0) == 330


@pytest.mark.parametrize("buttons", ADVISED)
def test_the_drawing_in_the_documents_is_what_is_made(buttons: int) -> None:
    """Else: `pipwatch pins --draw docs/wiring/N-buttons.svg --buttons N`."""
    kept = (DOCS / f"{buttons}-buttons.svg").read_text(encoding="utf-8")
    assert kept == wiring_svg(advised(buttons), ADVISED[buttons].title)


@pytest.mark.parametrize("buttons", ADVISED)
def test_no_words_of_an_advised_panel_lie_on_others_or_leave_their_part(buttons: int) -> None:
    """In DejaVu Sans, too, the widest font that they are set in where no Helvetica is."""
    root = ET.fromstring(wiring_svg(advised(buttons)))
    words = [one for one in root.iter("{http://www.w3.org/2000/svg}text") if "transform" not in one.attrib]
    laid = [(one.text or "", *words_box(one)) for one in words]
    boxes = [
        one for one in root.iter("{http://www.w3.org/2000/svg}rect") if one.get("width") == f"{PART_W:g}"
    ]
    parts = [[float(one.get(name, "")) for name in ("x", "y", "width", "height")] for one in boxes]
    assert len(parts) == len(advised(buttons).parts)
    for text, left, upper, right, _ in laid:
        assert 0 <= left < right <= WIDE, text
        for x, y, _, high in parts:
            if x <= left < x + PART_W and y <= upper < y + high:
                assert right <= x + PART_W, text
    for (one, a, b, c, d), (other, e, f, g, h) in itertools.combinations(laid, 2):
        assert a >= g or e >= c or b >= h or f >= d, f"{one!r} lies on {other!r}"


def words_box(text: ET.Element) -> tuple[float, float, float, float]:
    """About where words lie."""
    x, y, size = (float(text.get(name, "")) for name in ("x", "y", "font-size"))
    long = len(text.text or "") * size * (0.58 if "font-weight" in text.attrib else 0.5)
    left = x - long * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
    return left, y - size * 0.7, left + long, y


@pytest.mark.parametrize("buttons", ADVISED)
def test_no_wire_of_an_advised_panel_crosses_another(buttons: int) -> None:
    """They lie in the order of the pins."""
    ways = segments(wiring_svg(advised(buttons)))
    assert len(ways) == len(advised(buttons).wires)
    for one, other in itertools.combinations(ways, 2):
        assert not any(cross(a, b) for a in one for b in other), (one, other)


@pytest.mark.parametrize("buttons", ADVISED)
def test_the_advised_panels_have_that_many_buttons_and_settings_that_say_so(buttons: int) -> None:
    """The lines that are printed are read back as what is drawn."""
    one = ADVISED[buttons]
    read = toml.parse(advised_settings(one), Settings, "printed")
    assert (read.pins, bool(read.oled.chip), read.sound.card) == (one.pins, one.display, one.card)
    assert sum(part.kind == "button" for part in advised(buttons).parts) == buttons


def test_what_three_buttons_do_is_written_beside_them() -> None:
    """Without a pause button undo is held for it; with one it is not."""
    notes = {part.name: part.notes for part in advised(3).parts}
    assert notes["UNDO / CHALLENGE"] == ("hold 1.5 s pause, 5 s off",)
    assert {part.name: part.notes for part in advised(4).parts}["UNDO / CHALLENGE"] == ()


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(range(4, 28)), st.sets(st.sampled_from(NAMES), min_size=1), st.booleans(), st.booleans()
)
def test_any_panel_is_drawn_whole(order: list[int], names: set[str], display: bool, card: bool) -> None:
    """Each part once, each wire at its own pin with its letter at both ends and in the list, all grounded."""
    pins = Pins(**dict(zip(sorted(names), order, strict=False)))
    plan = wiring_plan(pins, display=display, card="usb" if card else "")
    numbers = [wire.pin for wire in plan.wires]
    assert len(set(numbers)) == len(numbers)
    for part in plan.parts:
        assert part.rail or any(wire.ink is BLACK for wire in part.wires)
    for name in names:
        assert board_pin(getattr(pins, name)) in numbers
    svg = wiring_svg(plan)
    root = ET.fromstring(svg)
    high = float((root.get("viewBox") or "").split()[3])
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    for wire in plan.wires:
        assert texts.count(wire.letter) >= (2 if wire.end.endswith("rail") else 3)
    drawn = any(part.kind == "amplifier" for part in plan.parts)
    assert drawn is (card and not {18, 19, 21} & {getattr(pins, name) for name in names})
    assert bool(plan.remarks) is (card and not drawn)
    for way in segments(svg):
        assert all(0 <= x <= 1240 and 0 <= y <= high for piece in way for x, y in piece)


def test_the_command_draws_the_settings_or_what_is_advised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without pins of one's own it prints the settings that go with the drawing."""
    (config := tmp_path / "config.toml").write_text("[pins]\nundo = 24\n")
    out = tmp_path / "w.svg"
    assert main(["pins", "--config", str(config), "--draw", str(out)]) == 0
    assert "pin 18 (GPIO 24) to UNDO / CHALLENGE, a leg" in out.read_text()
    assert capsys.readouterr().out == ""
    config.write_text("")
    assert main(["pins", "--config", str(config), "--draw", str(out)]) == 0
    assert "pause = 26" in capsys.readouterr().out
    assert out.read_text() == wiring_svg(advised(4), ADVISED[4].title)
    assert main(["pins", "--config", str(config), "--draw", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err
