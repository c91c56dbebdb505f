"""A newcomer's way: from the first page to a finished game of each kind, on a phone and on a desk.

People with hands sit at the virtual table, refereed from its pixels. Whatever they would press or say,
somebody presses on the page, on the phone and on the desk in turn, and each press is counted in taps.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.device.service.boxes import RealBox
from tests.web.browser import MISSING, Browser
from tests.web.wanted_taps import pressed, tapped

PHONE, DESK = (390, 844), (1280, 800)
SET_UP_S = 900.0
"""So long a busy machine may take to read a table that is set up: no score stands before that."""
_OFFERED = """
const [tap] = arguments, all = (selector) => [...document.querySelectorAll(selector)];
const said = all('[data-say]').find((one) => one.dataset.say === tap && one.checkVisibility());
const lit = all('#board .frame .lit').find((one) => one.dataset.tap?.split('|').includes(tap));
const one = said ?? lit;
one?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
return Boolean(one);"""


@dataclass
class Visitor:
    """Somebody with a phone and a desk before him, who presses what is wanted on either, in turn."""

    box: RealBox
    screens: list[Browser]
    taps: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """How many taps each kind of press took."""
    missed: Counter[str] = field(default_factory=Counter)
    """What could not be pressed, as the page did not offer it."""
    typed: list[str] = field(default_factory=list)
    """Lines for which no taps were found."""
    turns: int = 0

    def begin(self, game: str, readings: dict[str, int]) -> int:
        """From the first page to a match at the virtual table; the taps that it took."""
        phone = self.screens[0]
        for screen in self.screens:
            screen.open(f"http://localhost:{self.box.port}/")
        phone.until(lambda: phone.run("return document.querySelectorAll('#games label').length") == 4)
        for name, value in (("game", game), ("confirm", "button"), ("by", "virtual")):
            phone.click(f'label:has(input[name="{name}"][value="{value}"])')
        if readings:
            phone.click("#house summary")
        for name, wanted in readings.items():
            there = f'[name="reading {name}"]'
            phone.until(partial(phone.run, "return Boolean(document.querySelector(arguments[0]))", there))
            phone.run("document.querySelector(arguments[0]).value = ''", there)
            phone.type(there, str(wanted))
        phone.type('[name="first"]', "Ann")
        phone.type('[name="second"]', "Bo")
        phone.click("#begin")
        for screen in self.screens:
            screen.until(partial(_tells, screen, "#scores", "Ann"), SET_UP_S)
        return 4 + bool(readings) + len(readings)

    def play(self, seconds: float) -> dict[str, Any]:
        """Press whatever is wanted until the last hand has gone; what became of the game."""
        wanted, diary = self.box.folder / "wanted", self.box.folder / "diary"
        until = time.monotonic() + seconds
        while not diary.exists():
            assert time.monotonic() < until, f"{self.taps} {self.missed} {self.box.said[-2000:]}"
            assert self.box.process.poll() is None, self.box.said[-2000:]
            if wanted.exists():
                asked = json.loads(wanted.read_text())
                self.press(asked, wanted)
            else:
                time.sleep(0.02)
        told: dict[str, Any] = json.loads(diary.read_text())
        return told

    def press(self, asked: dict[str, Any], wanted: Path) -> None:
        """One thing that people want said."""
        self.turns += 1
        screen = self.screens[self.turns % len(self.screens)]
        kind = asked["kind"]
        if kind == "typed":
            self.say(screen, asked, wanted)
            return
        taps = _eventually(lambda: pressed(screen, asked), 6.0)
        if taps and _eventually(lambda: not wanted.exists(), 20.0):
            self.taps[kind].append(taps)
        else:
            self.missed[f"{kind} while {asked['phase']}"] += 1
        wanted.unlink(missing_ok=True)

    def say(self, screen: Browser, asked: dict[str, Any], wanted: Path) -> None:
        """A line, by touch; typed only where no taps were found for it."""
        taps = 0
        if tapped(screen, "#say button", "Say it by touch"):
            taps += 1
        todo = list(asked["taps"] or [])
        if (
            todo
            and todo[0].startswith("form ")
            and not screen.run("return document.querySelector('#board').dataset.said")
        ):
            assert _eventually(lambda: tapped(screen, "#say button", "Something else"), 6.0)
            taps += 1
        for tap in todo:
            if not wanted.exists():
                break
            # What goes without saying is not offered, and nobody waits long for it.
            if _eventually(lambda tap=tap: not wanted.exists() or screen.run(_OFFERED, tap), 3.0):
                taps += wanted.exists()
        if todo and _eventually(lambda: not wanted.exists(), 6.0):
            self.taps["said by touch"].append(taps)
            return
        self.typed.append(asked["words"])
        screen.type("#line", asked["words"] + "\n")
        _eventually(lambda: not wanted.exists(), 20.0)
        wanted.unlink(missing_ok=True)


def _tells(screen: Browser, selector: str, *words: str) -> bool:
    text = screen.text(selector)
    return any(word in text for word in words)


def _eventually(what: Callable[[], Any], seconds: float) -> Any:
    """What comes of it as soon as that is something, or nothing after so long."""
    end = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > end:
            return found
        time.sleep(0.03)
    return found


@contextmanager
def visiting(folder: Path, seed: int) -> Iterator[Visitor]:
    """A box with nothing in it yet, and somebody who has never seen it."""
    if MISSING:
        pytest.skip(MISSING)
    (folder / "box").mkdir()
    (folder / "box" / "seed").write_text(str(seed))
    with (
        RealBox(folder / "box", how="tests.web.handed_box", watchdog_s=60.0) as box,
        Browser(folder / "phone") as phone,
        Browser(folder / "desk") as desk,
    ):
        box.heard("READY=1", 180)
        phone.viewport(*PHONE, mobile=True)
        desk.viewport(*DESK)
        yield Visitor(box, [phone, desk])


def comes_to_its_end(
    folder: Path, game: str, readings: dict[str, int], seconds: float, seed: int = 1
) -> None:
    """From the first page to the last one, which both screens show and which says what is true."""
    with visiting(folder, seed) as visitor:
        began = visitor.begin(game, readings)
        told = visitor.play(seconds)
        lines = {kind: (len(taps), max(taps)) for kind, taps in visitor.taps.items()}
        counts = told["counts"]
        print(f"\n{game}: begun by {began} taps; {counts['moves']} moves, {counts['right']} right at once")
        print(f"  presses (how many, most taps for one): {lines}; not offered: {dict(visitor.missed)}")
        print(f"  typed: {visitor.typed}; people's touches: {told['touches']}; table {told['table_s']:.0f} s")
        ends = [told[key] for key in ("finished", "scores_right", "winner_right")]
        assert ends == [True, True, True], "\n".join(told["stories"])
        for screen in visitor.screens:
            screen.until(partial(_tells, screen, "#final", "won", "draw"))
            wide = screen.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1]
            assert [one for one in screen.complaints() if "/frame.jpg" not in one] == []
        assert len(visitor.taps["confirm"]) >= told["counts"]["right"] * 0.7
        assert visitor.typed == []
        # A button may be pressed before there is anything to confirm; whatever else is wanted is offered.
        assert [one for one in visitor.missed if not one.startswith("confirm while")] == []


@pytest.mark.timeout(600)
def test_a_newcomer_sees_a_short_draw_game_to_its_end(tmp_path: Path) -> None:
    """The Draw Game to a few points, so that it ends within a minute."""
    comes_to_its_end(tmp_path, "draw-game", {"target": 25}, 500)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("game", "readings"),
    [
        ("draw-game", {"target": 100}),
        ("dominoes-of-war", {}),
        ("kingdomino-duel", {}),
        ("dominoids", {"max_turns": 12}),
    ],
)
def test_a_newcomer_sees_a_whole_game_to_its_end(tmp_path: Path, game: str, readings: dict[str, int]) -> None:
    """Each game from the first page to its winner."""
    comes_to_its_end(tmp_path, game, readings, 7000)
