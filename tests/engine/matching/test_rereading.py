"""A roll that was read in doubt is put right once its dice show plainly that it was another."""

from collections.abc import Sequence

import pytest

from engine.dominoids.guide import DominoidsGuide
from engine.dominoids.model import FACES, SUITS, DominoidsState, Roll, TurnedCoin
from engine.history import History
from engine.matching import Follower, Question, Ruled
from engine.matching.guide import Guide
from engine.plain import JsonObject
from engine.record import Happening
from engine.scene import Guess, Scene, Sighting
from engine.squares import Square
from tests.engine.matching.doubtful_table import Table

BEFORE = ("1: dice suns moons", "1: moons move 4@d3-1@d4", "1: suns move 2@b6-3@c6", "1: done")
READ, DOUBT = "see roll suns=5 moons=4", "see roll suns=3 moons=4"
THROWN = "see roll suns=2 moons=4"
"""What it was; in the gleam of a lamp nobody thought of it."""
TAKEN = "2: dice suns arms"


class Burnt:
    """A roll of which one die was hardly read has been written down, with or without its doubt."""

    def __init__(self, *alike: str) -> None:
        self.before = History.begin("dominoids", seed=3)
        for line in BEFORE:
            self.before = self.before.move(line)
        self.history, self.table = self.before.fact(READ, alike), Table(3)
        self.follower = Follower.of(self.history).at(self.scene(self.history))

    def scene(self, history: History) -> Scene:
        """The table as it is then, and every die on it is read well."""
        return self.table.scene(history.book.layout(history.state), by=2, visits=1)


def test_dice_that_were_taken_show_what_they_showed_when_they_were_rolled() -> None:
    """The record is corrected, what it had stands beside it, and the move is told."""
    game = Burnt(DOUBT)
    scene = game.scene(game.before.fact(THROWN).move(TAKEN))
    ruled = game.follower.see(scene)
    assert isinstance(ruled, Ruled), ruled
    assert [(one.steps, one.text, one.alike) for one in ruled.revised] == [(1, THROWN, (READ, DOUBT))]
    assert [one.text for one in ruled.happened] == [TAKEN]
    place = game.history.steps[-1].place
    history = game.history.correct(place, Happening("fact", THROWN, ruled.revised[0].alike)).move(TAKEN)
    follower = game.follower.after(history, scene)
    moved = next(
        text
        for text in map(history.book.format, history.book.legal_moves(history.state))
        if "suns move" in text
    )
    told = follower.see(game.scene(history.move(moved)))
    assert isinstance(told, Ruled)
    assert told.happened[0].text == moved


def test_what_was_thought_of_is_weighed_and_not_read_again() -> None:
    """A doubt of the record is one of its doubts; what a record says that nobody can read is passed over."""
    game = Burnt(DOUBT, THROWN)
    history = game.history.move(TAKEN, ("nonsense", "2: dice crowns arms"))
    follower = Follower.of(history)
    scene = game.scene(game.before.fact(THROWN).move(TAKEN))
    assert [*follower.reread(scene)] == []
    other = game.scene(game.before.fact("see roll suns=null moons=4").move(TAKEN))
    told = [[one.text for one in origin.revised] for origin in follower.reread(other)]
    assert told == [["see roll suns=null moons=4"], ["see roll suns=null moons=4", "2: dice crowns arms"]]


def test_a_game_that_tells_nothing_reads_nothing_again() -> None:
    """Its guide knows no dice that lie there still."""
    history = (
        History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d d D S", ("see roll d d D q",))
    )
    assert [*Follower.of(history).reread(seen("2"))] == []
    assert [*Guide(history.book).again(history.state, history.state, ROLL)] == [ROLL]


def test_what_was_read_for_sure_is_asked_about_where_it_shows_otherwise_now() -> None:
    """It was misread, or somebody has turned a die: nothing is put right unasked."""
    game = Burnt()
    verdict = game.follower.see(game.scene(game.before.fact(THROWN).move(TAKEN)))
    assert isinstance(verdict, Question)
    assert (
        verdict.sentence
        == "Something shows now what it did not show before. Was it misread, or was it turned?"
    )
    assert len(verdict.choices) == 1


def seen(*faces: str, least: float = 0.99) -> Scene:
    """Dice as they are read, in suit order."""
    values: list[JsonObject] = [
        {"suit": None if face == "null" else suit, "face": face}
        for suit, face in zip(SUITS, faces, strict=False)
    ]
    return Scene(tuple(Sighting("die", "old-dice", guesses=(Guess(value, least),)) for value in values))


ROLL = Roll(((0, 5), (1, 4)))


@pytest.mark.parametrize(
    ("later", "scene", "rolls"),
    [
        ((), seen("2", "4", "4", "ace"), [(2, 4)]),
        ((), seen("2", "null", "4", "ace"), [(2, 0)]),
        ((Roll(((1, 3), (2, 4))),), seen("2", "3", "4", "ace"), [(2, 4)]),
        ((Roll(((0, 3), (1, 4))),), seen("2", "3", "4", "ace"), []),
        ((), seen("5", "4", "4", "ace"), []),
        ((), seen("2", "4", "4"), []),
        ((), seen("2", "4", "4", "ace", least=0.05), []),
    ],
)
def test_only_dice_that_were_not_rolled_again_are_read_anew(
    later: Sequence[Roll], scene: Scene, rolls: Sequence[tuple[int, int]]
) -> None:
    """All four must be seen; those of a later roll show what that has told."""
    game = History.begin("dominoids", seed=3)
    state, guide = game.state, DominoidsGuide(game.book)
    assert isinstance(state, DominoidsState)
    state = state._replace(faces=tuple(map(FACES.index, ("5", "4", "4", "ace"))))
    found = guide.rereadings(state, ROLL, later, scene, sure=False)
    assert [tuple(face for _, face in roll.faces) for roll in found if isinstance(roll, Roll)] == rolls
    assert not guide.rereadings(state, TurnedCoin(Square(1, 1), 3), (), scene, sure=False)


def test_a_blank_die_that_was_rolled_since_may_have_been_another() -> None:
    """Suns was taken with a blank die, both were rolled blank, and Moons shows a 2 now, as it did before."""
    game = History.begin("dominoids", seed=3)
    state, guide = game.state, DominoidsGuide(game.book)
    roll = Roll(((0, 3), (1, 0), (2, 0), (3, 5)))
    found = [
        *guide.rereadings(state, roll, (Roll(((0, 0), (1, 0))),), seen("null", "2", "null", "5"), sure=False)
    ]
    assert Roll(((0, 3), (1, 2), (2, 0), (3, 5))) in found
    taken = game.book.play(state, game.book.parse("1: dice suns crowns"))
    both, other, coin = Roll(((0, 0), (1, 0))), Roll(((0, 0), (1, 4))), TurnedCoin(Square(1, 1), 3)
    assert [*guide.again(state, taken, both)] == [both, Roll(((0, 0), (2, 0)))]
    for now, fact in ((taken, other), (state, both), (state, coin)):
        assert [*guide.again(state, now, fact)] == [fact]
