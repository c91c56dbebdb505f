"""What is wrong with a move in itself, whoever's turn it is: troop, action, target, place."""

from collections.abc import Iterator

from engine.dominoes_of_war.bases import MOST_ENTRANCES, connected, entrances, touching
from engine.dominoes_of_war.model import (
    ACTIONS,
    BASE_SIZE,
    Blow,
    Bonus,
    Extend,
    Face,
    First,
    Found,
    March,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Troop,
    Wall,
    WarMove,
)
from engine.dominoes_of_war.obstacles import (
    LookedUp,
    fault,
    line_faults,
    spaces,
    way_faults,
)
from engine.dominoes_of_war.orders import (
    facings,
    is_prey,
    left_to_hide,
    may_act,
    seals,
    split_options,
    stride,
    walking,
)
from engine.dominoes_of_war.places import FIELD_INDEX, STRAIGHT, WORDS, Border, Place, name, names, spread
from engine.dominoes_of_war.terrain import heading
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, Kind, title
from engine.ruling import Fault


def own_faults(table: LookedUp, move: WarMove, side: int) -> Iterator[Fault]:
    """Every rule that the move breaks in itself, the graver first."""
    if isinstance(move, March | Run | Blow | Shoot | Spawn):
        return _action(table, move, side)
    return _other(table, move, side)


def _action(table: LookedUp, move: March | Run | Blow | Shoot | Spawn, side: int) -> Iterator[Fault]:
    troop = table.state.troop_at(move.at)
    if troop is not None and troop.kind == HIDDEN:
        sentence = f"Of the soldier hidden on {name(move.at)} nobody knows yet what he can do."
        yield fault("DOW-S5", sentence, move.at)
        return
    match move:
        case March():
            yield from _march(table, move, side)
        case Shoot():
            yield from _shoot(table, move, side)
        case Run():
            yield from _run(table, move, side)
        case Blow():
            yield from _blow(table, move, side)
        case _:
            yield from _spawn(table, move, side)


def _other(table: LookedUp, move: WarMove, side: int) -> Iterator[Fault]:
    match move:
        case Face():
            yield from _face(table, move, side)
        case Bonus():
            yield from _recruit(table, side, move.kind, move.to)
        case Extend():
            yield from _extend(table, move, side)
        case Rewall():
            yield from _rewall(table, move)
        case Found():
            yield from _found(table, move, side)
        case Wall():
            yield from _wall_place(table, move.where, "DOW-S4", None)
        case Stock():
            yield from _stock(table, move, side)
        case First() if move.who not in (1, 2):
            yield fault("DOW-S2", f"There is no player {move.who} who could go first.")


# — actions —


def _actor(table: LookedUp, at: Place, side: int, *, moving: bool = False) -> Iterator[Fault]:
    """Whether a troop of this player may take an action there."""
    troop = table.state.troop_at(at)
    if troop is None:
        yield fault("DOW-T5", f"No troop stands on {name(at)}.", at)
        return
    if troop.side != side:
        sentence = f"The {title(troop.kind)} on {name(at)} belongs to player {troop.side}."
        yield fault("DOW-T5", sentence, at, owner=troop.side)
    state = table.state
    if (moving and walking(state, troop)) or may_act(state, troop) or side != state.turn:
        return
    if troop.acted and not TROOPS[troop.kind].tireless:
        sentence = f"The {title(troop.kind)} on {name(at)} has already used its action this turn."
        yield fault("DOW-T2", sentence, at)
    if state.actions >= ACTIONS:
        sentence = f"Player {side} has already used {state.actions} actions this turn; there are {ACTIONS}."
        yield fault("DOW-T1", sentence, actions=state.actions, allowed=ACTIONS)


def _march(table: LookedUp, move: March, side: int) -> Iterator[Fault]:
    yield from _actor(table, move.at, side, moving=True)
    troop, there = table.state.troop_at(move.at), table.state.troop_at(move.to)
    if there is not None and move.to != move.at:
        whose = f"player {there.side}'s {title(there.kind)}"
        sentence = f"On {name(move.to)} stands {whose}; a move ends on an empty tile."
        yield fault("A-W2", sentence, move.to, occupied=there.kind)
    if troop is not None:
        yield from way_faults(table, troop, move.to, stride(table.state, troop))


