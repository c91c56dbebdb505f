"""What the table should look like in every phase, and what a move changes about it."""

from collections import Counter

from engine.dominoes_of_war.model import WarState
from engine.layout import Spot
from engine.nearness import Where
from tests.engine.dominoes_of_war.scene import BOOK, EAST, WEST, after, table

FOE = " 2:general@h8"
WALLS = ["a1/a2", "b1/b2", "c1/c2", "d1/d2"]


def spots(state: WarState) -> dict[str, Spot]:
    """The spots of the layout by name; no two may have the same."""
    layout = BOOK.layout(state)
    found = layout.by_name()
    assert len(found) == len(layout.spots)
    return found


def test_field_bases_walls_and_soldiers_lie_where_they_are() -> None:
    """Base tiles are turned by 90°, walls stand on edge between tiles, soldiers face where they face."""
    state = table("1:sniper@d4>w 2:general@h8", walls="d4/d5 d4/e4", field={"d4": "3-5"})
    found = spots(state)
    down, up, base = found["tile a1"], found["tile d4"], found["tile (0,3)"]
    assert (down.kind, down.face, down.value, down.x, down.y, down.angle) == (
        "domino",
        "down",
        None,
        1,
        1,
        90,
    )
    assert (up.face, up.value) == ("up", {"pips": [3, 5]})
    assert (base.face, base.angle, base.owner, base.x, base.y) == ("down", 0, 1, 0, 3)
    level, upright = found["wall d4/d5"], found["wall d4/e4"]
    assert (level.kind, level.face, level.x, level.y, level.angle) == ("wall", "edge", 4, 4.5, 0)
    assert (upright.x, upright.y, upright.angle) == (4.5, 4, 90)
    sniper, general = found["soldier d4"], found["soldier h8"]
    assert (sniper.kind, sniper.owner, sniper.angle, sniper.x, sniper.y) == ("soldier", 1, 180, 4, 4)
    assert sniper.value == {"army": "army", "type": "sniper", "facing_deg": 180}
    assert (general.angle, general.value) == (None, {"army": "army", "type": "general", "facing_deg": None})


def test_pieces_beside_the_board_are_counted() -> None:
    """Pools, killed soldiers, mines, blown walls and spare tiles are all there."""
    state = table(
        "1:kamikaze@d4" + FOE, walls="d5/d6", mines=["3-3"], rubble=1, discarded=[{"grunt": 2}, {"sniper": 1}]
    )
    regions = Counter(spot.region for spot in BOOK.layout(state).spots)
    assert regions == {"board": 64 + 12 + 1 + 2, "pool-1": 19 - 3, "pool-2": 19 - 2, "discard": 2 + 1 + 1}
    assert BOOK.layout(state).hidden == {"spares": state.spare, "discard": 1}
    assert spots(state)["mine 1"].value == {"pips": [3, 3]}


def test_nothing_tells_who_stands_hidden() -> None:
    """Behind the divider a soldier has no type, and his pool is only a number."""
    state = after(BOOK.start(setup={"bases": [WEST, EAST], "walls": WALLS}), "stock (0,3) hidden")
    layout = BOOK.layout(state)
    assert layout.by_name()["soldier (0,3)"].value == {"army": "army", "type": None, "facing_deg": None}
    assert layout.hidden == {"spares": 11, "discard": 0, "pool-1": 18}
    assert not layout.in_region("pool-1")
    assert len(layout.in_region("pool-2")) == 19


def test_tiles_not_placed_yet_are_with_the_spares() -> None:
    """Before bases and walls are placed all other tiles of the set lie beside the field."""
    state = BOOK.start()
    assert (len(BOOK.layout(state).spots), BOOK.layout(state).hidden["spares"]) == (64, 91 - 64)
    assert BOOK.layout(BOOK.start(setup={"bases": [WEST, []]})).hidden["spares"] == 91 - 64 - 6


def footprint(state: WarState, line: str) -> dict[str, object]:
    """What a move changes."""
    return dict(BOOK.footprint(state, BOOK.parse(line)))


def test_what_a_move_changes() -> None:
    """Every sort of move names the pieces it touches and where they are afterwards."""
    state = table("1:kamikaze@d4 1:sniper@b2 2:kamikaze@e5 2:grunt@f6" + FOE, walls="d4/d5")
    assert footprint(state, "move b2 b3") == {"soldier b2": Where(2, 3)}
    assert footprint(state, "shoot b2 f6") == {"attacker": "b2", "soldier f6": "off"}
    assert footprint(state, "shoot b2 e5") == {
        "attacker": "b2",
        "soldier d4": "off",
        "soldier e5": "off",
        "soldier f6": "off",
    }
    assert footprint(state, "shoot b2 a1").keys() == {"attacker", "soldier a1"}
    assert footprint(state, "run d4 e5").keys() == {"soldier d4", "soldier e5", "soldier f6"}
    assert footprint(state, "run d4 (4,9)").keys() == {"soldier d4", "soldier (4,9)"}
    assert footprint(state, "blow d4 d4/d5").keys() == {"wall d4/d5", "soldier d4", "soldier e5"}
    assert footprint(state, "blow a7 d4/d5").keys() >= {"wall d4/d5", "soldier a7"}
    assert footprint(state, "spawn b2 grunt (0,3)") == {"spawner": "b2", "new grunt": Where(0, 3)}
    assert footprint(state, "bonus grunt (0,3)") == {"new grunt": Where(0, 3)}
    assert footprint(state, "stock (0,3) hidden") == {"new hidden": Where(0, 3)}
    assert footprint(state, "face b2 n") == {"soldier b2": Where(2, 2, 90)}
    assert footprint(state, "extend (0,5)") == {"new tile": Where(0, 5)}
    assert footprint(state, "wall d4/d5") == {"new wall": Where(4, 4.5)}
    assert footprint(state, "rewall d4/d5 d4/e4") == {"wall d4/d5": Where(4.5, 4, 90)}
    assert footprint(state, "base (0,3) (0,4)") == {"tile (0,3)": Where(0, 3), "tile (0,4)": Where(0, 4)}
    assert footprint(state, "first 2") == {"said": "first 2"}
    assert footprint(state, "end") == {"said": "End"}


def test_scores_count_the_troops_on_the_table() -> None:
    """The score is how many troops each player has on the table, line by line and type by type."""
    scores = BOOK.scores(table("1:grunt@d4 1:grunt@d5 1:sniper@a1" + FOE))
    assert scores.totals == (3, 1)
    assert [(line.player, line.label, line.points) for line in scores.lines] == [
        (1, "Grunt", 2),
        (1, "Sniper", 1),
        (2, "General", 1),
    ]
    assert BOOK.outcome(table("1:grunt@d4" + FOE)) is None
