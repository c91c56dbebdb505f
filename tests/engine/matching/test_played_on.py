"""Players were asked what was drawn, and played on: the game goes on with the doubt in its record."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.book import Fact, Move
from engine.history import History
from engine.kingdomino_duel.kingdom import Kingdom
from engine.matching import Choice, Follower, Happened, Nothing, OutOfStep, Question, Ruled, Verdict
from engine.matching.apart import FAIR, played_on, refused_alike
from engine.matching.guide import guide_for
from engine.matching.retelling import happened
from engine.matching.search import STRANGER, Search
from engine.matching.step_line import Line, LineStep, Origin
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.test_dice_matched import all_taken, lying, one_die_taken
from tests.engine.matching.test_drawn import Chances, ranked
from tests.engine.matching.test_lines import BONEYARD, _tile

FIRST, OTHER = "1: draw d@r3c2 d@r3c3", "1: draw d@r2c3 d@r3c3"
THEN = "2: draw D@r3c5 S@r3c6"
SURE: Chances = {"r3c5": {"D0": 0.99}, "r3c6": {"S0": 0.99}}
HALF: Chances = {
    "r3c3": {"d0": 0.97, ".": 0.01},
    "r3c2": {"d0": 0.49, ".": 0.5},
    "r2c3": {"d0": 0.47, ".": 0.52},
}
"""One square of the drawing is clear, the other is one of two."""
BLANK: Chances = {}


class Asked:
    """A game in which both have to draw, and player 1's drawing is asked about."""

    def __init__(self) -> None:
        history = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d d D S")
        self.history = history.move("1: take 1").move("2: take 3+4")
        self.follower = Follower.of(self.history).at(self.scene(BLANK, BLANK))
        verdict = self.follower.see(self.scene(HALF, BLANK))
        assert isinstance(verdict, Question)
        assert [one.text for one in verdict.choices[:2]] == [FIRST, OTHER]
        self.follower = self.follower.asking(verdict)

    def scene(self, first: Chances, second: Chances) -> Scene:
        """Both maps as they are read; the dice lie with their players until both have drawn.

        A hand was there for each map that has changed.
        """
        dice = lying("d d D S")
        if not second:
            dice = [replace(one, region=f"dice-{1 + k // 2}") for k, one in enumerate(dice)]
        maps = [
            Sighting("sheet", f"sheet-{player}", guesses=(Guess(ranked(Kingdom(), told, 0.999), 1.0),))
            for player, told in ((1, first), (2, second))
        ]
        return Scene((*dice, *maps), visits=1 + bool(second))

    def see(self, first: Chances, second: Chances) -> Verdict:
        """What is made of it."""
        return self.follower.see(self.scene(first, second))

    def enter(self, verdict: Verdict, first: Chances, second: Chances) -> None:
        """What was ruled goes into the record."""
        assert isinstance(verdict, Ruled)
        for one in verdict.happened:
            self.history = self.history.move(one.text, one.alike)
        self.follower = self.follower.after(self.history, self.scene(first, second))


@pytest.fixture
def game() -> Asked:
    """A fresh one."""
    return Asked()


def texts(verdict: Verdict) -> list[tuple[str, tuple[str, ...]]]:
    """What happened, with what else it may have been."""
    assert isinstance(verdict, Ruled), verdict
    return [(one.text, one.alike) for one in verdict.happened]


def test_as_long_as_nobody_plays_on_it_stays_a_question(game: Asked) -> None:
    """The same again asks the same again."""
    assert isinstance(game.see(HALF, BLANK), Question)


def test_who_plays_on_leaves_the_doubt_in_the_record(game: Asked) -> None:
    """The likeliest answer counts, with the others beside it, and what followed is as sure as it is."""
    told = texts(game.see(HALF, SURE))
    assert told[0][0] == FIRST
    assert OTHER in told[0][1]
    assert told[1:] == [(THEN, ())]


def test_what_an_answer_left_in_doubt_stays_so_when_players_play_on(game: Asked) -> None:
    """Say the order of moves that were seen together when players were asked: later looks cannot tell it."""
    beside = "1: draw d@r3c3 d@r3c2"
    offered = Ruled((Happened("move", FIRST, None, alike=(beside,)),), 0.0)
    other = Ruled((Happened("move", OTHER, None),), 0.0)
    game.follower = game.follower.asking(Question("", (Choice("", offered), Choice("", other))))
    told = texts(game.see(HALF, SURE))
    assert told[0] == (FIRST, (OTHER, beside))
    assert told[1:] == [(THEN, ())]


