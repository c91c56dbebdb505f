"""What cannot be told is written down with its doubt, what follows settles it, and few are asked."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from engine import Layout, State, rulebook
from engine.dominoids.model import MoveDominoid, TakeDice
from engine.history import History
from engine.matching import Choice, Follower, Happened, Nothing, Question, Revision, Ruled, Verdict
from engine.matching.guide import guide_for
from engine.record import Happening, read, write
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.doubtful_table import Table

THROWN = "see roll suns=ace moons=4"
ELSE = "see roll suns=3 moons=4"
DOUBT = {"ace": 0.93, "3": 0.07}
EVEN = {"ace": 0.6, "3": 0.4}
TAKEN = "2: dice suns arms"
SHIFT = "2: arms shift row 4 left"
MOVED = "2: suns move 4@d4-1@d5"
"""With the Suns die, if it shows 3; an ace only shifts."""


class Thrown:
    """A game of Dominoids in which the Suns and the Moons die are about to be thrown."""

    def __init__(self) -> None:
        self.history = History.begin("dominoids", seed=3)
        for line in ("1: dice suns moons", "1: moons move 4@d3-1@d4", "1: suns move 2@b6-3@c6", "1: done"):
            self.history = self.history.move(line)
        self.before = self.history.state
        self.table = Table(3)
        self.follower = Follower.of(self.history).at(self.table.scene(self._layout(self.before)))

    def _layout(self, state: State) -> Layout:
        return self.history.book.layout(state)

    def scene(self, shows: Mapping[str, float], *lines: str) -> Scene:
        """The table after these lines; what the Suns die shows is read so."""
        book, state, visits = self.history.book, self.before, 0
        for line in lines:
            visits += line not in [one.happened.text for one in self.history.steps] + ["2: none", "2: done"]
            fact = line.startswith("see ")
            state = book.observe(state, book.parse_fact(line)) if fact else book.play(state, book.parse(line))
        scene = self.table.scene(self._layout(state), visits=visits)
        return replace(scene, sightings=tuple(_read(one, shows) for one in scene.sightings))

    def see(self, shows: Mapping[str, float], *lines: str) -> Verdict:
        """What is made of it."""
        return self.follower.see(self.scene(shows, *lines))

    def enter(self, shows: Mapping[str, float], *lines: str) -> Ruled:
        """What is made of it is a ruling, and goes into the record."""
        scene = self.scene(shows, *lines)
        ruled = self.follower.see(scene)
        assert isinstance(ruled, Ruled), ruled
        for step in ruled.revised:
            place = self.history.steps[-step.steps].place
            self.history = self.history.correct(place, Happening("fact", step.text, step.alike))
        for one in ruled.happened:
            add = self.history.fact if one.kind == "fact" else self.history.move
            self.history = add(one.text, one.alike)
        self.follower = self.follower.after(self.history, scene)
        return ruled


def _read(one: Sighting, shows: Mapping[str, float] | None) -> Sighting:
    value = one.value or {}
    if shows is None or one.kind != "die" or value.get("suit") != "suns":
        return one
    guesses = tuple(Guess({**value, "face": face}, share) for face, share in shows.items())
    return replace(one, guesses=guesses)


@pytest.fixture
def game() -> Thrown:
    """A fresh one."""
    return Thrown()


def test_what_was_read_in_doubt_is_written_down_with_its_doubt(game: Thrown) -> None:
    """Any two dice can be taken next: nothing hangs on what one shows, so nobody is asked."""
    for shows in (DOUBT, {"ace": 0.5, "3": 0.5}):
        verdict = game.see(shows, THROWN)
        assert isinstance(verdict, Ruled)
        assert {verdict.happened[0].text, *verdict.alike} == {THROWN, ELSE}
        assert verdict.doubted
    game.enter(DOUBT, THROWN)
    again = History.of(read(write(game.history.header, game.history.entries)))
    assert again.steps[-1].happened == Happening("fact", THROWN, (ELSE,))


def test_what_follows_is_told_though_the_doubt_stays(game: Thrown) -> None:
    """The move is the same whatever the die shows."""
    game.enter(DOUBT, THROWN)
    for line in ("2: dice crowns arms", "2: dice suns arms"):
        verdict = game.see(DOUBT, THROWN, line)
        assert isinstance(verdict, Ruled)
        assert [one.text for one in verdict.happened] == [line]
        assert not verdict.doubted


def test_what_is_anybodys_guess_is_asked_once_something_hangs_on_it(game: Thrown) -> None:
    """The die was taken, and what may be done with it is another thing for each of its faces."""
    game.enter(DOUBT, THROWN)
    verdict = game.see({"ace": 0.6, "3": 0.4}, THROWN, TAKEN)
    assert isinstance(verdict, Question)
    assert [one.text for one in verdict.choices] == [TAKEN, f"it was {ELSE}; {TAKEN}"]


def test_a_move_that_only_the_doubt_allows_is_asked_about_and_settled_by_what_follows(game: Thrown) -> None:
    """Nobody is accused on a doubtful reading; and a player who plays on has answered the question."""
    game.enter(DOUBT, THROWN)
    game.enter(DOUBT, THROWN, TAKEN)
    verdict = game.see(DOUBT, ELSE, TAKEN, MOVED)
    assert isinstance(verdict, Question)
    assert {MOVED in one.text and "illegal" in one.text for one in verdict.choices} == {True, False}
    played = (MOVED, "2: none", "2: arms shift row 4 left", "2: done", "see roll suns=5 arms=5")
    ruled = game.enter({"5": 0.99}, ELSE, TAKEN, *played)
    assert [one.text for one in ruled.revised] == [ELSE]
    assert ruled.ruling is not None
    assert ruled.ruling.allowed
    assert ELSE in [step.happened.text for step in game.history.steps]


def test_nobody_is_accused_for_a_die_that_was_in_doubt_however_clear_it_looks_now(game: Thrown) -> None:
    """A faint number may be overlooked again and again: who moves by it is asked, not refused."""
    game.enter(DOUBT, THROWN)
    game.enter(DOUBT, THROWN, TAKEN)
    clear = {"ace": 0.99999, "3": 0.00001}
    verdict = game.see(clear, ELSE, TAKEN, MOVED)
    assert isinstance(verdict, Question)
    assert {MOVED in one.text and "illegal" in one.text for one in verdict.choices} == {True, False}
    sure = Thrown()
    sure.enter({"ace": 1.0}, THROWN)
    sure.enter({"ace": 1.0}, THROWN, TAKEN)
    refused = sure.see({"ace": 1.0}, ELSE, TAKEN, MOVED)
    assert isinstance(refused, Ruled)
    assert refused.refused


REFUSED = "2: moons move 4@d4-1@d5"
"""With a die that player 2 has not taken, whatever the Suns die shows."""


def test_a_refused_move_in_between_hides_no_doubt(game: Thrown) -> None:
    """It was put back and changed nothing: what was in doubt before it is still settled by what follows."""
    game.enter(DOUBT, THROWN)
    game.enter(DOUBT, THROWN, TAKEN)
    game.history = game.history.move(REFUSED)
    game.follower = game.follower.after(game.history, game.scene(DOUBT, THROWN, TAKEN))
    played = (MOVED, "2: none", "2: arms shift row 4 left", "2: done", "see roll suns=5 arms=5")
    ruled = game.enter({"5": 0.99}, ELSE, TAKEN, *played)
    assert [one.text for one in ruled.revised] == [ELSE]
    assert [one.text for one in ruled.happened] == [*played]
    refused = next(step for step in game.history.steps if step.happened.text == REFUSED)
    assert refused.ruling is not None
    assert not refused.ruling.allowed


def test_a_move_that_was_refused_for_what_was_in_doubt_settles_it(game: Thrown) -> None:
    """Had the die shown the other face the move would have counted; it does not, and was put back."""
    refused = game.history.fact(THROWN, (ELSE,)).move(TAKEN).move(MOVED)
    assert [*Follower.of(refused).doubted()] == []
    stands = refused.stand("so be it")
    assert [*Follower.of(stands).doubted()] == []


def test_a_better_reading_puts_the_record_right(game: Thrown) -> None:
    """Nothing has happened but that the die is seen clearly now; a reading that only leans says nothing."""
    game.enter(DOUBT, THROWN)
    assert isinstance(game.see({"3": 0.6, "ace": 0.4}, THROWN), Nothing)
    ruled = game.enter({"3": 0.995}, THROWN)
    assert not ruled.happened
    assert ruled.state is None
    assert ruled.ruling is None
    assert ruled.sentence == f"it was {ELSE}"
    assert game.history.steps[-1].happened.text == ELSE
    assert isinstance(game.see({"3": 0.995}, THROWN), Nothing)


def test_a_reading_that_put_the_record_wrong_is_put_right_by_a_better_one(game: Thrown) -> None:
    """The doubt goes on with the correction: what the record had is what it may have been."""
    game.enter(DOUBT, THROWN)
    game.enter({"3": 0.995}, THROWN)
    assert game.history.steps[-1].happened == Happening("fact", ELSE, (THROWN,))
    ruled = game.enter({"ace": 0.9999}, THROWN)
    assert [one.text for one in ruled.revised] == [THROWN]
    assert game.history.steps[-1].happened == Happening("fact", THROWN, (ELSE,))


def test_a_misreading_that_was_never_in_doubt_is_no_revision(game: Thrown) -> None:
    """The record is not changed by a die that suddenly looks otherwise, as far as no one had a doubt."""
    game.enter({"ace": 0.999}, THROWN)
    assert isinstance(game.see({"3": 0.995}, THROWN), Nothing)


def test_a_record_may_doubt_what_cannot_be(game: Thrown) -> None:
    """A doubt that is no fact, or none that can be, is passed over."""
    history = game.history.fact(THROWN, ("see nonsense", "see roll suns=3", ELSE))
    assert [one.revised[0].text for one in Follower.of(history).doubted()] == [ELSE]
    moved = history.move(TAKEN, ("2: dice crowns arms",))
    assert [one.revised[0].text for one in Follower.of(moved).doubted()] == [ELSE]


def test_who_took_which_of_two_dice_is_told_as_such() -> None:
    """No picture shows whose blank die was taken: the other one is named beside it, as plain data too."""
    game = Thrown()
    ruled = game.enter({"null": 1.0}, "see roll suns=null moons=null", "2: dice suns arms")
    assert ruled.happened[-1].alike == ("2: dice moons arms",)
    assert ruled.happened[-1].to_json()["alike"] == ["2: dice moons arms"]
    assert game.history.steps[-1].happened.alike == ("2: dice moons arms",)


def test_a_question_stays_open_beside_what_is_seen_next(game: Thrown) -> None:
    """Each answer is followed on, in the order in which things were seen, until one of them is clear."""
    leans = {"ace": 0.6, "3": 0.4}
    game.enter(leans, THROWN)
    before = game.follower
    for lines in ((TAKEN,), (TAKEN, MOVED), (TAKEN, MOVED, "2: none", SHIFT)):
        asked = game.see(leans, ELSE, *lines)
        assert isinstance(asked, Question)
        game.follower = game.follower.asking(asked)
        assert game.follower.open
    played = (TAKEN, MOVED, "2: none", SHIFT, "2: done", "see roll suns=5 arms=5")
    ruled = game.enter({"5": 0.99}, ELSE, *played)
    assert [one.text for one in ruled.happened] == [*played]
    assert [one.text for one in ruled.revised] == [ELSE]
    assert not game.follower.open
    assert not before.asking(Question("", (Choice("nothing", Nothing()),))).open


def test_a_piece_that_looks_otherwise_where_nobody_was_is_misread(game: Thrown) -> None:
    """No roll is made of it, nor a take-back; where a hand was, it may have been done."""
    game.enter({"ace": 0.99}, THROWN)
    game.enter({"ace": 0.99}, THROWN, TAKEN)
    scene = game.scene({"null": 1.0}, THROWN, TAKEN)
    assert isinstance(game.follower.see(replace(scene, visits=0)), Nothing)


def test_who_began_is_told_by_the_hand_that_is_seen_next() -> None:
    """Nobody's hand was seen when the first dice were taken: that is asked, and the next move answers it."""
    book, table = rulebook("dominoids"), Table(3)
    state = book.start(rng=Random(3))
    blank = Follower.of(History.begin("dominoids"))
    moves = [next(move for move in book.legal_moves(state) if isinstance(move, TakeDice))]
    asked = blank.see(table.scene(book.layout(book.apply(state, moves[0])), visits=1))
    assert isinstance(asked, Question)
    assert {one.text.split("see first ")[1][0] for one in asked.choices} == {"1", "2"}
    state = book.apply(state, moves[0])
    moves.append(next(move for move in book.legal_moves(state) if isinstance(move, MoveDominoid)))
    scene = table.scene(book.layout(book.apply(state, moves[1])), visits=2, by=moves[0].player)
    ruled = blank.asking(asked).see(scene)
    assert isinstance(ruled, Ruled)
    assert f"see first {moves[0].player}" in [one.text for one in ruled.happened]
    told = [{one.text, *one.alike} for one in ruled.happened if one.kind == "move"]
    assert all(book.format(move) in texts for move, texts in zip(moves, told, strict=False))


