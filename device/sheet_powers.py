"""What a photographed spellbook says about the maps beside it: powers that explain marks, and one that pays.

The left side of the spellbook is that of the first map, from the left or as the photos were given. The coat
that was named with P5 stands nowhere on paper: whose power that is has to say it, or points are missing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from device.sheet_reading import PhotoMap, ReadPhoto
from engine.kingdomino_duel.edition import AS_PRINTED

if TYPE_CHECKING:
    from vision.spellbook_reader import ReadLine, ReadSpellbook

SIDES = ("left", "right")


def with_powers(photos: Sequence[ReadPhoto]) -> tuple[ReadPhoto, ...]:
    """The photos of one game, each map with the powers that the one spellbook gives its player."""
    books = [book for photo in photos for book in photo.spellbooks]
    maps = [one for photo in photos for one in photo.maps]
    if len(books) != 1 or not 1 <= len(maps) <= 2:
        return tuple(photos)
    told = iter(maps_with_powers(maps, books[0]))
    return tuple(replace(photo, maps=tuple(next(told) for _ in photo.maps)) for photo in photos)


def maps_with_powers(maps: Sequence[PhotoMap], book: "ReadSpellbook") -> list[PhotoMap]:
    """One map or two with what this spellbook says of their players' powers; a log knows it better."""
    sides = ((1,), (2,)) if len(maps) == 2 else ((1, 2),)
    return [one if one.name else _powered(one, book, of) for one, of in zip(maps, sides, strict=True)]


def _powered(one: PhotoMap, book: "ReadSpellbook", players: tuple[int, ...]) -> PhotoMap:
    """A map of one of these players (alone in its photo, it may be either's)."""
    first, apart, naming, cross = (book.line_of(power) for power in (1, 2, 5, 6))
    sheet = replace(
        one.sheet,
        used_p1=one.sheet.used_p1 or (first.owner in players and first.used),
        used_p6=one.sheet.used_p6 or cross.owner in players,
        used_p2=one.sheet.used_p2 or (apart.owner in players and apart.used),
    )
    unnamed = sheet.named is None and (naming.owner in players or _may_be_won(naming, players))
    return replace(one, sheet=sheet, unnamed=unnamed)


def _may_be_won(line: "ReadLine", players: tuple[int, ...]) -> bool:
    """Whether a line that is not clear may be one of these players': nearly all its boxes look ticked."""
    length = AS_PRINTED.lines[line.coat].length
    return line.doubt and any((line.ticks[player - 1] or 0) >= length - 1 for player in players)


def power_words(book: "ReadSpellbook") -> list[str]:
    """Each line of a spellbook in words: who has ticked how many, who owns the power, whether it is used."""
    told = []
    for line in sorted(book.lines, key=lambda line: AS_PRINTED.lines[line.coat].power):
        length, power = AS_PRINTED.lines[line.coat].length, AS_PRINTED.lines[line.coat].power
        ticks = " and ".join("struck out" if one is None else f"{one} of {length}" for one in line.ticks)
        words = f"P{power}: {ticks}"
        if line.owner is not None:
            words += f"; it belongs to the {SIDES[line.owner - 1]} player"
            words += ", used" if line.used else ""
        told.append(words + ("?" if line.doubt else ""))
    return told
