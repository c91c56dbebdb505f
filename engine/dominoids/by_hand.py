"""A piece of Dominoids set by hand: the record is corrected, and nobody has made a move."""

from collections.abc import Sequence
from typing import Final

from engine.dominoids.model import SUITS, DominoidsState
from engine.dominoids.setup import read_setup
from engine.errors import BadNotation
from engine.plain import Json, JsonObject, items, obj

HELP: Final = (
    "put 2-5 c3 c4 (the 2 on c3), put 2-5 pool, put pawn suns d4, put coin suns d4, put coin suns 3 d4, "
    "put coin suns 3 hand-1, put coin d4 away, put die suns 3 new (or old, chosen), put turn 2"
)


def put(state: DominoidsState, words: Sequence[str]) -> DominoidsState:
    """The state with one piece elsewhere; raises BadNotation, or BadData where that cannot be."""
    data: JsonObject = {**state.to_json()}
    match [*words]:
        case [domino, "pool"]:
            data["dominoes"] = {k: v for k, v in obj(data["dominoes"], "").items() if k != domino}
        case [domino, low, high] if domino[:1].isdigit():
            data["dominoes"] = {**obj(data["dominoes"], ""), domino: [low, high]}
        case ["pawn", suit, square]:
            data["pawns"] = {**obj(data["pawns"], ""), suit: square}
        case ["coin", *rest]:
            _put_coin(data, rest)
        case ["die", suit, face, ("old" | "new" | "chosen") as box] if suit in SUITS:
            data["dice"] = {**obj(data["dice"], ""), suit: face}
            for key in ("new", "chosen", "used"):
                data[key] = [one for one in items(data[key], "") if one != suit]
            if box != "old":
                data[box] = [*items(data[box], ""), suit]
            data |= {"mover": None}
            del data["stage"], data["deed"]  # the dice tell
        case ["turn", player]:
            data["player"] = int(player) if player.isdecimal() else player
        case _:
            raise BadNotation(f"Nothing can be put so; write {HELP}.")
    return read_setup(data)


def _put_coin(data: JsonObject, words: Sequence[str]) -> None:
    """A coin on a square, value down or up, with a player, or gone from its square."""
    *said, place = words or ("",)
    value: Json = int(said[1]) if len(said) == 2 and said[1].isdecimal() else None
    if place == "away" and len(said) == 1:
        place, said = said[0], []
    elif not said or said[0] not in SUITS or len(said) - 1 != (value is not None):
        raise BadNotation(f"No coin can be put so; write {HELP}.")
    if place in ("hand-1", "hand-2"):
        both = [dict(obj(one, "")) for one in items(data["collected"], "")]
        purse = both[int(place[-1]) - 1]
        purse[said[0]] = [*items(purse[said[0]], ""), value]
        data["collected"] = both
        return
    coins: list[Json] = [one for one in items(data["coins"], "") if obj(one, "")["square"] != place]
    data["coins"] = coins + [{"square": place, "suit": suit, "value": value} for suit in said[:1]]
