"""What is expected now, and of whom: the words are the game's own, the same that a board asks with."""

from engine.dominoids.model import DominoidsState
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
    # In Dominoids the other one may agree to stop at the begin of a turn; that is not what is waited for.
    return (state.player,) if isinstance(state, DominoidsState) else tuple(book.movers(state))
