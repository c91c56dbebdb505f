"""What sightings may be in Dominoids: dominoes by the squares they lie on, dice by suit and face, coins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.dominoes import tile
from engine.dominoids.board import NUMBER_OF
from engine.dominoids.model import (
    DOMINOES,
    FACES,
    NOWHERE,
    NULL,
    NUMBER,
    SUITS,
    UNKNOWN,
    DominoidsState,
    Laid,
    laid,
)
from engine.dominoids.table import BOARD, CHOSEN, NEW, OLD, player_region
from engine.errors import BadSetup
from engine.matching.piece_words import region_words
from engine.plain import Json, JsonObject
from engine.scene import Guess, Scene, Sighting
from engine.squares import Square

LEAST: Final = 0.002
"""A reading less likely than this is no reason to think of a move."""
_THERE: Final = 0.5
_NAMED: Final = 6
"""So many pieces are named at most."""
_SURE: Final = 0.9
"""A table is taken as it is if each piece, and what it shows, is seen so surely; what is there less than the
rest to 1 is nothing."""


def is_in(one: Sighting, kind: str, region: str) -> bool:
    """Whether a sighting is of a kind and in a region."""
    return one.kind == kind and one.region == region


def surely_seen(scene: Scene) -> Scene:
    """What a table is taken from; raises BadSetup, naming the place of what is doubted there."""
    there = tuple(one for one in scene.sightings if one.presence > 1 - _SURE)
    for one in there:
        on_board = one.region == BOARD and one.kind in ("domino", "pawn", "coin")
        if not on_board and not (one.kind == "die" and one.region in (OLD, NEW, CHOSEN)):
            continue
        if one.presence < _SURE or not one.guesses or one.guesses[0].probability < _SURE:
            where = f"near {square_under(one)}" if on_board else region_words(one.region)
            raise BadSetup(f"The {one.kind} {where} cannot be read for sure.")
    return replace(scene, sightings=there)


def check_collected(state: DominoidsState, scene: Scene) -> None:
    """Of eaten coins nobody sees the suits: raises BadSetup where more lie there than are known."""
    for player in (1, 2):
        seen = sum(
            is_in(one, "coin", player_region(player)) and one.face == "up" and one.presence >= _THERE
            for one in scene.sightings
        )
        known = sum(len(state.collected(player, suit)) for suit in range(len(SUITS)))
        if seen > known:
            raise BadSetup(
                f"Tell the collected coins: {seen} seen {region_words(player_region(player))}, {known} known."
            )


def dominoes_seen(scene: Scene) -> JsonObject:
    """The dominoes on the board, as a set-up tells them."""
    found: JsonObject = {}
    for one in scene.sightings:
        if is_in(one, "domino", BOARD):
            piece = next(pieces(one), None)
            if piece is None:
                raise BadSetup(f"The domino near {square_under(one)} cannot be read.")
            found[str(piece.domino)] = [str(piece.low), str(piece.high)]
    return found


def lying_unseen(scene: Scene) -> tuple[str, ...]:
    """That dominoes seen nowhere are taken to lie in the pool, in a sentence; none where all are seen."""
    read = [ends_of((one.value or {}).get("pips")) for one in scene.sightings if one.kind == "domino"]
    seen = {tile(*ends) for ends in read if ends is not None}
    lacking = [f"the {domino}" for domino in DOMINOES if domino not in seen]
    more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
    return (
        (f"Seen nowhere, and taken to lie in the pool: {', '.join(lacking[:_NAMED])}{more}.",)
        if lacking
        else ()
    )


def pawns_seen(scene: Scene) -> JsonObject:
    """The pawns on the board, as a set-up tells them."""
    pawns = [one for one in scene.sightings if is_in(one, "pawn", BOARD)]
    return {str((one.value or {}).get("suit")): str(square_under(one)) for one in pawns}


def coin_seen(state: DominoidsState, one: Sighting) -> JsonObject:
    """A coin on the board; one that lies value up was on that square before, or its suit must be told."""
    square, value = square_under(one), one.value or {}
    if value.get("suit") is not None:
        return {"square": str(square), "suit": value["suit"], "value": None}
    known = state.coin_at(NUMBER_OF.get(square, NOWHERE))
    if known is None:
        raise BadSetup(f"Of which suit is the coin on {square}? Tell the coins on the board.")
    return {"square": str(square), "suit": SUITS[known.suit], "value": value.get("value")}


def dice_of(scene: Scene) -> dict[str, Sighting]:
    """The dice by their suits; where just one is blank, it is the one that is left."""
    dice = [one for one in scene.sightings if one.kind == "die" and one.region in (OLD, NEW, CHOSEN)]
    found = {str(suit): one for one in dice if (suit := (one.value or {}).get("suit")) in SUITS}
    blank = [one for one in dice if (one.value or {}).get("face") == FACES[NULL]]
    rest = [suit for suit in SUITS if suit not in found]
    same = len({one.region for one in blank}) == 1
    if len(rest) != len(blank) or (len(blank) > 1 and not same):
        return {}
    return {**found, **dict(zip(rest, blank, strict=True))}


def suits_apart(scene: Scene) -> Scene:
    """The scene in which a die is rather of a suit that no other is of: of each there is one."""
    dice = [one for one in scene.sightings if one.kind == "die"]
    told = {id(one): _apart(one, [other for other in dice if other is not one]) for one in dice}
    return replace(scene, sightings=tuple(told.get(id(one), one) for one in scene.sightings))


def _apart(one: Sighting, others: Sequence[Sighting]) -> Sighting:
    """A die with what it may be, if it is of no suit of the others."""
    left = max(0.001, 1 - sum(guess.probability for guess in one.guesses))
    shares = [guess.probability * (1 - max((_suited(other, guess) for other in others), default=0.0))
              for guess in one.guesses]  # fmt: skip
    whole = left + sum(shares)
    guesses = (
        replace(guess, probability=share / whole) for guess, share in zip(one.guesses, shares, strict=True)
    )
    return replace(one, guesses=tuple(sorted(guesses, key=lambda guess: -guess.probability)))


def _suited(one: Sighting, like: Guess) -> float:
    """How likely a die is of the suit of a guess; a blank one shows none."""
    suit = (like.value or {}).get("suit")
    return min(1.0, sum(guess.probability for guess in one.guesses
                        if suit is not None and (guess.value or {}).get("suit") == suit))  # fmt: skip


def dice_seen(state: DominoidsState, scene: Scene) -> JsonObject:
    """What the dice show and which are new, as a set-up tells it.

    Of blank ones in both boxes nobody sees the suits: they are as the record says, if all else is. Raises
    BadSetup where dice are not seen, or lie otherwise.
    """
    found = dice_of(scene)
    if not found and _dice_as_before(state, scene):
        before = state.to_json()
        return {"dice": before["dice"], "new": before["new"]}
    if not found:
        seen = sum(is_in(one, "die", box) for one in scene.sightings for box in (OLD, NEW))
        raise BadSetup(f"Tell the dice: {seen} are seen, and which is which cannot be told.")
    new: list[Json] = [suit for suit, one in found.items() if one.region == NEW]
    return {"dice": {suit: (one.value or {}).get("face") for suit, one in found.items()}, "new": new}


def dice_placed(state: DominoidsState, scene: Scene) -> dict[str, tuple[str, str]]:
    """For each suit the box in which its die lies, and what it shows.

    Of blank ones nobody sees the suits: where the record has a blank one in that box it is that, else any.
    Raises BadSetup, saying which die is missed.
    """
    dice = [one for one in scene.sightings if one.kind == "die" and one.region in _BOXES]
    found = {str(suit): one for one in dice if (suit := (one.value or {}).get("suit")) in SUITS}
    blank = [one for one in dice if (one.value or {}).get("suit") not in SUITS]
    rest = [suit for suit in SUITS if suit not in found]
    if len(rest) > len(blank):
        lacking = " and ".join(rest[len(blank) :])
        raise BadSetup(f"The {lacking} die is not seen: lay each die into its box, in view.")
    for suit in rest:
        one = next((one for one in blank if _lay_blank(state, suit, _BOXES[one.region])), blank[0])
        blank.remove(one)
        found[suit] = one
    return {suit: (_BOXES[one.region], _face_of(one)) for suit, one in found.items()}


_BOXES: Final = {OLD: "old", NEW: "new", CHOSEN: "chosen"}


def _lay_blank(state: DominoidsState, suit: str, box: str) -> bool:
    """Whether the record has this die blank in this box."""
    die = SUITS.index(suit)
    there = "chosen" if state.chosen >> die & 1 else "new" if state.new >> die & 1 else "old"
    return state.faces[die] == NULL and there == box


def _face_of(one: Sighting) -> str:
    return str((one.value or {}).get("face", FACES[NULL]))


def _dice_as_before(state: DominoidsState, scene: Scene) -> bool:
    """Whether the dice lie in their boxes and show what the record says, as far as that can be seen."""
    seen = Counter(
        (one.region, (one.value or {}).get("suit"), (one.value or {}).get("face"))
        for one in scene.sightings
        if one.kind == "die" and one.region in (OLD, NEW)
    )
    known = Counter(
        (NEW if state.new >> die & 1 else OLD, None if face == NULL else suit, FACES[face])
        for die, (suit, face) in enumerate(zip(SUITS, state.faces, strict=True))
        if face != UNKNOWN
    )
    return bool(known) and seen == known


def square_under(one: Sighting) -> Square:
    """The square that a small piece lies on."""
    return Square(round(one.x or 0), round(one.y or 0))


def die_share(one: Sighting, die: int, face: int) -> float:
    """How likely a sighting is this die showing this face; of a blank face nobody sees the suit."""
    share = 0.0
    for guess in one.guesses:
        value = guess.value or {}
        suited = value.get("suit") in ((None, SUITS[die]) if face == NULL else (SUITS[die],))
        if value.get("face") == FACES[face] and suited:
            share += guess.probability
    return share


def squares_under(one: Sighting) -> tuple[Square, Square] | None:
    """The squares under the back and the front end of a domino, on the board or off it."""
    if one.x is None or one.y is None or one.angle is None:
        return None
    dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[round(one.angle / 90) % 4]
    back = Square(round(one.x - dx / 2), round(one.y - dy / 2))
    return back, back.step(dx, dy)


def pieces(one: Sighting) -> Iterator[Laid]:
    """The dominoes that a sighting may be, as they lie."""
    squares = squares_under(one)
    for guess in one.guesses:
        ends = ends_of((guess.value or {}).get("pips"))
        if squares and ends and guess.probability >= LEAST:
            yield laid(ends[0], squares[0], ends[1], squares[1])


def ends_of(value: Json) -> tuple[int, int] | None:
    """The two numbers of pips of a reading, where a domino has them."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    a, b = value
    known = isinstance(a, int) and isinstance(b, int) and tile(a, b) in NUMBER
    return (int(a), int(b)) if known else None  # type: ignore[arg-type]
