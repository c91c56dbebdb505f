"""How a Dominoid moved, what is wrong with it, and what allows it; and the same for shifts of the board."""

from typing import Final, Literal, NamedTuple

from engine.dominoids.board import (
    DIRECTIONS,
    LINE_MASK,
    NAMES,
    NUMBER_OF,
    POOL,
    SLIDES,
    ends,
    line_name,
    tile_line,
)
from engine.dominoids.model import DOMINOES, FACES, SUITS, DominoidsState, Laid, MoveDominoid, Shift, laid_on
from engine.dominoids.options import is_number, straddling, torn
from engine.dominoids.telling import (
    die_name,
    fault,
    in_the_way,
    listed,
    piece_at,
    squares_word,
    suit_name,
)
from engine.plain import Json
from engine.ruling import Fault
from engine.squares import Square

Kind = Literal["still", "slide", "turn", "sideways", "about", "both"]
_PLAINEST: Final[tuple[Kind, ...]] = ("still", "slide", "turn", "sideways", "about", "both")


class Manner(NamedTuple):
    """How a Dominoid came from one lie to another."""

    kind: Kind
    lead: int
    """Which end led: 0 the low one, 1 the high one (slides and turns)."""
    squares: int
    """How far it slid."""
    swept: tuple[Square, ...]
    """The squares that the leading end came to in a turn: the corner, then the target."""


def manner(before: Laid, after: Laid) -> Manner:
    """How it moved; the two ends of a double cannot be told apart, so that the plainer way counts."""
    ways = [_manner(before, after)]
    if before.domino.is_double:
        ways.append(_manner(before, Laid(after.domino, after.high, after.low)))
    return min(ways, key=lambda way: _PLAINEST.index(way.kind))


def _manner(before: Laid, after: Laid) -> Manner:
    axis = _step(before.low, before.high)
    low, high = _step(before.low, after.low), _step(before.high, after.high)
    if low == high:
        if low == (0, 0):
            return Manner("still", 0, 0, ())
        along = low[0] * axis[0] + low[1] * axis[1]
        if low != (along * axis[0], along * axis[1]):
            return Manner("sideways", 0, 0, ())
        return Manner("slide", int(along > 0), abs(along), ())
    if _step(after.low, after.high) == (-axis[0], -axis[1]):
        return Manner("about", 0, 0, ())
    if high == (0, 0):
        return Manner("turn", 0, 0, (before.low.step(*_step(before.high, after.low)), after.low))
    if low == (0, 0):
        return Manner("turn", 1, 0, (before.high.step(*_step(before.low, after.high)), after.high))
    return Manner("both", 0, 0, ())


def _step(start: Square, end: Square) -> tuple[int, int]:
    return end.x - start.x, end.y - start.y


class Reach(NamedTuple):
    """How far a slide must go: None where the edge comes first, else so many squares, and what stops it."""

    squares: int | None
    stopper: int | None


def reach(occupied: int, lie_: int, lead: int, pips: int) -> Reach:
    """How far an end with so many pips must slide."""
    path = SLIDES[lie_][lead]
    for far, (entered, _) in enumerate(path[:pips]):
        if occupied & entered:
            return Reach(far, entered.bit_length() - 1)
    return Reach(pips if len(path) >= pips else None, None)


def move_faults(state: DominoidsState, move: MoveDominoid) -> list[Fault]:
    """What is wrong with where the Dominoid went, the gravest first."""
    number, to = move.to.number, move.to
    if state.dominoes[number] == POOL:
        return [
            fault(
                "DMN-4",
                f"The {to.domino} is in the gene pool; a die moves only what is on the board.",
                (to.low, to.high),
                {"domino": str(to.domino)},
            )
        ]
    before = laid_on(number, state.dominoes[number])
    how = manner(before, to)
    if how.kind == "slide":
        return [*_lead_faults(state, move, how), *_slide_faults(state, before, to, how)]
    if how.kind == "turn":
        return [*_lead_faults(state, move, how), *_turn_faults(state, before, to, how)]
    return _odd_faults(state, before, to, how)


