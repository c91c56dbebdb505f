"""What people press or type whose game went astray, each way with its presses: what both must say is two."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from device.match.acts.steps import TAKEN
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.match.transitions import offered
from device.typed import after
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.history import History
from engine.record import Entry

if TYPE_CHECKING:
    from tests.device.live.astray import Astray

BUDGET: Final = 2
"""So many presses lead back at most, of both players together."""


class Way(NamedTuple):
    """One step back."""

    name: str
    presses: int
    words: str
    go: Callable[[], None]


def ways(astray: "Astray") -> Iterator[Way]:
    """What people would do who know how the table lies, as far as it is on offer."""
    match, may = astray.match, offered(astray.match)
    if match.phase is Phase.PAUSED:
        if astray.is_shoved and Kind.AS_IT_IS in may:
            yield _as_it_is(astray)
        else:
            yield Way("resume", 1, "pause", lambda: astray.tell(Told(Kind.PAUSE)))
        return
    if astray.may_be_none is not None:  # nobody has moved: the pieces were pushed
        yield _as_it_is(astray)
        return
    for number, option in enumerate(match.options):
        if Kind.CHOOSE in may and astray.would_agree(option.game):
            yield Way("choose", 1, option.words, partial(astray.tell, Told(Kind.CHOOSE, number=number)))
            break
    if Kind.TYPED in may and match.game is not None:
        for name, line in _lines(astray, match.game):
            yield Way(name, 1, line, partial(astray.type, line))
    undoes = Kind.UNDO in may and match.game is not None and not match.options
    if undoes and match.game is not None and astray.would_agree(_after(match.game, "undo")):
        yield Way("undo", 1, "undo", lambda: astray.tell(Told(Kind.UNDO)))
    if Kind.LET_STAND in may and astray.lets_stand:
        yield Way("let stand", 2, "stand", lambda: astray.both(Kind.LET_STAND))
    if Kind.AS_IT_IS in may:
        yield _as_it_is(astray)


def _as_it_is(astray: "Astray") -> Way:
    return Way("as it is", 2, "as it is", lambda: astray.both(Kind.AS_IT_IS))


def _lines(astray: "Astray", game: History) -> Iterator[tuple[str, str]]:
    """What people would type: a piece that they know to lie elsewhere, a table that lay there before."""
    if len(astray.put) == 1 and astray.would_agree(_after(game, astray.put[0])):
        yield "put", astray.put[0]
    before = [(0, game.first), *((step.entry, step.state) for step in game.steps[:-1])]
    for entry, state in reversed(before):
        line = f"back to {entry}"
        if game.book.layout(state) == astray.lies and astray.would_agree(_after(game, line)):
            yield "back to", line
            break
    if game.undone is not None and astray.would_agree(_after(game, "redo")):
        yield "redo", "redo"


def _after(game: History, line: str) -> History | None:
    try:
        return after(game, line)
    except (BadNotation, CannotStand, ImpossibleFact):
        return None


def is_told(way: Way, notes: list[str], entries: list[Entry]) -> bool:
    """Whether what was written since a press tells of it."""
    why = [entry.why for entry in entries]
    if way.name == "resume":
        return "resumed" in notes
    if way.name == "choose":
        return "answered" in notes
    if way.name == "put":
        return f"by hand: {way.words}" in [one.happened.text for one in entries if one.happened]
    if way.name == "back to":
        return any(one.startswith("back to entry") for one in why)
    if way.name == "let stand":
        return any(entry.stand is not None for entry in entries)
    if way.name == "as it is":
        texts = [one.happened.text for one in entries if one.happened]
        # What explains the table is an entry like any other.
        return TAKEN in texts or bool(entries) or bool({"taken up anew", "begin"} & {*notes})
    return way.name in why or any(entry.correct is not None for entry in entries)
