"""What may be done now, and everything that is wrong with a move that may not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.kingdomino_duel.drawing import judge_drawing, may_draw_nothing, to_draw
from engine.kingdomino_duel.edition import COATS, LETTERS, Face, coat_words
from engine.kingdomino_duel.kingdom import CASTLE, NAMES
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    DieRef,
    Draw,
    DuelMove,
    DuelState,
    Name,
    Take,
    Turn,
)
from engine.kingdomino_duel.rules import House
from engine.kingdomino_duel.taking import begun, due, taker
from engine.kingdomino_duel.verdict import Verdict, finding
from engine.ruling import Fault, Ruling, Status

COUNT = ("no die", "one die", "two dice", "three dice", "four dice")


def movers(state: DuelState) -> tuple[int, ...]:
    """Who may act now, A named first; while nobody is A yet either takes a die.

    In step 3 both may, and in step 4 both who have won a power that is used at once.
    """
    if state.stage == "draft":
        return (1, 2) if state.a is None else (taker(state),)
    if state.stage == "draw":
        return tuple(player for player in state.players if state.side(player).drawing == "due")
    if state.stage == "bolts":
        return tuple(player for player in state.players if state.side(player).bolts)
    return ()


def players_of(state: DuelState, move: DuelMove) -> tuple[int, ...]:
    """Whose move this may be: who is said to make it, else who may act; a power is used by who has won it."""
    if move.player:
        return (move.player,)
    able = movers(state)
    if isinstance(move, Name | Cross):
        return tuple(player for player in able if _power_of(move) in state.side(player).bolts) or able
    return able


def _power_of(move: Name | Cross) -> int:
    return 5 if isinstance(move, Name) else 6


# — all legal moves —


def legal_moves(state: DuelState, player: int, house: House) -> Iterator[DuelMove]:
    """Everything that a mover may do now, dice by their numbers, no two alike."""
    if state.stage == "draft":
        yield from _takes(state, player)
    elif state.stage == "draw":
        yield from _before_drawing(state, player, house)
        yield from to_draw(state, player, house)
        if may_draw_nothing(state, player, house):
            yield Draw(player, ())
    else:
        for power in state.side(player).bolts:
            yield from bolt_moves(state, player, power, house)


def _takes(state: DuelState, player: int) -> Iterator[Take]:
    middle = state.taken(None)
    pairs = [(one, other) for one in middle for other in middle if one < other]
    if due(state) == 1:
        yield from (Take(player, (number,)) for number in middle)
        if player == state.a and state.book.holds(state.edition, player, 3):
            yield from (Take(player, pair, at_once=True) for pair in pairs)
    else:
        yield from (Take(player, pair) for pair in pairs)


def _before_drawing(state: DuelState, player: int, house: House) -> Iterator[DuelMove]:
    side = state.side(player)
    for power in (1, 2):
        if state.book.holds(state.edition, player, power) and (house.combine_powers or not side.declared):
            yield Declare(player, power)
    own = state.taken(player)
    if state.book.holds(state.edition, player, 4):
        for number in own:
            yield from (Turn(player, number, face) for face in dict.fromkeys(state.edition.dice[number - 1]))
    if not side.roof:
        yield from (Castle(player, number) for number in own)


def bolt_moves(state: DuelState, player: int, power: int, house: House) -> Iterator[DuelMove]:
    """All that this player could choose for P5 or P6."""
    kingdom = state.side(player).kingdom
    if power == 5:
        for coat in range(len(COATS)):
            if kingdom.coats[coat] or not house.p5_requires_presence:
                yield Name(player, coat)
    else:
        yield from (Cross(player, mark.square) for mark in kingdom.marks() if mark.crosses < house.circles)


# — which dice a move speaks of —


@dataclass(frozen=True, slots=True)
class Unclear:
    """A move whose dice cannot be told: none shows the face, or several do."""

    fault: Fault
    lacking: bool = False
    """Whether saying more would make it clear."""


def settled(state: DuelState, move: DuelMove, player: int) -> DuelMove | Unclear:
    """The move with its player and with its dice by number."""
    if isinstance(move, Take):
        numbers = _numbers(state, move.dice, state.taken(None))
        return numbers if isinstance(numbers, Unclear) else replace(move, player=player, dice=numbers)
    if isinstance(move, Turn | Castle):
        numbers = _numbers(state, (move.die,), state.taken(player), _rule_of(move))
        return numbers if isinstance(numbers, Unclear) else replace(move, player=player, die=numbers[0])
    return move if move.player == player else replace(move, player=player)


def _numbers(
    state: DuelState, dice: Sequence[DieRef], among: Sequence[int], rule: str = "KDD-2"
) -> tuple[int, ...] | Unclear:
    """The numbers of these dice; a face stands for a die of ``among``, or of any if none there shows it."""
    numbers = [die for die in dice if isinstance(die, int)]
    faces = [die for die in dice if not isinstance(die, int)]
    for number in numbers:
        if not 1 <= number <= len(state.dice):
            return Unclear(finding(rule, f"There is no die {number}; the dice are 1 to 4."))
    for face in dict.fromkeys(faces):
        showing = [n for n, die in enumerate(state.dice, 1) if die.shows == face and n not in numbers]
        fitting = [number for number in showing if number in among] or showing
        if len(fitting) < faces.count(face):
            return Unclear(finding(rule, f"No die{' more' * (face in faces[1:])} shows {face.words}."))
        if len(fitting) > faces.count(face):
            which = " and ".join(str(number) for number in fitting)
            sentence = f"Dice {which} show {face.words} alike; say the number of the one that is meant."
            return Unclear(finding(rule, sentence, facts={"dice": list(fitting)}), lacking=True)
        numbers += fitting
    return tuple(numbers)


def _rule_of(move: Declare | Turn | Castle | Draw) -> str:
    """The rule by which a move of step 3 is made."""
    if isinstance(move, Declare):
        return f"KDD-P{move.power}"
    if isinstance(move, Turn):
        return "KDD-P4"
    return "KDD-C" if isinstance(move, Castle) else "KDD-3"


# — the verdict on one move —


def judge(state: DuelState, move: DuelMove, house: House, profile: str) -> Ruling:
    """The ruling on ``move``, with every fault it has."""
    players = players_of(state, move) or (state.a or 1,)
    rulings = [_verdict(state, move, player, house).ruling(profile) for player in players]
    if len(rulings) > 1 and any(ruling.status != Status.ILLEGAL for ruling in rulings):
        rule, what = ("KDD-2", "take the first die") if state.stage == "draft" else ("KDD-3", "draw now")
        sentence = f"Both players may {what}: say whose move this is, with 1: or 2: in front."
        return Ruling.refusal((finding(rule, sentence),), status=Status.INCOMPLETE, profile=profile)
    return rulings[0]


def _verdict(state: DuelState, move: DuelMove, player: int, house: House) -> Verdict:
    state = begun(state, move, player)
    untimely = tuple(_timing(state, move, player))
    if untimely and not state.dice and isinstance(move, Take | Turn | Castle):
        return Verdict(untimely[0], untimely)  # there are no dice yet of which more could be said
    clear = settled(state, move, player)
    if isinstance(clear, Unclear):
        if clear.lacking:
            return Verdict(clear.fault, untimely, (clear.fault,))
        return Verdict(clear.fault, (*untimely, clear.fault))
    found = _own_verdict(state, clear, player, house, timely=not untimely)
    return replace(found, faults=(*untimely, *found.faults))


def _own_verdict(state: DuelState, move: DuelMove, player: int, house: House, *, timely: bool) -> Verdict:
    if isinstance(move, Take):
        return _judge_take(state, move, player, timely=timely)
    if isinstance(move, Declare):
        return _judge_declare(state, move, player, house)
    if isinstance(move, Turn):
        return _judge_turn(state, move, player)
    if isinstance(move, Castle):
        return _judge_castle(state, move, player)
    if isinstance(move, Draw):
        return judge_drawing(state, player, move.marks, house)
    if isinstance(move, Name):
        return _judge_name(state, move, player, house)
    return _judge_cross(state, move, player, house)


def _timing(state: DuelState, move: DuelMove, player: int) -> Iterator[Fault]:
    """What is wrong with the moment of the move."""
    if state.stage == "over":
        yield ending(state)
    elif state.stage == "oldest":
        yield finding("KDD-SETUP", "First it has to be said who is the oldest: that player begins as A.")
    elif state.stage == "roll":
        yield finding("KDD-1", f"Player {state.a} has to roll the four dice first.", facts={"a": state.a})
    elif isinstance(move, Name | Cross):
        yield from _bolt_timing(state, _power_of(move), player)
    elif isinstance(move, Take):
        yield from _take_timing(state, player)
    elif state.stage == "draft":
        who = f"player {taker(state)}" if state.a else "whoever begins"
        sentence = f"The dice are not shared out yet: {who} takes {COUNT[due(state)]} now."
        yield finding("KDD-0", sentence)
    elif state.stage == "bolts":
        yield finding("KDD-0", f"Both maps are filled in for this turn; {_bolts_due(state)}.")
    elif state.side(player).drawing != "due":
        yield finding(_rule_of(move), f"Player {player} has finished the drawing of this turn.")


def ending(state: DuelState) -> Fault:
    """Why a game that is over has ended."""
    full = [player for player in (1, 2) if not state.side(player).kingdom.empty]
    if full:
        whose = "both maps are" if len(full) == 2 else f"player {full[0]}'s map is"
        return finding("KDD-E1", f"The game is over: {whose} full.", facts={"full": list(full)})
    return finding("KDD-E2", "The game is over: neither player could draw anything.")


def _bolts_due(state: DuelState) -> str:
    each = (
        f"player {player} has to use {' and '.join(f'P{power}' for power in state.side(player).bolts)}"
        for player in movers(state)
    )
    return f"{' and '.join(each)} now"


def _bolt_timing(state: DuelState, power: int, player: int) -> Iterator[Fault]:
    if state.stage != "bolts" or power not in state.side(player).bolts:
        fault = _power_fault(state, player, power)
        yield fault or finding(f"KDD-P{power}", f"P{power} is used when its line is completed, not now.")


def _take_timing(state: DuelState, player: int) -> Iterator[Fault]:
    if state.stage != "draft":
        yield finding("KDD-2", "All four dice are taken for this turn.")
    elif player != taker(state):
        role = "A" if taker(state) == state.a else "B"
        sentence = f"Player {taker(state)} is {role} and takes {COUNT[due(state)]} now, not player {player}."
        yield finding("KDD-2", sentence, facts={"taker": taker(state)})


def _power_fault(state: DuelState, player: int, power: int) -> Fault | None:
    """Why this player does not have this power, if so."""
    coat = state.edition.coat_of(power)
    line = f"the {COATS[coat]} line"
    owner = state.book.owner(state.edition, coat)
    if owner != player:
        filled, length = state.book.ticks[player - 1][coat], state.edition.lines[coat].length
        why = (
            f"player {owner} completed {line} first"
            if owner
            else f"player {player} has filled in {filled} of {length} squares of {line}"
        )
        facts = {"owner": owner, "filled": filled, "length": length}
        return finding(f"KDD-P{power}", f"P{power} is not player {player}'s to use: {why}.", facts=facts)
    if state.book.spent[coat]:
        return finding("KDD-P", f"P{power} is crossed off: it was used before.", facts={"power": power})
    return None


def _judge_take(state: DuelState, move: Take, player: int, *, timely: bool) -> Verdict:
    numbers = [die for die in move.dice if isinstance(die, int)]
    faults: list[Fault] = []
    lacks: list[Fault] = []
    for at, number in enumerate(numbers):
        holder = state.dice[number - 1].taker
        if number in numbers[:at]:
            faults.append(finding("KDD-2", f"Die {number} can be taken only once."))
        elif holder:
            sentence = f"Die {number} ({state.dice[number - 1].shows.words}) is player {holder}'s already."
            faults.append(finding("KDD-2", sentence, facts={"die": number, "holder": holder}))
    if move.at_once:
        if player != state.a:
            faults.append(finding("KDD-P3", f"P3 is for player A only, and player {player} is B this turn."))
        missing = _power_fault(state, player, 3)
        if missing:
            faults.append(missing)
        if len(numbers) != 2:
            wrong = finding("KDD-P3", f"P3 takes two dice at once, not {COUNT[min(len(numbers), 4)]}.")
            (lacks if len(numbers) < 2 else faults).append(wrong)
    elif timely:
        _count_dice(state, player, len(numbers), faults, lacks)
    shown = " and ".join(state.dice[number - 1].shows.words for number in numbers)
    rule = "KDD-P3" if move.at_once else "KDD-2"
    return Verdict(finding(rule, f"Player {player} takes {shown}."), tuple(faults), tuple(lacks))


def _count_dice(state: DuelState, player: int, count: int, faults: list[Fault], lacks: list[Fault]) -> None:
    """Too many dice taken, or too few."""
    wanted = due(state)
    if count == 2 and player == state.a:
        missing = _power_fault(state, player, 3)
        if missing is None:
            lacks.append(finding("KDD-P3", "Two dice at once are taken with P3; it has to be said."))
        else:
            sentence = f"Player A takes one die first, not two; {missing.sentence}"
            faults.append(finding("KDD-P3", sentence, facts=missing.facts))
    elif count != wanted:
        sentence = f"Player {player} has to take {COUNT[wanted]}, not {COUNT[min(count, 4)]}."
        (lacks if count < wanted else faults).append(finding("KDD-2", sentence, facts={"due": wanted}))


def _judge_declare(state: DuelState, move: Declare, player: int, house: House) -> Verdict:
    faults = []
    missing = _power_fault(state, player, move.power)
    if missing:
        faults.append(missing)
    other = 3 - move.power
    if other in state.side(player).declared and not house.combine_powers:
        sentence = f"P{other} is in use this turn, and P1 and P2 are not combined."
        faults.append(finding(f"KDD-P{move.power}", sentence, facts={"reading": "A-K9"}))
    what = "needs no connection" if move.power == 1 else "may be drawn apart"
    return Verdict(
        finding(f"KDD-P{move.power}", f"Player {player}'s domino {what} this turn."), tuple(faults)
    )


def _own_die_fault(state: DuelState, rule: str, number: int, player: int) -> Fault | None:
    die = state.dice[number - 1]
    if die.taker == player:
        return None
    where = f"player {die.taker}'s" if die.taker else "in the middle"
    sentence = f"Die {number} ({die.shows.words}) is {where}, not in player {player}'s domino."
    return finding(rule, sentence, facts={"die": number, "holder": die.taker})


def _judge_turn(state: DuelState, move: Turn, player: int) -> Verdict:
    number = _number(move.die)
    faults = [
        fault
        for fault in (_power_fault(state, player, 4), _own_die_fault(state, "KDD-P4", number, player))
        if fault
    ]
    faces = tuple(dict.fromkeys(state.edition.dice[number - 1]))
    if move.face not in faces:
        known = " ".join(str(face) for face in faces)
        sentence = f"Die {number} has no face with {move.face.words}; it has {known}."
        faults.append(finding("KDD-P4", sentence, facts={"die": number, "faces": known}))
    sentence = f"Player {player} turns die {number} to {move.face.words}."
    return Verdict(finding("KDD-P4", sentence), tuple(faults))


def _judge_castle(state: DuelState, move: Castle, player: int) -> Verdict:
    number = _number(move.die)
    faults = []
    if state.side(player).roof:
        faults.append(
            finding(
                "KDD-C",
                f"The roof of player {player}'s castle is coloured: its cross was used before.",
                "r3c4",
            )
        )
    foreign = _own_die_fault(state, "KDD-C", number, player)
    if foreign:
        faults.append(foreign)
    symbol = state.dice[number - 1].symbol
    gains = Face(symbol.coat, symbol.crosses + 1)
    sentence = f"Die {number} gets the cross of the castle: {gains.words}."
    return Verdict(finding("KDD-C", sentence, "r3c4"), tuple(faults))


def _judge_name(state: DuelState, move: Name, player: int, house: House) -> Verdict:
    faults = []
    if house.p5_requires_presence and not state.side(player).kingdom.coats[move.coat]:
        sentence = f"There is no {coat_words(move.coat)} on player {player}'s map to be named."
        faults.append(finding("KDD-P5", sentence, facts={"reading": "A-K13"}))
    sentence = f"Every domain of {coat_words(move.coat)} will earn player {player} 3 points."
    return Verdict(finding("KDD-P5", sentence, facts={"coat": LETTERS[move.coat]}), tuple(faults))


def _judge_cross(state: DuelState, move: Cross, player: int, house: House) -> Verdict:
    where = NAMES[move.square]
    mark = state.side(player).kingdom.at(move.square)
    faults = []
    if mark is None:
        what = "is the castle" if move.square == CASTLE else "holds no coat"
        faults.append(finding("KDD-P6", f"{where} {what}; a cross goes on a coat of player {player}.", where))
    elif mark.crosses >= house.circles:
        sentence = f"All {house.circles} circles of {where} ({coat_words(mark.coat)}) are crossed."
        faults.append(finding("KDD-P6", sentence, where, facts={"reading": "A-K15", "crosses": mark.crosses}))
    gains = coat_words(mark.coat, mark.crosses + 1) if mark else "nothing"
    return Verdict(finding("KDD-P6", f"{where} is now {gains}.", where), tuple(faults))


def _number(die: DieRef) -> int:
    """The number of a die of a settled move."""
    assert isinstance(die, int)  # settled() has seen to it
    return die
