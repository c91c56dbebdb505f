"""Play that goes on from a refused move: the other one's is a word, that of whoever made it only asks."""

import json

import pytest

from device.match.acts.steps import plays_on_alone
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind
from device.match.transitions import offered
from engine.history import History
from engine.matching import Choice, Nothing, Question, TakeBack, Verdict
from tests.device.match.match_bench import BUTTON, DIFFERENT, ILLEGAL, LEGAL, Bench, playing, refusing, ruled

OWN, MORE, OTHER = "1: castle 3", "1: draw d@r2c3 D1@r2c4", "2: castle 1"
"""What player 1, whose move was refused, does after it, and what player 2 does."""


def sees(bench: Bench, *lines: str) -> Bench:
    """What was done since, as the eye tells it of a table on which the refused move may stand."""
    stood = bench.match.stood
    assert stood is not None
    return bench.see(ruled(stood, *lines), stood=True)


def alone() -> Bench:
    """A match in which player 1 has played on from a refused move."""
    return sees(refusing(), OWN)


def stands(bench: Bench) -> bool:
    """Whether the refused move stands."""
    return any(step.stands and step.happened.text == ILLEGAL for step in bench.game.steps)


def test_who_plays_on_from_their_own_refused_move_only_asks() -> None:
    """Nothing is written, however long it lies; the page says who has agreed and who is asked."""
    bench = refusing()
    before = bench.game
    sees(bench, OWN).wait(9.0)
    assert (bench.game, bench.phase) == (before, Phase.ILLEGAL)
    told = json.loads(json.dumps(view(bench.match)))
    assert (told["wish"], told["agreed"]) == ("let stand", [1])
    assert told["places"] == [
        "Player 1 has played on. It counts once player 2 lets the refused move stand or plays on, too."
    ]
    assert "let stand" in told["offers"]
    assert "withdraw" not in told["offers"]  # their play is their word


@pytest.mark.parametrize("kind", [Kind.LET_STAND, Kind.CONFIRM])
def test_one_press_of_the_other_lets_it_stand_with_what_was_noted(kind: Kind) -> None:
    """Their own presses are nothing new; all of it is written in the order in which it was done."""
    bench = alone().tell(kind, number=1).tell(kind, number=1).tell(kind)
    assert not stands(bench)
    bench.tell(kind, number=2)
    assert stands(bench)
    assert bench.texts()[-2:] == [ILLEGAL, OWN]
    assert bench.match.both == (None, frozenset())
    assert bench.see(Nothing()).phase is Phase.WATCHING


def test_a_line_without_a_name_is_of_whoever_was_to_move() -> None:
    """Typed so, a refused move has an author all the same, whose own play only asks."""
    bench = sees(playing().tell(Kind.TYPED, "take 3"), "2: castle 1").wait(9.0)
    assert (bench.match.accused, bench.phase, bench.match.both) == (
        2,
        Phase.ILLEGAL,
        (Kind.LET_STAND, frozenset({2})),
    )
    assert not any(step.stands for step in bench.game.steps)
    bench.tell(Kind.LET_STAND, number=1)
    assert any(step.stands for step in bench.game.steps)


def test_where_nobody_knows_whose_it_was_both_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wish in nobody's name is no word, and play by anybody is none."""
    bench = refusing()
    monkeypatch.setattr(Match, "accused", 0)
    sees(bench, OWN, OTHER).wait(9.0)
    assert not stands(bench)
    assert bench.match.both == (Kind.LET_STAND, frozenset())
    bench.tell(Kind.LET_STAND).tell(Kind.LET_STAND, number=1)
    assert not stands(bench)
    assert bench.tell(Kind.LET_STAND, number=2).texts()[-3:] == [ILLEGAL, OWN, OTHER]


