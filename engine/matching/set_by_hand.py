"""A piece set by hand: a correction of the record by what people say of the table, and no move of anybody."""

from engine.errors import BadNotation, BadSetup, CannotStand
from engine.history import History
from engine.matching.guide import guide_for
from engine.plain import BadData


def set_by_hand(history: History, line: str) -> History:
    """The history after ``put …``; raises BadNotation, or CannotStand where no table could look so."""
    words = line.split()
    try:
        state = guide_for(history.book).put(history.state, words[1:])
    except BadNotation:
        raise
    except (BadSetup, BadData, ValueError) as wrong:
        said = str(wrong).rstrip(".")
        raise CannotStand(f"{' '.join(words)} cannot be: {said}.") from None
    return history.put(state, f"by hand: {' '.join(words)}")
