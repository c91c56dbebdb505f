"""Each way to put something right, counted in taps: `pytest -s tests/web/test_taps.py`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.match.match import Match
from device.match.phase import Phase
from device.match.signals import SetUp, saw
from engine.matching import Choice, Nothing, OutOfStep
from engine.touching import toucher_for
from tests.device.match.match_bench import BUTTON, DIFFERENT, ILLEGAL, LEGAL, playing, refusing, ruled
from tests.web.browser import MISSING, Browser
from tests.web.desks import HeedingDesk
from tests.web.gallery import asking
from tests.web.hand_table import HandTable
from tests.web.test_browser import Table
from tests.web.test_page_touch import PLAYED, Hand, begun

_PRESS = """
const [selector, words] = arguments;
const one = [...document.querySelectorAll(selector)]
  .find((each) => each.checkVisibility() && !each.disabled && each.innerText.startsWith(words));
one?.click(); return Boolean(one);"""


class Thumb:
    """Somebody who counts each tap."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.taps = browser, 0

    def press(self, selector: str, words: str = "") -> None:
        """A button by its words, as soon as it is there."""
        self.browser.until(lambda: self.browser.run(_PRESS, selector, words))
        self.taps += 1

    def until(self, what: Callable[[], object]) -> None:
        """Wait for what comes of it."""
        self.browser.until(what)


