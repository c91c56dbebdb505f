"""Pictures of every page: ``python -m tests.web.gallery OUT``, on phone, tablet and desk, in each theme."""

import argparse
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import cv2
import numpy as np

from device.match.acts import taken_up
from device.match.match import Match, Option, Pending
from device.match.phase import Phase
from device.match.signals import Kind, Told, saw
from device.match.transitions import step
from engine.history import History
from engine.matching import Choice, Difference, Happened, OutOfStep, Ruled
from tests.tables_asked import drawn_table
from tests.web.browser import Browser
from tests.web.desks import ShownDesk

PHONE, TABLET, DESK = (390, 844), (820, 1180), (1280, 800)
GAMES: Final = {"draw-game": 60, "dominoids": 24, "dominoes-of-war": 30, "kingdomino-duel": 50}
"""How many steps of each are played for its picture."""


def random_steps(
    game: str, steps: int, seed: int = 4, without: Collection[str] = frozenset()
) -> Iterator[History]:
    """A game that is played at random, after each of so many steps.

    ``without`` names kinds of moves that are made only where there are no others.
    """
    rng, history = Random(seed), History.begin(game, seed=seed, players=("Ann", "Bo"))
    for _ in range(steps):
        book, state = history.book, history.state
        if history.outcome is not None:
            return
        if book.pending(state) is not None:
            history = history.fact(book.format_fact(book.sample(state, rng)))
        else:
            moves = list(book.legal_moves(state))
            moves = [one for one in moves if type(one).__name__ not in without] or moves
            history = history.move(book.format(rng.choice(moves)))
        yield history


def random_game(game: str, steps: int, seed: int = 4) -> History:
    """A game that was played at random so far."""
    *_, history = random_steps(game, steps, seed)
    return history


def finished(game: str = "draw-game") -> Match:
    """A game that is over."""
    return taken_up(Match(), random_game(game, 4000))


def refused() -> Match:
    """A move that is not allowed, with what it breaks and what would be."""
    history = random_game("draw-game", 14)
    for line in ("1: 6-6 by 6 at east", "2: 6-6 by 6 at east"):
        tried = history.move(line)
        if tried.steps[-1].verdict.startswith("illegal"):
            return replace(taken_up(Match(), tried), phase=Phase.ILLEGAL, refused=True)
    raise AssertionError("both may be laid")


def refused_in(game: str) -> Match:
    """A move of this game that is not allowed, with squares that prove it."""
    from tests.web.refusals import refusal

    return refusal(game)


def half_agreed() -> Match:
    """A refused move that one of both would let stand."""
    return step(refused(), Told(Kind.LET_STAND, number=1), 0.0)[0]


def out_of_step() -> Match:
    """A table that does not look like its record: where it differs, and what may have been missed."""
    history = random_game("draw-game", 14)
    match = replace(taken_up(Match(), history), phase=Phase.WATCHING)
    missing = history.book.layout(history.state).spots[-1]
    where = f"The {missing.name} should lie on the board and is not seen there."
    likely = [history.book.format(one) for one in list(history.book.legal_moves(history.state))[:2]]
    choices = tuple(Choice(text, Ruled((Happened("move", text, None),), 0.0)) for text in likely)
    seen = OutOfStep((Difference(where, missing.region, "", missing.name),), choices)
    return step(match, saw(seen, match.version), 0.0)[0]


def asking() -> Match:
    """A question with two answers."""
    history = random_game("draw-game", 14)
    moves = list(history.book.legal_moves(history.state))[:2]
    options = tuple(Option(history.book.format(one), history.move(history.book.format(one))) for one in moves)
    return replace(taken_up(Match(), history), phase=Phase.ASKING, options=options)


def asking_seen() -> Match:
    """A question with each answer as the camera sees it."""
    return drawn_table("dominoes-of-war").match()


def ruled() -> Match:
    """A move that waits to be confirmed."""
    history = random_game("draw-game", 14)
    after = history.move(history.book.format(next(iter(history.book.legal_moves(history.state)))))
    return replace(taken_up(Match(), history), phase=Phase.RULED, pending=Pending(after, None))


STATES: Final[dict[str, Callable[[], Match]]] = {
    **{name: (lambda name=name, n=n: taken_up(Match(), random_game(name, n))) for name, n in GAMES.items()},
    "refused": refused,
    **{f"refused-{game}": (lambda game=game: refused_in(game)) for game in GAMES if game != "draw-game"},
    "half-agreed": half_agreed,
    "out-of-step": out_of_step,
    "asking": asking,
    "asking-seen": asking_seen,
    "ruled": ruled,
    "finished": finished,
}
"""What the page of a match is shown in."""


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    name: str
    size: tuple[int, int]
    theme: str


