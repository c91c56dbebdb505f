"""A turn of the Duel taken up as it lies: who has which dice, and who has drawn."""

from collections.abc import Mapping, Sequence
from itertools import islice

from engine.kingdomino_duel.edition import Face, orders
from engine.kingdomino_duel.lying import faces_of
from engine.kingdomino_duel.model import DuelState
from engine.plain import Json, JsonObject, items, obj
from engine.scene import Sighting

_TAKERS = {"dice-1": 1, "dice-2": 2}


def turn_as_it_is(state: DuelState, dice: Sequence[Sighting], table: Mapping[str, Json]) -> JsonObject | None:
    """The set-up of a turn of which the dice are read; None where there is none, or it is over.

    ``table`` is the set-up with the maps alone. Who has something new on his map has drawn.
    """
    faces = [face for one in dice for face in islice(faces_of(one), 1)]
    found = orders(sorted(faces), state.edition.dice)[:1] if len(faces) == len(state.edition.dice) else ()
    if not state.dice or not found:
        return None
    placed = _placed(state, list(zip(faces, dice, strict=True)), found[0])
    taken = [die["taker"] for die in placed]
    players = [dict(obj(side, "a side")) for side in items(table["players"], "the players")]
    same = taken == [die.taker for die in state.dice]
    for player, side in enumerate(players, 1):
        before = state.side(player)
        if None not in taken and list(before.kingdom.rows) != side["map"]:
            side["drawing"] = "drawn"
        elif same and None not in taken:
            side["drawing"] = before.drawing
    if None not in taken and all(side.get("drawing", "due") != "due" for side in players):
        return None
    first = next((one for one in taken if one is not None), None)
    return {**table, "a": table["a"] or first, "dice": placed, "players": players}


def _placed(
    state: DuelState, seen: list[tuple[Face, Sighting]], order: Sequence[Face]
) -> list[dict[str, Json]]:
    """The dice in their order; of several that show the same each is the one that the record has there."""
    told: list[dict[str, Json]] = []
    for number, face in enumerate(order):
        known = state.dice[number]
        alike = [one for one in seen if one[0] == face]
        there = [one for one in alike if _TAKERS.get(one[1].region) == known.taker]
        one = (there or alike)[0]
        seen.remove(one)
        taker = _TAKERS.get(one[1].region)
        bonus = known.bonus and (known.shows, known.taker) == (face, taker)
        told.append({"rolled": str(face), "shows": str(face), "taker": taker, "bonus": bonus})
    return told
