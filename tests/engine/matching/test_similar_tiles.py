"""Tiles that look alike: each in doubt keeps its own place, and two that were exchanged are noticed."""

from dataclasses import replace
from typing import Final

import pytest

from engine.history import History
from engine.matching import Follower, Nothing, OutOfStep, Question
from engine.matching.guide import guide_for
from engine.plain import JsonObject
from engine.scene import Guess, Scene, Sighting

SETUP: Final[JsonObject] = {
    "down": 1, "hands": [9, 9], "board": {"first": "4-6", "east": ["1-6", "1-4"], "west": ["0-4"]}, "turn": 1,
    "played": [True, True],
}  # fmt: skip
EAST: Final = {4.0: ((1, 4), 0.72, (0, 5), 0.27)}
"""The tile at the east end, by where it lies: perhaps it is another one, which nobody has laid yet."""
LINE: Final = {-2.0: (0, 4), 0.0: (4, 6), 2.0: (6, 1), 4.0: (1, 4)}
LAID: Final = -4.0


def tile(x: float, pips: tuple[int, int], sure: float = 1.0, *others: object) -> Sighting:
    """A tile along the line; ``others`` are what else it may be, each with how likely that is."""
    guesses = [Guess({"pips": [*pips]}, sure)]
    if others:
        other, less = others
        assert isinstance(other, tuple)
        assert isinstance(less, float)
        guesses.append(Guess({"pips": [*other]}, less))
    return Sighting("domino", "board", x, 0.0, 0.0, guesses=tuple(guesses))


def scene(
    *more: Sighting, visits: int = 1, at0: tuple[int, int] = (4, 6), at2: tuple[int, int] = (6, 1)
) -> Scene:
    """The line, with the tile at its east end in doubt, and what was laid."""
    shown = {**LINE, 0.0: at0, 2.0: at2}
    line = [tile(x, *(EAST.get(x, (pips,)) if pips == LINE[x] else (pips,))) for x, pips in shown.items()]
    closed = [Sighting("domino", "boneyard", float(n), 0.0, face="down") for n in range(6)]
    return Scene((*line, *more, *closed), by=1, visits=visits)


@pytest.fixture
def follower() -> Follower:
    """The line as it was seen."""
    known = Follower.of(History.begin("draw-game", setup=SETUP)).at(scene(visits=0))
    assert isinstance(known.see(scene()), Nothing)
    return known


def test_a_doubtful_tile_is_not_looked_for_where_another_lies(follower: Follower) -> None:
    """It looks like the 2-0, and less like the 5-0, of which another tile has a little more."""
    fresh = tile(LAID, (2, 0), 0.7, (5, 0), 0.26)
    asked = follower.see(scene(fresh))
    assert isinstance(asked, Question)
    assert [one.text for one in asked.choices] == ["1: 0-2 by 0 at west", "1: 0-5 by 0 at west"]


def test_a_tile_that_is_told_lies_where_nothing_else_is_known(follower: Follower) -> None:
    """Somebody says which it was, and it lies there, and not where a known one looks more like it."""
    history = History.begin("draw-game", setup=SETUP).move("1: 0-5 by 0 at west")
    told = replace(Follower.of(history), places=follower.places)
    verdict = told.see(scene(tile(LAID, (2, 0), 0.7, (5, 0), 0.26), visits=0))
    assert isinstance(verdict, Nothing), verdict


def test_a_tile_lies_where_it_was_read_not_where_nothing_was(follower: Follower) -> None:
    """Another one lies open beside it, and its pips could not be read."""
    unread = Sighting("domino", "board", LAID, 4.0, 0.0, guesses=(Guess(None, 1.0),))
    guide = guide_for(follower.book)
    move = follower.book.parse("1: 0-5 by 0 at west")
    places = guide.placed(move, follower.places, scene(unread, tile(LAID, (0, 5)))).places
    assert (places["0-5"].x, places["0-5"].y) == (LAID, 0.0)


def test_tiles_that_were_exchanged_are_noticed(follower: Follower) -> None:
    """Both lie in place, and each reads for sure as the other; where nobody came, both were misread."""
    verdict = follower.see(scene(at0=(6, 1), at2=(4, 6)))
    assert isinstance(verdict, OutOfStep)
    assert {one.piece for one in verdict.differences} == {"4-6", "1-6"}
    assert isinstance(follower.see(scene(visits=0, at0=(6, 1), at2=(4, 6))), Nothing)


def test_tiles_that_are_only_misread_are_no_exchange(follower: Follower) -> None:
    """Two that read as tiles which lie nowhere, though a hand came."""
    assert isinstance(follower.see(scene(at0=(6, 3), at2=(4, 3))), Nothing)
