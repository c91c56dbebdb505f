"""The ruling on a move: what it breaks, or the rule that allows it with what it makes."""

from engine.draw_game.judge import faults, needs_arm, unsettled
from engine.draw_game.known_hands import boneyard, usable
from engine.draw_game.line import PIPS, count, extended, first_ends, fitting, points
from engine.draw_game.model import Beside, Down, Draw, DrawMove, DrawState, Pass, Play, Redeal, tiles_in
from engine.draw_game.rules import House
from engine.plain import Json
from engine.ruling import Ruling, Status


def ruling(state: DrawState, move: DrawMove, player: int, house: House) -> Ruling:
    """The verdict on ``move`` of ``player``."""
    found = tuple(faults(state, move, player, house))
    if found:
        return Ruling.refusal(found)
    missing = needs_arm(state, move)
    if missing is not None:
        return Ruling.refusal((missing,), status=Status.INCOMPLETE)
    match move:
        case Down() | Play() | Beside():
            return _laid(state, move, player, house)
        case Draw() | Pass():
            return _instead(state, move, player, house)
        case Redeal():
            return _redeal(state, player, house)
        case _:
            reason = f"Player {player} calls the {move.points} points of the last tile and has them."
            return Ruling(Status.LEGAL, "DRW-4", reason, facts={"player": player, "points": move.points})


def _laid(state: DrawState, move: Down | Play | Beside, player: int, house: House) -> Ruling:
    if isinstance(move, Play):
        ends, _ = extended(state.ends, state.bare, move)
        rule = "DRW-7" if move.arm > 1 else "DRW-5"
        end = f"the {PIPS[state.ends[move.arm]]} at the {move.arm} end"
        done = f"The {move.tile} goes with its {move.half} to {end}"
    else:
        ends, _ = first_ends(move.tile)
        rule = "DRW-3"
        done = f"Player {player} opens with the {move.tile}"
    squares = (str(move.arm),) if isinstance(move, Play) else ()
    counted = count(ends)
    made = points(ends)
    worth = f"{made} points" if made else "no points"
    reason = f"{done}; the ends count {counted}: {worth}{' if called' if made and house.muggins else ''}."
    facts: dict[str, Json] = {"tile": str(move.tile), "count": counted, "points": made}
    if house.crosswise and move.tile.is_double:
        reason += f" The {move.tile} is a double and lies across the line (DRW-6)."
        facts["crosswise"] = True
    if unsettled(state, move, house):
        reason = f"Whether player {player} has to play the tile just drawn nobody else can see. {reason}"
        return Ruling(Status.UNVERIFIABLE, "DRW-9", reason, squares, facts)
    return Ruling(Status.LEGAL, rule, reason, squares, facts)


def _instead(state: DrawState, move: Draw | Pass, player: int, house: House) -> Ruling:
    left = boneyard(state)
    doing = "draw" if isinstance(move, Draw) else "pass"
    facts: dict[str, Json] = {"player": player, "boneyard": left}
    if unsettled(state, move, house):
        would = tiles_in(usable(state, player) & fitting(state.ends))
        facts["hidden"] = state.hidden[player - 1]
        facts["would_fit"] = [str(tile) for tile in would]
        reason = (
            f"Player {player} may {doing} only if no tile of the hand fits, and the hand is closed: this can "
            "be judged when its tiles are shown."
        )
        return Ruling(Status.UNVERIFIABLE, "DRW-9", reason, facts=facts)
    if isinstance(move, Draw) and house.voluntary_draw:
        reason = f"Player {player} draws; by the readings in force whoever could play may draw too."
    elif isinstance(move, Draw):
        reason = f"No tile of player {player} fits an end, so one of {left} is drawn from the boneyard."
    else:
        reason = f"No tile of player {player} fits an end and nothing is left to draw."
    return Ruling(Status.LEGAL, "DRW-9", reason, facts=facts)


def _redeal(state: DrawState, player: int, house: House) -> Ruling:
    needed = house.doubles
    facts: dict[str, Json] = {"player": player, "needed": needed}
    if unsettled(state, Redeal(player), house):
        reason = (
            f"A redeal needs {needed} doubles in the hand dealt to player {player}, which is closed: show it."
        )
        return Ruling(Status.UNVERIFIABLE, "DRW-13", reason, facts=facts)
    reason = (
        f"Player {player} was dealt {needed} doubles or more and has laid no tile: the deal is made anew."
    )
    return Ruling(Status.LEGAL, "DRW-13", reason, facts=facts)