def test_an_answer_that_cannot_be_is_not_followed_on(game: Thrown) -> None:
    """One that was given for another game, or for a record that is another since."""
    game.enter({"ace": 0.99}, THROWN)
    scene = game.scene({"ace": 0.99}, THROWN, TAKEN)
    plain = game.follower.see(scene)
    for happened, revised in (
        ((Happened("move", "1: dice suns moons", None),), ()),
        ((Happened("fact", "see first 2", None),), ()),
        ((Happened("move", TAKEN, None),), (Revision(1, ELSE),)),
    ):
        foreign = Question("", (Choice("", Ruled(happened, 0.0, revised=revised)),))
        assert game.follower.asking(foreign).see(scene) == plain


def test_the_same_in_another_order_is_not_asked_about(game: Thrown) -> None:
    """Of two moves the first was seen, and asked about for another reason: it stays the first."""
    shows = {"3": 0.99}
    game.enter(shows, ELSE)
    game.enter(shows, ELSE, TAKEN)
    seen = game.see(shows, ELSE, TAKEN, MOVED)
    assert isinstance(seen, Ruled)
    game.follower = game.follower.asking(Question("", (Choice("", seen),)))
    ruled = game.see(shows, ELSE, TAKEN, MOVED, "2: none", SHIFT)
    assert isinstance(ruled, Ruled)
    assert [one.text for one in ruled.happened if one.text in (MOVED, SHIFT)] == [MOVED, SHIFT]
    assert not any(SHIFT in one.alike for one in ruled.happened)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1: moons move 1@c2-3@c3", "1: suns move 1@c2-3@c3", True),
        ("1: suns pass", "1: moons pass", True),
        ("1: suns shift row 1 left", "1: moons shift row 1 left", True),
        ("1: suns move 1@c2-3@c3", "2: suns move 1@c2-3@c3", False),
        ("1: suns move 1@c2-3@c3", "1: suns move 1@c2-3@d2", False),
        ("1: dice suns arms", "1: dice moons arms", False),
    ],
)
def test_with_which_die_a_move_was_made_hangs_on_what_the_dice_are_read_to_show(
    one: str, other: str, *, same: bool
) -> None:
    """Nobody is asked about that alone, as long as nothing hangs on it."""
    book = rulebook("dominoids")
    first, second = (guide_for(book).gist(book.parse(line)) for line in (one, other))
    assert (first == second) is same


