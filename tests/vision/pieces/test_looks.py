"""Looks that a user taught: named in any turn and light, kept in a file, refused with one sentence."""

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import toml
from calibration.camera_errors import BadProfileFile
from vision.pieces import looks
from vision.pieces.looks import LearnedLook, Looks
from vision.pieces.patches import Picture, rectangle
from vision.pieces.piece_read import Read

BODY, TABLE = (130, 175, 205), (70, 90, 60)
INKS = {"suns": (40, 40, 180), "moons": (30, 30, 30), "crowns": (60, 140, 40), "arms": (170, 70, 30)}


def coin(name: str, turn: float = 0.0) -> Picture:
    """A coin 80 pixels wide in the middle of a picture, with a sign of its own."""
    picture = np.full((160, 160, 3), TABLE, np.uint8)
    cv2.circle(picture, (80, 80), 40, BODY, -1, cv2.LINE_AA)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def at(x: float, y: float) -> tuple[int, int]:
        return round(80 + c * x - s * y), round(80 + s * x + c * y)

    ink = INKS[name]
    if name == "suns":
        cv2.circle(picture, (80, 80), 20, ink, -1, cv2.LINE_AA)
    elif name == "moons":
        cv2.ellipse(picture, (80, 80), (20, 20), turn, -90, 90, ink, -1, cv2.LINE_AA)
    elif name == "crowns":
        points = [at(-22, 14), at(22, 14), at(22, -14), at(0, 4), at(-22, -14)]
        cv2.fillPoly(picture, [np.array(points)], ink, cv2.LINE_AA)
    else:
        cv2.line(picture, at(-24, 0), at(24, 0), ink, 7, cv2.LINE_AA)
        cv2.line(picture, at(8, -14), at(8, 14), ink, 7, cv2.LINE_AA)
    return picture


def read(x: float = 80, y: float = 80, kind: str = "coin") -> Read:
    """A coin's suit side somewhere, taken for moons."""
    value = {"suit": "moons", "value": None}
    return Read(kind, "down", ((value, 0.6),), 0.97, rectangle(x, y, 80, 80, 0), 0.0)


TAUGHT = Looks("mine", tuple(looks.look_of("coin", n, looks.cut_out(coin(n), read().corners)) for n in INKS))


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(sorted(INKS)),
    turn=st.floats(0, 360),
    light=st.tuples(st.floats(0.7, 1.2), st.floats(0.8, 1.1), st.floats(0.7, 1.2)),
)
def test_a_coin_is_named_in_any_turn_and_light(
    name: str, turn: float, light: tuple[float, float, float]
) -> None:
    """Learned from one picture, told from others under yellower, bluer and darker light."""
    lit = np.clip(coin(name, turn) * np.array(light), 0, 255).astype(np.uint8)
    (one,) = looks.renamed(lit, [read()], TAUGHT)
    assert one.value == {"suit": name, "value": None}
    assert abs(sum(p for _, p in one.ranked) - 1) < 1e-9
    assert one.there == read().there


def test_what_was_not_taught_keeps_its_reading() -> None:
    """Other kinds, other sides of coins, and files that hold a single name change nothing."""
    picture = coin("suns")
    shows_value = Read("coin", "up", (({"suit": None, "value": 3}, 1.0),), 0.97, read().corners, 0.0)
    alone = Looks("one", TAUGHT.looks[:1])
    for one, known in ((read(kind="die"), TAUGHT), (shows_value, TAUGHT), (read(), alone)):
        assert looks.renamed(picture, [one], known) == [one]


def test_a_file_of_looks_reads_back_equal(tmp_path: Path) -> None:
    """What is written is what is read."""
    path = tmp_path / "mine.toml"
    path.write_text(toml.dump(TAUGHT), encoding="utf-8")
    assert looks.load(path) == TAUGHT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('title = "x"', "holds no looks"),
        ('title = "x"\n[[looks]]\nkind = "coin"\nname = "hearts"\npicture = ""', "names are suns, moons"),
        ('title = "x"\n[[looks]]\nkind = "cup"\nname = "suns"\npicture = ""', "no kind 'cup'"),
        ('title = "x"\n[[looks]]\nkind = "coin"\nname = "suns"\npicture = "?"', "not base64"),
        ('title = "x"\n[[looks]]\nkind = "coin"\nname = "suns"\npicture = "aGk="', "PNG of 64"),
    ],
)
def test_a_bad_file_is_told_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """What is wrong, and what would be right."""
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadProfileFile, match=said) as told:
        looks.load(path)
    assert "\n" not in str(told.value)


def test_names_become_values() -> None:
    """A coin's side is known by its name."""
    assert looks.value_of("coin", "ace") == {"suit": None, "value": 1}
    assert looks.value_of("coin", "suns") == {"suit": "suns", "value": None}
    assert looks.value_of("pawn", "arms") == {"suit": "arms"}
    assert looks.value_of("soldier", "grunt")["type"] == "grunt"
    with pytest.raises(ValueError, match="cannot be called"):
        LearnedLook("pawn", "ace", "")


def test_pieces_are_taken_in_the_order_of_reading() -> None:
    """Lines from above, each from the left, though nothing lies quite straight."""
    places = [(10, 12), (200, 0), (400, 25), (5, 210), (210, 190), (390, 220)]
    pieces = [read(x, y) for x, y in places]
    order = looks.line_by_line([pieces[k] for k in (4, 2, 0, 5, 1, 3)])
    assert [tuple(one.middle) for one in order] == [tuple(one.middle) for one in pieces]