def _run(table: LookedUp, move: Run, side: int) -> Iterator[Fault]:
    yield from _actor(table, move.at, side, moving=True)
    troop, there = table.state.troop_at(move.at), table.state.troop_at(move.to)
    yield from _no_bomb(troop, "DOW-KAM-R", "runs onto an enemy")
    if there is None:
        yield fault("DOW-KAM-R", f"Nobody stands on {name(move.to)} to be run onto.", move.to)
    elif there.side == side:
        whose = f"player {side}'s own {title(there.kind)}"
        sentence = f"On {name(move.to)} stands {whose}; a Kamikaze runs onto enemies."
        yield fault("DOW-KAM-R", sentence, move.to)
    if troop is not None:
        yield from way_faults(table, troop, move.to, stride(table.state, troop))


def _no_bomb(troop: Troop | None, rule: str, does: str) -> Iterator[Fault]:
    if troop is not None and not TROOPS[troop.kind].bomb:
        sentence = f"Only a Kamikaze {does}; on {name(troop.at)} stands a {title(troop.kind)}."
        yield fault(rule, sentence, troop.at, troop=troop.kind)


def _blow(table: LookedUp, move: Blow, side: int) -> Iterator[Fault]:
    yield from _actor(table, move.at, side, moving=True)
    troop = table.state.troop_at(move.at)
    yield from _no_bomb(troop, "DOW-KAM-W", "blows up a wall")
    if move.wall not in table.state.walls:
        yield fault("DOW-KAM-W", f"No wall stands on {move.wall}.", *move.wall)
    elif troop is not None and TROOPS[troop.kind].bomb:
        yield from _wall_out_of_reach(table, troop, move.wall)


def _wall_out_of_reach(table: LookedUp, troop: Troop, wall: Border) -> Iterator[Fault]:
    """Why a Kamikaze lacks the steps to go through a wall, seen from the side that is nearer to it."""
    steps = stride(table.state, troop)
    away, near = min((abs(right) + abs(up), at) for at in wall for right, up in [spread(troop.at, at)])
    if away + 1 > steps:
        sentence = (
            f"To get from {name(troop.at)} through the wall {wall} takes {spaces(away + 1)}; the Kamikaze has"
            f" {steps}."
        )
        yield fault("DOW-KAM-W", sentence, troop.at, *wall, steps=away + 1, allowed=steps)
    elif near in table.places and near != troop.at:
        yield fault("A-W2", f"A troop on {name(near)} stands before the wall {wall}.", near, *wall)
    elif near != troop.at:
        yield from way_faults(table, troop, near, steps - 1)
        if table.terms.stepwise:
            sentence = f"Every tile entered is flipped, so the Kamikaze must move to {name(near)} first."
            yield fault("A-W3", sentence, troop.at, near)


def _spawn(table: LookedUp, move: Spawn, side: int) -> Iterator[Fault]:
    yield from _actor(table, move.at, side)
    leader = table.state.troop_at(move.at)
    if leader is not None:
        kind = TROOPS[leader.kind]
        rule = f"DOW-{kind.code if kind.leads else 'GEN'}-S"
        if not kind.leads:
            sentence = f"Only a General or Chieftain spawns; on {name(move.at)} stands a {kind.title}."
            yield fault(rule, sentence, move.at, troop=leader.kind)
        elif move.at in table.state.bases[side - 1]:
            sentence = f"The {kind.title} on {name(move.at)} is in his base; he spawns only while out of it."
            yield fault(rule, sentence, move.at)
    yield from _recruit(table, side, move.kind, move.to)


def _recruit(table: LookedUp, side: int, kind: Kind, to: Place) -> Iterator[Fault]:
    """Whether a troop of this type can come out of a player's pool onto a place of his base."""
    army = table.state.armies[side - 1]
    if kind not in ARMIES[army]:
        known = ", ".join(ARMIES[army])
        yield fault("DOW-P2", f"Player {side} plays {army}, which has {known}; not {kind}.", troop=kind)
    elif not table.state.in_pool(side, kind):
        yield fault("A-W20", f"Player {side} has no {title(kind)} left in the pool.", troop=kind)
    yield from _room(table, side, to, "A-W18")


def _room(table: LookedUp, side: int, to: Place, rule: str) -> Iterator[Fault]:
    """Whether this place is an empty tile of a player's base."""
    if to not in table.state.bases[side - 1]:
        yield fault(rule, f"{name(to)} is no tile of player {side}'s base.", to)
    there = table.state.troop_at(to)
    if there is not None:
        yield fault(rule, f"On {name(to)} stands a {title(there.kind)} already.", to, occupied=there.kind)


