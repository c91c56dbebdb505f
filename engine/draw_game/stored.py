"""The state as plain data, and back, with one sentence about what is wrong where it cannot be one."""

from collections.abc import Mapping, Sequence

from engine.dominoes import Domino
from engine.draw_game.line import CLOSED, NO_LINE, line_of, spinner_of
from engine.draw_game.model import (
    ALL,
    ANYBODY,
    BIT,
    GAME,
    PHASES,
    VERSION,
    Beside,
    Cause,
    Claim,
    Deal,
    Down,
    Draw,
    DrawMatch,
    Drawn,
    DrawState,
    Ends,
    Event,
    Line,
    Lot,
    Pair,
    Pass,
    Phase,
    Play,
    Proof,
    Redeal,
    Shown,
    board_tiles,
    mask,
    tiles_in,
)
from engine.draw_game.notation import format_fact, format_move, parse_fact, parse_move, read_tile
from engine.errors import BadNotation
from engine.plain import BadData, Json, JsonObject, get, items, obj, text, truth, whole

# — writing —


def written(state: DrawState) -> JsonObject:
    """``state`` as plain data. What follows from the rest (ends, scores, tiles unseen) is left out."""
    match = state.match
    return {
        "game": GAME,
        "version": VERSION,
        "phase": state.phase,
        "mover": state.mover,
        "hands": [
            {"tiles": _names(tiles), "hidden": hidden}
            for tiles, hidden in zip(state.hands, state.hidden, strict=True)
        ],
        "redeal": [bool(state.redeal & player) for player in (1, 2)],
        "history": [_event(event) for event in state.history],
        "lines": [_line(line) for line in state.lines],
        "claims": [_claim(claim) for claim in state.claims],
        "match": {
            "deal": match.deal,
            "down": match.down,
            "before": match.before,
            "due": list(match.due) if match.due else None,
            "proofs": [
                {
                    "claim": _claim(proof.claim),
                    "tiles": _names(proof.tiles),
                    "drawn": proof.drawn,
                    "turn": proof.turn,
                }
                for proof in match.proofs
            ],
        },
    }


def _names(tiles: int) -> list[str]:
    return [str(tile) for tile in tiles_in(tiles)]


def _event(event: Event) -> str:
    if isinstance(event, Lot | Deal | Drawn | Shown):
        return format_fact(event)
    return format_move(event)


def _line(line: Line) -> JsonObject:
    cause = str(line.cause)
    return {
        "player": line.player,
        "points": line.points,
        "deal": line.deal,
        "cause": cause,
        "pips": line.pips,
    }


def _claim(claim: Claim) -> JsonObject:
    return {
        "turn": claim.turn,
        "at": claim.at,
        "move": format_move(claim.move),
        "fits": _names(claim.fits),
        "ends": list(claim.ends),
    }


# — reading —


def read(data: Mapping[str, Json]) -> DrawState:
    """The state that ``written`` wrote; raises BadData, naming what is wrong."""
    if get(data, "game", "the state") != GAME:
        raise BadData(f"this is no state of the {GAME}")
    version = whole(get(data, "version", "the state"), "the version")
    if version != VERSION:
        raise BadData(f"the state is of version {version}; version {VERSION} can be read")
    hands = _pair(get(data, "hands", "the state"), "the hands")
    known = [_tiles(get(obj(hand, "a hand"), "tiles", "a hand"), "a hand") for hand in hands]
    hidden = [_count(get(obj(hand, "a hand"), "hidden", "a hand"), "'hidden'") for hand in hands]
    redeal = [truth(may, "'redeal'") for may in _pair(get(data, "redeal", "the state"), "'redeal'")]
    history = tuple(_read_event(event) for event in items(get(data, "history", "the state"), "the history"))
    check_laid(history)
    lines = tuple(_read_line(line) for line in items(get(data, "lines", "the state"), "the lines"))
    claims = items(get(data, "claims", "the state"), "the claims")
    ends, bare = line_of(history)
    return checked(
        DrawState(
            phase=_phase(get(data, "phase", "the state")),
            mover=_mover(get(data, "mover", "the state")),
            hands=(known[0], known[1]),
            hidden=(hidden[0], hidden[1]),
            unseen=unseen_by((known[0], known[1]), (hidden[0], hidden[1]), history),
            ends=ends,
            bare=bare,
            redeal=redeal[0] + 2 * redeal[1],
            history=history,
            scores=totals(lines),
            lines=lines,
            claims=tuple(_read_claim(claim) for claim in claims),
            match=_read_match(obj(get(data, "match", "the state"), "the match")),
        )
    )


def checked(state: DrawState) -> DrawState:
    """``state`` if its phase fits the rest; raises BadData where it does not."""
    last = state.history[-1] if state.history else None
    held = [tiles.bit_count() + hidden for tiles, hidden in zip(state.hands, state.hidden, strict=True)]
    match state.phase:
        case "lot" if state.history or any(held):
            raise BadData("before the lot nothing can have happened and no hand can be dealt")
        case "playing" | "drawn" if not all(held):
            raise BadData("while a deal is played both hands hold tiles")
        case "drawn" if not isinstance(last, Draw):
            raise BadData("the phase 'drawn' needs a draw as the last event")
        case phase if phase != "playing" and state.mover == ANYBODY:
            raise BadData("only while a deal is played can it be unknown whose turn it is")
        case "hand" if not any(state.hidden):
            raise BadData("the phase 'hand' needs a hand with hidden tiles")
    for claim in state.claims:
        if state.history[claim.at : claim.at + 1] != (claim.move,):
            raise BadData(f"a claim is about event {claim.at} of the history, which is no such move")
    return state


def totals(lines: Sequence[Line]) -> Pair:
    """The points of both players."""
    first, second = (sum(line.points for line in lines if line.player == player) for player in (1, 2))
    return first, second