def _lead_faults(state: DominoidsState, move: MoveDominoid, how: Manner) -> list[Fault]:
    pips, face = move.to.domino[how.lead], state.faces[move.die]
    if not is_number(face) or pips < face:
        return []
    return [
        fault(
            "DMN-4.3",
            f"The {move.to.domino} would lead with its {pips}, but with {die_name(state, move.die)} "
            f"only an end with fewer than {face} pips may lead.",
            (move.to.low, move.to.high),
            {"domino": str(move.to.domino), "lead": pips, "face": face, "die": SUITS[move.die]},
        )
    ]


def _slide_faults(state: DominoidsState, before: Laid, to: Laid, how: Manner) -> list[Fault]:
    domino, pips = before.domino, before.domino[how.lead]
    lie_ = state.dominoes[before.number]
    must = reach(state.occupied, lie_, how.lead, pips)
    room = len(SLIDES[lie_][how.lead])
    facts: dict[str, Json] = {"domino": str(domino), "lead": pips, "went": how.squares, "must": must.squares}
    if must.squares is None:
        return [
            fault(
                "DMN-4.4.2",
                f"Led by its {pips} the {domino} would have to slide {squares_word(pips)} that way, "
                f"and there {'is' if room == 1 else 'are'} only {room} before the edge, which stops nobody.",
                (before.low, before.high),
                {**facts, "room": room},
            )
        ]
    stopped = ""
    if must.stopper is not None:
        stopped = f"{piece_at(state, must.stopper)} on {NAMES[must.stopper]}"
        facts["stopped_by"] = stopped
    if must.squares == 0:
        return [
            fault(
                "DMN-4.4.1",
                f"The {domino} cannot slide that way at all: {stopped} stops its {pips} at once.",
                _stop_squares(before, must),
                facts,
            )
        ]
    if how.squares == must.squares:
        return []
    why = f" up to {stopped}" if stopped else ""
    faults = [
        fault(
            "DMN-4.4",
            f"Led by its {pips} the {domino} slides {squares_word(must.squares)}{why}, not {how.squares}.",
            _stop_squares(to, must),
            facts,
        )
    ]
    return [*faults, *_off_board(to, "DMN-4.4.2")]


def _stop_squares(at: Laid, must: Reach) -> tuple[Square | int, ...]:
    stopper = () if must.stopper is None else (must.stopper,)
    return (at.low, at.high, *stopper)


def _off_board(to: Laid, rule: str) -> list[Fault]:
    off = [end for end in (to.low, to.high) if end not in NUMBER_OF]
    if not off:
        return []
    return [
        fault(
            rule,
            f"The {to.domino} would leave the board: there is no square {listed(map(str, off))}.",
            off,
            {"domino": str(to.domino), "off": [str(end) for end in off]},
        )
    ]


def _turn_faults(state: DominoidsState, before: Laid, to: Laid, how: Manner) -> list[Fault]:
    off = _off_board(to, "DMN-4.5.3")
    if off:
        return off
    corner, target = how.swept
    blocked = in_the_way(state, how.swept, before.number)
    if not blocked:
        return []
    pieces = listed(f"{piece} on {at}" for piece, at in blocked)
    return [
        fault(
            "DMN-4.5.2",
            f"The {before.domino[how.lead]} of the {before.domino} cannot turn to {target} by {corner}: "
            f"{pieces} {'is' if len(blocked) == 1 else 'are'} in the way.",
            how.swept,
            {"domino": str(before.domino), "blocked": {at: piece for piece, at in blocked}},
        )
    ]