def answered(game: Thrown, *chosen: str) -> Question:
    """The die was taken, its face was asked about, and people chose the answer that makes the record so."""
    game.enter(DOUBT, THROWN)
    scene = game.scene(EVEN, THROWN, TAKEN)
    asked = game.follower.see(scene)
    assert isinstance(asked, Question)
    game.follower = game.follower.asking(asked, scene)
    (answer,) = [one.outcome for one in asked.choices if one.text == "; ".join(chosen)]
    assert isinstance(answer, Ruled)
    for step in answer.revised:
        place = game.history.steps[-step.steps].place
        game.history = game.history.correct(place, Happening("fact", step.text, step.alike))
    for one in answer.happened:
        game.history = game.history.move(one.text, one.alike)
    game.follower = game.follower.after(game.history, None, scene).agreed(scene)
    return asked


@pytest.mark.parametrize("faces", [EVEN, {"ace": 0.4, "3": 0.6}])
def test_what_people_have_answered_is_not_asked_again(game: Thrown, faces: Mapping[str, float]) -> None:
    """They said what the die shows: the move that follows is told, however doubtful the die still looks."""
    answered(game, TAKEN)
    ruled = game.see(faces, THROWN, TAKEN, SHIFT)
    assert isinstance(ruled, Ruled)
    assert [one.text for one in ruled.happened] == [SHIFT]
    assert not ruled.revised


