"""What each signal does to a match."""

import shlex
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from device.journal.events import Draft, Picture
from device.journal.game import added, began, note
from device.match.match import Course, Keep, Match, Option, Pending, TakeAsItIs
from device.match.phase import Phase
from device.match.signals import Kind, Saw, Scored, SetUp, Signal, Told
from device.typed import after
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.history import History
from engine.matching import Happened, Nothing, OutOfStep, Question, Ruled, TakeBack, Unreadable
from engine.matching import Incomplete as Unfinished
from engine.plain import Json
from engine.record import Happening

Act: TypeAlias = Callable[[Course, Signal], None]
CANNOT = (BadNotation, ImpossibleFact, CannotStand)


# — what the table shows —


def set_up(course: Course, signal: Signal) -> None:
    """A game begins, or goes on from the table as it is."""
    seen = cast("SetUp", signal)
    anew = [] if course.match.game is None else [note("taken up anew")]
    course.keep([*anew, *began(seen.game, seen.pictures)])
    course.change(adopting=False)
    _agreed(course)
    course.play(seen.game)
    _rest(course)


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


def nothing(course: Course, _signal: Signal) -> None:
    """The table is as the record says: whatever was refused or withdrawn has been put right."""
    _agreed(course)
    course.change(refused=False)
    _rest(course)


def legal(course: Course, signal: Signal) -> None:
    """A move was made, or several, or facts were seen: it waits for its confirmation."""
    seen = cast("Saw", signal)
    verdict = cast("Ruled", seen.verdict)
    game = _led(course, verdict, stood=seen.stood)
    if game is None or _is_withdrawn(course, verdict.happened):
        return
    _propose(course, game, seen.pictures, Phase.RULED, verdict.sentence)


def refused(course: Course, signal: Signal) -> None:
    """An illegal move lies on the table: the same one again says nothing new."""
    seen = cast("Saw", signal)
    verdict = cast("Ruled", seen.verdict)
    last = _game(course).steps[-1] if _game(course).steps else None
    told = verdict.happened[-1].text
    lies = course.match.refused and len(verdict.happened) == 1 and not seen.stood
    if lies and last is not None and last.happened.text == told:
        course.become(Phase.ILLEGAL, last.ruling.reason if last.ruling else "")
    elif not _is_withdrawn(course, verdict.happened[-1:]):
        game = _led(course, verdict, stood=seen.stood)
        if game is not None:
            reason = verdict.ruling.reason if verdict.ruling else verdict.sentence
            _propose(course, game, seen.pictures, Phase.ILLEGAL, reason)


def question(course: Course, signal: Signal) -> None:
    """People are asked, unless they have just answered the same question for the same table."""
    seen = cast("Saw", signal)
    asked = cast("Question", seen.verdict)
    options: list[Option] = []
    for choice in asked.choices:
        game = _led(course, choice.outcome, stood=seen.stood)
        if game is None:
            return
        options.append(Option(choice.text, game))
    if _key(options) == course.match.settled_question:
        _rest(course)
    elif course.match.phase is not Phase.ASKING or _key(options) != _key(course.match.options):
        _ask(course, asked.sentence, options, seen.pictures)


def incomplete(course: Course, signal: Signal) -> None:
    """A move has begun, or is half seen; the table is watched until it is whole."""
    seen = cast("Unfinished", cast("Saw", signal).verdict)
    phase = Phase.ILLEGAL if course.match.refused else Phase.UNFINISHED
    course.become(phase, seen.sentence, [one.sentence for one in seen.differences])


def take_back(course: Course, signal: Signal) -> None:
    """The table is as it was before: the steps since are taken back, once that is confirmed."""
    seen = cast("Saw", signal)
    verdict = cast("TakeBack", seen.verdict)
    if course.match.ahead:
        course.become(Phase.OUT_OF_STEP, "The table does not show yet what was entered.", [verdict.sentence])
        return
    game = _led(course, verdict, stood=seen.stood)
    if game is not None:
        _propose(course, game, seen.pictures, Phase.RULED, verdict.sentence)


def different(course: Course, signal: Signal) -> None:
    """Table and record disagree."""
    seen = cast("OutOfStep", cast("Saw", signal).verdict)
    places = [one.sentence for one in seen.differences]
    course.become(Phase.OUT_OF_STEP, "Table and record disagree.", places)


