"""A match without a camera on purpose: the same phases and the same verdict, and nothing is waited for."""

from dataclasses import replace

import pytest

from device.match.match import Manners, Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.match.transitions import offered, step
from engine.history import History
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL


class Talking:
    """A match that is told everything."""

    def __init__(self) -> None:
        blank = History.begin("kingdomino-duel", players=("Ann", "Bo"))
        self.match = Match(manners=Manners(), blank=blank, by_hand=True, camera=False)
        self.tell(Kind.LOST)

    def tell(self, kind: Kind, words: str = "", number: int = 0) -> "Talking":
        """One thing that is said or pressed."""
        self.match, _ = step(self.match, Told(kind, words, number), 0.0)
        return self

    def type(self, *lines: str) -> "Talking":
        """Lines, one after the other."""
        for line in lines:
            self.tell(Kind.TYPED, line)
        return self


def test_the_board_is_shown_before_anything_was_said() -> None:
    """The set-up is told on it, too; no camera is missed."""
    match = Talking().match
    assert match.phase is Phase.SETTING_UP
    shown = view(match)
    assert shown["game"] == "kingdomino-duel"
    assert shown["by_hand"]
    assert str(shown["expected"]).endswith("Or roll the dice")
    assert Kind.TYPED in offered(match)


def test_what_is_told_counts_and_the_next_move_is_awaited() -> None:
    """No look, no calm, and no lamp that says that a camera is away."""
    game = Talking().type(*FACTS, LEGAL[0])
    assert game.match.phase is Phase.WATCHING
    assert view(game.match)["lamps"]["red"] == "........"  # type: ignore[index, call-overload]
    assert Kind.AS_IT_IS not in offered(game.match)
    assert game.tell(Kind.PAUSE).match.phase is Phase.PAUSED
    assert game.tell(Kind.PAUSE).match.phase is Phase.WATCHING
    assert game.tell(Kind.UNDO).match.phase is Phase.WATCHING
    assert len(game.match.game.steps) == len(FACTS)  # type: ignore[union-attr]


def test_a_refused_move_stays_until_it_is_dealt_with() -> None:
    """Put back it is over; with both players it stands."""
    game = Talking().type(*FACTS, LEGAL[0], ILLEGAL)
    assert game.match.phase is Phase.ILLEGAL
    refused = view(game.match)["marks"]["refused"]  # type: ignore[index, call-overload]
    assert refused["nearest"]  # type: ignore[index, call-overload]
    assert game.tell(Kind.PUT_BACK).match.phase is Phase.WATCHING
    assert view(game.match)["marks"]["refused"] is None  # type: ignore[index, call-overload]
    game.type(ILLEGAL).tell(Kind.CONFIRM, number=1)
    assert game.match.phase is Phase.ILLEGAL
    game.tell(Kind.CONFIRM, number=2)
    assert game.match.phase is Phase.WATCHING
    assert game.match.game.steps[-1].stands  # type: ignore[union-attr]


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_says_what_can_be_said(word: str) -> None:
    """An example of each form, and nothing changes."""
    game = Talking().type(*FACTS)
    before = game.match.game
    assert "take 3" in game.type(word).match.notice
    assert game.match.game is before


def test_the_last_move_is_marked_with_all_that_it_changed() -> None:
    """Where a piece came from and where it lies now; of a map the squares that were drawn on."""
    moved = History.begin("draw-game").fact("see lot 3-4 / 5-6").fact("see deal hidden / hidden")
    match = replace(Talking().match, game=moved.move("down 3-6"))
    last = view(match)["marks"]["last"]  # type: ignore[index, call-overload]
    assert [spot["name"] for spot in last["at"]] == ["3-6"]  # type: ignore[index, call-overload, union-attr]
    duel = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d b q2 ?")
    for line in ("1: take 1", "2: take 2+3", "1: take 4", "1: draw d@r2c4 s@r2c5"):
        duel = duel.move(line)
    last = view(replace(match, game=duel))["marks"]["last"]  # type: ignore[index, call-overload]
    assert last["maps"] == {"map 1": ["r2c4", "r2c5"]}  # type: ignore[index, call-overload]
