"""The signs on a game's dice, known from what its record told of them."""

import cv2
import numpy as np
import pytest

from engine.layout import Layout, Spot
from engine.scene import Guess, Scene, Sighting
from training.measure_signs import heard
from vision.pieces.known_signs import KnownSigns, Sign, sign_of
from vision.pieces.patches import Picture
from vision.pieces.small import CHOICES, SmallReading, chosen

FACES, SUITS = CHOICES["rank"], CHOICES["suit"]
SIDE = 30


def drawn(text: str, turn: int = 0, ink: int = 40) -> Picture:
    """A light die with a sign in the middle of a grey table."""
    picture: Picture = np.full((60, 60, 3), 110, dtype=np.uint8)
    cv2.rectangle(picture, (15, 15), (45, 45), (225, 225, 225), -1)
    cv2.putText(picture, text, (21, 41), cv2.FONT_HERSHEY_DUPLEX, 0.85, (ink, ink, ink), 2, cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(picture, turn))


def reading(rank: str, sure: float, other: str, suit: str = "suns") -> SmallReading:
    """A die that rather looks like this, or like another."""
    shares = {name: np.full(len(values), 1 / len(values)) for name, values in CHOICES.items()}
    left = (1 - sure) * 0.9
    spread = (1 - sure - left) / (len(FACES) - 2)
    shares["rank"] = np.array([{rank: sure, other: left}.get(one, spread) for one in FACES])
    shares["suit"] = np.array([0.99997 if one == suit else 0.00001 for one in SUITS])
    return SmallReading(shares, 30.0, 30.0, float(SIDE), 0.0)


def spot(face: str, suit: str = "suns") -> Spot:
    """What the record says of a die."""
    value = {"set": "piecepack", "suit": None if face == "null" else suit, "face": face}
    return Spot(f"die {suit}", "die", "up", value, "new-dice")


def lying(x: float = 0.0, suit: str = "suns", face: str = "ace") -> Sighting:
    """A die as it was seen."""
    guess = Guess({"set": "piecepack", "suit": suit, "face": face}, 0.6)
    return Sighting("die", "new-dice", x, 0.0, guesses=(guess,), ref=f"{x:g}")


def told(known: KnownSigns, face: str, sign: Sign, x: float = 0.0, suit: str = "suns") -> KnownSigns:
    """The same once a die lies there that shows this by the record."""
    one = lying(x, suit)
    return known.agreed(Scene((one,)), Layout((spot(face, suit),)), {one.ref: sign})


def rank_of(known: KnownSigns, picture: Picture, one: SmallReading) -> tuple[str, float]:
    """What a die shows after the signs were heard."""
    (heard,) = known.heard(picture, [one], {0})
    return chosen(heard, "rank")


def seen_sign(picture: Picture) -> Sign:
    """The sign of the one die in the picture."""
    return sign_of(picture, reading("ace", 0.6, "4").corners)


@pytest.mark.parametrize("turn", range(4))
def test_a_sign_that_people_named_once_is_known_however_it_lies(turn: int) -> None:
    """A bold 4 that reads as an ace is a 4 from then on; what looks otherwise is no 4 for that."""
    known = told(KnownSigns(), "4", seen_sign(drawn("4")))
    doubted = reading("ace", 0.6, "4")
    assert rank_of(KnownSigns(), drawn("4", turn), doubted)[0] == "ace"
    assert rank_of(known, drawn("4", turn), doubted) == ("4", pytest.approx(0.98, abs=0.02))
    assert rank_of(known, drawn("A", turn), doubted)[0] == "ace"
    sure = reading("2", 0.999, "4")
    assert rank_of(known, drawn("2", turn), sure)[0] == "2"


