# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in Dominoids for what happened: dominoes by the squares they lie on, dice by their boxes."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import ClassVar

from engine.book import Fact, Move, State
from engine.dominoids import options
from engine.dominoids.board import (
    CARRIED,
    DIRECTIONS,
    LINE_MASK,
    NUMBER_OF,
    POOL,
    SQUARES,
    ends,
    first,
    lying,
    middle,
)
from engine.dominoids.model import (
    ACE,
    ACT,
    ALL_DICE,
    ARMS,
    CONSEQUENCE,
    DICE,
    DOMINOES,
    NOTHING,
    NOWHERE,
    NULL,
    NUMBER,
    OPENING,
    OVER,
    REFILL,
    ROLL,
    SUITS,
    UNKNOWN,
    Arm,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Done,
    Eat,
    FirstPlayer,
    Idle,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
)
from engine.dominoids.one_set import of_one_set
from engine.dominoids.options import is_number
from engine.dominoids.rereading import rereadings
from engine.dominoids.sighted import (
    LEAST,
    check_collected,
    coin_seen,
    dice_seen,
    die_share,
    dominoes_seen,
    is_in,
    lying_unseen,
    pawns_seen,
    pieces,
    suits_apart,
    surely_seen,
)
from engine.dominoids.table import (
    BELONGINGS,
    BOARD,
    CHOSEN,
    NEW,
    OLD,
    POOL_REGION,
    player_region,
    stack_region,
)
from engine.dominoids.turn import next_arm
from engine.errors import BadSetup
from engine.layout import Spot
from engine.matching.evidence import Evidence, Gap, Leniency, Places
from engine.matching.guide import Guide, Need, near
from engine.plain import JsonObject
from engine.scene import Scene, Sighting
from engine.squares import Square


