"""A patterned cloth is told from the pieces on it by being so much of what can be told from nothing."""

from engine.scene import Guess, Sighting
from vision.pieces.pattern import MANY, without_pattern


def tile(x: float, sure: float, presence: float = 1.0, face: str = "up") -> Sighting:
    """A domino that was read so surely."""
    guesses = (Guess({"pips": [4, 4]}, sure), Guess({"pips": [4, 5]}, 0.9 - sure))
    return Sighting("domino", "", x, 0.0, 0.0, face, guesses if face == "up" else (), presence)  # type: ignore[arg-type]


DOTS = [tile(float(k), 0.003, 0.3 + 0.08 * k) for k in range(MANY)]
CLEAR = [tile(100.0, 0.9), tile(200.0, 0.0, 1.0, "down")]


def test_dots_of_a_cloth_are_no_dominoes() -> None:
    """Neither by day nor at dusk: what is read clearly stays, and so does a back."""
    assert without_pattern([*DOTS, *CLEAR]) == tuple(CLEAR)


def test_a_few_that_are_badly_read_are_pieces() -> None:
    """As on a dim table: they are doubted one by one; and beside more that are clear they are no cloth."""
    few = [*DOTS[1:], *CLEAR]
    assert without_pattern(few) == tuple(few)
    many = [*DOTS, *(tile(300.0 + k, 0.9) for k in range(MANY))]
    assert without_pattern(many) == tuple(many)
