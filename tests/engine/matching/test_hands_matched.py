"""Whose hand was seen at which table, while a question is open: each later table tells of its own hands."""

from dataclasses import replace

import pytest

from engine import Layout
from engine.book import State
from engine.history import History
from engine.matching import Choice, Follower, Question, Ruled, TakeBack, Verdict
from engine.matching.apart import begun_by
from engine.matching.guide import guide_for
from engine.matching.search import STRANGER, Search
from engine.matching.step_line import Line, LineStep, Origin
from engine.plain import BadData, JsonObject
from engine.scene import Hands, Scene, Sighting
from tests.engine.matching.doubtful_table import Table

OPENING = (
    "see arms@b3 5@c3-5@d3",
    "see suns@c7 4@c5-4@c6",
    "see moons@g6 2@e6-1@f6",
    "see crowns@f2 5@f3-2@f4",
    "see roll suns=2 moons=4 crowns=3 arms=null",
)
TURN = ("1: dice suns arms", "1: suns move 1@e5-2@e6", "1: arms pass", "1: done")
NOT_ALLOWED = "1: suns move 2@d5-1@d6"
SINCE = ("see roll suns=2 arms=null", "2: dice moons crowns")


class Begun:
    """A game of Dominoids whose first player nobody knows: the first dice were taken by a hand unseen."""

    def __init__(self) -> None:
        self.history = History.begin("dominoids")
        for line in OPENING:
            self.history = self.history.fact(line)
        self.table = Table(3)
        self.follower = Follower.of(self.history).at(self.scene())
        self.ask(self.scene(TURN[0]))

    def scene(self, *lines: str, lately: Hands | None = None) -> Scene:
        """The table after these moves of the one who began, whoever it was; both were there since."""
        book, state = self.history.book, self.history.state
        if lines:
            state = book.observe(state, book.parse_fact("see first 1"))
        for line in lines:
            state = (
                book.observe(state, book.parse_fact(line))
                if line.startswith("see ")
                else book.play(state, book.parse(line))
            )
        scene = self.table.scene(self._layout(state), visits=sum(" " in line for line in lines))
        return replace(scene, lately=lately)

    def broken(self, *, lately: Hands) -> Scene:
        """The table after the first dice and a move that is not allowed."""
        book = self.history.book
        state = book.observe(self.history.state, book.parse_fact("see first 1"))
        state = book.play(state, book.parse(TURN[0]))
        refused = book.let_stand(state, book.parse(NOT_ALLOWED))
        return replace(self.table.scene(self._layout(refused), visits=2), lately=lately)

    def _layout(self, state: State) -> Layout:
        return self.history.book.layout(state)

    def ask(self, scene: Scene) -> Question:
        """What it shows is asked about."""
        verdict = self.follower.see(scene)
        assert isinstance(verdict, Question), verdict
        self.follower = self.follower.asking(verdict)
        return verdict


def told(verdict: Verdict) -> list[str]:
    """What happened."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


@pytest.fixture
def game() -> Begun:
    """A fresh one."""
    return Begun()


@pytest.mark.parametrize("player", [1, 2])
def test_the_hand_at_a_later_move_tells_who_made_the_first(game: Begun, player: int) -> None:
    """Though hands of both came since table and record agreed: the last ones were one player's."""
    scene = game.scene(*TURN, lately=Hands(player, 1))
    assert told(game.follower.see(scene))[0] == f"see first {player}"
    assert isinstance(game.follower.see(replace(scene, lately=None)), Question)
    assert isinstance(game.follower.see(replace(scene, lately=Hands(None, 1))), Question)


def test_what_was_seen_of_the_hands_goes_on_from_question_to_question(game: Begun) -> None:
    """Nobody's hand is seen at the next move, and it is known all the same whose it must have been."""
    asked = game.ask(game.scene(*TURN, lately=Hands(None, 1)))
    assert [choice.outcome.margin for choice in asked.choices if isinstance(choice.outcome, Ruled)] == [0, 0]
    first, second = (choice.outcome for choice in asked.choices)
    assert isinstance(second, Ruled)
    unlikely = replace(second, margin=STRANGER)
    scene = game.scene(*TURN, *SINCE, lately=Hands(None, 2))
    assert isinstance(game.follower.see(scene), Question)
    answers = (Choice("", first), Choice("", unlikely))
    assert told(game.follower.asking(Question("", answers)).see(scene)) == [
        "see first 1",
        *TURN,
        *SINCE,
    ]


def test_what_was_open_stays_open_where_only_a_refused_move_was_asked_about(game: Begun) -> None:
    """It was put back, and the next hand tells who began, as it would have without it."""
    refused = game.follower.see(game.broken(lately=Hands(None, 1)))
    assert isinstance(refused, Question)
    assert all(isinstance(one.outcome, Ruled) and one.outcome.refused for one in refused.choices)
    asked = game.follower.asking(refused)
    assert asked.accused
    assert told(asked.see(game.scene(*TURN, lately=Hands(2, 3))))[0] == "see first 2"
    assert not asked.asking(Question("", ())).open, "none of the answers was it"


def test_a_question_about_what_nobody_touched_gives_its_answer_no_credit(game: Begun) -> None:
    """Such an answer is told with how far it is ahead; that is no reason to believe it later."""
    first, second = (choice.outcome for choice in game.ask(game.scene(TURN[0])).choices)
    assert isinstance(second, Ruled)
    surer = Question("", (Choice("", first), Choice("", replace(second, margin=50.0))))
    assert isinstance(game.follower.asking(surer).see(game.scene(*TURN, lately=Hands(None, 1))), Question)