def _face(table: LookedUp, move: Face, side: int) -> Iterator[Fault]:
    state, troop = table.state, table.state.troop_at(move.at)
    if troop is None or not TROOPS[troop.kind].steady or troop.side != side:
        yield fault("DOW-SNI-F", f"No Sniper of player {side} stands on {name(move.at)}.", move.at)
    elif side == state.turn and move.at in state.faced:
        sentence = f"The Sniper on {name(move.at)} has been given his facing for this turn already."
        yield fault("DOW-SNI-F", sentence, move.at)
    if move.facing not in facings(table.terms):
        sentence = f"A Sniper faces {', '.join(facings(table.terms))}; not {move.facing}."
        yield fault("A-W26", sentence, move.at, facing=move.facing)


# — attacks —


def _shoot(table: LookedUp, move: Shoot, side: int) -> Iterator[Fault]:
    yield from _actor(table, move.at, side)
    troop = table.state.troop_at(move.at)
    if troop is not None:
        yield from _shots(table, troop, move, side)


def _shots(table: LookedUp, troop: Troop, move: Shoot, side: int) -> Iterator[Fault]:
    kind = TROOPS[troop.kind]
    if not kind.aim:
        sentence = f"A {kind.title} has no attack but itself; it runs onto an enemy or into a wall."
        yield fault(f"DOW-{kind.code}-A", sentence, move.at)
        return
    if not kind.split and len(move.targets) != 1:
        number = len(move.targets)
        if number:
            sentence = f"A {kind.title} attacks one place at a time, not {number}."
            yield fault(f"DOW-{kind.code}-A", sentence, move.at, targets=number)
        else:
            yield fault("A-W41", f"The attack of a {kind.title} needs somebody to hit.", move.at)
    targets = sorted(move.targets)
    found = list(_same_way(troop, targets)) if kind.split else []
    for to in targets:
        found += _target(table, to, side)
        found += line_faults(table, troop, to)
    yield from found
    if kind.split and not found:
        yield from _split(table, troop, targets)


def _target(table: LookedUp, to: Place, side: int) -> Iterator[Fault]:
    there = table.state.troop_at(to)
    if there is None:
        yield fault("A-W41", f"Nobody stands on {name(to)} to be hit.", to)
    elif not is_prey(table.terms, side, there):
        sentence = f"The {title(there.kind)} on {name(to)} is player {side}'s own; it may not be attacked."
        yield fault("A-W5", sentence, to, troop=there.kind)


def _same_way(troop: Troop, targets: list[Place]) -> Iterator[Fault]:
    """Whether both shots of a Quick Shot go the same way."""
    ways = [line[0] for to in targets if (line := heading(troop.at, to))]
    if len(set(ways)) < len(ways):
        sentence = f"Both shots go {WORDS[ways[0]]}; a Quick Shot shoots in two different directions."
        yield fault("A-W35", sentence, troop.at, *targets)


def _split(table: LookedUp, troop: Troop, targets: list[Place]) -> Iterator[Fault]:
    """Whether a Quick Shot's two shots fit together; each by itself does."""
    far = TROOPS[troop.kind].far
    aimed = [line for to in targets if (line := heading(troop.at, to))]
    shots = [away for _, away in aimed]
    taken = {other.at: other for other in table.state.troops}
    misses = sorted(
        split_options(table.ground, table.terms, troop, step, taken).get(None, far)
        for word, step in STRAIGHT.items()
        if word not in [way for way, _ in aimed]
    )
    if sum(shots + misses[: 2 - len(shots)]) <= far:
        return
    if len(shots) == 2:
        sentence = (
            f"The two shots are {shots[0]} and {shots[1]} spaces, {sum(shots)} in all; there are {far}."
        )
        yield fault(f"DOW-{TROOPS[troop.kind].code}-A", sentence, troop.at, *targets, total=sum(shots))
    else:
        sentence = "A Quick Shot shoots in two directions, and there is no second one that hits nobody."
        yield fault("A-W35", sentence, troop.at, *targets)


# — walls and bases —


