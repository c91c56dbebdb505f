"""What there is in Dominoids: pieces, the state of a game, moves and facts, and their plain data."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.book import Fact, Move, State
from engine.dominoes import Domino, domino_set, tile
from engine.dominoids.board import MASK, NAMES, NUMBER_OF, POOL, SQUARES, TIDY, Direction, ends, lie
from engine.plain import Json, JsonObject
from engine.squares import Square

GAME: Final = "dominoids"
VERSION: Final = 1
"""The version of a state's plain form."""

SUITS: Final = ("suns", "moons", "crowns", "arms")
FACES: Final = ("null", "ace", "2", "3", "4", "5")
"""The faces of a die; their places in this list are also the values 0 to 5 of the coins."""
DOMINOES: Final = domino_set(5, lowest=1)
NUMBER: Final = {domino: number for number, domino in enumerate(DOMINOES)}
VALUES: Final = range(6)
NULL: Final = 0
ACE: Final = 1
UNKNOWN: Final = 7
"""The value of a coin that lies value down, and the face of a die that was not rolled yet."""
ALL_DICE: Final = 15
NOWHERE: Final = -1
"""The square of a pawn that is not set up yet, and the number of a Dominoid where there is none."""

# The stages of a turn. A coin that must be turned up comes before whatever the stage says.
OPENING, DICE, ACT, CONSEQUENCE, REFILL, ROLL, OVER = range(7)
STAGES: Final = ("opening", "dice", "act", "consequence", "refill", "roll", "over")

# The last thing done in the turn: it decides which rule refuses a meal that comes at the wrong time.
NOTHING, SLID, ROTATED, BUDDED, SHIFTED, PASSED, ATE, ATTACKED, BRED, IDLED = range(10)
DEEDS: Final = (
    "nothing",
    "slid",
    "rotated",
    "budded",
    "shifted",
    "passed",
    "ate",
    "attacked",
    "bred",
    "idled",
)

# Who takes a coin that is being turned up: nobody, a player whatever it shows, or the mover if it fits.
NOBODY, IF_IT_FITS = 0, 3

# How a game ended.
PLAYING, SUITS_GONE, AGREED, TURNS_OVER = range(4)
ENDINGS: Final = (None, "suits", "agreement", "turns")


class Laid(NamedTuple):
    """A domino as it lies: where its low end is and where its high end is. Squares may be off the board.

    Made by ``laid``, which puts the ends in order; of a double the earlier square comes first.
    """

    domino: Domino
    low: Square
    high: Square

    def __str__(self) -> str:
        shown = sorted([(self.low, self.domino.low), (self.high, self.domino.high)])
        return "-".join(f"{pips}@{square}" for square, pips in shown)

    @property
    def number(self) -> int:
        """The number of the domino in the set."""
        return NUMBER[self.domino]

    @property
    def lie(self) -> int | None:
        """The lie on the board, or None where an end is off it."""
        low, high = NUMBER_OF.get(self.low), NUMBER_OF.get(self.high)
        return None if low is None or high is None else lie(low, high)


def laid(a: int, at: Square, b: int, bt: Square) -> Laid:
    """The domino with its end ``a`` on the square ``at`` and its end ``b`` on ``bt``."""
    if a > b or (a == b and at > bt):
        return Laid(tile(a, b), bt, at)
    return Laid(tile(a, b), at, bt)


@lru_cache(maxsize=4096)
def laid_on(number: int, lie_: int) -> Laid:
    """The domino with this number in this lie."""
    low, high = ends(lie_)
    return Laid(DOMINOES[number], SQUARES[low], SQUARES[high])


# — moves —


@dataclass(frozen=True, slots=True)
class TakeDice(Move):
    """The active player chooses the dice of the turn, by suit, in suit order."""

    player: int | None
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))  # the order has no meaning


@dataclass(frozen=True, slots=True)
class MoveDominoid(Move):
    """With a number die a Dominoid comes to lie here; whether it slid or turned, the board shows."""

    player: int | None
    die: int
    to: Laid


@dataclass(frozen=True, slots=True)
class Bud(Move):
    """With a number die that moves nothing a child is put on the board."""

    player: int | None
    die: int
    child: Laid


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """With an ace a tile row (left, right) or tile column (up, down) is shifted by one tile."""

    player: int | None
    die: int
    direction: Direction
    line: int


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """A die is spent on nothing."""

    player: int | None
    die: int