def test_the_same_table_says_nothing_new() -> None:
    """The eye reads it again, and again: it is not asked to look anew, and the same is asked."""
    bench = alone()
    before = bench.match
    bench.see(Nothing(), stood=True).see(Nothing(), stood=True)
    assert (bench.phase, bench.match.version, bench.match.both) == (
        Phase.ILLEGAL,
        before.version,
        before.both,
    )
    assert bench.match.places == before.places
    bench.see(ruled(bench.game, ILLEGAL))
    assert (bench.phase, bench.match.noted) == (Phase.ILLEGAL, before.noted)


def test_what_the_other_one_does_lets_all_of_it_stand() -> None:
    """Move after move of the first is noted, so that the table is always understood; then it all counts."""
    bench = sees(alone(), MORE)
    assert bench.match.stood is not None
    assert [step.happened.text for step in bench.match.stood.steps][-3:] == [ILLEGAL, OWN, MORE]
    assert not stands(bench)
    sees(bench, OTHER).wait(1.0)
    assert stands(bench)
    assert bench.texts()[-4:] == [ILLEGAL, OWN, MORE, OTHER]
    assert bench.phase is Phase.WATCHING


def test_what_the_other_one_does_first_is_their_word() -> None:
    """As before: both have accepted it, and nobody is asked; seen at once, or one after the other."""
    for lines in ((OTHER,), (OWN, OTHER)):
        bench = sees(refusing(), *lines)
        assert bench.phase is Phase.RULED
        assert bench.wait(1.0).texts()[-len(lines) - 1 :] == [ILLEGAL, *lines]
        assert stands(bench)


@pytest.mark.parametrize("other", [False, True])
def test_a_second_refused_move_is_a_word_only_of_whoever_makes_it(*, other: bool) -> None:
    """Of the other one it is refused itself, and the first one stands; of the same player nothing stands."""
    wrong = f"{1 + other}: draw d@r1c1 D1@r1c2"
    bench = sees(alone(), wrong).wait(1.0)
    assert bench.phase is Phase.ILLEGAL
    assert stands(bench) is other
    if other:
        assert bench.texts()[-3:] == [ILLEGAL, OWN, wrong]
        return
    bench.see(Nothing(), stood=True).tell(Kind.LET_STAND, number=2)
    assert bench.texts()[-3:] == [ILLEGAL, OWN, wrong]
    assert stands(bench)
    assert not bench.game.steps[-1].stands  # it was not what was asked about
    assert bench.phase is Phase.ILLEGAL


@pytest.mark.parametrize("table", ["put back", "moved on", "misread", "taken back"])
def test_what_was_noted_is_gone_with_what_it_came_of(table: str) -> None:
    """Put back, another move instead, misread, or only the play taken back: then nothing of it stands."""
    bench = alone()
    if table == "put back":
        assert bench.see(Nothing()).phase is Phase.WATCHING
    elif table == "moved on":
        bench.see(ruled(bench.game, LEGAL[1])).wait(1.0)
        assert bench.texts()[-1] == LEGAL[1]
    elif table == "misread":
        bench.tell(Kind.MISREAD)
    else:
        assert bench.match.stood is not None
        bench.see(TakeBack(1, bench.match.stood.steps[-2].state, "Taken back."), stood=True)
        assert (bench.phase, bench.match.places) == (Phase.ILLEGAL, ())
        bench.tell(Kind.LET_STAND, number=2)
        assert not stands(bench)
    assert bench.match.noted is None
    assert not stands(bench)


def test_a_table_that_nobody_understands_meanwhile_leads_back() -> None:
    """Out of step, a pause, a hand, a lost camera: the other one's word is asked for as before."""
    for way in (DIFFERENT, Kind.PAUSE, Kind.HAND, Kind.LOST):
        bench = alone()
        if isinstance(way, Kind):
            bench.tell(way, "away")
        else:
            bench.see(way)
            assert bench.phase is Phase.OUT_OF_STEP
        if way is Kind.PAUSE:
            bench.tell(Kind.PAUSE)
        bench.see(Nothing(), stood=True)
        assert (bench.phase, bench.match.both) == (Phase.ILLEGAL, (Kind.LET_STAND, frozenset({1})))
        assert stands(bench.tell(Kind.CONFIRM, number=2))