def test_an_answer_that_corrects_what_was_read_settles_it_too(game: Thrown) -> None:
    """It was a 3, they said: nobody asks again whether it is the ace that was written down first."""
    answered(game, f"it was {ELSE}", TAKEN)
    assert ELSE in [step.happened.text for step in game.history.steps]
    ruled = game.see(EVEN, ELSE, TAKEN, MOVED)
    assert isinstance(ruled, Ruled)
    assert [one.text for one in ruled.happened][:1] == [MOVED]
    assert not ruled.revised


def test_who_takes_an_answer_back_is_asked_anew(game: Thrown) -> None:
    """It may have been a slip of the finger: the roll is in doubt again, as it was before the answer."""
    asked = answered(game, TAKEN)
    game.history = game.history.undo()
    game.follower = game.follower.after(game.history, None)
    again = game.see(EVEN, THROWN, TAKEN)
    assert isinstance(again, Question)
    assert {one.text for one in again.choices} == {one.text for one in asked.choices}


def test_an_answer_outlives_what_is_taken_back_after_it(game: Thrown) -> None:
    """A later move is undone: what the die shows was said before, and stays said."""
    answered(game, TAKEN)
    game.follower = game.follower.after(game.history.move(SHIFT), None)
    game.follower = game.follower.after(game.history, None)
    ruled = game.see(EVEN, THROWN, TAKEN, SHIFT)
    assert isinstance(ruled, Ruled)
    assert [one.text for one in ruled.happened] == [SHIFT]


