"""What exists in Dominoes of War: states, moves and facts, all immutable, and the plain form of a state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.book import Fact, Move, State
from engine.dominoes import Domino, domino_set
from engine.dominoes_of_war.places import FIELD, FIELD_INDEX, Border, Place, name, names
from engine.dominoes_of_war.troops import ARMIES, Kind
from engine.plain import JsonObject

GAME = "dominoes-of-war"
VERSION = 1

Phase = Literal[
    "armies",
    "lot",
    "starter",
    "bases",
    "walls",
    "stock",
    "reveal",
    "act",
    "tile",
    "bonus",
    "face",
    "offer",
    "over",
]
"""What is due: in ``armies``, ``lot``, ``reveal`` and ``tile`` something to be seen, else a decision."""

SET_UP: frozenset[Phase] = frozenset(("armies", "lot", "starter", "bases", "walls", "stock", "reveal"))
"""The phases before the first turn."""

BASE_SIZE = 6
WALLS = 4
ACTIONS = 3
BONUSES: Mapping[int, str] = {
    10: "a free spawn",
    12: "an extra action",
    17: "one more base tile",
    20: "moving a wall",
}
"""What each total of a flipped tile brings."""

TILES: tuple[Domino, ...] = domino_set(18)
"""Every tile of the largest set that is sold; a state writes a tile as its number in this order."""
TILE_NUMBER: Mapping[Domino, int] = {domino: number for number, domino in enumerate(TILES)}
DOWN = 255
"""Instead of a tile's number: it lies face down."""

FIELD_DOWN = bytes([DOWN]) * len(FIELD)
"""The field with every tile face down."""

Ended = Literal["", "won", "both", "agreed"]
"""How the game ended: one side has no troops, neither has, or the players agreed to a draw."""


class Troop(NamedTuple):
    """A soldier on the table. ``facing`` is a Sniper's, or empty while he has none."""

    at: Place
    side: int
    kind: Kind
    facing: str = ""
    acted: bool = False


class Walk(NamedTuple):
    """A troop in the middle of its move, where every tile crossed is flipped (setting ``flip=path``)."""

    at: Place
    left: int


Counts: TypeAlias = tuple[int, ...]
"""How many of each of the five types of an army, in the order of the army."""


class _Fields(NamedTuple):
    phase: Phase = "armies"
    turn: int = 1
    """Who decides; in ``offer`` the player who offered."""
    starter: int = 1
    armies: tuple[str, str] = ("army", "army")
    bases: tuple[tuple[Place, ...], tuple[Place, ...]] = ((), ())
    walls: tuple[Border, ...] = ()
    troops: tuple[Troop, ...] = ()
    """In the order of their places."""
    pools: tuple[Counts, Counts] = ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    discarded: tuple[Counts, Counts] = ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    field: bytes = FIELD_DOWN
    """For each place of the field the number of its tile, or DOWN."""
    mines: bytes = b""
    """The mines that exploded, in the order of their numbers."""
    spare: int = 0
    """Tiles that are left over once field, bases and walls are complete."""
    rubble: int = 0
    """Walls that were blown up."""
    actions: int = 0
    """Regular actions used this turn."""
    extra: int = 0
    """Extra actions still to be used this turn (setting ``extra_action=turn``)."""
    focus: Place = 0
    """The place whose tile is to be flipped."""
    faced: tuple[Place, ...] = ()
    """Where the Snipers stand who have been given their facing at the end of this turn."""
    bonus: int = 0
    """The total whose bonus is to be used or forfeited."""
    walk: Walk | None = None
    offered: bool = False
    """A draw was offered this turn and declined."""
    ended: Ended = ""


