"""What exists in Kingdomino Duel: dice, maps and spellbook in a state, the moves, and the facts."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from engine.book import Fact, Move, State
from engine.kingdomino_duel.edition import AS_PRINTED, LETTERS, Edition, Face
from engine.kingdomino_duel.kingdom import BLANK, Kingdom, Mark
from engine.kingdomino_duel.spellbook import UNTOUCHED, Book
from engine.plain import JsonObject

GAME: Final = "kingdomino-duel"
VERSION: Final = 1

Stage: TypeAlias = Literal["oldest", "roll", "draft", "draw", "bolts", "over"]
"""``oldest`` and ``roll`` wait for a fact; ``draft`` is step 2 of a turn, ``draw`` step 3, ``bolts`` the
powers of step 4 that must be used at once."""

Drawing: TypeAlias = Literal["due", "drawn", "declined", "unable"]
"""How a player's step 3 stands: to be done, done, nothing drawn by choice, nothing drawn as nothing fits."""


# — the table —


@dataclass(frozen=True, slots=True)
class Die:
    """A die of this turn; which of the four it is, is its place in the state."""

    rolled: Face
    shows: Face
    """The face on top: another one than rolled only after P4."""
    taker: int | None = None
    """The player who took it, or None while it lies in the middle."""
    bonus: bool = False
    """Whether it carries the cross of the castle."""

    @property
    def symbol(self) -> Face:
        """What is to be drawn for it: the face with the cross of the castle counted in."""
        return Face(self.shows.coat, self.shows.crosses + self.bonus)

    @property
    def fills(self) -> bool:
        """Whether its coat, when drawn, fills a square of the spellbook."""
        return self.shows.plain and not self.bonus


@dataclass(frozen=True, slots=True)
class Side:
    """What belongs to one player: the map and what this turn has brought so far."""

    kingdom: Kingdom = BLANK
    roof: bool = False
    """Whether the castle's roof is coloured: its bonus is used."""
    named: int | None = None
    """The coat named with P5."""
    declared: tuple[int, ...] = ()
    """Which of P1 and P2 are in use this turn."""
    drawing: Drawing = "due"
    to_fill: tuple[int, ...] = ()
    """Coats to be filled in once both have drawn."""
    bolts: tuple[int, ...] = ()
    """Which of P5 and P6 were just won and must be used now."""


@dataclass(frozen=True, slots=True)
class DuelState(State):
    """The table of Kingdomino Duel."""

    stage: Stage = "oldest"
    a: int | None = None
    """The player who is A this turn."""
    dice: tuple[Die, ...] = ()
    """The four dice of this turn, or none before they are rolled."""
    sides: tuple[Side, Side] = (Side(), Side())
    book: Book = UNTOUCHED
    edition: Edition = AS_PRINTED

    def side(self, player: int) -> Side:
        """What belongs to ``player``."""
        return self.sides[player - 1]

    def with_side(self, player: int, side: Side) -> "DuelState":
        """The state with another side for ``player``."""
        return replace(self, sides=(side, self.sides[1]) if player == 1 else (self.sides[0], side))

    def with_stage(self, stage: Stage) -> "DuelState":
        """The state in another stage."""
        return replace(self, stage=stage)

    def taken(self, player: int | None) -> tuple[int, ...]:
        """The numbers (1 to 4) of the dice this player took; of those in the middle for None."""
        return tuple(number for number, die in enumerate(self.dice, 1) if die.taker == player)

    def domino(self, player: int) -> tuple[Die, ...]:
        """The dice this player took."""
        return tuple(die for die in self.dice if die.taker == player)

    @property
    def players(self) -> tuple[int, ...]:
        """A before B; none while nobody knows who begins."""
        return () if self.a is None else (self.a, 3 - self.a)

    def to_json(self) -> JsonObject:
        """The state as plain data."""
        return {
            "game": GAME,
            "version": VERSION,
            "stage": self.stage,
            "a": self.a,
            "dice": [_die_json(die) for die in self.dice],
            "players": [_side_json(side) for side in self.sides],
            "spellbook": {
                letter: {"ticks": [ticks[coat] for ticks in self.book.ticks], "spent": self.book.spent[coat]}
                for coat, letter in enumerate(LETTERS)
            },
            "edition": self.edition.to_json(),
        }


def _die_json(die: Die) -> JsonObject:
    return {"rolled": str(die.rolled), "shows": str(die.shows), "taker": die.taker, "bonus": die.bonus}


def _side_json(side: Side) -> JsonObject:
    return {
        "map": list(side.kingdom.rows),
        "roof": side.roof,
        "named": None if side.named is None else LETTERS[side.named],
        "declared": [f"P{power}" for power in side.declared],
        "drawing": side.drawing,
        "to_fill": [LETTERS[coat] for coat in side.to_fill],
        "bolts": [f"P{power}" for power in side.bolts],
    }


# — moves —

DieRef: TypeAlias = int | Face
"""A die by its number (1 to 4), or by the face that it shows where no other shows the same."""


def _die_order(die: DieRef) -> tuple[int, int, int]:
    return (0, die, 0) if isinstance(die, int) else (1, *die)


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take one or two dice from the middle; ``at_once`` says that P3 is used for it."""

    player: int | None
    dice: tuple[DieRef, ...]
    at_once: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice, key=_die_order)))


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """Use P1 (no connection needed) or P2 (two separate squares) for this turn's drawing."""

    player: int | None
    power: int


@dataclass(frozen=True, slots=True)
class Turn(Move):
    """Use P4: turn one of one's own dice to another of its faces."""

    player: int | None
    die: DieRef
    face: Face


@dataclass(frozen=True, slots=True)
class Castle(Move):
    """Use the castle's bonus: one more cross for one of one's own dice."""

    player: int | None
    die: DieRef


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """Draw coats on the map, as they are seen there: two, or one, or none at all."""

    player: int | None
    marks: tuple[Mark, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "marks", tuple(sorted(self.marks)))


@dataclass(frozen=True, slots=True)
class Name(Move):
    """Use P5: name a coat whose domains earn 3 points each."""

    player: int | None
    coat: int


@dataclass(frozen=True, slots=True)
class Cross(Move):
    """Use P6: one more cross on a coat already drawn."""

    player: int | None
    square: int


DuelMove: TypeAlias = Take | Declare | Turn | Castle | Draw | Name | Cross

# — facts —


@dataclass(frozen=True, slots=True)
class Oldest(Fact):
    """Who is the oldest, and so A in the first turn."""

    player: int


@dataclass(frozen=True, slots=True)
class Roll(Fact):
    """The faces on top after a roll, in the order of the dice."""

    faces: tuple[Face, ...]


DuelFact: TypeAlias = Oldest | Roll
