"""What a match does with what the table shows."""

from collections.abc import Sequence
from typing import Final, cast

from device.journal.game import added, began, note
from device.match.acts.steps import (
    NONE_OF_THESE,
    TAKEN,
    agreed,
    ask,
    count,
    drop_wish,
    game_of,
    is_withdrawn,
    key_of,
    led,
    lies_refused,
    note_play,
    offer,
    placed,
    plays_on_alone,
    propose,
    rest,
)
from device.match.match import Course, Option, TakeAsItIs, if_it_stood
from device.match.phase import Phase
from device.match.signals import Kind, Saw, SetUp, Signal, Told
from engine.history import History
from engine.matching import Choice, Difference, OutOfStep, Question, Ruled, TakeBack, Unreadable
from engine.matching import Incomplete as Unfinished
from engine.matching import Nothing as Agreed

AS_RECORDED = "The table is as the record says."
"""What people are told who want the table to be taken as it is where nothing is the matter."""

ANOTHER_TABLE: Final = "The table looks different now: to take it as it is, both press once more."
"""What is said where the first one's word has lapsed before the second one's came."""


def set_up(course: Course, signal: Signal) -> None:
    """A game begins, or goes on from the table as it is: then all that was recorded before stays."""
    seen, before = cast("SetUp", signal), course.match.game
    if before is None:
        course.keep(began(seen.game, seen.pictures))
    elif not _goes_on(before, seen.game):
        # Something came to count meanwhile: the table is taken as it is again, beside what is known now.
        course.orders.append(TakeAsItIs())
        return
    else:
        course.keep([note("taken up anew", words=seen.words), *added(before, seen.game, seen.pictures)])
    if seen.stains:
        course.keep([note("stains", stains=[one.to_json() for one in seen.stains])])
    course.change(adopting=False)
    agreed(course)
    course.play(seen.game)
    course.change(answered=seen.words)
    rest(course)


def _goes_on(before: History, after: History) -> bool:
    """Whether a game is another one with more entries."""
    return before.header == after.header and after.entries[: len(before.entries)] == before.entries


def lacking(course: Course, signal: Signal) -> None:
    """The set-up is not complete; the players see what is missing."""
    lacks = cast("Told", signal).words.splitlines()
    course.change(words=lacks[0] if lacks else "", places=tuple(lacks[1:]))


def taken(course: Course, signal: Signal) -> None:
    """The table was to be taken as it is, and here it is, though a hand came meanwhile."""
    if course.match.adopting:
        set_up(course, signal)
    else:
        course.look_anew()


def not_taken(course: Course, signal: Signal) -> None:
    """The table cannot be taken as it is; the reasons are told, and what was asked or refused stays so."""
    reasons = cast("Told", signal).words.splitlines()
    course.change(adopting=False)
    if course.match.phase is Phase.SETTLING:
        course.become(Phase.OUT_OF_STEP, reasons[0], reasons[1:])
    else:
        course.change(notice=" ".join(reasons))


def nothing(course: Course, signal: Signal) -> None:
    """The table is as the record says: whatever was refused or withdrawn has been put right.

    Or as the record would be with what was noted since a refused move: then that is still asked.
    """
    if cast("Saw", signal).stood:
        lies_refused(course)
        return
    remark = cast("Agreed", cast("Saw", signal).verdict).remark
    if course.match.unanswered:
        words = "The table is as the record says: what was asked is settled."
        course.keep([note("settled", words=words, entries=0)])
        course.change(unanswered="", answered=words)
    if course.match.refused or course.match.ahead or course.match.withdrawn:
        # A match that is taken up again must know that nothing lies there still.
        course.keep([note("agreed")])
    agreed(course)
    asked_for = course.match.adopting or course.match.wish is Kind.AS_IT_IS
    course.change(refused=False, adopting=False, noted=None)
    if course.match.wish is not Kind.BRING_BACK:  # what was taken back need not lie there
        drop_wish(course)
    rest(course)
    if course.match.phase is Phase.WATCHING:
        course.change(words=remark, notice=AS_RECORDED if asked_for else "")


def legal(course: Course, signal: Signal) -> None:
    """A move was made, or several, or facts were seen: it waits for its confirmation.

    While another's hand is over the table who plays on has taken it for done; but a button is waited for.
    """
    seen = cast("Saw", signal)
    verdict = cast("Ruled", seen.verdict)
    adopting = course.match.adopting
    if _waits(course, seen):
        return
    game = led(course, verdict, stood=seen.stood)
    if game is None:
        return
    if is_withdrawn(course, verdict, next(iter(verdict.happened), None)):
        if not adopting or verdict.state is None:
            offer(course, [Choice(f"It was made: {verdict.sentence}", verdict)], seen.pictures)
            return
        # People say that the table is right and that this move was not made: the table counts.
        game = game_of(course).put(verdict.state, TAKEN)
    elif seen.stood and not adopting and plays_on_alone(course.match, game):
        note_play(course, game, seen.pictures)
        return
    propose(course, game, seen.pictures, Phase.RULED, verdict.sentence)
    if seen.hands or adopting:
        count(course)
        course.change(adopting=False)


