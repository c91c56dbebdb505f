"""What is expected now, and of whom: the words are the game's own, the same that a board asks with."""

from engine.book import AnyRuleBook, State
from engine.dominoids.model import DominoidsState
from engine.draw_game.model import ANYBODY, DrawState
from engine.history import History
from engine.touching import toucher_for


def expected(game: History) -> str:
    """What is to be seen, or what whoever is on turn may do; empty where the game is over."""
    return "" if game.outcome is not None else toucher_for(game.book).expected(game.state)


def awaited(game: History) -> tuple[int, ...]:
    """Who is to do it; nobody where something is to be seen."""
    book, state = game.book, game.state
    if game.outcome is not None or book.pending(state) is not None:
        return ()
    return _on_turn(book, state)


def _on_turn(book: AnyRuleBook, state: State) -> tuple[int, ...]:
    """Whose turn it is: what the other one may do out of turn, if he likes, is not waited for."""
    if isinstance(state, DominoidsState):  # the other may agree to stop
        return (state.player,)
    if isinstance(state, DrawState) and state.mover != ANYBODY:  # he may demand a redeal, or call points
        return (state.mover,)
    return tuple(book.movers(state))
