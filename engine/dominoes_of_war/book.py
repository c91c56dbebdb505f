"""The rule book of Dominoes of War: the parts of this folder put together."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from engine.book import RuleBook
from engine.dominoes_of_war import deeds, judge, notation, orders, setup, setups, sights, stand, view
from engine.dominoes_of_war.model import GAME, WarFact, WarMove, WarState
from engine.dominoes_of_war.readings import READINGS, terms
from engine.dominoes_of_war.rules import CATALOGUE
from engine.dominoes_of_war.troops import title
from engine.layout import Layout
from engine.nearness import Footprint
from engine.plain import Json, JsonObject
from engine.profile import Profile
from engine.ruling import Ruling
from engine.scores import Outcome, ScoreLine, Scores


class DominoesOfWar(RuleBook[WarState, WarMove, WarFact]):
    """Soldiers on a field of face-down dominoes."""

    game = GAME
    title = "Dominoes of War"
    catalogue = CATALOGUE
    readings = READINGS

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self.terms = terms(self.settings)
        self._profile = str(self.profile)

    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> WarState:
        """The first state: a table that was seen, random armies and lot, or (neither) both still to be seen.

        The entries of a set-up are described at ``setups.adopt``. Bases, walls and troops are no chance but
        the players' decisions, so they are not drawn.
        """
        if setup is not None:
            return setups.adopt(setup, self.terms)
        state = setups.blank(self.terms)
        while rng is not None and self.pending(state):
            state = self.observe(state, self.sample(state, rng))
        return state

    def pending(self, state: WarState) -> str | None:
        """None, or what must be seen: ``armies``, ``lot``, a hidden ``troop``, or a flipped ``tile``."""
        return sights.PENDING.get(state.phase)

    def possible_facts(self, state: WarState) -> Iterator[WarFact]:
        """Every fact that may be seen now, in a stable order."""
        return sights.possible_facts(state, self.terms)

    def sample(self, state: WarState, rng: Random) -> WarFact:
        """A random possible fact, as likely as at a table. For simulation and tests only."""
        return sights.sample(state, self.terms, rng)

    def observe(self, state: WarState, fact: WarFact) -> WarState:
        """The state once ``fact`` has been seen; raises ImpossibleFact where it cannot be."""
        return sights.observe(state, self.terms, fact)

    def movers(self, state: WarState) -> tuple[int, ...]:
        """The players who may act now; while bases are stocked, both who still have to."""
        if self.pending(state) or state.phase == "over":
            return ()
        if state.phase == "stock":
            return tuple(side for side in (1, 2) if orders.stocking(state, side))
        return (3 - state.turn,) if state.phase == "offer" else (state.turn,)

    def legal_moves(self, state: WarState) -> list[WarMove]:
        """All that may be done now, each with its player, in a stable order."""
        return orders.legal_moves(state, self.terms)

    def judge(self, state: WarState, move: WarMove) -> Ruling:
        """The ruling on ``move`` without the nearest legal moves."""
        return judge.judge(state, self.terms, move, self._profile)

    def candidates(self, state: WarState, move: WarMove) -> list[WarMove]:
        """The legal moves among which the three nearest to ``move`` surely are."""
        return view.candidates(self.legal_moves(state), move)

    def apply(self, state: WarState, move: WarMove) -> WarState:
        """The state after an allowed move, without asking whether it is one."""
        return deeds.apply(state, self.terms, move)

    def let_stand(self, state: WarState, move: WarMove) -> WarState:
        """The state as the table is after an illegal move; raises CannotStand where no table can be so."""
        return stand.let_stand(state, self.terms, move)

    def footprint(self, state: WarState, move: WarMove) -> Footprint:
        """What ``move``, legal or not, would change on the table."""
        return view.footprint(state, self.terms, move)

    def scores(self, state: WarState) -> Scores:
        """How many troops each player has on the table, by type."""
        troops = Counter((troop.side, troop.kind) for troop in state.troops)
        lines = [ScoreLine(side, title(kind), number) for (side, kind), number in sorted(troops.items())]
        return Scores((state.strength(1), state.strength(2)), tuple(lines))

    def outcome(self, state: WarState) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if state.ended == "won":
            winner = 1 if state.strength(1) else 2
            return Outcome(winner, "DOW-V", f"Player {3 - winner} has no troops left; player {winner} wins.")
        if state.ended == "both":
            says = "Both players have lost their last troops at once"
            if self.terms.double_ko_turn:
                return Outcome(state.turn, "A-W32", f"{says}; it was player {state.turn}'s turn, who wins.")
            return Outcome(None, "A-W32", f"{says}; the game is drawn.")
        if state.ended == "agreed":
            return Outcome(None, "A-W37", "The players have agreed to a draw.")
        return None

    def layout(self, state: WarState) -> Layout:
        """What the table should look like."""
        return view.layout(state)

    def format(self, move: WarMove) -> str:
        """``move`` in notation; ``parse`` reads exactly this back."""
        return notation.format_move(move)

    def parse(self, line: str) -> WarMove:
        """The move that ``line`` writes; raises BadNotation rather than guess."""
        return notation.parse_move(line)

    def format_fact(self, fact: WarFact) -> str:
        """``fact`` in notation; it begins with ``see``."""
        return notation.format_fact(fact)

    def parse_fact(self, line: str) -> WarFact:
        """The fact that ``line`` writes; raises BadNotation rather than guess."""
        return notation.parse_fact(line)

    @classmethod
    def read_state(cls, data: Mapping[str, Json]) -> WarState:
        """The state that ``to_json`` wrote; raises BadData, naming what is wrong."""
        return setup.read_state(data)
