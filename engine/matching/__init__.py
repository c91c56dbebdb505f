"""What happened: a scene held against the record. No pixels, no clock, nothing remembered but what is passed.

    follower = Follower.of(history)             # the game as confirmed so far
    verdict = follower.see(scene)               # one of seven outcomes; nothing is changed
    match verdict:
        case Nothing():     …                   # the table is as the record says
        case Ruled():       …                   # verdict.revised: correct these steps of the record, then
                                                # verdict.happened: enter each with history.move(text) or
                                                #   history.fact(text); verdict.ruling is the last ruling
        case Question():    …                   # verdict.choices: text for a button, and its Ruled or Nothing
        case Incomplete():  …                   # wait; verdict.sentence says what for
        case TakeBack():    …                   # the last verdict.steps steps were undone on the table
        case OutOfStep():   …                   # verdict.differences; act on nothing; verdict.choices: what
                                                # people may say that it was
        case Unreadable():  …                   # verdict.rule is an OBS- id; act on nothing
    follower = follower.after(history, scene)   # once what was ruled is entered: remembers where things lie
    follower = follower.agreed(scene)           # once table and record agree: what else lies there is no news
    follower = follower.asking(question)        # once that was asked: holds what is seen next against each
                                                # answer, too, until one is given or only one is left

Everything is a pure function of the follower and the scene: seeing the same scene twice gives the same
verdict, and a refused move that still lies there is refused again (compare ``happened``). ``after`` and
``agreed`` must be given the scene on which the record and the table agreed. A move told by hand needs no
scene: ``Follower.of(history)`` does, and so does ``follower.after(history, None)``.

``Scene.by`` and ``Scene.visits`` are worth filling in: who reached in, and how often, since the last scene
that was followed, tells who moved and how many moves to look for. ``Scene.lately`` tells the same of the time
since players were asked something, so that each table after a question has hands of its own.

``setting_up``, ``as_it_is`` and ``stains`` tell what a table lacks on which a game is to begin, what a game
goes on from that was taken as it lies, and what only looks like a piece.

How it works: ``evidence`` says how well a layout agrees with a scene, ``search`` looks for the moves and
facts that lead to a layout that agrees, each a ``step_line``, guided by the places that do not, ``deciding``
weighs them against each other (``same_table`` says which of those that look alike count, ``apart`` what
must be asked, ``retelling`` and ``ways`` what of the answer nobody can tell), and ``follower`` holds the
record and what else of it may have been, but for what people have ``answered``. What is particular to a game
stands in its folder: in ``guide.py`` what may have happened, in ``adopted.py`` what a table is as it lies.
One without goes by its legal moves.
"""

from engine.matching.adopted import set_by_hand
from engine.matching.as_it_is import AsItIs, as_it_is
from engine.matching.follower import Follower
from engine.matching.outcome import (
    Choice,
    Difference,
    Happened,
    Incomplete,
    Instead,
    Nothing,
    OutOfStep,
    Question,
    Revision,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
)
from engine.matching.setting_up import adopt, set_up
from engine.matching.stains import lasting, stains, unstained

__all__ = [
    "AsItIs",
    "Choice",
    "Difference",
    "Follower",
    "Happened",
    "Incomplete",
    "Instead",
    "Nothing",
    "OutOfStep",
    "Question",
    "Revision",
    "Ruled",
    "TakeBack",
    "Unreadable",
    "Verdict",
    "adopt",
    "as_it_is",
    "lasting",
    "set_by_hand",
    "set_up",
    "stains",
    "unstained",
]
