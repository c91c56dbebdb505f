"""A table at which things are done while it is filmed: its clock, its frames, its trouble."""

import numpy as np
import pytest

from engine import GAMES
from simulation import live_table
from simulation.live_table import BUSY_S, IDLE_S, PATTERNED, PRINTED, STILL_S, Conditions, LiveTable
from simulation.makes import ORDINARY
from simulation.strategy import decide
from simulation.whole_game import Deed, WholeGame

TINY = (64, 48)


def table_of(game: str, seed: int, **conditions: object) -> tuple[WholeGame, LiveTable]:
    """A game that is set up, and a table with a very small camera."""
    whole = WholeGame.begin(game, seed=seed, mind=decide)
    return whole, LiveTable(game, seed, whole.layout, Conditions(size_px=TINY, **conditions))  # type: ignore[arg-type]


def first_seen(whole: WholeGame) -> Deed:
    """The first thing that hands do."""
    while (deed := whole.next()) is not None and not deed.visible:
        whole.do(deed)
    assert deed is not None
    return deed


def test_frames_are_near_each_other_only_when_a_hand_has_just_gone() -> None:
    """Few while hands are at work, many when they have gone, few again once nothing happens."""
    whole, table = table_of("draw-game", 3)
    until = table.do(first_seen(whole).event, "1")
    steps: dict[str, set[float]] = {"busy": set(), "just gone": set(), "idle": set()}
    while table.now < until + 4:
        before = table.now
        when = "busy" if before < until else "just gone" if before < until + 1.1 else "idle"
        hands = bool(table.director.reel.hands_at(before))
        shot = table.next()
        assert shot is not None
        if hands or when != "busy":
            steps[when].add(round(table.now - before, 6))
    assert steps["busy"] == {BUSY_S}
    assert steps["just gone"] == {STILL_S}
    assert steps["idle"] <= {STILL_S, IDLE_S}
    assert IDLE_S in steps["idle"]


def test_what_is_done_is_seen_and_stays() -> None:
    """The picture changes where a piece has come, and a hand that changes nothing leaves it as it was."""
    whole, table = table_of("draw-game", 3)
    shot = table.next()
    assert shot is not None
    names = {fact["name"] for fact in shot.pieces()}
    deed = first_seen(whole)
    until = table.do(deed.event, "1")
    while table.now <= until:
        shot = table.next()
    assert shot is not None
    after = {fact["name"] for fact in shot.pieces()}
    assert after != names
    until = table.visit(1, "2")
    assert until > table.now
    while table.now <= until:
        shot = table.next()
    assert shot is not None
    assert {fact["name"] for fact in shot.pieces()} == after


def test_a_seed_gives_the_same_table() -> None:
    """The same frames for the same deeds; another seed is another table."""
    pictures = []
    for seed in (4, 4, 5):
        _, table = table_of("kingdomino-duel", seed)
        shot = table.next()
        assert shot is not None
        pictures.append(shot.picture)
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_trouble_comes_chapter_by_chapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is planned as far as the game has come, begins after where the last chapter ended, and is seen."""
    monkeypatch.setattr(live_table, "CHAPTER_S", 6.0)
    _, table = table_of("draw-game", 3, hard=True, troubles=("black", "drop", "bump"))
    dark = missing = 0
    while table.now < 30:
        shot = table.next()
        missing += shot is None
        dark += shot is not None and shot.tick.black
    assert dark > 0
    assert missing > 0
    starts = [one.start for one in table._troubles]
    assert max(starts) > 18
    assert [one.number for one in table._troubles] == list(range(len(starts)))


def test_surfaces_are_as_the_conditions_say() -> None:
    """No printed board where players chose their table, and ordinary pieces lie on wood or plain cloth."""
    for seed in range(40):
        assert table_of("draw-game", seed)[1]._scene.surface.material not in PRINTED
        ordinary = table_of("draw-game", seed, look=ORDINARY)[1]._scene.surface.material
        assert ordinary not in PATTERNED


@pytest.mark.parametrize("game", GAMES)
def test_what_people_try_wrongly_keeps_to_the_mat(game: str) -> None:
    """A move that is not allowed is refused by the rule book, shows, and lies on the table all the same."""
    whole, found = WholeGame.begin(game, seed=7, mind=decide), 0
    for _ in range(60):
        deed = whole.next()
        if deed is None:
            break
        wrong = whole.slip()
        if wrong is not None:
            found += 1
            assert not wrong.legal
            assert wrong.visible
            assert live_mat(game, wrong)
            assert not whole.may_be_taken_back(wrong)
        whole.do(deed)
    assert found >= 5


def live_mat(game: str, deed: Deed) -> bool:
    """Whether every piece with a place lies in its region."""
    from calibration.plan import plan_of

    regions = plan_of(game).regions
    placed = [spot for spot in deed.event.after.spots if spot.x is not None and spot.y is not None]
    return all(regions[s.region].holds(*regions[s.region].place_mm(s.x, s.y)) for s in placed)  # type: ignore[arg-type]
