"""Legality in the Draw Game: every legal move, and every rule that a refused move breaks."""

from collections.abc import Iterator
from itertools import chain

from engine.draw_game.known_hands import (
    boneyard,
    can_play,
    dealt_doubles,
    drawn_that_fits,
    drawn_unseen,
    may_demand,
    where_is,
)
from engine.draw_game.line import CLOSED, FITS, PIPS, arms_for, fitting, spinner_of
from engine.draw_game.model import (
    ANYBODY,
    BIT,
    DOUBLES,
    TILES,
    Arm,
    Beside,
    Call,
    Down,
    Draw,
    DrawMove,
    DrawState,
    Laid,
    Pass,
    Play,
    Redeal,
    board_tiles,
    tiles_in,
)
from engine.draw_game.rules import House
from engine.plain import JsonObject
from engine.ruling import Fault


class _Fitting(dict[int, tuple[Play, ...]]):
    """The plays that each choice of fitting tiles allows at one arm; made as they are asked for."""

    def __init__(self, player: int, arm: Arm, pips: int) -> None:
        super().__init__()
        self.plays = {BIT[tile]: Play(tile, pips, arm, player) for tile in TILES if pips in tile}

    def __missing__(self, tiles: int) -> tuple[Play, ...]:
        made = self[tiles] = tuple(play for bit, play in self.plays.items() if tiles & bit)
        return made


def _tables(player: int, arm: Arm) -> tuple[_Fitting, ...]:
    seven = tuple(_Fitting(player, arm, pips) for pips in range(7))
    return (*seven, *seven, *seven, _Fitting(player, arm, -1))


# Seven tiles have given pips, so that each table has at most 128 entries: a listing is four look-ups, and
# equal moves are the same object.
_PLAYS = tuple(tuple(_tables(player, arm) for arm in Arm) for player in (1, 2))
_DOWNS = tuple({tile: Down(tile, player) for tile in TILES} for player in (1, 2))
_DRAWS = tuple((Draw(player),) for player in (1, 2))
_PASSES = tuple((Pass(player),) for player in (1, 2))
_REDEALS = tuple((Redeal(player),) for player in (1, 2))
_MAY_DEMAND = ((), (1,), (2,), (1, 2))


# — what is legal —


def legal_moves(state: DrawState, house: House) -> tuple[DrawMove, ...]:
    """All that may be done now: tiles from west to south, then draw, pass, call, redeal."""
    phase, mover, hands, hidden, unseen, ends, _, redeal, _, _, _, _, _ = state
    if phase != "playing":
        return ()
    if mover == ANYBODY:
        each = (legal_moves(state._replace(mover=player), house) for player in (1, 2))
        return tuple(dict.fromkeys(chain.from_iterable(each)))
    index = mover - 1
    tiles = hands[index] | unseen if hidden[index] else hands[index]
    west, east, north, south = ends
    moves: tuple[DrawMove, ...]
    if west == CLOSED:
        downs = _DOWNS[index]
        moves = tuple([downs[tile] for tile in tiles_in(tiles)])
    else:
        at_west, at_east, at_north, at_south = _PLAYS[index]
        moves = at_west[west][tiles & FITS[west]] + at_east[east][tiles & FITS[east]]
        if north != CLOSED or south != CLOSED:
            moves += at_north[north][tiles & FITS[north]] + at_south[south][tiles & FITS[south]]
        if hidden[index] or not house.plain:
            moves = _with_choices(state, house, moves)
        elif not moves:
            moves = (_DRAWS if boneyard(state) > house.floor else _PASSES)[index]
    return moves + _demands(state, house) if redeal else moves


def _with_choices(state: DrawState, house: House, plays: tuple[DrawMove, ...]) -> tuple[DrawMove, ...]:
    """What may be laid, drawn, passed or called where more depends than whether a tile fits."""
    mover = state.mover
    fits_now = drawn_that_fits(state)
    if house.only_drawn and fits_now:
        plays = tuple(play for play in plays if isinstance(play, Play) and play.bit & fits_now)
    instead: tuple[DrawMove, ...] = ()
    able = can_play(state, mover)
    if boneyard(state) > house.floor:
        if able is not True or (house.voluntary_draw and not fits_now):
            instead = _DRAWS[mover - 1]
    elif able is not True:
        instead = _PASSES[mover - 1]
    due = state.match.due
    calls = (Call(due[1], 1), Call(due[1], 2)) if due else ()
    return plays + instead + calls


