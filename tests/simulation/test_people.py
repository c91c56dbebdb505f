"""People who play whole games with their referee, without pixels: they come to an end by themselves."""

from dataclasses import replace

import pytest

from engine import GAMES, rulebook
from simulation.page import PageLook, Row, board
from simulation.people import People
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import SHORTER, WholeGame
from tests.simulation.paper import PaperMatch, asking, deaf, played, silently_wrong

CALM = Temper(illegal=0, retracts=0, touches=0, forgets=0, early=0, hesitates=0)
SHORT = "default+target=30"


@pytest.mark.parametrize("confirm", ["auto", "button"])
@pytest.mark.parametrize("game", ["draw-game", "kingdomino-duel"])
def test_a_game_comes_to_its_winner(game: str, confirm: str) -> None:
    """From the set-up to the end, with moves that are refused, put back, insisted on, forgotten buttons."""
    profile = SHORTER.get(game, "default")
    people, match = played(
        game, 3, temper=Temper(confirm=confirm, illegal=0.12), mind=decide, profile=profile
    )  # type: ignore[arg-type]
    diary = people.diary
    assert (diary.finished, diary.scores_right, diary.winner_right) == (True, True, True), diary.stories
    counts = diary.counts()
    assert counts["right"] >= 0.9 * counts["moves"]
    assert counts["wrong and silent"] == 0
    assert match.match.game is not None
    assert match.match.game.outcome is not None


@pytest.mark.long
@pytest.mark.parametrize("confirm", ["auto", "button"])
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("game", GAMES)
def test_every_game_comes_to_its_winner(game: str, seed: int, confirm: str) -> None:
    """The same in all four games, the long ones among them, and with some readings in doubt."""
    people, _ = played(
        game, seed, temper=Temper(confirm=confirm), mind=decide, profile=SHORTER.get(game, "default"),
        doubtful=0.03 if seed % 2 else 0.0,
    )  # type: ignore[arg-type]  # fmt: skip
    diary = people.diary
    assert (diary.finished, diary.scores_right, diary.winner_right) == (True, True, True), diary.stories


def test_the_same_seed_plays_the_same_game() -> None:
    """All that people do comes of the seed."""
    one, other = (played("draw-game", 5, mind=decide, profile=SHORT)[0].diary for _ in range(2))
    assert one == other


def habits(**more: float | str) -> tuple[People, PaperMatch]:
    """A game by people who have one habit, and no other."""
    return played("draw-game", 2, temper=replace(CALM, **more), mind=decide, profile=SHORT)  # type: ignore[arg-type]


def waits(match: PaperMatch) -> list[float]:
    """How long each ruling had been told when its button was pressed."""
    return [lasted for kind, phase, lasted in match.presses if (kind, phase) == ("confirm", "ruled")]


def test_who_forgets_the_button_presses_it_late() -> None:
    """Once for each move; all others press as soon as they have read the ruling."""
    assert max(waits(habits(confirm="button")[1])) < 2.0
    late = [one for one in waits(habits(confirm="button", forgets=1.0)[1]) if one > 3.0]
    assert len(late) >= 8


def test_who_is_early_presses_before_there_is_a_ruling() -> None:
    """That press means nothing, and a second one is needed."""
    calm, early = habits(confirm="button")[1], habits(confirm="button", early=1.0)[1]
    before = [phase for kind, phase, _ in early.presses if kind == "confirm" and phase != "ruled"]
    assert len(before) >= 8
    assert all(phase == "ruled" for kind, phase, _ in calm.presses if kind == "confirm")
    assert len(waits(early)) >= len(waits(calm))


def test_who_hesitates_takes_longer_and_who_touches_comes_for_nothing() -> None:
    """Neither is a move, and neither changes the game."""
    calm, slow, touching = (habits(**more) for more in ({}, {"hesitates": 1.0}, {"touches": 1.0}))
    assert slow[1].table.now > calm[1].table.now + 8
    assert calm[1].table.visits == 0
    assert touching[1].table.visits >= touching[0].diary.counts()["moves"] > 5
    assert touching[0].diary.winner_right


def test_who_insists_lets_it_stand_and_who_does_not_puts_it_back() -> None:
    """A refused move stands by a press of each, or its pieces go back; both are no touch of the page."""
    kinds = {}
    for insists in (0.0, 1.0):
        people, match = habits(illegal=0.4, insists=insists)
        counts = people.diary.counts()
        assert counts["illegal"] == counts["illegal found"] > 0
        assert people.diary.touches.total() == 0
        kinds[insists] = [phase for kind, phase, _ in match.presses if kind == "confirm"]
    assert kinds[0.0] == []
    assert kinds[1.0].count("illegal") >= 2