class WarState(_Fields, State):
    """All that the rule book knows of one table."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        """The state as plain data."""
        return {
            "game": GAME,
            "version": VERSION,
            "phase": self.phase,
            "turn": self.turn,
            "starter": self.starter,
            "armies": list(self.armies),
            "bases": [list(names(base)) for base in self.bases],
            "walls": [str(wall) for wall in self.walls],
            "troops": [_troop_json(troop) for troop in self.troops],
            "pools": [_counts_json(self.armies[i], self.pools[i]) for i in (0, 1)],
            "discarded": [_counts_json(self.armies[i], self.discarded[i]) for i in (0, 1)],
            "field": {
                name(at): str(TILES[number])
                for at, number in zip(FIELD, self.field, strict=True)
                if number != DOWN
            },
            "mines": [str(TILES[number]) for number in self.mines],
            "spare": self.spare,
            "rubble": self.rubble,
            "actions": self.actions,
            "extra": self.extra,
            "focus": name(self.focus) if self.focus else None,
            "faced": list(names(self.faced)),
            "bonus": self.bonus,
            "walk": {"at": name(self.walk.at), "left": self.walk.left} if self.walk else None,
            "offered": self.offered,
            "ended": self.ended,
        }

    def troop_at(self, at: Place) -> Troop | None:
        """The soldier on this place."""
        for troop in self.troops:
            if troop.at == at:
                return troop
        return None

    def tile_at(self, at: Place) -> Domino | None:
        """The tile that lies face up on this place of the field, or None."""
        number = self.field[FIELD_INDEX[at]]
        return None if number == DOWN else TILES[number]

    def is_down(self, at: Place) -> bool:
        """Whether a tile of the field lies face down here."""
        index = FIELD_INDEX.get(at)
        return index is not None and self.field[index] == DOWN

    def in_pool(self, side: int, kind: Kind) -> int:
        """How many of this type are left in a player's pool."""
        types = ARMIES[self.armies[side - 1]]
        return self.pools[side - 1][types.index(kind)] if kind in types else 0

    @property
    def unfaced(self) -> tuple[Place, ...]:
        """Where the Snipers stand who are still to be given a facing before the turn is over."""
        if self.phase != "face":
            return ()
        snipers = (troop.at for troop in self.troops if troop.side == self.turn and troop.kind == "sniper")
        return tuple(at for at in snipers if at not in self.faced)

    def strength(self, side: int) -> int:
        """How many troops a player has on the table."""
        return sum(troop.side == side for troop in self.troops)


def _troop_json(troop: Troop) -> JsonObject:
    return {
        "at": name(troop.at),
        "side": troop.side,
        "kind": troop.kind,
        "facing": troop.facing,
        "acted": troop.acted,
    }


def _counts_json(army: str, counts: Counts) -> JsonObject:
    return dict(zip(ARMIES[army], counts, strict=True))


# — moves —


@dataclass(frozen=True, slots=True)
class First(Move):
    """The winner of the lot says who goes first."""

    player: int | None
    who: int


@dataclass(frozen=True, slots=True)
class Found(Move):
    """A player places his whole base."""

    player: int | None
    tiles: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Wall(Move):
    """A player stands a wall between two tiles."""

    player: int | None
    where: Border


@dataclass(frozen=True, slots=True)
class Stock(Move):
    """A soldier is put on a base tile before the first turn; ``hidden`` where a divider hides him."""

    player: int | None
    at: Place
    kind: Kind


@dataclass(frozen=True, slots=True)
class March(Move):
    """A soldier moves; which way he took is not part of it."""

    player: int | None
    at: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Run(Move):
    """A Kamikaze runs onto an enemy."""

    player: int | None
    at: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Blow(Move):
    """A Kamikaze runs into a wall."""

    player: int | None
    at: Place
    wall: Border


@dataclass(frozen=True, slots=True)
class Shoot(Move):
    """A soldier attacks; ``targets`` are the places he hits, two at most and none only for a Quick Shot."""

    player: int | None
    at: Place
    targets: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Spawn(Move):
    """The leader on ``at`` uses his action to bring a soldier into the base."""

    player: int | None
    at: Place
    kind: Kind
    to: Place


@dataclass(frozen=True, slots=True)
class Bonus(Move):
    """The free spawn that a total of 10 brings."""

    player: int | None
    kind: Kind
    to: Place


@dataclass(frozen=True, slots=True)
class Extend(Move):
    """The base tile that a total of 17 brings."""

    player: int | None
    at: Place


@dataclass(frozen=True, slots=True)
class Rewall(Move):
    """The moving of a wall that a total of 20 brings."""

    player: int | None
    old: Border
    new: Border


@dataclass(frozen=True, slots=True)
class Forfeit(Move):
    """A bonus is given up."""

    player: int | None


@dataclass(frozen=True, slots=True)
class End(Move):
    """A player has done with the actions of his turn."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Face(Move):
    """A Sniper is given his facing at the end of the turn."""

    player: int | None
    at: Place
    facing: str


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """A draw is offered, or the offer accepted."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Decline(Move):
    """The offer of a draw is declined."""

    player: int | None


WarMove: TypeAlias = (
    First
    | Found
    | Wall
    | Stock
    | March
    | Run
    | Blow
    | Shoot
    | Spawn
    | Bonus
    | Extend
    | Rewall
    | Forfeit
    | End
    | Face
    | Draw
    | Decline
)
"""Whatever a player does."""


# — facts —


@dataclass(frozen=True, slots=True)
class Armies(Fact):
    """Which army each player has brought."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Lot(Fact):
    """Who won the coin flip."""

    winner: int


@dataclass(frozen=True, slots=True)
class Shown(Fact):
    """Of which type a soldier is who was hidden while the bases were stocked."""

    at: Place
    kind: Kind


@dataclass(frozen=True, slots=True)
class Flipped(Fact):
    """What the tile shows on which a soldier has landed."""

    at: Place
    tile: Domino


WarFact: TypeAlias = Armies | Lot | Shown | Flipped
"""Whatever the table reveals."""