def unreadable(course: Course, signal: Signal) -> None:
    """The camera cannot tell; that is no player's fault, and is said in other words."""
    seen = cast("Unreadable", cast("Saw", signal).verdict)
    places = [one.sentence for one in seen.differences]
    course.become(Phase.OUT_OF_STEP, f"I cannot see it well enough: {seen.sentence}", places)


# — what the gate and the camera say —


def hand(course: Course, _signal: Signal) -> None:
    """A hand comes: what was seen and does not count yet is seen again when it has left."""
    if course.match.phase is not Phase.ILLEGAL or course.match.pending is not None:
        course.become(Phase.HANDS)


def free(course: Course, _signal: Signal) -> None:
    """The hand has left."""
    course.become(Phase.SETTLING)


def seen_again(course: Course, signal: Signal) -> None:
    """There is a picture again."""
    course.look_anew()
    _rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.HANDS if signal.kind is Kind.HAND else Phase.SETTLING)


def lost(course: Course, signal: Signal) -> None:
    """The camera is away: the match goes on by hand."""
    course.change(camera=False)
    if course.match.phase not in (Phase.PAUSED, Phase.FINISHED):
        course.become(Phase.CAMERA_LOST, cast("Told", signal).words)


def blind(course: Course, signal: Signal) -> None:
    """The picture shows nothing; if that lasts, the camera counts as lost."""
    if course.match.blind is None:
        course.change(blind=(course.now, cast("Told", signal).words))


# — what people do —


def confirm(course: Course, signal: Signal) -> None:
    """What was seen counts now; a refused move stands when both players have confirmed it."""
    player = cast("Told", signal).number
    refused = course.match.phase is Phase.ILLEGAL
    if course.match.pending is not None:
        _count(course, [note("confirmed", by=player)])
    if refused and course.match.phase is Phase.ILLEGAL and player:
        course.change(agreed=course.match.agreed | {player})
        if course.match.agreed == {1, 2}:
            let_stand(course, signal)


def undo(course: Course, signal: Signal) -> None:
    """What was seen is challenged, or the last move is taken back with what it revealed."""
    match = course.match
    if match.phase is Phase.ILLEGAL:
        misread(course, signal)
    elif match.phase is Phase.ASKING:
        course.become(Phase.OUT_OF_STEP, "None of these: type what happened, or put it back.")
    elif match.pending is not None:
        fresh = match.pending.game.steps[len(_game(course).steps) :]
        course.keep([note("challenged", match.pending.pictures, said=[step.happened.text for step in fresh])])
        gone = {step.happened.text for step in fresh}
        course.change(withdrawn=match.withdrawn | gone, ahead=not fresh)
        course.become(Phase.OUT_OF_STEP, "Challenged: type what happened, or put it back.")
    else:
        _undo_last(course)


def pause(course: Course, _signal: Signal) -> None:
    """The players are away; what was seen and does not count yet is seen again when they are back."""
    if course.match.game is not None:
        course.keep([note("paused")])
    course.become(Phase.PAUSED)


def resume(course: Course, _signal: Signal) -> None:
    """The players are back; what could not be written is tried again."""
    if course.match.problem:
        course.orders.append(Keep(course.match.unsaved, again=True))
    elif course.match.game is not None:
        course.keep([note("resumed")])
    course.change(problem="")
    course.look_anew()
    _rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.SETTLING)


def choose(course: Course, signal: Signal) -> None:
    """The question is answered."""
    number = cast("Told", signal).number
    if not 0 <= number < len(course.match.options):
        course.change(notice=f"There is no choice {number + 1}.")
        return
    option, key = course.match.options[number], _key(course.match.options)
    game = _game(course)
    course.keep([note("answered", answer=option.words), *added(game, option.game, course.match.asked)])
    if len(option.game.entries) > len(game.entries):
        _changed_by_people(course, option.game)
    else:
        course.change(settled_question=key)
        _rest(course)


def put_back(course: Course, _signal: Signal) -> None:
    """The refused move counts as tried, and the table is waited for."""
    if course.match.pending is not None:
        _count(course)
    course.change(words="Put it back as it was.")


