"""Moves of Dominoids that may have been made where table and record disagree, legal or not."""

from collections.abc import Iterator
from itertools import combinations, product

from engine.book import Move
from engine.dominoids import options
from engine.dominoids.board import CARRIED, DIRECTIONS, LINE_MASK, NUMBER_OF, POOL, SQUARES
from engine.dominoids.model import (
    ACE,
    ACT,
    DICE,
    DOMINOES,
    NULL,
    NUMBER,
    REFILL,
    SUITS,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Done,
    Eat,
    MoveDominoid,
    PlaceCoin,
    Shift,
    TakeDice,
)
from engine.dominoids.sighted import LEAST, die_share, pieces
from engine.dominoids.table import BOARD, CHOSEN, NEW, OLD, player_region
from engine.layout import Spot
from engine.matching.evidence import Gap
from engine.matching.guide import near
from engine.scene import Scene, Sighting
from engine.squares import Square


def tried(state: DominoidsState, gap: Gap, scene: Scene) -> Iterator[Move]:
    """All of them, legal or not."""
    missing = {spot.name: spot for spot in gap.missing}
    yield from _dice(state, gap)
    for one in gap.extra:
        if one.kind == "domino" and one.region == BOARD:
            yield from _laid(state, one)
        elif one.kind == "coin" and one.region == BOARD:
            yield from _refills(state, one)
    coins = [spot for spot in gap.missing if spot.kind == "coin"]
    coins += [spot for spot, _ in gap.misread if spot.kind == "coin" and spot.face == "down"]
    for spot in coins:
        yield from _meals(state, spot, scene)
    numbers = [NUMBER[domino] for domino in DOMINOES if f"domino {domino}" in missing]
    for number in numbers:
        if state.dominoes[number] != POOL:
            yield Attack(state.player, DOMINOES[number])
    yield from _shifts(state, gap)
    if (
        state.stage in (ACT, REFILL)
        and scene.sightings
        and any(one.region in (OLD, NEW) for one in gap.extra)
    ):
        yield Done(state.player)


def _dice(state: DominoidsState, gap: Gap) -> Iterator[Move]:
    """Dice taken: as many as lie among those of the turn."""
    taken = [one for one in gap.extra if one.kind == "die" and one.region == CHOSEN]
    thrown = [one for one in gap.extra if one.kind == "die" and one.region in (OLD, NEW)]
    if state.stage == DICE and (thrown or any(spot.kind == "die" for spot, _ in gap.misread)):
        # they have been taken and thrown since
        yield from (TakeDice(state.player, pair) for pair in options.dice_pairs(state))
    if not taken:
        return
    already = [die for die in range(4) if state.chosen >> die & 1]
    dice = [die for die in range(4) if any(_may_be(one, state, die) for one in taken)]
    for pair in combinations(dice, min(len(taken), len(dice))) if dice else ():
        yield TakeDice(state.player, pair)
        if already and state.stage != REFILL:
            yield TakeDice(state.player, (*already, *pair))


def blank_twins(state: DominoidsState, move: TakeDice) -> Iterator[Move]:
    """The same dice, but for a blank one that looks like another in its box."""
    blank = [die for die in range(4) if state.faces[die] == NULL]
    for taken, other in product(move.dice, blank):
        same_box = state.new >> taken & 1 == state.new >> other & 1
        if taken in blank and other not in move.dice and same_box:
            yield TakeDice(move.player, (*(die for die in move.dice if die != taken), other))


def blank_names(then: DominoidsState, now: DominoidsState) -> dict[int, int]:
    """Which blank die of one state lies where a blank one of the other lies: nobody can tell them apart."""
    left = [die for die in range(4) if now.faces[die] == NULL]
    blank = [die for die in range(4) if then.faces[die] == NULL]
    found: dict[int, int] = {}
    # A die that lies where it lay keeps its name; only the others are given one another's.
    for die in sorted(blank, key=lambda die: die not in left or _box(then, die) != _box(now, die)):
        there = [other for other in left if _box(now, other) == _box(then, die)]
        if there:
            found[die] = die if die in there else there[0]
            left.remove(found[die])
    return found


def _box(state: DominoidsState, die: int) -> tuple[int, int, int]:
    """In which box a die lies, and whether it was used."""
    return state.new >> die & 1, state.chosen >> die & 1, state.used >> die & 1


def _may_be(one: Sighting, state: DominoidsState, die: int) -> bool:
    """Whether a die that was seen may be this one, showing what it shows."""
    return die_share(one, die, state.faces[die]) >= LEAST


def _laid(state: DominoidsState, one: Sighting) -> Iterator[Move]:
    """What puts a domino where one is seen: a slide or a turn, a bud, or a birth."""
    player = state.player
    left = [die for die in range(4) if (state.chosen & ~state.used) >> die & 1]
    dice = left or [die for die in range(4) if state.chosen >> die & 1] or list(range(4))
    for piece in pieces(one):
        if state.dominoes[piece.number] == POOL:
            yield Birth(player, piece)
            yield from (Bud(player, die, piece) for die in dice)
        else:
            yield from (MoveDominoid(player, die, piece) for die in dice)


def _refills(state: DominoidsState, one: Sighting) -> Iterator[Move]:
    """Coins put on the board."""
    if one.x is None or one.y is None:
        return
    square = Square(round(one.x), round(one.y))
    for guess in one.guesses:
        suit = (guess.value or {}).get("suit")
        if suit in SUITS and guess.probability >= LEAST:
            yield PlaceCoin(state.player, SUITS.index(str(suit)), square)


def _meals(state: DominoidsState, spot: Spot, scene: Scene) -> Iterator[Move]:
    """A coin eaten, by whom it lies with then."""
    if spot.region != BOARD or spot.x is None or spot.y is None:
        return
    takers = [who for who in (1, 2) if any(one.region == player_region(who) for one in scene.sightings)]
    for player in dict.fromkeys((state.player, *takers)):
        yield Eat(player, Square(round(spot.x), round(spot.y)))


def _shifts(state: DominoidsState, gap: Gap) -> Iterator[Move]:
    """Rows and columns that a piece has left, where another lies as it would after the shift."""
    left = (*gap.missing, *(spot for spot, _ in gap.misread))
    gone = [spot for spot in left if spot.region == BOARD and spot.x is not None]
    if not gone:
        return
    aces = [die for die in range(4) if state.chosen >> die & 1 and state.faces[die] == ACE]
    dice = [die for die in aces if not state.used >> die & 1] or aces
    dice = dice or [die for die in range(4) if state.chosen >> die & 1]
    for direction, line in product(DIRECTIONS, (1, 2, 3, 4)):
        if any(_carried_to(spot, gap, CARRIED[direction, line], LINE_MASK[direction, line]) for spot in gone):
            yield from (Shift(state.player, die, direction, line) for die in dice)


def _carried_to(spot: Spot, gap: Gap, carried: tuple[int, ...], mask: int) -> bool:
    assert spot.x is not None
    assert spot.y is not None
    square = NUMBER_OF.get(Square(int(spot.x), int(spot.y)))
    if square is None or not mask >> square & 1:
        return False
    here, there = SQUARES[square], SQUARES[carried[square]]
    x, y = spot.x + there.x - here.x, spot.y + there.y - here.y
    there_now = (*gap.extra, *(one for _, one in gap.misread))
    return any(one.kind == spot.kind and near(one, x, y, 0.6) for one in there_now)
