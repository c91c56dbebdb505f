"""What people say of a table that looks otherwise is said once, and the game goes on from there."""

from pathlib import Path

import pytest

from device.match.phase import Phase
from engine.layout import Face
from engine.scene import Sighting
from tests.device.live.sitting import Haunted, ghost

BEGUN, NEXT, LAST = 2, 3, 7
"""So many events are followed before the table looks otherwise; the next is said, those after it are seen."""


def closed(presence: float, face: Face) -> Sighting:
    """What looks like one more tile in the boneyard."""
    return Sighting("domino", "boneyard", 120.0, 40.0, 90.0, face=face, presence=presence)


def begun(path: Path) -> Haunted:
    """A game that was followed so far."""
    sitting = Haunted("draw-game", 3, path, doubtful=0.0, restarts=0.0)
    sitting.begins()
    assert sitting.follows(0, BEGUN)
    return sitting


@pytest.mark.parametrize("face", ["down", "edge"])
@pytest.mark.parametrize("presence", [0.7, 0.9, 0.97])
def test_a_heap_that_seems_to_have_one_more_loses_no_move(
    tmp_path: Path, presence: float, face: Face
) -> None:
    """A shadow along the boneyard is a tile to the reader in each look; nobody is asked, and all is seen."""
    sitting = begun(tmp_path)
    sitting.ghosts = (closed(presence, face),)
    sitting.rests(BEGUN)
    assert sitting.match.phase is Phase.WATCHING
    assert sitting.follows(BEGUN, LAST)


@pytest.mark.parametrize("more", [closed(1.0, "down"), closed(1.0, "edge"), ghost(1.0, 0.99, 9.0, 9.0)])
def test_what_is_surely_seen_and_is_no_piece_is_told_once(tmp_path: Path, more: Sighting) -> None:
    """A tile that is printed on the cloth: people say one move, and nothing more is lost."""
    sitting = begun(tmp_path)
    sitting.ghosts = (more,)
    sitting.rests(BEGUN)
    assert sitting.match.phase is Phase.OUT_OF_STEP
    assert not sitting.follows(BEGUN, NEXT)
    sitting.says(BEGUN)
    assert sitting.match.words.startswith("It counts as told, though it looks otherwise: ")
    assert sitting.follows(NEXT, LAST)
    assert sitting.is_watching


@pytest.mark.parametrize("tile", ["down", "last"])
def test_a_piece_that_is_not_seen_any_more_is_told_once(tmp_path: Path, tile: str) -> None:
    """It lies in the glare of a lamp; once it was seen again, it is missed when it is lifted."""
    sitting = begun(tmp_path)
    lying = sitting.script.events[BEGUN - 1].after.spots
    name = lying[0 if tile == "down" else -1].name
    sitting.lost = frozenset((name,))
    sitting.rests(BEGUN)
    assert sitting.match.phase in (Phase.UNFINISHED, Phase.ASKING)
    assert not sitting.follows(BEGUN, NEXT)
    sitting.says(BEGUN)
    assert sitting.follows(NEXT, LAST)
    sitting.lost = frozenset()
    sitting.rests(LAST)
    assert sitting.is_watching
    sitting.lost = frozenset((name,))
    sitting.rests(LAST)
    assert not sitting.is_watching


@pytest.mark.parametrize("presence", [0.9, 1.0])
def test_a_tile_is_drawn_from_a_heap_that_seems_to_have_one_more(tmp_path: Path, presence: float) -> None:
    """As many are seen then as are due; one of them was known to be none, so that one was drawn."""
    sitting = Haunted("draw-game", 1, tmp_path, doubtful=0.0, restarts=0.0)
    sitting.begins()
    assert sitting.follows(0, 6)
    sitting.ghosts = (closed(presence, "down"),)
    sitting.rests(6)
    if presence == 1.0:
        sitting.follows(6, 7)
        sitting.says(6)
    else:
        assert sitting.follows(6, 7)
    assert sitting.script.events[9].text == "1: draw"
    assert sitting.follows(7, 9)
    assert sitting.follows(10, 14)


@pytest.mark.parametrize("more", [closed(1.0, "down"), ghost(1.0, 0.99, 9.0, 9.0)])
def test_who_says_only_the_first_of_two_moves_is_asked_about_the_second(
    tmp_path: Path, more: Sighting
) -> None:
    """It lies there beside what is no piece, and is allowed: a word of one move makes no other nothing."""
    sitting = begun(tmp_path)
    sitting.ghosts = (more,)
    sitting.rests(BEGUN)
    assert not sitting.follows(BEGUN, BEGUN + 2)
    sitting.says(BEGUN, then=BEGUN + 2)
    assert sitting.match.phase is Phase.ASKING
    assert sitting.follows(BEGUN + 2, LAST)


def test_what_was_said_holds_only_until_a_hand_comes(tmp_path: Path) -> None:
    """One more that is seen after that is news."""
    sitting = begun(tmp_path)
    sitting.ghosts = (closed(1.0, "down"),)
    sitting.rests(BEGUN)
    sitting.says(BEGUN)
    sitting.ghosts = (*sitting.ghosts, closed(1.0, "edge"))
    sitting.comes(NEXT)
    assert sitting.match.phase is Phase.OUT_OF_STEP
