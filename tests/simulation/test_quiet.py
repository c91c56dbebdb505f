"""Films at which nothing is done: no piece moves, hands cover what was wanted, and light changes alone."""

import itertools

import numpy as np
import pytest

from engine import GAMES, State, rulebook
from simulation.film import Options, props_of, scene_of
from simulation.quiet import LIGHTS, MOST, VISITS, SmallSight, in_progress, quiet, reaching, table_in
from simulation.setting import TableSetting
from simulation.virtual_scene import stream

SMALL = Options(size_px=(320, 240))


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_moved_and_hands_and_light_come_one_after_the_other(game: str) -> None:
    """So many of either, none while another one lasts, in a position that can be played on from."""
    film = quiet(game, seed=5, episodes=6, options=SMALL)
    assert not film.take.reel.pieces
    assert not film.take.reel.renames
    lines = film.truth()[1:]
    kinds = [str(line["kind"]) for line in lines]
    assert sum(kind in VISITS for kind in kinds) == sum(kind in LIGHTS for kind in kinds) == 6
    spans = [(one.start, one.end) for one in film.take.episodes]
    spans += [(one.start, one.end) for one in film.troubles]
    assert all(before[1] + 1 < after[0] for before, after in itertools.pairwise(sorted(spans)))
    hands = film.take.reel.hands
    assert all(any(a <= track.start and track.end <= b for a, b in spans) for track in hands)
    book, state = rulebook(game), State.from_json(film.script.setup)
    assert book.pending(state) is None
    assert book.outcome(state) is None
    assert film.script.start == book.layout(state)


def test_a_seed_is_a_film() -> None:
    """The same one each time, and another one for another seed."""
    one, same, other = (quiet("dominoids", seed=seed, episodes=2, options=SMALL) for seed in (5, 5, 6))
    assert one.truth() == same.truth() != other.truth()
    assert in_progress("dominoids", 5).setup == one.script.setup


@pytest.mark.parametrize("wanted", [0.05, 0.3, 0.55])
def test_hands_cover_as_much_of_the_table_as_is_wanted(wanted: float) -> None:
    """In the mean of some visits; the largest is three fifths of the table."""
    setting = TableSetting("draw-game", 3, props_of(3, "random"))
    scene = scene_of(setting, 3, SMALL)
    film = quiet("draw-game", seed=3, episodes=0, options=SMALL)
    sight = SmallSight(scene, setting.plan.size_mm, film.take.persons, film.take.seats)
    rng = stream(3, "reaching")
    found = [sight.covered(reaching(kind, wanted, sight, rng)) for kind in VISITS]
    assert np.mean(found) == pytest.approx(wanted, abs=0.05)
    assert max(found) < MOST + 0.1
    assert sight.covered(()) == 0


def test_what_is_seen_of_hands_is_what_was_reckoned_for_them() -> None:
    """The frames of a film cover as much of the table at most as its small picture said."""
    film = quiet("dominoids", seed=8, episodes=1, options=SMALL)
    table = table_in(film.scene.camera, TableSetting("dominoids").plan.size_mm)
    assert 0.5 < table.mean() <= 1
    (visit,) = film.take.episodes
    span = range(film.first_frame(visit.start), film.last_frame(visit.end) + 1)
    shots = list(film.shots(span))
    shares = [
        0.0 if shot.frame.covered is None else float(shot.frame.covered[table].mean()) for shot in shots
    ]
    assert 0.01 < max(shares) < MOST + 0.1
    assert all(shot.hand for shot in shots if shot.frame.hand_share() > 0)
    assert {shot.state for shot in shots} == {0}
    assert not any(shot.moving for shot in shots)