@dataclass(frozen=True, slots=True)
class Eat(Move):
    """The Dominoid that slid eats the coin on a square."""

    player: int | None
    square: Square


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """The Dominoid that slid sends this one back to the gene pool."""

    player: int | None
    victim: Domino


@dataclass(frozen=True, slots=True)
class Birth(Move):
    """The Dominoid that slid has bred, and this child is put on the board."""

    player: int | None
    child: Laid


@dataclass(frozen=True, slots=True)
class Idle(Move):
    """The slide has no consequence."""

    player: int | None


@dataclass(frozen=True, slots=True)
class PlaceCoin(Move):
    """The top coin of a suit's stack is put on the board, value down."""

    player: int | None
    suit: int
    square: Square


@dataclass(frozen=True, slots=True)
class Done(Move):
    """The turn is over; the dice will be rolled."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Agree(Move):
    """A player agrees to stop the game; when both have, it is over."""

    player: int | None


Action: TypeAlias = MoveDominoid | Bud | Shift | Pass
AnyMove: TypeAlias = TakeDice | Action | Eat | Attack | Birth | Idle | PlaceCoin | Done | Agree


# — facts —


@dataclass(frozen=True, slots=True)
class Arm(Fact):
    """One arm of the opening: whose pawn stands there, and how the domino before it lies."""

    suit: int
    pawn: Square
    domino: Laid


@dataclass(frozen=True, slots=True)
class Roll(Fact):
    """What dice show after a roll: suit and face, in suit order."""

    faces: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TurnedCoin(Fact):
    """The value of a coin that was turned up."""

    square: Square
    value: int


@dataclass(frozen=True, slots=True)
class FirstPlayer(Fact):
    """Who was drawn to begin."""

    player: int


AnyFact: TypeAlias = Arm | Roll | TurnedCoin | FirstPlayer


# — the state —


class Coin(NamedTuple):
    """A coin on the board. The suit is always known, as its back showed it; the value once it was turned."""

    square: int
    suit: int
    value: int


class _Fields(NamedTuple):
    turn: int
    """The number of the turn, from 1."""
    player: int
    stage: int
    dominoes: tuple[int, ...]
    """The lie of each of the 15 dominoes, or POOL."""
    pawns: tuple[int, ...]
    """The square of each suit's pawn."""
    coins: tuple[Coin, ...]
    """The coins on the board, in square order."""
    eaten: tuple[int, int]
    """What each player has collected: bit ``6 * suit + value``."""
    faces: tuple[int, ...]
    """What each suit's die shows."""
    new: int
    """The dice in the box of new dice; like the next two a mask of suits. All others are in the old box."""
    chosen: int
    used: int
    mover: int
    """The Dominoid that slid last in this turn, for its consequence; or NOWHERE."""
    deed: int
    """The last thing done in this turn."""
    turning: int
    """The coins that must be turned up now, as a mask of squares."""
    taker: int
    """Who takes the coin that is turned up."""
    agreed: int
    """Who agreed to stop: bit 0 for player 1, bit 1 for player 2."""
    ended: int