def test_without_a_picture_the_other_ones_word_is_enough_too() -> None:
    """What was noted before the camera went counts with it."""
    bench = alone().tell(Kind.LOST, "away")
    assert bench.phase is Phase.CAMERA_LOST
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-2:] == [ILLEGAL, OWN]


def test_a_press_that_was_meant_for_the_refused_move_alone_is_told_so() -> None:
    """Who lets it stand while the other plays on sees that first; a wish for the table goes beside it."""
    bench = refusing()
    key = bench.match.key
    sees(bench, OWN)
    assert bench.match.key != key
    bench.tell(Kind.AS_IT_IS, number=2).tell(Kind.LET_STAND, number=2)
    assert stands(bench)


def test_with_a_button_it_is_one_press_all_the_same() -> None:
    """The one who plays on has pressed nothing; the other's press counts for all that is shown."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.CONFIRM, number=1)
    sees(bench, OWN)
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-2:] == [ILLEGAL, OWN]


def test_an_answer_about_their_own_play_is_noted_as_well() -> None:
    """It says what was done, and is nobody's word for the refused move."""
    bench = refusing()
    assert bench.match.stood is not None
    choices = [Choice(line, ruled(bench.match.stood, line)) for line in (OWN, MORE)]
    bench.see(Question("Which was it?", tuple(choices)), stood=True).tell(Kind.CHOOSE, number=0)
    assert (bench.phase, stands(bench)) == (Phase.ILLEGAL, False)
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-2:] == [ILLEGAL, OWN]
    bench = refusing()
    assert bench.match.stood is not None
    theirs: list[Verdict] = [ruled(bench.match.stood, line) for line in (OTHER, "2: castle 2")]
    bench.see(
        Question("Which was it?", tuple(Choice(one.happened[0].text, one) for one in theirs)), stood=True
    )  # type: ignore[union-attr, arg-type]
    assert stands(bench.tell(Kind.CHOOSE, number=0))


def test_a_pass_that_nobody_sees_is_no_word() -> None:
    """It must have been between two moves of one player: that is no doing of the other one."""
    history = History.begin("draw-game", seed=8, players=("Ann", "Bo"))
    moves = [history.book.format(one) for one in history.book.legal_moves(history.state)]
    history = history.move(moves[0])
    mover = history.state.mover  # type: ignore[attr-defined]
    held = [f"{mover}: {tile} by {tile[0]} at east" for tile in ("6-6", "5-5", "4-4", "3-3", "2-2", "1-1")]
    wrong = next(line for line in held if not history.move(line).steps[-1].ruling.allowed)  # type: ignore[union-attr]
    bench = Bench()
    bench.match = bench.match.__class__(
        game=history.move(wrong),
        blank=history,
        refused=True,
        phase=Phase.ILLEGAL,
        manners=bench.match.manners,
    )
    stood = bench.match.stood
    assert stood is not None
    other = 3 - bench.match.accused
    assert plays_on_alone(bench.match, stood.move(f"{other}: pass"))
    again = [stood.book.format(one) for one in stood.book.legal_moves(stood.state)]
    laid = stood.move(next(one for one in again if one.startswith(f"{other}: ") and "pass" not in one))
    assert not plays_on_alone(bench.match, laid)
    assert not plays_on_alone(bench.match, history)


def test_every_way_out_of_it_is_offered() -> None:
    """Nobody can be stuck: put back, misread, the table as it is, undo, a word, and a typed line."""
    wanted = {Kind.PUT_BACK, Kind.MISREAD, Kind.AS_IT_IS, Kind.LET_STAND, Kind.CONFIRM, Kind.UNDO, Kind.TYPED}
    assert wanted <= offered(alone().match)
