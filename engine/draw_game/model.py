"""What exists in the Draw Game: tiles and sets of them, moves, facts and the state, with its plain form.

A set of tiles is a whole number with a bit for each tile (``mask``), because hands are cut, joined and
compared at every turn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.book import Fact, Move, State
from engine.dominoes import Domino, domino_set
from engine.plain import JsonObject

Pair: TypeAlias = tuple[int, int]
"""A number for each player, player 1's first."""
Ends: TypeAlias = tuple[int, int, int, int]
"""The four arms in the code of ``engine.draw_game.line``."""

GAME = "draw-game"
VERSION = 1

TILES = domino_set(6)
"""The 28 tiles of the double-six set, in order."""
BIT = {tile: 1 << index for index, tile in enumerate(TILES)}
"""The bit that stands for each tile in a set of tiles."""
_TILE = {bit: tile for tile, bit in BIT.items()}
_PIPS = {bit: tile.pips for tile, bit in BIT.items()}
ALL = (1 << len(TILES)) - 1
"""The whole set."""
DOUBLES = sum(bit for tile, bit in BIT.items() if tile.is_double)
"""The seven doubles."""


def mask(tiles: Iterable[Domino]) -> int:
    """The set of these tiles."""
    whole = 0
    for tile in tiles:
        whole |= BIT[tile]
    return whole


def tiles_in(tiles: int) -> tuple[Domino, ...]:
    """The tiles of a set, in order."""
    found = []
    while tiles:
        lowest = tiles & -tiles
        found.append(_TILE[lowest])
        tiles ^= lowest
    return tuple(found)


def pips_in(tiles: int) -> int:
    """All the pips of a set of tiles."""
    pips = 0
    while tiles:
        lowest = tiles & -tiles
        pips += _PIPS[lowest]
        tiles ^= lowest
    return pips


class Arm(IntEnum):
    """The four ends that a board can have: two of the line, and the short ends of the spinner."""

    WEST = 0
    EAST = 1
    NORTH = 2
    SOUTH = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Down(Move):
    """The first tile of a deal is laid; its low half lies to the west."""

    tile: Domino
    player: int | None = None
    bit: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bit", BIT[self.tile])


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A tile is laid at an arm, its ``half`` touching what lies there."""

    tile: Domino
    half: int
    arm: Arm
    player: int | None = None
    bit: int = field(init=False, repr=False, compare=False)
    end: int = field(init=False, repr=False, compare=False)
    """The end that the tile leaves open, in the code of ``engine.draw_game.line``."""

    def __post_init__(self) -> None:
        if self.half not in self.tile:
            raise ValueError(f"the {self.tile} has no half with {self.half} pips")
        object.__setattr__(self, "bit", BIT[self.tile])
        far = self.tile.other(self.half)
        object.__setattr__(self, "end", far + 7 if self.tile.is_double else far)


@dataclass(frozen=True, slots=True)
class Beside(Move):
    """A tile is laid at the side of another one, where no arm is: it can be seen, and is never right."""

    tile: Domino
    half: int
    host: Domino
    player: int | None = None

    def __post_init__(self) -> None:
        if self.half not in self.tile:
            raise ValueError(f"the {self.tile} has no half with {self.half} pips")

    @property
    def bit(self) -> int:
        """The bit of the tile."""
        return BIT[self.tile]


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """A tile is taken from the boneyard."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """The player says that he cannot go on."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class Redeal(Move):
    """The player demands that the hands be dealt anew."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class Call(Move):
    """The player says aloud the points that the last play made (only where points must be called)."""

    points: int
    player: int | None = None


DrawMove: TypeAlias = Down | Play | Beside | Draw | Pass | Redeal | Call
"""What a player can do."""
Laid: TypeAlias = Down | Play | Beside
"""The moves that put a tile on the table."""


@dataclass(frozen=True, slots=True)
class Lot(Fact):
    """The tiles that the two players drew for the first Down, player 1's first."""

    tiles: tuple[Domino, Domino]


