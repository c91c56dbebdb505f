# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in Dominoes of War for what happened: soldiers come, gone or turned, tiles flipped, walls."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product, starmap
from typing import Final

from engine.belonging import Belongings
from engine.book import Fact, Move, State
from engine.dominoes_of_war.deeds import rested
from engine.dominoes_of_war.model import (
    ACTIONS,
    TILE_NUMBER,
    WALLS,
    Armies,
    Blow,
    Bonus,
    Counts,
    Draw,
    End,
    Flipped,
    Forfeit,
    Run,
    Shoot,
    Shown,
    Spawn,
    Troop,
    WarState,
)
from engine.dominoes_of_war.muster import armies_of
from engine.dominoes_of_war.overlooked import with_overlooked
from engine.dominoes_of_war.places import Place, column, name, row
from engine.dominoes_of_war.readings import terms
from engine.dominoes_of_war.sighted import BOARD, place_of, tiles_of, types_of
from engine.dominoes_of_war.signs import (
    marches,
    next_faced,
    shots,
    spawns,
    standing,
    stocked,
    tiles,
    turns,
    walls,
)
from engine.dominoes_of_war.strays import rarer_where_none_may, without_strays
from engine.dominoes_of_war.troops import HIDDEN, TROOPS
from engine.dominoes_of_war.turning import turned_by_now
from engine.dominoes_of_war.walls import as_they_stood, elsewhere
from engine.layout import Layout, Spot
from engine.matching.evidence import Evidence, Gap, Lay, Leniency, Places
from engine.matching.guide import Guide, Remark, Silent, near
from engine.scene import Scene, Sighting

UNUSED: Final = -0.9
"""What it costs to believe that a turn was ended, for each action left."""
GIVEN_UP: Final = -3.0
"""What it costs to believe that a bonus was given up."""


