"""All that is said in whole random games, with moves that are refused, facts that cannot be, and taps."""

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from device.match.expected import expected
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.book import AnyRuleBook, State
from engine.history import History
from engine.ruling import Ruling
from engine.touch import FORM
from engine.touching import forms_of, touch

TRIED: Final = 4
"""So many moves that were made elsewhere are tried in each state, and as many that are spoiled."""
TAPPED_EVERY: Final = 5
"""Steps after which the board is asked about taps."""
MOST_TAPS: Final = 8


def speeches(game: str, seed: int, *, most: int = 400, seen: bool = False) -> Iterator[str]:
    """Every sentence of one random game; one that is ``seen`` begins with its set-up still to be told."""
    rng = Random(seed)
    history = History.begin(game, seed=None if seen else seed, players=("Ann", "Bo"))
    book, lines = history.book, list[str]()
    for number in range(most):
        state = history.state
        yield from _about(history)
        yield from _refused(book, state, lines, rng)
        if number % TAPPED_EVERY == 0:
            yield from _tapped(history, rng)
        if history.outcome is not None:
            return
        if book.pending(state) is not None:
            line = book.format_fact(book.sample(state, rng))
            history = history.fact(line)
        else:
            moves = book.legal_moves(state)
            if not moves:
                return
            line = book.format(rng.choice(moves))
            history = history.move(line)
            yield from _ruled(history.steps[-1].ruling)
        lines.append(line)
        yield from (words for late in history.steps[-1].late for words in _ruled(late.ruling))


def _about(history: History) -> Iterator[str]:
    """What stands beside a game: what is expected, the pad, the end."""
    yield expected(history)
    yield from (line.label for line in history.scores.lines)
    if history.outcome is not None:
        yield history.outcome.reason


def _ruled(ruling: Ruling | None) -> Iterator[str]:
    if ruling is not None:
        yield ruling.reason
        yield from (fault.sentence for fault in ruling.also)


def _refused(book: AnyRuleBook, state: State, lines: list[str], rng: Random) -> Iterator[str]:
    """Lines that were said elsewhere, whole and spoiled, said here."""
    for line in rng.sample(lines, min(TRIED, len(lines))):
        for tried in (line, _spoiled(line, rng)):
            try:
                if tried.startswith("see "):
                    book.observe(state, book.parse_fact(tried))
                    continue
                move = book.parse(tried)
                yield from _ruled(book.judge(state, move))
                book.let_stand(state, move)
            except (BadNotation, ImpossibleFact, CannotStand) as wrong:
                yield str(wrong)


def _spoiled(line: str, rng: Random) -> str:
    """A line with other numbers and squares in it."""
    return re.sub(
        r"(?<=[ @/(,=+-])[a-h]?\d",
        lambda found: found[0] if rng.random() < 0.6 else _other(found[0], rng),
        line,
    )


def _other(written: str, rng: Random) -> str:
    column = rng.choice("abcdefgh") if len(written) > 1 else ""
    return column + str(rng.randrange(1, 9 if column else 7))


def _tapped(history: History, rng: Random) -> Iterator[str]:
    """What the board asks and offers, along a random way of taps, and of one that begins with a form."""
    first = FORM + rng.choice(forms_of(history.book)).name
    starts: tuple[tuple[str, ...], ...] = ((), (first,))
    for taps in starts:
        for _ in range(MOST_TAPS):
            shown = touch(history, taps)
            yield shown.prompt
            yield from (choice.words for choice in shown.next)
            if not shown.next or shown.line:
                break
            taps = (*shown.taps, rng.choice(shown.next).tap)
