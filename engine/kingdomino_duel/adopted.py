# ruff: noqa: ARG002 (what an adopter is asked is the same for every game)
"""A table of the Duel as it lies: what stands on its maps, who has which dice, and who has drawn."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from engine.book import State
from engine.errors import BadSetup
from engine.kingdomino_duel.by_hand import put
from engine.kingdomino_duel.drawn import as_it_is
from engine.kingdomino_duel.edition import Face, orders
from engine.kingdomino_duel.lying import DICE_LIE, MIDDLE, faces_of
from engine.kingdomino_duel.model import DuelState
from engine.matching.adopted import Adopter, Need
from engine.plain import Json, JsonObject, items, obj
from engine.scene import Scene, Sighting

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


class DuelAdopter(Adopter):
    """A table of Kingdomino Duel as it lies."""

    def opening(self, state: State) -> tuple[Need, ...]:
        """Four dice; the sheets need not be seen."""
        return (Need("four dice", "die", MIDDLE, many=4),)

    def table(self, state: State, scene: Scene) -> JsonObject:
        """The maps as far as they are read; all else is as it was at the last roll, which is made anew."""
        assert isinstance(state, DuelState)
        before = replace(state, stage="roll", dice=()).to_json() if state.a else state.to_json()
        kept = obj(before, "the state")
        players = [dict(obj(side, "a side")) for side in items(kept["players"], "the players")]
        for one in scene.sightings:
            if one.kind == "sheet" and one.region in ("sheet-1", "sheet-2") and one.value is not None:
                player = int(one.region[-1])
                kingdom, open_ = as_it_is(one, state)
                if open_:
                    where = ", ".join(open_)
                    what = f"Player {player}'s map cannot be read for certain at {where}"
                    raise BadSetup(f"{what}: lay it flat in the light.")
                players[player - 1] = {"map": list(kingdom.rows), "roof": one.value.get("roof") is True}
        return {
            "a": kept["a"],
            "players": players,
            "spellbook": kept["spellbook"],
            "edition": kept["edition"],
        }

    def taken(self, state: State, scene: Scene) -> State:
        """Also in the midst of a turn, where the dice can be read; else the next one begins with a roll."""
        assert isinstance(state, DuelState)
        table = self.table(state, scene)
        dice = [one for one in scene.sightings if one.kind == "die" and one.region in DICE_LIE]
        turn = turn_as_it_is(state, dice, obj(table, "the table"))
        with suppress(BadSetup):
            return self.book.start(table if turn is None else turn)
        return self.book.start(table)

    def put(self, state: State, words: Sequence[str]) -> State:
        """Dice by their numbers, squares of a map by what is drawn there."""
        assert isinstance(state, DuelState)
        return put(state, words)

    def unknown(self, before: State, after: State, scene: Scene) -> tuple[str, ...]:
        """That the maps count as they are, and whether a turn begins."""
        assert isinstance(after, DuelState)
        words = "The maps count as they are; the spellbook and what each player may use are as recorded."
        rolled = "The dice are to be rolled for the next turn."
        return (f"{words} {rolled}",) if after.stage == "roll" else (words,)


ADOPTER = DuelAdopter
