"""The rule book of Dominoids: the game as the rest of Pipwatch asks for it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from engine.book import RuleBook
from engine.dominoids import judge, notation, options, table, turn
from engine.dominoids.board import SQUARES, first, lie
from engine.dominoids.model import (
    AGREED,
    ALL_DICE,
    ARMS,
    CONSEQUENCE,
    DICE,
    DOMINOES,
    EMPTY,
    FACES,
    GAME,
    NOWHERE,
    OPENING,
    OVER,
    ROLL,
    SUITS,
    SUITS_GONE,
    UNKNOWN,
    AnyFact,
    AnyMove,
    Arm,
    DominoidsState,
    FirstPlayer,
    Roll,
    TurnedCoin,
    laid_on,
)
from engine.dominoids.rules import CATALOGUE, READINGS
from engine.dominoids.setup import read_setup, read_state
from engine.errors import BadSetup
from engine.layout import Layout
from engine.nearness import Footprint
from engine.plain import BadData, Json, JsonObject
from engine.profile import Profile
from engine.ruling import Ruling
from engine.scores import Outcome, ScoreLine, Scores

BONUS = 3
"""The points for more coins of a suit than the other player."""


class DominoidsBook(RuleBook[DominoidsState, AnyMove, AnyFact]):
    """The rules of Dominoids under one profile."""

    game = GAME
    title = "Dominoids"
    catalogue = CATALOGUE
    readings = READINGS

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self._reveal_all = self.settings["reveal"] == "all"
        self._max_turns = int(self.settings["max_turns"])
        self._told = str(self.profile)

    # — the course of a game —

    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> DominoidsState:
        """The opening of figure 1, seen (neither argument) or drawn with ``rng``; or any table that was seen.

        A set-up has any of the entries of a state's plain data (see ``DominoidsState.to_json``); pawns and
        dice must be there, all others have a default. So this joins a game between two turns::

            {"dominoes": {"2-3": ["d4", "e4"]},              low end first; all others are in the pool
             "pawns": {"suns": "b3", "moons": "c7", "crowns": "g6", "arms": "f2"},
             "coins": [{"square": "a3", "suit": "suns", "value": null}],       null: value down
             "collected": [{"suns": [0, 4]}, {"arms": [1]}],                   player 1, player 2
             "dice": {"suns": "3", "moons": "null", "crowns": "ace", "arms": "5"}, "new": ["moons"],
             "player": 2}

        and with ``"chosen": ["suns", "arms"], "used": ["suns"]`` in the middle of a turn, with ``"mover":
        "2-3"`` right after the slide of the 2-3. Coins that are neither on the board nor collected are in
        the stacks.
        """
        if setup is not None:
            return self._seen(setup)
        state = EMPTY
        while rng is not None and state.stage == OPENING:
            state = self.observe(state, self.sample(state, rng))
        return state

    def _seen(self, setup: JsonObject) -> DominoidsState:
        try:
            state = read_setup(setup)
        except BadData as wrong:
            raise BadSetup(f"This set-up cannot be: {wrong}.") from None
        if state.stage == CONSEQUENCE and self._reveal_all and "turning" not in setup:
            return state._replace(turning=options.hidden_beside(state, state.dominoes[state.mover]))
        return state

    def pending(self, state: DominoidsState) -> str | None:
        """``opening`` before the game, ``coin`` where one must be turned up, ``roll`` between the turns."""
        if state.stage == OPENING:
            return "opening"
        if state.turning:
            return "coin"
        return "roll" if state.stage == ROLL else None

    def possible_facts(self, state: DominoidsState) -> Iterator[AnyFact]:
        """What may be seen now: for one coin, the dice of the turn, or the next piece of the opening."""
        if state.turning:
            coin = first(state.turning)
            yield from (TurnedCoin(SQUARES[coin], value) for value in state.unseen(_suit_at(state, coin)))
        elif state.stage == ROLL:
            yield from _rolls(state.chosen)
        elif state.stage == OPENING:
            yield from _opening_facts(state)

    def sample(self, state: DominoidsState, rng: Random) -> AnyFact:
        """A fair draw of what may be seen now."""
        if not state.turning and (state.stage == ROLL or _opening_rolls(state)):
            dice = state.chosen if state.stage == ROLL else ALL_DICE
            return Roll(tuple((die, rng.randrange(len(FACES))) for die in range(4) if dice >> die & 1))
        facts = list(self.possible_facts(state))
        if state.stage == OPENING and not _opening_rolls(state) and isinstance(facts[0], Arm):
            # A double is drawn as often as any other domino although it lies only one way.
            domino = rng.choice(sorted({fact.domino.domino for fact in facts if isinstance(fact, Arm)}))
            facts = [fact for fact in facts if isinstance(fact, Arm) and fact.domino.domino == domino]
        return rng.choice(facts)

    def observe(self, state: DominoidsState, fact: AnyFact) -> DominoidsState:
        """The state once ``fact`` has been seen."""
        return turn.observe(state, fact, max_turns=self._max_turns)

    def movers(self, state: DominoidsState) -> tuple[int, ...]:
        """The active player; between two turns also the other, who may agree to stop."""
        if state.turning or state.stage in (OPENING, ROLL, OVER):
            return ()
        other = 3 - state.player
        if state.stage == DICE and not state.agreed & other:
            return (1, 2)
        return (state.player,)

    def legal_moves(self, state: DominoidsState) -> Sequence[AnyMove]:
        """All that may be done now."""
        return judge.legal_moves(state)

    def judge(self, state: DominoidsState, move: AnyMove) -> Ruling:
        """The ruling on ``move`` without the nearest legal moves."""
        return judge.judge(state, move, self._told)

    def apply(self, state: DominoidsState, move: AnyMove) -> DominoidsState:
        """The state after an allowed move."""
        return turn.apply(state, move, reveal_all=self._reveal_all)

    def let_stand(self, state: DominoidsState, move: AnyMove) -> DominoidsState:
        """The state as the table is after an illegal move that the players let stand."""
        return turn.let_stand(state, move, reveal_all=self._reveal_all, max_turns=self._max_turns)

    def footprint(self, state: DominoidsState, move: AnyMove) -> Footprint:
        """What ``move`` changes on the table."""
        return table.footprint(state, move)

    # — what a state means —

    def scores(self, state: DominoidsState) -> Scores:
        """The coins of each suit with their values, and the bonus for more coins than the other has."""
        lines: list[ScoreLine] = []
        for player in (1, 2):
            for suit, name in enumerate(SUITS):
                mine, theirs = state.collected(player, suit), state.collected(3 - player, suit)
                if mine:
                    shown = " ".join(str(value) for value in mine)
                    lines.append(ScoreLine(player, f"{name.capitalize()} {shown}", sum(mine)))
                if len(mine) > len(theirs):
                    lines.append(ScoreLine(player, f"More {name.capitalize()}", BONUS))
        points = [sum(line.points for line in lines if line.player == player) for player in (1, 2)]
        return Scores((points[0], points[1]), tuple(lines))

    def outcome(self, state: DominoidsState) -> Outcome | None:
        """How the game ended: the higher score wins; an agreement to stop is a draw."""
        if state.stage != OVER:
            return None
        one, two = self.scores(state).totals
        told = f"{one} to {two}"
        if state.ended == AGREED:
            return Outcome(None, "DMN-STOP", f"Both players agreed to stop: the game is drawn, at {told}.")
        if state.ended == SUITS_GONE:
            rule, why = "DMN-END", "The coins of three suits have all been collected"
        else:
            rule, why = "DMN-STOP", f"The {self._max_turns} turns agreed on are played"
        if one == two:
            return Outcome(None, rule, f"{why}; nobody wins, at {told}.")
        winner = 1 if one > two else 2
        return Outcome(winner, rule, f"{why}; player {winner} wins, {told}.")

    def layout(self, state: DominoidsState) -> Layout:
        """What the table should look like."""
        return table.layout(state)

    # — text and data —

    def format(self, move: AnyMove) -> str:
        """``move`` in notation."""
        return notation.format_move(move)

    def parse(self, line: str) -> AnyMove:
        """The move that ``line`` writes."""
        return notation.parse_move(line)

    def format_fact(self, fact: AnyFact) -> str:
        """``fact`` in notation."""
        return notation.format_fact(fact)

    def parse_fact(self, line: str) -> AnyFact:
        """The fact that ``line`` writes."""
        return notation.parse_fact(line)

    @classmethod
    def read_state(cls, data: Mapping[str, Json]) -> DominoidsState:
        """The state that ``to_json`` wrote; raises BadData, naming what is wrong."""
        return read_state(data)


def _suit_at(state: DominoidsState, square: int) -> int:
    return next(coin.suit for coin in state.coins if coin.square == square)


def _rolls(dice: int) -> Iterator[AnyFact]:
    rolled = [die for die in range(4) if dice >> die & 1]
    for faces in product(range(len(FACES)), repeat=len(rolled)):
        yield Roll(tuple(zip(rolled, faces, strict=True)))


def _opening_rolls(state: DominoidsState) -> bool:
    """Whether the opening waits for the roll of all four dice."""
    return state.stage == OPENING and NOWHERE not in state.pawns and UNKNOWN in state.faces


def _opening_facts(state: DominoidsState) -> Iterator[AnyFact]:
    if _opening_rolls(state):
        yield from _rolls(ALL_DICE)
        return
    if NOWHERE not in state.pawns:
        yield from (FirstPlayer(player) for player in (1, 2))
        return
    arm = ARMS[turn.next_arm(state)]
    low, high = arm.lie >> 6, arm.lie & 63
    for suit, number in product(range(4), state.pool):
        if state.pawns[suit] == NOWHERE:
            ways = (arm.lie,) if DOMINOES[number].is_double else (arm.lie, lie(high, low))
            for way in ways:
                yield Arm(suit, SQUARES[arm.pawn], laid_on(number, way))
