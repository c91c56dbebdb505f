"""What people at a table want pressed: where it stands on the page, and when the match has heard it.

At the table one button means whatever is due; on the page what both agree to has places of its own. What is
to be done to the table as it lies is offered at once when it is out of step, and else behind a button.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from device.match.signals import Told
from simulation.temper import Press
from tests.web.browser import Browser

_BUTTONS: Final[Mapping[str, Sequence[str]]] = {
    "put back": ("Put it back",), "misread": ("I was misread",), "as it is": ("Take the table as it is",),
    "pause": ("Pause", "Go on"), "undo": ("Challenge", "None of these", "Undo"),
}  # fmt: skip
_BOTH: Final[Mapping[str, str]] = {"as it is": "Take the table as it is?", "let stand": "Let it stand?"}
"""What is agreed to, and how the page asks for it."""
_TAP: Final = """
const [selector, words] = arguments;
const one = [...document.querySelectorAll(selector)]
  .find((each) => each.checkVisibility() && words.some((word) => each.innerText.startsWith(word)));
one?.click(); return Boolean(one);"""


def tapped(screen: Browser, selector: str, *words: str) -> bool:
    """Tap what is found there and begins with one of these words, if it is there."""
    return bool(screen.run(_TAP, selector, list(words or ("",))))


def pressed(screen: Browser, asked: Mapping[str, Any]) -> int:
    """Press what people want where the page offers it; how many taps that took, 0 where it is not offered."""
    kind, number, phase = asked["kind"], asked["number"], asked["phase"]
    if kind == "choose":
        return int(tapped(screen, f"#choices button:nth-of-type({number + 1})"))
    if kind == "confirm" and phase != "illegal":
        return int(tapped(screen, f"#buttons .p{number or 1}"))
    question = _BOTH.get("let stand" if kind == "confirm" else kind)
    if question is None:
        return int(tapped(screen, "#buttons button", *_BUTTONS[kind]))
    mine = f'#consent [aria-label^="{question}"] .p{number or 1}'
    if tapped(screen, mine):
        return 1
    if kind not in _BUTTONS or not tapped(screen, "#buttons button", *_BUTTONS[kind]):
        return 0
    screen.until(lambda: tapped(screen, mine), 20.0)
    return 2


def heard(press: Press, told: Told) -> bool:
    """Whether this is what they wanted: a button of the table lets a refused move stand, too."""
    meant = ("confirm", "let stand") if press.kind == "confirm" else (press.kind,)
    return told.kind in meant and press.number in (0, told.number)