LOOKS: Final = tuple(
    Look(f"{device}-{theme}", size, theme)
    for device, size in (("phone", PHONE), ("tablet", TABLET), ("desk", DESK))
    for theme in ("light", "dark", "contrast")
)


@contextmanager
def shown(match: Match) -> Iterator[ShownDesk]:
    """The page of a match in this state."""
    with tempfile.TemporaryDirectory() as folder, ShownDesk(Path(folder), match) as desk:
        yield desk


def themed(browser: Browser, theme: str) -> None:
    """Have the page in this theme."""
    browser.run("document.documentElement.dataset.theme = arguments[0]", theme)


def sized(browser: Browser, size: tuple[int, int], *, whole: bool = False) -> None:
    """Have the page exactly so large; ``whole`` as high as all that is on it."""
    high = browser.run("return document.documentElement.scrollHeight") if whole else size[1]
    browser.viewport(size[0], max(size[1], min(high, 4000)), mobile=size[0] < 600)


SHOWN: Final = {
    "match-phone": ("draw-game", PHONE, "light", ""),
    "match-desk": ("dominoids", DESK, "light", ""),
    "match-dark": ("dominoes-of-war", DESK, "dark", ""),
    "refused-phone": ("refused", PHONE, "light", ""),
    "finished-phone": ("finished", PHONE, "dark", ""),
    "from-afar": ("ruled", DESK, "contrast", "?view=table"),
}
"""The pictures of docs/dashboard.md: state, size, theme, and the way it is looked at."""
EVENING: Final = {"first": "first-phone", "lobby-new": "lobby-phone"}
"""The pages of a first evening (docs/pi.md), by the page of a box that each is."""


def documented(browser: Browser, out: Path) -> None:
    """Draw what docs/dashboard.md and docs/pi.md show."""
    from tests.web.gallery_pages import of_a_box

    for name, (state, size, theme, way) in SHOWN.items():
        with shown(STATES[state]()) as desk:
            browser.viewport(*size, mobile=size is PHONE)
            browser.open(desk.address + way)
            browser.until(lambda: browser.run("return document.querySelector('#scores b') !== null"))
            themed(browser, theme)
            _kept(browser, out / f"{name}.jpg")
    browser.viewport(*PHONE, mobile=True)
    for page in of_a_box(browser):
        if page in EVENING:
            themed(browser, "light")
            browser.run("window.scrollTo(0, 0)")
            _kept(browser, out / f"{EVENING[page]}.jpg")


def _kept(browser: Browser, path: Path) -> None:
    """The page as it stands, small enough to be read along with the text."""
    picture = cv2.imdecode(np.frombuffer(browser.picture(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])


def spoken(browser: Browser, language: str) -> None:
    """Have every page in this language."""
    for site in ("localhost", "127.0.0.1"):
        browser.devtools("Network.setCookie", name="language", value=language, url=f"http://{site}/")


@dataclass(frozen=True)
class Hung:
    """Where pictures go, and which of them are wanted."""

    out: Path
    only: Sequence[str]
    whole: bool

    def wants(self, name: str) -> bool:
        """Whether somebody asked for this one."""
        return all(one in name for one in self.only)

    def draw(self, browser: Browser, shown: str) -> None:
        """The page as it stands, in each way of looking at it that is wanted."""
        for look in LOOKS:
            name = f"{shown}-{look.name}"
            if not self.wants(name):
                continue
            themed(browser, look.theme)
            sized(browser, look.size)
            sized(browser, look.size, whole=self.whole)
            (self.out / f"{name}.png").write_bytes(browser.picture())


def main() -> None:
    """Draw them all, or those that are named."""
    from tests.web.gallery_pages import WALKS

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--only", nargs="*", default=[], help="states or looks, by part of their names")
    asked.add_argument("--docs", action="store_true", help="what the documents show, and nothing else")
    asked.add_argument("--whole", action="store_true", help="all of the page, not only the first screen")
    asked.add_argument("--language", default="en", help="which language the pages are in")
    asked.add_argument("--around", action="store_true", help="the pages around a match, and no states of it")
    told = asked.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, Browser(Path(profile)) as browser:
        if told.docs:
            documented(browser, told.out)
            return
        spoken(browser, told.language)
        hung = Hung(told.out, told.only, told.whole)
        browser.viewport(*DESK)
        for state, made in () if told.around else STATES.items():
            with shown(made()) as desk:
                browser.open(desk.address)
                browser.until(lambda: browser.text("#scores"))
                hung.draw(browser, state)
        for walk in WALKS:
            for page in walk(browser):
                hung.draw(browser, page)


if __name__ == "__main__":
    main()
