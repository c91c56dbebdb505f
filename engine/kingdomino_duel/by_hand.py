"""A die or a square of a map set by hand: the record is corrected, and nobody has made a move."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.errors import BadNotation
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.model import Draw, DuelState
from engine.kingdomino_duel.notation import parse_move
from engine.kingdomino_duel.setup import from_setup
from engine.plain import JsonObject, items, obj

HELP: Final = (
    "put die 3 middle (or to player 1, 2), put die 3 S2 (what it shows), put b2@r3c5 1 (on player 1's map), "
    "put empty@r3c5 1, put turn 2 (who is A)"
)


def put(state: DuelState, words: Sequence[str]) -> DuelState:
    """The state with one die or square otherwise; raises BadNotation, or BadSetup where that cannot be."""
    match [*words]:
        case ["die", number, how] if number.isdecimal() and 0 < int(number) <= len(state.dice):
            return _with_die(state, int(number) - 1, how)
        case ["turn", ("1" | "2") as player]:
            return from_setup({**_staged(state), "a": int(player)})
        case [mark, ("1" | "2") as player] if "@" in mark:
            return _with_mark(state, mark, int(player))
    raise BadNotation(f"Nothing can be put so; write {HELP}.")


def _staged(state: DuelState) -> JsonObject:
    """The state as a set-up of which the table tells the stage."""
    return {key: value for key, value in state.to_json().items() if key != "stage" or state.stage == "roll"}


def _with_die(state: DuelState, index: int, how: str) -> DuelState:
    data = _staged(state)
    dice = [dict(obj(die, "a die")) for die in items(data["dice"], "the dice")]
    if how in ("middle", "1", "2"):
        dice[index]["taker"] = None if how == "middle" else int(how)
    else:
        dice[index] |= {"rolled": how, "shows": how}
    return from_setup({**data, "dice": dice})


def _with_mark(state: DuelState, mark: str, player: int) -> DuelState:
    what, _, square = mark.partition("@")
    drawn = parse_move(f"{player}: draw {'b' if what == 'empty' else what}@{square}")
    assert isinstance(drawn, Draw)  # it says so
    side, kingdom = state.side(player), Kingdom()
    kept = [one for one in side.kingdom.marks() if one.square != drawn.marks[0].square]
    for one in kept if what == "empty" else (*kept, *drawn.marks):
        kingdom = kingdom.add(one)
    return from_setup(_staged(state.with_side(player, replace(side, kingdom=kingdom))))
