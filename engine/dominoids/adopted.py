# ruff: noqa: ARG002 (what an adopter is asked is the same for every game)
"""A table of Dominoids taken as it is: what lies there counts, and the record tells what nobody can see.

Nobody sees the suit of a coin that lies value up, nor which dice of the turn were used, nor whose turn it is:
of that the record says what it can, and what is left to guess is said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.book import State
from engine.dominoids.board import NUMBER_OF, SQUARES, ends, lying, middle
from engine.dominoids.by_hand import put
from engine.dominoids.model import (
    ACT,
    ARMS,
    DICE,
    DOMINOES,
    OPENING,
    REFILL,
    ROLL,
    STAGES,
    SUITS,
    UNKNOWN,
    VALUES,
    Coin,
    DominoidsState,
)
from engine.dominoids.sighted import (
    check_collected,
    coin_seen,
    dice_placed,
    dice_seen,
    dominoes_seen,
    is_in,
    lying_unseen,
    pawns_seen,
    pieces,
    square_under,
    squares_under,
    suits_apart,
    surely_seen,
)
from engine.dominoids.table import BOARD, CHOSEN, OLD, POOL_REGION, player_region
from engine.dominoids.telling import suit_name
from engine.dominoids.whole_set import known_together
from engine.errors import BadSetup
from engine.matching.adopted import Adopter, Need
from engine.plain import Json, JsonObject
from engine.scene import Scene, Sighting

_THERE = 0.5


@dataclass
class _Purse:
    """The coins of the game while a table is read: each may be in one place only."""

    state: DominoidsState
    board: list[Coin] = field(default_factory=list)
    eaten: list[set[tuple[int, int]]] = field(default_factory=lambda: [set(), set()])
    """For each player the suits and values that were collected."""
    guessed: list[str] = field(default_factory=list)

    def free(self, value: int) -> list[int]:
        """The suits of which a coin of this value may come to light, those of coins that are gone first."""
        shown = {(one.suit, one.value) for one in self.board} | self.eaten[0] | self.eaten[1]
        used = Counter(suit for suit, _ in (*self.eaten[0], *self.eaten[1]))
        used.update(one.suit for one in self.board)
        free = [suit for suit in range(len(SUITS)) if (suit, value) not in shown and used[suit] < len(VALUES)]
        gone = Counter(one.suit for one in self.state.coins) - Counter(one.suit for one in self.board)
        known = {one.suit for one in self.state.coins if one.value == value}
        return sorted(free, key=lambda suit: (suit not in known, -gone[suit]))

    def guess(self, value: int, where: str) -> int:
        """The suit that a coin is taken to be of, of which nobody knows it."""
        free = self.free(value)
        if not free:
            raise BadSetup(f"There are too many coins of value {value}: take the one {where} away.")
        if len(free) > 1:
            self.guessed.append(
                f"The coin of value {value} {where} is taken for one of {suit_name(free[0])}."
            )
        return free[0]


def table_as_it_is(state: DominoidsState, scene: Scene) -> JsonObject:
    """The table as a set-up; raises BadSetup, saying what to do with which piece."""
    _on_the_board(scene)
    purse = _coins(state, scene)
    return {
        "dominoes": dominoes_seen(scene),
        "pawns": pawns_seen(scene),
        "coins": [
            {
                "square": str(SQUARES[one.square]),
                "suit": SUITS[one.suit],
                "value": None if one.value == UNKNOWN else one.value,
            }
            for one in purse.board
        ],
        "collected": [_collected(some) for some in purse.eaten],
        **_turn(state, scene, [one.square for one in purse.board if one.value == UNKNOWN]),
    }


def unknown_of(before: DominoidsState, after: DominoidsState, scene: Scene) -> Iterator[str]:
    """What nobody can know of a table that was taken as it is, in sentences."""
    yield from _coins(before, scene).guessed
    if after.stage == ACT and (after.chosen, after.faces) != (before.chosen, before.faces):
        yield "Which dice of the turn were used is not known: none counts as used."
    yield f"It counts as the turn of player {after.player}."


# — coins —


def _coins(state: DominoidsState, scene: Scene) -> _Purse:
    purse = _Purse(state)
    lying = [one for one in scene.sightings if is_in(one, "coin", BOARD)]
    for one in lying:
        suit = (one.value or {}).get("suit")
        if suit in SUITS:
            purse.board.append(Coin(_square(one), SUITS.index(str(suit)), UNKNOWN))
    _still_collected(purse, scene)
    for one in lying:
        value = (one.value or {}).get("value")
        if isinstance(value, int) and (one.value or {}).get("suit") is None:
            square = _square(one)
            known = state.coin_at(square)
            there = known is not None and known.suit in purse.free(value)
            suit_ = (
                known.suit if known is not None and there else purse.guess(value, f"on {square_under(one)}")
            )
            purse.board.append(Coin(square, suit_, value))
    _newly_collected(purse, scene)
    purse.board.sort()
    return purse


def _square(one: Sighting) -> int:
    """The square on which a piece lies; raises BadSetup for one that lies beside the board."""
    number = NUMBER_OF.get(square_under(one))
    if number is None:
        raise BadSetup(f"A {one.kind} lies over the edge of the board: push it onto a square.")
    return number


def _on_the_board(scene: Scene) -> None:
    """Raises BadSetup for a domino that lies over the edge."""
    for one in scene.sightings:
        squares = squares_under(one) if is_in(one, "domino", BOARD) else None
        if squares is not None and not NUMBER_OF.keys() >= {*squares}:
            what = next(pieces(one), None)
            called = f"The {what.domino}" if what else "A domino"
            raise BadSetup(f"{called} lies over the edge of the board: push it onto two squares.")


def _still_collected(purse: _Purse, scene: Scene) -> None:
    """What the record has of the coins with the players, less what is not seen there any more."""
    state = purse.state
    for player in (1, 2):
        seen = Counter(_values(scene, player))
        for suit in range(len(SUITS)):
            for value in state.collected(player, suit):
                if seen[value] > 0:
                    seen[value] -= 1
                elif not scene.is_hidden(player_region(player)):
                    gone = f"The {suit_name(suit)} coin of value {value} of player {player} is not seen"
                    purse.guessed.append(f"{gone}: it does not count as collected.")
                    continue
                purse.eaten[player - 1].add((suit, value))


def _newly_collected(purse: _Purse, scene: Scene) -> None:
    """The coins that lie with a player and that the record does not have there."""
    for player in (1, 2):
        known = Counter(value for _, value in purse.eaten[player - 1])
        for value in (Counter(_values(scene, player)) - known).elements():
            suit = purse.guess(value, f"on player {player}'s side")
            purse.eaten[player - 1].add((suit, value))


def _values(scene: Scene, player: int) -> list[int]:
    """The values of the coins that lie with a player."""
    there = (
        one
        for one in scene.sightings
        if is_in(one, "coin", player_region(player)) and one.face == "up" and one.presence >= _THERE
    )
    values = ((one.value or {}).get("value") for one in there)
    return [value for value in values if isinstance(value, int)]


def _collected(some: set[tuple[int, int]]) -> dict[str, Json]:
    return {
        name: sorted(value for suit, value in some if suit == number)
        for number, name in enumerate(SUITS)
    }  # fmt: skip


# — dice and the turn —


def _turn(state: DominoidsState, scene: Scene, closed: Sequence[int]) -> JsonObject:
    """Dice as they lie in their boxes, and the turn as the record has it, or as they tell."""
    dice: Mapping[str, tuple[str, str]] = dice_placed(state, scene)
    boxes = {suit: box for suit, (box, _) in dice.items()}
    new = [suit for suit in SUITS if boxes[suit] == "new"]
    chosen = [suit for suit in SUITS if boxes[suit] == "chosen"]
    if len(new) == len(SUITS):
        raise BadSetup("All four dice lie in the new box: put them into the old one.")
    now = sum(1 << SUITS.index(suit) for suit in chosen)
    same = now == state.chosen
    plain = state.stage in (DICE, ACT, REFILL, ROLL)
    used = state.used if same else 0
    stage = state.stage if same and plain else DICE if not now else ACT if used != now else REFILL
    over = _turn_has_passed(state, now)
    turning = [str(SQUARES[square]) for square in closed if state.turning >> square & 1]
    keeps = bool(turning) and (not state.taker or len(turning) == 1)
    told: JsonObject = {
        "dice": {suit: face for suit, (_, face) in dice.items()},
        "new": [*new],
        "chosen": [*chosen],
        "used": [suit for number, suit in enumerate(SUITS) if used >> number & 1],
        "stage": STAGES[stage],
        "turn": state.turn + over,
        "player": scene.by or (3 - state.player if over else state.player),
    }
    if keeps and same:
        told |= {"turning": [*turning], "taker": state.taker}
    return told


def _turn_has_passed(state: DominoidsState, now: int) -> bool:
    """Whether other dice lie out than those of the recorded turn, so that it must be over."""
    if state.stage == OPENING or not state.chosen:
        return False
    return now != state.chosen and now & ~state.chosen | (not now) != 0


class DominoidsAdopter(Adopter):
    """A table of Dominoids as it lies."""

    def opening(self, state: State) -> tuple[Need, ...]:
        """The four arms of figure 1, the rest in the pool, four dice."""
        needs: list[Need] = []
        for arm in ARMS:
            needs.append(Need("pawn", "pawn", BOARD, None, *SQUARES[arm.pawn]))
            low, high = ends(arm.lie)
            angle = lying(SQUARES[low], SQUARES[high])
            needs.append(Need("domino", "domino", BOARD, "up", *middle(arm.lie), angle))
            needs.append(Need("coin, suit up", "coin", BOARD, "down", *SQUARES[arm.coin]))
        needs.append(Need("11 dominoes", "domino", POOL_REGION, "up", many=len(DOMINOES) - len(ARMS)))
        needs.append(Need("four dice", "die", OLD, many=len(SUITS)))
        return tuple(needs)

    def table(self, state: State, scene: Scene) -> JsonObject:
        """Dominoes, pawns, coins and dice as they lie; of coins that lie value up the suit is remembered."""
        assert isinstance(state, DominoidsState)
        if any(is_in(one, "die", CHOSEN) for one in scene.sightings):
            raise BadSetup("Dice of a turn lie out: a table can be taken as it is between two turns.")
        check_collected(state, scene)
        scene = surely_seen(known_together(state, scene))
        before = state.to_json()
        return {
            "dominoes": dominoes_seen(scene),
            "pawns": pawns_seen(scene),
            "coins": [coin_seen(state, one) for one in scene.sightings if is_in(one, "coin", BOARD)],
            "collected": before["collected"],
            **dice_seen(state, scene),
            "player": scene.by or state.player,
        }

    def taken(self, state: State, scene: Scene) -> State:
        """Also in the midst of a turn: its dice as they lie, the coins as far as the record knows them."""
        assert isinstance(state, DominoidsState)
        if state.stage == OPENING:
            return super().taken(state, scene)
        return self.book.start(table_as_it_is(state, surely_seen(scene)))

    def put(self, state: State, words: Sequence[str]) -> State:
        """Dominoes, pawns, coins and dice by their names."""
        assert isinstance(state, DominoidsState)
        return put(state, words)

    def unknown(self, before: State, after: State, scene: Scene) -> tuple[str, ...]:
        """The suits of coins, the dice that were used, and whose turn it is."""
        assert isinstance(before, DominoidsState)
        assert isinstance(after, DominoidsState)
        return () if before.stage == OPENING else (*unknown_of(before, after, surely_seen(scene)),)

    def granted(self, state: State, scene: Scene) -> tuple[str, ...]:
        """Dominoes that are seen nowhere: a table that is taken as it is has them in the pool."""
        return lying_unseen(scene)

    def likeliest(self, state: State, scene: Scene) -> tuple[Scene, tuple[str, ...]]:
        """Also by what the dominoes say of each other."""
        return super().likeliest(state, known_together(state, scene))

    def supposed(self, state: State, scene: Scene) -> tuple[str, ...]:
        """Less what the dominoes leave no doubt of, all together; of each suit there is one die."""
        return super().supposed(state, suits_apart(known_together(state, scene)))


ADOPTER = DominoidsAdopter
