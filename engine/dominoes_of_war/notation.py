"""The notation of moves and facts: a verb, then places, the same in every position.

Actions: ``1: move d4 d6`` · ``run d4 d5`` · ``blow d4 e4/f4`` · ``shoot d4 d7`` · ``shoot d4 d7 f4`` ·
``shoot d4 nothing`` · ``spawn d4 grunt (0,3)``. The rest of a turn: ``end`` · ``face d4 n`` · ``draw`` ·
``decline``. Bonuses: ``bonus grunt (0,3)`` · ``extend (0,5)`` · ``rewall d4/d5 a1/b1`` · ``forfeit``. The
set-up: ``first 2`` · ``base (0,3) (0,4) …`` · ``wall d4/d5`` · ``stock (0,3) grunt`` (or ``hidden``).
Facts: ``see armies army cowboys`` · ``see lot 1`` · ``see (0,3) grunt`` · ``see d6 3-5``.
Without ``1:`` or ``2:`` a move is by whoever's turn it is.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.dominoes import Domino, tile
from engine.dominoes_of_war.model import (
    TILE_NUMBER,
    Armies,
    Blow,
    Bonus,
    Decline,
    Draw,
    End,
    Extend,
    Face,
    First,
    Flipped,
    Forfeit,
    Found,
    Lot,
    March,
    Rewall,
    Run,
    Shoot,
    Shown,
    Spawn,
    Stock,
    Wall,
    WarFact,
    WarMove,
)
from engine.dominoes_of_war.places import AROUND, Border, Place, border, name, names, place_called
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, Kind
from engine.errors import BadNotation

# — writing —


def format_move(move: WarMove) -> str:
    """A move in notation."""
    words = " ".join(_words(move))
    return words if move.player is None else f"{move.player}: {words}"


def _words(move: WarMove) -> Sequence[str]:
    match move:
        case March():
            return ("move", name(move.at), name(move.to))
        case Shoot():
            return ("shoot", name(move.at), *(names(move.targets) or ("nothing",)))
        case Run():
            return ("run", name(move.at), name(move.to))
        case Blow():
            return ("blow", name(move.at), str(move.wall))
        case Spawn():
            return ("spawn", name(move.at), move.kind, name(move.to))
        case Bonus():
            return ("bonus", move.kind, name(move.to))
        case Extend():
            return ("extend", name(move.at))
        case Rewall():
            return ("rewall", str(move.old), str(move.new))
        case Face():
            return ("face", name(move.at), move.facing)
        case End() | Forfeit() | Draw() | Decline():
            return (type(move).__name__.lower(),)
        case _:
            return _set_up_words(move)


def _set_up_words(move: First | Found | Wall | Stock) -> Sequence[str]:
    match move:
        case First():
            return ("first", str(move.who))
        case Found():
            return ("base", *names(move.tiles))
        case Wall():
            return ("wall", str(move.where))
        case _:
            return ("stock", name(move.at), move.kind)


def format_fact(fact: WarFact) -> str:
    """A fact in notation."""
    match fact:
        case Armies():
            return f"see armies {fact.first} {fact.second}"
        case Lot():
            return f"see lot {fact.winner}"
        case Shown():
            return f"see {name(fact.at)} {fact.kind}"
        case _:
            return f"see {name(fact.at)} {fact.tile}"


# — reading —


def parse_move(line: str) -> WarMove:
    """The move that a line writes; raises BadNotation rather than guess."""
    prefix, colon, rest = line.strip().rpartition(":")
    if colon and prefix.strip() not in ("1", "2"):
        raise BadNotation(f"{line.strip()!r} should begin with '1:' or '2:', or with the move itself.")
    player = int(prefix) if colon else None
    verb, *words = rest.split() or [""]
    reader = _READERS.get(verb)
    if reader is None:
        raise BadNotation(f"{verb!r} is no move of Dominoes of War; known are {', '.join(_READERS)}.")
    example, read = reader
    try:
        return read(player, words)
    except ValueError as wrong:
        reason = f": {wrong}" if str(wrong) else ""
        raise BadNotation(f"{line.strip()!r} should read like '{example}'{reason}.") from None


def parse_fact(line: str) -> WarFact:
    """The fact that a line writes; raises BadNotation rather than guess."""
    see, *words = line.split() or [""]
    if see != "see":
        raise BadNotation(f"A fact begins with 'see', as in 'see d6 3-5'; not {line.strip()!r}.")
    try:
        return _fact(words)
    except ValueError as wrong:
        reason = f": {wrong}" if str(wrong) else ""
        raise BadNotation(
            f"{line.strip()!r} should read like 'see d6 3-5', 'see (0,3) grunt', 'see lot 1' or"
            f" 'see armies army cowboys'{reason}."
        ) from None


def _fact(words: Sequence[str]) -> WarFact:
    if words[:1] == ["armies"]:
        _, first, second = _exactly(words, 3)
        return Armies(_army(first), _army(second))
    first, second = _exactly(words, 2)
    if first == "lot":
        return Lot(_number(second))
    at = place_called(first)
    return Flipped(at, _tile(second)) if second[:1].isdecimal() else Shown(at, _soldier(second))


_TILE = re.compile(r"(0|[1-9]\d?)-(0|[1-9]\d?)")


def _tile(word: str) -> Domino:
    ends = _TILE.fullmatch(word)
    if ends is None:
        raise ValueError(f"{word!r} is no tile")
    found = tile(int(ends[1]), int(ends[2]))
    if str(found) != word or found not in TILE_NUMBER:
        raise ValueError(f"{word!r} is no tile of up to 18 pips an end, the lower end first")
    return found


def _exactly(words: Sequence[str], number: int) -> Sequence[str]:
    if len(words) != number:
        raise ValueError("")
    return words


def _number(word: str) -> int:
    if word not in ("1", "2"):
        raise ValueError(f"{word!r} is no player; there are 1 and 2")
    return int(word)


def _army(word: str) -> str:
    if word not in ARMIES:
        raise ValueError(f"{word!r} is no army; there are {', '.join(ARMIES)}")
    return word


def _kind(word: str) -> Kind:
    if word not in TROOPS:
        raise ValueError(f"{word!r} is no type of troop; there are {', '.join(TROOPS)}")
    return word


def _soldier(word: str) -> Kind:
    if word == HIDDEN:
        raise ValueError("only a troop being stocked may be hidden")
    return _kind(word)


def _border(word: str) -> Border:
    low, slash, high = word.partition("/")
    if not slash:
        raise ValueError(f"{word!r} is no place of a wall")
    one, other = place_called(low), place_called(high)
    if one > other:
        raise ValueError(f"the wall {word!r} should be written as {border(one, other)}")
    return Border(one, other)


def _places(words: Sequence[str]) -> frozenset[Place]:
    places = [place_called(word) for word in words]
    if places != sorted(set(places)):
        raise ValueError("each place once, by columns, then by rows")
    return frozenset(places)


def _read_first(player: int | None, words: Sequence[str]) -> WarMove:
    (who,) = _exactly(words, 1)
    return First(player, _number(who))


def _read_base(player: int | None, words: Sequence[str]) -> WarMove:
    return Found(player, _places(words))


def _read_wall(player: int | None, words: Sequence[str]) -> WarMove:
    (where,) = _exactly(words, 1)
    return Wall(player, _border(where))


def _read_stock(player: int | None, words: Sequence[str]) -> WarMove:
    at, kind = _exactly(words, 2)
    return Stock(player, place_called(at), _kind(kind))


def _read_move(player: int | None, words: Sequence[str]) -> WarMove:
    at, to = _exactly(words, 2)
    return March(player, place_called(at), place_called(to))


def _read_run(player: int | None, words: Sequence[str]) -> WarMove:
    at, to = _exactly(words, 2)
    return Run(player, place_called(at), place_called(to))


def _read_blow(player: int | None, words: Sequence[str]) -> WarMove:
    at, wall = _exactly(words, 2)
    return Blow(player, place_called(at), _border(wall))


def _read_shoot(player: int | None, words: Sequence[str]) -> WarMove:
    if len(words) not in (2, 3):
        raise ValueError("")
    at, *targets = words
    return Shoot(player, place_called(at), frozenset() if targets == ["nothing"] else _places(targets))


def _read_spawn(player: int | None, words: Sequence[str]) -> WarMove:
    at, kind, to = _exactly(words, 3)
    return Spawn(player, place_called(at), _soldier(kind), place_called(to))


def _read_end(player: int | None, words: Sequence[str]) -> WarMove:
    _exactly(words, 0)
    return End(player)


def _read_face(player: int | None, words: Sequence[str]) -> WarMove:
    at, facing = _exactly(words, 2)
    if facing not in AROUND:
        raise ValueError(f"{facing!r} is no direction; there are {', '.join(AROUND)}")
    return Face(player, place_called(at), facing)


def _read_bonus(player: int | None, words: Sequence[str]) -> WarMove:
    kind, to = _exactly(words, 2)
    return Bonus(player, _soldier(kind), place_called(to))


def _read_extend(player: int | None, words: Sequence[str]) -> WarMove:
    (at,) = _exactly(words, 1)
    return Extend(player, place_called(at))


def _read_rewall(player: int | None, words: Sequence[str]) -> WarMove:
    old, new = _exactly(words, 2)
    return Rewall(player, _border(old), _border(new))


def _read_forfeit(player: int | None, words: Sequence[str]) -> WarMove:
    _exactly(words, 0)
    return Forfeit(player)


def _read_draw(player: int | None, words: Sequence[str]) -> WarMove:
    _exactly(words, 0)
    return Draw(player)


def _read_decline(player: int | None, words: Sequence[str]) -> WarMove:
    _exactly(words, 0)
    return Decline(player)


_READERS: Mapping[str, tuple[str, Callable[[int | None, Sequence[str]], WarMove]]] = {
    "move": ("move d4 d6", _read_move),
    "shoot": ("shoot d4 d7", _read_shoot),
    "run": ("run d4 d5", _read_run),
    "blow": ("blow d4 e4/f4", _read_blow),
    "spawn": ("spawn d4 grunt (0,3)", _read_spawn),
    "end": ("end", _read_end),
    "face": ("face d4 n", _read_face),
    "bonus": ("bonus grunt (0,3)", _read_bonus),
    "extend": ("extend (0,5)", _read_extend),
    "rewall": ("rewall d4/d5 a1/b1", _read_rewall),
    "forfeit": ("forfeit", _read_forfeit),
    "draw": ("draw", _read_draw),
    "decline": ("decline", _read_decline),
    "first": ("first 2", _read_first),
    "base": ("base (0,3) (0,4) (0,5) (0,6) (0,7) (0,8)", _read_base),
    "wall": ("wall d4/d5", _read_wall),
    "stock": ("stock (0,3) grunt", _read_stock),
}
