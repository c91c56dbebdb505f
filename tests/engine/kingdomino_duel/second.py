"""The second generator's positions as set-ups of the rule book, and its labels as notation."""

from typing import Any

from engine.kingdomino_duel.edition import LETTERS, symbol
from engine.kingdomino_duel.kingdom import NAMES, SQUARES
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    DuelFact,
    DuelMove,
    Name,
    Oldest,
    Take,
    Turn,
)
from engine.plain import JsonObject

POWERS = {"q": "P6", "b": "P5"}


def setup(position: dict[str, Any]) -> JsonObject:
    """The set-up that tells this position."""
    shown = position["shown"]
    data: JsonObject = {
        "a": position["a"] + 1,
        "spellbook": {
            letter: {
                "ticks": [position["ticks"][0][letter], position["ticks"][1][letter]],
                "spent": position["used"][letter],
            }
            for letter in LETTERS
        },
        "players": [_player(position, index) for index in (0, 1)],
        "dice": [_die(position, die, shown[die]) for die in sorted(shown)],
    }
    if position["phase"] == "over":
        data |= {"stage": "over", "dice": []}
    return data


def _player(position: dict[str, Any], index: int) -> JsonObject:
    drawn = None if position["phase"] == "over" else position["drawn"][index]
    bolts = position["phase"] == "wizards"
    return {
        "map": _rows(position["maps"][index]),
        "roof": position["roof"][index],
        "named": position["named"][index],
        "declared": [] if position["phase"] == "over" else position["declared"][index],
        "drawing": "due" if drawn is None else "drawn" if drawn else "unable",
        "to_fill": [] if bolts or not drawn else [coat for coat, ticks in drawn if ticks],
        "bolts": [
            power
            for letter, power in sorted(POWERS.items(), key=lambda item: item[1])
            if bolts and position["owner"][letter] == index and not position["used"][letter]
        ],
    }


def _rows(drawn: dict[str, str]) -> list[str]:
    cells = ["C" if NAMES[square] == "r3c4" else drawn.get(NAMES[square], ".") for square in SQUARES]
    return [" ".join(cells[at : at + 7]) for at in range(0, 35, 7)]


def _die(position: dict[str, Any], die: str, face: str) -> JsonObject:
    taker = next((index + 1 for index in (0, 1) if die in position["dice"][index]), None)
    plain = face.replace("0", "")
    return {"rolled": plain, "shows": plain, "taker": taker, "bonus": die in position["bonus"]}


def label(said: DuelMove | DuelFact) -> str:
    """The second generator's label of a move or fact."""
    if isinstance(said, Oldest):
        return f"oldest {said.player}"
    if not hasattr(said, "player"):
        faces = (f"D{number}={_face(*face)}" for number, face in enumerate(said.faces, 1))
        return "roll " + " ".join(faces)
    return f"{said.player}:{_words(said)}"


def _face(coat: int, crosses: int) -> str:
    written = symbol(coat, crosses)
    return written if written == "?" or crosses else written + "0"


def _words(move: DuelMove) -> str:
    if isinstance(move, Take):
        dice = " ".join(f"D{die}" for die in move.dice)
        return f"P3 take {dice}" if move.at_once else f"take {dice}"
    if isinstance(move, Declare):
        return f"P{move.power}"
    if isinstance(move, Turn):
        return f"P4 D{move.die}={_face(*move.face)}"
    if isinstance(move, Castle):
        return f"castle D{move.die}"
    if isinstance(move, Name):
        return f"P5={LETTERS[move.coat]}"
    if isinstance(move, Cross):
        return f"P6={NAMES[move.square]}"
    return " ".join(f"{mark.where}={_face(mark.coat, mark.crosses)}" for mark in move.marks) or "none"
