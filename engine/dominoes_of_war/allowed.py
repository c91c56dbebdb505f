"""Why a move is allowed: the rule it stands on, and a sentence about this very move."""

from collections.abc import Iterable

from engine.dominoes_of_war.deeds import reach_of, standing
from engine.dominoes_of_war.model import (
    BONUSES,
    Blow,
    Bonus,
    Decline,
    Draw,
    End,
    Extend,
    Face,
    First,
    Forfeit,
    Found,
    March,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Wall,
    WarMove,
)
from engine.dominoes_of_war.obstacles import LookedUp, spaces
from engine.dominoes_of_war.orders import seals, stride
from engine.dominoes_of_war.places import WORDS, Border, Place, name, names
from engine.dominoes_of_war.troops import TROOPS, title
from engine.plain import Json
from engine.ruling import Ruling, Status


def allowance(table: LookedUp, move: WarMove, side: int, profile: str) -> Ruling:
    """The ruling on a move that breaks no rule."""
    if isinstance(move, March | Run | Blow | Shoot | Spawn):
        return _action(table, move, profile)
    if isinstance(move, First | Found | Wall | Stock):
        rule, says, facts = _set_up(table, move, f"Player {side}")
    else:
        rule, says, facts = _other(table, move, f"Player {side}")
    return Ruling(Status.LEGAL, rule, says, tuple(map(name, _places(move))), facts, profile=profile)


def _other(
    table: LookedUp, move: End | Face | Bonus | Extend | Rewall | Forfeit | Draw | Decline, who: str
) -> tuple[str, str, dict[str, Json]]:
    facts: dict[str, Json] = {}
    match move:
        case End():
            used = table.state.actions
            rule, says = "DOW-T3", f"{who} ends the turn after {used} action{'s' * (used != 1)}."
            facts = {"actions": used}
        case Face():
            rule, says = "DOW-SNI-F", f"The Sniper on {name(move.at)} faces {WORDS[move.facing]}."
        case Bonus():
            rule, says = "DOW-F3.10", f"{who} spawns a {title(move.kind)} on {name(move.to)} free."
        case Extend():
            rule, says = "DOW-F3.17", f"{who} adds {name(move.at)} to the base."
        case Rewall():
            rule, says = "DOW-F3.20", f"{who} moves the wall {move.old} to {move.new}."
            says, facts = _sealing(table, says, move.new, move.old)
        case Forfeit():
            what = BONUSES[table.state.bonus]
            rule, says = "DOW-F3", f"{who} gives up the bonus of {table.state.bonus}, {what}."
        case _:
            rule, says = "A-W37", f"{who} {_answer(table, move)} a draw."
    return rule, says, facts


def _set_up(
    table: LookedUp, move: First | Found | Wall | Stock, who: str
) -> tuple[str, str, dict[str, Json]]:
    match move:
        case First():
            return "DOW-S2", f"{who} lets player {move.who} go first.", {}
        case Found():
            return "DOW-S3", f"{who} places a base on {_all(move.tiles)}.", {}
        case Wall():
            says, facts = _sealing(table, f"{who} stands a wall on {move.where}.", move.where, None)
            return "DOW-S4", says, facts
        case _:
            return "DOW-S5", f"{who} puts a {title(move.kind)} on {name(move.at)}.", {}


def _places(move: WarMove) -> Iterable[Place]:
    """The places that a move other than an action names."""
    match move:
        case Bonus():
            return (move.to,)
        case Extend() | Face() | Stock():
            return (move.at,)
        case Rewall():
            return (*move.old, *move.new)
        case Wall():
            return move.where
        case Found():
            return sorted(move.tiles)
    return ()


def _answer(table: LookedUp, move: Draw | Decline) -> str:
    if isinstance(move, Decline):
        return "declines"
    return "offers" if table.state.phase == "act" else "accepts"


def _sealing(table: LookedUp, says: str, where: Border, moved: Border | None) -> tuple[str, dict[str, Json]]:
    """The sentence and facts about a wall, with a warning where it cuts off a part of the map."""
    kept = tuple(wall for wall in table.state.walls if wall != moved)
    cut = seals(table.state, (*kept, where))
    if not cut:
        return says, {}
    return f"{says} This cuts off {_all(cut)}.", {"sealed": list(names(cut))}


def _all(places: Iterable[Place]) -> str:
    return ", ".join(names(tuple(places)))


def _action(table: LookedUp, move: March | Run | Blow | Shoot | Spawn, profile: str) -> Ruling:
    troop = standing(table.state, move.at)
    kind = TROOPS[troop.kind]
    who = f"The {kind.title} on {name(move.at)}"
    places: tuple[Place, ...] = (move.at,)
    facts: dict[str, Json] = {"actions": table.state.actions}
    match move:
        case March():
            away = reach_of(table.state, table.terms, troop, stride(table.state, troop))[move.to]
            rule, says = f"DOW-{kind.code}-M", f"{who} moves {spaces(away)} to {name(move.to)}."
            facts["steps"] = away
            places = (move.at, move.to)
            if table.state.is_down(move.to):
                says, facts["flips"] = f"{says} Its tile is flipped.", True
        case Run():
            rule, says = "DOW-KAM-R", f"{who} runs onto {name(move.to)} and explodes."
            places = (move.at, move.to)
        case Blow():
            rule, says = "DOW-KAM-W", f"{who} blows up the wall {move.wall}."
            places = (move.at, *move.wall)
        case Shoot():
            rule, says = f"DOW-{kind.code}-A", f"{who} hits {_all(move.targets) or 'nobody'}."
            places = (move.at, *sorted(move.targets))
        case _:
            rule = f"DOW-{kind.code}-S"
            says = f"{who} spawns a {title(move.kind)} on {name(move.to)}."
            places = (move.at, move.to)
    return Ruling(Status.LEGAL, rule, says, tuple(map(name, places)), facts, profile=profile)
