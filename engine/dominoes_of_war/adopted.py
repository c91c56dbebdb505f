# ruff: noqa: ARG002 (what an adopter is asked is the same for every game)
"""What Dominoes of War makes of a table as it lies."""

from collections.abc import Sequence

from engine.book import State
from engine.dominoes_of_war.as_it_lies import hardly_seen, table_as_it_is, taken_up
from engine.dominoes_of_war.by_hand import put
from engine.dominoes_of_war.likeliest_field import most_like
from engine.dominoes_of_war.model import ACTIONS, WarState
from engine.dominoes_of_war.places import FIELD_INDEX, column, name, row
from engine.dominoes_of_war.readings import terms
from engine.dominoes_of_war.sighted import BOARD
from engine.dominoes_of_war.strays import on_the_field
from engine.matching.adopted import Adopter, Need
from engine.plain import JsonObject
from engine.scene import Scene


class WarAdopter(Adopter):
    """A table of Dominoes of War as it lies."""

    def opening(self, state: State) -> tuple[Need, ...]:
        """The field of 64 tiles that lie face down; bases, walls and soldiers come as moves."""
        return tuple(Need("tile", "domino", BOARD, "down", column(at), row(at)) for at in FIELD_INDEX)

    def table(self, state: State, scene: Scene) -> JsonObject:
        """Soldiers, walls, bases and flipped tiles as they lie; whose turn it is, and who acted, is kept."""
        assert isinstance(state, WarState)
        return table_as_it_is(state, self._taken(scene), terms(self.book.settings))

    def taken(self, state: State, scene: Scene) -> State:
        """Bases, losses and the turn as the record knows them, as far as the table does not say otherwise."""
        assert isinstance(state, WarState)
        if not any(state.bases):
            return super().taken(state, scene)
        return self.book.start(taken_up(state, self._taken(scene), terms(self.book.settings)))

    def put(self, state: State, words: Sequence[str]) -> State:
        """Soldiers, walls and tiles by their places."""
        assert isinstance(state, WarState)
        return put(state, words, terms(self.book.settings))

    def unknown(self, before: State, after: State, scene: Scene) -> tuple[str, ...]:
        """How many actions are left, and whose turn it is."""
        assert isinstance(after, WarState)
        left = max(0, ACTIONS - after.actions) + after.extra
        turn = f"It counts as the turn of player {after.turn}, with {left} actions left."
        return (turn,) if after.phase in ("act", "tile") else ()

    def likeliest(self, state: State, scene: Scene) -> tuple[Scene, tuple[str, ...]]:
        """Also the men by all of their army, and the walls that stand nowhere."""
        assert isinstance(state, WarState)
        return most_like(state, self._taken(scene), terms(self.book.settings))

    def _taken(self, scene: Scene) -> Scene:
        """A scene that a table is taken from, less the walls where none may stand."""
        return scene if terms(self.book.settings).wall_on_base else on_the_field(scene)

    def granted(self, state: State, scene: Scene) -> tuple[str, ...]:
        """Tiles of the field that are hardly seen and can lie nowhere else."""
        assert isinstance(state, WarState)
        places = [name(at) for at in hardly_seen(state, scene)]
        return tuple(
            f"The tile on {place} cannot be told for sure; it is taken to lie face down." for place in places
        )


ADOPTER = WarAdopter
