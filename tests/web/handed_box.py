"""A box at whose virtual table people only use their hands: `python -m tests.web.handed_box FOLDER serve …`.

What they would press or type, somebody at the page has to: it is written to ``wanted`` in the folder, with
the taps that say it on a board, and the table's time stands still until it is heard, or until the file is
taken away. When the last hand has gone ``diary`` tells what became of each move. ``seed`` names the game.
"""

import json
import queue
import re
import sys
import time
from pathlib import Path
from typing import Final

from device.cameras.virtual import VirtualSeats, VirtualTable
from device.cli import main
from device.cli.demo import LOOK
from device.live.desk import Desk
from device.match.signals import Told
from device.service import box_match
from device.service.box import Seating
from engine.book import State
from engine.history import History
from engine.touch import FORM, Form, Taps, name_of
from engine.touching import CHANGES, state_before, toucher_for
from simulation.temper import Press, Temper
from tests.web.wanted_taps import heard

FOLDER: Final = Path(sys.argv[1])
PATIENCE_S: Final = 180.0
"""So long people wait for somebody at the page."""
FIRST_S: Final = 5.0
MOST: Final = 3000
"""So many beginnings of a form are looked at for a line."""
_CHANGE: Final = re.compile(r"^(take back|back to|correct|before) (\d+)(?:: (.+))?$")
_heard: "queue.Queue[Told]" = queue.Queue()
_press = Desk.press


def taps_of(history: History, line: str) -> Taps | None:
    """What is tapped for a line, its form first where it has one; None where nobody finds it."""
    if found := _CHANGE.match(line):
        name, entry, rest = found.groups()
        first = (f"{FORM}{name}", f"entry {entry}")
        if rest is None:
            return first
        inside = _plain(history, state_before(history, int(entry)), rest)
        return None if inside is None else (*first, *inside)
    if any(change.name == line for change in CHANGES):
        return (FORM + line,)
    return _plain(history, history.state, line)


def _plain(history: History, state: State, line: str) -> Taps | None:
    toucher = toucher_for(history.book)
    if way := next((way for way in toucher.ways(state) if way.line == line), None):
        return (*way.taps, *way.asked)
    found = (_filled(form, state, line) for form in toucher.forms)
    return next((taps for taps in found if taps is not None), None)


def _filled(form: Form, state: State, line: str) -> Taps | None:
    """The parts of a form that make this line: those are tried first that the line names."""
    waiting, looked = [Taps()], 0
    while waiting and looked < MOST:
        told, looked = waiting.pop(), looked + 1
        choices = form.ask(state, told)
        if not choices and form.write(told) == line:
            return (FORM + form.name, *told)
        named = [one.tap for one in choices if name_of(one.tap) in line]
        waiting += [(*told, tap) for tap in reversed(named or [one.tap for one in choices])]
    return None


def ask_the_page(desk: Desk, press: Press, phase: str) -> None:
    """Have somebody at the page press this, and wait for it."""
    match = desk.matches.get()[1]
    game = None if match is None else match.game or match.blank
    taps = taps_of(game, press.words) if press.kind == "typed" and game is not None else None
    while not _heard.empty():
        _heard.get()
    wanted = FOLDER / "wanted"
    fresh = wanted.with_suffix(".part")
    fresh.write_text(json.dumps({
        "kind": press.kind, "words": press.words, "number": press.number, "taps": taps, "phase": phase,
    }))  # fmt: skip
    fresh.replace(wanted)
    until = time.monotonic() + PATIENCE_S
    while wanted.exists() and time.monotonic() < until:
        try:
            if heard(press, _heard.get(timeout=0.02)):
                break
        except queue.Empty:
            continue
    wanted.unlink(missing_ok=True)


def with_hands_only(table: VirtualTable) -> None:
    """The people of a virtual table look at the page, and leave the pressing to others."""
    desk = table._desk
    if desk is None:
        return
    table._seen, fresh = desk.views.get(table._seen, FIRST_S if table._view is None else 0.0)
    table._view = table._view if fresh is None else fresh
    if table._view is None:
        return
    for press in table.people.at(table._view):
        ask_the_page(desk, press, str(table._view["phase"]))
    if table.people.done:
        diary = table.people.diary
        told = {
            "finished": diary.finished, "scores_right": diary.scores_right,
            "winner_right": diary.winner_right, "given_up": diary.given_up,
            "counts": diary.counts(), "touches": diary.touches,
            "stories": diary.stories, "table_s": table.table.now,
        }  # fmt: skip
        (FOLDER / "diary.part").write_text(json.dumps(told, ensure_ascii=False))
        (FOLDER / "diary.part").replace(FOLDER / "diary")


class HandedBox:
    """What is different in this process."""

    @staticmethod
    def press(desk: Desk, told: Told) -> None:
        """Somebody at the page has pressed something."""
        _press(desk, told)
        _heard.put(told)

    @staticmethod
    def seats(seating: Seating) -> VirtualSeats:
        """The table of a seed, as fast as it can be looked at."""
        seed = int((FOLDER / "seed").read_text())
        return VirtualSeats(seed, 0.0, look=LOOK, stays=True, temper=Temper(confirm=seating.confirm))


if __name__ == "__main__":
    Desk.press = HandedBox.press  # type: ignore[assignment, method-assign]
    VirtualTable._act = with_hands_only  # type: ignore[assignment, method-assign]
    box_match.virtual_seats = HandedBox.seats
    sys.exit(main(sys.argv[2:]))