class WarGuide(Guide):
    """Where to look in Dominoes of War."""

    lenient = Leniency({"discard": -1.5, "pool-1": -3.5, "pool-2": -3.5}, {})
    heed_ends = False
    belongings = Belongings(most={"wall": WALLS})
    patient = (Flipped,)

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """A scene, with what seems to be where it cannot be told where it belongs, or left out."""
        assert isinstance(state, WarState)
        told = without_strays(state, scene, to_pool=terms(self.book.settings).to_pool)
        told = as_they_stood(state, turned_by_now(state, told), others)
        told = rarer_where_none_may(state, told, wall_on_base=terms(self.book.settings).wall_on_base)
        told = with_overlooked(state, self.layout(state, places), scene, told)
        # the Snipers who are still to be given a facing
        unfaced = frozenset(f"soldier {name(at)}" for at in state.unfaced)
        return self._ready(state, told, places, unfaced)

    def layout(self, state: State, places: Places) -> Layout:
        """What the table should look like; once the dividers are away, a type that is read is news."""
        assert isinstance(state, WarState)
        layout = super().layout(state, places)
        if state.phase != "reveal":
            return layout
        return Layout(tuple(_veiled(spot) for spot in layout.spots), layout.hidden)

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """What can have been done with the pieces that are not where they were."""
        assert isinstance(state, WarState)
        if state.phase in ("armies", "lot", "starter", "over"):
            return []
        return dict.fromkeys(self._moves(state, gap))

    def stones(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Soldiers called who have moved on since."""
        assert isinstance(state, WarState)
        kinds = {kind for one in gap.extra if one.kind == "soldier" for kind in types_of(one)}
        called: set[tuple[str, Place]] = set()
        for move in self.book.legal_moves(state):
            if isinstance(move, Spawn | Bonus) and move.kind in kinds and (move.kind, move.to) not in called:
                called.add((move.kind, move.to))
                yield move

    def _moves(self, state: WarState, gap: Gap) -> Iterator[Move]:
        gone = [troop for spot in gap.missing if (troop := standing(state, spot)) is not None]
        gone += [troop for spot, _ in gap.misread if (troop := standing(state, spot)) is not None]
        come = [(at, one) for one in gap.extra if one.kind == "soldier" and (at := place_of(one)) is not None]
        come += [
            (at, one) for _, one in gap.misread if one.kind == "soldier" and (at := place_of(one)) is not None
        ]
        if state.phase in ("act", "tile", "bonus", "face", "offer"):
            yield from marches(state, gap, gone, come)
            yield from self._blows(state, gap, gone)
            yield from spawns(state, come)
            yield from shots(state, gone)
            yield from turns(state, gap)
        elif state.phase == "stock":
            yield from stocked(state, come)
        yield from tiles(state, gap)
        yield from walls(state, gap)

    def _blows(self, state: WarState, gap: Gap, gone: list[Troop]) -> Iterator[Move]:
        """Kamikazes that are gone with an enemy or a wall, and shots whose blast explains who is gone."""
        names = {f"soldier {name(troop.at)}" for troop in gone}
        walls = [spot.name for spot in gap.missing if spot.kind == "wall"]
        if not names and not walls:
            return
        for move in self.book.legal_moves(state):
            if isinstance(move, Run | Blow | Shoot):
                touched = {
                    key for key in self.book.footprint(state, move) if key.startswith(("soldier", "wall"))
                }
                if touched and touched <= names | set(walls):
                    yield move
        for bomb in gone:
            if TROOPS.get(bomb.kind) is not None and TROOPS[bomb.kind].bomb:
                for victim in gone:
                    if victim.side != bomb.side:
                        yield Run(bomb.side, bomb.at, victim.at)
                for wall in state.walls:
                    if f"wall {wall}" in walls:
                        yield Blow(bomb.side, bomb.at, wall)

    def silent(self, state: State, evidence: Evidence) -> Iterable[Silent]:
        """The end of a turn, a bonus given up, and a Sniper who keeps facing as he does.

        A turn in which no action was seen is a whole one: three shots at nothing, or none at all.
        """
        assert isinstance(state, WarState)
        if state.phase == "act":
            return [Silent(End(state.turn), whole_turn=not state.actions)]
        if state.phase == "bonus":
            return [Silent(Forfeit(state.turn))]
        faced = (move for move in next_faced(state, evidence) if self.book.judge(state, move).allowed)
        return [Silent(move, due=True) for move in faced]

    def forced(self, state: State) -> Move | None:
        """The end of a turn, or a bonus given up, where nothing else but to offer a draw is left.

        Where that hangs on who has acted, which nobody can see, what comes next tells.
        """
        assert isinstance(state, WarState)
        only = self._only(state)
        if isinstance(only, End) and state.actions < ACTIONS and only != self._only(rested(state)):
            return None
        return only

    def _only(self, state: WarState) -> End | Forfeit | None:
        """All that is left, if that is the end of a turn, or a bonus given up."""
        moves = [move for move in self.book.legal_moves(state) if not isinstance(move, Draw)]
        return moves[0] if len(moves) == 1 and isinstance(moves[0], End | Forfeit) else None

    def facts(self, state: State, evidence: Evidence) -> Iterable[Fact]:
        """The tile under the soldier who has moved, troops unveiled, and which armies there are."""
        assert isinstance(state, WarState)
        if state.phase == "tile":
            return dict.fromkeys(_flips(state, evidence))
        if state.phase == "reveal":
            return _unveiled(state, evidence)
        if state.phase != "armies":
            return []
        return list(_armies(evidence, terms(self.book.settings).pools))

    def whatever(self, state: State, fact: Fact) -> Iterable[Fact]:
        """Any tile that lies open nowhere else: a soldier stands on it."""
        assert isinstance(state, WarState)
        if not isinstance(fact, Flipped):
            return ()
        return [Flipped(fact.at, tile) for tile, number in TILE_NUMBER.items() if number not in state.mines]

    def remembered(
        self, layout: Layout, found: Mapping[str, Sighting], places: Places, scene: Scene
    ) -> Places:
        """How the Snipers stand who have no facing yet: turning one gives him one."""
        kept: dict[str, Lay] = {}
        for spot in layout.spots:
            one = found.get(spot.name)
            sniper = spot.region == BOARD and (spot.value or {}).get("type") == "sniper"
            if sniper and one is not None and one.angle is not None:
                kept[spot.name] = Lay(BOARD, one.x or 0.0, one.y or 0.0, one.angle)
        return kept

    def picked_up(self, state: State, move: Move, places: Places) -> Places:
        """Who is put back on his tile may face any way there: that tells nothing of his turn's end."""
        assert isinstance(state, WarState)
        handled = self.book.footprint(state, move)
        return {piece: lay for piece, lay in places.items() if piece not in handled}

    def essence(self, state: State) -> Hashable:
        """Which of two soldiers fired or called, nobody can see; the next action tells, if it matters."""
        assert isinstance(state, WarState)
        return rested(state)

    def gist(self, move: Move) -> Hashable:
        """A bonus is given up, or there was none: which of it, only the tile tells."""
        return None if isinstance(move, Forfeit) else move

    def taste(self, state: State, move: Move) -> float:
        """Players rarely end a turn with actions left, or give up what a tile has brought."""
        assert isinstance(state, WarState)
        if isinstance(move, End):
            return 0.0 if self._only(state) else UNUSED * max(0, ACTIONS - state.actions + state.extra)
        return GIVEN_UP if isinstance(move, Forfeit) else 0.0

    def twins(self, state: State, move: Move) -> Iterable[Move]:
        """The same shot by another soldier, spawn by another leader, or blast by another hit."""
        assert isinstance(state, WarState)
        if not isinstance(move, Shoot | Spawn):
            return []
        others = [replace(move, at=troop.at) for troop in state.troops if troop.at != move.at]
        blasts = self._same_blast(state, [move, *others]) if isinstance(move, Shoot) else ()
        return [*(twin for twin in others if self.book.judge(state, twin).allowed), *blasts]

    def _same_blast(self, state: WarState, shots: Sequence[Shoot | Spawn]) -> Iterator[Shoot]:
        """Shots at another soldier who explodes, which leave the same men: nobody sees who was hit."""
        bombs = {troop.at for troop in state.troops if TROOPS[troop.kind].bomb}
        for shot in shots:
            if isinstance(shot, Shoot) and len(shot.targets) == 1 and shot.targets <= bombs:
                left = self._left_by(state, shot)
                others = (replace(shot, targets=frozenset((bomb,))) for bomb in sorted(bombs - shot.targets))
                yield from (other for other in others if left and self._left_by(state, other) == left)

    def _left_by(self, state: WarState, shot: Shoot) -> Sequence[Troop]:
        """Who is left after a shot; nobody where it is not allowed."""
        if not self.book.judge(state, shot).allowed:
            return ()
        after = self.book.apply(state, shot)
        assert isinstance(after, WarState)
        return after.troops

    def waits_for(self, state: State) -> str:
        """What must be seen before play goes on."""
        assert isinstance(state, WarState)
        if state.phase == "tile":
            return f"The tile on {name(state.focus)} must be turned up."
        return super().waits_for(state)

    def remark(self, state: State, scene: Scene, places: Places) -> Remark:
        """What a wall looks like that counts as standing where it stood."""
        assert isinstance(state, WarState)
        return Remark(elsewhere(state, scene))


GUIDE = WarGuide


# — pieces —


def _veiled(spot: Spot) -> Spot:
    veiled = spot.kind == "soldier" and spot.value is not None and spot.value.get("type") is None
    return replace(spot, value={**(spot.value or {}), "type": HIDDEN}) if veiled else spot


# — facts —


def _flips(state: WarState, evidence: Evidence) -> Iterator[Fact]:
    """What the tile may show: as it lies under the soldier, or in the discard if it was a mine."""
    x, y = column(state.focus), row(state.focus)
    under = [one for one in evidence.in_region(BOARD, "domino") if near(one, x, y, 0.5)]
    for one in (*under, *evidence.in_region("discard", "domino")):
        for domino in tiles_of(one):
            if TILE_NUMBER[domino] not in state.mines:
                yield Flipped(state.focus, domino)


def _unveiled(state: WarState, evidence: Evidence) -> Iterator[Fact]:
    """Troops as they are seen once the divider is gone."""
    for troop in state.troops:
        if troop.kind == HIDDEN:
            for one in evidence.in_region(BOARD, "soldier"):
                if place_of(one) == troop.at:
                    yield from (Shown(troop.at, kind) for kind in types_of(one))


def _armies(evidence: Evidence, pools: Mapping[str, Counts]) -> Iterator[Fact]:
    """The armies that lie in the pools: what each soldier is says of which army all of them are."""
    sides = [evidence.in_region(f"pool-{side}", "soldier") for side in (1, 2)]
    if all(sides):
        yield from starmap(Armies, product(*(armies_of(seen, pools) for seen in sides)))
