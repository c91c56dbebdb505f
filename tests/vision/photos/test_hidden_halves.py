"""Hidden halves: what something lies over is believed less, and what lies open as much as before."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.photos import hidden_halves
from vision.photos.hidden_halves import doubted, with_doubt
from vision.pieces.domino_reading import FACES, PIPS, DominoReading
from vision.pieces.patches import rectangle

CLOTHS = ((60, 110, 50), (150, 150, 150), (70, 90, 130))
PAPERS = ((235, 235, 235), (205, 225, 235), (90, 120, 170))
CORNERS = rectangle(100.0, 75.0, 90.0, 45.0, 0.0)
SHARES = st.lists(st.floats(1e-6, 1), min_size=PIPS, max_size=PIPS).map(lambda p: np.array(p) / sum(p))
CHANCE = st.floats(0, 1)


def spot(x: float, y: float) -> tuple[int, int]:
    """A place on the domino, in shares of its length and width."""
    return round(55 + 90 * x), round(52.5 + 45 * y)


def picture(cloth: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A domino that shows a blank half and five pips, a little soft and noisy as a photo is."""
    drawn = np.full((150, 200, 3), cloth, np.uint8)
    drawn[53:98, 57:149] = np.array(cloth) // 2
    cv2.rectangle(drawn, (55, 52), (145, 97), (200, 215, 220), -1)
    cv2.line(drawn, spot(0.5, 0.1), spot(0.5, 0.9), (60, 60, 60), 2)
    for x, y in ((0.6, 0.22), (0.9, 0.22), (0.75, 0.5), (0.6, 0.78), (0.9, 0.78)):
        cv2.circle(drawn, spot(x, y), 4, (40, 40, 40), -1, cv2.LINE_AA)
    return drawn


def photo(drawn: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As a camera sees it."""
    noise = np.random.default_rng(7).normal(0, 3, drawn.shape)
    soft = cv2.GaussianBlur(drawn, (0, 0), 0.8)
    return np.asarray(np.clip(soft + noise, 0, 255), dtype=np.uint8)


def reading(face: str = "up", sure: float = 0.99) -> DominoReading:
    """A blank and a five, or a back."""
    faces = np.full(4, 1e-3)
    faces[FACES.index(face)] = 1 - 3e-3
    first, second = np.full((2, PIPS), (1 - sure) / (PIPS - 1))
    first[0] = second[5] = sure
    return DominoReading(faces, first, second, CORNERS, 0.95)


@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("paper", PAPERS)
def test_paper_over_a_half_is_seen_and_only_there(
    cloth: tuple[int, int, int], paper: tuple[int, int, int]
) -> None:
    """The same domino is believed where it lies open and doubted under paper, which no blank half is like."""
    drawn = picture(cloth)
    open_ = doubted(photo(drawn), [reading()])[0]
    cv2.rectangle(drawn, (35, 45), (99, 104), paper, -1)
    covered = doubted(photo(drawn), [reading()])[0]
    assert open_.first[0] * open_.second[5] > 0.94
    assert covered.first[0] < 0.5 < covered.second[5]
    assert covered.visible < 0.65


def test_paper_beside_a_domino_hides_nothing() -> None:
    """It reaches to the rim, and the domino lies on it."""
    drawn = picture(CLOTHS[0])
    under = np.full_like(drawn, PAPERS[0])
    under[52:98, 55:146] = drawn[52:98, 55:146]
    under[:, 100:] = drawn[:, 100:]
    assert doubted(photo(under), [reading()])[0].first[0] > 0.94


def test_halves_of_two_hues_are_no_domino(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the network sees nothing; a shadow over a half leaves its hue, and it is believed."""
    monkeypatch.setattr(hidden_halves, "chances", lambda _, corners: np.zeros((len(corners), 2)))
    drawn = picture(CLOTHS[0])
    shaded = drawn.copy()
    shaded[:, :100] = (shaded[:, :100] * 0.6).astype(np.uint8)
    assert doubted(photo(shaded), [reading()])[0].first[0] > 0.94
    cv2.rectangle(drawn, (35, 45), (99, 104), (70, 110, 200), -1)
    both = doubted(photo(drawn), [reading()])[0]
    assert both.first[0] * both.second[5] < 0.5


def test_what_is_asked_about_anyway_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no domino and what is doubted stay as they are for nothing; backs and sides do cost a look."""
    asked: list[int] = []

    def counted(_: object, corners: list[object]) -> NDArray[np.float64]:
        asked.append(len(corners))
        return np.ones((len(corners), 2))

    monkeypatch.setattr(hidden_halves, "chances", counted)
    seen = [reading("none"), reading(sure=0.6), reading(), reading("down"), reading("edge")]
    out = doubted(photo(picture(CLOTHS[0])), seen)
    assert asked == [3]
    assert out[:2] == seen[:2]
    assert out[2].first[0] < 0.1
    assert out[3].faces[FACES.index("down")] < 0.9
    assert out[4].faces[FACES.index("edge")] < 0.9


@given(SHARES, SHARES, SHARES, CHANCE, CHANCE)
def test_doubt_leaves_the_order_and_the_sum(
    faces: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64], a: float, b: float
) -> None:
    """Probabilities stay probabilities; no pips become likelier than those that were likelier."""
    one = DominoReading(faces[:4] / faces[:4].sum(), first, second, CORNERS, 0.9)
    doubt = with_doubt(one, np.array([a, b]))
    for before, after in ((one.first, doubt.first), (one.second, doubt.second)):
        assert after.sum() == pytest.approx(1)
        assert (np.diff(after[np.argsort(before)]) >= -1e-12).all()
        assert after.max() <= before.max() + 1e-12
    assert doubt.faces.sum() == pytest.approx(1)
    assert doubt.faces[FACES.index("none")] == one.faces[FACES.index("none")]
    assert doubt.visible <= one.visible


@given(SHARES, SHARES)
def test_what_lies_open_stays_as_it_was(first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
    """No doubt, no change."""
    one = replace(reading(), first=first, second=second)
    same = with_doubt(one, np.zeros(2))
    assert np.allclose(same.first, one.first)
    assert np.allclose(same.second, one.second)
    assert np.allclose(same.faces, one.faces)
    assert same.visible == one.visible


def test_a_half_that_shows_pips_may_be_hidden_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strip along a side leaves some of its pips; whatever it shows, the network's word counts."""
    monkeypatch.setattr(hidden_halves, "chances", lambda _, corners: np.tile([0.0, 1.0], (len(corners), 1)))
    (one,) = doubted(photo(picture(CLOTHS[0])), [reading()])
    assert one.first[0] == pytest.approx(reading().first[0])
    assert one.second[5] < 0.2
