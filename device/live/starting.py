"""How a match begins: from a set-up in a file, from the table, or from a state that somebody made."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from importlib import metadata

from device.live.ports import Following
from device.match.acts.steps import TAKEN
from engine import BadSetup, State, rulebook
from engine.history import History
from engine.matching import (
    Follower,
    Nothing,
    Question,
    Ruled,
    TakeBack,
    Verdict,
    adopt,
    as_it_is,
    set_up,
    stains,
    unstained,
)
from engine.matching.adopted import adopter_for
from engine.plain import BadData, JsonObject
from engine.profile import settings_json
from engine.record import Header, Record
from engine.scene import Scene, Sighting


@dataclass(frozen=True, slots=True)
class Agreed:
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


def terms_of(game: History) -> Agreed:
    """The terms of a game that has begun."""
    header = game.header
    return Agreed(header.game, header.profile, header.players)


WHO = "Who moves first is not known yet: it is seen when the first move is made."
_NOT_SET_UP = "The table is not set up yet."
_NOT_TAKEN = "The table cannot be taken as it is."
REFUSALS = (_NOT_SET_UP, _NOT_TAKEN)
"""How sentences begin that say why no game begins yet."""
_NOT_FOLLOWED = (
    "What was done before the first move could be followed is not known: the table counts as it lies."
)
_UNSEEN = "The game begins all the same: what is not seen can be nowhere else."
_PATIENCE = 2
"""After so many looks that left a doubt, a table that nobody can be asked about counts as it seems."""
_NOT_SEEN = "Whose hand made the first move was not seen: whoever it was is called {} here."
_CAME_FIRST = "Whose hand made the first move was not seen: {}'s came first, and it counts as that player's."


class Beginner:
    """Finds a beginning of a game on the table: each table makes another of it, and it stays as it was."""

    def __init__(self, terms: Agreed, joins: bool = False) -> None:
        """``joins``: whether to join a game in progress unasked, where nobody is there to be guided."""
        self._terms, self._joins = terms, joins
        self._before: Scene | None = None
        """A table from which a game can go on as soon as it is known who moves."""
        self._odd = False
        """Whether the table looked, last time, as if no move from there led to it."""
        self._late = False
        """Whether something was done before the table was taken from which the game is to go on."""
        self._doubt = ""
        self._granted: Sequence[str] = ()
        """What of the table that was taken as it is was hardly seen."""
        self._stains: Sequence[Sighting] = ()
        """What looked a little like a piece of the table from which the game is to go on, and is none."""
        self._vain = 0
        """How many looks left a doubt that kept the table from being taken."""
        self._supposed: Sequence[str] = ()
        """What of the table from which the game is to go on was taken for what it most looks like."""

    def begin(self, scene: Scene) -> tuple["Beginner", History | Sequence[str]]:
        """The game once the table is set up for it; what the opening shows is then seen as facts."""
        after = copy(self)
        return after, after._begun(scene)

    def adopt(self, scene: Scene) -> tuple["Beginner", History | Sequence[str]]:
        """A game that begins with the table as it is."""
        after = copy(self)
        after._doubt, after._supposed = "", ()
        taken = after._taken(scene)
        if isinstance(taken, History):
            after._stains = stains(Follower.of(taken), scene)
        return after, taken

    def take_up(
        self, scene: Scene, game: History, follower: Following, verdict: Verdict
    ) -> tuple["Beginner", History | Sequence[str]]:
        """The game as it goes on from the table as it is: an entry of its record says so."""
        known = follower if isinstance(follower, Follower) else Follower.of(game)
        try:
            taken = as_it_is(known, scene, verdict)
        except BadSetup as wrong:
            return self, (_NOT_TAKEN, str(wrong))
        begun = copy(self)
        begun._supposed, begun._granted, begun._doubt = (), (), " ".join(taken.unknown)
        after = game.put(taken.state, TAKEN, begun._doubt)
        if isinstance(verdict, TakeBack) and taken.state == verdict.state:
            after = game
            for step in reversed(game.steps[len(game.steps) - verdict.steps :]):
                after = after.correct(step.place, None, "taken back at the table")
        begun._stains = stains(Follower.of(after), scene)
        return begun, after

    def _begun(self, scene: Scene) -> History | Sequence[str]:
        blank = self._terms.blank()
        found = set_up(Follower.of(blank), scene)
        if found.ready:
            # Of a new game much lies there that only its first facts tell of: nothing else is a stain yet.
            self._granted, self._supposed, self._stains = (), found.supposed, found.stains
            self._doubt = " ".join((*(one.sentence for one in found.unseen), _UNSEEN) if found.unseen else ())
            return blank
        joined = self._joined(scene) if self._joins else None
        if joined is not None:
            return joined
        if self._joins and not isinstance(why := self._taken(scene), History):
            return why
        return (_NOT_SET_UP, *(one.sentence for one in found.lacking))

    def _taken(self, scene: Scene) -> History | Sequence[str]:
        follower = Follower.of(self._terms.blank())
        try:
            state = adopt(follower, scene)
        except (BadSetup, BadData) as wrong:
            return (_NOT_TAKEN, str(wrong))
        except ValueError:  # a table so unlike the game's that not even a reason can be told
            return (_NOT_TAKEN,)
        self._granted = adopter_for(follower.book).granted(follower.state, scene)
        return self._terms.from_state(state)

    def doubt(self) -> str:
        """What could not be told of the game that was begun."""
        return " ".join(filter(None, (*self._supposed, *self._granted, self._doubt)))

    def stains(self) -> Sequence[Sighting]:
        """What of the table on which the game began is no piece, though it looks a little like one."""
        return self._stains

    def puzzled(self) -> bool:
        """Whether the table was left aside, last time, since no move from the one before led to it."""
        return self._odd

    def last(self) -> tuple["Beginner", History | None]:
        """The game that only waited for its first move."""
        after = copy(self)
        return after, None if after._before is None else after._by(after._before, None)

    # — joining —

    def _joined(self, scene: Scene) -> History | Sequence[str] | None:
        """The game in progress; as long as nobody can know who moves, its first move is waited for."""
        before, refused = self._before, self._vain > 0
        if before is not None:
            games = {player: game for player in (1, 2) if (game := self._by(before, player)) is not None}
            clear = unstained(scene, self._stains)
            each = {player: Follower.of(game).see(clear) for player, game in games.items()}
            seen = tuple(each.values())
            if any(isinstance(one, Nothing) for one in seen):
                self._odd = False
                return (WHO,)
            if scene.visits == 0 and self._shows_no_other(scene, games):
                self._stains = (*self._stains, *stains(Follower.of(games[1]), clear, clear=True))
                return (WHO,)
            amid = games.get(1) == games.get(2)  # the table itself says whose turn it is
            known = scene.by is not None or not self._late or amid  # nothing is taken for granted twice
            still = scene.visits == 0  # then nobody has moved: an earlier look has missed something
            news = known and not still and any(isinstance(one, Ruled | Question) for one in seen)
            if news and not self._undoes(seen):
                return self._moved(before, scene, each)
            if not still and not self._odd and not amid and not any(isinstance(one, Ruled) for one in seen):
                self._odd = True  # perhaps something was misread: one more look before the thread is let go
                return (WHO,)
        settled, supposed = self._settled(scene)
        either = [self._by(settled, player) for player in (1, 2)]
        if either[0] is None or either[1] is None:
            return None
        self._supposed, self._stains = supposed, stains(Follower.of(either[0]), scene, clear=bool(supposed))
        late = scene.visits != 0 if before is not None else refused and bool(scene.visits)
        if either[0] == either[1] and not (late and _is_amid(either[0])):
            return either[0]
        self._before, self._odd = settled, False
        self._late = late or (before is not None and self._late)
        return (_NOT_FOLLOWED, WHO) if self._late else (WHO,)

    def _shows_no_other(self, scene: Scene, games: Mapping[int, History]) -> bool:
        """Whether a table at which nobody was shows none but the games that it has shown before.

        What else seems to lie there now is a pattern of the cloth, or a gleam.
        """
        now = [self._by(scene, player) for player in games]
        return now == [*games.values()] or None in now

    def _settled(self, scene: Scene) -> tuple[Scene, Sequence[str]]:
        """The table as it is taken, after looks in vain as what it most seems, and what is said of that."""
        if self._by(scene, 1) is not None:
            return scene, ()
        self._vain += 1
        if self._vain < _PATIENCE:
            return scene, ()
        blank = Follower.of(self._terms.blank())
        try:
            return adopter_for(blank.book).likeliest(blank.state, scene)
        except BadSetup:
            return scene, ()

    def _undoes(self, seen: Sequence[Verdict]) -> bool:
        """Whether what looks illegal may be the taking back of what was done before the table was taken."""
        return self._late and any(isinstance(one, Ruled) and one.refused for one in seen)

    def _moved(self, before: Scene, scene: Scene, each: Mapping[int, Verdict]) -> History | None:
        """The game that goes on with the move of a player, or of one that nobody saw: of who came first."""
        player = scene.by or _plainest(each)
        if scene.by is None and (player is None or isinstance(each.get(3 - player), Question)):
            names, came = self._terms.players, scene.came if player is None else None
            if came is not None:
                self._doubt = _CAME_FIRST.format(names[came - 1])
            else:
                self._doubt = _NOT_SEEN.format(names[(player or 1) - 1])
            if player is None:
                return self._by_whoever(before, came)
        return self._by(before, player)

    def _by_whoever(self, scene: Scene, player: int | None) -> History | None:
        """The same with a player's move, of which what follows may tell that it was the other's."""
        game = self._by(scene, player)
        return None if game is None else self._terms.from_state(adopter_for(game.book).whoever(game.state))

    def _by(self, scene: Scene, player: int | None) -> History | None:
        """The game that goes on from a table with a player's move."""
        game = self._taken(replace(scene, by=player))
        return game if isinstance(game, History) else None


def _is_amid(game: History) -> bool:
    """Whether what was done last is still to be shown, if it was allowed: it may be taken back instead."""
    return rulebook(game.header.game, game.header.profile).pending(game.state) is not None


def _plainest(seen: Mapping[int, Verdict]) -> int | None:
    """The player whose allowed move the table shows, if with the other to move more must have been done."""
    steps = {
        player: len(one.happened)
        for player, one in seen.items()
        if isinstance(one, Ruled) and one.happened and not one.refused
    }
    least = [player for player, many in steps.items() if many == min(steps.values())]
    return least[0] if len(least) == 1 else None
