"""What is reckoned plane by plane is what numpy says along the last axis, to the last bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.colour_planes import length, mean, most

PICTURES = st.tuples(
    st.integers(1, 40), st.integers(1, 40), st.sampled_from([1, 2, 3]), st.integers(0, 2**32 - 1)
)


def floats(rows: int, columns: int, deep: int, seed: int, kind: Any) -> Any:
    """Numbers of all sizes, some negative."""
    rng = np.random.default_rng(seed)
    size = (rows, columns, deep)
    return (rng.normal(0, 1, size) * 10.0 ** rng.integers(-6, 6, size)).astype(kind)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(PICTURES)
def test_floats_come_to_the_same(kind: Any, made: tuple[int, int, int, int]) -> None:
    """Of one to three channels, also of a part of a picture that is not in one piece."""
    whole = floats(*made, kind)
    for picture in (whole, whole[::2, ::3], whole[:, ::-1]):
        assert np.array_equal(most(picture), picture.max(axis=2))
        assert np.array_equal(mean(picture), picture.mean(axis=2))
        assert np.array_equal(length(picture), np.linalg.norm(picture, axis=2))
        assert {most(picture).dtype, mean(picture).dtype} == {whole.dtype}
        assert length(picture).dtype == whole.dtype


@given(PICTURES)
def test_bytes_come_to_the_same(made: tuple[int, int, int, int]) -> None:
    """A camera's own pictures."""
    rows, columns, deep, seed = made
    whole = np.random.default_rng(seed).integers(0, 256, (rows, columns, deep)).astype(np.uint8)
    for picture in (whole, whole[::2, ::2]):
        assert np.array_equal(most(picture), picture.max(axis=2))
        assert most(picture).dtype == np.uint8
