"""The course of a turn: what moves and facts change, and how one stage follows another."""

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import CannotStand, ImpossibleFact
from engine.kingdomino_duel.drawing import fills, fits_nowhere
from engine.kingdomino_duel.edition import MOST_CROSSES, Face, orders
from engine.kingdomino_duel.judge import Unclear, bolt_moves, movers, players_of, settled
from engine.kingdomino_duel.kingdom import CASTLE, Kingdom, Mark
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    Die,
    Draw,
    Drawing,
    DuelFact,
    DuelMove,
    DuelState,
    Name,
    Oldest,
    Side,
    Stage,
    Take,
    Turn,
)
from engine.kingdomino_duel.rules import House
from engine.kingdomino_duel.spellbook import AT_ONCE
from engine.kingdomino_duel.taking import begun

# — facts —


def observe(state: DuelState, fact: DuelFact) -> DuelState:
    """The state once ``fact`` has been seen."""
    if isinstance(fact, Oldest):
        if state.a is not None:
            raise ImpossibleFact("OBS-KDD-NOW", "Who begins is known already.")
        if fact.player not in (1, 2):
            raise ImpossibleFact("OBS-KDD-PLAYER", f"There is no player {fact.player}; there are 1 and 2.")
        return replace(state, stage="roll" if state.stage == "oldest" else state.stage, a=fact.player)
    if state.stage not in ("oldest", "roll"):
        raise ImpossibleFact("OBS-KDD-NOW", "The dice cannot be rolled now: no roll is due.")
    _check_roll(state, fact.faces)
    return replace(state, stage="draft", dice=tuple(Die(face, face) for face in fact.faces))


def _check_roll(state: DuelState, faces: Sequence[Face]) -> None:
    if len(faces) != 4:
        raise ImpossibleFact("OBS-KDD-DICE", f"A roll shows four dice, not {len(faces)}.")
    for number, (face, die) in enumerate(zip(faces, state.edition.dice, strict=True), 1):
        if face not in die:
            known = " ".join(str(one) for one in dict.fromkeys(die))
            hint = "".join(
                f" In the order of the dice it could be {' '.join(str(one) for one in order)}."
                for order in orders(faces, state.edition.dice)[:1]
            )
            raise ImpossibleFact("OBS-KDD-FACE", f"Die {number} has no face {face}, only {known}.{hint}")


# — moves —


def apply(state: DuelState, move: DuelMove, house: House) -> DuelState:
    """The state after ``move``, which is taken to be legal."""
    player = players_of(state, move)[0]
    clear = settled(state, move, player)
    assert not isinstance(clear, Unclear)  # a legal move says which dice it means
    return _done(begun(state, move, player), clear, player, house)


def let_stand(state: DuelState, move: DuelMove, house: House) -> DuelState:
    """The state as the table is after an illegal ``move``."""
    players = players_of(state, move) or state.players
    if len(players) != 1:
        raise CannotStand("It is not known which player did this.")
    player = players[0]
    if not state.dice and isinstance(move, Take | Turn | Castle):
        raise CannotStand("No dice are rolled, so nothing can have been done with them.")
    clear = settled(state, move, player)
    if isinstance(clear, Unclear):
        raise CannotStand(clear.fault.sentence)
    _check_stand(state, clear, player)
    return _done(begun(state, move, player), clear, player, house)


def _check_stand(state: DuelState, move: DuelMove, player: int) -> None:
    """Raise CannotStand where no table could show what ``move`` says."""
    if isinstance(move, Take):
        _check_taken(state, move, player)
    elif isinstance(move, Turn):
        if move.face not in state.edition.dice[_index(move)]:
            raise CannotStand(f"Die {move.die} has no face with {move.face.words}.")
    elif isinstance(move, Castle):
        if state.dice[_index(move)].bonus:
            raise CannotStand(f"Die {move.die} has the cross of the castle already.")
    elif isinstance(move, Draw):
        kingdom = state.side(player).kingdom
        for mark in move.marks:
            if not kingdom.empty >> mark.square & 1:
                raise CannotStand(f"{mark.where} is {'the castle' if mark.square == CASTLE else 'taken'}.")
            kingdom = kingdom.add(mark)
    elif isinstance(move, Cross):
        there = state.side(player).kingdom.at(move.square)
        if there is None or there.crosses == MOST_CROSSES:
            raise CannotStand("There is no coat that could take one more cross.")


def _check_taken(state: DuelState, move: Take, player: int) -> None:
    if len(set(move.dice)) != len(move.dice):
        raise CannotStand("One die cannot be taken twice.")
    held = {*state.taken(player), *move.dice}
    if len(held) > 2:
        raise CannotStand(f"Player {player} would have {len(held)} dice, and a domino is made of two.")


def _index(move: Turn | Castle) -> int:
    assert isinstance(move.die, int)  # settled() has seen to it
    return move.die - 1


