"""The rule books: pieces, states, moves, rulings, scores, notation and the record of four games.

Everything here is pure: standard library only, no files, no clock, no logging, and no randomness but a
generator that is passed in. It imports nothing else of Pipwatch, and everything else may import it.
"""

from engine.book import AnyRuleBook, Fact, Move, RuleBook, State
from engine.errors import (
    BadNotation,
    BadProfile,
    BadRecord,
    BadSetup,
    CannotStand,
    IllegalMove,
    ImpossibleFact,
    PipwatchError,
    UnknownGame,
)
from engine.layout import Layout, Spot
from engine.profile import Profile, Reading
from engine.registry import GAMES, rulebook
from engine.ruling import Fault, LateRuling, Ruling, Status
from engine.scores import Outcome, ScoreLine, Scores

__all__ = [
    "GAMES",
    "AnyRuleBook",
    "BadNotation",
    "BadProfile",
    "BadRecord",
    "BadSetup",
    "CannotStand",
    "Fact",
    "Fault",
    "IllegalMove",
    "ImpossibleFact",
    "LateRuling",
    "Layout",
    "Move",
    "Outcome",
    "PipwatchError",
    "Profile",
    "Reading",
    "RuleBook",
    "Ruling",
    "ScoreLine",
    "Scores",
    "Spot",
    "State",
    "Status",
    "UnknownGame",
    "rulebook",
]