@pytest.mark.parametrize("likely", [0.49, 0.9995])
def test_a_later_look_may_put_the_drawing_right(game: Asked, likely: float) -> None:
    """What is doubtful still says nothing; what is clear now corrects the record."""
    game.enter(game.see(HALF, SURE), HALF, SURE)
    other = {**HALF, "r3c2": {".": likely, "d0": 1 - likely}, "r2c3": {"d0": likely, ".": 1 - likely}}
    verdict = game.see(other, SURE)
    if likely < 0.5:
        assert isinstance(verdict, Nothing)
        return
    assert isinstance(verdict, Ruled)
    assert not verdict.happened
    assert [one.text for one in verdict.revised] == [OTHER]


def test_a_record_may_doubt_a_drawing_that_cannot_be(game: Asked) -> None:
    """It is passed over, and so is a doubt that is no drawing; one that can be is held against the table."""
    alike = ("1: draw d@r1c1 d@r1c2", "1: take 2", "nonsense", OTHER)
    history = game.history.move(FIRST, alike)
    (doubted,) = Follower.of(history).doubted()
    assert [one.text for one in doubted.revised] == [OTHER]


BOOK = History.begin("kingdomino-duel").book
ROLL, MIXED, TAKE, REST = "see roll d d d S", "see roll d d D S", "1: take 1", "2: take 3+4"
DRAW, DRAWN = "1: draw d@r3c2 d@r3c3", "2: draw d@r3c2 S@r3c3"


def did(line: str) -> Move | Fact:
    """A move or a fact."""
    return BOOK.parse_fact(line) if line.startswith("see ") else BOOK.parse(line)


def gone_on(before: Sequence[str], known: Sequence[str], since: Sequence[str]) -> Line:
    """A line of a game in which an answer was known and something has happened since."""
    state = BOOK.observe(BOOK.start(), did("see oldest 1"))
    for line in before:
        what = did(line)
        state = BOOK.apply(state, what) if isinstance(what, Move) else BOOK.observe(state, what)
    guide = guide_for(BOOK)
    search = Search(guide, guide.evidence(state, Scene(()), {}))
    root = search.root(Origin(state, known=len(known)), {})
    line = search.gone_on(root, map(did, (*known, *since)))
    assert line is not None
    return line


TAKEN = (ROLL, TAKE, REST)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ((TAKEN, [DRAW], [DRAWN]), (TAKEN, [OTHER], [DRAWN]), True),
        (([], [ROLL], [TAKE]), ([], ["see roll d d D S"], [TAKE]), True),
        ((TAKEN, [DRAW], []), (TAKEN, [OTHER], []), False),
        ((TAKEN, [DRAW], [DRAWN]), (TAKEN, [], [OTHER, DRAWN]), False),
        ((TAKEN, [DRAW], [DRAWN]), ((ROLL, TAKE), [REST, OTHER], [DRAWN]), False),
        (((ROLL, TAKE), [REST], [DRAW]), ((ROLL, TAKE), ["2: take 2+4"], [DRAW]), True),
        (((MIXED,), [TAKE], ["2: take 2+4"]), ((MIXED,), ["1: take 3"], ["2: take 2+4"]), False),
        ((TAKEN, [DRAW, DRAWN], [ROLL]), (TAKEN, [DRAWN, DRAW], [ROLL]), True),
    ],
)
def test_only_what_no_table_tells_is_left_in_doubt(
    one: tuple[Any, ...], other: tuple[Any, ...], *, told: bool
) -> None:
    """What was read, and the order of what was seen at once; which pieces, the table itself must tell."""
    groups = [[gone_on(*one)], [gone_on(*other)]]
    found = played_on(guide_for(BOOK), groups)
    assert len(found) == (1 if told else 2)
    refused = [[line._replace(refused=True) for line in group] for group in groups]
    assert played_on(guide_for(BOOK), refused) == refused


@pytest.mark.parametrize("refused", [True, False])
def test_what_is_allowed_is_not_left_out_for_an_answer_that_leads_to_a_refusal(*, refused: bool) -> None:
    """Both leave one table; of two ways that are allowed the one that was asked about counts."""
    answer, other = gone_on(TAKEN, [DRAW], [DRAWN]), gone_on(TAKEN, [], [DRAW, DRAWN])
    groups = [[other._replace(origin=Origin(other.origin.state))], [answer._replace(refused=refused)]]
    found = played_on(guide_for(BOOK), groups)
    assert found == (groups if refused else groups[1:])


def test_what_followed_is_asked_about_where_that_is_not_clear_either() -> None:
    """Of the answers to the first question only the likeliest is kept for each."""
    first, then = ([DRAW], [OTHER]), ([DRAWN], ["2: draw S@r3c5 d@r3c6"])
    groups = [[gone_on(TAKEN, known, since)] for known in first for since in then]
    ways = played_on(guide_for(BOOK), groups)
    assert [[line.steps[1].did for line in way] for way in ways] == [[did(line)] * 2 for (line,) in then]


