"""Tables with piles of coins: what lies there, and that the truth says so."""

from collections import Counter

import pytest

from simulation.coin_piles import HEIGHTS, pile_table
from simulation.picture import shoot
from simulation.truth import stack_up_to
from simulation.virtual_scene import VirtualScene
from training.pictures import scene


@pytest.fixture(scope="module")
def table() -> VirtualScene:
    """A table of piles in a small picture."""
    return pile_table(5, (480, 360))


def test_every_pile_stands_as_high_as_asked(table: VirtualScene) -> None:
    """Coin on coin, each in its pile's place; and the markers lie there too."""
    coins = [one for one in table.pieces if one.kind == "coin"]
    piles = Counter(one.name.split(" coin ")[0] for one in coins)
    assert sorted(piles.values()) == sorted(HEIGHTS)
    assert sum(one.kind == "marker" for one in table.pieces) == 4
    for one in coins:
        number = int(one.name.split()[-1])
        thick = one.look.coin_thick_mm  # type: ignore[union-attr]  # of a piecepack
        assert one.z_mm == pytest.approx(number * thick)
        assert stack_up_to(one, coins) == number + 1


def test_the_truth_tells_how_many_lie_there(table: VirtualScene) -> None:
    """Of the coin on top all of a pile, and what is below it is hidden."""
    facts = [fact for fact in shoot(table).facts if fact["kind"] == "coin"]
    assert len(facts) == sum(HEIGHTS)
    seen = [fact["stack"] for fact in facts if fact["visible"] > 0.9]
    assert sorted(seen) == sorted(HEIGHTS)
    assert max(fact["visible"] for fact in facts if fact["visible"] <= 0.9) < 0.6


def test_a_seed_is_one_table_and_piles_are_drawn_only_when_asked_for() -> None:
    """The same seed gives the same table; of the usual kinds of pictures none is this one."""
    assert pile_table(7) == pile_table(7)
    assert pile_table(7).pieces != pile_table(8).pieces
    asked, kind = scene(3, 1, "piles")
    assert kind == "piles"
    assert any(one.name.startswith("pile") for one in asked.pieces)
    assert "piles" not in {scene(number, 1)[1] for number in range(8)}