def test_of_one_place_the_newest_word_counts() -> None:
    """A roll that was misread counted for a moment: once people corrected it, the wrong name is forgotten."""
    sign = seen_sign(drawn("4"))
    known = told(told(KnownSigns(), "ace", sign), "4", sign, x=0.5)
    assert [one.name for one in known.examples] == [("4", "suns")]
    assert rank_of(known, drawn("4"), reading("ace", 0.6, "4"))[0] == "4"
    # A die that is rolled again and shows a blank leaves nothing behind that it does not show.
    assert not told(known, "null", sign).examples


def test_an_ace_is_the_sign_of_its_suit() -> None:
    """The ace of one suit says nothing of another's."""
    known = told(KnownSigns(), "ace", seen_sign(drawn("A")), suit="moons")
    doubted = reading("4", 0.6, "ace", suit="moons")
    assert rank_of(known, drawn("A"), doubted)[0] == "ace"
    assert rank_of(known, drawn("A"), reading("4", 0.6, "ace", suit="arms"))[0] == "4"


def test_signs_speak_only_where_one_of_them_is_recognized() -> None:
    """A blank face, and a sign that nobody told yet: no other sign speaks for or against them."""
    known = told(KnownSigns(), "4", seen_sign(drawn("4")))
    for picture, rank in ((drawn(""), "null"), (drawn("?"), "5")):
        doubted = reading(rank, 0.6, "4")
        (heard,) = known.heard(picture, [doubted], {0})
        assert heard is doubted
    # Once a sign is recognized, it is hardly one that was not told yet.
    assert rank_of(known, drawn("4"), reading("5", 0.6, "4"))[0] == "4"


def test_only_the_game_s_own_dice_are_judged() -> None:
    """Numbers that are not in the list stay as they are; so does all before anything was told."""
    doubted = reading("ace", 0.6, "4")
    known = told(KnownSigns(), "4", seen_sign(drawn("4")))
    assert known.heard(drawn("4"), [doubted], ()) == [doubted]
    assert KnownSigns().heard(drawn("4"), [doubted], {0}) == [doubted]


def test_the_newest_examples_of_each_sign_are_kept() -> None:
    """A whole evening's rolls do not make looking slower."""
    known = KnownSigns()
    for k in range(9):
        known = told(known, "4" if k % 3 else "5", seen_sign(drawn("4" if k % 3 else "5")), x=30.0 * k)
    assert sorted(str(one.name[0]) for one in known.examples) == ["4", "4", "4", "5", "5", "5"]
    assert {one.at[1] for one in known.examples if one.name[0] == "4"} == {150.0, 210.0, 240.0}


def test_a_number_in_an_ink_that_was_not_seen_yet_is_known_by_others_of_its_kind() -> None:
    """A 4 is a 4 in any ink; an ace is the sign of one suit alone."""
    known = told(KnownSigns(), "4", seen_sign(drawn("4")), suit="moons")
    assert rank_of(known, drawn("4"), reading("ace", 0.6, "4", suit="arms"))[0] == "4"


def test_two_dice_of_one_box_are_told_apart_by_what_they_rather_are() -> None:
    """The record says what lies in a box, not where: each die takes the name that it looks like more."""
    dice_seen = (lying(0.0, "moons", "5"), lying(40.0, "suns", "ace"))
    record = Layout((spot("4", "suns"), spot("5", "moons")))
    signs = {one.ref: seen_sign(drawn(text)) for one, text in zip(dice_seen, "54", strict=True)}
    known = KnownSigns().agreed(Scene(dice_seen), record, signs)
    assert {(one.name[0], one.at[1]) for one in known.examples} == {("5", 0.0), ("4", 40.0)}


def test_a_set_that_is_hard_to_read_is_known_after_a_few_rolls() -> None:
    """Bold numbers on dark dice, the record right of each roll: later ones are hardly doubted any more."""
    later = list(heard(3, rolls=14))[7:]
    assert sum(roll.doubted(roll.alone) for roll in later) >= 5
    assert sum(roll.doubted(roll.by_signs) for roll in later) <= 1
