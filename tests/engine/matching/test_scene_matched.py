"""Scenes as plain data: what is written reads back, and what cannot be is refused in one sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.plain import BadData
from engine.scene import FACES, KINDS, Guess, Hidden, Scene, Sighting

_far = st.floats(-500, 500)
_shares = st.floats(0, 1)
_values = st.none() | st.fixed_dictionaries({"suit": st.none() | st.just("suns"), "value": st.integers(0, 5)})
_guesses = st.builds(Guess, _values, _shares, st.none() | st.sampled_from(FACES))
_sightings = st.builds(
    Sighting,
    st.sampled_from(KINDS),
    st.sampled_from(("board", "pool", "")),
    st.none() | _far,
    st.none() | _far,
    st.none() | _far,
    st.sampled_from(FACES),
    st.lists(_guesses, max_size=3).map(tuple),
    _shares,
    _shares,
    st.none() | st.integers(1, 2),
    st.text(max_size=4),
    st.none() | st.integers(1, 2),
)
_corners = st.lists(st.tuples(_far, _far), min_size=3, max_size=6).map(tuple)
_hidden = st.builds(Hidden, st.sampled_from(("board", "pool")), st.just(()) | _corners)
_scenes = st.builds(
    Scene,
    st.lists(_sightings, max_size=4).map(tuple),
    st.lists(_hidden, max_size=3).map(tuple),
    st.none() | st.integers(1, 2),
    st.none() | st.integers(0, 9),
    st.lists(st.text(max_size=4), max_size=3).map(tuple),
    came=st.none() | st.integers(1, 2),
    vouched=st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), max_size=2).map(tuple),
)


@given(_scenes)
def test_a_scene_reads_back_exactly(scene: Scene) -> None:
    """Nothing is lost or changed on the way through JSON."""
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene


def test_the_likeliest_value_comes_first() -> None:
    """The value of a sighting is that of its first guess."""
    two, three = {"pips": [2, 5]}, {"pips": [3, 5]}
    seen = Sighting("domino", "board", 1.0, 2.0, 0.0, guesses=(Guess(two, 0.8), Guess(three, 0.2)))
    assert seen.value == two
    assert Sighting("domino", "board").value is None


def test_hidden_is_a_part_of_a_region() -> None:
    """A polygon hides what lies inside it; without one the whole region is hidden."""
    corner = Hidden("board", ((0.5, 0.5), (2.5, 0.5), (2.5, 2.5), (0.5, 2.5)))
    scene = Scene((), (corner, Hidden("pool")))
    assert scene.is_hidden("board", 1, 1)
    assert not scene.is_hidden("board", 3, 1)
    assert scene.is_hidden("board")
    assert scene.is_hidden("pool", 90, 90)
    assert not scene.is_hidden("old-dice")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([], "a scene should be an object"),
        ({}, "the version of a scene should be 1"),
        ({"version": 1, "sightings": 3}, "the sightings should be a list"),
        ({"version": 1, "sightings": [{"region": "board"}]}, "lacks the entry 'kind'"),
        ({"version": 1, "sightings": [{"kind": "cat", "region": "b"}]}, "should be one of domino"),
        ({"version": 1, "sightings": [{"kind": "coin", "region": "b", "face": "left"}]}, "a face should be"),
        ({"version": 1, "sightings": [{"kind": "coin", "region": "b", "x": "c"}]}, "should be a number"),
        ({"version": 1, "sightings": [{"kind": "coin", "region": "b", "presence": 2}]}, "from 0 to 1, not 2"),
        ({"version": 1, "hidden": [{"region": "b", "outline": [[1, 2]]}]}, "three corners"),
        ({"version": 1, "hidden": [{"region": "b", "outline": [[1], [2], [3]]}]}, "three corners"),
        ({"version": 1, "by": "me"}, "should be a whole number"),
        (
            {"version": 1, "sightings": [{"kind": "coin", "region": "b", "on_board": [1]}]},
            r"should be \[x, y\]",
        ),
        ({"version": 1, "fresh": [3]}, "a fresh sighting should be"),
        ({"version": 1, "vouched": [["1-4"]]}, r"should be \[name, region\]"),
        ({"version": 1, "vouched": [["1-4", 3]]}, "the region of a piece should be"),
    ],
)
def test_what_is_no_scene_is_refused(wrong: object, why: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(BadData, match=why):
        Scene.from_json(wrong)  # type: ignore[arg-type]


def test_where_a_tile_in_a_hand_lies_on_the_board_is_kept() -> None:
    """In board units, beside its millimetres in the hand."""
    scene = Scene((Sighting("domino", "hand-1", -80.0, 0.0, on_board=(-0.4, -8.5)),))
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene
