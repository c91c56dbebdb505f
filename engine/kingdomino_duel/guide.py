# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in Kingdomino Duel for what happened: dice by their faces, maps square by square.

Maps and spellbook count only where a sheet was read; what is drawn where nobody can read it is told by hand.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Final

from engine.belonging import Belongings
from engine.book import Fact, Move, State
from engine.kingdomino_duel.drawn import weighed
from engine.kingdomino_duel.edition import COATS, Face, orders
from engine.kingdomino_duel.judge import movers
from engine.kingdomino_duel.kingdom import SQUARES, Kingdom, Mark
from engine.kingdomino_duel.lying import (
    ALL,
    DICE_LIE,
    MIDDLE,
    SHOWN,
    are_exchanged,
    are_laid_together,
    are_the_old,
    drawn_otherwise,
    faces_of,
    has_not_moved,
    is_drawn,
    plain_dice,
    renumbered,
    shown_otherwise,
)
from engine.kingdomino_duel.model import (
    GAME,
    Castle,
    Cross,
    Declare,
    Die,
    Draw,
    DuelState,
    Roll,
    Take,
    Turn,
)
from engine.layout import Face as Side
from engine.layout import Layout
from engine.matching.evidence import NOWHERE, Evidence, Gap, Lay, Leniency, Places
from engine.matching.guide import Guide, Remark, Silent
from engine.plain import Json
from engine.scene import Scene, Sighting

AFTER: Final = "after use"
"""Where nobody looks for dice: they are in use no more."""
_NOWHERE: Final[frozenset[tuple[str, Side]]] = frozenset()
_WHEREVER_DICE_LIE: Final[frozenset[tuple[str, Side]]] = frozenset((region, "up") for region in DICE_LIE)
_NONE: Final[frozenset[str]] = frozenset()
_ROLLS: Final = 32
"""So many ways to read a roll are tried at most."""
BELONGINGS: Final = Belongings(
    kinds={
        **dict.fromkeys(DICE_LIE, frozenset(("die",))),
        **dict.fromkeys(("sheet-1", "sheet-2", "spellbook"), frozenset()),
    },
    most={"die": len(ALL)},
    dice=GAME,
)
"""Four dice, and nothing else but paper."""