def shows(follower: Follower, die: str = "die suns") -> str:
    """How the record knows what a die shows."""
    shown = follower.shown()
    if die not in shown.entries:
        return "in doubt"
    return "told" if shown.entries[die] in shown.told else "read"


def test_what_the_last_facts_showed_is_known_with_who_told_it(game: Thrown) -> None:
    """A die that was read in doubt is left out until people have said what it shows."""
    game.enter({"ace": 1.0}, THROWN)
    assert shows(game.follower) == shows(game.follower, "die moons") == "read"
    doubted = Thrown()
    doubted.enter(DOUBT, THROWN)
    assert (shows(doubted.follower), shows(doubted.follower, "die moons")) == ("in doubt", "read")
    answered(game := Thrown(), TAKEN)
    assert shows(game.follower) == "told"


def test_a_refused_move_leaves_a_roll_in_doubt(game: Thrown) -> None:
    """It would be allowed if the die showed the other face: that is why the doubt matters."""
    game.enter(DOUBT, THROWN)
    game.enter(DOUBT, THROWN, TAKEN)
    game.history = game.history.move(MOVED)
    for history in (game.history, game.history.stand()):
        assert shows(game.follower.after(history, None)) == "in doubt"


def typed(game: Thrown) -> Follower:
    """People typed the roll, which was an ace to the eye."""
    scene = game.scene({"ace": 1.0}, ELSE)
    game.history = game.history.fact(ELSE)
    return game.follower.after(game.history, None, scene)


def test_what_people_typed_is_told_as_long_as_it_counts(game: Thrown) -> None:
    """Undone it is nothing, done again it is their word as before."""
    told = typed(game)
    assert shows(told) == "told"
    undone = told.after(game.history.undo(), None, game.scene({"ace": 1.0}))
    assert shows(undone) == "in doubt"
    redone = game.history.undo().redo()
    again = undone.after(redone, None, game.scene({"ace": 1.0}, ELSE))
    assert shows(again) == "read"  # it is not known any more who told it: careful
    removed = game.history.correct(game.history.steps[0].place, None)
    assert shows(told.after(removed, None, game.scene({"ace": 1.0}, ELSE))) in ("told", "in doubt")


def test_a_roll_in_doubt_that_is_undone_and_done_again_is_in_doubt(game: Thrown) -> None:
    """It was read, whoever brought it back: nobody has said what it was."""
    game.enter(DOUBT, THROWN)
    scene = game.scene(DOUBT, THROWN)
    undone = game.follower.after(game.history.undo(), None, scene)
    again = undone.after(game.history.undo().redo(), None, scene)
    assert shows(again) == "in doubt"
    assert again.doubts[-1] == (ELSE,)


@pytest.mark.parametrize("line", ["1: done", "2: none"])
def test_what_is_inserted_says_nothing_of_the_roll(game: Thrown, line: str) -> None:
    """A line before it moves the roll to another place of the record."""
    game.enter(DOUBT, THROWN)
    more = game.history.insert(1, Happening("move", line))
    after = game.follower.after(more, None, game.scene(DOUBT, THROWN))
    assert shows(after) == "in doubt"


def test_a_correction_is_people_s_word(game: Thrown) -> None:
    """Read for sure as an ace, and corrected: it is a 3, as they say."""
    game.enter({"ace": 1.0}, THROWN)
    corrected = game.history.correct(game.history.steps[-1].place, Happening("fact", ELSE))
    after = game.follower.after(corrected, None, game.scene({"ace": 1.0}, THROWN))
    assert shows(after) == "told"


def test_an_answer_about_one_die_leaves_the_other_in_doubt(game: Thrown) -> None:
    """The roll was in doubt about both, and only one of them was asked about."""
    other = "see roll suns=ace moons=5"
    game.history = game.history.fact(THROWN, (ELSE, other))
    game.follower = game.follower.after(game.history, game.scene(EVEN, THROWN))
    scene = game.scene(EVEN, THROWN, TAKEN)
    asked = game.follower.see(scene)
    assert isinstance(asked, Question)
    offered = [one for one in asked.choices if other not in one.text]
    game.follower = game.follower.asking(replace(asked, choices=tuple(offered)), scene)
    game.history = game.history.move(TAKEN)
    after = game.follower.after(game.history, None, scene)
    assert after.doubts[-2] == (other,)
    assert shows(after, "die moons") == "in doubt"
    assert shows(after) == "read"
