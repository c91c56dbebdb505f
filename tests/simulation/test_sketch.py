"""Sketched tables: what lies there can be told from the picture alone, and a hand is seen as one."""

from dataclasses import replace

import numpy as np
import pytest

from engine import GAMES
from simulation.live_table import Conditions, LiveTable
from simulation.sketch import Sketcher
from simulation.strategy import decide
from simulation.whole_game import WholeGame
from vision.view import FrameState, TableWatch

UNSEEN = ("boneyard", "spares", "stack-")
"""Where pieces lie on one another."""


def table_of(game: str, seed: int = 3, moves: int = 12) -> tuple[WholeGame, LiveTable, Sketcher]:
    """A table in the middle of a game."""
    whole = WholeGame.begin(game, seed=seed, mind=decide)
    for _ in range(moves):
        if (deed := whole.next()) is not None:
            whole.do(deed)
    table = LiveTable(game, seed, whole.layout, Conditions(sketched=True))
    assert isinstance(table.studio, Sketcher)
    return whole, table, table.studio


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_tells_every_piece_that_lies_there(game: str) -> None:
    """Kinds, faces and values of a still table, no more and no less; those below others are not told."""
    whole, table, sketcher = table_of(game)
    shot = table.next()
    assert shot is not None
    seen = sorted(
        (one.piece.kind, one.piece.face, repr(one.piece.value))
        for one, _ in sketcher.seen_in(shot.picture)
        if not one.piece.name.startswith((*UNSEEN, "stack ", "board tile"))
    )
    lie = [spot for spot in whole.layout.spots if not spot.region.startswith(UNSEEN)]
    assert [kind for kind, *_ in seen] == sorted(spot.kind for spot in lie)
    backs = sum(spot.face == "down" for spot in lie)
    assert sum(face == "down" for _, face, _ in seen) == backs


def test_a_composed_picture_tells_what_each_part_shows() -> None:
    """A tile is told where it lay in the part of an old frame that is shown, and not where that is hidden."""
    _, table, sketcher = table_of("draw-game")
    shot = table.next()
    assert shot is not None
    told = {one.piece.name: share for one, share in sketcher.seen_in(shot.picture)}
    half = shot.picture.copy()
    half[:, : half.shape[1] // 2] = 40
    left = {one.piece.name for one, _ in sketcher.seen_in(half)}
    assert left < set(told)
    assert {name for name in told if name not in left}
    assert not sketcher.seen_in(np.full_like(shot.picture, 40))


def test_the_view_of_a_sketched_table_settles_and_sees_hands() -> None:
    """The same watch as for pictures calls it settled at first, sees a hand that comes, and settles again."""
    whole, table, _ = table_of("draw-game")
    watch, states = TableWatch(), list[FrameState]()
    deed = whole.next()
    assert deed is not None
    until = None
    for _ in range(80):
        shot = table.next()
        assert shot is not None
        states.append(watch.see(shot.picture, shot.tick.t, steady=True).state)
        if until is None and states[-1] is FrameState.SETTLED:
            until = table.do(replace(deed.event), "deed")
        if until is not None and table.now > until + 2 and states[-1] is FrameState.SETTLED:
            break
    assert states[0] is FrameState.STARTING
    assert FrameState.HAND in states
    assert states[-1] is FrameState.SETTLED