class DuelGuide(Guide):
    """Where to look in Kingdomino Duel."""

    lenient = Leniency({}, {})
    belongings = BELONGINGS
    anchored = frozenset(("die",))
    once = (Roll,)
    written = (Draw,)
    besides = frozenset(("spellbook",))
    """A power is crossed off, and lines are filled, by the hand that draws, takes or turns something."""

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """Between two turns, dice that lie where they lay and show what they showed say nothing.

        Nor do those that were laid together: from then on they are known where they lie, so that they were
        rolled once one lies elsewhere, shows something else or is taken.
        """
        assert isinstance(state, DuelState)
        alike = [other for other in others if isinstance(other, DuelState)]
        read = (weighed(one, state, alike) for one in scene.sightings if not is_drawn(one))
        scene = replace(scene, sightings=tuple(read))
        dice = [one for one in scene.sightings if one.kind == "die"]
        if state.dice:
            rolled = [one for one in dice if one.region == MIDDLE]
            together = len(rolled) == len(ALL)
            old = are_the_old(rolled if together else dice, places)
            if together and not old:
                return Evidence(scene, places, Leniency({AFTER: 0.0}, {}), awaited=ALL)
            used = state.stage in ("draw", "bolts") or (together and bool(_new_marks(state, scene)))
            old = old and not are_exchanged(dice, state)
            idle = _WHEREVER_DICE_LIE if old and used else _NOWHERE
            # whoever lays them together is done with them; where they lie on, they may still be in use
            lying = 0.0 if together else NOWHERE
            return Evidence(scene, places, Leniency({AFTER: 0.0}, {}, idle, lying))
        if all(has_not_moved(one, places) for one in dice) or are_laid_together(dice, places):
            scene = replace(scene, sightings=tuple(one for one in scene.sightings if one.kind != "die"))
        awaited = ALL if state.stage in ("oldest", "roll") else _NONE
        return Evidence(scene, places, Leniency({AFTER: 0.0}, {}), awaited=awaited)

    def layout(self, state: State, places: Places) -> Layout:
        """The table, where dice that are in use no more lie anywhere: with the players, or laid together."""
        layout = super().layout(state, places)
        if not isinstance(state, DuelState) or state.dice:
            return layout
        spots = (replace(spot, region=AFTER) if spot.kind == "die" else spot for spot in layout.spots)
        return Layout(tuple(spots), layout.hidden)

    def remembered(
        self, layout: Layout, found: Mapping[str, Sighting], places: Places, scene: Scene
    ) -> Places:
        """Where the dice lie and what they show; before a roll it does not matter which is which.

        As long as one still lies with a player it is not forgotten that they were in use.
        """
        dice = [one for one in scene.sightings if one.kind == "die" and not is_drawn(one)]
        shown = {
            f"{SHOWN} {number} {(one.value or {}).get('face')}": Lay(one.region, one.x or 0.0, one.y or 0.0)
            for number, one in enumerate(dice, 1)
        }
        rolled = any(spot.name in ALL and spot.value is not None for spot in layout.spots)
        if rolled:
            return {**super().remembered(layout, found, places, scene), **shown}
        in_use = any(one.region != MIDDLE for one in dice)
        used = {name: lay for name, lay in places.items() if name in ALL} if in_use else {}
        return {**used, **shown}

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Dice taken and turned, coats drawn, roofs coloured, crosses added."""
        assert isinstance(state, DuelState)
        shared = self._shared_out(state, gap)
        return dict.fromkeys((*_taken(state, gap), *shared, *_turned(state, gap), *_drawn(state, gap)))

    def _shared_out(self, state: DuelState, gap: Gap) -> Iterator[Move]:
        """Dice that nobody saw taken: they were used, as something is drawn, and are laid together again."""
        if state.stage == "draft" and any(spot.kind == "sheet" for spot, _ in gap.misread):
            yield from (move for move in self.book.legal_moves(state) if isinstance(move, Take))

    def silent(self, state: State, evidence: Evidence) -> Iterable[Silent]:
        """Powers that are only said, and nothing drawn on a map that can be read.

        A power that was used is crossed off, and whoever draws last ends the turn.
        """
        assert isinstance(state, DuelState)
        if state.stage != "draw":
            return []
        readable = [player for player in (1, 2) if evidence.in_region(f"sheet-{player}", "sheet")]
        said = [move for move in self.book.legal_moves(state) if isinstance(move, Declare)]
        nothing = (Draw(player, ()) for player in movers(state) if player in readable)
        moves: list[Move] = [*said, *(move for move in nothing if self.book.judge(state, move).allowed)]
        return [Silent(move, shows=True) for move in moves]

    def forced(self, state: State) -> Move | None:
        """Nothing is forced that nobody sees."""
        return None

    def facts(self, state: State, evidence: Evidence) -> Iterable[Fact]:
        """The roll, once all four dice are seen; one may have been taken since."""
        assert isinstance(state, DuelState)
        seen = plain_dice([one for region in DICE_LIE for one in evidence.in_region(region, "die")])
        if state.stage not in ("oldest", "roll") or len(seen) != len(state.edition.dice):
            return []
        if are_the_old(seen, evidence.places):
            return []
        rolls = islice(product(*(list(faces_of(one)) for one in seen)), _ROLLS)
        found = (orders(sorted(faces), state.edition.dice)[:1] for faces in rolls)
        return dict.fromkeys(Roll(tuple(order)) for some in found for order in some)

    def essence(self, state: State) -> Hashable:
        """Which of two equal dice is which nobody can see, nor which of a player's has the castle's cross."""
        assert isinstance(state, DuelState)
        crossed = tuple(sorted(die.taker or 0 for die in state.dice if die.bonus))
        dice = sorted((replace(die, bonus=False) for die in state.dice), key=_sight)
        return replace(state, dice=tuple(dice)), crossed

    def gist(self, move: Move) -> Hashable:
        """Who took how many dice: which numbers they have hangs on what all four are read to show."""
        return (move.player, len(move.dice), move.at_once) if isinstance(move, Take) else move

    def twins(self, state: State, move: Move) -> Iterable[Move]:
        """The castle's cross on the other die."""
        assert isinstance(state, DuelState)
        if not isinstance(move, Castle):
            return []
        player = move.player or movers(state)[0]
        others = (replace(move, die=number) for number in state.taken(player) if number != move.die)
        return [twin for twin in others if self.book.judge(state, twin).allowed]

    def stand_ins(self, state: State, move: Move) -> Iterable[Move]:
        """Another first die: whoever took one gets what the other player leaves, and both lie together."""
        assert isinstance(state, DuelState)
        if not isinstance(move, Take) or len(move.dice) != 1:
            return ()
        return [replace(move, dice=(number,)) for number in state.taken(None)]

    def rereadings(
        self, state: State, fact: Fact, later: Sequence[Fact], scene: Scene, *, sure: bool
    ) -> Iterable[Fact]:
        """The roll with another face of one die, where all four lie in view and show that now.

        Or with other crosses, as a coat was drawn: that was read for ``sure``, and is asked about.
        """
        if not isinstance(fact, Roll) or any(isinstance(one, Roll) for one in later):
            return ()
        assert isinstance(state, DuelState)
        dice = plain_dice([one for one in scene.sightings if one.kind == "die" and one.region in DICE_LIE])
        shown = shown_otherwise(fact.faces, dice)
        drawn = drawn_otherwise(fact.faces, _new_marks(state, scene)) if sure else ()
        rolls = (*([] if shown is None else [shown]), *drawn)
        return [Roll(order) for faces in rolls for order in orders(faces, state.edition.dice)[:1]]

    def again(self, then: State, now: State, did: Move | Fact) -> Iterator[Move | Fact]:
        """The same with the dice that show the same: they have other numbers after another roll."""
        assert isinstance(then, DuelState)
        assert isinstance(now, DuelState)
        number = renumbered(then.dice, now.dice)
        match did:
            case Take():
                yield replace(did, dice=tuple(number.get(die, die) for die in did.dice))
            case Castle() | Turn():
                yield replace(did, die=number.get(did.die, did.die))
            case _:
                yield did

    def waits_for(self, state: State) -> str:
        """What must be seen or told before play goes on."""
        assert isinstance(state, DuelState)
        if state.stage == "draft":
            return "Dice are being taken."
        if state.stage == "roll" and _has_drawn(state):
            return "The dice must be rolled; if they were and show the same as before, type the roll."
        if state.stage in ("oldest", "roll"):
            return "The dice must be rolled."
        due = " and ".join(f"player {player}" for player in movers(state))
        if state.stage == "draw":
            return f"What {due} has drawn is not told yet." if due else ""
        won = sum(len(side.bolts) for side in state.sides)
        powers, have = ("powers" if won > 1 else "power"), ("have" if len(movers(state)) > 1 else "has")
        return f"The {powers} that {due} {have} won must be used." if state.stage == "bolts" else ""

    def remark(self, state: State, scene: Scene, places: Places) -> Remark:
        """The map of a player who has to draw, where it is nowhere to be seen.

        Or what to do about a roll that shows just what the dice showed: it looks like dice laid together.
        """
        assert isinstance(state, DuelState)
        found = {one.region for one in scene.sightings if one.kind == "sheet"}
        found |= {part.region for part in scene.hidden}
        due = [player for player in movers(state) if state.stage == "draw" and f"sheet-{player}" not in found]
        if due:
            maps = " nor ".join(f"player {player}'s map" for player in due)
            return Remark(f"I cannot find {maps}: lay it flat in view, or type what was drawn.", waits=True)
        dice = [one for one in scene.sightings if one.kind == "die" and not is_drawn(one)]
        if state.stage != "roll" or not are_laid_together(dice, places):
            return Remark()
        return Remark(
            "The dice show what they showed. If they were rolled, take the first one or type the roll."
        )