def test_an_answer_after_which_less_must_be_made_up_is_followed_on() -> None:
    """Nobody saw what the other answer needs besides; it stays beside the first, unless it reads better."""
    plain, more = gone_on(TAKEN, [DRAW], [DRAWN]), gone_on(TAKEN, [OTHER], [DRAWN, ROLL])
    for worth, ways in ((-FAIR, 1), (-FAIR / 2, 2), (FAIR, 2)):
        other = more._replace(worth=plain.worth + worth)
        found = played_on(guide_for(BOOK), [[plain], [other]])
        assert len(found) == ways
        told = happened(guide_for(BOOK), found[0])
        assert told[0].alike == ((OTHER,) if ways == 1 else ())


def test_a_legal_answer_that_was_offered_clears_an_illegal_move_that_looks_the_same() -> None:
    """Player 2 was asked about two dice; that player 1 took the last one would leave the same table."""
    follower, scene = one_die_taken(), all_taken(1.0, None)
    accused = Ruled((Happened("move", "2: take 2+4", None),), 0.0)
    asked = follower.asking(Question("", (Choice("", accused),)))
    verdict = asked.see(replace(scene, by=1))
    assert texts(verdict) == [("2: take 2+4", ())]
    assert isinstance(verdict, Ruled)
    assert not verdict.refused
    assert isinstance(follower.see(replace(scene, by=1)), Question)


def test_who_accuses_nobody_and_who_does_are_both_answers_as_long_as_nobody_goes_on() -> None:
    """The same table seen again says no more than it did: which of them it was is asked still."""
    follower, scene = one_die_taken(), replace(all_taken(1.0, None), by=1)
    asked = follower.see(scene)
    assert isinstance(asked, Question)
    again = follower.asking(asked).see(scene)
    assert isinstance(again, Question)
    assert {one.text for one in again.choices} == {one.text for one in asked.choices}
    assert any("illegal" in one.text for one in again.choices)


FAR, FAR_TOO = "1: draw d@r1c1 d@r1c2", "1: draw d@r1c1 D@r1c2"


def refused(*lines: str) -> Line:
    """A line that ends with a move that is not allowed."""
    *before, last = lines
    line = gone_on(TAKEN, (), before)
    return line._replace(steps=(*line.steps, LineStep(did(last), None, None)), refused=True, before=line)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (refused(FAR), refused(FAR_TOO), True),
        (refused(DRAWN, FAR), refused(DRAWN, FAR_TOO), True),
        (refused(FAR), refused(DRAWN, FAR_TOO), False),
        (refused(FAR), refused("2: draw d@r1c1 S@r1c2"), False),
        (refused("1: take 2"), refused("1: take 3"), False),
        (refused(FAR), gone_on(TAKEN, (), [DRAW]), False),
    ],
)
def test_a_drawing_that_is_not_allowed_however_it_reads_is_refused(
    one: Line, other: Line, *, same: bool
) -> None:
    """Which of two coats stands far from the castle need not be known; by whom, and what else, must be."""
    assert len(refused_alike(guide_for(BOOK), [[one], [other]])) == (1 if same else 2)


@pytest.mark.parametrize(("other", "asked"), [([0, 5], False), ([2, 5], True)])
def test_a_tile_that_fits_nowhere_however_it_reads_is_refused(other: list[int], *, asked: bool) -> None:
    """A 0-6 or a 0-5: neither goes to the 2; a 2-5 would, and that must be told apart."""
    hidden = {"tiles": [], "hidden": 11}
    follower = Follower.of(
        History.begin("draw-game", setup={"down": 1, "hands": [hidden, hidden]}).move("1: down 1-2")
    )
    down, laid = _tile([1, 2], 0, 0, 0), _tile([0, 6], 2, 0, 0)
    follower = follower.at(Scene((down, *BONEYARD)))
    read = tuple(Guess({"pips": pips}, 0.49) for pips in ([0, 6], other))
    verdict = follower.see(Scene((down, replace(laid, guesses=read), *BONEYARD), visits=1, by=2))
    if asked:
        assert isinstance(verdict, Question)
    else:
        assert isinstance(verdict, Ruled)
        assert verdict.refused
        assert {verdict.happened[-1].text, *verdict.alike} == {"2: 0-6 by 0 at east", "2: 0-5 by 0 at east"}