def let_stand(course: Course, _signal: Signal) -> None:
    """The players let the refused move stand."""
    if course.match.pending is not None:
        _count(course)
    game = _game(course)
    try:
        stood = game.stand("the players let it stand")
    except CannotStand as wrong:
        course.change(notice=str(wrong), agreed=frozenset())
        return
    course.keep(added(game, stood))
    _changed_by_people(course, stood)


def misread(course: Course, _signal: Signal) -> None:
    """The refusal rests on an error of the eye: what was it, among the nearest legal moves?"""
    match, game = course.match, _game(course)
    seen = match.pending.game if match.pending else game
    step = seen.steps[-1]
    near = step.ruling.nearest if step.ruling else ()
    words = "Misread. What was it?"
    if match.pending is not None:
        options = [Option(text, game.move(text)) for text in near]
        pictures = match.pending.pictures
    else:
        options = [
            Option(text, game.correct(step.place, Happening("move", text), "misread")) for text in near
        ]
        options.append(Option("nothing happened", game.correct(step.place, None, "misread")))
        pictures = ()
    course.change(withdrawn=match.withdrawn | {step.happened.text})
    _ask(course, words, options, pictures)


def as_it_is(course: Course, _signal: Signal) -> None:
    """The players want the game to go on from the table as it is."""
    course.change(notice="Taking the table as it is.", adopting=True)
    course.orders.append(TakeAsItIs())


def typed(course: Course, signal: Signal) -> None:
    """A move, a fact or a correction is told by hand, at any time, about any entry."""
    match = course.match
    before = match.game or match.blank
    if before is None:
        course.change(notice="There is no game to type into.")
        return
    try:
        game = after(before, cast("Told", signal).words.strip())
    except CANNOT as wrong:
        course.change(notice=str(wrong))
        return
    begins = began(before) if match.game is None else ()
    course.change(game=before)
    course.keep([*begins, *added(before, game)])
    _changed_by_people(course, game)


def scored(course: Course, signal: Signal) -> None:
    """The players' sheets are scored: that is remembered, and is no part of the game's record."""
    sheets = cast("Scored", signal)
    course.keep([note("sheets scored", sheets.pictures, **sheets.body)])
    course.change(notice=sheets.words)


# — what else happens —


def kept(course: Course, signal: Signal) -> None:
    """Events are on the disk."""
    told = cast("Told", signal)
    course.change(unsaved=course.match.unsaved[told.number :], notice=told.words or course.match.notice)


def not_kept(course: Course, signal: Signal) -> None:
    """The journal cannot be written: nothing goes on until it can."""
    course.become(Phase.PAUSED, cast("Told", signal).words)
    course.change(problem=cast("Told", signal).words)


def time(course: Course, _signal: Signal) -> None:
    """What was due happens."""
    match = course.match
    if match.due is None or match.due > course.now:
        return
    if match.blind is not None:
        lost(course, Told(Kind.LOST, match.blind[1]))
    else:
        _count(course)


def taken_up(match: Match, game: History, *, ahead: bool = False) -> Match:
    """The match that goes on with a game from its journal; the table is read anew.

    ``ahead``: whether people told what is last in it, so that the table may not show it yet.
    """
    course = Course(match, 0.0)
    course.play(game)
    course.change(withdrawn=_taken_back_last(game), ahead=ahead)
    _rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.SETTLING)
    return course.match


# — how —


def _taken_back_last(game: History) -> frozenset[str]:
    """What the last entries took back: it may still lie on the table."""
    gone = set()
    for entry in reversed(game.entries):
        if entry.correct is None or entry.happened is not None:
            break
        about = game.entries[entry.correct - 1].happened
        gone |= {about.text} if about else set()
    return frozenset(gone)


def _game(course: Course) -> History:
    if course.match.game is None:
        raise RuntimeError("the table of transitions let a signal about a game through before there is one")
    return course.match.game


def _rest(course: Course) -> None:
    """The phase in which a match is when nothing is the matter."""
    match = course.match
    if not match.camera:
        course.become(Phase.CAMERA_LOST, match.words)
    elif match.game is None:
        course.become(Phase.SETTING_UP)
    elif match.game.outcome is not None:
        course.become(Phase.FINISHED, match.game.outcome.reason, [_another(match.game)])
    elif match.refused:
        ruling = match.game.steps[-1].ruling
        course.become(Phase.ILLEGAL, ruling.reason if ruling else "")
    else:
        course.become(Phase.WATCHING)


