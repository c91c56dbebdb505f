"""An answer that nobody gave names one of two equal dice; what followed may only go with the other."""

import pytest

from engine.book import Move, State
from engine.history import History
from engine.matching import Choice, Follower, Happened, Question, Ruled, Verdict
from engine.matching.guide import guide_for
from engine.matching.one_look import OneLook
from engine.matching.since_asked import SinceAsked
from engine.matching.step_line import text_of
from engine.plain import Json
from tests.engine.matching.doubtful_table import Table

BLANK = {"suns": "null", "moons": "2", "crowns": "null", "arms": "null"}
OFFERED = "1: dice suns moons"
MADE = ["1: dice moons arms", "1: moons move 4@d3-1@d4", "1: arms pass", "1: done"]
ROLLED = "see roll moons=3 arms=4"


class Asked:
    """A game of Dominoids with three blank dice, in which it is asked which two were taken."""

    def __init__(self) -> None:
        setup: dict[str, Json] = {**History.begin("dominoids", seed=3).state.to_json(), "dice": {**BLANK}}
        self.history = History.begin("dominoids", setup=setup)
        self.book, self.table = self.history.book, Table(3)
        first = Follower.of(self.history).at(self.table.scene(self.book.layout(self.history.state)))
        self.offered = self.ruled(OFFERED)
        self.follower = first.asking(Question("What was it?", (Choice("", self.offered),)))

    def ruled(self, *lines: str) -> Ruled:
        """An answer: these moves."""
        told, state = [], self.history.state
        for line in lines:
            move = self.book.parse(line)
            ruling, state = self.book.judge(state, move), self.book.play(state, move)
            told.append(Happened("move", line, state, ruling))
        return Ruled(tuple(told), 0.0)

    def after(self, *lines: str) -> State:
        """The state after these lines."""
        state = self.history.state
        for line in lines:
            if line.startswith("see "):
                state = self.book.observe(state, self.book.parse_fact(line))
            else:
                state = self.book.play(state, self.book.parse(line))
        return state

    def see(self, *lines: str) -> Verdict:
        """What is made of the table after these lines."""
        scene = self.table.scene(self.book.layout(self.after(*lines)), visits=2)
        return self.follower.see(scene)

    def twins(self, *lines: str) -> list[list[str]]:
        """The answers that look the same as this one."""
        book = self.book
        look = OneLook(self.follower, self.table.scene(book.layout(self.history.state)))
        steps = [book.parse_fact(line) if line.startswith("see ") else book.parse(line) for line in lines]
        found = SinceAsked(look)._twins(self.history.state, steps)
        return [
            [book.format(did) if isinstance(did, Move) else book.format_fact(did) for did in way]
            for way in found
        ]


@pytest.fixture
def game() -> Asked:
    """A fresh one."""
    return Asked()


def test_what_followed_tells_which_of_equal_dice_was_taken(game: Asked) -> None:
    """Only the dice that were used are rolled again: the offered ones were not both.

    It is the answer that is gone on from, so that it counts as what players were asked about.
    """
    scene = game.table.scene(game.book.layout(game.after(*MADE, ROLLED)), visits=2)
    (line, *_) = SinceAsked(OneLook(game.follower, scene)).offered()
    assert line.origin.known == 1
    told = [step.did for step in line.steps]
    texts = [game.book.format(did) if isinstance(did, Move) else game.book.format_fact(did) for did in told]
    assert sorted(texts) == sorted([*MADE, ROLLED])
    verdict = game.see(*MADE, ROLLED)
    assert isinstance(verdict, Ruled), verdict
    assert sorted(one.text for one in verdict.happened) == sorted(texts)


def test_the_answer_itself_goes_first_where_it_explains_the_table(game: Asked) -> None:
    """Which of the blank dice it was stays open; the record names the one that was offered."""
    verdict = game.see(OFFERED, MADE[1])
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == OFFERED
    assert "1: dice moons arms" in verdict.happened[0].alike


