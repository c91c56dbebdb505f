"""The rule book of Kingdomino Duel."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random

from engine.book import RuleBook
from engine.kingdomino_duel import course, judge, notation, rules
from engine.kingdomino_duel.edition import COATS, JOKER, LETTERS
from engine.kingdomino_duel.kingdom import SQUARES, Kingdom
from engine.kingdomino_duel.map_score import Sheet, compare, score_sheet
from engine.kingdomino_duel.model import (
    GAME,
    Castle,
    Cross,
    Declare,
    Die,
    DuelFact,
    DuelMove,
    DuelState,
    Name,
    Oldest,
    Roll,
    Take,
    Turn,
)
from engine.kingdomino_duel.setup import from_setup, read_state
from engine.layout import Layout, Spot
from engine.nearness import Footprint, Where, nearest
from engine.plain import Json, JsonObject
from engine.profile import Profile
from engine.ruling import Ruling
from engine.scores import Outcome, Scores


class DuelBook(RuleBook[DuelState, DuelMove, DuelFact]):
    """The rules of Kingdomino Duel under one profile."""

    game = GAME
    title = "Kingdomino Duel"
    catalogue = rules.CATALOGUE
    readings = rules.READINGS

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self._house = rules.House.of(self.settings)
        self._told = str(self.profile)

    # — the course of a game —

    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> DuelState:
        """The first state, or any later one that a set-up tells.

        A set-up has any of the entries of a state's plain data (see ``DuelState.to_json``); all others are
        as at the start of a game. So ``{"a": 2}`` says that player 2 is the oldest, and this joins a game::

            {"a": 1, "players": [{"map": [five rows], "roof": true}, {"map": [five rows]}],
             "spellbook": {"d": {"ticks": [3, 1]}}, "dice": ["d", "b", "q2", "?"]}

        A die may be given as its face alone, or with ``shows``, ``taker`` and ``bonus``. ``edition`` holds
        other dice or other spellbook lines than the usual ones.
        """
        if setup is not None:
            return from_setup(setup)
        state = DuelState()
        return state if rng is None else self.observe(state, self.sample(state, rng))

    def pending(self, state: DuelState) -> str | None:
        """``oldest`` before the first turn, ``roll`` at the beginning of each.

        Who is the oldest need not be said: the dice may be rolled before, and whoever takes the first is.
        """
        return state.stage if state.stage in ("oldest", "roll") else None

    def possible_facts(self, state: DuelState) -> Iterator[DuelFact]:
        """The two players while nobody is A, and every roll that differs while one is due."""
        if state.a is None:
            yield from (Oldest(player) for player in (1, 2))
        if state.stage in ("oldest", "roll"):
            different = (tuple(dict.fromkeys(die)) for die in state.edition.dice)
            yield from (Roll(faces) for faces in product(*different))

    def sample(self, state: DuelState, rng: Random) -> DuelFact:
        """Either player, or a roll of four fair dice."""
        if state.stage == "oldest":
            return Oldest(rng.choice((1, 2)))
        return Roll(tuple(rng.choice(die) for die in state.edition.dice))

    def observe(self, state: DuelState, fact: DuelFact) -> DuelState:
        """The state once ``fact`` has been seen."""
        return course.observe(state, fact)

    def movers(self, state: DuelState) -> tuple[int, ...]:
        """Who may act now; in step 3 both, and in step 4 all who won a power to be used at once, A first."""
        return judge.movers(state)

    def legal_moves(self, state: DuelState) -> Sequence[DuelMove]:
        """All that may be done now, A's moves first, dice by their numbers."""
        return tuple(self._moves_of(state, judge.movers(state)))

    def _moves_of(self, state: DuelState, players: Sequence[int]) -> Iterator[DuelMove]:
        for player in players:
            yield from judge.legal_moves(state, player, self._house)

    def judge(self, state: DuelState, move: DuelMove) -> Ruling:
        """The ruling on ``move`` without the nearest legal moves."""
        return judge.judge(state, move, self._house, self._told)

    def apply(self, state: DuelState, move: DuelMove) -> DuelState:
        """The state after an allowed move."""
        return course.apply(state, move, self._house)

    def let_stand(self, state: DuelState, move: DuelMove) -> DuelState:
        """The state as the table is after an illegal move that the players let stand."""
        return course.let_stand(state, move, self._house)

    def footprint(self, state: DuelState, move: DuelMove) -> Footprint:
        """What ``move`` changes on the table: dice taken or turned, coats drawn, powers said."""
        player = (*judge.players_of(state, move), 1)[0]
        clear = judge.settled(state, move, player)
        return _footprint(move if isinstance(clear, judge.Unclear) else clear, player)

    def check(self, state: DuelState, move: DuelMove) -> Ruling:
        """The ruling on ``move``, with the nearest legal moves of the same player where it is refused."""
        ruling = self.judge(state, move)
        if ruling.allowed:
            return ruling
        movers = judge.movers(state)
        own = [player for player in movers if player == move.player]
        made = (
            (offer, _footprint(offer, offer.player or 1)) for offer in self._moves_of(state, own or movers)
        )
        near = nearest(self.footprint(state, move), made)
        return ruling.with_nearest(tuple(self.format(offer) for offer in near))

    # — what a state means —

    def scores(self, state: DuelState) -> Scores:
        """The points as if the game ended now, domain by domain."""
        first, second = (score_sheet(sheet, state.edition) for sheet in _sheets(state))
        return Scores((first.total, second.total), (*first.lines(1), *second.lines(2)))

    def outcome(self, state: DuelState) -> Outcome | None:
        """Who has won, and why the game is over."""
        if state.stage != "over":
            return None
        first, second = _sheets(state)
        result = compare(first, second)
        return Outcome(result.winner, result.rule, f"{judge.ending(state).sentence} {result.reason}")

    def layout(self, state: DuelState) -> Layout:
        """Four dice, two maps and the spellbook."""
        dice = state.dice or (None, None, None, None)
        return Layout(
            (
                *(_die_spot(number, die) for number, die in enumerate(dice, 1)),
                *(_map_spot(state, player) for player in (1, 2)),
                Spot("spellbook", "sheet", "up", _spellbook(state), "spellbook"),
            )
        )

    # — text and data —

    def format(self, move: DuelMove) -> str:
        """``move`` in notation."""
        return notation.format_move(move)

    def parse(self, line: str) -> DuelMove:
        """The move that ``line`` writes."""
        return notation.parse_move(line)

    def format_fact(self, fact: DuelFact) -> str:
        """``fact`` in notation."""
        return notation.format_fact(fact)

    def parse_fact(self, line: str) -> DuelFact:
        """The fact that ``line`` writes."""
        return notation.parse_fact(line)

    @classmethod
    def read_state(cls, data: Mapping[str, Json]) -> DuelState:
        """The state that ``to_json`` wrote."""
        return read_state(data)


