"""Photos of Duel sheets as a person wants them: the maps from left to right, their scores, the winner.

With the log of the match, its dice say which coats can stand on a map, and its powers count.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine import PipwatchError
from engine.history import History
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import NAMES, SQUARES, Kingdom
from engine.kingdomino_duel.map_score import Sheet, SheetScore, compare, score_sheet
from engine.kingdomino_duel.model import DuelState
from engine.plain import Json
from engine.scores import Outcome

if TYPE_CHECKING:
    from vision.sheet_cells import Floats, Picture
    from vision.sheet_decoder import ReadMap
    from vision.sheet_winner import LikelyWinner
    from vision.spellbook_reader import ReadSpellbook

PLAYERS = ("player 1", "player 2")
_NO_CASTLE = "shows no castle amid these corners: give those of the map's squares, or take it sharper"
_UNCLEAR = "shows no squares amid these corners that can be read: take it sharper, nearer or in more light"
_LEAST_PX = 400
"""A map that covers less of a photo than this many pixels is none."""


class NoSheet(PipwatchError, ValueError):
    """A picture shows no map; the message says so and what helps."""


@dataclass(frozen=True)
class LoggedSide:
    """What the log of a match says about one player's sheet."""

    name: str
    sheet: Sheet
    over: bool = False
    """Whether the log goes on to the end of the game, so that nothing can have been drawn since."""


@dataclass(frozen=True)
class PhotoMap:
    """One map of a photo: what was read, where it lies, and the sheet that is scored."""

    read: "ReadMap"
    corners: "Floats"
    """The corners of its squares in the photo (6×8×2 px)."""
    sheet: Sheet
    name: str = ""
    """The player's, where a log tells it."""
    unlogged: tuple[str, ...] = ()
    """The squares on which something else stands than the log has."""
    advice: str = ""
    """What would make the photo easier to read, where much is doubtful."""
    unnamed: bool = False
    """Whether its player has P5, as the spellbook shows, and nobody said yet which coat was named."""

    def with_named(self, coat: int) -> "PhotoMap":
        """The same map where its player named this coat with P5."""
        return replace(self, sheet=replace(self.sheet, named=coat), read=self.read.with_named(coat))

    @property
    def score(self) -> SheetScore:
        """The points of the sheet."""
        return score_sheet(self.sheet)


@dataclass(frozen=True)
class FlatMap:
    """A map by itself: what was read and scored, and its picture from straight above."""

    map: PhotoMap
    flat: "Picture"

    def corrected(self, sheet: Sheet, doubts: Collection[str] = ()) -> "FlatMap":
        """The same picture with what a person says stands on it, and the squares that are still doubtful."""
        from vision.sheet_decoder import as_told

        read = as_told(sheet.kingdom, sheet.roof, doubts)
        unnamed = self.map.unnamed and sheet.named is None
        return FlatMap(replace(self.map, sheet=sheet, read=read, unnamed=unnamed), self.flat)


@dataclass(frozen=True)
class ReadPhoto:
    """A photo and all that was read in it."""

    image: "Picture"
    maps: tuple[PhotoMap, ...]
    spellbooks: "tuple[ReadSpellbook, ...]" = field(default=())


def logged_sides(history: History) -> tuple[LoggedSide, LoggedSide]:
    """Both players' sheets as the log of their match has them; raises NoSheet if it is of another game."""
    state = history.state
    if not isinstance(state, DuelState):
        raise NoSheet(f"the match is one of {history.book.title}, whose players fill in no maps")
    first, second = (
        LoggedSide(
            history.header.players[player - 1],
            Sheet(
                state.side(player).kingdom,
                roof=state.side(player).roof,
                named=state.side(player).named,
                used_p1=_used(state, player, 1),
                used_p6=_used(state, player, 6),
                used_p2=_used(state, player, 2),
            ),
            history.outcome is not None,
        )
        for player in (1, 2)
    )
    return first, second


def _used(state: DuelState, player: int, power: int) -> bool:
    """Whether this player won this power and has used it."""
    coat = state.edition.coat_of(power)
    return state.book.spent[coat] and state.book.owner(state.edition, coat) == player


def read_photo(
    image: "Picture",
    corners: Sequence[tuple[float, float]] | None = None,
    logged: Sequence[LoggedSide] = (),
) -> ReadPhoto:
    """Everything in one photo; raises NoSheet where there is neither a map nor a spellbook.

    ``corners`` are those of the map, clockwise from its upper left, where it is not found by itself.
    """
    if corners is not None and not is_outline(corners, image):
        raise NoSheet("has no map there: give four places in it, clockwise around the map")
    import numpy as np

    from vision.sheet_advice import advice
    from vision.sheet_decoder import decode
    from vision.sheet_finder import FoundSheets, find_sheets, from_outline
    from vision.sheet_maps import read_maps
    from vision.sheet_reader import UnreadMap, sheet_reader
    from vision.spellbook_reader import read_spellbook

    if corners is None:
        found = find_sheets(image)
        seen = read_maps(sheet_reader(), image, found.maps)
    else:
        found = FoundSheets((from_outline(np.array(corners)),), ())
        seen = (sheet_reader().read(image, found.maps[0]),)
    readings = [one for one in seen if not isinstance(one, UnreadMap)]
    books = tuple(read_spellbook(image, sheet) for sheet in found.spellbooks)
    if not readings and corners is not None:
        raise NoSheet(_NO_CASTLE if seen == (UnreadMap.NO_CASTLE,) else _UNCLEAR)
    if not readings and not books:
        raise NoSheet(
            "shows no map of five rows of seven squares around a castle: photograph the whole sheet from "
            "above, or give its --corners"
        )
    alone = [decode(one.placed, one.crosses, one.roof) for one in readings]
    sides = _players([read.kingdom for read in alone], logged)
    maps = []
    for one, read, side in zip(readings, alone, sides, strict=True):
        if side is None:
            helps = advice(one.corners, one.flat, len(read.doubts))
            sheet = Sheet(read.kingdom, roof=read.roof)
            maps.append(PhotoMap(read, one.corners, sheet, advice=helps))
            continue
        known = decode(one.placed, one.crosses, one.roof, logged=side.sheet.kingdom, over=side.over)
        told = side.sheet
        known = known if told.named is None else known.with_named(told.named)
        helps = advice(one.corners, one.flat, len(known.doubts))
        sheet = replace(told, kingdom=known.kingdom, roof=known.roof)
        maps.append(PhotoMap(known, one.corners, sheet, side.name, _unlogged(known.kingdom, side), helps))
    return ReadPhoto(image, tuple(maps), books)