def test_twins_are_told_with_what_must_have_followed_then(game: Asked) -> None:
    """What was done with one die was done with the other; what cannot have been so is no answer."""
    again = "1: dice moons arms", "1: dice moons crowns"
    assert sorted(game.twins(OFFERED)) == sorted([one] for one in again)
    assert [way[1] for way in game.twins(OFFERED, MADE[1])] == [MADE[1]] * 2
    with_blank = game.twins(OFFERED, MADE[1], "1: suns pass", "1: done", "see roll suns=3 moons=4")
    assert with_blank == []
    assert game.twins(OFFERED, "1: suns pass") == []
    assert game.twins("1: suns pass") == []
    assert game.twins(OFFERED, "see roll suns=3 moons=4") == []
    assert game.twins(OFFERED, "1: moons move 4@d3-3@d4") == []


def test_which_blank_dice_were_taken_stays_open_while_they_are_rolled_blank_again(game: Asked) -> None:
    """What is taken of them next is told by every name it may have; a die that shows its suit has one."""
    history = game.history
    for line in (*MADE, "see roll moons=3 arms=null"):
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    follower = Follower.of(history).at(game.table.scene(game.book.layout(history.state)))
    chosen = "2: dice suns arms"
    after = game.book.play(history.state, game.book.parse(chosen))
    verdict = follower.see(game.table.scene(game.book.layout(after), visits=1))
    assert isinstance(verdict, Ruled), verdict
    one = verdict.happened[0]
    pairs = {"2: dice suns arms", "2: dice crowns arms", "2: dice suns crowns"}
    assert {one.text, *one.alike} == pairs


def test_blank_dice_that_lie_where_they_lay_keep_their_names(game: Asked) -> None:
    """Only those that lie elsewhere are called by one another's names, and only in moves with dice."""
    guide, then = guide_for(game.book), game.after(*MADE, "see roll moons=3 arms=null")
    now = game.after("1: dice suns moons", MADE[1], "1: suns pass", "1: done", "see roll suns=null moons=3")

    def renamed(line: str) -> str:
        return text_of(game.book, next(iter(guide.again(then, now, game.book.parse(line)))))

    assert renamed("2: dice moons arms") == "2: dice suns moons"
    assert renamed("2: dice suns crowns") == "2: dice crowns arms"
    assert renamed("2: arms pass") == "2: suns pass"
    assert renamed("2: moons pass") == "2: moons pass"
    assert renamed("2: done") == "2: done"
    assert next(iter(guide.again(now, now, game.book.parse("2: arms pass")))) == game.book.parse(
        "2: arms pass"
    )


BEGUN = ("1: dice suns moons", "1: moons move 4@d3-1@d4", "1: suns move 2@b6-3@c6", "1: done")


def thrown(*lines: str) -> History:
    """A game in which both dice that were thrown were blank, and what was done then."""
    history = History.begin("dominoids", seed=3)
    for line in BEGUN:
        history = history.move(line)
    history = history.fact("see roll suns=null moons=null")
    for line in lines:
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    return history


@pytest.mark.parametrize("pair", ["moons crowns", "crowns arms"])
def test_a_roll_shows_which_of_two_blank_dice_was_taken_though_more_was_done(pair: str) -> None:
    """Dice were taken for the next turn before anybody looked: the record was wrong, and not the dice."""
    shift = "2: arms shift row 4 left"
    record = thrown("2: dice suns arms", "2: suns pass", shift, "2: done")
    truth = thrown("2: dice moons arms", "2: moons pass", shift, "2: done", "see roll moons=4 arms=2")
    table, book = Table(3), record.book
    known = Follower.of(record).at(table.scene(book.layout(record.state)))
    verdict = known.see(table.scene(book.layout(truth.move(f"1: dice {pair}").state), visits=2))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["see roll moons=4 arms=2", f"1: dice {pair}"]
    assert [one.text for one in verdict.revised] == ["2: dice moons arms", "2: moons pass"]
    assert not verdict.doubts
