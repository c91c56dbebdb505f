"""What can go wrong, as types: each also a ValueError, so that a caller may catch either."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ruling import Ruling


class PipwatchError(Exception):
    """The root of every error that the engine raises on purpose."""


class IllegalMove(PipwatchError, ValueError):
    """A move that the rule book refuses was played; ``ruling`` says why."""

    def __init__(self, ruling: "Ruling") -> None:
        super().__init__(f"{ruling.rule}: {ruling.reason}")
        self.ruling = ruling


class ImpossibleFact(PipwatchError, ValueError):
    """Something was seen that cannot be; ``rule`` is an id ``OBS-…``: an eye's error, not a player's."""

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{rule}: {sentence}")
        self.rule = rule
        self.sentence = sentence


class CannotStand(PipwatchError, ValueError):
    """An illegal move that no table could show (two pieces in one place), so it cannot be let stand."""


class BadNotation(PipwatchError, ValueError):
    """A text that is no move or fact of this game; the message says what would be."""


class BadSetup(PipwatchError, ValueError):
    """A set-up that cannot be; the message names the piece or place."""


class UnknownGame(PipwatchError, ValueError):
    """No rule book has this name."""


class BadProfile(PipwatchError, ValueError):
    """A profile or one of its settings is not known or has a value it cannot have."""


class BadRecord(PipwatchError, ValueError):
    """A record that cannot be read; the message names the line."""
