"""What both players must agree to: that a refused move stands, that the table counts as it lies, and that
either of these counts again after it was taken back.

Each agrees in their own name, by their button or on the page; the second of them makes it so. Until then
whoever has agreed may take it back, and nothing has changed. A wish that somebody made in nobody's name (the
fifth button, a typed word) only asks: then both are waited for. Whoever plays on from their own refused move
has agreed to it by that; what they do then is noted, and counts with the other's word.
"""

import re
from typing import Final, cast

from device.journal.game import added, note
from device.match.acts.steps import TAKEN, changed_by_people, count, game_of, rest
from device.match.match import Course, TakeAsItIs
from device.match.phase import Phase
from device.match.signals import Kind, Signal, Told
from device.typed import after
from engine import CannotStand
from engine.history import History

BOTH: Final = frozenset({1, 2})
ASKED: Final = "Both must agree: each presses their own button."
"""What is said where somebody agrees, and nobody can know who it is."""
WITHDRAWN: Final = "Taken back: nothing has changed."
_STAND: Final = "the players let it stand"
_LINE: Final = re.compile(r"(?:([12]): *)?(stand|as it is)(?: .*)?")
_WISHES: Final = {"stand": Kind.LET_STAND, "as it is": Kind.AS_IT_IS}


def meant(line: str) -> Told | None:
    """The wish that a typed line is, or None: “stand” asks both, “1: stand” is that player's word."""
    found = _LINE.fullmatch(line.strip())
    return None if found is None else Told(_WISHES[found[2]], number=int(found[1] or 0))


def confirm(course: Course, signal: Signal) -> None:
    """What was seen counts now; where both are asked for something, it is the word of one of them.

    A screen that showed a move means that move, though somebody wished for something else meanwhile.
    """
    told, match = cast("Told", signal), course.match
    tables = match.wish in (Kind.AS_IT_IS, Kind.BRING_BACK)
    if match.wish is not None and tables and not (told.key and match.pending is not None):
        _agree(course, match.wish, told.number)
        return
    refused = match.phase in (Phase.ILLEGAL, Phase.CAMERA_LOST)
    if match.pending is not None:
        count(course, [note("confirmed", by=told.number)])
    if refused and course.match.phase in (Phase.ILLEGAL, Phase.CAMERA_LOST) and told.number:
        _agree(course, Kind.LET_STAND, told.number)


def let_stand(course: Course, signal: Signal) -> None:
    """A player would let the refused move stand; it counts as refused, at least, from now on."""
    if course.match.pending is not None:
        count(course)
    try:
        game_of(course).stand(_STAND)
    except CannotStand as wrong:
        course.change(notice=str(wrong), wish=None, agreed=frozenset())
        return
    _agree(course, Kind.LET_STAND, cast("Told", signal).number)


def as_it_is(course: Course, signal: Signal) -> None:
    """A player wants the game to go on from the table as it is."""
    _agree(course, Kind.AS_IT_IS, cast("Told", signal).number)


def bring_back(course: Course, signal: Signal) -> None:
    """A player agrees that what both had agreed to counts again."""
    _agree(course, Kind.BRING_BACK, cast("Told", signal).number)


def asks_to_bring_back(course: Course, line: str, game: History, player: int) -> bool:
    """Whether a typed line would make something count again to which both had agreed: then both are asked."""
    if not agreed_to(game) - agreed_to(game_of(course)):
        return False
    if course.match.bringing != line:
        course.change(bringing=line, wish=None, agreed=frozenset())
    _agree(course, Kind.BRING_BACK, player)
    return True


def agreed_to(game: History) -> frozenset[int]:
    """The entries that count and to which both had agreed."""
    taken = (one.n for one in game.counting if one.happened is not None and one.happened.text == TAKEN)
    return frozenset([one.n for one in game.counting if one.stand is not None]).union(taken)


def withdraw(course: Course, signal: Signal) -> None:
    """A player takes their word back; in nobody's name, all of it is off."""
    player = cast("Told", signal).number
    left = course.match.agreed - {player} if player else frozenset()
    course.change(agreed=left, wish=course.match.wish if left else None, notice=WITHDRAWN)


def _agree(course: Course, wish: Kind, player: int) -> None:
    match = course.match
    if player not in (0, *BOTH):
        course.change(notice=f"There is no player {player}.")
        return
    agreed = (match.agreed if match.wish is wish else frozenset()) | ({player} if player else frozenset())
    played_on = {match.accused} if wish is Kind.LET_STAND and match.noted is not None else set()
    if not agreed | played_on >= BOTH:
        places = match.wished if match.wish is wish and match.agreed else match.places
        course.change(wish=wish, agreed=agreed, wished=places, notice="" if player else ASKED)
        return
    course.change(wish=None, agreed=frozenset(), notice="")
    if wish is Kind.LET_STAND:
        _stands(course)
    elif wish is Kind.BRING_BACK:
        brought = after(game_of(course), match.bringing)
        course.keep(added(game_of(course), brought))
        changed_by_people(course, brought)
    else:
        _goes_on(course)
        course.change(notice="Taking the table as it is.", adopting=True)
        course.orders.append(TakeAsItIs())


def _goes_on(course: Course) -> None:
    """Who wants the table to be taken as it is wants the game to go on: out of a pause, or after its end."""
    if course.match.phase is Phase.PAUSED and course.match.game is not None:
        course.keep([note("resumed")])
    if course.match.phase in (Phase.PAUSED, Phase.FINISHED):
        course.look_anew()
        rest(course)
        if course.match.phase in (Phase.WATCHING, Phase.FINISHED):
            course.become(Phase.SETTLING)


def _stands(course: Course) -> None:
    game = game_of(course)
    if course.match.noted is not None:
        course.change(pending=course.match.noted)
        count(course)
        return
    try:
        stood = game.stand(_STAND)
    except CannotStand as wrong:
        course.change(notice=str(wrong))
        return
    course.keep(added(game, stood))
    changed_by_people(course, stood)
