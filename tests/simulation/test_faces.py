"""What is painted on the pieces: every value has its own face, in every make."""

import itertools

import cv2
import numpy as np
import pytest

from calibration import soldier_marks
from simulation import faces
from simulation.bodies import place
from simulation.makers import DUEL_DICE
from simulation.makes import (
    DOMINOES,
    DieLook,
    DominoLook,
    DuelLook,
    Look,
    PiecepackLook,
    SheetLook,
    SoldierLook,
    ThingLook,
)  # fmt: skip
from simulation.things import THINGS
from simulation.virtual_scene import Piece


def spots(face: np.ndarray, background: np.ndarray) -> int:  # type: ignore[type-arg]
    """How many separate spots stand out from the background colour."""
    odd = np.abs(face - background).max(axis=-1) > 0.10
    count, _, stats, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8))
    return sum(1 for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > 20)


@pytest.mark.parametrize("count", range(13))
@pytest.mark.parametrize("variant", range(4))
def test_a_half_has_as_many_pips_as_its_number(count: int, variant: int) -> None:
    """All arrangements of 0 to 12 have the right number of pips, apart from each other and symmetric."""
    places = faces.pip_places(count, variant)
    assert len(places) == count
    assert all(max(abs(a), abs(c)) <= 1 for a, c in places)
    assert all(np.hypot(p[0] - q[0], p[1] - q[1]) > 0.4 for p, q in itertools.combinations(places, 2))
    assert {(round(-a, 3), round(-c, 3)) for a, c in places} == {
        (round(a, 3), round(c, 3)) for a, c in places
    }


@pytest.mark.parametrize("look", DOMINOES.values(), ids=lambda look: look.name)
def test_painted_pips_can_be_counted_in_every_make(look: DominoLook) -> None:
    """On the painted face the pips of either half are separate spots, as many as the value says."""
    blank = DominoLook(**{**_fields(look), "bar": "none", "pin": "none", "frame": False})
    for pips in ((0, 1), (9, 12), (11, 6)):
        colour = faces.domino_face(blank, pips, 3, 12.0).colour[..., :3]
        middle = colour.shape[1] // 2
        if look.stuff.grain != "plain":
            continue
        for half, wanted in ((colour[:, :middle], pips[0]), (colour[:, middle:], pips[1])):
            assert spots(half, np.median(half, axis=(0, 1))) == wanted


def _fields(look: DominoLook) -> dict[str, object]:
    return {name: getattr(look, name) for name in DominoLook.__slots__}


def test_every_value_of_every_set_has_a_face_of_its_own() -> None:
    """No two values of one set are painted alike, in any style of drawing."""
    for style in range(6):
        pack, duel = PiecepackLook(style=style), DuelLook(style=style % 4, cross_style=style % 3)
        coins = [faces.coin_face(pack, suit, None, 1, 8.0) for suit in faces.SUIT_ORDER]
        coins += [faces.coin_face(pack, None, value, 1, 8.0) for value in range(6)]
        dice = [faces.piecepack_die_face(pack, suit, rank, 1, 12.0) for suit in faces.SUIT_ORDER
                for rank in faces.RANKS if rank != "null"]  # fmt: skip
        coats = [
            faces.duel_face(duel, coat, n, 1, 10.0) for coat, n in sorted({f for d in DUEL_DICE for f in d})
        ]
        for group in (coins, dice, coats):
            for a, b in itertools.combinations(group, 2):
                assert np.abs(a.colour[..., :3] - b.colour[..., :3]).max() > 0.1


def test_the_dice_are_those_of_one_edition() -> None:
    """24 faces, 2 jokers, 10 crosses, and the coats in the numbers that the reference gives."""
    sides = [side for die in DUEL_DICE for side in die]
    assert len(sides) == 24
    assert sum(n for _, n in sides) == 10
    counts = {coat: sum(1 for c, _ in sides if c == coat) for coat, _ in sides}
    assert counts == {
        "joker": 2, "dot": 5, "stripe": 5, "two-dots": 4, "two-stripes": 4, "quarters": 2, "black": 2,
    }  # fmt: skip


def test_soldiers_marks_are_all_different_and_one_wrong_sector_is_noticed() -> None:
    """Each side and type has its own code; no single misread sector turns one soldier into another."""
    codes = {
        soldier_marks.code_of(kind, side): (kind, side) for kind in soldier_marks.TYPES for side in (0, 1)
    }
    assert len(codes) == 22
    for code, soldier in codes.items():
        assert soldier_marks.read_code(code) == soldier
        for k in range(6):
            wrong = tuple(not bit if i == k else bit for i, bit in enumerate(code))
            assert soldier_marks.read_code(wrong) is None


MAKES: list[tuple[str, Look, dict[str, object] | None]] = [
    *(("domino", look, {"pips": [3, 4]}) for look in DOMINOES.values()),
    ("wall", DOMINOES["ivory"], {"pips": [3, 4]}),
    *((kind, PiecepackLook(pawn=pawn), {"suit": "arms", "value": 3, "face": "ace"})
      for kind in ("tile", "coin", "pawn", "die") for pawn in ("ball", "cone", "saucer")),
    *(("die", DieLook(round_mm=r), {"face": str(k)}) for k in range(1, 7) for r in (0.0, 11.0)),
    ("die", DuelLook(), {"set": "kingdomino-duel", "face": "quarters", "crosses": 2}),
    *(("soldier", SoldierLook(marker=mark), {"type": kind})
      for kind in soldier_marks.TYPES for mark in (False, True)),
    *(("sheet", SheetLook(style=style), None)
      for style in ("duel-map", "notes", "blank", "marker", "mat", "photo", "lines")),
    *(("distractor", ThingLook(thing), None) for thing in THINGS),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "look", "value"), MAKES)
def test_every_make_of_every_kind_is_a_solid_body(
    kind: str, look: Look, value: dict[str, object] | None
) -> None:
    """Every body is empty above its top and beyond its reach, and solid somewhere low over the table."""
    body = place(Piece("p", kind, look, 0, 0, value=value)).body  # type: ignore[arg-type]
    shape = body.shape
    a = np.linspace(0, 2 * np.pi, 16, dtype=np.float32)
    far = np.float32(shape.reach_mm + 0.6)
    zeros = np.zeros_like(a)
    for z in (0.5, shape.top_mm / 2):
        assert (shape.distance(far * np.cos(a), far * np.sin(a), zeros + np.float32(z)) > 0).all()
    x, y = np.meshgrid(
        np.linspace(-far, far, 60, dtype=np.float32), np.linspace(-far, far, 60, dtype=np.float32)
    )
    assert (shape.distance(x, y, np.full_like(x, shape.top_mm + 0.3)) > 0).all()
    low = np.full_like(x, min(1.0, shape.top_mm / 2))
    assert (shape.distance(x, y, low) < 0).any()
    top = max(high for _, _, high in shape.outlines())
    assert top == pytest.approx(shape.top_mm, abs=1.0)
    for painter in body.skin.faces.values():
        assert np.isfinite(painter(4.0).colour).all()
