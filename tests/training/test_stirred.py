"""Two tones of plastic, laid over a die by the training: the body changes, its pips do not."""

import numpy as np

from training.stirred import stirred

BODY, PIP = (150, 90, 40), (250, 250, 250)


def die() -> np.ndarray:
    """A face that shows a 2."""
    flat = np.full((80, 80, 3), BODY, np.uint8)
    for x, y in ((30, 30), (50, 50)):
        flat[y - 3 : y + 3, x - 3 : x + 3] = PIP
    return flat


def test_the_body_changes_in_part_and_never_gets_brighter() -> None:
    """Of many stirred faces about half the body is darker, of none anything is lighter."""
    shares = []
    for seed in range(20):
        flat = die()
        out = stirred(flat, np.random.default_rng(seed))
        assert (out <= flat).all()
        shares.append(float((out[25:55, 25:55].mean(axis=2) < flat[25:55, 25:55].mean(axis=2) - 3).mean()))
    assert min(shares) < 0.5 < max(shares)
    assert 0.2 < float(np.mean(shares)) < 0.8


def test_bright_pips_and_the_rim_stay_as_they_are() -> None:
    """What is printed white stays white, and what lies around the die is left alone."""
    for seed in range(20):
        out = stirred(die(), np.random.default_rng(seed))
        assert out[29:31, 29:31].min() > 235
        assert (out[:, 0] == BODY).all()
        assert (out[0] == BODY).all()


def test_the_same_generator_stirs_the_same() -> None:
    """A training that goes on from a checkpoint draws the same examples."""
    first, again, other = (stirred(die(), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