def _done(state: DuelState, move: DuelMove, player: int, house: House) -> DuelState:
    """The table after a settled move, legal or not."""
    side = state.side(player)
    if isinstance(move, Take):
        return _taken(state, move, player)
    if isinstance(move, Declare):
        declared = tuple(sorted({*side.declared, move.power}))
        return _spend(state, player, move.power).with_side(player, replace(side, declared=declared))
    if isinstance(move, Turn):
        turned = _with_die(state, _index(move), replace(state.dice[_index(move)], shows=move.face))
        return _spend(turned, player, 4)
    if isinstance(move, Castle):
        crossed = _with_die(state, _index(move), replace(state.dice[_index(move)], bonus=True))
        return crossed.with_side(player, replace(side, roof=True))
    if isinstance(move, Draw):
        return _drawn(state, move.marks, player, house)
    if isinstance(move, Name):
        power, side = 5, replace(side, named=move.coat)
    else:
        power, side = 6, replace(side, kingdom=side.kingdom.cross(move.square))
    bolts = tuple(bolt for bolt in side.bolts if bolt != power)
    used = _spend(state, player, power).with_side(player, replace(side, bolts=bolts))
    return _after_bolts(used, house) if state.stage == "bolts" else used


def _spend(state: DuelState, player: int, power: int) -> DuelState:
    """The power crossed off, where it was this player's to use."""
    if not state.book.holds(state.edition, player, power):
        return state
    return replace(state, book=state.book.spend(state.edition.coat_of(power)))


def _with_die(state: DuelState, index: int, die: Die) -> DuelState:
    return replace(state, dice=(*state.dice[:index], die, *state.dice[index + 1 :]))


def _taken(state: DuelState, move: Take, player: int) -> DuelState:
    dice = [
        replace(die, taker=player) if number in move.dice else die for number, die in enumerate(state.dice, 1)
    ]
    after = replace(state, dice=tuple(dice))
    if move.at_once:
        after = _spend(after, player, 3)
    for full in state.players:
        if len(after.taken(full)) == 2 and state.stage == "draft":
            # Whoever has a domino leaves the rest to the other: A's last die, or B's two after P3.
            rest = tuple(replace(die, taker=die.taker or 3 - full) for die in after.dice)
            return replace(after, dice=rest, stage="draw")
    return after


def _drawn(state: DuelState, marks: Sequence[Mark], player: int, house: House) -> DuelState:
    side = state.side(player)
    kingdom = _with_marks(side.kingdom, marks)
    if state.stage != "draw" or side.drawing != "due":  # out of turn: it is on the map, and that is all
        after = state.with_side(player, replace(side, kingdom=kingdom))
        return replace(after, stage=resting(after))
    drawing: Drawing = "drawn" if marks else "unable" if fits_nowhere(state, player, house) else "declined"
    to_fill = fills(state.domino(player), marks, house)
    after = state.with_side(player, replace(side, kingdom=kingdom, drawing=drawing, to_fill=to_fill))
    return after if movers(after) else _fill_spellbook(after, house)


def _with_marks(kingdom: Kingdom, marks: Sequence[Mark]) -> Kingdom:
    for mark in marks:
        kingdom = kingdom.add(mark)
    return kingdom


def resting(state: DuelState) -> Stage:
    """The stage of the state: with no dice on the table, a full map ends the game."""
    if state.stage == "roll" and not all(side.kingdom.empty for side in state.sides):
        return "over"
    return state.stage


# — step 4 and the end of the turn —


def _fill_spellbook(state: DuelState, house: House) -> DuelState:
    for player in state.players:
        side = state.side(player)
        book, won = state.book.fill(state.edition, player, side.to_fill)
        bolts = tuple(power for power in AT_ONCE if power in won)
        state = replace(state, book=book).with_side(player, replace(side, to_fill=(), bolts=bolts))
    return _after_bolts(state, house)


def _after_bolts(state: DuelState, house: House) -> DuelState:
    """The bolts that remain to be used, or the end of the turn; a bolt with nothing to choose from lapses."""
    for player in state.players:
        for power in state.side(player).bolts:
            if next(bolt_moves(state, player, power, house), None) is None:
                side = state.side(player)
                kept = tuple(bolt for bolt in side.bolts if bolt != power)
                state = _spend(state, player, power).with_side(player, replace(side, bolts=kept))
    if any(side.bolts for side in state.sides):
        return replace(state, stage="bolts")
    return _end_turn(state)


def _end_turn(state: DuelState) -> DuelState:
    full = not all(side.kingdom.empty for side in state.sides)
    stuck = all(side.drawing == "unable" for side in state.sides)
    first, second = (Side(kingdom=side.kingdom, roof=side.roof, named=side.named) for side in state.sides)
    rested = replace(state, dice=(), sides=(first, second))
    if full or stuck:
        return replace(rested, stage="over")
    return replace(rested, stage="roll", a=state.players[1])
