"""Several looks at a table from which no game has begun: nothing that one of them saw is lost."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.ruling_pictures import Outline
from device.live.gathering import Gathering
from device.live.ports import Seen
from engine.layout import Face
from engine.scene import Guess, Scene, Sighting
from tests.device.live.test_steadying import pawn
from vision.view import Box

SPOTS = 12


def at(spot: int, presence: float = 0.99, face: Face = "up", **shown: float) -> Sighting:
    """A soldier on a spot, with the types that he may be of."""
    guesses = tuple(Guess({"type": kind, "facing_deg": 10.0 * spot}, p) for kind, p in shown.items())
    return Sighting("soldier", "board", float(spot), 1.0, 0.0, face, guesses, presence)


def look(*sightings: Sighting) -> Seen:
    """A look that shows these, with their marks."""
    marks = []
    for one in sightings:
        x = 50.0 * (one.x or 0.0)
        marks.append(Outline(((x - 10, 40.0), (x + 10, 40.0), (x + 10, 60.0), (x - 10, 60.0))))
    return Seen(Scene(tuple(replace(one, ref=str(k)) for k, one in enumerate(sightings))), tuple(marks))


def nobody(_box: Box) -> bool:
    """Nothing was touched."""
    return False


def all_of(*looks: Seen) -> dict[int, Sighting]:
    """What they show together, by the spots."""
    gathering = Gathering()
    for each in looks:
        gathering, seen = gathering.add(each, nobody)
    found = {round(one.x or 0): one for one in seen.scene.sightings}
    assert len(found) == len(seen.scene.sightings)
    for spot, one in found.items():
        assert seen.marks[int(one.ref)] == look(at(spot)).marks[0]  # each is shown where it lies
    return found


spots = st.sets(st.integers(0, SPOTS - 1))


@given(st.lists(spots, min_size=1, max_size=4), spots)
def test_what_any_look_saw_is_there_until_somebody_was_at_it(looks: list[set[int]], hand: set[int]) -> None:
    """Where a hand was before the last look, only that look counts."""

    def touched(box: Box) -> bool:
        return (box[0] + 10) // 50 in hand

    gathering = Gathering()
    for one in looks[:-1]:
        gathering, _ = gathering.add(look(*map(at, sorted(one))), nobody)
    _, seen = gathering.add(look(*map(at, sorted(looks[-1]))), touched)
    before = set[int]().union(*looks[:-1])
    assert {round(one.x or 0) for one in seen.scene.sightings} == looks[-1] | (before - hand)


def test_a_first_look_is_told_as_it_is() -> None:
    """And so is what has no mark."""
    sheet = Sighting("sheet", "sheet-1", ref="7")
    one = look(at(3, 0.7, grunt=0.6, gunner=0.3))
    bare = replace(one, scene=Scene((*one.scene.sightings, sheet)))
    assert Gathering().add(bare, nobody)[1] == bare


def test_readings_that_agree_make_sure_and_those_that_do_not_leave_doubt() -> None:
    """Two doubtful looks that say the same are surer than each; two sure ones that differ are not."""
    first, second = look(at(3, 0.9, grunt=0.9, gunner=0.05)), look(at(3, 0.9, grunt=0.85, sniper=0.1))
    alike = all_of(first, second)[3]
    assert alike.presence > 0.9
    assert alike.guesses[0].value == {"type": "grunt", "facing_deg": 30.0}
    assert alike.guesses[0].probability > 0.95
    other = all_of(look(at(3, grunt=0.97, gunner=0.02)), look(at(3, gunner=0.95, grunt=0.04)))[3]
    assert other.guesses[0].probability < 0.7
    assert sum(guess.probability for guess in other.guesses) <= 1.0


def test_an_unclear_look_does_not_spoil_a_clear_one() -> None:
    """A reading that tells little takes little away; one that tells nothing, nothing."""
    clear = look(at(3, grunt=0.99))
    assert all_of(clear, look(at(3, grunt=0.5, gunner=0.4)))[3].guesses[0].probability > 0.95
    assert all_of(clear, look(at(3)))[3].guesses[0].probability > 0.98
    assert not all_of(look(at(3)), look(at(3)))[3].guesses


def test_a_ghost_passes_and_what_was_seen_surely_stays() -> None:
    """What one look half believed and no other saw is told no more: it keeps no game from beginning."""
    empty = [look()] * 3
    assert not all_of(look(at(3, 0.6, grunt=1.0)), *empty)
    assert all_of(look(at(3, 0.99, grunt=1.0)), *empty)[3].presence > 0.9


def test_all_looks_together_say_which_face_is_up() -> None:
    """A back that looks half open in one of them is a back; what it might show is not forgotten."""
    down = at(3, 0.95, "down")
    half = replace(at(3, 0.95, grunt=0.6), face="up")
    half = replace(half, guesses=(*half.guesses, Guess(None, 0.35, "down")))
    found = all_of(look(down), look(half), look(down))[3]
    assert found.face == "down"
    assert found.guesses[0].value is None
    assert found.guesses[0].probability > 0.9
    assert found.guesses[1].face == "up"
    backs = all_of(look(down), look(down))[3]
    assert not backs.guesses
    assert backs.presence > 0.95
    assert all_of(look(half), look(half))[3].face == "up"


@pytest.mark.parametrize("turned", [0.0, 180.0])
def test_a_domino_is_the_same_from_either_end(turned: float) -> None:
    """Which end a look calls the first makes no difference."""
    pips = [2, 5] if not turned else [5, 2]
    one = Sighting("domino", "board", 3.0, 1.0, 90.0, guesses=(Guess({"pips": [2, 5]}, 0.95),))
    other = replace(one, angle=90.0 + turned, guesses=(Guess({"pips": pips}, 0.9),))
    found = all_of(look(one), look(other))[3]
    assert found.value == {"pips": [2, 5]}
    assert found.guesses[0].probability > 0.95
    assert len(found.guesses) == 1


def test_pieces_of_other_kinds_are_kept_apart() -> None:
    """A soldier and the tile under him are two, whichever look saw which."""
    gathering = Gathering()
    tile = replace(at(3), kind="domino")
    gathering, _ = gathering.add(look(tile), nobody)
    _, seen = gathering.add(look(at(3)), nobody)
    assert {one.kind for one in seen.scene.sightings} == {"domino", "soldier"}


@pytest.mark.parametrize("turned", [False, True])
def test_a_pawn_that_is_read_whole_or_by_its_head_is_one(turned: bool) -> None:
    """Whichever of both is read first."""
    looks = pawn((566, 347), 27), pawn((572, 366), 46)
    gathering, _ = Gathering().add(looks[turned], nobody)
    _, seen = gathering.add(looks[not turned], nobody)
    assert len(seen.scene.sightings) == 1
