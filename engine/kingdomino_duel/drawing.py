"""Judging step 3: what a player draws on the map, or that nothing is drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

from engine.kingdomino_duel.edition import JOKER, Face, coat_words
from engine.kingdomino_duel.kingdom import CASTLE, NAMES, Kingdom, Mark, beside, corners, each
from engine.kingdomino_duel.model import Die, Draw, DuelState, Side
from engine.kingdomino_duel.placing import Manner, drawings, reach
from engine.kingdomino_duel.rules import House
from engine.kingdomino_duel.verdict import Verdict, finding
from engine.plain import Json
from engine.ruling import Fault


def manner(side: Side, house: House) -> Manner:
    """How this player draws this turn."""
    return Manner(1 in side.declared, 2 in side.declared, house.p2_chain, house.p2_partial)


def domino(state: DuelState, player: int) -> tuple[Face, Face] | None:
    """The two symbols a player has to draw, or None while the dice are not shared out."""
    symbols = tuple(die.symbol for die in state.domino(player))
    return (symbols[0], symbols[1]) if len(symbols) == 2 else None


def to_draw(state: DuelState, player: int, house: House) -> Iterator[Draw]:
    """Every way this player can draw the domino now."""
    symbols = domino(state, player)
    if symbols:
        side = state.side(player)
        yield from drawings(player, side.kingdom, symbols, manner(side, house))


def fits_nowhere(state: DuelState, player: int, house: House) -> bool:
    """Whether this player can draw nothing, with the powers in use."""
    return next(to_draw(state, player, house), None) is None


def may_draw_nothing(state: DuelState, player: int, house: House) -> bool:
    """Whether this player may leave the map as it is."""
    if not house.must_place:
        return True
    if not fits_nowhere(state, player, house):
        return False
    return not (house.e2_forces_power and helping_powers(state, player, house))


def helping_powers(state: DuelState, player: int, house: House) -> tuple[int, ...]:
    """Unused powers of this player that would make room for the domino, the fewest that do; () for none."""
    side = state.side(player)
    held = [power for power in (1, 2, 4) if state.book.holds(state.edition, player, power)]
    choices = sorted(
        (
            tuple(p for p, use in zip(held, uses, strict=True) if use)
            for uses in product((False, True), repeat=len(held))
        ),
        key=len,
    )
    for powers in choices:
        declared = tuple(sorted({*side.declared, *(power for power in powers if power != 4)}))
        if declared == (1, 2) and not house.combine_powers:
            continue
        tried = state.with_side(player, replace(side, declared=declared))
        turned = _turned(tried, player) if 4 in powers else (tried,)
        if powers and not all(fits_nowhere(table, player, house) for table in turned):
            return powers
    return ()


def _turned(state: DuelState, player: int) -> Iterator[DuelState]:
    for number in state.taken(player):
        for face in state.edition.dice[number - 1]:
            dice = list(state.dice)
            dice[number - 1] = replace(dice[number - 1], shows=face)
            yield replace(state, dice=tuple(dice))


def fills(dice: Sequence[Die], marks: Sequence[Mark], house: House) -> tuple[int, ...]:
    """The coats that a drawing fills in. What a joker and a plain die explain alike is the plain die's."""
    if house.tick_on_draft:
        return tuple(sorted(die.rolled.coat for die in dice if die.rolled.plain and not die.bonus))
    left = [(mark.coat, mark.crosses) for mark in marks]
    filled = []
    for die in dice:
        if die.fills and die.symbol in left:
            left.remove(die.symbol)
            filled.append(die.shows.coat)
    return tuple(sorted(filled))


# — the verdict —


