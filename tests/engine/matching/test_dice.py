"""The Duel's dice between two turns: when they were rolled, and when they only lie there."""

from collections.abc import Sequence

import pytest

from engine import rulebook
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.model import DuelState
from engine.matching import Follower, Nothing, Ruled, Verdict
from engine.plain import Json
from engine.scene import Guess, Scene, Sighting

BOOK = rulebook("kingdomino-duel")
PLACES = ((-37.0, 46.0), (-12.0, 45.0), (12.0, 47.0), (38.0, 46.0))


def die(face: str, x: float, y: float, region: str = "dice") -> Sighting:
    """A die that surely shows a face."""
    coat = "joker" if face == "?" else COATS["dDsSqb".index(face[0])]
    guess = Guess({"set": "kingdomino-duel", "face": coat, "crosses": int(face[1:] or 0)}, 0.999)
    return Sighting("die", region, x, y, 0.0, guesses=(guess,))


def lying(faces: str, off: float = 0.0) -> list[Sighting]:
    """Four dice in a row."""
    return [die(face, x + off, y) for face, (x, y) in zip(faces.split(), PLACES, strict=True)]


def awaiting() -> DuelState:
    """A game in which the dice must be rolled."""
    state = BOOK.start(setup={"a": 1})
    assert isinstance(state, DuelState)
    return state


def after(before: Sequence[Sighting], now: Sequence[Sighting], state: DuelState | None = None) -> Verdict:
    """What is said of dice that lay otherwise when the table was last understood."""
    follower = Follower(BOOK, (state or awaiting(),)).at(Scene(tuple(before)))
    return follower.see(Scene(tuple(now), visits=1))


def told(verdict: Verdict) -> list[str]:
    """What happened."""
    assert isinstance(verdict, Ruled)
    return [one.text for one in verdict.happened]


def test_dice_that_were_rolled_where_they_lay() -> None:
    """They came to lie in the same places: what they show tells it."""
    assert told(after(lying("? ? ? ?"), lying("d b q2 ?"))) == ["see roll d b q2 ?"]


def test_dice_that_lie_there_still() -> None:
    """As before the roll; whether there is a cross beside a coat is too fine to say that they were rolled."""
    assert isinstance(after(lying("d b q2 ?"), lying("d b q2 ?", 1.0)), Nothing)
    assert isinstance(after(lying("d b q2 ?"), lying("d b q ?", 1.0)), Nothing)


def test_dice_that_came_to_lie_elsewhere() -> None:
    """They were rolled, though they show the same."""
    assert told(after(lying("d b q2 ?"), lying("d b q2 ?", 9.0))) == ["see roll d b q2 ?"]


def test_dice_of_which_nothing_was_read() -> None:
    """What cannot be compared has not changed."""
    blank = [Sighting("die", one.region, one.x, one.y) for one in lying("d b q2 ?")]
    assert isinstance(after(blank, lying("d b q2 ?")), Nothing)


def test_what_is_known_of_places_alone_is_enough() -> None:
    """A follower that does not know what the dice showed goes by where they lay."""
    follower = Follower(BOOK, (awaiting(),)).at(Scene(tuple(lying("d b q2 ?"))))
    bare = {f"die {number}": lay for number, lay in enumerate(follower.places.values(), 1)}
    known = Follower(BOOK, (awaiting(),), places=bare)
    assert isinstance(known.see(Scene(tuple(lying("? s D S")))), Nothing)


def last_drawing() -> DuelState:
    """All but player 2 have drawn."""
    state = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d D S"))
    for line in ("1: take 1", "2: take 3+4", "1: draw d@r2c4 d@r1c4"):
        state = BOOK.play(state, BOOK.parse(line))
    assert isinstance(state, DuelState)
    return state


def drawn(kingdom: Sequence[Json]) -> Sighting:
    """The second player's map, surely read."""
    return Sighting("sheet", "sheet-2", guesses=(Guess({"map": list(kingdom), "roof": False}, 0.999),))


@pytest.mark.parametrize(("faces", "more"), [("d d D S", []), ("? d b2 S", ["see roll ? d b2 S"])])
def test_dice_that_are_laid_together_again_were_not_rolled(faces: str, more: list[str]) -> None:
    """Once they show something else they were."""
    state = last_drawing()
    line = "2: draw D@r3c5 S@r3c6"
    made = BOOK.play(state, BOOK.parse(line))
    spot = next(spot for spot in BOOK.layout(made).spots if spot.region == "sheet-2")
    assert spot.value is not None
    kingdom = spot.value["map"]
    assert isinstance(kingdom, list)
    before = [die("d", -12.0, 8.0, "dice-1"), die("d", 12.0, 8.0, "dice-1")]
    before += [die("D", -12.0, 8.0, "dice-2"), die("S", 12.0, 8.0, "dice-2")]
    assert told(after(before, [*lying(faces), drawn(kingdom)], state)) == [line, *more]


def test_a_coat_on_a_map_is_no_die() -> None:
    """It looks like one to whoever looks for dice."""
    seen = lying("d b q2 ?")
    assert isinstance(after(seen, [*seen, die("d", 5.0, 27.0, "sheet-1")]), Nothing)