def test_who_is_in_a_hurry_moves_before_the_ruling() -> None:
    """More is done in less time, and all of it comes into the record."""
    calm, quick = habits(), habits(hurries=1.0)
    moves = [people.diary.counts()["moves"] for people, _ in (calm, quick)]
    assert quick[1].table.now / moves[1] < 0.85 * calm[1].table.now / moves[0]
    assert quick[0].diary.winner_right


def test_who_plays_on_before_the_button_was_pressed_is_not_asked_what_came_first() -> None:
    """The first move was told and only waited: the next one was made since, by whoever came since."""
    people, match = habits(confirm="button", hurries=0.5)
    counts = people.diary.counts()
    assert counts["right"] == counts["moves"] > 5
    assert people.diary.touches.total() == 0
    pressed = [phase for kind, phase, _ in match.presses if kind == "confirm"]
    assert len(pressed) < counts["moves"]
    assert people.diary.winner_right


def test_with_a_deaf_referee_people_type_every_move_and_come_to_the_end() -> None:
    """Nothing is seen: all is missed, nothing is wrong, and a touch is needed for each."""
    people, _ = played("draw-game", 2, temper=CALM, mind=decide, profile=SHORT, twist=deaf)
    diary, counts = people.diary, people.diary.counts()
    assert (diary.finished, diary.winner_right) == (True, True)
    assert counts["missed"] == counts["moves"] > 0
    assert diary.touches["typed"] >= counts["moves"]


def test_with_a_referee_who_always_asks_people_answer_every_time() -> None:
    """Every move that is seen is asked about, and one answer each puts it right."""
    people, _ = played("draw-game", 2, temper=CALM, mind=decide, profile=SHORT, twist=asking)
    diary, counts = people.diary, people.diary.counts()
    assert (diary.finished, diary.winner_right) == (True, True)
    assert counts["asked"] == counts["moves"] > 0
    assert diary.touches["choose"] >= counts["moves"]
    assert counts["wrong and silent"] == counts["missed"] == 0


def test_a_referee_who_is_wrong_and_silent_is_found_out() -> None:
    """Every move of which another one was told counts as such, and people put each right."""
    people, _ = played("draw-game", 2, temper=CALM, mind=decide, profile=SHORT, twist=silently_wrong)
    diary, counts = people.diary, people.diary.counts()
    assert (diary.finished, diary.winner_right) == (True, True)
    assert counts["wrong and silent"] >= 0.8 * counts["moves"]
    assert counts["wrong and silent"] + counts["right"] == counts["moves"]
    assert diary.touches["typed"] >= 2 * counts["wrong and silent"]  # taken back, and the true one typed


def test_a_game_can_be_played_from_near_its_end() -> None:
    """So many things are left to do, and they are the last of the whole game."""
    whole = WholeGame.begin("kingdomino-duel", seed=4, mind=decide)
    texts = []
    while (deed := whole.next()) is not None:
        whole.do(deed)
        texts.append(deed.text)
    near = WholeGame.near_end("kingdomino-duel", seed=4, left=6, mind=decide)
    left = []
    while (deed := near.next()) is not None:
        near.do(deed)
        left.append(deed.text)
    assert left == texts[-6:]
    assert near.over
    assert near.seen == whole.seen


def test_people_see_a_board_by_what_lies_there_not_by_its_names() -> None:
    """A page shows a state if pieces, places and points are the same, whatever the pieces are called."""
    people, match = played("draw-game", 5, temper=CALM, mind=decide, profile=SHORT)
    page = PageLook.of(match.view)
    book, state = people.game.book, people.game.seen
    assert page.shown == board(book, state)
    assert page.shown != board(book, rulebook("draw-game").start(None, None))
    assert page.over
    assert page.points == book.scores(state).totals
    row = Row(
        1, 1, "move", "1: down 1-1", ("1: down 2-2",), counts=True, illegal=False, stands=False, rules=()
    )
    assert row.tells("1: down 2-2")
    assert not replace(row, alike=()).tells("1: down 2-2")


def test_a_paper_match_keeps_no_secret_from_its_page() -> None:
    """What people see is the very view of the match."""
    _, match = played("draw-game", 5, temper=CALM, mind=decide, profile=SHORT)
    assert isinstance(match, PaperMatch)
    assert match.view["phase"] == "finished"
