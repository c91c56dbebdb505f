"""How a photograph of any table is read, step by step: nobody knows its scale, or what lies there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.photos import in_line
from vision.photos.found_by_pips import with_faces_found
from vision.photos.one_make import with_makes_heard
from vision.photos.scale import in_company, of_one_scale
from vision.pieces import finder
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.one_a_place import apart
from vision.pieces.piece_read import Read, in_reading_order
from vision.pieces.pipeline import Pipeline
from vision.pieces.tidy import tidied

_LONGEST_GAP = 3
"""So many dominoes of a line at most are looked for beyond one that was seen."""


@dataclass(frozen=True)
class InPhoto:
    """A photograph, and what is known of it so far."""

    reader: PieceReader
    set_name: str | None = None
    spotted: Sequence[Spotted] = ()
    alone: Sequence[Read] = ()
    """Each piece by itself."""
    pieces: Sequence[Read] = ()
    """The same made to agree."""


def look_for_pieces(photo: InPhoto) -> InPhoto:
    """Where something may lie, at whatever scale."""
    return replace(photo, spotted=finder.find(photo.reader.picture))


def read_each(photo: InPhoto) -> InPhoto:
    """Each piece by itself."""
    return replace(photo, alone=photo.reader.every(photo.spotted))


def make_agree(photo: InPhoto) -> InPhoto:
    """What holds together of the single readings."""
    return replace(photo, pieces=agreed_in_photo(photo.alone, photo.set_name))


def go_on_in_lines(photo: InPhoto) -> InPhoto:
    """Dominoes that go on where others end, and were not seen by themselves."""
    for _ in range(_LONGEST_GAP):
        spots = in_line.gone_on(photo.reader.picture, photo.pieces)
        more = in_line.lying_there(photo.pieces, spots, photo.reader.dominoes(spots))
        if not more:
            break
        photo = make_agree(replace(photo, alone=in_line.making_room(photo.alone, more)))
    return photo


def hear_makes(photo: InPhoto) -> InPhoto:
    """Dice counted anew with the ink of those of their make."""
    return replace(photo, pieces=with_makes_heard(photo.reader.picture, photo.pieces))


def find_faces(photo: InPhoto) -> InPhoto:
    """Dice where the pips of their make show one."""
    found = with_faces_found(photo.reader.picture, photo.pieces, photo.spotted)
    return replace(photo, pieces=in_reading_order(found))


PHOTO: Pipeline[InPhoto] = Pipeline(
    find=(look_for_pieces,),
    read=(read_each,),
    agree=(make_agree, go_on_in_lines, hear_makes, find_faces),
)


def agreed_in_photo(pieces: Sequence[Read], set_name: str | None = None) -> list[Read]:
    """Single readings as one that holds together, line by line."""
    return in_reading_order(in_company(tidied(of_one_scale(apart(pieces)), set_name), set_name))