def judge_drawing(state: DuelState, player: int, marks: tuple[Mark, ...], house: House) -> Verdict:
    """What there is to say about drawing exactly these marks (none: nothing drawn)."""
    if not marks:
        return _nothing(state, player, house)
    side = state.side(player)
    how = manner(side, house)
    faults = list(_square_faults(side.kingdom, marks))
    if len(marks) > 2:
        names = ", ".join(mark.where for mark in marks)
        facts: dict[str, Json] = {"drawn": len(marks)}
        faults.append(
            finding(
                "KDD-3",
                f"A domino covers two squares, not {len(marks)} ({names}).",
                *_names(marks),
                facts=facts,
            )
        )
    symbols = domino(state, player)
    if symbols and len(marks) <= 2:
        faults += sorted(_symbol_faults(symbols, marks), key=lambda fault: fault.rule)  # coats before crosses
    if len(marks) == 2 and not how.apart and not beside(1 << marks[0].square) >> marks[1].square & 1:
        sentence = f"{marks[0].where} and {marks[1].where} share no side; only P2 draws the dice apart."
        faults.append(finding("KDD-3", sentence, *_names(marks)))
    faults += _connection_faults(side.kingdom, marks, how)
    lacks: list[Fault] = []
    if len(marks) == 1:
        wrong, lacks = _single(state, player, marks[0], house)
        faults += wrong
    allows = faults[0] if faults else _allows(side.kingdom, marks, how, house)
    return Verdict(allows, tuple(faults), tuple(lacks))


def _nothing(state: DuelState, player: int, house: House) -> Verdict:
    faults = []
    example = next(to_draw(state, player, house), None)
    if example and house.must_place:
        shown = " ".join(str(mark) for mark in example.marks)
        sentence = f"Player {player} has to draw, because there is room: {shown}, for one."
        faults.append(finding("KDD-3d", sentence, *_names(example.marks), facts={"example": shown}))
    elif not may_draw_nothing(state, player, house):
        powers = " and ".join(f"P{power}" for power in helping_powers(state, player, house))
        sentence = f"Player {player} has to use {powers}, which makes room for the domino."
        faults.append(finding("KDD-3d", sentence, facts={"reading": "A-K18", "powers": powers}))
    why = "chooses to draw nothing" if example else "can draw neither half anywhere, and so draws nothing"
    return Verdict(finding("KDD-3d", f"Player {player} {why}."), tuple(faults))


def _square_faults(kingdom: Kingdom, marks: Sequence[Mark]) -> Iterator[Fault]:
    for at, mark in enumerate(marks):
        there = kingdom.at(mark.square)
        if mark.square == CASTLE:
            yield finding("KDD-3", f"{mark.where} is the castle; no coat is drawn there.", mark.where)
        elif there:
            sentence = f"{mark.where} is not empty: it holds {Face(there.coat, there.crosses).words}."
            yield finding("KDD-3", sentence, mark.where, facts={"there": str(there)})
        elif any(mark.square == other.square for other in marks[:at]):
            yield finding("KDD-3", f"Only one coat can be drawn on {mark.where}.", mark.where)


def _symbol_faults(symbols: tuple[Face, Face], marks: Sequence[Mark]) -> Iterator[Fault]:
    """Coats and crosses that the dice do not show, each mark held against the die nearest to it."""

    def wrong(symbol: Face, mark: Mark) -> tuple[bool, bool]:
        return symbol.coat not in (JOKER, mark.coat), symbol.crosses != mark.crosses

    def weight(order: Sequence[Face]) -> tuple[int, int]:
        found = [wrong(symbol, mark) for symbol, mark in zip(order, marks, strict=True)]
        return sum(coat for coat, _ in found), sum(crosses for _, crosses in found)

    best = min(permutations(symbols, len(marks)), key=weight)
    shown = " and ".join(symbol.words for symbol in symbols)
    for symbol, mark in zip(best, marks, strict=True):
        coat, crosses = wrong(symbol, mark)
        facts: dict[str, Json] = {"dice": [str(symbol) for symbol in symbols], "drawn": str(mark)}
        if coat:
            sentence = f"The dice show {shown}; {Face(mark.coat).words} at {mark.where} is not among them."
            yield finding("KDD-3e", sentence, mark.where, facts=facts)
        elif crosses:
            due = "no cross" if not symbol.crosses else f"{symbol.crosses} cross{'es' * (symbol.crosses > 1)}"
            sentence = f"The {coat_words(mark.coat)} at {mark.where} has {due} to get, not {mark.crosses}."
            yield finding("KDD-3f", sentence, mark.where, facts=facts)


def _connected(kingdom: Kingdom, mark: Mark, how: Manner) -> bool:
    return bool(reach(kingdom, Face(mark.coat), how) >> mark.square & 1)


