# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in Dominoids for what happened: dominoes by the squares they lie on, dice by their boxes."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import ClassVar

from engine.book import Fact, Move, State
from engine.dominoids.board import NUMBER_OF, SQUARES, first
from engine.dominoids.model import (
    ALL_DICE,
    ARMS,
    CONSEQUENCE,
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
    Birth,
    Bud,
    DominoidsState,
    Done,
    FirstPlayer,
    Idle,
    MoveDominoid,
    Pass,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
)
from engine.dominoids.options import is_number
from engine.dominoids.rereading import rereadings
from engine.dominoids.sighted import (
    LEAST,
    die_share,
    pieces,
)
from engine.dominoids.table import BELONGINGS, BOARD, CHOSEN, NEW, OLD, POOL_REGION, stack_region
from engine.dominoids.tried import blank_names, blank_twins, tried
from engine.dominoids.turn import next_arm
from engine.dominoids.whole_set import known_together
from engine.matching.evidence import Evidence, Gap, Leniency, Places
from engine.matching.guide import Guide, Silent, near
from engine.scene import Scene, Sighting


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
    begun = (FirstPlayer,)
    once = (Roll,)

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """The scene; before a game is known, what its dominoes say of each other as well."""
        assert isinstance(state, DominoidsState)
        return super().evidence(state, known_together(state, scene), places, others)

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """What can have been done with the pieces that are not where they were."""
        assert isinstance(state, DominoidsState)
        if state.stage in (OPENING, OVER):
            return []
        return dict.fromkeys(tried(state, gap, scene))

    def stones(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Steps of dominoes that may have gone farther than one move, and children that have moved on."""
        names = {spot.name for spot in gap.missing}
        numbers = {NUMBER[domino] for domino in DOMINOES if f"domino {domino}" in names}
        numbers |= {piece.number for one in gap.extra if one.kind == "domino" for piece in pieces(one)}
        for move in self.book.legal_moves(state):
            piece = move.to if isinstance(move, MoveDominoid) else getattr(move, "child", None)
            if piece is not None and piece.number in numbers:
                yield move

    def silent(self, state: State, evidence: Evidence) -> Iterable[Silent]:
        """Passes, slides without a consequence, and the end of a turn."""
        assert isinstance(state, DominoidsState)
        return [Silent(move) for move in self.book.legal_moves(state) if isinstance(move, Pass | Idle | Done)]

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
            others = list(blank_twins(state, move))
        else:
            others = []
        return [twin for twin in others if self.book.judge(state, twin).allowed]

    def rereadings(
        self, state: State, fact: Fact, later: Sequence[Fact], scene: Scene, *, sure: bool
    ) -> Iterable[Fact]:
        """Rolls as the dice show them now that were not rolled again since."""
        if not isinstance(fact, Roll):
            return ()
        assert isinstance(state, DominoidsState)
        again = {die: face for one in later if isinstance(one, Roll) for die, face in one.faces}
        dice = [one for one in scene.sightings if one.kind == "die" and one.region in (OLD, NEW, CHOSEN)]
        return rereadings(state.faces, fact, again, dice)

    def again(self, then: State, now: State, did: Move | Fact) -> Iterator[Move | Fact]:
        """The same with the blank dice that lie where those of the move lay then, or that were taken now."""
        assert isinstance(then, DominoidsState)
        assert isinstance(now, DominoidsState)
        if isinstance(did, TakeDice | MoveDominoid | Bud | Shift | Pass):
            did = _with_blanks(did, blank_names(then, now))
        yield from super().again(then, now, did)
        if isinstance(did, Roll):
            told, due = dict(did.faces), {die for die in range(4) if now.chosen >> die & 1}
            if len(told) == len(due) and all(told[die] == NULL for die in told.keys() - due):
                yield Roll(tuple((die, told.get(die, NULL)) for die in sorted(due)))

    def waits_for(self, state: State) -> str:
        """What must be seen before play goes on."""
        assert isinstance(state, DominoidsState)
        if state.turning:
            return f"The coin on {SQUARES[first(state.turning)]} must be turned up."
        if self.book.pending(state) is None:
            return ""
        return "The dice must be rolled." if state.stage != OPENING else "The opening must be set up."


GUIDE = DominoidsGuide


def _with_blanks(
    move: TakeDice | MoveDominoid | Bud | Shift | Pass, names: Mapping[int, int]
) -> TakeDice | MoveDominoid | Bud | Shift | Pass:
    """A move with other blank dice."""
    if isinstance(move, TakeDice):
        return replace(move, dice=tuple(sorted(names.get(one, one) for one in move.dice)))
    return replace(move, die=names.get(move.die, move.die))


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