class DominoidsGuide(Guide):
    """Where to look in Dominoids."""

    lenient = Leniency(
        {POOL_REGION: -5.0, "hand-1": -3.5, "hand-2": -3.5},
        {},
        # what was not collected may be anything: a knot of the wood looks like a null; and on a stack the
        # coins lie suit up, however faint the suit is
        frozenset((region, "up") for region in ("hand-1", "hand-2", *map(stack_region, range(len(SUITS))))),
    )
    spare: ClassVar = {POOL_REGION: 1}
    vacant = frozenset((NEW, CHOSEN, "hand-1", "hand-2"))
    anchored = frozenset(("die",))
    belongings = BELONGINGS
    once = (Roll,)

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """The scene; before a game is known, what its dominoes say of each other as well."""
        assert isinstance(state, DominoidsState)
        return super().evidence(state, _known_together(state, scene), places, others)

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """What can have been done with the pieces that are not where they were."""
        assert isinstance(state, DominoidsState)
        if state.stage in (OPENING, OVER):
            return []
        return dict.fromkeys(_moves(state, gap, scene))

    def stones(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Steps of dominoes that may have gone farther than one move, and children that have moved on."""
        names = {spot.name for spot in gap.missing}
        numbers = {NUMBER[domino] for domino in DOMINOES if f"domino {domino}" in names}
        numbers |= {piece.number for one in gap.extra if one.kind == "domino" for piece in pieces(one)}
        for move in self.book.legal_moves(state):
            piece = move.to if isinstance(move, MoveDominoid) else getattr(move, "child", None)
            if piece is not None and piece.number in numbers:
                yield move

    def silent(self, state: State, evidence: Evidence) -> Iterable[Move]:
        """Passes, slides without a consequence, and the end of a turn."""
        assert isinstance(state, DominoidsState)
        return [move for move in self.book.legal_moves(state) if isinstance(move, Pass | Idle | Done)]

    def forced(self, state: State) -> Move | None:
        """The first of the moves that nobody can see, where there are no others."""
        moves = self.book.legal_moves(state)
        return moves[0] if moves and all(isinstance(move, Pass | Idle | Done) for move in moves) else None

    def facts(self, state: State, evidence: Evidence) -> Iterable[Fact]:
        """Coins turned up, dice as they lie in their boxes, the arms of the opening, and who begins."""
        assert isinstance(state, DominoidsState)
        if state.turning:
            return [fact for fact in self.book.possible_facts(state) if isinstance(fact, TurnedCoin)]
        if state.stage != OPENING:
            return _rolls(state.chosen, evidence)
        if NOWHERE in state.pawns:
            return _arms(state, evidence)
        if UNKNOWN in state.faces:
            return _rolls(ALL_DICE, evidence)
        return [FirstPlayer(1), FirstPlayer(2)]  # whoever takes the first dice

    def essence(self, state: State) -> Hashable:
        """Which die of the turn was used nobody sees, nor which of two blank ones was taken.

        The next move or roll tells, if it matters; once the actions are done, what was done last does not.
        """
        assert isinstance(state, DominoidsState)
        blank = [die for die in range(4) if state.faces[die] == NULL]
        boxes = tuple(sorted((state.new >> die & 1, state.chosen >> die & 1) for die in blank))
        seen = sum(1 << die for die in range(4) if die not in blank)
        done = state.stage in (REFILL, ROLL)
        rest = state._replace(
            used=0,
            new=state.new & seen,
            chosen=state.chosen & seen,
            mover=NOWHERE if done else state.mover,
            deed=NOTHING if done else state.deed,
        )
        return rest, boxes, state.used.bit_count()

    def taste(self, state: State, move: Move) -> float:
        """Players spend the smaller die on what both would do, and breed when it is time to."""
        assert isinstance(state, DominoidsState)
        if isinstance(move, MoveDominoid | Bud | Shift):
            untimely = isinstance(move, Bud) and state.stage == CONSEQUENCE
            needed = is_number(state.faces[move.die]) != isinstance(move, Shift)
            return -0.01 * state.faces[move.die] - 0.5 * untimely - 0.3 * (not needed)
        return -0.5 * (isinstance(move, Birth) and state.stage != CONSEQUENCE)

    def gist(self, move: Move) -> Hashable:
        """What was done: with which die hangs on what the dice are read to show."""
        return replace(move, die=0) if isinstance(move, MoveDominoid | Bud | Shift | Pass) else move

    def twins(self, state: State, move: Move) -> Iterable[Move]:
        """The same action with the other die, and other blank dice taken from the same box."""
        assert isinstance(state, DominoidsState)
        if isinstance(move, MoveDominoid | Bud | Shift):
            others: list[Move] = [replace(move, die=die) for die in range(4) if die != move.die]
        elif isinstance(move, TakeDice):
            others = list(_blank_twins(state, move))
        else:
            others = []
        return [twin for twin in others if self.book.judge(state, twin).allowed]

    def rereadings(self, state: State, fact: Fact, later: Sequence[Fact], scene: Scene) -> Iterable[Fact]:
        """Rolls as the dice show them now that were not rolled again since."""
        if not isinstance(fact, Roll):
            return ()
        assert isinstance(state, DominoidsState)
        again = {die: face for one in later if isinstance(one, Roll) for die, face in one.faces}
        dice = [one for one in scene.sightings if one.kind == "die" and one.region in (OLD, NEW, CHOSEN)]
        return rereadings(state.faces, fact, again, dice)

    def otherwise(self, state: State, fact: Fact) -> Fact | None:
        """The same roll, if a blank die of it was the other one that was taken."""
        assert isinstance(state, DominoidsState)
        if not isinstance(fact, Roll):
            return None
        told, due = dict(fact.faces), {die for die in range(4) if state.chosen >> die & 1}
        if len(told) != len(due) or any(told[die] != NULL for die in told.keys() - due):
            return None
        return Roll(tuple((die, told.get(die, NULL)) for die in sorted(due)))

    def waits_for(self, state: State) -> str:
        """What must be seen before play goes on."""
        assert isinstance(state, DominoidsState)
        if state.turning:
            return f"The coin on {SQUARES[first(state.turning)]} must be turned up."
        if self.book.pending(state) is None:
            return ""
        return "The dice must be rolled." if state.stage != OPENING else "The opening must be set up."

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
        scene = surely_seen(_known_together(state, scene))
        before = state.to_json()
        return {
            "dominoes": dominoes_seen(scene),
            "pawns": pawns_seen(scene),
            "coins": [coin_seen(state, one) for one in scene.sightings if is_in(one, "coin", BOARD)],
            "collected": before["collected"],
            **dice_seen(state, scene),
            "player": scene.by or state.player,
        }

    def granted(self, state: State, scene: Scene) -> tuple[str, ...]:
        """Dominoes that are seen nowhere: a table that is taken as it is has them in the pool."""
        return lying_unseen(scene)

    def likeliest(self, state: State, scene: Scene) -> tuple[Scene, tuple[str, ...]]:
        """Also by what the dominoes say of each other."""
        return super().likeliest(state, _known_together(state, scene))

    def supposed(self, state: State, scene: Scene) -> tuple[str, ...]:
        """Less what the dominoes leave no doubt of, all together; of each suit there is one die."""
        return super().supposed(state, suits_apart(_known_together(state, scene)))


GUIDE = DominoidsGuide


def _known_together(state: State, scene: Scene) -> Scene:
    """The scene; before a game is known, with what its dominoes say of each other."""
    assert isinstance(state, DominoidsState)
    return of_one_set(scene) if state.stage == OPENING else scene


# — moves —


def _moves(state: DominoidsState, gap: Gap, scene: Scene) -> Iterator[Move]:
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


def _blank_twins(state: DominoidsState, move: TakeDice) -> Iterator[Move]:
    """The same dice, but for a blank one that looks like another in its box."""
    blank = [die for die in range(4) if state.faces[die] == NULL]
    for taken, other in product(move.dice, blank):
        same_box = state.new >> taken & 1 == state.new >> other & 1
        if taken in blank and other not in move.dice and same_box:
            yield TakeDice(move.player, (*(die for die in move.dice if die != taken), other))


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


# — facts —


def _rolls(dice: int, evidence: Evidence) -> Iterator[Fact]:
    """The rolls that the dice in the boxes may be."""
    seen = [one for box in (NEW, OLD, CHOSEN) for one in evidence.in_region(box, "die")]
    rolled = [die for die in range(4) if dice >> die & 1]
    faces = [_faces(die, seen) for die in rolled]
    for shown in product(*faces):
        yield Roll(tuple(zip(rolled, shown, strict=True)))


def _faces(die: int, seen: list[Sighting]) -> list[int]:
    """The faces that a die may show, as far as any die that was seen may be it."""
    return [face for face in range(6) if any(die_share(one, die, face) >= LEAST for one in seen)]


def _arms(state: DominoidsState, evidence: Evidence) -> Iterator[Fact]:
    """The next arm of the opening, as its pawn and its domino are seen."""
    arm = ARMS[next_arm(state)]
    x, y = SQUARES[arm.pawn]
    suits = [
        SUITS.index(str((guess.value or {}).get("suit")))
        for one in evidence.in_region(BOARD, "pawn")
        for guess in one.guesses
        if near(one, x, y, 0.5) and guess.probability >= LEAST and (guess.value or {}).get("suit") in SUITS
    ]
    low, high = arm.lie >> 6, arm.lie & 63
    for one in evidence.in_region(BOARD, "domino"):
        for piece in pieces(one):
            if {NUMBER_OF.get(piece.low), NUMBER_OF.get(piece.high)} == {low, high}:
                yield from (Arm(suit, SQUARES[arm.pawn], piece) for suit in suits)