def _demands(state: DrawState, house: House) -> tuple[DrawMove, ...]:
    demands: tuple[DrawMove, ...] = ()
    for player in _MAY_DEMAND[state.redeal]:
        # most hands can be told at a glance
        told = state.hidden[player - 1] or (state.hands[player - 1] & DOUBLES).bit_count() >= house.doubles
        if told and may_demand(state, player, house.doubles) is not False:
            demands += _REDEALS[player - 1]
    return demands


def allows(state: DrawState, move: DrawMove, house: House) -> bool:
    """Whether ``move`` (with its player) is legal; the commonest are told without listing the others."""
    mover = state.mover
    if move.player != mover or state.phase != "playing" or not house.plain or state.hidden[mover - 1]:
        return move in legal_moves(state, house)
    hand, opening = state.hands[mover - 1], state.ends[0] == CLOSED
    match move:
        case Draw():
            return not opening and not hand & fitting(state.ends) and boneyard(state) > house.floor
        case Play():
            return hand & move.bit != 0 and PIPS[state.ends[move.arm]] == move.half
        case Down():
            return opening and hand & move.bit != 0
        case _:
            return move in legal_moves(state, house)


def unsettled(state: DrawState, move: DrawMove, house: House) -> bool:
    """Whether nobody can say yet that an allowed move is right."""
    match move:
        case Redeal():
            return may_demand(state, move.player or state.mover, house.doubles) is None
        case Draw() if house.voluntary_draw:
            return drawn_unseen(state)
        case Draw() | Pass():
            return can_play(state, state.mover) is None
        case Play():
            return house.only_drawn and drawn_unseen(state)
        case _:
            return False


# — what is wrong —


def faults(state: DrawState, move: DrawMove, player: int, house: House) -> Iterator[Fault]:
    """Every rule that ``move`` of ``player`` breaks, the gravest first; none where it is allowed."""
    if player == ANYBODY:
        yield Fault("DRW-T1", "Nobody knows yet whose turn it is: say which player it is.")
        return
    waiting = _waiting(state)
    if waiting is not None:
        yield waiting
        if state.phase != "drawn":
            return
    match move:
        case Redeal():
            yield from _demand_faults(state, player, house)
        case Call():
            yield from _call_faults(state, move)
        case _:
            yield from _turn_faults(state, player)
            match move:
                case Draw():
                    yield from _draw_faults(state, player, house)
                case Pass():
                    yield from _pass_faults(state, player, house)
                case _:
                    yield from _laying_faults(state, move, player, house)


def _waiting(state: DrawState) -> Fault | None:
    if state.phase == "playing":
        return None
    if state.phase == "over":
        sentence = f"The match is over with {state.scores[0]} to {state.scores[1]} points."
        return Fault("DRW-12", sentence, facts={"scores": list(state.scores)})
    return Fault("DRW-T3", _FIRST[state.phase], facts={"pending": state.phase})


_FIRST = {
    "lot": "First each player draws a tile for the Down; the one with more pips has it.",
    "deal": "First the tiles are shuffled and the hands are dealt.",
    "drawn": "First the tile just drawn goes into the hand.",
    "hand": "The deal is over: first the tiles left in hand are laid open and counted.",
}


def _turn_faults(state: DrawState, player: int) -> Iterator[Fault]:
    if player == state.mover:
        return
    facts: JsonObject = {"player": player, "turn": state.mover}
    if state.ends[0] == CLOSED:
        yield Fault(
            "DRW-2", f"Player {state.mover} has the Down in this deal, not player {player}.", facts=facts
        )
    else:
        yield Fault("DRW-T1", f"It is player {state.mover}'s turn, not player {player}'s.", facts=facts)


