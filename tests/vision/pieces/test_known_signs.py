"""The signs on a game's dice, known from what its record told of them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.layout import Layout, Spot
from engine.matching.answered import ShownPieces
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


def lying(face: str = "ace", suit: str = "suns", sure: float = 0.6, x: float = 0.0) -> Sighting:
    """A die as it was seen."""
    guesses = tuple(
        Guess({"set": "piecepack", "suit": suit, "face": one}, p)
        for one, p in ((face, sure), ("3", 1 - sure))
    )
    return Sighting("die", "new-dice", x, 0.0, guesses=guesses, ref=f"{suit} {x:g}")


def told(
    known: KnownSigns, face: str, sign: Sign, suit: str = "suns", *, by_people: bool | None = True,
    one: Sighting | None = None, entry: int = 1,
) -> KnownSigns:  # fmt: skip
    """The same once a die shows this by the record: people have told it, or it was read; None: in doubt."""
    one = one or lying(suit=suit)
    said = frozenset((*(n.entry for n in known.examples if n.told), *([entry] if by_people else [])))
    shown = ShownPieces({} if by_people is None else {f"die {suit}": entry}, said, ENTRIES)
    return known.agreed(Scene((one,)), Layout((spot(face, suit),)), {one.ref: sign}, shown)


ENTRIES = frozenset(range(40))


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


def names(known: KnownSigns) -> list[str]:
    """What is known, by its face."""
    return [one.name[0] for one in known.examples]


def test_what_was_read_in_doubt_is_no_proof_of_itself() -> None:
    """A roll that is written down with its doubt teaches nothing, nor what contradicts a reading."""
    sign = seen_sign(drawn("4"))
    assert not told(KnownSigns(), "ace", sign, by_people=None).examples
    for doubted in (lying("ace", sure=0.6), lying("ace", sure=0.05)):
        assert not told(KnownSigns(), "ace", sign, by_people=False, one=doubted).examples
    sure = told(KnownSigns(), "ace", sign, by_people=False, one=lying("ace", sure=0.99))
    assert names(sure) == ["ace"]


def test_people_s_word_outweighs_what_was_learned() -> None:
    """A 4 that was surely read as an ace was learned so: once people correct it, that is forgotten."""
    sign = seen_sign(drawn("4"))
    read = told(KnownSigns(), "ace", sign, by_people=False, one=lying("ace", sure=0.99))
    known = told(read, "4", sign, one=lying("ace", sure=0.99), entry=2)
    assert names(known) == ["4"]
    assert rank_of(known, drawn("4"), reading("ace", 0.6, "4"))[0] == "4"
    # What is read afterwards takes nothing of that back.
    again = told(known, "ace", sign, by_people=False, one=lying("ace", sure=0.99), entry=3)
    assert names(again) == ["4"]


def test_what_the_record_takes_back_is_forgotten() -> None:
    """A slip of the finger is undone: the sign that it taught goes, and so does that of an undone entry."""
    sign = seen_sign(drawn("4"))
    known = told(told(KnownSigns(), "ace", sign, entry=7), "5", seen_sign(drawn("5")), entry=8)
    nothing = Scene(())
    both = ShownPieces(told=frozenset((7, 8)), counts=frozenset((7, 8)))
    assert names(known.agreed(nothing, Layout(()), {}, both)) == ["ace", "5"]
    no_answer = ShownPieces(told=frozenset((8,)), counts=frozenset((7, 8)))
    assert names(known.agreed(nothing, Layout(()), {}, no_answer)) == ["5"]
    assert not known.agreed(nothing, Layout(()), {}, ShownPieces()).examples
    read = told(KnownSigns(), "4", sign, by_people=False, one=lying("4", sure=0.99), entry=3)
    assert names(read.agreed(nothing, Layout(()), {}, ShownPieces(counts=frozenset((3,))))) == ["4"]
    assert not read.agreed(nothing, Layout(()), {}, ShownPieces(counts=frozenset((4,)))).examples


def test_of_what_is_read_only_a_sign_that_none_explains_is_learned() -> None:
    """Signs that are known speak in a reading already: it proves nothing more."""
    four = told(KnownSigns(), "4", seen_sign(drawn("4")))
    read = lying("4", "moons", 0.99)
    assert names(told(four, "4", seen_sign(drawn("4", 1)), "moons", by_people=False, one=read)) == ["4"]
    five = lying("5", sure=0.99)
    assert names(told(four, "5", seen_sign(drawn("5")), by_people=False, one=five)) == ["4", "5"]


@pytest.mark.parametrize("how", [{"visible": 0.4}, {"presence": 0.5}])
def test_a_die_that_is_not_seen_whole_teaches_nothing(how: dict[str, float]) -> None:
    """A hand lies over half of it, or it may be none."""
    one = replace(lying(), **how)  # type: ignore[arg-type]
    assert not told(KnownSigns(), "4", seen_sign(drawn("4")), one=one).examples


def test_a_blank_face_has_no_sign() -> None:
    """It is not learned, and no other sign speaks against it."""
    assert not told(KnownSigns(), "null", seen_sign(drawn(""))).examples


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
    """A whole evening's rolls do not make looking slower, and what is known already is not kept twice."""
    known = told(KnownSigns(), "4", seen_sign(drawn("4")))
    assert told(known, "4", seen_sign(drawn("4", 1))).examples == known.examples
    for entry, text in enumerate("35WXZ", 2):  # so unlike each other are pictures of one pale sign at worst
        known = told(known, "4", seen_sign(drawn(text)), entry=entry)
    assert names(known) == ["4", "4", "4"]
    assert rank_of(known, drawn("Z"), reading("ace", 0.6, "4"))[0] == "4"
    # What was read for sure never takes the place of what people told.
    read = told(known, "4", seen_sign(drawn("?")), by_people=False, one=lying("4", sure=0.99), entry=9)
    assert [one.entry for one in read.examples] == [4, 5, 6]