GUIDE = DuelGuide


def _has_drawn(state: DuelState) -> bool:
    """Whether the first turn is over."""
    return any(side.kingdom != Kingdom() for side in state.sides)


def _sight(die: Die) -> tuple[Face, int, Face]:
    return die.shows, die.taker or 0, die.rolled


# — dice —


def _taken(state: DuelState, gap: Gap) -> Iterator[Move]:
    """Dice that lie with a player and lay in the middle."""
    for player in (1, 2):
        new = [one for one in gap.extra if one.kind == "die" and one.region == f"dice-{player}"]
        if not new or not state.dice:
            continue
        faces = {face for one in new for face in faces_of(one)}
        middle = [number for number in state.taken(None) if _may_look(state.dice[number - 1].shows, faces)]
        for count in range(1, min(len(new), len(middle)) + 1):
            for dice in combinations(middle, count):
                yield Take(player, dice)
                if count == 2:
                    yield Take(player, dice, at_once=True)


def _may_look(shown: Face, seen: Collection[Face]) -> bool:
    """Whether a die that shows this is perhaps one of what is seen: crosses are overlooked."""
    return any(face.coat == shown.coat and face.crosses <= shown.crosses for face in seen)


def _turned(state: DuelState, gap: Gap) -> Iterator[Move]:
    """Dice that show another face where they lie, or the same one though the power is crossed off."""
    for spot, one in gap.misread:
        if spot.name == "spellbook":
            for number, die in enumerate(state.dice, 1):
                yield Turn(die.taker, number, die.shows)
        if spot.kind == "die" and spot.owner is not None:
            number = int(spot.name.split()[-1])
            yield from (Turn(spot.owner, number, face) for face in faces_of(one))