def _sheets(state: DuelState) -> tuple[Sheet, Sheet]:
    first, second = (Sheet(side.kingdom, side.roof, side.named) for side in state.sides)
    return first, second


@lru_cache(maxsize=65536)
def _footprint(move: DuelMove, player: int) -> Footprint:
    if isinstance(move, Take):
        taken: dict[str, Where | str | None] = {f"die {die}": f"dice-{player}" for die in move.dice}
        return {**taken, "P3": "said"} if move.at_once else taken
    if isinstance(move, Declare):
        return {f"P{move.power}": f"player {player}"}
    if isinstance(move, Turn):
        return {f"die {move.die}": str(move.face), "P4": "said"}
    if isinstance(move, Castle):
        return {f"castle {player}": f"die {move.die}"}
    if isinstance(move, Name):
        return {"P5": COATS[move.coat]}
    if isinstance(move, Cross):
        return {f"cross {player}": _where(move.square)}
    if not move.marks:
        return {f"map {player}": "as it was"}
    drawn: dict[str, Where | str | None] = {}
    for mark in move.marks:
        name = f"map {player} {LETTERS[mark.coat]}"
        drawn[name if name not in drawn else f"{name} {mark.where}"] = _where(mark.square)
    return drawn


def _where(square: int) -> Where:
    return Where(square % 8 + 1, -(square // 8 + 1))


def _die_spot(number: int, die: Die | None) -> Spot:
    name = f"die {number}"
    if die is None:
        return Spot(name, "die", "up", None, "dice")
    shown = "joker" if die.shows.coat == JOKER else COATS[die.shows.coat]
    value = {"set": GAME, "suit": None, "face": shown, "crosses": die.shows.crosses}
    return Spot(name, "die", "up", value, f"dice-{die.taker}" if die.taker else "dice", owner=die.taker)


def _map_spot(state: DuelState, player: int) -> Spot:
    side = state.side(player)
    value: JsonObject = {"map": cells(side.kingdom), "roof": side.roof}
    return Spot(f"map {player}", "sheet", "up", value, f"sheet-{player}", owner=player)


def cells(kingdom: Kingdom) -> list[list[JsonObject | None]]:
    """The map as the sheet reader gives it; the castle's square is None like an empty one."""
    drawn = {mark.square: mark for mark in kingdom.marks()}
    told: list[JsonObject | None] = []
    for square in SQUARES:
        mark = drawn.get(square)
        told.append({"coat": COATS[mark.coat], "crosses": mark.crosses} if mark else None)
    return [told[at : at + 7] for at in range(0, len(told), 7)]


def _spellbook(state: DuelState) -> JsonObject:
    return {
        name: {
            "ticks": [ticks[coat] for ticks in state.book.ticks],
            "owner": state.book.owner(state.edition, coat),
            "spent": state.book.spent[coat],
        }
        for coat, name in enumerate(COATS)
    }