def _another(game: History) -> str:
    """How people come to another game on the same terms."""
    header = game.header
    command = ["pipwatch", "run", "--game", header.game, "--players", ",".join(header.players)]
    command += [] if header.profile == "default" else ["--profile", header.profile]
    return f"For another game stop Pipwatch and start it anew: {shlex.join(command)}"


def _agreed(course: Course) -> None:
    """Table and record agree."""
    course.change(ahead=False, withdrawn=frozenset())


def _led(course: Course, seen: Ruled | TakeBack | Nothing, *, stood: bool) -> History | None:
    """The game to which this leads; where the record cannot take it up, table and record disagree."""
    game = course.match.stood if stood else _game(course)
    try:
        if game is None:
            raise CannotStand("The refused move cannot stand.")
        if isinstance(seen, TakeBack):
            for step in reversed(game.steps[len(game.steps) - seen.steps :]):
                game = game.correct(step.place, None, "taken back at the table")
        elif isinstance(seen, Ruled):
            for place, text in [(game.steps[-one.steps].place, one.text) for one in seen.revised]:
                game = game.correct(place, Happening("move", text), "told by what followed")
            for one in seen.happened:
                game = game.fact(one.text) if one.kind == "fact" else game.move(one.text)
    except CANNOT as wrong:
        course.become(Phase.OUT_OF_STEP, "Table and record disagree.", [str(wrong)])
        return None
    return game


def _is_withdrawn(course: Course, happened: Sequence[Happened]) -> bool:
    """Whether the table only shows still what people took back; then they are asked to put it right."""
    if not happened or happened[0].text not in course.match.withdrawn:
        return False
    course.become(Phase.OUT_OF_STEP, f"Taken back and still on the table: {happened[0].text}")
    return True


def _propose(course: Course, game: History, pictures: Sequence[Picture], phase: Phase, words: str) -> None:
    match = course.match
    if match.pending is not None and match.pending.game.entries == game.entries:
        return
    due = course.now + match.manners.calm_s if match.manners.confirm == "auto" else None
    course.become(phase, words)
    course.change(pending=Pending(game, due, tuple(pictures)))
    if due is not None and due <= course.now:
        _count(course)


def _count(course: Course, more: Sequence[Draft] = ()) -> None:
    """What was pending counts."""
    pending = course.match.pending
    if pending is None:
        return
    course.keep([*more, *added(_game(course), pending.game, pending.pictures)])
    _agreed(course)
    course.play(pending.game)
    _rest(course)


def _changed_by_people(course: Course, game: History) -> None:
    """The game is another one because somebody said so; the table may not show it yet."""
    match = course.match
    still = {step.happened.text for step in game.steps}
    gone = {step.happened.text for step in _game(course).steps} - still
    course.change(ahead=True, adopting=False, withdrawn=(match.withdrawn | gone) - still)
    course.play(game)
    if match.phase is Phase.PAUSED:
        course.change(notice="")
        return
    _rest(course)
    if course.match.phase is Phase.WATCHING:
        course.become(Phase.SETTLING)


def _undo_last(course: Course) -> None:
    game = _game(course)
    moves = _moves(game)
    try:
        before = game.undo()
        while moves and _moves(before) == moves:
            before = before.undo()
    except BadNotation as wrong:
        course.change(notice=str(wrong))
        return
    course.keep(added(game, before))
    _changed_by_people(course, before)


def _moves(game: History) -> int:
    return sum((step.happened.kind == "move") + step.stands for step in game.steps)


def _ask(course: Course, words: str, options: Sequence[Option], pictures: Sequence[Picture]) -> None:
    if not options:
        course.become(Phase.OUT_OF_STEP, f"{words} Type what happened, or put it back.")
        return
    known = len(course.match.game.entries) if course.match.game else 0
    told: dict[str, Json] = {
        "words": words,
        "choices": [option.words for option in options],
        "options": [[entry.to_json() for entry in option.game.entries[known:]] for option in options],
        "withdrawn": [*sorted(course.match.withdrawn)],
    }
    course.keep([note("asked", pictures, **told)])
    course.become(Phase.ASKING, words)
    course.change(options=tuple(options), asked=tuple(pictures))


def _key(options: Sequence[Option]) -> str:
    return "\n".join(option.words for option in options)