def test_a_number_in_an_ink_that_was_not_seen_yet_is_known_by_others_of_its_kind() -> None:
    """A 4 is a 4 in any ink; an ace is the sign of one suit alone."""
    known = told(KnownSigns(), "4", seen_sign(drawn("4")), suit="moons")
    assert rank_of(known, drawn("4"), reading("ace", 0.6, "4", suit="arms"))[0] == "4"


def test_two_dice_of_one_box_are_told_apart_by_what_they_rather_are() -> None:
    """The record says what lies in a box, not where: each die takes the name that it looks like more."""
    lie = (lying("5", "moons", 0.6, 0.0), lying("ace", "suns", 0.6, 40.0))
    record = Layout((spot("4", "suns"), spot("5", "moons")))
    signs = {one.ref: seen_sign(drawn(text)) for one, text in zip(lie, "54", strict=True)}
    shown = ShownPieces({"die suns": 1, "die moons": 1}, frozenset((1,)), frozenset((1,)))
    known = KnownSigns().agreed(Scene(lie), record, signs, shown)
    assert {one.name for one in known.examples} == {("5", "moons"), ("4", "suns")}
    # One whose sign was not cut out is the die that it is all the same: the other does not take its name.
    known = KnownSigns().agreed(Scene(lie), record, {lie[0].ref: signs[lie[0].ref]}, shown)
    assert [one.name for one in known.examples] == [("5", "moons")]


def test_a_set_that_is_hard_to_read_is_known_after_a_few_rolls() -> None:
    """Bold numbers on dark dice, the record right of each roll: later ones are hardly doubted any more."""
    later = list(heard(3, rolls=14))[7:]
    assert sum(roll.doubted(roll.alone) for roll in later) >= 5
    assert sum(roll.doubted(roll.by_signs) for roll in later) <= 1
