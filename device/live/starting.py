"""How a match begins: from a set-up in a file, from the table, or from a state that somebody made."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from engine import BadSetup, State, rulebook
from engine.history import History
from engine.matching import Follower, adopt, set_up
from engine.plain import BadData, JsonObject
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
        if setup.get("game", self.game) != self.game:
            raise BadSetup(f"This is a set-up of {setup['game']}, not of {self.game}.")
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
    joins: bool = False
    """Whether to join a game that is in progress without being asked: where nobody is there to be guided."""

    def begin(self, scene: Scene) -> History | Sequence[str]:
        """The game once the table is set up for it; what the opening shows is then seen as facts."""
        blank = self.terms.blank()
        found = set_up(Follower.of(blank), scene)
        if found.ready:
            return blank
        if self.joins and isinstance(joined := self.adopt(scene, None), History):
            return joined
        return ("The table is not set up yet.", *(one.sentence for one in found.lacking))

    def adopt(self, scene: Scene, game: History | None) -> History | Sequence[str]:
        """The game that goes on from the table as it is."""
        try:
            state = adopt(Follower.of(game or self.terms.blank()), scene)
        except (BadSetup, BadData) as wrong:
            return ("The table cannot be taken as it is.", str(wrong))
        except ValueError:  # a table so unlike the game's that not even a reason can be told
            return ("The table cannot be taken as it is.",)
        return self.terms.from_state(state)
