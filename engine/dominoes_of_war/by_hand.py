"""A piece of Dominoes of War set by hand: the record is corrected, and nobody has made a move."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.setups import adopt
from engine.errors import BadNotation
from engine.plain import Json, JsonObject, items, obj, whole

HELP: Final = (
    "put soldier d4 d5, put soldier d4 pool (or discard), put grunt 1 d5 (player 1's, from the pool), "
    "put wall d4/d5 e4/e5 (or discard), put tile d4 2-5 (or down), put turn 2, put actions 1"
)


def put(state: WarState, words: Sequence[str], terms: Terms) -> WarState:
    """The state with one piece elsewhere; raises BadNotation, or BadSetup where that cannot be."""
    data: JsonObject = {**state.to_json()}
    del data["pools"], data["spare"]  # what is left over follows
    if state.phase in ("tile", "face", "bonus"):
        data |= {"phase": "act", "focus": None, "bonus": 0, "walk": None}
    match [*words]:
        case ["soldier", at, to]:
            _move(data, at, to)
        case ["wall", old, new]:
            walls = [one for one in items(data["walls"], "") if one != old]
            if len(walls) == len(state.walls):
                raise BadNotation(f"No wall stands on {old}.")
            data["walls"] = walls if new == "discard" else [*walls, new]
            data["rubble"] = state.rubble + (new == "discard")
        case ["tile", at, shown]:
            field = {k: v for k, v in obj(data["field"], "").items() if k != at}
            data["field"] = field if shown == "down" else {**field, at: shown}
        case [("turn" | "actions") as what, number] if number.isdecimal():
            data[what] = int(number)
        case [kind, ("1" | "2") as side, at]:
            fresh: Json = {"at": at, "side": int(side), "kind": kind}
            data["troops"] = [*items(data["troops"], ""), fresh]
        case _:
            raise BadNotation(f"Nothing can be put so; write {HELP}.")
    return adopt(data, terms)


def _move(data: JsonObject, at: str, to: str) -> None:
    """A soldier from one place to another, or off the board."""
    troops: list[Mapping[str, Json]] = [obj(one, "") for one in items(data["troops"], "")]
    one = next((troop for troop in troops if troop["at"] == at), None)
    if one is None:
        raise BadNotation(f"No soldier stands on {at}.")
    rest: list[Json] = [troop for troop in troops if troop is not one]
    data["troops"] = rest if to in ("pool", "discard") else [*rest, {**one, "at": to}]
    if to == "discard":
        lost = [dict(obj(side, "")) for side in items(data["discarded"], "")]
        kind, mine = str(one["kind"]), lost[whole(one["side"], "") - 1]
        mine[kind] = whole(mine.get(kind, 0), "") + 1
        data["discarded"] = lost
