"""Pieces and places in words a player understands."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.layout import Spot
from engine.matching.evidence import Gap
from engine.matching.outcome import Difference
from engine.plain import Json
from engine.scene import Sighting
from engine.squares import Square

_REGIONS: Final = {
    "": "beside the game",
    "board": "on the board",
    "pool": "in the pool",
    "old-dice": "in the box of old dice",
    "new-dice": "in the box of new dice",
    "chosen-dice": "among the dice of the turn",
    "dice": "among the dice in the middle",
    "boneyard": "in the boneyard",
    "spares": "among the spare tiles",
    "discard": "in the discard",
    "aside": "beside the line",
    "spellbook": "in the spellbook",
}
_OWNED: Final = {
    "hand": "on player {}'s side",
    "pool": "in player {}'s pool",
    "dice": "among player {}'s dice",
    "sheet": "on player {}'s map",
    "stack": "on the stack of {}",
}

LIKELY: Final = 0.5
"""What is seen less surely than this is rather no piece, or rather another one."""


def region_words(region: str) -> str:
    """Where a region is: ``in the pool``, ``on player 1's side``."""
    kind, _, whose = region.rpartition("-")
    if region in _REGIONS:
        return _REGIONS[region]
    return _OWNED[kind].format(whose.capitalize()) if kind in _OWNED else f"in {region.replace('-', ' ')}"


def place_name(x: float | None, y: float | None) -> str:
    """The square, or the two squares, that a piece with its middle there lies on; empty without a place."""
    if x is None or y is None:
        return ""
    if abs(x - round(x)) > 0.3:
        ends = [Square(round(x - 0.5), round(y)), Square(round(x + 0.5), round(y))]
    elif abs(y - round(y)) > 0.3:
        ends = [Square(round(x), round(y - 0.5)), Square(round(x), round(y + 0.5))]
    else:
        ends = [Square(round(x), round(y))]
    return " and ".join(str(end) for end in ends)


def piece_words(kind: str, face: str, value: Mapping[str, Json] | None, owner: int | None = None) -> str:
    """A piece, with no article: ``2-5``, ``Suns coin``, ``coin of value 3``, ``player 1's grunt``."""
    value = value or {}
    if kind == "domino":
        return _tile_words(face, value.get("pips"))
    suit = value.get("suit")
    suited = f"{str(suit).capitalize()} " if suit else ""
    if kind == "coin":
        valued = face == "up" and value.get("value") is not None
        return f"coin of value {value['value']}" if valued else f"{suited}coin"
    if kind == "die":
        shown = value.get("face")
        return f"{suited}die" + (f" showing {_face(value)}" if shown else "")
    if kind == "soldier":
        called = str(value.get("type") or "soldier")
        return f"player {owner}'s {called}" if owner else called
    return f"{suited}{kind}"


def _tile_words(face: str, pips: Json) -> str:
    closed = "tile that lies face down" if face == "down" else "tile that cannot be read"
    return "-".join(str(end) for end in sorted(_whole(pips))) if pips else closed


def _whole(pips: Json) -> list[int]:
    return [end for end in pips if isinstance(end, int)] if isinstance(pips, list | tuple) else []


def _face(value: Mapping[str, Json]) -> str:
    crosses = value.get("crosses")
    shown = str(value["face"]).replace("-", " ")
    return f"{shown} with {crosses} cross{'es' if crosses != 1 else ''}" if crosses else shown


def spot_words(spot: Spot) -> str:
    """A piece of a layout in words."""
    return piece_words(spot.kind, spot.face, spot.value, spot.owner)


def seen_words(one: Sighting) -> str:
    """A sighting in words."""
    face = one.guesses[0].face if one.guesses and one.guesses[0].face else one.face
    return piece_words(one.kind, face, one.value, one.owner)


def is_unread(one: Sighting) -> bool:
    """Whether an open tile lies there of which nothing can be read."""
    return one.kind == "domino" and one.face == "up" and not one.guesses and one.presence > LIKELY


def where_words(region: str, place: str) -> str:
    """Where something lies: ``on c5``, or where its region is."""
    return f"on {place}" if place else region_words(region)


def differences(gap: Gap, *, named: bool = True) -> Iterator[Difference]:
    """The places where table and record disagree; ``named`` says whether places have names."""
    for spot in gap.missing:
        place = place_name(spot.x, spot.y) if named else ""
        where = where_words(spot.region, place)
        sentence = f"The {spot_words(spot)} should lie {where} and is not seen there."
        yield Difference(sentence, spot.region, place, spot.name)
    for spot, one in gap.misread:
        place = place_name(spot.x, spot.y) if named else ""
        where = where_words(spot.region, place)
        sentence = f"What lies {where} should be the {spot_words(spot)} and looks like a {seen_words(one)}."
        if spot.kind == "soldier" and spot_words(spot) == seen_words(one):
            sentence = f"The {spot_words(spot)} {where} faces another way than he did."
        elif spot.kind == "sheet":
            sentence = f"What is drawn {where} is not what the record says."
        yield Difference(sentence, spot.region, place, spot.name, one.ref)
    for one in gap.uncounted:
        place = place_name(one.x, one.y) if named and one.region == "board" else ""
        where = where_words(one.region, place)
        sentence = f"A {seen_words(one)} lies {where}, where nothing should be."
        yield Difference(sentence, one.region, place, "", one.ref)
    for region, due, seen in gap.heaps:
        sentence = f"There should be {due} pieces {region_words(region)}, and {seen} are seen."
        yield Difference(sentence, region)
