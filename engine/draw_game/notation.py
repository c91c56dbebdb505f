"""Moves and facts as text that reads well, means the same in every state, and parses back exactly.

    1: down 4-6                     see lot 3-4 / 5-6
    2: 2-4 by 4 at west             see deal hidden / 0-0 0-1 1-2 …
    1: 2-6 by 6 beside 6-6          see drawn 2-5
    2: draw                         see drawn unseen
    2: pass                         see hand 2: 0-1 2-3
    1: redeal
    1: call 10

``1:`` or ``2:`` says who; without it, whoever's turn it is. ``by`` names the half that touches.
"""

import re
from functools import lru_cache

from engine.dominoes import Domino
from engine.draw_game.model import (
    Arm,
    Beside,
    Call,
    Deal,
    Down,
    Draw,
    DrawFact,
    DrawMove,
    Drawn,
    Lot,
    Pass,
    Play,
    Redeal,
    Shown,
)
from engine.errors import BadNotation

_ARMS = {str(arm): arm for arm in Arm}
_MOVE = re.compile(
    r"(?:(?P<player>[12]): )?"
    r"(?:down (?P<down>\d-\d)"
    r"|(?P<tile>\d-\d) by (?P<half>\d) (?:at (?P<arm>[a-z]+)|beside (?P<host>\d-\d))"
    r"|call (?P<points>[1-9]\d{0,2})"
    r"|(?P<word>draw|pass|redeal))",
    re.ASCII,
)
_FACT = re.compile(
    r"see (?:lot (?P<first>\d-\d) / (?P<second>\d-\d)"
    r"|deal (?P<hand1>hidden|[-0-9 ]+?) / (?P<hand2>hidden|[-0-9 ]+)"
    r"|drawn (?P<drawn>unseen|\d-\d)"
    r"|hand (?P<owner>[12]): (?P<shown>[-0-9 ]+))",
    re.ASCII,
)


def format_move(move: DrawMove) -> str:
    """``move`` in notation."""
    prefix = "" if move.player is None else f"{move.player}: "
    return prefix + _done(move)


def _done(move: DrawMove) -> str:
    match move:
        case Down():
            return f"down {move.tile}"
        case Play():
            return f"{move.tile} by {move.half} at {move.arm}"
        case Beside():
            return f"{move.tile} by {move.half} beside {move.host}"
        case Call():
            return f"call {move.points}"
        case _:
            return type(move).__name__.lower()


@lru_cache(maxsize=4096)
def parse_move(line: str) -> DrawMove:
    """The move that ``line`` writes; raises BadNotation rather than guess."""
    found = _MOVE.fullmatch(line.strip())
    if found is None:
        raise BadNotation(
            f"{line!r} is no move of the Draw Game: write for example '1: down 4-6', '2-4 by 4 at west', "
            "'draw', 'pass' or 'redeal'."
        )
    player = int(found["player"]) if found["player"] else None
    if found["down"]:
        return Down(read_tile(found["down"]), player)
    if found["tile"]:
        return _laid(found, player)
    if found["points"]:
        return Call(int(found["points"]), player)
    words: dict[str, DrawMove] = {"draw": Draw(player), "pass": Pass(player), "redeal": Redeal(player)}
    return words[found["word"]]


def _laid(found: re.Match[str], player: int | None) -> DrawMove:
    tile, half = read_tile(found["tile"]), int(found["half"])
    if half not in tile:
        raise BadNotation(
            f"The {tile} has no half with {half} pips: after 'by' comes the half that touches, "
            f"as in '{tile} by {tile.low} at west'."
        )
    if found["host"]:
        return Beside(tile, half, read_tile(found["host"]), player)
    if found["arm"] not in _ARMS:
        raise BadNotation(f"{found['arm']!r} is no arm: after 'at' comes west, east, north or south.")
    return Play(tile, half, _ARMS[found["arm"]], player)


def read_tile(written: str) -> Domino:
    """The tile that is written so: the smaller number first, no number above 6."""
    low, _, high = written.partition("-")
    if not (low.isdecimal() and high.isdecimal() and len(written) == 3) or int(high) > 6:
        raise BadNotation(f"{written!r} is no tile of a double-six set; write for example 2-5.")
    if low > high:
        raise BadNotation(f"{written!r} should be written {high}-{low}, the smaller number first.")
    return Domino(int(low), int(high))


def format_fact(fact: DrawFact) -> str:
    """``fact`` in notation."""
    match fact:
        case Lot():
            return f"see lot {fact.tiles[0]} / {fact.tiles[1]}"
        case Deal():
            return f"see deal {_hand(fact.hands[0])} / {_hand(fact.hands[1])}"
        case Drawn():
            return f"see drawn {fact.tile or 'unseen'}"
        case _:
            return f"see hand {fact.player}: {_hand(fact.tiles)}"


def _hand(tiles: tuple[Domino, ...] | None) -> str:
    return "hidden" if tiles is None else " ".join(map(str, tiles))


def parse_fact(line: str) -> DrawFact:
    """The fact that ``line`` writes; raises BadNotation rather than guess."""
    found = _FACT.fullmatch(line.strip())
    if found is None:
        raise BadNotation(
            f"{line!r} is nothing that the table shows in the Draw Game: write for example "
            "'see lot 3-4 / 5-6', 'see deal hidden / hidden', 'see drawn 2-5' or 'see hand 2: 0-1 2-3'."
        )
    if found["first"]:
        return Lot((read_tile(found["first"]), read_tile(found["second"])))
    if found["hand1"]:
        return Deal((_read_hand(found["hand1"]), _read_hand(found["hand2"])))
    if found["drawn"]:
        return Drawn(None if found["drawn"] == "unseen" else read_tile(found["drawn"]))
    tiles = tuple(read_tile(written) for written in found["shown"].split(" "))
    return Shown(int(found["owner"]), tiles)


def _read_hand(written: str) -> tuple[Domino, ...] | None:
    return None if written == "hidden" else tuple(read_tile(one) for one in written.split(" "))