@pytest.fixture
def thumb(tmp_path: Path) -> Iterator[Thumb]:
    """A thumb on a phone."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path / "phone") as phone:
        phone.viewport(390, 844, mobile=True)
        yield Thumb(phone)


def counted(what: str, thumb: Thumb, most: int) -> None:
    """No more taps than that, and none before the next thing."""
    print(f"{what}: {thumb.taps} tap{'' if thumb.taps == 1 else 's'}")
    assert 0 < thumb.taps <= most, what
    thumb.taps = 0


def test_what_the_camera_got_wrong_is_put_right_in_two_taps(tmp_path: Path, thumb: Thumb) -> None:
    """A move that is challenged; a refusal that was an error; one that both let stand; one that is undone."""
    table = Table(tmp_path / "a.match")
    try:
        thumb.browser.open(table.screen.address)
        thumb.until(lambda: "to move" in thumb.browser.text("#headline"))
        table.now([LEGAL[0]])
        thumb.press("#buttons .p1", "<img")  # a player of that name
        thumb.until(lambda: table.phase is Phase.WATCHING)
        counted("confirm a move", thumb, 1)
        table.now([LEGAL[0], ILLEGAL])
        thumb.until(lambda: table.phase is Phase.ILLEGAL)
        thumb.press("#buttons button", "I was misread")
        thumb.press("#choices button")
        thumb.until(lambda: table.watcher.match.game and len(table.watcher.match.game.entries) == 4)
        counted("say that a move was misread, and which it was", thumb, 2)
        thumb.press("#buttons button", "Undo")
        thumb.until(lambda: len(table.watcher.match.game.steps) == 3)  # type: ignore[union-attr]
        counted("take back what was done last", thumb, 1)
    finally:
        table.close()


def test_what_was_said_before_is_put_right_from_the_record(tmp_path: Path, thumb: Thumb) -> None:
    """By hand: undo and redo, an entry that did not happen, one that was something else, and going back."""
    with HandTable(tmp_path, begun("draw-game", *PLAYED)) as table:
        Hand(thumb.browser, table)

        def lines() -> list[str]:
            return [step.happened.text for step in table.game.steps]

        thumb.press("#buttons button", "Undo")
        thumb.until(lambda: lines() == list(PLAYED[:3]))
        counted("undo", thumb, 1)
        thumb.press("#buttons button", "Redo")
        thumb.until(lambda: lines() == list(PLAYED))
        counted("redo", thumb, 1)
        thumb.press("#log .entry", "3")
        thumb.press("#past-else")
        thumb.until(lambda: "entry 3" in said(thumb))
        tap(thumb, "tile 5-6")
        thumb.until(lambda: lines()[2:3] == ["2: down 5-6"] or "place down" in offered(thumb))
        if lines()[2] != "2: down 5-6":
            tap(thumb, "place down")
        thumb.until(lambda: lines()[2] == "2: down 5-6")
        counted("say that an earlier entry was something else (two taps, and those of the move)", thumb, 4)
        thumb.press("#log .entry", "4")
        thumb.press("#past-gone")
        thumb.until(lambda: len(lines()) == 3)
        counted("say that an earlier entry did not happen", thumb, 2)
        thumb.press("#log ol:last-child li:last-child .entry")
        thumb.press("#past-return")
        thumb.until(lambda: len(lines()) == 1)
        counted("go back to an entry", thumb, 2)
        assert [
            one for one in thumb.browser.complaints() if "/evidence/" not in one
        ] == []  # by hand there is none


@contextmanager
def heeding(match: Match, folder: Path, thumb: Thumb) -> Iterator[HeedingDesk]:
    """This match on the phone, which heeds each tap; what its table shows, the test says."""
    with HeedingDesk(folder, match) as shown:
        thumb.browser.open(shown.address)
        thumb.until(lambda: thumb.browser.text("#scores"))
        yield shown


def lines_of(shown: HeedingDesk) -> list[str]:
    """What happened in the game, as it counts."""
    assert shown.match.game is not None
    return [one.happened.text for one in shown.match.game.steps]


def test_what_nobody_did_is_challenged_by_one_tap(tmp_path: Path, thumb: Thumb) -> None:
    """What waits for its confirmation is not written, and the same table says it no more by itself."""
    bench = playing(BUTTON)
    seen = ruled(bench.game, LEGAL[1])
    with heeding(bench.see(seen).match, tmp_path, thumb) as shown:
        thumb.press("#buttons button", "Challenge")
        thumb.until(lambda: shown.match.phase is Phase.OUT_OF_STEP)
        counted("challenge a move", thumb, 1)
        assert LEGAL[1] not in lines_of(shown)
        shown.give(saw(seen, shown.match.version))
        assert (shown.match.phase, shown.match.pending) == (Phase.OUT_OF_STEP, None)
        thumb.press("#choices button", "It was made")
        thumb.until(lambda: shown.match.pending is not None or LEGAL[1] in lines_of(shown))
        counted("say that it was made all the same", thumb, 1)


def test_a_refused_move_is_put_back_by_one_tap_and_stands_by_two(tmp_path: Path, thumb: Thumb) -> None:
    """Put back, the table goes on as it was; to let it stand each of both has a tap."""
    with heeding(refusing().match, tmp_path, thumb) as shown:
        thumb.press("#buttons button", "Put it back")
        thumb.until(lambda: "Put it back as it was." in thumb.browser.text("#words"))
        counted("say that a refused move is put back", thumb, 1)
        shown.give(saw(Nothing(), shown.match.version))
        assert shown.match.phase is Phase.WATCHING
        assert shown.match.game is not None
        assert not shown.match.game.steps[-1].stands
    with heeding(refusing().match, tmp_path, thumb) as shown:
        for player in (1, 2):
            thumb.press(f"#consent .p{player}", ("Ann", "Bo")[player - 1])
            thumb.until(lambda player=player: len(shown.said) == player)
        thumb.until(lambda: shown.match.game and shown.match.game.steps[-1].stands)
        counted("let a refused move stand, both of them", thumb, 2)


def test_none_of_these_leads_to_the_board(tmp_path: Path, thumb: Thumb) -> None:
    """One tap, and the board takes the taps of the move that it was."""
    match = asking()
    assert match.game is not None
    book, state = match.game.book, match.game.state
    asked = {option.words for option in match.options}
    moves = [book.format(one) for one in book.legal_moves(state)]
    way = next(way for way in toucher_for(book).ways(state) if way.line in moves and way.line not in asked)
    with heeding(match, tmp_path, thumb) as shown:
        assert offered(thumb) == []
        thumb.press("#buttons button", "None of these")
        thumb.until(lambda: offered(thumb))
        counted("none of these, and the board is open", thumb, 1)
        for name in way.taps:
            tap(thumb, name)
        thumb.until(lambda: lines_of(shown)[-1] == way.line)
        counted("the move that it was", thumb, len(way.taps))


def test_out_of_step_the_likeliest_missed_move_is_one_tap_and_the_table_as_it_lies_two(
    tmp_path: Path, thumb: Thumb
) -> None:
    """What may have been missed is offered; where it was nothing of that, both take the table as it is."""
    bench = playing(BUTTON)
    missed = [Choice(line, ruled(bench.game, line)) for line in (LEGAL[1], "2: take 1+2")]
    lost = bench.see(OutOfStep(DIFFERENT.differences, tuple(missed))).match
    with heeding(lost, tmp_path, thumb) as shown:
        thumb.press("#choices button")
        thumb.until(lambda: lines_of(shown)[-1] == LEGAL[1])
        counted("out of step: the likeliest move that was missed", thumb, 1)
    with heeding(lost, tmp_path, thumb) as shown:
        for player in (1, 2):
            thumb.press(f"#consent .p{player}", ("Ann", "Bo")[player - 1])
            thumb.until(lambda player=player: len(shown.said) == player)
        thumb.until(lambda: shown.match.adopting)
        counted("out of step: the table as it lies now, both of them", thumb, 2)
        game = shown.match.game
        assert game is not None
        shown.give(SetUp(game.put(bench.game.move(LEGAL[1]).state, "the table as it is")))
        assert shown.match.phase is Phase.WATCHING


def said(thumb: Thumb) -> list[str]:
    """What the page has been told so far."""
    return str(thumb.browser.run("return document.getElementById('board').dataset.said ?? ''")).split("|")


def offered(thumb: Thumb) -> list[str]:
    """What may be tapped next."""
    script = """return [...document.querySelectorAll('#board .lit, #say [data-say]')]
        .flatMap((one) => (one.dataset.tap ?? one.dataset.say).split('|'))"""
    found: list[str] = thumb.browser.run(script)
    return found


def tap(thumb: Thumb, name: str) -> None:
    """A thing on the board or beside it."""
    script = """const one = [...document.querySelectorAll('#board .lit, #say [data-say]')]
        .find((each) => (each.dataset.tap ?? each.dataset.say).split('|').includes(arguments[0]));
        one?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return Boolean(one)"""
    thumb.until(lambda: thumb.browser.run(script, name))
    thumb.taps += 1
