"""The rule book of the Draw Game: the parts of this folder behind the interface that all games share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, repeat
from random import Random
from typing import ClassVar

from engine.book import RuleBook
from engine.catalogue import Catalogue
from engine.dominoes import Domino
from engine.draw_game.deals import BEGINNING, drawer, may_show, seen
from engine.draw_game.judge import allows, legal_moves
from engine.draw_game.model import (
    ALL,
    GAME,
    TILES,
    Beside,
    Call,
    Deal,
    Down,
    DrawFact,
    DrawMove,
    Drawn,
    DrawState,
    Line,
    Lot,
    Play,
    Shown,
    mask,
    tiles_in,
)
from engine.draw_game.notation import format_fact, format_move, parse_fact, parse_move
from engine.draw_game.proof import late_ruling
from engine.draw_game.quick import quickly
from engine.draw_game.rules import CATALOGUE, READINGS, House, house
from engine.draw_game.setup import random_hands, random_start, seen_start
from engine.draw_game.stored import read
from engine.draw_game.table import layout, table
from engine.draw_game.turns import done, led_by, stood
from engine.draw_game.verdict import ruling
from engine.errors import IllegalMove
from engine.layout import Layout
from engine.nearness import Footprint, Where
from engine.plain import Json, JsonObject
from engine.profile import Profile, Readings
from engine.ruling import LateRuling, Ruling
from engine.scores import Outcome, ScoreLine, Scores


class DrawGame(RuleBook[DrawState, DrawMove, DrawFact]):
    """The rules of the Draw Game under one profile."""

    game: ClassVar[str] = GAME
    title: ClassVar[str] = "The Draw Game"
    catalogue: ClassVar[Catalogue] = CATALOGUE
    readings: ClassVar[Readings] = READINGS

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self.house: House = house(self.settings)

    # — the course of a game —

    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> DrawState:
        """A match from a set-up (see ``engine.draw_game.setup``), with random hands, or before the lot."""
        if setup is not None:
            return seen_start(setup, self.house)
        return BEGINNING if rng is None else random_start(rng, self.house)

    def pending(self, state: DrawState) -> str | None:
        """``lot``, ``deal``, ``drawn`` or ``hand`` (one laid open to be counted); None while players play."""
        phase = state.phase
        return None if phase in ("playing", "over") else phase

    def possible_facts(self, state: DrawState) -> Iterator[DrawFact]:
        """Every fact that may be seen now; of a deal there are so many that they come one by one."""
        match state.phase:
            case "lot":
                yield from (Lot((first, second)) for first in TILES for second in TILES if first != second)
            case "deal":
                yield from self._deals()
            case "drawn":
                yield from (Drawn(tile) for tile in tiles_in(state.unseen))
                yield Drawn(None)
        if may_show(state):
            for player in (1, 2):
                if state.hidden[player - 1]:
                    yield from _showings(state, player)

    def _deals(self) -> Iterator[Deal]:
        return chain.from_iterable(map(self._deals_with, _hands(ALL, self.house.hand)))

    def _deals_with(self, first: tuple[Domino, ...] | None) -> Iterator[Deal]:
        return map(Deal, zip(repeat(first), _hands(ALL & ~mask(first or ()), self.house.hand), strict=False))

    def sample(self, state: DrawState, rng: Random) -> DrawFact:
        """A random possible fact; hands are dealt open, and a tile is drawn unseen into a hidden hand."""
        match state.phase:
            case "drawn":
                if state.hidden[drawer(state) - 1]:
                    return Drawn(None)
                tiles = tiles_in(state.unseen)
                return _DRAWN[tiles[int(rng.random() * len(tiles))]]
            case "deal":
                first, second = random_hands(rng, self.house.hand)
                return Deal((tiles_in(first), tiles_in(second)))
            case "lot":
                first_tile, second_tile = rng.sample(TILES, 2)
                return Lot((first_tile, second_tile))
            case "hand":
                player = 1 if state.hidden[0] else 2
                rest = rng.sample(tiles_in(state.unseen), state.hidden[player - 1])
                return Shown(player, tiles_in(state.hands[player - 1] | mask(rest)))
        raise ValueError("no fact is pending")

    def observe(self, state: DrawState, fact: DrawFact) -> DrawState:
        """The state once ``fact`` has been seen; raises ImpossibleFact where it cannot be."""
        return seen(state, fact, self.house)

    def movers(self, state: DrawState) -> tuple[int, ...]:
        """The player whose turn it is, and whoever may call points or demand a redeal."""
        return tuple(sorted({move.player or state.mover for move in self.legal_moves(state)}))

    def legal_moves(self, state: DrawState) -> Sequence[DrawMove]:
        """All that may be done now: tiles from west to south, then draw, pass, call, redeal."""
        return legal_moves(state, self.house)

    def play(self, state: DrawState, move: DrawMove) -> DrawState:
        """The state after ``move``; raises IllegalMove with the ruling where it is refused."""
        if isinstance(move, Play):
            after = quickly(state, move, self.house)
            if after is not None:
                return after
        player = move.player or state.mover
        if move.player is None:
            move = replace(move, player=player)
        state = led_by(state, move, player)
        if not allows(state, move, self.house):
            raise IllegalMove(self.check(state, move))
        return done(state, move, player, self.house)

    def judge(self, state: DrawState, move: DrawMove) -> Ruling:
        """The ruling on ``move`` without the nearest legal moves."""
        player = move.player or state.mover
        found = ruling(led_by(state, move, player), move, player, self.house)
        return replace(found, profile=str(self.profile))

    def apply(self, state: DrawState, move: DrawMove) -> DrawState:
        """The state after an allowed move, without asking whether it is one."""
        player = move.player or state.mover
        return done(led_by(state, move, player), replace(move, player=player), player, self.house)

    def let_stand(self, state: DrawState, move: DrawMove) -> DrawState:
        """The table after a refused move; a tile laid where no end is lies dead beside the line."""
        player = move.player or state.mover
        return stood(led_by(state, move, player), replace(move, player=player), player, self.house)

    def footprint(self, state: DrawState, move: DrawMove) -> Footprint:
        """The tile that ``move`` lays and where, or what is said or drawn by whom."""
        match move:
            case Down():
                return {str(move.tile): Where(0.0, 0.0, 90.0 if move.tile.is_double else 0.0)}
            case Play():
                return {str(move.tile): table(state.history).place(move.tile, move.half, move.arm)}
            case Beside():
                return {str(move.tile): "aside"}
            case Call():
                return {"call": f"{move.points} by player {move.player or state.mover}"}
            case _:
                return {type(move).__name__.lower(): f"player {move.player or state.mover}"}

    # — what a state means —

    def scores(self, state: DrawState) -> Scores:
        """The points of the match, each line with what earned it."""
        return Scores(
            state.scores,
            tuple(ScoreLine(line.player, _label(line), line.points) for line in state.lines),
        )

    def outcome(self, state: DrawState) -> Outcome | None:
        """Who won and with how many points, or None while the match goes on."""
        if state.phase != "over":
            return None
        first, second = state.scores
        winner = 1 if first > second else 2
        reason = f"Player {winner} wins with {max(first, second)} points to {min(first, second)}."
        return Outcome(winner, "DRW-12", reason)

    def layout(self, state: DrawState) -> Layout:
        """What the table should look like; closed hands and the boneyard are numbers of hidden tiles."""
        return layout(state)

    def late_rulings(self, state: DrawState) -> tuple[LateRuling, ...]:
        """Draws, passes and demands that tiles shown since have proved wrong, in the order of the proofs."""
        if not self.house.late:
            return ()
        profile = str(self.profile)
        return tuple(late_ruling(proof, self.house, profile) for proof in state.match.proofs)

    # — text and data —

    def format(self, move: DrawMove) -> str:
        """``move`` in notation; ``parse`` reads exactly this back."""
        return format_move(move)

    def parse(self, line: str) -> DrawMove:
        """The move that ``line`` writes; raises BadNotation rather than guess."""
        return parse_move(line)

    def format_fact(self, fact: DrawFact) -> str:
        """``fact`` in notation."""
        return format_fact(fact)

    def parse_fact(self, line: str) -> DrawFact:
        """The fact that ``line`` writes; raises BadNotation rather than guess."""
        return parse_fact(line)

    @classmethod
    def read_state(cls, data: Mapping[str, Json]) -> DrawState:
        """The state that ``to_json`` wrote; raises BadData, naming what is wrong."""
        return read(data)


_DRAWN = {tile: Drawn(tile) for tile in TILES}


def _hands(tiles: int, each: int) -> Iterator[tuple[Domino, ...] | None]:
    """Every hand that can be dealt from these tiles; first of all one that nobody may see."""
    yield None
    yield from combinations(tiles_in(tiles), each)


def _showings(state: DrawState, player: int) -> Iterator[Shown]:
    known = state.hands[player - 1]
    for rest in combinations(tiles_in(state.unseen), state.hidden[player - 1]):
        yield Shown(player, tiles_in(known | mask(rest)))


def _label(line: Line) -> str:
    match line.cause:
        case "earlier":
            return "before this record"
        case "out":
            what = f"going out, {line.pips} pips in the other hand"
        case "blocked":
            what = f"blocked, {line.pips} pips in the other hand"
        case "called":
            what = "called"
        case tile:
            what = f"the {tile} laid"
    return f"deal {line.deal}: {what}"