def _laying_faults(state: DrawState, move: Laid, player: int, house: House) -> Iterator[Fault]:
    down_lies = state.ends[0] != CLOSED
    if isinstance(move, Down) and down_lies:
        sentence = (
            f"The Down of this deal already lies; the {move.tile} can only go to {_ends_in_words(state)}."
        )
        yield Fault("DRW-3", sentence, _open_arms(state), {"ends": _ends_data(state)})
    elif not isinstance(move, Down) and not down_lies:
        sentence = (
            f"Nothing lies on the table yet: the deal opens with a Down, not with the {move.tile} at an end."
        )
        yield Fault("DRW-3", sentence, facts={"tile": str(move.tile)})
    yield from _owner_faults(state, move, player)
    if isinstance(move, Beside):
        yield from _beside_faults(state, move)
    elif isinstance(move, Play) and down_lies:
        yield from _arm_faults(state, move)
        fits = drawn_that_fits(state) if house.only_drawn else 0
        if fits and not fits & move.bit:
            drawn = tiles_in(fits)[0]
            sentence = f"Player {player} has just drawn the {drawn}, which fits and has to be played now."
            yield Fault("DRW-9", sentence, facts={"drawn": str(drawn), "tile": str(move.tile)})


def _owner_faults(state: DrawState, move: Laid, player: int) -> Iterator[Fault]:
    place = where_is(state, move.tile, player)
    if place is None:
        return
    facts: JsonObject = {"tile": str(move.tile), "where": place}
    if place == "on the table":
        sentence = f"The {move.tile} already lies on the table, and the set has only one."
        yield Fault("DRW-0", sentence, facts=facts)
    else:
        sentence = f"Player {player} does not hold the {move.tile}: it is {place}."
        yield Fault("DRW-T2", sentence, facts=facts)


def _arm_faults(state: DrawState, move: Play) -> Iterator[Fault]:
    squares = (str(move.arm),)
    pips = PIPS[state.ends[move.arm]]
    if pips < 0:
        yield _closed(state, move.arm)
    elif pips != move.half:
        turned = f"; its {pips} would fit" if pips in move.tile else ""
        touch = f"its {move.half} would touch a {pips}"
        sentence = f"The {move.tile} does not match at the {move.arm} end: {touch}{turned}."
        facts: JsonObject = {"tile": str(move.tile), "half": move.half, "end": pips, "arm": str(move.arm)}
        yield Fault("DRW-5", sentence, squares, facts)


def _closed(state: DrawState, arm: Arm) -> Fault:
    spinner = spinner_of(state.history)
    facts: JsonObject = {"arm": str(arm), "spinner": str(spinner) if spinner else None}
    if spinner is None:
        return Fault(
            "DRW-7",
            f"There is no {arm} end: no double lies on the table that could branch.",
            (str(arm),),
            facts,
        )
    bare = [str(side) for side in (Arm.WEST, Arm.EAST) if state.bare & (side + 1)]
    sides = " and ".join(bare)
    facts["bare"] = list(bare)
    sentence = (
        f"The {arm} end of the spinner {spinner} is closed until both its long sides are covered: "
        f"its {sides} side{'s are' if len(bare) > 1 else ' is'} bare."
    )
    return Fault("DRW-7", sentence, (str(arm), *bare), facts)


def _beside_faults(state: DrawState, move: Beside) -> Iterator[Fault]:
    facts: JsonObject = {"tile": str(move.tile), "beside": str(move.host)}
    spinner = spinner_of(state.history)
    if not board_tiles(state.history) & BIT[move.host]:
        sentence = f"The {move.host} does not lie on the table, so the {move.tile} cannot lie beside it."
        yield Fault("DRW-5", sentence, facts=facts)
    elif move.host != spinner:
        only = f"only the spinner {spinner} does" if spinner else "only the first double will"
        sentence = f"The {move.tile} cannot branch off beside the {move.host}: {only}."
        yield Fault("DRW-8", sentence, facts=facts)


def needs_arm(state: DrawState, move: DrawMove) -> Fault | None:
    """What is still to be said of a tile laid beside the spinner: at which of its ends it lies."""
    if not isinstance(move, Beside) or move.host != spinner_of(state.history):
        return None
    sentence = (
        f"The {move.host} is the spinner: say whether the {move.tile} lies at west, east, north or south."
    )
    return Fault("DRW-7", sentence, _open_arms(state), {"tile": str(move.tile), "beside": str(move.host)})