class DominoidsState(_Fields, State):
    """A game of Dominoids: the table as it is, whose turn, and what of the turn is done.

    What a stack holds is not stored: it is what is neither on the board nor collected, so that no coin can
    be lost.
    """

    __slots__ = ()

    @property
    def occupied(self) -> int:
        """The squares with something on them, as a mask."""
        mask = 0
        for lie_ in self.dominoes:
            mask |= MASK[lie_]
        for pawn in self.pawns:
            mask |= 1 << pawn
        for square, _, _ in self.coins:
            mask |= 1 << square
        return mask

    @property
    def pool(self) -> tuple[int, ...]:
        """The numbers of the dominoes in the gene pool."""
        return tuple(number for number, lie_ in enumerate(self.dominoes) if lie_ == POOL)

    def coin_at(self, square: int) -> Coin | None:
        """The coin on a square, if there is one."""
        for coin in self.coins:
            if coin.square == square:
                return coin
        return None

    def collected(self, player: int, suit: int) -> tuple[int, ...]:
        """The values that a player has collected of a suit."""
        held = self.eaten[player - 1] >> 6 * suit
        return tuple(value for value in VALUES if held >> value & 1)

    def stack(self, suit: int) -> int:
        """How many coins are left in a suit's stack."""
        taken = ((self.eaten[0] | self.eaten[1]) >> 6 * suit & 63).bit_count()
        return 6 - taken - sum(coin.suit == suit for coin in self.coins)

    def unseen(self, suit: int) -> tuple[int, ...]:
        """The values of a suit that no coin has shown yet."""
        seen = (self.eaten[0] | self.eaten[1]) >> 6 * suit
        shown = {coin.value for coin in self.coins if coin.suit == suit}
        return tuple(value for value in VALUES if not seen >> value & 1 and value not in shown)

    def after_meal(self, player: int, coin: Coin) -> "DominoidsState":
        """The state with a coin, whose value is known, off the board and collected by a player."""
        bit = 1 << 6 * coin.suit + coin.value
        one, two = self.eaten
        return self._replace(
            coins=tuple(other for other in self.coins if other.square != coin.square),
            eaten=(one | bit, two) if player == 1 else (one, two | bit),
        )

    def lies_with(self, number: int, lie_: int) -> tuple[int, ...]:
        """The lies of all dominoes, with one of them in another lie, or in the POOL."""
        lies = self.dominoes
        return (*lies[:number], lie_, *lies[number + 1 :])

    def with_domino(self, number: int, lie_: int) -> "DominoidsState":
        """The state with one domino in another lie, or in the POOL."""
        return self._replace(dominoes=self.lies_with(number, lie_))

    def exhausted(self) -> tuple[int, ...]:
        """The suits whose coins have all been collected."""
        taken = self.eaten[0] | self.eaten[1]
        return tuple(suit for suit in range(4) if taken >> 6 * suit & 63 == 63)

    def to_json(self) -> JsonObject:
        """The state as plain data."""
        return {
            "game": GAME,
            "version": VERSION,
            "turn": self.turn,
            "player": self.player,
            "stage": STAGES[self.stage],
            "dominoes": {
                str(domino): [NAMES[end] for end in ends(lie_)]
                for domino, lie_ in zip(DOMINOES, self.dominoes, strict=True)
                if lie_ != POOL
            },
            "pawns": {
                suit: NAMES[pawn] for suit, pawn in zip(SUITS, self.pawns, strict=True) if pawn != NOWHERE
            },
            "coins": [
                {"square": NAMES[square], "suit": SUITS[suit], "value": None if value == UNKNOWN else value}
                for square, suit, value in self.coins
            ],
            "collected": [
                {SUITS[suit]: list(self.collected(player, suit)) for suit in range(4)} for player in (1, 2)
            ],
            "dice": {
                suit: FACES[face] for suit, face in zip(SUITS, self.faces, strict=True) if face != UNKNOWN
            },
            "new": _suits(self.new),
            "chosen": _suits(self.chosen),
            "used": _suits(self.used),
            "mover": None if self.mover == NOWHERE else str(DOMINOES[self.mover]),
            "deed": DEEDS[self.deed],
            "turning": [NAMES[square] for square in range(64) if self.turning >> square & 1],
            "taker": self.taker,
            "agreed": [player for player in (1, 2) if self.agreed >> player - 1 & 1],
            "ended": ENDINGS[self.ended],
        }


def _suits(mask: int) -> list[Json]:
    return [suit for number, suit in enumerate(SUITS) if mask >> number & 1]


EMPTY: Final = DominoidsState(
    turn=1,
    player=1,
    stage=OPENING,
    dominoes=(POOL,) * len(DOMINOES),
    pawns=(NOWHERE,) * 4,
    coins=(),
    eaten=(0, 0),
    faces=(UNKNOWN,) * 4,
    new=0,
    chosen=0,
    used=0,
    mover=NOWHERE,
    deed=NOTHING,
    turning=0,
    taker=NOBODY,
    agreed=0,
    ended=PLAYING,
)
"""The bare table, before the opening of figure 1 is seen."""


class ArmPlace(NamedTuple):
    """Where the pieces of one arm of figure 1 are: pawn, coin, and the two squares of the domino."""

    pawn: int
    coin: int
    lie: int


def _arm(pawn: str, coin: str, near: str, far: str) -> ArmPlace:
    at = {name: number for number, name in enumerate(NAMES)}
    return ArmPlace(at[pawn], at[coin], TIDY[lie(at[near], at[far])])


ARMS: Final = (
    _arm("b3", "a3", "c3", "d3"),
    _arm("c7", "c8", "c6", "c5"),
    _arm("g6", "h6", "f6", "e6"),
    _arm("f2", "f1", "f3", "f4"),
)
"""The opening, arm by arm: west, north, east, south."""