def refused(course: Course, signal: Signal) -> None:
    """An illegal move lies on the table: the same one again says nothing new.

    Who plays on while it lies there has taken it for done; but a button is waited for.
    """
    seen = cast("Saw", signal)
    verdict = cast("Ruled", seen.verdict)
    if _waits(course, seen):
        return
    last = game_of(course).steps[-1] if game_of(course).steps else None
    told = verdict.happened[-1].text
    lies = course.match.refused and len(verdict.happened) == 1 and not seen.stood
    if lies and last is not None and told in (last.happened.text, *last.happened.alike):
        lies_refused(course)
    elif not is_withdrawn(course, verdict, verdict.happened[-1]):
        game = led(course, verdict, stood=seen.stood)
        if game is not None and seen.stood and plays_on_alone(course.match, game):
            if if_it_stood(game) is None:  # nothing could be held against that
                lies_refused(course)
            else:
                note_play(course, game, seen.pictures)
        elif game is not None:
            reason = verdict.ruling.reason if verdict.ruling else verdict.sentence
            propose(course, game, seen.pictures, Phase.ILLEGAL, reason)
            if seen.hands:
                count(course)


def question(course: Course, signal: Signal) -> None:
    """People are asked, unless they have just answered the same question for the same table."""
    seen = cast("Saw", signal)
    asked = cast("Question", seen.verdict)
    options: list[Option] = []
    for choice in asked.choices:
        game = led(course, choice.outcome, stood=seen.stood)
        if game is None:
            return
        options.append(Option(choice.text, game))
    if key_of(options) == course.match.settled_question:
        if course.match.words != NONE_OF_THESE:
            rest(course)
    elif course.match.phase is Phase.ASKING and key_of(options) == key_of(course.match.options):
        if not course.match.asked:  # asked before the match was stopped: this is what it is about
            course.change(options=placed(course, options), asked=tuple(seen.pictures))
    else:
        margins = [one.outcome.margin if isinstance(one.outcome, Ruled) else 0.0 for one in asked.choices]
        ask(course, asked.sentence, options, seen.pictures, None if seen.stood else margins)


def incomplete(course: Course, signal: Signal) -> None:
    """A move has begun, or is half seen; the table is watched until it is whole."""
    seen = cast("Unfinished", cast("Saw", signal).verdict)
    phase = Phase.ILLEGAL if course.match.refused else Phase.UNFINISHED
    course.become(phase, seen.sentence, [one.sentence for one in seen.differences])


def take_back(course: Course, signal: Signal) -> None:
    """The table is as it was before: the steps since are taken back, once that is confirmed."""
    seen = cast("Saw", signal)
    verdict = cast("TakeBack", seen.verdict)
    if _waits(course, seen):
        return
    if course.match.ahead and not course.match.adopting:
        course.become(Phase.OUT_OF_STEP, "The table does not show yet what was entered.", [verdict.sentence])
        last = game_of(course).steps[-verdict.steps :]
        said = " and ".join(step.happened.text for step in last)
        offer(course, [Choice(f"{said}: not made", verdict)], seen.pictures)
        return
    game = led(course, verdict, stood=seen.stood)
    if game is not None and seen.stood:
        note_play(course, game, seen.pictures)
    elif game is not None:
        propose(course, game, seen.pictures, Phase.RULED, verdict.sentence)
        if seen.hands or course.match.adopting:
            count(course)
            course.change(adopting=False)


def _waits(course: Course, seen: Saw) -> bool:
    """Whether what was left behind by one player waits for a button, while another's hand is there."""
    return seen.hands and course.match.manners.confirm == "button"


def different(course: Course, signal: Signal) -> None:
    """Table and record disagree."""
    seen_ = cast("Saw", signal)
    seen = cast("OutOfStep", seen_.verdict)
    places = [one.sentence for one in seen.differences]
    off = _hold_to_their_words(course, places)
    course.become(Phase.OUT_OF_STEP, "Table and record disagree.", places)
    course.change(notice=off)
    course.change(differs=_named(seen.differences))
    if not seen_.stood:
        offer(course, seen.choices, seen_.pictures)


def unreadable(course: Course, signal: Signal) -> None:
    """The camera cannot tell; that is no player's fault, and is said in other words."""
    seen = cast("Unreadable", cast("Saw", signal).verdict)
    places = [one.sentence for one in seen.differences]
    off = _hold_to_their_words(course, places)
    course.become(Phase.OUT_OF_STEP, f"I cannot see it well enough: {seen.sentence}", places)
    course.change(notice=off)
    course.change(differs=_named(seen.differences))


def _hold_to_their_words(course: Course, places: Sequence[str]) -> str:
    """Who has agreed to a table has agreed to no other one, nor to a refused move that is gone.

    Returns what is to be said of it: whoever has pressed would wait for the other one in vain.
    """
    match = course.match
    another = match.wish is Kind.AS_IT_IS and match.agreed and tuple(places) != match.wished
    if another or match.wish is Kind.LET_STAND:
        drop_wish(course)
    told_before = match.notice == ANOTHER_TABLE and tuple(places) == match.places
    return ANOTHER_TABLE if another or told_before else ""


def _named(differences: Sequence[Difference]) -> tuple[tuple[str, str], ...]:
    """Where a board shows them."""
    return tuple((one.piece, one.place) for one in differences if one.piece or one.place)
