"""What goes wrong at a table, each mishap by its name; most can be had worse where the eye finds its way."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from device.live.starting import Agreed
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.match.transitions import offered
from engine import BadNotation, CannotStand, Layout, State
from simulation.script import Scripted, veiled
from tests.device.live.elsewhere import exchanged, put_elsewhere, shoved

if TYPE_CHECKING:
    from tests.device.live.astray import Astray


def _missed(astray: "Astray") -> None:
    """Moves that nobody saw, or too many at once."""
    astray.skip(astray.rng.randrange(2, 5) + astray.tries)


def _false(astray: "Astray") -> None:
    """Something is typed that nobody did."""
    book, state = astray.book, astray.game.state
    if book.pending(state) is not None:
        astray.type(book.format_fact(veiled(book.sample(state, astray.rng))))
    elif book.legal_moves(state):
        astray.type(book.format(astray.rng.choice([*book.legal_moves(state)])))
    astray.show(astray.lies)


def _other_table(astray: "Astray") -> None:
    """The table of another moment of the game."""
    state = State.from_json(astray.rng.choice(astray.script.states))
    astray.visit(astray.book.layout(state), astray.rng.choice((1, 2)))


def _restart(astray: "Astray") -> None:
    """The match is stopped, and goes on after moves."""
    astray.start_again()
    _missed(astray)


def _denied(astray: "Astray") -> None:
    """People say of what was done that it was not."""
    astray.skip(1)
    if Kind.UNDO in offered(astray.match):
        astray.tell(Told(Kind.UNDO))
        astray.show(astray.lies)


def _lying(astray: "Astray") -> None:
    """A refused move is left lying."""
    while (event := astray.next()) is not None:
        if _may_stand(astray, event):
            astray.visit(event.after, event.player)
            astray.lets_stand = astray.match.phase is Phase.ILLEGAL
            return
        astray.play(event)


def _may_stand(astray: "Astray", event: Scripted) -> bool:
    """Whether a move is refused, is seen, and leaves a table that can be one of the game."""
    if not event.visible or event.status != "illegal":
        return False
    try:
        return bool(astray.book.let_stand(astray.game.state, astray.book.parse(event.text)))
    except (BadNotation, CannotStand):
        return False


def _set_elsewhere(astray: "Astray") -> None:
    """One to three pieces are set where the rules can hold them."""
    found = put_elsewhere(astray.game, astray.rng, astray.rng.choice((1, 1, 1, 2, 3)))
    if found is not None:
        astray.visit(found.table, astray.rng.choice((1, 2)))
        astray.put = found.lines


def _shoved(astray: "Astray") -> None:
    """One to three pieces are pushed aside, or out of the game."""
    _lies_wrong(astray, shoved(astray.lies, astray.rng, astray.rng.randrange(1, 4)))


def _exchanged(astray: "Astray") -> None:
    """Two pieces of a kind have changed places; a line of the Draw Game may lie as players like."""
    if (table := exchanged(astray.lies, astray.rng)) is not None:
        _lies_wrong(astray, table)


def _lies_wrong(astray: "Astray", table: Layout) -> None:
    before = astray.lies
    astray.visit(table, astray.rng.choice((1, 2)))
    astray.may_be_none = before


def _paused(astray: "Astray") -> None:
    """Moves are made in a pause, or pieces are set elsewhere."""
    if astray.match.phase is not Phase.PAUSED:
        astray.tell(Told(Kind.PAUSE))
    if astray.rng.random() < 0.5:
        for _ in range(astray.rng.randrange(1, 4)):
            if (event := astray.next()) is not None and not astray.is_said(event):
                astray.play(event)
    else:
        _set_elsewhere(astray)
        astray.is_shoved = bool(astray.put)


def _camera_lost(astray: "Astray") -> None:
    """The camera is away: moves are made, and some of them are told, not all."""
    astray.lose_camera()
    told = astray.next() if astray.rng.random() < 0.5 else None
    if told is not None and told.stands and told.status != "illegal":
        astray.type(told.text)
        astray.at += 1
    astray.skip(astray.rng.randrange(2, 5) + astray.tries)
    astray.look()


def _finished(astray: "Astray") -> None:
    """After the end somebody takes the last move back; or what ended the game was typed and never made."""
    astray.play_to_the_end()
    if Kind.UNDO in offered(astray.match) and (astray.tries or not astray.ended_falsely):
        astray.tell(Told(Kind.UNDO))
    astray.show(astray.lies)


def _setting_up(astray: "Astray") -> None:
    """The table is set up, is changed meanwhile, and then lies as amid a game."""
    astray.leave_the_game()
    start = astray.script.start
    for _ in range(astray.rng.randrange(3)):
        astray.visit(shoved(start, astray.rng, astray.rng.randrange(1, 4)), 1)
    states = [State.from_json(told) for told in astray.script.states[1:]]
    quiet = [state for state in states if astray.is_quiet(state)]
    if astray.story.doubtful:  # it may be too doubtful to begin with, and is set up then as it should be
        astray.may_be_none = astray.book.layout(Agreed(astray.game_name).blank().first)
    astray.visit(astray.book.layout(astray.rng.choice(quiet or states)), 2)


MISHAPS: Final[Mapping[str, Callable[["Astray"], None]]] = {
    "missed": _missed,
    "false": _false,
    "other table": _other_table,
    "restart": _restart,
    "denied": _denied,
    "lying": _lying,
    "set elsewhere": _set_elsewhere,
    "shoved": _shoved,
    "exchanged": _exchanged,
    "paused": _paused,
    "camera lost": _camera_lost,
    "finished": _finished,
    "setting up": _setting_up,
}