def _draw_faults(state: DrawState, player: int, house: House) -> Iterator[Fault]:
    if state.ends[0] == CLOSED:
        sentence = f"Player {state.mover} has the Down: any tile of the hand may be laid, so none is drawn."
        yield Fault("DRW-3", sentence, facts={"player": player})
        return
    left = boneyard(state)
    if left <= house.floor:
        kept = "is empty" if not left else f"holds only the last {left}, which stay there"
        sentence = f"There is nothing to draw: the boneyard {kept}. Player {player} passes if no tile fits."
        yield Fault("DRW-9", sentence, facts={"boneyard": left, "floor": house.floor})
    fits = drawn_that_fits(state) if house.voluntary_draw else 0
    if fits:
        drawn = tiles_in(fits)[0]
        sentence = f"Player {player} has just drawn the {drawn}, which fits: drawing stops."
        yield Fault("DRW-9", sentence, facts={"drawn": str(drawn)})
    elif not house.voluntary_draw:
        yield from _able_faults(state, player, "draw")


def _pass_faults(state: DrawState, player: int, house: House) -> Iterator[Fault]:
    if state.ends[0] == CLOSED:
        sentence = f"Player {state.mover} has the Down and can lay any tile of the hand; nobody passes."
        yield Fault("DRW-3", sentence, facts={"player": player})
        return
    yield from _able_faults(state, player, "pass")
    left = boneyard(state)
    if left > house.floor:
        tiles = "1 tile" if left == 1 else f"{left} tiles"
        sentence = f"Player {player} cannot pass while the boneyard holds {tiles}: draw."
        yield Fault("DRW-9", sentence, facts={"boneyard": left, "floor": house.floor})


def _able_faults(state: DrawState, player: int, doing: str) -> Iterator[Fault]:
    if can_play(state, player) is not True:
        return
    held = tiles_in(state.hands[player - 1])
    fits = [(tile, arm) for tile in held for arm in arms_for(tile, state.ends)]
    facts: JsonObject = {"fits": [f"{tile} at {arm}" for tile, arm in fits], "ends": _ends_data(state)}
    if fits:
        tile, arm = fits[0]
        sentence = (
            f"Player {player} may not {doing} while the {tile} in hand fits the {PIPS[state.ends[arm]]} "
            f"at the {arm} end."
        )
    else:
        sentence = (
            f"Player {player} may not {doing}: there are fewer unseen tiles that do not fit than the hand "
            "holds, so that one of its tiles must fit."
        )
    yield Fault("DRW-9", sentence, tuple(dict.fromkeys(str(arm) for _, arm in fits)), facts)


def _demand_faults(state: DrawState, player: int, house: House) -> Iterator[Fault]:
    needed = house.doubles
    if not state.redeal & player:
        sentence = f"Player {player} has laid a tile in this deal and can no longer demand a redeal."
        yield Fault("DRW-13", sentence, facts={"player": player, "played": True})
    elif may_demand(state, player, needed) is False:
        _, most = dealt_doubles(state, player)
        sentence = (
            f"A redeal needs {needed} doubles in a hand of {house.hand}; player {player} was dealt "
            f"{most if not state.hidden[player - 1] else f'at most {most}'}."
        )
        yield Fault("DRW-13", sentence, facts={"player": player, "doubles": most, "needed": needed})


def _call_faults(state: DrawState, move: Call) -> Iterator[Fault]:
    due = state.match.due
    facts: JsonObject = {"called": move.points, "made": due[1] if due else 0}
    if due is None:
        yield Fault(
            "DRW-4", "There are no points to call: none were made, or they are written down.", facts=facts
        )
    elif due[1] != move.points:
        yield Fault("DRW-4", f"The last tile made {due[1]} points, not {move.points}.", facts=facts)


# — words for the ends —


def _open_arms(state: DrawState) -> tuple[str, ...]:
    return tuple(str(arm) for arm in Arm if state.ends[arm] != CLOSED)


def _ends_data(state: DrawState) -> JsonObject:
    return {str(arm): PIPS[state.ends[arm]] for arm in Arm if state.ends[arm] != CLOSED}


def _ends_in_words(state: DrawState) -> str:
    ends = [f"the {pips} at the {arm} end" for arm, pips in _ends_data(state).items()]
    return f"{', '.join(ends[:-1])} or {ends[-1]}"
