"""Dice of the Duel as they lie: which are those of before, which were rolled, taken or exchanged since."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.kingdomino_duel.edition import COATS, JOKER, Face
from engine.kingdomino_duel.kingdom import Mark
from engine.kingdomino_duel.model import Die, DieRef, DuelState
from engine.matching.evidence import NEARBY_MM, Places
from engine.matching.guide import near
from engine.plain import Json
from engine.scene import Sighting

MIDDLE: Final = "dice"
"""Where the dice lie to be taken."""
DICE_LIE: Final = (MIDDLE, "dice-1", "dice-2")
ALL: Final = frozenset(f"die {number}" for number in range(1, 5))
SHOWN: Final = "shown"
"""A die is remembered by what it shows where it does not matter which of the four it is."""
_LEAST: Final = 0.002
"""A reading less likely than this is no reason to think of a move."""
_STILL: Final = 0.05
"""A die that shows what it showed no likelier than this was rolled, wherever it came to lie."""
_CLEAR: Final = 0.9
"""A die that shows something as surely as this shows it, when dice seem to have changed places."""
_NUDGED_MM: Final = 20.0
"""No farther than this a die is pushed by a sleeve that gathers the others."""
_DOUBTFUL: Final = 0.5
"""What is seen no more surely than this beside four dice, or shows no face of theirs, is rather none."""


def has_not_moved(one: Sighting, places: Places, within_mm: float = NEARBY_MM) -> bool:
    """Whether a die lay there when the table was last understood, and may show what it showed."""
    there = [
        name
        for name, lay in places.items()
        if lay.region == one.region and near(one, lay.x, lay.y, within_mm)
    ]
    shown = [name for name in there if name.startswith(SHOWN)]
    return any(_may_show(one, name.split()[-1]) for name in shown) if shown else bool(there)


def are_the_old(dice: Sequence[Sighting], places: Places) -> bool:
    """Whether dice that were in use show the coats that they showed: they are only laid together again.

    One that could not be read then may be any of them; of more than one nobody can say so. And where some
    still lie in the middle, one that lies with a player where none lay was taken, so that all were rolled.
    """
    taken = [one for one in dice if one.region != MIDDLE and not has_not_moved(one, places, _NUDGED_MM)]
    if taken and any(one.region == MIDDLE for one in dice):
        return False
    shown = Counter(name.split()[-1] for name in places if name.startswith(SHOWN))
    now = Counter(str(one.value["face"]) for one in dice if one.value)
    used = any(name in ALL for name in places)
    return used and (now - shown).total() <= min(1, shown[str(None)])


def are_exchanged(dice: Sequence[Sighting], state: DuelState) -> bool:
    """Whether all dice lie with the players, and clearly other ones with each than the record says."""
    lie = Counter((one.region, str(one.value["face"])) for one in dice if one.value and _is_clear(one))
    regions = Counter(one.region for one in dice)
    due = Counter(
        (f"dice-{die.taker}", "joker" if die.shows.coat == JOKER else COATS[die.shows.coat])
        for die in state.dice
    )
    return regions == {"dice-1": 2, "dice-2": 2} and (lie - due).total() > 1


def shown_otherwise(faces: Sequence[Face], dice: Sequence[Sighting]) -> tuple[Face, ...] | None:
    """What a roll must have been as its dice show it now, if just one of them shows another face."""
    shown = Counter(face for one in dice if _is_clear(one) for face in islice(faces_of(one), 1))
    gone, come = Counter(faces) - shown, shown - Counter(faces)
    if len(dice) != len(faces) or gone.total() != 1 or come.total() != 1:
        return None
    at = faces.index(next(iter(gone)))
    return (*faces[:at], *come, *faces[at + 1 :])


def drawn_otherwise(faces: Sequence[Face], drawn: Iterable[Mark]) -> Iterator[tuple[Face, ...]]:
    """What a roll must have been if just one of its dice has other crosses, which a coat was drawn with.

    Crosses are small, and are overlooked sooner than a coat is.
    """
    come = Counter(Face(mark.coat, mark.crosses) for mark in drawn) - Counter(faces)
    for new in come:
        for at, face in enumerate(faces):
            if face.coat == new.coat:
                yield (*faces[:at], new, *faces[at + 1 :])


def renumbered(then: Sequence[Die], now: Sequence[Die]) -> dict[DieRef, DieRef]:
    """The numbers of dice after another roll: of those that show the same, and of the one that does not."""
    found: dict[DieRef, DieRef] = {}
    left = [*range(len(now))]
    for same in (True, False):
        for at, die in enumerate(then):
            there = (k for k in left if not same or (now[k].shows, now[k].taker) == (die.shows, die.taker))
            other = next(there, None) if at + 1 not in found else None
            if other is not None:
                left.remove(other)
                found[at + 1] = other + 1
    return found


def _is_clear(one: Sighting) -> bool:
    """Whether a die surely shows what it most likely shows."""
    return bool(one.guesses) and one.guesses[0].probability > _CLEAR


def are_laid_together(dice: Sequence[Sighting], places: Places) -> bool:
    """Whether all four dice lie in the middle again, and can be seen to show what they showed."""
    together = [one for one in dice if one.region == MIDDLE and one.value]
    return len(together) == len(dice) == len(ALL) and are_the_old(dice, places)


def _may_show(one: Sighting, coat: str) -> bool:
    """Whether a die may show this coat of arms; how many crosses stand beside it is too fine for that."""
    likely = sum(guess.probability for guess in one.guesses if (guess.value or {}).get("face") == coat)
    return likely > _STILL or coat == str(None)


def is_drawn(one: Sighting) -> bool:
    """Whether this is a coat of arms on a sheet that looks like a die: no die of the game lies there."""
    return one.kind == "die" and one.region in ("sheet-1", "sheet-2", "spellbook")


def plain_dice(dice: Sequence[Sighting]) -> list[Sighting]:
    """The dice among what looks like dice; fewer than four are none the less dice where they are doubtful."""
    read = [one for one in dice if any(faces_of(one))]
    sure = [one for one in read if one.presence > _DOUBTFUL]
    return sure if len(sure) == len(ALL) else read


def faces_of(one: Sighting) -> Iterator[Face]:
    """The faces that a die may show."""
    for guess in one.guesses:
        face = _face(guess.value or {})
        if face is not None and guess.probability >= _LEAST:
            yield face


def _face(value: Mapping[str, Json]) -> Face | None:
    shown, crosses = value.get("face"), value.get("crosses", 0)
    if shown == "joker":
        return Face(JOKER)
    if shown not in COATS or not isinstance(crosses, int):
        return None
    return Face(COATS.index(str(shown)), crosses)
