# ruff: noqa: ARG002 (this serves any game and looks at little; those of the games look closer)
"""What a game makes of a table as it lies: at its set-up, and where people say that it is right.

A game that can be set up at a table, or taken as it lies, has its own in its ``adopted.py``, as ``ADOPTER``.
"""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Final, NamedTuple

from engine.book import AnyRuleBook, State
from engine.errors import BadNotation, BadSetup, CannotStand
from engine.history import History
from engine.layout import Face, Kind
from engine.matching.guide import guide_for
from engine.matching.piece_words import LIKELY, place_name, seen_words, where_words
from engine.plain import BadData, JsonObject
from engine.scene import Guess, Scene, Sighting

SURELY_THERE: Final = 0.9
"""What is seen so surely is a piece, whatever seemed to be there before, and needs no word."""
_AHEAD: Final = 2.0
"""So much likelier than the next a reading must be to count, if it is not likelier than all others."""
_NAMED: Final = 6
"""So many pieces are named at most."""


class Need(NamedTuple):
    """Pieces that the opening of a game needs in one place, or somewhere in a region."""

    words: str
    kind: Kind
    region: str
    face: Face | None = None
    x: float | None = None
    y: float | None = None
    angle: float | None = None
    many: int = 1


class Adopter:
    """What a table is as it lies; one for each rule book."""

    def __init__(self, book: AnyRuleBook) -> None:
        self.book = book

    def whoever(self, state: State) -> State:
        """The state in which nobody knows whose turn it is, where players make the same moves."""
        return state

    def opening(self, state: State) -> tuple[Need, ...]:
        """What must lie on the table before the game can begin."""
        return ()

    def table(self, state: State, scene: Scene) -> JsonObject:
        """The table as it is, as a set-up of the rule book; what nobody can see is as in ``state``."""
        raise BadSetup("A table of this game cannot be taken as it is.")

    def taken(self, state: State, scene: Scene) -> State:
        """The state that goes on from ``state`` with a table that players say lies as it should.

        Raises BadSetup, saying what to do with which piece, where no state of the rules is like it.
        """
        return self.book.start(self.table(state, scene))

    def put(self, state: State, words: Sequence[str]) -> State:
        """The state with one piece elsewhere, as people say; raises BadNotation, BadSetup or BadData."""
        raise BadNotation("No piece of this game can be set by hand.")

    def unknown(self, before: State, after: State, scene: Scene) -> tuple[str, ...]:
        """What nobody can know of a table that was taken as it is, in sentences for players."""
        return ()

    def likeliest(self, state: State, scene: Scene) -> tuple[Scene, tuple[str, ...]]:
        """The scene with every piece for sure what it most likely is, and what was not; for players."""
        return for_sure(scene, named=guide_for(self.book).named)

    def supposed(self, state: State, scene: Scene) -> tuple[str, ...]:
        """What of an opening that lies there was not seen for sure, in sentences for players."""
        return for_sure(scene, named=guide_for(self.book).named)[1]

    def granted(self, state: State, scene: Scene) -> tuple[str, ...]:
        """What of a table that is taken as it is was hardly seen, and yet can only be so; for players."""
        return ()


def adopter_for(book: AnyRuleBook) -> Adopter:
    """What the game of a rule book makes of its table."""
    package = type(book).__module__.rpartition(".")[0]
    if package and find_spec(f"{package}.adopted") is not None:
        found: type[Adopter] = importlib.import_module(f"{package}.adopted").ADOPTER
        return found(book)
    return Adopter(book)


def set_by_hand(history: History, line: str) -> History:
    """The history after ``put …``; raises BadNotation, or CannotStand where no table could look so."""
    words = line.split()
    try:
        state = adopter_for(history.book).put(history.state, words[1:])
    except BadNotation:
        raise
    except (BadSetup, BadData, ValueError) as wrong:
        said = str(wrong).rstrip(".")
        raise CannotStand(f"{' '.join(words)} cannot be: {said}.") from None
    return history.put(state, f"by hand: {' '.join(words)}")


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
