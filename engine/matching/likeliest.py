"""A table taken for what it most looks like, where nobody is there to be asked, and what is said of that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.matching.piece_words import LIKELY, place_name, seen_words, where_words
from engine.scene import Guess, Scene, Sighting

SURELY_THERE: Final = 0.9
"""What is seen so surely is a piece, whatever seemed to be there before, and needs no word."""
_AHEAD: Final = 2.0
"""So much likelier than the next a reading must be to count, if it is not likelier than all others."""
_NAMED: Final = 6
"""So many pieces are named at most."""


def for_sure(scene: Scene, *, named: bool = True) -> tuple[Scene, tuple[str, ...]]:
    """The scene in which every piece is there and what it most looks like, or is not there; and what was not.

    What may as well be something else stays in doubt, and so do maps, on which each square is one.
    """
    kept: list[Sighting] = []
    supposed: list[str] = []
    for one in scene.sightings:
        clearness = one.presence * (one.guesses[0].probability if one.guesses else 1.0)
        if one.kind in ("sheet", "tile") or not one.region or clearness >= SURELY_THERE:
            kept.append(one)
            continue
        if one.presence < LIKELY:
            continue
        clear = _cleared(one)
        kept.append(clear)
        if clear != one:
            place = place_name(one.x, one.y) if named and one.region == "board" else ""
            supposed.append(f"the {seen_words(clear)} {where_words(one.region, place)}")
    return replace(scene, sightings=tuple(kept)), said_of(supposed)


def said_of(supposed: Sequence[str]) -> tuple[str, ...]:
    """That these pieces were not seen for sure, in a sentence; none where there are none."""
    if not supposed:
        return ()
    more = f" and {len(supposed) - _NAMED} more" if len(supposed) > _NAMED else ""
    return (f"Not seen for sure, and taken as it seems: {', '.join(supposed[:_NAMED])}{more}.",)


def _cleared(one: Sighting) -> Sighting:
    """A piece that is there, if it is likely, as what it most looks like, if that is likely."""
    first, second = (*(guess.probability for guess in one.guesses[:2]), 0.0, 0.0)[:2]
    if one.guesses and first < LIKELY and first < _AHEAD * second:
        return one
    guesses = tuple(Guess(guess.value, 1.0, guess.face) for guess in one.guesses[:1])
    return replace(one, presence=1.0, guesses=guesses)
