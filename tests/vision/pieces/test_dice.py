"""The closer look at dice: what is no die stays as it was, and a die is told from all four sides."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.random_scene import photograph  # OpenCV may be missing
from vision.pieces import dice, small
from vision.pieces.dice import NUMBERS, QUESTIONS, looked_at
from vision.pieces.finder import Spotted
from vision.pieces.patches import Floats, Picture
from vision.pieces.small import CHOICES, SmallReading

PICTURE = np.zeros((200, 200, 3), np.uint8)
_ENDS = dict(zip(QUESTIONS, np.cumsum([0, *map(len, QUESTIONS.values())]), strict=False))


def seen(kind: str, likely: float = 0.9, angle_deg: float = 20.0) -> SmallReading:
    """A small piece as the first reader told of it."""
    choices = {name: np.ones(len(each)) / len(each) for name, each in CHOICES.items()}
    kinds = np.full(len(CHOICES["kind"]), (1 - likely) / (len(CHOICES["kind"]) - 1))
    kinds[CHOICES["kind"].index(kind)] = likely
    return SmallReading({**choices, "kind": kinds}, 100.0, 90.0, 30.0, angle_deg)


def answer(**said: str | float) -> Floats:
    """What the network says: each question answered clearly, and numbers by their place."""
    row = np.zeros(sum(map(len, QUESTIONS.values())) + NUMBERS)
    for name, choice in said.items():
        if name in QUESTIONS:
            row[_ENDS[name] + QUESTIONS[name].index(str(choice))] = 12.0
        else:
            place = ("x", "y", "growth", "cosine", "sine", "visible").index(name)
            row[place - NUMBERS] = float(choice)
    return row


def told(monkeypatch: pytest.MonkeyPatch, *rows: Floats) -> list[int]:
    """The network says these rows by turns, one for every look; how many patches each look had."""
    looks: list[int] = []

    def answers(name: str, patches: Sequence[Picture]) -> Floats:
        assert name == "die_reader"
        looks.append(len(patches))
        return np.stack([rows[min(len(looks), len(rows)) - 1]] * len(patches))

    monkeypatch.setattr(dice, "answers", answers)
    return looks


def test_what_is_surely_no_die_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coin costs nothing more."""
    looks = told(monkeypatch, answer(there="die"))
    coin = seen("coin", 0.99)
    assert looked_at(PICTURE, [coin]) == [coin]
    assert not looks


def test_a_die_is_what_the_closer_look_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its face and set, whether it lies flat, and how much of it is seen."""
    row = answer(there="die", lies="flat", set="piecepack", rank="ace", suit="moons", cosine=1.0, visible=0.8)
    told(monkeypatch, row)
    [one] = looked_at(PICTURE, [seen("die", 0.6)])
    value, likely = small.ranked(one, "die")[0]
    assert value == {"set": "piecepack", "suit": "moons", "face": "ace", "crosses": None}
    assert likely > 0.99
    assert one.choices["kind"][CHOICES["kind"].index("die")] > 0.99
    assert one.flat > 0.99
    assert one.visible == pytest.approx(0.8)


def test_what_is_no_die_after_all_is_what_else_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other kinds share what the die loses, as they stood to each other."""
    told(monkeypatch, answer(there="none", lies="flat", cosine=1.0))
    before = seen("die", 0.5)
    [one] = looked_at(PICTURE, [before])
    kinds = one.choices["kind"]
    assert kinds.sum() == pytest.approx(1.0)
    assert kinds[CHOICES["kind"].index("die")] < 0.01
    assert kinds[CHOICES["kind"].index("coin")] == pytest.approx(kinds[CHOICES["kind"].index("pawn")])


def test_a_leaning_die_does_not_lie_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads on can ask."""
    told(monkeypatch, answer(there="die", lies="leaning", set="pips", pips="3", cosine=1.0))
    [one] = looked_at(PICTURE, [seen("die")])
    assert one.flat < dice.FLAT


def test_the_place_is_put_right_before_the_faces_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """An offset is told in the frame of the turned square."""
    first = answer(there="die", x=0.1, growth=0.1, cosine=0.0, sine=1.0)
    looks = told(monkeypatch, first, answer(there="die", set="pips", pips="5", cosine=1.0))
    [one] = looked_at(PICTURE, [seen("die", angle_deg=90.0)])
    assert looks == [1] * 6
    assert (one.x, one.y) == pytest.approx((100.0, 93.0))
    assert one.side == pytest.approx(30.0 * math.exp(0.1))
    assert one.angle_deg == pytest.approx(90.0 + 22.5)


def test_only_what_moved_far_is_asked_again_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A square that hardly moves costs one look before the four sides, and what moves on is not chased."""
    still = answer(there="die", x=0.01, cosine=1.0)
    looks = told(monkeypatch, still)
    looked_at(PICTURE, [seen("die"), seen("die")])
    assert looks == [2] * 5
    looks = told(monkeypatch, answer(there="die", x=0.1, cosine=1.0))
    [one] = looked_at(PICTURE, [seen("die", angle_deg=0.0)])
    assert looks == [1] * 6
    assert one.x == pytest.approx(106.0)


def test_dice_of_many_makes_are_read_as_they_lie() -> None:
    """The network itself, on dice that it never saw: most faces are right."""
    from simulation.picture import shoot

    right = total = 0
    for seed in (1, 2):
        shot = shoot(photograph(seed + 90_000, "every-die", (960, 720)))
        facts = [
            f for f in shot.facts if f["kind"] == "die" and f["visible"] > 0.8 and f["name"].startswith("die")
        ]
        corners = [np.array(f["corners_px"]) for f in facts]
        spots = []
        for four in corners:
            side = float(np.linalg.norm(four[1] - four[0]))
            spots.append(Spotted("die", *(float(v) for v in four.mean(axis=0)), side, side, 0.0, 1.0))
        for fact, one in zip(facts, looked_at(shot.picture, small.read(shot.picture, spots)), strict=True):
            value = small.ranked(one, "die")[0][0] or {}
            total += 1
            right += value["set"] == fact["value"]["set"] and value["face"] == fact["value"]["face"]
    assert total >= 15
    assert right / total > 0.85


@pytest.mark.parametrize(("light", "least", "most"), [(200, 0.99, 1.0), (250, 0.35, 0.45)])
def test_an_empty_face_in_too_much_light_may_have_lost_its_ink(
    light: int, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the picture is white all over nobody can say that nothing is printed there."""
    said = answer(there="die", lies="flat", set="piecepack", rank="null", cosine=1.0)
    told(monkeypatch, said)
    [one] = looked_at(np.full((200, 200, 3), light, np.uint8), [seen("die")])
    ranks = one.choices["rank"]
    assert least < ranks[CHOICES["rank"].index("null")] < most
    assert ranks.sum() == pytest.approx(1.0)
