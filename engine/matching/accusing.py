"""Of what a player is accused: of one thing that was seen, not of more that nobody saw."""

from collections import Counter
from collections.abc import Sequence

from engine.book import Move
from engine.matching.line import Line


def plainly_accused(lines: Sequence[Line]) -> list[Line]:
    """Without those that end in a refused move which another line has too, after less of the same player.

    Nobody ends a turn and then goes on moving: who did the move out of turn has only moved wrongly.
    """
    refused = [line for line in lines if line.refused]
    return [line for line in lines if not (line.refused and any(_says_more(line, one) for one in refused))]


def _says_more(line: Line, plain: Line) -> bool:
    """Whether a line has all of another's steps up to the same refused move, and more by who made that."""
    *steps, last = (step.did for step in line.steps)
    *fewer, same = (step.did for step in plain.steps)
    more = Counter(steps) - Counter(fewer)
    if last != same or not more or Counter(fewer) - Counter(steps):
        return False
    assert isinstance(last, Move)
    return all(isinstance(did, Move) and did.player == last.player for did in more)