@dataclass(frozen=True, slots=True)
class Deal(Fact):
    """The hands that were dealt; None for a hand that nobody may see."""

    hands: tuple[tuple[Domino, ...] | None, tuple[Domino, ...] | None]


@dataclass(frozen=True, slots=True)
class Drawn(Fact):
    """The tile that came from the boneyard, or None where nobody may see it."""

    tile: Domino | None
    bit: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bit", BIT[self.tile] if self.tile else 0)


@dataclass(frozen=True, slots=True)
class Shown(Fact):
    """A hand that is laid open."""

    player: int
    tiles: tuple[Domino, ...]


DrawFact: TypeAlias = Lot | Deal | Drawn | Shown
"""What the table reveals."""


Phase: TypeAlias = Literal["lot", "deal", "playing", "drawn", "hand", "over"]
"""What the game waits for: one of four kinds of fact, a move, or nothing any more."""
PHASES: tuple[Phase, ...] = ("lot", "deal", "playing", "drawn", "hand", "over")

Cause: TypeAlias = Domino | Literal["out", "blocked", "called", "earlier"]
"""What points were made with: a tile, a deal's end, a call, or play before Pipwatch was there."""


class Line(NamedTuple):
    """Points that a player made, and with what."""

    player: int
    points: int
    deal: int
    cause: Cause
    pips: int


class Claim(NamedTuple):
    """A draw, a pass or a demand of which nobody could say yet whether it was right."""

    turn: int
    at: int
    """Where it stands in the history of the deal."""
    move: Draw | Pass | Redeal
    fits: int
    """The tiles that would have made it wrong (of a redeal: the doubles)."""
    ends: Ends
    """The arms as they were then."""


class Proof(NamedTuple):
    """A claim that was proved wrong, and the tiles that prove it."""

    claim: Claim
    tiles: int
    drawn: int
    """How many of these tiles can have been drawn since; the others were in the hand."""
    turn: int
    """The number of the last move before the proof."""


ANYBODY: Final = 0
"""Whose turn it is where nobody knows: that of whoever does something next."""


class DrawMatch(NamedTuple):
    """What outlasts a single move: the match so far."""

    deal: int = 0
    """The number of the deal, from 1; 0 before the first."""
    down: int = 1
    """Who has the Down, in this deal or (between deals) in the next."""
    before: int = 0
    """How many moves were made before this deal; less than none where a set-up shows some of this deal."""
    due: tuple[int, int] | None = None
    """Where points must be called: who made the points of the last play, and how many."""
    proofs: tuple[Proof, ...] = ()


Event: TypeAlias = DrawMove | DrawFact
"""What a deal's history consists of."""


class _Fields(NamedTuple):
    phase: Phase
    mover: int
    """Whose turn it is, or ``ANYBODY``."""
    hands: Pair
    """The tiles known to be in each hand."""
    hidden: Pair
    """How many tiles of each hand are not known."""
    unseen: int
    """The tiles of which nobody can say where they are: in the boneyard or hidden in a hand."""
    ends: Ends
    bare: int
    """Which long sides of the spinner are bare: 1 west, 2 east, 3 both, 0 none; 4 without a spinner."""
    redeal: int
    """Who may still demand a redeal: 1 for player 1, 2 for player 2, 3 for both."""
    history: tuple[Event, ...]
    """What happened in this deal."""
    scores: Pair
    lines: tuple[Line, ...]
    claims: tuple[Claim, ...]
    match: DrawMatch


class DrawState(_Fields, State):
    """What is believed about a match of the Draw Game."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        """The state as plain data."""
        from engine.draw_game.stored import written  # it reads and writes states, so it comes after them

        return written(self)


def board_tiles(history: Iterable[Event]) -> int:
    """The tiles that lie on the table."""
    laid = 0
    for event in history:
        if isinstance(event, Down | Play | Beside):
            laid |= event.bit
    return laid


def other(player: int) -> int:
    """The opponent."""
    return 3 - player


def moves_in(history: Iterable[Event]) -> int:
    """How many moves a history holds."""
    return sum(isinstance(event, Move) for event in history)