MOVED, BACK_AGAIN, INSTEAD = "1: suns move 2@b6-3@c6", "1: moons move 2@c5-3@c6", "1: moons move 4@d3-1@d4"
WRONG = "1: suns move 3@d6-2@d7"


class Undone:
    """A turn is over or its first move was taken back: which of these, players were asked and did not say."""

    def __init__(self) -> None:
        start = {**History.begin("dominoids", seed=3).state.to_json()}
        dice: JsonObject = {"suns": "3", "moons": "3", "crowns": "4", "arms": "3"}
        self.history = History.begin("dominoids", setup={**start, "dice": dice}).move("1: dice suns moons")
        self.table, moved = Table(3), self.history.move(MOVED)
        self.follower = Follower.of(moved).at(self.scene(self.history.move(MOVED)))
        asked = self.follower.see(self.scene(self.history))
        assert isinstance(asked, Question)
        first, second = (choice.outcome for choice in asked.choices)
        assert told(first)[0] == BACK_AGAIN  # type: ignore[arg-type]
        assert isinstance(second, TakeBack)
        self.follower = self.follower.asking(asked)

    def scene(self, history: History) -> Scene:
        """The table as it is then."""
        return self.table.scene(history.book.layout(history.state), visits=1)

    def see(self, line: str) -> Verdict:
        """What is made of the table after a move from before the one that was perhaps taken back."""
        book, state = self.history.book, self.history.state
        return self.follower.see(
            self.table.scene(book.layout(book.let_stand(state, book.parse(line))), visits=1)
        )


def test_a_move_that_only_a_taking_back_allows_tells_that_it_was_one() -> None:
    """If not, the turn was over, and somebody would be accused; nobody is."""
    verdict = Undone().see(INSTEAD)
    assert isinstance(verdict, TakeBack)
    assert verdict.more
    assert (verdict.steps, verdict.state) == (1, Undone().history.state)


def test_nobody_is_accused_of_playing_on_while_it_may_have_been_taken_back() -> None:
    """The next move is illegal either way, for another reason each: that is asked about."""
    verdict = Undone().see(WRONG)
    assert isinstance(verdict, Question)
    assert any(isinstance(choice.outcome, TakeBack) for choice in verdict.choices)


def test_a_taking_back_that_nothing_seen_bears_out_is_none() -> None:
    """The dice were thrown: that ends a turn, and nobody does it in the middle of one."""
    game = Undone()
    thrown = game.history.move(MOVED).move(BACK_AGAIN).move("1: done").fact("see roll suns=5 moons=4")
    assert told(game.follower.see(game.scene(thrown)))[0] == BACK_AGAIN


def test_only_pieces_at_which_one_player_was_since_are_told_with_a_hand() -> None:
    """Whoever was at them before does not count, nor who was at the table then."""
    pieces = (Sighting("domino", "board", ref="0", by=2), Sighting("domino", "board", ref="1"))
    scene = Scene(pieces, by=2, visits=4, lately=Hands(1, 1, {"1": 1}))
    since = scene.since_asked()
    assert [one.by for one in since.sightings] == [None, 1]
    assert (since.by, since.visits) == (1, 1)
    assert Scene(pieces).since_asked() == Scene(pieces)
    assert Scene.from_json(scene.to_json()) == scene
    assert Scene.from_json(Scene((), lately=Hands()).to_json()) == Scene((), lately=Hands())
    with pytest.raises(BadData, match="the player at a sighting"):
        Hands.from_json({"at": {"0": "x"}})


@pytest.mark.parametrize("came", [1, 2])
def test_whoever_came_first_began_if_nobody_saw_whose_hand_it_was(game: Begun, came: int) -> None:
    """That it may have been the other is kept beside it, and a hand that is seen later puts it right."""
    blank = Follower.of(game.history).at(game.scene())
    scene = replace(game.scene(TURN[0]), came=came)
    ruled = blank.see(scene)
    assert told(ruled)[0] == f"see first {came}"
    assert isinstance(ruled, Ruled)
    assert f"see first {3 - came}" in ruled.alike
    assert isinstance(blank.see(replace(scene, came=None)), Question)
    by_other = blank.see(replace(scene, by=3 - came))
    assert told(by_other)[0] == f"see first {3 - came}"


@pytest.mark.parametrize("came", [1, 2])
def test_whoever_came_first_began_though_the_other_has_played_since(game: Begun, came: int) -> None:
    """Both are in both stories then, and only one of them comes first in each."""
    blank = Follower.of(game.history).at(game.scene())
    happened = told(blank.see(replace(game.scene(*TURN, *SINCE), came=came)))
    assert happened[0] == f"see first {came}"
    assert happened[-1].startswith(f"{3 - came}: dice ")


@pytest.mark.parametrize("came", [1, 2, None])
def test_of_two_who_may_have_begun_with_different_things_both_are_asked_about(
    game: Begun, came: int | None
) -> None:
    """Whoever came first is believed only where all that is in doubt is who it was."""
    guide, root = guide_for(game.history.book), Origin(game.history.state)
    search = Search(guide, guide.evidence(root.state, game.scene(), {}))

    def line(*told: str) -> Line:
        first, then = game.history.book.parse_fact(told[0]), game.history.book.parse(told[1])
        steps = tuple(LineStep(did, None, None) for did in (first, then))
        return search.root(root, {})._replace(steps=steps)

    one, same = line("see first 1", "1: dice suns arms"), line("see first 2", "2: dice suns arms")
    other = line("see first 2", "2: dice suns moons")
    assert begun_by(guide, [[one], [other]], came) == [[one], [other]]
    either = {1: [[one, same]], 2: [[same, one]], None: [[one], [same]]}
    assert begun_by(guide, [[one], [same]], came) == either[came]
