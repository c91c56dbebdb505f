"""Players who keep a game lively, and the illegal moves that people make.

A player chooses among the legal moves, those that score, take and attack rather than those that wait. An
illegal move is a legal one gone wrong in one respect: a wrong square, end or number, another piece, the other
player. Only such are kept as the rule book refuses and the table can show.
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine import AnyRuleBook, BadNotation, CannotStand, Layout, Move, Ruling, State, Status
from engine.dominoes_of_war.model import Extend, Found
from engine.dominoes_of_war.places import column, row
from engine.nearness import Where

_EAGER: Mapping[str, float] = {
    # Dominoids
    "Eat": 60, "Attack": 12, "Birth": 12, "Agree": 0, "Done": 1, "Idle": 1, "Shift": 0.6, "MoveDominoid": 3,
    # Dominoes of War
    "Shoot": 25, "Run": 6, "Blow": 2, "March": 4, "Spawn": 3, "End": 0.3, "Forfeit": 0.05, "Decline": 20,
    # the Draw Game
    "Down": 10, "Play": 10, "Redeal": 0.02, "Beside": 0,
    # Kingdomino Duel
    "Castle": 1, "Declare": 0.3, "Turn": 0.5, "Take": 3,
}  # fmt: skip
_DULL: Mapping[str, Mapping[str, float]] = {
    "dominoes-of-war": {"Draw": 0.01},
    "draw-game": {"Draw": 6, "Pass": 5},
    "dominoids": {"Pass": 0.2},
}
_MOST_WEIGHED = 400


def choose(book: AnyRuleBook, state: State, rng: random.Random) -> Move | None:
    """A lively legal move, or None where there is none."""
    moves = list(book.legal_moves(state))
    if not moves:
        return None
    moves = [move for move in moves if _on_mat(move)] or moves
    if len(moves) > _MOST_WEIGHED:
        moves = rng.sample(moves, _MOST_WEIGHED)
    weights = [_eagerness(book, state, move) for move in moves]
    if not any(weights):
        weights = [1.0] * len(moves)
    return rng.choices(moves, weights)[0]


def _on_mat(move: Move) -> bool:
    """Whether a base tile that is laid lies on the mat, which is two places wider than the field."""
    tiles = move.tiles if isinstance(move, Found) else [move.at] if isinstance(move, Extend) else ()
    return all(-1 <= column(at) <= 10 and 0 <= row(at) <= 9 for at in tiles)


def _eagerness(book: AnyRuleBook, state: State, move: Move) -> float:
    name = type(move).__name__
    eager = _DULL.get(book.game, {}).get(name, _EAGER.get(name, 1.0))
    if name == "MoveDominoid" and _promises(book, state, move):
        return 10 * eager
    marks = getattr(move, "marks", None)
    # Nothing drawn, or one coat where two could be, is a move for the desperate.
    return eager if marks is None else (0.02, 0.2, 1.0)[min(2, len(marks))]


def _promises(book: AnyRuleBook, state: State, move: Move) -> bool:
    """Whether something comes of a slide: a coin to turn up, a meal, an attack or a birth."""
    after = book.apply(state, move)
    if book.pending(after) is not None:
        return True
    return any(type(follow).__name__ in ("Eat", "Attack", "Birth") for follow in book.legal_moves(after))


# — illegal moves —


@dataclass(frozen=True)
class Slip:
    """An illegal move, what the referee should say of it, and the table if it is made."""

    move: Move
    text: str
    ruling: Ruling
    layout: Layout
    stands: bool
    """Whether the players may let it stand; else no state is like the table it leaves."""


_NO_SUCH_TILE = {"DRW-0", "DRW-T2"}
"""Rules that are broken only by tiles that the player does not have: no hand can show that."""


def slip(book: AnyRuleBook, known: State, seen: State, rng: random.Random, tries: int = 80) -> Slip | None:
    """An illegal move that somebody might make now and that can be seen, or None if none was thought of.

    ``known`` is the state as the players know it, ``seen`` as the referee does.
    """
    moves = list(book.legal_moves(known))
    lines = [book.format(move) for move in (rng.sample(moves, 60) if len(moves) > 60 else moves)]
    usual = [line for line in lines if _is_visible(book, known, line)]
    if not usual:
        return None
    legal: set[tuple[str, ...]] | None = None
    before = book.layout(seen)
    for _ in range(tries):
        line = rng.choice(usual)
        wrong = rng.choice(_WAYS)(line, usual, rng)
        found = _refused(book, (known, seen), wrong, before) if wrong != line else None
        if found is None:
            continue
        # What looks like a legal move cannot be told from one: nobody could call it illegal.
        if legal is None:
            legal = {_look(layout) for layout in _layouts(book, seen, rng)}
        if _look(found.layout) not in legal:
            return found
    return None


def _is_visible(book: AnyRuleBook, state: State, line: str) -> bool:
    return any(isinstance(end, Where) for end in book.footprint(state, book.parse(line)).values())


def _refused(book: AnyRuleBook, states: tuple[State, State], line: str, before: Layout) -> Slip | None:
    known, seen = states
    try:
        move = book.parse(line)
    except BadNotation:
        return None
    ruling, truly = book.judge(seen, move), book.judge(known, move)
    if ruling.status is not Status.ILLEGAL or truly.status is not Status.ILLEGAL:
        return None
    if _NO_SUCH_TILE & {truly.rule, *(fault.rule for fault in truly.also)}:
        return None
    try:
        book.let_stand(known, move)
        layout: Layout | None = book.layout(book.let_stand(seen, move))
        stands = True
    except CannotStand:
        layout, stands = _as_laid(book, seen, move, before), False
    if layout is None or _look(layout) == _look(before):
        return None
    return Slip(move, book.format(move), book.check(seen, move), layout, stands)


def _as_laid(book: AnyRuleBook, state: State, move: Move, before: Layout) -> Layout | None:
    """The table with the pieces where an impossible move would put them, or None where they would collide."""
    places = {name: end for name, end in book.footprint(state, move).items() if isinstance(end, Where)}
    spots, taken = [], []
    for spot in before.spots:
        end = places.get(spot.name)
        if end is None or spot.kind == "sheet":
            spots.append(spot)
            if spot.x is not None and spot.kind != "tile":
                taken.append((spot.x, spot.y or 0.0))
            continue
        if not (-0.6 < end.x < 9.6 and -0.6 < end.y < 9.6):
            return None
        spots.append(replace(spot, region="board", x=end.x, y=end.y, angle=end.angle))
    moved = [spot for spot in spots if spot.name in places]
    close = [
        abs((spot.x or 0) - x) < 1.4 and abs((spot.y or 0) - y) < 1.4 for spot in moved for x, y in taken
    ]
    return None if not moved or any(close) else Layout(tuple(spots), before.hidden)


def _look(layout: Layout) -> tuple[str, ...]:
    """A layout as one sees it: without names and owners."""
    return tuple(
        sorted(
            json.dumps([s.kind, s.face, dict(s.value) if s.value else None, s.region, s.x, s.y, s.angle])
            for s in layout.spots
        )
    )


Way = Callable[[str, Sequence[str], random.Random], str]


def _other_player(line: str, _lines: Sequence[str], _rng: random.Random) -> str:
    return {"1": "2", "2": "1"}.get(line[:1], line[:1]) + line[1:]


def _step(square: str, by: tuple[int, int]) -> str:
    return f"{chr(ord(square[0]) + by[0])}{int(square[1:]) + by[1]}"


_SQUARE = re.compile(r"\b[a-h][1-8]\b")


def _all_squares(line: str, _lines: Sequence[str], rng: random.Random) -> str:
    """A whole piece lies one or two squares off."""
    by = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2)))
    words = line.split(" ")
    places = [k for k, word in enumerate(words) if _SQUARE.search(word)]
    if not places:
        return line
    k = rng.choice(places)
    words[k] = _SQUARE.sub(lambda found: _step(found[0], by), words[k])
    return " ".join(words)


def _map_square(line: str, _lines: Sequence[str], rng: random.Random) -> str:
    """Something is drawn on another square of the map."""
    found = list(re.finditer(r"r([1-5])c([1-7])", line))
    if not found:
        return line
    one = rng.choice(found)
    return f"{line[: one.start()]}r{rng.randint(1, 5)}c{rng.randint(1, 7)}{line[one.end() :]}"


def _number(line: str, _lines: Sequence[str], rng: random.Random) -> str:
    """Another number of pips, another die, another end."""
    found = list(re.finditer(r"(?<![a-hrc\d])\d(?!:)", line))
    if not found:
        return line
    one = rng.choice(found)
    return f"{line[: one.start()]}{rng.randint(0, 6)}{line[one.end() :]}"


def _turned(line: str, _lines: Sequence[str], _rng: random.Random) -> str:
    """A domino with its ends the other way round."""
    return re.sub(r"(\d)@(\S+?)-(\d)@(\S+)", r"\3@\2-\1@\4", line)


def _word(line: str, lines: Sequence[str], rng: random.Random) -> str:
    """One word of another move of the same kind."""
    words = line.split(" ")
    donors = [other.split(" ") for other in rng.sample(lines, min(20, len(lines)))]
    donors = [other for other in donors if len(other) == len(words) and other != words]
    if not donors:
        return line
    donor = rng.choice(donors)
    k = rng.randrange(len(words))
    return " ".join([*words[:k], donor[k], *words[k + 1 :]])


_WAYS: tuple[Way, ...] = (
    _other_player,
    _all_squares,
    _all_squares,
    _map_square,
    _number,
    _turned,
    _word,
    _word,
)


def _layouts(book: AnyRuleBook, state: State, rng: random.Random) -> list[Layout]:
    """What the table looks like after each legal move (after some of them, where there are very many)."""
    moves = list(book.legal_moves(state))
    if len(moves) > _MOST_WEIGHED:
        moves = rng.sample(moves, _MOST_WEIGHED)
    return [book.layout(book.apply(state, move)) for move in moves]
