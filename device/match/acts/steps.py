"""What several acts have in common: how a match comes to rest, to a question, and to another game."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from device.journal.events import Draft, Picture
from device.journal.game import added, note
from device.match.match import Course, Match, Option, Pending, if_it_stood, made_by
from device.match.phase import Phase
from device.match.shown import Box, Crop, around
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.book import AnyRuleBook
from engine.history import History, Step
from engine.matching import Choice, Happened, Instead, Nothing, Ruled, TakeBack
from engine.plain import Json
from engine.record import Happening, Kind

CANNOT = (BadNotation, ImpossibleFact, CannotStand)
TAKEN = "the table as it is"
"""What the record says of a table that players say lies as it should."""
NOT_MADE = "it was not made"
"""Why an entry is taken back that people say is false."""
MISREAD = "Misread. What was it?"
"""The question about a refusal; a move that is seen later says nothing of what was misread."""
DENIED = "It still reads as {}, and you have said that it is not."
GO_ON = "Put it back, type what happened, or take the table as it is."
"""How people go on whose table still shows what they say was not done."""
NONE_OF_THESE = "None of these: type what happened, or put it back."
"""What is said once people have denied every answer."""
SOMEBODY_PLAYED_ON = "It was played on. It counts once both players let the refused move stand."
PLAYED_ON = "Player {} has played on. It counts once player {} lets the refused move stand or plays on, too."
"""What is said of play that goes on from a refused move by whoever made it."""
CHALLENGED = "Challenged: type what happened, or put it back."
"""What is said once people have said that it was not what was seen."""


def drop_wish(course: Course) -> None:
    """What one of both has agreed to is off: it is no more what they were asked for."""
    course.change(wish=None, agreed=frozenset())


def game_of(course: Course) -> History:
    """The game, of which there is one."""
    if course.match.game is None:
        raise RuntimeError("the table of transitions let a signal about a game through before there is one")
    return course.match.game


def rest(course: Course) -> None:
    """The phase in which a match is when nothing is the matter."""
    match = course.match
    if not match.camera and not match.by_hand:
        course.become(Phase.CAMERA_LOST, match.words)
    elif match.game is None:
        course.become(Phase.SETTING_UP)
    elif match.game.outcome is not None:
        course.become(Phase.FINISHED, match.game.outcome.reason, [_another(match.game)])
    elif match.refused:
        lies_refused(course)
    else:
        course.become(Phase.WATCHING)


def lies_refused(course: Course) -> None:
    """A refused move lies there, and whoever made it may have played on."""
    match, ruling = course.match, game_of(course).steps[-1].ruling
    words = PLAYED_ON.format(match.accused, 3 - match.accused) if match.accused else SOMEBODY_PLAYED_ON
    played = [words] if match.noted else []
    course.become(Phase.ILLEGAL, ruling.reason if ruling else "", played)


def _another(game: History) -> str:
    """How people come to another game on the same terms."""
    header = game.header
    command = ["pipwatch", "run", "--game", header.game, "--players", ",".join(header.players)]
    command += [] if header.profile == "default" else ["--profile", header.profile]
    return f"For another game stop Pipwatch and start it anew: {shlex.join(command)}"


def agreed(course: Course) -> None:
    """Table and record agree."""
    course.change(ahead=False, withdrawn=frozenset())


def led(course: Course, seen: Ruled | TakeBack | Nothing | Instead, *, stood: bool) -> History | None:
    """The game to which this leads; where the record cannot take it up, table and record disagree."""
    game = course.match.stood if stood else game_of(course)
    try:
        if game is None:
            raise CannotStand("The refused move cannot stand.")
        if isinstance(seen, TakeBack):
            for step in reversed(game.steps[len(game.steps) - seen.steps :]):
                game = game.correct(step.place, None, "taken back at the table")
        elif isinstance(seen, Instead):
            for place in [game.steps[-back].place for back in seen.undone]:
                game = game.correct(place, None, NOT_MADE)
            game = _with_all(game, seen.happened)
        elif isinstance(seen, Ruled):
            for place, one in [(game.steps[-one.steps].place, one) for one in seen.revised]:
                kind: Kind = "fact" if one.text.startswith("see ") else "move"
                game = game.correct(place, Happening(kind, one.text, one.alike), "told by what followed")
            game = _with_all(game, seen.happened)
    except CANNOT as wrong:
        course.become(Phase.OUT_OF_STEP, "Table and record disagree.", [str(wrong)])
        return None
    return game


def _with_all(game: History, happened: Sequence[Happened]) -> History:
    for fresh in happened:
        add = game.fact if fresh.kind == "fact" else game.move
        game = add(fresh.text, fresh.alike)
    return game


def offer(course: Course, choices: Sequence[Choice], pictures: Sequence[Picture]) -> None:
    """Beside what is told, offer what people may say that it was; what the record cannot hold is left out."""
    before, options = course.match, list[Option]()
    for choice in choices:
        game = led(course, choice.outcome, stood=False)
        if game is not None:
            options.append(Option(_as_entry(game_of(course), choice), game))
    course.match = before
    course.change(options=placed(course, options), asked=tuple(pictures))


def placed(course: Course, options: Sequence[Option], about: History | None = None) -> tuple[Option, ...]:
    """The options, each with its place in the picture of the table, as far as that is known.

    One without a place, nothing, is shown by what has changed: what all are ``about``, or else the others.
    """
    shown, game = course.match.shown, course.match.game
    if shown is None or game is None:
        return tuple(options)
    places: list[Box | None] = [shown.place(game, option.game) for option in options]
    changed = None if about is None else shown.place(game, about)
    changed = changed or around([place for place in places if place is not None])
    boxes = [place or changed for place in places]
    crops = [None if box is None else Crop(shown, box) for box in boxes]
    return tuple(replace(one, crop=crop) for one, crop in zip(options, crops, strict=True))


def _as_entry(game: History, choice: Choice) -> str:
    """The words of a choice; an entry that was not made is called by its number."""
    seen = choice.outcome
    undone = seen.undone if isinstance(seen, Instead) else (seen.steps,) if isinstance(seen, TakeBack) else ()
    if not undone:
        return choice.text
    numbers = " and ".join(str(game.steps[-back].entry) for back in reversed(undone))
    return f"Entry {numbers}: {choice.text}"


def is_withdrawn(course: Course, seen: Ruled, happened: Happened | None) -> bool:
    """Whether the table only shows still what people took back; then they are asked to put it right.

    A refused move that reads now as what else it may have been is the same.
    """
    told = [one.text for one in seen.revised] + ([happened.text] if happened else [])
    told += happened.alike if happened and seen.refused else ()
    still = next((text for text in told if text in course.match.withdrawn), None)
    if still is None:
        return False
    if course.match.phase is Phase.ASKING and course.match.unanswered == MISREAD:
        # Nobody is accused again of what he has denied, and the answers stay.
        course.change(words=MISREAD, places=(DENIED.format(still), GO_ON))
    else:
        course.become(Phase.OUT_OF_STEP, f"Taken back and still on the table: {still}", [GO_ON])
    return True


def plays_on_alone(match: Match, game: History) -> bool:
    """Whether a game goes on from the refused move as if it stood, by nobody's doing but its own player's.

    What nobody can see, such as a pass that must have been, is no word of the other one; where it is not
    known whose the refused move was, nothing is.
    """
    stood, book = match.stood, game.book
    if stood is None or match.game is None or game.entries[: len(stood.entries)] != stood.entries:
        return False
    if not match.accused:
        return True
    lies = (if_it_stood(game) or game).steps[len(match.game.steps) - 1 :]
    return not any(
        _is_seen(book, before, step)
        for before, step in pairwise(lies)
        if step.ruling is not None and made_by(book, before.state, step) not in (0, match.accused)
    )


def _is_seen(book: AnyRuleBook, before: Step, step: Step) -> bool:
    """Whether a move can be seen on the table; of a refused one that cannot stand that is taken for sure."""
    refused = step.ruling is not None and not step.ruling.allowed and not step.stands
    return refused or book.layout(step.state) != book.layout(before.state)


def note_play(course: Course, game: History, pictures: Sequence[Picture]) -> None:
    """What follows a refused move by the same player is noted, and the other one asked to let it stand."""
    match = course.match
    noted = Pending(game, None, tuple(pictures)) if len(game.steps) > len(game_of(course).steps) else None
    course.change(noted=noted)
    lies_refused(course)
    if (noted.game.entries if noted else ()) != (match.noted.game.entries if match.noted else ()):
        course.look_anew()


def propose(course: Course, game: History, pictures: Sequence[Picture], phase: Phase, words: str) -> None:
    """Let this wait for its confirmation."""
    match = course.match
    if match.pending is not None and match.pending.game.entries == game.entries:
        return
    due = course.now + match.manners.calm_s if match.manners.confirm == "auto" else None
    course.become(phase, words)
    # What somebody agreed to before this was another table.
    course.change(pending=Pending(game, due, tuple(pictures)), wish=None, agreed=frozenset())
    if due is not None and due <= course.now:
        count(course)


def count(course: Course, more: Sequence[Draft] = ()) -> None:
    """What was pending counts, and answers what was asked before it and not answered."""
    match, pending = course.match, course.match.pending
    if pending is None:
        return
    entries = added(game_of(course), pending.game, pending.pictures)
    words = ""
    if match.unanswered not in ("", MISREAD):
        words = f"What followed has answered the question: {match.words}"
        more = [*more, note("settled", words=words, entries=len(entries))]
    course.keep([*more, *entries])
    agreed(course)
    course.play(pending.game)
    course.change(answered=words)
    rest(course)


def changed_by_people(course: Course, game: History) -> None:
    """The game is another one because somebody said so; the table may not show it yet."""
    match = course.match
    still = {step.happened.text for step in game.steps}
    gone = {step.happened.text for step in game_of(course).steps} - still
    course.change(ahead=True, adopting=False, withdrawn=(match.withdrawn | gone) - still)
    course.play(game)
    if match.phase is Phase.PAUSED:
        course.change(notice="")
        return
    rest(course)
    wait_for_the_eye(course)


def wait_for_the_eye(course: Course) -> None:
    """What was told holds; where a camera watches, it looks at the table before anything else is awaited."""
    if course.match.phase is Phase.WATCHING and not course.match.by_hand:
        course.become(Phase.SETTLING)


def ask(
    course: Course,
    words: str,
    options: Sequence[Option],
    pictures: Sequence[Picture],
    margins: Sequence[float] | None = None,
    misread: str = "",
    about: History | None = None,
) -> None:
    """Ask people, if there is anything to choose from.

    ``margins`` says how far each answer is behind the likeliest, where the eye goes on from the answers;
    ``misread`` is the move of which people say that they were wrongly accused; ``about`` is the game as it
    would be if what is asked about lay there.
    """
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
    if misread:
        told["misread"] = misread
    if margins is not None:
        told["margins"] = [*margins]
    course.keep([note("asked", pictures, **told)])
    course.become(Phase.ASKING, words)
    course.change(options=placed(course, options, about), asked=tuple(pictures))
    course.change(answered="", unanswered=words)


def key_of(options: Sequence[Option]) -> str:
    """The name of a question: two with the same choices are the same."""
    return "\n".join(option.words for option in options)
