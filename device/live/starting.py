"""How a match begins: from a set-up in a file, from the table, or from a state that somebody made."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from engine import State, rulebook
from engine.history import History
from engine.plain import JsonObject
from engine.profile import settings_json
from engine.record import Header, Record
from engine.scene import Scene


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before a game."""

    game: str
    profile: str = "default"
    players: tuple[str, str] = ("player 1", "player 2")

    def blank(self) -> History:
        """The game before anything was seen: its set-up is still to be told or seen."""
        return History.begin(
            self.game, self.profile, players=self.players, software=metadata.version("pipwatch")
        )

    def from_setup(self, setup: JsonObject) -> History:
        """The game from a set-up as its rule book takes it, or from a state in plain form."""
        if "game" in setup and "version" in setup:
            return self.from_state(State.from_json(setup))
        return History.begin(
            self.game, self.profile, setup=setup, players=self.players, software=metadata.version("pipwatch")
        )

    def from_state(self, state: State) -> History:
        """The game that goes on from this state."""
        book = rulebook(self.game, self.profile)
        header = Header(
            game=self.game,
            profile=str(book.profile),
            players=self.players,
            software=metadata.version("pipwatch"),
            setup=state.to_json(),
            settings=settings_json(book.settings),
        )
        return History.of(Record(header, ()))


def terms_of(game: History) -> Terms:
    """The terms of a game that has begun."""
    header = game.header
    return Terms(header.game, header.profile, header.players)


@dataclass(frozen=True, slots=True)
class Beginner:
    """Finds a beginning of a game on the table."""

    terms: Terms

    def begin(self, _scene: Scene) -> History | Sequence[str]:
        """The game with its set-up still to be seen: what lies there is then seen as facts."""
        return self.terms.blank()

    def adopt(self, _scene: Scene, _game: History | None) -> History | Sequence[str]:
        """The game that goes on from the table as it is."""
        return ("The table cannot be taken as it is.", "Type what happened, or put it back.")