def _odd_faults(state: DominoidsState, before: Laid, to: Laid, how: Manner) -> list[Fault]:
    """What is neither a slide nor a quarter turn."""
    domino, here = before.domino, (to.low, to.high)
    rule, sentence = {
        "still": ("DMN-4.4.1", f"The {domino} has not moved; a move is at least one square."),
        "sideways": ("DMN-4.4", f"The {domino} went sideways; a slide goes in the line in which it lies."),
        "about": ("DMN-4.5.1", f"The {domino} was turned right round; a turn is exactly 90 degrees."),
        "both": ("DMN-4.2", f"The {domino} was slid and turned in one move; it may do only one of the two."),
    }[how.kind]
    facts: dict[str, Json] = {"domino": str(domino), "from": str(before), "to": str(to)}
    faults = [fault(rule, sentence, here, facts), *_off_board(to, "DMN-4.4.2")]
    blocked = in_the_way(state, here, before.number)
    if blocked:
        pieces = listed(f"{piece} on {at}" for piece, at in blocked)
        faults.append(fault("DMN-4.4", f"The {domino} would lie on {pieces}.", here, facts))
    return faults


def move_grounds(state: DominoidsState, move: MoveDominoid) -> Fault:
    """The rule that allows the move, and the sentence for it."""
    number, to = move.to.number, move.to
    how = manner(laid_on(number, state.dominoes[number]), to)
    pips, face = to.domino[how.lead], FACES[state.faces[move.die]]
    facts: dict[str, Json] = {"domino": str(to.domino), "lead": pips, "die": SUITS[move.die], "face": face}
    if how.kind == "turn":
        sentence = f"The {pips} of the {to.domino} turns to {how.swept[1]} with {die_name(state, move.die)}."
        return fault("DMN-4.5", sentence, (to.low, to.high), facts)
    must = reach(state.occupied, state.dominoes[number], how.lead, pips)
    stopped = ""
    if must.stopper is not None:
        facts["stopped_by"] = f"{piece_at(state, must.stopper)} on {NAMES[must.stopper]}"
        stopped = f", where {facts['stopped_by']} stops it"
    sentence = (
        f"Led by its {pips} the {to.domino} slides {squares_word(how.squares)} "
        f"with {die_name(state, move.die)}{stopped}."
    )
    return fault("DMN-4.4", sentence, (to.low, to.high), {**facts, "squares": how.squares})


# — the board itself —


def shift_faults(state: DominoidsState, move: Shift) -> list[Fault]:
    """What is wrong with the row or column and the way it was shifted."""
    faults: list[Fault] = []
    line = line_name(move.direction, move.line)
    pawn = state.pawns[move.die]
    facts: dict[str, Json] = {"line": line, "direction": move.direction, "pawn": NAMES[pawn]}
    if not LINE_MASK[move.direction, move.line] >> pawn & 1:
        own = listed({line_name(way, tile_line(way, pawn)): None for way in DIRECTIONS}, "and")
        faults.append(
            fault(
                "DMN-5.1",
                f"The {suit_name(move.die)} pawn stands on {NAMES[pawn]}, in {own}, not in {line}.",
                (pawn,),
                facts,
            )
        )
    for rule, found, what in (
        ("DMN-5.5", straddling(state, move.direction, move.line), "lies over the border of"),
        ("DMN-5.3", torn(state, move.direction, move.line), "would be torn by shifting"),
    ):
        for number in found:
            at = ends(state.dominoes[number])
            faults.append(
                fault(
                    rule,
                    f"{line.capitalize()} cannot be shifted {move.direction}: the {DOMINOES[number]} on "
                    f"{NAMES[at[0]]} and {NAMES[at[1]]} {what} it.",
                    at,
                    {**facts, "domino": str(DOMINOES[number])},
                )
            )
    return faults


def shift_grounds(state: DominoidsState, move: Shift) -> Fault:
    """The rule that allows the shift."""
    line, pawn = line_name(move.direction, move.line), state.pawns[move.die]
    return fault(
        "DMN-5.2",
        f"{line.capitalize()}, in which the {suit_name(move.die)} pawn stands, is shifted {move.direction}.",
        (pawn,),
        {"line": line, "direction": move.direction, "pawn": NAMES[pawn]},
    )