def test_a_refused_drawing_is_told_with_what_else_it_may_be(game: Asked) -> None:
    """One ruling, and no question."""
    follower = Follower.of(game.history).at(game.scene(BLANK, BLANK))
    verdict = follower.see(game.scene({"r1c1": {"d0": 0.99}, "r1c2": {"d0": 0.5, "d1": 0.49}}, BLANK))
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    assert {FAR, *verdict.alike} == {FAR, "1: draw d@r1c1 d1@r1c2"}


def test_what_may_have_been_drawn_instead_is_as_farfetched_as_what_came_before_it(game: Asked) -> None:
    """Only player 2 was at the table: that player 1 has drawn before costs the legal drawing as much."""
    far = {"r1c1": {"D0": 0.99}, "r1c2": {"S0": 0.99}}
    clear: Chances = {"r3c2": {"d0": 0.99}, "r3c3": {"d0": 0.99}}
    scene = replace(game.scene(clear, far), by=2)
    guide = guide_for(BOOK)
    search = Search(guide, guide.evidence(game.follower.state, scene, game.follower.places))
    lines = search.lines(search.root(Origin(game.follower.state), game.follower.places))
    (accused,) = (
        line for line in lines if line.refused and [step.did for step in line.steps[:-1]] == [did(FIRST)]
    )
    instead = search.instead(accused)
    assert {line.steps[0].did for line in instead} == {did(FIRST)}
    assert max(line.prior for line in instead) <= STRANGER


def test_who_came_first_no_later_look_can_tell_so_the_game_goes_on() -> None:
    """Two tiles were laid while nobody could see whose hand was where: the next move leaves that open."""
    hidden = {"tiles": [], "hidden": 11}
    history = History.begin("draw-game", setup={"down": 1, "hands": [hidden, hidden]})
    history = history.move("1: down 2-6").move("2: 4-6 by 6 at east")
    row = (([2, 6], 0), ([4, 6], 2), ([0, 4], 4), ([1, 2], -2), ([1, 5], -4))
    line = [_tile(pips, x, 0, 180 if x in (2, 4, -4) else 0) for pips, x in row]
    follower = Follower.of(history).at(Scene((*line[:2], *BONEYARD)))
    asked = follower.see(Scene((*line[:4], *BONEYARD), visits=2))
    assert isinstance(asked, Question)
    first, then, last = texts(follower.asking(asked).see(Scene((*line, *BONEYARD), visits=3)))
    assert first == ("1: 0-4 by 4 at east", ("1: 1-2 by 2 at west",))
    assert then == ("2: 1-2 by 2 at west", ("2: 0-4 by 4 at east",))
    assert last == ("1: 1-5 by 1 at west", ())


def test_who_made_which_move_before_a_refused_one_is_asked() -> None:
    """Two tiles were laid, and a third that does not match: whose the first two are nobody can say."""
    hidden = {"tiles": [], "hidden": 11}
    history = History.begin("draw-game", setup={"down": 1, "hands": [hidden, hidden]})
    history = history.move("1: down 2-6").move("2: 4-6 by 6 at east")
    row = (([2, 6], 0), ([4, 6], 2), ([0, 4], 4), ([1, 2], -2), ([3, 5], -4))
    line = [_tile(pips, x, 0, 180 if x in (2, 4, -4) else 0) for pips, x in row]
    follower = Follower.of(history).at(Scene((*line[:2], *BONEYARD)))
    asked = follower.see(Scene((*line, *BONEYARD), visits=3))
    assert isinstance(asked, Question)
    firsts = {choice.text.split(", then ")[0] for choice in asked.choices}
    assert firsts == {"1: 0-4 by 4 at east", "1: 1-2 by 2 at west"}
    assert all("illegal" in choice.text for choice in asked.choices)


def test_what_players_were_asked_about_is_not_laid_after_what_came_since() -> None:
    """It may stand, though nobody said so: no other move is made of it, by whoever would be to move then."""
    hidden = {"tiles": [], "hidden": 11}
    history = History.begin("draw-game", setup={"down": 1, "hands": [hidden, hidden]}).move("1: down 2-6")
    down, wrong, after = (_tile(pips, x, 0, 0) for pips, x in (([2, 6], 0), ([0, 5], 2), ([1, 2], -2)))
    follower = Follower.of(history).at(Scene((down, *BONEYARD)))
    first, both = Scene((down, wrong, *BONEYARD), visits=1), Scene((down, wrong, after, *BONEYARD), visits=2)
    accused = follower.see(first)
    assert isinstance(accused, Ruled)
    assert accused.refused
    asked = follower.asking(Question("", (Choice("", accused), Choice("", replace(accused, margin=1.0)))))
    told = follower.see(both)
    assert isinstance(told, Ruled)
    assert told.refused
    assert isinstance(asked.see(both), OutOfStep)
    assert texts(asked.see(first)) == texts(accused)
    assert not asked.at(first).accused