def is_outline(places: Sequence[tuple[float, float]], image: "Picture") -> bool:
    """Whether these are four corners that run clockwise around a part of a picture."""
    import cv2
    import numpy as np

    height, width = image.shape[:2]
    if len(places) != 4 or not all(0 <= x <= width and 0 <= y <= height for x, y in places):
        return False
    corners = np.array(places, dtype=np.float32).reshape(-1, 1, 2)
    return len(cv2.convexHull(corners)) == 4 and cv2.contourArea(corners, oriented=True) > _LEAST_PX


def _unlogged(kingdom: Kingdom, side: LoggedSide) -> tuple[str, ...]:
    """The squares that differ from the log; what was drawn after a log ended is no difference."""
    logged = side.sheet.kingdom
    return tuple(
        NAMES[square]
        for square in SQUARES
        if kingdom.at(square) != logged.at(square) and (side.over or logged.at(square) is not None)
    )


def _players(kingdoms: Sequence[Kingdom], logged: Sequence[LoggedSide]) -> list[LoggedSide | None]:
    """Whose map each is: of two logged players, those whose coats fit best."""
    if len(logged) != 2 or not 1 <= len(kingdoms) <= 2:
        return [None] * len(kingdoms)
    orders = [list(order)[: len(kingdoms)] for order in (logged, reversed(logged))]

    def unlike(order: list[LoggedSide]) -> int:
        return sum(
            _unlike(kingdom, side.sheet.kingdom) for kingdom, side in zip(kingdoms, order, strict=True)
        )

    return [*min(orders, key=unlike)]


def _unlike(one: Kingdom, other: Kingdom) -> int:
    """On how many coats two maps differ, wherever they stand."""
    first, second = (Counter((mark.coat, mark.crosses) for mark in each.marks()) for each in (one, other))
    return ((first - second) + (second - first)).total()


def flat_maps(photos: Sequence[ReadPhoto]) -> tuple[FlatMap, ...]:
    """All maps of these photos, each with its own picture."""
    from vision.sheet_picture import bare_picture

    return tuple(
        FlatMap(one, bare_picture(photo.image, one.corners)) for photo in photos for one in photo.maps
    )


def outcome_of(maps: Sequence[PhotoMap]) -> Outcome | None:
    """Who wins, where there are two maps."""
    return compare(maps[0].sheet, maps[1].sheet) if len(maps) == 2 else None


def winner_of(maps: Sequence[PhotoMap]) -> "LikelyWinner | None":
    """Who wins by what was read and how sure that is, where there are two maps."""
    if len(maps) != 2:
        return None
    from vision.sheet_winner import likely_winner

    return likely_winner(maps[0].read, maps[1].read)


def open_words(maps: Sequence[PhotoMap]) -> str:
    """What has to be settled before the winner is certain, or nothing."""
    winner = winner_of(maps)
    if winner is None:
        return ""
    if any(one.unnamed for one in maps):
        return "That is open until it is said which coat was named with P5."
    if not winner.open:
        return ""
    places = [
        f"{', '.join(squares)} of {name_of(maps, number)}"
        for number, squares in enumerate(winner.hangs_on)
        if squares
    ]
    return f"That is open: look at {' and '.join(places) or 'both maps'} first."


def name_of(maps: Sequence[PhotoMap], number: int) -> str:
    """How to call the owner of a map."""
    return maps[number].name or (PLAYERS[number] if number < 2 else f"map {number + 1}")


def called(maps: Sequence[PhotoMap], number: int) -> str:
    """The same at the beginning of a line: a name as its owner writes it, else Player 1 with a capital."""
    return maps[number].name or name_of(maps, number).capitalize()


def winner_words(maps: Sequence[PhotoMap], outcome: Outcome) -> str:
    """The end of the game as a sentence with the players' names, where they are known."""
    sentence = outcome.reason
    for number in (0, 1):
        sentence = sentence.replace(f"Player {number + 1} ", f"{called(maps, number)} ", 1)
    return sentence


def domains_json(score: SheetScore) -> list[Json]:
    """The domains of a map in plain form, as the command and the page tell them."""
    return [
        {
            "coat": COATS[domain.coat],
            "squares": [NAMES[square] for square in domain.squares],
            "crosses": domain.crosses,
            "points": domain.points,
        }
        for domain in score.domains
    ]