def _connection_faults(kingdom: Kingdom, marks: Sequence[Mark], how: Manner) -> Iterator[Fault]:
    if how.free:
        return
    joined = [mark for mark in marks if _connected(kingdom, mark, how)]
    loose = [mark for mark in marks if mark not in joined]
    if not loose or (joined and not how.apart):
        return
    if how.chain and any(_chained(one, other) for one in loose for other in joined):
        return
    for mark in loose:
        equal = kingdom.coats[mark.coat] | 1 << CASTLE
        touched = next(each(corners(mark.square) & equal), None)
        if touched is not None:
            what = "the castle" if touched == CASTLE else f"the {coat_words(mark.coat)} at {NAMES[touched]}"
            sentence = f"{mark.where} meets {what} only at a corner, and corners do not connect."
            yield finding("KDD-3c", sentence, mark.where, NAMES[touched])
    names = " or ".join(mark.where for mark in loose)
    wanted = "each die drawn with P2 needs a connection of its own" if how.apart else "one half has to"
    sentence = f"The castle is not beside {names}; {wanted}."
    yield finding(
        "KDD-3a", sentence if how.apart else f"{sentence[:-1]} be, or touch an equal coat.", *_names(loose)
    )
    yield _no_equal(loose)


def _no_equal(loose: Sequence[Mark]) -> Fault:
    told = " and no ".join(f"{coat_words(mark.coat)} beside {mark.where}" for mark in loose)
    sentence = f"There is no {told} from an earlier turn"
    facts: dict[str, Json] = {"loose": [str(mark) for mark in loose]}
    if len(loose) == 2 and _chained(*loose):
        sentence += "; the two halves do not count for each other"
        facts["reading"] = "A-K5"
    return finding("KDD-3b", sentence + ".", *_names(loose), facts=facts)


def _chained(one: Mark, other: Mark) -> bool:
    """Whether two marks of one turn would connect if that counted."""
    return one.coat == other.coat and bool(beside(1 << one.square) >> other.square & 1)


def _single(state: DuelState, player: int, mark: Mark, house: House) -> tuple[list[Fault], list[Fault]]:
    """Faults of drawing this mark alone, and what lacks where it is half of what can be drawn."""
    apart = 2 in state.side(player).declared
    both = [drawing for drawing in to_draw(state, player, house) if len(drawing.marks) == 2]
    whole = next((drawing for drawing in both if mark in drawing.marks), None)
    rule, reading = ("KDD-P2", "A-K27") if apart else ("KDD-3", "A-K4")
    if whole:
        other = next(half for half in whole.marks if half != mark)
        sentence = f"Only {mark} is drawn; the other die is still to be drawn, at {other.where} for one."
        return [], [finding(rule, sentence, mark.where, other.where, facts={"reading": reading})]
    if both:
        sentence = f"Both dice have to be drawn, and no place is left for the other one beside {mark}."
        return [finding(rule, sentence, mark.where, facts={"reading": reading})], []
    if not apart:
        return [finding("KDD-3", f"One square is no domino: {mark} needs its other half.", mark.where)], []
    if not house.p2_partial:
        sentence = f"The other die fits nowhere, and then {mark} is not drawn either."
        return [finding("KDD-P2", sentence, mark.where, facts={"reading": "A-K7"})], []
    return [], []


def _allows(kingdom: Kingdom, marks: Sequence[Mark], how: Manner, house: House) -> Fault:
    """The rule by which these marks may be drawn, with the connection they have."""
    rule, told, squares = "KDD-P1", "No connection is needed under P1", _names(marks)
    for mark in marks:
        beside_it = beside(1 << mark.square) & kingdom.coats[mark.coat]
        if beside(1 << CASTLE) >> mark.square & 1:
            rule, told = "KDD-3a", f"{mark.where} is beside the castle"
            break
        if beside_it:
            touched = NAMES[next(each(beside_it))]
            rule, told = (
                "KDD-3b",
                f"{mark.where} is beside {touched}, which holds {coat_words(mark.coat)} too",
            )
            squares = (*squares, touched)
            break
    if how.apart:
        rule = "KDD-P2"
    outside = [mark.where for mark in marks if mark.crosses > house.circles]
    if outside:
        told += f"; {outside[0]} has only {house.circles} circles, so a cross goes beside them"
    return finding(rule, told + ".", *squares, facts={"outside": outside} if outside else {})


def _names(marks: Sequence[Mark]) -> tuple[str, ...]:
    return tuple(mark.where for mark in marks)