# — maps —


def _drawn(state: DuelState, gap: Gap) -> Iterator[Move]:
    """What is new on the maps that were read."""
    for spot, one in gap.misread:
        if spot.kind != "sheet" or spot.owner is None:
            continue
        player, side = spot.owner, state.side(spot.owner)
        for value in [guess.value or {} for guess in one.guesses]:
            if value.get("roof") is True and not side.roof:
                yield from (Castle(player, number) for number in state.taken(player))
            new, crossed = _news(side.kingdom, value.get("map"))
            if new:
                yield Draw(player, tuple(new))
            yield from (Cross(player, square) for square in crossed)


def _new_marks(state: DuelState, scene: Scene) -> list[Mark]:
    """The coats that the maps hold and the record has not."""
    maps = [one for one in scene.sightings if one.kind == "sheet" and one.region in ("sheet-1", "sheet-2")]
    sides = ((state.side(int(one.region[-1])), one.value or {}) for one in maps)
    return [mark for side, value in sides for mark in _news(side.kingdom, value.get("map"))[0]]


def _news(kingdom: Kingdom, cells: Json) -> tuple[list[Mark], list[int]]:
    """The coats that a map has and the record has not, and the squares with more crosses."""
    new: list[Mark] = []
    crossed: list[int] = []
    for square, cell in zip(SQUARES, _flat(cells), strict=False):
        if not isinstance(cell, Mapping) or cell.get("coat") not in COATS:
            continue
        crosses = cell.get("crosses", 0)
        mark = Mark(square, COATS.index(str(cell["coat"])), crosses if isinstance(crosses, int) else 0)
        known = kingdom.at(square)
        if known is None:
            new.append(mark)
        elif known.coat == mark.coat and mark.crosses > known.crosses:
            crossed.append(square)
    return new, crossed


def _flat(cells: Json) -> list[Json]:
    rows = cells if isinstance(cells, Sequence) else ()
    return [cell for row in rows if isinstance(row, Sequence) for cell in row]