def _found(table: LookedUp, move: Found, side: int) -> Iterator[Fault]:
    state, tiles = table.state, move.tiles
    if state.bases[side - 1]:
        yield fault("DOW-S3", f"Player {side} has a base already.", *state.bases[side - 1])
    inside = sorted(tiles & FIELD_INDEX.keys())
    if inside:
        sentence = f"A base lies outside the field; {_all(inside)} lies in it."
        yield fault("DOW-S3", sentence, *inside)
    if len(tiles) != BASE_SIZE:
        sentence = f"A base has {BASE_SIZE} tiles; this one has {len(tiles)}."
        yield fault("DOW-S3", sentence, *sorted(tiles), tiles=len(tiles))
    loose = sorted(tiles - connected(tiles))
    if loose:
        sentence = f"All tiles of a base hang together; {_all(loose)} does not touch {name(min(tiles))}."
        yield fault("DOW-S3", sentence, *loose)
    doors = len(entrances(tiles - FIELD_INDEX.keys()))
    if not 1 <= doors <= MOST_ENTRANCES:
        sentence = f"A base has 1 or {MOST_ENTRANCES} entrances to the field; this one has {doors}."
        yield fault("DOW-S3", sentence, *sorted(tiles), entrances=doors)
    other = state.bases[2 - side]
    shared = sorted(tiles & set(other))
    if shared:
        yield fault("A-W12", f"On {_all(shared)} lies the other base already.", *shared)
    beside = sorted(tiles & touching(other))
    if beside and not table.terms.bases_may_touch:
        yield fault("A-W12", f"The two bases do not touch; they would at {_all(beside)}.", *beside)


def _all(places: list[Place]) -> str:
    return ", ".join(names(tuple(places)))


def _stock(table: LookedUp, move: Stock, side: int) -> Iterator[Fault]:
    state = table.state
    if move.kind == HIDDEN or state.phase == "armies":
        if left_to_hide(state, side) <= 0 and state.phase != "armies":
            yield fault("A-W20", f"Player {side} has no troops left in the pool.")
        yield from _room(table, side, move.at, "DOW-S5")
        return
    for found in _recruit(table, side, move.kind, move.at):
        yield Fault("DOW-S5", found.sentence, found.squares, found.facts) if found.rule == "A-W18" else found


def _extend(table: LookedUp, move: Extend, side: int) -> Iterator[Fault]:
    own, other = table.state.bases[side - 1], table.state.bases[2 - side]
    if not table.state.spare:
        yield fault("A-W43", "There is no spare tile left to add to the base.")
    if move.at in table.ground.home:
        yield fault("DOW-F3.17", f"On {name(move.at)} lies a tile already.", move.at)
    elif move.at not in touching(own):
        sentence = f"A new tile is attached to player {side}'s base; {name(move.at)} does not touch it."
        yield fault("DOW-F3.17", sentence, move.at)
    if move.at in touching(other):
        sentence = f"A new base tile may not touch the enemy base; on {name(move.at)} it would."
        yield fault("A-W43", sentence, move.at)


def _rewall(table: LookedUp, move: Rewall) -> Iterator[Fault]:
    if move.old not in table.state.walls:
        yield fault("DOW-F3.20", f"No wall stands on {move.old} to be moved.", *move.old)
    if move.old == move.new:
        yield fault("A-W43", f"The wall {move.old} is moved to another side than its own.", *move.old)
    else:
        yield from _wall_place(table, move.new, "DOW-F3.20", move.old)


def _wall_place(table: LookedUp, where: Border, rule: str, moved: Border | None) -> Iterator[Fault]:
    """Whether a wall may stand here, the wall ``moved`` being taken away first."""
    tiles = table.ground.home.keys() if table.terms.wall_on_base else FIELD_INDEX.keys()
    if not where.is_side:
        sentence = f"{name(where.low)} and {name(where.high)} share no side for a wall."
        yield fault(rule, sentence, *where)
    elif not tiles >= set(where):
        yield fault("A-W13", f"A wall stands between two tiles of the field; {where} does not.", *where)
    elif where in table.state.walls:
        yield fault("A-W13", f"A wall stands on {where} already.", *where)
    elif table.terms.seal_refused:
        kept = tuple(wall for wall in table.state.walls if wall != moved)
        cut = seals(table.state, (*kept, where))
        if cut:
            yield fault("A-W14", f"A wall on {where} would cut off {_all(list(cut))}.", *where, *cut)
