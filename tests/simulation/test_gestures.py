"""Gestures: pieces move with the hand that moves them, without a jump, and lie where they were to lie."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.gestures import HandKey, HandTrack, Passage, Player, Reel, hand_at, seats, smooth
from simulation.makes import DOMINOES, PiecepackLook
from simulation.virtual_scene import Piece, stream

SEATS = seats((576.0, 392.0))
OLD = Piece("domino 2-5", "domino", DOMINOES["blue"], -60, 30, 90, value={"pips": [2, 5]})
NEW = Piece("domino 2-5", "domino", DOMINOES["blue"], 45, -20, 2, value={"pips": [2, 5]})
COIN = Piece("coin suns", "coin", PiecepackLook(), 20, 10, face="down", value={"suit": "suns", "value": None})
TURNED = Piece("coin suns", "coin", PiecepackLook(), 21, 9, 8, value={"suit": None, "value": 4})


def passage(seed: int = 1, player: int = 1) -> Passage:
    """A hand about to come."""
    return Passage(SEATS[player - 1], 2.0, stream(seed, "test"))


def played(done: Passage, start: dict[str, Piece]) -> tuple[Reel, Player]:
    """The passage on a reel."""
    done.leave()
    reel = Reel(dict(start))
    reel.add(done)
    return reel, Player(reel)


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_way_covered_only_grows(a: float, b: float) -> None:
    """The smooth way runs from 0 to 1, never back, and starts and ends gently."""
    assert smooth(0) == 0
    assert smooth(1) == pytest.approx(1)
    if a < b:
        assert smooth(a) <= smooth(b) + 1e-12
    assert smooth(0.02) < 0.001
    assert smooth(-3) == 0
    assert smooth(7) == pytest.approx(1)


def test_a_hand_is_there_only_while_it_visits() -> None:
    """Before its first key and after its last there is no hand."""
    track = HandTrack(1, (HandKey(1, 0, 0, 50, "open"), HandKey(2, 10, 0, 50, "pinch")))
    assert hand_at(track, 0.9) is None
    assert hand_at(track, 2.1) is None
    half = hand_at(track, 1.5)
    assert half is not None
    assert half.at[0] == pytest.approx(5)
    assert half.speed_mm_s[0] == pytest.approx(18.75)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["carry", "slide"]), st.integers(1, 2))
def test_a_piece_moves_with_the_hand_and_lies_where_it_should(seed: int, gesture: str, player: int) -> None:
    """Whatever the seed, a moving piece is under the hand, nothing jumps, and it ends in the new place."""
    done = passage(seed, player)
    getattr(done, gesture)("domino 2-5", OLD, NEW)
    reel, player_ = played(done, {"domino 2-5": OLD})
    before, t = OLD, 2.0
    while t < reel.end + 0.1:
        piece = player_.at(t)["domino 2-5"]
        assert math.dist((piece.x_mm, piece.y_mm, piece.z_mm), (before.x_mm, before.y_mm, before.z_mm)) < 30
        if player_.moving and math.dist((piece.x_mm, piece.y_mm), (before.x_mm, before.y_mm)) > 0.5:
            (hand,) = reel.hands_at(t)
            assert math.dist(hand.at[:2], (piece.x_mm, piece.y_mm)) < 6
        before, t = piece, t + 0.02
    assert player_.at(t)["domino 2-5"] == NEW
    assert not player_.moving


def test_a_carried_piece_is_lifted_and_a_pushed_one_is_not() -> None:
    """Carrying raises the piece by two centimetres and more; sliding keeps it on the table."""
    highest = {}
    for gesture in ("carry", "slide"):
        done = passage(4)
        getattr(done, gesture)("domino 2-5", OLD, NEW)
        highest[gesture] = max(key.piece.z_mm for key in done.pieces["domino 2-5"])
    assert highest["carry"] > 20
    assert highest["slide"] == 0


def test_a_coin_turned_over_shows_its_old_face_first_and_its_new_one_then() -> None:
    """While it tips the coin shows one face, never none, and changes it once."""
    done = passage(5)
    done.turn_over("coin suns", COIN, TURNED)
    reel, player = played(done, {"coin suns": COIN})
    faces = [player.at(t)["coin suns"].face for t in np.arange(2.0, reel.end, 0.02)]
    assert faces[0] == "down"
    assert faces[-1] == "up"
    assert sum(a != b for a, b in itertools.pairwise(faces)) == 1


def test_dice_tumble_over_many_faces_and_lie_flat() -> None:
    """Thrown dice show several faces on their way, lean while they roll, and end flat where they should."""
    look = PiecepackLook()
    value = {"set": "piecepack", "suit": "suns", "face": "2"}
    old = Piece("die suns", "die", look, -100, 0, value=value)
    new = Piece("die suns", "die", look, -90, 20, 33, value={**value, "face": "5"})
    done = passage(6)
    done.roll([("die suns", old, new)], {"die suns": [{**value, "face": f} for f in ("ace", "3", "4")]})
    keys = done.pieces["die suns"]
    assert len({str(key.piece.value) for key in keys}) >= 3
    assert max(abs(key.piece.tilt_deg) for key in keys) > 5
    assert keys[-1].piece == new
    assert [key.t for key in keys] == sorted(key.t for key in keys)


def test_things_come_and_go() -> None:
    """A piece that is brought appears with the hand, one that is removed is gone afterwards."""
    done = passage(7)
    done.remove("domino 2-5", OLD)
    done.bring(TURNED)
    reel, player = played(done, {"domino 2-5": OLD})
    assert set(player.at(2.0)) == {"domino 2-5"}
    assert set(player.at(reel.end + 1)) == {"coin suns"}


def test_renamed_pieces_keep_their_places() -> None:
    """When names change hands between things, the things stay where they are."""
    reel = Reel({"a": OLD, "b": NEW}, renames=[(3.0, {"a": "b", "b": "a"})])
    player = Player(reel)
    assert player.at(2.0)["a"].x_mm == OLD.x_mm
    assert player.at(3.5)["a"].x_mm == NEW.x_mm
    assert player.at(3.5)["b"].name == "b"


def test_players_sit_opposite() -> None:
    """Hands come from opposite sides, and left-handers from their other shoulder."""
    one, two = SEATS
    assert one.away[1] < -200 < 200 < two.away[1]
    assert one.shoulder[0] > 0 > two.shoulder[0]
    assert seats((576.0, 392.0), (True, False))[0].shoulder[0] < 0
