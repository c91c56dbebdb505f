"""What the eye had in mind when a match was stopped is in its journal: a question's answers, and stains."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.game import game_in
from device.journal.store import Journal
from device.match.match import Manners, Match
from device.match.phase import Phase
from device.match.remembered import Remembered, remembered
from device.match.resuming import resumed
from device.match.signals import Kind, Scored, SetUp
from engine.matching import Choice, Nothing, Question, Revision, Ruled, TakeBack
from engine.scene import Guess, Sighting
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, Bench, asked, game, ruled

STAIN = Sighting(
    "coin", "board", 3.0, 4.0, guesses=(Guess({"suit": "suns", "value": None}, 0.4),), presence=0.3
)
ELSE = "see roll D1 d D s"


def left(bench: Bench, path: Path) -> Remembered:
    """What is remembered after the power went and came again."""
    with Journal(path / "a.match") as journal:
        journal.append(bench.written)
        known = game_in(journal.events)
        assert known == bench.match.game
        assert known is not None
        return remembered(known, journal.events)


def in_question(question: Question | None) -> list[object]:
    """What of a question the eye goes on from."""
    assert question is not None
    told: list[object] = []
    for choice in question.choices:
        outcome = choice.outcome
        if isinstance(outcome, Ruled):
            happened = [(one.kind, one.text, one.state, one.alike) for one in outcome.happened]
            told.append((happened, outcome.margin, outcome.revised, outcome.refused))
        else:
            told.append((type(outcome), outcome.state if isinstance(outcome, TakeBack) else None))
    return told


def open_question(bench: Bench) -> Question:
    """A legal move, a refused one, one after a correction, a taking back, or nothing."""
    first = game(FACTS[0], ELSE)
    legal = replace(ruled(bench.game, LEGAL[1]), margin=-1.5)
    legal = replace(legal, happened=(replace(legal.happened[0], alike=("2: take 2+4",)),))
    corrected = replace(
        ruled(first, LEGAL[0]), margin=-2.0, revised=(Revision(2, ELSE, (FACTS[1],)),), happened=()
    )
    back = TakeBack(1, game(*FACTS).state, "The last move was taken back.")
    refused = ruled(bench.game, ILLEGAL)
    outcomes = (legal, refused, corrected, back, Nothing())
    return Question("What was it?", tuple(Choice(f"way {k}", one) for k, one in enumerate(outcomes)))


def test_the_answers_to_an_open_question_are_followed_on_after_a_restart(tmp_path: Path) -> None:
    """With all that tells them apart: the steps, what must be corrected first, and how likely each was."""
    bench = Bench(*FACTS, LEGAL[0])
    question = open_question(bench)
    bench.see(question)
    assert bench.phase is Phase.ASKING
    found = left(bench, tmp_path)
    assert in_question(found.question) == in_question(question)


@pytest.mark.parametrize("then", ["break", "sheets"])
def test_a_question_outlasts_what_does_not_answer_it(tmp_path: Path, then: str) -> None:
    """A break, or sheets that were scored."""
    bench = Bench(*FACTS)
    question = asked(bench.game, LEGAL[0], LEGAL[2])
    bench.see(question)
    if then == "break":
        bench.tell(Kind.PAUSE).tell(Kind.PAUSE)
    else:
        bench.give(Scored("Sheets", {"scores": [1, 2]}))
    assert in_question(left(bench, tmp_path).question) == in_question(question)


@pytest.mark.parametrize("then", ["answered", "denied", "settled", "followed", "typed"])
def test_a_question_that_is_of_no_matter_any_more_is_forgotten(tmp_path: Path, then: str) -> None:
    """Once it is answered, by people or by the table, or they said that it was none of these."""
    bench = Bench(*FACTS)
    bench.see(asked(bench.game, LEGAL[0], LEGAL[2]))
    match then:
        case "answered":
            bench.tell(Kind.CHOOSE, number=0)
        case "denied":
            bench.tell(Kind.UNDO)
        case "settled":
            bench.see(Nothing())
        case "followed":
            bench.see(ruled(bench.game, LEGAL[0])).wait(5.0)
        case _:
            bench.tell(Kind.TYPED, LEGAL[0])
    assert left(bench, tmp_path).question is None


def test_what_was_misread_is_no_question_of_the_table(tmp_path: Path) -> None:
    """The answers to it are not held against what is seen; nor are those after a move that stands."""
    bench = Bench(*FACTS, LEGAL[0])
    bench.see(ruled(bench.game, ILLEGAL)).wait(2).tell(Kind.MISREAD)
    assert bench.phase is Phase.ASKING
    assert left(bench, tmp_path).question is None


def test_stains_are_known_after_a_restart(tmp_path: Path) -> None:
    """Where nothing looked like a piece that is none, nothing is remembered of it."""
    for number, stains in enumerate(((STAIN,), ())):
        bench = Bench()
        bench.give(SetUp(game(*FACTS), stains=stains))
        (tmp_path / str(number)).mkdir()
        assert left(bench, tmp_path / str(number)) == Remembered(bench.game, None, stains)


@pytest.mark.parametrize("back", [True, False])
def test_a_refused_move_that_was_put_back_does_not_lie_there_after_a_restart(
    tmp_path: Path, *, back: bool
) -> None:
    """The table was seen to agree with the record; where it was not, the move may lie there still."""
    bench = Bench(*FACTS, LEGAL[0])
    bench.see(ruled(bench.game, ILLEGAL)).wait(2)
    assert bench.match.refused
    if back:
        bench.see(Nothing()).see(Nothing())
    with Journal(tmp_path / "a.match") as journal:
        journal.append(bench.written)
        match = resumed(Match(manners=Manners()), bench.game, journal.events)
    assert (match.refused, match.phase) == (not back, Phase.SETTLING if back else Phase.ILLEGAL)
    assert (match.stood is None) is back