def unseen_by(hands: Pair, hidden: Pair, history: Sequence[Event]) -> int:
    """The tiles that are neither on the table nor known in a hand; raises BadData where a tile is twice."""
    laid = board_tiles(history)
    twice = hands[0] & hands[1] or (hands[0] | hands[1]) & laid
    if twice:
        raise BadData(f"the {tiles_in(twice)[0]} is in two places; the set has only one")
    unseen = ALL & ~(hands[0] | hands[1] | laid)
    if sum(hidden) > unseen.bit_count():
        raise BadData(f"{sum(hidden)} tiles cannot be hidden when only {unseen.bit_count()} are left")
    return unseen


def check_laid(history: Sequence[Event]) -> None:
    """Raises BadData where a tile of the history lies where none can."""
    laid = 0
    ends: Ends = NO_LINE
    for index, event in enumerate(history):
        if not isinstance(event, Down | Play | Beside):
            continue
        if laid & event.bit:
            raise BadData(f"the {event.tile} is laid twice in the history")
        if isinstance(event, Play):
            ends, _ = line_of(history[:index])
            if ends[0] == CLOSED or (event.arm > 1 and spinner_of(history[:index]) is None):
                raise BadData(f"the {event.tile} cannot lie at {event.arm}: there is no such end yet")
        elif isinstance(event, Beside) and not laid & BIT[event.host]:
            raise BadData(f"the {event.tile} cannot lie beside the {event.host}, which is not on the table")
        laid |= event.bit


def _mover(value: Json) -> int:
    return ANYBODY if value == ANYBODY else player_number(value, "the mover")


def player_number(value: Json, what: str) -> int:
    """``value`` as the number of a player."""
    number = whole(value, what)
    if number not in (1, 2):
        raise BadData(f"{what} should be player 1 or 2, not {number}")
    return number


def _pair(value: Json, what: str) -> Sequence[Json]:
    pair = items(value, what)
    if len(pair) != 2:
        raise BadData(f"{what} should have two entries, one for each player, not {len(pair)}")
    return pair


def _count(value: Json, what: str) -> int:
    number = whole(value, what)
    if number < 0:
        raise BadData(f"{what} should not be less than 0, as {number} is")
    return number


def _tiles(value: Json, what: str) -> int:
    tiles = [read_domino(name, what) for name in items(value, what)]
    if len(set(tiles)) < len(tiles):
        raise BadData(f"{what} holds a tile twice")
    return mask(tiles)


def read_domino(value: Json, what: str) -> Domino:
    """``value`` as a tile."""
    try:
        return read_tile(text(value, f"a tile of {what}"))
    except BadNotation as wrong:
        raise BadData(str(wrong).rstrip(".")) from None


def _phase(value: Json) -> Phase:
    name = text(value, "the phase")
    found = next((phase for phase in PHASES if phase == name), None)
    if found is None:
        raise BadData(f"there is no phase {name!r}; known are {', '.join(PHASES)}")
    return found


def _read_event(value: Json) -> Event:
    line = text(value, "an event of the history")
    try:
        return parse_fact(line) if line.startswith("see ") else parse_move(line)
    except BadNotation as wrong:
        raise BadData(f"in the history, {str(wrong).rstrip('.')}") from None


def _read_line(value: Json) -> Line:
    data = obj(value, "a line of the score")
    what = "a line of the score"
    return Line(
        player_number(get(data, "player", what), "the player of a line"),
        _count(get(data, "points", what), "the points of a line"),
        _count(get(data, "deal", what), "the deal of a line"),
        _cause(get(data, "cause", what)),
        _count(get(data, "pips", what), "the pips of a line"),
    )


def _cause(value: Json) -> Cause:
    match text(value, "the cause of a line"):
        case "out":
            return "out"
        case "blocked":
            return "blocked"
        case "called":
            return "called"
        case "earlier":
            return "earlier"
        case name:
            return read_domino(name, "a line")


def _read_claim(value: Json) -> Claim:
    data, what = obj(value, "a claim"), "a claim"
    move = _read_event(get(data, "move", what))
    if not isinstance(move, Draw | Pass | Redeal):
        raise BadData(f"a claim is about a draw, a pass or a redeal, not about {_event(move)!r}")
    ends = [_count(end, "an end") for end in items(get(data, "ends", what), "the ends of a claim")]
    if len(ends) != 4 or max(ends) > CLOSED:
        raise BadData(f"the ends of a claim should be four numbers from 0 to {CLOSED}")
    return Claim(
        _count(get(data, "turn", what), "the turn of a claim"),
        _count(get(data, "at", what), "the place of a claim"),
        move,
        _tiles(get(data, "fits", what), "a claim"),
        (ends[0], ends[1], ends[2], ends[3]),
    )


def _read_match(data: Mapping[str, Json]) -> DrawMatch:
    what = "the match"
    due = get(data, "due", what)
    points = None if due is None else [whole(number, "'due'") for number in _pair(due, "'due'")]
    return DrawMatch(
        _count(get(data, "deal", what), "the deal"),
        player_number(get(data, "down", what), "who has the Down"),
        whole(get(data, "before", what), "'before'"),
        None if points is None else (player_number(points[0], "'due'"), points[1]),
        tuple(_read_proof(obj(proof, "a proof")) for proof in items(get(data, "proofs", what), "the proofs")),
    )


def _read_proof(data: Mapping[str, Json]) -> Proof:
    return Proof(
        _read_claim(get(data, "claim", "a proof")),
        _tiles(get(data, "tiles", "a proof"), "a proof"),
        _count(get(data, "drawn", "a proof"), "the draws of a proof"),
        _count(get(data, "turn", "a proof"), "the turn of a proof"),
    )
